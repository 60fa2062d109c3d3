"""The winning chances of a review are those that were computed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulegame import Match, load
from rulegame_studio.places import Library
from rulegame_studio.rules import Rulesets
from rulegame_studio.thinking import Thinker


@pytest.mark.parametrize(("name", "opposed"), [("nim", True), ("leaking_boat", False)])
def test_only_an_opponent_loses_what_a_player_wins(
    name: str, opposed: bool, tmp_path: Path
) -> None:
    match = Match(load(name), ["random", "random"], seed=1)
    while match.outcome is None:
        match.play_computer()
    job = {"table": "one", "since": 0, "save": match.record.text(), "seat": None, "seconds": 9}
    thinker = Thinker(Rulesets(Library(str(tmp_path))))
    order = thinker.review(job)["order"]
    for rating in thinker.rate({**job, "at": order[:3]})["ratings"]:
        one, other = rating["chance"]
        assert (one + other == 1) if opposed else None in (one, other)


def test_a_review_after_a_resignation_is_the_same_whatever_is_hidden(tmp_path: Path) -> None:
    """What the player of a seat gets of a game in which another one has a card of another value."""
    told = []
    for cards in (("1", "2"), ("1", "3")):
        match = Match(load("kuhn_poker"), rolls=cards, seed=1)
        match.play(match.view(0).moves[0])
        match.resign(1)
        job = {"table": "one", "since": 0, "save": match.record.text(), "seat": 0, "seconds": 9}
        thinker = Thinker(Rulesets(Library(str(tmp_path))))
        review = thinker.review(job)
        told.append(json.dumps(review))
        assert review["order"] == [0]  # ratings use the view of a seat, and may depend on time
    assert told[0] == told[1]
