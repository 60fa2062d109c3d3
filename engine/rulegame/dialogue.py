"""The conversation of a game: what is printed, what is asked, and what an answer leads to.

A generator drives it, so that a terminal, a test and any other front end share every word.
Nothing is printed here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulegame.compiling import SEAT, Point
from rulegame.game import CHANCE, Event, Game, GameError, Move, Outcome, State
from rulegame.model import Operation
from rulegame.narration import Context, renderer_of
from rulegame.offers import offers_of
from rulegame.questions import OPERATION, Option, Question
from rulegame.reasons import rule_text
from rulegame.runtime import Fault
from rulegame.templates import Template
from rulegame.types import Set
from rulegame.values import choice_text, show
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
    played: tuple[Move, ...] = ()  # the moves and rolls so far


@dataclass(frozen=True, slots=True)
class Ending:
    """The last words, and how the game ended."""

    text: str
    outcome: Outcome
    state: State
    played: tuple[Move, ...] = ()


class NothingRolled(Exception):
    """Raised by a `roll` that has nothing to give: the conversation stops there."""

    def __init__(self, said: str = "") -> None:
        super().__init__("nothing is rolled")
        self.said = said  # what was still to be printed


# An answer is a typed line; or, from a player that does not type, an option or a whole move.
Reply = str | Option | Move
Conversation = Generator[Ask, Reply, Ending]


def unobserved(state: State, move: Move) -> None:
    """For those who keep no record."""


def converse(
    game: Game,
    *,
    roll: Callable[[State], Move],
    first: int = 0,
    names: Sequence[str] = (),
    start: State | None = None,
    played: Callable[[State, Move], None] = unobserved,
    discreet: Container[int] = (),
) -> Conversation:
    """A whole game; `roll` chooses what is rolled at a chance state, and `played` is told each move
    and each roll as soon as it has happened, with the state before it. At the turns of `discreet`
    seats others look on: what only the player of such a seat may see is not printed.
    """
    dialogue = _Dialogue(game, roll, tuple(names) or game.players, played, discreet)
    return dialogue.run(start or game.start(first))


class _Dialogue:
    def __init__(
        self,
        game: Game,
        roll: Callable[[State], Move],
        names: Sequence[str],
        observe: Callable[[State, Move], None],
        discreet: Container[int],
    ) -> None:
        self._game = game
        hidden = any(value.seen_by == "owner" for value in game.ruleset.state.values())
        self._discreet = discreet if hidden else ()
        self._observe = observe
        self._ruleset = game.ruleset
        self._roll = roll
        self._names = names
        self._renderer = renderer_of(game)
        self._offers = offers_of(game)
        self._printed: list[str] = []
        self._recap: list[str] = []
        self._turn = 0
        self._last_mover: int | None = None
        self._played: list[Move] = []
        self._rolled: dict[str, int] = {}
        self._choices = {c.name for o in game.ruleset.operations for c in o.choices}

    # ---- saying things

    def _say(self, text: str) -> None:
        """An empty text prints nothing; every other one ends its line."""
        if text:
            line = text if text.endswith("\n") else text + "\n"
            self._printed.append(line)
            self._recap.append(line)

    def _take(self) -> str:
        text = "".join(self._printed)
        self._printed.clear()
        return text

    def _text(
        self,
        name: str,
        state: State,
        me: int,
        locals_: Mapping[str, Any] | None = None,
        operation: Operation | None = None,
        own: Template | None = None,
        before: State | None = None,
    ) -> str:
        """A text, looked up in the operation, then in the ruleset, then in the defaults; one that
        names a choice that this move does not have is passed over.
        """
        known = {**self._common(), **self._rolled, **(locals_ or {})}
        missing = self._choices - known.keys()
        of_operation = operation.texts.get(name) if operation is not None else None
        candidates = (own, of_operation, self._ruleset.texts.get(name))
        template = next((t for t in candidates if t is not None and not t.uses & missing), None)
        if template is None:
            discreet = name == "turn" and me in self._discreet
            template = self._renderer.text(name, "discreet" if discreet else "texts")
        context = Context(
            cells=state.cells,
            other=(before or state).cells,
            me=me,
            names=self._names,
            locals=known,
        )
        return self._renderer.render(template, context)

    def _common(self) -> dict[str, Any]:
        return {"title": self._ruleset.title, "summary": self._ruleset.summary, "turn": self._turn}

    # ---- the course of a game

    def run(self, state: State) -> Conversation:
        try:
            me = max(state.cells[SEAT], 0)
            self._say(self._text("welcome", state, me))
            while state.outcome is None and self._point(state).kind == "setup":
                state = yield from self._setup(state)
            self._say(self._text("begin", state, max(state.cells[SEAT], 0)))
            self._report(state.events)
            while state.outcome is None:
                state = yield from self._turn_of(state)
            return Ending(self._take(), state.outcome, state, tuple(self._played))
        except NothingRolled:
            raise NothingRolled(self._take()) from None
        except GameError as error:
            raise GameError(error.diagnostic, self._moves(), self._take()) from None
        except Fault as fault:
            diagnostic = self._game.error(fault).diagnostic
            raise GameError(diagnostic, self._moves(), self._take()) from None

    def _point(self, state: State) -> Point:
        return self._game.point(state)

    def _setup(self, state: State) -> Generator[Ask, Reply, State]:
        """One player's choice before the first turn, with the rolls that it may bring."""
        seat = state.cells[SEAT]
        operation = self._point(state).operations[0]
        self._recap.clear()
        move = yield from self._ask(state)
        after = self._play(state, move)
        if "chosen" in operation.texts:
            names = self._move_names(operation, move)
            self._say(self._text("chosen", after, seat, names, operation, before=state))
        else:
            self._say("\n")
        while after.player == CHANCE and self._point(after).operation is not None:
            after = self._chance(after, seat, operation)
        return after

    def _turn_of(self, state: State) -> Generator[Ask, Reply, State]:
        """One turn: heading, rolls, decision, what came of it."""
        seat = state.cells[SEAT]
        self._heading(state, seat)
        self._rolled = {}
        while state.player == CHANCE and state.cells[SEAT] == seat:
            state = self._chance(state, seat, None)
            if state.events:  # the roll left no move
                self._report(state.events, heading_done=True)
                return state
        move = yield from self._ask(state)
        return self._carry_out(state, move, seat)

    def _heading(self, state: State, seat: int) -> None:
        again = {"again": seat == self._last_mover}
        if self._turn > 0:
            self._say(self._text("between", state, seat, again))
        self._turn += 1
        self._recap.clear()
        self._say(self._text("turn", state, seat, again))

    def _carry_out(self, before: State, move: Move, seat: int) -> State:
        operation = self._ruleset.operation(move.operation)
        assert operation is not None
        names = self._move_names(operation, move)
        state = self._play(before, move)
        self._last_mover = seat
        if not operation.secret or "chosen" in operation.texts:
            self._say(self._text("chosen", state, seat, names, operation, before=before))
        while (
            state.player == CHANCE and operation.rolls and self._point(state).operation == operation
        ):
            state = self._chance(state, seat, operation)
        self._say(self._text("updated", state, seat, names, operation, before=before))
        outcome = state.outcome
        if outcome is not None and not state.events:
            self._end(state, seat, names, before)
        self._report(state.events)
        return state

    def _play(self, state: State, move: Move) -> State:
        self._played.append(move)
        after = state.play(move)
        self._observe(state, move)
        return after

    def _moves(self) -> list[str]:
        return [move.text for move in self._played]

    def _chance(self, state: State, seat: int, operation: Operation | None) -> State:
        """Something is rolled, and said."""
        move = self._roll(state)
        rolled = self._point(state).roll
        assert rolled is not None
        after = self._play(state, move)
        self._rolled[rolled.name] = move.codes[1]
        value = show(rolled.element, move.codes[1], self._ruleset.words, self._names)
        names = {"roll": rolled.name.replace("_", " "), "rolled": value}
        self._say(
            self._text("rolled", after, seat, names, operation, own=rolled.text, before=state)
        )
        return after

    # ---- ends and passes

    def _end(self, state: State, seat: int, names: Mapping[str, Any], before: State | None) -> None:
        outcome = state.outcome
        assert outcome is not None
        rule = next((r for r in self._ruleset.end if r.name == outcome.rule), None)
        own = rule.text if rule is not None else None
        self._say(
            self._text(
                "ended", state, seat, {**names, **self._ending(outcome)}, own=own, before=before
            )
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
        }

    def _report(self, events: Sequence[Event], heading_done: bool = False) -> None:
        """What happened by itself: who was stuck, and what came of it."""
        for k, event in enumerate(events):
            state, seat = event.before, event.player
            if event.kind in ("pass", "stuck") and not (heading_done and k == 0):
                self._heading(state, seat)
            self._last_mover = seat
            if event.kind == "pass":
                own = self._ruleset.stuck.text
                self._say(
                    self._text("passed", state, seat, {"why": self._why_stuck(state)}, own=own)
                )
                continue
            outcome = self._following_outcome(event)
            names: dict[str, Any] = self._ending(outcome) if outcome is not None else {}
            if event.kind == "stuck":
                names["why"] = self._why_stuck(state)
                self._say(self._text("stuck", state, seat, names, own=self._ruleset.stuck.text))
            else:
                own = self._ruleset.stuck.all_text
                self._say(self._text("all_stuck", state, seat, names, own=own))
        last = events[-1] if events else None
        if last is not None and last.kind == "pass":
            ended = self._after_pass(last)
            if ended is not None:
                self._end(ended, last.player, {}, last.before)

    def _following_outcome(self, event: Event) -> Outcome | None:
        return self._resolved(event).outcome

    def _resolved(self, event: Event) -> State:
        """The state that being stuck leads to."""
        return self._game.resume(event.before.cells)

    def _after_pass(self, event: Event) -> State | None:
        """The end that the effects of a pass led to, if they did."""
        state = self._resolved(event)
        over = state.outcome is not None and state.outcome.rule not in ("stuck", "all_stuck")
        return state if over else None

    def _why_stuck(self, state: State) -> str:
        """What the one validity rule says that bars every move."""
        rules: dict[str, Move] = {}
        for move in self._offers.candidates(state):
            name = next(self._offers.barring(state, move), None)
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
        return rule_text(self._offers, state, operation, move, rule, "stuck", tuple(self._names))

    # ---- asking

    def _move_names(self, operation: Operation, move: Move) -> dict[str, Any]:
        """The choices of a move by their names, and the move as people read it."""
        choices = {c.name: code for c, code in zip(operation.choices, move.codes[1:], strict=True)}
        texts = [
            choice_text(c.element, code, self._ruleset.words)
            if isinstance(c.element, Set)
            else show(c.element, code, self._ruleset.words, self._names)
            for c, code in zip(operation.choices, move.codes[1:], strict=True)
        ]
        return {**choices, "label": operation.label, "move": " ".join([operation.label, *texts])}

    def _ask(self, state: State) -> Generator[Ask, Reply, Move]:
        """Asks until one move is left, and it is valid."""
        moves = everything = self._offers.candidates(state)
        asked: set[str] = set()
        while True:
            about = self._next_question(state, moves, asked)
            if about is None:
                if asked:
                    return moves[0]
                about = OPERATION  # the only move there is: a person makes it all the same
            question = Question(self._game, state, about, moves, self._names, everything)
            answer = yield from self._put(question, state)
            if isinstance(answer, Move):
                return answer
            asked.add(about)
            moves = list(answer.moves)

    def _next_question(self, state: State, moves: Sequence[Move], asked: set[str]) -> str | None:
        """What is to be asked next, or None if there is nothing left to ask."""
        point = self._point(state)
        operations = {m.operation for m in moves}
        order = [OPERATION]
        if point.kind == "turn" and self._ruleset.turn.ask:
            order = list(self._ruleset.turn.ask)
        if OPERATION not in order:
            order = [OPERATION, *order]
        for about in order:
            if about == OPERATION:
                if OPERATION not in asked and len(point.operations) > 1:
                    return OPERATION
                if len(operations) > 1:
                    return OPERATION
            elif about not in asked and self._has_choice(operations, about):
                return about
        operation = self._ruleset.operation(next(iter(operations)))
        assert operation is not None
        return next((c.name for c in operation.choices if c.name not in asked), None)

    def _has_choice(self, operations: set[str], name: str) -> bool:
        found = [self._ruleset.operation(o) for o in operations]
        return all(o is not None and any(c.name == name for c in o.choices) for o in found)

    def _put(self, question: Question, state: State) -> Generator[Ask, Reply, Option | Move]:
        """One question, until the answer is valid."""
        shown: Sequence[Option] = question.options
        while True:
            names = {**self._common(), **question.menu_names(shown, self._common())}
            said = len(self._recap)
            if state.player not in self._discreet:  # a menu may be made of what is hidden
                self._say(question.render("menu", names))
            prompt = question.render("prompt", names)
            menu, recap = "".join(self._recap[said:]), "".join(self._recap)
            line = yield Ask(
                self._take(),
                prompt,
                question.secret,
                state,
                question,
                menu,
                recap,
                tuple(self._played),
            )
            if not isinstance(line, str):
                return line
            answer = question.read(line)
            move = answer.move
            if answer.option is not None and answer.option.valid:
                return answer.option
            if move is not None and move in state.moves:
                return move
            if answer.option is None and move is None:
                typed_text = " ".join(line.split())
                self._say(question.render("unknown", {**names, "typed": typed_text}))
                continue
            if move is None:
                assert answer.option is not None
                move = question.nearest_to_valid(answer.option)
            operation = self._ruleset.operation(move.operation)
            label = operation.label if operation is not None else ""
            because = question.refusal(move, "because")
            shown = [o for o in question.options if o.valid]
            names = {**names, **question.menu_names(shown, self._common())}
            self._say(question.render("refused", {**names, "because": because, "label": label}))
