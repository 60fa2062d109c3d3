"""State graphs without chance and without cycles, in one pass over forward edges: each state is
decided after all that it leads to. There is no need for backward edges then.

What is known of a state is one word: how long play can last from there, plus one (the lowest
twenty bits); in how many moves the end comes if HIGH hurries, and if LOW does; and the value plus
one. These two differ only in a draw. 0 is a state that was not met yet, a negative number one
whose moves are being followed.
"""

from __future__ import annotations

from rulegame.native.kernels.machine import Bytes, Ints, Words, prefetch

PART = 20  # bits of a number of moves
MOST = 1048574  # moves that have room in them
AHEAD = 64  # edges that memory is asked for before it is read
HIGH = 0
END = 3


def induce(
    size: int, offsets: Ints, successors: Ints, role: Bytes, pay: Bytes, known: Words, path: Ints,
    value: Bytes, distance: Ints,
) -> int:  # fmt: skip
    """Values and distances of all states; one more than the moves of the longest play from state 0,
    or 0 if this is not the way: play may come back to a state, last too long, or end nowhere.
    `known` is 0 to begin with. States found late come first, since most moves lead to later ones.
    """
    state = size - 1
    while state >= 0:
        for e in range(offsets[state], offsets[state + 1]):
            if e >= AHEAD:
                prefetch(known[successors[e - AHEAD] :])
        if known[state] == 0 and not follow(
            state, offsets, successors, role, pay, known, path, value, distance
        ):
            return 0
        state -= 1
    return known[0] & ((1 << PART) - 1)


def follow(
    root: int, offsets: Ints, successors: Ints, role: Bytes, pay: Bytes, known: Words, path: Ints,
    value: Bytes, distance: Ints,
) -> int:  # fmt: skip
    """Decides a state, after all that it leads to; 0 if that cannot be. On the path there are two
    numbers for each state: its own, and its next edge.
    """
    top = 0
    path[0] = root
    path[1] = offsets[root]
    known[root] = 0 - 1
    while top >= 0:
        state = path[2 * top]
        e = path[2 * top + 1]
        last = offsets[state + 1]
        while e < last and known[successors[e]] > 0:
            e += 1
        if e < last:
            target = successors[e]
            if known[target] < 0 or top == MOST:
                return 0
            path[2 * top + 1] = e + 1
            top += 1
            path[2 * top] = target
            path[2 * top + 1] = offsets[target]
            known[target] = 0 - 1
        else:
            found = judge(offsets[state], last, successors, role[state], pay[state], known)
            if found == 0:
                return 0
            known[state] = found
            value[state] = (found >> (3 * PART)) - 1
            high = found >> PART & ((1 << PART) - 1)
            low = found >> (2 * PART) & ((1 << PART) - 1)
            distance[state] = high if high < low else low
            top -= 1
    return 1


def judge(begin: int, end: int, successors: Ints, role: int, pay: int, known: Words) -> int:
    """What is known of a state, by what is known of those that it leads to."""
    if role == END:
        return ((pay + 1) << (3 * PART)) | 1
    if begin == end:
        return 0
    mask = (1 << PART) - 1
    sign = 1 if role == HIGH else 0 - 1
    best = 0 - 2
    lasting = 0
    high = 0
    low = 0
    for e in range(begin, end):
        then = known[successors[e]]
        worth = sign * ((then >> (3 * PART)) - 1)
        if then & mask > lasting:
            lasting = then & mask
        if worth >= best:
            by_high = then >> PART & mask
            by_low = then >> (2 * PART) & mask
            # Who wins hurries, who loses delays; in a draw each of the two may hurry.
            hurries = worth == 1 or (worth == 0 and sign == 1)
            if worth > best or (by_high < high) == hurries:
                high = by_high
            hurries = worth == 1 or (worth == 0 and sign == 0 - 1)
            if worth > best or (by_low < low) == hurries:
                low = by_low
            best = worth
    if lasting > MOST:
        return 0
    ahead = ((low + 1) << (2 * PART)) | ((high + 1) << PART) | (lasting + 1)
    return ((sign * best + 1) << (3 * PART)) | ahead
