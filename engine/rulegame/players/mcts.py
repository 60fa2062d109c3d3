"""Monte Carlo tree search where nothing is hidden: UCT, with dice, for any number of players.

What the tree proves (see `proofs`), it keeps: a state whose end is certain is not played out again,
what is won for certain is won the short way, and what is lost is held as long as possible.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Final

from rulegame.compiling import CHANCE, OVER, Cells, Fault
from rulegame.players.answer import best_answer
from rulegame.players.budget import Budget
from rulegame.players.distance import longest_resistance
from rulegame.players.findings import SHORTER, Findings, PayoffRange, SearchResult, allowed
from rulegame.players.proofs import WIN, Proof, Prover
from rulegame.players.table import FastTable, Payoffs

MOST_NODES: Final = 1_000_000
WINS_SOUGHT: Final = 32  # a state with more moves is not searched for a win at once
TRIALS: Final = 200  # games for each of several moves that are proved equal


class Node:
    """A state in the tree. `known` is what each seat gets for certain, and `shared` what two get
    together for certain; of a state in which the rules fail nothing is known.
    """

    __slots__ = (
        "cells", "children", "known", "options", "seat", "settled", "shared", "total", "tried",
        "visits",
    )  # fmt: skip

    def __init__(self, table: FastTable, cells: Cells, rng: Random) -> None:
        self.visits = 0
        self.total = [0.0] * table.seats
        self.known: list[Proof | None] = [None] * table.seats
        self.shared: float | None = 0.0 if table.opposed else None
        self.settled = False  # nothing is left to find out
        self.options: list[int] = []  # the codes of the moves, at random
        self.children: dict[int, Node] = {}
        self.tried: list[Node] = []
        self.cells = cells
        try:
            self.cells, options, self.seat = table.settle(cells)
        except Fault:
            self.fail()
            return
        if self.seat == OVER:
            payoffs = table.payoffs(self.cells)
            self.shared = sum(payoffs) if table.seats == 2 else None
            self.learn([Proof(payoff, 0, True) for payoff in payoffs])
        elif self.seat != CHANCE:
            self.options = list(options)
            rng.shuffle(self.options)

    def fail(self) -> None:
        """The rules fail here: the game comes to nothing, and nothing is proved by it."""
        self.seat, self.settled, self.shared = OVER, True, None

    def learn(self, known: list[Proof | None]) -> bool:
        """Keep what has been proved; whether that is more than before."""
        more = sum(proof is not None for proof in known) > sum(p is not None for p in self.known)
        self.known = known
        self.settled = self.settled or None not in known
        return more

    @property
    def worth(self) -> Payoffs:
        """What a settled state comes to; nothing for anyone where the rules fail."""
        return tuple([0.0 if proof is None else proof.value for proof in self.known])

    def seek_win(self, table: FastTable) -> bool:
        """A move that wins at once needs no games at random to be found: it is put first."""
        for number, code in enumerate(self.options):
            try:
                after = table.step(self.cells, code)
            except Fault:
                continue
            if table.player(after) == OVER and table.payoffs(after)[self.seat] >= WIN:
                self.options[0], self.options[number] = code, self.options[0]
                return True
        return False


class SearchTree:
    """The tree of one search."""

    def __init__(self, table: FastTable, cells: Cells, rng: Random) -> None:
        self._table, self._rng = table, rng
        self._range = PayoffRange(table.plain)
        self._prover = Prover(table)
        self._nodes = 1
        self.root = Node(table, cells, rng)
        if table.plain:
            self.root.seek_win(table)  # which is not proved before it is tried: a move is wanted

    def search(self, budget: Budget) -> Findings:
        """Search as long as the budget lasts, or until it is certain what to play."""
        trial: Trial | None = None
        for _ in budget.rounds():
            if self._certain is None:
                self._iterate()
                continue
            if trial is None:
                trial = Trial(self, self._rivals())
            if trial.decided:
                break
            trial.iterate()
        return self._findings(trial)

    @property
    def _certain(self) -> Proof | None:
        """What the player who searches is certain of."""
        return self.root.known[self.root.seat]

    # ---- one iteration

    def _iterate(self) -> None:
        node, path = self.root, [self.root]
        while not node.settled:
            node, new = self._descend(node)
            path.append(node)
            if new:
                break
        if node.settled:
            payoffs = node.worth
        else:
            payoffs = self._play_out(node.cells, len(path))
        self._range.meet(payoffs)
        for visited in path:
            visited.visits += 1
            total = visited.total
            for seat, payoff in enumerate(payoffs):
                total[seat] += payoff
        if any(node.known):
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
                code = self._table.roll(node.cells, self._rng)
            except Fault:
                node.fail()
                return node, True
            child = node.children.get(code)
            return (self._grow(node, code), True) if child is None else (child, False)
        if self._prover.is_won(node.known[node.seat]):
            return self._take_win(node)
        count = len(node.tried)
        if count < len(node.options) and count < allowed(node.visits):
            return self._grow(node, node.options[count]), True
        return self._select(node), False

    def _grow(self, node: Node, code: int) -> Node:
        try:
            child = Node(self._table, self._table.step(node.cells, code), self._rng)
        except Fault:
            child = Node(self._table, node.cells, self._rng)
            child.fail()
        if self._seeks_win(child) and child.seek_win(self._table):
            child.learn(self._prover.won_at_once(child.seat))
        if self._nodes < MOST_NODES or node is self.root:
            self._nodes += 1
            node.children[code] = child
            node.tried.append(child)
        return child

    def _take_win(self, node: Node) -> tuple[Node, bool]:
        """The way of a player who has a certain win; what the others get there is left to find."""
        won = [n for n in node.tried if self._prover.is_won(n.known[node.seat])]
        if not won:  # it was seen that the first move wins
            return self._grow(node, node.options[0]), True
        return min(won, key=lambda child: _away(child, node.seat)), False

    def _seeks_win(self, node: Node) -> bool:
        return self._table.plain and node.seat >= 0 and len(node.options) <= WINS_SOUGHT

    def _select(self, node: Node) -> Node:
        """The child with the best mean, uncertainty added; those proved lost only if all are."""
        seat = node.seat
        exploration = self._range.exploration
        least, whole = self._range.low, log(node.visits + 1)
        best, best_score = node.tried[0], -float("inf")
        for child in node.tried:
            visits = child.visits
            proof = child.known[seat]
            if proof is None:
                score = child.total[seat] / visits + exploration * sqrt(whole / visits)
            else:
                score = proof.value
                if score > least:
                    score += exploration * sqrt(whole / visits)
            if score > best_score:
                best, best_score = child, score
        return best

    # ---- proofs

    def _prove(self, path: list[Node]) -> None:
        """Carry what is certain at the last node of a path upward, as far as it reaches."""
        for node in reversed(path[:-1]):
            if node.seat == CHANCE:
                faces = self._faces(node)
                if faces is None:
                    return
                node.shared = self._prover.shared(node)
                known = self._prover.roll(node, faces)
            else:
                node.shared = self._prover.shared(node)
                known = self._prover.choice(node)
            if not node.learn(known):
                return

    def _faces(self, node: Node) -> list[tuple[Node, float]] | None:
        """What a roll can bring, with the chances, if all of it is known to someone."""
        if not all(any(child.known) for child in node.tried):
            return None
        faces = self._table.faces(node.cells)
        if len(node.children) < len(faces):
            return None
        return [(node.children[code], chance) for code, chance in faces]

    # ---- the result

    def _rivals(self) -> list[int]:
        """The moves of a proved root between which the proof does not decide."""
        root, seat, certain = self.root, self.root.seat, self._certain
        assert certain is not None
        proofs = [(child, child.known[seat]) for child in root.tried]
        best = [child for child, proof in proofs if proof and proof.value == certain.value]
        if self._prover.is_won(certain):
            best = [min(best, key=lambda child: _away(child, seat))]
        rivals = [code for code in root.options if root.children.get(code) in best]
        if self._prover.is_lost(certain) and len(rivals) > 1:
            return longest_resistance(self._table, root.cells, rivals)
        return rivals

    def _findings(self, trial: Trial | None) -> Findings:
        root, seat, game = self.root, self.root.seat, self._table.game
        found = []
        for code in root.options:
            move, child = game.move_of(code), root.children.get(code)
            if child is None or not child.visits:
                found.append(SearchResult(move, None, 0, None))
                continue
            proof = child.known[seat]
            value = child.total[seat] / child.visits
            if proof is not None:
                proof, value = proof._replace(away=proof.away + 1), proof.value
            found.append(SearchResult(move, value, child.visits, proof))
        return Findings(game.move_of(self._best(trial)), tuple(found))

    def _best(self, trial: Trial | None) -> int:
        root, seat = self.root, self.root.seat
        if self._certain is not None:
            return trial.best if trial is not None else self._rivals()[0]
        least = self._range.low
        unknown = [child for child in root.tried if child.known[seat] is None]
        known = [p for p in (child.known[seat] for child in root.tried) if p and p.value > least]
        most = max(unknown, key=lambda child: child.visits, default=None)
        sure = max((p.value for p in known), default=None)
        if most is None and sure is None and len(root.tried) < len(root.options):
            return root.options[len(root.tried)]  # all that was tried is lost
        if sure is not None and (most is None or sure >= most.total[seat] / most.visits):
            best = next(n for n in root.tried if (p := n.known[seat]) and p.value == sure)
        else:
            best = most or max(root.tried, key=lambda child: child.visits)
        return next(code for code in root.options if root.children.get(code) is best)


class Trial(SearchTree):
    """Which of several moves that are proved equal is the hardest for opponents who err: reckoned
    out if that is feasible, and otherwise a search in which they choose at random.
    """

    def __init__(self, proof: SearchTree, rivals: list[int]) -> None:
        super().__init__(proof._table, proof.root.cells, proof._rng)
        self.root.options = rivals
        self._left = TRIALS * len(rivals)
        self._reckoned = (
            best_answer(self._table, self.root.cells, rivals) if len(rivals) > 1 else rivals[0]
        )

    @property
    def decided(self) -> bool:
        """Whether more iterations would be wasted."""
        return self._reckoned is not None or not self._left

    @property
    def best(self) -> int:
        """The move that did best."""
        if self._reckoned is not None:
            return self._reckoned
        if not self.root.tried:
            return self.root.options[0]
        best = max(self.root.tried, key=lambda child: child.visits)
        return next(c for c in self.root.options if self.root.children.get(c) is best)

    def iterate(self) -> None:
        """One more game."""
        self._left -= 1
        self._iterate()

    def _descend(self, node: Node) -> tuple[Node, bool]:
        if node.seat in (CHANCE, self.root.seat):
            return super()._descend(node)
        code = node.options[int(self._rng.random() * len(node.options))]
        child = node.children.get(code)
        return (self._grow(node, code), True) if child is None else (child, False)

    def _seeks_win(self, node: Node) -> bool:
        return node.seat == self.root.seat and super()._seeks_win(node)

    def _prove(self, path: list[Node]) -> None:
        """Against chance nothing is proved but what has ended."""


def _away(node: Node, seat: int) -> int:
    """How far the end is that a seat is certain of."""
    proof = node.known[seat]
    assert proof is not None
    return proof.away
