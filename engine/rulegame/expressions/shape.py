"""What expressions are, without where they stand: equal shapes mean the same, however written."""

from __future__ import annotations

from typing import Any

from rulegame.expressions import typed
from rulegame.expressions.syntax import Place
from rulegame.expressions.trees import Tree
from rulegame.types import Bool, Grid, Int, List, Nothing, Optional, Player, Set, Text, Word

Shape = tuple[Any, ...]

_TYPES = (Bool, Grid, Int, List, Nothing, Optional, Player, Set, Text, Word)


def shape(part: Any) -> Any:
    """The shape of a typed expression or of a syntax tree: no places, no inferred types."""
    if isinstance(part, typed.Constant):
        return ("Constant", type(part.type).__name__, part.code)
    if isinstance(part, (Tree, typed.Variable)):
        fields = part.fields() if isinstance(part, Tree) else part
        kept = (field for field in fields if not isinstance(field, (Place, *_TYPES)))
        return (type(part).__name__, *(shape(field) for field in kept))
    if isinstance(part, tuple):
        return tuple(shape(one) for one in part)
    return part


def same(left: typed.Typed | None, right: typed.Typed | None) -> bool:
    """Whether two typed expressions are made alike."""
    return bool(shape(left) == shape(right))
