"""The command line of rulegame: thin, no rules of any game in it."""
