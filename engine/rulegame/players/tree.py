"""Monte Carlo tree search where nothing is hidden: UCT, with dice, for any number of players.

What the tree proves, it keeps: a state whose end is certain is not played out again, and what is
won for certain is won the short way.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Final

from rulegame.compiling import POINT, SEAT
from rulegame.game import CHANCE, Move
from rulegame.players.answer import best_answer
from rulegame.players.budget import Budget
from rulegame.players.findings import SHORTER, Finding, Findings, Range, allowed
from rulegame.players.table import BROKEN, Codes, Payoffs, Table
from rulegame.runtime import Cells

END: Final = -2
MOST_NODES: Final = 1_000_000
WINS_SOUGHT: Final = 32  # a state with more moves is not searched for a win at once
TRIALS: Final = 200  # games for each of several moves that are proved equal


class Node:
    """A state in the tree. `proven` is what it comes to, if that is certain, in `away` moves."""

    __slots__ = ("away", "cells", "children", "moves", "proven", "seat", "total", "tried", "visits")

    def __init__(self, table: Table, cells: Cells, rng: Random) -> None:
        self.visits = 0
        self.total = [0.0] * table.seats
        self.away = 0
        self.proven: Payoffs | None = None
        self.moves: list[Move] = []
        self.children: dict[Codes, Node] = {}
        self.tried: list[Node] = []
        self.cells = cells
        try:
            self.cells, moves = table.settle(cells)
        except BROKEN:
            self.seat, self.proven = END, table.nothing
            return
        point = self.cells[POINT]
        if point < 0:
            self.seat, self.proven = END, table.payoffs(self.cells)
        elif moves:
            self.seat = self.cells[SEAT]
            self.moves = list(moves)
            rng.shuffle(self.moves)
        else:
            self.seat = CHANCE

    def seek_win(self, table: Table) -> None:
        """A move that wins at once needs no games at random to be found: it is put first."""
        for number, move in enumerate(self.moves):
            try:
                after = table.play(self.cells, move.codes)
            except BROKEN:
                continue
            if after[POINT] < 0 and table.payoffs(after)[self.seat] >= 1:
                self.proven, self.away = table.payoffs(after), 1
                self.moves[0], self.moves[number] = move, self.moves[0]
                return


class Tree:
    """The tree of one search."""

    def __init__(self, table: Table, cells: Cells, rng: Random) -> None:
        self._table, self._rng = table, rng
        self._range = Range(table.plain)
        self._nodes = 1
        self.root = Node(table, cells, rng)
        if table.plain:
            self.root.seek_win(table)
            self.root.proven = None  # a move is wanted, not only that there is one

    def search(self, budget: Budget) -> Findings:
        """Search as long as the budget lasts, or until it is certain what to play."""
        trial: Trial | None = None
        for _ in budget.rounds():
            if self.root.proven is None:
                self._iterate()
                continue
            if trial is None:
                trial = Trial(self, self._rivals())
            if trial.decided:
                break
            trial.iterate()
        return self._findings(trial)

    # ---- one iteration

    def _iterate(self) -> None:
        node, path = self.root, [self.root]
        while node.proven is None:
            node, new = self._descend(node)
            path.append(node)
            if new:
                break
        if node.proven is not None:
            payoffs = node.proven
        else:
            payoffs = self._play_out(node.cells, len(path))
        self._range.meet(payoffs)
        for visited in path:
            visited.visits += 1
            total = visited.total
            for seat, payoff in enumerate(payoffs):
                total[seat] += payoff
        if node.proven is not None:
            self._prove(path)

    def _play_out(self, cells: Cells, depth: int) -> Payoffs:
        payoffs, steps = self._table.play_out(cells, self._rng)
        if not self._table.plain:
            return payoffs
        share = SHORTER ** (depth + steps)
        return tuple([payoff * share for payoff in payoffs])

    def _descend(self, node: Node) -> tuple[Node, bool]:
        """The next node on the way down, and whether it is new."""
        if node.seat == CHANCE:
            try:
                codes = self._table.roll(node.cells, self._rng)
            except BROKEN:
                node.proven = self._table.nothing
                return node, True
            child = node.children.get(codes)
            return (self._grow(node, codes), True) if child is None else (child, False)
        count = len(node.tried)
        if count < len(node.moves) and count < allowed(node.visits):
            return self._grow(node, node.moves[count].codes), True
        return self._select(node), False

    def _grow(self, node: Node, codes: Codes) -> Node:
        try:
            child = Node(self._table, self._table.play(node.cells, codes), self._rng)
        except BROKEN:
            child = Node(self._table, node.cells, self._rng)
            child.proven = self._table.nothing
        if self._seeks_win(child):
            child.seek_win(self._table)
        if self._nodes < MOST_NODES or node is self.root:
            self._nodes += 1
            node.children[codes] = child
            node.tried.append(child)
        return child

    def _seeks_win(self, node: Node) -> bool:
        return self._table.plain and node.seat >= 0 and len(node.moves) <= WINS_SOUGHT

    def _select(self, node: Node) -> Node:
        """The child with the best mean, uncertainty added; those proved lost only if all are."""
        seat = node.seat
        exploration = self._range.exploration
        least, whole = self._range.low, log(node.visits + 1)
        best, best_score = node.tried[0], -float("inf")
        for child in node.tried:
            visits = child.visits
            if child.proven is None:
                score = child.total[seat] / visits + exploration * sqrt(whole / visits)
            else:
                score = child.proven[seat]
                if score > least:
                    score += exploration * sqrt(whole / visits)
            if score > best_score:
                best, best_score = child, score
        return best

    # ---- proofs

    def _prove(self, path: list[Node]) -> None:
        """Carry a proof upward from the last node of a path, as far as it reaches."""
        for node in reversed(path[:-1]):
            if node.proven is None:
                proved = self._prove_roll(node) if node.seat == CHANCE else self._prove_choice(node)
                if not proved:
                    return

    def _prove_choice(self, node: Node) -> bool:
        """The player takes a certain win, or the best of what is left when all is known."""
        seat, best = node.seat, None
        for child in node.tried:
            if child.proven is None:
                continue
            if best is None or _preference(child, seat) > _preference(best, seat):
                best = child
        if best is None or best.proven is None:
            return False
        won = self._table.plain and best.proven[seat] >= 1
        whole = len(node.tried) == len(node.moves) and all(
            child.proven is not None for child in node.tried
        )
        if won or whole:
            node.proven, node.away = best.proven, best.away + 1
        return node.proven is not None

    def _prove_roll(self, node: Node) -> bool:
        """What the dice come to on average, when all that they can bring is known."""
        if any(child.proven is None for child in node.tried):
            return False
        faces = self._table.faces(node.cells)
        if len(node.children) < len(faces):
            return False
        known = [node.children[codes].proven or () for codes, _ in faces]
        if len(set(known)) == 1:
            node.proven = known[0]
        else:
            node.proven = tuple(
                sum(p * payoffs[seat] for (_, p), payoffs in zip(faces, known, strict=True))
                for seat in range(self._table.seats)
            )
        node.away = 1 + max(child.away for child in node.tried)
        return True

    # ---- the result

    def _rivals(self) -> list[Move]:
        """The moves of a proved root between which the proof does not decide."""
        root = self.root
        assert root.proven is not None
        value = root.proven[root.seat]
        best = [n for n in root.tried if n.proven is not None and n.proven[root.seat] == value]
        if self._table.plain and value >= 1:
            best = [min(best, key=lambda child: child.away)]
        return [move for move in root.moves if root.children.get(move.codes) in best]

    def _findings(self, trial: Trial | None) -> Findings:
        root, seat = self.root, self.root.seat
        found = []
        for move in root.moves:
            child = root.children.get(move.codes)
            if child is None or not child.visits:
                found.append(Finding(move, None, 0, False, None))
            elif child.proven is not None:
                away = child.away + 1
                found.append(Finding(move, child.proven[seat], child.visits, True, away))
            else:
                value = child.total[seat] / child.visits
                found.append(Finding(move, value, child.visits, False, None))
        return Findings(self._best(trial), tuple(found))

    def _best(self, trial: Trial | None) -> Move:
        root, seat = self.root, self.root.seat
        if root.proven is not None:
            return trial.best if trial is not None else self._rivals()[0]
        least = self._range.low
        open_ = [n for n in root.tried if n.proven is None or n.proven[seat] > least]
        best = max(open_ or root.tried, key=lambda child: child.visits)
        return next(m for m in root.moves if root.children.get(m.codes) is best)


class Trial(Tree):
    """Which of several moves that are proved equal is the hardest for opponents who err: reckoned
    out if that is feasible, and otherwise a search in which they choose at random.
    """

    def __init__(self, proof: Tree, rivals: list[Move]) -> None:
        super().__init__(proof._table, proof.root.cells, proof._rng)
        self.root.moves = rivals
        self._left = TRIALS * len(rivals)
        self._reckoned = (
            best_answer(self._table, self.root.cells, rivals) if len(rivals) > 1 else rivals[0]
        )

    @property
    def decided(self) -> bool:
        """Whether more iterations would be wasted."""
        return self._reckoned is not None or not self._left

    @property
    def best(self) -> Move:
        """The move that did best."""
        if self._reckoned is not None:
            return self._reckoned
        if not self.root.tried:
            return self.root.moves[0]
        best = max(self.root.tried, key=lambda child: child.visits)
        return next(m for m in self.root.moves if self.root.children.get(m.codes) is best)

    def iterate(self) -> None:
        """One more game."""
        self._left -= 1
        self._iterate()

    def _descend(self, node: Node) -> tuple[Node, bool]:
        if node.seat in (CHANCE, self.root.seat):
            return super()._descend(node)
        codes = node.moves[int(self._rng.random() * len(node.moves))].codes
        child = node.children.get(codes)
        return (self._grow(node, codes), True) if child is None else (child, False)

    def _seeks_win(self, node: Node) -> bool:
        return node.seat == self.root.seat and super()._seeks_win(node)

    def _prove(self, path: list[Node]) -> None:
        """Against chance nothing is proved but what has ended."""


def _preference(node: Node, seat: int) -> tuple[float, int]:
    """What a player prefers among what is certain: more, and of wins the quick, of losses the
    slow ones.
    """
    assert node.proven is not None
    value = node.proven[seat]
    return value, -node.away if value > 0 else node.away
