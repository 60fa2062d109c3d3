"""What chance can bring, numbered from 0 on like the moves of players: see `game.actions`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from rulegame.game import Game, Move, State
from rulegame.game.actions import Unbounded, possible_codes

MOST: Final = 1_000_000


class RollNumbers:
    """The numbers of all that can be rolled in a game: those of one roll are the places of its
    values in ascending order, so that a value has the same number in every state.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._codes: dict[int, Sequence[int]] = {}
        for number, point in enumerate(game.kernel.points):
            if point.roll is None:
                continue
            codes = possible_codes(game.ruleset, point.roll.collection, point.roll.element)
            if codes is None or len(codes) > MOST:
                raise Unbounded(f"nothing says what '{point.roll.name}' can be")
            self._codes[number] = codes

    def __len__(self) -> int:
        """How many there are of the roll that has most of them."""
        return max(map(len, self._codes.values()), default=0)

    def outcomes(self, state: State) -> list[tuple[int, float]]:
        """What can be rolled in a state, each with its probability, in ascending order."""
        pairs = ((self.number(state.cells, move), float(share)) for move, share in state.chances)
        return sorted(pairs)

    def number(self, cells: Sequence[int | None], move: Move) -> int:
        """The number of what was rolled at some cells, be they seen in part."""
        point = self._game.kernel.number(cells)  # type: ignore[arg-type]
        return bisect_left(self._codes[point], move.codes[1])

    def move(self, state: State, number: int) -> Move:
        """What a number stands for in a state; ValueError if it cannot be rolled there."""
        code = self._codes[self._game.kernel.number(state.cells)][number]
        for move in state.moves:
            if move.codes[1] == code:
                return move
        raise ValueError(f"{number} cannot be rolled here")
