"""Replay a game position by position, with the arrow keys or at intervals."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rulegame_cli.printing.terminal import Terminal, columns, rows
from rulegame_cli.printing.wrapping import wrapped
from rulegame_cli.table.display import canvas_of

if TYPE_CHECKING:
    from rulegame.playing.session import Session


class Watched(NamedTuple):
    """A game to replay: its session, the players' names, and whether to reveal its secrets."""

    session: Session
    names: tuple[str, ...]
    revealed: bool


def frames(watched: Watched, terminal: Terminal) -> Iterator[str]:
    """The positions of a game, each before a decision, and the last one."""
    from rulegame.drawing.position import draw
    from rulegame.game import CHANCE
    from rulegame_cli.printing.pictures import picture_text

    line = watched.session.line
    eyes = () if watched.revealed else range(len(watched.names))
    states = [step.state for step in line]
    last = line[-1].state.play(line[-1].move) if line else watched.session.game.start()
    canvas = canvas_of(terminal, {})
    for number, state in enumerate((*states, last)):
        if state.player != CHANCE or state is last:
            yield picture_text(draw(state, line[:number], eyes, watched.names), canvas)


def step_through(watched: Watched, terminal: Terminal) -> None:
    """Forth and back with the arrow keys, until somebody has seen enough."""
    from rulegame_cli.printing.keys import reading_keys

    shown, at, drawn = list(frames(watched, terminal)), 0, 0
    with reading_keys() as read_key:
        while True:
            where = f"{at + 1} of {len(shown)}; arrow keys to step, q to quit "
            text = shown[at] + wrapped(where, columns(sys.stdout) - 1)
            tall = max(drawn, text.count("\n")) >= rows(sys.stdout)
            back = "\x1b[H\x1b[2J\r" if tall else f"\x1b[{drawn}A\r\x1b[J" if drawn else ""
            sys.stdout.write(back + text)
            sys.stdout.flush()
            drawn = text.count("\n")
            try:
                key = read_key()
            except EOFError:
                key = "q"
            at = _stepped(key, at, len(shown))
            if at < 0:
                sys.stdout.write("\n")
                return


def _stepped(key: str, at: int, count: int) -> int:
    """Where a key leads; -1 if that is out."""
    if key in ("q", "Q", "escape"):
        return -1
    steps = {"right": 1, "down": 1, "enter": 1, " ": 1, "left": -1, "up": -1, "backspace": -1}
    steps |= {"home": -count, "end": count}
    return max(0, min(count - 1, at + steps.get(key, 0)))


def run_through(watched: Watched, terminal: Terminal, delay: float) -> None:
    """By itself, with a pause after each position."""
    for picture in frames(watched, terminal):
        terminal.show(picture)
        sys.stdout.flush()
        time.sleep(delay)


def watch_all(games: Sequence[Watched], terminal: Terminal, delay: float | None) -> None:
    """One game after the other."""
    for watched in games:
        if delay is None:
            step_through(watched, terminal)
        else:
            run_through(watched, terminal, delay)
