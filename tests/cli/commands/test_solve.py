"""`rulegame solve`: the report, the JSON and the refusals."""

from __future__ import annotations

import csv
import json
import re
import signal
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from cli.conftest import AtWork, Call
from rulegame import load
from rulegame.rounding import bounds_text, ceiling_text, floor_text
from rulegame.solving import Limits, Solution, solve
from rulegame_cli.printing.solution import Amount, Place, as_data, report
from support.rulesets import PATIENCE

NIM = """\
Nim

With best play Player 1, who moves first, wins in 3 moves.

Opening moves, best first:
* take 2 2  wins in 3 moves
"""


def test_a_report_for_people(rulegame: Call) -> None:
    set_ = ("--set", "heaps=[1, 3]")
    result = rulegame("solve", "nim", *set_, "--top", "1")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(NIM)
    assert "  … and 3 more\n\nExact result (worked back from every possible ending)." in result.out
    last = (
        r"ending\)\. 12 positions, 20 moves\. A game takes 2 to 4 moves\. It took \d\.\d\d s\.\n$"
    )
    assert re.search(last, result.out)


def test_what_the_alternatives_cost(rulegame: Call) -> None:
    out = rulegame("solve", "nim", "--set", "heaps=[1, 3]").out
    assert "  take 1 1  loses in 2 moves\n" in out


def test_a_fraction_and_a_decimal(rulegame: Call) -> None:
    out = rulegame("solve", "dice_duel", "--set", "target=3").out
    assert "Value for Player 1, who moves first: -87/323 (-0.2693498452)\n" in out
    assert "Player 1 wins with probability 0.3653250774 with best play.\n" in out
    assert "A game takes 1 move or more, and can go on forever." in out
    assert "Value of each first roll:\n  die 1  " in out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["tic_tac_toe"], "With best play the game is a draw in 9 moves.\n"),
        (["triple_or_nothing"], "With best play the game never ends: neither side can force an"),
        (["nim", "--set", "heaps=[1, 1]"], "Player 2, who moves second, wins in 2 moves.\n"),
        (["nim", "--first", "2"], "With best play Player 2, who moves first, wins"),
    ],
)
def test_verdicts(rulegame: Call, arguments: list[str], line: str) -> None:
    result = rulegame("solve", *arguments)
    assert result.code == 0
    assert line in result.out


def test_json(rulegame: Call) -> None:
    data = json.loads(rulegame("solve", "tic_tac_toe", "--json", "--top", "2").out)
    assert len(data.pop("options")) == 2
    assert len(data.pop("best_moves")) == 9
    assert 20 < data.pop("bytes_per_state") < 200
    assert 0 < data.pop("seconds") < 1000
    assert data.pop("account") == "Exact result (worked back from every possible ending)."
    assert data.pop("method") == "worked back from every possible ending"
    kind = data.pop("kind")
    assert (kind["players"], kind["chance"], kind["perfect_information"]) == (2, False, True)
    assert data == {
        "version": 1,
        "seat_values": ["0", "0"],
        "at": [],
        "first": 1,
        "to_move": 1,
        "states": 5478,
        "moves": 16167,
        "value": "0",
        "value_decimal": 0.0,
        "exact": True,
        "lower": 0.0,
        "upper": 0.0,
        "result": "draw",
        "win_probability": None,
        "win_probability_lower": None,
        "win_probability_upper": None,
        "distance": 9,
        "shortest_game": 5,
        "longest_game": 9,
    }


def test_json_with_chance(rulegame: Call) -> None:
    data = json.loads(rulegame("solve", "dice_duel", "--json").out)
    value = Fraction(data["value"])
    assert data["exact"] is True
    assert data["result"] == "chance"
    chance = Fraction(data["win_probability"])
    assert chance == (1 + value) / 2
    assert data["win_probability_lower"] <= chance <= data["win_probability_upper"]
    assert data["lower"] <= data["value_decimal"] <= data["upper"]
    assert data["longest_game"] is None
    assert data["value_decimal"] == pytest.approx(0.06054661224885)


def test_operations_can_be_switched(rulegame: Call) -> None:
    off = json.loads(rulegame("solve", "double_or_nothing_31", "--json").out)
    on = ("solve", "double_or_nothing_31", "--enable", "subtract_one", "--json")
    assert off["longest_game"] == 30
    assert json.loads(rulegame(*on).out)["longest_game"] is None


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["three_player_pig", "--depth", "2"], "solve it without --depth"),
        (["kuhn_poker", "--depth", "2"], "needs two players, perfect information"),
        (["nim", "--revealed"], "nothing is hidden in this game"),
        (["pig", "--max-states", "1_000"], "more than 1,000 positions: 1,000 positions found"),
        (["pig", "--max-memory", "1M"], "more than 1,048,576 bytes"),
    ],
)
def test_refusals(rulegame: Call, arguments: list[str], reason: str) -> None:
    result = rulegame("solve", *arguments)
    assert (result.code, result.out) == (1, "")
    assert reason in result.err
    assert ("--vs search" in result.err) == ("more than" in reason)


@pytest.mark.parametrize(
    "arguments",
    [
        ["nim", "--first", "3"],
        ["nim", "--top", "none"],
        ["nim", "--top", "0"],
        ["nim", "--max-states", "-1"],
        ["nim", "--max-memory", "G"],
        ["no_such_game"],
        ["nim", "--set", "heaps"],
    ],
)
def test_wrong_calls(rulegame: Call, arguments: list[str]) -> None:
    result = rulegame("solve", *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("rulegame: ")


def test_a_ruleset_with_problems(rulegame: Call) -> None:
    result = rulegame("solve", "broken.yaml")
    assert result.code == 1
    assert "error[E302]" in result.out


def test_bounds_for_programs() -> None:
    game = load("pig", {"target": 10})
    bounded = solve(game, limits=Limits(exact_states=0))
    data = json.loads(json.dumps(as_data(bounded, Place(0, [], None), Amount(), 1.0)))
    assert (data["value"], data["exact"], data["result"]) == (None, False, "chance")
    assert data["lower"] <= data["value_decimal"] <= data["upper"]
    low, high = data["win_probability_lower"], data["win_probability_upper"]
    assert 0 <= low <= data["win_probability"] <= high <= 1
    assert high - low < 1e-9


def test_memory_for_solving_counts_too(rulegame: Call) -> None:
    result = rulegame("solve", "tic_tac_toe", "--max-memory", "600K")
    assert (result.code, result.out) == (1, "")
    assert "5,478 positions found" in result.err
    assert "solving needs about" in result.err


def test_ctrl_c_leaves_nothing_behind() -> None:
    """A large game, interrupted once it is being explored."""
    child = AtWork(
        "solve", "zero_sum_duel", "--set", "start=9000", "--max-states", "900_000_000", "--json"
    )
    child.wait_for(b"Exploring")
    child.process.send_signal(signal.SIGINT)
    assert child.finish() == (130, b"")
    assert b"Traceback" not in child.told


@pytest.mark.full
@pytest.mark.parametrize(
    ("switch", "depth"), [("on", rb"1[5-9]|[2-9]\d"), ("off", rb"\d+")], ids=["native", "python"]
)
def test_ctrl_c_ends_looking_ahead(
    switch: str, depth: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both backends stop in the middle of a depth."""
    monkeypatch.setenv("RULEGAME_MACHINE_CODE", switch)
    child = AtWork("solve", "connect_four", "--depth", "300", "--json")
    child.wait_for(rb"Looking (%b) moves" % depth)
    child.process.send_signal(signal.SIGINT)
    assert child.finish() == (130, b"")
    assert b"Traceback" not in child.told


PASSED = """\
rulegame: 1
title: Only the Second
state: {n: 4}
operations:
  take:
    when: seat(me) == 2
    choose: {k: 1..2}
    effects: {n: n - k}
    next: me
stuck: pass
end:
  none_left: {when: n <= 0, result: "win if n == 0 else lose"}
"""


def test_moves_are_worth_what_they_are_to_who_makes_them(rulegame: Call, tmp_path: Path) -> None:
    """Also where the first player has to pass, and the second makes the first move."""
    file = tmp_path / "game.yaml"
    file.write_text(PASSED, "utf-8")
    report = rulegame("solve", str(file)).out
    assert "Player 2, who moves second, wins" in report
    assert "* take 2  wins in 2 moves" in report and "loses" not in report


FAILING = """\
rulegame: 1
title: Failing
parameters: {a: {default: 2, min: 2, max: 9}}
state: {n: 5}
operations:
  double: {effects: {n: n * n * a}}
end:
  never: {when: n == 0, result: win}
"""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["solve", "FILE", "--json"], 1, "error[E"),
        (["simulate", "FILE", "--seed", "1", "--json"], 1, "error[E"),
        (["solve", "FILE", "--set", "a=1", "--json"], 2, "--set a:"),
        (["simulate", "FILE", "--set", "a=1", "--json"], 2, "--set a:"),
        (["sweep", "FILE", "--set", "b=1", "--vary", "a=2..3", "--format", "json"], 2, "--set b:"),
    ],
)
def test_problems_do_not_stand_where_data_is_expected(
    rulegame: Call, tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(FAILING, "utf-8")
    result = rulegame(*(str(file) if a == "FILE" else a for a in arguments))
    assert (result.code, result.out) == (code, "")
    assert said in result.err


# ---- from a later position

LATER = """\
Nim
After take 1 1: Player 2 to move.

With best play Player 2, who moved second, wins in 1 move.

Moves for Player 2, best first:
* take 2 3  wins in 1 move
  take 2 1  loses in 2 moves
"""
HEAPS = ("--set", "heaps=[1, 3]")


def test_a_later_position(rulegame: Call) -> None:
    result = rulegame("solve", "nim", *HEAPS, "--at", "take 1 1")
    data = json.loads(rulegame("solve", "nim", *HEAPS, "--at", "take 1 1", "--json").out)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(LATER)
    assert (data["at"], data["first"], data["to_move"]) == (["take 1 1"], 1, 2)
    assert (data["value"], data["result"], data["distance"]) == ("-1", "second", 1)


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ["dice_duel", "--set", "target=9", "--at", "die 6"],
            ["After die 6: Player 1 to move.\n", "Moves for Player 1, best first:\n"],
        ),
        (
            ["dice_duel", "--set", "target=9", "--at", "die 6, add"],
            ["After die 6, add: die to roll.\n", "Value of each roll for Player 1:\n"],
        ),
        (
            ["dice_duel", "--set", "target=9", "--at", "die 6, add, die 1"],
            ["Moves for Player 2, best first; values for Player 1:\n"],
        ),
        (
            ["nim", "--set", "heaps=[1]", "--first", "2", "--at", "take 1 1"],
            ["After take 1 1: the game is over.\n", "\nPlayer 2 has won.\n"],
        ),
    ],
)
def test_who_is_to_move_there(rulegame: Call, arguments: list[str], lines: list[str]) -> None:
    result = rulegame("solve", *arguments)
    assert result.code == 0
    for line in lines:
        assert line in result.out


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        ("take 1 1, take 1 1", "--at: move 2, 'take 1 1', is not valid after take 1 1: "),
        ("tke 1 1", "--at: move 1: there is no move 'tke 1 1'; did you mean 'take'?"),
        ("nowhere.jsonl", "--at: no file 'nowhere.jsonl'"),
        ("broken.yaml", "--at: broken.yaml: this is not a rulegame save"),
    ],
)
def test_positions_that_are_none(rulegame: Call, at: str, reason: str) -> None:
    result = rulegame("solve", "nim", *HEAPS, "--at", at)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"rulegame: {reason}")
    assert result.err.count("\n") == 1


def test_a_position_of_a_game_with_secret_picks(rulegame: Call) -> None:
    """The other player does not know it; what it could be best to do there is not said."""
    small = ("--set", "highest=4", "--set", "target=6")
    result = rulegame("solve", "number_duel", *small, "--at", "pick 1 2 3")
    assert (result.code, result.out) == (1, "")
    assert "3 other positions look the same to Player 2" in result.err
    assert "--policy FILE" in result.err


def test_choices_at_once(rulegame: Call) -> None:
    """From the start, and from a position in which nobody has chosen yet."""
    data = json.loads(rulegame("solve", "rock_paper_scissors", "--json").out)
    assert (data["value"], data["exact"], data["longest_game"]) == ("0", True, None)
    (choice,) = data["strategies"]["second"]
    assert [move["probability"] for move in choice["moves"]] == ["1/3"] * 3
    at = rulegame("solve", "rock_paper_scissors", "--at", "show rock, show paper").out
    assert "After show rock, show paper: Player 1 and Player 2 to choose.\n" in at
    assert "Value for Player 1: -3/8 (-0.375)\n" in at
    result = rulegame("solve", "rock_paper_scissors", "--at", "show rock")
    assert (result.code, result.out) == (1, "")
    assert "give the position before both choose" in result.err


@pytest.mark.parametrize("name", ["three_player_pig", "liars_dice", "blackjack"])
def test_what_is_too_large_and_cannot_be_looked_at(rulegame: Call, name: str) -> None:
    result = rulegame("solve", name, "--max-states", "200", "--max-time", "1")
    assert (result.code, result.out) == (1, "")
    assert "Try instead: a smaller game" in result.err and "--depth" not in result.err


@pytest.mark.parametrize("name", ["goofspiel", "mastermind"])
def test_payoffs_bound_what_is_not_solved_in_time(rulegame: Call, name: str) -> None:
    result = rulegame("solve", name, "--max-time", "0.001")
    assert (result.code, result.out) == (1, "")
    assert re.search(r"was not solved .*\nThe value for \w.* is between -1 and 1\.\n", result.err)


def test_many_players(rulegame: Call) -> None:
    call = ("solve", "three_player_pig", "--set", "target=2")
    result = rulegame(*call)
    assert (result.code, result.err) == (0, "")
    assert "others cooperate against them:\n  Player 1  29/43 (0.6744186047)\n" in result.out
    assert "No equilibrium computed: play can go on forever." in result.out
    data = json.loads(rulegame(*call, "--json").out)
    assert [one["value"] for one in data["guarantees"]] == ["29/43", "-31/43", "-41/43"]
    assert (data["payoffs"], data["outcomes"], data["longest_game"]) == (None, None, None)


def test_hidden_information(rulegame: Call) -> None:
    data = json.loads(rulegame("solve", "kuhn_poker", "--json").out)
    assert (data["value"], data["exact"], data["exploitability"]) == ("-1/18", True, 0)
    assert (data["histories"], data["information_sets"]) == (58, [6, 6])
    first = data["strategies"]["first"][0]
    assert first["knows"] == "hand 1; after card 1"
    assert sum(move["probability_decimal"] for move in first["moves"]) == 1
    result = rulegame("solve", "liars_dice", "--set", "sides=2", "--top", "1")
    assert "Value for Player 1, who moves first: 1/2 (0.5)" in result.out
    assert "Player 1 wins with probability 0.75 with best play." in result.out
    assert "  … and 1 more" in result.out


def test_policies(rulegame: Call, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.csv"
    assert rulegame("solve", "kuhn_poker", "--policy", str(file)).code == 0
    rows = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    assert list(rows[0]) == ["player", "state", "move", "probability", "value"]
    assert len(rows) == 24 and {row["player"] for row in rows} == {"1", "2"}
    bluff = [r for r in rows if (r["state"], r["move"]) == ("hand 1; after card 1, pass", "bet")]
    assert [row["probability"] for row in bluff] == ["1/3"]
    file = tmp_path / "nim.json"
    assert rulegame("solve", "nim", *HEAPS, "--policy", str(file)).code == 0
    moves = json.loads(file.read_text("utf-8"))
    assert {move["value"] for move in moves} == {"1", "-1"}
    chosen = [move for move in moves if move["probability"] == "1"]
    assert len(chosen) == len({(move["player"], move["state"]) for move in moves})
    best = {(m["player"], m["state"]) for m in moves if m["value"] == "1"}
    assert all(m["value"] == "1" for m in chosen if (m["player"], m["state"]) in best)


@pytest.mark.parametrize(
    "arguments",
    [
        ("nim", "--policy", "no/such/folder/file.csv"),
        ("nim", "--depth", "2", "--policy", "file.csv"),
        ("three_player_pig", "--set", "target=2", "--policy", "file.csv"),
    ],
)
def test_policies_that_cannot_be_written(
    rulegame: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    result = rulegame("solve", *arguments)
    assert (result.code, result.out) == (2, "")
    assert "--policy: " in result.err and not list(tmp_path.iterdir())


def test_the_position_of_a_save(rulegame: Call, tmp_path: Path) -> None:
    save = tmp_path / "game.jsonl"
    play = ("play", "nim", *HEAPS, "--first", "2", "--save", str(save))
    rulegame(*play, typed="1\n1\nquit\n")
    data = json.loads(rulegame("solve", "nim", *HEAPS, "--at", str(save), "--json").out)
    assert (data["at"], data["first"], data["to_move"]) == (["take 1 1"], 2, 1)
    assert data["result"] == "second"  # who did not move first, and wins
    other = rulegame("solve", "nim", "--at", str(save))
    assert other.code == 2
    assert other.err.endswith('Add --set "heaps=[1, 3]"\n')
    assert "played with different rules" in rulegame("solve", "pig", "--at", str(save)).err


# ---- what can be forced within a number of moves

AHEAD = """\
Nim

Player 1, who moves first, can force a win within 3 moves.

Opening moves, best first:
  take 2 2  wins within 3
  take 2 1  open
  take 1 1  loses within 2
  take 2 3  loses within 2
"""


def test_looking_ahead(rulegame: Call) -> None:
    arguments = ("nim", "--set", "heaps=[1, 3]", "--depth", "3")
    result = rulegame("solve", *arguments)
    data = json.loads(rulegame("solve", *arguments, "--json").out)
    assert result.out.startswith(AHEAD)
    searched = f"\nExact result (alpha-beta search, 3 moves deep). {data['positions']} positions"
    assert searched in result.out
    assert (data["depth"], data["lower"], data["upper"], data["exact"]) == (3, 1, 1, True)
    assert [option["exact"] for option in data["options"]] == [True, False, True, True]
    assert data["options"][2]["upper_within"] == 2


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["connect_four", "--depth", "5"], "neither side can force a win or a draw within 5 moves"),
        (
            ["tic_tac_toe", "--depth", "9"],
            "Both sides can force a draw within 9 moves",
        ),
        (["nim", "--set", "heaps=[1, 1]", "--depth", "2"], "Player 2, who moves second, can force"),
        (
            ["dice_duel", "--depth", "2"],
            "Not solved: neither side can force much within 2 moves and rolls.",
        ),
        (
            ["connect_four", "--max-states", "99", "--max-time", "0.1"],
            "Connect Four\n\nNot solved: neither side",
        ),
    ],
)
def test_what_can_be_forced(rulegame: Call, arguments: list[str], line: str) -> None:
    result = rulegame("solve", *arguments)
    assert result.code == 0
    assert line in result.out


LUCK = """\
rulegame: 1
title: Luck
state: {left: 3, score: 0}
turn: {roll: {coin: 0..1}}
operations:
  go: {choose: {k: 0..1}, effects: {left: "left - 1", score: "score + coin * k"}}
end:
  won: {when: "left == 0 and score >= 2", winners: "players[1]"}
  lost: {when: left == 0, winners: "players[2]"}
"""


def test_bounds_that_rounding_keeps_apart_are_one_number(rulegame: Call, tmp_path: Path) -> None:
    path = tmp_path / "luck.yaml"
    path.write_text(LUCK, "utf-8")
    result = rulegame("solve", str(path), "--depth", "8")
    pattern = r"The value for Player 1, who moves first, is -0\.5 ± \d\.\de-1\d, forced within 6 "
    assert re.search(pattern, result.out)
    assert re.search(r"coin 0  -1 within 6\n  coin 1  0 ± \d\.\de-1\d within 6\n", result.out)


def test_printed_bounds_are_rounded_outward() -> None:
    for value in (1 / 3, -1 / 3, 222222.22222222222, -0.5000000000000011, 1e-15, 1e15, 2.5, -7.0):
        low, high = floor_text(value), ceiling_text(value)
        assert Fraction(low) <= Fraction(value) <= Fraction(high)
        assert Fraction(high) - Fraction(low) <= Fraction(1, 10**4)
        assert len(low) <= 17


@pytest.mark.parametrize(
    ("paid", "depth", "lines"),
    [
        ("[3, -3]", "1", ["can force at least 1 within 1 move.", "is between 1 and 3."]),
        ("[3, -3]", "3", ["is 3, forced within 3 moves.", "  wait  3 within 3\n  take  1"]),
        ("[moved, 0 - moved]", "2", ["is at least 1; the rules set no upper bound."]),
        ("[-3, 3]", "3", ["is 1, forced within 1 move.", "  take  1 within 1\n  wait  -3"]),
    ],
)
def test_amounts_that_can_be_forced(
    rulegame: Call, tmp_path: Path, paid: str, depth: str, lines: list[str]
) -> None:
    path = tmp_path / "taking.yaml"
    path.write_text(PATIENCE.replace("[3, -3]", paid))
    result = rulegame("solve", str(path), "--depth", depth)
    assert all(line in result.out for line in lines), result.out
    assert "win" not in result.out


GROWING = """\
rulegame: 1
title: Growing
state: {t: 0, s: 0}
operations:
  a: {effects: {s: "s + 9007199254740990", t: t + 1}}
  b: {effects: {s: "s + 9007199254740993", t: t + 1}}
end: {over: {when: t == 2, payoff: "PAID"}}
"""


def test_payoffs_without_bounds(rulegame: Call, tmp_path: Path) -> None:
    path = tmp_path / "growing.yaml"
    path.write_text(GROWING.replace("PAID", "[s, 0 - s]"))
    result = rulegame("solve", str(path), "--depth", "1")
    assert "has no bound: the rules pay numbers of any size." in result.out
    assert "nan" not in result.out


def test_payoffs_that_floats_do_not_hold(rulegame: Call, tmp_path: Path) -> None:
    path = tmp_path / "growing.yaml"
    path.write_text(GROWING.replace("PAID", "[s, 0 - s]"))
    result = rulegame("solve", str(path))
    assert "* b  +18014398509481983.0000000000\n" in result.out
    assert "  a  +18014398509481980.0000000000  (3 worse)\n" in result.out
    result = rulegame("solve", str(path), "--depth", "2")
    assert "payoffs are too large" in result.err and "same sum" not in result.err


def test_a_refusal_says_what_can_be_done(rulegame: Call) -> None:
    result = rulegame("solve", "connect_four", "--max-states", "99")
    assert (result.code, result.out) == (1, "")
    assert "--depth" in result.err.splitlines()[-1]


@pytest.mark.parametrize("given", [("--depth", "301"), ("--depth", "0"), ("--max-time", "soon")])
def test_wrong_depths_and_times(rulegame: Call, given: tuple[str, str]) -> None:
    result = rulegame("solve", "nim", *given)
    assert (result.code, result.out) == (2, "")


def test_the_best_answer_to_a_player(rulegame: Call) -> None:
    result = rulegame("solve", "kuhn_poker", "--against", "random")
    assert (result.code, result.err) == (0, "")
    assert "Player 1 gets 1/2 (0.5) on average, compared with -1/18" in result.out
    assert "random is exploitable by 13/36 (0.361111) as Player 1." in result.out


@pytest.mark.full
def test_an_estimate_of_the_best_answer(rulegame: Call) -> None:
    data = json.loads(rulegame("solve", "nim", "--against", "search:20", "--json").out)
    assert [one["seat"] for one in data["answers"]] == [1, 2]
    assert data["answers"][0]["estimated"] and data["account"].startswith("Estimate")
    assert data["answers"][0]["exploitability"] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["nim", "--against", "nobody"], 2, "unknown player 'nobody'"),
        (["nim", "--against", "policy:none.csv"], 2, "cannot read the policy"),
        (["nim", "--against", "random", "--depth", "3"], 2, "--against can be combined only with"),
        (["blackjack", "--against", "random"], 2, "has only one player"),
        (["pig", "--against", "random", "--max-states", "1000"], 1, "rulegame simulate pig"),
    ],
)
def test_answers_that_are_refused(
    rulegame: Call, arguments: list[str], code: int, reason: str
) -> None:
    result = rulegame("solve", *arguments)
    assert (result.code, result.out) == (code, "") and reason in result.err


@pytest.mark.parametrize("name", ["rock_paper_scissors", "kuhn_poker"])
@pytest.mark.parametrize("share", [Fraction(1), Fraction(19, 20)])
def test_bounds_about_as_wide_as_the_payoffs_are_no_solution(name: str, share: Fraction) -> None:
    game, place = load(name), Place(0, [], None)
    found: Solution
    if name == "kuhn_poker":
        hidden = solve(game, "hidden")
        low, high = (share * bound for bound in hidden.payoffs)
        found = replace(hidden, plans=replace(hidden.plans, lower=low, upper=high))
    else:
        staged = solve(game, "simultaneous")
        low, high = (share * bound for bound in staged.payoffs)
        size = len(staged.lowers)
        found = replace(staged, lowers=[low] * size, uppers=[high] * size)
    lines = list(report(found, place, Amount(), 1.0))
    data = as_data(found, place, Amount(), 1.0)
    last = f"Not solved: the value for Player 1 is {bounds_text(found.lower, found.upper)}, "
    assert any(line.startswith(last) for line in lines)
    assert data["strategies"] == {}
    assert not any("strategy for" in line for line in lines)


def test_exact_fractions_on_request(rulegame: Call) -> None:
    plain = rulegame("solve", "dice_duel").out
    exact = rulegame("solve", "dice_duel", "--exact").out
    assert "Value for Player 1, who moves first: 0.06054661225\n" in plain
    assert re.search(r"moves first: \d{50,}/\d{50,} \(0\.06054661225\)\n", exact)


def test_rows_of_tables(rulegame: Call) -> None:
    """At most ten, equal ones only counted, unless somebody asks for more."""
    game = ("solve", "nim", "--set", "heaps=[9, 9, 1]")
    rows = [line for line in rulegame(*game).out.splitlines() if line[2:6] == "take"]
    assert len(rows) == 10
    assert "  … and 9 more" in rulegame(*game).out
    assert rulegame(*game, "--all").out.count("take ") == 19
    assert rulegame(*game, "--top", "12").out.count("take ") == 12
    result = rulegame(*game, "--top", "12", "--all")
    assert (result.code, result.out) == (2, "")


def test_hidden_has_no_effect(rulegame: Call) -> None:
    noted = rulegame("solve", "kuhn_poker", "--hidden")
    assert noted.code == 0 and noted.err.startswith("note: --hidden has no effect")
    assert "-1/18" in noted.out


def test_exploring_is_part_of_the_time(rulegame: Call) -> None:
    result = rulegame("solve", "connect_four", "--max-time", "0.2")
    assert result.code == 0
    assert "connect_four was not solved within 0.1 s\nLooking ahead in the" in result.err
    assert result.out.startswith("Connect Four\n\nNot solved: neither side can force a win")
