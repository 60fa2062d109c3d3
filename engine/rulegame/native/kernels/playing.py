"""Whole games between players who choose at random, one after the other."""

from __future__ import annotations

from rulegame.native.kernels.chance import GOLDEN, below, mixed, weighed
from rulegame.native.kernels.ends import payoff_of
from rulegame.native.kernels.machine import (
    IS_CHANCE,
    KIND,
    KINDS,
    PAID,
    SIZE,
    STRIDE,
    Words,
    copy,
    get_past,
    options,
    room,
    step,
)

UNFINISHED = -1  # in place of a length
ASK = -2  # Python is to play this game


def play_on(
    c: Words, s: Words, t: Words, out: Words, weights: Words, counter: int, stride: int,
    limit: int, own: Words,
) -> int:  # fmt: skip
    """Plays from `s` to the end, or for `limit` steps; how many there were, UNFINISHED or ASK. The
    last state is in `s` afterwards; `own` counts the steps by their kinds.
    """
    here = s
    there = t
    swaps = 0
    steps = 0
    word = 0
    while True:
        point = here[1]
        if point < 0:
            break
        count = options(c, here, out, weights)
        if count < 0:
            return ASK
        if count == 0:
            if get_past(c, here, there) < 0:
                return ASK
        else:
            if steps == limit:
                steps = UNFINISHED
                break
            if steps & 1 == 0:
                word = mixed(counter + ((steps >> 1) + 1) * stride)
            half = word & 4294967295 if steps & 1 == 1 else word >> 32
            chance = IS_CHANCE[point]
            among = c[6] if chance == 1 else count
            k = 0
            if among > 1:
                k = below(among, half, stride, steps)
                if k < 0:
                    return ASK
                if chance == 1 and among != count:
                    k = weighed(weights, k)
            kind = out[k * STRIDE] if point == 0 else KIND[point]
            own[kind] += 1
            if step(c, here, out[k * STRIDE :], there) < 0:
                return ASK
            steps += 1
        swapped = here
        here = there
        there = swapped
        swaps += 1
    if swaps & 1 == 1:
        copy(s, here, SIZE)
    return steps


def play_games(
    c: Words, start: Words, out: Words, weights: Words, seeds: Words, begin: int, every: int,
    count: int, limit: int, lengths: Words, ends: Words, times: Words, used: Words, paid: Words,
) -> int:  # fmt: skip
    """Plays games number `begin`, `begin + every` … and counts them. `lengths` has one word for
    each; `ends` rows of (rule, who won, how often), as many as are returned.
    """
    s = room(SIZE)
    t = room(SIZE)
    own = room(KINDS)
    for k in range(KINDS):
        own[k] = 0
    rows = 0
    for k in range(count):
        along = (begin + k * every) * GOLDEN
        counter = mixed(seeds[0] + along)
        stride = mixed(seeds[1] + along) | 1
        copy(s, start, SIZE)
        length = play_on(c, s, t, out, weights, counter, stride, limit, own)
        if length >= 0 and payable(s) == 0:
            length = ASK
        lengths[k] = length
        if length >= 0:
            rows = count_end(s, ends, rows, paid)
            if rows < 0:
                return -1
        for kind in range(KINDS):
            if length != ASK and own[kind] > 0:
                times[kind] += own[kind]
                used[kind] += 1
            own[kind] = 0
    return rows


def payable(s: Words) -> int:
    """Whether what is paid can be added up here."""
    for seat in range(PAID):
        payoff = payoff_of(s, seat)
        if payoff > 1048576 or payoff < 0 - 1048576:
            return 0
    return 1


def count_end(s: Words, ends: Words, rows: int, paid: Words) -> int:
    """One more game has ended so; how many different ends there are, -1 if there is no room."""
    row = 0
    while row < rows and (ends[3 * row] != s[1] or ends[3 * row + 1] != s[2]):
        row += 1
    if row == rows:
        if rows == 4096:
            return -1
        ends[3 * row] = s[1]
        ends[3 * row + 1] = s[2]
        ends[3 * row + 2] = 0
        rows += 1
    ends[3 * row + 2] += 1
    for seat in range(PAID):
        payoff = payoff_of(s, seat)
        paid[seat] += payoff
        paid[PAID + seat] += payoff * payoff
    return rows
