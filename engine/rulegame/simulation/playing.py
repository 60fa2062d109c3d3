"""Games played one by one with the compiled functions: for what has no state graph that fits, and
for players who are asked move by move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from rulegame.compiling import CHANCE, OVER, Cells, Codes
from rulegame.game import Game, GameError, IllegalMove, Move, State
from rulegame.players import Player
from rulegame.simulation.rng import Draws, Seeded
from rulegame.simulation.seats import PERFECT, RANDOM, Seat
from rulegame.simulation.tally import Tally

if TYPE_CHECKING:
    from rulegame.simulation.solved import SolvedPlayer


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
        tell: Callable[[], None] | None = None,
    ) -> None:
        """`solved` is how a perfect player plays, by who moves first; with none there is no such
        player. `tell` is called before somebody is asked for a move, which may take long.
        """
        assert solved or PERFECT not in seats, "perfect play needs the state graph"
        self._game = game
        self._tell = tell
        self._seats = [RANDOM if seat == RANDOM else seat for seat in seats]
        self._solved = solved or {}
        self._asks = any(not isinstance(seat, str) for seat in seats)
        self._seeded = seeded
        self._limit = max_moves
        self._tally = tally
        self._kinds: dict[int, int] = {}  # by the code

    def play(self, number: int, first: int) -> None:
        """Plays a game and counts it."""
        played: list[int] = []
        try:
            with self._game.telling_faults():
                self._play(self._seeded.game(number), first, played)
        except GameError as error:
            moves = self._game.moves_of(tuple(played))
            raise GameError(error.diagnostic, [move.text for move in moves]) from None

    def _play(self, draws: Draws, first: int, played: list[int]) -> None:
        kernel, times = self._game.kernel, [0] * len(self._tally.kinds)
        past: list[tuple[State, Move]] = []  # for those who are asked
        roll, below, kinds = kernel.roll, draws.below, self._kinds

        def choose(cells: Cells, options: Codes, player: int, step: int) -> int:
            draws.step = step
            seat = RANDOM if player == CHANCE else self._seats[player]
            if seat is RANDOM:
                code = roll(cells, below) if player == CHANCE else options[below(len(options))]
            elif isinstance(seat, str):
                code = self._game.code_of(self._solved[first].move_at(cells))
            else:
                code = self._asked(seat, cells, past, draws)
            kind = kinds.get(code)
            times[self._kind(player, code) if kind is None else kind] += 1
            played.append(code)
            if self._asks:
                past.append((self._game.resume(cells), self._game.move_of(code)))
            return code

        cells, steps = kernel.run(kernel.start(first), choose, self._limit)
        self._count(cells, first, steps, times)

    def _kind(self, player: int, code: int) -> int:
        """What a move or a roll is counted as, when it is met for the first time."""
        name = self._game.kernel.actions[code].name
        self._kinds[code] = known = next(
            number
            for kind, number in self._tally.number.items()
            if kind.name == name and (kind.sort == "roll") == (player == CHANCE)
        )
        return known

    def _count(self, cells: Cells, first: int, steps: int, times: Sequence[int]) -> None:
        tally = self._tally
        if self._game.kernel.player(cells) == OVER:
            tally.end(self._game.kernel.outcome(cells), first, 1)
            tally.lengths[steps] += 1
        else:
            tally.unfinished[first] += 1
        for kind, count in enumerate(times):
            tally.times[kind] += count
            tally.used[kind] += count > 0

    def _asked(
        self,
        player: Player,
        cells: Cells,
        past: Sequence[tuple[State, Move]],
        draws: Draws,
    ) -> int:
        if self._tell is not None:
            self._tell()
        state = self._game.resume(cells)
        seat = self._game.kernel.seat(cells)
        move = player.choose(state.view(seat, past), Random(draws.words()))
        reason = state.why_not(move)
        if reason is not None:
            raise IllegalMove(move, reason)
        return self._game.code_of(move)
