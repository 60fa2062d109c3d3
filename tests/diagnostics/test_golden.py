"""Golden reports: every diagnostic code has a ruleset that provokes it, beside the exact report.

A comment in the first line of a ruleset may say how it is called and what is typed:
`# rulegame play --first 2`, then `# typed: take 1`. RULEGAME_UPDATE_GOLDEN=1 writes the reports
anew.
"""

from __future__ import annotations

import io
import os
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from diagnostics.pages import codes_of_the_engine
from rulegame.limits import LIMITS
from rulegame_cli.main import main

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


def report(
    arguments: Iterable[str],
    typed: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> str:
    """What the command prints, with nothing of this machine in it."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.argv", ["rulegame", *arguments])
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    with pytest.raises(SystemExit) as left:
        main()
    captured = capsys.readouterr()
    return f"{captured.out}{captured.err}(exit code {left.value.code})\n"


def compare(found: str, path: Path) -> None:
    if os.environ.get("RULEGAME_UPDATE_GOLDEN"):
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8")
    assert f"[{path.stem.split('_')[0]}]" in found


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: str(path.stem))
def test_report(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = path.read_text("utf-8").split("\n")
    call = lines[0].removeprefix(COMMAND) if lines[0].startswith(COMMAND) else "validate"
    typed = [line.removeprefix(TYPED) + "\n" for line in lines if line.startswith(TYPED)]
    monkeypatch.chdir(FOLDER)
    found = report([*shlex.split(call), path.name], "".join(typed), capsys, monkeypatch)
    compare(found, path.with_suffix(".out"))


@pytest.mark.parametrize("name", BUILT)
def test_report_of_what_is_no_text(
    name: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    BUILT[name](tmp_path)
    monkeypatch.chdir(tmp_path)
    found = report(["validate", f"{name}.yaml"], "", capsys, monkeypatch)
    compare(found, FOLDER / f"{name}.out")


def test_every_code_has_a_golden_report_and_every_report_a_code() -> None:
    names = [*(path.stem for path in RULESETS), *BUILT]
    assert {name.split("_")[0] for name in names} == codes_of_the_engine()


def test_no_report_is_left_over() -> None:
    names = {*(path.stem for path in RULESETS), *BUILT}
    assert {path.stem for path in FOLDER.glob("*.out")} == names
