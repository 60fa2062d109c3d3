"""The pages about the diagnostic codes, in a wheel or in the repository."""

from __future__ import annotations

from pathlib import Path


def pages_folder() -> Path:
    """The folder that holds one page for each code."""
    import rulegame

    package = Path(rulegame.__file__).resolve().parent
    installed = package / "data" / "errors"
    return installed if installed.is_dir() else package.parents[1] / "docs" / "errors"


def codes() -> list[str]:
    """Every code that has a page."""
    return sorted(path.stem for path in pages_folder().glob("[A-Z][0-9]*.md"))


def page_about(code: str) -> str | None:
    """The page about a code, or None if there is none."""
    if code not in codes():  # also keeps anything that is not a code from being read as a path
        return None
    return (pages_folder() / f"{code}.md").read_text(encoding="utf-8")


def title(code: str) -> str:
    """The heading of a page; the code itself if it has none."""
    return (page_about(code) or "").partition("\n")[0].lstrip("# ").strip() or code
