"""Exploring, solving and simulating keep to a budget of memory, and say so when it is reached."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulegame
from rulegame import memory
from rulegame.exploring import explorer as exploring
from rulegame.exploring import state_table as statekeys
from rulegame.memory import LEAST, MOST, SHARE, free_memory, memory_budget

WIDE = """\
rulegame: 1
title: Wide
state:
  a: {type: list of int, size: 600}
  k: 0
operations:
  go:
    choose: {n: 1..20}
    effects:
      a[i] for i in 1..600: k * 1000003 + n * i * 7919
      k: k * 21 + n
end:
  done: {when: k < 0, result: win}
"""


def wide(folder: Path) -> rulegame.Game:
    path = folder / "wide.yaml"
    path.write_text(WIDE, "utf-8")
    return rulegame.load(str(path))


def test_the_budget_is_a_share_of_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    assert free_memory() > 0
    for free, budget in ((2**32, 2**32 // SHARE), (2**40, MOST), (0, LEAST)):
        monkeypatch.setattr(memory, "free_memory", lambda free=free: free)
        assert memory_budget() == budget
    assert memory_budget(12345) == 12345


def test_what_is_free(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The least of what the machine, the group and the process have left."""
    monkeypatch.setattr(memory, "_system", lambda: 10**9)
    monkeypatch.setattr(memory, "_address_space", lambda: None)
    monkeypatch.setattr(memory, "GROUPS", tmp_path)
    assert free_memory() == 10**9
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("5\n")
    assert free_memory() == 10**9  # no limit
    (tmp_path / "memory.max").write_text("400000005\n")
    assert free_memory() == 400_000_000
    (tmp_path / "memory.max").write_text("1\n")  # less than is used already
    assert free_memory() == 0
    monkeypatch.setattr(memory, "_system", lambda: None)
    (tmp_path / "memory.max").unlink()
    assert free_memory() == memory.UNKNOWN


def test_an_older_kind_of_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "_system", lambda: 10**9)
    monkeypatch.setattr(memory, "_address_space", lambda: None)
    monkeypatch.setattr(memory, "GROUPS", tmp_path)
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "memory.limit_in_bytes").write_text("1000\n")
    (tmp_path / "memory" / "memory.usage_in_bytes").write_text("400\n")
    assert free_memory() == 600


@pytest.mark.full
def test_wide_states_reach_the_budget(tmp_path: Path) -> None:
    with pytest.raises(rulegame.TooLarge, match="10,000,000 bytes:") as refusal:
        rulegame.solve(wide(tmp_path), max_memory=10_000_000)
    assert 0 < refusal.value.expanded < refusal.value.states < 5_000
    assert "--max-memory" in str(refusal.value)


@pytest.mark.full
def test_the_default_budget_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 0)
    monkeypatch.setattr(memory, "LEAST", 5_000_000)
    with pytest.raises(rulegame.TooLarge, match="5,000,000 bytes:"):
        rulegame.explore(wide(tmp_path))
    with pytest.raises(rulegame.TooLarge, match="5,000,000 bytes:"):
        rulegame.solve(wide(tmp_path))
    report = rulegame.check(wide(tmp_path))
    assert report.states is None


def test_games_are_simulated_without_room_for_their_states(tmp_path: Path) -> None:
    game = rulegame.load("zero_sum_duel", {"start": 60})
    large = rulegame.simulate(game, 3_000, seed=5)
    small = rulegame.simulate(game, 3_000, seed=5, max_memory=100_000)
    assert large == small
    with pytest.raises(rulegame.TooLarge):
        rulegame.simulate(game, 10, seed=5, players=("perfect",), max_memory=100_000)


@pytest.mark.parametrize("name", ["zero_sum_duel", "tic_tac_toe", "dice_duel"])
def test_little_room_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """States are packed sooner then, and in smaller portions."""
    game = rulegame.load(name)
    whole = rulegame.explore(game)
    monkeypatch.setattr(exploring, "LEAST_YOUNG", 50_000)
    monkeypatch.setattr(statekeys, "PORTION", 100)
    pieced = rulegame.explore(rulegame.load(name), max_memory=4 * whole.nbytes + 500_000)
    assert list(pieced.cells) == list(whole.cells)
    for mine, other in ((pieced.successors, whole.successors), (pieced.weights, whole.weights)):
        assert mine.tolist() == other.tolist()
    assert pieced.move_table == whole.move_table


def test_memory_for_solving_counts_in_every_command() -> None:
    game = rulegame.load("zero_sum_duel", {"start": 30})
    room = rulegame.explore(game).nbytes * 2
    with pytest.raises(rulegame.TooLarge, match="solving needs"):
        rulegame.solve(game, max_memory=room)
    with pytest.raises(rulegame.TooLarge, match="solving needs"):
        rulegame.simulate(game, 10, seed=1, players=("perfect",), max_memory=room)
