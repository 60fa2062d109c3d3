"""Arrays that are in memory as long as there is room, and in files beyond."""

from __future__ import annotations

import errno
import gc
import os
import pickle
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulegame.files import mapped
from rulegame.files.mapped import ArrayRoom, DiskFull, is_mapped


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(mapped, "MOUNTS", tmp_path.parent / "none")  # wherever tests are run
    return tmp_path


def test_without_a_limit_all_is_in_memory() -> None:
    room = ArrayRoom()
    array = room.grown(room.growing((10, 3), np.uint64), 1 << 16)
    assert array.shape == (1 << 16, 3) and not is_mapped(array)


def test_what_has_no_room_is_in_a_file_without_a_name(folder: Path) -> None:
    room = ArrayRoom(200_000)
    inside, outside = room.zeros(10_000, np.int64), room.zeros((20_000, 2), np.int64)
    assert not is_mapped(inside) and is_mapped(outside) and is_mapped(outside[5:])
    assert room.held == 80_000
    assert not outside.any()
    outside[:] = 7
    assert int(outside.sum()) == 280_000
    if os.name == "posix":
        assert not list(folder.iterdir())  # whatever ends the process, nothing is left


def test_room_comes_back() -> None:
    room = ArrayRoom(100_000)
    array = room.zeros(10_000, np.int64)
    assert is_mapped(room.zeros(10_000, np.int64))
    del array
    gc.collect()
    assert room.held == 0 and not is_mapped(room.zeros(10_000, np.int64))


def test_growing_keeps_what_is_there() -> None:
    room = ArrayRoom(200_000)
    array = room.growing(10_000, np.int64)
    array[:] = np.arange(10_000)
    for length, in_file in ((20_000, False), (40_000, True), (90_000, True), (15_000, True)):
        array = room.grown(array, length)
        assert is_mapped(array) == in_file and len(array) == length
        assert array[:10_000].tolist() == list(range(10_000))
        assert not array[10_000:].any()
    assert room.held == 0


def test_a_share_of_the_room() -> None:
    room = ArrayRoom(1_000_000)
    assert is_mapped(room.grown(room.growing(1, np.int8), 600_000, 0.5))
    assert not is_mapped(room.grown(room.growing(1, np.int8), 600_000))


@pytest.mark.parametrize("way", ["taken", "written"])
def test_a_full_disk_is_told(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if way == "taken":
        monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    else:
        monkeypatch.setattr(mapped, "_take", full)
    with pytest.raises(DiskFull, match=r"800,000 bytes of temporary files in .*No space left"):
        ArrayRoom(1_000).zeros(100_000, np.int64)


def test_where_room_cannot_be_taken_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "posix_fallocate", raising=False)
    room = ArrayRoom(1_000)
    array = room.zeros(300_000, np.int64)
    array[-1] = 5
    assert room.grown(array, 400_000)[299_998:300_001].tolist() == [0, 5, 0]


def test_a_room_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(ArrayRoom(5))).most == 5


def mounted(folder: Path, monkeypatch: pytest.MonkeyPatch, *points: tuple[Path, str]) -> None:
    """A system in which these are file systems of their own."""
    lines = ["/dev/sda / ext4 rw 0 0"]
    for point, kind in points:
        lines.append(" ".join(("x", str(point).replace(" ", "\\040"), kind, "rw,nosuid 0 0")))
    told = folder.parent / f"{folder.name}-mounts"
    told.write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.setattr(mapped, "MOUNTS", told)


def test_a_folder_in_memory_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = folder / "two words"
    (inner / "deep").mkdir(parents=True)
    mounted(folder, monkeypatch, (inner, "tmpfs"), (inner / "deep", "xfs"))
    assert not mapped.is_in_memory(str(folder))
    assert mapped.is_in_memory(str(inner))
    assert not mapped.is_in_memory(str(inner / "deep"))
    (folder / "link").symlink_to(inner, target_is_directory=True)
    assert mapped.is_in_memory(str(folder / "link"))
    mounted(folder, monkeypatch, (inner, "tmpfs"), (inner, "ext4"))
    assert not mapped.is_in_memory(str(inner))


def test_files_do_not_go_to_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual, other = folder / "tmp", folder / "var"
    usual.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(usual))
    monkeypatch.setattr(mapped, "LASTING", str(other))
    mounted(folder, monkeypatch, (usual, "tmpfs"))
    with pytest.raises(DiskFull, match=r"no disk for temporary files: .*tmp is in memory"):
        ArrayRoom(0).zeros(100_000, np.int64)
    other.mkdir()
    asked: list[Any] = []
    real: Any = tempfile.TemporaryFile

    def noted(**given: Any) -> Any:
        asked.append(given["dir"])
        return real(**given)

    monkeypatch.setattr(tempfile, "TemporaryFile", noted)
    assert is_mapped(ArrayRoom(0).zeros(100_000, np.int64))
    assert asked == [str(other)]
