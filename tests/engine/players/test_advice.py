"""Hints claim what was computed, and no more."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import rulegame
from rulegame.players import advice
from rulegame.players.advice import Advice, advise
from rulegame.players.findings import Findings, SearchResult
from rulegame.players.proofs import Proof
from rulegame.players.solutions import Solutions, Unsolved
from rulegame.solving.perfect_information import sides
from rulegame.solving.stochastic import chance

GAME = rulegame.load("nim", {"heaps": [3]})
MOVES = GAME.start().moves
Found = tuple[float | None, int]  # a value, and how often the move was tried


def advised(
    monkeypatch: pytest.MonkeyPatch, found: list[Found], best: int, proof: Proof | None = None
) -> Advice:
    """The advice after a search with such results; a proof is that of the best move."""
    results = [
        SearchResult(move, value, visits, proof if k == best else None)
        for k, (move, (value, visits)) in enumerate(zip(MOVES, found, strict=True))
    ]
    monkeypatch.setattr(advice, "search", lambda *_: Findings(MOVES[best], tuple(results)))
    return advise(GAME.start().view(0), Random(1), max_states=1)


def marked(found: Advice) -> list[int]:
    return [MOVES.index(move) for move in found.best]


def test_the_greatest_value_that_is_shown_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    found = advised(monkeypatch, [(0.226, 500), (0.268, 400), (-0.5, 90)], best=0)
    assert marked(found) == [1]
    assert [worth.value for worth in found.worths] == [0.22, 0.26, -0.5]


def test_moves_that_show_the_same_value_are_all_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    found = advised(monkeypatch, [(0.226, 500), (0.228, 400), (-0.5, 90)], best=0)
    assert marked(found) == [0, 1]
    assert found.worths[0].text == found.worths[1].text == "is worth about +0.22"


def test_a_move_that_was_hardly_tried_is_not_said_to_be_as_good(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = advised(monkeypatch, [(0.2, 500), (1.0, 3), (-1.0, 3)], best=0)
    assert marked(found) == [0]
    assert [worth.value for worth in found.worths] == [0.2, None, -1.0]
    assert found.worths[1].text == "hardly tried"


def test_no_move_that_was_not_tried_is_best(monkeypatch: pytest.MonkeyPatch) -> None:
    found = advised(monkeypatch, [(-1.0, 5), (None, 0), (None, 0)], best=1)
    assert marked(found) == []
    assert [worth.text for worth in found.worths[1:]] == ["not searched", "not searched"]


def test_a_proved_win_is_marked_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    win = Proof(1.0, 1, True)
    found = advised(monkeypatch, [(0.98, 500), (1.0, 2), (None, 0)], best=1, proof=win)
    assert marked(found) == [1]


def test_nothing_is_best_where_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "search", lambda *_: None)
    found = advise(GAME.start().view(0), Random(1), max_states=1)
    assert found.best == () and {worth.text for worth in found.worths} == {"unknown"}


def test_payoffs_with_a_constant_sum_are_those_of_the_player_to_move() -> None:
    """Both share 10; the second player chooses between 3 and 6."""
    game = rulegame.loads("""
rulegame: 1
title: Shared
state: {t: 0, kept: 0}
operations:
  wait: {when: t == 0, effects: {t: 1}}
  keep: {when: t == 1, choose: {n: "[3, 6]"}, effects: {t: 2, kept: n}}
end: {over: {when: t == 2, payoff: [10 - kept, kept]}}
""")
    state = game.start().play(game.start().moves[0])
    found = advise(state.view(1), Random(1))
    assert [(worth.value, worth.text) for worth in found.worths] == [
        (3.0, "is worth +3.000"),
        (6.0, "is worth +6.000"),
    ]
    assert [move.text for move in found.best] == ["keep 6"]


def refuse(*_: object, **__: object) -> None:
    raise chance.NotFeasible


def test_wide_bounds_are_shown_as_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "solve_exactly", refuse)
    monkeypatch.setattr(chance, "lower_bounds", lambda *_: None)
    game = rulegame.load("pig", {"target": 5, "sides": 3})
    state = game.start()
    while len(state.moves) == 1 or state.player == rulegame.CHANCE:
        state = state.play(state.moves[-1])
    assert state.player is not None
    found = advise(state.view(state.player), Random(1))
    assert found.source == "bounds" and found.origin == "from proved bounds"
    unknown = [worth for worth in found.worths if worth.value is None]
    assert unknown and found.best == ()
    assert all(worth.text.startswith("is worth between -1.000 and ") for worth in unknown)


def rock_paper_scissors(**changed: Any) -> Advice:
    """A hint from a solution of rock, paper, scissors with changes."""
    game = rulegame.load("rock_paper_scissors", {"target": 1})
    solution = replace(rulegame.solve(game, "simultaneous"), **changed)
    game.companion(Solutions).adopt(0, solution)
    return advise(game.start().view(0), Random(1))


def test_a_nearly_best_mix_shows_how_exploitable_it_is() -> None:
    game = rulegame.load("rock_paper_scissors", {"target": 1})
    exact = rulegame.solve(game, "simultaneous")
    lowers = [value - Fraction(1, 100) for value in exact.lowers]
    found = rock_paper_scissors(lowers=lowers)
    assert found.source == "bounds" and len(found.best) == 3
    assert found.note == "This strategy is exploitable by at most 1.0e-02."
    assert [worth.text for worth in found.worths] == ["best 33.3 % of the time"] * 3


def test_values_are_left_out_where_a_move_beats_the_mix() -> None:
    game = rulegame.load("rock_paper_scissors", {"target": 1})
    exact = rulegame.solve(game, "simultaneous")
    always_rock = (Fraction(1), Fraction(0), Fraction(0))
    mixes = dict.fromkeys(exact.mixes, (always_rock, always_rock))
    lowers = [value - Fraction(1, 10**9) for value in exact.lowers]
    found = rock_paper_scissors(mixes=mixes, lowers=lowers)
    assert [worth.text for worth in found.worths] == ["always", "never", "never"]
    assert [worth.value for worth in found.worths] == [None] * 3


UNEVEN = """\
rulegame: 1
title: Uneven
state: {paid: 0, over: false}
turn:
  together: true
  effects: {over: "true", paid: "0 if k[1] != k[2] else 1 if k[1] == 1 else 10000"}
operations: {show: {choose: {k: 1..2}}}
end: {over: {when: over, payoff: "[paid, 0 - paid]"}}
"""


def test_a_move_that_is_hardly_ever_best_is_not_rounded_away() -> None:
    found = advise(rulegame.loads(UNEVEN).start().view(0), Random(1))
    assert [worth.text.partition(", ")[2] for worth in found.worths] == [
        "best more than 99.9 % of the time",
        "best less than 0.1 % of the time",
    ]


def test_solving_an_open_game_for_a_hint_ends_at_the_time_limit() -> None:
    game = rulegame.load("dice_duel")
    solutions = game.companion(Solutions)
    with pytest.raises(Unsolved, match="takes too long"):
        solutions.find(0, 100_000, seconds=0.0)
    assert solutions.find(0, 100_000).exact


def test_values_are_left_out_where_those_of_the_mix_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strategy whose value is reached only in the limit may play a worse move now and then."""

    def worth(self: object, view: rulegame.View) -> dict[rulegame.Move, tuple[float, float]]:
        return {move: (float(k), float(k)) for k, move in enumerate(view.moves)}

    monkeypatch.setattr(rulegame.SimultaneousSolution, "worth", worth)
    found = rock_paper_scissors()
    assert found.source == "solution"
    assert [one.text for one in found.worths] == ["best 33.3 % of the time"] * 3
