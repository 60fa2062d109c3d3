"""Games of a simulation that others play: cut into lots, which travel, and counted together.

A lot holds all it needs: the rules, who plays, the seed and the numbers of its games. What comes of
a game follows from these, so it does not matter how games are cut, nor who plays them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock, local
from time import process_time
from typing import TYPE_CHECKING, Final

from rulegame.game import Game, GameError
from rulegame.memory import memory_budget
from rulegame.progress import Progress, silent
from rulegame.simulation.playing import OneByOne
from rulegame.simulation.rng import Seeded
from rulegame.simulation.running import SimulationRun, solved_here
from rulegame.simulation.seats import RANDOM, Seat, seats_of
from rulegame.simulation.tally import Tally
from rulegame.workers import in_order, most_parcels
from rulegame.workers.packing import unpack

if TYPE_CHECKING:
    from rulegame.solving import PerfectInformationSolution

TRIED: Final = 8  # games, to see how long one takes
LEAST_SECONDS: Final = 20.0  # that Python would take for a lot which machine code may play
SOLUTIONS: Final = 4  # that a worker keeps


@dataclass(frozen=True, slots=True)
class Lot:
    """Some games, as they travel; players are names, or objects that can be pickled."""

    game: bytes
    players: tuple[Seat, ...]
    seed: int
    first: int | None
    max_moves: int
    max_states: int
    max_memory: int | None
    numbers: range = range(0)

    def played_by(self, players: Sequence[Seat]) -> Lot:
        """The same games with others at the table."""
        return replace(self, players=tuple(players))

    def __str__(self) -> str:
        begin, end = self.numbers.start + 1, self.numbers.stop
        return f"game {end:,}" if begin == end else f"games {begin:,} to {end:,}"


@dataclass(frozen=True, slots=True)
class Counted:
    """What came of a lot, and how many states perfect players needed."""

    tally: Tally
    states: int | None


def cut(
    alike: Lot, game: Game, games: int, executor: Executor | None, others: int = 0
) -> list[Lot]:
    """Lots of so many games: enough of them for all who may play, and each worth its way; beside
    games of so many `others`.
    """
    lots = max(1, most_parcels(executor) // (1 + others))
    size = max(-(-games // lots), _worthwhile(alike, game), 1)
    every = range(games)
    return [replace(alike, numbers=every[k : k + size]) for k in range(0, games, size)]


def _worthwhile(alike: Lot, game: Game) -> int:
    """How many games are the least to be sent: machine code plays many in no time."""
    if not all(isinstance(seat, str) for seat in seats_of(game, alike.players)):
        return 1
    seats = [RANDOM] * len(game.players)
    table = OneByOne(game, seats, Seeded.by(alike.seed), alike.max_moves, Tally(game))
    began = process_time()
    with suppress(GameError):  # whoever plays that game tells of it
        for number in range(TRIED):
            table.play(number, alike.first or 0)
    return int(LEAST_SECONDS * TRIED / max(process_time() - began, 1e-4))


def play_lots(
    lots: Sequence[Lot],
    executor: Executor | None,
    progress: Progress = silent,
    told_as: Callable[[Lot], str] = str,
) -> list[Counted]:
    """What came of each lot, in order."""
    return in_order(play_lot, lots, executor, doing="Playing", told_as=told_as, progress=progress)


def play_lot(lot: Lot, progress: Progress) -> Counted:
    """Plays the games of a lot; in one thread, since others may play beside it."""
    game, seats = _own_table(lot)
    seeded = Seeded.by(lot.seed)

    def solver(
        game: Game, first: int, max_states: int, room: int, progress: Progress
    ) -> PerfectInformationSolution:
        return _solution(lot.game, game, first, max_states, room, progress)

    run = SimulationRun(
        game, lot.numbers, seats, seeded, lot.first, lot.max_moves, progress, solver, 1
    )
    states = run.play(None, lot.max_states, memory_budget(lot.max_memory))
    return Counted(run.tally, states)


def added(parts: Sequence[Counted], game: Game) -> Counted:
    """Lots of the same players, counted together."""
    tally = Tally(game)
    for part in parts:
        tally.add(part.tally)
    return Counted(tally, parts[0].states)


# ---- what a worker keeps for the next lot

_own = local()  # games, what is compiled for them and what players remember belong to one thread
_solving = Lock()
_solutions: dict[
    tuple[bytes, int, int], PerfectInformationSolution
] = {}  # which are only read, by all threads


def _own_table(lot: Lot) -> tuple[Game, tuple[Seat, ...]]:
    """The game, and who sits at its table."""
    if not hasattr(_own, "load"):
        _own.load, _own.seats = lru_cache(maxsize=2)(unpack), lru_cache(maxsize=64)(seats_of)
    game: Game = _own.load(lot.game)
    named = all(isinstance(seat, str) for seat in lot.players)
    seats: tuple[Seat, ...] = (_own.seats if named else seats_of)(game, lot.players)
    return game, seats


def _solution(
    packed: bytes, game: Game, first: int, max_states: int, room: int, progress: Progress
) -> PerfectInformationSolution:
    key = packed, first, max_states
    with _solving:
        if key not in _solutions:
            while len(_solutions) >= SOLUTIONS:
                del _solutions[next(iter(_solutions))]
            _solutions[key] = solved_here(game, first, max_states, room, progress)
        return _solutions[key]
