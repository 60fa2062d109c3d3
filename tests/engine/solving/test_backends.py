"""Machine code and Python answer every question about a state graph alike."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import rulegame
from rulegame.adapters.traits import traits_of
from rulegame.exporting import export
from rulegame.native import graph_kernels
from rulegame.native.compiler import toolchain
from rulegame.players.advice import advise
from rulegame.solving.arena import Adjacency
from rulegame.solving.perfect_information import keeping
from rulegame.solving.policies import policy
from support.backends import MACHINE_CODE, PYTHON, use_backend, use_files

pytestmark = pytest.mark.skipif(toolchain() is None, reason="llvmlite is not installed")

# Steps to and fro for prizes, with a wind or without; `wait` is needless.
STEPS = """
rulegame: 1
title: Steps
state:
  at: 3
operations:
  left: {effects: {at: at - 1}}
  right: {effects: {at: at + 1}}
  wait: {effects: {at: at}}
end:
  low: {when: at == 0, payoff: "[2, -2]"}
  high: {when: at == 6, payoff: "[-3, 3]"}
"""
WIND = STEPS.replace(
    "{effects: {at: at - 1}}",
    '{roll: {wind: {from: "[0, 1, 1]"}}, effects: {at: "max(at - 1 - wind, 0)"}}',
)
GAMES: dict[str, Callable[[], rulegame.Game]] = {
    "connect four": lambda: rulegame.load("connect_four", {"rows": 3, "columns": 3}),
    "dice duel": lambda: rulegame.load("dice_duel", {"start": 12}),
    "zero-sum duel": lambda: rulegame.load("zero_sum_duel", {"start": 12}),
    "nim": lambda: rulegame.load("nim", {"heaps": [2, 3]}),
    "steps": lambda: rulegame.loads(STEPS),
    "wind": lambda: rulegame.loads(WIND),
}


def explored(game: rulegame.Game, **more: Any) -> Any:
    graph = rulegame.explore(game, **more)
    arrays = graph.owner, graph.offsets, graph.successors, graph.weights, graph.outcome
    moves = [graph.following(n) for n in range(len(graph))]
    return [a.tolist() for a in arrays], moves, list(graph.cells), graph.outcomes


def solved(game: rulegame.Game, **more: Any) -> Any:
    found = rulegame.solve(game, "perfect_information", keep=False, **more)
    states = range(len(found.graph))
    distances = None if found.distances is None else found.distances.tolist()
    return (
        [found.value_of(n) for n in states], [found[n].result for n in states], distances,
        [found.options(n) for n in states], found.chosen.tolist(), found.summary,
    )  # fmt: skip


def best_responses(game: rulegame.Game) -> Any:
    return [rulegame.exploit(game, "random", seat, first=1) for seat in (0, 1)]


def later(game: rulegame.Game) -> Any:
    state = game.start()
    while state.player == rulegame.CHANCE or len(state.moves) == 1:
        state = state.play(state.chances[0][0] if state.chances else state.moves[0])
    return solved(game, at=state.play(state.moves[-1]))


def simulated(game: rulegame.Game) -> Any:
    return rulegame.simulate(game, 60, seed=3, players=["perfect", "random"], max_moves=50)


def kept(game: rulegame.Game) -> Any:
    solution = rulegame.solve(game, "perfect_information", keep=False)
    keeping.keep_solution(solution, 0, 1e9)
    again = keeping.load_solution(game, 0)
    assert again is not None
    return again.summary, [again[n] for n in range(len(again.graph))]


QUESTIONS: dict[str, Callable[[rulegame.Game], Any]] = {
    "explore": explored,
    "explore symmetrically": lambda game: explored(game, symmetric=True),
    "solve": solved,
    "solve at": later,
    "spilled": lambda game: solved(game, max_memory=10**9),
    "best response": best_responses,
    "depth": lambda game: rulegame.solve(game, "lookahead", depth=5).options,
    "policy": lambda game: list(policy(rulegame.solve(game, "perfect_information", keep=False))),
    "kept": kept,
    "check": rulegame.check,
    "advice": lambda game: advise(start(game), Random(1)),
    "simulate": simulated,
    "export": lambda game: list(export(game, "prism", players=["perfect", "free"])),
    "traits": traits_of,
}


def start(game: rulegame.Game) -> rulegame.View:
    state = game.start()
    while state.player == rulegame.CHANCE:
        state = state.play(state.chances[0][0])
    assert state.player is not None
    return state.view(state.player)


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_answer_is_that_of_python(
    name: str, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "FEWEST_EDGES", 0)
    answers = []
    for backend in (PYTHON, MACHINE_CODE):
        use_backend(monkeypatch, backend)
        if question == "spilled":
            use_files(monkeypatch)
        answers.append(QUESTIONS[question](GAMES[name]()))
    assert answers[0] == answers[1]


def test_edges_have_the_offsets_that_kernels_read() -> None:
    """Whatever type they are given with."""
    edges = Adjacency(np.array([0, 2, 3, 3], np.int64), np.array([1, 2, 2], np.int32))
    assert edges.offsets.dtype == np.int32


@pytest.mark.parametrize("wrong", [np.zeros(4, np.int64), np.zeros(8, np.int32)[::2]])
def test_kernels_refuse_arrays_that_they_would_misread(wrong: Any) -> None:
    right = [np.zeros(4, np.int32) for _ in range(3)]
    with pytest.raises(ctypes.ArgumentError, match=r"expected integers of 4 bytes|contiguous"):
        graph_kernels.call("transpose", 3, wrong, *right)
