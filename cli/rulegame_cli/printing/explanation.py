"""Why a game is won: the rule or the strategy, and the table of winning and losing positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from rulegame.explaining import Chart, SolutionExplanation

WIDTH: Final = 80  # of a table of one value, which may be continued in further lines
LEGEND: Final = (
    ("W", "wins"),
    ("L", "loses"),
    ("=", "neither"),
    ("?", "depends on other values"),
)


def explained(explanation: SolutionExplanation) -> Iterator[str]:
    """The explanation for people to read."""
    yield from (one_line(sentence) for sentence in explanation.sentences)
    if explanation.chart is not None:
        yield ""
        yield from _chart(explanation.chart)


def _chart(chart: Chart) -> Iterator[str]:
    rows, across = chart.rows, chart.columns
    name = one_line(across.name)
    by = name if rows is None else f"{one_line(rows.name)} (down) and {name} (across)"
    fixed = ", ".join(f"{one_line(name)} = {one_line(value)}" for name, value in chart.fixed)
    yield f"The player to move, by {by}{f', with {fixed}' if fixed else ''}:"
    labels = [one_line(label) for label in across.labels]
    wide = 1 + max(map(len, labels))
    left = 2 + max(len(label) for label in (rows.labels if rows else (name,)))
    fitting = len(labels) if rows else max(1, (WIDTH - left) // wide)
    for begin in range(0, len(labels), fitting):
        part = slice(begin, begin + fitting)
        head = "" if rows else name
        yield f"{head:>{left}}{''.join(label.rjust(wide) for label in labels[part])}"
        for label, cells in zip(rows.labels if rows else ("",), chart.cells, strict=True):
            marks = "".join(cell.rjust(wide) for cell in cells[part])
            yield f"{one_line(label):>{left}}{marks}".rstrip()
    axes = [axis for axis in (rows, across) if axis is not None and axis.more]
    more = [f"{axis.more:,} of {one_line(axis.name)}" for axis in axes]
    if more:
        yield f"  Greater values are left out: {' and '.join(more)}."
    used = set("".join(chart.cells))
    yield f"  {', '.join(f'{mark}: {what}' for mark, what in LEGEND if mark in used)}"
