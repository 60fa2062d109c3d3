"""What can be forced within so many moves."""
