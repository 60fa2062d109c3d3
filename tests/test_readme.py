"""The README shows what really happens."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = re.findall(r"<!-- file: (\S+) -->\n```yaml\n(.*?)```", README, re.S)
CONSOLE = re.findall(r"```console\n\$ (.*?)\n(.*?)```", README, re.S)
PYTHON = re.findall(r"```python\n(.*?)```", README, re.S)
TYPED = {"rulegame play countdown.yaml --set pile=5": "3\n3\n1\n1\n"}


@pytest.mark.parametrize(("command", "printed"), CONSOLE, ids=[c for c, _ in CONSOLE])
def test_commands(command: str, printed: str, tmp_path: Path) -> None:
    for name, text in FILES:
        (tmp_path / name).write_text(text, encoding="utf-8")
    program, *arguments = command.split()
    assert program == "rulegame"
    done = subprocess.run(
        [sys.executable, "-m", "rulegame_cli", *arguments],
        input=TYPED.get(command, ""),
        cwd=tmp_path,
        env={**os.environ, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.stdout == printed
    assert done.stderr == ""


def test_library() -> None:
    assert PYTHON
    runner = doctest.DocTestRunner()
    for block in PYTHON:
        runner.run(doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0))
    assert runner.failures == 0


def test_the_two_commands_stand_on_top() -> None:
    first, second = re.findall(r"```sh\n(.*?)\n```", README)[:2]
    assert first == "pip install . && rulegame play rulesets/zero_sum_duel.yaml"
    assert second == 'pip install -e ".[test]" && pytest'


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", README))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()
