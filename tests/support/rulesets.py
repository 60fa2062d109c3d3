"""The rulesets in `tests/rulesets`, for tests of several modules."""

from __future__ import annotations

from pathlib import Path
from typing import Final

RULESETS: Final = Path(__file__).parents[1] / "rulesets"


def text_of(name: str) -> str:
    """The text of a ruleset."""
    return (RULESETS / f"{name}.yaml").read_text("utf-8")


BIDDING: Final = text_of("bidding")
CARDS: Final = text_of("cards")
PATIENCE: Final = text_of("patience")
SCORES: Final = text_of("scores")
THROWS: Final = text_of("throws")
