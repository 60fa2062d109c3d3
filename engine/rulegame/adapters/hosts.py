"""What all adapters begin with: a library that may be missing, and the game that is meant."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulegame.game import Game
from rulegame.loading import load


def missing(host: str, extra: str) -> ModuleNotFoundError:
    """What is told to someone who has not installed a library that games are to be made for."""
    return ModuleNotFoundError(f'{host} is not installed: pip install "rulegame[{extra}]"')


def game_of(name: str | Path | Game, parameters: Mapping[str, Any]) -> Game:
    """The game of a bundled ruleset's name or of a file, with parameters; or a game as it is."""
    if not isinstance(name, Game):
        return load(name, dict(parameters))
    if parameters:
        raise TypeError(f"the game has its parameters already: {', '.join(parameters)}")
    return name
