"""Questions: how a move is asked for piece by piece, what can be typed, and what a typed line
means.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulegame.compiling import Fault
from rulegame.evaluation.values import choice_text, read_choice, show
from rulegame.game import Game, GameError, Move, State
from rulegame.game.candidates import offers_of
from rulegame.game.reasons import by_name, rule_reason, rule_text
from rulegame.game.rendering import Context, Renderer, renderer_of
from rulegame.game.visibility import Sight, Unseen
from rulegame.game.wording import EMPTY
from rulegame.language.cells import words_of
from rulegame.language.templates import Template
from rulegame.language.types import Cell, Optional, Set, Type
from rulegame.model import Choice, Operation, Validity
from rulegame.playing.shortcuts import Shortcuts

OPERATION = "operation"
MOST_ENTRIES = 30
MOST_WORDS = 300
HIDDEN_REASON = "the reason is hidden"


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """One answer to a question: the operation's name, or the choice's code, and the moves that it
    leaves.
    """

    answer: str | int
    number: int
    moves: tuple[Move, ...]
    valid: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What a typed line means: an option, a whole move, or neither."""

    option: AnswerOption | None = None
    move: Move | None = None


class Question:
    """One question: for the operation, or for one of its choices."""

    def __init__(
        self,
        game: Game,
        state: State,
        about: str,
        moves: Sequence[Move],
        names: Sequence[str],
        everything: Sequence[Move],
        eyes: Collection[int] = (),
        drawn: bool = False,
    ) -> None:
        """`eyes` are the seats that read the texts of the question; none: nothing is hidden. Where
        positions are `drawn`, cards and cells are called as in the picture.
        """
        self._drawn = drawn
        self.about = about
        self._eyes = eyes
        self._sight = game.companion(Sight)
        self._everything = everything  # on offer in the state, whatever was answered so far
        self._game = game
        self._state = state
        self._seen = self._sight.seen_state(state, eyes)  # as those know it who read the texts
        self._names = names
        self._offers = offers_of(game)
        self._renderer: Renderer = renderer_of(game)
        self._words = game.ruleset.words
        self._valid_moves = set(state.moves)
        self._operations = {m.operation: self._operation(m.operation) for m in moves}
        self.options = tuple(self._group(moves))

    # ---- options

    def _operation(self, name: str) -> Operation:
        found = self._game.ruleset.operation(name)
        assert found is not None
        return found

    def _group(self, moves: Sequence[Move]) -> Iterator[AnswerOption]:
        groups: dict[str | int, list[Move]] = {}
        for move in moves:
            groups.setdefault(self._answer_of(move), []).append(move)
        for number, (answer, group) in enumerate(groups.items(), 1):
            yield AnswerOption(
                answer, number, tuple(group), any(m in self._valid_moves for m in group)
            )

    def _answer_of(self, move: Move) -> str | int:
        if self.about == OPERATION:
            return move.operation
        return move.codes[1 + self._position(move.operation)]

    def _position(self, operation: str) -> int:
        names = [c.name for c in self._operations[operation].choices]
        return names.index(self.about)

    @property
    def choice(self) -> Choice | None:
        """The choice that is asked for; the one with texts of its own where several operations
        share it.
        """
        if self.about == OPERATION:
            return None
        found = [o.choices[self._position(o.name)] for o in self._operations.values()]
        return next((c for c in found if c.texts), found[0])

    @property
    def operation(self) -> Operation | None:
        """The operation, where only one is left."""
        return next(iter(self._operations.values())) if len(self._operations) == 1 else None

    @property
    def secret(self) -> bool:
        """Whether the answer must not be seen: a whole move may be typed at every prompt."""
        return any(self._sight.asks_unseen(o) for o in self._operations.values())

    # ---- texts

    def _template(self, name: str) -> Template:
        choice, operation = self.choice, self.operation
        if choice is not None and name in choice.texts:
            return choice.texts[name]
        if choice is None or name in ("refused", "unknown"):
            own = {} if operation is None else operation.texts
            found = own.get(name) or self._game.ruleset.texts.get(name)
            return found or self._renderer.text(name)
        if name == "menu" and all(o.setup for o in self._operations.values()):
            return self._renderer.text(name, "setup")
        if name == "menu" and isinstance(choice.element, Set):
            return self._renderer.text(name, "set")
        return self._renderer.text(name, "choice")

    def render(
        self,
        name: str,
        given: Mapping[str, Any],
        untold: frozenset[str] = frozenset(),
        whole: bool = False,
    ) -> str:
        """A text of the question; `whole`: `Unseen` if it would say what may not be seen."""
        choice = self.choice
        about = {"choice": choice.name.replace("_", " ") if choice else OPERATION}
        return self._render(self._template(name), {**about, **given}, untold, whole)

    def _render(
        self, template: Template, given: Mapping[str, Any], untold: frozenset[str], whole: bool
    ) -> str:
        cells = self._sight.masked(self._state.cells, self._eyes)
        context = Context(
            cells=cells,
            other=cells,
            me=self._state.turn,
            names=self._names,
            locals={**self._rolls(), **self._earlier()},
            given=given,
            untold=untold | self._untold,
            whole=whole,
            drawn=self._drawn,
        )
        return self._renderer.render(template, context)

    @property
    def _untold(self) -> frozenset[str]:
        """The rolls and the choices made so far that those who read must not learn."""
        if not self._eyes:
            return frozenset()
        kept = (self._sight.kept(operation) for operation in self._operations.values())
        return self._sight.unseen_rolls(self._state.cells, self._eyes).union(*kept)

    @property
    def cell(self) -> str:
        """A cell that can be typed, where the question is for its row; empty if there is none."""
        for move in self._state.moves if self._drawn and self.choice is not None else ():
            for row, column in self._renderer.pairs.get(move.operation, ()):
                if self.option_of(move) is not None and self._position(move.operation) == row:
                    choice = self._operations[move.operation].choices[column]
                    return f"{self._shown(choice, move.codes[1 + column])}{move.codes[1 + row]}"
        return ""

    def unknown(self, typed_text: str, names: Mapping[str, Any]) -> str:
        """What is said of a line that means nothing; a secret one is not repeated."""
        if not self.secret:
            said = self.render("unknown", {**names, "typed": typed_text})
            return f"{said} Or type a cell, such as {self.cell}." if self.cell else said
        try:
            return self.render("unknown", names, frozenset({"typed"}), whole=True)
        except Unseen:
            secret = self._renderer.text("unknown", "secret")
            return self._render(secret, names, frozenset(), whole=False)

    def _rolls(self) -> dict[str, int]:
        """The rolls of the turn that may be told; the others are `_untold`."""
        unseen = self._sight.unseen_rolls(self._state.cells, self._eyes)
        places = self._game.kernel.roll_places
        return {n: self._state.cells[c] for n, c in places.items() if n not in unseen}

    def _earlier(self) -> dict[str, int]:
        """The choices that are already made: the same in all moves that are left."""
        found: dict[str, int] = {}
        for option in self.options[:1]:
            move = option.moves[0]
            for k, choice in enumerate(self._operations[move.operation].choices):
                found[choice.name] = move.codes[1 + k]
        return found

    def menu_names(
        self, shown: Sequence[AnswerOption], common: Mapping[str, Any]
    ) -> dict[str, Any]:
        """What `menu` and `prompt` can use."""
        texts = {o.number: self._option_text(o, common) for o in shown}
        return {
            "options": list(texts.values()),
            "valid": [texts[o.number] for o in shown if o.valid],
            "entries": self.entries(shown),
            "notes": self._notes(),
        }

    def _option_text(self, option: AnswerOption, common: Mapping[str, Any]) -> str:
        why, note = self._why(option)
        operation = self._operations[option.moves[0].operation]
        choice = self.choice
        value = operation.label
        if choice is not None and isinstance(option.answer, int):
            value = self._shown(choice, option.answer)
        names = {
            **common,
            "position": option.number,
            "key": operation.key,
            "label": operation.label if choice is None else value,
            "value": value,
            "why": why,
            "note": note or why,
        }
        return self.render("option", names)

    def _shown(self, choice: Choice, code: int) -> str:
        if isinstance(choice.element, Set):
            return choice_text(choice.element, code, self._words) or EMPTY
        signs = self._renderer.signs.get(choice.name, {}) if self._drawn else {}
        return signs.get(code) or show(self._type(choice), code, self._words, self._names)

    def _type(self, choice: Choice) -> Type:
        """The type of a choice, with cells called as they are drawn."""
        return self._renderer.drawn_type(choice.element) if self._drawn else choice.element

    def _why(self, option: AnswerOption) -> tuple[str, str]:
        """Why an option is not valid, at length and as a note; empty if it is."""
        if option.valid:
            return "", ""
        move = self.nearest_to_valid(option)
        return self.refusal(move, "because"), self.refusal(move, "note")

    def nearest_to_valid(self, option: AnswerOption) -> Move:
        """Of the moves that an option leaves, the one that keeps the most rules before it breaks
        one: if none is valid, what bars that one says most about why.
        """
        order = {rule.name: n for n, rule in enumerate(self._game.ruleset.validity)}

        def kept(move: Move) -> int:
            try:
                first = next(self._offers.barring(self._seen, move), None)
            except Unseen:
                return -1
            return len(order) if first is None else order.get(first, -1)

        return max(option.moves[:MOST_ENTRIES], key=kept)

    def refusal(self, move: Move, text: str, untold: frozenset[str] = frozenset()) -> str:
        """The text of the first rule that bars a move, or the name of that rule if its text would
        tell what may not be told.
        """
        operation = self._operation(move.operation)
        try:
            name = next(self._offers.barring(self._seen, move), None)
        except Unseen:
            return HIDDEN_REASON if text == "because" else ""
        if name is None:
            return ""
        rule = next((r for r in self._game.ruleset.validity if r.name == name), None)
        if rule is None:
            return rule_reason(self._offers, self._state, operation, move, name).message
        said = self._rule_text(operation, move, rule, text, untold)
        return said or (by_name(rule) if text == "because" else "")

    def _rule_text(
        self,
        operation: Operation,
        move: Move,
        rule: Validity,
        text: str,
        untold: frozenset[str] = frozenset(),
    ) -> str:
        """A text of a rule; empty if there is none, or none that may be read."""
        names, eyes = tuple(self._names), self._eyes
        told = text, names, eyes, untold, self._drawn
        try:
            return rule_text(self._offers, self._state, operation, move, rule, *told)
        except Unseen:
            return ""

    def _notes(self) -> list[str]:
        """The notes of the rules that bar something."""
        noted: dict[str, str] = {}
        with_note = {
            r.name: r
            for r in self._game.ruleset.validity
            if any("note" in t for t in r.texts.values())
        }
        if not with_note:
            return []
        for option in self.options:
            for move in option.moves[:MOST_ENTRIES]:
                for name in self._barring(move):
                    if name in with_note and name not in noted:
                        operation = self._operations[move.operation]
                        noted[name] = self._rule_text(operation, move, with_note[name], "note")
        return [noted[name] for name in with_note if noted.get(name)]

    def _barring(self, move: Move) -> Iterator[str]:
        """The rules that bar a move, as far as those can tell who read the texts."""
        try:
            yield from self._offers.barring(self._seen, move)
        except Unseen:
            return

    # ---- what can be typed

    def entries(self, shown: Sequence[AnswerOption]) -> list[str]:
        """What can be typed for each option."""
        choice = self.choice
        if choice is None:
            return [self.entry(option) for option in shown]
        if isinstance(choice.element, Set):
            return [self._set_entry(choice, shown)]
        valid = [o.answer for o in shown if o.valid and isinstance(o.answer, int)]
        texts = [self._shown(choice, code) for code in valid]
        return texts if len(texts) <= MOST_ENTRIES else [_abridged(self._type(choice), texts)]

    def entry(self, option: AnswerOption) -> str:
        """What is typed for an option."""
        choice = self.choice
        if choice is not None and isinstance(option.answer, int):
            return self._shown(choice, option.answer)
        style = _style(self._template("option"))
        operation = self._operations[option.moves[0].operation]
        if style == "number":
            return str(option.number)
        return operation.key if style == "key" and operation.key else operation.label

    def option_of(self, move: Move) -> AnswerOption | None:
        """The option that leads to a move."""
        return next((o for o in self.options if move in o.moves), None)

    def words(self) -> list[str]:
        """What can be typed now, for completion: each valid option as it is shown and by its
        name, and whole moves.
        """
        valid = [option for option in self.options if option.valid][:MOST_WORDS]
        found = [self.entry(option) for option in valid]
        found += [option.answer for option in valid if isinstance(option.answer, str)]
        found += [move.text for move in self._state.moves[:MOST_WORDS]]
        return list(dict.fromkeys(found))

    def _set_entry(self, choice: Choice, shown: Sequence[AnswerOption]) -> str:
        """How many numbers are typed, as an example that has some tells."""
        codes = [o.answer for o in shown if o.valid and isinstance(o.answer, int)]
        codes = codes or [o.answer for o in shown if isinstance(o.answer, int)]
        counts = [code.bit_count() for code in codes]
        least, most = min(counts), max(counts)
        if most == 0:
            return EMPTY
        example = next(code for code in codes if code)
        text = choice_text(choice.element, example, self._words)
        sizes = str(most) if least in (0, most) else f"{least} to {most}"
        numbers = f"{sizes} {'number' if most == 1 else 'different numbers'}, such as {text}"
        return numbers if least else f"{EMPTY}, or {'up to ' if most > 1 else ''}{numbers}"

    def read(self, line: str) -> Answer:
        """What a typed line means."""
        text = " ".join(line.split())
        choice = self.choice
        if choice is None:
            found = self._read_operation(text)
            if found is not None:
                return Answer(option=found)
        else:
            code = self._read_choice(choice, text)
            option = next((o for o in self.options if o.answer == code), None)
            if code is not None and option is not None:
                return Answer(option=option)
        return Answer(move=self._read_move(text))

    def read_shortcut(self, line: str) -> Answer:
        """What a line means that is no text of the game: a move as people write it."""
        shortcuts = self._game.companion(Shortcuts)
        if self.choice is not None:
            code = shortcuts.read_choice(self.choice, line)
            option = next((o for o in self.options if o.answer == code), None)
            if code is not None and option is not None:
                return Answer(option=option)
        mover = self._state.turn
        move = shortcuts.read(line, self._names, self._everything, mover)
        return Answer(move=move) if move or not self._drawn else self._read_place(line)

    def _read_place(self, line: str) -> Answer:
        """The row and the column of a cell, where the question is for its row."""
        shortcuts, moves = self._game.companion(Shortcuts), list[Move]()
        for option in self.options if self.choice is not None else ():
            for move in option.moves:
                at = self._position(move.operation)
                found = shortcuts.read_pair(move.operation, at, line)
                if found is not None and found.items() <= dict(enumerate(move.codes[1:])).items():
                    moves.append(move)
        if not moves:
            return Answer()
        answer = self._answer_of(moves[0])
        valid = any(move in self._valid_moves for move in moves)
        number = next(o.number for o in self.options if o.answer == answer)
        return Answer(option=AnswerOption(answer, number, tuple(moves), valid))

    def _read_choice(self, choice: Choice, text: str) -> int | None:
        if isinstance(choice.element, Set) and text.lower() == EMPTY:
            return 0
        words = self._words
        return read_choice(choice.element, text, words, self._names) if text else None

    def _read_operation(self, text: str) -> AnswerOption | None:
        typed_text = text.lower()
        if not typed_text:
            return None
        for field in ("key", "name", "label"):
            for option in self.options:
                operation = self._operations[option.moves[0].operation]
                if getattr(operation, field).lower() == typed_text:
                    return option
        if _style(self._template("option")) == "number":
            return next((o for o in self.options if str(o.number) == typed_text), None)
        return None

    def _read_move(self, text: str) -> Move | None:
        """A whole move: `subtract 5`, even if something else was answered before; or, where only
        one operation is left, all its choices in one line.
        """
        first, _, rest = text.partition(" ")
        names = dict.fromkeys(m.operation for m in self._everything)
        texts = [f"{name} {rest}".strip() for name in names if name.lower() == first.lower()]
        if rest and self.operation is not None:
            texts.append(f"{self.operation.name} {text}")
        for one in [*texts, *(one.removesuffix(f" {EMPTY}") for one in texts)]:
            try:
                move = self._game.parse_move(one)
            except ValueError:
                continue
            if move in self._everything:
                return move
        return None


def _style(template: Template) -> str:
    """Whether options are shown with their number, with their key, or only with their label."""
    used = template.uses
    return "number" if "position" in used else "key" if "key" in used else "label"


def _abridged(element: Type, texts: list[str]) -> str:
    """What can be typed, where there is too much to list it: the kind, and an example."""
    numbers = [int(t) for t in texts if t.lstrip("-").isdigit()]
    if len(numbers) == len(texts):
        low, high = min(numbers), max(numbers)
        all_of_them = high - low + 1 == len(numbers)
        return f"a number from {low} to {high}" + ("" if all_of_them else f", e.g. {texts[0]}")
    of = element.of if isinstance(element, Optional) else element
    if isinstance(of, Cell):
        kind = "row and column" if words_of(of) == 2 else "a cell"
        return f"{kind}, e.g. {texts[0]}"
    return f"one of {len(texts)} options, e.g. {texts[0]}"


def offered_moves(state: State, seat: int) -> list[Move]:
    """Every move that is put before a seat, as far as it may know which there are."""
    game = state.game
    try:
        return offers_of(game).candidates(game.companion(Sight).seen_state(state, (seat,)))
    except (Unseen, GameError):
        return list(state.moves)


def why_text(question: Question, move: Move) -> str:
    """Why a move is not valid, in words that its player may read."""
    try:
        return question.refusal(move, "because") or "this is not valid"
    except Fault:
        return "this is not valid"


def refusal_text(state: State, seat: int, text: str, move: Move | None) -> str:
    """Why a seat cannot make a move, in words that it may read; `move` is what its text means."""
    offered = offered_moves(state, seat)
    if move is None or move not in offered:
        return f"'{text[:100]}' is not a move here."
    names = state.game.players
    question = Question(state.game, state, OPERATION, offered, names, offered, (seat,))
    return f"Not valid: {why_text(question, move)}"
