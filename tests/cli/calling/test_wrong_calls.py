"""A wrong call is told in one line on standard error, with exit code 2, whatever it is."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import get_type_hints

import pytest

from cli.conftest import Call
from rulegame_cli.calling.options import declared
from rulegame_cli.main import COMMANDS

DUEL = ("sweep", "zero_sum_duel", "--vary")
WRONG = {
    ("show", "nim", "--disable", "take"): (
        "--disable: this leaves no operation switched on; a game needs at least one"
    ),
    ("show", "double_or_nothing_31", "--disable", "add_one", "--disable", "double"): (
        "--disable: this leaves no operation switched on; switch one on with --enable NAME"
    ),
    ("show", "nim", "--set", "heaps="): "--set heaps: there is no value after the '='",
    (*DUEL, "start=a..b"): "--vary: 'a..b' is not a range of whole numbers: write start=5..40",
    (*DUEL, "start=1.."): "--vary: '1..' is not a range of whole numbers: write start=5..40",
    (*DUEL, "start=abc"): (
        "--vary: this is not a value for 'start'; it is a whole number, between 1 and 1000000"
    ),
    (*DUEL, "start=-1,0"): "--vary: 'start' must be between 1 and 1000000, not -1",
    ("check", "zero_sum_duel", "--parameters", "start=1..x"): (
        "--parameters: '1..x' is not a range of whole numbers: write start=5..40"
    ),
    ("solve", "nim", "--max-memory", "5X"): (
        "--max-memory: expected bytes, such as 500M or 8G, not '5X'"
    ),
    ("solve", "nim", "--max-memory", "0G"): (
        "--max-memory: expected bytes, such as 500M or 8G, not '0G'"
    ),
    ("explain", "E999"): "there is no diagnostic code 'E999'; `rulegame explain` lists them",
    ("explain", "302"): "there is no diagnostic code '302'; did you mean E302?",
    ("new", "x.yaml", "--kind", "foo"): ("--kind: expected pile, race, dice or board, not 'foo'"),
    ("new", "x.yaml", "--players", "Ann"): (
        "--players: expected 2 to 8 different names, with commas between them"
    ),
    ("play", "nim", "--save", "x", "--no-save"): "--save and --no-save cannot go together",
    ("resume", "."): "'.' is a folder: a saved game is a file",
    ("replay", "."): "'.' is a folder: a saved game is a file",
    ("validate", "nim", "--json", "--format", "sarif"): "--json and --format cannot go together",
    ("validate", "nim", "--format", "x"): "--format: expected text, json, github or sarif, not 'x'",
    ("plya",): "there is no command 'plya'; did you mean 'play'?",
    ("",): "there is no command ''; `rulegame --help` lists them",
    ("--bogus",): "there is no option --bogus; `rulegame --help` tells what there is",
    ("play", "--bogus"): "there is no option --bogus; `rulegame play --help` tells what there is",
    ("play", "nim", "--sets", "x=1"): "there is no option --sets; did you mean --set?",
    ("play", "nim", "--set"): "option '--set' requires an argument",
    ("list", "--json=1"): "option '--json' does not take a value",
    ("show",): "RULESET is missing; `rulegame show --help` tells what there is",
    ("show", "nim", "pig"): (
        "'pig' is one argument too many; `rulegame show --help` tells what there is"
    ),
    ("show", "."): "'.' is a folder: a ruleset is a file",
    ("test", "nothing.yaml"): (
        "there is no file or bundled game 'nothing.yaml'; `rulegame list` shows the bundled games"
    ),
    ("play", "-"): "the moves come by standard input: name the file of the game",
    ("new", "-", "--yes"): "'-' cannot be the name of a file",
    ("new", "x.yaml", "--from", "-", "--yes"): (
        "--from: a variant needs the file, or the name, of what it varies"
    ),
    ("replay", "nim"): "'nim' is a ruleset: --moves says which moves are shown",
}


@pytest.mark.parametrize("call", WRONG, ids=" ".join)
def test_one_line_and_exit_code_2(rulegame: Call, call: tuple[str, ...]) -> None:
    result = rulegame(*call)
    assert (result.code, result.out, result.err) == (2, "", f"rulegame: {WRONG[call]}\n")


def _given_nothing() -> Iterator[tuple[str, ...]]:
    """A call of every command for each of its texts, which is empty."""
    for command, module in COMMANDS.items():
        run = import_module(f"rulegame_cli.commands.{module}").run
        fields = declared(get_type_hints(run)["options"])
        needed = ["nim" for field in fields.values() if field.default is ...]
        for name, field in fields.items():
            if field.type is bool or field.may_be_empty:
                continue
            if field.is_argument:
                yield command, *needed[1:], ""
            else:
                yield command, *needed, field.typed(name)[0], ""


@pytest.mark.parametrize("call", list(_given_nothing()), ids=" ".join)
def test_an_empty_text_is_not_an_option_left_out(rulegame: Call, call: tuple[str, ...]) -> None:
    result = rulegame(*call)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("rulegame: ") and result.err.endswith(" is empty\n")


def test_values_that_some_settings_refuse_are_told_beside_the_others(rulegame: Call) -> None:
    result = rulegame(*DUEL, "start=0,1", "--jobs", "1")
    assert result.code == 0 and "'start' must be between 1 and 1000000, not 0" in result.out


@pytest.mark.parametrize(("text", "size"), [("3_000_000_000", 3 * 10**9), ("2t", 2 << 40)])
def test_memory_is_counted_in_bytes(text: str, size: int) -> None:
    from rulegame_cli.calling.values import read_memory

    assert read_memory(text) == size


def test_explain_lists_the_codes(rulegame: Call) -> None:
    result = rulegame("explain")
    assert result.code == 0 and "E405: no operation is switched on\n" in result.out


def test_validate_json(rulegame: Call) -> None:
    asked, named = (
        rulegame("validate", "broken.yaml", "--json"),
        rulegame("validate", "broken.yaml", "--format", "json"),
    )
    assert asked == named and asked.code == 1
