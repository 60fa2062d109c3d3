"""`rulegame validate --fix` and `--diff`: what they write, and what they leave alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cli.conftest import Call

SLIPS = """\
# a comment
rulegame: 1
title: Slips
state: {left: 7}
operations: {take: {choose: {n: 1..3}, effects: {left: lefd - n}}}
end: {empty: {when: left <= 0, result: win}}
"""
RIGHT = SLIPS.replace("lefd", "left")
HOPELESS = SLIPS.replace("lefd", "nothing_like_it")


@pytest.fixture
def slips(tmp_path: Path) -> Path:
    path = tmp_path / "slips.yaml"
    path.write_text(SLIPS)
    return path


def test_a_file_is_fixed_in_place(rulegame: Call, slips: Path) -> None:
    slips.chmod(0o640)
    result = rulegame("validate", "--fix", str(slips))
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{slips}:5: 'lefd' is now 'left'\n{slips}: valid\n"
    assert slips.read_text() == RIGHT and slips.stat().st_mode & 0o777 == 0o640
    assert rulegame("validate", "--fix", str(slips)).out == f"{slips}: valid\n"


@pytest.mark.parametrize("mode", [0o600, 0o666, 0o777])
@pytest.mark.parametrize("command", [["validate", "--fix"], ["fmt"]])
def test_the_rights_of_a_file_stay(
    rulegame: Call, slips: Path, command: list[str], mode: int
) -> None:
    slips.chmod(mode)
    rulegame(*command, str(slips))
    assert slips.read_text() != SLIPS and slips.stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("command", [["validate", "--fix"], ["fmt"]])
def test_a_write_protected_file_is_refused(rulegame: Call, slips: Path, command: list[str]) -> None:
    slips.chmod(0o444)
    result = rulegame(*command, str(slips))
    assert result.code == 2 and slips.read_text() == SLIPS
    assert result.err == f"rulegame: Cannot write '{slips}': it is write-protected\n"
    assert slips.stat().st_mode & 0o777 == 0o444


@pytest.mark.parametrize("command", [["validate", "--fix"], ["fmt"]])
def test_the_others_of_a_folder_are_written_all_the_same(
    rulegame: Call, slips: Path, command: list[str]
) -> None:
    """One that cannot be written is told, and decides the exit code."""
    before, after = (slips.with_name(name) for name in ("a.yaml", "z.yaml"))
    for other in (before, after):
        other.write_text(SLIPS)
    slips.chmod(0o444)
    result = rulegame(*command, str(slips.parent))
    assert result.code == 2 and slips.read_text() == SLIPS
    assert result.err == f"rulegame: Cannot write '{slips}': it is write-protected\n"
    assert before.read_text() == after.read_text() != SLIPS


def test_a_slip_under_a_slip(rulegame: Call, slips: Path) -> None:
    """An unknown key hides what stands below it: both are slips, and both are mended."""
    right = """\
rulegame: 1
title: Slips
state: {left: 7}
operations:
  take:
    choose: {n: 1..3}
    effects: {left: left - n}
  leave:
    effects:
      left: left - 1
end:
  empty: {when: left <= 0, result: win}
"""
    slips.write_text(
        right.replace("operations", "operatoins")
        .replace("take:\n    choose", "take:\n    chose")
        .replace("  leave:\n    effects", "  leave:\n    efects")
        .replace("left - 1", "lefd - 1")
    )
    result = rulegame("validate", "--fix", str(slips))
    assert (result.code, result.err) == (0, "")
    assert slips.read_text() == right


def test_line_endings_a_mark_and_a_link_stay(rulegame: Call, slips: Path) -> None:
    data = b"\xef\xbb\xbf" + SLIPS.replace("\n", "\r\n").encode()
    slips.write_bytes(data)
    link = slips.with_name("link.yaml")
    link.symlink_to(slips)
    assert rulegame("validate", "--fix", str(link)).code == 0
    assert slips.read_bytes() == data.replace(b"lefd", b"left") and link.is_symlink()


def test_what_remains_decides_the_exit_code(rulegame: Call, slips: Path) -> None:
    slips.write_text(HOPELESS.replace("when:", "wehn:"))
    result = rulegame("validate", "--fix", str(slips))
    assert result.code == 1 and slips.read_text() == HOPELESS.replace("when:", "wehn:")
    assert "wehn" in result.out


def test_the_difference_is_shown(rulegame: Call, slips: Path) -> None:
    result = rulegame("validate", "--diff", str(slips))
    assert result.code == 1 and slips.read_text() == SLIPS
    assert "-operations" in result.out and "left: left - n" in result.out
    assert "E302" in result.err and "E302" not in result.out
    both = rulegame("validate", "--diff", "--fix", str(slips))
    assert both.code == 2 and "cannot be combined" in both.err and slips.read_text() == SLIPS
    slips.write_text(RIGHT)
    result = rulegame("validate", "--diff", str(slips))
    assert (result.code, result.out) == (0, "")


def test_standard_input_is_printed_as_it_is_then(rulegame: Call) -> None:
    result = rulegame("validate", "--fix", "-", typed=SLIPS)
    assert (result.code, result.out) == (0, RIGHT)
    assert result.err == "-:5: 'lefd' is now 'left'\n-: valid\n"
    result = rulegame("validate", "--fix", "-", typed=HOPELESS)
    assert (result.code, result.out) == (1, HOPELESS) and "E302" in result.err


def test_a_folder_stands_for_its_rulesets(rulegame: Call, slips: Path) -> None:
    (slips.parent / "inner").mkdir()
    other = slips.parent / "inner" / "b.yml"
    other.write_text(SLIPS)
    assert rulegame("validate", "--fix", str(slips.parent)).code == 0
    assert slips.read_text() == other.read_text() == RIGHT


def test_a_parent_that_was_not_named_stays(rulegame: Call, slips: Path) -> None:
    child = slips.with_name("child.yaml")
    child.write_text("rulegame: 1\nextends: slips.yaml\ntitle: C\n")
    result = rulegame("validate", "--fix", str(child))
    assert result.code == 1 and slips.read_text() == SLIPS
    assert rulegame("validate", "--fix", str(child), str(slips)).code == 0
    assert slips.read_text() == RIGHT


def test_a_bundled_ruleset_stays(
    rulegame: Call, slips: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rulegame("validate", "--fix", "nim").out == "nim: valid\n"
    monkeypatch.setattr("rulegame.bundled.rulesets_folder", lambda: slips.parent)
    result = rulegame("validate", "--fix", str(slips))
    assert result.code == 2 and slips.read_text() == SLIPS
    assert "is a bundled game and cannot be changed" in result.err and "E302" in result.out


def test_reports_for_programs_stay_whole(rulegame: Call, slips: Path) -> None:
    [found] = json.loads(rulegame("validate", str(slips), "--format", "json").out)
    [suggestion] = found["suggestions"]
    assert suggestion["text"] == "left"
    [edit] = suggestion["edits"]
    assert (edit["line"], edit["column"], edit["end_column"]) == (5, 56, 60)
    assert edit["text"] == "left" and edit["file"] == str(slips)
    sarif = json.loads(rulegame("validate", str(slips), "--format", "sarif").out)
    [fix] = sarif["runs"][0]["results"][0]["fixes"]
    assert fix["description"]["text"] == "Write 'left'"
    [change] = fix["artifactChanges"]
    [replacement] = change["replacements"]
    assert replacement["insertedContent"] == {"text": "left"}
    assert replacement["deletedRegion"]["startColumn"] == 56
    result = rulegame("validate", str(slips), "--fix", "--format", "json")
    assert json.loads(result.out) == [] and "is now" in result.err


@pytest.mark.parametrize("command", ["validate", "test"])
def test_standard_input_cannot_be_watched(rulegame: Call, command: str) -> None:
    result = rulegame(command, "--watch", "-", typed=RIGHT)
    assert result.code == 2 and "cannot watch standard input (-)" in result.err


def test_no_such_file(rulegame: Call) -> None:
    assert rulegame("validate", "--fix", "nothing.yaml").code == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="everything can be written by root")
def test_a_file_that_cannot_be_written(rulegame: Call, slips: Path) -> None:
    slips.parent.chmod(0o500)
    try:
        result = rulegame("validate", "--fix", str(slips))
    finally:
        slips.parent.chmod(0o700)
    assert result.code == 2 and "Cannot write" in result.err
