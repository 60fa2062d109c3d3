"""States and their images under the symmetries of a game (see `exploring.symmetries`): a row of
`symmetries` says for each cell of the image where it comes from; the first row changes nothing.
"""

from __future__ import annotations

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
from rulegame.native.kernels.packing import hashed, pack, same

ASKED = 4  # as in `expanding`: Python is to expand the state
TOO_NARROW = 3  # a number has no room in a key: the cells are in `spare`
UNEVEN = 7  # what follows an image is not what follows the state


def imagine(s: Words, places: Words, t: Words) -> None:
    """Writes an image of a state."""
    for k in range(SIZE):
        t[k] = s[places[k]]


def represent(c: Words, s: Words, out: Words, weights: Words, symmetries: Words, count: int) -> int:
    """Puts what stands for a state and its images into its place, after what happens by itself to
    a player who is stuck; below 0 if Python is to be asked.
    """
    t = room(SIZE)
    while s[1] == 0:
        found = options(c, s, out, weights)
        if found < 0:
            return -1
        if found > 0:
            break
        if get_past(c, s, t) < 0:
            return -1
        copy(s, t, SIZE)
    least = symmetries
    for g in range(1, count):
        other = symmetries[g * SIZE :]
        k = 0
        while k < SIZE and s[other[k]] == s[least[k]]:
            k += 1
        if k < SIZE and s[other[k]] < s[least[k]]:
            least = other
    imagine(s, least, t)
    copy(s, t, SIZE)
    return 0


def is_even(
    c: Words, out: Words, weights: Words, p: Words, s: Words, fields: Words, keys: Words,
    hashes: Words, spare: Words, symmetries: Words, count: int, shares_of: Words,
) -> int:  # fmt: skip
    """Whether what follows each image of a state is what follows the state itself: 0, or what is in
    the way. `p[14]` is the number of symmetries.
    """
    image = room(SIZE)
    for g in range(1, p[14]):
        imagine(s, symmetries[g * SIZE :], image)
        if same(image, s, SIZE) == 0:
            found = follows(
                c, out, weights, p, image, fields, keys, hashes, spare, symmetries, count, shares_of
            )
            if found != 0:
                return found
    return 0


def follows(
    c: Words, out: Words, weights: Words, p: Words, image: Words, fields: Words, keys: Words,
    hashes: Words, spare: Words, symmetries: Words, count: int, shares_of: Words,
) -> int:  # fmt: skip
    """The same for one image. Options of the state itself come before those of the image in `out`;
    behind them are marks of what has been found.
    """
    t = room(SIZE)
    key = room(SIZE)
    own = out[count * STRIDE :]
    own_weights = weights[count:]
    found = options(c, image, own, own_weights)
    if found < 0:
        return ASKED
    if found != count:
        return UNEVEN
    marks = own[count * STRIDE :]
    for k in range(count):
        marks[k] = 0
    for k in range(count):
        if step(c, image, own[k * STRIDE :], t) < 0:
            return ASKED
        if represent(c, t, marks[count:], own_weights[count:], symmetries, p[14]) < 0:
            return ASKED
        if pack(t, fields, key, p[2]) == 0:
            copy(spare, t, SIZE)
            return TOO_NARROW
        mixed_key = hashed(key, p[2])
        share = own_weights[k] if shares_of[0] != 0 else 0
        j = 0
        while j < count:
            alike = marks[j] == 0 and hashes[j] == mixed_key and shares_of[j] == share
            if alike and same(keys[j * p[2] :], key, p[2]) == 1:
                break
            j += 1
        if j == count:
            return UNEVEN
        marks[j] = 1
    return 0
