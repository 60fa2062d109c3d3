"""`rulegame test --coverage`: what the tests of a ruleset exercise."""

from pathlib import Path

import pytest

from cli.conftest import Call

GAME = """\
rulegame: 1
title: Down
summary: Take them down.
state: {left: 5, last: 0}
operations:
  take:
    choose: {n: 1..3}
    effects:
      left: left - n
      last: n
  wait:
    effects: {last: 0}
validity:
  fresh: {require: n != last, for: [take]}
  enough: {require: after.left >= 0}
end:
  done: {when: left == 0, result: win}
  never: {when: left == 99, result: lose}
"""
PLAYED = """\
tests:
  a repeated number is barred:
    play: [take 1]
    expect:
      invalid: {take 1: fresh}
  the last one wins:
    play: [take 3, take 2]
    expect:
      outcome: {winner: 2}
"""
TYPED = """\
tests:
  typed:
    type: [take, 3, take, 3, take 2]
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return tmp_path / "down.yaml"


def test_each_rule_with_its_line_and_tests(rulegame: Call, game: Path) -> None:
    game.write_text(GAME + PLAYED, encoding="utf-8")
    done = rulegame("test", str(game), "--coverage")
    assert done.code == 0
    assert [line.split() for line in done.out.splitlines()[1:-1]] == [
        ["covered:", "3", "of", "6,", "50%"],
        ["operation", "take", "line", "6", "2", "tests"],
        ["operation", "wait", "line", "11", "no", "test"],
        ["validity", "fresh", "line", "14", "1", "test"],
        ["validity", "enough", "line", "15", "no", "test"],
        ["end", "done", "line", "17", "1", "test"],
        ["end", "never", "line", "18", "no", "test"],
    ]


def test_typed_games_exercise_the_rules_on_their_way(rulegame: Call, game: Path) -> None:
    game.write_text(GAME + TYPED, encoding="utf-8")
    done = rulegame("test", str(game), "--coverage")
    assert "covered: 4 of 6, 66%" in done.out
    assert done.out.count("no test") == 2


@pytest.mark.parametrize(("least", "code"), [("50", 0), ("51", 1), ("100%", 1), ("0", 0)])
def test_a_minimum(rulegame: Call, game: Path, least: str, code: int) -> None:
    game.write_text(GAME + PLAYED, encoding="utf-8")
    done = rulegame("test", str(game), "--min", least)
    assert done.code == code
    assert ("1 ruleset below the required coverage" in done.out) == bool(code)


@pytest.mark.parametrize("least", ["-1", "101", "half", "%", "1e2", "²"])
def test_nonsense_for_the_minimum(rulegame: Call, game: Path, least: str) -> None:
    game.write_text(GAME, encoding="utf-8")
    done = rulegame("test", str(game), "--min", least)
    assert done.code == 2
    assert "--min: expected a whole number from 0 to 100" in done.err


def test_what_a_variant_inherits_is_named_with_its_file(rulegame: Call, game: Path) -> None:
    game.write_text(GAME, encoding="utf-8")
    variant = game.with_name("other.yaml")
    variant.write_text("rulegame: 1\nextends: down.yaml\ntitle: Other\n", encoding="utf-8")
    done = rulegame("test", str(variant), "--coverage")
    assert "down.yaml:6" in done.out and "0 of 6, 0%" in done.out


STUCK = """\
rulegame: 1
title: Stuck
state: {left: 5}
operations:
  take:
    choose: {n: 2..2}
    effects: {left: left - n}
validity:
  enough: after.left >= 0
stuck:
  unless: after.left != 1
  result: pass
  effects: {left: 6 if left == 3 else left}
  all: draw
end:
  done: {when: left == 0, result: win}
tests:
"""
TESTS_OF_STUCK = [
    ("given: {left: 4}, play: [take 2, take 2]", set()),
    ("play: [take 2]", {"pass", "unless"}),  # the other passes, and there are six again
    ("given: {left: 1}", {"pass", "all"}),
    ("type: [take 2, take 2, take 2]", {"pass", "unless"}),
    ("given: {left: 9}, type: []", set()),
]


@pytest.mark.parametrize(("test", "ways"), TESTS_OF_STUCK)
def test_each_way_in_which_a_player_is_stuck(
    rulegame: Call, game: Path, test: str, ways: set[str]
) -> None:
    game.write_text(f"{STUCK}  one: {{{test}}}\n", encoding="utf-8")
    rows = [line.split() for line in rulegame("test", str(game), "--coverage").out.splitlines()]
    found = {row[1]: row[2:] for row in rows if row[0] == "stuck"}
    lines = {"unless": "11", "pass": "12", "all": "14"}
    assert found == {
        name: ["line", line, *(["1", "test"] if name in ways else ["no", "test"])]
        for name, line in lines.items()
    }


def test_a_ruleset_that_says_nothing_of_being_stuck_need_not_test_it(
    rulegame: Call, game: Path
) -> None:
    game.write_text(GAME + PLAYED, encoding="utf-8")
    assert "stuck" not in rulegame("test", str(game), "--coverage").out
