"""Machine code for the searches of a game: made in the background, when it is worth it."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

from rulegame.game import Game
from rulegame.native.compiler import has_machine_code
from rulegame.native.context import TooLong
from rulegame.native.machine_kernel import compiled, tell_too_long
from rulegame.native.module import GameModule

if TYPE_CHECKING:
    from rulegame.native.machine_kernel import MachineKernel

WORTH: float = 0.2  # seconds of thinking, after which a game gets machine code


class Machinery:
    """The machine code of one game, once there is some."""

    def __init__(self, game: Game) -> None:
        self._kernel = game.kernel
        self._spent = 0.0
        self._begin()

    def _begin(self) -> None:
        self._generation = self._kernel.generation
        self._worker: Thread | None = None
        self._refused = False
        self._ready: MachineKernel | None = None

    def _keep_up(self) -> None:
        """Machine code of functions that are no longer those of the game is of no use."""
        if self._generation != self._kernel.generation:
            if self._worker is not None:
                self._worker.join()
            self._begin()

    def think(self, seconds: float) -> None:
        """So much time is going to be spent on thinking, or has been."""
        self._keep_up()
        self._spent += seconds
        if self._refused or self._spent < WORTH or self._worker is not None:
            return
        if not has_machine_code(warn=False):  # a game is going on
            self._refused = True
            return
        # The text is made here, since the rules in Python are not for two threads at once.
        try:
            module = GameModule(self._kernel, ("searching",))
        except TooLong as problem:
            self._refused = True
            tell_too_long(problem)
            return
        self._worker = Thread(target=self._compile, args=(module,))
        self._worker.start()

    def _compile(self, module: GameModule) -> None:
        self._ready = compiled(module)

    def look(self) -> MachineKernel | None:
        """The machine code, if it is there by now."""
        self._keep_up()
        return None if self._refused else self._ready

    def wait(self) -> MachineKernel | None:
        """The machine code, made now if need be; None where there is none."""
        self.think(WORTH)
        if self._worker is not None:
            self._worker.join()
        return self.look()

    def refuse(self) -> None:
        """Machine code cannot search this game."""
        self._refused = True
