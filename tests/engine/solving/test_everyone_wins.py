"""A warning for winners who are always all players, and none for those who are so at times."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulegame
from rulegame.loading import load_ruleset

RULES = """
rulegame: 1
title: Winners
players: [{players}]
define:
  all_of_us: players
  better(p): score of p >= score of (me)
state:
  n: 0
  each player: {{score: 0}}
turn: {{roll: {{die: 1..6}}}}
operations:
  up: {{choose: {{k: 0..1}}, effects: {{n: n + 1, my.score: my.score + k}}}}
stuck: draw
end:
  done:
    when: n == {players_count}
    winners: {winners}
"""

ALWAYS = [
    "players",
    "all_of_us",
    "list(p for p in players)",
    "list(p for p in players if true)",
    "list(p for p in players if p == me or p != me)",
    "'[me, next(me), previous(me)]'",
    "'[players[1], players[2], players[3], me]'",
    "players if n > 1 else all_of_us",
    "list(next(p) for p in players)",
    "list(players[i] for i in 1..size(players))",
]
AT_TIMES = [
    "me",
    "'[me, next(me)]'",
    "list(p for p in players if score of p == max(score))",
    "list(p for p in players if better(p))",
    "list(p for p in players if p != me)",
    "players if n > 1 else list(p for p in players if p == me)",
    "list(p for p in players if die > 3)",
]


def _codes(tmp_path: Path, winners: str, players: str = "Ann, Bob, Cid") -> list[str]:
    file = tmp_path / "winners.yaml"
    count = players.count(",") + 1
    file.write_text(RULES.format(winners=winners, players=players, players_count=count), "utf-8")
    ruleset, found = load_ruleset(file)
    assert ruleset is not None
    return [f"{one.severity} {one.code}" for one in found]


@pytest.mark.parametrize("winners", ALWAYS)
def test_a_rule_that_can_name_nobody_but_everyone_is_warned_of(
    winners: str, tmp_path: Path
) -> None:
    assert "warning E428" in _codes(tmp_path, winners)


@pytest.mark.parametrize("winners", AT_TIMES)
def test_a_tie_is_not(winners: str, tmp_path: Path) -> None:
    assert "warning E428" not in _codes(tmp_path, winners)


def test_one_player_alone_can_win(tmp_path: Path) -> None:
    assert "warning E428" not in _codes(tmp_path, "players", "Ann")


@pytest.mark.parametrize("winners", ALWAYS)
def test_it_is_a_draw_as_documented(winners: str, tmp_path: Path) -> None:
    _codes(tmp_path, winners)
    state = rulegame.load(tmp_path / "winners.yaml").start()
    while state.outcome is None:
        state = state.play(state.moves[-1])
    assert state.outcome.draw
