"""Games that are played side by side: what is kept of each, and what is said to `stepping`."""

from __future__ import annotations

# What is known of a game, in `facts`
FACTS = 8
NUMBER = 0  # of the game, in its row
STEPS_SO_FAR = 1  # moves and rolls
MOVES = 2
STATUS = 3
LOOKING = 4  # the seat that is shown what it sees: who is to move, or has moved last
OPENING = 5  # who moves first
ROLLS = 6  # in a row, since the last action

PLAYING = 0
FINISHED = 1
CUT = 2  # it has gone on for too long
INVALID = 3  # ended by an action that was not valid
ASK = -1

# What is to be done with a game
LEAVE = 0
ACT = 1
BEGIN = 2

# What is to be known of the game, in `plan`
SEAT_OF_ALL = 0  # whose actions are asked for; -1: everybody's
MOST_MOVES = 1
MOST_ROLLS = 2  # one after the other
AGAIN = 3  # whether a game that has ended begins again in the same step
ACTIONS = 4
WIDTH = 5  # numbers of what is seen
CELLS = 6  # of which it is made
SECRETS = 7  # whether any of them are ever hidden
POINTS = 8

CELL = 5  # words of a cell: where it is, its least value, its numbers, may it be none, their place
CHOICE = 3  # words of a choice: its least code, how many there are, where they stand or -1
NONE = -9223372036854775808
