"""The winning chances of a review are those that were computed."""

from __future__ import annotations

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
