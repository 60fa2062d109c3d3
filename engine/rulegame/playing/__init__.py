"""A game with people. In: a game, and what they answer. Out: what is asked and told, as a
generator, and what is kept of it: undo, redo, saves.
"""
