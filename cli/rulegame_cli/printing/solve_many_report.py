"""The report of `rulegame solve` on a game whose players are not opposed in two."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from rulegame_cli.printing.figures import (
    decimal,
    fraction_text,
    length_lines,
    size_text,
    value_for_people,
)
from rulegame_cli.printing.solve_report import SolvedFrom, where
from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from rulegame.solving import ManySolution, Solution

SHOWN: Final = 12  # outcomes, and moves


# ---- for programs


def as_data(solution: ManySolution, place: SolvedFrom, top: int | None) -> dict[str, Any]:
    """The solution as JSON has it; fractions are texts."""
    mover = int(solution.graph.owner[0])
    found = solution.equilibria
    outcomes = solution.outcomes
    options = [] if found is None else list(solution.options())[:top]
    return {
        "at": [move.text for move in place.played],
        "first": solution.first + 1,
        "to_move": mover + 1 if mover >= 0 else None,
        "states": len(solution.graph),
        "moves": solution.graph.edges,
        "guarantees": [_bound_data(one) for one in solution.alone],
        "together": _bound_data(solution.together),
        "everyone_wins": None if solution.winning is None else _bound_data(solution.winning),
        "payoffs": None if solution.payoffs is None else _texts(solution.payoffs),
        "outcomes": None if outcomes is None else [_texts(one) for one in outcomes],
        "ties": None if found is None else found.ties,
        "shortest_game": solution.shortest_game,
        "longest_game": solution.longest_game,
        "best_moves": [move.text for move in solution.best_moves()],
        "options": [{"move": move.text, "payoffs": _texts(paid)} for move, paid in options],
    }


def _bound_data(one: Solution) -> dict[str, Any]:
    return {
        "value": fraction_text(one.value),
        "value_decimal": decimal(one),
        "exact": one.exact,
        "lower": one.lower,
        "upper": one.upper,
    }


def _texts(payoffs: tuple[Fraction, ...]) -> list[str]:
    return [str(pay) for pay in payoffs]


# ---- for people


def report(solution: ManySolution, place: SolvedFrom, top: int | None) -> Iterator[str]:
    """The solution for people to read."""
    graph = solution.graph
    names = [one_line(name) for name in solution.game.players]
    yield one_line(solution.game.ruleset.title)
    if place.state is not None:
        yield one_line(where(place, place.state))
    yield size_text(graph)
    yield from length_lines(solution)
    yield ""
    yield "Guaranteed payoff of each player, even if all others cooperate against them:"
    width, plain = max(map(len, names)), solution.game.kernel.is_plain
    for name, one in zip(names, solution.alone, strict=True):
        wins = ", a win" if plain and one.value == 1 else ""
        yield f"  {name.ljust(width)}  {value_for_people(one)}{wins}"
    yield from _together(solution)
    yield ""
    yield from _equilibria(solution, names)
    yield from _options(solution, top)


def _together(solution: ManySolution) -> Iterator[str]:
    if solution.winning is not None:
        yield f"Together, all players can win with probability {value_for_people(solution.winning)}"
    if len(solution.totals) > 1 or solution.longest_game is None:
        most = value_for_people(solution.together)
        yield f"Highest total payoff if all cooperate: {most}"
    else:
        yield f"The payoffs always add up to {next(iter(solution.totals))}."


def _equilibria(solution: ManySolution, names: list[str]) -> Iterator[str]:
    if solution.equilibria is None:
        endless = (
            "play can go on forever"
            if solution.longest_game is None
            else "the game has too many positions"
        )
        yield f"No equilibrium computed: {endless}."
        return
    outcomes = solution.outcomes
    if outcomes is not None and len(outcomes) == 1:
        yield "Equilibrium, if every player maximises their own payoff:"
        yield from _paid(names, outcomes[0])
        return
    yield "If every player maximises their own payoff, the result depends on how ties between"
    yield "equally good moves are broken."
    if outcomes is None:
        yield "One of many possible results:"
        yield from _paid(names, solution.equilibria.chosen[0])
        return
    yield f"{len(outcomes)} possible results; payoffs from lowest to highest:"
    width = max(map(len, names))
    for seat, name in enumerate(names):
        paid = [one[seat] for one in outcomes]
        yield f"  {name.ljust(width)}  {_figure(min(paid))} to {_figure(max(paid))}"


def _paid(names: list[str], payoffs: tuple[Fraction, ...]) -> Iterator[str]:
    width = max(map(len, names))
    for name, pay in zip(names, payoffs, strict=True):
        yield f"  {name.ljust(width)}  {_figure(pay)}"


def _figure(pay: Fraction) -> str:
    return str(pay) if pay.denominator == 1 else f"{pay} ({float(pay):.6g})"


def _options(solution: ManySolution, top: int | None) -> Iterator[str]:
    if solution.equilibria is None or solution.graph.owner[0] < 0:
        return
    options, best = list(solution.options()), solution.best_moves()
    shown = options[: SHOWN if top is None else top]
    yield ""
    yield "Moves, with the payoff of every player (ties later on: first move taken):"
    width = max(len(one_line(move.text)) for move, _ in shown)
    for move, payoffs in shown:
        mark = "*" if move in best else " "
        paid = ", ".join(_figure(pay) for pay in payoffs)
        yield f"{mark} {one_line(move.text).ljust(width)}  {paid}"
    if len(shown) < len(options):
        yield f"  … and {len(options) - len(shown)} more"
