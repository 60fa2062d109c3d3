"""The computer players of a match: which player sits in a seat, and its move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from rulegame.game import Game, Move, View
from rulegame.playing.seating import HUMAN, computer_notes, player_words
from rulegame.progress import Progress, silent

if TYPE_CHECKING:
    from rulegame.players import Player
    from rulegame.players.slices import Thinking


class Computers:
    """The computer players of a match, made when they are first needed. Keys are the places in the
    header, which stay the same when sides are swapped.
    """

    def __init__(self, game: Game, specs: Sequence[str], own: Mapping[int, Player]) -> None:
        self._game = game
        self._specs = specs
        self._made: dict[tuple[str, int], Player] = {}
        self.own = dict(own)  # players that are objects, by place
        self.progress: Progress = silent
        self.timed = False  # whether people wait, so that every choice has a time

    def check(self, first: int) -> None:
        """Make all players; `UnknownPlayer` if there is none of a name."""
        for place, spec in enumerate(self._specs):
            if spec != HUMAN and place not in self.own:
                self.player(spec, first)

    def thinking(self, spec: str, view: View, rng: Random, first: int) -> Thinking[Move]:
        """Return the move of a player; `PlayerFailed` if it chooses none that is valid."""
        from rulegame.players.interface import PlayerFailed, SlicedPlayer

        player = self.player(spec, first)
        if isinstance(player, SlicedPlayer):
            move = yield from player.thinking(view, rng)
        else:
            move = player.choose(view, rng)
        if move not in view.moves:
            raise PlayerFailed(f"'{spec}' chose '{move}', which is not a valid move")
        return move

    def player(self, spec: str, first: int) -> Player:
        """Return the player of a name; it may depend on who moves first."""
        from rulegame.players import make_player
        from rulegame.players.registry import limit_time

        for place, player in self.own.items():
            if self._specs[place] == spec:
                return player
        fixed = self._game.ruleset.turn.first
        key = spec, first if fixed is None else fixed
        if key not in self._made:
            made = make_player(spec, self._game, first=key[1], progress=self._report)
            if self.timed:
                limit_time(made, spec)
            self._made[key] = made
        return self._made[key]

    def notes(self, seats: Sequence[str], first: int) -> dict[int, str]:
        """Return the computer in each seat in words, once it is made the one that really plays."""
        fixed = self._game.ruleset.turn.first
        first = first if fixed is None else fixed
        found = computer_notes(seats)
        for seat, spec in enumerate(seats):
            made = self._made.get((spec, first))
            if made is not None:
                found[seat] = player_words(getattr(made, "spec", spec))
        return found

    def _report(self, task: str, done: int, total: int | None) -> None:
        """Players live longer than the line that shows their progress."""
        self.progress(task, done, total)
