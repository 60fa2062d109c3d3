"""Rulesets as games of OpenSpiel.

Importing this module registers every bundled ruleset: `pyspiel.load_game("rulegame_NAME")`. `game`
makes one of any file. Players count from 0 there as here, and player 0 moves first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

from rulegame.extras import is_installed, missing

if not is_installed("openspiel"):
    raise missing("openspiel")

import numpy as np
import pyspiel

from rulegame.adapters.episode import choosers
from rulegame.adapters.numbering import RollNumbers
from rulegame.adapters.observing import (
    Observations,
    observation_text,
    public_text,
    recall_text,
    state_text,
)
from rulegame.adapters.traits import LONGEST, Traits, first_traits, rewards, traits_of
from rulegame.bundled import ruleset_names, ruleset_path
from rulegame.compiling import CHANCE
from rulegame.game import Game, Move, Seen, State, View
from rulegame.loading import load

PREFIX: Final = "rulegame_"
CUT: Final = "max_game_length"  # the parameter: after how many moves an endless game is cut
OWN: Final = (CUT, "min_utility", "max_utility")  # the last two: where nothing else tells them
IDLE: Final = "(waits)"  # the last action, of who has nothing to choose while others do
MOST_NUMBERS: Final = 1 << 16  # in the row of all that a seat has seen

UTILITIES: Final = {
    "zero sum": pyspiel.GameType.Utility.ZERO_SUM,
    "constant sum": pyspiel.GameType.Utility.CONSTANT_SUM,
    "identical": pyspiel.GameType.Utility.IDENTICAL,
    "general sum": pyspiel.GameType.Utility.GENERAL_SUM,
}


def game(name: str | Path, **parameters: Any) -> Any:
    """The game of a bundled ruleset's name or of a file, with other parameters if given, as a
    `pyspiel.Game`; `max_game_length` says after how many moves a game is cut that may have no end.
    """
    short_name = _register(name)
    given = {key: _told(value) for key, value in parameters.items()}
    return pyspiel.load_game(short_name, given)


def playthrough(
    name: str | Path,
    actions: Sequence[int] | None = None,
    seed: int | None = None,
    **parameters: Any,
) -> str:
    """A game from its start to its end in the format of OpenSpiel's golden files, which tells all
    that is known in each state. After the actions that are given, others are drawn.
    """
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()  # it has options, for its own command line
    given = None if actions is None else list(actions)
    text: str = generate_playthrough.playthrough(str(game(name, **parameters)), given, seed=seed)
    return text


def _told(value: Any) -> Any:
    """A parameter as OpenSpiel takes it: lists are texts there."""
    return ";".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def _heard(value: Any, like: Any) -> Any:
    """A parameter as OpenSpiel gives it, as a ruleset takes it."""
    if isinstance(like, list) and isinstance(value, str):
        return [int(part) for part in value.replace(",", ";").split(";") if part.strip()]
    return value


class _Kept(NamedTuple):
    """What is worked out of a game once, whatever is made of it."""

    game: Game
    start: State
    traits: Traits
    rolls: RollNumbers
    observations: Observations
    limit: int  # the most moves, and rolls
    cuts: bool  # whether a game is cut there; otherwise it ends by itself

    def __deepcopy__(self, memo: Any) -> _Kept:
        return self  # OpenSpiel copies all that a state has, and this does not change


@cache
def _kept(
    name: str, parameters: tuple[tuple[str, Any], ...], cut: int, low: int, high: int
) -> _Kept:
    defaults = _loaded(name).parameters
    chosen = {key: _heard(value, defaults[key]) for key, value in parameters}
    rules = load(name, chosen)
    traits = traits_of(rules, (low, high) if low < high else None)
    lengths = traits.longest, traits.rolls
    limit = cut or (LONGEST if None in lengths else max(1, *(n or 0 for n in lengths)))
    rolls, observations = RollNumbers(rules), Observations(rules)
    cuts = cut > 0 or None in lengths
    return _Kept(rules, rules.start(), traits, rolls, observations, limit, cuts)


@cache
def _loaded(name: str) -> Game:
    return load(name)


class RulesetGame(pyspiel.Game):  # type: ignore[misc]
    """A ruleset as a game of OpenSpiel."""

    def __init__(self, name: str, short_name: str, params: Mapping[str, Any]) -> None:
        given = {key: value for key, value in params.items() if key not in OWN}
        own = (int(params.get(key, 0)) for key in OWN)
        kept = _kept(name, tuple(sorted(given.items())), *own)
        self.name = name  # of a bundled ruleset, or the path of a file
        self.kept = kept
        self.rules = kept.game
        traits = kept.traits
        info = pyspiel.GameInfo(
            num_distinct_actions=len(kept.game.actions) + traits.together,
            max_chance_outcomes=len(kept.rolls),
            num_players=len(kept.game.players),
            min_utility=float(traits.low),
            # more than the least, as OpenSpiel wants it, also where every end pays the same
            max_utility=float(max(traits.high, traits.low + (traits.low == traits.high))),
            utility_sum=None if traits.total is None else float(traits.total),
            max_game_length=kept.limit,
        )
        recalls = _recalled(kept) <= MOST_NUMBERS
        type_ = _type(short_name, name, kept.game, traits, recalls)
        super().__init__(type_, info, dict(params))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _restored_game, (self.name, self.get_parameters())

    def new_initial_state(self, *_: Any) -> RulesetState:
        """The state in which a game begins."""
        return RulesetState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RulesetObserver:
        """What turns states into what a player sees of them, or (without private information) what
        everybody sees; of other kinds of information it tells nothing.
        """
        return RulesetObserver(self.kept, iig_obs_type, params)


def _type(short_name: str, name: str, game: Game, traits: Traits, recalls: bool) -> Any:
    kinds = pyspiel.GameType
    chance, information = kinds.ChanceMode, kinds.Information
    return kinds(
        short_name=short_name,
        long_name=game.ruleset.title,
        dynamics=kinds.Dynamics.SIMULTANEOUS if traits.together else kinds.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if traits.chance else chance.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION
        if traits.hidden
        else information.PERFECT_INFORMATION,
        utility=UTILITIES[traits.utility],
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=len(game.players),
        min_num_players=len(game.players),
        provides_information_state_string=True,
        provides_information_state_tensor=recalls,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(name),
    )


@cache
def _parameters(name: str) -> dict[str, Any]:
    """The parameters that a ruleset has, with what they are if nobody says otherwise."""
    return {key: _told(value) for key, value in _loaded(name).parameters.items()} | dict.fromkeys(
        OWN, 0
    )


def _recalled(kept: _Kept) -> int:
    """How many numbers tell all that a seat has seen of a game of any length."""
    return kept.observations.size + 2 * kept.limit * _step(kept)


def _step(kept: _Kept) -> int:
    """How many numbers tell of one move or roll: who, and what; all 0 where it was hidden."""
    return len(kept.game.players) + 1 + max(len(kept.game.actions), len(kept.rolls))


@dataclass(frozen=True, slots=True)
class _Line:
    """A state, and all moves and rolls that led to it."""

    state: State
    past: tuple[tuple[State, Move], ...] = ()
    rolls: int = 0

    def play(self, move: Move) -> _Line:
        """The line that is one move, or roll, longer."""
        before = self.state
        rolled = before.player == CHANCE
        return _Line(before.play(move), (*self.past, (before, move)), self.rolls + rolled)

    def __deepcopy__(self, memo: Any) -> _Line:
        return self


class RulesetState(pyspiel.State):  # type: ignore[misc]
    """A state of a game, with all moves and rolls that led to it."""

    def __init__(self, game: RulesetGame) -> None:
        super().__init__(game)
        self.kept = game.kept
        self._line = _Line(game.kept.start)

    @property
    def state(self) -> State:
        """The state of the ruleset's game."""
        return self._line.state

    @property
    def past(self) -> tuple[tuple[State, Move], ...]:
        """All moves and rolls so far, each with the state before it."""
        return self._line.past

    @property
    def _is_cut(self) -> bool:
        rolls = self._line.rolls
        return self.kept.cuts and max(len(self.past) - rolls, rolls) >= self.kept.limit

    def current_player(self) -> int:
        """Who is to move."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        player = self.state.player
        assert player is not None
        if self.kept.traits.together and len(choosers(self.state)) > 1:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return int(pyspiel.PlayerId.CHANCE) if player == CHANCE else player

    def _legal_actions(self, player: int) -> list[int]:
        actions, found = self.kept.game.actions, choosers(self.state)
        return sorted(map(actions.index, found[player])) if player in found else [len(actions)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What can be rolled, each with its probability."""
        return self.kept.rolls.outcomes(self.state)

    def _apply_action(self, action: int) -> None:
        self._line = self._line.play(self._move(action))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        for seat in choosers(self.state):
            self._apply_action(actions[seat])

    def _move(self, action: int) -> Move:
        if self.state.player == CHANCE:
            return self.kept.rolls.move(self.state, action)
        return self.kept.game.actions[action]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE and self.state.player == CHANCE:
            return self.kept.rolls.move(self.state, action).text
        if player < 0:
            return str(action)
        actions = self.kept.game.actions
        return IDLE if action == len(actions) else actions[action].text

    def is_terminal(self) -> bool:
        """Whether the game is over, or has gone on for so long that it is cut."""
        return self.state.is_over or self._is_cut

    def returns(self) -> list[float]:
        """What each player has gained or lost; nothing before the end, or if the game is cut."""
        outcome, traits = self.state.outcome, self.kept.traits
        payoffs = (0,) * len(self.kept.game.players) if outcome is None else outcome.payoffs
        if outcome is not None and not all(traits.low <= paid <= traits.high for paid in payoffs):
            raise ValueError(f"{payoffs} is not between min_utility and max_utility")
        return rewards(payoffs)

    def __reduce__(self) -> tuple[Callable[..., RulesetState], tuple[Any, ...]]:
        return _restored_state, (self.get_game(), self.history())

    def __str__(self) -> str:
        """States of which this is the same are the same; where something is hidden, what led to a
        state is a part of it.
        """
        if not self.kept.traits.hidden:
            return state_text(self.state)
        moves = ", ".join(move.text for _, move in self.past)
        return f"{state_text(self.state)} after {moves or 'nothing'}"


def _is_shown(kind: Any) -> bool:
    """Whether a kind of information is what one player sees, or what all see now."""
    if kind is None:
        return True
    private = pyspiel.PrivateInfoType
    one = kind.private_info == private.SINGLE_PLAYER
    nobody = kind.private_info == private.NONE and not kind.perfect_recall
    return bool(kind.public_info and (one or nobody))


class RulesetObserver:
    """What a player sees of a state: now, or (`perfect_recall`) of the whole game so far; or what
    everybody sees of it.
    """

    def __init__(self, kept: _Kept, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations, but these came: {params}")
        self._kept = kept
        self._recalls = kind is not None and kind.perfect_recall
        self._public = kind is not None and kind.private_info == pyspiel.PrivateInfoType.NONE
        self._shown = _is_shown(kind)
        self._step = _step(kept)
        size = _recalled(kept) if self._recalls else kept.observations.size
        self.tensor = np.zeros(size, np.float32) if self._shown and size <= MOST_NUMBERS else None
        self.dict: dict[str, Any] = {}
        if self.tensor is not None:
            now = self.tensor[: kept.observations.size]
            self.dict = dict(kept.observations.parts(now))
            if self._recalls:
                rest = self.tensor[kept.observations.size :]
                self.dict["past"] = rest.reshape(2 * kept.limit, self._step)

    def set_from(self, state: RulesetState, player: int) -> None:
        """Writes what a player sees into `tensor`, and so into the arrays of `dict`."""
        if self.tensor is None:
            return
        if self._public:
            self._kept.observations.write_public(state.state, self.tensor)
            return
        view = state.state.view(player, state.past)
        self.tensor.fill(0)
        self._kept.observations.write(view, self.tensor[: self._kept.observations.size])
        if not self._recalls:
            return
        seats = len(self._kept.game.players)
        for row, (seen, number) in zip(self.dict["past"], _seen(state, view), strict=False):
            row[seats if seen.player == CHANCE else seen.player] = 1
            if number is not None:
                row[seats + 1 + number] = 1

    def string_from(self, state: RulesetState, player: int) -> str | None:
        """What a player sees, as text."""
        if not self._shown:
            return None
        if self._public:
            return public_text(state.state)
        if self._recalls:
            return recall_text(state.state, player, state.past)
        return observation_text(state.state.view(player, state.past))


def _seen(state: RulesetState, view: View) -> Iterator[tuple[Seen, int | None]]:
    """What a player noticed of the past, each with its number, where nothing of it was hidden."""
    kept = state.kept
    for seen, before in zip(view.past, view.trail, strict=True):
        if not isinstance(seen.move, Move):
            yield seen, None
        elif seen.player == CHANCE:
            yield seen, kept.rolls.number(before, seen.move)
        else:
            yield seen, kept.game.actions.index(seen.move)


# ---- pickling: another process registers the ruleset, loads the game and plays the actions


def _restored_game(name: str, parameters: Mapping[str, Any]) -> Any:
    return pyspiel.load_game(_register(name), dict(parameters))


def _restored_state(game: Any, actions: Sequence[int]) -> RulesetState:
    state: RulesetState = game.new_initial_state()
    left = list(actions)
    while left:
        many = game.num_players() if state.is_simultaneous_node() else 1
        state.apply_actions(left[:many]) if many > 1 else state.apply_action(left[0])
        del left[:many]
    return state


# ---- registering


def _register(name: str | Path) -> str:
    """Makes a ruleset known to OpenSpiel, if it is not yet, and gives back its name there."""
    path = ruleset_path(str(name))
    known = str(name) if path is not None else str(Path(name).resolve())
    return _registered(known, path is not None)


@cache
def _registered(name: str, bundled: bool) -> str:
    stem = re.sub(r"\W+", "_", Path(name).stem)
    short_name = PREFIX + (stem if bundled else f"{stem}_{crc32(name.encode()):08x}")
    rules = _loaded(name)
    type_ = _type(short_name, name, rules, first_traits(rules), recalls=False)
    pyspiel.register_game(type_, _maker(name, short_name))
    return short_name


def _maker(name: str, short_name: str) -> Callable[..., RulesetGame]:
    class Registered(RulesetGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(name, short_name, {**_parameters(name), **(params or {})})

    return Registered


for bundled_name in ruleset_names():
    _register(bundled_name)
