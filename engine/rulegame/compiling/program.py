"""A compiled ruleset: the functions that play it, and what they need."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulegame.compiling.layout import Point, Shape
from rulegame.evaluation.emitting import Sites
from rulegame.evaluation.runtime import Cells, Meter
from rulegame.model import Ruleset


@dataclass(slots=True)
class Program:
    """A compiled ruleset."""

    ruleset: Ruleset
    shape: Shape
    points: tuple[Point, ...]
    rules: tuple[str, ...]
    sites: Sites
    meter: Meter
    start: tuple[Cells, ...]  # by who is first
    moves: dict[int, Callable[[Cells], tuple[Any, ...]]] = field(default_factory=dict)
    play: list[Callable[[Cells, tuple[int, ...]], Cells]] = field(default_factory=list)
    events: dict[int, Callable[[Cells], tuple[Sequence[int], Sequence[int] | None]]] = field(
        default_factory=dict
    )
    stuck: Callable[[Cells], Cells] = lambda cells: cells
    after: dict[str, Callable[..., list[int]]] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)  # all, as they were written
    names: dict[str, Any] = field(default_factory=dict)  # what they may use
