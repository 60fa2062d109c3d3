"""Games for other programs, as text. In: a game, and the name of a format. Out: its state graph as
DOT, GraphML or CSV, or its tree for Gambit, as an extensive or a strategic form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rulegame.exploring import explore
from rulegame.exporting.efg import efg
from rulegame.exporting.graphs import csv_table, dot, graphml
from rulegame.exporting.nfg import nfg
from rulegame.exporting.tree import CannotExport, make_tree
from rulegame.game import Game
from rulegame.progress import Progress, silent

__all__ = ["FORMATS", "CannotExport", "export"]

GRAPHS: Final[dict[str, Callable[..., Iterator[str]]]] = {
    "dot": dot,
    "graphml": graphml,
    "csv": csv_table,
}
TREES: Final[dict[str, Callable[..., Iterator[str]]]] = {"efg": efg, "nfg": nfg}
FORMATS: Final = (*GRAPHS, *TREES)


def export(
    game: Game,
    to: str,
    *,
    first: int = 0,
    max_states: int = 1_000_000,
    progress: Progress = silent,
) -> Iterator[str]:
    """The lines of a game in a format; TooLarge if it has more than `max_states` states, or more
    histories, and `CannotExport` if it cannot be written so.
    """
    if to not in FORMATS:
        raise ValueError(f"to: expected one of {', '.join(FORMATS)}, not '{to}'")
    graph = explore(game, first=first, max_states=max_states, progress=progress)
    if to in GRAPHS:
        return GRAPHS[to](graph)
    return TREES[to](make_tree(graph, max_states, progress))
