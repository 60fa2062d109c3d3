"""Choices that are made in slices, and choices that end in time however slow the rules are."""

from __future__ import annotations

from random import Random

import pytest

import rulegame
from rulegame import Game, Move, View
from rulegame.players import budget, make_player
from rulegame.players.beliefs import BeliefBudget, believing
from rulegame.players.budget import Budget, Pace
from rulegame.players.interface import SlicedPlayer
from rulegame.players.registry import limit_time
from rulegame.players.slices import Thought, finish
from rulegame.players.table import FastTable
from rulegame.playing.computers import Computers
from support.games import load, play_at_random
from support.rulesets import CARDS, THROWS

CASES = [
    ("connect_four", "search:300"),
    ("zero_sum_duel", "search:200"),
    ("kuhn_poker", "search:200"),
    ("double_or_nothing_10", "medium"),
    (CARDS, "search:100"),
    (THROWS, "greedy"),
    ("german_whist", "easy"),
]


def views(name: str, count: int) -> list[View]:
    game = load(name) if "\n" in name else rulegame.load(name)
    found: list[View] = []
    for seed in range(count):
        _, past = play_at_random(game, Random(seed))
        asked = [k for k, (state, _) in enumerate(past) if (state.player or 0) >= 0]
        at = Random(seed).choice(asked[: 1 + len(asked) // 2])
        seat = past[at][0].player
        assert seat is not None
        found.append(past[at][0].view(seat, past[:at]))
    return found


@pytest.mark.parametrize(("name", "spec"), CASES)
def test_a_choice_is_the_same_in_slices(
    name: str, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of two that are made by turns."""
    monkeypatch.setattr(budget, "SLICE", 0.0)
    one, two = views(name, 2)
    player = make_player(spec, one.game)
    assert isinstance(player, SlicedPlayer)
    thoughts = [Thought(player.thinking(view, Random(4))) for view in (one, two)]
    moves: list[Move | None] = [None, None]
    while None in moves:
        moves = [move or thought.go_on(0.0) for move, thought in zip(moves, thoughts, strict=True)]
    assert moves == [player.choose(view, Random(4)) for view in (one, two)]


def test_a_slice_ends_before_the_choice() -> None:
    (view,) = views("connect_four", 1)
    player = make_player("search:100000", view.game)
    assert isinstance(player, SlicedPlayer)
    assert Thought(player.thinking(view, Random(1))).go_on(0.01) is None


class Clock:
    """Shows how often rules were asked to play a move: a thousandth of a second each."""

    def __init__(self, game: Game, monkeypatch: pytest.MonkeyPatch, cost: float) -> None:
        self.now = 50.0
        table = game.companion(FastTable)
        step = table.step

        def slow(*given: object) -> object:
            self.now += cost
            return step(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(table, "step", slow)
        monkeypatch.setattr(budget, "monotonic", lambda: self.now)


@pytest.mark.parametrize("cost", [0.0001, 0.01, 1.0])
def test_a_belief_takes_a_part_of_the_time(cost: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirteen cards that nobody else sees; each step of the rules takes longer."""
    (view,) = views("german_whist", 1)
    clock = Clock(view.game, monkeypatch, cost)
    belief = finish(believing(view, Random(1), Pace(Budget(seconds=4))))
    assert clock.now - 50 < 0.6 * 4 + 20 * cost
    assert len(belief) >= (20 if cost < 0.001 else 0)


def test_computers_in_front_of_people_choose_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    (view,) = views("german_whist", 1)
    assert len(view.moves) > 1
    view.game.companion(BeliefBudget).plays = 2000
    clock = Clock(view.game, monkeypatch, 0.001)
    took = {}
    for timed in (True, False):
        computers = Computers(view.game, ["greedy", "medium"], {})
        computers.timed = timed
        for spec in ("greedy", "medium"):
            began = clock.now
            move = finish(computers.thinking(spec, view, Random(1), 0))
            assert move in view.moves
            took[spec, timed] = clock.now - began
    assert took["greedy", True] < 0.3 < took["greedy", False]
    assert took["medium", True] < 0.8 < took["medium", False]


def test_a_time_does_not_replace_another() -> None:
    for spec, seconds in (("search:3s", 3), ("hard", 1), ("easy", 0.25), ("search:10", 10)):
        player = make_player(spec, rulegame.load("nim"))
        limit_time(player, spec)
        assert isinstance(player, SlicedPlayer) and player.budget.seconds == seconds
