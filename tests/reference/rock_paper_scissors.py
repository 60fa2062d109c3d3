"""Rock paper scissors.

Both players choose a sign at once: `show rock`, first seat 0, then seat 1, who does not know what
seat 0 has chosen. When both have, the better sign scores: rock beats scissors, scissors paper,
paper rock. Whoever reaches the target (3) wins (`enough`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, put, win

SIGNS = ("rock", "paper", "scissors")  # each is beaten by the next one


@dataclass(frozen=True)
class RockPaperScissors:
    """A position: the scores, and the sign of seat 0 if it waits for that of seat 1."""

    target: int
    scores: tuple[int, ...] = (0, 0)
    waiting: str = ""

    @property
    def result(self) -> Result | None:
        if self.target not in self.scores:
            return None
        return win(self.scores.index(self.target), "enough")

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        return 1 if self.waiting else 0

    @property
    def moves(self) -> tuple[str, ...]:
        return () if self.result is not None else tuple(f"show {sign}" for sign in SIGNS)

    @property
    def values(self) -> dict[str, object]:
        return {"score": list(self.scores)}

    def play(self, text: str) -> RockPaperScissors:
        check(text, self.moves)
        sign = text.split()[1]
        if not self.waiting:
            return replace(self, waiting=sign)
        ahead = (SIGNS.index(self.waiting) - SIGNS.index(sign)) % 3
        scores = self.scores
        if ahead:
            winner = 0 if ahead == 1 else 1
            scores = put(scores, winner, scores[winner] + 1)
        return replace(self, waiting="", scores=scores)


def start(first: int = 0, *, target: int = 3) -> RockPaperScissors:
    """Return the first position; all choose at once, so that nobody is first."""
    return RockPaperScissors(target)
