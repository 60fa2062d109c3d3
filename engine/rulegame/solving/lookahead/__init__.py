"""What can be forced within a number of moves."""
