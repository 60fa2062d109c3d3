"""Options mean the same in every command; former names still work, with a note."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Call

REPORTS = [
    ("cache",), ("prove", "nim"), ("diff", "nim", "misere_nim"),
    ("explain-move", "nim", "take 1 1"),
    ("history",), ("list",), ("rate", "nim", "--games", "2", "--players", "random,greedy"),
    ("rules", "nim"), ("test", "nim"), ("show", "nim"), ("simulate", "nim", "--games", "3"),
    ("solve", "nim"),
    ("sweep", "nim", "--vary", "misere=true,false"), ("validate", "nim"),
    ("replay", "nim", "--moves", "take 1 1"),
]  # fmt: skip


@pytest.mark.quick(7)
@pytest.mark.parametrize("call", REPORTS, ids=lambda call: call[0])
def test_every_report_goes_to_a_file_and_to_programs(
    rulegame: Call, home: Path, tmp_path: Path, call: tuple[str, ...]
) -> None:
    file = tmp_path / "report"
    seed = ("--seed", "1") if call[0] in ("simulate", "rate") else ()
    printed = rulegame(*call, *seed, "--json")
    formatted = rulegame(*call, *seed, "--format", "json", "--output", str(file))
    assert (formatted.code, formatted.out) == (printed.code, "")
    assert json.loads(file.read_text("utf-8")).__class__ is json.loads(printed.out).__class__
    text = rulegame(*call, *seed, "--output", str(file))
    assert (text.code, text.out) == (printed.code, "")
    assert file.read_text("utf-8")


def test_a_failure_is_printed_and_nothing_is_written(rulegame: Call, tmp_path: Path) -> None:
    file = tmp_path / "report"
    result = rulegame("solve", "broken.yaml", "--output", str(file))
    assert result.code == 1
    assert "error[" in result.out
    assert not file.exists()


def test_a_file_that_cannot_be_written(rulegame: Call, tmp_path: Path) -> None:
    result = rulegame("solve", "nim", "--output", str(tmp_path))
    assert (result.code, result.out) == (2, "")
    assert "--output: " in result.err and "is a folder" in result.err


def test_an_unknown_format(rulegame: Call) -> None:
    result = rulegame("solve", "nim", "--format", "xml")
    assert (result.code, result.err) == (
        2,
        "rulegame: --format: expected text or json, not 'xml'\n",
    )


def test_check_is_prove(rulegame: Call) -> None:
    assert rulegame("check", "nim") == rulegame("prove", "nim")


def test_names_of_a_new_game(rulegame: Call, tmp_path: Path) -> None:
    result = rulegame("new", str(tmp_path / "x.yaml"), "--yes", "--players", "Ann,Bob")
    assert (result.code, result.err) == (0, "note: --players is now --names.\n")


def test_seats_of_a_model(rulegame: Call) -> None:
    call = ("export", "nim", "--set", "heaps=[1, 1]", "--to", "prism")
    seats = rulegame(*call, "--seats", "free,random")
    assert (seats.code, seats.err) == (0, "")
    former = rulegame(*call, "--players", "free,random")
    assert (former.out, former.err) == (seats.out, "note: --players is now --seats.\n")


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (("solve", "nim", "--vs", "random"), "--against"),
        (("play", "nim", "--against", "random"), "--vs"),
        (("simulate", "nim", "--level", "hard"), "--players"),
    ],
)
def test_who_plays_by_the_option_of_another_command(
    rulegame: Call, call: tuple[str, ...], meant: str
) -> None:
    result = rulegame(*call)
    assert result.err == f"rulegame: Unknown option {call[2]}. Did you mean {meant}?\n"


def test_a_move_without_the_name_of_its_option(rulegame: Call) -> None:
    asked = rulegame("explain-move", "zero_sum_duel", "subtract 4")
    assert asked == rulegame("explain-move", "zero_sum_duel", "--move", "subtract 4")
    both = rulegame("explain-move", "zero_sum_duel", "subtract 4", "--move", "subtract 4")
    assert both.code == 2


def test_players_of_a_match(rulegame: Call, home: Path) -> None:
    listed = rulegame("play", "nim", "--players", "random,human", "--seed", "1", "--no-save")
    single = rulegame("play", "nim", "--seats", "1=random", "--seed", "1", "--no-save")
    assert listed == single
    both = rulegame("play", "nim", "--seats", "1=random,2=human", "--seed", "1", "--no-save")
    assert both == listed
    former = rulegame("play", "nim", "--player", "1=random", "--seed", "1", "--no-save")
    assert (former.code, former.out) == (listed.code, listed.out)
    assert former.err.startswith("note: --player is now --seats.\n")
    wrong = rulegame("play", "nim", "--players", "random,random,random")
    assert wrong.err == "rulegame: --players: expected 1 player or 2 separated by commas\n"


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("?", "  quit     save and quit"), ("exit", "Game saved. Continue with `rulegame resume`.")],
)
def test_other_words_at_the_prompt(rulegame: Call, home: Path, typed: str, answer: str) -> None:
    result = rulegame("play", "nim", "--seed", "1", typed=f"{typed}\n")
    assert answer in result.out
    assert "is not an option here" not in result.out
