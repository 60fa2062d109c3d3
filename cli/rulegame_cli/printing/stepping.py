"""Screens shown one after the other: with the arrow keys, or by themselves."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence

from rulegame_cli.printing.terminal import Terminal, columns, rows
from rulegame_cli.printing.wrapping import wrapped


def run_through(screens: Iterable[str], terminal: Terminal, delay: float) -> None:
    """By themselves, with a pause after each."""
    for screen in screens:
        terminal.show(screen)
        sys.stdout.flush()
        time.sleep(delay)


def step_through(shown: Sequence[str]) -> None:
    """Forth and back with the arrow keys, until somebody has seen enough."""
    from rulegame_cli.printing.keys import reading_keys

    at, drawn = 0, 0
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
