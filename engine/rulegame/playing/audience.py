"""The audiences of a match: what each sees, hears and is asked. Nothing else decides that.

An audience is the player of a seat, a screen that several share, spectators, or the open record.
`eyes` are the seats all of which must be allowed to see what it gets; none: everything is open.
Each leads a conversation of its own along the line of the match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from rulegame.drawing.position import draw
from rulegame.game import GameError, Move, State
from rulegame.playing.conversation import (
    Ask,
    Conversation,
    Ending,
    NothingRolled,
    Reply,
    converse,
    failure_text,
)
from rulegame.playing.forcing import is_forced

if TYPE_CHECKING:
    from rulegame.drawing.pictures import Picture
    from rulegame.game import Game, Outcome
    from rulegame.playing.session import Session


class Watched(Protocol):
    """A match, as far as its audiences look at it: see `match.Match`."""

    game: Game
    first: int
    names: tuple[str, ...]
    seats: tuple[str, ...]
    session: Session
    failing: Move | None
    turned_back: int

    @property
    def state(self) -> State: ...
    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def asked(self) -> tuple[int, ...]: ...
    @property
    def decision(self) -> tuple[int, int]: ...
    def state_for(self, seat: int) -> State: ...
    @property
    def heading(self) -> str: ...
    @property
    def resignation_text(self) -> str: ...
    @property
    def score_text(self) -> str: ...
    def play(self, move: Move | str, seat: int | None = None) -> None: ...


class Audience:
    """Those who look at a match together."""

    def __init__(
        self,
        match: Watched,
        eyes: Collection[int],
        asks: Collection[int],
        *,
        narrates: bool = True,
        drawn: bool = False,
    ) -> None:
        """`asks` are the seats that are asked in front of this audience. If it `narrates`, the
        turns of others are told in a sentence; if not, with prompts and answers. Where positions
        are `drawn`, texts do not repeat them.
        """
        self.match = match
        self.eyes = tuple(eyes)
        self.asks = frozenset(asks)
        self._narrates = narrates
        self._drawn = drawn
        self._led: object = None  # the round and the undos that the conversation belongs to
        # The round that this audience knows of; of one that has begun it hears a recap.
        self._heard: object = match.session if match.session.decisions else None
        self._ahead: _Ahead | None = None  # the question to a seat whose turn it is not yet
        self._unread = ""  # what was said since the last `hear`
        # The seat, and where in the line its turn began, of the last question put ahead.
        self._introduced = (-1, -1)
        self.said = ""  # what was said since the last decision
        self.reaction = ""  # what was said of an answer that is not the whole decision

    @property
    def others(self) -> frozenset[int]:
        """The seats that are not asked in front of this audience."""
        return frozenset(range(len(self.match.seats))) - self.asks

    # ---- seeing

    def picture(self) -> Picture:
        """Return the position as this audience sees it."""
        match = self.match
        return draw(match.state, match.session.line, self.eyes, match.names)

    # ---- hearing

    def restart(self) -> Ask | Ending | None:
        """Follow the match once more from the start, as after an undo."""
        self._begin()
        self.follow()
        if isinstance(self.reached, Ask) and self._heard is self.match.session:
            self._unread = self.reached.recap.removesuffix(self.reached.menu)
        return self.reached

    def _begin(self) -> None:
        match, others = self.match, self.others
        self._at = 0  # how many steps of the line the conversation has come along
        self._led = match.session, match.turned_back
        self._failure: GameError | None = None
        self._ahead, self._introduced = None, (-1, -1)
        self._unread = ""
        self._conversation: Conversation = converse(
            match.game,
            roll=self._roll,
            first=match.first,
            names=match.names,
            play=self._play,
            discreet=others if self.eyes else (),
            audience=self.eyes,
            narrated=others if self.eyes and self._narrates else (),
            drawn=self._drawn,
        )
        self.reached: Ask | Ending | None = None
        self._step(None)

    def follow(self) -> Ask | Ending | None:
        """Go on to where the match stands; return the question there, or the end. None where the
        record stops at a roll.
        """
        if self._led != (self.match.session, self.match.turned_back):
            return self.restart()
        if self._failure is not None:
            raise self._failure
        while isinstance(self.reached, Ask) and self._at < len(self.match.session.line):
            self._step(self.match.session.line[self._at].move)
        return self.reached

    def answer(self, reply: Reply) -> Ask | Ending | None:
        """Answer the question: a typed line, an option or a whole move. What it comes to is played;
        return the next question, of the same or of another seat.
        """
        if not isinstance(self.follow(), Ask):
            raise ValueError("nobody is asked")
        ahead = self._find_ahead()
        if ahead is None:
            self._step(reply)
        else:
            self.reaction = ahead.answer(reply)
            self._unread += self.reaction
        return self.follow()

    def _step(self, reply: Reply | None) -> None:
        at, new, self.reaction = self._at, "", ""
        try:
            talk = self._conversation
            self.reached = next(talk) if reply is None else talk.send(reply)
        except StopIteration as end:
            self.reached = end.value
        except NothingRolled as stop:
            self.reached, new = None, stop.said
        except GameError as error:
            self._failure = error
            self.reached, self.said = None, f"{error.said}{failure_text(error)}\n"
            self._unread += self.said
            raise
        if self.reached is not None:
            new = self.reached.text
            if isinstance(ask := self.reached, Ask):
                new = new.removesuffix(ask.menu)
                began = self._at - len(self.match.game.kernel.chosen(ask.state.cells))
                if (ask.state.player, began) == self._introduced:
                    new = new.removesuffix(ask.recap.removesuffix(ask.menu))
        if reply is None or self._at > at:
            self.said = new
        else:
            self.reaction = new
        self._unread += new

    def _roll(self, state: State) -> Move:
        line = self.match.session.line
        if self._at < len(line):
            return line[self._at].move
        if self.match.failing is None:
            raise NothingRolled
        return self.match.failing

    def _play(self, state: State, move: Move) -> State:
        match = self.match
        if self._at == len(match.session.line):
            if match.failing is not None:
                return state.play(move)  # with which the rules fail
            match.play(move)
        self._at += 1
        line = match.session.line
        return line[self._at].state if self._at < len(line) else match.state

    def hear(self) -> str:
        """Return all that was said since the last call, with the menu of a question to answer."""
        match, ask = self.match, self.ask
        heading = "" if self._heard is match.session else match.heading
        self._heard = match.session
        text, self._unread = f"{heading}{self._unread}", ""
        if match.session.resigned is not None:
            text += match.resignation_text
        if match.outcome is not None:
            return text + match.score_text
        return text if ask is None else text + ask.menu

    # ---- being asked

    @property
    def ask(self) -> Ask | None:
        """The question that somebody of this audience has to answer."""
        with suppress(GameError):
            reached, ahead = self.follow(), self._find_ahead()
            if ahead is not None:
                return ahead.ask
            if isinstance(reached, Ask) and reached.state.player in self.asks:
                return reached if self.match.outcome is None else None
        return None

    def _find_ahead(self) -> _Ahead | None:
        """The question to a seat that chooses at once with others who are asked before it."""
        match, ahead = self.match, self._ahead
        seat = next((seat for seat in match.asked if seat in self.asks), None)
        if ahead is not None and (ahead.seat, ahead.decision) == (seat, match.decision):
            return ahead
        self._ahead = None
        if seat is not None and seat != match.state.player:
            state = match.state_for(seat)
            if not is_forced(state):
                self._ahead = ahead = _Ahead(match, seat, state)
                self._introduced = seat, match.decision[1]
                self._unread += ahead.ask.recap.removesuffix(ahead.ask.menu)
        return self._ahead

    @property
    def prompt(self) -> str:
        """The prompt of that question; empty if there is none."""
        return "" if self.ask is None else self.ask.prompt

    # ---- replay

    def transcript(self) -> Iterator[tuple[str, str, str]]:
        """The round from the start: what is printed, and each prompt with its answer."""
        self._begin()
        line = self.match.session.line
        while isinstance(self.reached, Ask) and self._at < len(line):
            reply, shown = entered(self.reached, line[self._at].move)
            yield self.reached.text, "", ""
            yield from (("", prompt, answer) for prompt, answer in shown)
            self._step(reply)
        yield self.said, "", ""


class _Ahead:
    """A question that is put before it is the turn of a seat, and its answers."""

    def __init__(self, match: Watched, seat: int, state: State) -> None:
        self.seat, self.decision = seat, match.decision
        self._match = match
        self._conversation = converse(
            match.game,
            roll=_stop,
            names=match.names,
            start=state,
            play=self._play,
            audience=(seat,),
        )
        self.ask: Ask = next(self._conversation)

    def answer(self, reply: Reply) -> str:
        """Answer it; return what is said of the answer."""
        with suppress(NothingRolled):
            self.ask = self._conversation.send(reply)
            return self.ask.text.removesuffix(self.ask.menu)
        return ""

    def _play(self, state: State, move: Move) -> State:
        self._match.play(move, self.seat)
        raise NothingRolled


def _stop(state: State) -> Move:
    raise NothingRolled


def entered(ask: Ask, move: Move) -> tuple[Reply, list[tuple[str, str]]]:
    """How a move is given as an answer to a question, and the prompts and answers that show it."""
    if ask.exchange is not None:
        return move, ask.exchange(move)
    option = ask.question.option_of(move)
    if option is None:
        return move, [(ask.prompt, move.text)]
    return option, [(ask.prompt, ask.question.entry(option))]
