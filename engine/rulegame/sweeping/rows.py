"""A setting as a row of a table: what is varied, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rulegame.simulation import Report
from rulegame.sweeping import Setting

if TYPE_CHECKING:
    from rulegame.solving import Solved

_COLUMNS: Final = frozenset(
    (
        *("states", "value", "value_decimal", "exact", "lower", "upper", "result"),
        *("win_probability", "distance", "shortest_game", "longest_game"),
        *("games", "seed", "first_wins", "first_losses", "draws", "unfinished", "advantage"),
        *("advantage_lower", "advantage_upper", "mean_length", "median_length"),
        *("fair", "problem"),
    )
)


def row_of(setting: Setting) -> dict[str, Any]:
    """All columns of a setting. A parameter may be called like one of the others."""
    row = {
        (name if name not in _COLUMNS else f"parameter {name}"): value
        for name, value in setting.values
    }
    if setting.solved is not None:
        row |= solved_cells(setting.solved)
    if setting.report is not None:
        row |= report_cells(setting.report)
    return row


def solved_cells(solved: Solved) -> dict[str, Any]:
    """What was solved; the value is an exact fraction, or None."""
    value, chance = solved.value, solved.win_probability
    near = (solved.lower + solved.upper) / 2 if value is None else float(value)
    return {
        "states": solved.states,
        "value": value,
        "value_decimal": near,
        "exact": value is not None,
        "lower": solved.lower,
        "upper": solved.upper,
        "result": solved.result,
        "win_probability": None if chance is None else float(chance),
        "distance": solved.distance,
        "shortest_game": solved.shortest_game,
        "longest_game": solved.longest_game,
    }


def report_cells(report: Report) -> dict[str, Any]:
    """What was simulated."""
    advantage = report.advantage
    first = report.seats[0] if advantage is None else advantage
    return {
        "games": report.games,
        "seed": report.seed,
        "first_wins": first.wins.times,
        "first_losses": first.losses.times,
        "draws": report.draws.times,
        "unfinished": report.unfinished.times,
        "advantage": None if advantage is None else advantage.value,
        "advantage_lower": None if advantage is None else advantage.interval.lower,
        "advantage_upper": None if advantage is None else advantage.interval.upper,
        "mean_length": report.lengths.mean,
        "median_length": report.lengths.percentile(50),
    }
