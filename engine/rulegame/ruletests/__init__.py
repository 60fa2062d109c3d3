"""The `tests:` of a ruleset. In: its model. Out: how they went, and which rules they cover."""
