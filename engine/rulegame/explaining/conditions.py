"""Conditions on one term, and the shortest that divides its numbers in two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.explaining.terms import Term
from rulegame.wording import joined

MOST_MODULUS: Final = 100
MOST_REMAINDERS: Final = 6
MOST_WORDS: Final = 2
BOTH: Final = (True, False)

Truths = NDArray[np.bool_]
Test = Callable[[NDArray[Any]], Truths]


@dataclass(frozen=True, eq=False)
class Condition:
    """A condition on a term: `left mod 4 = 0`."""

    text: str
    term: Term
    test: Test
    size: int
    constants: int
    denial: str  # in words, where it does not hold
    picks: tuple[bool, ...] = ()  # the answers that one number may get all alone

    @property
    def columns(self) -> frozenset[int]:
        return self.term.columns

    def holds(self) -> Truths:
        """In which positions it is true."""
        return self.test(self.term.cells)


def shortest(term: Term, known: NDArray[np.int64], truth: Truths) -> Iterator[Condition]:
    """Conditions that are true of just these of the known numbers, in ascending order; the
    shortest first.
    """
    yes, no = known[truth], known[~truth]
    if not len(yes) or not len(no):
        return
    if term.texts is not None:
        yield from _words(term, yes, no)
        return
    if len(yes) == 1 and _may_equal(term, int(yes[0])):
        yield equal(term, int(yes[0]))
    if len(no) == 1 and _may_equal(term, int(no[0])):
        yield _different(term, int(no[0]))
    if term.is_nim:
        return
    if yes[-1] < no[0]:
        yield at_most(term, int(yes[-1]))
    elif no[-1] < yes[0]:
        yield _at_least(term, int(yes[0]))
    else:
        yield from _remainders(term, known, truth)
        if len(yes) > 1 and not ((no > yes[0]) & (no < yes[-1])).any():
            yield _between(term, int(yes[0]), int(yes[-1]))


def _may_equal(term: Term, number: int) -> bool:
    """Of nim-sums with a number of their own, only being 0 means anything."""
    return number == 0 or not (term.is_nim and term.constants)


def _words(term: Term, yes: NDArray[np.int64], no: NDArray[np.int64]) -> Iterator[Condition]:
    if len(yes) <= MOST_WORDS:
        yield is_word(term, yes.tolist())
    elif len(no) <= MOST_WORDS:
        codes = no.tolist()
        words = joined([_word(term, code) for code in codes], "or")
        chosen = np.array(codes)
        yield _condition(
            term, (f"{term.text} is not {words}", f"{term.text} is {words}"),
            lambda cells: ~np.isin(cells, chosen), 1, len(codes),
        )  # fmt: skip


def is_word(term: Term, codes: list[int]) -> Condition:
    """A value is one of a few words."""
    words = joined([_word(term, code) for code in codes], "or")
    chosen = np.array(codes)
    texts = f"{term.text} is {words}", f"{term.text} is not {words}"
    return _condition(term, texts, lambda cells: np.isin(cells, chosen), 1, len(codes))


def _word(term: Term, code: int) -> str:
    assert term.texts is not None
    return term.texts[code]


def _condition(
    term: Term,
    texts: tuple[str, str],
    test: Test,
    words: int,
    constants: int,
    picks: tuple[bool, ...] = (),
) -> Condition:
    size, (text, denial) = term.size + words + constants, texts
    return Condition(text, term, test, size, term.constants + constants, denial, picks)


def _compared(
    term: Term, sign: str, other: str, number: int, beyond: int
) -> tuple[tuple[str, str], int]:
    """The text and its denial, which has another sign and number; and how many constants it has."""
    (text, constants), (denial, _) = (
        _comparison(term, sign, number),
        _comparison(term, other, beyond),
    )
    return (text, denial), constants


def _comparison(term: Term, sign: str, number: int) -> tuple[str, int]:
    """The text, and how many constants it has; a difference is written as a comparison."""
    if term.sides is None:
        return f"{term.text} {sign} {number}", 1
    one, other = term.sides
    if (sign, number) == ("<=", -1):
        return f"{one} < {other}", 0
    if (sign, number) == (">=", 1):
        return f"{one} > {other}", 0
    more = f" {'+' if number > 0 else '-'} {abs(number)}" if number else ""
    return f"{one} {sign} {other}{more}", int(number != 0)


def equal(term: Term, number: int) -> Condition:
    """`left = 3`."""
    texts, constants = _compared(term, "=", "!=", number, number)
    return _condition(term, texts, lambda cells: cells == number, 1, constants, (True,))


def _different(term: Term, number: int) -> Condition:
    texts, constants = _compared(term, "!=", "=", number, number)
    return _condition(term, texts, lambda cells: cells != number, 1, constants, (False,))


def at_most(term: Term, number: int) -> Condition:
    """`left <= 3`."""
    texts, constants = _compared(term, "<=", ">=", number, number + 1)
    return _condition(term, texts, lambda cells: cells <= number, 1, constants, BOTH)


def _at_least(term: Term, number: int) -> Condition:
    texts, constants = _compared(term, ">=", "<=", number, number - 1)
    return _condition(term, texts, lambda cells: cells >= number, 1, constants, BOTH)


def _between(term: Term, low: int, high: int) -> Condition:
    texts = f"{low} <= {term.text} <= {high}", f"{term.text} < {low} or {term.text} > {high}"
    return _condition(term, texts, lambda cells: (cells >= low) & (cells <= high), 2, 2, BOTH)


def _remainders(term: Term, known: NDArray[np.int64], truth: Truths) -> Iterator[Condition]:
    for modulus in range(2, MOST_MODULUS + 1):
        rests = known % modulus
        if 2 * len(np.unique(rests)) > len(known):  # too few of them come again
            continue
        chosen = np.unique(rests[truth])
        if len(chosen) <= MOST_REMAINDERS and (np.isin(rests, chosen) == truth).all():
            yield congruent(term, modulus, chosen.tolist())
            return


def congruent(term: Term, modulus: int, rests: list[int]) -> Condition:
    """`left mod 4 = 0`, `number is odd`."""
    chosen = np.array(rests)
    several = joined([str(rest) for rest in rests], "or")
    is_sum = " " in term.text and not term.text.endswith(")")
    about = f"({term.text})" if is_sum else term.text
    texts = f"{about} mod {modulus} is {several}", f"{about} mod {modulus} is not {several}"
    if modulus == 2:
        odd = bool(rests[0])
        texts = (
            f"{term.text} is {'odd' if odd else 'even'}",
            f"{term.text} is {'even' if odd else 'odd'}",
        )
    elif len(rests) == 1:
        texts = f"{about} mod {modulus} = {several}", f"{about} mod {modulus} != {several}"
    return _condition(
        term, texts, lambda cells: np.isin(cells % modulus, chosen), 2, 1 + len(rests)
    )
