"""Run the `tests:` of a ruleset and measure which rules they cover."""
