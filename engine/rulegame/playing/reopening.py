"""The rules of a saved game: how a match names its ruleset, and how a save finds it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

from rulegame.bundled import ruleset_path
from rulegame.game import Game
from rulegame.loading import find
from rulegame.model import Ruleset
from rulegame.model.meaning import meaning
from rulegame.playing.saves import Header, Saved, SaveError
from rulegame.playing.saving import read_file
from rulegame.source.lineage import fingerprint
from rulegame.wording import as_written, counted

Load = Callable[[Header], Game | None]  # the game of a ruleset and settings; None if not valid


class RulesChanged(SaveError):
    """The rules of a save do not mean what they meant."""


def identity(name: str) -> tuple[str, str]:
    """The name under which a ruleset is found from anywhere, and its fingerprint."""
    path, _ = find(name)
    try:
        content = fingerprint(path)
    except OSError:  # it was there a moment ago
        content = ""
    return (name if ruleset_path(name) == path else str(path.absolute())), content


def parameters_of(game: Game) -> dict[str, Any]:
    """The parameters of a game as they are in a save."""
    found: dict[str, Any] = json.loads(json.dumps(game.parameters, default=sorted))
    return found


def as_before(game: Game, header: Header) -> bool:
    """Whether each parameter has the value that it had; one that is new does no harm."""
    now = parameters_of(game)
    return all(name in now and now[name] == value for name, value in header.parameters.items())


def settings_of(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Parameters as a call gives them."""
    return tuple(f"{name}={as_written(value)}" for name, value in parameters.items())


# ---- a new match


def new_header(
    ruleset: Ruleset,
    players: Sequence[str],
    *,
    found: tuple[str, str] | None = None,
    names: Sequence[str] = (),
    first: int | Literal["random"] = 0,
    rounds: int = 1,
    best_of: bool = False,
    seed: int,
    rolls: Sequence[str] = (),
    sets: Sequence[str] = (),
    enable: Sequence[str] = (),
    disable: Sequence[str] = (),
) -> Header:
    """Return the header of a new match; its parameters are known once the game is compiled.
    `found` is the `identity` of the ruleset. `first` "random" is a coin toss.
    """
    count = len(ruleset.players)
    if names and len(names) != count:
        raise ValueError(f"this game has {count} seats, not {len(names)}")
    toss = first == "random"
    if toss:
        first = Random(f"{seed}/first").randrange(count)
    if first not in range(count):
        raise IndexError(f"there is no seat {first}")
    name, content = found or _identity_of(ruleset)
    return Header(
        ruleset=name,
        content=content,
        meaning=meaning(ruleset),
        title=ruleset.title,
        sets=tuple(sets),
        enable=tuple(enable),
        disable=tuple(disable),
        parameters={},
        seed=seed,
        rolls=tuple(rolls),
        first=int(first),
        names=tuple(names) or ruleset.players,
        players=tuple(players),
        rounds=rounds,
        best_of=best_of,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        toss=toss and count > 1,
    )


def _identity_of(ruleset: Ruleset) -> tuple[str, str]:
    """The same for a ruleset that is loaded; without a fingerprint if it has no file."""
    path = Path(ruleset.file)
    if not path.is_file():
        return ruleset.file, ""
    bundled = ruleset_path(path.stem)
    return identity(path.stem if bundled == path else ruleset.file)


def called_settings(game: Game) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return what a call sets, enables and disables to get this game."""
    listed, playing = game.ruleset.listed, {o.name for o in game.ruleset.operations}
    enable = tuple(o.name for o in listed if o.name in playing and not o.enabled)
    disable = tuple(o.name for o in listed if o.name not in playing and o.enabled)
    return settings_of(parameters_of(game)), enable, disable


# ---- a saved one


class Opened(NamedTuple):
    """A save, its bytes, and the game and the header that resume it."""

    saved: Saved
    data: bytes
    game: Game
    header: Header
    changed: bool  # the rules are not those it was played by


def open_save(path: Path, load: Load, *, anyway: bool = False) -> Opened:
    """Open a save; `SaveError` unless the file is as it was written, and the rules mean what they
    did. `anyway`: under other rules, too.
    """
    saved, data = read_file(path)
    if not anyway:
        return Opened(saved, data, game_of_save(saved.header, load), saved.header, False)
    game, header = _open_rules(_still_possible(saved.header, load), load)
    content, means = _content(header), meaning(game.ruleset)
    changed = content != header.content and means != header.meaning
    header = replace(header, content=content, meaning=means, parameters=parameters_of(game))
    return Opened(saved, data, game, header, changed)


def game_of_save(header: Header, load: Load) -> Game:
    """Return the game of a save; `RulesChanged` if its rules mean something else now."""
    game = _open_rules(header, load)[0]
    if not as_before(game, header):
        raise RulesChanged(f"{header.ruleset} no longer accepts the parameters of this game")
    if meaning(game.ruleset) != header.meaning and _content(header) != header.content:
        raise _changed(header)
    return game


def _content(header: Header) -> str:
    try:
        return identity(header.ruleset)[1]
    except FileNotFoundError:
        return ""


def _changed(header: Header) -> RulesChanged:
    what = "rules of" if header.meaning else "file"
    return RulesChanged(f"the {what} {header.ruleset} changed after this game was saved")


def _open_rules(header: Header, load: Load) -> tuple[Game, Header]:
    """The game with the parameters that it was played with, and what the call was for that."""
    game = load(header)
    if game is not None and not as_before(game, header):  # a default has changed
        header = replace(header, sets=settings_of(header.parameters))
        game = load(header)
    if game is None:
        raise _changed(header)
    if len(game.players) != len(header.players):
        players = counted(len(game.players), "player")
        raise RulesChanged(f"{header.ruleset} is now a game for {players}")
    return game, header


def _still_possible(header: Header, load: Load) -> Header:
    """The call without parameters and operations that the ruleset does not have any more."""
    game = load(replace(header, sets=(), enable=(), disable=()))
    if game is None:
        return header
    ruleset = game.ruleset
    operations = {operation.name for operation in (*ruleset.operations, *ruleset.disabled)}
    kept = {name: value for name, value in header.parameters.items() if name in game.parameters}
    return replace(
        header,
        sets=settings_of(kept),
        parameters=kept,
        enable=tuple(name for name in header.enable if name in operations),
        disable=tuple(name for name in header.disable if name in operations),
    )
