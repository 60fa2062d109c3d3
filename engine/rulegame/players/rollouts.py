"""Games that are played out at random, one at a time: at machine speed where that is possible, and
otherwise in Python, with the same draws.
"""

from __future__ import annotations

from random import Random

import numpy as np

from rulegame.compiling import OVER, Cells
from rulegame.game import Game
from rulegame.native.kernels import tree as at
from rulegame.native.machine_kernel import MachineKernel
from rulegame.players.machine_tree import Answers
from rulegame.players.machinery import Machinery
from rulegame.players.python_tree import play_at_random
from rulegame.players.table import LONGEST, FastTable, Payoffs
from rulegame.players.tree_memory import Beyond


class Rollouts:
    """The random games of one game."""

    def __init__(self, game: Game) -> None:
        self._table = game.companion(FastTable)
        self._machinery = game.companion(Machinery)
        self._machine: _MachineRollouts | None = None

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
                self._machine = _MachineRollouts(machine)
            try:
                return self._machine.play(cells, seed)
            except Beyond:
                self._machinery.refuse()
        return play_at_random(self._table.kernel, [0] * at.RANDOM + [seed], cells, LONGEST)


class _MachineRollouts:
    def __init__(self, machine: MachineKernel) -> None:
        self._play = machine.code.function("play_out", "pppppp")
        self._memory = machine.memory()
        self._states = np.zeros((2, machine.size), np.int64)
        self._head = np.zeros(at.HEAD, np.int64)
        self._head[at.LONGEST] = LONGEST
        self._answers = Answers(machine, self._memory.context)
        context, out, weights = self._memory.addresses
        state = self._states.ctypes.data
        spare = state + self._states[0].nbytes
        self._given = context, self._head.ctypes.data, state, spare, out, weights

    def play(self, cells: Cells, seed: int) -> tuple[Cells, int]:
        """Where a game ends, and after how many steps; below 0 if it does not."""
        self._states[0] = cells
        self._head[at.RANDOM] = seed - 2**64 if seed >= 2**63 else seed
        steps = int(self._play(*self._given))
        self._answers.check()
        return tuple(self._states[0].tolist()), steps
