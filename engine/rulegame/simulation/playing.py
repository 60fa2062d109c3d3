"""Games played one by one with the compiled functions: for what has no state graph that fits, and
for players who are asked move by move.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import gcd
from random import Random

from rulegame.compiling import POINT, SEAT
from rulegame.evaluation.runtime import Cells, Fault
from rulegame.game import Game, GameError, IllegalMove, Move, State
from rulegame.players import Player
from rulegame.simulation.rng import Draws, Seeded
from rulegame.simulation.seats import PERFECT, Seat, SolvedPlayer
from rulegame.simulation.tally import Kind, Tally


class OneByOne:
    """Plays whole games, each from its own draws."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        seeded: Seeded,
        max_moves: int,
        tally: Tally,
        solved: Mapping[int, SolvedPlayer] | None = None,
    ) -> None:
        """`solved` is how a perfect player plays, by who moves first; with none there is no such
        player.
        """
        assert solved or PERFECT not in seats, "perfect play needs the state graph"
        self._game = game
        self._program = game.program
        self._seats = seats
        self._solved = solved or {}
        self._asks = any(not isinstance(seat, str) for seat in seats)
        self._seeded = seeded
        self._limit = max_moves
        self._tally = tally
        self._sums: dict[int, tuple[int, ...]] = {}  # of rolls that are always alike
        self._roll_kinds = {
            number: tally.number[Kind("roll", point.roll.name)]
            for number, point in enumerate(game.program.points)
            if point.roll is not None
        }
        self._kinds = {
            kind.name: number for kind, number in tally.number.items() if kind.sort != "roll"
        }
        self.options = 0  # moves that there were to choose from, in all states together

    def play(self, number: int, first: int) -> None:
        """Plays a game and counts it."""
        moves: list[Move] = []
        try:
            self._play(self._seeded.game(number), first, moves)
        except Fault as fault:
            raise self._explained(self._game.error(fault), moves) from None
        except GameError as error:
            raise self._explained(error, moves) from None

    def _explained(self, error: GameError, moves: Sequence[Move]) -> GameError:
        return GameError(error.diagnostic, [move.text for move in moves])

    def _play(self, draws: Draws, first: int, played: list[Move]) -> None:
        game, program, tally = self._game, self._program, self._tally
        limit = self._limit
        times = [0] * len(tally.kinds)
        cells = program.start[first]
        step = 0
        past: list[tuple[State, Move]] = []  # for those who are asked
        while (point := cells[POINT]) >= 0:
            options = game.moves_at(cells)
            if not options:
                cells = program.stuck(cells)
                continue
            if step == limit:
                break
            self.options += len(options)
            if point in self._roll_kinds:
                move = self._rolled(cells, options, draws, step)
                kind = self._roll_kinds[point]
            else:
                seat = self._seats[cells[SEAT]]
                if not isinstance(seat, str):
                    move = self._asked(seat, cells, past, options, draws, step)
                elif seat == PERFECT:
                    move = self._solved[first].move_at(cells)
                else:
                    move = options[draws.below(len(options), step)]
                kind = self._kinds[move.operation]
            times[kind] += 1
            played.append(move)
            if self._asks:
                past.append((game.resume(cells), move))
            cells = program.play[point](cells, move.codes)
            step += 1
        self._count(cells, first, step, times)

    def _count(self, cells: Cells, first: int, steps: int, times: Sequence[int]) -> None:
        tally = self._tally
        if cells[POINT] < 0:
            tally.end(self._game.outcome_at(cells), first, 1)
            tally.lengths[steps] += 1
        else:
            tally.unfinished[first] += 1
        for kind, count in enumerate(times):
            tally.times[kind] += count
            tally.used[kind] += count > 0

    def _rolled(self, cells: Cells, options: Sequence[Move], draws: Draws, step: int) -> Move:
        point = cells[POINT]
        sums = self._sums.get(point) or self._sums_at(cells)
        ticket = draws.below(sums[-1], step)
        return options[ticket if sums[-1] == len(sums) else bisect_right(sums, ticket)]

    def _sums_at(self, cells: Cells) -> tuple[int, ...]:
        """Whole numbers, as small as can be, in proportion to the probabilities of the events:
        each with those before it.
        """
        point = cells[POINT]
        values, weights = self._program.events[point](cells)
        found: dict[int, int] = {}
        for value, weight in zip(values, weights or [1] * len(values), strict=True):
            if weight > 0:
                found[value] = found.get(value, 0) + weight
        common = gcd(*found.values())
        sums = tuple(accumulate(share // common for share in found.values()))
        if self._game.is_always_alike(point):
            self._sums[point] = sums
        return sums

    def _asked(
        self,
        player: Player,
        cells: Cells,
        past: Sequence[tuple[State, Move]],
        options: Sequence[Move],
        draws: Draws,
        step: int,
    ) -> Move:
        state = self._game.resume(cells)
        move = player.choose(state.view(cells[SEAT], past), Random(draws.words(step)))
        if move not in options:
            reason = state.why_not(move)
            assert reason is not None
            raise IllegalMove(move, reason)
        return move
