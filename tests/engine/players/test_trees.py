"""A search tree is the same whether machine code grows it or Python, and what it proves is so."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulegame
from engine.game.random_rules import Author
from fuzz.rulesets_way import make
from rulegame import Game, RulesetError, State
from rulegame.exploring import TooLarge
from rulegame.native.compiler import toolchain
from rulegame.native.kernels import tree as at
from rulegame.players import budget, machinery, tree_memory
from rulegame.players.budget import Budget, Pace
from rulegame.players.findings import Findings
from rulegame.players.machine_tree import MachineTree
from rulegame.players.machinery import Machinery
from rulegame.players.mcts import SearchTree, Sprout, Trial
from rulegame.players.python_tree import PythonTree
from rulegame.players.search import search
from rulegame.players.slices import finish
from rulegame.players.table import FastTable
from rulegame.players.tree_memory import Node
from rulegame.solving import CannotSolve
from support.games import load, play_at_random
from support.rulesets import CARDS, THROWS

machine_only = pytest.mark.skipif(toolchain() is None, reason="there is no machine code here")

# Three who are paid, with a die and a number of moves that depends on the state.
PAID = """
rulegame: 1
title: Paid
players: [Ann, Bob, Cid]
stuck: draw
state:
  turns: 0
  each player: {got: 0}
operations:
  take: {choose: {n: 1..3}, effects: {my.got: my.got + n, turns: turns + 1}}
  risk:
    when: my.got > 1
    roll: {die: {from: 1..3, weight: "[3, 2, 1][die]"}}
    effects: {my.got: my.got * die - 2, turns: turns + 1}
end: {over: {when: turns == 6, payoff: got}}
"""

# `bad` fails in some states, and `far` needs sums beyond 64 bits: Python is asked for both.
FAULTY = """
rulegame: 1
title: Faulty
state: {n: 0, big: 9223372036854775000}
operations:
  add: {choose: {k: 1..2}, effects: {n: n + k}}
  bad: {when: n > 1, effects: {n: "n + [1, 2, 3, 4, 5, 6, 7][n - 2]"}}
  far: {when: "big + big + n - big > big - 1", effects: {n: n + 3}}
end: {enough: {when: n >= 9, result: win}}
"""

# Wide numbers, and none.
WIDE = """
rulegame: 1
title: Wide
state:
  last: {type: optional int}
  sum: {start: START}
operations:
  add: {choose: {k: 1..3}, effects: {sum: sum + k * STEP, last: k}}
validity: {other: {require: "last != k"}}
end: {over: {when: sum - START >= 7 * STEP, result: win}}
"""

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "dice": ("dice_duel", {}),
    "two, open": ("tic_tac_toe", {}),
    "three": ("three_player_pig", {}),
    "gallery": ("breakthrough", {"rows": 4, "columns": 4}),
    "stuck": ("othello", {"size": 4}),
}
TEXTS = {
    "paid": PAID,
    "faulty": FAULTY,
    "bytes": WIDE.replace("START", "0").replace("STEP", "1"),
    "half words": WIDE.replace("START", "100000").replace("STEP", "1000"),
    "words": WIDE.replace("START", "-9000000000000").replace("STEP", "1000000000000"),
}


def machine(game: Game) -> Sprout:
    made = game.companion(Machinery).wait()
    assert made is not None
    return partial(MachineTree, made)


def told(tree: SearchTree) -> list[Any]:
    """All nodes, as one reads them."""
    found: list[Any] = []
    waiting: list[Node] = [tree.root]
    while waiting:
        node = waiting.pop()
        seats = range(tree.table.seats)
        means = [node.mean(seat) for seat in seats] if node.visits else []
        found.append((node.option, node.visits, means, [node.known(seat) for seat in seats]))
        waiting.extend(node.tried)
    return found


def compare(state: State, seed: int, iterations: int) -> SearchTree:
    """The tree of both kinds, which are equal node by node."""
    table = state.game.companion(FastTable)
    kinds = PythonTree, machine(state.game)
    trees = [SearchTree(table, state.cells, kind, seed) for kind in kinds]
    # a search is the same in whatever slices it is done
    counts = [
        trees[0].grow(iterations),
        sum(trees[1].grow(k) for k in (1, iterations // 3, iterations - iterations // 3 - 1)),
    ]
    assert counts[0] == counts[1]
    assert told(trees[0]) == told(trees[1])
    assert trees[0].findings(None) == trees[1].findings(None)
    if trees[0].certain is not None:
        trials = [Trial(tree, rivals) for tree in trees if len(rivals := tree.rivals(0)) > 1]
        for trial in trials:
            while not trial.decided:
                trial.grow(30)
        assert len({trial.best for trial in trials}) <= 1
    return trees[1]


def decisions(game: Game, count: int) -> Iterator[State]:
    """Some states of games at random in which somebody chooses."""
    for seed in range(count):
        _, past = play_at_random(game, Random(seed))
        states = [state for state, _ in past if state.player is not None and state.player >= 0]
        if states:
            yield Random(seed).choice(states)


@pytest.mark.quick(3)
@machine_only
@pytest.mark.parametrize("name", [*GAMES, *TEXTS])
def test_both_kinds_grow_the_same_tree(name: str) -> None:
    game = load(TEXTS[name]) if name in TEXTS else rulegame.load(*GAMES[name])
    for seed, state in enumerate(decisions(game, 3)):
        compare(state, seed + 2**63 * (seed % 2), 150)


@pytest.mark.full
@machine_only
def test_both_kinds_agree_on_random_rulesets(tmp_path: Path) -> None:
    """Also where rules fail, and where numbers leave 64 bits."""
    compared = proved = 0
    for seed in range(10):
        text = make(Random(seed)).decode() if seed % 2 else Author(Random(seed)).rules().text
        (tmp_path / "game.yaml").write_text(text, "utf-8")
        try:
            state = rulegame.load(str(tmp_path / "game.yaml")).start()
            while state.player == rulegame.CHANCE:
                state = state.play(state.chances[0][0])
        except (RulesetError, rulegame.GameError):
            continue
        if state.outcome is None and state.view(state.player or 0).state is not None:
            tree = compare(state, seed, 80)
            compared += 1
            proved += any(node.known(tree.seat) for node in tree.root.tried)
    assert compared > 3 and proved


@pytest.mark.parametrize("kind", ["python", pytest.param("machine", marks=machine_only)])
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("tic_tac_toe", {}),
        ("nim", {"heaps": [1, 2, 3]}),
        ("zero_sum_duel", {"start": 6}),
        ("dice_duel", {}),
    ],
)
def test_what_is_proved_is_what_solving_finds(
    name: str, settings: dict[str, Any], kind: str
) -> None:
    game = rulegame.load(name, settings)
    sprout = PythonTree if kind == "python" else machine(game)
    solution = rulegame.solve(game, "perfect_information")
    proved = 0
    for seed, state in enumerate(decisions(game, 12)):
        tree = SearchTree(game.companion(FastTable), state.cells, sprout, seed)
        tree.grow(400 if kind == "python" else 20_000)
        number = solution.graph.find(state)
        assert number is not None
        sign = 1 if state.player == 0 else -1
        values = {o.move: sign * (o.lower + o.upper) / 2 for o in solution.options(number)}
        for one in tree.findings(None).moves:
            if one.proof is not None:
                assert one.value == pytest.approx(values[one.move])
                proved += 1
    assert proved


@pytest.mark.full
@machine_only
def test_what_is_proved_of_random_rulesets_is_what_solving_finds(tmp_path: Path) -> None:
    proved = compared = 0
    for seed in range(60):
        (tmp_path / "game.yaml").write_bytes(make(Random(1000 + seed)))
        try:
            game = rulegame.load(str(tmp_path / "game.yaml"))
            solution = rulegame.solve(game, "perfect_information", max_states=300)
        except (RulesetError, rulegame.GameError, CannotSolve, TooLarge):
            continue
        table = game.companion(FastTable)
        if not table.opposed or len(solution.graph) < 2:
            continue
        if compared == 5:
            break
        compared += 1
        states = [k for k in range(len(solution.graph)) if solution.graph.owner[k] >= 0]
        for number in states[:2]:
            tree = SearchTree(table, solution.graph.cells[number], machine(game), seed)
            tree.grow(3000)
            sign = 1 if tree.seat == (game.ruleset.turn.first or 0) else -1
            values = {o.move: sign * (o.lower + o.upper) / 2 for o in solution.options(number)}
            for one in tree.findings(None).moves:
                assert one.move in values
                if one.proof is not None:
                    assert one.value == pytest.approx(values[one.move])
                    proved += 1
    assert proved


@machine_only
def test_a_search_says_the_same_with_machine_code_and_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All that a search finds follows from the seed and the number of iterations."""

    def found(iterations: int) -> list[Findings | None]:
        game = rulegame.load("tic_tac_toe")
        if machinery.WORTH == 0:
            game.companion(Machinery).wait()
        states = [game.start(), game.start().play("place 1 1"), *decisions(game, 4)]
        long = Budget(iterations=iterations)
        return [search(s.view(s.player or 0), Random(3), long) for s in states]

    monkeypatch.setattr(machinery, "WORTH", 1e9)
    slow = found(700)
    monkeypatch.setattr(machinery, "WORTH", 0)
    assert found(700) == slow
    monkeypatch.setattr(machinery, "has_machine_code", lambda warn: False)
    assert found(700) == slow


@machine_only
@pytest.mark.parametrize("text", [CARDS, THROWS])
def test_a_search_with_something_hidden_says_the_same_with_machine_code(text: str) -> None:
    found = []
    for fast in (False, True):
        game = load(text)
        assert not fast or game.companion(Machinery).wait() is not None
        for seed in range(3):
            _, past = play_at_random(game, Random(seed))
            views = [
                state.view(state.player, past[:k])
                for k, (state, _) in enumerate(past)
                if state.player is not None and state.player >= 0
            ]
            view = next((view for view in views if view.state is None), views[-1])
            found.append((fast, seed, search(view, Random(seed), Budget(iterations=100))))
    assert [one[1:] for one in found[:3]] == [one[1:] for one in found[3:]]


@pytest.mark.parametrize("kind", ["python", pytest.param("machine", marks=machine_only)])
def test_memory_is_kept_within_its_limit(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The moves of the root are tried in any case, and the search goes on without new nodes."""
    monkeypatch.setattr(tree_memory, "MOST_NODES", 5)
    state = rulegame.load("tic_tac_toe").start()
    sprout = PythonTree if kind == "python" else machine(state.game)
    tree = SearchTree(state.game.companion(FastTable), state.cells, sprout, 1)
    assert tree.grow(300) == 300
    grown = tree.root.tree
    assert grown.words[at.NODES] == 10
    assert sum(child.visits for child in tree.root.tried) == tree.root.visits == 300
    if kind == "machine":
        compare(state, 4, 200)


@machine_only
def test_a_search_goes_on_where_there_is_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    state = rulegame.load("tic_tac_toe").start()
    tree = SearchTree(state.game.companion(FastTable), state.cells, machine(state.game), 1)
    tree.grow(9)  # all moves have been tried

    def refuse(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("rulegame.players.machine_tree.np.empty", refuse)
    tree.root.tree.words[at.ROOM] = 0
    assert tree.grow(100) == 100 and tree.root.visits == 109


def test_a_budget_of_time_is_kept_by_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that shows what the iterations take; they become ten times slower."""
    now = 5.0
    monkeypatch.setattr(budget, "monotonic", lambda: now)
    pace = Pace(Budget(seconds=0.1))
    slices = []
    while pace.slice:
        slices.append(pace.slice)
        now += pace.slice * (1e-5 if len(slices) < 20 else 1e-4)
        finish(pace.spend(slices[-1]))
    assert slices[0] == 1 and len(slices) < 60
    assert 0.1 <= now - 5 <= 0.15
    assert not pace.lasts(0.001)


def test_a_budget_of_iterations_is_spent_to_the_last() -> None:
    pace, done = Pace(Budget(iterations=1000)), 0
    while pace.slice:
        done += pace.slice
        finish(pace.spend(pace.slice))
    assert done == 1000
    pace.restart()
    assert pace.slice


@machine_only
def test_a_number_that_no_memory_holds_is_searched_in_python() -> None:
    """A choice may be a sum beyond 64 bits, as long as it is not stored."""
    text = FAULTY.replace("choose: {k: 1..2}", 'choose: {k: "[1, 2, big + big]"}')
    text = text.replace("n: n + k}", 'n: "n + (k if k < 3 else 1)"}')
    game = load(text)
    state = game.start()
    slow = search(state.view(0), Random(1), Budget(iterations=60))
    assert game.companion(Machinery).wait() is not None
    assert search(state.view(0), Random(1), Budget(iterations=60)) == slow
    assert game.companion(Machinery).look() is None
