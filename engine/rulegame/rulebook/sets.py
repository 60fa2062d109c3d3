"""What becomes of a set, in English: `the numbers in your hand are added to the pile`."""

from __future__ import annotations

from rulegame.language import typed
from rulegame.language.shape import same
from rulegame.language.typed import Typed
from rulegame.language.types import Int, List, Set
from rulegame.rulebook.phrases import NoWords, Phrases


def change_of_set(w: Phrases, subject: str, plural: bool, old: Typed, new: Typed) -> str | None:
    """How a set changes; None if there are no words for it."""
    becomes = "become" if plural else "becomes"
    match new:
        case typed.Constant():
            return f"{subject} {becomes} empty"
        case typed.Call(function="union", arguments=(typed.Constant(), numbers)):
            return _said(w, f"{subject} {becomes} {{}}", (numbers,))
        case typed.Call(function=function, arguments=(before, *others)) if same(
            w.folded(before), old
        ):
            return _changed(w, subject, becomes, function, tuple(others))
    return None


def _changed(
    w: Phrases, subject: str, becomes: str, function: str, others: tuple[Typed, ...]
) -> str | None:
    match function:
        case "union":
            return _said(w, f"{{}} {_are(others)} added to {subject}", others)
        case "difference":
            return _said(w, f"{{}} {_are(others)} taken out of {subject}", others)
        case "intersection" if len(others) == 1:
            return _said(w, f"all but {{}} are taken out of {subject}", others)
    return None


def _are(collections: tuple[Typed, ...]) -> str:
    match collections:
        case (typed.ListLiteral(items=(_,)),):
            return "is"
    return "are"


def _said(w: Phrases, sentence: str, collections: tuple[Typed, ...]) -> str | None:
    try:
        return sentence.format(" and ".join(numbers_of(w, one) for one in collections))
    except NoWords:
        return None


def numbers_of(w: Phrases, part: Typed) -> str:
    """All numbers of a collection: `the numbers in the bag`, `2 and 5`."""
    folded = w.folded(part)
    match folded:
        case typed.Range(low=low, high=high):
            return f"the numbers from {w.operand(low)} to {w.operand(high)}"
        case typed.ListLiteral(items=items) if items:
            return w.listed(items, "and")
        case typed.Value(type=Set() | List(of=Int())) | typed.Local(type=Set()):
            said = w.value(folded)
            return said if said.startswith("the numbers") else f"the numbers in {said}"
    raise NoWords
