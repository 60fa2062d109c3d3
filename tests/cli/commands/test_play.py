"""`rulegame play` through a pipe: transcripts, options, and every way that a game stops."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import Call
from support.commands import run_process
from support.rulesets import RULESETS
from waiting import WAIT

COUNTDOWN = """\
Welcome to Countdown!
Take one, two or three from the pile. Whoever takes the last one wins.

Ann's turn.
Left: 4
N: 1, 2, 3
Choose n: 1
Ann: Take 1

Bob's turn.
Left: 3
N: 1, 2, 3
Choose n: 3
Bob: Take 3
Bob wins the game!
"""


def test_a_transcript_is_whole(rulegame: Call) -> None:
    arguments = ("countdown.yaml", "--set", "pile=4", "--names", "Ann, Bob")
    result = rulegame("play", *arguments, typed="1\n3\n")
    assert (result.code, result.err) == (0, "")
    assert result.out == COUNTDOWN


def test_the_last_line_needs_no_line_break(rulegame: Call) -> None:
    result = rulegame("play", "countdown.yaml", "--set", "pile=4", typed="1\n3")
    assert result.code == 0


def test_end_of_input(rulegame: Call) -> None:
    result = rulegame("play", "countdown.yaml", typed="1\n")
    assert result.code == 1
    assert result.out.endswith("\nChoose n: \n")
    assert result.err == "Input ended. Game saved; continue with `rulegame resume`.\n"
    result = rulegame("play", "countdown.yaml", typed="")  # nothing has happened in it
    assert (result.code, result.err) == (1, "Input ended. The game was not saved.\n")


def test_who_moves_first(rulegame: Call) -> None:
    def first(*arguments: str) -> str:
        result = rulegame("play", "countdown.yaml", *arguments)
        return next(line for line in result.out.splitlines() if line.endswith("'s turn."))

    assert first() == "Player 1's turn."
    assert first("--first", "2") == "Player 2's turn."
    chosen = {first("--first", "random", "--seed", str(seed)) for seed in range(12)}
    assert chosen == {"Player 1's turn.", "Player 2's turn."}


def test_dice_by_hand(rulegame: Call) -> None:
    result = rulegame("play", "race.yaml", "--rolls", "6,1, 2", typed="a\na\na\n")
    assert result.code == 0
    rolled = [line for line in result.out.splitlines() if line.startswith("Die: ")]
    assert rolled == ["Die: 6", "Die: 1", "Die: 2"]


def test_chance_again_when_the_dice_run_out(rulegame: Call) -> None:
    games = [
        rulegame("play", "race.yaml", "--rolls", "1", "--seed", "5", typed="a\n" * 99).out
        for _ in range(2)
    ]
    assert games[0] == games[1]
    assert games[0].count("Die: ") > 1


def test_words_can_be_rolled(rulegame: Call) -> None:
    result = rulegame("play", "lights.yaml", "--rolls", "red,green", typed="w\nw\n")
    assert result.code == 0
    assert result.out.endswith("Player 2 wins the game!\n")


def test_a_value_that_the_die_does_not_have(rulegame: Call) -> None:
    impossible = rulegame("play", "race.yaml", "--rolls", "6,7")
    assert (impossible.code, impossible.out) == (2, "")
    assert impossible.err == "rulegame: --rolls: '7' is not possible; die can be 1 to 6\n"
    now = rulegame("play", "race.yaml", "--rolls", "6,5", typed="a\n")
    assert now.code == 1
    assert now.err == "Game stopped: die cannot be '5' here; it can be 1, 2, 3, 6.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("race.yaml", "--first", "3"),
        ("race.yaml", "--first", "0"),
        ("race.yaml", "--first", "²"),
        ("race.yaml", "--names", "Ann"),
        ("race.yaml", "--names", "Ann,"),
        ("race.yaml", "--names", "Ann,Ann"),
        ("race.yaml", "--seed", "x"),
        ("race.yaml", "--rolls", "blue"),
        ("race.yaml", "--rolls", "1,,2"),
        ("race.yaml", "--rolls", "²"),
        ("lights.yaml", "--rolls", "blue"),
        ("countdown.yaml", "--rolls", "1"),
        ("race.yaml", "--set", "goal"),
        ("race.yaml", "--unknown"),
        ("nothing.yaml",),
    ],
)
def test_wrong_calls(rulegame: Call, arguments: tuple[str, ...]) -> None:
    result = rulegame("play", *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err


def test_a_ruleset_with_problems(rulegame: Call) -> None:
    result = rulegame("play", "broken.yaml")
    assert result.code == 1
    assert result.out == rulegame("validate", "broken.yaml").out


def test_a_fault_at_run_time(rulegame: Call) -> None:
    result = rulegame("play", "fault.yaml", typed="s\nadd one\ns\n")
    assert result.code == 1
    assert result.out.endswith(
        "Enter your choice (1 or 2): s\n"
        "fault.yaml:9:15: error[E501] "
        "the number 1000000000002000000000001 does not fit in 64 bits\n"
        "    9 |       number: number * number\n"
        "      |               ^^^^^^^^^^^^^^^\n"
        "   see: rulegame explain E501\n"
        "\n"
        "Moves so far: square, add_one, square\n"
    )


def test_what_is_typed_cannot_play_tricks(rulegame: Call) -> None:
    arguments = ("countdown.yaml", "--names", "Ann\x1b[2J,Bob")
    result = rulegame("play", *arguments, typed="\x1b[31m\x00\u202e\n")
    assert r"Ann\x1b[2J's turn." in result.out
    assert r"Choose n: \x1b[31m\x00\u202e" in result.out
    assert not {"\x1b", "\x00", "\u202e"} & set(result.out)


# ---- as a program of its own


def test_input_that_is_not_text() -> None:
    code, out, _ = run_process("play", "countdown.yaml", typed=b"\xff\xfe\r\n3\r\n")
    assert code == 1
    assert b"Player 1: Take 3" in out


def test_an_encoding_without_the_characters() -> None:
    arguments = ("play", "countdown.yaml", "--names", "Zoë,Bob")
    code, out, _ = run_process(*arguments, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert code == 1
    assert rb"Zo\xeb's turn." in out


def test_a_reader_that_goes_away() -> None:
    python = shlex.quote(sys.executable)
    command = f"{python} -m rulegame_cli play countdown.yaml | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command],
        input=b"x\n" * 20_000,
        capture_output=True,
        cwd=RULESETS,
        timeout=WAIT,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"141\n", b"")


def test_no_standard_input_at_all() -> None:
    command = f"{shlex.quote(sys.executable)} -m rulegame_cli play countdown.yaml <&-"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, cwd=RULESETS, timeout=WAIT, check=False
    )
    assert done.returncode == 1
    assert b"Input ended" in done.stderr


def test_no_standard_output_at_all() -> None:
    command = f"{shlex.quote(sys.executable)} -m rulegame_cli validate countdown.yaml >&-"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, cwd=RULESETS, timeout=WAIT, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"rulegame: cannot write: Bad file descriptor\n")


SECRET = """
rulegame: 1
title: Hidden Hands
state:
  each player:
    hand: {type: set of 1..9, seen by: owner}
    points: 0
setup:
  pick:
    choose: {numbers: "subsets(1..9, 2)"}
    effects: {my.hand: numbers}
    secret: true
operations:
  play:
    choose: {n: my.hand}
    effects: {my.hand: "without(my.hand, n)", my.points: my.points + n}
end:
  over: {when: size(my.hand) == 0 and size(their.hand) == 0, payoff: points}
"""


def test_what_a_computer_hides_is_not_printed(rulegame: Call, tmp_path: Path) -> None:
    file = tmp_path / "hidden.yaml"
    file.write_text(SECRET, "utf-8")
    arguments = ("play", str(file), "--vs", "random", "--seed", "5")
    result = rulegame(*arguments, typed="1 2\n1\n2\n")
    mine, *theirs = result.out.split("Player 2's turn.\n")
    assert "Your hand: 1, 2\n" in mine
    for turn in theirs:
        assert re.match(r"Player 1: points \d\nPlayer 2: points \d+\nChoose n: \d\n", turn), turn
    watched = rulegame("play", str(file), "--watch", "--seed", "5")
    assert watched.out.count("Your hand: ") == 4, "nobody to keep a secret from"
