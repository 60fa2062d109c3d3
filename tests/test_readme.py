"""The README shows what really happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import consoles

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = consoles.blocks(ROOT / "README.md")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.S)
TYPED = {"rulegame play countdown.yaml --set pile=5": "3\n3\n1\n1\n"}


@pytest.mark.parametrize("block", BLOCKS, ids=[block.command for block in BLOCKS])
def test_commands(block: consoles.Block, tmp_path: Path) -> None:
    done = consoles.run(block, tmp_path, TYPED.get(block.command, ""))
    assert done.stdout == block.printed
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
