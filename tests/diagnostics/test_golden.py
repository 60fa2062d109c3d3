"""Golden diagnostics: every code has rulesets that provoke it.

The first ruleset of each code has the full report beside it, `NAME.out`. The others have the code,
span and edits of each diagnostic, `NAME.spans`, so that a reworded message changes one file. Calls
of other commands than `validate` have full reports.

A comment in the first line of a ruleset may say how it is called and what is typed:
`# rulegame play --first 2`, then `# typed: take 1`. RULEGAME_UPDATE_GOLDEN=1 rewrites the golden
files.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from rulegame.codes import CODES
from rulegame.limits import LIMITS
from support.commands import call

FOLDER = Path(__file__).parent / "golden"
RULESETS = sorted(FOLDER.glob("*.yaml"))
COMMAND = "# rulegame "
TYPED = "# typed: "


def chain(folder: Path) -> None:
    """A variant of a variant of a variant …"""
    for k in range(LIMITS.parents + 2):
        text = f"rulegame: 1\nextends: ./parent_{k + 1}.yaml\n"
        name = "E214_ten_parents.yaml" if k == 0 else f"parent_{k}.yaml"
        (folder / name).write_text(text, "utf-8")


def below_a_folder(folder: Path) -> None:
    """A variant of a folder."""
    (folder / "parent.yaml").mkdir()
    (folder / "E101_a_folder.yaml").write_text("rulegame: 1\nextends: ./parent.yaml\n", "utf-8")


def file(name: str, content: bytes) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / f"{name}.yaml").write_bytes(content)

    return write


# What cannot be kept as a text file, and how it is made.
BUILT: dict[str, Callable[[Path], None]] = {
    "E101_a_folder": below_a_folder,
    "E102_too_many_bytes": file("E102_too_many_bytes", b"#" * (LIMITS.file_bytes + 1)),
    "E103_latin_1": file("E103_latin_1", "title: Dobbelspel für zwei\n".encode("latin-1")),
    "E103_utf_16": file("E103_utf_16", "title: Countdown\n".encode("utf-16")),
    "E111_null_byte": file("E111_null_byte", b"title: Count\0down\n"),
    "E111_reversed_text": file("E111_reversed_text", "title: a\u202eb\n".encode()),
    "E114_a_long_list": file("E114_a_long_list", b"- x\n" * (LIMITS.nodes + 1)),
    "E214_ten_parents": chain,
}


NAMES = sorted([*(path.stem for path in RULESETS), *BUILT])


def code_of(name: str) -> str:
    return name.split("_")[0]


def call_of(name: str) -> list[str]:
    """The command and its options."""
    path = FOLDER / f"{name}.yaml"
    first = path.read_text("utf-8").split("\n")[0] if path.exists() else ""
    return shlex.split(first.removeprefix(COMMAND)) if first.startswith(COMMAND) else ["validate"]


def golden_file(name: str) -> Path:
    """The full report for the first ruleset of a code, the spans for the others."""
    first = next(other for other in NAMES if code_of(other) == code_of(name))
    full = name == first or call_of(name)[0] != "validate"
    return FOLDER / f"{name}.{'out' if full else 'spans'}"


def run(arguments: Iterable[str], typed: str = "") -> str:
    """The output and the exit code of a command."""
    done = call(*arguments, typed=typed, folder=Path.cwd(), environment={"NO_COLOR": "1"})
    return f"{done.out}{done.err}(exit code {done.code})\n"


def spans(report: str) -> str:
    """Code, span and edits of each diagnostic in a report of `validate --format json`."""

    def span(at: dict[str, Any]) -> str:
        return f"{at['file']}:{at['line']}:{at['column']}-{at['end_line']}:{at['end_column']}"

    lines = []
    for diagnostic in json.loads(report.rpartition("(exit code")[0]):
        lines.append(f"{diagnostic['code']} {diagnostic['severity']} {span(diagnostic)}")
        lines += [f"  related {span(related)}" for related in diagnostic["related"]]
        for suggestion in diagnostic["suggestions"]:
            edits = suggestion["edits"]
            lines.append("  suggestion")
            lines += [f"    {span(edit)} {json.dumps(edit['text'])}" for edit in edits]
    return "\n".join(lines) + "\n"


def compare(name: str, typed: str = "") -> None:
    golden = golden_file(name)
    if golden.suffix == ".out":
        found = run([*call_of(name), f"{name}.yaml"], typed)
        assert f"[{code_of(name)}]" in found
    else:
        found = spans(run([*call_of(name), "--format", "json", f"{name}.yaml"], typed))
        assert found.startswith(code_of(name)) or f"\n{code_of(name)} " in found
    if os.environ.get("RULEGAME_UPDATE_GOLDEN"):
        golden.write_text(found, "utf-8")
    assert found == golden.read_text("utf-8")


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: str(path.stem))
def test_report(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = path.read_text("utf-8").split("\n")
    typed = [line.removeprefix(TYPED) + "\n" for line in lines if line.startswith(TYPED)]
    monkeypatch.chdir(FOLDER)
    compare(path.stem, "".join(typed))


@pytest.mark.parametrize("name", BUILT)
def test_report_on_a_file_that_is_not_text(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    BUILT[name](tmp_path)
    monkeypatch.chdir(tmp_path)
    compare(name)


def test_every_code_has_a_golden_report_and_every_report_a_code() -> None:
    assert {code_of(name) for name in NAMES} == {c.code for c in CODES.values() if not c.retired}


def test_no_golden_file_is_left_over() -> None:
    files = {path for path in FOLDER.glob("*") if path.suffix in (".out", ".spans")}
    assert files == {golden_file(name) for name in NAMES}
