"""How a search tree asks the rules and draws, as machine code; `players.python_tree` has the same
for Python, draw by draw. What the machine cannot answer, Python is asked through a call back.
"""

from __future__ import annotations

from rulegame.native.kernels.chance import GOLDEN, mixed, weighed
from rulegame.native.kernels.ends import payoff_of
from rulegame.native.kernels.machine import (
    IS_CHANCE,
    PARTS,
    SIZE,
    STRIDE,
    Bytes,
    Ints,
    Words,
    as_bytes,
    as_ints,
    call_back,
    copy,
    get_past,
    options,
    step,
    udiv,
    ult,
    umod,
)
from rulegame.native.kernels.tree import LONGEST, RANDOM

OPTIONS = 0  # what Python is asked for
STEP = 1
PAST = 2
NONE = -9223372036854775808  # the number of none, which small numbers keep as their least one


# ---- the rules


def options_at(c: Words, s: Words, out: Words, weights: Words) -> int:
    count = options(c, s, out, weights)
    if count < 0:
        count = call_back(c[8], OPTIONS, s, out, weights, c)
    return count


def settle(c: Words, s: Words, out: Words, weights: Words, spare: Words) -> int:
    """Lets happen what happens by itself. How many options there are then: none at the end, below 0
    if the rules fail.
    """
    while s[1] >= 0:
        count = options_at(c, s, out, weights)
        if count != 0:
            return count
        if get_past(c, s, spare) < 0 and call_back(c[8], PAST, s, s, spare, c) < 0:
            return -1
        copy(s, spare, SIZE)
    return 0


def take(c: Words, s: Words, out: Words, k: int, into: Words) -> int:
    """What one of the options leads to; below 0 if the rules fail."""
    failed = step(c, s, out[k * STRIDE :], into)
    if failed < 0:
        failed = call_back(c[8], STEP, s, out[k * STRIDE :], into, c)
    return failed


def player(s: Words) -> int:
    """Who is to move: a seat, -1 for chance, -2 for nobody."""
    if s[1] < 0:
        return -2
    return -1 if IS_CHANCE[s[1]] == 1 else s[0]


def payoff(s: Words, seat: int) -> float:
    return float(payoff_of(s, seat)) / float(PARTS)


def play_out(c: Words, t: Words, s: Words, spare: Words, out: Words, weights: Words) -> int:
    """Plays at random to the end, which is in `s` afterwards; how many steps that took, below 0 if
    the end did not come.
    """
    here = s
    there = spare
    steps = 0
    swaps = 0
    while here[1] >= 0:
        count = options_at(c, here, out, weights)
        if count < 0:
            return -1
        if count == 0:
            if get_past(c, here, there) < 0 and call_back(c[8], PAST, here, here, there, c) < 0:
                return -1
        else:
            if steps == t[LONGEST]:
                return -1
            k = rolled(c, t, weights, count) if IS_CHANCE[here[1]] == 1 else drawn(t, count)
            if take(c, here, out, k, there) < 0:
                return -1
            steps += 1
        swapped = here
        here = there
        there = swapped
        swaps += 1
    if swaps & 1 == 1:
        copy(s, here, SIZE)
    return steps


# ---- chance


def drawn(t: Words, limit: int) -> int:
    """One of the numbers 0 to limit - 1."""
    if limit == 1:
        return 0
    t[RANDOM] = t[RANDOM] + GOLDEN
    word = mixed(t[RANDOM])
    if limit < 65536:
        return ((word >> 32) * limit) >> 32
    while ult(0 - 1 - umod(0 - 1, limit), word):
        t[RANDOM] = t[RANDOM] + GOLDEN
        word = mixed(t[RANDOM])
    return umod(word, limit)


def rolled(c: Words, t: Words, weights: Words, count: int) -> int:
    """Which of the options chance brings; the weights add up to c[6]."""
    ticket = drawn(t, c[6])
    return ticket if c[6] == count else weighed(weights, ticket)


def share(c: Words, weights: Words, k: int) -> float:
    """How likely an option is."""
    return float(weights[k]) / float(c[6])


# ---- states in the memory of the tree: a word for how wide the cells are, and the cells


def keep(t: Words, at: int, s: Words) -> int:
    """Puts the cells of a state there; how many words that took."""
    low = 0
    high = 0
    for k in range(SIZE):
        value = s[k]
        if value != NONE:
            low = value if value < low else low
            high = value if value > high else high
    if low > -128 and high < 128:
        return keep_bytes(t, at, s)
    if low > -2147483648 and high < 2147483648:
        return keep_ints(t, at, s)
    t[at] = 8
    copy(t[at + 1 :], s, SIZE)
    return 1 + SIZE


def keep_bytes(t: Words, at: int, s: Words) -> int:
    t[at] = 1
    row = as_bytes(t[at + 1 :])
    for k in range(SIZE):
        row[k] = -128 if s[k] == NONE else s[k]
    return 1 + udiv(SIZE + 7, 8)


def keep_ints(t: Words, at: int, s: Words) -> int:
    t[at] = 4
    row = as_ints(t[at + 1 :])
    for k in range(SIZE):
        row[k] = -2147483648 if s[k] == NONE else s[k]
    return 1 + udiv(SIZE + 1, 2)


def recall(t: Words, at: int, s: Words) -> None:
    """The cells of a state that was kept."""
    if t[at] == 1:
        recall_bytes(as_bytes(t[at + 1 :]), s)
    elif t[at] == 4:
        recall_ints(as_ints(t[at + 1 :]), s)
    else:
        copy(s, t[at + 1 :], SIZE)


def recall_bytes(row: Bytes, s: Words) -> None:
    for k in range(SIZE):
        s[k] = NONE if row[k] == -128 else row[k]


def recall_ints(row: Ints, s: Words) -> None:
    for k in range(SIZE):
        s[k] = NONE if row[k] == -2147483648 else row[k]
