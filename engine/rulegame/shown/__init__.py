"""Base classes of values that render themselves: as HTML in notebooks, as pandas tables, as plots.

The rendering needs all of the library and lives in `showing`, the last package. It is imported by
name on first use, so that programs that render nothing pay nothing.
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
    """A value as HTML; texts from rulesets are escaped."""
    text: str = _showing().html_of(value)
    return text


class Shown:
    """A value that renders itself in notebooks."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return html_of(self)


class Large(Shown):
    """A value too large for a full `repr`, which names the game instead."""

    __slots__ = ()
    graph: Any

    def __repr__(self) -> str:
        graph = self.graph
        return f"<{type(self).__name__} of {graph.game.ruleset.title}: {len(graph):,} states>"


class Tabled:
    """A value with one or more tables."""

    __slots__ = ()

    def to_pandas(self, table: str = "") -> DataFrame:
        """A table as a pandas DataFrame. If there are several, `table` chooses one; ValueError
        lists them. ModuleNotFoundError without pandas.
        """
        frame: DataFrame = _showing().frame_of(self, table)
        return frame


class Plotted:
    """A value with a plot."""

    __slots__ = ()

    def plot(self) -> Figure:
        """A matplotlib figure that renders itself in notebooks. ModuleNotFoundError without
        matplotlib.
        """
        figure: Figure = _showing().plot_of(self)
        return figure
