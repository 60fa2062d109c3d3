"""`rulegame fmt`: what it writes, what it only checks, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Call

UGLY = "title: A\nrulegame:   1\nstate: {n:  1}\n"
NEAT = "rulegame: 1\ntitle: A\n\nstate: {n: 1}\n"


@pytest.fixture
def ugly(tmp_path: Path) -> Path:
    path = tmp_path / "ugly.yaml"
    path.write_text(UGLY)
    return path


def test_a_file_is_formatted_in_place(rulegame: Call, ugly: Path) -> None:
    ugly.chmod(0o640)
    result = rulegame("fmt", str(ugly))
    assert (result.code, result.out) == (0, f"{ugly}: formatted\n")
    assert ugly.read_text() == NEAT and ugly.stat().st_mode & 0o777 == 0o640
    assert rulegame("fmt", str(ugly)).out == ""


def test_lines_end_as_they_did(rulegame: Call, ugly: Path) -> None:
    ugly.write_bytes(UGLY.replace("\n", "\r\n").encode())
    assert rulegame("fmt", str(ugly)).code == 0
    assert ugly.read_bytes() == NEAT.replace("\n", "\r\n").encode()
    assert rulegame("fmt", "--check", str(ugly)).code == 0


def test_checking_changes_nothing(rulegame: Call, ugly: Path) -> None:
    result = rulegame("fmt", "--check", str(ugly))
    assert (result.code, result.out) == (1, f"{ugly}: would be formatted\n")
    assert ugly.read_text() == UGLY
    rulegame("fmt", str(ugly))
    result = rulegame("fmt", "--check", str(ugly))
    assert (result.code, result.out) == (0, "1 file already formatted\n")


def test_the_difference_is_shown(rulegame: Call, ugly: Path) -> None:
    result = rulegame("fmt", "--diff", str(ugly))
    assert result.code == 1
    assert "-rulegame:   1\n" in result.out and "+rulegame: 1\n" in result.out
    assert ugly.read_text() == UGLY


def test_a_folder_stands_for_its_rulesets(rulegame: Call, ugly: Path) -> None:
    (ugly.parent / "other.yaml").write_text("services:   {}\n")
    (ugly.parent / "inner").mkdir()
    (ugly.parent / "inner" / "b.yml").write_text(UGLY)
    result = rulegame("fmt", str(ugly.parent))
    assert result.out.count("formatted") == 2
    assert (ugly.parent / "other.yaml").read_text() == "services:   {}\n"
    (ugly.parent / "empty").mkdir()
    assert rulegame("fmt", str(ugly.parent / "empty")).code == 2


def test_standard_input(rulegame: Call) -> None:
    result = rulegame("fmt", "-", typed=UGLY)
    assert (result.code, result.out) == (0, NEAT)


@pytest.mark.parametrize("flags", [(), ("--check",), ("--diff",)])
@pytest.mark.parametrize(
    ("typed", "told"), [("rulegame: 1\ntitle: [\n", "E104"), ("- 1\n", "cannot format")]
)
def test_errors_of_standard_input_stay_out_of_standard_output(
    rulegame: Call, typed: str, told: str, flags: tuple[str, ...]
) -> None:
    result = rulegame("fmt", *flags, "-", typed=typed)
    assert (result.code, result.out) == (1, "") and told in result.err


def test_what_cannot_be_read_is_told_and_left_alone(rulegame: Call, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("rulegame: 1\ntitle: [\n")
    result = rulegame("fmt", str(path))
    assert result.code == 1 and "E104" in result.out
    assert path.read_text() == "rulegame: 1\ntitle: [\n"
    result = rulegame("fmt", str(tmp_path / "none.yaml"))
    assert result.code == 2 and "no such file" in result.err
