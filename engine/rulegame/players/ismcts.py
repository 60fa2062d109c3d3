"""Monte Carlo tree search over information sets, for games in which something is hidden.

Each iteration draws a whole state that agrees with what the seat has seen, and plays it with one
tree for each seat: a player decides in the tree of its own, which knows only what that seat would
have seen. So nobody in the tree knows what is hidden from them, either.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random

from rulegame.compiling import CHANCE, OVER, Cells, Codes, Fault
from rulegame.game import View
from rulegame.game.visibility import Glimpse, Sight
from rulegame.players.beliefs import Belief
from rulegame.players.budget import Pace
from rulegame.players.findings import SHORTER, Findings, PayoffRange, SearchResult, allowed
from rulegame.players.machinery import Machinery
from rulegame.players.rollouts import Rollouts
from rulegame.players.slices import Thinking
from rulegame.players.table import FastTable, Payoffs


class Edge:
    """A move of a player who does not know the whole state. It is not always valid: `available`
    counts how often it could have been chosen.
    """

    __slots__ = ("available", "total", "visits")

    def __init__(self) -> None:
        self.visits = self.available = 0
        self.total = 0.0


class InformationSet:
    """What one seat has seen since the root."""

    __slots__ = ("edges", "following", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.edges: dict[int, Edge] = {}
        self.following: dict[Glimpse, InformationSet] = {}

    def after(self, seen: Glimpse) -> InformationSet:
        """The point after something that was seen; `()` if it was hidden."""
        point = self.following.get(seen)
        if point is None:
            point = self.following[seen] = InformationSet()
        return point


class Forest:
    """The trees of one search, one for each seat."""

    def __init__(self, table: FastTable, view: View, belief: Belief, rng: Random) -> None:
        self._table, self._rng, self._belief = table, rng, belief
        self._kernel = table.kernel
        self._view, self._seat = view, view.seat
        self._machinery = view.game.companion(Machinery)
        self._rollouts = view.game.companion(Rollouts)
        self._sight = view.game.companion(Sight)
        self._range = PayoffRange(table.plain)
        self._roots = [InformationSet() for _ in range(table.seats)]

    def search(self, pace: Pace) -> Thinking[Findings]:
        """Search as long as the budget lasts."""
        pace.restart()
        while iterations := pace.slice:
            began = pace.now
            for _ in range(iterations):
                self._iterate(self._belief.draw(self._rng))
            self._machinery.think(pace.now - began)
            yield from pace.spend(iterations)
        return self._findings()

    def _iterate(self, cells: Cells) -> None:
        """One game: down the trees until something is new, then at random to the end."""
        path: list[tuple[int, Edge]] = []
        points = list(self._roots)
        waiting = self._waiting(cells)  # moves that others see when all have chosen
        payoffs: Payoffs | None = None
        new = False
        try:
            while not new:
                cells, options, player = self._table.settle(cells)
                if waiting and not self._kernel.chosen(cells):
                    points = self._revealed(points, waiting)
                    waiting = []
                if player == OVER:
                    payoffs = self._table.payoffs(cells)
                    break
                if player == CHANCE:
                    code = self._table.roll(cells, self._rng)
                else:
                    code, new = self._decide(points[player], options, player, path)
                if self._is_unseen(cells, player):
                    waiting.append((cells, code))
                    points = self._chosen(points, player, code)
                else:
                    points = self._seen(points, cells, code)
                cells = self._table.step(cells, code)
        except Fault:
            payoffs = self._table.nothing
        self._learn(path, payoffs, cells)

    def _seen(self, points: list[InformationSet], cells: Cells, code: int) -> list[InformationSet]:
        """Where each seat is in its tree after a move, or a roll, of which it saw what it may."""
        sight, move = self._sight, self._table.game.move_of(code)
        number = self._table.kernel.number(cells)
        following = []
        for seat, point in enumerate(points):
            if not sight.notices(cells, seat):
                following.append(point)
                continue
            glimpse = sight.glimpse(cells, move, seat)
            following.append(point.after((number, *glimpse) if glimpse else ()))
        return following

    def _waiting(self, cells: Cells) -> list[tuple[Cells, int]]:
        """The moves of this turn that have been chosen already."""
        kernel = self._kernel
        chosen = kernel.chosen(cells)
        return [((seat, *cells[1:]), kernel.code_chosen(cells, seat)) for seat in chosen]

    def _is_unseen(self, cells: Cells, player: int) -> bool:
        """Whether a move is chosen at once with those of others."""
        together = self._kernel.ruleset.together is not None
        return together and player != CHANCE and self._kernel.point(cells).kind == "turn"

    def _chosen(self, points: list[InformationSet], player: int, code: int) -> list[InformationSet]:
        """Where each seat is after a move of which others see only that it was made."""
        own = (0, *self._table.game.move_of(code).codes)
        return [p.after(own if seat == player else ()) for seat, p in enumerate(points)]

    def _revealed(
        self, points: list[InformationSet], waiting: list[tuple[Cells, int]]
    ) -> list[InformationSet]:
        """Where each seat is when all have chosen, and it sees what it may of each move."""
        for cells, code in waiting:
            points = self._seen(points, cells, code)
        return points

    def _learn(self, path: list[tuple[int, Edge]], payoffs: Payoffs | None, cells: Cells) -> None:
        if payoffs is None:
            payoffs, steps = self._rollouts.play(cells, self._rng)
            if self._table.plain:
                share = SHORTER ** (len(path) + steps)
                payoffs = tuple([payoff * share for payoff in payoffs])
        self._range.meet(payoffs)
        for seat, edge in path:
            edge.visits += 1
            edge.total += payoffs[seat]

    def _decide(
        self,
        point: InformationSet,
        options: Codes,
        seat: int,
        path: list[tuple[int, Edge]],
    ) -> tuple[int, bool]:
        """What a seat chooses out of its valid moves, and whether it is tried the first time."""
        edges = point.edges
        point.visits += 1
        known: list[tuple[int, Edge]] = []
        fresh: list[int] = []
        for code in options:
            edge = edges.get(code)
            if edge is None:
                fresh.append(code)
            else:
                known.append((code, edge))
        if fresh and (not known or len(known) < allowed(point.visits)):
            code = fresh[int(self._rng.random() * len(fresh))]
            edges[code] = edge = Edge()
            known.append((code, edge))
            new = True
        else:
            code, edge = self._select(known)
            new = False
        for _, one in known:
            one.available += 1
        path.append((seat, edge))
        return code, new

    def _select(self, known: list[tuple[int, Edge]]) -> tuple[int, Edge]:
        exploration = self._range.exploration
        best, best_score = known[0], -float("inf")
        for pair in known:
            edge = pair[1]
            visits = edge.visits or 1
            score = edge.total / visits + exploration * sqrt(log(edge.available + 1) / visits)
            if score > best_score:
                best, best_score = pair, score
        return best

    def _findings(self) -> Findings:
        edges = self._roots[self._seat].edges
        found = []
        for move in self._view.moves:
            edge = edges.get(self._table.game.code_of(move))
            if edge is None or not edge.visits:
                found.append(SearchResult(move, None, 0, None))
            else:
                value = edge.total / edge.visits
                found.append(SearchResult(move, value, edge.visits, None))
        best = max(found, key=lambda finding: finding.visits)
        return Findings(best.move, tuple(found))
