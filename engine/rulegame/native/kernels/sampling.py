"""States that games at random come to, after some numbers of steps."""

from __future__ import annotations

from rulegame.native.kernels.chance import GOLDEN, below, mixed
from rulegame.native.kernels.machine import (
    SIZE,
    STRIDE,
    Words,
    copy,
    get_past,
    options,
    room,
    step,
)
from rulegame.native.kernels.packing import hashed


def sample(
    c: Words, start: Words, out: Words, weights: Words, seed: int, begin: int, count: int,
    depths: Words, chosen: int, hashes: Words,
) -> None:  # fmt: skip
    """Plays games number `begin` and on, each option as likely as the others, rolls included.
    `depths` are numbers of steps, in order; after each of them, the hash of the state that a game
    is in goes to `hashes`, one row a game, and 0 if it is over by then.
    """
    s = room(SIZE)
    for k in range(count):
        stride = mixed(seed + (begin + k) * GOLDEN) | 1
        copy(s, start, SIZE)
        row = hashes[k * chosen :]
        for d in range(chosen):
            row[d] = 0
        sample_one(c, s, out, weights, stride, depths, chosen, row)


def sample_one(
    c: Words, s: Words, out: Words, weights: Words, stride: int, depths: Words, chosen: int,
    row: Words,
) -> None:  # fmt: skip
    """One of these games; it is left where Python would have to be asked."""
    t = room(SIZE)
    steps = 0
    d = 0
    while d < chosen and s[1] >= 0:
        count = options(c, s, out, weights)
        if count < 0:
            return
        if count == 0:
            if get_past(c, s, t) < 0:
                return
        else:
            if steps == depths[d]:
                row[d] = hashed(s, SIZE) | 1
                d += 1
            k = below(count, mixed(stride * (steps + 1)) >> 32, stride, steps)
            if k < 0 or step(c, s, out[k * STRIDE :], t) < 0:
                return
            steps += 1
        copy(s, t, SIZE)
