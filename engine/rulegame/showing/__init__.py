"""What values of the library show of themselves. In: a game, a position, a solution, a report, a
rulebook or a comparison. Out: it as HTML, as a table of pandas, as a plot of matplotlib.

What is hidden: a `State` is the whole of it, as its `repr` is, and shows all that it holds; a
`View` shows what its seat may see, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulegame.showing.faces import face_of
from rulegame.showing.markup import page_part

if TYPE_CHECKING:
    from rulegame.showing.plots import Plot


def html_of(value: object) -> str:
    """A value as a piece of HTML, for notebooks."""
    return page_part(face_of(value))


def frame_of(value: object, table: str = "") -> Any:
    """A table of a value, as pandas has it."""
    from rulegame.showing.frames import frame

    return frame(face_of(value), table)


def plot_of(value: object) -> Plot:
    """A value as a figure of matplotlib."""
    from rulegame.showing.plots import plot

    return plot(value)
