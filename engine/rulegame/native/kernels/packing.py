"""States as keys: cells packed into a few words, and found by a table of slots (see
`exploring.state_table`, which lays them out).

`fields` has five words for each cell: the least numbers of all cells, then how many numbers each
can be, the words in which cells stand (in order), the shifts and the masks. A slot holds the number
of a state plus one in its lower bits, and above them some bits of the state's mixed_key; 0 is free.
"""

from __future__ import annotations

from rulegame.native.kernels.machine import SIZE, Ints, Words, prefetch, room, ult

FACTOR = 0x9E3779B97F4A7C15
NONE = -9223372036854775808
FEW = 12  # cells


def pack(s: Words, fields: Words, key: Words, width: int) -> int:
    """Writes the key of a state; 0 if a number has no room in it."""
    if width == 1:
        return pack_word(s, fields, key)
    word = 0
    place = 0
    outside = 0
    for k in range(SIZE):
        off = s[k] - fields[k]
        inside = ult(off, fields[SIZE + k])
        if fields[2 * SIZE + k] != place:
            key[place] = word
            word = 0
            place = fields[2 * SIZE + k]
        word = word | ((off + 1 if inside else 0) << fields[3 * SIZE + k])
        outside = outside | ((not inside) & (s[k] != NONE))
    key[place] = word
    return 1 - outside


def pack_word(s: Words, fields: Words, key: Words) -> int:
    """The same if a key is a single word. Many cells are packed side by side, few one by one: they
    have just been written one by one, and to read several at once would have to wait for that.
    """
    if SIZE <= FEW:
        return pack_few(s, fields, key)
    word = 0
    outside = 0
    for k in range(SIZE):
        off = s[k] - fields[k]
        inside = ult(off, fields[SIZE + k])
        word = word | ((off + 1 if inside else 0) << fields[3 * SIZE + k])
        outside = outside | ((not inside) & (s[k] != NONE))
    key[0] = word
    return 1 - outside


def pack_few(s: Words, fields: Words, key: Words) -> int:
    word = 0
    for k in range(SIZE):
        cell = s[k]
        off = cell - fields[k]
        if ult(off, fields[SIZE + k]):
            word = word | ((off + 1) << fields[3 * SIZE + k])
        elif cell != NONE:
            return 0
    key[0] = word
    return 1


def unpack(key: Words, fields: Words, s: Words, width: int) -> None:
    """The cells of a key."""
    if width == 1:
        unpack_word(key[0], fields, s)
        return
    for k in range(SIZE):
        code = key[fields[2 * SIZE + k]] >> fields[3 * SIZE + k] & fields[4 * SIZE + k]
        s[k] = fields[k] + code - 1 if code != 0 else NONE


def unpack_word(word: int, fields: Words, s: Words) -> None:
    """The same if a key is a single word."""
    for k in range(SIZE):
        code = word >> fields[3 * SIZE + k] & fields[4 * SIZE + k]
        s[k] = fields[k] + code - 1 if code != 0 else NONE


def hashed(key: Words, width: int) -> int:
    found = 0
    for w in range(width):
        found = (found ^ key[w]) * FACTOR
        found = (found ^ (found >> 32)) * FACTOR
        found = found ^ (found >> 29)
    return found


def same(a: Words, b: Words, width: int) -> int:
    """Whether two keys are equal."""
    for w in range(width):
        if a[w] != b[w]:
            return 0
    return 1


def find(words: Words, slots: Ints, bits: int, key: Words, mixed_key: int, width: int) -> int:
    """The number of a state; if it is not there, -1 minus the free slot."""
    mask = (1 << bits) - 1
    mark = mixed_key >> 32 >> bits << bits & 4294967295
    place = mixed_key & mask
    while True:
        there = slots[place] & 4294967295
        if there == 0:
            return -1 - place
        if there - (there & mask) == mark:
            number = (there & mask) - 1
            if same(words[number * width :], key, width) == 1:
                return number
        place = (place + 1) & mask


def enter(slots: Ints, bits: int, place: int, mixed_key: int, number: int) -> None:
    """Puts a state into a free slot."""
    slots[place] = (mixed_key >> 32 >> bits << bits & 4294967295) | (number + 1)


def enter_all(words: Words, slots: Ints, bits: int, width: int, begin: int, end: int) -> None:
    """Puts states that are not there yet into slots, wherever there is a free one."""
    mask = (1 << bits) - 1
    hashes = room(64)
    number = begin
    while number < end:
        count = end - number if end - number < 64 else 64
        for k in range(count):
            hashes[k] = hashed(words[(number + k) * width :], width)
            prefetch(slots[hashes[k] & mask :])
        for k in range(count):
            place = hashes[k] & mask
            while slots[place] != 0:
                place = (place + 1) & mask
            enter(slots, bits, place, hashes[k], number + k)
        number += count


def pack_again(
    words: Words, fields: Words, width: int, others: Words, wider: Words, width_then: int, size: int
) -> None:
    """The keys of states with other fields, which have room for them."""
    s = room(SIZE)
    for number in range(size):
        unpack(words[number * width :], fields, s, width)
        pack(s, wider, others[number * width_then :], width_then)
