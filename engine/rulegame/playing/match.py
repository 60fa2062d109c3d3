"""A match between people and computers, for every front end: terminal, browser, library.

    match = Match(game, ["human", "medium"], first="random", rounds=3, save="match.jsonl")
    match.play("take 3")        # a person's move; rolls and forced moves follow by themselves
    match.play_computer()       # the move of the computer whose turn it is
    match.view(0)               # what seat 0 knows, with its past: what a player chooses from
    match.undo([0])             # back to the last decision of seat 0
    match.resign(0); match.next_round(); Match.load("match.jsonl")

People at one screen, or at several devices ("remote"), read a match through an `Audience` each:
`match.screen()`, `match.seat(0)`, `match.spectators()`. It has what they see, hear and are asked.
A match prints nothing and waits for nothing. Its record has each move before the call returns.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from rulegame.game import CHANCE, Game, GameError, Move, Outcome, State, View
from rulegame.game.visibility import Sight
from rulegame.loading import load_ruleset, make_game, read_settings
from rulegame.playing.audience import Audience
from rulegame.playing.computers import Computers
from rulegame.playing.conversation import MOST_UNASKED, failure_text
from rulegame.playing.dice import Dice
from rulegame.playing.forcing import is_forced
from rulegame.playing.questions import refusal_text
from rulegame.playing.reopening import Load, called_settings, new_header, open_save
from rulegame.playing.saves import (
    Chain,
    Header,
    SavedRound,
    SaveError,
    end_line,
    entry_line,
    header_line,
    round_line,
    whole_record,
)
from rulegame.playing.saving import GameRecord
from rulegame.playing.scoring import Score, outcome_of
from rulegame.playing.seating import HUMAN, swapped
from rulegame.playing.session import NotThisGame, Session, SessionEntry, Step
from rulegame.wording import joined

if TYPE_CHECKING:
    from rulegame.players import Player
    from rulegame.players.advice import Advice
    from rulegame.players.slices import Thinking

NOT_ALLOWED: Final = "the current rules do not allow this game"
MOST_ALONE: Final = 2000  # moves of computers in a row; a person may never be asked again


class MatchError(ValueError):
    """Something that cannot be done now; the message is for the person who asked for it."""


class EndlessGame(MatchError):
    """Computers have played for so long that the game may never end."""

    def __init__(self) -> None:
        super().__init__(f"no end after {MOST_ALONE:,} computer moves")


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """A request to undo, which other people have to agree to."""

    by: int
    others: tuple[int, ...]
    agreed: tuple[int, ...] = ()


@dataclass(slots=True)
class Round:
    """One game of a match: its session, and who sits where."""

    session: Session
    names: tuple[str, ...]
    entries: list[SessionEntry] = field(default_factory=list)  # its record
    outcome: Outcome | None = None


class Match:
    """One game, or several rounds in which the first move goes round."""

    def __init__(
        self,
        game: Game,
        players: Sequence[str | Player] = (),
        *,
        names: Sequence[str] = (),
        first: int | Literal["random"] = 0,
        rounds: int = 1,
        best_of: bool = False,
        seed: int | None = None,
        rolls: Sequence[str] = (),
        save: str | Path | None = None,
    ) -> None:
        """Begin a match. `players` has "human" or a computer player for each seat: a text such as
        "search:2s", or an object with `choose(view, rng)`. `first` is the seat that moves first, or
        "random" for a coin toss. `save` names a new file for the record.
        """
        specs, own = _specs(game, players)
        sets, enable, disable = called_settings(game)
        header = new_header(
            game.ruleset,
            specs,
            names=names,
            first=first,
            rounds=rounds,
            best_of=best_of,
            seed=secrets.randbits(48) if seed is None else seed,
            rolls=rolls,
            sets=sets,
            enable=enable,
            disable=disable,
        )
        self._set_up(game, replace(header, parameters=game.parameters), None, own)
        self.computers.check(header.first)
        if save is not None:
            path = Path(save)
            self.record.keep_in(lambda: path, wanted=True)
        self.begin()

    @classmethod
    def of(cls, game: Game, header: Header, record: GameRecord | None = None) -> Match:
        """Return a match by the header of a save, before its first roll: see `begin`."""
        match = cls.__new__(cls)
        match._set_up(game, header, record, {})
        return match

    @classmethod
    def load(
        cls, path: str | Path, game: Game | None = None, players: Sequence[str | Player] = ()
    ) -> Match:
        """Resume a saved match; `SaveError` if its rules have changed. Rulesets without a file need
        `game`, computer players that are objects `players`.
        """
        resumed = cls.resume(Path(path), lambda header: game or _loaded(header))
        match = resumed.match
        match.computers.own.update(_specs(match.game, players)[1] if players else {})
        resumed.go_on()
        match.begin()
        return match

    @classmethod
    def resume(cls, path: Path, load: Load, *, anyway: bool = False) -> Resumed:
        """Return a saved match as it stands, before `go_on`; `SaveError` unless the file is as it
        was written, and the rules mean what they did. `anyway`: under other rules, too, as far as
        the moves hold.
        """
        opened = open_save(path, load, anyway=anyway)
        saved, header = opened.saved, opened.header
        record = GameRecord(saved.chain, opened.data[: saved.length])
        match = cls.of(opened.game, header, record)
        stopped = match.recall(saved.rounds, saved.over, anyway=anyway)
        if opened.changed or stopped:
            match.record = GameRecord(*whole_record(header, match.rounds))
        size, changed = len(opened.data), opened.changed or bool(stopped)
        return Resumed(match, path, size, saved.whole, changed, stopped)

    def _set_up(
        self, game: Game, header: Header, record: GameRecord | None, own: Mapping[int, Player]
    ) -> None:
        self.game = game
        self.header = header
        self.record = new_record(header) if record is None else record
        self.computers = Computers(game, header.players, own)
        self.dice = Dice(header.rolls, header.seed)
        self.score = Score([0] * len(header.names))
        self.played: list[Round] = []  # the rounds so far, the present one last
        self.is_over = False
        self._open_round(0)

    # ---- rounds

    def _open_round(self, number: int) -> None:
        self.number = number
        self.first = (self.header.first + number) % len(self.header.names)
        self.names: tuple[str, ...] = swapped(self.header.names, self.game, self.first)
        self.seats: tuple[str, ...] = swapped(self.header.players, self.game, self.first)
        self.session = Session(
            self.game, fresh=self.dice.of_round(number), first=self.first, record=self._write
        )
        self._state: State | None = None  # the start, unless the game has come further
        self._decided = 0  # of these, those that are no rolls
        self.held: dict[int, Move] = {}  # what seats have chosen before it was their turn
        self.problem: GameError | None = None  # why the rules cannot go on
        self.failing: Move | None = None  # the roll or forced move with which they fail
        self.undo_request: UndoRequest | None = None
        self.turned_back = 0  # how often a move was undone or redone
        self._alone = 0  # moves of computers in a row
        self._unasked = 0  # forced moves in a row
        self._ended = self._end_recorded = False
        self.played.append(Round(self.session, self.names))

    def begin(self) -> None:
        """Go on to the first decision: rolls fall, forced moves are made."""
        if self.outcome is None:
            self._advance()
        self._settle()

    def next_round(self) -> bool:
        """Begin the next round of a match; False if there is none."""
        if self.outcome is None:
            raise MatchError("The round is not over.")
        if self.is_over:
            return False
        self._open_round(self.number + 1)
        self.begin()
        return True

    def rematch_header(self) -> Header:
        """The same match once more, with sides swapped and other dice."""
        header = self.header
        return replace(
            header,
            first=(header.first + 1) % len(header.players),
            seed=Random(f"{header.seed}/again").getrandbits(48),
            rolls=(),
            toss=False,
            started=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    @property
    def heading(self) -> str:
        """Which round it is, and who moves first, where that is not as a matter of course."""
        header, toss = self.header, self.header.toss and self.number == 0
        first = f"{'Coin toss: ' if toss else ''}{header.names[self.first]} moves first."
        if header.rounds > 1:
            kind = "at most " if header.best_of else ""
            return f"Round {self.number + 1} of {kind}{header.rounds}. {first}\n\n"
        return f"{first}\n\n" if toss else ""

    @property
    def score_text(self) -> str:
        """After a round of several: how the match stands, and who has won it."""
        if self.header.rounds == 1:
            return ""
        names, common = self.header.names, self.game.kernel.is_common
        verdict = self.score.verdict(names, self.number + 1, common) if self.is_over else ""
        return f"\nScore: {self.score.text(names)}\n{verdict}\n"

    @property
    def resignation_text(self) -> str:
        """Who has resigned, and who wins by that."""
        seat, outcome = self.session.resigned, self.outcome
        if seat is None or outcome is None:
            return ""
        winners = [self.names[winner] for winner in outcome.winners]
        wins = f" {joined(winners, 'and')} win{'s' * (len(winners) == 1)} the game!"
        lost = " Everyone loses the game." if len(outcome.losers) > 1 else ""
        return f"{self.names[seat]} resigns.{wins if winners else lost}\n"

    # ---- how it stands

    @property
    def state(self) -> State:
        """The whole position."""
        if self._state is None:
            self._state = self.game.start(self.first)
        return self._state

    @property
    def entries(self) -> list[SessionEntry]:
        """The record of the round."""
        return self.played[-1].entries

    @property
    def rounds(self) -> list[SavedRound]:
        """The rounds so far, as a save has them."""
        return [SavedRound(r.session.first, tuple(r.entries), r.outcome) for r in self.played]

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, spec in enumerate(self.seats) if spec == HUMAN)

    @property
    def outcome(self) -> Outcome | None:
        """How the round has ended, by the rules or because somebody has resigned."""
        return outcome_of(self.session, self.state.outcome)

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that must decide now."""
        if self.outcome is not None or self.problem is not None:
            return ()
        return tuple(seat for seat in self.state.choosing if seat not in self.held)

    @property
    def player(self) -> int | None:
        """The seat to move; None if the round is over or its rules fail."""
        return None if self.outcome is not None or self.problem else self.state.player

    @property
    def computer(self) -> int | None:
        """The seat of the computer to move; None if a person is asked."""
        seat = self.player
        return seat if seat is not None and seat >= 0 and self.seats[seat] != HUMAN else None

    @property
    def hides(self) -> bool:
        """Whether not everybody sees everything."""
        return self.game.companion(Sight).hides_something

    @property
    def is_open(self) -> bool:
        """Whether all of the round may be shown: who resigns keeps what is hidden."""
        return self.state.outcome is not None or not self.hides

    @property
    def changes(self) -> int:
        """How often somebody has decided something in the round, as far as all know: no rolls."""
        return self._decided + len(self.held)

    @property
    def decision(self) -> tuple[int, int]:
        """Which decision is being made: the same for all who choose at once."""
        waiting = len(self.game.kernel.chosen(self.state.cells))
        return self.turned_back, len(self.session.line) - waiting

    def state_for(self, seat: int) -> State:
        """Return the state in which a seat chooses. Where all choose at once, the choices of others
        make no difference to it, and any move stands in for theirs.
        """
        return self._ahead(seat)[0]

    def _ahead(self, seat: int) -> tuple[State, list[Step]]:
        state, steps = self.state, list[Step]()
        while seat not in self.held and state.player != seat and seat in state.choosing:
            steps.append(Step(state, state.moves[0]))
            state = state.play(state.moves[0])
        return state, steps

    def view(self, seat: int) -> View:
        """Return what a seat knows: the position as it sees it, and its past."""
        state, steps = self._ahead(seat)
        return state.view(seat, (*self.session.line, *steps))

    # ---- audiences

    def screen(
        self, *, narrates: bool = True, drawn: bool = False, hands_over: bool = False
    ) -> Audience:
        """Return the audience of the people who share one screen, or of all seats. A screen that
        `hands_over` asks nobody while they hide something from each other: it shows `seat(k)`, once
        the others look away.
        """
        people = self.people
        away = hands_over and self.hides and len(people) > 1
        eyes = people or range(len(self.seats))
        return Audience(self, eyes, () if away else people, narrates=narrates, drawn=drawn)

    def seat(self, seat: int, *, drawn: bool = False) -> Audience:
        """Return the audience of the player in one seat, at a device of its own."""
        return Audience(self, (seat,), (seat,), drawn=drawn)

    def spectators(self, *, drawn: bool = False) -> Audience:
        """Return the audience of those who only watch: it gets what all players may see."""
        return Audience(self, range(len(self.seats)), (), drawn=drawn)

    # ---- moves

    def play(self, move: Move | str, seat: int | None = None) -> None:
        """Play a move of the seat to move, or of another that chooses at once with it. `MatchError`
        says why it is not possible, in words that this seat may read.
        """
        seat = self.player if seat is None else seat
        if seat is None or seat not in self.asked:
            raise MatchError(self.why_not_asked())
        state = self.state_for(seat)
        chosen = _valid_move(state, seat, move)
        self._alone = 0 if self.seats[seat] == HUMAN else self._alone + 1
        if state is not self.state:
            self.held[seat] = chosen
            return
        self._state = self.session.play(state, chosen)
        self.undo_request = None
        self._unasked = 0
        self._advance()
        self._settle()

    def why_not_asked(self) -> str:
        """Why a seat cannot move."""
        if self.outcome is not None:
            return "The game is over."
        if self.problem is not None:
            return failure_text(self.problem)
        return "It is not your turn."

    def _advance(self) -> None:
        """Go on to the next decision: rolls fall, and what was held or is forced is played."""
        while self.state.outcome is None:
            state = self.state
            if state.player == CHANCE:
                move = self.session.roll(state)
            elif is_forced(state) and self._unasked < MOST_UNASKED:
                self._unasked += 1
                move = state.moves[0]
            else:
                self._unasked = 0
                seat = state.player
                if seat not in self.held:
                    return
                move = self.held.pop(seat)
            try:
                self._state = self.session.play(state, move)
            except GameError as error:
                self.problem, self.failing = error, move
                return

    def choose(self, player: str = "") -> Move:
        """Return the move that the computer chooses, or another `player` in its place. It depends
        on the seed, and on where the game stands for this seat, alone.
        """
        from rulegame.players.slices import finish

        return finish(self.thinking(player))

    def thinking(self, player: str = "") -> Thinking[Move]:
        """The same in slices: see `rulegame.players.slices`."""
        seat = self.computer
        if seat is None:
            raise MatchError("No computer has to move.")
        self.check_end()
        view = self.view(seat)
        place = f"{self.header.seed}/{self.number}/player {seat}/{self.session.place_of(view)}"
        spec, rng = player or self.seats[seat], Random(place)
        return (yield from self.computers.thinking(spec, view, rng, self.first))

    def check_end(self) -> None:
        """Raise `EndlessGame` if computers have played among themselves for too long."""
        if self._alone >= MOST_ALONE:
            raise EndlessGame

    def play_computer(self) -> Move:
        """Let the computer move whose turn it is; return its move."""
        move = self.choose()
        self.play(move)
        return move

    def hint(self, seat: int, **limits: Any) -> Advice:
        """Return what the moves of a seat are worth, from what it knows: see `players.advice`."""
        from rulegame.players.advice import advise

        if seat not in self.asked:
            raise MatchError(self.why_not_asked())
        view = self.view(seat)
        place = f"{self.header.seed}/{self.number}/hint/{self.session.place_of(view)}"
        return advise(view, Random(place), first=self.first, **limits)

    # ---- undo, resignation

    def undo(self, seats: Collection[int]) -> bool:
        """Go back to the last decision of one of these seats; False if there is none."""
        if self.outcome is not None or not self.session.undo(seats):
            return False
        self._turn_back()
        return True

    def redo(self, seats: Collection[int]) -> bool:
        """Go forth to the next decision of one of these seats; False if nothing was undone."""
        if self.outcome is not None or not self.session.redo(seats):
            return False
        self._turn_back()
        return True

    def _turn_back(self) -> None:
        self.turned_back += 1
        self.held.clear()
        self.undo_request = None
        self._state, self.problem, self.failing = self.session.state, None, None
        self._unasked = self._count_unasked()
        self._advance()
        self._settle()

    def _count_unasked(self) -> int:
        """The forced moves in a row up to now."""
        count = 0
        if self.game.ruleset.turn.forced:
            for step in self.session.line:
                if step.seat != CHANCE:
                    forced = is_forced(step.state) and count < MOST_UNASKED
                    count = count + 1 if forced else 0
        return count

    def can_undo(self, seats: Collection[int]) -> bool:
        """Whether one of these seats has decided something in this round."""
        return self.outcome is None and any(step.seat in seats for step in self.session.line)

    def request_undo(self, seats: Collection[int]) -> None:
        """Undo the last decision of these seats, once all other people agree."""
        if not self.can_undo(seats):
            raise MatchError("Nothing to undo.")
        if self.undo_request is not None:
            raise MatchError("There is already an open undo request.")
        others = tuple(seat for seat in self.people if seat not in seats)
        if others:
            self.undo_request = UndoRequest(min(seats), others)
        elif not self.undo(seats):
            raise MatchError("Nothing to undo.")

    def answer_undo(self, seats: Collection[int], agree: bool) -> None:
        """Agree to the open request for these seats, decline it, or withdraw it."""
        request = self.undo_request
        if request is None:
            raise MatchError("There is no open undo request.")
        mine = [seat for seat in seats if seat in request.others]
        if not mine and (agree or request.by not in seats):
            raise MatchError("This request is for other players.")
        if not agree:
            self.undo_request = None
            return
        request = replace(request, agreed=tuple(sorted({*request.agreed, *mine})))
        self.undo_request = request
        if set(request.others) <= set(request.agreed):
            self.undo_request = None
            if not self.undo([request.by]):
                raise MatchError("Nothing to undo.")

    def resign(self, seat: int) -> None:
        """Give up the round: see `scoring.resignation`."""
        if self.outcome is not None:
            raise MatchError("The game is over.")
        self.undo_request = None
        self.session.resign(seat)
        self._settle()

    # ---- the record

    def _write(self, entry: SessionEntry) -> None:
        self.entries.append(entry)
        self._decided += entry.kind != "roll"
        self.record.add(entry_line(entry))

    def _settle(self) -> None:
        """Count a round that has ended, and record the end and what follows."""
        outcome = self.outcome
        if outcome is None or self._ended:
            return
        self._end_round(outcome)
        following = (
            {"over": True, "wins": list(self.score.wins), "draws": self.score.draws}
            if self.is_over
            else round_line(self.number + 1, (self.first + 1) % len(self.names))
        )
        self.record.add(*([] if self._end_recorded else [end_line(outcome)]), following)

    def _end_round(self, outcome: Outcome) -> None:
        self._ended = True
        self.held.clear()
        self.undo_request = None
        self.played[-1].outcome = outcome
        self.score.add(outcome, swapped(range(len(self.names)), self.game, self.first))
        left = self.header.rounds - self.number - 1
        self.is_over = left <= 0 or (self.header.best_of and self.score.decided(left))

    def recall(
        self, rounds: Sequence[SavedRound], over: bool = False, *, anyway: bool = False
    ) -> str:
        """Go through the rounds of a save; `SaveError` if these rules do not allow them. `begin`
        goes on from there. `anyway`: as far as they do; return which move they refuse.
        """
        for number, played in enumerate(rounds):
            if number:
                self._open_round(number)
            try:
                self._recall_round(played)
            except NotThisGame as problem:
                which = f"round {number + 1}, {problem}" if len(rounds) > 1 else str(problem)
                if not anyway:
                    raise SaveError(f"{NOT_ALLOWED}: {which}") from None
                return which
            finally:
                self.dice.skip(self.session.rolled_fresh)
            if played.outcome is not None and (over or number + 1 < len(rounds)):
                self._end_round(played.outcome)
            elif played.outcome is not None:
                self._end_recorded = True
                self.played[-1].outcome = played.outcome
        return ""

    def _recall_round(self, played: SavedRound) -> None:
        if self.first != played.first:
            raise SaveError(f"the wrong player moves first in round {self.number + 1}")
        held = len(played.entries)
        try:
            self._state = self.session.recall(played.entries)
        except NotThisGame as problem:
            held, self._state = problem.held, self.session.state
            raise
        except GameError as problem:
            raise SaveError(f"{NOT_ALLOWED}: {problem}") from None
        finally:
            self._recalled(played.entries[:held])
        if played.outcome not in (None, self.outcome) and self.session.resigned is None:
            raise NotThisGame("the result, which is different now", held)

    def replays(self) -> list[Match]:
        """Return a match for each round so far, as it stands at the end of that round."""
        found = []
        for number, played in enumerate(self.rounds):
            match = Match.of(self.game, self.header)
            match._open_round(number)
            match._recall_round(played)
            found.append(match)
        return found

    def follow(self, entries: Sequence[SessionEntry]) -> None:
        """Go on along further entries of the record of another process."""
        self._state = self.session.recall(entries, self.state)
        self._recalled(entries)

    def _recalled(self, entries: Sequence[SessionEntry]) -> None:
        self.entries.extend(entries)
        self._decided += sum(entry.kind != "roll" for entry in entries)
        self.turned_back += sum(entry.kind in ("undo", "redo") for entry in entries)
        self._unasked = self._count_unasked()

    def steps(self, length: int) -> tuple[SessionEntry, ...]:
        """Return the first moves and rolls of the round, as a record of their own."""
        return tuple(
            SessionEntry("roll" if step.seat == CHANCE else "move", step.move.text)
            for step in self.session.line[:length]
        )

    def save(self, path: str | Path) -> None:
        """Write the match so far to a new file."""
        self.record.copy_to(Path(path))

    def close(self) -> None:
        """Close the file of the record, so that others can resume the match."""
        self.record.settle()
        self.record.leave(asked=True)


class Resumed(NamedTuple):
    """A saved match, as it stands before it goes on."""

    match: Match
    path: Path
    size: int  # of the file when it was read
    whole: bool  # False: the end of the file was missing
    changed: bool  # other rules, or some moves do not hold: the old save stays
    stopped: str  # which move no longer holds; empty if all do

    def go_on(self) -> None:
        """Go on in the file; `CannotSave` if somebody else does."""
        self.match.record.go_on_in(self.path, self.size)


def new_record(header: Header) -> GameRecord:
    """Return the record of a match that has not begun."""
    chain = Chain()
    return GameRecord(chain, chain.add(header_line(header)))


def _specs(
    game: Game, players: Sequence[str | Player]
) -> tuple[tuple[str, ...], dict[int, Player]]:
    """The players of a call as texts for the record, and those that are objects."""
    given = tuple(players) or (HUMAN,) * len(game.players)
    if len(given) != len(game.players):
        raise ValueError(f"this game has {len(game.players)} seats, not {len(given)}")
    own = {k: player for k, player in enumerate(given) if not isinstance(player, str)}
    specs = tuple(
        p if isinstance(p, str) else f"{type(p).__name__} {k}" for k, p in enumerate(given, 1)
    )
    return specs, own


def _loaded(header: Header) -> Game | None:
    settings = read_settings(header.sets, header.enable, header.disable)
    ruleset = load_ruleset(header.ruleset, settings)[0]
    return None if ruleset is None else make_game(ruleset)


def _valid_move(state: State, seat: int, given: Move | str) -> Move:
    """The valid move that is meant. It is not carried out here: where all choose at once, what
    others choose is not known yet.
    """
    text = " ".join(str(given).split())
    move = next((move for move in state.moves if move.text == text), None)
    if move is None:
        try:  # written in another way
            move = state.game.parse_move(text)
        except ValueError:
            move = None
    if move is None or move not in state.moves:
        raise MatchError(refusal_text(state, seat, text, move))
    return move
