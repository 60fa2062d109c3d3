"""Which rules a saved game goes on by: how a ruleset is found again, and whether it has changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulegame.bundled import ruleset_path
from rulegame.loading import find
from rulegame.source.lineage import fingerprint
from rulegame.wording import as_written

if TYPE_CHECKING:
    from rulegame.game import Game
    from rulegame.playing.saves import Header


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
