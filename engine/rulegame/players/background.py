"""Solutions that threads find while the game goes on: one at a time, and not while it is paused."""

from __future__ import annotations

from threading import Lock, Thread, main_thread
from typing import Final

from rulegame.game import Game, GameError
from rulegame.players.slices import quiet
from rulegame.players.solutions import Playable, Solutions, Unsolved
from rulegame.workers.packing import pack, unpack

LOOK: Final = 0.1  # seconds between two looks whether the program has ended

_one = Lock()


class BackgroundSolutions:
    """The solutions of one game, by who moves first."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._tasks: dict[int, _Task] = {}

    def begin(self, first: int, max_states: int) -> None:
        """Start to solve the game, unless that was started before."""
        if first not in self._tasks:
            self._tasks[first] = _Task(self._game, first, max_states)

    def ready(self, first: int, patience: float) -> Playable | None:
        """The solution, if it is ready within so many seconds; others who need it share it."""
        found = self._tasks[first].result(patience)
        if found is not None:
            self._game.companion(Solutions).adopt(first, found)
        return found


class _Stopped(Exception):
    """The program ends before the game is solved."""


class _Task:
    """Solves a copy of a game, since the rules in Python are not for two threads at once."""

    def __init__(self, game: Game, first: int, max_states: int) -> None:
        self._packed, self._first, self._max_states = pack(game), first, max_states
        self._found: Playable | None = None
        self._thread = Thread(target=self._run, name="solving")
        self._thread.start()

    def _run(self) -> None:
        try:
            with _one:
                game: Game = unpack(self._packed)
                solutions = game.companion(Solutions)
                self._found = solutions.find(self._first, self._max_states, self._go_on)
        except (Unsolved, GameError, MemoryError, _Stopped):
            return

    def _go_on(self, task: str, done: int, total: int | None) -> None:
        while True:
            if not main_thread().is_alive():
                raise _Stopped
            if quiet.wait(LOOK):
                return

    def result(self, patience: float) -> Playable | None:
        """The solution, after so many seconds at most; None if there is none."""
        self._thread.join(patience)
        return None if self._thread.is_alive() else self._found
