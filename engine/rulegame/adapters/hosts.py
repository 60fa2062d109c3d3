"""The game that an adapter is given."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulegame.game import Game
from rulegame.loading import load


def game_of(name: str | Path | Game, parameters: Mapping[str, Any]) -> Game:
    """The game of a bundled ruleset's name or of a file, with parameters; or a game as it is."""
    if not isinstance(name, Game):
        return load(name, dict(parameters))
    if parameters:
        raise TypeError(f"the game has its parameters already: {', '.join(parameters)}")
    return name
