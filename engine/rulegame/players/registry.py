"""Players by name: those that come with rulegame, and those that others register."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from random import Random
from typing import Final

from rulegame.diagnostics import did_you_mean
from rulegame.extras import require_player
from rulegame.game import Game, Move, View
from rulegame.players.budget import read_budget
from rulegame.players.interface import Player, PlayerFailed, SlicedPlayer, UnknownPlayer
from rulegame.players.mixes import Mix, mix_of
from rulegame.progress import Progress, silent

GROUP: Final = "rulegame.players"
LEVELS: Final = {  # by name, in a few words: see `levels`
    "easy": "looks one move ahead, and plays every second move at random",
    "medium": "looks a little ahead",
    "hard": "thinks for a second, or plays from the solution once that is ready",
}
TIMES: Final = {"easy": 0.25, "greedy": 0.25, "medium": 0.75}  # seconds, where people wait;
MOST_SECONDS: Final = 10.0  # of others
BUILT_IN: Final = ("random", "greedy", "search", "perfect", *LEVELS)
POLICY: Final = "policy"  # with the file that it plays
MAX_STATES: Final = 2_500_000
FALLBACK: Final = "search"


def player_names() -> tuple[str, ...]:
    """What `make_player` knows: built in, then registered."""
    registered = sorted({entry.name for entry in entry_points(group=GROUP)} - set(BUILT_IN))
    return (*BUILT_IN, *registered)


def make_player(
    spec: str,
    game: Game,
    *,
    first: int = 0,
    progress: Progress = silent,
    max_states: int = MAX_STATES,
    fallback: str = FALLBACK,
    repeatable: bool = False,
) -> Player:
    """The player that a text such as `search:2s` stands for.

    `first` is the seat that moves first; `max_states` and `progress` are for a perfect player,
    which solves the game here, and `fallback` is who plays in its place if that cannot be done.
    `repeatable`: levels think for a number of iterations and not for a time.
    """
    require_player(spec)
    name, colon, argument = spec.strip().partition(":")
    name = name.strip()
    argument = argument.strip()
    if name in ("random", "greedy", *LEVELS):
        if colon:
            raise UnknownPlayer(f"'{spec}': {name} takes no argument")
        if name not in LEVELS:
            return _simple(name)
        from rulegame.players.levels import make_level

        return make_level(name, game, first, max_states, repeatable=repeatable)
    if name == "search":
        return _search(spec, colon != "", argument)
    if name == "perfect":
        from rulegame.players.perfect import make_perfect

        budget = _states(spec, argument) if colon else max_states
        otherwise = make_player(fallback, game, first=first)
        return make_perfect(game, first, budget, progress, otherwise, fallback)
    if name == POLICY:
        return _policy(game, argument)
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            return _registered(entry, game, argument)
    hint = did_you_mean(name, player_names())
    raise UnknownPlayer(f"unknown player '{name}': {hint}")


def limit_time(player: Player, spec: str) -> None:
    """Give every choice of a player a time, however slow the rules are, if it has none."""
    if isinstance(player, SlicedPlayer):
        player.budget = player.budget.within(TIMES.get(spec, MOST_SECONDS))


def _simple(name: str) -> Player:
    from rulegame.players.simple import GreedyPlayer, RandomPlayer

    return RandomPlayer() if name == "random" else GreedyPlayer()


def _search(spec: str, given: bool, argument: str) -> Player:
    from rulegame.players.search import SearchPlayer

    if not given:
        return SearchPlayer()
    budget = read_budget(argument)
    if budget is None:
        raise UnknownPlayer(
            f"'{spec}': give a time (search:2s, search:500ms) or a number of iterations "
            "(search:5000)"
        )
    return SearchPlayer(budget)


def _policy(game: Game, argument: str) -> Player:
    from rulegame.players.policy_file import PolicyPlayer

    if not argument:
        raise UnknownPlayer("'policy': name a file, e.g. policy:best.csv")
    return PolicyPlayer(game, argument)


def _states(spec: str, argument: str) -> int:
    budget = read_budget(argument)
    if budget is None or budget.iterations is None:
        raise UnknownPlayer(
            f"'{spec}': give the largest number of positions to solve, e.g. perfect:100000"
        )
    return budget.iterations


# ---- players of others


def _registered(entry: EntryPoint, game: Game, argument: str) -> Player:
    """A registered player. Whatever is wrong with it is told as its fault, in one line."""
    where = f"the player '{entry.name}' ({entry.value})"
    try:
        player = entry.load()(game, argument)
    except UnknownPlayer:
        raise
    except Exception as problem:
        raise UnknownPlayer(f"cannot create {where}: {_told(problem)}") from problem
    if not callable(getattr(player, "choose", None)):
        raise UnknownPlayer(f"{where} is not a player: it has no method 'choose'")
    return CheckedPlayer(entry.name, player)


class CheckedPlayer:
    """A player from elsewhere, whose choices are looked at before they are played."""

    def __init__(self, name: str, player: Player) -> None:
        self._name, self._player = name, player

    @property
    def note(self) -> str | None:
        """What the player has to say, if it is a text."""
        note = getattr(self._player, "note", None)
        return note if isinstance(note, str) else None

    def choose(self, view: View, rng: Random) -> Move:
        try:
            move = self._player.choose(view, rng)
        except Exception as problem:
            message = f"the player '{self._name}' failed: {_told(problem)}"
            raise PlayerFailed(message) from problem
        if move not in view.moves:
            raise PlayerFailed(f"the player '{self._name}' chose {move!r}, which is not valid")
        return move

    def mix(self, view: View) -> Mix | None:
        """What the player says of how it chooses, if it says anything."""
        try:
            mix = mix_of(self._player, view)
            whole = mix is None or (sum(mix.values()) == 1 and min(mix.values()) >= 0)
        except Exception as problem:
            message = f"the player '{self._name}' failed: {_told(problem)}"
            raise PlayerFailed(message) from problem
        if not whole or (mix is not None and not set(mix) <= set(view.moves)):
            raise PlayerFailed(
                f"the player '{self._name}' returned {mix!r}, which is not a mix of moves"
            )
        return mix


def _told(problem: Exception) -> str:
    return " ".join(f"{type(problem).__name__}: {problem}".split())[:300]
