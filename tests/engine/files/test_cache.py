"""What is kept between calls: found again, and never in the way."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulegame.files import cache
from waiting import WAIT

POSIX = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes are of POSIX")
KEY = b"what it is made from"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "cache" / "rulegame"
    monkeypatch.setattr(cache, "cache_place", lambda: made)
    return made


def test_what_is_kept_is_found_again(folder: Path) -> None:
    assert cache.load_entry("kind", KEY) is None
    assert cache.store_entry("kind", KEY, b"content")
    assert cache.load_entry("kind", KEY) == b"content"
    assert cache.load_entry("kind", b"other") is None
    assert cache.load_entry("other", KEY) is None
    [entry] = cache.cache_entries()
    assert (entry.kind, entry.path.parent) == ("kind", folder)
    assert entry.size == entry.path.stat().st_size


@POSIX
def test_nobody_else_gets_at_it(folder: Path) -> None:
    assert cache.store_entry("kind", KEY, b"content")
    [entry] = cache.cache_entries()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert entry.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("damage", [b"", b"x", b"x" * 40])
def test_a_damaged_entry_is_ignored_and_replaced(folder: Path, damage: bytes) -> None:
    cache.store_entry("kind", KEY, b"content")
    [entry] = cache.cache_entries()
    whole = entry.path.read_bytes()
    entry.path.write_bytes(damage or whole[:-1])
    assert cache.load_entry("kind", KEY) is None
    assert cache.store_entry("kind", KEY, b"content")
    assert entry.path.read_bytes() == whole


@POSIX
@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
def test_a_folder_that_others_can_write_to_is_not_used(folder: Path, mode: int) -> None:
    cache.store_entry("kind", KEY, b"content")
    folder.chmod(mode)
    assert cache.cache_problem() == "other users can write to the folder"
    assert cache.load_entry("kind", KEY) is None
    assert not cache.store_entry("kind", KEY, b"content")


@POSIX
def test_a_folder_of_somebody_else_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.store_entry("kind", KEY, b"content")
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert cache.cache_problem() == "the folder belongs to another user"
    assert cache.load_entry("kind", KEY) is None


def test_a_disk_that_is_full_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    assert not cache.store_entry("kind", KEY, b"content")
    monkeypatch.undo()
    assert list(folder.iterdir()) == []


def test_a_place_where_no_folder_can_be(folder: Path) -> None:
    folder.parent.write_text("a file", encoding="utf-8")
    assert cache.cache_problem().startswith("cannot create the folder: ")
    assert cache.load_entry("kind", KEY) is None
    assert not cache.store_entry("kind", KEY, b"content")
    assert list(cache.cache_entries()) == []


def test_clearing(folder: Path) -> None:
    cache.store_entry("kind", KEY, b"content")
    (folder / "kind-of-notes").write_bytes(b"somebody else's")
    (folder / "inner").mkdir()
    assert [entry.kind for entry in cache.cache_entries()] == ["kind"]
    assert cache.clear_cache() == []
    assert {path.name for path in folder.iterdir()} == {"inner", "kind-of-notes"}
    assert cache.clear_cache() == []


def test_the_grammar_is_kept_and_read_again(tmp_path: Path) -> None:
    """With tables that were kept, damaged or made anew, an expression is the same tree."""
    code = (
        "from rulegame.language.parsing import _parser\n"
        "print(_parser().parse('a + 2 * b', start='expression').pretty())\n"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}

    def parsed() -> str:
        command = [sys.executable, "-c", code]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=WAIT, check=True
        )
        assert done.stderr == ""
        return done.stdout

    first = parsed()
    kept = [path for path in tmp_path.rglob("grammar-*") if path.is_file()]
    if not kept:
        pytest.skip("caches of this system do not follow the environment")
    assert parsed() == first
    kept[0].write_bytes(kept[0].read_bytes()[:1000])
    assert parsed() == first
    assert kept[0].stat().st_size > 1000


def test_the_oldest_entries_go_where_there_are_too_many(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_KEPT", 3_500)
    for number in range(3):
        cache.store_entry("kind", bytes([number]), b"x" * 1_000)
    for number, entry in enumerate(sorted(cache.cache_entries(), key=lambda entry: entry.path)):
        os.utime(entry.path, (number, number))
    first, second, third = sorted(cache.cache_entries(), key=lambda entry: entry.used)
    first_key = next(k for k in range(3) if cache._path("kind", bytes([k])) == first.path)
    assert cache.load_entry("kind", bytes([first_key])) is not None  # which counts as used now
    cache.store_entry("kind", b"new", b"x" * 1_000)
    left = {entry.path for entry in cache.cache_entries()}
    assert len(left) == 3 and second.path not in left
    assert {first.path, third.path} < left
    cache.store_entry("kind", b"large", b"x" * 9_000)  # which is kept, and nothing else
    assert [entry.size for entry in cache.cache_entries()] == [9_032]


def test_an_entry_of_several_parts(folder: Path) -> None:
    assert cache.store_entry("kind", KEY, b"con", memoryview(b"tent"))
    assert cache.load_entry("kind", KEY) == b"content"
    assert bytes(cache.load_view("kind", KEY) or b"") == b"content"
