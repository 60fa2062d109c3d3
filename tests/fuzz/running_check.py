"""Every way of running the rules against play one by one: exploring by Python and by machine code,
the players' table, simulation by both; and `solve` against brute force.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Final

import rulegame
from fuzz.backends import settings
from fuzz.brute_force import Position, TooMany, backed_up, reachable, side_nodes, solve_nodes
from fuzz.findings import Finding
from fuzz.games import game_of
from rulegame.compiling import OVER
from rulegame.exploring import StateGraph, explore
from rulegame.exploring import explorer as exploring
from rulegame.game import CHANCE, Game, GameError
from rulegame.native import profitability
from rulegame.players.table import FastTable
from rulegame.solving import (
    CannotSolve,
    PerfectInformationSolution,
    RevealedSolution,
    check_solvable,
    solve,
    solve_graph,
)

MOST_STATES: Final = 500
FEW_STATES: Final = 150  # of games with cycles, which take brute force long
GAMES: Final = 600
ALONE: Final = 10**9  # edges that no game has: there is no machine code


def check(text: bytes, rng: Random) -> None:
    """All ways from the same start, on which they must agree."""
    game = game_of(text)
    if game is None:
        return
    first = game.kernel.who_begins(rng.randrange(len(game.players)))
    try:
        played = reachable(game, first, MOST_STATES)
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
        with settings((exploring, "FIRST_EDGES", edges), (exploring, "MOST_YOUNG", young)):
            yield explore(game, first=first, max_states=MOST_STATES)


def same_graph(graph: StateGraph, played: list[Position]) -> None:
    """The states, moves, chances and outcomes of a graph are those of play."""
    cells = list(graph.cells)
    if cells != [one.state.cells for one in played]:
        raise Finding(f"{len(cells)} states explored, {len(played)} played, or not the same")
    for number, one in enumerate(played):
        state = one.state
        owner = int(graph.owner[number])
        _same(number, "player", owner, OVER if state.player is None else state.player)
        following = [(move.text, k) for move, k in graph.following(number)]
        played_on = [(m.text, k) for m, k in zip(one.moves, one.targets, strict=True)]
        _same(number, "moves", following, played_on)
        if owner == CHANCE:
            shares = [share for _, share in graph.chances(number)]
            _same(number, "chances", shares, [share for _, share in state.chances])
        outcome = graph.outcomes[graph.outcome[number]] if graph.outcome[number] >= 0 else None
        _same(number, "outcome", outcome, state.outcome)


def _same(number: int, what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Finding(f"{what} of state {number}: {found} explored, {expected} played")


def _check_table(game: Game, played: list[Position]) -> None:
    """What players try out in their heads."""
    table = FastTable(game)
    for number, position in enumerate(played):
        state = position.state
        for move, after in zip(position.moves, position.targets, strict=True):
            cells, options, _ = table.settle(table.step(state.cells, game.code_of(move)))
            reached = played[after].state
            _same(number, f"'{move}'", cells, reached.cells)
            if reached.player not in (None, CHANCE):
                _same(number, f"moves after '{move}'", game.moves_of(options), reached.moves)


# ---- solving


def _check_solution(graph: StateGraph, first: int, played: list[Position]) -> None:
    try:
        check_solvable(graph.game)
        solution = solve_graph(graph, first)
    except CannotSolve:
        return
    _check_symmetry(graph, first, solution)
    nodes = side_nodes(played, [first], lambda outcome: outcome.payoffs[first])
    if len(nodes) > FEW_STATES and solution.longest_game is None:
        return
    known = solve_nodes(nodes)
    for number in range(len(nodes)):
        low, high = solution.bounds_of(number)
        if low > known.upper[number] or high < known.lower[number]:
            expected = f"{known.lower[number]}..{known.upper[number]}"
            raise Finding(f"value of state {number}: {low}..{high} solved, but it is {expected}")
    if solution.values is not None:
        for number, node in enumerate(nodes):
            _same(number, "value", solution.value_of(number), backed_up(node, solution.values))


def _check_symmetry(graph: StateGraph, first: int, solution: PerfectInformationSolution) -> None:
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


def _check_picks(game: Game, first: int) -> None:
    """The mixes of picks that are laid open prove their value."""
    if len(game.players) != 2 or game.kind.is_open:
        return
    try:
        solution = solve(game, "revealed", first=first, max_states=MOST_STATES)
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


def _worth(game: Game, first: int, solution: RevealedSolution) -> list[list[Fraction]]:
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
    for scale in (10**18, 0):
        with settings((profitability, "SCALE", scale)):
            try:
                report = rulegame.simulate(game, GAMES, seed=seed, first=None, max_moves=longest)
            except rulegame.GameError as error:
                reports.append(str(error))
            else:
                reports.append(report)
    if reports[0] != reports[1]:
        raise Finding(f"simulated by Python: {reports[0]}\nby machine code: {reports[1]}")
