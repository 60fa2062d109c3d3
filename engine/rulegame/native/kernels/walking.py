"""Games over a state graph, in which some states have one edge that is always taken."""

from __future__ import annotations

from rulegame.native.kernels.chance import GOLDEN, below, mixed
from rulegame.native.kernels.machine import Bytes, Ints, Words

CHANCE = -1
OVER = -2
UNFINISHED = -1
ASK = -2  # Python is to play this game


def edge_of(
    state: int, offsets: Ints, owner: Bytes, weights: Words, chosen: Ints, half: int, stride: int,
    at: int,
) -> int:  # fmt: skip
    """Which edge is taken; -1 if Python is to be asked."""
    if chosen[state] >= 0:
        return chosen[state]
    first = offsets[state]
    count = offsets[state + 1] - first
    if owner[state] != CHANCE:
        if count == 1:
            return first
        k = below(count, half, stride, at)
        return first + k if k >= 0 else -1
    total = 0
    for e in range(first, first + count):
        total += weights[e]
        if total > 4294967295:
            return -1
    if total == 1:
        return first
    ticket = below(total, half, stride, at)
    if ticket < 0:
        return -1
    while ticket >= weights[first]:
        ticket -= weights[first]
        first += 1
    return first


def walk_games(
    offsets: Ints, owner: Bytes, successors: Ints, weights: Words, kinds: Ints, outcome: Ints,
    chosen: Ints, seeds: Words, begin: int, every: int, count: int, limit: int, lengths: Words,
    ends: Words, times: Words, used: Words, own: Words, all_kinds: int,
) -> None:  # fmt: skip
    """Plays games number `begin`, `begin + every` … and counts them; as `playing.play_games`."""
    for k in range(count):
        along = (begin + k * every) * GOLDEN
        counter = mixed(seeds[0] + along)
        stride = mixed(seeds[1] + along) | 1
        state = 0
        steps = 0
        word = 0
        length = UNFINISHED
        while length == UNFINISHED:
            if owner[state] == OVER:
                length = steps
            elif steps == limit:
                break
            else:
                if steps & 1 == 0:
                    word = mixed(counter + ((steps >> 1) + 1) * stride)
                half = word & 4294967295 if steps & 1 == 1 else word >> 32
                e = edge_of(state, offsets, owner, weights, chosen, half, stride, steps)
                if e < 0:
                    length = ASK
                else:
                    own[kinds[e]] += 1
                    state = successors[e]
                    steps += 1
        lengths[k] = length
        if length >= 0:
            ends[outcome[state]] += 1
        for kind in range(all_kinds):
            if length != ASK and own[kind] > 0:
                times[kind] += own[kind]
                used[kind] += 1
            own[kind] = 0
