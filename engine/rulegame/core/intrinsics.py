"""The functions that the intermediate representation may call, with the kinds of their arguments
and results. `evaluation` has them in Python, `native` as machine code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

KINDS: Final = {
    "i": "number", "b": "truth", "t": "text", "l": "list", "m": "list of numbers",
    "n": "list of lists", "s": "state", "f": "flood", "a": "anything", "-": "nothing",
}  # fmt: skip


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


INTRINSICS: Final[Mapping[str, Signature]] = {
    name: _signature(text)
    for name, text in {
        # numbers
        "abs": "i -> i",
        "min": "ii* -> i",
        "max": "ii* -> i",
        "mul": "ii -> i!",
        "div": "ii -> i!",
        "f_mod": "ii -> i!",
        "fit": "i -> i!",
        "fit_or_none": "i -> i!",
        "index": "ii -> i!",
        "times": "i -> i!",
        # faults, where a test has failed
        "beyond": "iii -> -!",
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
        "f_min": "m -> i!",
        "f_max": "m -> i!",
        "f_sorted": "m -> m",
        "f_lowest": "mi -> m",
        "f_highest": "mi -> m",
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
        "f_with": "iiii -> i!",
        "f_without": "iiii -> i!",
        "f_union": "iiii -> i!",
        "f_intersection": "ii -> i",
        "f_difference": "ii -> i",
        "f_complement": "iii -> i",
        "f_subsets": "miii -> m!",
        "f_all_subsets": "mii -> m!",
        "fit_set": "iii -> i!",
        "pack_all": "mii -> i!",
        "pack_some": "mii -> i",
        # sets in several numbers
        "wide_members": "mii -> m",
        "wide_contains": "miii -> b",
        "wide_size": "mii -> i",
        "wide_with": "miii -> m!",
        "wide_without": "miii -> m!",
        "wide_union": "mmii -> m!",
        "wide_intersection": "mmii -> m",
        "wide_difference": "mmii -> m",
        "wide_complement": "mii -> m",
        "wide_pack_all": "mii -> m!",
        "wide_pack_some": "mii -> m",
        "wide_fit": "mii -> m!",
        # boards: rows and columns first
        "cells_at": "sim -> m",
        "line_places": "iii?b -> n",
        "line_places_through": "iiii?b -> n",
        "f_rows": "iil -> n",
        "f_columns": "iil -> n",
        "f_lines": "iili?b -> n",
        "f_inside": "iilii -> b",
        "f_neighbours": "iilii?b -> m",
        "f_around": "iilii?b -> m",
        "cells_beside": "iibi -> m",
        "cells_around": "iibi -> m",
        "rays_from": "iibi -> n",
        "ray_from": "iiiii -> m",
        "flood": "iib?b -> f",
        "waiting": "f -> m",
        "begin_at": "fi -> -",
        "spread": "fi -> -",
        # outcomes
        "over": "si -> b",
        "winners_of": "mi -> i",
        "winners_by_result": "iii -> i",
        "winners_by_payoff": "m -> i",
        # texts
        "texts_of": "aia -> l",
        "f_or_list": "l -> t",
        "f_and_list": "l -> t",
        "f_one_per_line": "l -> t",
        "f_a": "a -> t",
        "f_words": "a -> t",
        "f_plural": "itt -> t",
        "f_capital": "t -> t",
        "f_keyed": "tt -> t",
    }.items()
}
