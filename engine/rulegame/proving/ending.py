"""The claims that a game ends: always, with probability 1, under best play."""

from __future__ import annotations

import numpy as np

from rulegame.model import Claim
from rulegame.proving.findings import Evidence
from rulegame.proving.inquiry import Inquiry
from rulegame.proving.plays import Circle, Mask, almost_surely, circle, shortest_ways
from rulegame.solving.arena import HIGH, LOW


def always_ends(inquiry: Inquiry, claim: Claim) -> Evidence:
    """No endless play exists, with any moves and any luck."""
    if not inquiry.endless[0]:
        count = inquiry.longest
        noun = "move" if count == 1 else "moves"
        return Evidence(True, f"every game ends after at most {count} {noun}")
    found = circle(inquiry.board, inquiry.ways, inquiry.endless, inquiry.board.every_edge)
    return _endless(inquiry, found, "play can go on forever")


def ends_almost_surely(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whatever the players do, even together, endless play has probability 0.

    It has not if and only if there is a set of states that the players can stay in whatever is
    rolled: play that is endless with positive probability ends up in such a set (an end component),
    and every state is reached with positive probability by some play.
    """
    board, held = inquiry.board, inquiry.held
    if not held.any():
        return Evidence(True, "endless play has probability 0, however the players move")
    found = circle(board, inquiry.ways, held, board.every_edge)
    rolls = found is not None and board.rolls[board.sources[found[1]]].any()
    luck = ", whatever is rolled" if rolls else ""
    return _endless(inquiry, found, f"the players can keep the game going forever{luck}")


def ends_under_best_play(inquiry: Inquiry, claim: Claim) -> Evidence:
    """If both sides play best moves only, and whoever has something to gain goes after it, one of
    the two can make sure that the game ends with probability 1.

    Where the value is not 0, that is the side that gains by it: endless play is worth 0. Where it
    is 0, nobody need hurry; it is then enough that one and the same side can.
    """
    if not inquiry.held.any():
        return Evidence(True, "every game ends with probability 1")
    board = inquiry.board
    if not board.ends.any():
        found = circle(board, inquiry.ways, inquiry.held, board.every_edge)
        return _endless(inquiry, found, "no game can end")
    solution, ranks = inquiry.solution, inquiry.ranks
    if isinstance(solution, str):
        return Evidence(None, solution)
    if ranks is None:
        return Evidence(None, "only bounds on the values are known")
    role = solution.arena.role
    keeps = board.rolls[board.sources] | (ranks[board.sources] == ranks[board.successors])
    gaining = ((role == HIGH) & (ranks > 0)) | ((role == LOW) & (ranks < 0))
    ending = [
        almost_surely(board, gaining | ((role == side) & (ranks == 0)), keeps)
        for side in (HIGH, LOW)
    ]
    if any(states[0] for states in ending):
        return Evidence(True, "best play ends with probability 1")
    return _endless_line(inquiry, keeps, ending)


def _endless_line(inquiry: Inquiry, keeps: Mask, ending: list[Mask]) -> Evidence:
    """Best play that goes round in a circle, where neither side can force an end if possible."""
    board = inquiry.board
    ways = shortest_ways(board, keeps)
    everywhere = np.ones(len(board), bool)
    detail = "with best play on both sides, neither can force an end"
    for inside in (~ending[0] & ~ending[1], ~ending[0], ~ending[1], everywhere):
        found = circle(board, ways, inside, keeps)
        if found is not None:
            return _endless(inquiry, found, detail)
    raise AssertionError("what does not end has a circle")


def _endless(inquiry: Inquiry, found: Circle | None, detail: str) -> Evidence:
    """That play can go on forever, with a circle that shows it."""
    assert found is not None, "what can go on forever has a circle"
    way, round_ = found
    return Evidence(False, detail, inquiry.board.moves(way), inquiry.board.moves(round_))
