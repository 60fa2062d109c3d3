"""The number that stands for what rules mean: the same for the same rules, in every version."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulegame.bundled import ruleset_names
from rulegame.loading import load_ruleset, read_settings
from rulegame.model.meaning import meaning
from support.rulesets import SCORES


def number(
    folder: Path, text: str, sets: tuple[str, ...] = (), enable: tuple[str, ...] = ()
) -> str:
    file = folder / "game.yaml"
    file.write_text(text, "utf-8")
    ruleset, problems = load_ruleset(str(file), read_settings(sets, enable))
    assert ruleset is not None, problems
    return meaning(ruleset)


SAME = [
    ("title: Scores", "title: Other\nsummary: Words."),
    ("my.score + n * 2", "(2 * n) + my.score"),
    ("near(me)", "my.score >= goal - 1"),
    ("  near(p)", "  unused: 7\n  near(p)"),
    ("too much", "far too much"),
    ("default: 5", "default: 6, about: Later"),
    ("{my.score: my.score}", "{my.score: my.score + 1}"),  # of what is switched off
    ("  rest:", "  other:\n    enabled: false\n    effects: {my.score: 9}\n  rest:"),
    ("    effects:\n      my.score: my.score + n * 2\n      heaps[1]: m\n",
     "    effects:\n      heaps[1]: m\n      my.score: my.score + n * 2\n"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), SAME)
def test_words_and_order_without_a_meaning(tmp_path: Path, old: str, new: str) -> None:
    assert old in SCORES
    assert number(tmp_path, SCORES.replace(old, new), ("goal=5",)) == number(tmp_path, SCORES)


def test_rules_of_validity_have_no_order(tmp_path: Path) -> None:
    small = "  small: n < 3 or not (my.score == 0)\n"
    moved = SCORES.replace(small, "").replace("stuck:", f"{small}stuck:")
    assert moved != SCORES
    assert number(tmp_path, moved) == number(tmp_path, SCORES)


OTHER = [
    ("score of p >= goal - 1", "score of p >= goal - 2"),
    ("  low: 1", "  low: 2"),  # in the type of a set
    ("[1, 2]", "[1, 3]"),
    ("seen by: nobody", "seen by: all"),
    ("{type: set of low..goal}", "{type: list of int, size: 3}"),
    ("choose: {n: 1..3}", "choose: {n: 1..4}"),
    ("{my.score: n}", "{my.score: n}\n    secret: true"),
    ("die: 1..6", "die: 1..4"),
    ("    die: 1..6\n    coin: 0..1\n", "    coin: 0..1\n    die: 1..6\n"),
    ("{n: 1..3, m: 1..2}", "{m: 1..2, n: 1..3}"),
    ("my.score + n * 2", "my.score + n * 3"),
    ("enabled: false", "enabled: true"),
    ("n < 3", "n <= 3"),
    ("    require: after", "    for: [add]\n    require: after"),
    ("stuck: pass", "stuck: lose"),
    ("result: draw", "result: lose"),
    ("title: Scores", "title: Scores\nplayers: [A, B, C]"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_other_rules_are_another_number(tmp_path: Path, old: str, new: str) -> None:
    assert old in SCORES
    assert number(tmp_path, SCORES.replace(old, new)) != number(tmp_path, SCORES)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("first: {effects: {my.score: 1}}", "second: {effects: {my.score: my.score + coin}}"),
        (
            "any(score of p > goal for p in players) and near(me)\n    result: win",
            "sum(heaps) == 0\n    result: draw",
        ),
    ],
)
def test_some_orders_have_a_meaning(tmp_path: Path, one: str, other: str) -> None:
    assert one in SCORES and other in SCORES
    swapped = SCORES.replace(one, "HERE").replace(other, one).replace("HERE", other)
    assert number(tmp_path, swapped) != number(tmp_path, SCORES)


def test_what_is_switched_on_counts(tmp_path: Path) -> None:
    assert number(tmp_path, SCORES, enable=("rest",)) != number(tmp_path, SCORES)


def test_no_two_bundled_games_are_the_same() -> None:
    numbers = []
    for name in ruleset_names():
        ruleset, _ = load_ruleset(name)
        assert ruleset is not None
        numbers.append((len(ruleset.players), meaning(ruleset)))
    assert len(set(numbers)) >= len(numbers) - 2, "variants that only change parameters are alike"


def test_the_number_is_the_same_in_every_version(tmp_path: Path) -> None:
    """Where it changes, games that were saved before go on with `--anyway` alone, unless the files
    are what they were. If that cannot be helped, say so in the changelog, and change this.
    """
    found = number(tmp_path, SCORES)
    assert found == "c9f44bd0967b1b09e9554d721d9adada328f992d9a476d414cf2516fd3c1e2a1"
