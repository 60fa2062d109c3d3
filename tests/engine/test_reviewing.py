"""Reviews: the ratings of decisions, and which of them were mistakes."""

from __future__ import annotations

import pytest

import rulegame
from rulegame import Match, Review
from rulegame.reviewing import ESTIMATED, PROVED


def played(name: str, moves: str) -> Match:
    match = Match(rulegame.load(name), seed=1)
    for move in moves.split(", "):
        match.play(move)
    return match


def test_the_move_that_gives_the_game_away_is_marked() -> None:
    match = played("nim", "take 2 4, take 3 5, take 1 1, take 1 2")
    assert match.outcome is not None and match.outcome.winners == (1,)
    review = rulegame.review(match)
    assert [position.mark for position in review.positions] == ["??", "??", "??", "", ""]
    worst = review.mistakes[0]
    assert (worst.number, str(worst.played), worst.loss) == (0, "take 2 4", 2.0)
    assert worst.best and worst.played not in worst.best and worst.proved
    assert review.positions[0].values == [1.0, -1.0] and review.positions[-1].values == [-1.0, 1.0]
    assert [position.label for position in review.positions[:2]] == ["Start", "Player 1: Take 2 4"]


def test_every_eighth_decision_is_rated_first() -> None:
    match = played("double_or_nothing_31", ", ".join(["add_one"] * 30))
    review = Review(match)
    assert review.order[:4] == [0, 8, 16, 24] and sorted(review.order) == list(range(30))
    assert all(not position.best for position in review.positions)
    assert review.rate(8, 1.0).best


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_hidden_information_stays_hidden_after_a_resignation(seat: int | None) -> None:
    match = Match(rulegame.load("kuhn_poker"), seed=1)
    match.play(match.view(0).moves[0])
    match.resign(1)
    review = rulegame.review(match, seat)
    rated = [position.seat for position in review.positions if position.best]
    assert rated == ([] if seat is None else [seat])
    assert not any(position.best and position.seat != seat for position in review.positions)


def test_payoffs_are_compared_with_their_range() -> None:
    match = Match(rulegame.load("shut_the_box"), ["random"], seed=3)
    while match.outcome is None:
        match.play_computer()
    review = rulegame.review(match)
    low, high = review.range
    assert not review.is_plain and low < high
    for position in review.positions[:-1]:
        assert position.best and position.values[0] is not None
        some, _ = PROVED if position.proved else ESTIMATED
        assert (position.mark != "") == ((position.loss or 0) >= some * (high - low))


def test_a_round_that_goes_on_is_not_reviewed() -> None:
    with pytest.raises(ValueError, match="not over"):
        rulegame.review(Match(rulegame.load("nim")))
