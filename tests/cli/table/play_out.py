"""Plays bundled games to their ends at a terminal, by typing, and stores what stands on the screen.

    PYTHONPATH=tests python tests/cli/table/play_out.py --size 80x24 --keep FOLDER [GAME ...]

Plays all bundled games if none are named, at three sizes if none is given. Moves are chosen at
random; nonsense and commands are typed at the first prompts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import rulegame
from cli.table.screens import Seated, seated
from rulegame.bundled import ruleset_names
from rulegame.playing.audience import Audience, entered
from rulegame.playing.conversation import Ask
from rulegame.playing.match import Match
from waiting import WAIT

SIZES: Final[tuple[tuple[int, int], ...]] = ((40, 24), (80, 24), (120, 40))
SEED: Final = 5
NONSENSE: Final = "xyzzy 99"
ASIDES: Final = ("?", NONSENSE, "hint", "state", "history")
HANDOVER: Final = "pressEnteronce"
UNSEEN: Final = "(notshown)"
AGAIN: Final = "quit (Enter)? "


class Screen(NamedTuple):
    """What stands on the screen at a prompt, and the line that led there."""

    typed: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def play_out(name: str, columns: int, rows: int, seed: int = SEED) -> Iterator[Screen]:
    """Play a game to its end; yield the screen at each prompt. `AssertionError` where a prompt does
    not appear.
    """
    match = Match(rulegame.load(name), seed=seed)
    audience = Audience(match, match.people, match.people, drawn=True)
    rng, typed, asides = Random(seed), "", list(ASIDES)
    call = ("play", name, "--seed", str(seed), "--no-save")
    with seated(*call, columns=columns, rows=rows) as terminal:
        ask = audience.restart()
        while isinstance(ask, Ask):
            _reach(terminal, ask.prompt)
            yield Screen(typed, tuple(terminal.lines))
            if asides:
                typed = asides.pop(0)
                terminal.type(typed, "")
                continue
            reply, [(_, typed)] = entered(ask, rng.choice(_leading_to(ask)))
            terminal.type(typed, "")
            ask = audience.answer(reply)
        _reach(terminal, AGAIN)
        yield Screen(typed, tuple(terminal.lines))
        terminal.type("", "")
        assert terminal.finish() == 0


def _leading_to(ask: Ask) -> list[rulegame.Move]:
    """The valid moves that what was answered so far leaves."""
    left = {move for option in ask.question.options for move in option.moves}
    return [move for move in ask.state.moves if move in left]


def _reach(terminal: Seated, prompt: str) -> None:
    """Wait for a prompt; press Enter where the screen is handed over."""
    end = _squeezed([prompt.rpartition("\n")[2]])[-12:]
    late = time.monotonic() + WAIT
    while not (last := _squeezed(terminal.asking).removesuffix(UNSEEN)).endswith(end):
        assert time.monotonic() < late, f"{prompt!r} does not appear in\n{terminal.text}"
        if HANDOVER in last:
            terminal.type("", "")
            while HANDOVER in _squeezed(terminal.asking):
                terminal.read()
        terminal.read()


def _squeezed(lines: Sequence[str]) -> str:
    return "".join("".join(lines).split())


def main() -> None:
    """Play the games that are named, and keep the screens."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", help="columns x rows, as in 80x24")
    parser.add_argument("--keep", type=Path, help="folder for the screens")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("games", nargs="*")
    given = parser.parse_args()
    sizes: Sequence[tuple[int, int]] = SIZES
    if given.size:
        columns, _, rows = given.size.partition("x")
        sizes = ((int(columns), int(rows)),)
    for name in given.games or ruleset_names("games", "gallery"):
        for columns, rows in sizes:
            screens = list(play_out(name, columns, rows, given.seed))
            print(f"{name} {columns}x{rows}: {len(screens)} screens", flush=True)
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                parts = [f"{'=' * 20} {shown.typed!r}\n{shown.text}\n" for shown in screens]
                file = given.keep / f"{Path(name).stem}_{columns}x{rows}.txt"
                file.write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
