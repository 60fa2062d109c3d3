"""The campaign of mutants: see `campaign`."""
