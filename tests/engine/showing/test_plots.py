"""Results as figures: the same each time, with what they say in them, whatever a ruleset says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import rulegame
from support.tiers import library

pytestmark = pytest.mark.full

library("matplotlib")

DOLLARS = """
rulegame: 1
title: "Costs $5 and $\\\\frac{"
players: ["$_{", "Bob $"]
parameters: {pile: {default: 5, min: 1}}
state: {left: pile}
operations: {take: {choose: {n: 1..3}, effects: {left: left - n}}}
validity: {enough: {require: after.left >= 0}}
end: {done: {when: left == 0, result: win}}
"""
DUEL = rulegame.load("zero_sum_duel", {"start": 6})


def svg(result: Any) -> str:
    text: str = result.plot()._repr_svg_()
    return text


def words(result: Any) -> str:
    return " ".join(re.findall(r">([^<>]+)</text>", svg(result)))


RESULTS: dict[str, Callable[[], Any]] = {
    "report": lambda: rulegame.simulate(DUEL, games=100, seed=1),
    "sweep of one": lambda: rulegame.sweep("zero_sum_duel", {"start": [5, 6, 9]}, jobs=1),
    "sweep of two": lambda: rulegame.sweep(
        "pig", {"target": [5, 6], "sides": [2, 3]}, by="simulate", games=50, jobs=1
    ),
    "sweep of lists": lambda: rulegame.sweep("nim", {"heaps": [[1, 2], [2, 2]]}, jobs=1),
    "solution": lambda: rulegame.solve(DUEL),
    "hidden": lambda: rulegame.solve(rulegame.load("kuhn_poker"), "hidden"),
    "picks": lambda: rulegame.solve(
        rulegame.load("number_duel", {"highest": 4, "target": 6}), "revealed"
    ),
    "many": lambda: rulegame.solve(rulegame.load("three_player_pig", {"target": 2}), "multiplayer"),
    "bounds": lambda: rulegame.solve(DUEL, "lookahead", depth=2),
}
SAID = {
    "report": "Player 1 wins",
    "sweep of one": "advantage of moving first",
    "sweep of two": "sides",
    "sweep of lists": "[1, 2]",
    "solution": "subtract 5",
    "hidden": "hand 1",
    "picks": "pick 1 2 3",
    "many": "what each can make sure of",
    "bounds": "at least and at most",
}


@pytest.mark.parametrize("kind", RESULTS)
def test_a_figure_says_what_it_shows_and_is_the_same_each_time(kind: str) -> None:
    result = RESULTS[kind]()
    assert SAID[kind] in words(result)
    assert svg(result) == svg(result)
    assert result.plot()._repr_png_()[:4] == b"\x89PNG"


def test_dollars_are_no_formulas() -> None:
    game = rulegame.loads(DOLLARS)
    assert "Costs $5 and $\\frac{" in words(rulegame.solve(game))
    assert "$_{ wins" in words(rulegame.simulate(game, games=20, seed=1))


def test_no_window_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("MPLBACKEND", "tkagg")
    assert svg(rulegame.solve(DUEL))


def test_settings_without_a_result_are_left_out() -> None:
    settings = rulegame.sweep("zero_sum_duel", {"start": [0, 5]}, jobs=1)
    assert settings[0].problem
    assert "start" in words(settings)
    assert svg(rulegame.sweep("zero_sum_duel", {"start": [0]}, jobs=1))
