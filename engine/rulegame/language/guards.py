"""What a condition tells about numbers, where it holds: `r in 1..8 and c in 1..8 and board[r, c]`
asks for no cell beyond the board.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulegame.language import typed
from rulegame.language.typed import Typed
from rulegame.language.types import Grid, Int

Told = tuple[Typed, int | None, int | None]  # a number, the least and the greatest that it can be


def told(condition: Typed) -> Iterator[Told]:
    """The bounds of numbers that follow from a condition."""
    match condition:
        case typed.BoolOp(operator="and", operands=operands):
            for operand in operands:
                yield from told(operand)
        case typed.Membership(element=element, collection=typed.Range(low=low, high=high)):
            yield element, _ends(low)[0], _ends(high)[1]
        case typed.Call(function="inside", arguments=(grid, row, column)):
            assert isinstance(grid.type, Grid)
            yield row, 1, grid.type.rows
            yield column, 1, grid.type.columns
        case typed.Compare(operands=operands, relations=relations):
            for left, relation, right in zip(operands, relations, operands[1:], strict=False):
                yield from _compared(left, relation, right)
        case typed.Let(name=name, value=value, body=body):
            for number, least, most in told(body):
                own = isinstance(number, typed.Local) and number.name == name
                yield (value if own else number), least, most


def _compared(left: Typed, relation: str, right: Typed) -> Iterator[Told]:
    if not isinstance(left.type, Int) or not isinstance(right.type, Int):
        return
    if relation in (">", ">="):
        left, right = right, left
        relation = {">": "<", ">=": "<="}[relation]
    (least, most), (low, high) = _ends(left), _ends(right)
    if relation == "==":
        yield left, low, high
        yield right, least, most
    elif relation in ("<", "<="):
        apart = 1 if relation == "<" else 0
        yield left, None, None if high is None else high - apart
        yield right, None if least is None else least + apart, None


def _ends(e: Typed) -> tuple[int | None, int | None]:
    return (e.type.low, e.type.high) if isinstance(e.type, Int) else (None, None)
