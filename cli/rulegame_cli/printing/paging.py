"""Long texts go through the pager, where a person sits at a terminal."""

from __future__ import annotations

import os
import sys

from rulegame_cli.printing.terminal import columns, rows, stays_put
from rulegame_cli.printing.wrapping import wrapped

USUAL = ("less -R", "more")


def page(text: str, plain: bool = False) -> None:
    """Print a text; through the pager if it is longer than the screen. `PAGER` names another one,
    and with `PAGER=cat` there is none.
    """
    fitted = wrapped(text, columns(sys.stdout))
    command = None if plain or fitted.count("\n") < rows(sys.stdout) else _pager()
    if command is None:
        sys.stdout.write(text)
        return
    import subprocess

    sys.stdout.flush()
    try:
        subprocess.run(
            command,
            input=fitted,
            encoding=sys.stdout.encoding,
            errors="backslashreplace",
            check=False,
            env={"LESS": "R", **os.environ},  # colours are meant as such
        )
    except OSError:  # it was there a moment ago
        sys.stdout.write(text)


def _pager() -> list[str] | None:
    """The call of the pager; None if nobody could use it."""
    typed = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    if not typed or stays_put():
        return None
    import shlex
    import shutil

    for call in filter(None, (os.environ.get("PAGER"), *USUAL)):
        words = shlex.split(call)
        if words and words[0] == "cat":
            return None
        if words and shutil.which(words[0]) is not None:
            return words
    return None
