"""`rulegame sweep`: tables, CSV, JSON, the refusals, and processes that do not stay behind."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from typing import Final

import pytest

from cli.conftest import Call
from support.rulesets import RULESETS
from support.tiers import installed
from waiting import WAIT, wait_for

DICE_DUEL = """\
Dice Duel

target  sides  states       value   decimal  result  first wins  fair
     3      3     102        9/77  0.116883  chance    0.558442   yes
     4      3     176  2517/18449  0.136430  chance    0.568215    no
     0      3  'target' must be between 1 and 1000000, not 0

No result: 1 of 3 settings
Fair within 0.12: 1 of 3 settings: target=3, sides=3
Fairest: target=3, sides=3, value 9/77
"""


ONE: Final = ("--jobs", "1")  # no other processes


def test_standard_input(rulegame: Call) -> None:
    text = (RULESETS / "countdown.yaml").read_text(encoding="utf-8")
    named = rulegame("sweep", "countdown.yaml", "--vary", "pile=3..5", "--jobs", "2")
    piped = rulegame("sweep", "-", "--vary", "pile=3..5", *ONE, typed=text)
    assert named.code == 0 and piped == named


def test_a_table(rulegame: Call) -> None:
    vary = ("--vary", "target=3..4,0", "--vary", "sides=3")
    result = rulegame("sweep", "dice_duel", *vary, *ONE, "--fair-within", "0.12")
    assert (result.code, result.err) == (0, "")
    assert result.out == DICE_DUEL


def test_games_won_by_one_side_do_not_prove_a_value(rulegame: Call) -> None:
    simulated = ("--by", "simulate", "--games", "2", "--seed", "1", "--jobs", "1")
    result = rulegame("sweep", "nim", "--vary", "heaps=[1]", *simulated)
    assert result.code == 0 and " 100.00% " in result.out
    assert result.out.endswith("\nFairest: heaps=[1], advantage +1.000000\n")


def test_settings_that_are_all_decided(rulegame: Call) -> None:
    result = rulegame("sweep", "countdown.yaml", "--vary", "pile=5..9..2", "--jobs", "1")
    assert result.code == 0
    assert [line.split()[0] for line in result.out.splitlines()[3:6]] == ["5", "7", "9"]
    assert result.out.endswith("With best play one side always wins, whatever the setting.\n")


def test_a_table_of_simulations(rulegame: Call) -> None:
    call = ("sweep", "zero_sum_duel", "--vary", "start=5,6", "--games", "300", "--seed", "2")
    out = rulegame(*call, "--jobs", "2").out
    assert "300 games for each setting, seed 2\n" in out
    assert out == rulegame(*call, *ONE, "--by", "simulate").out
    assert "Fairest: start=" in out


def test_lists_words_and_switches(rulegame: Call) -> None:
    call = ("sweep", "nim", "--vary", "heaps=[1, 2],[2,2]", "--format", "json")
    data = json.loads(rulegame(*call, *ONE).out)
    assert [s["parameters"] for s in data["settings"]] == [{"heaps": [1, 2]}, {"heaps": [2, 2]}]
    assert [s["solved"]["value"] for s in data["settings"]] == ["1", "-1"]
    vary = ("--vary", "misere=true,false")
    data = json.loads(rulegame("sweep", "nim", *vary, *ONE, "--format", "json").out)
    assert [s["parameters"]["misere"] for s in data["settings"]] == [True, False]


def test_json(rulegame: Call) -> None:
    call = ("sweep", "dice_duel", "--vary", "target=0,3", "--set", "sides=3", "--format", "json")
    data = json.loads(rulegame(*call, *ONE).out)
    bad, good = data.pop("settings")
    assert data == {
        "title": "Dice Duel",
        "by": "solve",
        "seed": None,
        "fair_within": 0.05,
        "fair": [],
        "fairest": {"target": 3},
    }
    assert "must be" in bad["problem"] and bad["solved"] is None and bad["fair"] is None
    assert good["problem"] is None and good["fair"] is False
    assert good["solved"]["value"] == "9/77"


def test_csv(rulegame: Call) -> None:
    call = ("sweep", "dice_duel", "--vary", "target=0,3", "--set", "sides=3", "--format", "csv")
    bad, good = csv.DictReader(io.StringIO(rulegame(*call, *ONE).out))
    assert (bad["target"], bad["value"], bad["fair"]) == ("0", "", "")
    assert bad["problem"].startswith("'target' must be")
    assert (good["value"], good["exact"], good["fair"], good["problem"]) == (
        "9/77",
        "true",
        "no",
        "",
    )
    simulated = ("sweep", "nim", "--vary", "heaps=[3],[4]", "--games", "50", "--seed", "1")
    rows = list(csv.DictReader(io.StringIO(rulegame(*simulated, *ONE, "--format", "csv").out)))
    assert [row["heaps"] for row in rows] == ["[3]", "[4]"]
    assert all(row["games"] == "50" for row in rows)


def test_no_setting_with_a_result(rulegame: Call) -> None:
    result = rulegame("sweep", "three_player_pig", "--vary", "target=10,20", *ONE)
    assert result.code == 1
    assert result.out.count("this game has 3 players") == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "--vary"),
        (["--vary", "start"], "is not a range"),
        (["--vary", "start="], "is not a range"),
        (["--vary", "=3"], "is not a range"),
        (["--vary", "strat=1..3"], "did you mean 'start'?"),
        (["--vary", "start=9..3"], "the range 9..3 is empty"),
        (["--vary", "start=1..9..0"], "step"),
        (["--vary", "start=1..9..-1"], "step"),
        (["--vary", "start=1..999999999"], "more than 1,000,000"),
        (
            ["--vary", "start=1..99999", "--vary", "numbers=" + "[1]," * 99 + "[1]"],
            "the limit is 1,000,000",
        ),
        (["--vary", "start=1,,2"], "is not a list of values"),
        (["--vary", "start={a: 1}"], "mapping"),
        (["--vary", "start=[1"], "is not a list of values"),
        (["--vary", "start=1", "--vary", "start=2"], "duplicate parameter"),
        (["--vary", "start=1", "--set", "start=2"], "duplicate parameter"),
        (["--vary", "start=1", "--by", "guess"], "solve or simulate"),
        (["--vary", "start=1", "--by", "solve", "--games", "5"], "--games works only with"),
        (["--vary", "start=1", "--games", "5", "--max-memory", "1Q"], "--max-memory"),
        (["--vary", "start=1", "--format", "xml"], "--format"),
        (["--vary", "start=1", "--first", "alternate"], "--first"),
        (["--vary", "start=1", "--fair-within", "nan"], "--fair-within"),
        (["--vary", "start=1", "--fair-within", "2"], "--fair-within"),
        (["--vary", "start=1", "--jobs", "0"], "--jobs"),
        (["--vary", "start=1", "--output", "no/such/folder"], "--output"),
    ],
)
def test_wrong_calls(rulegame: Call, arguments: list[str], reason: str) -> None:
    result = rulegame("sweep", "zero_sum_duel", *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("rulegame: ")
    assert reason in result.err


LONG = ("sweep", "dice_duel", "--vary", "target=60..90", "--vary", "sides=6..9", "--jobs", "2")


def _members(group: int) -> set[int]:
    """The living processes of a group."""
    found = set()
    for folder in os.listdir("/proc"):  # noqa: PTH208
        if folder.isdecimal():
            try:
                with open(f"/proc/{folder}/stat") as file:  # noqa: PTH123
                    state, _, its_group = file.read().rpartition(")")[2].split()[:3]
            except OSError:
                continue
            if int(its_group) == group and state != "Z":
                found.add(int(folder))
    return found


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_stays_behind(ending: signal.Signals) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "rulegame_cli", *LONG],
        cwd=RULESETS,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        wait_for(lambda: len(_members(child.pid)) >= 3)  # two of them work
        if ending == signal.SIGINT:
            os.killpg(child.pid, ending)  # as a terminal does
        else:
            child.send_signal(ending)
        out, err = child.communicate(timeout=WAIT)
        assert (out, err) == (b"", b"")
        assert child.returncode == (130 if ending == signal.SIGINT else -ending)
        wait_for(lambda: not _members(child.pid))
    finally:
        for process in _members(child.pid):
            os.kill(process, signal.SIGKILL)


@pytest.mark.full
def test_ctrl_c_at_a_terminal() -> None:
    pexpect = installed("pexpect")
    child = pexpect.spawn(
        sys.executable,
        ["-m", "rulegame_cli", *LONG],
        cwd=str(RULESETS),
        encoding="utf-8",
        timeout=WAIT,
    )
    try:
        child.expect_exact("Sweeping [")
        child.sendintr()
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 130
        assert "Traceback" not in child.before
    finally:
        child.close(force=True)
