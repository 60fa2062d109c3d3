"""The command line of rulegame: thin, no rules of any game in it."""

import gc

# Start-up makes many objects, all of which stay: looking for garbage among them is lost time.
gc.set_threshold(100_000, 50, 50)
