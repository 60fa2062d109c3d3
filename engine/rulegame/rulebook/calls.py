"""Calls of built-in functions as noun phrases."""

from __future__ import annotations

from typing import Final

from rulegame.language import typed
from rulegame.language.typed import Typed
from rulegame.language.types import Int
from rulegame.rulebook.markup import and_list
from rulegame.rulebook.phrases import NoWords, Phrases

EXTREMES: Final = {"min": ("smaller", "least"), "max": ("greater", "greatest")}


def call(w: Phrases, part: typed.Call) -> str:
    """The value of a call: `the greater of a and b`."""
    match part:
        case typed.Call(function="next" | "previous" | "seat" as function, arguments=(player,)):
            return _player(w, function, player)
        case typed.Call(function="size", arguments=(typed.Value() as collection,)):
            return f"the number of elements of {w.value(collection)}"
        case typed.Call(function="abs", arguments=(inside,)):
            return _distance(w, inside)
        case typed.Call(function="mod", arguments=(left, right)):
            rest = f"the remainder of {w.operand(left)} divided by {w.operand(right)}"
            return rest if _is_natural(w.folded(left)) else f"{rest} (never below 0)"
        case typed.Call(function="min" | "max" as function, arguments=arguments):
            return _extreme(w, function, arguments)
        case typed.Call(function="sum", arguments=(typed.Value() | typed.Local() as value,)):
            return f"the sum of {w.value(value)}"
        case typed.Call(function="row" | "column" as line, arguments=(cell,)):
            return f"the {line} of {w.operand(cell)}"
        case typed.Call(function="cell", arguments=(typed.BoardName(name=board), row, column)):
            return f"the cell in {w.cell((row, column))} of {w.board(board)}"
    raise NoWords


def _player(w: Phrases, function: str, player: Typed) -> str:
    words = w.operand(player)
    if function == "seat":
        return f"the seat number of {words}"
    if w.names.two and isinstance(player, typed.Seat):
        if player.which == "first":
            return "the player who moved second"
        return "your opponent" if words == "you" else f"the opponent of {words}"
    return f"the player {'after' if function == 'next' else 'before'} {words}"


def _is_natural(part: Typed) -> bool:
    """Whether a number cannot be below 0."""
    return isinstance(part.type, Int) and part.type.low >= 0


def _distance(w: Phrases, inside: Typed) -> str:
    part = w.folded(inside)
    if isinstance(part, typed.Arithmetic) and part.operator == "-" and len(part.operands) == 2:
        return f"the difference between {and_list([w.operand(one) for one in part.operands])}"
    raise NoWords


def _extreme(w: Phrases, function: str, arguments: tuple[Typed, ...]) -> str:
    of_two, of_many = EXTREMES[function]
    if len(arguments) > 1:
        which = of_two if len(arguments) == 2 else of_many
        return f"the {which} of {and_list([w.operand(one) for one in arguments])}"
    value = w.folded(arguments[0])
    if isinstance(value, typed.Value) and value.variable.each_player and value.owner is None:
        if not w.is_now(value):
            raise NoWords
        return f"the {of_many} {w.names.noun(value.variable).text} of all players"
    if not isinstance(value, (typed.Value, typed.Local)):
        raise NoWords
    return f"the {of_many} of {w.value(value)}"
