"""What an audience of a table gets: a whole snapshot, made of nothing that it may not see."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from rulegame.game import CHANCE, Game, GameError, Outcome, State
from rulegame.game.visibility import Sight
from rulegame.game.wording import seen_words
from rulegame.playing.conversation import Ask, Conversation, converse
from rulegame.playing.saves import payoff_data
from rulegame.playing.seating import HUMAN, computer_notes
from rulegame.playing.session import Step
from rulegame.playing.telling import told_texts
from rulegame.wording import joined
from rulegame_studio.course import GameCourse
from rulegame_studio.drawn import drawn, picture_data
from rulegame_studio.following import Follower
from rulegame_studio.limits import LIMITS
from rulegame_studio.offering import Offers


class Audience(NamedTuple):
    """Who gets a snapshot: the player of a seat, those who watch, or a screen that people share;
    of which, if `seat` is given, only that one looks at it.
    """

    role: str
    seat: int | None = None

    @staticmethod
    def read(text: str) -> Audience:
        role, _, seat = text.partition(":")
        return Audience(role, int(seat) if seat else None)

    def __str__(self) -> str:
        return self.role if self.seat is None else f"{self.role}:{self.seat}"


class Around(NamedTuple):
    """What the server knows of a table beside the game."""

    present: Sequence[bool]
    ask: dict[str, Any] | None  # somebody wants to take a move back


class Snapshots:
    """The snapshots of one table."""

    def __init__(self, course: GameCourse, game_id: str | None) -> None:
        self._course = course
        self._game_id = game_id
        self._followers: dict[tuple[tuple[int, ...], tuple[int, ...]], Follower] = {}
        self._undone = course.undone
        self.computers = computer_notes(course.seats)  # in words, by seat
        self.version = 0
        self._decided = 0  # the version in which the present decision was first put
        self._decision: object = None
        self.grow()

    def grow(self) -> None:
        """Something has changed."""
        self.version = max(self.version + 1, 1000 * (self._course.changes + 1))
        if self._course.decision != self._decision:
            self._decision, self._decided = self._course.decision, self.version

    def is_stale(self, version: object) -> bool:
        """Whether a decision was made for a position that is not the one on the table."""
        return isinstance(version, int) and version < self._decided

    # ---- audiences

    def screen_seat(self) -> int | None:
        """The person at a shared screen who is asked now."""
        people = self._course.people
        return next((seat for seat in self._course.asked if seat in people), None)

    def handover(self) -> int | None:
        """The seat for whose eyes alone a shared screen must be, before that one is asked."""
        if not self._course.hides or len(self._course.people) < 2:
            return None
        return self.screen_seat()

    def eyes(self, audience: Audience) -> tuple[int, ...]:
        """The seats all of which must be allowed to see what an audience gets."""
        if audience.seat is not None:
            return (audience.seat,)
        if audience.role == "screen" and self._course.people:
            return self._course.people
        return tuple(range(len(self._course.names)))

    def _told(self, audience: Audience) -> tuple[int, ...]:
        """The seats that are not asked in front of an audience."""
        everybody = range(len(self._course.names))
        if audience.seat is not None:
            return tuple(seat for seat in everybody if seat != audience.seat)
        people = self._course.people
        open_ = audience.role == "screen" and (not self._course.hides or len(people) == 1)
        return tuple(seat for seat in everybody if not (open_ and seat in people))

    def mover(self, audience: Audience) -> int | None:
        """The seat whose moves an audience gets: one that is asked, and that it may decide for."""
        asked = self._course.asked
        if audience.seat is not None:
            return audience.seat if audience.seat in asked else None
        if audience.role == "screen" and self.handover() is None:
            return self.screen_seat()
        return None

    def _said(self, audience: Audience) -> str:
        if self._undone != self._course.undone:
            self._followers.clear()
            self._undone = self._course.undone
        key = self.eyes(audience), self._told(audience)
        if key not in self._followers:
            course = self._course
            self._followers[key] = Follower(
                course.game,
                course.names,
                course.session.first,
                lambda: course.session.line,
                eyes=key[0],
                told=key[1],
            )
        return self._followers[key].catch_up()

    # ---- the whole

    def data(self, audience: Audience, around: Around) -> dict[str, Any]:
        course = self._course
        eyes, names = self.eyes(audience), course.names
        state, line = course.state, course.session.line
        picture = drawn(state, line, eyes, names)
        mover = self.mover(audience)
        offers = None
        if mover is not None:
            offers = Offers(course.state_for(mover), mover, names, picture)
        outcome = course.outcome
        return {
            "kind": "table",
            "version": self.version,
            "game": self._game_id,
            "hides": course.hides,
            "you": {"role": audience.role, "seats": self._seats(audience)},
            "title": course.game.ruleset.title,
            "names": list(names),
            "computers": [self._computer(seat) for seat in range(len(names))],
            "present": list(around.present),
            "picture": picture_data(picture),
            "turn": picture.turn if outcome is None else None,
            "asked": list(course.asked),
            "said": self._paragraphs(audience),
            "moves": [] if offers is None else offers.as_data(),
            "many": offers is not None and offers.are_many,
            "question": None,
            "record": record_data(course, eyes),
            "handover": self._handover_data(audience),
            "ask": around.ask,
            "can": self._can(audience),
            "over": None if outcome is None else over_data(course, outcome),
            "problem": course.problem or None,
            "unsaved": course.record.problem or None,
            "rematch": None,
            "thinking": course.computer is not None,
            "dice": _fallen(course.game, line, eyes, state),
        }

    def _computer(self, seat: int) -> str | None:
        """The label of a computer's seat, which names the player that chooses."""
        if self._course.seats[seat] == HUMAN:
            return None
        words = self.computers.get(seat)
        return f"Computer ({words})" if words else "Computer"

    def _seats(self, audience: Audience) -> list[int]:
        if audience.seat is not None and audience.role == "seat":
            return [audience.seat]
        return list(self._course.people) if audience.role == "screen" else []

    def _paragraphs(self, audience: Audience) -> list[dict[str, str]]:
        lines = self._said(audience).splitlines()
        return [{"text": line} for line in lines if line.strip()]

    def _handover_data(self, audience: Audience) -> dict[str, int] | None:
        if audience.role != "screen" or audience.seat is not None:
            return None
        seat = self.handover()
        return None if seat is None else {"seat": seat}

    def _can(self, audience: Audience) -> dict[str, bool]:
        course, plays = self._course, audience.role in ("seat", "screen")
        going = course.outcome is None
        mine = [audience.seat] if audience.role == "seat" else list(course.people)
        seats = [seat for seat in mine if seat is not None]
        return {
            "undo": plays and course.can_undo(seats),
            "resign": plays and going and bool(seats),
            "rematch": plays and not going,
            "hint": self.mover(audience) is not None,
            "review": not going,
            "branch": plays and not going and may_branch(course),
        }


def may_branch(course: GameCourse) -> bool:
    """Whether all of a game that is over may be known: who gives up keeps what is hidden."""
    return course.state.outcome is not None or not course.hides


def record_data(course: GameCourse, eyes: Collection[int]) -> list[dict[str, Any]]:
    """The moves and rolls as all may read them; once the rules have ended the game, all of them."""
    line, names = course.session.public_line, course.names
    if course.state.outcome is not None:
        texts = [_open_text(course.game, step, names) for step in course.session.line]
        line = course.session.line
    else:
        texts = told_texts(line, names)
    found: list[dict[str, Any]] = []
    number = 0
    for step, text in zip(line, texts, strict=True):
        number += step.seat != CHANCE
        seat = None if step.seat == CHANCE else step.seat
        found.append({"number": number, "seat": seat, "text": text})
    return found


def _open_text(game: Game, step: Step, names: Sequence[str]) -> str:
    if step.seat == CHANCE:
        return step.move.text
    return seen_words(game, step.seat, step.move, names, ())


def over_data(course: GameCourse, outcome: Outcome) -> dict[str, Any]:
    """How it ended."""
    names = course.names
    winners = [names[seat] for seat in outcome.winners]
    if outcome.rule == "resign" and course.session.resigned is not None:
        start = f"{names[course.session.resigned]} resigns. "
    else:
        start = ""
    if len(winners) == len(names) > 1:
        text = "Everyone wins."
    elif winners:
        text = f"{joined(winners, 'and')} win{'s' * (len(winners) == 1)}."
    elif outcome.draw:
        text = "It is a draw."
    elif outcome.score is not None:
        text = f"The score is {outcome.score}."
    elif len(outcome.losers) == len(names) > 1:
        text = "Everyone loses."
    else:
        losers = [names[seat] for seat in outcome.losers]
        lost = f"{joined(losers, 'and')} lose{'s' * (len(losers) == 1)}."
        text = lost if losers else "The game is over."
    return {
        "text": start + text,
        "winners": list(outcome.winners),
        "result": "won" if winners else "draw" if outcome.draw else "lost",
        "payoffs": [str(payoff) for payoff in payoff_data(outcome)],
    }


def _fallen(game: Game, line: Sequence[Step], eyes: Collection[int], state: State) -> list[str]:
    """What has fallen since the last decision, as far as all who look on have seen it."""
    sight = game.companion(Sight)
    eyes = () if state.outcome is not None else eyes
    found: list[str] = []
    for step in reversed(line):
        if step.seat != CHANCE:
            break
        cells = step.state.cells
        if all(sight.notices(cells, eye) and sight.shows_roll(cells, eye) for eye in eyes):
            found.append(step.move.text)
    return found[::-1]


class Asking:
    """A move that is asked for step by step, where there are too many for a list."""

    def __init__(self, state: State, seat: int, names: Sequence[str]) -> None:
        self.state = state
        self.seat = seat
        self.chosen: str | None = None
        self._conversation: Conversation = converse(
            state.game, roll=_nothing, names=names, start=state, audience=(seat,), played=self._hear
        )
        self._ask: Ask = next(self._conversation)
        self._refused = ""

    def _hear(self, state: State, move: Any) -> None:
        if self.chosen is None:
            self.chosen = move.text

    def answer(self, text: str) -> None:
        """One answer; afterwards the move is `chosen`, or another question is asked."""
        try:
            self._ask = self._conversation.send(text)
        except (StopIteration, GameError):
            return
        except Exception:
            if self.chosen is None:
                raise
            return
        if self.chosen is None:
            said = self._ask.text.removesuffix(self._ask.menu).strip()
            self._refused = said.splitlines()[-1] if said else ""

    def as_data(self) -> dict[str, Any]:
        """The question, for a page."""
        question = self._ask.question
        shown = question.options[: LIMITS.moves]
        return {
            "prompt": self._ask.prompt.strip(),
            "about": question.about.replace("_", " "),
            "menu": self._ask.menu.strip() if len(question.options) <= LIMITS.moves else "",
            "entries": question.entries(question.options),
            "refused": self._refused or None,
            "free": len(question.options) > len(shown),
            "options": [
                {"text": question.entry(option), "valid": option.valid} for option in shown
            ],
        }


def _nothing(state: State) -> Any:
    from rulegame.playing.conversation import NothingRolled

    raise NothingRolled
