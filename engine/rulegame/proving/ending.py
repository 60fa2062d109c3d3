"""The claims that a game ends: always, with probability 1, under best play."""

from __future__ import annotations

import numpy as np

from rulegame.model import Claim
from rulegame.proving.findings import Evidence
from rulegame.proving.inquiry import Inquiry
from rulegame.proving.plays import Cycle, Mask, almost_surely, find_cycle, shortest_paths
from rulegame.solving.arena import HIGH, LOW


def always_ends(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether no endless play exists, for any moves and rolls."""
    if not inquiry.endless[0]:
        count = inquiry.longest
        noun = "move" if count == 1 else "moves"
        return Evidence(True, f"every game ends after at most {count} {noun}")
    found = find_cycle(inquiry.plays, inquiry.paths, inquiry.endless, inquiry.plays.every_edge)
    return _endless(inquiry, found, "play can go on forever")


def ends_almost_surely(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether endless play has probability 0, whatever the players do, even together. It has
    positive probability if and only if the players can stay in some set of states whatever is
    rolled (an end component): endless play ends up in one, and every state is reachable with
    positive probability.
    """
    plays, held = inquiry.plays, inquiry.held
    if not held.any():
        return Evidence(True, "endless play has probability 0, however the players move")
    found = find_cycle(plays, inquiry.paths, held, plays.every_edge)
    rolls = found is not None and plays.rolls[plays.sources[found[1]]].any()
    luck = ", whatever is rolled" if rolls else ""
    return _endless(inquiry, found, f"the players can keep the game going forever{luck}")


def ends_under_best_play(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whether one side can make sure that the game ends with probability 1, if both sides play best
    moves only. Endless play is worth 0. So where the value is not 0, it is the side that profits;
    where it is 0, it suffices that the same side can everywhere.
    """
    if not inquiry.held.any():
        return Evidence(True, "every game ends with probability 1")
    plays = inquiry.plays
    if not plays.ends.any():
        found = find_cycle(plays, inquiry.paths, inquiry.held, plays.every_edge)
        return _endless(inquiry, found, "no game can end")
    solution, ranks = inquiry.solution, inquiry.ranks
    if isinstance(solution, str):
        return Evidence(None, solution)
    if ranks is None:
        return Evidence(None, "only bounds on the values are known")
    role = solution.arena.role
    keeps = plays.rolls[plays.sources] | (ranks[plays.sources] == ranks[plays.successors])
    gaining = ((role == HIGH) & (ranks > 0)) | ((role == LOW) & (ranks < 0))
    ending = [
        almost_surely(plays, gaining | ((role == side) & (ranks == 0)), keeps)
        for side in (HIGH, LOW)
    ]
    if any(states[0] for states in ending):
        return Evidence(True, "best play ends with probability 1")
    return _endless_line(inquiry, keeps, ending)


def _endless_line(inquiry: Inquiry, keeps: Mask, ending: list[Mask]) -> Evidence:
    """Best play that cycles, if possible where neither side can force an end."""
    plays = inquiry.plays
    paths = shortest_paths(plays, keeps)
    everywhere = np.ones(len(plays), bool)
    detail = "with best play on both sides, neither can force an end"
    for inside in (~ending[0] & ~ending[1], ~ending[0], ~ending[1], everywhere):
        found = find_cycle(plays, paths, inside, keeps)
        if found is not None:
            return _endless(inquiry, found, detail)
    raise AssertionError("endless play must contain a cycle")


def _endless(inquiry: Inquiry, found: Cycle | None, detail: str) -> Evidence:
    """Evidence that play can continue forever: a cycle."""
    assert found is not None, "endless play must contain a cycle"
    way, cycle = found
    return Evidence(False, detail, inquiry.plays.moves(way), inquiry.plays.moves(cycle))
