"""The game under examination: its state graph, and facts that several claims need, each computed
once on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from time import process_time

import numpy as np
from numpy.typing import NDArray

from rulegame.errors import CannotSolve, TooLarge
from rulegame.exploring import StateGraph
from rulegame.game import Event, Game
from rulegame.memory import memory_budget
from rulegame.model import Claim
from rulegame.model.analysis import may_be
from rulegame.progress import Progress
from rulegame.proving.plays import NEVER, Mask, PlayGraph, ShortestPaths, forced, shortest_paths
from rulegame.solving import (
    Limits,
    MixedSolution,
    PerfectInformationSolution,
    check_open,
    check_solvable,
    solve_graph,
)
from rulegame.solving.dispatch import solve_secrets
from rulegame.solving.perfect_information.keeping import keep_solution
from rulegame.solving.perfect_information.sides import solve_for
from rulegame.solving.room import check_room
from rulegame.wording import as_written

EVERY = 4096  # states between two progress reports


def claims_about(game: Game) -> tuple[Claim, ...]:
    """The claims about this very game, without those for other values of its parameters."""
    played = {name: as_written(value) for name, value in game.parameters.items()}
    return tuple(
        claim
        for claim in game.ruleset.claims
        if all(played.get(name) in list(map(as_written, some)) for name, some in claim.over.items())
    )


@dataclass(frozen=True)
class Inquiry:
    """A game, all its states, and the seat that moves first."""

    graph: StateGraph
    first: int
    progress: Progress
    room: int | None = None  # memory budget in bytes; None: a share of the free memory
    known: PerfectInformationSolution | None = None  # from the cache
    spent: float = 0.0  # seconds of exploration

    @property
    def game(self) -> Game:
        return self.graph.game

    def claimed(self, name: str) -> bool | Fraction | None:
        """The value that a claim of this name states about this game; None without one."""
        about = (claim.value for claim in claims_about(self.game) if claim.name == name)
        return next(about, None)

    @cached_property
    def plays(self) -> PlayGraph:
        return PlayGraph(self.graph.offsets, self.graph.successors, self.graph)

    @cached_property
    def paths(self) -> ShortestPaths:
        return shortest_paths(self.plays)

    # ---- how long play lasts

    @cached_property
    def _latest_end(self) -> NDArray[np.int32]:
        nobody = np.zeros(len(self.plays), bool)
        return forced(self.plays, self.plays.ends, nobody)

    @cached_property
    def endless(self) -> Mask:
        """The states from which some play, with some rolls, never ends."""
        return np.asarray(self._latest_end == NEVER)

    @property
    def longest(self) -> int:
        """The length of the longest game in moves and rolls, if there is one."""
        return int(self._latest_end[0])

    @cached_property
    def held(self) -> Mask:
        """The states from which the players together can avoid the end, whatever is rolled."""
        return np.asarray(forced(self.plays, self.plays.ends, self.plays.rolls) == NEVER)

    # ---- stuck players

    @cached_property
    def first_stuck(self) -> tuple[int | None, Event] | None:
        """The first time that a player is stuck; None if that never happens."""
        return next(self.stuck(), None)

    def stuck(self) -> Iterator[tuple[int | None, Event]]:
        """Every time that a player has no valid move, soonest first: the edge that leads there
        (None: at the start) and the event. The graph continues with the consequence, so the edges
        are replayed: those into ends by being stuck, or all of them where stuck players may pass.
        """
        for event in self.game.start(self.first).events:
            yield None, event
        edges = self._perhaps_stuck()
        order = np.argsort(self.paths.distance[self.plays.sources[edges]], kind="stable")
        last = -1
        for done, edge in enumerate(edges[order].tolist()):
            source = int(self.plays.sources[edge])
            if source != last:
                last, state = source, self.graph.state(source)
            for event in state.play(self.graph.move_table[self.graph.moves[edge]]).events:
                if event.kind != "all_stuck":  # it follows the last player's own pass
                    yield edge, event
            if done % EVERY == EVERY - 1:
                self.progress("Looking for stuck players", done, len(edges))

    def _perhaps_stuck(self) -> NDArray[np.int64]:
        result = self.game.ruleset.stuck.verdict.result
        if result is not None and may_be(result, self.game.ruleset.words.index("pass")):
            return np.arange(self.graph.edges)
        stuck = [outcome.rule == "stuck" for outcome in self.graph.outcomes]
        ends = np.flatnonzero(np.array([*stuck, False])[self.graph.outcome])
        return self.plays.incoming(ends)

    # ---- best play

    @cached_property
    def solution(self) -> PerfectInformationSolution | str:
        """The solution of the game, or the reason why there is none."""
        try:
            check_solvable(self.game)
            if self.known is not None:
                return self.known
            check_room(self.graph, memory_budget(self.room))
            return self._solved()
        except (CannotSolve, TooLarge) as refusal:
            return str(refusal)

    def _solved(self) -> PerfectInformationSolution:
        """Solve the game; a large solution goes to the cache."""
        began = process_time()
        found = solve_graph(self.graph, self.first, self.progress)
        spent = self.spent + process_time() - began
        keep_solution(found, self.first, spent, symmetric=False)
        return found

    def winning(self, seat: int) -> PerfectInformationSolution | str:
        """The solution where everybody else plays against one seat: 1 for its win, 0 for a draw, -1
        otherwise; or the reason why it is unknown.
        """
        try:
            check_open(self.game)
            check_room(self.graph, memory_budget(self.room))
        except (CannotSolve, TooLarge) as refusal:
            return str(refusal)
        pays = [0 if o.draw else 1 if seat in o.winners else -1 for o in self.graph.outcomes]
        return solve_for(self.graph, [seat], pays, self.progress, plain=True)

    @cached_property
    def valued(self) -> PerfectInformationSolution | MixedSolution | str:
        """The solution of the game with its hidden information, or the reason why there is none."""
        if self.game.kind.is_open:
            return self.solution
        if self.game.kind.players > 2:
            return "hidden information with more than two players"
        limits = Limits(max_memory=self.room)
        try:
            return solve_secrets(
                self.graph, self.first, limits, self.progress, staged=self.game.kind.is_staged
            )
        except (CannotSolve, TooLarge) as refusal:
            return str(refusal)

    @cached_property
    def guaranteed(
        self,
    ) -> PerfectInformationSolution | MixedSolution | str:
        """The solution for the payoff that the first mover can guarantee, or the reason why it is
        unknown.
        """
        if not self.game.kind.is_open or self.game.kind.players == 1:
            return self.valued
        try:
            check_room(self.graph, memory_budget(self.room))
        except TooLarge as refusal:
            return str(refusal)
        pays = [outcome.payoffs[self.first] for outcome in self.graph.outcomes]
        return solve_for(self.graph, [self.first], pays, self.progress)

    @cached_property
    def winning_together(self) -> PerfectInformationSolution | str:
        """The solution where all players cooperate: 1 if all win, otherwise -1; or the reason why
        it is unknown.
        """
        try:
            check_open(self.game)
            check_room(self.graph, memory_budget(self.room))
        except (CannotSolve, TooLarge) as refusal:
            return str(refusal)
        seats = range(len(self.game.players))
        pays = [1 if len(o.winners) == len(seats) else -1 for o in self.graph.outcomes]
        return solve_for(self.graph, seats, pays, self.progress, plain=True)

    @cached_property
    def ranks(self) -> NDArray[np.int64] | None:
        """Numbers in the order of the exact values, with 0 for the value 0; None if those are
        unknown.
        """
        solution = self.solution
        if isinstance(solution, str) or not solution.exact:
            return None
        if solution.arena.plain and not self.plays.rolls.any():
            return solution.lowers.astype(np.int64)  # win, loss, or neither
        values = [solution.value_of(n) for n in range(len(self.plays))]
        order = sorted({Fraction(0), *(v for v in values if v is not None)})
        zero = order.index(Fraction(0))
        numbers = {value: number - zero for number, value in enumerate(order)}
        return np.array([numbers[v] for v in values if v is not None], np.int64)
