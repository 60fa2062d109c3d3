"""Rounds: one game, or several with the first move going round, and the score between them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rulegame.playing.seating import swapped
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_count
from rulegame_cli.table.rewatching import Watched
from rulegame_cli.table.seating import Computers

if TYPE_CHECKING:
    from rulegame.game import Game, Outcome
    from rulegame.playing.dice import Dice
    from rulegame.playing.scoring import Score
    from rulegame.playing.session import Session
    from rulegame_cli.table.sitting import Table


def read_rounds(rounds: str, best_of: str) -> tuple[int, bool]:
    """How many rounds at most, and whether they stop once the match is decided."""
    if rounds and best_of:
        raise WrongCall("--rounds and --best-of cannot be combined")
    if best_of:
        most = read_count("--best-of", best_of) or 1
        if most % 2 == 0:
            raise WrongCall(f"--best-of: expected an odd number, not '{best_of}'")
        return most, True
    return read_count("--rounds", rounds) or 1, False


@dataclass(slots=True)
class Match:
    """A match that goes on: what is set for all rounds, and how it stands."""

    game: Game
    table: Table
    dice: Dice
    first: int
    rounds: int
    best_of: bool
    score: Score
    number: int = 0  # of the round, counted from 0
    is_over: bool = False
    watched: list[Watched] = field(default_factory=list)  # rounds that can be watched again

    def first_of(self, number: int) -> int:
        """Who moves first in a round."""
        return (self.first + number) % len(self.table.names)

    def table_of(self, number: int) -> Table:
        """The table with everybody where they sit in a round."""
        table, first = self.table, self.first_of(number)
        names = swapped(table.names, self.game, first)
        if names == table.names:
            return table
        seats = swapped(table.seats, self.game, first)
        computers = Computers(self.game, seats, table.seed, table.plain)
        return replace(table, names=names, seats=seats, computers=computers)

    def session(self) -> Session:
        """A new game for the round."""
        from rulegame.playing.saves import entry_line
        from rulegame.playing.session import Session

        return Session(
            self.game,
            fresh=self.dice.of_round(self.number),
            first=self.first_of(self.number),
            record=lambda entry: self.table.record.add(entry_line(entry)),
        )

    def run(self, session: Session | None = None, heading: str | None = None) -> None:
        """Play all rounds that are left, the first of them with a session that has begun, if there
        is a heading for that.
        """
        from rulegame_cli.table.sitting import Sitting

        while True:
            if heading is None:
                self._heading()
            table = self.table_of(self.number)
            session = session or self.session()
            outcome = Sitting(table, session, self.number).run(heading)
            self.watched.append(Watched(session, table.names, True))
            session, heading = None, None
            if not self.ended(outcome):
                self.is_over = True
                return

    def count(self, outcome: Outcome) -> None:
        """Count how the round has ended, for those who sat there."""
        people = range(len(self.table.names))
        self.score.add(outcome, swapped(people, self.game, self.first_of(self.number)))

    def ended(self, outcome: Outcome, recorded: bool = False) -> bool:
        """Count a round that has ended, and tell the score; whether there is another."""
        from rulegame.playing.saves import end_line, round_line

        self.count(outcome)
        left = self.rounds - self.number - 1
        on = left > 0 and not (self.best_of and self.score.decided(left))
        following = (
            round_line(self.number + 1, self.first_of(self.number + 1))
            if on
            else {"over": True, "wins": list(self.score.wins), "draws": self.score.draws}
        )
        self.table.record.add(*([] if recorded else [end_line(outcome)]), following)
        names, write = self.table.names, self.table.terminal.write
        if self.rounds > 1:
            write(f"\nScore: {self.score.text(names)}\n")
            common = self.game.kernel.is_common
            write("\n" if on else f"{self.score.verdict(names, self.number + 1, common)}\n")
        self.number += 1
        return on

    def _heading(self) -> None:
        if self.rounds > 1:
            first = self.table.names[self.first_of(self.number)]
            kind = "at most " if self.best_of else ""
            self.table.terminal.write(
                f"Round {self.number + 1} of {kind}{self.rounds}. {first} moves first.\n\n"
            )
