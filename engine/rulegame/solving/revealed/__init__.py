"""Secret picks, solved as if both were shown before the first turn."""
