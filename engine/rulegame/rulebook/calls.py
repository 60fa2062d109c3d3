"""Calls of built-in functions as noun phrases."""

from __future__ import annotations

from typing import Final

from rulegame.expressions import typed
from rulegame.expressions.typed import Typed
from rulegame.rulebook.marks import and_list, code
from rulegame.rulebook.phrases import Wording

EXTREMES: Final = {"min": ("smaller", "least"), "max": ("greater", "greatest")}


def call(w: Wording, part: typed.Apply) -> str:
    """The value of a call: `the greater of a and b`."""
    arguments, function = part.arguments, part.function
    one = w.value(arguments[0])
    match function:
        case "next" | "previous" | "seat":
            return _player(w, function, arguments[0], one)
        case "size":
            return f"the number of elements of {one}"
        case "abs":
            return _distance(w, arguments[0])
        case "mod":
            return (
                f"the remainder of {w.argument(arguments[0])} divided by {w.argument(arguments[1])}"
            )
        case "with":
            return f"{one} together with {w.value(arguments[1])}"
        case "without":
            return f"{one} without {w.value(arguments[1])}"
        case "min" | "max":
            return _extreme(w, function, arguments, one)
        case "sum":
            return f"the sum of {one}"
        case "rows" | "columns":
            return f"the {function} of {one}"
        case "lines":
            return f"the straight lines of {w.value(arguments[1])} cells of {one}"
        case "neighbours" | "around":
            where = "next to" if function == "neighbours" else "around"
            return f"the cells {where} {w.cell(arguments[1:])} of {one}"
        case "any" | "all" | "inside":
            return f"whether {w.condition(part)}"
    return code(f"{function}({', '.join(w.value(a) for a in arguments)})")


def _player(w: Wording, function: str, player: Typed, words: str) -> str:
    if function == "seat":
        return f"the seat number of {words}"
    if w.names.two and isinstance(player, typed.Seat):
        if player.which == "first":
            return "the player who moved second"
        return "your opponent" if words == "you" else f"the opponent of {words}"
    return f"the player {'after' if function == 'next' else 'before'} {words}"


def _distance(w: Wording, inside: Typed) -> str:
    part = w.folded(inside)
    if isinstance(part, typed.Operation) and part.operator == "-" and len(part.operands) == 2:
        return f"the difference between {and_list([w.argument(one) for one in part.operands])}"
    return f"the size of {w.argument(inside)} without its sign"


def _extreme(w: Wording, function: str, arguments: tuple[Typed, ...], one: str) -> str:
    of_two, of_many = EXTREMES[function]
    if len(arguments) > 1:
        which = of_two if len(arguments) == 2 else of_many
        return f"the {which} of {and_list([w.argument(one) for one in arguments])}"
    value = arguments[0]
    if isinstance(value, typed.Value) and value.variable.each_player and value.owner is None:
        return f"the {of_many} {w.names.noun(value.variable).text} of all players"
    return f"the {of_many} of {one}"
