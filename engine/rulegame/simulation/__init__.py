"""Many games at once. In: a game, players and a seed. Out: a `Report`: who wins how often, by which
rules, how long it takes.

`rng` is chance that follows from the seed and the game's number alone; `walking` plays a `crowd`
of games side by side over the state graph (laid out by `tracks`), `playing` one by one where there
is none that fits. Both count into a `tally`, and come to the same `report`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulegame.exploring import StateGraph, TooLarge, explore
from rulegame.game import Game, GameError
from rulegame.memory import memory_budget
from rulegame.progress import Progress, silent
from rulegame.simulation.crowd import Crowd
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
    edges_in_play,
    seat_name,
    seats_of,
)
from rulegame.simulation.tally import Tally
from rulegame.simulation.tracks import lay
from rulegame.solving import CannotSolve, check_room, check_solvable

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
GRAPH_BYTES: Final = 2**30  # about what the states of a game may take
PROBES: Final = 32  # games that are played one by one to see what games are like
TELL_EVERY: Final = 64  # games


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

    def play(self, batch: int | None, max_states: int, room: int) -> int | None:
        """Plays all games; returns how many states the graphs have that they were played over,
        None if there were none.
        """
        walking = all(isinstance(seat, str) for seat in self._seats)
        if PERFECT in self._seats:
            check_solvable(self._game)
            graphs = self._explored(max_states, room)
            for graph in graphs:
                check_room(graph, room)
            if walking:
                return self._walk(0, graphs, batch)
            for first, graph in zip(self._firsts, graphs, strict=True):
                self._solved[first] = SolvedPlayer(graph, first, self._progress)
        done = self._play_each(0, min(PROBES, self._games))
        if walking:
            try:
                graphs = self._explored(
                    min(max_states, self._worthwhile(done)), min(room, GRAPH_BYTES)
                )
            except (TooLarge, CannotSolve, GameError):
                pass  # an error in the rules counts only if one of these games comes upon it
            else:
                return self._walk(done, graphs, batch)
        self._play_each(done, self._games)
        return None

    # ---- one by one

    def _play_each(self, begin: int, end: int) -> int:
        table = OneByOne(
            self._game, self._seats, self._seeded, self._max_moves, self.tally, self._solved
        )
        asks = any(not isinstance(seat, str) for seat in self._seats)
        for number in range(begin, end):
            if asks or number % TELL_EVERY == 0:
                self._tell(number)
            table.play(number, self._firsts[number % len(self._firsts)])
        self._options = table.options
        return end

    def _worthwhile(self, done: int) -> int:
        """With more states than this, exploring them takes longer than playing, or too much memory.

        Judged by what the first games were like, never by the clock. To expand a state takes a play
        of each of its moves, and to take a step only a look at each.
        """
        steps = self.tally.steps
        options = self._options / max(steps, 1)
        bytes_each = 220 + 8 * len(self._game.kernel.start(0)) + 24 * options
        left = steps * (self._games - done) // max(done, 1) // len(self._firsts)
        return 1 + int(min(left / 4, GRAPH_BYTES / bytes_each))

    # ---- side by side

    def _explored(self, max_states: int, max_memory: int) -> list[StateGraph]:
        """The states of the game, by who moves first."""
        return [
            explore(
                self._game,
                first=first,
                max_states=max_states,
                max_memory=max_memory,
                progress=self._progress,
            )
            for first in self._firsts
        ]

    def _walk(self, begin: int, graphs: Sequence[StateGraph], batch: int | None) -> int:
        turn = len(self._firsts)
        for place, graph in enumerate(graphs):
            first = self._firsts[place]
            done = self.tally.games
            kept = edges_in_play(graph, self._seats, first, self._progress)
            crowd = Crowd(
                self._game,
                lay(graph, kept, self.tally),
                first,
                range(begin + (place - begin) % turn, self._games, turn),
                self._seeded,
                self._max_moves,
                batch,
                lambda over, done=done: self._tell(done + over),  # type: ignore[misc]
            )
            crowd.play(self.tally)
        return sum(map(len, graphs))

    def _tell(self, done: int) -> None:
        self._progress("Playing", done, self._games)
