"""The report of `rulegame solve` on a game of one or two players with open information."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rulegame_cli.printing.figures import (
    decimal,
    fraction_text,
    length_lines,
    moves_text,
    size_text,
    value_for_people,
)
from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from rulegame.game import Move, State
    from rulegame.solving import Option, Solution


FIGURES: Final = ("chance", "payoff")  # results that are told by numbers


class SolvedFrom(NamedTuple):
    """From where on the game is solved."""

    first: int  # who moved first, and whose the values are
    played: list[Move]
    state: State | None  # None: from the start


# ---- for programs


def as_data(solution: Solution, place: SolvedFrom, top: int | None) -> dict[str, Any]:
    """The solution as JSON has it; fractions are texts."""
    mover = int(solution.graph.owner[0])
    chance = solution.win_probability_of(0)
    chance_bounds = solution.win_bounds_of(0) or (None, None)
    return {
        "at": [move.text for move in place.played],
        "first": place.first + 1,
        "to_move": mover + 1 if mover >= 0 else None,
        "states": len(solution.graph),
        "moves": solution.graph.edges,
        "bytes_per_state": round(solution.graph.bytes_per_state, 1),
        "value": fraction_text(solution.value),
        "value_decimal": decimal(solution),
        "exact": solution.exact,
        "lower": solution.lower,
        "upper": solution.upper,
        "result": solution.result,
        "win_probability": fraction_text(chance) if isinstance(chance, Fraction) else chance,
        "win_probability_lower": chance_bounds[0],
        "win_probability_upper": chance_bounds[1],
        "best_moves": [move.text for move in solution.best_moves(0)],
        "distance": solution.distance_of(0),
        "shortest_game": solution.shortest_game,
        "longest_game": solution.longest_game,
        "options": [_option_data(option) for option in ranked(solution)[:top]],
    }


def _option_data(option: Option) -> dict[str, Any]:
    return {
        "move": option.move.text,
        "value": fraction_text(option.value),
        "value_decimal": decimal(option),
        "lower": option.lower,
        "upper": option.upper,
        "result": option.result,
        "distance": option.distance,
    }


# ---- for people


def report(solution: Solution, place: SolvedFrom, top: int | None) -> Iterator[str]:
    """The solution for people to read."""
    graph = solution.graph
    yield one_line(graph.game.ruleset.title)
    if place.state is not None:
        yield one_line(where(place, place.state))
    yield size_text(graph)
    game = "game" if place.state is None else "rest of the game"
    yield from length_lines(solution, game)
    yield ""
    yield from _verdict(solution, place)
    yield from _openings(solution, place, top)


def where(place: SolvedFrom, state: State) -> str:
    """The position, and who is to move there."""
    if state.outcome is not None:
        then = "the game is over"
    elif len(state.choosing) > 1:
        names = [state.game.players[seat] for seat in state.choosing]
        then = f"{' and '.join(names)} to choose"
    elif state.player is not None and state.player >= 0:
        then = f"{state.game.players[state.player]} to move"
    else:
        then = f"{state.moves[0].operation} to roll"
    played = ", ".join(move.text for move in place.played)
    return f"{f'After {played}' if played else 'At the start'}: {then}."


def _verdict(solution: Solution, place: SolvedFrom) -> Iterator[str]:
    names = [one_line(name) for name in solution.graph.game.players]
    if place.state is not None and place.state.outcome is not None:
        yield _ended(names, place.state)
    elif len(names) == 1:
        yield from _alone(solution, names[0])
    else:
        yield from _against(solution, place, (names[place.first], names[1 - place.first]))


def _ended(names: list[str], state: State) -> str:
    """How a game is over."""
    outcome = state.outcome
    assert outcome is not None
    if not state.game.kernel.is_plain:
        paid = [f"{name} {pay}" for name, pay in zip(names, outcome.payoffs, strict=True)]
        return f"Payoffs: {', '.join(paid)}."
    if outcome.winners:
        return f"{names[outcome.winners[0]]} has won."
    return "It is a draw." if outcome.draw else f"{names[outcome.losers[0]]} has lost."


def _alone(solution: Solution, name: str) -> Iterator[str]:
    """What one player can reach against chance, or against nobody."""
    away = solution.distance_of(0)
    end = " with probability 1" if away is None else f" in {moves_text(away, '')}"
    by_chance = solution.arena.has_chance
    if solution.result == "first":
        yield f"With best play {name} wins{end}."
    elif solution.result == "lost":
        yield f"{name} always loses{end}."
    elif solution.result == "draw":
        yield f"{name} cannot win. Best play leads to a draw{end}."
    elif solution.result == "endless":
        yield f"{name} cannot win, and best play never ends."
    elif solution.result == "payoff":
        what = "Best expected payoff" if by_chance else "Best payoff"
        yield f"{what} for {name}: {value_for_people(solution)}"
    else:
        yield f"Value for {name} with best play: {value_for_people(solution)}"
        yield from _chance_to_win(solution, name)


def _against(solution: Solution, place: SolvedFrom, names: tuple[str, str]) -> Iterator[str]:
    """What the two come to; who moves first has the first name."""
    moves = "moves" if place.state is None else "moved"
    away = solution.distance_of(0)
    end = "" if away is None else f" in {moves_text(away, '')}"
    if solution.result in ("first", "second"):
        winner, order = (names[0], "first") if solution.result == "first" else (names[1], "second")
        sure = end or " with probability 1"
        yield f"With best play {winner}, who {moves} {order}, wins{sure}."
    elif solution.result == "draw":
        yield f"With best play the game is a draw{end}."
    elif solution.result == "endless":
        yield "With best play the game never ends: neither side can force an end."
    else:
        yield f"Value for {names[0]}, who {moves} first: {value_for_people(solution)}"
        yield from _chance_to_win(solution, names[0])


def _chance_to_win(solution: Solution, name: str) -> Iterator[str]:
    chance = solution.win_probability_of(0)
    if chance is not None:
        yield f"{name} wins with probability {float(chance):.10g} with best play."


def _openings(solution: Solution, place: SolvedFrom, top: int | None) -> Iterator[str]:
    options = ranked(solution)
    if not options:
        return
    shown = options[:top]
    yield ""
    rolled = solution.graph.owner[0] < 0
    yield _heading(solution, place)
    second = solution.arena.role[0] == 1  # who moves first had to pass, or has moved already
    best = {move.text for move in solution.best_moves(0)}
    width = max(len(option.move.text) for option in shown)
    for opening in shown:
        mark = "*" if opening.move.text in best else " "
        figures = opening.result in FIGURES and not rolled and mark != "*"
        cost = f"  ({_cost(options[0], opening)} worse)" if figures else ""
        name = one_line(opening.move.text).ljust(width)
        yield f"{mark} {name}  {_worth(opening, second)}{cost}"
    if len(shown) < len(options):
        yield f"  … and {len(options) - len(shown)} more"


def _heading(solution: Solution, place: SolvedFrom) -> str:
    owner = int(solution.graph.owner[0])
    if place.state is None:
        return "Value of each first roll:" if owner < 0 else "Opening moves, best first:"
    players = [one_line(name) for name in solution.graph.game.players]
    if owner < 0:
        return f"Value of each roll for {players[place.first]}:"
    both = owner != place.first and solution.result in FIGURES
    whose = f"; values for {players[place.first]}" if both else ""
    return f"Moves for {players[owner]}, best first{whose}:"


def _worth(option: Option, second: bool) -> str:
    """What it is worth to who makes the move; figures are those of who moves first, as always."""
    if option.result in FIGURES:
        return f"{decimal(option):+.10f}"
    words = {"first": "wins", "second": "loses", "draw": "draw", "endless": "endless"}
    words["lost"] = "loses"
    if second:
        words |= {"first": "loses", "second": "wins"}
    away = "" if option.distance is None else f" in {moves_text(option.distance, '')}"
    return words[option.result] + away


def _cost(best: Option, option: Option) -> str:
    if best.value is not None and option.value is not None:
        return f"{float(abs(best.value - option.value)):.10g}"
    middle = [decimal(o) for o in (best, option)]
    return f"about {abs(middle[0] - middle[1]):.10g}"


def ranked(solution: Solution) -> list[Option]:
    """The moves at the start, best first; rolls in their own order."""
    options = solution.options(0)
    owner = int(solution.graph.owner[0])
    if owner < 0:
        return options
    best = [move.text for move in solution.best_moves(0)]
    sign = -1 if solution.arena.role[0] == 0 else 1

    def rank(option: Option) -> tuple[int, float]:
        text = option.move.text
        if text in best:
            return best.index(text), 0.0
        return len(best), sign * decimal(option)

    return sorted(options, key=rank)
