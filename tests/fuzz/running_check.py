"""Every way of running the rules against play one by one: exploring by Python and by machine code,
the players' table, simulation by both; and `solve` against a plain solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from random import Random
from types import ModuleType
from typing import Final, NamedTuple

import rulegame
from fuzz.findings import Finding
from fuzz.games import game_of
from fuzz.plain_solver import ROLL, Node, exact_values, kept, near_values
from rulegame.compiling import OVER
from rulegame.exploring import StateGraph, explore
from rulegame.exploring import explorer as exploring
from rulegame.game import CHANCE, Game, GameError, Move, State
from rulegame.players.table import FastTable
from rulegame.simulation import running
from rulegame.solving import (
    CannotSolve,
    LaidOpenSolution,
    Solution,
    check_solvable,
    has_secrets,
    solve_graph,
    solve_laid_open,
)

MOST_STATES: Final = 500
FEW_STATES: Final = 150  # whose values are also worked out roughly, which takes long
GAMES: Final = 600
NEAR: Final = 0.05  # what a value that is not worked out exactly may be off
ALONE: Final = 10**9  # edges that no game has: there is no machine code


class Played(NamedTuple):
    """A state, and its moves in order, each with the number of the state that it leads to."""

    state: State
    following: list[tuple[Move, int]]


class TooMany(Exception):
    """There are more states than are looked at here."""


def check(text: bytes, rng: Random) -> None:
    """All ways from the same start, on which they must agree."""
    game = game_of(text)
    if game is None:
        return
    first = game.kernel.who_begins(rng.randrange(len(game.players)))
    try:
        played = played_out(game, first)
    except TooMany:
        _refused(game, first, rng, rulegame.TooLarge)
        return
    except rulegame.GameError:
        _refused(game, first, rng, rulegame.GameError)
        return
    _check_table(game, played)
    for graph in _explored(game, first, rng):
        same_graph(graph, played)
    _check_solution(graph, first, played)
    _check_picks(game, first)
    if rng.random() < 0.3:
        _check_simulation(game, rng)


def played_out(game: Game, first: int) -> list[Played]:
    """All states by `State.play` alone, in the order in which they are met."""
    start = game.start(first)
    found = [Played(start, [])]
    numbers = {start: 0}
    for played in found:
        for move in played.state.moves:
            after = played.state.play(move)
            if after not in numbers:
                if len(found) == MOST_STATES:
                    raise TooMany
                numbers[after] = len(found)
                found.append(Played(after, []))
            played.following.append((move, numbers[after]))
    return found


def _refused(game: Game, first: int, rng: Random, kind: type[Exception]) -> None:
    try:
        for _ in _explored(game, first, rng):
            raise Finding(f"explored as a whole, but one by one it is {kind.__name__}")
    except kind:
        pass
    except (rulegame.TooLarge, rulegame.GameError) as error:
        # With too many states the budget ends one way before the rules fail, or the other.
        if kind is rulegame.GameError:
            raise Finding(f"one by one the rules fail, explored: {error}") from None


# ---- exploring


def _explored(game: Game, first: int, rng: Random) -> Iterator[StateGraph]:
    """By Python alone, by machine code alone, and by the one after the other."""
    young = rng.choice([3, 1 << 16])
    for edges in (ALONE, 0, rng.choice([1, 7, 50, 300])):
        with _settings(exploring, FIRST_EDGES=edges, MOST_YOUNG=young):
            yield explore(game, first=first, max_states=MOST_STATES)


@contextmanager
def _settings(module: ModuleType, **values: int) -> Iterator[None]:
    before = {name: getattr(module, name) for name in values}
    for name, value in values.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)


def same_graph(graph: StateGraph, played: list[Played]) -> None:
    """The states, moves, chances and outcomes of a graph are those of play."""
    cells = list(graph.cells)
    if cells != [one.state.cells for one in played]:
        raise Finding(f"{len(cells)} states explored, {len(played)} played, or not the same")
    for number, one in enumerate(played):
        state = one.state
        owner = int(graph.owner[number])
        _same(number, "player", owner, OVER if state.player is None else state.player)
        following = [(move.text, k) for move, k in graph.following(number)]
        _same(number, "moves", following, [(move.text, k) for move, k in one.following])
        if owner == CHANCE:
            shares = [share for _, share in graph.chances(number)]
            _same(number, "chances", shares, [share for _, share in state.chances])
        outcome = graph.outcomes[graph.outcome[number]] if graph.outcome[number] >= 0 else None
        _same(number, "outcome", outcome, state.outcome)


def _same(number: int, what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Finding(f"{what} of state {number}: {found} explored, {expected} played")


def _check_table(game: Game, played: list[Played]) -> None:
    """What players try out in their heads."""
    table = FastTable(game)
    for number, (state, following) in enumerate(played):
        for move, after in following:
            cells, options, _ = table.settle(table.step(state.cells, game.code_of(move)))
            reached = played[after].state
            _same(number, f"'{move}'", cells, reached.cells)
            if reached.player not in (None, CHANCE):
                _same(number, f"moves after '{move}'", game.moves_of(options), reached.moves)


# ---- solving


def _check_solution(graph: StateGraph, first: int, played: list[Played]) -> None:
    try:
        check_solvable(graph.game)
        solution = solve_graph(graph, first)
    except CannotSolve:
        return
    _check_symmetry(graph, first, solution)
    nodes = [_node(one, first) for one in played]
    values = exact_values(nodes)
    found = [solution.value_of(number) for number in range(len(nodes))]
    if values is not None:
        _same(0, "values", found, values)
        return
    near = near_values(nodes) if len(nodes) <= FEW_STATES else []
    margin = NEAR * max(1, *(abs(node.pay) for node in nodes))
    for number, about in enumerate(near):
        low, high = solution.bounds_of(number)
        if not low - margin <= about <= high + margin:
            raise Finding(f"value of state {number}: {low}..{high} solved, about {about}")
    if solution.values is not None:
        for number, node in enumerate(nodes):
            _same(number, "value", found[number], kept(node, solution.values))


def _check_symmetry(graph: StateGraph, first: int, solution: Solution) -> None:
    """A symmetry that is declared does not hold, or changes no value."""
    try:
        few = solve_graph(explore(graph.game, first=first, symmetric=True), first)
    except GameError as refuted:
        if refuted.diagnostic.code != "E511":
            raise
        return
    for number in range(len(graph)):
        found, known = few[graph.state(number)], solution[number]
        if found.upper < known.lower or known.upper < found.lower:
            raise Finding(f"value of state {number}: {found} but for symmetry, {known} without")


def _node(one: Played, first: int) -> Node:
    state = one.state
    following = [k for _, k in one.following]
    if state.outcome is not None:
        return Node(ROLL, (), (), int(state.outcome.payoffs[first]))
    if state.player == CHANCE:
        return Node(ROLL, following, [share for _, share in state.chances])
    return Node(0 if state.player == first else 1, following, ())


def _check_picks(game: Game, first: int) -> None:
    """The mixes of picks that are laid open prove their value."""
    if len(game.players) != 2 or not has_secrets(game.ruleset):
        return
    try:
        solution = solve_laid_open(game, first=first, max_states=MOST_STATES)
    except CannotSolve:
        return
    if solution.value is None:
        return
    worth = _worth(game, first, solution)
    rows, columns = solution.mix.rows, solution.mix.columns
    least = min(
        sum((p * line[k] for p, line in zip(rows, worth, strict=True)), Fraction(0))
        for k in range(len(columns))
    )
    most = max(
        sum((p * v for p, v in zip(columns, line, strict=True)), Fraction(0)) for line in worth
    )
    if not least == most == solution.value:
        raise Finding(f"picks laid open: {solution.value}, but {least} and {most} can be forced")


def _worth(game: Game, first: int, solution: LaidOpenSolution) -> list[list[Fraction]]:
    """Of each pair of picks what play after them is worth, the picks made one by one."""
    picks = solution.picks if first == 0 else solution.picks[::-1]
    found: dict[tuple[int, int], Fraction] = {}
    for i, mine in enumerate(picks[0]):
        for j, theirs in enumerate(picks[1]):
            state = game.start(first)
            for pair in zip(mine.moves, theirs.moves, strict=True):
                for move in pair:
                    state = state.play(move)
            value = solution.play.value_of(solution.graph.number(state))
            assert value is not None
            found[i, j] = value
    rows = [[found[i, j] for j in range(len(picks[1]))] for i in range(len(picks[0]))]
    return rows if first == 0 else [list(column) for column in zip(*rows, strict=True)]


# ---- simulating


def _check_simulation(game: Game, rng: Random) -> None:
    """Games by Python, and by machine code; faults included."""
    seed, longest = rng.randrange(2**40), rng.choice([3, 60])
    reports: list[object] = []
    for worthwhile in (ALONE * GAMES, 0):
        with _settings(running, WORTHWHILE=worthwhile, PROBES=0):
            try:
                report = rulegame.simulate(game, GAMES, seed=seed, first=None, max_moves=longest)
            except rulegame.GameError as error:
                reports.append(str(error))
            else:
                reports.append(report)
    if reports[0] != reports[1]:
        raise Finding(f"simulated by Python: {reports[0]}\nby machine code: {reports[1]}")
