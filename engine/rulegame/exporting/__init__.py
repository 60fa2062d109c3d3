"""Games for other programs. In: a game, and the name of a format. Out: its state graph as DOT,
GraphML, a table or a model of PRISM, or its tree for Gambit, as an extensive or a strategic form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rulegame.exploring import explore
from rulegame.exporting.columns import parquet
from rulegame.exporting.efg import efg
from rulegame.exporting.graphs import csv_table, dot, graphml
from rulegame.exporting.nfg import nfg
from rulegame.exporting.prism import FREE, PLAYED_BY, prism
from rulegame.exporting.tree import CannotExport, make_tree
from rulegame.game import Game
from rulegame.progress import Progress, silent

__all__ = ["FORMATS", "FREE", "PLAYED_BY", "CannotExport", "export", "export_bytes"]

GRAPHS: Final[dict[str, Callable[..., Iterator[str]]]] = {
    "dot": dot,
    "graphml": graphml,
    "csv": csv_table,
}
TREES: Final[dict[str, Callable[..., Iterator[str]]]] = {"efg": efg, "nfg": nfg}
PRISM: Final = "prism"
PARQUET: Final = "parquet"  # the one that is no text
FORMATS: Final = (*TREES, PRISM, *GRAPHS, PARQUET)


def export(
    game: Game,
    to: str,
    *,
    first: int = 0,
    players: Sequence[str] | None = None,
    max_states: int = 1_000_000,
    progress: Progress = silent,
) -> Iterator[str]:
    """The lines of a game in a format; TooLarge if it has more than `max_states` states, or more
    histories, and `CannotExport` if it cannot be written so. `players` is for prism: who plays each
    seat, "random", "perfect", or "free" (as all are if it is left out).
    """
    if to == PARQUET:
        raise ValueError("Parquet is a binary format: use export_bytes")
    if to not in FORMATS:
        raise ValueError(f"to: expected one of {', '.join(FORMATS)}, not '{to}'")
    if players is not None and to != PRISM:
        raise ValueError(f"players works only with {PRISM}, not with {to}")
    graph = explore(game, first=first, max_states=max_states, progress=progress)
    if to == PRISM:
        return prism(graph, first, players or (FREE,) * len(game.players))
    if to in GRAPHS:
        return GRAPHS[to](graph)
    return TREES[to](make_tree(graph, max_states, progress))


def export_bytes(
    game: Game,
    to: str,
    *,
    first: int = 0,
    players: Sequence[str] | None = None,
    max_states: int = 1_000_000,
    progress: Progress = silent,
) -> bytes:
    """The same as the bytes of a file, of formats that are no text, too."""
    if to == PARQUET and players is None:
        return parquet(explore(game, first=first, max_states=max_states, progress=progress))
    found = export(game, to, first=first, players=players, max_states=max_states, progress=progress)
    return "".join(f"{line}\n" for line in found).encode()
