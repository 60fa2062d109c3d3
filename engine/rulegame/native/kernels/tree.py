"""Where things stand in the memory of a search tree: one row of words, some of which are
floating-point numbers (in kernels `t` is the row as words, `r` the same row as such numbers).
"""

from __future__ import annotations

# ---- the head
FREE = 0  # the first word that is not used
ROOM = 1  # how many words there are
NEEDED = 2  # how many words more are needed before the search can go on
RANDOM = 3  # the state of the generator
LOW = 4  # the least payoff met so far (a real one, as is the next)
HIGH = 5
NODES = 6  # how many there are
MOST = 7  # how many there may be
HUNTER = 8  # the seat that plays against opponents who choose at random; -1 if they do not
PLAIN = 9  # whether games are won, lost or drawn, and nothing else is paid
OPPOSED = 10  # whether in addition there are two, who both see everything
OPEN = 11  # whether everybody sees everything
RECORD = 12  # words of a node
ROOT = 13  # the first node
LOOSE = 14  # a node that is used when there may be no more
NEXT = 15  # the child that a choice has fallen on
EXPLORATION = 16  # real: by how much, in payoff ranges, an uncertain mean is raised
SHORTER = 17  # real: what is left of a result for each step that it is away
FEWEST = 18  # moves that are all tried before any is tried again
LONGEST = 19  # steps of a game that is played out at random
WINS_SOUGHT = 20  # a state with more moves is not searched for a win at once
DEEPEST = 21  # nodes of a path
COMMON = 22  # whether every end means the same to all players
GAINS = 24  # real: what each seat gets in the current iteration
HEAD = 40

# ---- a node
VISITS = 0
SEAT = 1  # who chooses: a seat, CHANCE or OVER
COUNT = 2  # options
TRIED = 3  # how many of them have a node
BLOCK = 4  # where these are, one behind the other in the order in which they were tried,
CAPACITY = 5  # and for how many there is room
FIRST = 6  # the option that is tried first,
PACE = 7  # and how many further on the next ones are
ORDER = 8  # where the options to try are listed, if they are; 0 otherwise
STATE = 9  # where the cells are kept
OPTION = 10  # which option of the node above leads here
SETTLED = 11  # whether nothing is left to find out
SHARES = 12  # whether it is certain what two get together,
SHARED = 13  # real: and how much that is
OWN = 14  # what follows is there for each seat:
TOTAL = 0  # real: all payoffs added up
VALUE = 1  # real: what it gets for certain,
KNOWN = 2  # within how many steps, twice, plus 1 if that is sure; -1 if nothing is certain
EACH = 3  # words for a seat
