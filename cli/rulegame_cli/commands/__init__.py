"""The commands, one module each: its options and its `run`."""
