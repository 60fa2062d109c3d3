"""Names that lead to no file: wherever a file is read, that is said, and nothing waits."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulegame.authoring.workspace import Workspace
from rulegame.diagnostics import RulesetNotFound
from rulegame.files.disk import CannotRead, exists, identity, read_file
from rulegame.limits import LIMITS
from rulegame.loading import load_ruleset
from rulegame.source.lineage import fingerprint

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes and links are Unix's")

NO_FILES = ["pipe.yaml", "socket.yaml", "folder.yaml", "to_a_pipe.yaml", "self.yaml"]
NO_NAMES = ["a" * 300, "a" * 300 + ".yaml", "a/" * 3_000, "pipe.yaml/x", "self.yaml/x", "a\0b"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with all sorts of things in it."""
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    os.mkfifo("pipe.yaml")
    os.mkfifo("old.jsonl")
    Path("folder.yaml").mkdir()
    Path("to_a_pipe.yaml").symlink_to("pipe.yaml")
    Path("self.yaml").symlink_to("self.yaml")
    with Path("endless.yaml").open("wb") as stream:
        stream.truncate(3 * 2**30)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.yaml")
        yield tmp_path


@pytest.mark.parametrize("name", NO_FILES)
def test_no_file(folder: Path, name: str) -> None:
    with pytest.raises(CannotRead):
        read_file(folder / name, 10)
    ruleset, problems = load_ruleset(folder / name)
    assert ruleset is None and [p.code for p in problems] == ["E101"]
    with pytest.raises(CannotRead):
        fingerprint(folder / name)


@pytest.mark.parametrize("name", NO_NAMES, ids=lambda name: name[:12])
def test_no_name(folder: Path, name: str) -> None:
    with pytest.raises(CannotRead):
        read_file(Path(name), 10)
    with pytest.raises(RulesetNotFound):
        load_ruleset(name)
    assert not exists(Path(name))
    assert identity(Path(name)).is_absolute()


def test_a_file_without_end(folder: Path) -> None:
    path = folder / "endless.yaml"
    assert len(read_file(path, 1_000)) == 1_001
    assert [p.code for p in load_ruleset(path)[1]] == ["E102"]
    fingerprint(path)


def test_a_device() -> None:
    with pytest.raises(CannotRead, match="a device or a pipe"):
        read_file(Path("/dev/zero"), 10)


@pytest.mark.parametrize("name", [*NO_FILES, "endless.yaml", *NO_NAMES], ids=lambda name: name[:12])
def test_a_parent(folder: Path, name: str) -> None:
    child = folder / "child.yaml"
    text = name.replace("\0", "\\0")
    child.write_text(f'rulegame: 1\nextends: "./{text}"\n', "utf-8")
    ruleset, problems = load_ruleset(child)
    expected = {"endless.yaml": "E102", "self.yaml": "E210", "a\0b": "E111"}
    code = expected.get(name, "E101" if name in NO_FILES else "E210")
    assert ruleset is None and [p.code for p in problems] == [code]


def test_an_editor_looks_at_what_lies_beside(folder: Path) -> None:
    work = Workspace((folder,))
    opened = folder / "opened.yaml"
    for parent in (*NO_FILES, "endless.yaml"):
        work.put(opened, f"rulegame: 1\nextends: ./{parent}\n")
        assert work.depending_on(opened) == [opened]
        assert [study.path for study in work.rulesets()] == [opened]
    (folder / "large.yaml").write_bytes(b"rulegame: 1\nextends: nim\n" + b" " * LIMITS.file_bytes)
    assert [study.path for study in work.rulesets()] == [opened]
