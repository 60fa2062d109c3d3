"""`rulegame solve`: who wins under best play, and what every opening move is worth."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import (
    FIRST,
    JSON,
    LIMITS,
    MOST_MEMORY,
    MOST_STATES,
    RulesetOptions,
    option,
)
from rulegame_cli.calling.output import problems_apart
from rulegame_cli.calling.reaching import listed
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import (
    read_count,
    read_depth,
    read_first,
    read_memory,
    read_seconds,
)
from rulegame_cli.printing.figures import decimal, fraction_text, moves_text, value_for_people
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.reporters import problems_text
from rulegame_cli.printing.terminal import one_line, visible

if TYPE_CHECKING:
    from rulegame.game import Game, Move, State
    from rulegame.solving import LaidOpenSolution, Option, Solution
    from rulegame.solving.deepening import DepthBounds


INSTEAD: Final = (
    "What can be done: find what can be forced within 10 moves (--depth 10), solve a later "
    "position (--at MOVES), allow more (--max-states NUMBER), or let the computer think "
    "(rulegame play {ruleset} --vs search) and play at random (rulegame simulate {ruleset})."
)


class SolveOptions(RulesetOptions):
    """Solve a game of two: who wins under best play, and what each opening move is worth."""

    first: str = FIRST
    at: str = option(
        "MOVES|FILE", 'Solve from a later position: "drop 4, drop 4", or the file of a saved game.'
    )
    top: str = option("NUMBER", "Show only so many opening moves.")
    depth: str = option("NUMBER", "Do not solve it: find what can be forced within so many moves.")
    max_states: str = MOST_STATES
    max_memory: str = MOST_MEMORY
    max_time: str = option(
        "SECONDS", "Look ahead for so long, if the game is too large to be solved.", heading=LIMITS
    )
    as_json: bool = JSON


def run(options: SolveOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems or cannot be solved."""
    top = read_count("--top", options.top)
    budget = read_count("--max-states", options.max_states), read_memory(options.max_memory)
    ahead = read_depth(options.depth), read_seconds("--max-time", options.max_time)
    with problems_apart(options.as_json):
        game = open_game(options.ruleset, options)
        if game is None:
            return 1
        first = read_first(options.first, game.ruleset)
        place = _place(game, first, options)
        if place is None:
            return 1
        solution = _solve(game, place, budget, ahead, options)
        if solution is None:
            return 1
    from rulegame.solving import Solution
    from rulegame.solving.deepening import DepthBounds
    from rulegame_cli.printing import solve_bounds_report as bounds
    from rulegame_cli.printing import solve_picks_report as picks

    sys.set_int_max_str_digits(0)  # exact values may have more digits than Python writes by default
    if isinstance(solution, Solution):
        data, lines = as_data(solution, place, top), report(solution, place, top)
    elif isinstance(solution, DepthBounds):
        data, lines = bounds.as_data(solution, top), bounds.report(solution, top)
    else:
        data, lines = picks.as_data(solution, top), picks.report(solution, first, top)
    if options.as_json:
        print(json.dumps(data, indent=2))
    else:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


# ---- solving


class SolvedFrom(NamedTuple):
    """From where on the game is solved."""

    first: int  # who moved first, and whose the values are
    played: list[Move]
    state: State | None  # None: from the start


def _place(game: Game, first: int, options: SolveOptions) -> SolvedFrom | None:
    if not options.at:
        return SolvedFrom(first, [], None)
    from rulegame.game import GameError
    from rulegame.solving import has_secrets
    from rulegame_cli.table.revisiting import revisit

    if has_secrets(game.ruleset):
        raise WrongCall("--at: a game with secret picks is solved from its start")
    try:
        return SolvedFrom(*revisit(game, first, options.at))
    except GameError as error:
        sys.stdout.write(problems_text([error.diagnostic], options.style))
        return None


def _solve(
    game: Game,
    place: SolvedFrom,
    budget: tuple[int | None, int | None],
    ahead: tuple[int | None, float | None],
    options: SolveOptions,
) -> Solution | LaidOpenSolution | DepthBounds | None:
    from rulegame.exploring import TooLarge
    from rulegame.game import GameError
    from rulegame.solving import MAX_STATES, CannotSolve, has_secrets, solve, solve_laid_open

    given: dict[str, Any] = {"max_states": budget[0] or MAX_STATES, "max_memory": budget[1]}
    try:
        if ahead[0] is not None:
            return _look_ahead(game, place, budget[1], ahead)
        with working() as progress:
            if has_secrets(game.ruleset):
                return solve_laid_open(game, first=place.first, progress=progress, **given)
            return solve(game, first=place.first, at=place.state, progress=progress, **given)
    except (CannotSolve, TooLarge) as refusal:
        print(visible(f"{options.ruleset} cannot be solved: {refusal}"), file=sys.stderr)
        if isinstance(refusal, TooLarge) and not has_secrets(game.ruleset):
            if ahead[1] is not None:
                return _look_ahead(game, place, budget[1], ahead)
            print(visible(INSTEAD.format(ruleset=options.ruleset)), file=sys.stderr)
    except GameError as error:
        sys.stdout.write(problems_text([error.diagnostic], options.style))
    return None


def _look_ahead(
    game: Game, place: SolvedFrom, memory: int | None, ahead: tuple[int | None, float | None]
) -> DepthBounds:
    from rulegame.solving.deepening import MOST_DEPTH, solve_bounds

    depth, seconds = ahead
    with working() as progress:
        return solve_bounds(
            game, depth=depth or MOST_DEPTH, first=place.first, at=place.state, max_time=seconds,
            max_memory=memory, progress=progress,
        )  # fmt: skip


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
        yield one_line(_where(place, place.state))
    size = f"about {graph.bytes_per_state:.0f} bytes each"
    yield f"{graph.edges:,} moves and rolls between {len(graph):,} states, {size}"
    game = "game" if place.state is None else "rest of the game"
    yield f"Shortest {game}: {moves_text(solution.shortest_game, 'none: no game can end')}"
    yield f"Longest {game}: {moves_text(solution.longest_game, 'none: play can go on for ever')}"
    yield ""
    yield from _verdict(solution, place)
    yield from _openings(solution, place, top)


def _where(place: SolvedFrom, state: State) -> str:
    """The position, and who is to move there."""
    if state.outcome is not None:
        then = "the game is over"
    elif state.player is not None and state.player >= 0:
        then = f"{state.game.players[state.player]} is to move"
    else:
        then = f"{state.moves[0].operation} is to be rolled"
    return f"{f'After {listed(place.played)}' if place.played else 'At the start'}: {then}."


def _verdict(solution: Solution, place: SolvedFrom) -> Iterator[str]:
    players, first = solution.graph.game.players, place.first
    names = one_line(players[first]), one_line(players[1 - first])
    moves = "moves" if place.state is None else "moved"
    away = solution.distance_of(0)
    end = "" if away is None else f", in {moves_text(away, '')}"
    if place.state is not None and place.state.outcome is not None:
        winners = [players[seat] for seat in place.state.outcome.winners]
        yield f"{one_line(winners[0])} has won." if winners else "It is a draw."
    elif solution.result in ("first", "second"):
        winner, order = (names[0], "first") if solution.result == "first" else (names[1], "second")
        sure = end or ", with probability 1"
        yield f"Under best play {winner}, who {moves} {order}, wins{sure}."
    elif solution.result == "draw":
        yield f"Under best play the game is a draw{end}."
    elif solution.result == "endless":
        yield "Under best play the game never ends: neither side can force an end."
    else:
        yield f"The value for {names[0]}, who {moves} first: {value_for_people(solution)}"
        chance = solution.win_probability_of(0)
        if chance is not None:
            yield f"{names[0]} wins with probability {float(chance):.10g} under best play."


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
        cost = "" if rolled or mark == "*" else f"  costs {_cost(options[0], opening)}"
        name = one_line(opening.move.text).ljust(width)
        yield f"{mark} {name}  {_worth(opening, second)}{cost}"
    if len(shown) < len(options):
        yield f"  … and {len(options) - len(shown)} more"


def _heading(solution: Solution, place: SolvedFrom) -> str:
    owner = int(solution.graph.owner[0])
    if place.state is None:
        return "What the first roll is worth:" if owner < 0 else "Opening moves, best first:"
    players = [one_line(name) for name in solution.graph.game.players]
    if owner < 0:
        return f"What the roll is worth to {players[place.first]}:"
    both = owner != place.first and solution.result == "chance"
    whose = f"; figures are those of {players[place.first]}" if both else ""
    return f"Moves of {players[owner]}, best first{whose}:"


def _worth(option: Option, second: bool) -> str:
    """What it is worth to who makes the move; figures are those of who moves first, as always."""
    if option.result == "chance":
        return f"{decimal(option):+.10f}"
    words = {"first": "wins", "second": "loses", "draw": "draw", "endless": "endless"}
    if second:
        words |= {"first": "loses", "second": "wins"}
    away = "" if option.distance is None else f" in {option.distance}"
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
