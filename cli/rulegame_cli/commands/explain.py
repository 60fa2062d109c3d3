"""`rulegame explain`: the pages about the diagnostic codes, in a wheel or in the repository."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from rulegame_cli.usage_errors import WrongCall


def pages_folder() -> Path:
    """The folder that holds one page for each code."""
    import rulegame

    package = Path(rulegame.__file__).resolve().parent
    installed = package / "data" / "errors"
    return installed if installed.is_dir() else package.parents[1] / "docs" / "errors"


def codes() -> list[str]:
    """Every code that has a page."""
    return sorted(path.stem for path in pages_folder().glob("[A-Z][0-9]*.md"))


def page(code: str) -> str | None:
    """The page about a code, or None if there is none."""
    if code not in codes():  # also keeps anything that is not a code from being read as a path
        return None
    return (pages_folder() / f"{code}.md").read_text(encoding="utf-8")


def command(
    code: Annotated[str, typer.Argument(metavar="CODE", help="A code such as E302.")],
) -> int:
    """Explain the code of a problem."""
    return run(code)


def run(code: str) -> int:
    """Print the page about a code."""
    text = page(code.upper())
    if text is None:
        known = codes()
        close = _nearest_code(code.upper(), known)
        hint = f"did you mean {close}?" if close else "codes look like E302"
        raise WrongCall(f"there is no diagnostic code '{code}'; {hint}")
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    return 0


def _nearest_code(code: str, known: list[str]) -> str | None:
    """The code with the nearest number, or a similar one."""
    from rulegame.diagnostics import nearest

    digits = code.removeprefix("E")
    if digits.isascii() and digits.isdigit() and known:
        return min(known, key=lambda other: abs(int(other[1:]) - int(digits[:9])))
    return nearest(code, known)
