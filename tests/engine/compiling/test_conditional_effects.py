"""Effects with a condition and without a loop: `n if n < 3`."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulegame
from rulegame.game import Game, GameError
from rulegame.loading import load_ruleset
from rulegame.rulebook import render
from support.backends import BACKENDS, use_backend

RULES = """
rulegame: 1
title: Conditions
state:
  a: 0
  pits: {type: list of int, size: 3}
  last: {type: optional int}
  each player: {score: 0}
operations:
  go:
    choose: {n: 1..3}
    effects:
      a if a < 3: a + 1
      a if a >= 3: a + 2
      "pits[n] if n > 1 and a < 5": "pits[n] + 1"
      "pits[last] if last != none and last != n": 9
      last if n != 2: n
      my.score if last == 3 or n == 1: my.score + 1
end: {over: {when: a > 6, result: win}}
"""


def made(folder: Path, text: str = RULES) -> Game:
    file = folder / "conditions.yaml"
    file.write_text(text, "utf-8")
    return rulegame.load(file)


def test_a_value_changes_only_if_the_condition_holds(tmp_path: Path) -> None:
    state = made(tmp_path).start()
    expected = [
        ("go 2", (1, (0, 1, 0), None, (0, 0))),
        ("go 3", (2, (0, 1, 1), 3, (0, 0))),
        ("go 2", (3, (0, 2, 9), 3, (1, 0))),
        ("go 1", (5, (0, 2, 9), 1, (1, 1))),
        ("go 2", (7, (9, 2, 9), 1, (1, 1))),
    ]
    for move, values in expected:
        state = state.play(move)
        found = tuple(state[name] for name in ("a", "pits", "last", "score"))
        assert tuple(tuple(v) if isinstance(v, list) else v for v in found) == values
    assert state.outcome is not None and state.outcome.winners == (0,)


Values = tuple[int, tuple[int, ...], int | None, int]  # the scores decide nothing


def after(values: Values, n: int) -> Values:
    """The same effects by hand."""
    a, pits, last, seat = values
    new = list(pits)
    if n > 1 and a < 5:
        new[n - 1] += 1
    if last is not None and last != n:
        new[last - 1] = 9
    return a + (1 if a < 3 else 2), tuple(new), last if n == 2 else n, 1 - seat


@pytest.mark.parametrize("backend", BACKENDS)
def test_both_backends_reach_the_same_positions(
    tmp_path: Path, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_backend(monkeypatch, backend)
    text = RULES.replace("      my.score if last == 3 or n == 1: my.score + 1\n", "")
    text = text.replace("  each player: {score: 0}\n", "")
    graph = rulegame.explore(made(tmp_path, text))
    waiting: list[Values] = [(0, (0, 0, 0), None, 0)]
    known = set(waiting)
    for values in waiting:
        for n in (1, 2, 3) if values[0] <= 6 else ():
            following = after(values, n)
            if following not in known:
                known.add(following)
                waiting.append(following)
    assert len(graph) == len(known)


def test_both_conditions_may_not_hold(tmp_path: Path) -> None:
    text = RULES.replace("a if a >= 3", "a if a >= 2")
    state = made(tmp_path, text).start().play("go 1").play("go 1")
    with pytest.raises(GameError, match="E505"):
        state.play("go 1")


def test_the_rulebook_says_the_condition(tmp_path: Path) -> None:
    words = " ".join(render(rulegame.write_rulebook(made(tmp_path)), "text").split())
    assert "if the a is below 3, the a goes up by 1" in words
    assert "for every" not in words


def test_a_condition_must_be_one(tmp_path: Path) -> None:
    file = tmp_path / "number.yaml"
    file.write_text(RULES.replace("a if a < 3", "a if a + 3"), "utf-8")
    _, problems = load_ruleset(file)
    assert [problem.code for problem in problems] == ["E303"]
