"""Makes the pictures of this folder: the screen of each bundled game, as it stands at a terminal of
80 columns in the middle of a game.

    python docs/screens/make.py

A game is played some moves far at random, always the same ones, saved, and resumed by `rulegame` at
a terminal that is not there (pexpect, pyte); what stands on its screen then is drawn.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any, Final
from xml.sax.saxutils import escape

import pexpect
import pyte

import rulegame
from rulegame.bundled import ruleset_names
from rulegame.game import CHANCE, Game
from rulegame.model.meaning import meaning
from rulegame.playing.reopening import identity
from rulegame.playing.saves import Header, SavedRound, whole_record
from rulegame.playing.session import SessionEntry

HERE: Final = Path(__file__).parent
ABOUT: Final = (
    "Every bundled game as it stands at a terminal of 80 columns, in the middle of a game against "
    "the computer. `python docs/screens/make.py` makes these pictures."
)
COLUMNS, ROWS = 80, 40
MOVES: Final = 8  # at least, unless the game is shorter
QUIET: Final = 0.7  # seconds without output: the screen is done
WIDE, HIGH, EDGE = 8.5, 16, 14  # of a character, of a line (so that frames are closed), around all
COLOURS: Final = {
    "default": "#d8dee9",
    "black": "#4c566a",
    "red": "#e06c75",
    "green": "#98c379",
    "brown": "#e5c07b",
    "yellow": "#e5c07b",
    "blue": "#61afef",
    "magenta": "#d688e0",
    "cyan": "#56c8d8",
    "white": "#ffffff",
}


def played(game: Game, seed: int) -> list[SessionEntry] | None:
    """Some moves after which it is the first player's turn; None if it comes to nothing."""
    rng, state, entries = Random(seed), game.start(), list[SessionEntry]()
    while state.outcome is None:
        decisions = sum(entry.kind == "move" for entry in entries)
        if state.player == 0 and decisions >= MOVES - seed // 50:
            return entries
        rolls = state.player == CHANCE
        move = state.roll(rng.randrange) if rolls else rng.choice(state.moves)
        entries.append(SessionEntry("roll" if rolls else "move", move.text))
        state = state.play(move)
    return None


def saved_game(name: str) -> bytes:
    """The bytes of a save, in the middle of a game against the computer."""
    game = rulegame.load(name)
    entries = next(found for seed in range(600) if (found := played(game, seed)) is not None)
    found_as, content = identity(name)
    others = len(game.players) - 1
    computers = ["Computer"] if others == 1 else [f"Computer {n}" for n in range(1, others + 1)]
    header = Header(
        ruleset=found_as,
        content=content,
        meaning=meaning(game.ruleset),
        title=game.ruleset.title,
        sets=(),
        enable=(),
        disable=(),
        parameters=game.parameters,
        seed=1,
        rolls=(),
        first=0,
        names=("Ann", *computers),
        players=("human", *["medium"] * others),
        rounds=1,
        best_of=False,
        started="2026-01-01T00:00:00+00:00",
    )
    chain, lines = whole_record(header, (SavedRound(0, tuple(entries), None),))
    return bytes(lines) + chain.last()


def screen_of(name: str, columns: int = COLUMNS) -> Any:
    """What stands on the screen when that game is resumed, as pyte has it."""
    screen: Any = pyte.Screen(columns, ROWS)
    stream: Any = pyte.Stream(screen)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.jsonl"
        file.write_bytes(saved_game(name))
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "PAGER")}
        child: Any = pexpect.spawn(
            sys.executable,
            ["-m", "rulegame_cli", "resume", str(file)],
            env={**kept, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
            encoding="utf-8",
            dimensions=(ROWS, columns),
            timeout=60,
        )
        last = time.monotonic()
        while time.monotonic() < last + QUIET or "│" not in "".join(screen.display):
            try:
                stream.feed(child.read_nonblocking(4096, timeout=0.1))
                last = time.monotonic()
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                break
        child.close(force=True)
    return screen


def lines_of(screen: Any) -> list[str]:
    """The screen as text, without what is empty at the end."""
    lines = [line.rstrip() for line in screen.display]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def runs(screen: Any, row: int, length: int) -> list[tuple[int, str, str, bool]]:
    """The parts of a line that look alike: where each begins, its text, colour, and whether it is
    bold.
    """
    found: list[tuple[int, str, str, bool]] = []
    for column in range(length):
        cell = screen.buffer[row][column]
        look = COLOURS.get(cell.fg, COLOURS["default"]), bool(cell.bold)
        if found and found[-1][2:] == look:
            start, text, *_ = found[-1]
            found[-1] = (start, text + cell.data, *look)
        else:
            found.append((column, cell.data, *look))
    return found


def svg_of(screen: Any, title: str) -> str:
    """The screen as a picture. It names no other file, and no font that is not everywhere."""
    lines = lines_of(screen)
    width = round(screen.columns * WIDE + 2 * EDGE)
    height = len(lines) * HIGH + 2 * EDGE
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    font = 'font-family="monospace" font-size="14"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#20242c"/>',
    ]
    for row, line in enumerate(lines):
        y = EDGE + row * HIGH + 13
        for start, text, colour, bold in runs(screen, row, len(line)):
            weight = ' font-weight="bold"' if bold else ""
            for word in re.finditer(r"\S+(?: \S+)*", text):
                columns = range(start + word.start(), start + word.end())
                x = " ".join(f"{EDGE + column * WIDE:g}" for column in columns)
                look = f'x="{x}" y="{y}" fill="{colour}"{weight}'
                out.append(f"<text {look}>{escape(word.group())}</text>")
    return "\n".join([*out, "</svg>", ""])


def page() -> str:
    """The page that shows all pictures."""
    lines = ["# Screens", "", ABOUT, ""]
    for name in ruleset_names():
        title = rulegame.load(name).ruleset.title
        lines += [f"## {title} (`{name}`)", "", f"![{title} at a terminal]({name}.svg)", ""]
    return "\n".join(lines)


def main() -> None:
    """Write all pictures anew, or those of the games that are named, and the page."""
    for name in sys.argv[1:] or ruleset_names():
        title = f"{rulegame.load(name).ruleset.title} at a terminal"
        (HERE / f"{name}.svg").write_text(svg_of(screen_of(name), title), "utf-8")
    (HERE / "README.md").write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
