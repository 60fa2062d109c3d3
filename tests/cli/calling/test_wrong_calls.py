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
        "--disable: this leaves no operation enabled; a game needs at least one"
    ),
    ("show", "double_or_nothing_31", "--disable", "add_one", "--disable", "double"): (
        "--disable: this leaves no operation enabled; enable one with --enable NAME"
    ),
    ("show", "nim", "--set", "heaps="): "--set heaps: missing value after '='",
    (*DUEL, "start=a..b"): "--vary: 'a..b' is not a range of whole numbers: write start=5..40",
    (*DUEL, "start=1.."): "--vary: '1..' is not a range of whole numbers: write start=5..40",
    (*DUEL, "start=abc"): (
        "--vary: not a valid value for 'start'; it is a whole number, between 1 and 1000000"
    ),
    (*DUEL, "start=-1,0"): "--vary: 'start' must be between 1 and 1000000, not -1",
    ("check", "zero_sum_duel", "--parameters", "start=1..x"): (
        "--parameters: '1..x' is not a range of whole numbers: write start=5..40"
    ),
    ("solve", "nim", "--max-memory", "5X"): (
        "--max-memory: expected a size such as 500M or 8G, not '5X'"
    ),
    ("solve", "nim", "--max-memory", "0G"): (
        "--max-memory: expected a size such as 500M or 8G, not '0G'"
    ),
    ("explain", "E999"): "Unknown error code 'E999'. `rulegame explain` lists all codes.",
    ("explain", "302"): "Unknown error code '302'. Did you mean E302?",
    ("new", "x.yaml", "--kind", "foo"): ("--kind: expected pile, race, dice or board, not 'foo'"),
    ("new", "x.yaml", "--names", "Ann"): (
        "--names: expected 2 to 8 different names separated by commas"
    ),
    ("play", "nim", "--save", "x", "--no-save"): "--save and --no-save cannot be combined",
    ("resume", "."): "'.' is a folder. Name a saved game.",
    ("replay", "."): "'.' is a folder. Name a saved game.",
    ("validate", "nim", "--json", "--format", "sarif"): "--json and --format cannot be combined",
    ("validate", "nim", "--format", "x"): "--format: expected text, json, github or sarif, not 'x'",
    ("plya",): "Unknown command 'plya'. Did you mean 'play'?",
    ("",): "Unknown command ''. `rulegame --help` lists all commands.",
    ("--bogus",): "Unknown option --bogus. See `rulegame --help`.",
    ("play", "--bogus"): "Unknown option --bogus. See `rulegame play --help`.",
    ("play", "nim", "--sets", "x=1"): "Unknown option --sets. Did you mean --set?",
    ("play", "nim", "--set"): "Option '--set' requires an argument.",
    ("list", "--json=1"): "Option '--json' does not take a value.",
    ("solve", "pig", "--target", "20"): "Unknown option --target. Did you mean `--set target=20`?",
    ("play", "pig", "--target=20"): "Unknown option --target. Did you mean `--set target=20`?",
    ("play", "pig", "--targt"): "Unknown option --targt. Did you mean `--set target=VALUE`?",
    ("play", "nim", "--target", "20"): "Unknown option --target. See `rulegame play --help`.",
    ("show",): (
        "Which game? Usage: rulegame show RULESET. `rulegame list` shows the bundled games."
    ),
    ("new",): "FILE is missing. Usage: rulegame new FILE. See `rulegame new --help`.",
    ("show", "nim", "pig"): ("Unexpected argument 'pig'. See `rulegame show --help`."),
    ("show", "."): "'.' is a folder. Name a ruleset file.",
    ("test", "nothing.yaml"): (
        "No file or bundled game 'nothing.yaml'. `rulegame list` shows the bundled games."
    ),
    ("play", "-"): "Standard input is needed for the moves. Name a ruleset file or bundled game.",
    ("new", "-", "--yes"): "'-' is not a valid file name",
    ("new", "x.yaml", "--from", "-", "--yes"): (
        "--from: expected a ruleset file or bundled game, not standard input"
    ),
    ("replay", "nim"): "'nim' is a ruleset. Give the moves to replay with --moves.",
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
    assert result.code == 0 and "E405: no operation is enabled\n" in result.out


def test_validate_json(rulegame: Call) -> None:
    asked, named = (
        rulegame("validate", "broken.yaml", "--json"),
        rulegame("validate", "broken.yaml", "--format", "json"),
    )
    assert asked == named and asked.code == 1
