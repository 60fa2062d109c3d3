"""Fuzzing: ways to generate inputs, and checks of what the program makes of them."""
