"""`rulegame cache`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Call
from rulegame.files import cache
from rulegame_cli.printing.figures import bytes_text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "cache_place", lambda: tmp_path)
    monkeypatch.setattr("rulegame_cli.commands.cache.cache_place", lambda: tmp_path)
    cache.store_entry("grammar", b"one", b"x" * 2000)
    cache.store_entry("grammar", b"two", b"x" * 2016)
    (tmp_path / "notes.txt").write_bytes(b"somebody's")
    return tmp_path


def test_where_and_how_large(rulegame: Call, folder: Path) -> None:
    result = rulegame("cache")
    assert (result.code, result.err) == (0, "")
    head = f"{folder}: 2 files, 4.0 KiB of at most 2.0 GiB\n"
    assert result.out == f"{head}  grammar  2 files  4.0 KiB\n"


def test_for_programs(rulegame: Call, folder: Path) -> None:
    data = json.loads(rulegame("cache", "--json").out)
    assert (data["folder"], data["problem"], data["bytes"]) == (str(folder), None, 4080)
    assert [entry["kind"] for entry in data["files"]] == ["grammar", "grammar"]
    cleared = json.loads(rulegame("cache", "clear", "--json").out)
    assert (cleared["files"], cleared["deleted"], cleared["deleted_bytes"]) == ([], 2, 4080)


def test_clearing(rulegame: Call, folder: Path) -> None:
    assert rulegame("cache", "clear").out == "2 files deleted, 4.0 KiB\n"
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]  # which is not ours
    assert rulegame("cache", "clear").out == "0 files deleted, 0 bytes\n"
    assert rulegame("cache").out == f"{folder}: 0 files, 0 bytes of at most 2.0 GiB\n"


def test_what_cannot_be_deleted_is_told(
    rulegame: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refused)
    result = rulegame("cache", "clear")
    assert (result.code, result.out) == (1, "0 files deleted, 0 bytes\n")
    assert result.err.count("Cannot delete ") == 2 and "notes.txt" not in result.err


def test_a_folder_that_is_not_used(
    rulegame: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = "other users can write to the folder"
    monkeypatch.setattr("rulegame_cli.commands.cache.cache_problem", lambda: reason)
    assert f"\nCaching is off: {reason}.\n" in rulegame("cache").out
    assert rulegame("cache", "clear").out.endswith(f"Caching is off: {reason}.\n")
    assert json.loads(rulegame("cache", "--json").out)["problem"] == reason


def test_a_wrong_call(rulegame: Call) -> None:
    result = rulegame("cache", "clean")
    assert (result.code, result.err) == (2, "rulegame: expected 'clear' or nothing, not 'clean'\n")


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1,023 bytes"),
        (1024, "1.0 KiB"),
        (143_360, "140 KiB"),
        (1024**2 - 1, "1.0 MiB"),
        (5 * 2**40, "5,120 GiB"),
    ],
)
def test_sizes(size: int, text: str) -> None:
    assert bytes_text(size) == text
