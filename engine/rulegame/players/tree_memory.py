"""The memory of a search tree (see `native.kernels.tree`), and nodes as one reads them there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from rulegame.compiling import Cells
from rulegame.native.kernels import tree as at
from rulegame.players.findings import EXPLORATION, FEWEST_TRIED, SHORTER
from rulegame.players.proofs import Proof
from rulegame.players.table import LONGEST, FastTable

MOST_NODES: Final = 1_000_000
WINS_SOUGHT: Final = 32  # a state with more moves is not searched for a win at once
DEEPEST: Final = 4096
NOBODY: Final = -1


class Beyond(Exception):
    """A number of the rules does not fit into the memory: Python is to search."""


class Grown(Protocol):
    """A tree that grows: in machine code or in Python."""

    @property
    def words(self) -> Any: ...
    @property
    def reals(self) -> Any: ...

    def plant(self, cells: Cells) -> None:
        """The root; the head is written before."""
        ...

    def grow(self, iterations: int) -> int:
        """How many iterations there were: fewer if it is certain what to play."""
        ...

    def put(self, place: int, values: Sequence[int]) -> None:
        """Writes words."""
        ...


Head = tuple[dict[int, int], dict[int, float]]


def head(table: FastTable, seed: int, hunter: int, room: int) -> Head:
    """What a search begins with: words, and floating-point numbers."""
    record = at.OWN + at.EACH * table.seats
    words = {
        at.FREE: at.HEAD + 2 * record,
        at.ROOM: room,
        at.NEEDED: 0,
        at.RANDOM: seed,
        at.NODES: 1,
        at.MOST: MOST_NODES,
        at.HUNTER: hunter,
        at.PLAIN: int(table.plain),
        at.OPPOSED: int(table.opposed),
        at.OPEN: int(table.open),
        at.COMMON: int(table.common),
        at.RECORD: record,
        at.ROOT: at.HEAD + record,
        at.LOOSE: at.HEAD,
        at.FEWEST: FEWEST_TRIED,
        at.LONGEST: LONGEST,
        at.WINS_SOUGHT: WINS_SOUGHT,
        at.DEEPEST: DEEPEST,
    }
    low, high = (-1.0, 1.0) if table.plain else (0.0, 0.0)
    reals = {at.LOW: low, at.HIGH: high, at.EXPLORATION: EXPLORATION, at.SHORTER: SHORTER}
    return words, reals


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a tree, to be read."""

    tree: Grown
    place: int

    def _word(self, field: int) -> int:
        return int(self.tree.words[self.place + field])

    @property
    def visits(self) -> int:
        return self._word(at.VISITS)

    @property
    def option(self) -> int:
        """Which option of the node above leads here."""
        return self._word(at.OPTION)

    @property
    def tried(self) -> Iterator[Node]:
        record = self.tree.words[at.RECORD]
        for k in range(self._word(at.TRIED)):
            yield Node(self.tree, self._word(at.BLOCK) + k * int(record))

    def option_of(self, k: int) -> int:
        """The option that is tried as the k-th."""
        order = self._word(at.ORDER)
        if order:
            return int(self.tree.words[order + k])
        return (self._word(at.FIRST) + k * self._word(at.PACE)) % self._word(at.COUNT)

    def mean(self, seat: int) -> float:
        """What a seat got here on average."""
        total = self.tree.reals[self.place + at.OWN + at.EACH * seat + at.TOTAL]
        return float(total) / self.visits

    def known(self, seat: int) -> Proof | None:
        """What a seat is certain of."""
        own = at.OWN + at.EACH * seat
        known = self._word(own + at.KNOWN)
        if known < 0:
            return None
        value = float(self.tree.reals[self.place + own + at.VALUE])
        return Proof(value, known >> 1, bool(known & 1))


def root_of(tree: Grown) -> Node:
    return Node(tree, int(tree.words[at.ROOT]))
