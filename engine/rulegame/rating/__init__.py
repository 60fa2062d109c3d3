"""Rate players by a tournament: the score of each against each of the others, with 95 % intervals.

`lineups` assigns seats, `standings` evaluates the games.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

from rulegame.game import Game
from rulegame.progress import Progress, silent
from rulegame.rating.lineups import Lineup, lineups_of
from rulegame.rating.standings import Pairing, Rating, Standing, make_rating
from rulegame.simulation import MAX_MOVES, MAX_STATES
from rulegame.simulation.seats import Seat, seat_name, seats_of
from rulegame.simulation.spreading import GameChunk, added, cut, play_chunks
from rulegame.workers import executor_for, processes_for, share_of_memory
from rulegame.workers.packing import pack

__all__ = ["Pairing", "Rating", "Standing", "rate"]


def rate(
    game: Game,
    players: Sequence[Seat],
    games: int = 200,
    *,
    seed: int,
    max_moves: int = MAX_MOVES,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    executor: Executor | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Rating:
    """Rate players against each other: every pair plays this many games, in all seats and with each
    seat moving first in turn. Where nobody can be beaten (one seat, or a shared result), each
    player plays this many games in all seats.

    The rating follows from the game, `players`, `games`, `seed` and `max_moves`. Players are those
    of `simulate`. An executor or `jobs` processes (by default one per core) play the games, so a
    script that calls this needs `if __name__ == "__main__":`; with one job, this process does.
    """
    names = _names(game, players)
    if games < 1 or max_moves < 1:
        raise ValueError("games and max_moves must be above 0")
    lineups = lineups_of(game, len(names), games)
    workers = 1 if executor is not None else processes_for(games, jobs)
    room = share_of_memory(max_memory, workers)
    alike = GameChunk(pack(game), (), seed, game.ruleset.turn.first, max_moves, max_states, room)
    chunks: list[tuple[Lineup, GameChunk]] = []
    with executor_for(executor, workers) as doer:
        for lineup in lineups:
            own = alike.played_by([players[number] for number in lineup.seats])
            cuts = cut(own, game, lineup.games, doer, others=len(lineups) - 1)
            chunks += [(lineup, chunk) for chunk in cuts]
        played = play_chunks([chunk for _, chunk in chunks], doer, progress, _label)
    counted = [
        added([p for (of, _), p in zip(chunks, played, strict=True) if of is lineup], game).tally
        for lineup in lineups
    ]
    return make_rating(game, names, seed, max_moves, list(zip(lineups, counted, strict=True)))


def _names(game: Game, players: Sequence[Seat]) -> list[str]:
    """The names of the players; ValueError if they cannot be rated."""
    names = [seat_name(seats_of(game, [player])[0]) for player in players]
    twice = [name for number, name in enumerate(names) if name in names[:number]]
    if twice:
        raise ValueError(f"duplicate player '{twice[0]}'")
    if not names:
        raise ValueError("no players to rate")
    if len(names) == 1 and len(game.players) > 1 and not game.kernel.is_shared:
        raise ValueError(f"'{names[0]}' needs another player to be rated against")
    return names


def _label(chunk: GameChunk) -> str:
    names = [seat if isinstance(seat, str) else seat_name(seat) for seat in chunk.players]
    return f"{chunk} of {', '.join(names)}"
