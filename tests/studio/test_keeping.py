"""Games of the studio on disk: nothing that was acknowledged is lost, and the command line knows
the same saves.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulegame.playing.saves import read_save
from studio.conftest import RULESETS
from studio.running import Server, seated
from waiting import WAIT

COUNTDOWN = "folder/countdown.yaml"


def rulegame(home: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulegame_cli", *words],
        input=typed,
        capture_output=True,
        text=True,
        timeout=WAIT,
        env={**os.environ, "RULEGAME_HOME": str(home)},
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    for name, text in RULESETS.items():
        (tmp_path / "rules" / name).write_text(text, encoding="utf-8")
    return tmp_path / "rules"


def saves(home: Path) -> list[Path]:
    return sorted((home / "games").glob("*.jsonl"))


def test_a_server_that_is_killed_loses_nothing(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    server = Server(folder, home)
    links = server.table(COUNTDOWN, set={"pile": "20"})
    with seated(server, *links["seats"]) as (ann, bob):
        ann.asked()
        ann.move("take 3")
        bob.asked(1)
        bob.move("take 2")
        server.kill()
    (save,) = saves(home)
    entries = read_save(save.read_bytes()).rounds[0].entries
    assert [entry.text for entry in entries] == ["take 3", "take 2"]
    with Server(folder, home, port=server.port) as again:
        with seated(again, *links["seats"]) as (ann, bob):
            seen = ann.asked()
            assert [entry["text"] for entry in seen["record"]] == ["Take 3", "Take 2"]
            ann.move("take 1")
            assert bob.asked(3)["asked"] == [1]
        kept = again.get("/api/tables")["tables"]
        assert [one["links"] for one in kept] == [links]


def test_what_was_chosen_at_once_outlasts_a_kill(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    server = Server(folder, home)
    links = server.table("rock_paper_scissors")
    with seated(server, links["seats"][1]) as (second,):
        second.asked()
        second.send(kind="move", text="show paper")
        while second.until()["asked"] != [0]:
            pass
        server.kill()
    with Server(folder, home) as again, seated(again, *links["seats"]) as (first, second):
        assert second.until()["asked"] == [0]
        first.asked()
        assert [e["text"] for e in first.move("show rock")["record"]] == ["Show rock", "Show paper"]


@pytest.mark.full
def test_a_worker_that_dies_is_replaced(folder: Path, tmp_path: Path) -> None:
    with Server(folder, tmp_path / "home") as server:
        links = server.table(COUNTDOWN)
        with seated(server, *links["seats"]) as (ann, bob):
            ann.asked()
            ann.move("take 3")
            bob.asked(1)
            for child in children(server.process.pid):
                os.kill(child, 9)
            bob.send(kind="move", text="take 1")
            bob.drain(1)
            if len(bob.last["record"]) == 1:  # it was told that this was broken off
                bob.move("take 1")
            assert [e["text"] for e in ann.asked(2)["record"]] == ["Take 3", "Take 1"]


@pytest.mark.full
def test_a_thinking_process_that_dies_loses_no_game(folder: Path, tmp_path: Path) -> None:
    """Each kill costs a move some time; the same player chooses, with the same seed."""
    with Server(folder, tmp_path / "home") as server:
        seats = [{"kind": "person"}, {"kind": "computer", "player": "search:2s"}]
        links = server.table("connect_four", seats=seats)
        with seated(server, links["seats"][0]) as (me,):
            me.asked()
            for turn in range(2):
                me.move(me.last["moves"][0]["text"])
                time.sleep(0.8)  # it is thinking by now
                for child in children(server.process.pid):
                    os.kill(child, 9)
                seen = me.asked(2 * turn + 2)
                assert seen["computers"] == [None, "Computer (search, 2 s)"]
                assert not seen["problem"]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True
    )
    return [int(word) for word in listed.stdout.split()]


@pytest.mark.full
def test_the_command_line_goes_on_with_it_and_back(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Server(folder, home) as server:
        links = server.table(COUNTDOWN)
        with seated(server, *links["seats"]) as (ann, _):
            ann.asked()
            ann.move("take 3")
            busy = rulegame(home, "resume", typed="2\n")
            assert busy.returncode == 1
            assert "this game is open elsewhere" in busy.stderr
    listed = json.loads(rulegame(home, "history", "--json").stdout)
    assert [(one["title"], one["result"]) for one in listed] == [("Countdown", "in progress")]
    went_on = rulegame(home, "resume", typed="2\n")
    assert "Countdown, after 1 move." in went_on.stdout
    with Server(folder, home) as server, seated(server, *links["seats"]) as (ann, bob):
        assert len(bob.until()["record"]) == 2
        ann.asked()
        ann.move("take 2")
        bob.over()
    replayed = rulegame(home, "replay", listed[0]["id"], "--check")
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@pytest.mark.full
def test_a_game_that_is_open_at_a_terminal_is_refused(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Server(folder, home) as server:
        links = server.table(COUNTDOWN)
    (save,) = saves(home)
    holding = (
        "import sys, pathlib; from rulegame.playing.saving import SaveFile\n"
        "file = SaveFile(pathlib.Path(sys.argv[1]), 0, b''); print('held', flush=True)\n"
        "sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", holding, str(save)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None and other.stdout.readline() == "held\n"
    with Server(folder, home) as server:
        with seated(server, links["seats"][0]) as (ann,):
            assert "this game is open elsewhere" in ann.until("gone")["text"]
        other.communicate()
        with seated(server, links["seats"][0]) as (ann,):
            assert ann.asked()["asked"] == [0]


def test_keys_are_nobody_elses(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Server(folder, home) as server:
        links = server.table(COUNTDOWN)
        keys = [link.rpartition("/")[2] for link in (*links["seats"], links["watch"])]
        assert len(set(keys)) == 3 and all(len(key) >= 22 for key in keys)  # 128 bits and more
        (save,) = saves(home)
        assert not any(key in save.read_text() for key in keys)
        for path in (home / "studio").iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE((home / "studio").stat().st_mode) == 0o700


@pytest.mark.full
def test_rules_that_have_changed_are_not_played_by(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Server(folder, home) as server:
        links = server.table(COUNTDOWN)
    path = folder / "countdown.yaml"
    path.write_text(path.read_text().replace("1..3", "1..4"))
    with Server(folder, home) as server, seated(server, links["seats"][0]) as (ann,):
        assert "changed after this game was played" in ann.until("gone")["text"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with Server(elsewhere, home) as server, seated(server, links["seats"][0]) as (ann,):
        assert "not in this studio's folder" in ann.until("gone")["text"]
