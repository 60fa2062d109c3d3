"""Output that cannot be written: a full disk, no output at all, a reader that goes away."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import Call
from rulegame_cli.main import COMMANDS
from support.rulesets import RULESETS
from waiting import WAIT

FULL = Path("/dev/full")
SAVES = Path(__file__).parents[1] / "saves_0_1"

# A call of each command that prints something.
CALLS = {
    "play": "play countdown.yaml --no-save",
    "resume": "resume FOLDER/pig.jsonl --anyway",
    "replay": "replay FOLDER/pig.jsonl --anyway",
    "history": "history",
    "list": "list",
    "show": "show countdown.yaml",
    "rules": "rules countdown.yaml",
    "new": "new FOLDER/mine.yaml",
    "validate": "validate countdown.yaml",
    "test": "test countdown.yaml",
    "prove": "prove nim",
    "solve": "solve countdown.yaml",
    "simulate": "simulate countdown.yaml --games 5",
    "sweep": "sweep countdown.yaml --vary pile=1 --jobs 1",
    "rate": "rate countdown.yaml --players random,greedy --games 2 --seed 1 --jobs 1",
    "export": "export countdown.yaml --to csv",
    "fmt": "fmt FOLDER/unformatted.yaml --diff",
    "diff": "diff countdown.yaml race.yaml",
    "explain-move": "explain-move countdown.yaml --move 'take 9'",
    "explain": "explain E302",
    "lsp": "lsp",
    "studio": "studio FOLDER --no-browser --port 0",
    "cache": "cache",
}
BODY = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}'
TYPED = {"lsp": b"Content-Length: %d\r\n\r\n%s" % (len(BODY), BODY), "new": b"\n" * 20}


def ended(call: str, typed: bytes = b"") -> tuple[int, str]:
    """The exit code of a call, and what stands on its standard error."""
    done = subprocess.run(
        ["bash", "-c", f"{shlex.quote(sys.executable)} -m rulegame_cli {call}"],
        input=typed,
        capture_output=True,
        cwd=RULESETS,
        timeout=WAIT,
        check=False,
    )
    return done.returncode, done.stderr.decode()


def test_every_command_is_tried() -> None:
    assert set(CALLS) == set(COMMANDS)


@pytest.mark.full
@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", CALLS)
def test_a_full_disk(command: str, tmp_path: Path) -> None:
    shutil.copy(SAVES / "pig.jsonl", tmp_path)
    (tmp_path / "unformatted.yaml").write_text((SAVES / "countdown.yaml").read_text() + "\n\n\n")
    call = CALLS[command].replace("FOLDER", shlex.quote(str(tmp_path)))
    code, errors = ended(f"{call} >/dev/full", TYPED.get(command, b""))
    assert code == 1
    assert errors.splitlines()[-1] == "rulegame: cannot write: No space left on device"


@pytest.mark.quick(2)
@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("--help >/dev/full", (1, "rulegame: cannot write: No space left on device\n")),
        ("--version >/dev/full", (1, "rulegame: cannot write: No space left on device\n")),
        ("solve --help >&-", (1, "rulegame: cannot write: Bad file descriptor\n")),
        ("play countdown.yaml --no-save >&-", (1, "rulegame: cannot write: Bad file descriptor\n")),
        ("lsp >&-", (1, "rulegame: cannot write: Bad file descriptor\n")),
        ("play nothing >&- 2>&-", (2, "")),
        ("play countdown.yaml --no-save >/dev/full 2>&1", (1, "")),
        ("play nothing 2>/dev/full", (2, "")),
        ("validate countdown.yaml 2>/dev/full", (0, "")),
        ("list --oops 2>/dev/full", (2, "")),
        ("simulate nim --games 5 --output /dev/null >&-", (0, "")),
    ],
)
def test_other_ways_to_lose_what_is_printed(call: str, expected: tuple[int, str]) -> None:
    assert ended(call) == expected


@pytest.mark.parametrize("call", ["explain E302", "list", "--help"])
def test_a_reader_that_is_gone(call: str) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(
        [sys.executable, "-m", "rulegame_cli", *call.split()],
        stdout=theirs,
        stderr=subprocess.PIPE,
        timeout=WAIT,
        check=False,
    )
    os.close(theirs)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_file_never_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """The save would get the number of standard error, and with it what is printed there."""
    save = tmp_path / "save.jsonl"
    ended(f"play countdown.yaml --save {shlex.quote(str(save))} 2>&-", b"1\n")
    assert save.read_bytes().count(b"\n") == 3
    assert ended(f"replay {shlex.quote(str(save))} --check")[0] == 0


# ---- files that are asked for

OUTPUTS = {
    "simulate": ("simulate", "countdown.yaml", "--games", "5"),
    "sweep": ("sweep", "countdown.yaml", "--vary", "pile=1", "--jobs", "1"),
}


@pytest.mark.parametrize("command", OUTPUTS)
@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("/dev/full", "No space left on device"),
        ("no/such/folder", "does not exist"),
        (".", "is a folder"),
        ("x" * 300, "File name too long"),
    ],
)
def test_output_that_cannot_be_written(
    rulegame: Call, command: str, place: str, reason: str
) -> None:
    result = rulegame(*OUTPUTS[command], "--output", place)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("rulegame: --output: ")
    assert reason in result.err and "Errno" not in result.err


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
@pytest.mark.parametrize("command", OUTPUTS)
def test_a_folder_that_is_read_only(rulegame: Call, command: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    result = rulegame(*OUTPUTS[command], "--output", str(tmp_path / "report"))
    tmp_path.chmod(0o700)
    assert (result.code, result.out) == (2, "")
    assert "cannot write" in result.err
