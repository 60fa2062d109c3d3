"""The saved games that a call names: their rulesets are opened as those of a call are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulegame.files import disk
from rulegame.playing.saving import game_files
from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import ScreenOptions, SettingsOptions
from rulegame_cli.calling.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.game import Game
    from rulegame.playing.match import Resumed
    from rulegame.playing.saves import Header


def find(reference: str) -> Path:
    """The file of a save: its path, or the short code that `rulegame history` shows."""
    path = Path(reference)
    if disk.is_folder(path):
        raise WrongCall(f"'{reference}' is a folder. Name a saved game.")
    if disk.exists(path):
        return path
    matching = [
        file for file in game_files() if reference in (file.stem, file.stem.rpartition("-")[2])
    ]
    if len(matching) == 1:
        return matching[0]
    raise WrongCall(f"No saved game '{reference}'. `rulegame history` lists them.")


def load_save(path: Path, screen: ScreenOptions, anyway: bool) -> Resumed:
    """Open a save; `SaveError` if it cannot be used, with what the player can do about it."""
    from rulegame.playing.match import Match
    from rulegame.playing.reopening import RulesChanged
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
        return Match.resume(path, load, anyway=anyway)
    except RulesChanged as change:
        hint = "" if anyway else ". Use --anyway to replay the moves that are still valid."
        raise SaveError(f"{change}{hint}") from None
