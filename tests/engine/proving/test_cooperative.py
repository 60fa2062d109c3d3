"""The claims of what all together, or who moves first, can make sure of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulegame

RULES = """
rulegame: 1
title: Together
players: [PLAYERS]
state: {n: 0}
operations:
  add: {choose: {k: 1..2}, effects: {n: n + k}}
  risk: {roll: {die: 1..2}, effects: {n: n + die}}
stuck: draw
end:
  won: {when: n == 5, everyone: win}
  lost: {when: n > 5, everyone: lose}
claims: {cooperative_win: true}
"""


@pytest.mark.parametrize("players", ["A", "A, B", "A, B, C"])
def test_all_together_can_win(players: str) -> None:
    report = rulegame.check(rulegame.loads(RULES.replace("PLAYERS", players)))
    (found,) = report.findings
    assert found.status == "proved" and found.evidence.play is not None
    state = rulegame.loads(RULES.replace("PLAYERS", players)).start()
    for move in found.evidence.play:
        state = state.play(move)
    assert state.outcome is not None and len(state.outcome.winners) == len(players.split(", "))


def test_all_together_may_fail() -> None:
    text = RULES.replace("PLAYERS", "A, B").replace(
        "add: {choose: {k: 1..2}, effects: {n: n + k}}", "add: {effects: {n: n + 2}}"
    )
    for rules, why in (
        (text.replace("n: n + 2", "n: n + 3"), "they may fail"),
        (text.replace("n == 5", "n == 99"), "no game is won by all"),
    ):
        (found,) = rulegame.check(rulegame.loads(rules)).findings
        assert found.status == "refuted" and why in found.evidence.detail


def test_what_is_hidden_leaves_it_open() -> None:
    text = RULES.replace("PLAYERS", "A, B").replace("{n: 0}", "{n: {start: 0, seen by: nobody}}")
    (found,) = rulegame.check(rulegame.loads(text)).findings
    assert found.status == "undecided"


@pytest.mark.parametrize(
    ("name", "setting", "claims", "statuses"),
    [
        ("kuhn_poker", {}, "first_player_gets: -1/18, fair_within: 0.05", ["proved", "refuted"]),
        ("kuhn_poker", {}, "first_player_gets: -1/19, fair_within: 0.06", ["refuted", "proved"]),
        ("three_player_pig", {"target": 2}, "first_player_gets: 29/43", ["proved"]),
        ("three_player_pig", {"target": 2}, "first_player_gets: 30/43", ["refuted"]),
        ("nim", {"heaps": [1, 2]}, "first_player_gets: 1", ["proved"]),
    ],
)
def test_what_who_moves_first_gets(
    name: str, setting: dict[str, Any], claims: str, statuses: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "claims.yaml"
    file.write_text(f"rulegame: 1\ntitle: X\nextends: {name}\nclaims: {{{claims}}}\n", "utf-8")
    report = rulegame.check(rulegame.load(file, setting))
    assert [found.status for found in report.findings] == statuses


def test_promises_of_a_rulebook() -> None:
    text = RULES.replace("PLAYERS", "A, B").replace("true}", "true, first_player_gets: 1/2}")
    book = str(rulegame.write_rulebook(rulegame.loads(text)))
    assert "Together, the players can force a win for everybody." in book
    assert "guarantee 1/2 on average" in book
