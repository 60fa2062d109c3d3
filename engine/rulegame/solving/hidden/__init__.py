"""Hidden information: sequence form and CFR+."""
