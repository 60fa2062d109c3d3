"""Games played by the engine for the examples of a rulebook: always the same ones for the same
rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

from rulegame.compiling import by_random
from rulegame.game import CHANCE, Game, GameError, Move, State

GAMES: Final = 150  # played to choose a sample from
LONGEST: Final = 400  # moves and rolls of one of them
BUDGET: Final = 6_000  # moves and rolls of all of them
MOVES_A_STEP: Final = 20  # valid moves of a state that cost as much to list as one to play
CELLS_A_STEP: Final = 32  # values of a state that cost as much to work out
IDEAL: Final = 9  # moves of players that a sample game should have
MOST_WEIGHED: Final = 400  # moves of a state that are told apart when one is picked


class Played(NamedTuple):
    """One move or roll: the state before it, and after it."""

    before: State
    move: Move
    after: State


@dataclass(frozen=True, slots=True)
class Plays:
    """The games that were played; `sample` is the one to show, if one of them came to an end."""

    games: tuple[tuple[Played, ...], ...]
    sample: tuple[Played, ...] | None


def play_games(game: Game, seed: int = 1) -> Plays:
    """Plays some games with chance from a seed, each with a taste of its own for the operations."""
    chance = Random(seed)
    games: list[tuple[Played, ...]] = []
    left = BUDGET
    for number in range(GAMES):
        played, cost = _one_game(game, chance, number % 3, left)
        games.append(played)
        left -= cost
        if left <= 0:
            break
    finished = [g for g in games if g and g[-1].after.outcome is not None]
    sample = max(finished, key=_merit) if finished else None
    return Plays(tuple(games), sample)


def has_stuck(plays: Plays) -> bool:
    """Whether a game ended because players were stuck."""
    ends = (played[-1].after.outcome for played in plays.games if played)
    return any(end is not None and end.rule in ("stuck", "all_stuck") for end in ends)


def _one_game(game: Game, chance: Random, bold: int, budget: int) -> tuple[tuple[Played, ...], int]:
    """A game to its end, or as far as is worth while (and as the rules do not fail), and what it
    cost. `bold` 0 treats all operations alike; the others prefer some, which ends games sooner.
    """
    taste = {o.name: chance.choice((1, 1, 4, 12)) if bold else 1 for o in game.ruleset.operations}
    state = game.start()
    played: list[Played] = []
    cost = 0
    while state.outcome is None and len(played) < LONGEST and cost < budget:
        cost += 1 + len(state.moves) // MOVES_A_STEP + len(state.cells) // CELLS_A_STEP
        rolls = state.player == CHANCE
        move = state.roll(by_random(chance)) if rolls else _picked(state, chance, taste)
        try:
            after = state.play(move)
        except GameError:
            return tuple(played), cost + LONGEST
        played.append(Played(state, move, after))
        state = after
    return tuple(played), cost


def _picked(state: State, chance: Random, taste: dict[str, int]) -> Move:
    if len(state.moves) > MOST_WEIGHED:
        return chance.choice(state.moves)
    many = Counter(move.operation for move in state.moves)
    weights = [taste.get(move.operation, 1) / many[move.operation] for move in state.moves]
    return chance.choices(state.moves, weights)[0]


def _merit(played: tuple[Played, ...]) -> tuple[float, ...]:
    """What makes a game a good sample: decided by an end rule, neither long nor trivial, with
    different operations in it.
    """
    outcome = played[-1].after.outcome
    assert outcome is not None
    decided = int(bool(outcome.winners) or outcome.score is not None)
    decided += outcome.rule not in ("stuck", "all_stuck")
    moves = [p for p in played if p.before.player != CHANCE]
    different = len({p.move.operation for p in moves})
    apart = len(moves) - IDEAL
    telling = sum(p.before.cells != p.after.cells for p in moves) / len(moves) if moves else 0
    changed = sum(_values(p.before) != _values(p.after) for p in moves) / max(1, len(moves))
    length = apart / 2 if apart > 0 else -apart / 3
    first = next(iter(played[0].before.game.ruleset.end), None)
    main = 2 * (first is not None and outcome.rule == first.name)
    return (decided, different + 4 * changed + telling + main - length, -len(played))


def _values(state: State) -> list[Any]:
    return [state[name] for name in state.game.ruleset.state]
