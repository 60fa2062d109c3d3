"""What expressions are, without where they stand: equal shapes mean the same, however written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulegame.language import syntax, typed
from rulegame.language.syntax import Place
from rulegame.language.trees import Tree
from rulegame.language.types import (
    Bool,
    Cell,
    Grid,
    Int,
    List,
    Nothing,
    Optional,
    PlayerType,
    Set,
    Text,
    Word,
)

Shape = tuple[Any, ...]

# What saved games know the kinds of trees by, whatever the classes are called.
_KINDS: Mapping[type, str] = {
    syntax.BoolOp: "Junction",
    syntax.Compare: "Comparison",
    syntax.Element: "Indexed",
    syntax.IfElse: "Conditional",
    syntax.Let: "LetIn",
    syntax.ListLiteral: "ListOf",
    syntax.NoneLiteral: "Nothing",
    syntax.Not: "Negation",
    syntax.TextLiteral: "Text",
    typed.Arithmetic: "Calculation",
    typed.BoolOp: "Junction",
    typed.Call: "Apply",
    typed.Compare: "Relation",
    typed.IfElse: "Conditional",
    typed.ListLiteral: "Row",
    typed.Not: "Negation",
    typed.Range: "Bounds",
    typed.TextLiteral: "Phrase",
}
_TYPES = (Bool, Cell, Grid, Int, List, Nothing, Optional, PlayerType, Set, Text, Word)


def kind(part: object) -> str:
    """The name of a kind of tree: the same in every version."""
    return _KINDS.get(type(part), type(part).__name__)


def shape(part: Any) -> Any:
    """The shape of a typed expression or of a syntax tree: no places, no inferred types."""
    if isinstance(part, typed.Constant):
        where = (part.type.board,) if isinstance(part.type, Cell) else ()
        return ("Constant", type(part.type).__name__, *where, part.code)
    if isinstance(part, (Tree, typed.Variable)):
        fields = part.fields() if isinstance(part, Tree) else part
        kept = (field for field in fields if not isinstance(field, (Place, *_TYPES)))
        return (kind(part), *(shape(field) for field in kept))
    if isinstance(part, tuple):
        return tuple(shape(one) for one in part)
    return part


def same(left: typed.Typed | None, right: typed.Typed | None) -> bool:
    """Whether two typed expressions are made alike."""
    return bool(shape(left) == shape(right))
