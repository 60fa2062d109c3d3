"""Valid rulesets and parts of them, from which inputs are made: the bundled ones, the documents'
and the tests' own.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from docs.pages import blocks

ROOT: Final = Path(__file__).resolve().parents[2]
BROKEN: Final = {"broken", "fragment"}


@cache
def rulesets() -> tuple[str, ...]:
    """Rulesets of all kinds, broken ones too."""
    return (*sound(), *_texts([*ROOT.glob("tests/diagnostics/**/*.yaml")]))


@cache
def sound() -> tuple[str, ...]:
    """Rulesets that are valid, but for a few."""
    files = [
        *ROOT.glob("rulesets/*.yaml"),
        *ROOT.glob("rulesets/variants/*.yaml"),
        *ROOT.glob("tests/cli/**/*.yaml"),
    ]
    found = _texts(files)
    for page in sorted(ROOT.glob("docs/*.md")):
        parts = blocks(page.read_text("utf-8"))
        yaml = [part for part in parts if part.kind == "yaml"]
        found += [part.text for part in yaml if not part.remarks.keys() & BROKEN]
    return tuple(text for text in found if "rulegame:" in text)


def _texts(files: list[Path]) -> list[str]:
    return [path.read_text("utf-8") for path in sorted(files)]
