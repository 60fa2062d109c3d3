"""The shortest rule that is true of exactly some of the positions: one condition, or two cases.

The search looks at some of the positions, and a rule that it finds is checked in all of them. What
contradicts it joins those that are looked at, so a rule that comes out holds everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.explaining.conditions import (
    Condition,
    Truths,
    at_most,
    congruent,
    equal,
    is_word,
    shortest,
)
from rulegame.explaining.positions import Positions
from rulegame.explaining.terms import Term

SUPPORT: Final = 3  # different positions for each constant of a rule, and for each of its cases
LOOKED_AT: Final = 400  # positions to begin with
MOST_ROUNDS: Final = 60
CASE_SIZE: Final = 3  # the longest terms that tell cases apart
CASE_LOW: Final = 12  # least numbers, and greatest, at which cases are told apart
CASE_HIGH: Final = 4
CASE_MODULI: Final = (2, 3, 4)


@dataclass(frozen=True)
class Rule:
    """What is true of some positions and of no others: one condition, or one for each of two cases.
    A condition may also be the same answer everywhere.
    """

    then: Condition | bool
    case: Condition | None = None  # in which `then` counts; `otherwise` elsewhere
    otherwise: Condition | bool = False

    @property
    def parts(self) -> tuple[Condition, ...]:
        """Its conditions."""
        every = (self.case, self.then, self.otherwise)
        return tuple(one for one in every if isinstance(one, Condition))

    @property
    def size(self) -> int:
        """How long it is."""
        return sum(one.size for one in self.parts) + 2 * (self.case is not None)

    @property
    def constants(self) -> int:
        """How many numbers and words it names; each of two cases counts as one more."""
        cases = 0 if self.case is None else 2
        return sum(one.constants for one in self.parts) + cases

    @property
    def columns(self) -> frozenset[int]:
        """The raw cells that it depends on."""
        return frozenset().union(*(one.columns for one in self.parts))

    def holds(self, count: int) -> Truths:
        """In which positions it is true."""
        then, otherwise = _truths(self.then, count), _truths(self.otherwise, count)
        return then if self.case is None else np.where(self.case.holds(), then, otherwise)

    def support(self, positions: Positions) -> int:
        """How many positions that it can tell apart it explains."""
        return positions.distinct(self.columns, np.ones(len(positions), bool))

    def sentence(self, who: str, does: str) -> str:
        """The rule in words: `{who} {does} exactly when left mod 4 = 0`."""
        case, then, otherwise = self.case, self.then, self.otherwise
        if case is None:
            if isinstance(then, bool):
                return f"{who} {'always' if then else 'never'} {does}"
            return f"{who} {does} exactly when {then.text}"
        if isinstance(then, bool) and isinstance(otherwise, Condition):
            joint = f"{case.text} or" if then else f"{case.denial} and"
            return f"{who} {does} exactly when {joint} {otherwise.text}"
        if isinstance(otherwise, bool) and isinstance(then, Condition):
            joint = f"{case.denial} or" if otherwise else f"{case.text} and"
            return f"{who} {does} exactly when {joint} {then.text}"
        first, last = (
            f"{does} exactly when {part.text}" if isinstance(part, Condition)
            else f"{'always' if part else 'never'} {does}"
            for part in (then, otherwise)
        )  # fmt: skip
        return f"If {case.text}, {who[0].lower()}{who[1:]} {first}; otherwise {last}"


def _truths(part: Condition | bool, count: int) -> Truths:
    return np.full(count, part) if isinstance(part, bool) else part.holds()


def find_rule(positions: Positions, terms: Sequence[Term], truth: Truths) -> Rule | None:
    """The shortest rule that is true in just these positions; None if no rule is, or none that
    enough positions support.
    """
    if truth.all() or not truth.any():
        return Rule(bool(truth.all()))
    search = _Search(positions, terms, truth)
    return search.run(search.single) or search.run(search.two_cases)


class _Wrong(Exception):
    """A rule that some position contradicts."""


class _Search:
    """Rules for some of the positions, and the positions that are looked at."""

    def __init__(self, positions: Positions, terms: Sequence[Term], truth: Truths) -> None:
        self.positions, self.terms, self.truth = positions, terms, truth
        spread = np.linspace(0, len(positions) - 1, min(LOOKED_AT, len(positions)))
        self.looked_at = np.unique(spread.astype(np.int64))

    def run(self, step: Any) -> Rule | None:
        """The rule of one kind, once none of the positions contradicts it."""
        for _ in range(MOST_ROUNDS):
            self._index()
            try:
                found: Rule | None = step()
            except _Wrong:
                continue
            return found
        return None

    def single(self) -> Rule | None:
        """One condition."""
        every = np.ones(len(self.looked_at), bool)
        best: Rule | None = None
        for condition in self._conditions(every):
            rule = Rule(condition)
            if (best is None or rule.size < best.size) and self._stands(rule):
                best = rule
        return best

    def two_cases(self) -> Rule | None:
        """A condition in one case and another one, or the same answer always, in the other."""
        best: Rule | None = None
        for case in _cases(self.terms):
            where = case.holds()[self.looked_at]
            if not where.any() or where.all():
                continue
            room = 1 << 30 if best is None else best.size - case.size - 2
            then = self._answers(where, room)
            otherwise = self._answers(~where, room) if then else []
            for one in then:
                for other in otherwise:
                    rule = Rule(one, case, other)
                    if (best is None or rule.size < best.size) and self._stands(rule):
                        best = rule
        return best

    def _answers(self, where: Truths, room: int) -> list[Condition | bool]:
        """The answers in one case, the shortest two."""
        truth = self.truth[self.looked_at][where]
        if truth.all() or not truth.any():
            return [bool(truth.all())]
        found: list[Condition | bool] = []
        for condition in self._conditions(where):
            if condition.size >= room or len(found) == 2:
                break
            found.append(condition)
        return found

    def _stands(self, rule: Rule) -> bool:
        """Whether a rule is supported; _Wrong if it does not hold."""
        positions = self.positions
        wrong = np.flatnonzero(rule.holds(len(positions)) != self.truth)
        if len(wrong):
            some = wrong[:: max(1, len(wrong) // 20)]
            self.looked_at = np.unique(np.concatenate((self.looked_at, some)))
            raise _Wrong
        if rule.support(positions) < SUPPORT * max(1, rule.constants):
            return False
        return rule.case is None or self._cases_stand(rule, rule.case)

    def _cases_stand(self, rule: Rule, case: Condition) -> bool:
        """Whether each case has enough positions, and none only singles out one position."""
        where = case.holds()
        for part, among in ((rule.then, where), (rule.otherwise, ~where)):
            own = part.constants if isinstance(part, Condition) else 1
            if self.positions.distinct(rule.columns, among) < SUPPORT * max(1, own):
                return False
            for answer in part.picks if isinstance(part, Condition) else ():
                picked = among & (self.truth == answer)
                if self.positions.distinct(rule.columns, picked) == 1:
                    return False
        return True

    # ---- terms that decide some of the positions

    def _index(self) -> None:
        """The different numbers of each term where it is looked at, one after the other."""
        known, ids, starts, at = [], [], [], 0
        for term in self.terms:
            numbers, back = np.unique(term.cells[self.looked_at], return_inverse=True)
            known.append(numbers)
            ids.append(back.reshape(-1) + at)
            starts.append(at)
            at += len(numbers)
        self.known, self.starts, self.total = known, np.array(starts, np.int64), at
        self.ids = np.stack(ids) if ids else np.zeros((0, len(self.looked_at)), np.int64)

    def _conditions(self, where: Truths) -> Iterator[Condition]:
        """The conditions that hold in just the right ones of these positions, by their terms."""
        if not len(self.terms):
            return
        ids = self.ids[:, where]
        truth = self.truth[self.looked_at][where]
        seen = np.bincount(ids.reshape(-1), minlength=self.total)
        true = np.bincount(ids[:, truth].reshape(-1), minlength=self.total)
        mixed = (true > 0) & (true < seen)
        decides = ~np.logical_or.reduceat(mixed, self.starts)
        for number in np.flatnonzero(decides).tolist():
            part = slice(self.starts[number], self.starts[number] + len(self.known[number]))
            there = seen[part] > 0
            known = self.known[number][there]
            yield from shortest(self.terms[number], known, true[part][there] > 0)


def _cases(terms: Sequence[Term]) -> list[Condition]:
    """Conditions that tell two cases apart, the shortest first."""
    found: list[Condition] = []
    for term in terms:
        if term.size > CASE_SIZE or term.is_nim:
            continue
        known = np.unique(term.cells)
        if term.texts is not None:
            found += [is_word(term, [code]) for code in known.tolist()]
        elif term.sides is not None:
            found += [at_most(term, 0), at_most(term, -1), equal(term, 0)]
        else:
            found += _number_cases(term, known)
    return sorted(found, key=lambda one: one.size)


def _number_cases(term: Term, known: NDArray[np.int64]) -> Iterator[Condition]:
    limits = known[:-1]
    chosen = np.unique(np.concatenate((limits[:CASE_LOW], limits[-CASE_HIGH:])))
    yield from (at_most(term, number) for number in chosen.tolist())
    yield from (equal(term, number) for number in known[1:CASE_LOW].tolist())
    for modulus in CASE_MODULI:
        if len(known) >= 2 * modulus:
            rests = range(modulus if modulus > 2 else 1)
            yield from (congruent(term, modulus, [rest]) for rest in rests)
