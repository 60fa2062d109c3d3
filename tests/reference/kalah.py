"""Kalah.

Each player has six pits with four seeds each, and a store. In turn, a player lifts all seeds of
one of their pits (`sow 3`) and sows them one by one into the pits that follow, their own store,
the other's pits, and so on around, the other's store left out. A last seed in the own store gives
another move. One in an own pit that was empty takes the seeds in the pit opposite, if there are
any: both go to the store. When the pits of one player are empty the game is over, and whoever has
more seeds in their pits and store wins (`side_empty`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, win


@dataclass(frozen=True)
class Kalah:
    """A position: a ring of seat 0's pits and store, then seat 1's."""

    width: int
    mover: int
    ring: tuple[int, ...]
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        pits = self._pits(self.mover)
        return tuple(f"sow {pit}" for pit, seeds in enumerate(pits, start=1) if seeds)

    @property
    def values(self) -> dict[str, object]:
        return {
            "pits": [list(self._pits(0)), list(self._pits(1))],
            "store": [self.ring[self._store(0)], self.ring[self._store(1)]],
        }

    def play(self, text: str) -> Kalah:
        check(text, self.moves)
        ring = list(self.ring)
        at = self._first(self.mover) + int(text.removeprefix("sow ")) - 1
        seeds, ring[at] = ring[at], 0
        while seeds:
            at = (at + 1) % len(ring)
            if at != self._store(1 - self.mover):
                ring[at] += 1
                seeds -= 1
        opposite = 2 * self.width - at
        if ring[at] == 1 and at in self._own() and ring[opposite]:
            ring[self._store(self.mover)] += 1 + ring[opposite]
            ring[at] = ring[opposite] = 0
        again = at == self._store(self.mover)
        after = replace(self, ring=tuple(ring))
        return after._ended() or replace(after, mover=self.mover if again else 1 - self.mover)

    def _ended(self) -> Kalah | None:
        if any(self._pits(0)) and any(self._pits(1)):
            return None
        first, second = (sum(self._pits(s)) + self.ring[self._store(s)] for s in (0, 1))
        if first == second:
            return replace(self, result=Result((), (), draw=True, rule="side_empty"))
        return replace(self, result=win(0 if first > second else 1, "side_empty"))

    def _first(self, seat: int) -> int:
        return seat * (self.width + 1)

    def _store(self, seat: int) -> int:
        return self._first(seat) + self.width

    def _own(self) -> range:
        return range(self._first(self.mover), self._store(self.mover))

    def _pits(self, seat: int) -> tuple[int, ...]:
        return self.ring[self._first(seat) : self._store(seat)]


def start(first: int = 0, *, width: int = 6, seeds: int = 4) -> Kalah:
    """Return the first position."""
    return Kalah(width, first, ((seeds,) * width + (0,)) * 2)
