"""Rulesets are compared by meaning."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import rulegame
from rulegame.comparing import Comparison, compare, worth
from rulegame.loading import load_ruleset
from rulegame.solving import Solved
from support.rulesets import SCORES


def _compared(tmp_path: Path, before: str, after: str) -> Comparison:
    rulesets = []
    for name, text in (("before", before), ("after", after)):
        file = tmp_path / f"{name}.yaml"
        file.write_text(text, encoding="utf-8")
        ruleset, problems = load_ruleset(file)
        assert ruleset is not None, problems
        rulesets.append(ruleset)
    return compare(rulesets[0], rulesets[1])


SAME = [
    ("my.score + n * 2", "((2*n) + my.score)"),
    ("my.score + n * 2", "score of me + 2 * n"),
    ("n < 3 or not (my.score == 0)", "0 != my.score or 3 > n"),
    ("after.my.score in 0..20", "0 <= after.my.score <= 20"),
    ("after.my.score in 0..20", "20 >= after.my.score >= 0"),
    ("any(score of p > goal for p in players)", "any(goal < score of q for q in players)"),
    ("and near(me)", "and my.score >= goal - 1"),
    ("    score: 0", "    score: {type: int}"),
    ("stuck: pass", "stuck: {result: pass, all: draw}"),
    ("choose: {n: 1..3}", "choose: {n: {from: 1 .. 3}}"),
]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_same_meaning_written_otherwise(tmp_path: Path, old: str, new: str) -> None:
    assert old in SCORES
    assert _compared(tmp_path, SCORES, SCORES.replace(old, new)).differences == ()


DIFFERENT = [
    ("default: 5, min: 1", "default: 6, min: 1", "parameters goal default changed 5 6"),
    ("min: 1, max: 9", "min: 0, max: 9", "parameters goal min changed 1 0"),
    ("[1, 2]", "[1, 3]", "state heaps start changed [1, 2] [1, 3]"),
    (
        "my.score + n * 2",
        "my.score + n * 3",
        "operations add effect on my.score changed my.score + n * 2 my.score + n * 3",
    ),
    ("n: 1..3, m", "n: 1..4, m", "operations add choice n changed 1..3 1..4"),
    ("enabled: false", "enabled: true", "operations rest enabled changed off on"),
    ("score of p > goal", "score of p >= goal", "end there when changed"),
    (">= goal - 1", ">= goal - 2", "definitions near  changed"),
    ("result: draw", "result: lose", "end full result changed draw lose"),
    ("stuck: pass", "stuck: lose", "stuck a player without a valid move result changed pass lose"),
    (
        "  low:\n    require: after.my.score in 0..20\n",
        "  low:\n    for: [add]\n    require: after.my.score in 0..20\n",
        "validity low for added  [add]",
    ),
]


@pytest.mark.parametrize(("old", "new", "said"), DIFFERENT)
def test_a_difference_has_its_name(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in SCORES
    found = _compared(tmp_path, SCORES, SCORES.replace(old, new)).differences
    assert " ".join(found[0]).startswith(said)


def test_texts_are_only_named(tmp_path: Path) -> None:
    after = SCORES.replace("too much", "far too much").replace("title: Scores", "title: Other")
    comparison = _compared(tmp_path, SCORES, after)
    assert comparison.same
    assert comparison.texts == ("title", "validity low because")


def test_the_bounds_of_a_choice_are_no_rule(tmp_path: Path) -> None:
    after = SCORES.replace("{n: 1..3, m", "{n: {from: 1..3, within: 1..9}, m")
    comparison = _compared(tmp_path, SCORES, after)
    assert comparison.same
    assert comparison.texts == ("operations add choose n within",)


def test_a_name_may_be_called_like_the_key_of_a_text(tmp_path: Path) -> None:
    before, after = (
        f"""
rulegame: 1
title: Names
state: {{note: 0, text: 0}}
operations:
  label:
    about: It is said.
    label: {label}
    effects: {{note: note + 1, text: {new}}}
end: {{over: {{when: note > 3, result: win}}}}
"""
        for label, new in (("One", "text + 1"), ("Two", "text + 2"))
    )
    comparison = _compared(tmp_path, before, after)
    (difference,) = comparison.differences
    assert difference.what == "effect on text"
    assert comparison.texts == ("operations label label",)


def test_rules_that_are_new_gone_or_in_another_order(tmp_path: Path) -> None:
    there = SCORES.index("  there:")
    full = SCORES.index("  full:")
    swapped = SCORES[:there] + SCORES[full:] + SCORES[there:full]
    (order,) = _compared(tmp_path, SCORES, swapped).differences
    assert order == ("end", "the order", "", "changed", "there, full", "full, there")
    (gone,) = _compared(tmp_path, SCORES, SCORES[:full]).differences
    assert (gone.section, gone.name, gone.kind) == ("end", "full", "removed")
    assert gone.before == "when: sum(heaps) == 0; result: draw"
    (new,) = _compared(tmp_path, SCORES[:full], SCORES).differences
    assert (new.kind, new.after) == ("added", gone.before)


def test_definitions_that_nothing_uses_may_go_in_circles(tmp_path: Path) -> None:
    circular = SCORES.replace("  near(p)", "  f(x): g(x) + 1\n  g(x): f(x) + 1\n  near(p)")
    comparison = _compared(tmp_path, SCORES, circular)
    assert comparison.same
    assert comparison.texts == ("define f(x)", "define g(x)")


def test_worth() -> None:
    found = worth(rulegame.load("nim"))
    assert isinstance(found, Solved)
    assert (found.result, found.value, found.longest_game) == ("first", Fraction(1), 12)
    assert "needs more than" in str(worth(rulegame.load("nim"), max_states=3))
    assert "hidden information" in str(worth(rulegame.load("number_duel")))


DRAWN = """
rulegame: 1
title: Drawn
state:
  board:
    type: grid of optional player
    start: |
      X O
      . .
    show: {symbols: {none: ., "players[1]": X, "players[2]": O}}
  left: {start: 3, show: bar}
turn: {ask: [c, operation]}
operations:
  take: {choose: {c: cells(board)}, effects: {"board[c]": me}}
end: {over: {when: all(x != none for x in board), result: draw}}
"""


def test_a_drawn_board_means_what_its_symbols_stand_for(tmp_path: Path) -> None:
    swapped = DRAWN.replace('1]": X', '1]": O').replace('2]": O', '2]": X')
    (difference,) = _compared(tmp_path, DRAWN, swapped).differences
    assert (difference.name, difference.what) == ("board", "start")
    renamed = (
        DRAWN.replace("X", "A").replace("O\n", "B\n").replace('"players[2]": O', '"players[2]": B')
    )
    comparison = _compared(tmp_path, DRAWN, renamed)
    assert comparison.same
    assert comparison.texts == (
        "state board show symbols players[1]",
        "state board show symbols players[2]",
    )


def test_drawings_and_questions_are_no_rules(tmp_path: Path) -> None:
    after = DRAWN.replace("show: bar", "show: pips").replace(
        "ask: [c, operation]", "ask: [operation]"
    )
    comparison = _compared(tmp_path, DRAWN, after)
    assert comparison.same
    assert comparison.texts == ("state left show as", "turn ask")


def test_the_numbers_of_players_are_compared(tmp_path: Path) -> None:
    three = SCORES.replace("title: Scores", "title: Scores\nplayers: {from: 2, to: 3}")
    four = three.replace("to: 3", "to: 4")
    (difference,) = _compared(tmp_path, three, four).differences
    assert difference == ("parameters", "players", "to", "changed", "3", "4")
