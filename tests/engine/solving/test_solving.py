"""Solutions agree with plain solvers that know nothing of the engine, and with known results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import xor
from random import Random
from typing import Any

import numpy as np
import pytest

import rulegame
from reference import (
    dice_duel,
    double_or_nothing_10,
    double_or_nothing_31,
    pig,
    tic_tac_toe,
    zero_sum_duel,
)
from reference.interface import Position, Result, Turn
from rulegame.bundled import ruleset_names
from rulegame.progress import silent
from rulegame.solving import components as structure
from rulegame.solving.arena import END, HIGH, LOW, ROLL, Arena
from rulegame.solving.perfect_information import retrograde
from rulegame.solving.perfect_information.almost_sure import certain_wins
from rulegame.solving.stochastic import chance, strategies
from rulegame.solving.stochastic.blocks import cut_out
from rulegame.solving.stochastic.certificate import is_solution, leaving_edges
from rulegame.solving.stochastic.linear import System
from rulegame.solving.stochastic.linear import solve_exactly as solve_system
from support.backends import MACHINE_CODE, use_backend
from support.games import load
from support.tiers import pick

Moves = Callable[[Position], tuple[str, ...]]
NO_FRACTIONS = rulegame.Limits(exact_states=0)


def reachable(start: Position, moves: Moves) -> dict[Position, list[Position]]:
    """The positions of a reference game, each with those that may follow."""
    found: dict[Position, list[Position]] = {}
    stack = [start]
    while stack:
        position = stack.pop()
        if position not in found:
            found[position] = [position.play(text) for text in moves(position)]
            stack.extend(found[position])
    return found


def all_moves(position: Position) -> tuple[str, ...]:
    return position.moves


# ---- without chance


def plain_retrograde(start: Position) -> tuple[int, int | None]:
    """The value for seat 0, and the moves to a forced end, by sweeping until nothing changes."""
    graph = reachable(start, all_moves)
    known: dict[Position, tuple[int, int]] = {}
    for position in graph:
        if position.result is not None and not position.result.draw:
            known[position] = (1 if 0 in position.result.winners else -1, 0)
    away = 0
    while True:
        away += 1
        new = {}
        for position, following in graph.items():
            if position in known or not following:
                continue
            good = 1 if position.turn == 0 else -1
            results = [known.get(p) for p in following]
            if any(r is not None and r[0] == good for r in results):
                new[position] = (good, away)
            elif all(r is not None and r[0] == -good for r in results):
                new[position] = (-good, away)
        if not new:
            break
        known |= new
    return known.get(start, (0, None))


SETTINGS: list[tuple[Any, dict[str, Any]]] = [
    *((zero_sum_duel, {"start": n}) for n in (*range(1, 14), 20)),
    (zero_sum_duel, {"start": 12, "numbers": [1, 3, 4]}),
    *((double_or_nothing_31, {"target": n}) for n in range(2, 34)),
    *((double_or_nothing_31, {"target": n, "enable": ["subtract_one"]}) for n in range(2, 34)),
    (double_or_nothing_31, {"target": 50, "enable": ["subtract_one", "triple"]}),
    *((double_or_nothing_10, {"target": n}) for n in range(1, 14)),
    (double_or_nothing_10, {"disable": ["add_one"]}),
]


@pytest.mark.quick(47)
@pytest.mark.parametrize(("reference", "setting"), SETTINGS, ids=str)
def test_games_without_chance(reference: Any, setting: dict[str, Any]) -> None:
    parameters = {k: v for k, v in setting.items() if k not in ("enable", "disable")}
    switched = {k: tuple(v) for k, v in setting.items() if k in ("enable", "disable")}
    plain = {k: tuple(v) if isinstance(v, list) else v for k, v in setting.items()}
    value, away = plain_retrograde(reference.start(0, **plain))
    name = reference.__name__.rpartition(".")[2]
    solution = rulegame.solve(rulegame.load(name, parameters, **switched), "perfect_information")
    assert solution.value == value
    assert solution.exact
    assert solution.result == {1: "first", -1: "second", 0: "endless"}[value]
    assert solution.distance_of(0) == away
    assert solution.lower == solution.upper == value


@pytest.mark.quick(1)
@pytest.mark.parametrize("misere", [False, True])
def test_nim_is_won_by_the_xor_rule(misere: bool) -> None:
    sizes = range(pick(quick=4, full=5))
    for heaps in [h for size in (1, 2, 3) for h in product(sizes, repeat=size) if any(h)]:
        game = rulegame.load("nim", {"heaps": list(heaps), "misere": misere})
        plain = reduce(xor, heaps) != 0
        wins = plain if not misere or max(heaps) > 1 else not plain
        assert rulegame.solve(game, "perfect_information").result == (
            "first" if wins else "second"
        ), heaps


def test_tic_tac_toe_is_a_draw() -> None:
    solution = rulegame.solve(rulegame.load("tic_tac_toe"), "perfect_information")
    assert solution.value == 0
    assert solution.result == "draw"
    assert (solution.shortest_game, solution.longest_game, solution.distance_of(0)) == (5, 9, 9)
    assert len(solution.best_moves(0)) == 9
    assert plain_retrograde(tic_tac_toe.start()) == (0, None)
    corner = solution.graph.state(0).play(solution.best_moves(0)[0])
    replies = solution.best_moves(solution.number(corner))
    assert [move.text for move in replies] == ["place 2 2"]  # only the centre holds
    assert solution.win_probability_of(0) is None


def test_who_moves_second_in_seat_order_may_move_first() -> None:
    game = rulegame.load("nim", {"heaps": [3, 5]})
    assert rulegame.solve(game, "perfect_information", first=1).value == 1
    assert rulegame.solve(game, "perfect_information", first=1).result == "first"


def test_best_play_takes_as_long_as_it_says() -> None:
    solution = rulegame.solve(rulegame.load("zero_sum_duel"), "perfect_information")
    state, moves = solution.graph.state(0), 0
    while state.outcome is None:
        number = solution.number(state)
        assert solution.distance_of(number) == 7 - moves
        state = state.play(solution.best_moves(number)[0])
        moves += 1
    assert (moves, state.outcome.winners) == (7, (0,))


def test_best_moves_hurry_to_win_and_delay_a_loss() -> None:
    """Both moves keep the value; the first named is the one to play."""
    ways = [(0, 1), (1, 90), (0, 2), (2, 3), (3, 4), (4, 90)]  # lost at once, or two moves later
    for edges in (ways, ways[2:] + ways[:2]):
        solution = rulegame.solve(load(lanes(*edges)), "perfect_information")
        assert (solution.result, solution.distance_of(0)) == ("second", 4)
        assert [move.text for move in solution.best_moves(0)] == ["go_0_2", "go_0_1"]
    ways = [(0, 1), (1, 91), (0, 2), (2, 3), (3, 4), (4, 91)]
    for edges in (ways, ways[2:] + ways[:2]):
        solution = rulegame.solve(load(lanes(*edges)), "perfect_information")
        assert (solution.result, solution.distance_of(0)) == ("first", 2)
        assert [move.text for move in solution.best_moves(0)] == ["go_0_1", "go_0_2"]


def lanes(*edges: tuple[int, int]) -> str:
    """A game of places and lanes between them: 90 wins, 91 loses and 92 draws for who goes
    there.
    """
    operations = "".join(
        f"  go_{a}_{b}:\n    when: at == {a}\n    effects: {{at: {b}}}\n" for a, b in edges
    )
    return f"""\
rulegame: 1
title: Lanes
state: {{at: 0}}
operations:
{operations}
end:
  won: {{when: at == 90, result: win}}
  lost: {{when: at == 91, result: lose}}
  drawn: {{when: at == 92, result: draw}}
"""


@pytest.mark.parametrize(
    ("edges", "result", "distance"),
    [
        ([(0, 90)], "first", 1),
        ([(0, 91)], "second", 1),
        ([(0, 92)], "draw", 1),
        ([(0, 0)], "endless", None),
        ([(0, 1), (1, 0), (0, 91)], "endless", None),  # better to walk round than to lose
        ([(0, 1), (1, 0), (0, 92)], "draw", 1),  # who can force an end may
        ([(0, 1), (1, 0), (1, 92)], "draw", 2),
        ([(0, 1), (1, 2), (2, 1), (2, 92)], "draw", 3),
        ([(0, 1), (1, 0), (1, 90), (0, 91)], "second", 2),
        ([(0, 1), (1, 2), (2, 3), (3, 90), (1, 91)], "second", 4),  # the loser delays, the …
        ([(0, 1), (0, 2), (2, 3), (3, 91), (1, 91)], "first", 2),  # … winner hurries
        ([(0, 0), (0, 1), (1, 90), (1, 92)], "endless", None),
    ],
    ids=str,
)
def test_wins_draws_and_endless_play_are_told_apart(
    edges: list[tuple[int, int]], result: str, distance: int | None
) -> None:
    solution = rulegame.solve(load(lanes(*edges)), "perfect_information")
    assert (solution.result, solution.distance_of(0)) == (result, distance)


def plain_distances(arena: Arena) -> list[tuple[int, int]]:
    """Of each state the value and the moves to its end (-1: endless), as the rules of thumb say it:
    who wins hurries, who loses delays, and a draw is as far as the side needs that can force it.
    """
    states = range(len(arena))
    ways = [arena.successors[arena.offsets[s] : arena.offsets[s + 1]].tolist() for s in states]
    ends = {s: int(arena.pay[s]) for s in states if arena.role[s] == END}
    won = {s: 0 for s in ends if ends[s] == 1} | forced(arena, ways, HIGH, ends, 1)
    lost = {s: 0 for s in ends if ends[s] == -1} | forced(arena, ways, LOW, ends, -1)
    level = [s for s in states if s not in won and s not in lost]
    kept = [[t for t in ways[s] if s in level and t in level] for s in states]
    draws = [forced(arena, kept, side, ends, 0) for side in (HIGH, LOW)]
    found = []
    for state in states:
        if state in won or state in lost:
            found.append((1, won[state]) if state in won else (-1, lost[state]))
        else:
            found.append((0, min([draw[state] for draw in draws if state in draw], default=-1)))
    return found


def forced(
    arena: Arena, ways: list[list[int]], side: int, ends: dict[int, int], pay: int
) -> dict[int, int]:
    """From where a side can force an end that pays so much, and in how many moves."""
    known = {s: 0 for s, paid in ends.items() if paid == pay}
    away = 0
    while True:
        away += 1
        new = [
            s
            for s, following in enumerate(ways)
            if s not in known
            and following
            and (any if arena.role[s] == side else all)(t in known for t in following)
        ]
        if not new:
            return known
        known |= dict.fromkeys(new, away)


@pytest.mark.parametrize("way", ["python", "machine code"])
def test_wins_and_draws_of_random_games_are_as_far_as_play_takes(
    monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    if way == "machine code":
        use_backend(monkeypatch, MACHINE_CODE)
    for seed in range(300):
        arena = random_arena(Random(seed), (HIGH, LOW))
        assert told(retrograde.solve_backward(arena)) == plain_distances(arena), seed


def told(found: retrograde.Retrograde) -> list[tuple[int, int]]:
    return list(zip(found.value.tolist(), found.distance.tolist(), strict=True))


def test_games_without_cycles_are_solved_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the order in which their states are numbered; others are not."""
    use_backend(monkeypatch, MACHINE_CODE)
    cyclic = 0
    for seed in range(600):
        random = Random(seed)
        forward = bool(seed % 3)
        arena = random_arena(random, (HIGH, LOW), most=3 + seed % 20, forward=forward)
        arena = renumbered(arena, random) if seed % 3 == 2 else arena
        longest = structure.find_structure(arena).longest_play
        found = retrograde.solve_forward(arena)
        if found is None:
            assert not structure.find_structure(arena).is_acyclic
            cyclic += 1
            continue
        assert told(found[0]) == plain_distances(arena), seed
        assert found[1] == longest
    assert 50 < cyclic <= 200


def renumbered(arena: Arena, random: Random) -> Arena:
    """The same game, its states in another order."""
    order = random.sample(range(len(arena)), len(arena))  # the state before of each one now
    place = np.argsort(order)
    spans = [range(arena.offsets[s], arena.offsets[s + 1]) for s in order]
    edges = [e for span in spans for e in span]
    offsets = np.cumsum([0, *map(len, spans)]).astype(np.int32)
    successors = place[arena.successors[edges]].astype(np.int32)
    return Arena(offsets, successors, arena.role[order], arena.weights[edges], arena.pay[order])


def test_play_that_lasts_too_long_for_one_pass_is_solved_backward(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A chain of states, whose moves do not fit into a word; one move less does."""
    most = 2**20 - 2
    for moves, downward in product((most, most + 1), (False, True)):
        later = np.arange(1, moves + 1)
        order = np.append(0, later[::-1] if downward else later)  # as they are played
        role, pay = np.zeros(moves + 1, np.int8), np.zeros(moves + 1, np.int8)
        role[order[-1]], pay[order[-1]] = END, 1
        offsets = np.append(0, np.cumsum(role != END)).astype(np.int32)
        successors = np.full(moves + 1, -1, np.int32)
        successors[order[:-1]] = order[1:]
        arena = Arena(offsets, successors[role != END], role, np.zeros(moves, np.int8), pay)
        found = retrograde.solve_forward(arena)
        assert (found is None) == (moves > most)
        if found is not None:
            assert (found[1], int(found[0].distance[0])) == (moves, moves)


# ---- with chance


def plain_chance(start: Position, moves: Moves = all_moves) -> Fraction:
    """Strategies by value iteration in floats, their exact value by elimination in fractions."""
    graph = reachable(start, moves)
    values = dict.fromkeys(graph, 0.0)
    for position in graph:
        if position.result is not None:
            values[position] = 0.0 if position.result.draw else 1.0
            values[position] *= 1 if 0 in position.result.winners else -1
    exact = {p: Fraction(int(v)) for p, v in values.items() if p.result is not None}
    inner = [p for p in graph if p.result is None]
    for _ in range(600):
        for p in inner:
            values[p] = aggregate(p, [values[q] for q in graph[p]])
    chosen = {}
    for p in inner:
        pick = max if p.turn == 0 else min
        chosen[p] = pick(graph[p], key=lambda q: values[q])
    rolls = [p for p in inner if p.turn == "chance"]
    place = {p: k for k, p in enumerate(rolls)}
    matrix = []
    for k, p in enumerate(rolls):
        row = {k: Fraction(1)}
        right = Fraction(0)
        for q in graph[p]:
            while q in chosen and q.turn != "chance":
                q = chosen[q]
            if q in place:
                row[place[q]] = row.get(place[q], Fraction(0)) - Fraction(1, len(graph[p]))
            else:
                right += exact[q] / len(graph[p])
        matrix.append((row, right))
    solved = eliminate(matrix)
    while start not in place:
        start = chosen[start]
    return solved[place[start]]


def aggregate(position: Position, following: list[float]) -> float:
    if position.turn == "chance":
        return sum(following) / len(following)
    return max(following) if position.turn == 0 else min(following)


def eliminate(matrix: list[tuple[dict[int, Fraction], Fraction]]) -> list[Fraction]:
    """Gauss and Jordan on sparse rows; each has something on the diagonal."""
    rows = [(dict(row), right) for row, right in matrix]
    for k in range(len(rows)):
        row, right = rows[k]
        factor = row[k]
        row = {c: v / factor for c, v in row.items() if v}
        right /= factor
        rows[k] = row, right
        for j, (other, value) in enumerate(rows):
            if j != k and other.get(k):
                times = other[k]
                for c, v in row.items():
                    other[c] = other.get(c, Fraction(0)) - times * v
                rows[j] = {c: v for c, v in other.items() if v}, value - times * right
    return [right for _, right in rows]


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "setting",
    [
        {"target": 2},
        {"target": 3, "sides": 2},
        {"target": 4, "sides": 3},
        {"target": 5, "sides": 6},
        {"target": 6},
        {"target": 8, "start": 3},
    ],
    ids=str,
)
def test_dice_duel(setting: dict[str, Any]) -> None:
    solution = rulegame.solve(rulegame.load("dice_duel", setting), "perfect_information")
    assert solution.value == plain_chance(dice_duel.start(**setting))
    assert solution.value is not None and solution.exact
    assert Fraction(solution.lower) <= solution.value <= Fraction(solution.upper)
    assert solution.win_probability_of(0) == (1 + solution.value) / 2
    assert (solution.result, solution.longest_game) == ("chance", None)


def test_dice_duel_without_subtraction_has_no_cycles() -> None:
    solution = rulegame.solve(
        rulegame.load("dice_duel", {"target": 6}, disable=["subtract"]), "perfect_information"
    )
    assert solution.value == plain_chance(dice_duel.start(target=6, disable=("subtract",)))
    assert solution.longest_game is not None


@pytest.mark.quick(2)
@pytest.mark.parametrize(("target", "sides"), [(2, 2), (4, 3), (6, 6), (8, 4)])
def test_pig(target: int, sides: int) -> None:
    solution = rulegame.solve(
        rulegame.load("pig", {"target": target, "sides": sides}), "perfect_information"
    )
    assert solution.value == plain_chance(pig.start(target=target, sides=sides))


# ---- every bundled ruleset, played through the public interface by the plain solvers


@dataclass(frozen=True)
class Played:
    """A state of the engine as a position of a reference game."""

    state: rulegame.State

    @property
    def turn(self) -> Turn:
        return "chance" if self.state.player == rulegame.CHANCE else self.state.player

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(move.text for move in self.state.moves)

    @property
    def values(self) -> dict[str, object]:
        return {}

    @property
    def result(self) -> Result | None:
        end = self.state.outcome
        return None if end is None else Result(end.winners, end.losers, end.draw, end.rule)

    def play(self, text: str) -> Played:
        return Played(self.state.play(next(m for m in self.state.moves if m.text == text)))


BUNDLED: dict[str, dict[str, Any]] = {
    "dice_duel": {"target": 5, "sides": 4},
    "dice_duel_multiply": {"target": 4, "sides": 3},
    "double_or_nothing_10": {},
    "double_or_nothing_31": {},
    "misere_nim": {"heaps": [1, 2, 3]},
    "nim": {"heaps": [2, 3, 3]},
    "pig": {"target": 5, "sides": 3},
    "tic_tac_toe": {},
    "triple_or_nothing": {"target": 40},
    "zero_sum_duel": {"start": 9},
    "zero_sum_sprint": {},
}
NOT_SOLVED = {"number_duel", "three_player_pig"}


def test_every_bundled_ruleset_is_solved_or_refused() -> None:
    assert BUNDLED.keys() | NOT_SOLVED == set(ruleset_names("games", "variants"))


@pytest.mark.quick(8)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_rulesets_as_they_are_played(name: str, first: int) -> None:
    game = rulegame.load(name, BUNDLED[name])
    solution = rulegame.solve(game, "perfect_information", first=first)
    sign = 1 if first == 0 else -1
    start = Played(game.start(first))
    if (solution.graph.owner == rulegame.CHANCE).any():
        assert solution.value == sign * plain_chance(start)
    else:
        value, away = plain_retrograde(start)
        assert solution.value == sign * value
        assert away is None or solution.distance_of(0) == away


# ---- Pig as it is known


def test_a_shorter_pig_between_bounds() -> None:
    game = rulegame.load("pig", {"target": 12})
    exact = rulegame.solve(game, "perfect_information").value
    bounded = rulegame.solve(game, "perfect_information", limits=NO_FRACTIONS)
    assert exact is not None
    assert Fraction(bounded.lower) <= exact <= Fraction(bounded.upper)
    assert bounded.upper - bounded.lower < 1e-11
    probability, bounds = bounded.win_probability_of(0), bounded.win_bounds_of(0)
    assert isinstance(probability, float) and bounds is not None
    assert bounds[0] <= probability <= bounds[1]
    assert Fraction(bounds[0]) <= (1 + exact) / 2 <= Fraction(bounds[1])


@pytest.mark.parametrize(
    "limits",
    [{"DENSE": 0}, {"DENSE": 0, "SPARSE": 0}, {"DENSE": 0, "LARGE": 0}],
    ids=["elimination", "iteration", "krylov"],
)
def test_strategies_come_out_the_same_however_they_are_evaluated(
    monkeypatch: pytest.MonkeyPatch, limits: dict[str, int]
) -> None:
    """Small games as large ones are treated: what is found is proved, or it is not found."""
    game = rulegame.load("pig", {"target": 10})
    known = rulegame.solve(game, "perfect_information")
    for name, limit in limits.items():
        monkeypatch.setattr(strategies, name, limit)
    assert rulegame.solve(game, "perfect_information").values == known.values
    bounded = rulegame.solve(game, "perfect_information", limits=NO_FRACTIONS)
    assert known.value is not None and bounded.upper - bounded.lower < 1e-9
    assert Fraction(bounded.lower) <= known.value <= Fraction(bounded.upper)


# ---- endless play worth 0 between ends worth 1 and -1

WAITING = """\
rulegame: 1
title: Waiting
summary: A gamble whose good half comes at once and whose bad half comes later. It is worth nothing.
state: {late: 0}
operations:
  wait:
    when: late == 0
    next: me
  go:
    when: late == 0
    roll: {coin: 1..2}
    effects: {late: coin}
    next: me
  walk:
    when: late > 0
    effects: {late: late + 1}
    next: me
end:
  good: {when: late == 1, result: win}
  bad: {when: late > 5, result: lose}
"""

HOLDING = """\
rulegame: 1
title: Holding
summary: The second player may hold the game where it is rather than let the first one gamble.
state: {open: false, tries: 0}
operations:
  ask:
    when: not open
    next: them
    effects: {open: true}
  refuse:
    when: open
    effects: {open: false}
  let:
    when: open
    roll: {die: 1..3}
    effects: {tries: die}
end:
  lucky: {when: tries > 1, result: lose}
  unlucky: {when: tries == 1, result: win}
"""


def test_a_good_half_that_comes_first_does_not_make_a_gamble_good() -> None:
    """In n steps the first player can always have half a win and no loss yet."""
    solution = rulegame.solve(load(WAITING), "perfect_information")
    assert solution.value == 0
    assert solution.longest_game is None


def test_who_can_hold_the_game_gives_nothing_away() -> None:
    """That every state is worth 1/3 satisfies Bellman's equations too."""
    solution = rulegame.solve(load(HOLDING), "perfect_information")
    assert solution.value == 0
    assert solution.result == "endless"
    assert solution.win_probability_of(0) is None


TRYING = """\
rulegame: 1
title: Trying
summary: Who rolls a six wins or loses; a player may also leave the game, for the other to win it.
state: {thrown: 0, left: false}
operations:
  try:
    roll: {die: 1..6}
    effects: {thrown: die}
    next: me
  leave: {effects: {left: true}}
end:
  six: {when: thrown == 6, result: RESULT}
  gone: {when: left, result: lose}
"""


@pytest.mark.parametrize("bounds_only", [False, True])
@pytest.mark.parametrize(("ending", "result"), [("win", "first"), ("draw", "draw")])
def test_what_is_certain_but_has_no_longest_game(
    bounds_only: bool, ending: str, result: str
) -> None:
    """A win with probability 1 is a win and no chance, even where play can be endless."""
    game = load(TRYING.replace("RESULT", ending))
    limits = NO_FRACTIONS if bounds_only else None
    solution = rulegame.solve(game, "perfect_information", limits=limits)
    assert (solution.result, solution.longest_game) == (result, None)
    assert [move.text for move in solution.best_moves(0)] == ["try"]
    if result == "first":
        assert solution.value == solution.win_probability_of(0) == 1
        assert solution.exact
    else:
        assert solution.win_probability_of(0) is None


def test_almost_certain_is_not_certain() -> None:
    """A loss that is too unlikely for a float to show it."""
    text = TRYING.replace("{die: 1..6}", "{die: {from: 0..6, weight: 'W if die == 6 else 1'}}")
    text = text.replace("W if", "1000000000000000 if").replace("RESULT", "win")
    text = text.replace("end:\n", "end:\n  zero: {when: tried and thrown == 0, result: lose}\n")
    text = text.replace("left: false}", "left: false, tried: false}")
    text = text.replace("{thrown: die}", "{thrown: die, tried: true}")
    solution = rulegame.solve(load(text), "perfect_information", limits=NO_FRACTIONS)
    assert solution.result == "chance"
    assert solution.lower <= 1 - 2e-15 <= solution.upper


@pytest.mark.parametrize("seed", range(100))
def test_certain_wins_are_those_worth_a_win(seed: int) -> None:
    arena = random_arena(Random(seed))
    values = by_trying(arena)
    for side, worth in ((HIGH, 1), (LOW, -1)):
        assert certain_wins(arena, side).tolist() == [value == worth for value in values]


# ---- long and narrow


def test_a_long_game() -> None:
    """Play that hardly branches is followed state by state; with a way back it has no length."""
    counting = lanes((0, 0)).replace("  go_0_0:\n    when: at == 0\n    effects: {at: 0}\n", "")
    one = "  up: {when: at < 6000, effects: {at: at + 1}}\n"
    ends = "end:\n  top: {when: at == 6000, result: win}\n"
    text = counting[: counting.index("end:")] + one
    solution = rulegame.solve(load(text + ends), "perfect_information")
    assert (solution.result, solution.distance_of(0)) == ("second", 6000)
    assert solution.longest_game == solution.shortest_game == 6000
    back = "  down: {when: at > 0, effects: {at: at - 1}}\n"
    solution = rulegame.solve(load(text + back + ends), "perfect_information")
    assert (solution.result, solution.longest_game) == ("endless", None)
    assert solution.shortest_game == 6000


# ---- the shape of graphs


def reached(ways: list[list[int]], state: int) -> set[int]:
    """What can be reached from a state in one move or more."""
    found: set[int] = set()
    stack = [state]
    while stack:
        new = set(ways[stack.pop()]) - found
        found |= new
        stack += new
    return found


@pytest.mark.parametrize("way", ["python", "machine code"])
@pytest.mark.parametrize("forward", [False, True])
def test_levels_cycles_and_lengths_of_random_graphs(
    monkeypatch: pytest.MonkeyPatch, way: str, forward: bool
) -> None:
    if way == "machine code":
        use_backend(monkeypatch, MACHINE_CODE)
    for seed in range(60):
        arena = random_arena(Random(seed), most=25, forward=forward)
        states = range(len(arena))
        ways = [arena.successors[arena.offsets[s] : arena.offsets[s + 1]].tolist() for s in states]
        beyond = [reached(ways, state) for state in states]
        found = structure.find_structure(arena)
        level, cycle = found.level.tolist(), found.cycle.tolist()
        for s in states:
            assert (cycle[s] >= 0) == (s in beyond[s])
            assert all((cycle[s] == cycle[t] >= 0) == (s in beyond[t]) for t in beyond[s])
            assert all(level[t] < level[s] or cycle[t] == cycle[s] >= 0 for t in ways[s])
        lengths = play_lengths(arena, ways)
        assert structure.shortest_play(arena) == min(lengths, default=None)
        assert found.longest_play == (max(lengths) if forward else found.longest_play)
        assert found.is_acyclic or found.longest_play is None


def play_lengths(arena: Arena, ways: list[list[int]]) -> set[int]:
    """After how many moves there may be an end; no more moves than there are states."""
    lengths, now = set(), {0}
    for length in range(len(arena)):
        if any(arena.role[state] == END for state in now):
            lengths.add(length)
        now = {target for state in now for target in ways[state]}
    return lengths


# ---- small random games, by trying all strategies


def random_arena(
    random: Random, kinds: tuple[int, ...] = (HIGH, LOW, ROLL), most: int = 6, forward: bool = False
) -> Arena:
    """A few states and three ends; if play only goes forward, no state comes twice."""
    inner = random.randint(2, most)
    pays = [1, 0, -1]
    roles = [random.choice(kinds) for _ in range(inner)] + [END] * 3
    offsets, successors, weights = [0], [], []
    for state in range(inner):
        first = state + 1 if forward else 0
        targets = random.sample(range(first, inner + 3), random.randint(1, 3))
        successors += targets
        rolls = roles[state] == ROLL
        weights += [random.randint(1, 3) if rolls else 0 for _ in targets]
        offsets.append(len(successors))
    offsets += [offsets[-1]] * 3
    return Arena(
        np.array(offsets, np.int32),
        np.array(successors, np.int32),
        np.array(roles, np.int8),
        np.array(weights),
        np.array([0] * inner + pays, np.int8),
    )


def all_choices(arena: Arena, side: int) -> Iterator[dict[int, int]]:
    """All choices of a successor for each state of a side."""
    states = np.flatnonzero(arena.role == side).tolist()
    ways = [arena.successors[arena.offsets[s] : arena.offsets[s + 1]].tolist() for s in states]
    for picks in product(*ways):
        yield dict(zip(states, picks, strict=True))


def chain(arena: Arena, chosen: dict[int, int]) -> list[Fraction]:
    """The values under both strategies; what reaches no end is worth 0."""
    shares: list[dict[int, Fraction]] = []
    for state in range(len(arena)):
        low, high = arena.offsets[state], arena.offsets[state + 1]
        row: dict[int, Fraction] = {}
        if state in chosen:
            row[chosen[state]] = Fraction(1)
        elif arena.role[state] == ROLL:
            total = int(arena.weights[low:high].sum())
            for t, w in zip(arena.successors[low:high], arena.weights[low:high], strict=True):
                row[int(t)] = row.get(int(t), Fraction(0)) + Fraction(int(w), total)
        shares.append(row)
    ending = {s for s in range(len(arena)) if arena.role[s] == END}
    while new := {s for s, row in enumerate(shares) if s not in ending and ending & set(row)}:
        ending |= new
    rows = []
    for state, row in enumerate(shares):
        equation = {state: Fraction(1)}
        if state in ending:
            for t, share in row.items():
                equation[t] = equation.get(t, Fraction(0)) - share
        rows.append((equation, Fraction(int(arena.pay[state]))))
    return eliminate(rows)


def by_trying(arena: Arena) -> list[Fraction]:
    """HIGH's best strategy against LOW's best reply; both need no memory."""
    best = [Fraction(int(arena.pay.min()))] * len(arena)
    for high in all_choices(arena, HIGH):
        replies = [chain(arena, high | low) for low in all_choices(arena, LOW)]
        columns = zip(*replies, strict=True)
        best = [max(b, min(column)) for b, column in zip(best, columns, strict=True)]
    return best


@pytest.mark.parametrize("seed", range(300))
def test_small_random_games(seed: int) -> None:
    arena = random_arena(Random(seed))
    expected = by_trying(arena)
    found = structure.find_structure(arena)
    assert chance.solve_exactly(arena, found, silent).values == expected
    bounded = chance.solve_bounds(arena, found, silent)
    for low, value, high in zip(bounded.lower, expected, bounded.upper, strict=True):
        assert Fraction(float(low)) <= value <= Fraction(float(high))
        assert high - low < 1e-9
    chooses = arena.role <= LOW
    assert ((bounded.chosen >= 0) == chooses).all() and (bounded.chosen[~chooses] == -1).all()


@pytest.mark.parametrize("seed", range(150))
def test_small_random_games_that_pay(seed: int) -> None:
    """Whole payoffs of any size, and such that are fractions."""
    random = Random(f"pays {seed}")
    plain = random_arena(random, random.choice([(HIGH, LOW, ROLL), (HIGH, ROLL), (HIGH, LOW)]))
    most = random.choice([3, 10, 10**6, 2**60])
    pays = np.array([random.randint(-most, most) for _ in plain.pay], np.int64)
    pays[plain.role != END] = 0
    arena = replace(plain, pay=pays, unit=Fraction(1, random.choice([1, 2, 7])), plain=False)
    expected = [value * arena.unit for value in by_trying(arena)]
    found = structure.find_structure(arena)
    assert chance.solve_exactly(arena, found, silent).values == expected
    bounded = chance.solve_bounds(arena, found, silent)
    for low, value, high in zip(bounded.lower, expected, bounded.upper, strict=True):
        assert Fraction(float(low)) <= value <= Fraction(float(high))
        assert high - low < 1e-9 * most


@pytest.mark.parametrize("seed", range(100))
def test_the_chosen_moves_get_the_value_against_every_reply(seed: int) -> None:
    """Nobody is left waiting for an end that pays, where the values alone would allow it."""
    arena = random_arena(Random(seed))
    solved = chance.solve_exactly(arena, structure.find_structure(arena), silent)
    for side, other, worst in ((HIGH, LOW, min), (LOW, HIGH, max)):
        states = np.flatnonzero(arena.role == side).tolist()
        mine = {state: int(arena.successors[solved.chosen[state]]) for state in states}
        replies = [chain(arena, mine | reply) for reply in all_choices(arena, other)]
        assert [worst(column) for column in zip(*replies, strict=True)] == solved.values


# ---- bounds, proofs and linear systems


@pytest.mark.parametrize("setting", [{"target": 3}, {"target": 15}], ids=str)
def test_bounds_where_fractions_are_too_much(setting: dict[str, Any]) -> None:
    game = rulegame.load("dice_duel", setting)
    exact = rulegame.solve(game, "perfect_information")
    bounded = rulegame.solve(game, "perfect_information", limits=NO_FRACTIONS)
    assert exact.values is not None
    assert (bounded.value, bounded.exact, bounded.values) == (None, False, None)
    for low, value, high in zip(bounded.lowers, exact.values, bounded.uppers, strict=True):
        assert Fraction(float(low)) <= value <= Fraction(float(high))
    assert bounded.upper - bounded.lower < 1e-9
    assert bounded.result == "chance"
    for number in range(len(exact.graph)):
        assert set(exact.best_moves(number)) <= set(bounded.best_moves(number))


def test_values_that_only_fulfil_the_equations_are_not_proved() -> None:
    """LOW may stay or leave to a state that is worth 1: any value up to 1 fulfils the equation."""
    arena = Arena(
        np.array([0, 2, 2]),
        np.array([0, 1], np.int32),
        np.array([LOW, END], np.int8),
        np.zeros(2, np.int64),
        np.array([0, 1], np.int8),
    )
    block = cut_out(arena, np.array([0]), np.zeros(2, np.int64))
    assert is_solution(block, [0, 1])
    assert not is_solution(block, [1, 1])
    assert not is_solution(block, [2, 1])  # nor even the equation
    assert is_solution(block.flipped(), [1, 1])  # HIGH leaves


@pytest.mark.parametrize(("side", "pay"), [(HIGH, 1), (LOW, -1)])
def test_of_choices_that_keep_the_value_those_that_lead_out_are_taken(side: int, pay: int) -> None:
    """Two states that lead to each other and both to the end: one of them at least must go there,
    whatever was chosen before.
    """
    arena = Arena(
        np.array([0, 2, 4, 4]),
        np.array([1, 2, 0, 2], np.int32),
        np.array([side, side, END], np.int8),
        np.zeros(4, np.int64),
        np.array([0, 0, pay], np.int8),
    )
    block = cut_out(arena, np.array([0, 1]), np.zeros(3, np.int64))
    assert leaving_edges(block, [pay] * 3, np.array([0, 2])).tolist() == [1, 2]
    flipped = block.flipped()  # who does not want the end goes there only if nothing else is left
    assert leaving_edges(flipped, [0, 0, pay], np.array([0, 2])).tolist() == [0, 2]


@pytest.mark.parametrize("seed", range(20))
def test_linear_systems_are_solved_exactly(seed: int) -> None:
    random = Random(seed)
    size, largest = random.randint(1, 12), random.choice([6, 10**6, 2**58])
    rows: list[tuple[dict[int, Fraction], Fraction]] = []
    offsets, columns, entries, right = [0], [], [], []
    for k in range(size):
        chosen = {j: -random.randint(0, largest) for j in random.sample(range(size), size // 2)}
        chosen[k] = sum(abs(v) for v in chosen.values()) % 2**62 + random.randint(1, 9)
        right.append(random.randint(-(10**30), 10**30))
        columns += list(chosen)
        entries += list(chosen.values())
        offsets.append(len(columns))
        rows.append(({j: Fraction(v) for j, v in chosen.items()}, Fraction(right[-1])))
    system = System(np.array(offsets), np.array(columns), np.array(entries))
    numerators, denominator = solve_system(system, right, 10**30)
    assert [Fraction(n, denominator) for n in numerators] == eliminate(rows)


# ---- what is refused


@pytest.mark.parametrize(
    ("name", "reason"),
    [("three_player_pig", "3 players"), ("number_duel", "'numbers' is hidden information")],
)
def test_what_cannot_be_solved(name: str, reason: str) -> None:
    with pytest.raises(rulegame.CannotSolve, match=reason):
        rulegame.solve(rulegame.load(name), "perfect_information")


PAYING = """
rulegame: 1
title: Pay
players: [PLAYERS]
state: {n: 0, pot: 1}
operations:
  up: {effects: {pot: pot + n, n: n + 1}}
  flip: {roll: {c: "-1..1"}, effects: {pot: pot + c * 2, n: n + 1}}
  back: {when: BACK, effects: {n: n - 1, pot: 1}}
end:
  paid: {when: n > 3, payoff: "PAYOFF"}
"""


def paying(payoff: str, players: str = "A, B", back: str = "false") -> rulegame.Game:
    text = PAYING.replace("PLAYERS", players).replace("BACK", back)
    return rulegame.loads(text.replace("PAYOFF", payoff))


def plain_payoffs(state: rulegame.State) -> list[Fraction]:
    """What each player gets if everybody takes what is best for them, and no state comes twice."""
    if state.outcome is not None:
        return [Fraction(pay) for pay in state.outcome.payoffs]
    if state.player == rulegame.CHANCE:
        parts = [[p * v for v in plain_payoffs(state.play(m))] for m, p in state.chances]
        return [sum(column, Fraction(0)) for column in zip(*parts, strict=True)]
    seat = state.player
    assert seat is not None
    return max((plain_payoffs(state.play(move)) for move in state.moves), key=lambda v: v[seat])


@pytest.mark.parametrize(
    ("payoff", "players"),
    [
        ("list(pot if p == me else -pot for p in players)", "A, B"),
        ("list(5 + pot if p == me else 5 - pot for p in players)", "A, B"),  # always ten
        ("[pot]", "A"),
        ("[n - pot * pot]", "A"),
    ],
)
def test_payoffs(payoff: str, players: str) -> None:
    game = paying(payoff, players)
    for first in range(len(game.players)):
        solution = rulegame.solve(game, "perfect_information", first=first)
        assert solution.value == plain_payoffs(game.start(first))[first]
        assert (solution.result, solution.win_probability_of(0)) == ("payoff", None)
        assert solution.distance_of(0) is None
        best = {move.text for move in solution.best_moves(0)}
        worths = {o.move.text: o.value for o in solution.options(0)}
        assert best == {text for text, worth in worths.items() if worth == solution.value}


def test_one_player_wins_loses_or_goes_round() -> None:
    for ending, result in (("win", "first"), ("lose", "endless"), ("draw", "draw")):
        text = PAYING.replace("PLAYERS", "A").replace('payoff: "PAYOFF"', f"result: {ending}")
        solution = rulegame.solve(
            rulegame.loads(text.replace("BACK", "n > 0")), "perfect_information"
        )
        assert solution.result == result, ending
    lost = text.replace("BACK", "false").replace("result: draw", "result: lose")
    solution = rulegame.solve(rulegame.loads(lost), "perfect_information")
    assert solution.result == "lost" and solution.value == -1
    assert solution.win_probability_of(0) == 0


@pytest.mark.parametrize(
    ("payoff", "back", "reason"),
    [
        ("[pot, 1]", "false", "'paid' pays .* does not add up to zero"),
        ("[3, 1]", "n > 0", r"'paid' pays \[3, 1\], which adds up to 4, and play that never ends"),
    ],
)
def test_payoffs_of_players_who_are_not_opposed(payoff: str, back: str, reason: str) -> None:
    with pytest.raises(rulegame.CannotSolve, match=reason):
        rulegame.solve(paying(payoff, back=back), "perfect_information")


def test_too_many_states() -> None:
    with pytest.raises(rulegame.TooLarge, match="100 positions"):
        rulegame.solve(rulegame.load("tic_tac_toe"), "perfect_information", max_states=100)


# ---- while it is being done


def test_every_phase_tells_how_far_it_is() -> None:
    told: list[tuple[str, int, int | None]] = []
    solution = rulegame.solve(
        rulegame.load("dice_duel"),
        "perfect_information",
        progress=lambda *report: told.append(report),
    )
    phases = list(dict.fromkeys(task for task, _, _ in told))
    assert phases == [
        "Exploring positions",
        "Looking for cycles",
        "Improving strategies",
        "Solving equations",
        "Solving",
    ]
    assert told[-1] == ("Solving", len(solution.graph), len(solution.graph))


@pytest.mark.parametrize("bounds_only", [False, True])
def test_progress_counts_the_states(monkeypatch: pytest.MonkeyPatch, bounds_only: bool) -> None:
    monkeypatch.setattr(chance, "REPORT_EVERY", 1)
    limits = NO_FRACTIONS if bounds_only else None
    told: list[tuple[str, int, int | None]] = []
    solution = rulegame.solve(
        rulegame.load("dice_duel", {"target": 3}),
        "perfect_information",
        limits=limits,
        progress=lambda *report: told.append(report),
    )
    size = len(solution.graph)
    solving = [(done, total) for task, done, total in told if task == "Solving"]
    assert solving[-1] == (size, size) and solving == sorted(set(solving))
    assert solving[0][0] == (solution.arena.role == END).sum()


def test_memory_for_solving_counts_too() -> None:
    game = rulegame.load("zero_sum_duel", {"start": 60})
    room = 2 * rulegame.explore(game).nbytes
    assert len(rulegame.explore(game, max_memory=room)) == 27_307
    with pytest.raises(rulegame.TooLarge, match="27,307 of them expanded, but solving needs"):
        rulegame.solve(game, "perfect_information", max_memory=room)


WHITE_BEGINS = """\
rulegame: 1
title: White Begins
players: [Black, White]
state: {left: 5}
turn: {first: "players[2]"}
operations:
  take: {choose: {n: "1..min(2, left)"}, effects: {left: left - n}}
end:
  over: {when: left == 0, result: win}
"""


def test_values_are_those_of_whoever_the_ruleset_lets_begin() -> None:
    game = rulegame.loads(WHITE_BEGINS)
    solution = rulegame.solve(game, "perfect_information")
    assert solution.value == 1 and solution.result == "first"
    assert solution.best_moves(game.start())[0].text == "take 2"
    bounds = rulegame.solve(game, "lookahead", depth=5)
    assert (bounds.lower, bounds.upper) == (1, 1)
    report = rulegame.simulate(game, 50, seed=1, players=["random", "perfect"], first=None)
    assert report.first == 1 and report.seats[1].wins.times == 50


NO_MOVES = """\
rulegame: 1
title: No Moves
players: [Ann]
state: {left: 0}
operations:
  take: {when: left > 0, effects: {left: left - 1}}
stuck: lose
end:
  paid: {when: left < 0, payoff: "[3]"}
"""


def test_a_game_with_payoffs_may_end_before_the_first_move() -> None:
    solution = rulegame.solve(rulegame.loads(NO_MOVES), "perfect_information")
    assert solution.value == -1 and len(solution.graph) == 1
    assert [list(fate) for fate in solution.fates] == [[True], [False], [False]]
