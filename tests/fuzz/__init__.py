"""Looks for inputs that break the program: three ways to make them, and what is checked of each."""
