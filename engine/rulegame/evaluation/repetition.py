"""The earlier positions of a game, for rules that count repetitions. They are part of a state: two
states are equal only if the same positions have occurred equally often, in whatever order.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

HASHES: Final = (1 << 61) - 1


class History:
    """A multiset of positions, each as the bytes of its cells. It shares those of the history that
    it extends, so that a state takes little more memory than without.
    """

    __slots__ = ("_before", "_hash", "_position", "_size")

    def __init__(self, before: History | None = None, position: bytes = b"") -> None:
        """Without arguments: no position yet."""
        self._before = before
        self._position = position
        self._size: int = 0 if before is None else before._size + 1
        self._hash: int = 0 if before is None else (before._hash + hash(position) ** 2) & HASHES

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[bytes]:
        one = self
        while one._before is not None:
            yield one._position
            one = one._before

    def count(self, position: bytes) -> int:
        """How often a position has occurred."""
        if self._before is None:
            return 0
        return self._before._counts()[position] + (self._position == position)

    def _counts(self) -> Counter[bytes]:
        """How often each position has occurred; moves that are tried in a state ask for the same
        one.
        """
        global _last
        history, counts = _last
        if history is not self:
            counts = Counter(self)
            _last = self, counts
        return counts

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, History) or (self._hash, self._size) != (other._hash, other._size):
            return False
        if self._before is other._before:
            return self._position == other._position
        return Counter(self) == Counter(other)

    def __repr__(self) -> str:
        return f"History({self._size})"

    def __reduce__(self) -> tuple[object, tuple[list[bytes]]]:
        return restored, (list(self)[::-1],)


NONE: Final = History()

_last: tuple[History, Counter[bytes]] = NONE, Counter()


def restored(positions: Sequence[bytes]) -> History:
    """The history of some positions."""
    history = NONE
    for position in positions:
        history = History(history, position)
    return history


def remember(history: History, *parts: Sequence[int]) -> History:
    """The history with one more position, given by its cells."""
    return History(history, _bytes(parts))


def occurrences(history: History, *parts: Sequence[int]) -> int:
    """How often a position has occurred."""
    return history.count(_bytes(parts))


def _bytes(parts: Sequence[Sequence[int]]) -> bytes:
    cells = array("q")
    for part in parts:
        cells.extend(part)
    return cells.tobytes()
