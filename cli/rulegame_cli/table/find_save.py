"""Which saved game a call means."""

from __future__ import annotations

from pathlib import Path

from rulegame.files import disk
from rulegame.playing.saving import game_files
from rulegame_cli.calling.usage_errors import WrongCall


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
