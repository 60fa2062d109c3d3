"""What an audience of a table gets: a whole snapshot, made of nothing that it may not see."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from rulegame.drawing.data import picture_data
from rulegame.drawing.pictures import DrawnBoard
from rulegame.game import CHANCE, Game, GameError, Outcome, State
from rulegame.game.visibility import Sight
from rulegame.game.wording import seen_words
from rulegame.playing import audience as engine
from rulegame.playing.conversation import failure_text
from rulegame.playing.match import Match
from rulegame.playing.saves import payoff_data
from rulegame.playing.seating import HUMAN, computer_notes
from rulegame.playing.session import Step
from rulegame.playing.telling import public_steps, told_texts
from rulegame.wording import joined
from rulegame_studio.drawn import drawn
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


class Snapshots:
    """The snapshots of one match."""

    def __init__(self, match: Match, game_id: str | None) -> None:
        self._match = match
        self._game_id = game_id
        self._audiences: dict[Audience, engine.Audience] = {}
        self._record = RecordData(match)
        self.computers = computer_notes(match.seats)  # in words, by seat
        self._turned = seats_on_top(match)
        self.version = 0
        self._decided = 0  # the version in which the present decision was first put
        self._decision: object = None
        self.grow()

    def grow(self) -> None:
        """Something has changed."""
        self.version = max(self.version + 1, 1000 * (self._match.changes + 1))
        if self._match.decision != self._decision:
            self._decision, self._decided = self._match.decision, self.version

    def is_stale(self, version: object) -> bool:
        """Whether a decision was made for a position that is not the one on the table."""
        return isinstance(version, int) and version < self._decided

    # ---- audiences

    def screen_seat(self) -> int | None:
        """The person at a shared screen who is asked now."""
        people = self._match.people
        return next((seat for seat in self._match.asked if seat in people), None)

    def handover(self) -> int | None:
        """The seat for whose eyes alone a shared screen must be, before that one is asked."""
        if not self._match.hides or len(self._match.people) < 2:
            return None
        return self.screen_seat()

    def audience(self, audience: Audience) -> engine.Audience:
        """What the engine decides for an audience."""
        found = self._audiences.get(audience)
        if found is None:
            match = self._match
            if audience.seat is not None:
                found = match.seat(audience.seat, drawn=True)
            elif audience.role == "screen":
                found = match.screen(drawn=True, hands_over=True)
            else:
                found = match.spectators(drawn=True)
            self._audiences[audience] = found
        return found

    def mover(self, audience: Audience) -> int | None:
        """The seat whose moves an audience gets: one that is asked, and that it may decide for."""
        asks = self.audience(audience).asks
        return next((seat for seat in self._match.asked if seat in asks), None)

    # ---- the whole

    def data(self, audience: Audience, present: Sequence[bool]) -> dict[str, Any]:
        """The snapshot for an audience; `present` says which seats are there."""
        match, mover, names = self._match, self.mover(audience), self._match.names
        eyes = self.audience(audience).eyes
        state, line = match.state, match.session.line
        picture = drawn(state, line, eyes, names)
        offers = None
        if mover is not None:
            offers = Offers(match.state_for(mover), mover, names, picture)
        many = offers is not None and offers.are_many
        outcome = match.outcome
        return {
            "kind": "table",
            "version": self.version,
            "game": self._game_id,
            "hides": match.hides,
            "you": {"role": audience.role, "seats": self._seats(audience)},
            "title": match.game.ruleset.title,
            "names": list(names),
            "computers": [self._computer(seat) for seat in range(len(names))],
            "present": list(present),
            "picture": picture_data(picture),
            "turned": audience.role == "seat" and audience.seat in self._turned,
            "turn": picture.turn if outcome is None else None,
            "asked": list(match.asked),
            "said": self._paragraphs(audience),
            "moves": [] if offers is None else offers.as_data(),
            "many": many,
            "question": question_data(self.audience(audience)) if many else None,
            "record": self._record.data(),
            "handover": self._handover_data(audience),
            "ask": self._undo_request(),
            "can": self._can(audience),
            "over": None if outcome is None else over_data(match, outcome),
            "problem": None if match.problem is None else failure_text(match.problem),
            "unsaved": match.record.problem or None,
            "rematch": None,
            "thinking": match.computer is not None,
            "dice": _fallen(match.game, line, eyes, state),
        }

    def _undo_request(self) -> dict[str, Any] | None:
        request = self._match.undo_request
        if request is None:
            return None
        agreed, others = list(request.agreed), list(request.others)
        return {"kind": "undo", "by": request.by, "answered": agreed, "others": others}

    def _computer(self, seat: int) -> str | None:
        """The label of a computer's seat, which names the player that chooses."""
        if self._match.seats[seat] == HUMAN:
            return None
        words = self.computers.get(seat)
        return f"Computer ({words})" if words else "Computer"

    def _seats(self, audience: Audience) -> list[int]:
        if audience.seat is not None and audience.role == "seat":
            return [audience.seat]
        return list(self._match.people) if audience.role == "screen" else []

    def _paragraphs(self, audience: Audience) -> list[dict[str, str]]:
        heard = self.audience(audience)
        with suppress(GameError):
            heard.follow()
        heading = self._match.heading
        heading = "" if heading and self._match.session.decisions else heading
        lines = f"{heading}{heard.said}".splitlines()
        return [{"text": line} for line in lines if line.strip()]

    def _handover_data(self, audience: Audience) -> dict[str, int] | None:
        if audience.role != "screen" or audience.seat is not None:
            return None
        seat = self.handover()
        return None if seat is None else {"seat": seat}

    def _can(self, audience: Audience) -> dict[str, bool]:
        match, plays = self._match, audience.role in ("seat", "screen")
        going = match.outcome is None
        mine = [audience.seat] if audience.role == "seat" else list(match.people)
        seats = [seat for seat in mine if seat is not None]
        return {
            "undo": plays and match.can_undo(seats),
            "resign": plays and going and bool(seats),
            "rematch": plays and not going,
            "hint": self.mover(audience) is not None,
            "review": not going,
            "branch": plays and not going and match.is_open,
            "share": self._game_id is not None and match.game.kind.is_open,
        }


class RecordData:
    """The moves and rolls as all may read them; once the rules have ended the game, all of them.
    Only new ones are written out.
    """

    def __init__(self, match: Match) -> None:
        self._match = match
        self._of: object = None
        self._told: list[dict[str, Any]] = []
        self._seen = 0  # how many steps of the line are told

    def data(self) -> list[dict[str, Any]]:
        match = self._match
        line, over = match.session.line, match.state.outcome is not None
        if self._of != (match.turned_back, over):
            self._of, self._told, self._seen = (match.turned_back, over), [], 0
        waiting = len(match.game.kernel.chosen(match.state.cells))
        settled = len(line) - waiting
        self._told += self._entries(line[self._seen : settled], self._told, over)
        self._seen = settled
        return [*self._told, *self._entries(line[settled:], self._told, over)]

    def _entries(
        self, steps: Sequence[Step], before: Sequence[dict[str, Any]], over: bool
    ) -> list[dict[str, Any]]:
        game, names = self._match.game, self._match.names
        if over:
            texts = [_open_text(game, step, names) for step in steps]
        else:
            steps = public_steps(steps)
            texts = told_texts(steps, names)
        found: list[dict[str, Any]] = []
        number = before[-1]["number"] if before else 0
        for step, text in zip(steps, texts, strict=True):
            number += step.seat != CHANCE
            seat = None if step.seat == CHANCE else step.seat
            found.append({"number": number, "seat": seat, "text": text})
        return found


def _open_text(game: Game, step: Step, names: Sequence[str]) -> str:
    if step.seat == CHANCE:
        return step.move.text
    return seen_words(game, step.seat, step.move, names, ())


def over_data(match: Match, outcome: Outcome) -> dict[str, Any]:
    """How it ended."""
    names = match.names
    winners = [names[seat] for seat in outcome.winners]
    if outcome.rule == "resign" and match.session.resigned is not None:
        start = f"{names[match.session.resigned]} resigns. "
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
        "losers": list(outcome.losers),
        "result": outcome.result,
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


def question_data(heard: engine.Audience) -> dict[str, Any] | None:
    """The question that an audience answers step by step, for a page."""
    ask = heard.ask
    if ask is None:
        return None
    question, reaction = ask.question, heard.reaction.strip()
    shown = question.options[: LIMITS.moves]
    return {
        "prompt": ask.prompt.strip(),
        "about": question.about.replace("_", " "),
        "menu": ask.menu.strip() if len(question.options) <= LIMITS.moves else "",
        "entries": question.entries(question.options),
        "refused": reaction.splitlines()[-1] if reaction else None,
        "free": len(question.options) > len(shown),
        "options": [{"text": question.entry(option), "valid": option.valid} for option in shown],
    }


def seats_on_top(match: Match) -> frozenset[int]:
    """The seats whose pieces begin nearer to the top of a board than those of others: these players
    sit there, and see the board turned.
    """
    names = match.names
    shapes = drawn(match.game.start(match.first), (), range(len(names)), names).shapes
    boards = [shape for shape in shapes if isinstance(shape, DrawnBoard)]
    for board in boards if len(names) == 2 else ():
        rows: tuple[list[int], list[int]] = [], []
        for number, row in enumerate(board.rows):
            for piece in row:
                if piece.seat in (0, 1):
                    rows[piece.seat].append(number)
        if all(rows):
            heights = [sum(some) / len(some) for some in rows]
            if abs(heights[0] - heights[1]) >= 1:
                return frozenset({heights.index(min(heights))})
    return frozenset()
