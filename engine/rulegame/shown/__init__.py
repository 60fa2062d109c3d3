"""Values that show themselves. In: a value of the library, in a notebook or a program. Out: it as
HTML, as a table of pandas, as a plot of matplotlib.

How that is done needs all that the library knows, and stands in `showing`, which is last. It is
asked for by its name, when something is to be shown: a program that shows nothing pays nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

__all__ = ["Large", "Plotted", "Shown", "Tabled", "html_of"]


def _showing() -> Any:
    return import_module("rulegame.showing")


def html_of(value: object) -> str:
    """A value as a piece of HTML; whatever a ruleset says is text in it."""
    text: str = _showing().html_of(value)
    return text


class Shown:
    """What shows itself in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return html_of(self)


class Large(Shown):
    """What holds too much to be written out: its `repr` names the game."""

    __slots__ = ()
    graph: Any

    def __repr__(self) -> str:
        graph = self.graph
        return f"<{type(self).__name__} of {graph.game.ruleset.title}: {len(graph):,} states>"


class Tabled:
    """What is a table, or several."""

    __slots__ = ()

    def to_pandas(self, table: str = "") -> DataFrame:
        """A table of pandas. Where there are several, `table` names the one that is meant;
        ValueError says which there are. ModuleNotFoundError if pandas is not installed.
        """
        frame: DataFrame = _showing().frame_of(self, table)
        return frame


class Plotted:
    """What can be drawn as a plot."""

    __slots__ = ()

    def plot(self) -> Figure:
        """A figure of matplotlib, which shows itself in a notebook, and is written to a file by
        its method savefig. ModuleNotFoundError if matplotlib is not installed.
        """
        figure: Figure = _showing().plot_of(self)
        return figure
