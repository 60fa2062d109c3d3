"""The report of `rulegame solve` on a game in which players choose at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from rulegame_cli.printing.figures import (
    decimal,
    fraction_text,
    length_lines,
    size_text,
    value_for_people,
)
from rulegame_cli.printing.solve_hidden_report import (
    SIDES,
    choice_line,
    exploitable,
    not_solved,
    seats_of,
    set_data,
)
from rulegame_cli.printing.solve_report import SolvedFrom, where
from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from rulegame.solving import TogetherSolution

SHOWN: Final = 12  # states in which somebody chooses first


# ---- for programs


def as_data(solution: TogetherSolution, place: SolvedFrom, top: int | None) -> dict[str, Any]:
    """The solution as JSON has it; fractions are texts."""
    return {
        "together": True,
        "at": [move.text for move in place.played],
        "first": solution.first + 1,
        "states": len(solution.graph),
        "moves": solution.graph.edges,
        "value": fraction_text(solution.value),
        "value_decimal": decimal(solution),
        "exact": solution.exact,
        "lower": solution.lower,
        "upper": solution.upper,
        "exploitability": solution.exploitability,
        "result": solution.result,
        "win_probability": fraction_text(solution.win_probability),
        "shortest_game": solution.shortest_game,
        "longest_game": solution.longest_game,
        "strategies": {
            name: [set_data(one) for one in list(solution.information_sets(seat, True))[:top]]
            for name, seat in zip(SIDES, seats_of(solution), strict=False)
            if not solution.is_vacuous
        },
    }


# ---- for people


def report(solution: TogetherSolution, place: SolvedFrom, top: int | None) -> Iterator[str]:
    """The solution for people to read."""
    graph, names = solution.graph, [one_line(name) for name in solution.game.players]
    yield one_line(solution.game.ruleset.title)
    if place.state is not None:
        yield one_line(where(place, place.state))
    yield size_text(graph)
    game = "game" if place.state is None else "rest of the game"
    yield from length_lines(solution, game)
    yield ""
    yield from _verdict(solution, names)
    for seat in () if solution.is_vacuous else seats_of(solution):
        yield from _strategy(solution, seat, top)


def _verdict(solution: TogetherSolution, names: list[str]) -> Iterator[str]:
    name = names[solution.first]
    if solution.is_vacuous:
        yield not_solved(solution, name)
        return
    if solution.result in SIDES:
        winner = names[seats_of(solution)[SIDES.index(solution.result)]]
        yield f"With best play {winner} wins with probability 1."
    else:
        yield f"Value for {name}: {value_for_people(solution)}"
    if solution.win_probability not in (None, 0, 1):
        chance = float(solution.win_probability or 0)
        yield f"{name} wins with probability {chance:.10g} with best play."
    if not solution.exact:
        yield exploitable(solution.exploitability)


def _strategy(solution: TogetherSolution, seat: int, top: int | None) -> Iterator[str]:
    found = list(solution.information_sets(seat, opening=True))
    if not found:
        return
    shown = found[: SHOWN if top is None else top]
    yield ""
    what = "Best strategy" if solution.exact else "Strategy"
    yield f"{what} for {one_line(solution.game.players[seat])}, first choice:"
    yield from map(choice_line, shown)
    if len(shown) < len(found):
        yield f"  … and {len(found) - len(shown)} more"
