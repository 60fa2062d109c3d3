"""Files that a command reads and writes anew: their text, byte for byte, and what has changed."""

from __future__ import annotations

from pathlib import Path

from rulegame.files import disk
from rulegame.files.atomic import rewrite
from rulegame.limits import LIMITS
from rulegame_cli.calling.gathering import STANDARD_INPUT, standard_input
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.terminal import visible


def text_of(name: str) -> str:
    """The text of a file, or of standard input; what is not UTF-8 is for reading to complain of."""
    if name == STANDARD_INPUT:
        return standard_input()
    try:
        data = disk.read_file(Path(name), LIMITS.file_bytes)
    except disk.CannotRead as problem:
        raise WrongCall(f"Cannot read '{name}': {problem}") from None
    return data.decode(errors="surrogateescape")


def write_back(name: str, text: str) -> None:
    """Replaces the text of a file; its rights stay, and a link stays a link."""
    path = Path(name).resolve()
    try:
        data = text.encode(errors="surrogateescape")
        rewrite(path, data)
    except OSError as error:
        raise WrongCall(f"Cannot write '{name}': {error.strerror}") from None


def difference(before: str, after: str, name: str) -> list[str]:
    """The lines of a unified diff."""
    from difflib import unified_diff

    shown = visible(name)
    lines = unified_diff(before.splitlines(), after.splitlines(), shown, shown, lineterm="")
    return [f"{visible(line)}\n" for line in lines]
