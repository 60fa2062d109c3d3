"""Calls of built-in functions as noun phrases."""

from __future__ import annotations

from typing import Final

from rulegame.language import typed
from rulegame.language.built_in import Reference
from rulegame.language.functions import FUNCTIONS
from rulegame.language.typed import Typed
from rulegame.language.types import Int
from rulegame.rulebook.markup import and_list
from rulegame.rulebook.phrases import NoWords, Phrases

EXTREMES: Final = {"min": ("smaller", "least"), "max": ("greater", "greatest")}


def call(w: Phrases, part: typed.Call) -> str:
    """The value of a call: `the greater of a and b`."""
    function = FUNCTIONS.get(part.function)
    phrase = "" if function is None else function.phrase
    if isinstance(phrase, Reference):
        found: str = phrase.load()(w, part)
        return found
    if not phrase:
        raise NoWords
    return phrase.format(*[w.operand(argument) for argument in part.arguments])


# ---- what the rows of functions refer to


def together(w: Phrases, part: typed.Call) -> str:
    return f"{and_list([w.operand(one) for one in part.arguments])} together"


def next_player(w: Phrases, part: typed.Call) -> str:
    player = part.arguments[0]
    words = w.operand(player)
    if w.names.two and isinstance(player, typed.Seat):
        if player.which == "first":
            return "the player who moved second"
        return "your opponent" if words == "you" else f"the opponent of {words}"
    return f"the player {'after' if part.function == 'next' else 'before'} {words}"


def repetitions(w: Phrases, part: typed.Call) -> str:
    whole, _, *values = part.arguments
    assert isinstance(whole, typed.Constant)
    if whole.code:
        return "the number of earlier positions that were the same"
    turn = any(isinstance(value, typed.Seat) for value in values)
    said = [w.value(value) for value in values if isinstance(value, typed.Value)]
    listed = and_list([*said, *(["player to move"] if turn else [])])
    return f"the number of earlier positions with the same {listed.replace('the ', '', 1)}"


def size(w: Phrases, part: typed.Call) -> str:
    if not isinstance(part.arguments[0], typed.Value):
        raise NoWords
    return f"the number of elements of {w.value(part.arguments[0])}"


def remainder(w: Phrases, part: typed.Call) -> str:
    left, right = part.arguments
    rest = f"the remainder of {w.operand(left)} divided by {w.operand(right)}"
    return rest if _is_natural(w.folded(left)) else f"{rest} (never below 0)"


def total(w: Phrases, part: typed.Call) -> str:
    if not isinstance(part.arguments[0], (typed.Value, typed.Local)):
        raise NoWords
    return f"the sum of {w.value(part.arguments[0])}"


def cell(w: Phrases, part: typed.Call) -> str:
    board, row, column = part.arguments
    assert isinstance(board, typed.BoardName)
    return f"the cell in {w.cell((row, column))} of {w.board(board.name)}"


def _is_natural(part: Typed) -> bool:
    """Whether a number cannot be below 0."""
    return isinstance(part.type, Int) and part.type.low >= 0


def distance(w: Phrases, part: typed.Call) -> str:
    inside = w.folded(part.arguments[0])
    if isinstance(inside, typed.Arithmetic) and (inside.operator, len(inside.operands)) == ("-", 2):
        return f"the difference between {and_list([w.operand(one) for one in inside.operands])}"
    raise NoWords


def extreme(w: Phrases, part: typed.Call) -> str:
    arguments = part.arguments
    of_two, of_many = EXTREMES[part.function]
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
