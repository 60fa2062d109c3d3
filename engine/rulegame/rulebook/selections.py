"""What is chosen or rolled, in English: `a number from 1 to 6`, `one of your cards`."""

from __future__ import annotations

from typing import Final

from rulegame.language import typed
from rulegame.language.typed import Loop, Typed
from rulegame.language.types import Int, List, Set, points_of
from rulegame.rulebook.nouns import article
from rulegame.rulebook.phrases import NoWords, Phrases, joined_apart, which

COUNTS: Final = {
    "1": "one",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
}
SHORT_LIST: Final = 6  # numbers in a row that are still listed one by one


def one_of(w: Phrases, part: Typed, chosen: str) -> str:
    """One element of a collection that is already folded; `chosen` is how it is called then."""
    match part:
        case typed.Range(low=low, high=high):
            return f"a number from {w.operand(low)} to {w.operand(high)}"
        case typed.ListLiteral() if w.is_everyone(part):
            return "a player"
        case typed.ListLiteral(items=items) if items:
            different = tuple(dict.fromkeys(map(w.folded, items)))
            return _run_of(different) or w.listed(different, "or")
        case typed.Call(function="subsets", arguments=(from_, count)):
            several = w.value(count)
            spelled = COUNTS.get(several, several)
            if spelled == "one":
                return w.one_of(from_, chosen)
            return f"{spelled} different {_numbers(w, from_)}"
        case typed.Call(function="subsets", arguments=(from_,)):
            return f"any number of different {_numbers(w, from_)}, or none"
        case typed.Aggregate(function="list", body=typed.Local(name=name), loops=(loop,)) if (
            name == loop.name
        ):
            return _one_that(w, loop, chosen)
        case typed.Call(function="complement", type=Set(low=first, high=last), arguments=(of,)):
            those = w.folded(of)
            if not isinstance(those, typed.Value):
                raise NoWords
            return f"a number from {first} to {last} that is not in {w.value(those)}"
        case typed.Call(function="lowest" | "highest" as end, arguments=(of, count)):
            several = w.operand(count)
            return f"one of the {COUNTS.get(several, several)} {end} {_numbers(w, of)}"
        case typed.Call(function="cells", arguments=(typed.BoardName(name=board),)):
            return f"a cell of {w.board(board)}"
        case typed.Call(function="neighbours" | "around" as function, arguments=(cell,)):
            where = "next to" if function == "neighbours" else "around"
            what = "cell" if points_of(cell.type) is None else "point"
            return f"a {what} {where} {w.operand(cell)}"
        case typed.Value(type=Set()) if not w.is_plural(part):
            return f"one of the numbers in {w.value(part)}"
        case typed.Value(type=Set() | List()):
            return f"one of {w.value(part)}"
    raise NoWords


def _one_that(w: Phrases, loop: Loop, chosen: str) -> str:
    """One of those for which a condition holds."""
    noun, where = w.kind(loop)
    if loop.condition is None:
        return f"{article(noun)}{where}"
    player = noun == "player"
    if player and not where and w.me == "you" and _is_other(loop):
        return "a player other than you"
    inner = w.knowing(loop.name, "that player") if player else w.calling(loop.name, chosen)
    condition = joined_apart(inner.condition(loop.condition))
    return f"{article(noun)}{where} {which(noun)} {condition}"


def _is_other(loop: Loop) -> bool:
    """Whether all that a loop asks of a player is not to be the one who moves."""
    match loop.condition:
        case typed.Compare(
            operands=(typed.Local(name=name), typed.Seat(which="me"))
            | (typed.Seat(which="me"), typed.Local(name=name)),
            relations=("!=",),
        ):
            return name == loop.name
    return False


def _numbers(w: Phrases, collection: Typed) -> str:
    part = w.folded(collection)
    if isinstance(part, typed.Range):
        return f"numbers from {w.operand(part.low)} to {w.operand(part.high)}"
    if isinstance(part, typed.ListLiteral):
        return f"numbers out of {w.listed(part.items, 'and')}"
    if not isinstance(part, typed.Value):
        raise NoWords
    return f"numbers out of {w.value(part)}"


def _run_of(items: tuple[Typed, ...]) -> str | None:
    """Many numbers in a row, as a range."""
    numbers = [i.code for i in items if isinstance(i, typed.Constant) and isinstance(i.type, Int)]
    if len(numbers) != len(items) or len(numbers) <= SHORT_LIST:
        return None
    if numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return f"a number from {numbers[0]} to {numbers[-1]}"
    return None
