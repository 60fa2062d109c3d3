"""The pages in docs/errors/: one for each code, and what they show is what happens."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest

from diagnostics.pages import FOLDER, ROOT, Page, problems_of, read_page, reported_codes, whole
from rulegame.codes import CODES, GROUPS
from rulegame.diagnostics import Diagnostic
from rulegame_cli.printing.reporters import problem_lines
from rulegame_cli.printing.terminal import Style

PAGES = [read_page(path) for path in sorted(FOLDER.glob("E*.md"))]
SHOWN = [page for page in PAGES if page.yaml]
CODE_OR_PREFIX = re.compile("E[1-5][0-9]{0,2}")
UNSHOWN = {"E101", "E102", "E103", "E110", "E114", "E214"}  # no snippet can be like that


def problems(snippet: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Diagnostic, ...]:
    monkeypatch.chdir(folder)
    (folder / "game.yaml").write_text(whole(snippet), "utf-8")
    return problems_of("game.yaml")


def said(diagnostic: Diagnostic) -> str:
    """The report as a page shows it, without the line that leads to the page."""
    lines = problem_lines(diagnostic, Style(False))
    return "".join(line + "\n" for line in lines if "see: rulegame explain" not in line)


def test_every_code_has_a_page_with_its_title() -> None:
    assert {page.code: page.title for page in PAGES} == {
        row.code: f"# {row.code}: {row.title}" for row in CODES.values()
    }


def test_every_code_is_reported_unless_it_is_retired() -> None:
    assert reported_codes() == {row.code for row in CODES.values() if not row.retired}


def test_the_registry_is_in_order_without_duplicates() -> None:
    rows = list(CODES.values())
    assert rows == sorted(rows, key=lambda row: row.code)
    assert len({row.title for row in rows}) == len(rows)
    assert all(row.code[1] == row.group.name[1] for row in rows)


def index() -> str:
    """The tables of docs/errors/README.md."""
    lines = []
    for group in GROUPS:
        lines += ["", f"## {group.name}: {group.title}", ""]
        lines += ["| code | meaning |", "| --- | --- |"]
        for row in CODES.values():
            if row.group == group:
                retired = " (retired)" if row.retired else ""
                lines.append(f"| [{row.code}]({row.page}) | {row.title}{retired} |")
    return "\n".join(lines) + "\n"


def test_the_index_lists_all() -> None:
    path = FOLDER / "README.md"
    opening, mark, _ = path.read_text("utf-8").partition("\n## ")
    assert mark
    if os.environ.get("RULEGAME_UPDATE_GOLDEN"):
        path.write_text(opening + index(), "utf-8")
    assert path.read_text("utf-8") == opening + index()


def test_no_code_decides_by_the_text_of_a_code() -> None:
    """Codes are compared by the names in the registry, and grouped by its groups."""
    found = []
    for path in sorted((ROOT / "engine" / "rulegame").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Compare):
                parts = [node.left, *node.comparators]
                texts = [c.value for p in parts for c in ast.walk(p) if isinstance(c, ast.Constant)]
                if any(isinstance(text, str) and CODE_OR_PREFIX.fullmatch(text) for text in texts):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
            if isinstance(node, ast.Attribute) and node.attr == "startswith":
                of = node.value.attr if isinstance(node.value, ast.Attribute) else ""
                if of in ("code", "message"):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []


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
