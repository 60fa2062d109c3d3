"""Action numbers: every move that players of a game can ever make, numbered from 0 on, as programs
that learn games want them. Dense where the bounds of all choices are known.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import prod
from typing import Final, NamedTuple, overload

from rulegame.game.moves import Move
from rulegame.game.rules import Rules
from rulegame.language.typed import Range, Typed
from rulegame.language.types import (
    NONE_CODE,
    Bool,
    Cell,
    Int,
    Optional,
    PlayerType,
    Set,
    Type,
    Word,
)
from rulegame.model import Choice, Operation, Ruleset
from rulegame.model.analysis import known_codes
from rulegame.model.move_texts import NotAMove, read_move

MOST: Final = 1_000_000


class Unbounded(ValueError):
    """The moves of a game cannot be numbered, and why."""


class _Numbered(NamedTuple):
    """The moves of one operation: what each choice may be, as codes in ascending order, and
    their first number."""

    operation: Operation
    codes: tuple[Sequence[int], ...]
    first: int


class Actions(Sequence[Move]):
    """Every move that the types, the parameters and the bounds of the choices allow, by its number;
    which of them are valid is for a state to say. Rolls are not among them.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        operations = rules.ruleset.chosen
        codes = [tuple(self._codes(o, choice) for choice in o.choices) for o in operations]
        sizes = [prod(map(len, some)) for some in codes]
        if sum(sizes) > MOST:
            most = max(zip(sizes, operations, strict=True), key=lambda pair: pair[0])[1]
            raise Unbounded(
                f"there are {sum(sizes):,} moves that the choices allow, most of them of "
                f"'{most.name}'; up to {MOST:,} are numbered"
            )
        starts = [0, *accumulate(sizes)]
        self._size = starts[-1]
        self._of = {
            o.name: _Numbered(o, some, start)
            for o, some, start in zip(operations, codes, starts, strict=False)
            if all(some)  # of one that has nothing to choose there are no moves
        }

    def _codes(self, operation: Operation, choice: Choice) -> Sequence[int]:
        if choice.within is not None and choice.within[0] > choice.within[1]:
            return ()
        known = None if choice.within is not None else choice.collection
        codes = possible_codes(self._rules.ruleset, known, choice.element)
        if codes is None and not isinstance(choice.element, Int):
            raise Unbounded(
                f"'{choice.name}' of '{operation.name}' has too many values to be numbered"
            )
        if codes is None:
            raise Unbounded(
                f"'{choice.name}' of '{operation.name}' has no bound: write one beside its `from`, "
                f"`within: 1..9` for instance"
            )
        return codes

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Move]:
        return (self[number] for number in range(len(self)))

    @overload
    def __getitem__(self, number: int) -> Move: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, number: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(number, slice):
            return tuple(self[one] for one in range(len(self))[number])
        number = range(len(self))[number]
        name = max((o for o in self._of.values() if o.first <= number), key=lambda o: o.first)
        rest, choices = number - name.first, []
        for codes in reversed(name.codes):
            rest, place = divmod(rest, len(codes))
            choices.append(codes[place])
        return self._rules.move_with(name.operation.name, tuple(choices[::-1]))

    def index(self, value: Move | str, start: int = 0, stop: int | None = None) -> int:
        """The number of a move, which may be given as text; ValueError if it is none of them."""
        number = self._number(value)
        if number is None or number not in range(len(self))[start:stop]:
            raise ValueError(f"{value} has no action number")
        return number

    def __contains__(self, value: object) -> bool:
        try:
            return self._number(value) is not None
        except NotAMove:
            return False

    def _number(self, value: object) -> int | None:
        """The number of a move; None if it has none, and `NotAMove` for a text that is no move."""
        if isinstance(value, str):
            value = self._rules.move_with(*read_move(self._rules.ruleset, value))
        known = self._of.get(value.operation) if isinstance(value, Move) else None
        if known is None or not isinstance(value, Move) or len(value.codes) != len(known.codes) + 1:
            return None
        number = 0
        for code, codes in zip(value.codes[1:], known.codes, strict=True):
            place = bisect_left(codes, code)
            if place == len(codes) or codes[place] != code:
                return None
            number = number * len(codes) + place
        return number + known.first

    def __repr__(self) -> str:
        return f"<Actions of {self._rules.ruleset.title}: {len(self):,} moves>"

    @property
    def kinds(self) -> dict[str, tuple[int, tuple[Sequence[int], ...]]]:
        """By the name of an operation, the first number of its moves, and what each choice may be,
        as codes in ascending order; the last choice changes fastest.
        """
        return {name: (one.first, one.codes) for name, one in self._of.items()}

    def mask(self, moves: Sequence[Move]) -> tuple[bool, ...]:
        """Of every action, whether it is among some moves."""
        valid = set(map(self.index, moves))
        return tuple([number in valid for number in range(len(self))])


def possible_codes(
    ruleset: Ruleset, collection: Typed | None, element: Type
) -> Sequence[int] | None:
    """What can ever be chosen, or rolled, from a collection whose elements are of a type, in
    ascending order; None if that has no bound.
    """
    players = len(ruleset.players)
    if collection is not None and not isinstance(collection, Range):
        known = known_codes(collection, players)
        if known is not None:
            return sorted(known)
    return _values(element, players, ruleset.words)


def _values(type_: Type, players: int, words: Sequence[str]) -> Sequence[int] | None:
    """The codes of all values of a type that can be chosen; None if they are too many."""
    match type_:
        case Int(low=low, high=high):
            return range(low, high + 1) if high - low < MOST else None
        case Bool():
            return range(2)
        case PlayerType():
            return range(players)
        case Cell(rows=rows, columns=columns):
            return range(rows * columns)
        case Word(words=own):
            return tuple(k for k, word in enumerate(words) if word in own)
        case Set(low=low, high=high):
            return range(1 << high - low + 1) if high - low < MOST.bit_length() else None
        case Optional(of=of):
            inner = _values(of, players, words)
            return None if inner is None else (NONE_CODE, *inner)
    return None
