"""The position in sight: a picture above the prompt, drawn again whenever it has gone from the
screen. Where nothing can be drawn, nothing is.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rulegame_cli.printing.advice import Room
from rulegame_cli.printing.stepping import run_through, step_through
from rulegame_cli.printing.terminal import Terminal, columns, rows

if TYPE_CHECKING:
    from rulegame.drawing.pictures import Picture
    from rulegame.game import State
    from rulegame.playing.match import Match
    from rulegame.playing.session import Step

PROMPT = 2  # lines
NARROWEST = 20  # columns; on fewer there is no room for a picture


class Display:
    """What of the position stands on the screen."""

    def __init__(self, terminal: Terminal, notes: Mapping[int, str]) -> None:
        self._terminal = terminal
        self._notes = notes  # what is said behind the names of players
        self._shown: Picture | None = None
        self._height = 0

    @property
    def draws(self) -> bool:
        """Whether there is a screen to draw on."""
        return self._terminal.draws and columns(sys.stdout) >= NARROWEST

    def show(
        self,
        state: State,
        past: Sequence[Step],
        eyes: Collection[int],
        names: Sequence[str],
        again: bool = False,
        above: str = "",
    ) -> None:
        """Draw the position for those who look on, unless just that stands on the screen, also
        once a text that goes below it is written: so the text is the last thing on the screen. A
        picture that is too tall for that is drawn lower.
        """
        if not self.draws:
            return
        from rulegame.drawing.position import draw
        from rulegame_cli.printing.pictures import canvas_of, picture_text

        picture = draw(state, past, eyes, names)
        lines = self.lines(above)
        in_sight = self._terminal.below + lines + 2 < max(rows(sys.stdout), self._height + 4)
        if picture == self._shown and in_sight and not again:
            return
        text = picture_text(picture, canvas_of(self._terminal, self._notes, PROMPT + lines))
        self._terminal.show(text)
        self._shown, self._height = picture, text.count("\n")

    @staticmethod
    def lines(text: str) -> int:
        """How many lines of the screen a text takes."""
        wide = columns(sys.stdout)
        return sum(1 + len(line) // wide for line in text.splitlines())

    def room(self, below: str) -> Room:
        """What there is between the picture and a text, the question, for a hint."""
        taken = self._height + self.lines(below)
        return Room(columns(sys.stdout), rows(sys.stdout) - taken - 1)

    def forget(self) -> None:
        """Nothing that was drawn is on the screen any more."""
        self._shown = None


def dense(text: str) -> str:
    """A text below a picture: without empty lines."""
    return "".join(f"{line}\n" for line in text.split("\n") if line.strip())


def watch(match: Match, revealed: bool, terminal: Terminal, delay: float | None = None) -> None:
    """Show the positions of a round again: with the arrow keys, or with a pause after each."""
    screens = _positions(match, revealed, terminal)
    if delay is None:
        step_through(list(screens))
    else:
        run_through(screens, terminal, delay)


def _positions(match: Match, revealed: bool, terminal: Terminal) -> Iterator[str]:
    """Each position before a decision, and the last one."""
    from rulegame.drawing.position import draw
    from rulegame.game import CHANCE
    from rulegame_cli.printing.pictures import canvas_of, picture_text

    line, names = match.session.line, match.names
    eyes = () if revealed else range(len(names))
    canvas = canvas_of(terminal, {})
    for number, state in enumerate((*(step.state for step in line), match.state)):
        if state.player != CHANCE or number == len(line):
            yield picture_text(draw(state, line[:number], eyes, names), canvas)
