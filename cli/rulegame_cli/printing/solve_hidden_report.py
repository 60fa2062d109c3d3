"""The report of `rulegame solve` on a game in which not everybody sees everything."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from rulegame.wording import counted
from rulegame_cli.printing.figures import (
    decimal,
    fraction_text,
    length_lines,
    value_for_people,
)
from rulegame_cli.printing.solve_report import SolvedFrom, where
from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from rulegame.solving import ChoicePoint, HiddenSolution, MixedMove, TogetherSolution

LONGEST_SHARE: Final = 15  # characters of a fraction
SHOWN: Final = 12  # information sets of each player
SIDES: Final = ("first", "second")


# ---- for programs


def as_data(solution: HiddenSolution, place: SolvedFrom, top: int | None) -> dict[str, Any]:
    """The solution as JSON has it; fractions are texts."""
    chance = solution.win_probability
    seats = seats_of(solution)
    return {
        "hidden": True,
        "at": [move.text for move in place.played],
        "first": solution.first + 1,
        "states": len(solution.graph),
        "moves": solution.graph.edges,
        "histories": solution.histories.histories,
        "depth": solution.depth,
        "information_sets": [len(side.parents) for side in solution.histories.sides[: len(seats)]],
        "value": fraction_text(solution.value),
        "value_decimal": decimal(solution),
        "exact": solution.exact,
        "lower": solution.lower,
        "upper": solution.upper,
        "exploitability": solution.exploitability,
        "result": solution.result,
        "win_probability": fraction_text(chance),
        "shortest_game": solution.shortest_game,
        "longest_game": solution.longest_game,
        "strategies": {
            name: [set_data(one) for one in list(solution.information_sets(seat, True))[:top]]
            for name, seat in zip(SIDES, seats, strict=False)
            if not solution.is_vacuous
        },
    }


def set_data(one: ChoicePoint) -> dict[str, Any]:
    """What a player does in one situation, by what it knows."""
    return {
        "player": one.seat + 1,
        "knows": one.knows,
        "used": one.used,
        "moves": [_move_data(move) for move in one.moves],
    }


def _move_data(move: MixedMove) -> dict[str, Any]:
    share = move.probability
    return {
        "move": move.move.text,
        "probability": str(share) if isinstance(share, Fraction) else None,
        "probability_decimal": float(share),
        "value": move.value,
    }


# ---- for people


def report(solution: HiddenSolution, place: SolvedFrom, top: int | None) -> Iterator[str]:
    """The solution for people to read."""
    graph, names = solution.graph, [one_line(name) for name in solution.game.players]
    yield one_line(solution.game.ruleset.title)
    if place.state is not None:
        yield one_line(where(place, place.state))
    sets = [counted(len(side.parents), "information set") for side in solution.histories.sides]
    seats = seats_of(solution)
    whose = " and ".join(f"{sets[k]} of {names[seat]}" for k, seat in enumerate(seats))
    yield f"{len(graph):,} positions, {solution.histories.histories:,} histories; {whose}"
    yield from length_lines(solution)
    if solution.depth is not None:
        yield f"Followed for {counted(solution.depth, 'move')} (rolls counted)"
    yield ""
    yield from _verdict(solution, names)
    for seat in () if solution.is_vacuous else seats:
        yield from _strategy(solution, seat, top)


def seats_of(solution: HiddenSolution | TogetherSolution) -> tuple[int, ...]:
    """Who is first, and the other one, if there is one."""
    first = solution.first
    return (first,) if len(solution.game.players) == 1 else (first, 1 - first)


def _verdict(solution: HiddenSolution, names: list[str]) -> Iterator[str]:
    name = names[solution.first]
    if solution.is_vacuous:
        yield not_solved(solution, name)
        return
    if solution.result in SIDES:
        order = SIDES.index(solution.result)
        winner = names[seats_of(solution)[order]]
        yield f"With best play {winner}, who moves {solution.result}, wins with probability 1."
    else:
        who = name if len(names) == 1 else f"{name}, who moves first"
        yield f"Value for {who}: {value_for_people(solution)}"
    if solution.win_probability not in (None, 0, 1):
        chance = float(solution.win_probability or 0)
        yield f"{name} wins with probability {chance:.10g} with best play."
    if not solution.exact:
        yield exploitable(solution.exploitability)


def _strategy(solution: HiddenSolution, seat: int, top: int | None) -> Iterator[str]:
    found = list(solution.information_sets(seat, opening=True))
    if not found:
        return
    shown = found[: SHOWN if top is None else top]
    yield ""
    what = "Best strategy" if solution.exact else "Strategy"
    yield f"{what} for {one_line(solution.game.players[seat])}, first choice:"
    for one in shown:
        yield choice_line(one)
    if len(shown) < len(found):
        yield f"  … and {len(found) - len(shown)} more"


def choice_line(one: ChoicePoint) -> str:
    """What a player knows, and the moves of its strategy."""
    used = [move for move in one.moves if move.probability]
    moves = [f"{move.move.text} {_share(move.probability)}" for move in used]
    return f"  {one_line(one.knows)}: {one_line(', '.join(moves))}"


def not_solved(solution: HiddenSolution | TogetherSolution, name: str) -> str:
    """The sentence for bounds that say no more than the payoffs do."""
    between = f"between {solution.lower:g} and {solution.upper:g}"
    return f"Not solved: the value for {name} is {between}, like every payoff."


def exploitable(most: float) -> str:
    """How far strategies may be from the best, as a sentence."""
    return f"Each strategy is exploitable by at most {_rounded_up(most)}."


def _rounded_up(number: float) -> str:
    """With three digits, and no less than it is."""
    text = f"{number:.2e}"
    if float(text) < number:
        text = f"{number * 1.005:.2e}"
    return f"{float(text):.3g}"


def _share(share: Fraction | float) -> str:
    text = str(share) if isinstance(share, Fraction) else ""
    if text and len(text) <= LONGEST_SHARE and isinstance(share, Fraction):
        return text if share.denominator == 1 else f"{text} = {float(share):.6f}"
    return f"{float(share):.6f}"
