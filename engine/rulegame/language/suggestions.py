"""What to write instead, where a name is not known or a value of one kind stands in the place of
another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rulegame.diagnostics import Hint, candidates, guess_instead, write_instead
from rulegame.language import typed
from rulegame.language.syntax import Expression
from rulegame.language.typed import Typed
from rulegame.language.types import Bool, Grid, Int, List, Optional, PlayerType, Set, Type

FROM_TO: Final = re.compile(r"(?:from\s+)?(\w+)\s*(?:-|\bto\b)\s*(\w+)")
UP_TO: Final = re.compile(r"(?:1?[dD])?(\d+)")
RANDOM: Final = re.compile(
    r"(?:random|rand|randint|roll|dice|die)\(\s*(\w+)\s*(?:,\s*(\w+)\s*)?\)", re.IGNORECASE
)
ONE_RANGE: Final = re.compile(r"\[([^\[\],]+\.\.[^\[\],]+)\]")
LISTED: Final = re.compile(r"\(?\s*(\w+(?:\s*,\s*\w+)+)\s*\)?")


def instead_of(found: Typed, expected: type[Type]) -> Hint:
    """A hint for a value whose type is not what its place expects; empty if there is none."""
    match found:
        case typed.Value(variable=variable, owner=None, type=List(of=of)) if (
            variable.each_player and isinstance(of, expected)
        ):
            return Hint(f"'{variable.name}' belongs to each player: write my.{variable.name}")
    if expected is Bool and isinstance(found.type, (List, Set)):
        return Hint("compare its size: size(…) > 0")
    if expected is Bool and isinstance(found.type, Int):
        return Hint("compare it with something: … > 0")
    if expected is Int and isinstance(found.type, Bool):
        return Hint("to count a condition, write: 1 if … else 0")
    if expected is PlayerType and isinstance(found, typed.Constant) and 1 <= found.code <= 8:
        return write_instead(f"players[{found.code}]", "the player in that seat")
    if expected is PlayerType and isinstance(found.type, Int):
        return Hint("me, them, next(me), or players[1] for the player in the first seat")
    return Hint()


def range_instead_of(text: str) -> Hint:
    """A hint for `1-3`, `6` or `d6` where numbers to choose from are expected."""
    if found := FROM_TO.fullmatch(text):
        note = f"the numbers from {found[1]} to {found[2]}"
        is_difference = "-" in text and not (found[1] + found[2]).isdigit()
        return (guess_instead if is_difference else write_instead)(f"{found[1]}..{found[2]}", note)
    if found := UP_TO.fullmatch(text):
        # A number alone does not say where it begins.
        say = guess_instead if text.isdigit() else write_instead
        return say(f"1..{found[1]}", f"the numbers from 1 to {found[1]}")
    if found := ONE_RANGE.fullmatch(text):
        return write_instead(found[1], "a range is a list already")
    return Hint("a range a..b, a list, a set or a grid")


def collection_elsewhere(text: str) -> Hint:
    """A hint for what is no expression here, but clearly says what to choose or roll from."""
    if found := RANDOM.fullmatch(text):
        low, high = (found[1], found[2]) if found[2] else ("1", found[1])
        # random(6) is 0..5 to some people, and dice(2, 6) are two dice.
        known = text.lower().startswith("randint" if found[2] else ("roll", "di"))
        return (write_instead if known else guess_instead)(f"{low}..{high}")
    if found := LISTED.fullmatch(text):
        return write_instead(f"[{found[1]}]")
    if FROM_TO.fullmatch(text) or UP_TO.fullmatch(text):
        return range_instead_of(text)
    return Hint()


def closest(word: str, near: Iterable[str], far: Iterable[str]) -> tuple[str, ...]:
    """The name that a word is most likely a misspelling of: one of those that are known here, or a
    word of the language if that is clearly nearer; with any others that are just as near.
    """
    found = [candidates(word, names) for names in (near, far)]
    firsts = [names[0] for names in found if names]
    best = min(firsts, key=lambda name: _distance(word, name), default=None)
    least = len(word) if best is None else _distance(word, best)
    if best is None or least > max(1, (len(word) + 1) // 2):
        return ()
    least_of_best = _remoteness(word, best)
    every = (name for names in found for name in names if name != best)
    return (best, *(name for name in every if _remoteness(word, name) <= least_of_best))


def _remoteness(word: str, name: str) -> tuple[int, bool]:
    """How far a name is from a word; with letters exchanged it is nearer than with others."""
    return _distance(word, name), sorted(name.lower()) != sorted(word.lower())


def _distance(one: str, other: str) -> int:
    """How many letters must be written otherwise, left out or added."""
    one, other = one.lower()[:80], other.lower()[:80]
    row = list(range(len(other) + 1))
    for k, a in enumerate(one, 1):
        before, row[0] = row[0], k
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def in_seat(
    operands: Sequence[Expression], types: Sequence[Type], relation: str, most: int
) -> Hint:
    """A hint for a player who is compared with a number: `me == 1`."""
    texts = [operand.place.written for operand in operands]
    for k in (0, 1):
        number = types[k]
        if isinstance(number, Int) and isinstance(types[1 - k], (PlayerType, Optional)):
            if 1 <= number.low == number.high <= most:
                texts[k] = f"players[{number.low}]"
                return write_instead(f" {relation} ".join(texts))
            return Hint(f"write seat({texts[1 - k]}) for the number of a player's seat")
    return Hint()


def elements_of(name: str, type_: Type | None, empty: bool) -> Hint:
    """A hint for a value that is called as if it were a function, with nothing in the parentheses
    or with something.
    """
    if isinstance(type_, Grid):
        return Hint(f"'{name}' is a grid: write {name}[row, column]")
    if isinstance(type_, List):
        return Hint(f"'{name}' is a list: write {name}[number]")
    return Hint(f"'{name}' is a value: write it without parentheses", (name,) if empty else ())
