"""Conditionals inside of one another as one list of cases, of which the first that applies counts:
in a sentence nobody could tell which `otherwise` belongs to which `if`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulegame.language import typed
from rulegame.language.typed import Typed
from rulegame.rulebook.phrases import NoWords
from rulegame.rulebook.wording import Wording

MOST_CASES: Final = 5

Case = tuple[Typed | None, Typed]  # a condition, None for what is left over, and the value then


def cases(w: Wording, part: Typed) -> list[Case]:
    """The values that an expression may have, each with its condition; the last one has none."""
    listed = list(_cases(w, part, None))
    if len(listed) > MOST_CASES:
        raise NoWords
    return listed


def _cases(w: Wording, part: Typed, given: Typed | None) -> Iterator[Case]:
    """`given` is what must hold for the whole to be looked at."""
    part = w.folded(part)
    if not isinstance(part, typed.IfElse):
        yield given, part
        return
    both = part.condition
    if given is not None:
        both = typed.BoolOp("and", (given, part.condition))
    yield from _cases(w, part.then, both)
    yield from _cases(w, part.otherwise, given)
