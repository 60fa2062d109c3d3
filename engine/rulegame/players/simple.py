"""The players that hardly think: one at random, and one that looks a single move ahead."""

from __future__ import annotations

from random import Random
from typing import Final

from rulegame.compiling import CHANCE, OVER, Cells, Fault
from rulegame.game import Game, Move, View
from rulegame.players.beliefs import Belief, BeliefBudget, believing
from rulegame.players.budget import Budget, Pace
from rulegame.players.interface import SlicedPlayer
from rulegame.players.mixes import Drawn, Mix, NoChance, alike
from rulegame.players.slices import Thinking, finish
from rulegame.players.table import FastTable

MOST_FACES: Final = 1000  # rolls that are reckoned through for one move; beyond, some are drawn
MOST_STATES: Final = 40  # hidden possibilities that are reckoned through for one move
MOST_PLAYS: Final = 20_000  # of all moves in all possibilities
ALL: Final = Budget()  # whatever time it takes

Worth = tuple[float, float]  # the result (win 1, loss -1), and the payoff; both expected


class RandomPlayer:
    """Each valid move is as likely as the others."""

    note = None

    def choose(self, view: View, rng: Random) -> Move:
        return rng.choice(view.moves)

    def mix(self, view: View) -> Mix:
        """Every move alike."""
        return alike(view.moves)


class GreedyPlayer(SlicedPlayer):
    """Takes a win, avoids a loss, if the one or the other comes with this move; otherwise it plays
    at random. In a limited time it looks at fewer possibilities.
    """

    note = None
    budget = ALL

    def thinking(self, view: View, rng: Random) -> Thinking[Move]:
        if len(view.moves) == 1:
            return view.moves[0]
        return rng.choice((yield from self._best(view, rng, Pace(self.budget))))

    def mix(self, view: View) -> Mix | None:
        """The best moves alike; None where too much is possible to be reckoned through."""
        try:
            return alike(finish(self._best(view, NoChance(), Pace(ALL))))
        except Drawn:
            return None

    def _best(self, view: View, rng: Random, pace: Pace) -> Thinking[list[Move]]:
        moves = view.moves
        belief = yield from believing(view, rng, pace)
        states = _considered(view.game, belief, len(moves), rng)
        look = _Look(view.game.companion(FastTable), view.seat, rng)
        codes = [view.game.code_of(move) for move in moves]
        worths: list[list[Worth]] = [[] for _ in moves]
        for cells in states:
            for code, worth in zip(codes, worths, strict=True):
                if not pace.lasts(0):
                    break
                worth.append(look.after(cells, code))
                yield from pace.rest()
        means = [_mean(worth) for worth in worths]
        best = max(means)
        return [m for m, worth in zip(moves, means, strict=True) if worth == best]


def _considered(game: Game, belief: Belief, moves: int, rng: Random) -> list[Cells]:
    """The states that are possible, or some of them: fewer where the rules are slow."""
    if len(belief) == 1:
        return list(belief.states)
    plays = min(MOST_PLAYS, game.companion(BeliefBudget).plays)
    most = max(1, min(MOST_STATES, plays // moves))
    if len(belief) <= most:
        return list(belief.states)
    return [belief.draw(rng) for _ in range(most)]


def _mean(worths: list[Worth]) -> Worth:
    """Rounded, so that equal moves stay equal whatever the order of the sums."""
    count = len(worths) or 1
    return (
        round(sum(result for result, _ in worths) / count, 9),
        round(sum(payoff for _, payoff in worths) / count, 9),
    )


class _Look:
    """What one move leads to, dice included, before anyone decides again."""

    def __init__(self, table: FastTable, seat: int, rng: Random) -> None:
        self._table, self._seat, self._rng = table, seat, rng

    def after(self, cells: Cells, code: int) -> Worth:
        """What a move is worth if only an end that comes at once counts."""
        try:
            return self._worth(self._table.step(cells, code), MOST_FACES)
        except Fault:
            return (0.0, 0.0)

    def _worth(self, cells: Cells, faces: int) -> Worth:
        table = self._table
        cells = table.kernel.advance(cells)
        player = table.player(cells)
        if player == OVER:
            return self._end(cells)
        if player != CHANCE:
            return (0.0, 0.0)
        if faces <= 1:
            return self._worth(table.step(cells, table.roll(cells, self._rng)), 1)
        rolled = table.faces(cells)
        if len(rolled) > faces:
            rolled = [(table.roll(cells, self._rng), 1 / faces) for _ in range(faces)]
        result = payoff = 0.0
        for code, chance in rolled:
            worth = self._worth(table.step(cells, code), faces // len(rolled))
            result += chance * worth[0]
            payoff += chance * worth[1]
        return result, payoff

    def _end(self, cells: Cells) -> Worth:
        outcome = self._table.kernel.outcome(cells)
        result = (self._seat in outcome.winners) - (self._seat in outcome.losers)
        return float(result), float(outcome.payoffs[self._seat])
