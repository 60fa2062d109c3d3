"""The claims that a game ends: always, with probability 1, under best play."""

from __future__ import annotations

import numpy as np

from rulegame.proving.findings import Claim, Evidence
from rulegame.proving.inquiry import Inquiry
from rulegame.proving.plays import Mask, almost_surely, circle, shortest_ways
from rulegame.solving.arena import HIGH, LOW


def always_ends(inquiry: Inquiry, claim: Claim) -> Evidence:
    """No endless play exists, with any moves and any luck."""
    if not inquiry.endless[0]:
        count = inquiry.longest
        noun = "move" if count == 1 else "moves"
        return Evidence(True, f"every game ends: the longest has {count} {noun}")
    board = inquiry.board
    way, round_ = circle(board, inquiry.ways, inquiry.endless, board.every_edge)
    return Evidence(False, "play can go on for ever", board.moves(way), board.moves(round_))


def ends_almost_surely(inquiry: Inquiry, claim: Claim) -> Evidence:
    """Whatever the players do, even together, endless play has probability 0.

    It has not if and only if there is a set of states that the players can stay in whatever is
    rolled: play that is endless with positive probability ends up in such a set (an end component),
    and every state is reached with positive probability by some play.
    """
    board, held = inquiry.board, inquiry.held
    if not held.any():
        return Evidence(True, "endless play has probability 0, whatever the players do")
    way, round_ = circle(board, inquiry.ways, held, board.every_edge)
    luck = ", whatever is rolled" if bool(board.rolls[_passed(inquiry, round_)].any()) else ""
    detail = f"the players can go on for ever{luck}"
    return Evidence(False, detail, board.moves(way), board.moves(round_))


def _passed(inquiry: Inquiry, edges: list[int]) -> list[int]:
    return [int(inquiry.board.sources[edge]) for edge in edges]


def ends_under_best_play(inquiry: Inquiry, claim: Claim) -> Evidence:
    """If both sides play best moves only, and whoever has something to gain goes after it, one of
    the two can make sure that the game ends with probability 1.

    Where the value is not 0, that is the side that gains by it: endless play is worth 0. Where it
    is 0, nobody need hurry; it is then enough that one and the same side can.
    """
    if not inquiry.held.any():
        return Evidence(True, "every play ends with probability 1")
    board = inquiry.board
    if not board.ends.any():
        way, round_ = circle(board, inquiry.ways, inquiry.held, board.every_edge)
        return Evidence(False, "no game can end", board.moves(way), board.moves(round_))
    solution, ranks = inquiry.solution, inquiry.ranks
    if isinstance(solution, str):
        return Evidence(None, solution)
    if ranks is None:
        return Evidence(None, "only bounds of the values are known")
    role = solution.arena.role
    keeps = board.rolls[board.sources] | (ranks[board.sources] == ranks[board.targets])
    gaining = ((role == HIGH) & (ranks > 0)) | ((role == LOW) & (ranks < 0))
    ending = [
        almost_surely(board, gaining | ((role == side) & (ranks == 0)), keeps)
        for side in (HIGH, LOW)
    ]
    if any(states[0] for states in ending):
        return Evidence(True, "best play ends with probability 1")
    way, round_ = _endless_line(inquiry, keeps, ending)
    detail = "with best moves on both sides, neither can make sure that the game ends"
    return Evidence(False, detail, board.moves(way), board.moves(round_))


def _endless_line(inquiry: Inquiry, keeps: Mask, ending: list[Mask]) -> tuple[list[int], list[int]]:
    """Best play that goes round in a circle, where neither side can force an end if possible."""
    board = inquiry.board
    ways = shortest_ways(board, keeps)
    reached = ways.distance >= 0
    for inside in (~ending[0] & ~ending[1], ~ending[0], ~ending[1]):
        if _has_circle(inquiry, inside & reached, keeps):
            return circle(board, ways, inside & reached, keeps)
    return circle(board, ways, reached, keeps)


def _has_circle(inquiry: Inquiry, inside: Mask, keeps: Mask) -> bool:
    """Whether play that stays inside can be endless: take away what leads out, again and again."""
    board = inquiry.board
    edges = np.flatnonzero(keeps & inside[board.sources] & inside[board.targets])
    while True:
        going_on = np.zeros(len(board), bool)
        going_on[board.sources[edges]] = True
        kept = edges[going_on[board.targets[edges]]]
        if len(kept) == len(edges):
            return bool(len(edges))
        edges = kept
