"""A new table, from what a page asks for: every word of it is checked."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, Literal
from urllib.parse import quote, urlencode

from rulegame.extras import MissingExtra, is_installed, require_player
from rulegame.game import Game, State
from rulegame.players.registry import LEVELS, player_names
from rulegame.playing.match import Match
from rulegame.playing.reopening import new_header, parameters_of
from rulegame.playing.saves import Header
from rulegame.playing.seating import HUMAN, seated_names
from rulegame.playing.session import SessionEntry, entries_of
from rulegame_studio.limits import LIMITS
from rulegame_studio.rules import Rulesets, found_as

SEARCH: Final = re.compile(r"search(:[1-9][0-9]{0,5}|:[1-9][0-9]{0,3}ms|:[1-9]s|:10s)?")
MOST_SETTINGS: Final = 200
MOST_MOVES: Final = 1000  # to a position
LONGEST: Final = 500  # letters of a setting


class Declined(ValueError):
    """A request that cannot be carried out; says why, to the one who asked."""


def settings_wanted(wanted: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """What is to be set, enabled and disabled, as the engine reads it."""
    given = wanted.get("set") or {}
    if not isinstance(given, dict) or len(given) > MOST_SETTINGS:
        raise Declined("Parameters must be names with values.")
    sets = tuple(f"{_text(name)}={_text(value)}" for name, value in given.items())
    return sets, _texts(wanted.get("enable")), _texts(wanted.get("disable"))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)[:LONGEST]
    if not isinstance(value, str) or len(value) > LONGEST:
        raise Declined("A value is missing or too long.")
    return value


def _texts(value: object, most: int = MOST_SETTINGS) -> tuple[str, ...]:
    given = value or []
    if not isinstance(given, list) or len(given) > most:
        raise Declined("Operations and moves must be lists of texts.")
    return tuple(_text(item) for item in given)


def wanted_game(rulesets: Rulesets, wanted: Mapping[str, Any]) -> Game:
    """The game that is asked for, with its settings."""
    path = rulesets.library.path_of(_text(wanted.get("game")))
    return rulesets.game(path, settings_wanted(wanted))


def wanted_header(rulesets: Rulesets, game: Game, wanted: Mapping[str, Any]) -> Header:
    """The header of the match that is asked for."""
    path = rulesets.library.path_of(_text(wanted.get("game")))
    sets, enable, disable = settings_wanted(wanted)
    specs, names = _seats(wanted.get("seats"), game)
    header = new_header(
        game.ruleset,
        specs,
        found=found_as(path),
        names=names,
        first=first_wanted(wanted, game),
        seed=secrets.randbits(48),
        sets=sets,
        enable=enable,
        disable=disable,
    )
    return replace(header, parameters=parameters_of(game))


Begun = tuple[list[SessionEntry], State]


def wanted_position(game: Game, wanted: Mapping[str, Any], first: int | None = None) -> Begun:
    """The moves and rolls to the position that is asked for, and the position; none: the start."""
    if first is None:
        given = first_wanted(wanted, game)
        first = 0 if given == "random" else given
    moves = _texts(wanted.get("moves"), MOST_MOVES)
    if moves and not game.kind.is_open:
        raise Declined("A game with hidden information starts from the beginning.")
    try:
        return entries_of(game.start(first), moves)
    except ValueError as problem:
        raise Declined(f"This link leads to no position: {problem}.") from None


def position_path(match: Match, game_id: str | None, cut: int | None) -> str:
    """The address of a position of a match: game, settings, and the moves and rolls up to it, as
    many as `cut` says.
    """
    if game_id is None or not match.game.kind.is_open:
        raise Declined("There is no link to this position: something is or was hidden.")
    header, line = match.header, match.session.line[:cut]
    lists = {"set": header.sets, "enable": header.enable, "disable": header.disable}
    query = {"first": match.first + 1, **lists, "move": [step.move.text for step in line]}
    return f"/play/{quote(game_id, safe='')}?{urlencode(query, doseq=True)}"


def branched(header: Header) -> Header:
    """The same from a position on, with other dice from there."""
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return replace(header, seed=secrets.randbits(48), rolls=(), toss=False, started=started)


def first_wanted(request: Mapping[str, Any], game: Game) -> int | Literal["random"]:
    """The seat that is to move first."""
    wanted, players, fixed = request.get("first"), len(game.players), game.ruleset.turn.first
    if fixed is not None:
        return fixed
    if wanted in (None, ""):
        return 0
    if wanted == "random":
        return "random"
    numbers = [str(number) for number in range(1, players + 1)]
    if str(wanted) not in numbers:
        raise Declined("'first' must be a seat number or 'random'.")
    return numbers.index(str(wanted))


def _seats(wanted: object, game: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """For each seat "human" or which computer player, and the name."""
    players = game.players
    given = [{"kind": "person"}] * len(players) if wanted is None else wanted
    if not isinstance(given, list) or len(given) != len(players):
        raise Declined(f"This game has {len(players)} seats.")
    specs = tuple(_spec(seat) for seat in given)
    names = list(seated_names(players, specs))
    for number, seat in enumerate(given):
        name = seat.get("name")
        if name not in (None, ""):
            names[number] = _name(name)
    if len(set(names)) != len(names):
        raise Declined("Every player needs a different name.")
    return specs, tuple(names)


def _spec(seat: object) -> str:
    kind = seat.get("kind", "person") if isinstance(seat, dict) else None
    if not isinstance(seat, dict) or kind not in ("person", "computer"):
        raise Declined("A seat is for a person or a computer.")
    if kind == "person":
        return HUMAN
    player = seat.get("player") or "medium"
    if not isinstance(player, str) or not is_opponent(player):
        raise Declined("Unknown computer player.")
    try:
        require_player(player)
    except MissingExtra as refusal:
        raise Declined(str(refusal)) from None
    return player


def is_opponent(spec: str) -> bool:
    """Whether there is such a computer player, who does not think for too long."""
    return SEARCH.fullmatch(spec) is not None or spec in player_names()


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise Declined("A name must be text.")
    name = " ".join(value.split())
    if not name or len(name) > LIMITS.name_length or not name.isprintable():
        raise Declined(f"A name has at most {LIMITS.name_length} printable characters.")
    return name


def opponents() -> Sequence[dict[str, str]]:
    """The computer players, for a page to choose from."""
    about = {
        **LEVELS,
        "perfect": "plays perfectly if the game can be solved",
        "search": "looks ahead for a second",
        "greedy": "takes the best immediate result",
        "random": "plays random valid moves",
    }
    known = player_names()
    if not is_installed("solve"):
        del about["perfect"]
    order = [name for name in about if name in known]
    others = [name for name in known if name not in (*about, "perfect")]
    return [{"name": name, "about": about.get(name, "")} for name in (*order, *others)]
