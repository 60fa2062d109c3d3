"""Play many games and count the results: who wins how often, by which rule, after how many moves.

`rng` derives randomness from the seed and the game's number alone. `playing` plays single games in
Python, `batches` many games in native code, and `running` chooses between them; `spreading`
distributes them. All count into a `tally`, which becomes a `report`.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Final

from rulegame.game import Game
from rulegame.memory import memory_budget
from rulegame.progress import Progress, silent
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
from rulegame.simulation.running import SimulationRun
from rulegame.simulation.seats import Seat, seat_name, seats_of
from rulegame.simulation.spreading import ChunkResult, GameChunk, added, cut, play_chunks
from rulegame.workers.packing import pack

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
    executor: Executor | None = None,
    progress: Progress = silent,
) -> Report:
    """Play games and return a report.

    The report follows from the game, `games`, `seed`, `players`, `first` and `max_moves`. `batch`,
    `max_states`, `max_memory` (bytes; by default a share of the free memory) and `executor` (its
    workers play instead of this process; WorkersLost if they die) do not affect it.

    Each player is `random`, `perfect`, another name that `make_player` knows (but no `search` with
    a time limit, which is not repeatable), or an object with `choose(view, rng)`; a single one
    plays all seats. `first` is the seat that moves first, or None for each in turn. Raise
    CannotSolve or TooLarge if perfect play cannot be computed.
    """
    seats = seats_of(game, players)
    if games < 1 or max_moves < 1 or (batch is not None and batch < 1):
        raise ValueError("games, max_moves and batch must be above 0")
    if first is not None and not 0 <= first < len(game.players):
        raise ValueError(f"there is no seat {first}")
    if game.ruleset.turn.first is not None:
        first = game.ruleset.turn.first
    if executor is None:
        run = SimulationRun(game, range(games), seats, Seeded.by(seed), first, max_moves, progress)
        played = ChunkResult(run.tally, run.play(batch, max_states, memory_budget(max_memory)))
    else:
        packed = pack(game)
        chunk = GameChunk(packed, tuple(players), seed, first, max_moves, max_states, max_memory)
        chunks = cut(chunk, game, games, executor)
        played = added(play_chunks(chunks, executor, progress), game)
    return make_report(
        game,
        played.tally,
        seed=seed,
        players=[seat_name(seat) for seat in seats],
        first=first,
        max_moves=max_moves,
        states=played.states,
    )
