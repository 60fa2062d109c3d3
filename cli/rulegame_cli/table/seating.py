"""Who sits where: people and computer players, as the call says it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from rulegame.playing.seating import HUMAN, computer_notes, player_words
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_seat
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.terminal import visible

if TYPE_CHECKING:
    from rulegame.game import Game, Move, State
    from rulegame.players import Player
    from rulegame.playing.session import Session
    from rulegame.progress import Progress

BY_DEFAULT: Final = "random"  # who plays the seats that `--watch` leaves open


def read_seats(
    players: int, opponent: str, seat: str, given: Sequence[str], watch: bool
) -> tuple[str, ...]:
    """For each seat "human", or which computer player."""
    if seat and not opponent:
        raise WrongCall("--seat works only with --vs")
    others = opponent.strip() or (BY_DEFAULT if watch else HUMAN)
    seats = [others] * players
    if opponent and not watch:
        seats[read_seat(seat or "1", players, option="--seat")] = HUMAN
    for text in given:
        number, equals, spec = text.partition("=")
        if not equals or not spec.strip():
            raise WrongCall(f"--player: expected NUMBER=PLAYER, such as 2=random, not '{text}'")
        seats[read_seat(number, players, option="--player")] = spec.strip()
    seats = [HUMAN if spec.lower() == HUMAN else spec for spec in seats]
    if watch and HUMAN in seats:
        raise WrongCall("--watch: every seat must be a computer player")
    return tuple(seats)


class ComputerFailed(Exception):
    """A computer player that someone has added does not play."""


class Computers:
    """The computer players of a match, made when they are first needed."""

    def __init__(self, game: Game, specs: Sequence[str], seed: int, plain: bool) -> None:
        self._game = game
        self._specs = specs
        self._seed = seed
        self._plain = plain
        self._made: dict[tuple[int, int], Player] = {}
        self.notes = computer_notes(specs)  # by seat, in words; of players in use who plays
        self._tell: Progress | None = None
        self._noted: set[str] = set()

    def check(self, first: int) -> None:
        """Make them; `WrongCall` if there is no player of such a name."""
        for seat, spec in enumerate(self._specs):
            if spec != HUMAN:
                self._player(seat, first)

    def choose(self, state: State, session: Session, number: int) -> tuple[Move, str | None]:
        """A move for the one whose turn it is in a round, and a remark that was not yet made. What
        chance adds depends on the seed and on where the game stands for this seat alone.
        """
        from rulegame.players import PlayerFailed

        seat = state.player
        assert seat is not None
        player = self._player(seat, session.first)
        view = state.view(seat, session.line)
        rng = Random(f"{self._seed}/{number}/player {seat}/{session.place_of(view)}")
        with working(self._plain) as progress:
            self._tell = progress
            progress("thinking", 0, None)
            try:
                move = player.choose(view, rng)
            except PlayerFailed as problem:
                raise ComputerFailed(str(problem)) from None
        if move not in state.moves:
            raise ComputerFailed(f"'{self._specs[seat]}' chose '{move}', which is not a valid move")
        note = getattr(player, "note", None)
        if not isinstance(note, str) or note in self._noted:
            return move, None
        self._noted.add(note)
        return move, note

    def _player(self, seat: int, first: int) -> Player:
        from rulegame.players import make_player

        fixed = self._game.ruleset.turn.first
        first = first if fixed is None else fixed
        if (seat, first) not in self._made:
            with working(self._plain) as progress:
                self._tell = progress
                progress("preparing", 0, None)
                try:
                    made = make_player(
                        self._specs[seat], self._game, first=first, progress=self._progress
                    )
                except ValueError as problem:
                    raise WrongCall(visible(str(problem))) from None
            self._made[seat, first] = made
            self.notes[seat] = player_words(getattr(made, "spec", self._specs[seat]))
        return self._made[seat, first]

    def _progress(self, task: str, done: int, total: int | None) -> None:
        """Players live longer than the line that shows what they do."""
        if self._tell is not None:
            self._tell(task, done, total)
