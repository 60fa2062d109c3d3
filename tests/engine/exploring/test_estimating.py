"""Games that are far too large are refused early, and none that fits is."""

from __future__ import annotations

from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulegame
from fuzz import rulesets_way
from rulegame.bundled import GROUPS, ruleset_names
from rulegame.exploring import FarTooLarge
from rulegame.exploring import explorer as exploring
from rulegame.exploring.estimating import SampleSize, bound, least_states
from rulegame.native.machine_kernel import machine_for

FITTING: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in ruleset_names(*GROUPS[:2]) if not name.endswith("pig")),
    ("pig", {"target": 30}),
    ("connect_four", {"rows": 4, "columns": 4}),
    ("breakthrough", {"rows": 5, "columns": 3}),
    ("hex", {"size": 3}),
    ("kuhn_poker", {}),
    ("liars_dice", {}),
    ("zero_sum_duel", {"start": 100}),
]


def least(game: rulegame.Game, size: SampleSize, wanted: float = inf) -> float:
    machine = machine_for(game.kernel, "sampling")
    assert machine is not None
    return least_states(machine, game.start().cells, wanted, size).states


@pytest.mark.quick(3)
@pytest.mark.parametrize(("name", "setting"), FITTING, ids=str)
def test_no_game_has_fewer_states_than_is_told(name: str, setting: dict[str, Any]) -> None:
    game = rulegame.load(name, setting)
    assert least(game, SampleSize(most=1 << 14)) <= len(rulegame.explore(game))


@pytest.mark.quick(4)
@pytest.mark.parametrize("seed", range(25))
def test_of_random_rulesets_neither(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "random.yaml"
    file.write_bytes(rulesets_way.make(Random(seed)))
    try:
        game = rulegame.load(file)
        states = len(rulegame.explore(game, max_states=20_000))
    except (rulegame.RulesetError, rulegame.TooLarge, rulegame.GameError):
        return
    if machine_for(game.kernel, "sampling") is None:
        return  # it counts earlier positions, which is left to Python
    assert least(game, SampleSize(pilot=64, most=1 << 13)) <= states


def test_what_is_drawn_from_few_states_is_not_said_to_be_from_more() -> None:
    rng = Random(1)
    for states in (10, 1_000, 30_000):
        for draws in (5, 100, 3_000):
            drawn = {rng.randrange(states) for _ in range(draws)}
            assert bound(draws, draws - len(drawn)) < states


def test_a_bound_grows_with_what_is_drawn_and_shrinks_with_repeats() -> None:
    assert bound(100_000, 0) == pytest.approx(100_000**2 / (2 * 27.63), rel=0.01)
    bounds = [bound(100_000, repeats) for repeats in (0, 1, 2, 10, 100, 1_000)]
    assert bounds == sorted(bounds, reverse=True)
    assert 0.7 < bounds[-1] * 2 * 1_000 / 100_000**2 < 1  # about what is the likeliest then


def test_a_game_that_is_far_too_large_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploring, "MANY_STATES", 0)
    told: list[str] = []
    with pytest.raises(FarTooLarge, match=r"300,000 positions: at least") as refusal:
        rulegame.explore(
            rulegame.load("connect_four"),
            max_states=300_000,
            progress=lambda task, *_: told.append(task),
        )
    assert 3_000_000 < refusal.value.least < 4_531_985_219_092  # as many as there are
    assert refusal.value.states < 300_000
    assert "Estimating the number of positions" in told


@pytest.mark.parametrize("name", ["tic_tac_toe", "zero_sum_duel"])
def test_a_game_that_fits_closely_is_explored(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    setting = {"start": 250} if name == "zero_sum_duel" else {}
    states = len(rulegame.explore(rulegame.load(name, setting)))
    for attribute, value in (("MANY_STATES", 0), ("FIRST_EDGES", 0), ("MARGIN", 1)):
        monkeypatch.setattr(exploring, attribute, value)
    again = rulegame.load(name, setting)
    assert len(rulegame.explore(again, max_states=states)) == states
