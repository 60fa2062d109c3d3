"""`rulegame rate`: run a tournament between computer players."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Any, Final

from rulegame_cli.calling.hiring import Hiring, WorkerOptions
from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import (
    LIMITS,
    MOST_MEMORY,
    MOST_MOVES,
    SEED,
    ReportOptions,
    RulesetOptions,
    option,
)
from rulegame_cli.calling.output import problems_apart
from rulegame_cli.calling.usage_errors import CannotBeDone, WrongCall
from rulegame_cli.calling.values import read_count, read_memory, read_rated, read_seed
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.rate_report import as_data, rating_text

if TYPE_CHECKING:
    from rulegame.game import Game
    from rulegame.rating import Rating

PLAYERS: Final = "random,greedy,search:100"


class RateOptions(RulesetOptions, WorkerOptions, ReportOptions):
    """Run a tournament between computer players and show who beats whom."""

    players: str = option(
        "PLAYER,PLAYER",
        "Players to rate: random, greedy, perfect, easy, medium, hard, or search with a number of "
        "iterations, e.g. search:500.",
        default=PLAYERS,
    )
    games: str = option("NUMBER", "Games per pair. Default: 200.")
    seed: str = SEED
    max_moves: str = MOST_MOVES
    max_states: str = option(
        "NUMBER", "Largest state graph to build for perfect players, in positions.", heading=LIMITS
    )
    max_memory: str = MOST_MEMORY


def run(options: RateOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems or cannot be played that way."""
    with problems_apart(options.as_json):
        game = open_game(options.ruleset, options)
        if game is None:
            return 1
        rating = _rate(game, options, Hiring(options))
    if options.as_json:
        print(json.dumps(as_data(rating), indent=2))
    else:
        page(rating_text(rating, options.style))
    return 0


def _rate(game: Game, options: RateOptions, hiring: Hiring) -> Rating:
    from rulegame.errors import CannotSolve, TooLarge
    from rulegame.game import GameError
    from rulegame.players import PlayerFailed, UnknownPlayer
    from rulegame.rating import rate
    from rulegame.simulation import MAX_MOVES, MAX_STATES

    players, seed = read_rated(options.players, game), read_seed(options.seed)
    call: dict[str, Any] = {
        "seed": secrets.randbelow(10**9) if seed is None else seed,
        "max_moves": read_count("--max-moves", options.max_moves) or MAX_MOVES,
        "max_states": read_count("--max-states", options.max_states) or MAX_STATES,
        "max_memory": read_memory(options.max_memory),
    }
    games = read_count("--games", options.games) or 200
    try:
        with hiring.hired() as workers, working() as progress:
            return rate(game, players, games, progress=progress, **call, **workers._asdict())
    except (CannotSolve, TooLarge) as refusal:
        why = f"has no perfect player: {refusal}"
        raise CannotBeDone(f"{options.ruleset} {why}") from None
    except UnknownPlayer as problem:  # one that was registered, and cannot be made
        raise WrongCall(f"--players: {problem}") from None
    except (PlayerFailed, GameError) as failure:
        raise CannotBeDone(f"{options.ruleset}: {' '.join(str(failure).split())}") from None
