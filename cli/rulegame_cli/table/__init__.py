"""A game at a terminal: rounds, seats, dice, answers that are commands, and the file of a save."""
