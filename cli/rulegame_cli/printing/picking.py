"""A list to choose from, with the arrow keys or by typing a part of what is meant."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

from rulegame_cli.printing.keys import reading_keys
from rulegame_cli.printing.terminal import Style, columns, rows
from rulegame_cli.printing.wrapping import columns_of, wrapped

AROUND: Final = 10  # lines of the screen that are not for the list
HELP: Final = "Choose a game (↑/↓, or type to filter; Esc leaves):"
MOST_ABOUT: Final = 3  # lines
LEAST: Final = 3  # lines of the list in any case


class Offer(NamedTuple):
    """What can be chosen: by its name or its title, and what it is about."""

    name: str
    title: str
    about: str


class _List:
    def __init__(self, offers: Sequence[Offer], heading: str, style: Style) -> None:
        self._offers, self._heading, self._style = offers, heading, style
        self.typed = ""
        self._at = 0
        self._drawn = 0  # lines on the screen

    @property
    def matching(self) -> list[tuple[int, Offer]]:
        """Those that contain what was typed, or have it as their number."""
        text = self.typed.lower().strip()
        numbered = list(enumerate(self._offers, 1))
        if text.isdecimal():
            return [(n, offer) for n, offer in numbered if str(n).startswith(text)]
        return [(n, o) for n, o in numbered if text in o.name.lower() or text in o.title.lower()]

    @property
    def chosen(self) -> Offer | None:
        found = self.matching
        exact = [o for n, o in found if self.typed.strip().lower() in (str(n), o.name.lower())]
        if exact and self._at == 0:
            return exact[0]
        return found[min(self._at, len(found) - 1)][1] if found else None

    def obey(self, key: str) -> None:
        """Go up or down, or look for something else."""
        steps = {"up": -1, "down": 1, "page up": -self.page, "page down": self.page}
        if key in steps:
            self._at = max(0, min(len(self.matching) - 1, self._at + steps[key]))
        elif key == "backspace":
            self.typed, self._at = self.typed[:-1], 0
        elif len(key) == 1 and key.isprintable():
            self.typed, self._at = self.typed + key, 0

    @property
    def page(self) -> int:
        return max(LEAST, rows(sys.stdout) - AROUND)

    def draw(self) -> None:
        """The list where it stood before."""
        self.wipe()
        width = columns(sys.stdout) - 1
        found = self.matching
        low = max(0, min(self._at - self.page // 2, len(found) - self.page))
        chosen = self.chosen
        lines = []
        for number, offer in found[low : low + self.page]:
            line = f"{'>' if offer is chosen else ' '} {number:>2}  {offer.title} ({offer.name})"
            if columns_of(line) > width:
                line = _cut(f"{line[:6]}{offer.name}", width)
            lines.append(self._style.bold(line) if offer is chosen else line)
        above, below = low, len(found) - low - self.page
        if above > 0:
            lines.insert(0, self._style.faint(f"   ↑ {above} more"))
        if below > 0:
            lines.append(self._style.faint(f"   ↓ {below} more"))
        if not found:
            lines.append("  No game matches.")
        about = wrapped(chosen.about if chosen else "", width).split("\n")[:MOST_ABOUT]
        prompt = _cut(f"{self._heading}{self.typed}", width)
        text = "\n".join([HELP, *lines, "", *about, self._style.bold(prompt)])
        self._drawn = text.count("\n")
        sys.stdout.write(text)
        sys.stdout.flush()

    def wipe(self) -> None:
        if self._drawn:
            sys.stdout.write(f"\x1b[{self._drawn}A\r\x1b[J")
        self._drawn = 0


def pick(offers: Sequence[Offer], heading: str, style: Style) -> Offer | None:
    """The chosen offer; None after Escape. The list is wiped from the screen."""
    shown = _List(offers, heading, style)
    try:
        with reading_keys() as read_key:
            while True:
                shown.draw()
                key = read_key()
                if key == "enter" and shown.chosen is not None:
                    return shown.chosen
                if key == "escape":
                    return None
                shown.obey(key)
    finally:
        shown.wipe()


def _cut(line: str, width: int) -> str:
    while columns_of(line) > width:
        line = line[:-1]
    return line
