"""How a game ended, whoever gave up, and how a match stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from rulegame.wording import counted, joined

if TYPE_CHECKING:
    from rulegame.game import Game, Outcome
    from rulegame.playing.session import Session


def resignation(seat: int, game: Game) -> Outcome:
    """Whoever resigns loses, and all others win; or lose, too, where all share every result."""
    from rulegame.game import Outcome

    players = range(len(game.players))
    if game.kernel.is_common:
        return Outcome((), tuple(players), False, (-1,) * len(players), "resign")
    others = tuple(other for other in players if other != seat)
    payoffs = tuple(-1 if other == seat else 1 for other in players)
    return Outcome(others, (seat,), False, payoffs, "resign")


def outcome_of(session: Session, outcome: Outcome | None) -> Outcome | None:
    """How a session has ended, by the rules or because somebody gave up."""
    if session.resigned is None:
        return outcome
    return resignation(session.resigned, session.game)


@dataclass(slots=True)
class Score:
    """The rounds that each seat has won, those that were drawn, and the scores reached."""

    wins: list[int]
    draws: int = 0
    scores: list[int | Fraction] = field(default_factory=list)

    def add(self, outcome: Outcome, people: Sequence[int]) -> None:
        """Count one more round; `people` say who sat where."""
        self.draws += outcome.draw
        if outcome.score is not None:
            self.scores.append(outcome.score)
        for seat in outcome.winners:
            self.wins[people[seat]] += 1

    def decided(self, left: int) -> bool:
        """Whether the rounds that are left cannot change who wins."""
        best, *others = sorted(self.wins, reverse=True)
        return best > max(others, default=0) + left

    def text(self, names: Sequence[str]) -> str:
        """`Ann: 2, Bob: 1, draws: 1`, or the scores of all rounds."""
        if self.scores and not any(self.wins):
            return ", ".join(map(str, self.scores))
        parts = [f"{name}: {wins}" for name, wins in zip(names, self.wins, strict=True)]
        if self.draws:
            parts.append(f"draws: {self.draws}")
        return ", ".join(parts)

    def verdict(self, names: Sequence[str], played: int = 0, common: bool = False) -> str:
        """Who has won the match of so many rounds; `common`: in each all had the same result."""
        best = max(self.wins)
        winners = [name for name, wins in zip(names, self.wins, strict=True) if wins == best]
        if self.scores and not best:
            return f"The best score is {max(self.scores)}."
        if common:
            return f"Everyone has won {counted(best, 'round')} of {played}."
        if len(winners) == 1 and best:
            return f"{winners[0]} wins the match!"
        if len(winners) == len(names):
            return "The match is tied."
        return f"The match is tied between {joined(winners, 'and')}."
