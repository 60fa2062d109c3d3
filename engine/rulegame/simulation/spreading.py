"""Distribute the games of a simulation over workers, and add up the results.

A chunk has everything that determines its games: the rules, the players, the seed and the numbers
of the games. So neither the size of the chunks nor the worker affects the result.
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
from rulegame.workers import in_order, max_chunks
from rulegame.workers.packing import unpack

if TYPE_CHECKING:
    from rulegame.solving import PerfectInformationSolution

TRIED: Final = 8  # games that measure how long one takes
LEAST_SECONDS: Final = 20.0  # of Python's time: the least work worth a chunk for native code
SOLUTIONS: Final = 4  # that a worker caches


@dataclass(frozen=True, slots=True)
class GameChunk:
    """Games to be sent to a worker. Players are names, or objects that can be pickled."""

    game: bytes
    players: tuple[Seat, ...]
    seed: int
    first: int | None
    max_moves: int
    max_states: int
    max_memory: int | None
    numbers: range = range(0)

    def played_by(self, players: Sequence[Seat]) -> GameChunk:
        """The same games with other players."""
        return replace(self, players=tuple(players))

    def __str__(self) -> str:
        begin, end = self.numbers.start + 1, self.numbers.stop
        return f"game {end:,}" if begin == end else f"games {begin:,} to {end:,}"


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """The counts of a chunk, and the number of states that perfect players needed."""

    tally: Tally
    states: int | None


def cut(
    alike: GameChunk, game: Game, games: int, executor: Executor | None, others: int = 0
) -> list[GameChunk]:
    """Split games into chunks: enough for all workers, and each worth its overhead. `others` is the
    number of groups of games that share the workers.
    """
    chunks = max(1, max_chunks(executor) // (1 + others))
    size = max(-(-games // chunks), _worthwhile(alike, game), 1)
    every = range(games)
    return [replace(alike, numbers=every[k : k + size]) for k in range(0, games, size)]


def _worthwhile(alike: GameChunk, game: Game) -> int:
    """The least number of games worth a chunk: native code plays many in no time."""
    if not all(isinstance(seat, str) for seat in seats_of(game, alike.players)):
        return 1
    seats = [RANDOM] * len(game.players)
    table = OneByOne(game, seats, Seeded.by(alike.seed), alike.max_moves, Tally(game))
    began = process_time()
    with suppress(GameError):  # the worker reports it
        for number in range(TRIED):
            table.play(number, alike.first or 0)
    return int(LEAST_SECONDS * TRIED / max(process_time() - began, 1e-4))


def play_chunks(
    chunks: Sequence[GameChunk],
    executor: Executor | None,
    progress: Progress = silent,
    label: Callable[[GameChunk], str] = str,
) -> list[ChunkResult]:
    """The result of each chunk, in order."""
    return in_order(play_chunk, chunks, executor, doing="Playing", label=label, progress=progress)


def play_chunk(chunk: GameChunk, progress: Progress) -> ChunkResult:
    """Play the games of a chunk in one thread, since other workers may share the machine."""
    game, seats = _own_game(chunk)
    seeded = Seeded.by(chunk.seed)

    def solver(
        game: Game, first: int, max_states: int, room: int, progress: Progress
    ) -> PerfectInformationSolution:
        return _solution(chunk.game, game, first, max_states, room, progress)

    run = SimulationRun(
        game, chunk.numbers, seats, seeded, chunk.first, chunk.max_moves, progress, solver, 1
    )
    states = run.play(None, chunk.max_states, memory_budget(chunk.max_memory))
    return ChunkResult(run.tally, states)


def added(parts: Sequence[ChunkResult], game: Game) -> ChunkResult:
    """The total of chunks with the same players."""
    tally = Tally(game)
    for part in parts:
        tally.add(part.tally)
    return ChunkResult(tally, parts[0].states)


# ---- caches of a worker

_own = local()  # games, compiled code and players belong to one thread
_solving = Lock()
_solutions: dict[
    tuple[bytes, int, int], PerfectInformationSolution
] = {}  # shared by all threads, read-only


def _own_game(chunk: GameChunk) -> tuple[Game, tuple[Seat, ...]]:
    """This thread's copy of the game, and its players."""
    if not hasattr(_own, "load"):
        _own.load, _own.seats = lru_cache(maxsize=2)(unpack), lru_cache(maxsize=64)(seats_of)
    game: Game = _own.load(chunk.game)
    named = all(isinstance(seat, str) for seat in chunk.players)
    seats: tuple[Seat, ...] = (_own.seats if named else seats_of)(game, chunk.players)
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
