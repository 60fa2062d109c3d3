"""Nim.

There are heaps of objects (3, 4 and 5). In turn, a player takes one or more objects from one
heap: `take 2 3` takes 3 from the second. Whoever takes the last object of all wins, or loses in
the misère game (`last_taken`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, lose, put, win


@dataclass(frozen=True)
class Nim:
    """A position."""

    misere: bool
    mover: int
    heaps: tuple[int, ...]
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(
            f"take {heap} {number}"
            for heap, size in enumerate(self.heaps, start=1)
            for number in range(1, size + 1)
        )

    @property
    def values(self) -> dict[str, object]:
        return {"heaps": list(self.heaps)}

    def play(self, text: str) -> Nim:
        check(text, self.moves)
        heap, number = map(int, text.split()[1:])
        after = replace(self, heaps=put(self.heaps, heap - 1, self.heaps[heap - 1] - number))
        if any(after.heaps):
            return replace(after, mover=1 - self.mover)
        end = lose if self.misere else win
        return replace(after, result=end(self.mover, "last_taken"))


def start(first: int = 0, *, heaps: tuple[int, ...] = (3, 4, 5), misere: bool = False) -> Nim:
    """Return the first position; raise ValueError if there is nothing to take."""
    if not any(heaps) or min(heaps) < 0:
        raise ValueError("no heap may be negative, and one must have an object")
    return Nim(misere, mover=first, heaps=heaps)
