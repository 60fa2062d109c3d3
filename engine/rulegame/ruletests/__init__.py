"""The `tests:` of a ruleset: checked when it is loaded, run by `rulegame test`, their coverage."""
