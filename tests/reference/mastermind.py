"""Mastermind for one: a row of four pegs is hidden by chance, one peg after the other (`first_peg
3` and so on). Guesses are rows of four (`guess 1 1 2 2`), each answered with a black pin for every
peg of the right colour in the right place and a white one for every other of the right colour. Four
black pins win (`found`); after the last guess the game is lost (`given_up`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product

from reference.interface import Result, Turn, check

PEGS = ("first_peg", "second_peg", "third_peg", "fourth_peg")


@dataclass(frozen=True)
class Mastermind:
    """A position: the code so far, and all guesses."""

    colours: int
    tries: int
    code: tuple[int, ...] = ()
    guesses: tuple[tuple[int, ...], ...] = ()

    @property
    def turn(self) -> Turn:
        if len(self.code) < 4:
            return "chance"
        return 0 if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        colours = [str(colour) for colour in range(1, self.colours + 1)]
        if len(self.code) < 4:
            return tuple(f"{PEGS[len(self.code)]} {colour}" for colour in colours)
        if self.result is not None:
            return ()
        return tuple(f"guess {' '.join(row)}" for row in product(colours, repeat=4))

    @property
    def result(self) -> Result | None:
        if self.guesses and self.guesses[-1] == self.code:
            return Result((0,), (), False, "found", (1,))
        if len(self.guesses) == self.tries:
            return Result((), (0,), False, "given_up", (-1,))
        return None

    @property
    def values(self) -> dict[str, object]:
        guess = self.guesses[-1] if self.guesses else (0, 0, 0, 0)
        hidden = self.code if len(self.code) == 4 else (0, 0, 0, 0)
        black = white = 0
        if self.guesses:
            black = sum(a == b for a, b in zip(guess, hidden, strict=True))
            white = (Counter(guess) & Counter(hidden)).total() - black
        return {
            "code": list(hidden),
            "guess": list(guess),
            "black": black,
            "white": white,
            "left": self.tries - len(self.guesses),
        }

    def play(self, text: str) -> Mastermind:
        check(text, self.moves)
        row = tuple(map(int, text.split()[1:]))
        if len(self.code) < 4:
            return replace(self, code=self.code + row)
        return replace(self, guesses=(*self.guesses, row))


def start(first: int = 0, colours: int = 6, tries: int = 10) -> Mastermind:
    """The position before the code is hidden."""
    return Mastermind(colours, tries)
