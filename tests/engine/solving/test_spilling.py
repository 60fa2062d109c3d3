"""Games whose arrays do not fit into memory are solved in files, to the same end."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rulegame
from rulegame import solving
from rulegame.files import mapped
from rulegame.files.mapped import is_mapped
from support.backends import MACHINE_CODE, use_backend, use_files

OPEN = Path("/proc/self/fd")  # the files that this process has open
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("tic_tac_toe", {}),
    ("zero_sum_duel", {"start": 60}),
    ("triple_or_nothing", {}),
    ("pig", {"target": 20}),
    ("dice_duel", {}),
]


@pytest.mark.quick(2)
@pytest.mark.parametrize("bounds_only", [False, True])
@pytest.mark.parametrize(("name", "setting"), GAMES, ids=str)
def test_files_change_nothing(
    name: str, setting: dict[str, Any], bounds_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = rulegame.Limits(max_memory=10**9)
    limits = replace(limits, exact_states=0) if bounds_only else limits
    game = rulegame.load(name, setting)
    whole = rulegame.solve(game, "perfect_information", limits=limits, keep=False)
    use_backend(monkeypatch, MACHINE_CODE)
    use_files(monkeypatch)
    game = rulegame.load(name, setting)
    filed = rulegame.solve(game, "perfect_information", limits=limits, keep=False)
    graph = filed.graph
    assert is_mapped(graph.successors) and is_mapped(graph.cells.words)
    assert not is_mapped(whole.graph.successors)
    assert filed.summary == whole.summary
    for part in ("owner", "offsets", "successors", "moves", "weights", "outcome"):
        assert np.array_equal(getattr(graph, part), getattr(whole.graph, part))
    assert list(graph.cells) == list(whole.graph.cells)
    assert np.array_equal(filed.lowers, whole.lowers)
    assert np.array_equal(filed.uppers, whole.uppers)
    assert filed.values is None or list(filed.values) == list(whole.values or [])
    assert np.array_equal(filed.chosen, whole.chosen)


def test_solving_needs_some_memory_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    use_backend(monkeypatch, MACHINE_CODE)
    game = rulegame.load("zero_sum_duel", {"start": 60})
    with pytest.raises(rulegame.TooMuchMemory, match="solving needs about 655,368 bytes"):
        solving.check_room(rulegame.explore(game, spill=True), 600_000)


def test_a_full_disk_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    use_files(monkeypatch)
    monkeypatch.setattr(mapped, "_take", full)
    with pytest.raises(rulegame.TooLarge, match=r"no room for .* No space left on device"):
        rulegame.solve(rulegame.load("nim"), "perfect_information", max_memory=10**9, keep=False)


def test_with_very_little_memory_there_are_no_files() -> None:
    graph = rulegame.explore(rulegame.load("nim"), max_memory=10**6, spill=True)
    assert graph.room.most is None


@pytest.mark.skipif(not OPEN.is_dir(), reason="only Linux tells what is open")
def test_files_are_closed_with_the_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    use_files(monkeypatch)
    game = rulegame.load("tic_tac_toe")
    rulegame.solve(game, "perfect_information", max_memory=10**9, keep=False)
    before = len(list(OPEN.iterdir()))
    solution = rulegame.solve(game, "perfect_information", max_memory=10**9, keep=False)
    assert len(list(OPEN.iterdir())) > before
    del solution
    assert len(list(OPEN.iterdir())) <= before
