"""The report of `rulegame solve` on a game with secret picks, solved with the picks laid open."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from rulegame.wording import counted
from rulegame_cli.printing.figures import (
    decimal,
    fraction_text,
    length_lines,
    moves_text,
    size_text,
    value_for_people,
)
from rulegame_cli.printing.tables import columns
from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from rulegame.solving.laid_open import LaidOpenSolution, PickOption

LONGEST_SHARE: Final = 15  # characters of a fraction in a table
SIDES: Final = ("first", "second")


# ---- for programs


def as_data(solution: LaidOpenSolution, top: int | None) -> dict[str, Any]:
    """The solution as JSON has it; fractions are texts."""
    chance = solution.win_probability
    return {
        "laid_open": True,
        "states": len(solution.graph),
        "moves": solution.graph.edges,
        "value": fraction_text(solution.value),
        "value_decimal": decimal(solution),
        "exact": solution.exact,
        "lower": solution.lower,
        "upper": solution.upper,
        "result": solution.result,
        "win_probability": fraction_text(chance) if isinstance(chance, Fraction) else chance,
        "best_moves": [pick.text for pick in solution.best_picks[0]],
        "distance": solution.distance,
        "shortest_game": solution.shortest_game,
        "longest_game": solution.longest_game,
        "pairs": solution.positions.size,
        "strategies": {
            name: [
                {
                    "move": pick.text,
                    "probability": str(share),
                    "probability_decimal": float(share),
                }
                for pick, share in solution.strategy(side)
            ]
            for side, name in enumerate(SIDES)
        },
        "options": [_option_data(option) for option in ranked(solution, 0)[:top]],
        "replies": [_option_data(option) for option in ranked(solution, 1)[:top]],
    }


def _option_data(option: PickOption) -> dict[str, Any]:
    return {
        "move": option.pick.text,
        "probability": str(option.probability),
        "value": fraction_text(option.value),
        "value_decimal": decimal(option),
        "lower": option.lower,
        "upper": option.upper,
    }


def ranked(solution: LaidOpenSolution, side: int) -> list[PickOption]:
    """The picks of a side: the likeliest of its mix first, then those that are worth most to it."""
    sign = -1 if side == 0 else 1
    return sorted(
        solution.options(side),
        key=lambda o: (-o.probability, sign * decimal(o)),
    )


# ---- for people


def report(solution: LaidOpenSolution, first: int, top: int | None) -> Iterator[str]:
    """The solution for people to read."""
    graph = solution.graph
    players = graph.game.players
    names = one_line(players[first]), one_line(players[1 - first])
    yield f"{one_line(graph.game.ruleset.title)} with revealed picks"
    yield size_text(graph)
    yield from length_lines(solution)
    yield ""
    counts, pairs = [len(picks) for picks in solution.picks], solution.positions.size
    yield (
        f"{counted(pairs, 'pair')} of picks: "
        f"{counts[0]:,} of {names[0]}, who moves first, times {counts[1]:,} of {names[1]}."
    )
    yield "This solves a version in which both players pick at once and then reveal their picks."
    yield "To solve the game with hidden picks, use --hidden."
    yield ""
    yield from _verdict(solution, names)
    for side in (0, 1):
        yield ""
        yield from _table(solution, side, names, top)


def _verdict(solution: LaidOpenSolution, names: tuple[str, str]) -> Iterator[str]:
    away = solution.distance
    end = "" if away is None else f" in {moves_text(away, '')}"
    if solution.result in SIDES:
        side = SIDES.index(solution.result)
        yield (
            f"With best play {names[side]}, who moves {SIDES[side]}, wins"
            f"{end or ' with probability 1'}, whatever the other side picks."
        )
        return
    if solution.result == "draw":
        yield f"With best play the game is a draw{end}."
        return
    if solution.result == "endless":
        yield "With best play the game never ends: neither side can force an end."
        return
    if solution.result == "mixed":
        yield "No single pick decides the game: best play mixes picks at random."
    yield f"Value for {names[0]}, who moves first: {value_for_people(solution)}"
    chance = solution.win_probability
    if chance is not None:
        yield f"{names[0]} wins with probability {float(chance):.10g} with best play."


def _table(
    solution: LaidOpenSolution, side: int, names: tuple[str, str], top: int | None
) -> Iterator[str]:
    """The picks of a side, each with its share in the mix and its worth."""
    options = ranked(solution, side)
    shown = options[:top]
    best = {pick.text for pick in solution.best_picks[side]}
    yield (
        f"Picks of {names[side]}: how often in a best mix, "
        f"and the value against the best mix of {names[1 - side]}:"
    )
    rows = [
        (
            f"{'*' if option.pick.text in best else ' '} {one_line(option.pick.text)}",
            _share(option.probability),
            f"{decimal(option):+.10f}",
        )
        for option in shown
    ]
    yield from columns(rows)
    if len(shown) < len(options):
        yield f"  … and {len(options) - len(shown):,} more"


def _share(share: Fraction) -> str:
    text = str(share)
    if share.denominator == 1:
        return text
    decimal = f"{float(share):.6f}"
    return f"{text} = {decimal}" if len(text) <= LONGEST_SHARE else decimal
