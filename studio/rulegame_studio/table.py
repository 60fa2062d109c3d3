"""A match at a table, in a worker process: on disk before anybody hears of it, with what seats have
chosen before it is their turn.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from rulegame.game import Game
from rulegame.playing.match import Match, Resumed, new_record
from rulegame.playing.saves import Header, SavedRound, SaveError, whole_record
from rulegame.playing.saving import CannotSave, GameRecord
from rulegame.playing.session import SessionEntry
from rulegame_studio.places import forget_private, read_private, save_path, write_private
from rulegame_studio.rules import Rulesets
from rulegame_studio.snapshots import Snapshots

Entries = Sequence[SessionEntry]
PATIENCE: Final = 1.0  # seconds until a process that was ended has let go of its save


class Table:
    """A match, its record, its choices ahead, and what its audiences get."""

    def __init__(self, name: str, match: Match, game_id: str | None) -> None:
        self.name = name
        self.match = match
        self.game_id = game_id
        self.snapshots = Snapshots(match, game_id)

    @staticmethod
    def begin(
        name: str, game: Game, header: Header, rulesets: Rulesets, entries: Entries = ()
    ) -> Table:
        """A new match, perhaps from a position that others have come to."""
        if entries:
            played = SavedRound(header.first, tuple(entries), None)
            record = GameRecord(*whole_record(header, [played]))
        else:
            record = new_record(header)
        match = Match.of(game, header, record)
        match.follow(entries)
        record.keep_in(lambda: save_path(name), wanted=True)
        match.begin()
        return Table(name, match, rulesets.library.id_of(header.ruleset))

    @staticmethod
    def reopen(name: str, rulesets: Rulesets) -> Table:
        """Resume a match from its save; `SaveError` or `CannotSave` if that fails."""
        resumed = Match.resume(save_path(name), rulesets.game_of)
        match = resumed.match
        if match.header.rounds != 1:
            raise SaveError("this is a match; continue it with `rulegame resume`")
        _lock(resumed)
        match.begin()
        table = Table(name, match, rulesets.library.id_of(match.header.ruleset))
        table._read_held()
        return table

    def play(self, seat: int, text: str) -> None:
        """Play a move of a seat; it is on disk when this returns."""
        try:
            self.match.play(text, seat)
        finally:
            self.keep_held()

    def keep_held(self) -> None:
        """Keep what seats have chosen ahead, where only the studio reads it."""
        match, name = self.match, f"{self.name}.held"
        if not match.held:
            forget_private(name)
            return
        chosen = {str(seat): move.text for seat, move in match.held.items()}
        write_private(name, {"after": len(match.entries), "chosen": chosen})

    def _read_held(self) -> None:
        match, kept = self.match, read_private(f"{self.name}.held")
        if kept is None or kept.get("after") != len(match.entries):
            return
        chosen = kept.get("chosen")
        for seat in match.asked if isinstance(chosen, dict) else ():
            text = chosen.get(str(seat)) if isinstance(chosen, dict) else None
            if isinstance(text, str) and seat != match.player:
                match.play(text, seat)


def _lock(resumed: Resumed) -> None:
    """Go on in a save, which a worker that was just ended may still hold."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return resumed.go_on()
        except CannotSave:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
