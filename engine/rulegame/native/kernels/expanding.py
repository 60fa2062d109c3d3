"""All states of a game, from those that are known on, in the order in which they are met.

States are expanded in groups: first what follows each of them is worked out, then looked up, so
that memory is asked for many at once. What stands in `p`, the progress:

    0  the next state to expand          1  how many states are known
    2  words of a key                    3  the number of slots is a power of two: which
    4  room for edges (and degrees)      5  states that there is room for
    6  different moves that are known    7  different ends
    8  states expanded in this call      9  the most states that there may be
    10 room for moves                    11 room for ends (both powers of two)
    12 the first state that is not to be expanded
    13 options of a state that there is room for
    14 how many symmetries there are, the one that changes nothing among them
"""

from __future__ import annotations

from rulegame.native.kernels.machine import (
    IS_CHANCE,
    IS_GATE,
    PAID,
    PAYOFFS,
    SIZE,
    STRIDE,
    Bytes,
    Ints,
    Words,
    any_option,
    copy,
    get_past,
    options,
    prefetch,
    room,
    step,
)
from rulegame.native.kernels.packing import enter, find, hashed, pack, same, unpack
from rulegame.native.kernels.symmetry import is_even, represent

DONE = 0
FULL = 1  # there is no more room for edges in this call
ROOM = 2  # no more room for states
WIDEN = 3  # a number has no room in a key: the cells are in `spare`
ASK = 4  # Python is to expand the next state
MANY = 5  # there are more states than there may be
GROUP = 192  # edges that are looked up together, if a state has no more
CROWDED = 6  # a state has more options than there is room for
CHANCE = -1
OVER = -2


def expand(
    c: Words, out: Words, weights: Words, p: Words, words: Words, slots: Ints, fields: Words,
    keys: Words, hashes: Words, successors: Ints, moves: Ints, shares_of: Words, degrees: Ints,
    owner: Bytes, outcome: Ints, acts: Words, ends: Words, spare: Words, symmetries: Words,
) -> int:  # fmt: skip
    """Expands states until all are, or something is in the way; what that is. `p[8]` states were
    expanded: their degrees, owners and outcomes are written, and their edges.
    """
    edges = 0
    p[8] = 0
    while p[0] < p[1] and p[0] < p[12]:
        if edges + GROUP + p[13] > p[4] or p[8] + GROUP > p[4]:
            return FULL
        if p[1] + GROUP + p[13] > p[5]:
            return ROOM
        begin = p[0]
        end = p[1] if p[1] < p[12] else p[12]
        if end > begin + GROUP:
            end = begin + GROUP
        last = begin
        met = 0
        failed = DONE
        while last < end and met < GROUP and failed == DONE:
            row = p[8] + last - begin
            count = lay_out(
                c, out, weights, p, words[last * p[2] :], fields, keys[met * p[2] :],
                hashes[met:], slots, moves[edges + met :], shares_of[edges + met :],
                owner[row:], outcome[row:], acts, ends, spare, symmetries,
            )  # fmt: skip
            if count < 0:
                failed = -count
            else:
                degrees[row] = count
                met += count
                last += 1
        if last == begin:
            return failed
        failed = look_up(
            c, out, p, words, slots, fields, keys, hashes, successors[edges:], spare, met
        )
        if failed != DONE:
            return failed
        p[0] = last
        p[8] += last - begin
        edges += met
        if p[1] > p[9]:
            return MANY
    return DONE


def look_up(
    c: Words, out: Words, p: Words, words: Words, slots: Ints, fields: Words,
    keys: Words, hashes: Words, successors: Ints, spare: Words, count: int,
) -> int:  # fmt: skip
    """The numbers of the states that a group leads to; DONE, or what is in the way."""
    mask = (1 << p[3]) - 1
    for e in range(count):
        there = slots[hashes[e] & mask] & mask
        if there > 0:
            prefetch(words[(there - 1) * p[2] :])
    for e in range(count):
        number = number_of(c, out, p, words, slots, fields, keys[e * p[2] :], hashes[e], spare)
        if number < 0:
            return -number
        successors[e] = number
    return DONE


def lay_out(
    c: Words, out: Words, weights: Words, p: Words, key: Words, fields: Words, keys: Words,
    hashes: Words, slots: Ints, moves: Ints, shares_of: Words, owner: Bytes, outcome: Ints,
    acts: Words, ends: Words, spare: Words, symmetries: Words,
) -> int:  # fmt: skip
    """What follows one state: the keys of the states after it, their hashes, and the moves; how
    many there are, or minus what is in the way.
    """
    s = room(SIZE)
    t = room(SIZE)
    unpack(key, fields, s, p[2])
    point = s[1]
    outcome[0] = -1
    if point < 0:
        owner[0] = OVER
        outcome[0] = end_of(s, p, ends)
        return 0 if outcome[0] >= 0 else 0 - ASK
    count = options(c, s, out, weights)
    chance = IS_CHANCE[point]
    owner[0] = CHANCE if chance == 1 else s[0]
    if count <= 0 or (chance == 1 and c[6] >= 4611686018427387904):
        return 0 - ASK
    if count > p[13]:
        return 0 - CROWDED
    move = 0 - 1
    for k in range(count):
        move = next_act(move + 1, point, out[k * STRIDE :], p, acts)
        if move < 0 or step(c, s, out[k * STRIDE :], t) < 0:
            return 0 - ASK
        moves[k] = move
        shares_of[k] = weights[k] if chance == 1 else 0
        if p[14] > 1:
            behind = out[count * STRIDE :]
            if represent(c, t, behind, weights[count:], symmetries, p[14]) < 0:
                return 0 - ASK
        if pack(t, fields, keys[k * p[2] :], p[2]) == 0:
            copy(spare, t, SIZE)
            return 0 - WIDEN
        hashes[k] = hashed(keys[k * p[2] :], p[2])
        prefetch(slots[hashes[k] & ((1 << p[3]) - 1) :])
    if p[14] > 1:
        found = is_even(
            c, out, weights, p, s, fields, keys, hashes, spare, symmetries, count, shares_of
        )
        return count if found == 0 else 0 - found
    return count


def number_of(
    c: Words, out: Words, p: Words, words: Words, slots: Ints, fields: Words,
    key: Words, mixed_key: int, spare: Words,
) -> int:  # fmt: skip
    """The number of a state, after what happens by itself to a player who is stuck; minus what is
    in the way, if something is.
    """
    found = find(words, slots, p[3], key, mixed_key, p[2])
    if found >= 0:
        return found
    s = room(SIZE)
    t = room(SIZE)
    unpack(key, fields, s, p[2])
    stuck = 0
    while s[1] == 0 or (s[1] > 0 and IS_GATE[s[1]] == 1):
        count = any_option(c, s, out)
        if count < 0:
            return 0 - ASK
        if count > 0:
            break
        if get_past(c, s, t) < 0:
            return 0 - ASK
        copy(s, t, SIZE)
        stuck = 1
    if stuck == 1:
        if pack(s, fields, key, p[2]) == 0:
            copy(spare, s, SIZE)
            return 0 - WIDEN
        mixed_key = hashed(key, p[2])
        found = find(words, slots, p[3], key, mixed_key, p[2])
        if found >= 0:
            return found
    number = p[1]
    copy(words[number * p[2] :], key, p[2])
    enter(slots, p[3], -1 - found, mixed_key, number)
    p[1] = number + 1
    return number


def next_act(guess: int, point: int, option: Words, p: Words, acts: Words) -> int:
    """The same as `act_of`, which need not look where moves follow one another."""
    if guess < p[6]:
        known = acts[guess * (STRIDE + 1) :]
        if known[0] == point and same(known[1:], option, STRIDE) == 1:
            return guess
    return act_of(point, option, p, acts)


def act_of(point: int, option: Words, p: Words, acts: Words) -> int:
    """The number of a move or of something rolled, in the order in which they are met; -1 if there
    are too many. Behind the moves (of STRIDE + 1 words each) stands the table of their places.
    """
    mixed_key = point
    for w in range(STRIDE):
        mixed_key = mixed_key * 31 + option[w]
    mixed_key = mixed_key ^ (mixed_key >> 16)
    places = acts[p[10] * (STRIDE + 1) :]
    mask = p[10] * 2 - 1
    place = mixed_key & mask
    while places[place] != 0:
        known = acts[(places[place] - 1) * (STRIDE + 1) :]
        if known[0] == point and same(known[1:], option, STRIDE) == 1:
            return places[place] - 1
        place = (place + 1) & mask
    if p[6] == p[10]:
        return -1
    known = acts[p[6] * (STRIDE + 1) :]
    known[0] = point
    copy(known[1:], option, STRIDE)
    p[6] = p[6] + 1
    places[place] = p[6]
    return p[6] - 1


def end_of(s: Words, p: Words, ends: Words) -> int:
    """The number of an end, in the order in which they are met; -1 if there are too many."""
    width = 2 + PAID
    row = room(2 + PAID)
    row[0] = s[1]
    row[1] = s[2]
    for seat in range(PAID):
        row[2 + seat] = s[PAYOFFS + seat]
    places = ends[p[11] * width :]
    mixed_key = hashed(row, width)
    mask = p[11] * 2 - 1
    place = mixed_key & mask
    while places[place] != 0:
        if same(ends[(places[place] - 1) * width :], row, width) == 1:
            return places[place] - 1
        place = (place + 1) & mask
    if p[7] == p[11]:
        return -1
    copy(ends[p[7] * width :], row, width)
    p[7] = p[7] + 1
    places[place] = p[7]
    return p[7] - 1
