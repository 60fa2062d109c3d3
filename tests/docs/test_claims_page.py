"""The page about claims shows what really happens."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "claims.md").read_text("utf-8")
FILES = re.findall(r"<!-- file: (\S+) -->\n```yaml\n(.*?)```", PAGE, re.S)
CONSOLE = re.findall(r"```console\n\$ rulegame (.*?)\n(.*?)```", PAGE, re.S)


@pytest.mark.parametrize(("command", "printed"), CONSOLE, ids=[c for c, _ in CONSOLE])
def test_commands(command: str, printed: str, tmp_path: Path) -> None:
    for name, text in FILES:
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "rulegame_cli", *shlex.split(command)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert (done.stdout, done.stderr) == (printed, "")


def test_library() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(block, {}, "claims", "claims.md", 0))
    assert (runner.tries > 3, runner.failures) == (True, 0)
