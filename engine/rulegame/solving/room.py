"""How large a game may be that is solved: in states, and in memory."""

from __future__ import annotations

from typing import Final

from rulegame.errors import TooMuchMemory
from rulegame.exploring import StateGraph
from rulegame.game import CHANCE
from rulegame.native.graph_kernels import has_kernels

EXACT_STATES: Final = 100_000  # in cycles, for exact values where chance decides,
MOST_PLAIN: Final = 2_000_000  # and in all
BYTES_PER_STATE: Final = 24  # that are in memory, even if arrays go to files,
BYTES_PER_FRACTION: Final = 120  # and for exact values
# Without files, beside the graph, at the height of solving: see benchmarks/solve_speed.py
BYTES_WITHOUT_CHANCE: Final = 30  # of each state, and a backward edge of four for each edge
BYTES_PER_EDGE: Final = 50  # with chance, or without machine code
BYTES_PER_STAGE: Final = 300  # values and mixes in fractions


def check_room(graph: StateGraph, room: int) -> None:
    """TooLarge if solving a game whose states are known takes more than so many bytes of memory:
    arrays may go to files, if machine code goes through them, but some are made on the way.
    """
    by_machine = has_kernels(graph.edges)
    chance = bool((graph.owner == CHANCE).any()) or not graph.game.kernel.is_plain
    if graph.room.most is not None and by_machine:
        exact = chance and len(graph) <= MOST_PLAIN
        needed = (BYTES_PER_STATE + BYTES_PER_FRACTION * exact) * len(graph)
    elif chance or not by_machine:
        needed = graph.nbytes + BYTES_PER_EDGE * graph.edges
    else:
        needed = graph.nbytes + 4 * graph.edges + BYTES_WITHOUT_CHANCE * len(graph)
    _check(graph, needed, room)


def check_stages_room(graph: StateGraph, room: int) -> None:
    """TooLarge if the mixes of all stages take more than so many bytes of memory."""
    _check(graph, graph.nbytes + BYTES_PER_STAGE * len(graph), room)


def _check(graph: StateGraph, needed: int, room: int) -> None:
    if needed > room:
        then = f", but solving needs about {needed:,} bytes"
        raise TooMuchMemory(len(graph), len(graph), room, then)
