"""Who sits in a seat of a simulated game: what a player is, and what `random` and `perfect` mean.

Over the state graph a player is the set of edges among which it chooses at random; one that cannot
be put that way is asked move by move.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from rulegame.game import Game, Move, View
from rulegame.graph import StateGraph
from rulegame.progress import Progress
from rulegame.solving import solve_graph

RANDOM: Final = "random"
PERFECT: Final = "perfect"
NAMES: Final = (RANDOM, PERFECT)


class Player(Protocol):
    """Someone who is asked for each move."""

    def choose(self, view: View, rng: Random) -> Move:
        """One of the valid moves; chance, if it is needed, comes from `rng` alone."""


Seat = str | Player


def seats_of(game: Game, players: Sequence[Seat]) -> tuple[Seat, ...]:
    """One player for each seat; one alone stands for all. ValueError if they do not fit."""
    given = tuple(players)
    count = len(game.players)
    if len(given) == 1:
        given *= count
    if len(given) != count:
        raise ValueError(f"there are {count} seats, but {len(given)} players were given")
    for player in given:
        if isinstance(player, str) and player not in NAMES:
            raise ValueError(f"'{player}' is no player; there are {' and '.join(NAMES)}")
    return given


def seat_name(seat: Seat) -> str:
    """What a player is called in a report."""
    return seat if isinstance(seat, str) else str(getattr(seat, "name", type(seat).__name__))


def edges_in_play(
    graph: StateGraph, seats: Sequence[Seat], first: int, progress: Progress
) -> NDArray[np.bool_]:
    """Of each edge, whether a game may take it: all that chance and random players have, and one
    for each state of a perfect player.

    That one is the edge which the solution's proof is about. In a won state it leads nearer to the
    end, so that perfect play does not go round in circles.
    """
    kept = np.ones(graph.edges, bool)
    perfect = [number for number, seat in enumerate(seats) if seat == PERFECT]
    if perfect:
        chosen = solve_graph(graph, first, progress).chosen
        theirs = np.isin(graph.owner, perfect)
        kept[np.repeat(theirs, np.diff(graph.offsets))] = False
        kept[chosen[theirs]] = True
    return kept
