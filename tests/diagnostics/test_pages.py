"""The pages in docs/errors/: one for each code, and what they show is what happens."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from diagnostics.pages import FOLDER, Page, codes_of_the_engine, problems_of, read_page, whole
from rulegame.diagnostics import Diagnostic
from rulegame_cli.printing.reporters import problem_lines
from rulegame_cli.printing.terminal import Style

PAGES = [read_page(path) for path in sorted(FOLDER.glob("E*.md"))]
SHOWN = [page for page in PAGES if page.yaml]
UNSHOWN = {"E101", "E102", "E103", "E110", "E114", "E214"}  # no snippet can be like that


def problems(snippet: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Diagnostic, ...]:
    monkeypatch.chdir(folder)
    (folder / "game.yaml").write_text(whole(snippet), "utf-8")
    return problems_of("game.yaml")


def said(diagnostic: Diagnostic) -> str:
    """The report as a page shows it, without the line that leads to the page."""
    lines = problem_lines(diagnostic, Style(False))
    return "".join(line + "\n" for line in lines if "see: rulegame explain" not in line)


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {page.code for page in PAGES} == codes_of_the_engine()


def test_the_index_lists_all() -> None:
    index = (FOLDER / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| \[(E\d+)\]\((E\d+)\.md\) \| (.+) \|$", index, re.MULTILINE)
    assert rows == [(p.code, p.code, p.title.partition(": ")[2]) for p in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.code))
def test_form(page: Page) -> None:
    assert re.fullmatch(rf"# {page.code}: \S.+", page.title)
    expected = (0, 0) if page.code in UNSHOWN else (2, 1)
    assert (len(page.yaml), len(page.said)) == expected


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: str(page.code))
def test_the_wrong_snippet_has_its_problem(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = problems(page.yaml[0], tmp_path, monkeypatch)
    assert [d.code for d in found] == [page.code]
    path = FOLDER / f"{page.code}.md"
    if os.environ.get("RULEGAME_UPDATE_GOLDEN"):
        text = path.read_text("utf-8").replace(
            f"```text\n{page.said[0]}", f"```text\n{said(found[0])}"
        )
        path.write_text(text, "utf-8")
    assert read_page(path).said == (said(found[0]),)


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: str(page.code))
def test_the_right_snippet_has_none(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert problems(page.yaml[1], tmp_path, monkeypatch) == ()
