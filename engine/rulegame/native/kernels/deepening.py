"""What one side can make sure of within a number of moves and rolls: alpha-beta, with a table of
positions. What lies beyond is taken to be lost for it.

Values are payoffs of the first mover in parts of 1, negated for the other side, from the floor to
the ceiling. A value above alpha is sure; any other only says that there is no more than alpha to be
had. What is sure within some moves is so within more,
and what is not within some is not within fewer: so rows of the table serve other depths, too.

A row: which side asks, and depths and the best move as bits; what is sure; what is the most; the
key. What stands in `p`:

    0  words of a key                    1  rows of the table are a power of two: which
    2  the seat of the side that asks    3  not 0: somebody wants it to stop
    4  what is in the way                5  positions looked at
    6  whether a player was stuck        7  the move to try first, or the best one, plus one
    8  the floor, as bits                9  the ceiling, as bits
    10 the seat of the first mover       11 whether both are finite
    12 the larger of their sizes, as bits; 0 if one is infinite
    13 whether the total is known        14 the total: the sum of payoffs that all ends share
"""

from __future__ import annotations

from rulegame.native.kernels.ends import payoff_of
from rulegame.native.kernels.machine import (
    IS_CHANCE,
    SIZE,
    STRIDE,
    Words,
    bits_of,
    copy,
    get_past,
    options,
    real_of,
    step,
)
from rulegame.native.kernels.packing import hashed, pack, same

ASK = 1  # Python is to be asked; the cells are in `spare`
STOPPED = 2
WIDEN = 3  # a number has no room in a key; the cells are in `spare`
MOST = 100001  # options of a state
FRAME = 3  # times SIZE words: a state, the one after a pass, its key
SPREAD = 0x9E3779B97F4A7C15
PLACES = 4095  # of the history of moves, but one
SORTED = 16  # moves that are tried in the order of their history
FIRST_OF_ALL = 4611686018427387904
TRIED = -1
ROW = 3  # words of a row before its key
DEEP = 1023  # the mask of a depth
EPSILON = 4503599627370496  # one part of so many: twice the rounding of a number up to 1
SLACK = 1099511627776
MOST_PAID = 9007199254740992  # floats represent every whole number below


def look_ahead(
    c: Words, out: Words, weights: Words, p: Words, s: Words, fields: Words, table: Words,
    history: Words, spare: Words, depth: int, left: int, alpha: float, beta: float,
) -> float:  # fmt: skip
    """What the side can make sure of from `s` on, as far as that lies between alpha and beta. There
    is room for `left` more options. If `p[4]` is not 0 afterwards, nothing is known.
    """
    p[5] = p[5] + 1
    if p[3] != 0:
        p[4] = STOPPED
        return alpha
    if s[1] < 0:
        return pay_of(p, s, spare)
    if depth == 0 and s[1] != 0:
        return real_of(p[8])
    key = s[2 * SIZE :]
    kept = 0 - 1
    mixed_key = 0
    if depth > 1:
        mixed_key = hash_of(p, s, fields, spare)
        if p[4] != 0:
            return alpha
        kept = find_row(table, p, key, mixed_key)
        if kept >= 0:
            row = table[kept:]
            if row[0] >> 2 & DEEP != 0 and (row[0] >> 2 & DEEP) <= depth + 1:
                sure = real_of(row[1])
                if sure >= beta:
                    return sure
                if sure > alpha:
                    alpha = sure
            if (row[0] >> 12 & DEEP) > depth and real_of(row[2]) <= alpha:
                return alpha
    return look_on(
        c, out, weights, p, s, fields, table, history, spare, depth, left, alpha, beta, kept,
        mixed_key,
    )  # fmt: skip


def look_on(
    c: Words, out: Words, weights: Words, p: Words, s: Words, fields: Words, table: Words,
    history: Words, spare: Words, depth: int, left: int, alpha: float, beta: float, kept: int,
    mixed_key: int,
) -> float:  # fmt: skip
    """The same where the table does not know enough: `kept` is the row of the state, or -1."""
    key = s[2 * SIZE :]
    count = settled(c, p, s, out, weights)
    if count < 0 or left - count < MOST:
        return asking(p, s, spare, alpha)
    if count == 0:
        return pay_of(p, s, spare)
    if depth == 0:
        return real_of(p[8])
    if depth > 1 and p[6] == 1:
        mixed_key = hash_of(p, s, fields, spare)
        kept = find_row(table, p, key, mixed_key)
    value = alpha
    if IS_CHANCE[s[1]] == 1:
        value = over_rolls(
            c, out, weights, p, s, fields, table, history, spare, depth, left, alpha, beta, count
        )
        p[7] = 0
    else:
        p[7] = table[kept] >> 24 if kept >= 0 else 0
        value = over_moves(
            c, out, weights, p, s, fields, table, history, spare, depth, left, alpha, beta, count
        )
    if depth > 1 and p[4] == 0:
        keep(table, p, key, mixed_key, depth, value, alpha, beta)
    return value


def settled(c: Words, p: Words, s: Words, out: Words, weights: Words) -> int:
    """How many options there are, after what happens by itself to a player who is stuck; 0 at an
    end, below 0 if Python is to be asked.
    """
    p[6] = 0
    while s[1] >= 0:
        count = options(c, s, out, weights)
        if count != 0:
            return count
        if get_past(c, s, s[SIZE:]) < 0:
            return -1
        copy(s, s[SIZE:], SIZE)
        p[6] = 1
    return 0


def over_moves(
    c: Words, out: Words, weights: Words, p: Words, s: Words, fields: Words, table: Words,
    history: Words, spare: Words, depth: int, left: int, alpha: float, beta: float, count: int,
) -> float:  # fmt: skip
    """The same where a player decides. `p[7]` is the number of the move to try first, plus one, and
    then of the best one.
    """
    mine = 1 if s[0] == p[2] else 0
    child = s[FRAME * SIZE :]
    rank(out, weights, history[mine * (PLACES + 1) :], s[1], count, p[7])
    value = alpha if mine == 1 else real_of(p[9])
    best = 0
    for tried in range(count):
        k = next_of(weights, count, tried)
        if step(c, s, out[k * STRIDE :], child) < 0:
            return asking(p, s, spare, alpha)
        low = value if mine == 1 else alpha
        high = value if mine == 0 and value < beta else beta
        found = look_ahead(
            c, out[count * STRIDE :], weights[count:], p, child, fields, table, history, spare,
            depth - 1, left - count, low, high,
        )  # fmt: skip
        if p[4] != 0:
            return alpha
        if (mine == 1 and found > value) or (mine == 0 and found < value):
            value = found
            best = k + 1
        if (mine == 1 and value >= beta) or (mine == 0 and value <= alpha):
            place = mine * (PLACES + 1) + place_of(out[k * STRIDE :], s[1])
            history[place] = history[place] + depth * depth
            break
    p[7] = best
    return value if value > alpha else alpha


def over_rolls(
    c: Words, out: Words, weights: Words, p: Words, s: Words, fields: Words, table: Words,
    history: Words, spare: Words, depth: int, left: int, alpha: float, beta: float, count: int,
) -> float:  # fmt: skip
    """The same where chance decides: what is sure of the mean. Sums are rounded down."""
    total = c[6]
    child = s[FRAME * SIZE :]
    rest = total
    added = 0.0
    alike = 1
    first = 0.0
    floor = real_of(p[8])
    ceiling = real_of(p[9])
    scale = real_of(p[12])
    for k in range(count):
        share = weights[k]
        rest -= share
        if step(c, s, out[k * STRIDE :], child) < 0:
            return asking(p, s, spare, alpha)
        low = floor
        high = ceiling
        if p[11] == 1:
            slack = scale / float(SLACK)
            low = (alpha * float(total) - added - float(rest) * ceiling) / float(share) - slack
            high = (beta * float(total) - added - float(rest) * floor) / float(share) + slack
            if low >= ceiling:
                return alpha
            low = low if low > floor else floor
            high = high if high < ceiling else ceiling
        found = look_ahead(
            c, out[count * STRIDE :], weights[count:], p, child, fields, table, history, spare,
            depth - 1, left - count, low, high,
        )  # fmt: skip
        if p[4] != 0 or (found <= low and (low > floor or floor < -1.0e300)):
            return alpha
        if k == 0:
            first = found
        elif found != first:
            alike = 0
        added = added + float(share) * found
        size = found if found > 0.0 else 0.0 - found
        scale = size if size > scale else scale
        if p[11] == 1:
            sure = lowered(added + float(rest) * floor, total, count, scale, floor)
            if sure >= beta:
                return sure
    value = first if alike == 1 else lowered(added, total, count, scale, floor)
    return value if value > alpha else alpha


def lowered(added: float, total: int, count: int, scale: float, floor: float) -> float:
    """A mean of numbers up to a size, without what rounding may have added to it."""
    mean = added / float(total) - scale * (float(count + 8) / float(EPSILON))
    return mean if mean > floor else floor


def pay_of(p: Words, s: Words, spare: Words) -> float:
    """The payoff of an end; Python is asked where it may be too large, or the sum a different
    one.
    """
    paid = payoff_of(s, p[10])
    other = payoff_of(s, 1 - p[10])
    if paid <= 0 - MOST_PAID or paid >= MOST_PAID or other <= 0 - MOST_PAID or other >= MOST_PAID:
        return asking(p, s, spare, 0.0)
    if p[13] == 0:
        p[13] = 1
        p[14] = paid + other
    if paid + other != p[14] or (paid == other and paid != 0):
        return asking(p, s, spare, 0.0)
    return float(paid) if p[2] == p[10] else 0.0 - float(paid)


def asking(p: Words, s: Words, spare: Words, alpha: float) -> float:
    """Leaves a state to Python."""
    p[4] = ASK
    copy(spare, s, SIZE)
    return alpha


# ---- the order of moves


def rank(out: Words, weights: Words, history: Words, point: int, count: int, first: int) -> None:
    """How promising moves are: how often they have decided, and how far ahead."""
    for k in range(count):
        weights[k] = history[place_of(out[k * STRIDE :], point)]
    if first > 0 and first <= count:
        weights[first - 1] = FIRST_OF_ALL


def place_of(option: Words, point: int) -> int:
    mixed_key = point
    for w in range(STRIDE):
        mixed_key = (mixed_key ^ option[w]) * SPREAD
        mixed_key = mixed_key ^ (mixed_key >> 29)
    return mixed_key & PLACES


def next_of(weights: Words, count: int, tried: int) -> int:
    """The most promising of the moves that have not been tried; after some, just the next."""
    best = 0 - 1
    for k in range(count):
        if weights[k] != TRIED and (best < 0 or weights[k] > weights[best]):
            best = k
            if tried >= SORTED:
                break
    weights[best] = TRIED
    return best


# ---- the table


def hash_of(p: Words, s: Words, fields: Words, spare: Words) -> int:
    """Writes the key of a state behind it; its hash, with the side that asks."""
    if pack(s, fields, s[2 * SIZE :], p[0]) == 0:
        p[4] = WIDEN
        copy(spare, s, SIZE)
    return hashed(s[2 * SIZE :], p[0]) ^ (p[2] << 40)


def find_row(table: Words, p: Words, key: Words, mixed_key: int) -> int:
    """Where the row of a state begins; -1 if there is none."""
    width = p[0] + ROW
    place = mixed_key & ((1 << p[1]) - 1)
    for side in range(2):
        at = (place ^ side) * width
        if table[at] & 3 == p[2] + 1 and same(table[at + ROW :], key, p[0]) == 1:
            return at
    return -1


def keep(
    table: Words, p: Words, key: Words, mixed_key: int, depth: int, value: float, alpha: float,
    beta: float,
) -> None:  # fmt: skip
    """Notes what was found, in place of what is older or less deep."""
    at = find_row(table, p, key, mixed_key)
    if at < 0:
        width = p[0] + ROW
        place = mixed_key & ((1 << p[1]) - 1)
        at = place * width
        there = table[at]
        if (there >> 2 & DEEP) > depth + 1 or (there >> 12 & DEEP) > depth + 1:
            at = (place ^ 1) * width
        table[at] = p[2] + 1
        copy(table[at + ROW :], key, p[0])
    row = table[at:]
    about = row[0]
    if value > alpha:
        about = about ^ ((about >> 2 & DEEP) << 2) | ((depth + 1) << 2)
        row[1] = bits_of(value)
    if value < beta:
        about = about ^ ((about >> 12 & DEEP) << 12) | ((depth + 1) << 12)
        row[2] = bits_of(value)
    if p[7] != 0:
        about = (about & 16777215) | (p[7] << 24)
    row[0] = about
