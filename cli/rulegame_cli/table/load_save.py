"""Saved games at the command line: their rulesets are opened as those of a call are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import ScreenOptions, SettingsOptions
from rulegame_cli.calling.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.game import Game
    from rulegame.playing.reopening import Opened
    from rulegame.playing.saves import Header


def load_save(path: Path, screen: ScreenOptions, anyway: bool) -> Opened:
    """Open a save; `SaveError` if it cannot be used, with what the player can do about it."""
    from rulegame.playing.reopening import RulesChanged, open_save
    from rulegame.playing.saves import SaveError

    def load(header: Header) -> Game | None:
        options = SettingsOptions(
            sets=header.sets,
            enable=header.enable,
            disable=header.disable,
            no_color=screen.no_color or screen.plain,
        )
        try:
            return open_game(header.ruleset, options)
        except WrongCall as mistake:
            raise SaveError(str(mistake)) from None

    try:
        return open_save(path, load, anyway=anyway)
    except RulesChanged as change:
        hint = "" if anyway else ". Use --anyway to replay the moves that are still valid."
        raise SaveError(f"{change}{hint}") from None
