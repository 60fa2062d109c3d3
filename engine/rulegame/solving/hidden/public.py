"""Positions that all players know when they come to them, whatever is hidden elsewhere.

What is left of a game from such a position on is a game of its own. Elsewhere what is best depends
on what players hold possible, and that on how they have played before.
"""

from __future__ import annotations

import numpy as np

from rulegame.errors import CannotSolve
from rulegame.exploring import StateGraph
from rulegame.game import State
from rulegame.game.visibility import Sight
from rulegame.progress import Progress

EVERY = 4096  # states between two words about progress


def check_public(graph: StateGraph, state: State, progress: Progress) -> None:
    """CannotSolve, with the reason, unless no other state of the game looks to any seat like this
    one.
    """
    game, number = graph.game, graph.number(state)
    if game.kernel.chosen(state.cells):
        raise CannotSolve(
            "one player has chosen here, unseen, and the other one has not: give the position "
            "before both choose"
        )
    sight = game.companion(Sight)
    same = np.flatnonzero(graph.owner == graph.owner[number]).tolist()
    for seat, name in enumerate(game.players):
        mine = sight.cells(state.cells, seat)
        alike = 0
        for done, other in enumerate(same):
            alike += sight.cells(graph.cells[other], seat) == mine
            if done % EVERY == 0:
                progress("Comparing observations", done, len(same))
        if alike > 1:
            raise CannotSolve(_like_others(name, alike - 1))


def _like_others(name: str, others: int) -> str:
    """Why a position is not solved that somebody cannot tell from others."""
    many = f"{others:,} other positions look" if others > 1 else "another position looks"
    return (
        f"{many} the same to {name}: what is best there depends on how both have played before, so "
        "such a position has no value of its own. What can be had is the whole game (without "
        "--at), with --policy FILE for what best play does in every situation"
    )
