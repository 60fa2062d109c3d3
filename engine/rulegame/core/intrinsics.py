"""The functions that the intermediate representation may call, with the kinds of their arguments
and results: those of the built-in functions, and those that lowering needs. `evaluation` has them
in Python, `native` as machine code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from rulegame.language.functions import FUNCTIONS

KINDS: Final = {
    "i": "number", "b": "truth", "t": "text", "l": "list", "m": "list of numbers",
    "n": "list of lists", "s": "state", "f": "flood", "a": "anything", "-": "nothing",
}  # fmt: skip

HEAVY: Final = frozenset(  # they take loops
    one.name for function in FUNCTIONS.values() if function.is_loop for one in function.intrinsics
)


class Signature(NamedTuple):
    """The kinds of the arguments and of the result, a letter each (`KINDS`). Arguments behind "?"
    may be left out; the one before "*" may be repeated.
    """

    arguments: str
    result: str
    fails: bool = False


def _signature(text: str) -> Signature:
    arguments, _, result = text.partition(" -> ")
    return Signature(arguments, result.removesuffix("!"), result.endswith("!"))


OWN: Final[Mapping[str, Signature]] = {
    name: _signature(text)
    for name, text in {
        # numbers
        "abs": "i -> i",
        "min": "ii* -> i",
        "max": "ii* -> i",
        "mul": "ii -> i!",
        "div": "ii -> i!",
        "fit": "i -> i!",
        "fit_or_none": "i -> i!",
        "index": "ii -> i!",
        "times": "i -> i!",
        # faults, where a test has failed
        "beyond": "iii -> -!",
        "outside": "iii -> -!",
        "unfit": "iii -> -!",
        "astray": " -> -!",
        "none_left": " -> -!",
        "nobody_chooses": " -> -!",
        "written_twice": " -> -!",
        # lists
        "range": "ii -> m",
        "repetitions": "i -> m!",
        "list": "l -> l",
        "len": "l -> i",
        "sum": "m -> i",
        "any": "l -> b",
        "all": "l -> b",
        "different": "l -> l",
        "element": "li -> a!",
        "fit_all": "m -> m!",
        "fit_all_or_none": "m -> m!",
        # the meter
        "charge": "i -> -!",
        "span": "iii -> m!",
        "through": "li -> l!",
        # sets in one number: its bits, and the numbers of the first and the last
        "members": "ii -> m",
        "contains": "iii -> b",
        "fit_set": "iii -> i!",
        "pack_all": "mii -> i!",
        "pack_some": "mii -> i",
        # sets in several numbers
        "wide_members": "mii -> m",
        "wide_contains": "miii -> b",
        "wide_size": "mii -> i",
        "wide_pack_all": "mii -> m!",
        "wide_pack_some": "mii -> m",
        "wide_fit": "mii -> m!",
        # boards: rows and columns first
        "cells_at": "sim -> m",
        "line_places": "iii?b -> n",
        "line_places_through": "iiii?b -> n",
        "flood": "iia?b -> f",
        "waiting": "f -> m",
        "begin_at": "fi -> -",
        "spread": "fi -> -",
        # outcomes
        "over": "si -> b",
        "winners_of": "mi -> i",
        "winners_by_result": "iii -> i",
        "winners_by_payoff": "m -> i",
        # earlier positions: those of a state with one more, and how often one has occurred
        "remember": "im* -> i",
        "occurrences": "im* -> i",
        # who is to move after a move, if there is a move then; otherwise -1
        "next_mover": "sm -> i!",
        # texts
        "texts_of": "aia -> l",
    }.items()
}


def intrinsics() -> dict[str, Signature]:
    """The signatures of all functions that may be called."""
    declared = {name: _signature(one.signature) for name, one in FUNCTIONS.intrinsics.items()}
    return {**OWN, **declared}


def signature_of(name: str) -> Signature | None:
    """The signature of one; None if there is none of that name."""
    declared = FUNCTIONS.intrinsics.get(name)
    return OWN.get(name) if declared is None else _signature(declared.signature)
