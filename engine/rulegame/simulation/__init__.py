"""Many games at once. In: a game, players and a seed. Out: a `Report`: who wins how often, by which
rules, how long it takes.

`rng` is chance that follows from the seed and the game's number alone; `playing` plays games one by
one with the functions of Python, `batches` many of them by machine code. Both count into a `tally`,
and come to the same `report`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from time import process_time
from typing import Final

from rulegame.exploring import StateGraph
from rulegame.game import Game
from rulegame.memory import memory_budget
from rulegame.native.compiler import has_machine_code
from rulegame.native.graph_kernels import MOST_EDGES
from rulegame.native.machine_kernel import machine_for
from rulegame.progress import Progress, silent
from rulegame.simulation.batches import Batches, BatchPlayer, GraphPlayer, RulePlayer, batch_size
from rulegame.simulation.playing import OneByOne
from rulegame.simulation.report import (
    Advantage,
    EndResult,
    Interval,
    Lengths,
    Mean,
    Report,
    SeatResult,
    Share,
    Usage,
    make_report,
    wilson,
)
from rulegame.simulation.rng import Seeded
from rulegame.simulation.seats import (
    PERFECT,
    Seat,
    SolvedPlayer,
    seat_name,
    seats_of,
)
from rulegame.simulation.tally import Tally

__all__ = [
    "MAX_MOVES",
    "MAX_STATES",
    "Advantage",
    "EndResult",
    "Interval",
    "Lengths",
    "Mean",
    "Report",
    "SeatResult",
    "Share",
    "Usage",
    "simulate",
    "wilson",
]

MAX_MOVES: Final = 10_000
MAX_STATES: Final = 2_000_000
PROBES: Final = 32  # games that are played one by one to see what games are like
TELL_EVERY: Final = 64  # games
WORTHWHILE: Final = 150_000  # steps and options that are left, from which on machine code pays


def simulate(
    game: Game,
    games: int,
    *,
    seed: int,
    players: Sequence[Seat] = ("random",),
    first: int | None = 0,
    batch: int | None = None,
    max_moves: int = MAX_MOVES,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    progress: Progress = silent,
) -> Report:
    """Plays games and reports on them.

    The report follows from the game, `games`, `seed`, `players`, `first` and `max_moves`; `batch`,
    `max_states` and `max_memory` (bytes; a share of what is free, if left out) only say how it is
    come by. Each of the players is `random`, `perfect`, another
    name that `make_player` knows (no `search` with a time limit: that could not be repeated), or an
    object with `choose(view, rng)`; one alone sits in all seats. `first` is the seat that moves
    first, None for each in turn. CannotSolve or TooLarge if perfect play cannot be worked out.
    """
    seats = seats_of(game, players)
    if games < 1 or max_moves < 1 or (batch is not None and batch < 1):
        raise ValueError("games, max_moves and batch must be above 0")
    if first is not None and not 0 <= first < len(game.players):
        raise ValueError(f"there is no seat {first}")
    if game.ruleset.turn.first is not None:
        first = game.ruleset.turn.first
    run = _Run(game, games, seats, Seeded.by(seed), first, max_moves, progress)
    states = run.play(batch, max_states, memory_budget(max_memory))
    return make_report(
        game,
        run.tally,
        seed=seed,
        players=[seat_name(seat) for seat in seats],
        first=first,
        max_moves=max_moves,
        states=states,
    )


class _Run:
    """One simulation, from the first game to the last."""

    def __init__(
        self,
        game: Game,
        games: int,
        seats: Sequence[Seat],
        seeded: Seeded,
        first: int | None,
        max_moves: int,
        progress: Progress,
    ) -> None:
        self.tally: Final = Tally(game)
        self._game = game
        self._games = games
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
        done = self._play_each(0, min(PROBES, self._games))
        player = self._batch_player(done, graphs) if self._is_unasked else None
        if player is None:
            self._play_each(done, self._games)
        else:
            batches = Batches(
                player, self._firsts, self._seeded, self._max_moves, self.tally, self._table.play
            )
            left = range(done, self._games)
            batches.play(left, batch_size(batch, len(left), self._seconds), self._tell)
        return None if graphs is None else sum(map(len, graphs))

    @property
    def _is_unasked(self) -> bool:
        """Whether nobody is to be asked move by move."""
        return all(isinstance(seat, str) for seat in self._seats)

    # ---- one by one

    def _play_each(self, begin: int, end: int) -> int:
        """With the functions of Python."""
        began = process_time()
        for number in range(begin, end):
            if not self._is_unasked or number % TELL_EVERY == 0:
                self._tell(number)
            self._table.play(number, self._firsts[number % len(self._firsts)])
        self._tell(end)
        self._seconds = (process_time() - began) / max(end - begin, 1)
        return end

    @cached_property
    def _table(self) -> OneByOne:
        return OneByOne(
            self._game, self._seats, self._seeded, self._max_moves, self.tally, self._solved
        )

    @property
    def _work(self) -> float:
        """Steps and options of the games so far: about a microsecond each, with Python."""
        return self.tally.steps + self._table.options

    # ---- by machine code

    def _batch_player(self, done: int, graphs: Sequence[StateGraph] | None) -> BatchPlayer | None:
        """How the rest is played; None if that is better done by Python. Judged by what the first
        games were like, never by the clock.
        """
        left = self._work / max(done, 1) * (self._games - done)
        if left < WORTHWHILE * self._game.kernel.complexity or not has_machine_code():
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
        from rulegame.solving import solve

        found = []
        for first in self._firsts:
            solution = solve(
                self._game,
                first=first,
                max_states=max_states,
                max_memory=room,
                progress=self._progress,
                symmetric=False,  # games are played over all states
            )
            self._solved[first] = SolvedPlayer(solution)
            found.append(solution.graph)
        return found

    def _tell(self, done: int) -> None:
        self._progress("Playing", done, self._games)
