"""Golden sessions: `rulegame play` at a real pseudo-terminal, and through a pipe.

`NAME.txt` beside this file is what the screen shows. Those of the five documented games are the
sample sessions of their documents, letter by letter, played on where a document leaves turns out;
one slip is corrected: the last list of numbers in that of Zero Sum Duel does not fit its rules.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rulegame.bundled import ruleset_names
from support.commands import call
from support.tiers import installed
from waiting import WAIT

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Session:
    """What is called, where a person types (a pattern) and what; picks are typed unseen."""

    arguments: str
    prompt: str
    typed: str
    unseen: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        return [*self.unseen, *(line.strip() for line in self.typed.split("|") if line.strip())]

    @property
    def command(self) -> list[str]:
        return ["play", *self.arguments.split(), "--no-color"]


OPERATION = r"Enter your choice \(.*?\): "

SESSIONS = {
    "dice_duel": Session(
        "dice_duel --rolls 5,6,4,6,1,3",
        r"\(S\)ubtract\? ",
        "A | A | A | A | S | A",
    ),
    "double_or_nothing_31": Session(
        "double_or_nothing_31",
        OPERATION,
        "1 | 2 | 1 | 1 | 1 | 2 | 2 | 2 | 2 | 2 | 2 | 2",
    ),
    "double_or_nothing_31_winning_turn": Session(
        "double_or_nothing_31 --set start=30 --first 2", OPERATION, "2"
    ),
    "double_or_nothing_31_invalid_move": Session(
        "double_or_nothing_31 --set start=29", OPERATION, "1 | 2 | 2"
    ),
    "double_or_nothing_31_no_valid_moves": Session(
        "double_or_nothing_31 --set start=31", OPERATION, ""
    ),
    "zero_sum_duel": Session(
        "zero_sum_duel",
        "Enter a number to subtract: ",
        "5 | 4 | 3 | 5 | 2 | 4 | 5 | 3 | 2 | 4",
    ),
    "number_duel": Session(
        "number_duel", "> ", "5 | + | 4 | + | 3 | + | 1 | + | 2 | +", unseen=("2 3 5", "1 4 6")
    ),
    "double_or_nothing_10": Session(
        "double_or_nothing_10", "> ", "1 | 2 | 2 | 1 | 2 | 2 | 2 | 1 | 1 | 2 | 1"
    ),
    "nim": Session(
        "nim --set heaps=[3,4]",
        r"(Which heap .*?|How many of \d+)\? ",
        "1 | 3 | 2 | 9 | 2 | 1 | 2 | 2",
    ),
    "pig": Session(
        "pig --set target=10 --rolls 6,4,1,5",
        r"(\(R\)oll|\(H\)old|\(R\)oll or \(H\)old)\? ",
        "R | hold | R | roll | 2 | R | H",
    ),
    "tic_tac_toe": Session(
        "tic_tac_toe",
        "Choose (row|column): ",
        "2 | 2 | 1 | 1 | 1 | 1 | 2 | 4 1 | 3 3 | 3 | 1 | place 2 1 | 1 | 3",
    ),
    "dice_duel_multiply": Session(
        "dice_duel_multiply --rolls 5,3,1,6,7 --set sides=8",
        r"\(M\)ultiply\? ",
        "A | M | A | M | M",
    ),
    "misere_nim": Session(
        "misere_nim --set heaps=[1,1,2]",
        r"(Which heap .*?|How many of \d+)\? ",
        "3 | 1 | 2 | 1 | 1 | 2 | 1 | 3 | 1",
    ),
    "three_player_pig": Session(
        "three_player_pig --set target=5 --rolls 1,1,6",
        r"(\(R\)oll|\(H\)old|\(R\)oll or \(H\)old)\? ",
        "R | R | R | H",
    ),
    "triple_or_nothing": Session("triple_or_nothing --set target=12", OPERATION, "2 | 4 | 2 | 1"),
    "zero_sum_sprint": Session(
        "zero_sum_sprint",
        "Enter a number to subtract: ",
        "4 | 4 | 3 | 4 | 2 | 1 | 1 | 3 | 2 | 1 | 4 | 2",
    ),
}

# At a terminal with pictures, a question with one answer is not asked, and lines that list the
# position are left out.
SHORTENED = {
    "double_or_nothing_10",
    "double_or_nothing_31",
    "double_or_nothing_31_invalid_move",
    "double_or_nothing_31_winning_turn",
    "misere_nim",
    "nim",
    "tic_tac_toe",
}
SCORES = r"^Player \d: \d+\n"  # lists what the picture of Pig shows: no words of a document
TERMINAL = {"TERM": "xterm", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}


def golden(name: str) -> str:
    return (HERE / f"{name}.txt").read_text(encoding="utf-8")


def at_a_terminal(session: Session, lines: list[str], *more: str) -> tuple[int, str]:
    """Types each line when there is a prompt; returns the exit code and the screen."""
    pexpect = installed("pexpect")
    child: Any = pexpect.spawn(
        sys.executable,
        ["-m", "rulegame_cli", *session.command, *more],
        env={**os.environ, **TERMINAL},
        encoding="utf-8",
        timeout=WAIT,
        dimensions=(60, 400),
    )
    child.delaybeforesend = None
    child.logfile_read = io.StringIO()
    try:
        for line in lines:
            child.expect(session.prompt)
            child.sendline(line)
        child.expect(pexpect.EOF)
        child.close()
        screen: str = child.logfile_read.getvalue()
        return int(child.exitstatus), screen.replace("\r\n", "\n")
    finally:
        child.close(force=True)


def through_a_pipe(session: Session, lines: list[str]) -> tuple[int, str, str]:
    """The exit code, and what was printed to both streams."""
    done = subprocess.run(
        [sys.executable, "-m", "rulegame_cli", *session.command],
        input="".join(line + "\n" for line in lines).encode("utf-8", "surrogateescape"),
        capture_output=True,
        env={**os.environ, **TERMINAL},
        timeout=WAIT,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def in_this_process(session: Session, lines: list[str]) -> tuple[int, str, str]:
    """The same without a process of its own."""
    typed = "".join(line + "\n" for line in lines)
    done = call(*session.command, typed=typed, folder=HERE, environment=TERMINAL)
    assert isinstance(done.code, int)
    return done.code, done.out, done.err


WAYS = pytest.mark.parametrize(
    "play", [in_this_process, pytest.param(through_a_pipe, marks=pytest.mark.full)]
)
Play = Callable[[Session, list[str]], tuple[int, str, str]]


def test_every_bundled_ruleset_has_a_session() -> None:
    assert set(ruleset_names("games", "variants")) <= set(SESSIONS)
    assert {path.stem for path in HERE.glob("*.txt")} == set(SESSIONS)


@pytest.mark.full
@pytest.mark.parametrize("name", SESSIONS)
def test_at_a_terminal(name: str) -> None:
    session = SESSIONS[name]
    expected = golden(name)
    for pick in session.unseen:
        expected = expected.replace(f"> {pick}\n", "> \n")
    code, screen = at_a_terminal(session, session.lines, "--plain")
    assert (code, screen) == (0, expected)
    if name in SHORTENED:
        return
    code, screen = at_a_terminal(session, session.lines, "--no-color", "--no-handover", "--once")
    words = re.sub(r"^[╭│╰].*\n", "", screen, flags=re.MULTILINE)  # beside the pictures
    hint = "Type help for what you can type.\n"
    assert words.count(hint) == bool(session.lines)  # at the first prompt
    words = words.replace(hint, "").replace("(not shown) ", "")
    assert (code, dense(words)) == (0, dense(re.sub(SCORES, "", expected, flags=re.MULTILINE)))


def dense(text: str) -> str:
    """A transcript without the blank lines in whose place a screen has pictures."""
    return re.sub(r"\n{2,}", "\n", text)


@WAYS
@pytest.mark.parametrize("name", SESSIONS)
def test_lines_from_a_pipe(name: str, play: Play) -> None:
    """Each line that is read is echoed, so the transcript is the same."""
    session = SESSIONS[name]
    assert play(session, session.lines) == (0, golden(name), "")


# ---- nonsense

NONSENSE = [
    "",
    "   ",
    "xyzzy",
    "0",
    "-1",
    "1.5",
    "99999999999999999999999999999999",
    "9" * 5000,
    "1 2 3 4 5 6 7 8 9 10",
    "one",
    "none",
    "\u0663",  # an Arabic three
    "\uff11",  # a wide one
    "\u00bd",
    "é – √ 🎲",
    "\x00",
    "\x07\x1b[2J\x1b]0;title\x07",
    "\u202e1",  # what follows is written from right to left
    "\udcff\udcfe",  # bytes that are no text
    "x" * 100_000,
    "{number}",
    "play 1",
]

# What answers a line that is no option; it names what can be typed.
ANSWERS = {
    "dice_duel": r"^Invalid choice\. Please enter A or S\.$",
    "double_or_nothing_31": r"^Invalid choice\. Please enter (1 or 2)\.$",
    "double_or_nothing_10": r"^Invalid action\. Please enter (1 or 2)\.$",
    "zero_sum_duel": r"^Invalid choice\. Please enter one of these numbers: [1-5, ]+\.$",
    "number_duel": (
        r"^(Invalid choice\. Please enter one of these: ([1-9, ]+|\+, -, \*, /)"
        r"|Please enter three different numbers between 1 and 9, separated by spaces\.)$"
    ),
    "nim": r"is not an option here\. You can type [1-4, or]+\.$",
    "pig": r"is not an option here\. You can type (R|H|R or H)\.$",
    "tic_tac_toe": r"is not an option here\. You can type [1-3, or]+\.$",
}


def typed_before_each_line(lines: list[str], nonsense: list[str]) -> list[str]:
    return [typed for line in lines for typed in (*nonsense, line)]


@WAYS
@pytest.mark.parametrize("name", ANSWERS)
def test_nonsense_is_answered_with_what_can_be_typed(name: str, play: Play) -> None:
    """At every prompt of a game; and the game goes on as if nothing had been."""
    session, answer = SESSIONS[name], re.compile(ANSWERS[name], re.MULTILINE)
    refused_anyway = len(answer.findall(golden(name)))
    lines = typed_before_each_line(session.lines, NONSENSE)
    code, printed, errors = play(session, lines)
    assert (code, errors) == (0, "")
    assert len(answer.findall(printed)) == len(session.lines) * len(NONSENSE) + refused_anyway
    assert printed.splitlines()[-1] == golden(name).splitlines()[-1]
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", printed)


@pytest.mark.full
@pytest.mark.parametrize("name", ["dice_duel", "number_duel", "nim"])
def test_nonsense_at_a_terminal(name: str) -> None:
    session, answer = SESSIONS[name], re.compile(ANSWERS[name], re.MULTILINE)
    nonsense = ["", "xyzzy", "99999999999999999999999999999999", "é – √", "x" * 200]
    code, screen = at_a_terminal(
        session,
        typed_before_each_line(session.lines[:4], nonsense) + session.lines[4:],
        "--plain",
    )
    assert code == 0
    refused_anyway = len(answer.findall(golden(name)))
    asked = min(4, len(session.lines))
    assert len(answer.findall(screen)) == asked * len(nonsense) + refused_anyway
    assert screen.splitlines()[-1] == golden(name).splitlines()[-1]
