"""Hints claim what was computed, and no more."""

from __future__ import annotations

from random import Random

import pytest

import rulegame
from rulegame.players import advice
from rulegame.players.advice import Advice, advise
from rulegame.players.findings import Findings, SearchResult
from rulegame.players.proofs import Proof

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
