"""Number Duel.

Before the game seat 0 and then seat 1, whoever moves first, choose three different numbers from
1 to 9 (`pick 2 3 5`). The shared number is 0 at the start. In turn, the players apply `add`,
`subtract`, `multiply` or `divide` to it with one of their own unused numbers (`add 5`), which is
then used up. Division discards the remainder, so it truncates toward zero, and never is by zero.

After a move, in this order: the mover wins if the number is the target (15, `target`); the mover
loses if it is above the target (`exceeded`); when both players have used all their numbers, the
one whose own last result is closest to the target wins, and if they are equally close, the one
who moved second in this game (`closest`). The choice of numbers is not a move in this sense.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

from reference.interface import Result, Turn, check, lose, put, select, win

OPERATIONS = ("add", "subtract", "multiply", "divide")


def apply(operation: str, left: int, right: int) -> int:
    """Return the number after the operation."""
    if operation == "add":
        return left + right
    if operation == "subtract":
        return left - right
    if operation == "multiply":
        return left * right
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


@dataclass(frozen=True)
class NumberDuel:
    """A position; `picking` while the mover is to choose numbers."""

    target: int
    count: int
    lowest: int
    highest: int
    operations: tuple[str, ...]
    first: int
    mover: int = 0
    picking: bool = True
    number: int = 0
    numbers: tuple[frozenset[int], ...] = (frozenset(), frozenset())
    results: tuple[int | None, ...] = (None, None)
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        if self.picking:
            choices = combinations(range(self.lowest, self.highest + 1), self.count)
            return tuple(" ".join(["pick", *map(str, choice)]) for choice in choices)
        return tuple(
            f"{operation} {number}"
            for operation in self.operations
            for number in sorted(self.numbers[self.mover])
            if operation != "divide" or number != 0
        )

    @property
    def values(self) -> dict[str, object]:
        return {
            "number": self.number,
            "numbers": list(self.numbers),
            "result": list(self.results),
        }

    def play(self, text: str) -> NumberDuel:
        check(text, self.moves)
        operation, *words = text.split()
        chosen = frozenset(map(int, words))
        if self.picking:
            after = replace(self, numbers=put(self.numbers, self.mover, chosen))
            if self.mover == 0:
                return replace(after, mover=1)
            return replace(after, mover=self.first, picking=False)
        number = apply(operation, self.number, int(words[0]))
        return replace(
            self,
            number=number,
            numbers=put(self.numbers, self.mover, self.numbers[self.mover] - chosen),
            results=put(self.results, self.mover, number),
        )._ended()

    def _ended(self) -> NumberDuel:
        """Return this position, over or with the turn passed on."""
        if self.number == self.target:
            return replace(self, result=win(self.mover, "target"))
        if self.number > self.target:
            return replace(self, result=lose(self.mover, "exceeded"))
        if not any(self.numbers):
            return replace(self, result=win(self._closest(), "closest"))
        return replace(self, mover=1 - self.mover)

    def _closest(self) -> int:
        second = 1 - self.first
        distance = [abs(self.target - last) for last in self.results if last is not None]
        return self.first if distance[self.first] < distance[second] else second


def start(
    first: int = 0,
    *,
    target: int = 15,
    count: int = 3,
    lowest: int = 1,
    highest: int = 9,
    enable: tuple[str, ...] = (),
    disable: tuple[str, ...] = (),
) -> NumberDuel:
    """Return the first position; raise ValueError if a player could be left without a move."""
    operations = select(OPERATIONS, enable, disable)
    if not 1 <= count <= highest - lowest + 1:
        raise ValueError("there must be enough numbers to choose from, and one or more to choose")
    if not operations or (operations == ("divide",) and lowest <= 0 <= highest):
        raise ValueError("every number must have an operation to be used with")
    return NumberDuel(target, count, lowest, highest, operations, first)
