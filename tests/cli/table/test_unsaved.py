"""Games that cannot be saved: full disks, folders that nobody may write to, files that vanish."""

from __future__ import annotations

import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.conftest import Call
from rulegame.playing.saves import Chain, read_save
from rulegame.playing.saving import CannotSave, GameRecord
from support.commands import run_process
from support.rulesets import RULESETS
from support.tiers import installed
from waiting import WAIT

from .screens import screen

FULL = Path("/dev/full")
PLAY = shlex.join([sys.executable, "-m", "rulegame_cli", "play", "countdown.yaml"])


def moves(file: Path) -> int:
    (played,) = read_save(file.read_bytes()).rounds
    return len(played.entries)


def sandbox(script: str, folder: Path, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs a script in a shell that may mount file systems in that folder, for itself alone."""
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "bash", "-c", f"mount -t tmpfs {script}"],
        input=typed,
        capture_output=True,
        cwd=RULESETS,
        env={**os.environ, "RULEGAME_HOME": str(folder)},
        timeout=WAIT,
        check=False,
    )
    if b"mount" in done.stderr or b"unshare" in done.stderr:
        pytest.skip(f"no file system can be mounted here: {done.stderr!r}")
    return done


def disk(folder: Path, options: str) -> str:
    folder.mkdir()
    return f"-o {options} tmpfs {shlex.quote(str(folder))}"


needs_unshare = pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")


# ---- a disk that is full


@pytest.mark.full
@needs_unshare
def test_a_disk_that_fills_up(tmp_path: Path) -> None:
    """All whole lines are there, and the game goes on from them."""
    place, copy = tmp_path / "disk", tmp_path / "kept" / "copy.jsonl"
    copy.parent.mkdir()  # as deep as the disk: the save has a relative path to the ruleset
    save = shlex.quote(str(place / "save.jsonl"))
    script = (
        f"{disk(place, 'size=8k')}; {PLAY} --set pile=1000 --save {save};"
        f" code=$?; cp {save} {shlex.quote(str(copy))}; exit $code"
    )
    done = sandbox(script, tmp_path, b"1\n" * 200)
    told = b"Saving failed: no space left on device. You can play on.\n"
    assert done.returncode == 1
    assert done.stderr.count(told) == 1
    assert done.stderr.endswith(b"Last moves not saved: no space left on device.\n")
    assert done.stdout.count(b": Take 1\n") == 200
    assert read_save(copy.read_bytes()).whole and 20 < moves(copy) < 200
    assert run_process("resume", str(copy), typed=b"2\n")[1].count(b": Take 2\n") == 1


@pytest.mark.full
@needs_unshare
@pytest.mark.parametrize("options", ["size=4k,nr_inodes=2", "ro"])
def test_no_room_or_no_right_for_a_first_line(tmp_path: Path, options: str) -> None:
    """Beside the folder itself there is one inode, and that is taken by another file."""
    place = tmp_path / "disk"
    touch = "" if options == "ro" else f"touch {shlex.quote(str(place / 'other'))};"
    why = b"read-only file system" if options == "ro" else b"no space left on device"
    script = f"{disk(place, options)}; {touch} {PLAY} --set pile=1"
    done = sandbox(script, place, b"1\n")
    assert done.returncode == 0
    assert done.stdout.endswith(b"Player 1 wins the game!\n")
    assert done.stderr == (b"This game will not be saved: %s.\nGame not saved: %s.\n" % (why, why))
    place.rmdir()
    script = f"{disk(place, options)}; {touch} {PLAY} --save {shlex.quote(str(place / 'x'))}"
    done = sandbox(script, tmp_path, b"1\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"x': %s\n" % why in done.stderr


@pytest.mark.full
def test_a_limit_is_reached_at_a_terminal(tmp_path: Path) -> None:
    """Told at once and once, between the moves; and again at the end."""
    pexpect = installed("pexpect")
    save = tmp_path / "save.jsonl"
    command = f"ulimit -f 1; exec {PLAY} --no-color --save {shlex.quote(str(save))}"
    child = pexpect.spawn(
        "bash", ["-c", command], cwd=str(RULESETS), encoding="utf-8", timeout=WAIT
    )
    printed = ""
    try:
        for number in range(14):
            child.expect_exact("Choose n: ")
            printed += child.before
            saved = moves(save)
            assert saved == number or "Saving failed: file too large." in printed
            child.sendline("1")
        child.expect_exact("Choose n: ")
        printed += child.before
        child.sendline("save")
        child.expect_exact("Game not saved: file too large. Use `save FILE` to save it elsewhere.")
        child.expect_exact("Choose n: ")
        child.sendline("quit")
        child.expect(pexpect.EOF)
        child.close()
    finally:
        child.close(force=True)
    assert printed.count("Saving failed: file too large. You can play on.") == 1
    assert child.before.endswith("Last moves not saved: file too large.\r\n")
    assert "Game saved" not in child.before and child.exitstatus == 1
    assert read_save(save.read_bytes()).whole and 3 < moves(save) < 14


@contextmanager
def limited(size: int) -> Iterator[None]:
    """Inside, this process can write no file beyond that size."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


def test_room_that_is_found_again(tmp_path: Path) -> None:
    """What was refused is written with the next line."""
    path = tmp_path / "save.jsonl"
    chain = Chain()
    record = GameRecord(chain, chain.add({"first": "line"}))
    record.keep_in(lambda: path, wanted=True)
    record.add({"move": "a"})
    before = path.read_bytes()
    with limited(len(before) + 20):
        record.add({"move": "b"})
        assert record.problem == "file too large"
        assert path.read_bytes() == before
        record.add({"move": "c"})
    record.add({"move": "d"})
    assert record.problem == ""
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert [line["move"] for line in lines[1:-1]] == ["a", "b", "c", "d"]
    record.leave(asked=False)


def test_no_room_for_the_beginning(tmp_path: Path) -> None:
    path = tmp_path / "save.jsonl"
    chain = Chain()
    record = GameRecord(chain, chain.add({"first": "line"}))
    with limited(10), pytest.raises(CannotSave, match="file too large"):
        record.keep_in(lambda: path, wanted=False)
    assert list(tmp_path.iterdir()) == []
    record.add({"move": "a"})
    assert record.problem == "" and path.read_bytes().count(b"\n") == 3
    record.leave(asked=False)


# ---- places where nothing can be written


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
def test_a_file_that_leads_to_a_full_device(rulegame: Call, tmp_path: Path) -> None:
    (tmp_path / "save.jsonl").symlink_to(FULL)
    for place in (str(tmp_path / "save.jsonl"), str(FULL)):
        result = rulegame("play", "countdown.yaml", "--save", place, typed="1\n")
        assert (result.code, result.out) == (2, "")
        assert "a file with that name already exists" in result.err
        resumed = rulegame("resume", place)
        assert (resumed.code, resumed.out) == (1, "") and "not a file" in resumed.err


@pytest.mark.parametrize(
    "place", ["no/such/folder/x", "countdown.yaml/x", "x" * 300, "a\0b", "~~/x"]
)
def test_a_save_that_is_asked_for_is_there_before_the_first_move(
    rulegame: Call, place: str
) -> None:
    result = rulegame("play", "countdown.yaml", "--save", place, typed="1\n")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("rulegame: --save: ") and "cannot write " in result.err


@pytest.mark.full
def test_a_home_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    environment = {"RULEGAME_HOME": str(tmp_path / "file")}
    once, again = "This game will not be saved: not a directory.", "Game not saved: "
    arguments = ("play", "countdown.yaml", "--set", "pile=2")
    code, out, errors = run_process(*arguments, typed=b"1\n1\n", **environment)
    assert code == 0 and out.endswith(b"Player 2 wins the game!\n")
    assert errors.decode() == f"{once}\n{again}not a directory.\n"
    with screen(*arguments, "--no-color", **environment) as game:
        game.answer("Choose n: ", "1")
        game.answer("Choose n: ", "quit")
        assert game.finish() == 0
        assert game.printed.count("saved: ") == 2 and "Game saved" not in game.printed
        assert game.printed.index(once) < game.printed.index("Choose n: ")
        assert game.printed.endswith(f"{again}not a directory.\n")


# ---- files that vanish


@pytest.mark.full
def test_a_save_that_is_deleted_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "games" / "save.jsonl"
    path.parent.mkdir()
    chain = Chain()
    record = GameRecord(chain, chain.add({"first": "line"}))
    record.keep_in(lambda: path, wanted=True)
    path.unlink()
    record.add({"move": "a"})
    assert record.problem == "" and path.read_bytes().count(b"\n") == 3
    shutil.rmtree(path.parent)
    record.add({"move": "b"})
    assert record.problem == "no such file or directory"
    path.parent.mkdir()
    path.write_text("of someone else")
    record.add({"move": "c"})
    assert record.problem == "a file with that name already exists"
    assert path.read_text() == "of someone else"
    record.leave(asked=False)


@pytest.mark.full
def test_the_folder_is_deleted_during_the_game(tmp_path: Path) -> None:
    save = tmp_path / "games" / "save.jsonl"
    save.parent.mkdir()
    with screen("play", "countdown.yaml", "--no-color", "--save", str(save)) as game:
        game.answer("Choose n: ", "1")
        game.child.expect_exact("Choose n: ")
        shutil.rmtree(save.parent)
        game.child.sendline("2")
        game.child.expect_exact("Saving failed: no such file or directory. You can play on.")
        game.child.expect_exact("Choose n: ")
        save.parent.mkdir()
        game.child.sendline("3")
        game.answer("Choose n: ", "quit")
        assert game.finish() == 0
        assert game.printed.endswith("`.\nSaving works again; nothing was lost.\n")
    assert moves(save) == 3
