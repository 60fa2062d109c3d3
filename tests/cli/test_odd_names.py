"""Names on the command line that lead to no file: an answer in a line, an exit code, no waiting."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cli.conftest import Call

LONG = "a" * 300
CALLS = [
    ("validate", "{}"),
    ("show", "{}"),
    ("play", "{}"),
    ("test", "{}"),
    ("diff", "countdown.yaml", "{}"),
    ("explain-move", "{}", "--move", "x"),
    ("new", "--yes", "--from", "{}", "{folder}/new.yaml"),
    ("resume", "{}"),
    ("replay", "{}"),
    ("explain", "{}"),
]


@pytest.mark.skipif(os.name == "nt", reason="pipes and links are Unix's")
@pytest.mark.parametrize("call", CALLS, ids=lambda call: str(call[0]))
def test_no_file(rulegame: Call, tmp_path: Path, call: tuple[str, ...]) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "self").symlink_to(tmp_path / "self")
    with (tmp_path / "endless").open("wb") as stream:
        stream.truncate(3 * 2**30)
    names = [LONG, f"{LONG}.yaml", f"{tmp_path}/{LONG}.yaml", f"{tmp_path}/nothing/x.yaml"]
    names += [str(tmp_path / name) for name in ("pipe", "self", "endless", "pipe/x", "self/x")]
    for name in names:
        result = rulegame(*(part.format(name, folder=tmp_path) for part in call))
        assert result.code in (1, 2), name
        assert result.out + result.err, name
    assert not (tmp_path / "new.yaml").exists()
