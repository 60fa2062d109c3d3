"""`rulegame simulate`: the report, the JSON, the refusals, and what an interruption leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import AtWork, Call
from waiting import WAIT

REPORT = """\
Countdown
200 games, seed 5: random against random, Player 1 moves first
"""


def test_a_report_for_people(rulegame: Call) -> None:
    result = rulegame("simulate", "countdown.yaml", "--games", "200", "--seed", "5")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(REPORT)
    parts = ("Result ", "End ", "First-mover advantage: ", "Game length in moves", "Operations ")
    for line in parts:
        assert f"\n{line}" in result.out
    assert result.out.count("last_taken: Player") == 2


def test_bars_fit_a_narrow_terminal(rulegame: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out = rulegame("simulate", "nim", "--games", "200", "--seed", "5").out
    bars = [line for line in out.splitlines() if "█" in line]
    assert bars
    assert max(map(len, bars)) <= 40


def test_bars_without_block_characters() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rulegame_cli", "simulate", "nim", "--games", "50", "--seed", "1"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        timeout=WAIT,
        check=True,
    )
    assert b"####" in done.stdout
    assert b"\\u" not in done.stdout


def test_the_same_seed_gives_the_same_result(rulegame: Call) -> None:
    call = ("simulate", "dice_duel", "--games", "3000", "--json")
    data = rulegame(*call, "--seed", "9").out
    assert rulegame(*call, "--seed", "9", "--batch", "17").out == data
    assert json.loads(data)["states"] is None


def test_a_seed_that_was_not_given_is_told(rulegame: Call) -> None:
    first = json.loads(rulegame("simulate", "nim", "--games", "500", "--json").out)
    again = rulegame("simulate", "nim", "--games", "500", "--json", "--seed", str(first["seed"]))
    assert json.loads(again.out) == first


def test_json(rulegame: Call) -> None:
    out = rulegame("simulate", "tic_tac_toe", "--games", "400", "--seed", "1", "--json").out
    data = json.loads(out)
    assert (data["title"], data["games"], data["seed"], data["first"]) == ("Tic-tac-toe", 400, 1, 1)
    assert data["players"] == ["random", "random"]
    wins = [seat["wins"]["games"] for seat in data["seats"]]
    assert sum(wins) + data["draws"]["games"] + data["unfinished"]["games"] == 400
    assert sum(end["games"] for end in data["ends"]) == 400
    assert sum(count for _, count in data["lengths"]["counts"]) == 400
    low, high = data["seats"][0]["wins"]["interval"]
    assert low < data["seats"][0]["wins"]["share"] == wins[0] / 400 < high
    assert data["advantage"]["value"] == pytest.approx((wins[0] - wins[1]) / 400)
    assert data["operations"][0]["name"] == "place"
    assert data["operations"][0]["per_game"] == pytest.approx(data["lengths"]["mean"])


def test_games_without_an_end_are_told(rulegame: Call) -> None:
    call = ("simulate", "zero_sum_duel", "--games", "50", "--seed", "1", "--max-moves", "3")
    out = rulegame(*call).out
    assert "unfinished after 3 moves" in out
    assert "no game finished" in out


def test_settings_and_players(rulegame: Call) -> None:
    call = ("simulate", "zero_sum_duel", "--set", "start=10", "--games", "300", "--json")
    data = json.loads(rulegame(*call, "--players", "perfect,random").out)
    assert data["seats"][0]["wins"]["games"] == 300
    data = json.loads(rulegame(*call, "--players", "perfect", "--first", "2").out)
    assert data["seats"][1]["wins"]["games"] == 300
    assert data["first"] == 2
    assert json.loads(rulegame(*call, "--first", "alternate").out)["first"] == "alternate"
    assert json.loads(rulegame(*call, "--first", "random").out)["first"] == "alternate"
    data = json.loads(rulegame(*call, "--players", "Perfect,search:20").out)
    assert data["players"] == ["perfect", "search:20"]
    assert data["seats"][0]["wins"]["games"] == 300


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["number_duel", "--players", "perfect"], "has no perfect player"),
        (["three_player_pig", "--players", "random,perfect,random"], "3 players"),
        (["pig", "--players", "perfect", "--max-states", "500"], "more than 500 positions"),
    ],
)
def test_refusals(rulegame: Call, arguments: list[str], reason: str) -> None:
    result = rulegame("simulate", *arguments)
    assert (result.code, result.out) == (1, "")
    assert reason in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["nim", "--games", "0"],
        ["nim", "--games", "many"],
        ["nim", "--games", "10000000000000"],
        ["nim", "--games", "٣"],
        ["nim", "--seed", "x"],
        ["nim", "--players", "clever"],
        ["nim", "--players", "human"],
        ["nim", "--players", "search:1s"],
        ["nim", "--players", "greedy:2"],
        ["nim", "--players", ""],
        ["nim", "--players", "random,random,random"],
        ["nim", "--first", "3"],
        ["nim", "--max-moves", "-1"],
        ["nim", "--max-states", "1.5"],
        ["nim", "--batch", "0"],
        ["nim", "--output", "no/such/folder/file"],
        ["nim", "--output", "."],
        ["no_such_game"],
    ],
)
def test_wrong_calls(rulegame: Call, arguments: list[str]) -> None:
    result = rulegame("simulate", *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("rulegame: ")


def test_a_ruleset_with_problems(rulegame: Call) -> None:
    result = rulegame("simulate", "broken.yaml")
    assert result.code == 1
    assert "error[E302]" in result.out


def test_rules_that_fail_while_they_are_played(rulegame: Call) -> None:
    result = rulegame("simulate", "fault.yaml", "--games", "100", "--seed", "1")
    assert result.code == 1
    assert "error[E5" in result.out
    assert "Moves so far: " in result.out


def test_a_file_is_written_whole(rulegame: Call, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    target.write_text("old", "utf-8")
    call = ("simulate", "nim", "--games", "10", "--seed", "1", "--json")
    printed = rulegame(*call).out
    result = rulegame(*call, "--output", str(target))
    assert (result.code, result.out) == (0, "")
    assert target.read_text("utf-8") == printed
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.skipif(os.name == "nt", reason="links and devices are those of POSIX")
def test_links_and_devices_stay_what_they_are(rulegame: Call, tmp_path: Path) -> None:
    file, link, pipe = (tmp_path / name for name in ("file", "link", "pipe"))
    link.symlink_to(file)
    call = ("simulate", "nim", "--games", "10", "--seed", "1")
    assert rulegame(*call, "--output", str(link)).code == 0
    assert link.is_symlink()
    assert file.read_text("utf-8") == rulegame(*call).out
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert rulegame(*call, "--output", str(pipe)).code == 0
    assert os.read(reader, 100_000).decode() == file.read_text("utf-8")
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
@pytest.mark.parametrize(("ending", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
@pytest.mark.parametrize("game", ["zero_sum_duel", "pig"])
def test_what_is_broken_off_leaves_nothing(
    game: str, ending: signal.Signals, code: int, tmp_path: Path
) -> None:
    target = tmp_path / "report.txt"
    target.write_text("old", "utf-8")
    command = ["simulate", game, "--games", "1000000000", "--output", str(target)]
    child = AtWork(*command)
    child.wait_for(b"Playing|Exploring")
    child.process.send_signal(ending)
    assert child.finish() == (code, b"")
    assert b"Traceback" not in child.told
    assert target.read_text("utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["report.txt"]
