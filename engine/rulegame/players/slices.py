"""Choices made in slices: generators that yield every few milliseconds, so that others can work."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic
from typing import TypeVar

from rulegame.game import Move

Result = TypeVar("Result")
Thinking = Generator[None, None, Result]

quiet = Event()  # threads that solve games in the background wait for it
quiet.set()


def finish(thinking: Thinking[Result]) -> Result:
    """Run to the end; return the result."""
    try:
        while True:
            next(thinking)
    except StopIteration as end:
        result: Result = end.value
        return result


@contextmanager
def urgently() -> Iterator[None]:
    """Let the threads in the background rest meanwhile."""
    quiet.clear()
    try:
        yield
    finally:
        quiet.set()


class Thought:
    """A choice that is made in slices of time."""

    def __init__(self, thinking: Thinking[Move]) -> None:
        self._thinking = thinking

    def go_on(self, seconds: float) -> Move | None:
        """Think for so long; return the move once it is chosen."""
        end = monotonic() + seconds
        try:
            next(self._thinking)
            while monotonic() < end:
                next(self._thinking)
        except StopIteration as choice:
            move: Move = choice.value
            return move
        return None
