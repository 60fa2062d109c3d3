"""The pages about the error codes, in a wheel or in the repository."""

from __future__ import annotations

from pathlib import Path

from rulegame.codes import CODES


def pages_folder() -> Path:
    """The folder that holds one page for each code."""
    import rulegame

    package = Path(rulegame.__file__).resolve().parent
    installed = package / "data" / "errors"
    return installed if installed.is_dir() else package.parents[1] / "docs" / "errors"


def current_codes() -> list[str]:
    """The codes that can be reported, in order."""
    return [row.code for row in CODES.values() if not row.retired]


def page_about(code: str) -> str | None:
    """The page about a code, or None if there is no such code."""
    row = CODES.get(code)
    return None if row is None else (pages_folder() / row.page).read_text(encoding="utf-8")


def title(code: str) -> str:
    """A code with its title, as the heading of its page."""
    return f"{code}: {CODES[code].title}"
