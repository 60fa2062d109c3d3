"""Games that are played out at random, one at a time: at machine speed where that is possible, and
otherwise in Python, with the same draws.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from rulegame.compiling import OVER, Cells
from rulegame.game import Game
from rulegame.native.kernels import tree as at
from rulegame.players.machinery import Machinery
from rulegame.players.python_tree import play_at_random
from rulegame.players.table import LONGEST, FastTable, Payoffs
from rulegame.players.tree_memory import Beyond

if TYPE_CHECKING:
    from rulegame.players.machine_tree import MachineRollouts


class Rollouts:
    """The random games of one game."""

    def __init__(self, game: Game) -> None:
        self._table = game.companion(FastTable)
        self._machinery = game.companion(Machinery)
        self._machine: MachineRollouts | None = None

    def play(self, cells: Cells, rng: Random) -> tuple[Payoffs, int]:
        """What a game comes to, and how long it goes on; nothing for anyone if it does not end
        soon, or if the rules fail.
        """
        seed, table = rng.getrandbits(64), self._table
        end, steps = self._played(cells, seed)
        if steps < 0 or table.player(end) != OVER:
            return table.nothing, 0
        return table.payoffs(end), steps

    def _played(self, cells: Cells, seed: int) -> tuple[Cells, int]:
        machine = self._machinery.look()
        if machine is not None:
            if self._machine is None:
                from rulegame.players.machine_tree import MachineRollouts

                self._machine = MachineRollouts(machine)
            try:
                return self._machine.play(cells, seed)
            except Beyond:
                self._machinery.refuse()
        return play_at_random(self._table.kernel, [0] * at.RANDOM + [seed], cells, LONGEST)
