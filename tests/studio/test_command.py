"""`rulegame studio` as it is called: what it says when it cannot be opened."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from waiting import WAIT

MISSING = (
    "import sys; sys.modules['uvicorn'] = None; sys.argv = ['rulegame', 'studio', '--no-browser']\n"
    "from rulegame_cli.main import main; main()"
)


def called(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, timeout=WAIT, check=False
    )


def test_without_its_libraries_it_says_what_to_install() -> None:
    done = called("-c", MISSING)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == ('rulegame studio needs more libraries: pip install "rulegame[studio]"\n')


def test_wrong_calls_are_told_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="the studio needs its extra: rulegame[studio]")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        calls = {
            "there is no folder and no ruleset 'nowhere'": ["nowhere"],
            "--port: expected a number from 0 to 65535, not '99999'": ["--port", "99999"],
            "address already in use": ["--port", str(taken.getsockname()[1])],
            "the studio cannot be opened at 192.0.2.7": ["--host", "192.0.2.7", "--port", "0"],
        }
        for said, words in calls.items():
            done = called("-m", "rulegame_cli", "studio", "--no-browser", *words)
            assert done.returncode == 2 and said in done.stderr, done.stderr
            assert done.stderr.count("\n") == 1
