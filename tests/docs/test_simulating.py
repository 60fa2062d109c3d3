"""The page about simulating shows what really happens."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "simulating.md"
CONSOLE = re.findall(r"```console\n\$ rulegame (.*?)\n(.*?)```", PAGE.read_text("utf-8"), re.S)
PYTHON = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)


@pytest.mark.parametrize(("command", "printed"), CONSOLE, ids=[c for c, _ in CONSOLE])
def test_commands(command: str, printed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rulegame_cli", *command.split()],
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "80"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    if os.environ.get("RULEGAME_UPDATE_GOLDEN"):
        page = PAGE.read_text("utf-8")
        before = f"$ rulegame {command}\n"
        PAGE.write_text(page.replace(before + printed, before + done.stdout), "utf-8")
        printed = done.stdout
    assert (done.stdout, done.stderr) == (printed, "")


def test_library() -> None:
    assert len(PYTHON) == 2
    runner = doctest.DocTestRunner()
    test = doctest.DocTestParser().get_doctest("\n".join(PYTHON), {}, "simulating", str(PAGE), 0)
    runner.run(test)
    assert runner.failures == 0
