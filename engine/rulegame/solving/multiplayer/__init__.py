"""Three and more players, or two who are not opposed."""
