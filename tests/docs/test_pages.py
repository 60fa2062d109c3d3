"""The pages for users show what really happens."""

from __future__ import annotations

import doctest
import re
import textwrap
from pathlib import Path

import pytest

import rulegame
from rulegame.loading import load_ruleset
from rulegame.ruletests.running import run_tests
from support.tiers import library

from .pages import Block, blocks, is_whole, run_page

DOCS = Path(__file__).parents[2] / "docs"
REST = Path(__file__).parent / "parts"  # what surrounds a part, with `# PART` in its place
PAGES = [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))]
RULESETS = [
    pytest.param(page, block.text, block.remarks, id=f"{page.stem}-{k}")
    for page in PAGES
    for k, block in enumerate(blocks(page.read_text("utf-8")))
    if block.kind == "yaml" and is_whole(block.text)
]

PARTS = [
    pytest.param(block, id=f"{page.stem}-{k}")
    for page in PAGES
    for k, block in enumerate(blocks(page.read_text("utf-8")))
    if block.kind == "yaml" and not is_whole(block.text) and "fragment" not in block.remarks
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_console_blocks(page: Path, tmp_path: Path) -> None:
    for block, printed in run_page(page, tmp_path):
        assert block.text == printed


@pytest.mark.parametrize(("page", "text", "remarks"), RULESETS)
def test_whole_rulesets_are_valid_and_their_tests_pass(
    page: Path, text: str, remarks: dict[str, str], tmp_path: Path
) -> None:
    for block in blocks(page.read_text("utf-8")):  # a variant needs the files before it
        if block.text == text:
            break
        if "file" in block.remarks:
            (tmp_path / block.remarks["file"]).write_text(block.text, "utf-8")
    file = tmp_path / remarks.get("file", "example.yaml")
    file.write_text(text, "utf-8")
    ruleset, diagnostics = load_ruleset(file)
    if "broken" in remarks:
        assert [d.code for d in diagnostics] == remarks["broken"].split()
        return
    assert ruleset is not None, diagnostics
    assert all(result.failures == () for result in run_tests(file).results)


@pytest.mark.parametrize("block", PARTS)
def test_parts_of_rulesets_fit_into_a_whole_one(block: Block, tmp_path: Path) -> None:
    rest = (REST / f"{block.remarks['part']}.yaml").read_text("utf-8")
    (indent,) = re.findall(r"^( *)# PART$", rest, re.MULTILINE)
    text = rest.replace(f"{indent}# PART\n", textwrap.indent(block.text, indent))
    file = tmp_path / "whole.yaml"
    file.write_text(text, "utf-8")
    ruleset, diagnostics = load_ruleset(file)
    assert ruleset is not None, diagnostics
    assert all(result.failures == () for result in run_tests(file).results)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_blocks(page: Path) -> None:
    """`<!-- needs NAME -->` names a library that the examples of a page import."""
    for name in re.findall(r"<!-- needs (\w+) -->", page.read_text("utf-8")):
        library(name)
    runner = doctest.DocTestRunner()
    code = re.findall(r"```python\n(>>> .*?)```", page.read_text("utf-8"), re.DOTALL)
    runner.run(doctest.DocTestParser().get_doctest("\n".join(code), {}, page.stem, page.name, 0))
    assert runner.failures == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#:]+)[)#]", page.read_text("utf-8")):
        assert (page.parent / link).exists(), link


def test_the_page_of_the_library_has_every_public_name() -> None:
    """Each with an example."""
    page = (DOCS / "library.md").read_text("utf-8")
    examples = " ".join(re.findall(r"```python\n(>>> .*?)```", page, re.DOTALL))
    used = set(re.findall(r"rulegame\.(\w+)", examples))
    assert [name for name in rulegame.__all__ if name not in used] == []
    said = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", page.replace("```", "")))))
    assert [name for name in rulegame.__all__ if name not in said] == []
