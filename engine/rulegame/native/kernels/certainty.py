"""What a search tree proves, carried from the states after a state to that state (see
`players.proofs` for what counts as certain). Runs as machine code and as Python.
"""

from __future__ import annotations

from rulegame.native.kernels.machine import SEATS, Reals, Words
from rulegame.native.kernels.tree import (
    BLOCK,
    COMMON,
    COUNT,
    EACH,
    KNOWN,
    OPEN,
    OPPOSED,
    OPTION,
    OWN,
    PLAIN,
    RECORD,
    SEAT,
    SETTLED,
    SHARED,
    SHARES,
    TRIED,
    VALUE,
)
from rulegame.native.kernels.trying import share


def is_won(t: Words, r: Reals, node: int, seat: int) -> bool:
    """Whether a seat is certain of the best that is possible."""
    own = node + OWN + EACH * seat
    return t[PLAIN] == 1 and t[own + KNOWN] >= 0 and r[own + VALUE] >= 1.0


def how_many_know(t: Words, node: int) -> int:
    """How many seats are certain of something."""
    count = 0
    for seat in range(SEATS):
        if t[node + OWN + EACH * seat + KNOWN] >= 0:
            count += 1
    return count


def learn(t: Words, r: Reals, node: int, seat: int, value: float, known: int) -> None:
    """Keeps that a seat is certain of something."""
    own = node + OWN + EACH * seat
    r[own + VALUE] = value
    t[own + KNOWN] = known
    if how_many_know(t, node) == SEATS:
        t[node + SETTLED] = 1


def learn_win_at_once(t: Words, r: Reals, node: int, seat: int) -> None:
    """A seat has a move that wins."""
    learn(t, r, node, seat, 1.0, 3)
    if t[OPPOSED] == 1:
        learn(t, r, node, 1 - seat, -1.0, 3)
    if t[COMMON] == 1:
        share_knowledge(t, r, node, seat)


def share_knowledge(t: Words, r: Reals, node: int, seat: int) -> None:
    """What one is certain of, all are, where they are out for the same."""
    own = node + OWN + EACH * seat
    for other in range(SEATS):
        if t[own + KNOWN] >= 0 and t[node + OWN + EACH * other + KNOWN] < 0:
            learn(t, r, node, other, r[own + VALUE], t[own + KNOWN])


# ---- a player's choice


def prove_choice(t: Words, r: Reals, node: int) -> None:
    """What is certain in a state in which a player chooses."""
    seat = t[node + SEAT]
    whole = t[node + TRIED] == t[node + COUNT]
    if t[node + OWN + EACH * seat + KNOWN] < 0:
        prove_chosen(t, r, node, seat, whole)
    if t[COMMON] == 1:
        share_knowledge(t, r, node, seat)
    for other in range(SEATS):
        if other != seat and t[node + OWN + EACH * other + KNOWN] < 0:
            if SEATS == 2 and t[node + SHARES] == 1:
                prove_opposite(t, r, node, seat)
            elif whole:
                prove_suffered(t, r, node, other)


def prove_chosen(t: Words, r: Reals, node: int, seat: int, whole: bool) -> None:
    """The player takes a certain win, or the best of what is left when all is known."""
    best = -1
    known = 0
    own = t[node + BLOCK] + OWN + EACH * seat
    for _ in range(t[node + TRIED]):
        if t[own + KNOWN] >= 0:
            known += 1
            if best < 0 or is_preferred(t, r, own, best):
                best = own
        own += t[RECORD]
    if best < 0:
        return
    won = t[PLAIN] == 1 and r[best + VALUE] >= 1.0
    if won or (whole and known == t[node + TRIED]):
        learn(t, r, node, seat, r[best + VALUE], t[best + KNOWN] + 2)


def is_preferred(t: Words, r: Reals, one: int, other: int) -> bool:
    """More is preferred, and of wins the quick, of losses the slow ones."""
    if r[one + VALUE] != r[other + VALUE]:
        return r[one + VALUE] > r[other + VALUE]
    away = t[one + KNOWN] >> 1
    further = t[other + KNOWN] >> 1
    if away != further:
        return (away < further) == (r[one + VALUE] > 0.0)
    return t[one + KNOWN] > t[other + KNOWN]


def prove_opposite(t: Words, r: Reals, node: int, seat: int) -> None:
    """What is left for the other of two players."""
    mine = node + OWN + EACH * seat
    known = t[mine + KNOWN]
    if known < 0:
        return
    own = t[node + BLOCK] + OWN + EACH * seat
    for _ in range(t[node + TRIED]):
        if t[own + KNOWN] >= 0 and r[own + VALUE] == r[mine + VALUE] and t[own + KNOWN] & 1 == 0:
            known = known & -2
        own += t[RECORD]
    learn(t, r, node, 1 - seat, r[node + SHARED] - r[mine + VALUE], known)


def prove_suffered(t: Words, r: Reals, node: int, other: int) -> None:
    """What somebody else's choice leads to, if that is the same whatever is chosen."""
    own = t[node + BLOCK] + OWN + EACH * other
    value = r[own + VALUE]
    away = 0
    sure = 1
    for _ in range(t[node + TRIED]):
        known = t[own + KNOWN]
        if known < 0 or r[own + VALUE] != value:
            return
        away = known >> 1 if known >> 1 > away else away
        sure = sure & known
        own += t[RECORD]
    learn(t, r, node, other, value, 2 * (away + 1) + sure)


# ---- a roll


def is_foreseen(t: Words, node: int) -> bool:
    """Whether all that a roll can bring has been seen, and somebody is certain of something."""
    if t[node + TRIED] < t[node + COUNT]:
        return False
    child = t[node + BLOCK]
    for _ in range(t[node + TRIED]):
        if how_many_know(t, child) == 0:
            return False
        child += t[RECORD]
    return True


def prove_roll(t: Words, r: Reals, node: int, c: Words, weights: Words) -> None:
    """What the dice come to on average."""
    for seat in range(SEATS):
        if t[node + OWN + EACH * seat + KNOWN] < 0:
            prove_average(t, r, node, seat, c, weights)


def prove_average(t: Words, r: Reals, node: int, seat: int, c: Words, weights: Words) -> None:
    child = t[node + BLOCK]
    first = r[child + OWN + EACH * seat + VALUE]
    mean = 0.0
    away = 0
    sure = 1
    alike = True
    for _ in range(t[node + TRIED]):
        own = child + OWN + EACH * seat
        known = t[own + KNOWN]
        if known < 0:
            return
        away = known >> 1 if known >> 1 > away else away
        sure = sure & known
        alike = alike and r[own + VALUE] == first
        mean += share(c, weights, t[child + OPTION]) * r[own + VALUE]
        child += t[RECORD]
    if alike:
        learn(t, r, node, seat, first, 2 * (away + 1) + sure)
    else:
        learn(t, r, node, seat, mean, 2 * (away + 1))


# ---- payoffs that are shared out


def find_shared(t: Words, r: Reals, node: int) -> None:
    """What two players get together wherever the game ends after a state, if that is always as much
    and all ends have been seen: then the more is for the one, the less is for the other.
    """
    if t[OPPOSED] == 1:
        return
    t[node + SHARES] = 0
    if SEATS != 2 or t[OPEN] == 0 or t[node + TRIED] == 0:
        return
    if t[node + SEAT] >= 0 and t[node + TRIED] < t[node + COUNT]:
        return
    child = t[node + BLOCK]
    together = r[child + SHARED]
    for _ in range(t[node + TRIED]):
        if t[child + SHARES] == 0 or r[child + SHARED] != together:
            return
        child += t[RECORD]
    t[node + SHARES] = 1
    r[node + SHARED] = together
