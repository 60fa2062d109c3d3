"""Play games of a simulation in Python or native code, whichever is faster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rulegame.game import Game
from rulegame.native.graph_kernels import MOST_EDGES
from rulegame.native.profitability import (
    PER_SECOND,
    Backend,
    Sample,
    is_worth_loading,
    sample_work,
)
from rulegame.progress import Progress
from rulegame.simulation.playing import OneByOne
from rulegame.simulation.rng import Seeded
from rulegame.simulation.seats import PERFECT, Seat
from rulegame.simulation.tally import Tally

if TYPE_CHECKING:
    from rulegame.exploring import StateGraph
    from rulegame.simulation.batches import BatchPlayer
    from rulegame.simulation.solved import SolvedPlayer
    from rulegame.solving import PerfectInformationSolution

TELL_EVERY: Final = 64  # games
MOST_THREADS: Final = 8

# A game, who moves first, limits of states and bytes, and progress.
Solver = Callable[[Game, int, int, int, Progress], "PerfectInformationSolution"]


def solved_here(
    game: Game, first: int, max_states: int, room: int, progress: Progress
) -> PerfectInformationSolution:
    """The solution of all states, for games between perfect players."""
    from rulegame.solving import solve

    return solve(
        game,
        "perfect_information",
        first=first,
        max_states=max_states,
        max_memory=room,
        progress=progress,
        symmetric=False,
    )


class SimulationRun:
    """A range of games of a simulation."""

    def __init__(
        self,
        game: Game,
        numbers: range,
        seats: Sequence[Seat],
        seeded: Seeded,
        first: int | None,
        max_moves: int,
        progress: Progress,
        solved: Solver = solved_here,
        threads: int = MOST_THREADS,
    ) -> None:
        """`first` is the seat that moves first, or None for each in turn; `solved` gives the
        solutions of perfect players.
        """
        self.tally: Final = Tally(game)
        self._game = game
        self._numbers = numbers
        self._solver, self._threads = solved, threads
        self._seats = seats
        self._seeded = seeded
        self._max_moves = max_moves
        self._progress = progress
        self._firsts = range(len(game.players)) if first is None else range(first, first + 1)
        self._solved: dict[int, SolvedPlayer] = {}  # by who moves first
        self._backend = Backend(game.kernel, "playing")

    def play(self, batch: int | None, max_states: int, room: int) -> int | None:
        """Play all games. Return the number of states that perfect players needed, or None."""
        graphs = self._explored(max_states, room) if PERFECT in self._seats else None
        left = self._numbers
        while left:
            player = self._batch_player(len(left), graphs) if self._is_unasked else None
            if player is not None:
                self._play_batches(player, left, batch)
                break
            few = max(1, self.tally.games) if self._is_unasked else len(left)
            self._play_each(left[:few])
            left = left[few:]
        return None if graphs is None else sum(map(len, graphs))

    @property
    def _is_unasked(self) -> bool:
        """Whether no player chooses move by move."""
        return all(isinstance(seat, str) for seat in self._seats)

    # ---- one by one

    def _play_each(self, numbers: range) -> None:
        """Play in Python."""
        for number in numbers:
            if not self._is_unasked or number % TELL_EVERY == 0:
                self._tell()
            self._table.play(number, self._firsts[number % len(self._firsts)])
        self._tell()

    @cached_property
    def _table(self) -> OneByOne:
        return OneByOne(
            self._game,
            self._seats,
            self._seeded,
            self._max_moves,
            self.tally,
            self._solved,
            self._tell,
        )

    # ---- in native code

    @cached_property
    def _sample(self) -> Sample:
        return sample_work(self._game.kernel)

    @property
    def _work(self) -> float:
        """The work of one game in Python, by the average length so far."""
        games = self.tally.games
        steps = self.tally.steps / games if games else min(self._sample.steps, self._max_moves)
        return steps * self._sample.step

    def _batch_player(self, left: int, graphs: Sequence[StateGraph] | None) -> BatchPlayer | None:
        """The native player for the remaining games; None if Python is as fast."""
        work = self._work * left
        if graphs is None:
            machine = self._backend.machine(work)
            if machine is None:
                return None
            from rulegame.simulation.batches import RulePlayer

            return RulePlayer(self._game, machine)
        if not is_worth_loading(work):
            return None
        if max(graph.edges for graph in graphs) > MOST_EDGES:
            return None
        from rulegame.simulation.batches import GraphPlayer

        by_first = dict(zip(self._firsts, graphs, strict=True))
        chosen = {
            first: self._solved[first].edges(self._perfect, graph)
            for first, graph in by_first.items()
        }
        return GraphPlayer(by_first, chosen, self.tally)

    def _play_batches(self, player: BatchPlayer, numbers: range, batch: int | None) -> None:
        from rulegame.simulation.batches import Batches, batch_size

        batches = Batches(
            player, self._firsts, self._seeded, self._max_moves, self.tally, self._table.play
        )
        size = batch_size(batch, len(numbers), self._work / PER_SECOND)
        batches.play(numbers, size, self._threads, self._tell)

    @property
    def _perfect(self) -> list[int]:
        """The seats of perfect players."""
        return [number for number, seat in enumerate(self._seats) if seat == PERFECT]

    def _explored(self, max_states: int, room: int) -> list[StateGraph]:
        """The states of the game, by who moves first, and what perfect players do in them."""
        from rulegame.simulation.solved import SolvedPlayer

        found = []
        for first in self._firsts:
            solution = self._solver(self._game, first, max_states, room, self._progress)
            self._solved[first] = SolvedPlayer(solution)
            found.append(solution.graph)
        return found

    def _tell(self) -> None:
        self._progress("Playing", self.tally.games, len(self._numbers))
