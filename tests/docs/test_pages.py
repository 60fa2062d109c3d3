"""The pages of documentation show what really happens."""

from __future__ import annotations

import doctest
import os
import re
from pathlib import Path

import pytest

import consoles

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [DOCS / f"{name}.md" for name in ("rulebooks", "comparing", "explaining")]
BLOCKS = [block for page in PAGES for block in consoles.blocks(page)]


@pytest.mark.parametrize("block", BLOCKS, ids=[f"{b.page.stem}: {b.command}" for b in BLOCKS])
def test_commands(block: consoles.Block, tmp_path: Path) -> None:
    done = consoles.run(block, tmp_path)
    if os.environ.get(consoles.UPDATE):
        consoles.renewed(block, done.stdout)
        return
    assert done.stdout == block.printed
    assert done.stderr == ""


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_library(page: Path) -> None:
    runner = doctest.DocTestRunner()
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
        runner.run(doctest.DocTestParser().get_doctest(block, {}, page.stem, str(page), 0))
    assert runner.failures == 0


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link
