"""Solutions of every kind: what best play comes to, how that is known, and what each move is worth.
Values are the first mover's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Final

from rulegame.explaining import SolutionExplanation
from rulegame.exploring import StateGraph
from rulegame.rounding import bounds_text
from rulegame.showing.faces import Face, Row, Valued, middle, value_cells, written
from rulegame.solving import (
    LookaheadSolution,
    MixedSolution,
    MultiplayerSolution,
    PerfectInformationSolution,
    RevealedSolution,
)
from rulegame.solving.policies import Followed, policy
from rulegame.wording import counted

LONGEST_FRACTION: Final = 60
RESULTS: Final = {
    "first": "who moves first wins",
    "second": "who moves second wins",
    "draw": "a draw",
    "endless": "play never ends: nobody can force an end",
    "lost": "lost",
}


def value_text(valued: Valued) -> str:
    """The value as people read it, or the bounds."""
    if valued.value is None:
        return bounds_text(valued.lower, valued.upper)
    return number_text(valued.value)


def number_text(value: Fraction) -> str:
    exact = written(value)
    text = "" if exact is None else str(exact)
    if exact is not None and exact.denominator == 1:
        return text
    near = f"{float(value):.10g}"
    return f"{text} ({near})" if text and len(text) <= LONGEST_FRACTION else f"about {near}"


def _size(graph: StateGraph, shortest: int | None, longest: int | None) -> Iterator[Any]:
    yield "states", f"{len(graph):,}"
    if shortest is not None:
        yield "shortest game", counted(shortest, "move")
    forever = "play can go on forever"
    yield "longest game", forever if longest is None else counted(longest, "move")


def _policy(solution: Followed) -> Iterator[Row]:
    for row in policy(solution):
        value = row.value
        exact = written(value) if isinstance(value, Fraction) else None
        yield {
            "seat": row.seat,
            "situation": row.situation,
            "move": row.move,
            "probability": float(row.probability),
            "value": exact,
            "value_decimal": None if value is None else float(value),
        }


# ---- open games


def _open(solution: PerfectInformationSolution) -> Face:
    graph = solution.graph
    facts = [("value", value_text(solution))]
    if solution.result in RESULTS:
        alone = len(graph.game.players) == 1 and solution.result == "first"
        result = "won" if alone else RESULTS[solution.result]
        away = solution.distance_of(0)
        end = "" if away is None else f" in {counted(away, 'move')}"
        facts.insert(0, ("with best play", f"{result}{end}"))
    chance = solution.win_probability_of(0)
    if chance is not None and chance not in (0, 1):
        facts.append(("who moves first wins", f"with probability {float(chance):.10g}"))
    facts += _size(graph, solution.shortest_game, solution.longest_game)
    return Face(
        graph.game.ruleset.title,
        (*facts, ("how it is known", solution.account)),
        {"moves": partial(moves_of, solution), "policy": partial(_policy, solution)},
        ("moves",),
    )


def moves_of(solution: PerfectInformationSolution) -> list[Row]:
    """The moves (or rolls) at the start, a player's best first; values are the first mover's."""
    options = {option.move: option for option in solution.options(0)}
    best = solution.best_moves(0)
    rows = []
    for one in solution.moves():
        option = options[one.move]  # type: ignore[index]
        rows.append(
            {
                "move": one.move.text,
                "best": one.best if best else None,
                **value_cells(option),
                "loss": None if one.loss is None else float(one.loss),
                "result": option.result,
                "distance": option.distance,
            }
        )
    return rows


# ---- hidden information, choices at once


def _hidden(solution: MixedSolution) -> Face:
    facts = [("value", value_text(solution)), ("exploitability", f"{solution.exploitability:.3g}")]
    chance = solution.win_probability
    if chance is not None:
        facts.append(("who moves first wins", f"with probability {float(chance):.10g}"))
    facts += _size(solution.graph, solution.shortest_game, solution.longest_game)
    return Face(
        solution.game.ruleset.title,
        (*facts, ("how it is known", solution.account)),
        {"moves": partial(openings_of, solution), "policy": partial(_policy, solution)},
        ("moves",),
    )


def openings_of(solution: MixedSolution) -> Iterator[Row]:
    """Where each player chooses for the first time, and how."""
    for seat in range(len(solution.game.players)):
        for point in solution.information_sets(seat, opening=True):
            for mixed in point.moves:
                yield {
                    "seat": seat,
                    "knows": point.knows,
                    "move": mixed.move.text,
                    "probability": float(mixed.probability),
                    "value_decimal": mixed.value,
                }


# ---- secret picks


def _laid_open(solution: RevealedSolution) -> Face:
    facts = [("value", value_text(solution)), ("with the picks", "laid open")]
    facts += _size(solution.graph, solution.shortest_game, solution.longest_game)
    return Face(
        solution.graph.game.ruleset.title,
        (*facts, ("how it is known", solution.account)),
        {"picks": partial(picks_of, solution)},
        ("picks",),
    )


def picks_of(solution: RevealedSolution) -> list[Row]:
    """All picks of both sides, the likeliest first; side 0 is who moves first."""
    rows = []
    for side in (0, 1):
        for option in sorted(solution.options(side), key=lambda one: -one.probability):
            row = {"side": side, "pick": option.pick.text, "probability": float(option.probability)}
            rows.append({**row, **value_cells(option)})
    return rows


# ---- many players


def _many(solution: MultiplayerSolution) -> Face:
    facts = [("together", value_text(solution.together))]
    if solution.winning is not None:
        facts.append(("all win", value_text(solution.winning)))
    facts += _size(solution.graph, solution.shortest_game, solution.longest_game)
    return Face(
        solution.game.ruleset.title,
        (*facts, ("how it is known", solution.account)),
        {
            "players": partial(players_of, solution),
            "moves": partial(_shares_of, solution),
            "policy": partial(_policy, solution),
        },
        ("players", "moves"),
    )


def players_of(solution: MultiplayerSolution) -> list[Row]:
    """What each player can make sure of alone, and gets if everybody plays for the own payoff."""
    found = solution.payoffs
    return [
        {
            "seat": seat,
            "name": name,
            "alone": written(solution.alone[seat].value),
            "alone_decimal": middle(solution.alone[seat]),
            "each_for_oneself": None if found is None else written(found[seat]),
            "each_for_oneself_decimal": None if found is None else float(found[seat]),
        }
        for seat, name in enumerate(solution.game.players)
    ]


def _shares_of(solution: MultiplayerSolution) -> list[Row]:
    if solution.equilibria is None:
        return []
    seats = range(len(solution.game.players))
    best = solution.best_moves()
    return [
        {
            "move": move.text,
            "best": move in best if best else None,
            **{f"payoff_{seat}": float(payoffs[seat]) for seat in seats},
        }
        for move, payoffs in solution.options()
    ]


# ---- looking ahead


def _bounds(bounds: LookaheadSolution) -> Face:
    facts = (
        ("value", bounds_text(bounds.lower, bounds.upper)),
        ("followed", f"{counted(bounds.depth, 'move')} ahead, {bounds.positions:,} positions"),
    )
    tables = {"moves": partial(bounded_moves, bounds)}
    return Face(bounds.state.game.ruleset.title, facts, tables, ("moves",))


def bounded_moves(bounds: LookaheadSolution) -> list[Row]:
    """The moves there, with what each is worth at least and at most."""
    return [
        {"move": move.text, "lower": worth.lower, "upper": worth.upper}
        for move, worth in bounds.options
    ]


# ---- why


def _why(explanation: SolutionExplanation) -> Face:
    facts = tuple(("why", sentence) for sentence in explanation.sentences)
    tables = {"positions": partial(positions_of, explanation)}
    return Face("", facts, tables, ("positions",))


def positions_of(explanation: SolutionExplanation) -> Iterator[Row]:
    """The table of winning and losing positions, a row for each value of the first axis."""
    chart = explanation.chart
    if chart is not None:
        corner = "" if chart.rows is None else f"{chart.rows.name} \\ {chart.columns.name}"
        labels = (chart.columns.name,) if chart.rows is None else chart.rows.labels
        for label, cells in zip(labels, chart.cells, strict=True):
            yield {corner: label, **dict(zip(chart.columns.labels, cells, strict=True))}


FACES: Final[Mapping[str, Any]] = {
    "LookaheadSolution": _bounds,
    "MixedSolution": _hidden,
    "MultiplayerSolution": _many,
    "PerfectInformationSolution": _open,
    "RevealedSolution": _laid_open,
    "SolutionExplanation": _why,
}
