"""One interface for the solutions of all kinds of games."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

import rulegame
from rulegame.exploring import explore
from rulegame.players.exploiting import exploit, exploit_from_all_seats
from rulegame.solving import dispatch

KINDS: dict[str, tuple[str, dict[str, Any], type]] = {
    "auto nim": ("auto", {"heaps": [1, 3]}, rulegame.PerfectInformationSolution),
    "auto dice_duel": ("auto", {"target": 3}, rulegame.PerfectInformationSolution),
    "auto kuhn_poker": ("auto", {}, rulegame.HiddenSolution),
    "auto rock_paper_scissors": ("auto", {"target": 1}, rulegame.SimultaneousSolution),
    "auto three_player_pig": ("auto", {"target": 2}, rulegame.MultiplayerSolution),
    "auto leaking_boat": ("auto", {"holds": 2, "hours": 4}, rulegame.MultiplayerSolution),
    "auto number_duel": ("auto", {"count": 1, "highest": 2, "target": 3}, rulegame.HiddenSolution),
    "revealed number_duel": (
        "revealed",
        {"count": 1, "highest": 2, "target": 3},
        rulegame.RevealedSolution,
    ),
    "lookahead nim": ("lookahead", {"heaps": [1, 3]}, rulegame.LookaheadSolution),
}


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_game_has_a_solution(name: str) -> None:
    method, settings, expected = KINDS[name]
    game = rulegame.load(name.split()[1], settings)
    solution = rulegame.solve(game, method)
    assert type(solution) is expected
    assert isinstance(solution, rulegame.Solution)
    assert solution.kind == game.kind
    assert solution.exact == (solution.value is not None)
    low, high = solution.bounds
    assert low <= high and (solution.value is None or low <= solution.value <= high)
    assert isinstance(solution.result, rulegame.Result)
    assert len(solution.seat_values) == game.kind.players
    assert solution.method and solution.method in solution.account
    assert method in ("auto", solution.algorithm)
    chance = solution.win_probability
    assert chance is None or solution.result is rulegame.Result.PAYOFF or 0 <= chance <= 1
    data = json.loads(json.dumps(solution.to_dict()))
    assert data["version"] == 1 and data["kind"]["players"] == game.kind.players
    assert data["result"] == solution.result
    assert "<" in solution._repr_html_()


def test_what_best_play_comes_to_is_asked_of_every_solution_alike() -> None:
    nim = rulegame.solve(rulegame.load("nim", {"heaps": [1, 3]}))
    assert (nim.win_probability, nim.distance, nim.algorithm) == (1, 3, "perfect_information")
    picks = rulegame.solve(rulegame.load("number_duel", {"count": 1, "highest": 2, "target": 3}))
    assert (picks.distance, picks.algorithm) == (None, "hidden")


@pytest.mark.parametrize("first", [0, 1])
def test_moves_are_worth_what_they_are_to_who_makes_them(first: int) -> None:
    """Also of the player who moves second, whose values have the other sign."""
    game = rulegame.load("nim", {"heaps": [1, 3]})
    solution = rulegame.solve(game, first=first)
    start = game.start(first)
    best, *others = solution.moves()
    assert (best.move.text, best.value, best.loss, best.best) == ("take 2 2", 1, 0, True)
    assert {(one.value, one.loss, one.best) for one in others} == {(-1, 2, False)}
    answers = solution.moves(start.play("take 1 1"))
    assert (answers[0].move.text, answers[0].value) == ("take 2 3", 1)
    assert solution.moves(start.play("take 1 1").view(1 - first)) == answers
    assert [move.text for move in solution.best_moves()] == ["take 2 2"]
    assert list(solution.seat_values) == [Fraction(1), Fraction(-1)][:: 1 if first == 0 else -1]
    strategy = solution.strategy(start.view(first))
    assert strategy == {move: int(move.text == "take 2 2") for move in start.moves}


def test_moves_with_payoffs_that_add_up_to_something() -> None:
    game = rulegame.loads(
        "rulegame: 1\ntitle: Pie\nstate: {n: 0}\n"
        "operations: {add: {choose: {k: 1..2}, effects: {n: n + k}}}\n"
        'end: {over: {when: n >= 3, payoff: "[n, 7 - n]"}}\n'
    )
    solution = rulegame.solve(game)
    assert sum(value or 0 for value in solution.seat_values) == 7
    second = game.start().play("add 2")
    for one in solution.moves(second):
        paid = second.play(one.move.text).outcome
        assert paid is not None and one.value == paid.payoffs[1]


def test_moves_of_mixed_strategies() -> None:
    game = rulegame.load("rock_paper_scissors", {"target": 1})
    solution = rulegame.solve(game)
    moves = solution.moves()
    assert [one.probability for one in moves] == [Fraction(1, 3)] * 3
    assert all(one.best and one.loss == 0 for one in moves)
    view = game.start().view(0)
    assert solution.moves(view) == moves
    assert solution.strategy(view) == dict.fromkeys(view.moves, Fraction(1, 3))


def test_limits_and_methods() -> None:
    game = rulegame.load("nim")
    with pytest.raises(rulegame.TooLarge):
        rulegame.solve(game, limits=rulegame.Limits(max_states=3))
    with pytest.raises(rulegame.TooLarge):
        rulegame.solve(game, limits=rulegame.Limits(max_states=10**6), max_states=3)
    assert rulegame.solve(game, "lookahead", limits=rulegame.Limits(depth=1)).depth == 1
    with pytest.raises(ValueError, match="expected one of auto, perfect_information"):
        rulegame.solve(game, "magic")
    with pytest.raises(rulegame.CannotSolve, match="needs perfect information"):
        rulegame.solve(rulegame.load("kuhn_poker"), "perfect_information")


def test_a_game_is_explored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if it turns out that its players are not opposed, and for all seats of an answer."""
    calls = []

    def counted(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments)
        return explore(*arguments, **options)

    monkeypatch.setattr(dispatch, "explore", counted)
    monkeypatch.setattr("rulegame.players.exploiting.explore", counted)
    rulegame.solve(rulegame.load("leaking_boat", {"holds": 2, "hours": 4}))
    assert len(calls) == 1
    game = rulegame.load("kuhn_poker")
    both = exploit_from_all_seats(game, "random")
    assert len(calls) == 2
    assert both == [exploit(game, "random", seat) for seat in (0, 1)]


@pytest.mark.parametrize(
    ("former", "game", "settings"),
    [
        ("solve_hidden", "kuhn_poker", {}),
        ("solve_together", "rock_paper_scissors", {"target": 1}),
        ("solve_many", "three_player_pig", {"target": 2}),
        ("solve_laid_open", "number_duel", {"count": 1, "highest": 2}),
        ("solve_bounds", "nim", {}),
    ],
)
def test_former_names_warn(former: str, game: str, settings: dict[str, Any]) -> None:
    with pytest.warns(DeprecationWarning, match=rf"{former}\(game\) is now solve"):
        found = getattr(rulegame, former)(rulegame.load(game, settings))
    assert isinstance(found, rulegame.Solution)


@pytest.mark.parametrize(
    "former", ["TogetherSolution", "ManySolution", "LaidOpenSolution", "DepthBounds"]
)
def test_former_classes_warn(former: str) -> None:
    with pytest.warns(DeprecationWarning, match="is now"):
        assert issubclass(getattr(rulegame, former), rulegame.Solution)


def test_no_strategy_where_a_roll_is_due() -> None:
    solution = dispatch.solve(rulegame.load("dice_duel", {"target": 4}))
    assert solution.strategy(solution.game.start().view(0)) is None
