"""Monte Carlo tree search where nothing is hidden: what to make of a tree (`native.kernels`).

What the tree proves (see `proofs`), it keeps: a state whose end is certain is not played out again,
what is won for certain is won the short way, and what is lost is held as long as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rulegame.compiling import Cells
from rulegame.native.kernels import tree as at
from rulegame.players.distance import longest_resistance
from rulegame.players.findings import Findings, SearchResult
from rulegame.players.proofs import LOSS, WIN, Proof
from rulegame.players.table import FastTable
from rulegame.players.tree_memory import NOBODY, Grown, Node, root_of

TRIALS: Final = 200  # games for each of several moves that are proved equal

Sprout = Callable[[FastTable, int, int], Grown]  # a tree to grow, by the seed and the hunter


class SearchTree:
    """The tree of one search, seen from its root."""

    def __init__(self, table: FastTable, cells: Cells, sprout: Sprout, seed: int) -> None:
        self.table, self.sprout, self.seed = table, sprout, seed
        self.cells, self.codes, self.seat = table.settle(cells)
        self._tree = sprout(table, seed, NOBODY)
        self._tree.plant(self.cells)
        self.root = root_of(self._tree)

    def grow(self, iterations: int) -> int:
        """How many iterations there were: fewer if it is certain what to play."""
        return self._tree.grow(iterations)

    @property
    def certain(self) -> Proof | None:
        """What the player who searches is certain of."""
        return self.root.known(self.seat)

    def rivals(self, seconds: float) -> list[int]:
        """The moves of a proved root between which the proof does not decide; if there is time for
        it, how long a lost game can be held is worked out.
        """
        certain = self.certain
        assert certain is not None
        proofs = [(child, child.known(self.seat)) for child in self.root.tried]
        best = [(n, p) for n, p in proofs if p is not None and p.value == certain.value]
        if self.table.plain and certain.value >= WIN:
            best = [min(best, key=lambda pair: pair[1].away)]
        lost = self.table.plain and certain.value <= LOSS
        if lost and not seconds:
            longest = max(proof.away for _, proof in best)
            best = [pair for pair in best if pair[1].away == longest]
        rivals = [self.codes[child.option] for child, _ in best]
        if lost and len(rivals) > 1 and seconds:
            return longest_resistance(self.table, self.cells, rivals, seconds)
        return rivals

    def findings(self, best: int | None) -> Findings:
        """All moves; the best is the given one, or the one that the tree tells."""
        game = self.table.game
        nodes = {child.option: child for child in self.root.tried}
        found = [self._result(code, nodes.get(option)) for option, code in enumerate(self.codes)]
        return Findings(game.move_of(self._best() if best is None else best), tuple(found))

    def _result(self, code: int, child: Node | None) -> SearchResult:
        move = self.table.game.move_of(code)
        if child is None or not child.visits:
            return SearchResult(move, None, 0, None)
        proof = child.known(self.seat)
        if proof is None:
            return SearchResult(move, child.mean(self.seat), child.visits, None)
        return SearchResult(move, proof.value, child.visits, proof._replace(away=proof.away + 1))

    def _best(self) -> int:
        if self.certain is not None:
            return self.rivals(0)[0]
        seat, tried = self.seat, list(self.root.tried)
        least = float(self._tree.reals[at.LOW])
        unknown = [child for child in tried if child.known(seat) is None]
        sure = [(p, n) for n in tried if (p := n.known(seat)) is not None and p.value > least]
        most = max(unknown, key=lambda child: child.visits, default=None)
        surest = max(sure, key=lambda pair: pair[0].value, default=None)
        if most is None and surest is None and len(tried) < len(self.codes):
            return self.codes[self.root.option_of(len(tried))]  # all that was tried is lost
        if surest is not None and (most is None or surest[0].value >= most.mean(seat)):
            best = surest[1]
        else:
            best = most or max(tried, key=lambda child: child.visits)
        return self.codes[best.option]


class Trial:
    """Which of several moves that are proved equal is the hardest for opponents who err, by a
    search in which they choose at random.
    """

    def __init__(self, proof: SearchTree, rivals: Sequence[int]) -> None:
        self._codes = proof.codes
        self._best = rivals[0]
        self._left = TRIALS * len(rivals)
        self._tree = proof.sprout(proof.table, proof.seed + 1 & 2**64 - 1, proof.seat)
        self._tree.plant(proof.cells)
        self._order([proof.codes.index(code) for code in rivals])

    def _order(self, options: Sequence[int]) -> None:
        """Only these are tried at the root."""
        root, free = root_of(self._tree).place, int(self._tree.words[at.FREE])
        self._tree.put(free, options)
        self._tree.put(at.FREE, [free + len(options)])
        self._tree.put(root + at.COUNT, [len(options)])
        self._tree.put(root + at.ORDER, [free])

    @property
    def decided(self) -> bool:
        """Whether more iterations would be wasted."""
        return not self._left

    def grow(self, iterations: int) -> int:
        """So many games more; how many there were."""
        games = self._tree.grow(min(iterations, self._left))
        self._left -= games
        best = max(root_of(self._tree).tried, key=lambda child: child.visits)
        self._best = self._codes[best.option]
        return games

    @property
    def best(self) -> int:
        """The move that did best."""
        return self._best
