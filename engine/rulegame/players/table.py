"""The table at which players try moves out: compiled functions over cells, without `State`s."""

from __future__ import annotations

from random import Random

from rulegame.compiling import POINT, verdicts
from rulegame.evaluation.runtime import Cells, Fault
from rulegame.game import Game, GameError, Move

Codes = tuple[int, ...]
Payoffs = tuple[float, ...]
BROKEN = (Fault, GameError)  # the rules fail: a number too large, nothing to roll
LONGEST = 1000  # moves and rolls of a game that is played out at random


def _is_open(game: Game) -> bool:
    rules = game.ruleset
    secret = any(operation.secret for operation in (*rules.setup, *rules.operations))
    return not secret and all(value.seen_by == "all" for value in rules.state.values())


class FastTable:
    """Moves, rolls and ends of a game. What the rules themselves raise passes through: `BROKEN`."""

    def __init__(self, game: Game) -> None:
        program = game.program
        self.game = game
        self.seats = len(game.players)
        self.plain = all(verdict.payoff is None for verdict in verdicts(game.ruleset))
        self.open = _is_open(game)  # everybody sees everything
        self.opposed = self.plain and self.open and self.seats == 2
        self.rolls = program.events
        self.nothing: Payoffs = (0.0,) * self.seats
        self._play = program.play
        self._turn_moves = program.moves[0]
        self._stuck = program.stuck

    def play(self, cells: Cells, codes: Codes) -> Cells:
        """The cells after a move or a roll."""
        return self._play[cells[POINT]](cells, codes)

    def settle(self, cells: Cells) -> tuple[Cells, tuple[Move, ...]]:
        """What some cells lead to by themselves, and the moves there: none at a roll or an end."""
        point = cells[POINT]
        while point == 0:
            moves: tuple[Move, ...] = self._turn_moves(cells)
            if moves:
                return cells, moves
            cells = self._stuck(cells)
            point = cells[POINT]
        if point < 0 or point in self.rolls:
            return cells, ()
        return cells, self.game.moves_at(cells)

    def advance(self, cells: Cells) -> Cells:
        """What some cells lead to by themselves, as for `settle`; moves of the setup, which may be
        many, are not made.
        """
        return self.settle(cells)[0] if cells[POINT] == 0 else cells

    def roll(self, cells: Cells, rng: Random) -> Codes:
        """What chance brings at some cells."""
        values, weights = self.rolls[cells[POINT]](cells)
        if weights is not None:
            if not values or min(weights) < 0 or not any(weights):
                self.game.moves_at(cells)  # says what is wrong
            return 0, rng.choices(values, weights)[0]
        if not values:
            self.game.moves_at(cells)
        return 0, values[int(rng.random() * len(values))]

    def faces(self, cells: Cells) -> list[tuple[Codes, float]]:
        """All that chance may bring at some cells, with the probabilities."""
        self.game.moves_at(cells)
        return [(move.codes, float(p)) for move, p in self.game.chances_at(cells)]

    def payoffs(self, cells: Cells) -> Payoffs:
        """What the players get at an end."""
        return self.game.outcome_at(cells).payoffs

    def play_out(self, cells: Cells, rng: Random) -> tuple[Payoffs, int]:
        """What a game at random comes to, and how long it goes on; nothing for anyone if it does
        not end soon, or if the rules fail.
        """
        random = rng.random
        play, rolls = self._play, self.rolls
        turn_moves, stuck = self._turn_moves, self._stuck
        steps = 0
        try:
            while steps < LONGEST:
                point = cells[POINT]
                if point == 0:
                    moves = turn_moves(cells)
                    if not moves:
                        cells = stuck(cells)
                        continue
                    codes = moves[int(random() * len(moves))].codes
                elif point < 0:
                    return self.game.outcome_at(cells).payoffs, steps
                elif point in rolls:
                    codes = self.roll(cells, rng)
                else:
                    moves = self.game.moves_at(cells)
                    codes = moves[int(random() * len(moves))].codes
                cells = play[point](cells, codes)
                steps += 1
        except BROKEN:
            pass
        return self.nothing, steps
