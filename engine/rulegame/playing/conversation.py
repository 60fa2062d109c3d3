"""The conversation of a game: what is printed, what is asked, and what an answer leads to.

A generator drives it, so that a terminal, a test and any other front end share every word.
Nothing is printed here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rulegame.codes import CODES
from rulegame.compiling import Point
from rulegame.diagnostics import Diagnostic
from rulegame.evaluation.runtime import Fault
from rulegame.game import CHANCE, Event, Game, GameError, Move, Outcome, Position, State
from rulegame.game.candidates import offers_of
from rulegame.game.reasons import rule_text
from rulegame.game.rendering import Context, renderer_of
from rulegame.game.visibility import Sight, Unseen
from rulegame.game.wording import move_words, roll_words
from rulegame.language.templates import Template
from rulegame.language.types import NONE_CODE
from rulegame.model import Operation
from rulegame.playing.forcing import is_forced
from rulegame.playing.narrating import Fallen, told_rolls, told_turn
from rulegame.playing.overlooking import Exchange, Overlooked, order_of_questions
from rulegame.playing.questions import OPERATION, AnswerOption, Question
from rulegame.wording import joined


@dataclass(frozen=True, slots=True)
class Ask:
    """Print `text`, then `prompt` without a line break, and send the line that is typed."""

    text: str
    prompt: str
    secret: bool
    state: State
    question: Question
    menu: str  # the part of the text that belongs to the question
    recap: str  # the turn so far: its heading, what was rolled, the menu
    # Where others look on: what they are shown of a move, which must be answered as a whole.
    exchange: Callable[[Move], Exchange] | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """The last words, and how the game ended."""

    text: str
    outcome: Outcome
    state: State


class NothingRolled(Exception):
    """Raised by a `roll` that has nothing to give: the conversation stops there."""

    def __init__(self, said: str = "") -> None:
        super().__init__("nothing is rolled")
        self.said = said  # what was still to be printed


# An answer is a typed line; or, from a player that does not type, an option or a whole move.
Reply = str | AnswerOption | Move
Conversation = Generator[Ask, Reply, Ending]


NO_NAMES: Final[Mapping[str, Any]] = {}
MOST_UNASKED: Final = 1000  # forced moves in a row; then somebody is asked, who can leave


def play_move(state: State, move: Move) -> State:
    """Return the state after a move, for conversations without a record."""
    return state.play(move)


def failure_text(error: GameError) -> str:
    """Return a line that says how the rules fail, without values that may be hidden."""
    failure = CODES[error.diagnostic.code].without_values or "a value cannot be computed"
    return f"The rules fail here: {failure}."


def converse(
    game: Game,
    *,
    roll: Callable[[State], Move],
    first: int = 0,
    names: Sequence[str] = (),
    start: State | None = None,
    play: Callable[[State, Move], State] = play_move,
    discreet: Container[int] = (),
    audience: Collection[int] | None = None,
    narrated: Container[int] = (),
    drawn: bool = False,
) -> Conversation:
    """A whole game; `roll` chooses what is rolled at a chance state, and `play` returns the state
    after each move and each roll.

    `audience` are the seats whose players read what is printed, all of them if it is not given:
    until the game is over, nothing is printed that one of them may not see. Only at their own turn,
    when they are asked, players read what they alone may see. At the turns of `discreet` seats the
    audience looks on. Without any audience there is nobody to keep a secret from. The turns of
    `narrated` seats are told in a sentence, for nobody is asked there; a whole move is expected.
    Where the position is `drawn` beside what is said, texts do not list it a second time.
    """
    eyes = range(len(game.players)) if audience is None else audience
    people = tuple(names) or game.players
    dialogue = _Dialogue(game, roll, people, play, discreet, eyes, narrated, drawn)
    return dialogue.run(start or game.start(first))


class _Dialogue:
    def __init__(
        self,
        game: Game,
        roll: Callable[[State], Move],
        names: Sequence[str],
        play: Callable[[State, Move], State],
        discreet: Container[int],
        audience: Collection[int],
        narrated: Container[int],
        drawn: bool,
    ) -> None:
        self._game = game
        self._narrated = narrated
        self._drawn = drawn
        self._fallen: list[Fallen] | None = None  # in a turn that is told when it is over
        self._sight = game.companion(Sight)
        hides = self._sight.hides_something and bool(audience)
        self._discreet = discreet if hides else ()
        self._audience: Collection[int] = tuple(audience) if hides else ()
        self._play_move = play
        self._ruleset = game.ruleset
        self._roll = roll
        self._names = names
        self._renderer = renderer_of(game)
        self._offers = offers_of(game)
        self._printed: list[tuple[str, str]] = []  # for the player who is asked, and for all
        self._recap: list[str] = []
        self._turn = 0
        self._unasked = 0  # forced moves in a row
        self._last_mover: int | None = None
        self._sat_out: Sequence[Event] = ()  # before the turn began that is to be told
        self._told: list[str] = []  # the same as the audience may read them
        self._dealt = "", 0  # what happens by itself in the setup, and for whom
        self._rolled: dict[str, int] = {}
        self._unseen_rolls: dict[str, frozenset[int]] = {}  # the seats that do not see them
        self._choices = {c.name for o in game.ruleset.operations for c in o.choices}
        heading = game.ruleset.texts.get("turn")
        rolls = {roll.name for roll in game.ruleset.turn.rolls}
        self._heading_reads_rolls = heading is not None and bool(heading.uses & rolls)

    # ---- saying things

    def _say(self, text: str, to_all: str | None = None) -> None:
        """An empty text prints nothing; every other one ends its line. `to_all` is what is printed
        instead if no question to the player whose turn it is follows.
        """
        line, shared = _line(text), _line(text if to_all is None else to_all)
        if line or shared:
            self._printed.append((line, shared))
            self._recap.append(line)

    def _take(self) -> str:
        text = "".join(own for own, _ in self._printed)
        self._printed.clear()
        return text

    def _share(self) -> None:
        """Nobody is asked after what was said last: all may read it."""
        self._printed = [(shared, shared) for _, shared in self._printed]

    def _at_turn(self, seat: int) -> Collection[int]:
        """Who reads what is printed at the turn of a seat, before it is asked."""
        asked = self._audience and seat not in self._discreet
        return (seat,) if asked else self._audience

    def _say_at_turn(self, seat: int, made: Callable[[Collection[int]], str]) -> None:
        """Say what the player at turn may read, or all, if it comes to no question."""
        eyes = self._at_turn(seat)
        text = made(eyes)
        self._say(text, text if eyes == self._audience else made(self._audience))

    def _text(
        self,
        name: str,
        state: State,
        me: int,
        eyes: Collection[int],
        given: Mapping[str, Any] = NO_NAMES,
        operation: Operation | None = None,
        own: Template | None = None,
        before: State | None = None,
        chosen: Mapping[str, int] = NO_NAMES,
        default: bool = False,
    ) -> str:
        """A text for the seats that read it (`eyes`), looked up in the operation, then in the
        ruleset, then in the defaults (or only there); one that names a choice that this move does
        not have is passed over.
        """
        given = {**self._common(), **given}
        missing = self._choices - given.keys() - self._rolled.keys() - chosen.keys()
        of_operation = operation.texts.get(name) if operation is not None else None
        candidates = () if default else (own, of_operation, self._ruleset.texts.get(name))
        template = next((t for t in candidates if t is not None and not t.uses & missing), None)
        eyes = () if state.outcome is not None else eyes
        if template is None:
            template = self._renderer.text(name, self._kind(name, me, eyes))
        elif self._drawn and name == "turn":
            template = self._renderer.split(template).words
        context = Context(
            cells=self._sight.masked(state.cells, eyes),
            other=self._sight.masked((before or state).cells, eyes),
            me=me,
            names=self._names,
            locals={**self._rolled, **chosen},
            given=given,
            untold=self._untold(eyes, me, operation),
            drawn=self._drawn,
        )
        return self._renderer.render(template, context)

    def _kind(self, name: str, me: int, eyes: Collection[int]) -> str:
        """Which of the default texts of a name is meant."""
        if self._drawn and name in ("turn", "ended"):
            return "drawn"
        return "discreet" if name == "turn" and any(eye != me for eye in eyes) else "texts"

    def _untold(
        self, eyes: Collection[int], me: int, operation: Operation | None
    ) -> frozenset[str]:
        """The rolls and choices that some of those who read may not know."""
        rolls = {name for name, unseen in self._unseen_rolls.items() if unseen.intersection(eyes)}
        if operation is None or all(eye == me for eye in eyes):
            return frozenset(rolls)
        return self._sight.kept(operation) | rolls

    def _common(self) -> dict[str, Any]:
        return {"title": self._ruleset.title, "summary": self._ruleset.summary, "turn": self._turn}

    # ---- the course of a game

    def run(self, state: State) -> Conversation:
        try:
            me = max(state.turn, 0)
            self._say(self._text("welcome", state, me, self._audience))
            while state.outcome is None and self._in_setup(state):
                state = yield from self._setup(state)
            self._say(self._text("begin", state, max(state.turn, 0), self._audience))
            if self._ruleset.together is None:
                self._report(state.events)
            else:
                self._wait_with(state.events, state)
            while state.outcome is None:
                state = yield from self._turn_of(state)
            self._share()
            return Ending(self._take(), state.outcome, state)
        except NothingRolled:
            self._share()
            raise NothingRolled(self._take()) from None
        except GameError as error:
            raise self._failed(error.diagnostic) from None
        except Fault as fault:
            raise self._failed(self._game.error(fault).diagnostic) from None

    def _failed(self, diagnostic: Diagnostic) -> GameError:
        """Where the rules failed, and the moves so far, as far as all may know them."""
        self._share()
        if self._audience:
            message = CODES[diagnostic.code].without_values or diagnostic.message
            diagnostic = diagnostic._replace(message=message)
        return GameError(diagnostic, self._told, self._take())

    def _point(self, state: State) -> Point:
        return self._game.point(state)

    def _in_setup(self, state: State) -> bool:
        """Whether the first turn has not begun: somebody chooses, or chance decides, before it."""
        point = self._point(state)
        return point.kind == "setup" or (point.operation is not None and point.operation.setup)

    def _setup(self, state: State) -> Generator[Ask, Reply, State]:
        """One player's choice before the first turn, with the rolls that it may bring; or one roll
        of what happens by itself.
        """
        seat, point = state.turn, self._point(state)
        self._recap.clear()
        if point.operation is not None:
            if self._dealt != (point.operation.name, seat):
                self._dealt = point.operation.name, seat
                self._rolled, self._unseen_rolls = {}, {}
            return self._chance(state, seat, point.operation)
        operation = point.operations[0]
        self._rolled, self._unseen_rolls = {}, {}
        self._fallen = [] if seat in self._narrated else None
        move = yield from self._ask(state)
        after = self._play(state, move)
        if self._fallen is not None:
            pass
        elif "chosen" in operation.texts:
            self._say_of_move("chosen", state, after, seat, operation, move)
        else:
            self._say("\n")
        while after.player == CHANCE and self._point(after).operation == operation:
            after = self._chance(after, seat, operation)
        self._narrate(state, after, move)
        return after

    def _turn_of(self, state: State) -> Generator[Ask, Reply, State]:
        """One turn: heading, rolls, decision, what came of it."""
        if self._ruleset.together is not None:
            return (yield from self._turn_of_all(state))
        seat = state.turn
        self._fallen = [] if seat in self._narrated else None
        again = self._open_own_turn(state, seat)
        if not self._heading_reads_rolls:
            self._heading(state, seat, again)
        left_out = [roll.name for roll in self._ruleset.turn.rolls if roll.when is not None]
        self._rolled, self._unseen_rolls = dict.fromkeys(left_out, NONE_CODE), {}
        while state.player == CHANCE and state.turn == seat:
            state = self._chance(state, seat, None)
            if state.events:  # the roll left no move
                if self._heading_reads_rolls:
                    self._heading(state.events[0].before, seat, again)
                self._narrate_rolls(seat)
                self._report(state.events, heading_done=True)
                return state
        if self._heading_reads_rolls:
            self._heading(state, seat, again)
        move = self._forced(state)
        if move is None:
            move = yield from self._ask(state)
        return self._carry_out(state, move, seat)

    # ---- turns in which players choose at once

    def _turn_of_all(self, state: State) -> Generator[Ask, Reply, State]:
        """Each is asked, one after the other; what all have chosen is told when the last has."""
        state = self._open_turn(before := state)
        made: list[tuple[State, Move]] = []
        said = len(self._recap)
        while state.outcome is None and (not made or self._game.kernel.chosen(state.cells)):
            if made and state.turn not in self._narrated:
                self._say("\n")
            del self._recap[said:]
            asked, seat = state, state.turn
            self._heading(asked, seat, {"again": False})
            move = self._forced(asked)
            if move is None:
                move = yield from self._ask(asked)
            made.append((asked, move))
            state = self._play(asked, move)
            for event in self._at_once_with(state):
                self._tell(event)
        stuck = [event for event in self._at_once_with(state) if event.kind == "stuck"]
        return state if stuck or not made else self._reveal(before, made, state)

    def _open_turn(self, state: State) -> State:
        """What all read before the first is asked: who sits out, and what is rolled."""
        again = {"again": False}
        if self._turn > 0:
            self._say(self._text("between", state, state.turn, self._audience, again))
        self._turn += 1
        self._recap.clear()
        self._rolled, self._unseen_rolls = {}, {}
        for event in self._sat_out:
            self._tell(event)
        while state.player == CHANCE:
            state = self._chance(state, state.turn, None)
            for event in state.events:
                self._tell(event)
        self._share()
        return state

    def _at_once_with(self, state: State) -> list[Event]:
        """What happened by itself on the way to a state, after somebody else had chosen."""
        return [e for e in state.events if self._game.kernel.chosen(e.before.cells)]

    def _wait_with(self, events: Sequence[Event], state: State) -> None:
        """Who sits out is told when the turn begins; if the game is over, now."""
        self._sat_out = events if state.outcome is None else ()
        for event in events if state.outcome is not None else ():
            self._tell(event)

    def _reveal(self, before: State, made: list[tuple[State, Move]], state: State) -> State:
        """What everybody has chosen, and what comes of it."""
        self._share()
        if self._audience:
            self._told[-len(made) :] = [self._sight.public_text(*step) for step in made]
        for asked, move in made:
            operation = self._ruleset.operation(move.operation)
            assert operation is not None
            if asked.turn in self._narrated:
                eyes = self._audience if state.outcome is None else ()
                self._say(told_turn(asked, asked, move, (), self._names, eyes))
            elif not operation.secret or "chosen" in operation.texts:
                self._say_of_move("chosen", asked, state, asked.turn, operation, move)
        events = [e for e in state.events if not self._game.kernel.chosen(e.before.cells)]
        while state.player == CHANCE and (done := self._point(state).operation) is not None:
            state = self._chance(state, 0, done)
            events = list(state.events)
        eyes = self._audience if state.outcome is None else ()
        self._say(self._text("updated", state, 0, eyes, before=before))
        if state.outcome is not None and not events:
            self._end(state, 0, before)
        self._wait_with(events, state)
        return state

    def _waits(self, move: Move) -> bool:
        operation = self._ruleset.operation(move.operation)
        return operation is not None and self._sight.waits(operation)

    def _forced(self, state: State) -> Move | None:
        """The one move that there is, if it is to be made without a question."""
        if not is_forced(state) or self._unasked == MOST_UNASKED:
            self._unasked = 0
            return None
        self._unasked += 1
        self._share()
        return state.moves[0]

    def _open_own_turn(self, state: State, seat: int) -> dict[str, Any]:
        """Begin the turn of a seat; what its heading knows beside the state."""
        again = {"again": seat == self._last_mover}
        if self._turn > 0 and seat not in self._narrated:
            self._say(self._text("between", state, seat, self._audience, again))
        self._turn += 1
        self._recap.clear()
        return again

    def _heading(self, state: State, seat: int, again: dict[str, Any]) -> None:
        """Say the text `turn`; if it reads a roll of the turn, that has been rolled."""
        if seat not in self._narrated:
            self._say_at_turn(seat, lambda eyes: self._text("turn", state, seat, eyes, again))

    def _carry_out(self, before: State, move: Move, seat: int) -> State:
        operation = self._ruleset.operation(move.operation)
        assert operation is not None
        state = self._play(before, move)
        self._last_mover = seat
        told = self._fallen is not None
        if not told and (not operation.secret or "chosen" in operation.texts):
            self._say_of_move("chosen", before, state, seat, operation, move)
        while (
            state.player == CHANCE and operation.rolls and self._point(state).operation == operation
        ):
            state = self._chance(state, seat, operation)
        if told:
            self._narrate(before, state, move)
        else:
            self._say_of_move("updated", before, state, seat, operation, move)
        outcome = state.outcome
        if outcome is not None and not state.events:
            self._end(state, seat, before, operation, move)
        self._report(state.events)
        return state

    def _narrate(self, before: State, after: State, move: Move) -> None:
        """A turn that is told, now that it is over."""
        if self._fallen is not None:
            eyes = self._audience if after.outcome is None else ()
            self._say(told_turn(before, after, move, self._fallen, self._names, eyes))
            self._fallen = None

    def _narrate_rolls(self, seat: int) -> None:
        """What fell in such a turn, if that was all."""
        if self._fallen is not None:
            self._say(told_rolls(self._game, seat, self._fallen, self._names))
            self._fallen = None

    def _say_of_move(
        self, name: str, before: State, after: State, seat: int, operation: Operation, move: Move
    ) -> None:
        """What is said of a move, as far as all may know; nothing that only an operation says
        whose name is kept.
        """
        eyes = self._audience if after.outcome is None else ()
        others = any(eye != seat for eye in eyes)
        if others and self._sight.keeps_name(operation):
            if name != "chosen":
                self._say(self._text(name, after, seat, eyes, before=before))
            return
        kept = self._sight.kept(operation) if others else frozenset[str]()
        words = move_words(self._game, operation, move, self._names, kept, self._drawn)
        given = {"label": operation.label, "move": words}
        chosen = _choices_of(operation, move)
        self._say(
            self._text(name, after, seat, eyes, given, operation, before=before, chosen=chosen)
        )

    def _play(self, state: State, move: Move) -> State:
        waits = bool(self._audience) and state.player != CHANCE and self._waits(move)
        text = self._sight.public_text(state, move, waits) if self._audience else move.text
        self._told.append(text)
        return self._play_move(state, move)

    def _chance(self, state: State, seat: int, operation: Operation | None) -> State:
        """Something is rolled, and said to those who may see it."""
        move = self._roll(state)
        rolled = self._point(state).roll
        assert rolled is not None
        unseen = [eye for eye in self._audience if not self._sight.shows_roll(state.cells, eye)]
        after = self._play(state, move)
        self._rolled[rolled.name] = move.codes[1]
        self._unseen_rolls[rolled.name] = frozenset(unseen)
        if self._fallen is not None:
            if not unseen and not (operation is not None and operation.secret):
                self._fallen.append(Fallen(rolled, move.codes[1], operation is not None))
            return after
        value = roll_words(self._game, rolled, move.codes[1], self._names, self._drawn)
        names = {"roll": rolled.name.replace("_", " "), "rolled": value}
        # As with a secret choice: only what the ruleset itself says of it is printed.
        texts = {*self._ruleset.texts, *(operation.texts if operation is not None else ())}
        worded = rolled.text is not None or "rolled" in texts
        unrepeated = operation is not None and operation.secret and not worded

        def made(eyes: Collection[int]) -> str:
            eyes = () if after.outcome is not None else eyes
            if not set(unseen).isdisjoint(eyes) or (eyes and unrepeated):
                return ""
            return self._text("rolled", after, seat, eyes, names, operation, rolled.text, state)

        if operation is None and self._ruleset.together is None:
            self._say_at_turn(seat, made)
        else:
            self._say(made(self._audience))
        return after

    # ---- ends and passes

    def _end(
        self,
        state: State,
        seat: int,
        before: State,
        operation: Operation | None = None,
        move: Move | None = None,
    ) -> None:
        """How the game has ended, perhaps by a move."""
        outcome = state.outcome
        assert outcome is not None
        rule = next((r for r in self._ruleset.end if r.name == outcome.rule), None)
        own = rule.text if rule is not None else None
        chosen = {} if operation is None or move is None else _choices_of(operation, move)
        names = self._ending(outcome)
        self._say(
            self._text("ended", state, seat, (), names, own=own, before=before, chosen=chosen)
        )

    def _ending(self, outcome: Outcome) -> dict[str, Any]:
        winners = [self._names[s] for s in outcome.winners]
        losers = [self._names[s] for s in outcome.losers]
        return {
            "winner": joined(winners, "and"),
            "loser": joined(losers, "and"),
            "winners": winners,
            "losers": losers,
            "draw_game": outcome.draw,
            "payoffs": [str(payoff) for payoff in outcome.payoffs],
        }

    def _report(self, events: Sequence[Event], heading_done: bool = False) -> None:
        """What happened by itself: who was stuck, and what came of it."""
        self._share()
        for k, event in enumerate(events):
            state, seat = event.before, event.player
            if event.kind in ("pass", "stuck") and not (heading_done and k == 0):
                self._heading(state, seat, self._open_own_turn(state, seat))
                self._share()
            self._last_mover = seat
            self._tell(event)
        last = events[-1] if events else None
        if last is not None and last.kind == "pass":
            ended = self._after_pass(last)
            if ended is not None:
                self._end(ended, last.player, last.before)

    def _tell(self, event: Event) -> None:
        """What became of a player who was stuck."""
        state, seat = event.before, event.player
        told = seat in self._narrated
        if event.kind == "pass":
            why = {"why": self._why_stuck(state, self._audience)}
            own = self._ruleset.stuck.text
            text = self._text("passed", state, seat, self._audience, why, own=own, default=told)
            self._say(text)
            return
        outcome = self._resolved(event).outcome
        eyes = self._audience if outcome is None else ()
        names: dict[str, Any] = self._ending(outcome) if outcome is not None else {}
        if event.kind == "stuck":
            names["why"] = self._why_stuck(state, eyes)
            own = self._ruleset.stuck.text
            self._say(self._text("stuck", state, seat, eyes, names, own=own, default=told))
        else:
            own = self._ruleset.stuck.all_text
            self._say(self._text("all_stuck", state, seat, eyes, names, own=own))

    def _resolved(self, event: Event) -> State:
        """The state that being stuck leads to."""
        return self._game.resume(event.before.cells)

    def _after_pass(self, event: Event) -> State | None:
        """The end that the effects of a pass led to, if they did."""
        state = self._resolved(event)
        over = state.outcome is not None and state.outcome.rule not in ("stuck", "all_stuck")
        return state if over else None

    def _why_stuck(self, state: State, eyes: Collection[int]) -> str:
        """What the one validity rule says that bars every move, if that may be known."""
        try:
            return self._reason_stuck(state, self._sight.seen_state(state, eyes), eyes)
        except Unseen:
            return ""

    def _reason_stuck(self, state: State, seen: Position, eyes: Collection[int]) -> str:
        rules: dict[str, Move] = {}
        for move in self._offers.candidates(seen):
            name = next(self._offers.barring(seen, move), None)
            if name is None:
                return ""
            rules.setdefault(name, move)
        if len(rules) != 1:
            return ""
        ((name, move),) = rules.items()
        rule = next((r for r in self._ruleset.validity if r.name == name), None)
        operation = self._ruleset.operation(move.operation)
        if rule is None or operation is None:
            return ""
        names = tuple(self._names)
        return rule_text(self._offers, state, operation, move, rule, "stuck", names, eyes)

    # ---- asking

    def _ask(self, state: State) -> Generator[Ask, Reply, Move]:
        """Asks until one move is left, and it is valid."""
        asked: set[str] = set()
        eyes = self._at_turn(state.turn)
        moves = everything = self._offered(state, eyes)
        if self._drawn and (only := self._only_operation(state)) is not None:
            moves = [move for move in moves if move.operation == only]
        while True:
            about = self._next_question(state, moves, asked)
            if about is None:
                if asked:
                    return moves[0]
                about = OPERATION  # the only move there is: a person makes it all the same
            drawn = self._drawn
            question = Question(
                self._game, state, about, moves, self._names, everything, eyes, drawn
            )
            if state.player in self._discreet or state.player in self._narrated:
                return (yield from self._look_on(question, state))
            if self._drawn and (asked or len(moves) > 1) and self._answers_itself(question, state):
                asked.add(about)
                continue
            answer = yield from self._put(question, state)
            if isinstance(answer, Move):
                return answer
            asked.add(about)
            moves = list(answer.moves)

    def _offered(self, state: State, eyes: Collection[int]) -> list[Move]:
        """What is put before a player: all moves on offer, but where that depends on what the
        player does not see, only the valid ones.
        """
        try:
            return self._offers.candidates(self._sight.seen_state(state, eyes))
        except Unseen:
            return list(state.moves)

    def _next_question(self, state: State, moves: Sequence[Move], asked: set[str]) -> str | None:
        """What is to be asked next, or None if there is nothing left to ask."""
        operations = {m.operation for m in moves}
        for about in order_of_questions(self._game, state):
            if about == OPERATION:
                if len(operations) > 1:
                    return OPERATION
                if OPERATION not in asked and self._lists_one(state):
                    return OPERATION
            elif about not in asked and self._has_choice(operations, about):
                return about
        operation = self._ruleset.operation(next(iter(operations)))
        assert operation is not None
        return next((c.name for c in operation.choices if c.name not in asked), None)

    def _lists_one(self, state: State) -> bool:
        """Whether a menu of operations is shown though there is one entry only: always in a
        transcript, and beside a picture where not everybody can tell that there is one.
        """
        if len(self._point(state).operations) == 1:
            return False
        return not self._drawn or self._only_operation(state) is None

    def _only_operation(self, state: State) -> str | None:
        """The operation of all valid moves, if there is one only and everybody can tell."""
        found = {move.operation for move in state.moves}
        if len(found) != 1:
            return None
        if self._sight.hides_something:
            try:
                seen = self._sight.seen_state(state, range(len(self._game.players)))
                if len(self._offers.operations(seen)) > 1:
                    offered = self._offers.candidates(seen)
                    barring = self._offers.barring
                    if {m.operation for m in offered if not any(barring(seen, m))} != found:
                        return None
            except (Unseen, Fault):
                return None
        return found.pop()

    def _answers_itself(self, question: Question, state: State) -> bool:
        """Whether there is one answer to a question for a choice, and everybody can tell."""
        if question.about == OPERATION or len(question.options) > 1:
            return False
        everybody = range(len(self._game.players))
        try:
            self._offers.candidates(self._sight.seen_state(state, everybody))
            return question.options[0].valid
        except Unseen:
            return False

    def _has_choice(self, operations: set[str], name: str) -> bool:
        found = [self._ruleset.operation(o) for o in operations]
        return all(o is not None and any(c.name == name for c in o.choices) for o in found)

    def _look_on(self, question: Question, state: State) -> Generator[Ask, Reply, Move]:
        """A decision that others look on: the question as it comes, and a whole move."""

        def shown(move: Move) -> Exchange:
            common, names = self._common(), self._names
            self._game.kernel.reset_budget()
            try:
                return Overlooked(self._game, state, move, names, self._audience, common).exchange()
            except GameError as error:
                raise self._failed(error.diagnostic) from None
            except Fault as fault:
                raise self._failed(self._game.error(fault).diagnostic) from None

        recap = "".join(self._recap)
        move = yield Ask(self._take(), "", question.secret, state, question, "", recap, shown)
        if not isinstance(move, Move):
            raise TypeError("where others look on, a whole move is expected")
        return move

    def _put(self, question: Question, state: State) -> Generator[Ask, Reply, AnswerOption | Move]:
        """One question, until the answer is valid."""
        shown: Sequence[AnswerOption] = question.options
        while True:
            said = len(self._recap)
            with self._renderer.together():
                names = {**self._common(), **question.menu_names(shown, self._common())}
                self._say(question.render("menu", names))
                prompt = question.render("prompt", names)
            menu, recap = "".join(self._recap[said:]), "".join(self._recap)
            line = yield Ask(self._take(), prompt, question.secret, state, question, menu, recap)
            if not isinstance(line, str):
                return line
            answer = question.read(line)
            if answer.option is None and answer.move is None:
                answer = question.read_shortcut(line)
            move = answer.move
            if answer.option is not None and answer.option.valid:
                return answer.option
            if move is not None and move in state.moves:
                return move
            if answer.option is None and move is None:
                self._say(question.unknown(" ".join(line.split()), names))
                continue
            if move is None:
                assert answer.option is not None
                move = question.nearest_to_valid(answer.option)
            operation = self._ruleset.operation(move.operation)
            assert operation is not None
            shown = [o for o in question.options if o.valid]
            label = operation.label
            with self._renderer.together():
                because = question.refusal(move, "because", self._sight.kept(operation))
                names = {**names, **question.menu_names(shown, self._common())}
                self._say(question.render("refused", {**names, "because": because, "label": label}))


def _choices_of(operation: Operation, move: Move) -> dict[str, int]:
    """The choices of a move by their names."""
    return {c.name: code for c, code in zip(operation.choices, move.codes[1:], strict=True)}


def _line(text: str) -> str:
    """A text that ends its line; an empty one prints nothing."""
    return text if not text or text.endswith("\n") else text + "\n"
