"""`rulegame play` at a real pseudo-terminal."""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import sys
from pathlib import Path

import pytest

from cli.commands.test_play import COUNTDOWN
from cli.table.screens import ENVIRONMENT, screen
from support.rulesets import RULESETS
from support.tiers import installed
from waiting import WAIT

pytestmark = pytest.mark.full

pexpect = installed("pexpect")


PICTURE = re.compile(r"^\W*[╭│╰].*\n", re.MULTILINE)


def words(printed: str) -> str:
    """What was printed beside the pictures of positions, without colour."""
    plain = PICTURE.sub("", re.sub(r"\x1b\[[0-9;]*m", "", printed))
    return plain.replace("Type help for what you can type.\n", "", 1)


# The picture stands between two turns and shows what is left.
AT_A_SCREEN = re.sub("Left: .\\n", "", COUNTDOWN).replace("Take 1\n\n", "Take 1\n")


def test_beside_the_pictures_the_screen_is_the_transcript() -> None:
    arguments = ("play", "countdown.yaml", "--set", "pile=4", "--names", "Ann,Bob", "--once")
    for more, environment in ((("--no-color",), {}), ((), {"NO_COLOR": "1"})):
        with screen(*arguments, *more, **environment) as game:
            game.answer("Choose n: ", "1")
            game.answer("Choose n: ", "3")
            assert game.finish() == 0
            assert "\x1b[3" not in game.printed
            assert words(game.printed) == AT_A_SCREEN


def test_colour_changes_no_word() -> None:
    arguments = ("play", "countdown.yaml", "--set", "pile=4", "--names", "Ann,Bob", "--once")
    with screen(*arguments) as game:
        game.answer("Choose n: ", "1")
        game.answer("Choose n: ", "3")
        assert game.finish() == 0
        assert "\x1b[1mChoose n: \x1b[0m" in game.printed
        assert "\x1b[1;36mAnn's turn.\x1b[0m" in game.printed
        assert words(game.printed) == AT_A_SCREEN


def test_a_line_can_be_edited() -> None:
    installed("readline")
    with screen("play", "countdown.yaml", "--no-color") as game:
        game.answer("Choose n: ", "7\x7f3\x1b[D\x1b[C")
        game.child.expect_exact("Player 1: Take 3")


def test_end_of_input() -> None:
    with screen("play", "countdown.yaml", "--no-color") as game:
        game.child.expect_exact("Choose n: ")
        game.child.sendeof()
        assert game.finish() == 1
        assert game.printed.endswith("Choose n: \nInput ended. The game was not saved.\n")


def test_interrupt() -> None:
    with screen("play", "countdown.yaml", "--no-color") as game:
        game.child.expect_exact("Choose n: ")
        game.child.sendintr()
        assert game.finish() == 130
        assert game.printed.endswith("\nInterrupted.\n")
        assert "Traceback" not in game.printed


def test_what_is_left_behind_a_move_can_be_gone_on_with() -> None:
    with screen("play", "countdown.yaml", "--no-color") as game:
        game.answer("Choose n: ", "1")
        game.child.expect_exact("Choose n: ")
        game.child.sendintr()
        assert game.finish() == 130
        kept = "Game saved; continue with `rulegame resume`."
        assert game.printed.endswith(f"\nInterrupted. {kept}\n")
    with screen("resume", "--no-color") as game:
        game.child.expect_exact("left 20")
        game.child.expect_exact("Choose n: ")
        game.child.sendeof()
        assert game.finish() == 1
        assert game.printed.endswith(f"\nInput ended. {kept}\n")


def test_secrets_are_not_shown() -> None:
    with screen("play", "secret.yaml", "--no-color", "--once") as game:
        game.answer("is looking away. ", "")
        game.child.expect_exact("Choose n: ")
        assert not game.child.getecho()
        game.child.sendline("8")
        game.answer("is looking away. ", "")
        game.child.expect_exact("Choose n: ")
        game.child.sendline("7")
        game.answer("is looking away. ", "")
        game.answer("(1 or 2): ", "show")
        assert game.finish() == 0
        assert game.printed.count("Choose n: (not shown) \n") == 2
        assert "show\n" in game.printed
        played, _, end = game.printed.rpartition("show\n")
        assert not re.findall("[78]", words(played).replace("7, 8 or 9", ""))
        assert "pick 7" in end  # when it is over nothing is hidden


@pytest.mark.parametrize(("end", "code"), [("sendeof", 1), ("sendintr", 130), ("terminate", 143)])
def test_the_terminal_echoes_again_after_a_secret(end: str, code: int) -> None:
    call = f"{sys.executable} -m rulegame_cli play secret.yaml --no-handover"
    shell = f"{call}; echo code $?; read line"
    child = pexpect.spawn(
        "bash",
        ["-c", f"trap : INT; {shell}"],
        cwd=str(RULESETS),
        encoding="utf-8",
        timeout=WAIT,
    )
    try:
        child.expect_exact("Choose n: ")
        if end == "terminate":
            children = Path(f"/proc/{child.pid}/task/{child.pid}/children")
            if not children.exists():
                pytest.skip("no way to find the process")
            os.kill(int(children.read_text().split()[0]), signal.SIGTERM)
        else:
            getattr(child, end)()
        child.expect_exact(f"code {code}\r\n")
        assert child.getecho()
    finally:
        child.close(force=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs a shell with job control")
@pytest.mark.parametrize("secret", [False, True])
def test_a_game_can_be_stopped_and_goes_on(secret: bool) -> None:
    name, prompt = ("secret.yaml", "Choose n: ") if secret else ("wordy.yaml", "): ")
    child = pexpect.spawn(
        "bash",
        ["--norc", "--noprofile", "--noediting", "-i"],
        cwd=str(RULESETS),
        env={**os.environ, **ENVIRONMENT, "PS1": "shell> "},
        encoding="utf-8",
        timeout=WAIT,
    )
    log = io.StringIO()
    child.logfile_read = log
    try:
        child.expect_exact("shell> ")
        options = "--no-color --no-save --no-handover"
        child.sendline(f"{sys.executable} -m rulegame_cli play {name} {options}")
        child.expect_exact(prompt)
        if not secret:
            child.send("un")
            child.expect_exact("un")
        child.sendcontrol("z")
        child.expect_exact("shell> ")
        assert child.getecho()
        child.sendline("fg")
        child.expect_exact(prompt if secret else f"{prompt}un")
        shown = len(log.getvalue())
        child.sendline("8" if secret else "do")
        child.expect_exact(prompt if secret else "Player 1: Undo")
        assert "8" not in log.getvalue()[shown:].replace("7, 8", "")
        child.sendline(":quit")
        child.expect_exact("shell> ")
        assert child.getecho()
    finally:
        child.close(force=True)


THINKING = ("play", "tic_tac_toe", "--vs", "search:1500ms", "--seat", "2", "--no-color")


def test_a_computer_that_thinks_says_so() -> None:
    with screen(*THINKING) as game:
        game.child.expect_exact("\rthinking\x1b[K")
        game.child.expect_exact("\r\x1b[K")
        game.child.expect_exact("Player 2's turn")


def test_a_computer_that_thinks_can_be_interrupted() -> None:
    with screen(*THINKING[:3], "search:60s", *THINKING[4:]) as game:
        game.child.expect_exact("thinking")
        game.child.sendintr()
        assert game.finish() == 130
        assert game.printed.endswith("Interrupted.\n")


def test_a_hint_can_be_interrupted_and_the_game_goes_on() -> None:
    with screen("play", "tic_tac_toe", "--set", "size=9", "--set", "line=5", "--no-color") as game:
        game.answer("Choose row: ", "hint")
        game.child.expect_exact("\x1b[K")  # the line that says what is being done
        game.child.sendintr()
        game.child.expect_exact("Hint interrupted.")
        game.answer("Choose row: ", "quit")
        assert game.finish() == 0


@pytest.mark.parametrize("dumb", [False, True])
def test_thinking_moves_no_cursor_where_that_is_not_wanted(dumb: bool) -> None:
    more, environment = ((), {"TERM": "dumb"}) if dumb else (("--plain",), {})
    with screen(*THINKING, *more, **environment) as game:
        game.child.expect_exact("thinking\r\n")
        game.child.expect_exact("Player 2's turn")
        assert "\x1b" not in game.printed and not re.search(r"\r(?!\n)", game.printed)


def test_what_is_being_done_never_wraps() -> None:
    program = (
        "from rulegame_cli.printing.progress import working\n"
        "with working() as progress:\n"
        "    progress('Exploring positions', 12345678, None)\n"
        "    input()\n"
    )
    child = pexpect.spawn(
        sys.executable,
        ["-c", program],
        encoding="utf-8",
        timeout=WAIT,
        dimensions=(24, 20),
        echo=False,
    )
    child.expect_exact("\x1b[K")
    assert child.before == "\rExploring positions"[:20]
    child.sendline("")
    child.expect(pexpect.EOF)
    assert child.before == "\r\x1b[K"
    child.close()


AHEAD = """
rulegame: 1
title: Typed Ahead
players: [Computer, Ann, Bob]
state:
  left: 8
  each player:
    hand: {start: 0, seen by: owner}
operations:
  take:
    choose: {n: 1..3}
    effects: {left: left - n}
  lay:
    secret: true
    choose: {k: 1000..9999}
    effects: {my.hand: k, left: left - 1}
stuck: draw
end:
  empty: {when: left <= 0, result: win}
texts:
  turn: "{my.name}'s turn."
"""


@pytest.mark.parametrize("plain", [(), ("--plain",)], ids=["edited", "plain"])
def test_what_is_typed_ahead_of_a_secret_prompt_is_not_shown(
    plain: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "ahead.yaml"
    file.write_text(AHEAD, "utf-8")
    seats = ("--players", "search:700ms,human,human", "--no-handover", "--no-save", "--no-color")
    with screen("play", str(file), *seats, *plain) as game:
        game.child.expect_exact("Computer's turn." if plain else "Welcome to Typed Ahead!")
        assert not game.child.getecho()
        game.child.sendline("lay 4711")  # the computer thinks
        game.child.expect_exact("Bob's turn.")
        game.answer("Enter your choice", "history")
        game.child.expect_exact(f"Ann: {'lay' if plain else 'Lay'} (secret)")
        game.child.sendline(":quit")
        assert game.finish() == 0
        assert "4711" not in words(game.printed)  # in their own picture they see what they hold


def test_what_was_typed_before_secrets_are_kept_is_no_secret(tmp_path: Path) -> None:
    """It was on the screen before the game could hide it: nobody may play it as a secret."""
    options = "--no-save --no-handover --no-color"
    shell = f"sleep 1; {sys.executable} -m rulegame_cli play secret.yaml {options}"
    child = pexpect.spawn("bash", ["-c", shell], cwd=str(RULESETS), encoding="utf-8", timeout=WAIT)
    try:
        child.sendline("8")
        child.expect_exact("Choose n: ")
        child.sendline(":state")
        child.expect_exact("pick 0")
    finally:
        child.close(force=True)


def test_a_mistyped_secret_is_not_repeated() -> None:
    with screen("play", "secret.yaml", "--no-color", "--no-save", "--no-handover") as game:
        for typed in ("pick77", ":seventy", "choose_number 77", "77"):
            game.answer("Choose n: ", typed)
        game.answer("Choose n: ", ":quit")
        assert game.finish() == 0
        assert "77" not in game.printed and "seventy" not in game.printed
