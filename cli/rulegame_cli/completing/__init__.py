"""Completion in a shell: what may come next on a command line, and the scripts that ask for it."""
