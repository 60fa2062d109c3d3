"""Solutions that a thread finds while the game goes on."""

from __future__ import annotations

from threading import Thread, main_thread

from rulegame.game import Game, GameError
from rulegame.players.solutions import Playable, Solutions, Unsolved
from rulegame.workers.packing import pack, unpack


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
            game: Game = unpack(self._packed)
            self._found = game.companion(Solutions).find(self._first, self._max_states, self._go_on)
        except (Unsolved, GameError, _Stopped):
            return

    def _go_on(self, task: str, done: int, total: int | None) -> None:
        if not main_thread().is_alive():
            raise _Stopped

    def result(self, patience: float) -> Playable | None:
        """The solution, after so many seconds at most; None if there is none."""
        self._thread.join(patience)
        return None if self._thread.is_alive() else self._found
