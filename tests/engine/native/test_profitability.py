"""Work decides between Python and machine code, not a count of moves."""

from __future__ import annotations

import sys

import pytest

import rulegame
from rulegame.native import profitability
from rulegame.native.profitability import LOADING, Backend, sample_work

# The same game twice: the slow one looks at every pair of cells before each move.
TEXT = """\
rulegame: 1
title: Take
state: {left: {type: int, start: 40}}
operations:
  take:
    choose: {n: {from: 1..3}}
    effects: {left: left - n}
validity:
  enough: {require: n <= left}
  extra: {require: "CONDITION"}
end:
  taken: {when: left == 0, result: win}
stuck: {result: lose}
"""
SLOW = "sum(a * b for a in 0..40 for b in 0..left) >= 0"


@pytest.fixture
def games() -> dict[str, rulegame.Game]:
    return {
        "plain": rulegame.loads(TEXT.replace("CONDITION", "n > 0")),
        "slow": rulegame.loads(TEXT.replace("CONDITION", SLOW)),
    }


def is_compiled(game: rulegame.Game, games: int) -> bool:
    """Whether machine code plays some of so many games."""
    rulegame.simulate(game, games, seed=1)
    return bool(game.kernel.machines)


@pytest.mark.parametrize("cached", [False, True])
def test_work_decides_and_not_the_number_of_moves(
    games: dict[str, rulegame.Game], cached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profitability, "is_cached", lambda text: cached)
    assert is_compiled(games["slow"], 30)
    assert not is_compiled(games["plain"], 30)


def test_machine_code_in_the_cache_is_used_for_less_work(
    games: dict[str, rulegame.Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = Backend(games["plain"].kernel, "playing")
    between = (LOADING + backend.price) / 2
    monkeypatch.setattr(profitability, "is_cached", lambda text: False)
    assert backend.machine(between) is None
    monkeypatch.setattr(profitability, "is_cached", lambda text: True)
    assert backend.machine(LOADING - 1) is None
    assert backend.machine(between) is not None


def test_exploring_leaves_slow_rules_to_machine_code_sooner(
    games: dict[str, rulegame.Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulegame.exploring.explorer.FEW_EDGES", 10)
    monkeypatch.setattr(profitability, "COMPILING", 0)
    for game in games.values():
        rulegame.explore(game)
    assert [bool(game.kernel.machines) for game in games.values()] == [False, True]


def test_the_count_is_repeatable_and_leaves_the_tracer_alone(
    games: dict[str, rulegame.Game],
) -> None:
    before = sys.gettrace()
    plain, slow = (sample_work(game.kernel) for game in games.values())
    assert sample_work(games["slow"].kernel) == slow
    assert slow.step > 100 * plain.step
    assert plain.steps >= 40 // 3
    assert sys.gettrace() is before


def test_rules_that_fail_are_sampled_as_far_as_they_go() -> None:
    text = TEXT.replace("CONDITION", "1 / (left - 40) < 1")
    assert sample_work(rulegame.loads(text).kernel).steps == 1
