"""The section `symmetry`: what turns or mirrors the board and changes nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulegame.building.context import Workbench
from rulegame.diagnostics import did_you_mean
from rulegame.language.types import Grid
from rulegame.model import StateValue, Symmetry
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, Sequence

WORDS: Final = ("mirror columns", "mirror rows", "transpose", "half turn", "rotate")
OF_SQUARES: Final = ("transpose", "rotate")
OF_HEXAGONS: Final = ("transpose", "half turn")  # what keeps neighbours on a rhombus together


def symmetry(bench: Workbench, state: Mapping[str, StateValue]) -> tuple[Symmetry, ...]:
    """Each that is declared, with the grids that it moves."""
    node = bench.root.get("symmetry")
    if node is None:
        return ()
    grids = {n: v.variable.type for n, v in state.items() if isinstance(v.variable.type, Grid)}
    if not grids and not bench.vocabulary.broken:
        bench.report("E413", "there is no grid to rotate or mirror", node)
    if not grids:
        return ()
    found: list[Symmetry] = []
    for name, word in _words(node):
        if name is not None and name.text not in grids:
            hint = did_you_mean(name.text, list(grids))
            bench.report("E413", f"unknown grid '{name.text}'", name, hint)
        elif word.text not in WORDS:
            meant = did_you_mean(word.text, WORDS) or f"use one of {', '.join(WORDS)}"
            bench.report("E413", f"unknown symmetry '{word.text}'", word, meant)
        else:
            moved = grids if name is None else {name.text: grids[name.text]}
            if _check_squares(bench, word, moved):
                found.append(Symmetry(word.text, tuple(moved), word.span))
    return tuple(found)


def _words(node: Node) -> Iterator[tuple[Scalar | None, Scalar]]:
    """Each word, with the grid that it is said of."""
    if isinstance(node, MappingNode):
        for key, value in node:
            yield from ((key, word) for _, word in _words(value))
    elif isinstance(node, Sequence):
        yield from ((None, item) for item in node.items if isinstance(item, Scalar))
    else:
        yield None, node


def _check_squares(bench: Workbench, word: Scalar, grids: Mapping[str, Grid]) -> bool:
    """Whether all of them can be turned so."""
    for name, grid in grids.items():
        if grid.hexagons and word.text not in OF_HEXAGONS:
            message = f"'{word.text}' would separate touching hexagons of '{name}'"
            bench.report("E413", message, word, f"use {' or '.join(OF_HEXAGONS)}")
            return False
        if word.text in OF_SQUARES and grid.rows != grid.columns:
            size = f"{grid.rows} rows and {grid.columns} columns"
            message = f"'{word.text}' needs as many rows as columns: '{name}' has {size}"
            bench.report("E413", message, word)
            return False
    return True
