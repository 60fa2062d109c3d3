"""A game at a table, in a worker process: its moves, its save, and what each seat chose ahead."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from rulegame.game import CHANCE, Game, GameError, Move, Outcome, State
from rulegame.game.visibility import Sight
from rulegame.playing.conversation import Ask, Conversation, Ending, converse
from rulegame.playing.dice import Dice
from rulegame.playing.questions import OPERATION, Question
from rulegame.playing.saves import (
    Header,
    SavedRound,
    SaveError,
    end_line,
    entry_line,
    whole_record,
)
from rulegame.playing.saving import CannotSave, GameRecord, read_file
from rulegame.playing.scoring import Score, outcome_of
from rulegame.playing.seating import HUMAN, swapped
from rulegame.playing.session import NotThisGame, Session, SessionEntry
from rulegame_studio.following import failure_text
from rulegame_studio.offering import offered_moves, why_text
from rulegame_studio.places import forget_private, read_private, save_path, write_private
from rulegame_studio.rules import Rulesets

PATIENCE: Final = 1.0  # seconds until a process that was ended has let go of its save


class Declined(ValueError):
    """Something that cannot be done; says why, to the one who asked for it."""


class GameCourse:
    """One game as it goes on, on disk before anybody hears of it."""

    def __init__(self, table: str, game: Game, header: Header, record: GameRecord) -> None:
        self.table = table
        self.game = game
        self.header = header
        self.names: tuple[str, ...] = swapped(header.names, game, header.first)
        self.seats: tuple[str, ...] = swapped(header.players, game, header.first)
        self.record = record
        self.problem = ""  # why the rules cannot go on
        self.undone = 0
        self._entries: list[SessionEntry] = []
        self._over = False  # the end is written
        self.held: dict[int, Move] = {}  # what seats have chosen before it was their turn
        self.session = Session(
            game,
            fresh=Dice(header.rolls, header.seed).of_round(0),
            first=header.first,
            record=self._write,
        )
        self._conversation: Conversation
        self.state: State = game.start(header.first)

    # ---- beginning

    @staticmethod
    def begin(
        table: str,
        game: Game,
        header: Header,
        entries: Sequence[SessionEntry] = (),
        kept: bool = True,
    ) -> GameCourse:
        """A new game, perhaps from a position that others have come to; on disk, if it is kept."""
        played = SavedRound(header.first, tuple(entries), None)
        chain, lines = whole_record(header, [played])
        record = GameRecord(chain, lines)
        if kept:
            record.keep_in(lambda: save_path(table), wanted=True)
        course = GameCourse(table, game, header, record)
        course._recall(entries)
        return course

    @staticmethod
    def reopen(table: str, rulesets: Rulesets) -> GameCourse:
        """A game that goes on from its save; `SaveError` or `CannotSave` if it cannot."""
        path = save_path(table)
        saved, data = read_file(path)
        if len(saved.rounds) != 1 or saved.header.rounds != 1:
            raise SaveError("this is a match; continue it with `rulegame resume`")
        game = rulesets.game_of(saved.header)
        record = GameRecord(saved.chain, data[: saved.length])
        course = GameCourse(table, game, saved.header, record)
        _lock(record, path, len(data))
        course._over = saved.over
        try:
            course._recall(saved.rounds[0].entries)
        except (NotThisGame, SaveError):
            record.leave(asked=True)
            raise SaveError("the current rules do not allow this game") from None
        if saved.rounds[0].outcome is not None and not saved.over:
            course._close(saved.rounds[0].outcome, ended=True)
        course._read_held()
        course._settle_end()
        return course

    def _recall(self, entries: Sequence[SessionEntry]) -> None:
        self.session.recall(entries)
        self._entries = list(entries)
        self.undone = sum(entry.kind == "undo" for entry in entries)
        self._lead()

    def close(self) -> None:
        """Let others go on with it."""
        self.record.settle()
        self.record.leave(asked=True)

    # ---- what there is

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, spec in enumerate(self.seats) if spec == HUMAN)

    @property
    def computer(self) -> int | None:
        """The seat of the computer that has to choose."""
        if self.outcome is not None or self.problem:
            return None
        seat = self.state.player
        return seat if seat is not None and seat >= 0 and self.seats[seat] != HUMAN else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, by its rules or because somebody gave up."""
        return outcome_of(self.session, self.state.outcome)

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that must decide now."""
        if self.outcome is not None or self.problem:
            return ()
        return tuple(seat for seat in self.state.choosing if seat not in self.held)

    @property
    def changes(self) -> int:
        """How often somebody has decided something."""
        return sum(entry.kind != "roll" for entry in self._entries) + len(self.held)

    @property
    def decision(self) -> tuple[int, int]:
        """Which decision is being made: the same for all who choose at once."""
        waiting = len(self.game.kernel.chosen(self.state.cells))
        return self.undone, len(self.session.line) - waiting

    def line_entries(self, count: int) -> list[SessionEntry]:
        """The first steps of the game, as a record of their own."""
        return [
            SessionEntry("roll" if step.seat == CHANCE else "move", step.move.text)
            for step in self.session.line[:count]
        ]

    @property
    def hides(self) -> bool:
        return self.game.companion(Sight).hides_something

    def state_for(self, seat: int) -> State:
        """The state in which a seat chooses. Where all choose at once, what those before it choose
        makes no difference to it, and any move will do in place of theirs.
        """
        state = self.state
        while state.player != seat and seat in state.choosing:
            state = state.play(state.moves[0])
        return state

    # ---- deciding

    def play(self, seat: int, text: str) -> None:
        """A move of a seat, on disk when this returns; `Declined` if it is not possible."""
        if seat not in self.asked:
            raise Declined(self.why_not_asked())
        state = self.state_for(seat)
        move = _move(state, text)
        if state is not self.state:
            self.held[seat] = move
            self._keep_held()
            return
        try:
            state.play(move)
        except GameError as error:
            raise Declined(failure_text(error)) from None
        self._go_on(move)
        while self.asked_first in self.held and self.outcome is None and not self.problem:
            first = self.asked_first
            assert first is not None
            self._go_on(self.held.pop(first))
        self._keep_held()

    @property
    def asked_first(self) -> int | None:
        """Whom the rules ask now."""
        return self.state.player if self.state.outcome is None else None

    def why_not_asked(self) -> str:
        """Why a seat cannot move."""
        if self.outcome is not None:
            return "The game is over."
        return self.problem or "It is not your turn."

    def undo(self, seats: Collection[int]) -> None:
        """Back to the last decision of one of those seats."""
        if self.outcome is not None or not self.session.undo(seats):
            raise Declined("Nothing to undo.")
        self.undone += 1
        self.held.clear()
        self._keep_held()
        self._lead()

    def can_undo(self, seats: Collection[int]) -> bool:
        decided = (step.seat in seats for step in self.session.line)
        return self.outcome is None and any(decided)

    def resign(self, seat: int) -> None:
        """A seat gives up."""
        if self.outcome is not None:
            raise Declined("The game is over.")
        self.session.resign(seat)
        self._settle_end()

    # ---- the conversation that leads

    def _lead(self) -> None:
        """Go along the moves so far. Nobody reads this; what is asked and rolled comes of it."""
        everybody = range(len(self.names))
        self.problem = ""
        self.session.tell_again()
        self._conversation = converse(
            self.game,
            roll=self.session.roll,
            first=self.session.first,
            names=self.names,
            played=self.session.played,
            discreet=everybody,
            audience=everybody,
            narrated=everybody,
        )
        reached = self._step(None)
        while isinstance(reached, Ask) and (move := self.session.pending) is not None:
            reached = self._step(move)
        self._settle_end()

    def _go_on(self, move: Move) -> None:
        self._step(move)
        self._settle_end()

    def _step(self, move: Move | None) -> Ask | Ending | None:
        """One decision, and all that comes of it by itself."""
        try:
            reached = next(self._conversation) if move is None else self._conversation.send(move)
        except StopIteration as end:
            ending: Ending = end.value
            self.state = ending.state
            return ending
        except GameError as error:
            self.problem = failure_text(error)
            return None
        self.state = reached.state
        return reached

    # ---- on disk

    def _write(self, entry: SessionEntry) -> None:
        self._entries.append(entry)
        self.record.add(entry_line(entry))

    def _settle_end(self) -> None:
        outcome = self.outcome
        if outcome is not None and not self._over:
            self._close(outcome, ended=False)

    def _close(self, outcome: Outcome, ended: bool) -> None:
        """Write how it has ended."""
        score = Score([0] * len(self.names))
        people = swapped(range(len(self.names)), self.game, self.header.first)
        score.add(outcome, people)
        over = {"over": True, "wins": list(score.wins), "draws": score.draws}
        self.record.add(*([] if ended else [end_line(outcome)]), over)
        self._over = True
        self.held.clear()

    def _keep_held(self) -> None:
        name = f"{self.table}.held"
        if not self.held:
            forget_private(name)
            return
        chosen = {str(seat): move.text for seat, move in self.held.items()}
        write_private(name, {"after": len(self._entries), "chosen": chosen})

    def _read_held(self) -> None:
        kept = read_private(f"{self.table}.held")
        if kept is None or kept.get("after") != len(self._entries) or self.outcome is not None:
            return
        chosen = kept.get("chosen")
        for seat in self.state.choosing if isinstance(chosen, dict) else ():
            text = chosen.get(str(seat)) if isinstance(chosen, dict) else None
            if isinstance(text, str):
                self.held[seat] = _move(self.state_for(seat), text)


def _lock(record: GameRecord, path: Path, size: int) -> None:
    """Go on in a save, which a worker that was just ended may still hold."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            record.go_on_in(path, size)
            return
        except CannotSave:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def _move(state: State, text: str) -> Move:
    """The valid move that a text means; `Declined` says why it is none. It is not carried out here:
    where all choose at once, what others choose is not known yet.
    """
    text = " ".join(text.split())
    move = next((move for move in state.moves if move.text == text), None)
    if move is None:
        with suppress(ValueError):  # written in another way
            move = state.game.parse_move(text)
    if move is None or move not in state.moves:
        raise Declined(_refusal(state, text, move))
    return move


def _refusal(state: State, text: str, move: Move | None) -> str:
    """Why a move is not possible, in words that its player may read."""
    seat = state.player
    assert seat is not None
    offered = offered_moves(state, seat)
    if move is None or move not in offered:
        return f"'{text[:100]}' is not a move here."
    names = state.game.players
    question = Question(state.game, state, OPERATION, offered, names, offered, (seat,))
    return f"Not valid: {why_text(question, move)}"
