"""A state graph in which both players choose at once, as stages: in each of them one of two players
chooses a row and the other one a column, and nobody knows what the other chooses.

The graph asks one seat after the other. What the second is asked is not a state of its own here:
the pair of their moves leads from one state that both know to the next. Where only one of them
chooses there is one row, or one column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.errors import CannotSolve, NotOpposed
from rulegame.exploring import StateGraph
from rulegame.game import Move
from rulegame.progress import Progress
from rulegame.solving.arena import HIGH, LOW, Arena, make_arena

Targets = NDArray[np.int64]

TASK: Final = "Building stages"
REPORT_EVERY: Final = 256  # states


@dataclass(frozen=True)
class Stages:
    """The stages of a graph; `arena` is the graph from the side of who is first, who chooses rows
    and wants the value high.
    """

    graph: StateGraph
    first: int
    arena: Arena
    waiting: NDArray[np.bool_]  # where one has chosen, and the other is asked: parts of a stage

    @staticmethod
    def of(graph: StateGraph, first: int, progress: Progress) -> Stages:
        """The stages of a game whose states are known; CannotSolve if players are not opposed."""
        try:
            arena = make_arena(graph, first)
        except NotOpposed as reason:
            raise CannotSolve(
                f"{reason}: where players choose at once, only games in which one player loses "
                "what the other one gains are solved (rulegame simulate plays it)"
            ) from None
        return Stages(graph, first, arena, _waiting(graph, progress))

    def is_stage(self, number: int) -> bool:
        """Whether somebody chooses in a state that both know."""
        return self.arena.role[number] in (HIGH, LOW) and not self.waiting[number]

    def numbers(self) -> Iterator[int]:
        """The states in which somebody chooses."""
        roles = np.isin(self.arena.role, (HIGH, LOW)) & ~self.waiting
        yield from np.flatnonzero(roles).tolist()

    def targets(self, number: int) -> Targets:
        """Where each row and column of a stage leads to."""
        low, high = self._span(number)
        following = self.arena.successors[low:high].astype(np.int64)
        if not self.waiting[following[0]]:
            table = following.reshape(-1, 1)
        else:
            rows = [self.arena.successors[slice(*self._span(t))] for t in following.tolist()]
            table = np.array(rows, np.int64)
        return table if self.arena.role[number] == HIGH else table.T

    def moves(self, number: int) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
        """The moves that the rows and columns stand for; none of a player who does not choose."""
        low, high = self._span(number)
        own = self._told(low, high)
        then = int(self.arena.successors[low])
        other = self._told(*self._span(then)) if self.waiting[then] else ()
        return (own, other) if self.arena.role[number] == HIGH else (other, own)

    def check(self, progress: Progress) -> None:
        """CannotSolve if what one can choose depends on what the other one has chosen."""
        graph = self.graph
        for done, number in enumerate(self.numbers()):
            if done % REPORT_EVERY == 0:
                progress(TASK, done, None)
            following = graph.successors[slice(*self._span(number))].tolist()
            if not self.waiting[following].any():
                continue
            asked = {
                tuple(graph.moves[slice(*self._span(t))].tolist()) if self.waiting[t] else None
                for t in following
            }
            if len(asked) > 1:
                raise CannotSolve(
                    "the choices of one player depend on the other player's simultaneous choice"
                )

    def _span(self, number: int) -> tuple[int, int]:
        return int(self.arena.offsets[number]), int(self.arena.offsets[number + 1])

    def _told(self, low: int, high: int) -> tuple[Move, ...]:
        table: Any = self.graph.move_table
        return tuple(table[code] for code in self.graph.moves[low:high].tolist())


def _waiting(graph: StateGraph, progress: Progress) -> NDArray[np.bool_]:
    found, kernel = np.zeros(len(graph), bool), graph.game.kernel
    last = np.flatnonzero(graph.owner == len(graph.game.players) - 1)
    for done, number in enumerate(last.tolist()):
        if done % REPORT_EVERY == 0:
            progress(TASK, done, len(last))
        found[number] = bool(kernel.chosen(graph.cells[number]))
    return found
