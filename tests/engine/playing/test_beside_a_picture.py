"""What is said and asked beside a picture of the position: as the picture has it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

import rulegame
from rulegame.playing.audience import Audience
from rulegame.playing.conversation import Ask
from rulegame.playing.match import Match

DEFAULTS: Mapping[str, Any] = MappingProxyType({})


def audience(name: str, settings: Mapping[str, Any] = DEFAULTS, drawn: bool = True) -> Audience:
    match = Match(rulegame.load(name, dict(settings)), seed=1)
    return Audience(match, match.people, match.people, drawn=drawn)


def told(name: str, *lines: str, drawn: bool = True, settings: Mapping[str, Any] = DEFAULTS) -> str:
    """What is said after the last line, and the prompt."""
    here = audience(name, settings, drawn)
    reached = here.restart()
    for line in lines:
        reached = here.answer(line)
    assert reached is not None
    return reached.text + (reached.prompt if isinstance(reached, Ask) else "")


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("english_draughts", "9-13", "Player 1: g6 to h5\n"),
        ("english_draughts", "a1-b2", "Not valid: you have no piece at a1\n"),
        ("breakthrough", "c4", "Not valid: you have no piece at c4\n"),
        ("hex", "c5", "Player 1: row 5, column c\n"),
        ("tic_tac_toe", "nonsense", "Or type a cell, such as a1.\n"),
    ],
)
def test_cells_are_told_with_letters(name: str, line: str, said: str) -> None:
    assert said in told(name, line)


def test_a_transcript_has_the_numbers_of_moves() -> None:
    assert "Player 1: 6 7 to 5 8\n" in told("english_draughts", "move 6 7 5 8", drawn=False)
    assert "Not valid: you have no piece at 4 3" in told("breakthrough", "move 4 3 3", drawn=False)


def test_a_question_with_one_answer_is_not_asked() -> None:
    heap = {"heaps": (0, 2)}
    assert told("nim", settings=heap).endswith("How many of 2? ")
    assert told("nim", settings=heap, drawn=False).endswith("Which heap (2)? ")
    assert told("nim", settings={"heaps": (0, 1)}).endswith("Which heap (2)? ")  # the only move
    assert told("english_draughts").endswith("Choose row: ")
    assert told("english_draughts", drawn=False).endswith("(M)ove? ")
