"""Renders templates: what a game says, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from rulegame.diagnostics import Diagnostic, Span
from rulegame.evaluation.runtime import Meter
from rulegame.evaluation.values import numbers_of, show
from rulegame.game.listings import Split
from rulegame.game.moves import GameError
from rulegame.game.rules import Rules
from rulegame.game.visibility import Unseen
from rulegame.language.cells import column_name
from rulegame.language.costs import SHOWN
from rulegame.language.templates import Choose, Part, Repeat, Show, Template
from rulegame.language.typed import Call, Local, Typed, Value, every_part
from rulegame.language.types import (
    NONE_CODE,
    Cell,
    Grid,
    Optional,
    Set,
    Type,
)
from rulegame.model.uses import drawn_type, lettered_boards, lettered_pairs, signs_by_name, signs_of

UNTOLD = "hidden"  # in the place of what those who read a text may not see
A_ROUND: Final = 100  # what a round of a loop in a text takes, in steps
LETTERS: Final = 4  # that one step writes


@dataclass(frozen=True, slots=True)
class Context:
    """What a template is rendered with: the state, another state (before or after), who is `me`,
    the players' names, choices and rolls (`locals`), and the names that the text has of its own
    (`given`). Cells may be masked, and some locals not be told: what a text says of them is
    replaced by a word, or, if it must be told as a whole, not said at all (`Unseen`).
    """

    cells: Sequence[int]
    other: Sequence[int] = ()
    me: int = 0
    names: Sequence[str] = ()
    locals: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)
    untold: frozenset[str] = frozenset()
    whole: bool = False
    drawn: bool = False  # whether cards and cells are called as they are drawn


class _TooLong(Exception):
    """A text takes more steps than a move may."""


class Renderer:
    """Renders the texts of one game; expressions are compiled when they are first needed."""

    def __init__(self, game: Rules) -> None:
        self._game = game
        self._compiled: dict[int, Callable[..., Any]] = {}
        self._locals: dict[int, frozenset[str]] = {}
        # Loaded here: a command line that plays nothing needs neither YAML nor the builder.
        from rulegame.building.default_texts import default_texts

        self._defaults = default_texts(game.ruleset)
        self._meter = Meter()
        self._together = False
        self._splits: dict[int, tuple[Template, Split]] = {}
        self.signs = signs_by_name(game.ruleset)  # of choices and rolls
        self._lettered = lettered_boards(game.ruleset)
        self._named_pairs: set[tuple[str, str]] = set()
        # The choices of each operation that are the row and the column of a cell with a letter.
        self.pairs = {
            operation.name: lettered_pairs(game.ruleset, operation, self._lettered)
            for operation in (*game.ruleset.setup, *game.ruleset.operations)
        }
        for operation in (*game.ruleset.setup, *game.ruleset.operations):
            for row, column in self.pairs[operation.name]:
                choices = operation.choices
                self._named_pairs.add((choices[row].name, choices[column].name))

    def drawn_type(self, type_: Type) -> Type:
        """A type whose cells are called as they are drawn."""
        return drawn_type(type_, self._lettered)

    def split(self, template: Template) -> Split:
        """The lines of a text that list the position, and its other words."""
        if id(template) not in self._splits:
            self._splits[id(template)] = template, Split(template)
        return self._splits[id(template)][1]

    def text(self, name: str, kind: str = "texts") -> Template:
        """A default text; `kind` is "choice" or "set" for the question for a choice, "discreet" for
        one that tells nothing hidden, "secret" for one that does not repeat what was typed, "drawn"
        for one beside a picture of the position.
        """
        return self._defaults[kind, name]

    def plain_prompt(self, about: str) -> str:
        """The default prompt for a choice, which is made of nothing but its name."""
        return self.render(self._defaults["choice", "prompt"], Context((), given={"choice": about}))

    @contextmanager
    def together(self) -> Iterator[None]:
        """The texts that are rendered inside have one budget: those of one question."""
        self._meter.reset()
        self._together = True
        try:
            yield
        finally:
            self._together = False

    def render(self, template: Template, context: Context) -> str:
        """The text of a template."""
        known = {
            name: (context.given if name in template.given else context.locals).get(name, 0)
            for name in template.locals
        }
        if not self._together:
            self._meter.reset()
        try:
            return "".join(self._parts(template.parts, context, known))
        except _TooLong:
            place = template.source.span if template.source else Span.whole(self._game.ruleset.file)
            raise GameError(Diagnostic("E506", "this text is too long", place)) from None

    def _measured(self, text: str) -> str:
        """A piece of a text, charged for its length."""
        self._charge(1 + len(text) // LETTERS)
        return text

    def _charge(self, steps: int) -> None:
        self._meter.left -= steps
        if self._meter.left < 0:
            raise _TooLong

    def _parts(self, parts: tuple[Part, ...], context: Context, known: dict[str, Any]) -> list[str]:
        out: list[str] = []
        for part in self._joined(parts) if context.drawn else parts:
            if isinstance(part, str):
                out.append(self._measured(part))
                continue
            try:
                out += self._part(part, context, known)
            except Unseen:
                if context.whole:
                    raise
                out += [UNTOLD] if isinstance(part, Show) else []
        return out

    def _signs_of(self, value: Typed) -> Mapping[int, str]:
        """What the numbers of an expression are drawn as: cards, or letters of columns."""
        match value:
            case Call(function="column", arguments=(cell,)) if isinstance(cell.type, Cell):
                if cell.type.board in self._lettered:
                    columns = range(cell.type.columns)
                    return {k + 1: column_name("letters", k) for k in columns}
        return signs_of(self._game.ruleset, value, self.signs)

    def _joined(self, parts: Sequence[Part]) -> Iterator[Part]:
        """The parts of a text beside a picture: a row before its column becomes `c2`."""
        rest = list(parts)
        while rest:
            match rest[:3]:
                case [
                    Show(value=Local(name=row)) as first,
                    str(" " | ", "),
                    Show(value=Local(name=column)) as second,
                ] if (row, column) in self._named_pairs:
                    yield from (second, first)
                    del rest[:3]
                case _:
                    yield rest.pop(0)

    def _part(self, part: Part, context: Context, known: dict[str, Any]) -> list[str]:
        match part:
            case str():
                return [self._measured(part)]
            case Show(value=value):
                code = self._value(value, context, known)
                if isinstance(code, (tuple, range)):
                    self._charge(SHOWN * len(code))
                signs = self._signs_of(value) if context.drawn else {}
                if signs and code != NONE_CODE:
                    return [self._measured(_drawn(value.type, code, signs))]
                return [self._measured(self._shown(value, code, context))]
            case Choose(branches=branches):
                for condition, body in branches:
                    if condition is None or self._true(condition, context, known):
                        return self._parts(body, context, known)
                return []
            case Repeat():
                return self._repeat(part, context, known)

    def _shown(self, value: Typed, code: Any, context: Context) -> str:
        """A value as text: a board of the state as rows of its symbols."""
        words, state = self._game.ruleset.words, self._game.ruleset.state
        if (
            isinstance(value, Value)
            and isinstance(value.type, Grid)
            and value.variable.name in state
        ):
            symbols = state[value.variable.name].show.symbols
            if symbols:
                from rulegame.building.boards import draw_cells

                of = value.type.of
                cells = [symbols.get(one) or show(of, one, words, context.names) for one in code]
                width = max(map(len, (*symbols.values(), *cells)))
                return draw_cells(cells, value.type, width)
        type_ = self.drawn_type(value.type) if context.drawn else value.type
        return show(type_, code, words, context.names)

    def _repeat(self, part: Repeat, context: Context, known: dict[str, Any]) -> list[str]:
        out: list[str] = []
        items = self._value(part.collection, context, known)
        if isinstance(part.collection.type, Set):
            items = numbers_of(part.collection.type, items)
        for item in items:
            self._charge(A_ROUND)
            out += self._parts(part.body, context, {**known, part.name: item})
        return out

    def _true(self, condition: Typed, context: Context, known: Mapping[str, Any]) -> bool:
        code = self._value(condition, context, known)
        return code != NONE_CODE if isinstance(condition.type, Optional) else bool(code)

    def _value(self, e: Typed, context: Context, known: Mapping[str, Any]) -> Any:
        if context.untold and not context.untold.isdisjoint(self._locals_of(e)):
            raise Unseen
        made = self._compiled.get(id(e))
        if made is None:
            made = self._compiled[id(e)] = self._game.evaluator(e, tuple(known), self._meter)
        return made(context.cells, context.other, context.me, context.names, *known.values())

    def _locals_of(self, e: Typed) -> frozenset[str]:
        """The names of the locals that an expression reads."""
        found = self._locals.get(id(e))
        if found is None:
            names = (part.name for part in every_part(e) if isinstance(part, Local))
            found = self._locals[id(e)] = frozenset(names)
        return found


def _drawn(type_: Type, code: Any, signs: Mapping[int, str]) -> str:
    """Numbers as they are drawn."""
    numbers = numbers_of(type_, code) if isinstance(type_, Set) else code
    if isinstance(numbers, int):
        return signs.get(numbers, str(numbers))
    return ", ".join(signs.get(number, str(number)) for number in numbers)


def renderer_of(game: Rules) -> Renderer:
    """The renderer of a game, made once."""
    return game.companion(Renderer)
