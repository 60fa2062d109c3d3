"""Whether anybody can be without a valid move, and what the rulebook says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulegame
from rulegame.model.analysis import always_leaves_a_move
from rulegame.proving import nobody_stuck
from rulegame.rulebook import render

RULES = """
rulegame: 1
title: Stuck
parameters: {{most: 3}}
state: {{n: 0}}
operations:
  up: {{{up}}}
  down: {{when: n > 2, effects: {{n: n - 1}}}}
{more}
end: {{over: {{when: n > 5, result: win}}}}
"""
# what `up` is, what else there is, whether it is clear from the rules, whether nobody is stuck
CASES = {
    "nothing bars it": ("choose: {k: 1..most}, effects: {n: n + k}", "", True, True),
    "a condition": ("when: n < 6, effects: {n: n + 1}", "", False, True),
    "a condition that fails": ("when: n != 2, effects: {n: n + 1}", "", False, False),
    "a rule": ("effects: {n: n + 1}", "validity: {odd: after.n != 2}", False, False),
    "an idle rule": (
        "effects: {n: n + 1}",
        "validity: {odd: after.n != 9}",
        False,
        True,
    ),
    "a division": ("effects: {n: 3 / n}", "", False, False),
    "nothing to choose": ("choose: {k: 1..n}, effects: {n: n + k}", "", False, False),
    "unless": ("effects: {n: n + 1}", "stuck: {unless: after.n < 3, result: lose}", False, False),
}


def _game(folder: Path, up: str, more: str) -> rulegame.Game:
    file = folder / "stuck.yaml"
    file.write_text(RULES.format(up=up, more=more), "utf-8")
    return rulegame.load(file)


@pytest.mark.parametrize("case", CASES)
def test_nobody_stuck(case: str, tmp_path: Path) -> None:
    up, more, clear, never = CASES[case]
    game = _game(tmp_path, up, more)
    assert always_leaves_a_move(game.ruleset) == clear
    assert nobody_stuck(game, 1000) == never
    text = render(rulegame.write_rulebook(game, never_stuck=never), "text")
    assert ("This cannot happen" in text) == never
    assert ("and you have no valid move" in text) != never


def test_too_many_states_are_not_looked_at(tmp_path: Path) -> None:
    game = _game(tmp_path, *CASES["a condition"][:2])
    assert nobody_stuck(game, 3) is None
    text = render(rulegame.write_rulebook(game), "text")
    assert "and you have no valid move, you lose." in text


def test_whoever_moves_first(tmp_path: Path) -> None:
    up = "when: 'me != players[1] or n > 0', effects: {n: n + 1}"
    assert nobody_stuck(_game(tmp_path, up, ""), 1000) is False
