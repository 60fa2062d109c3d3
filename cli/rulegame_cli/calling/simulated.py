"""The options of simulated games, and the plan that they mean."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final, NamedTuple

from rulegame_cli.calling.options import (
    FIRST_OR_ALL,
    LIMITS,
    MOST_MEMORY,
    MOST_MOVES,
    SEED,
    RulesetOptions,
    option,
)
from rulegame_cli.calling.values import (
    read_count,
    read_memory,
    read_players,
    read_seed,
    read_turns,
)

if TYPE_CHECKING:
    from rulegame.model import Ruleset

GAMES: Final = 10_000
MOST_GAMES: Final = 10**12
PLAYERS: Final = "random"
PLAYED_BY = option(
    "PLAYER,PLAYER",
    "Computer players in seat order, or one for all seats: random, greedy, perfect, easy, medium, "
    "hard, or search with a number of iterations, e.g. search:500.",
    default=PLAYERS,
)


class SimulatedOptions(RulesetOptions):
    """Games are played by computers, among themselves."""

    games: str = option("NUMBER", "Number of games. Default: 10000.")
    seed: str = SEED
    players: str = PLAYED_BY
    first: str = FIRST_OR_ALL
    max_moves: str = MOST_MOVES
    max_states: str = option(
        "NUMBER", "Largest state graph to build, in positions.", heading=LIMITS
    )
    max_memory: str = MOST_MEMORY


class Plan(NamedTuple):
    """What `rulegame.simulate` is called with."""

    games: int
    seed: int
    players: tuple[str, ...]
    first: int | None
    max_moves: int
    max_states: int
    max_memory: int | None


def read_plan(options: SimulatedOptions, who: str, ruleset: Ruleset) -> Plan:
    """The plan of some options, for games of a ruleset; `who` plays."""
    from rulegame.simulation import MAX_MOVES, MAX_STATES

    seed = read_seed(options.seed)
    return Plan(
        read_count("--games", options.games, MOST_GAMES) or GAMES,
        secrets.randbelow(10**9) if seed is None else seed,  # short enough to be typed again
        read_players(who, len(ruleset.players)),
        read_turns(options.first, ruleset),
        read_count("--max-moves", options.max_moves) or MAX_MOVES,
        read_count("--max-states", options.max_states) or MAX_STATES,
        read_memory(options.max_memory),
    )
