"""`rulegame studio` as it is called: what it says when cannot be opened."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from waiting import WAIT


def called(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, timeout=WAIT, check=False
    )


def test_wrong_calls_are_told_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        calls = {
            "No folder or ruleset 'nowhere'.": ["nowhere"],
            "--port: expected a number from 0 to 65535, not '99999'": ["--port", "99999"],
            "address already in use": ["--port", str(taken.getsockname()[1])],
            "Cannot start the studio at 192.0.2.7": ["--host", "192.0.2.7", "--port", "0"],
        }
        for said, words in calls.items():
            done = called("-m", "rulegame_cli", "studio", "--no-browser", *words)
            assert done.returncode == 2 and said in done.stderr, done.stderr
            assert done.stderr.count("\n") == 1
