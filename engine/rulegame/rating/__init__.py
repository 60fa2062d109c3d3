"""How good players are at a game. In: a game, players and a seed. Out: a `Rating`: what each scores
against each of the others, with 95 % intervals.

`lineups` says who sits where, `standings` what games come to.
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
from rulegame.simulation.spreading import Lot, added, cut, play_lots
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
    """What players score against each other: every pair plays so many games, in all seats in turn,
    and each seat moves first in turn. Where there is nobody to beat, because there is one seat, or
    all win and lose together, each player plays so many games in all seats.

    The rating follows from the game, `players`, `games`, `seed` and `max_moves`. Players are as for
    `simulate`. An executor's workers play, or `jobs` processes (as many as there are cores if left
    out), so that a script which calls this needs `if __name__ == "__main__":`; with one job, this
    process.
    """
    names = _names(game, players)
    if games < 1 or max_moves < 1:
        raise ValueError("games and max_moves must be above 0")
    lineups = lineups_of(game, len(names), games)
    workers = 1 if executor is not None else processes_for(games, jobs)
    room = share_of_memory(max_memory, workers)
    alike = Lot(pack(game), (), seed, game.ruleset.turn.first, max_moves, max_states, room)
    lots: list[tuple[Lineup, Lot]] = []
    with executor_for(executor, workers) as doer:
        for lineup in lineups:
            own = alike.played_by([players[number] for number in lineup.seats])
            cuts = cut(own, game, lineup.games, doer, others=len(lineups) - 1)
            lots += [(lineup, lot) for lot in cuts]
        played = play_lots([lot for _, lot in lots], doer, progress, _told)
    counted = [
        added([p for (of, _), p in zip(lots, played, strict=True) if of is lineup], game).tally
        for lineup in lineups
    ]
    return make_rating(game, names, seed, max_moves, list(zip(lineups, counted, strict=True)))


def _names(game: Game, players: Sequence[Seat]) -> list[str]:
    """What the players are called; `ValueError` if they cannot be rated."""
    names = [seat_name(seats_of(game, [player])[0]) for player in players]
    twice = [name for number, name in enumerate(names) if name in names[:number]]
    if twice:
        raise ValueError(f"duplicate player '{twice[0]}'")
    if not names:
        raise ValueError("no players to rate")
    if len(names) == 1 and len(game.players) > 1 and not game.kernel.is_shared:
        raise ValueError(f"'{names[0]}' needs another player to be rated against")
    return names


def _told(lot: Lot) -> str:
    names = [seat if isinstance(seat, str) else seat_name(seat) for seat in lot.players]
    return f"{lot} of {', '.join(names)}"
