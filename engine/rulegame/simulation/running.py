"""Some games of a simulation, played by Python or by machine code, whichever is quicker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from time import process_time
from typing import TYPE_CHECKING, Final

from rulegame.exploring import StateGraph
from rulegame.game import Game
from rulegame.native.compiler import has_machine_code
from rulegame.native.graph_kernels import MOST_EDGES
from rulegame.native.machine_kernel import machine_for
from rulegame.progress import Progress
from rulegame.simulation.batches import (
    MOST_THREADS,
    Batches,
    BatchPlayer,
    GraphPlayer,
    RulePlayer,
    batch_size,
)
from rulegame.simulation.playing import OneByOne
from rulegame.simulation.rng import Seeded
from rulegame.simulation.seats import PERFECT, Seat, SolvedPlayer
from rulegame.simulation.tally import Tally

if TYPE_CHECKING:
    from rulegame.solving import Solution

PROBES: Final = 32  # games that are played one by one to see what games are like
TELL_EVERY: Final = 64  # games
WORTHWHILE: Final = 150_000  # steps and options that are left, from which on machine code pays

# A game, who moves first, the most states and bytes, and whom to tell of progress.
Solver = Callable[[Game, int, int, int, Progress], "Solution"]


def solved_here(game: Game, first: int, max_states: int, room: int, progress: Progress) -> Solution:
    """The solution over all states, which games are played over."""
    from rulegame.solving import solve

    return solve(
        game,
        first=first,
        max_states=max_states,
        max_memory=room,
        progress=progress,
        symmetric=False,
    )


class SimulationRun:
    """The games of some numbers, from the first to the last."""

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
        """`first` is the seat that moves first, None for each in turn; `solved` is where perfect
        players get their solutions from.
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
        self._seconds = 0.0  # that Python takes for a game

    def play(self, batch: int | None, max_states: int, room: int) -> int | None:
        """Plays all games; returns how many states the graphs have that they were played over,
        None if there were none.
        """
        graphs = self._explored(max_states, room) if PERFECT in self._seats else None
        self._play_each(self._numbers[:PROBES])
        left = self._numbers[PROBES:]
        player = self._batch_player(len(left), graphs) if self._is_unasked and left else None
        if player is None:
            self._play_each(left)
        else:
            batches = Batches(
                player, self._firsts, self._seeded, self._max_moves, self.tally, self._table.play
            )
            size = batch_size(batch, len(left), self._seconds)
            batches.play(left, size, self._threads, self._tell)
        return None if graphs is None else sum(map(len, graphs))

    @property
    def _is_unasked(self) -> bool:
        """Whether nobody is to be asked move by move."""
        return all(isinstance(seat, str) for seat in self._seats)

    # ---- one by one

    def _play_each(self, numbers: range) -> None:
        """With the functions of Python."""
        began = process_time()
        for number in numbers:
            if not self._is_unasked or number % TELL_EVERY == 0:
                self._tell()
            self._table.play(number, self._firsts[number % len(self._firsts)])
        self._tell()
        self._seconds = (process_time() - began) / max(len(numbers), 1)

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

    @property
    def _work(self) -> float:
        """Steps and options of the games so far: about a microsecond each, with Python."""
        return self.tally.steps + self._table.options

    # ---- by machine code

    def _batch_player(self, left: int, graphs: Sequence[StateGraph] | None) -> BatchPlayer | None:
        """How the rest is played; None if that is better done by Python. Judged by what the first
        games were like, never by the clock.
        """
        work = self._work / max(self.tally.games, 1) * left
        if work < WORTHWHILE * self._game.kernel.complexity or not has_machine_code():
            return None
        if graphs is None:
            machine = machine_for(self._game.kernel, "playing")
            return None if machine is None else RulePlayer(self._game, machine)
        if max(graph.edges for graph in graphs) > MOST_EDGES:
            return None
        by_first = dict(zip(self._firsts, graphs, strict=True))
        chosen = {
            first: self._solved[first].edges(self._perfect, graph)
            for first, graph in by_first.items()
        }
        return GraphPlayer(by_first, chosen, self.tally)

    @property
    def _perfect(self) -> list[int]:
        """The seats of perfect players."""
        return [number for number, seat in enumerate(self._seats) if seat == PERFECT]

    def _explored(self, max_states: int, room: int) -> list[StateGraph]:
        """The states of the game, by who moves first, and what perfect players do in them."""
        found = []
        for first in self._firsts:
            solution = self._solver(self._game, first, max_states, room, self._progress)
            self._solved[first] = SolvedPlayer(solution)
            found.append(solution.graph)
        return found

    def _tell(self) -> None:
        self._progress("Playing", self.tally.games, len(self._numbers))
