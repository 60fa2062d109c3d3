"""Renders templates: what a game says, as text. The texts that a ruleset leaves out have defaults
here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from rulegame.diagnostics import Diagnostic, Passage, Span
from rulegame.evaluation.runtime import Meter
from rulegame.evaluation.values import numbers_of, show
from rulegame.game.listings import Split
from rulegame.game.moves import GameError
from rulegame.game.rules import Rules
from rulegame.game.visibility import Unseen
from rulegame.language.binding import Binder
from rulegame.language.cells import column_name, row_name
from rulegame.language.costs import SHOWN
from rulegame.language.templates import Choose, Part, Repeat, Show, Template, bind_template
from rulegame.language.typed import Local, Typed, every_part
from rulegame.language.types import (
    NONE_CODE,
    Bool,
    Grid,
    Optional,
    PlayerType,
    Set,
    Type,
    Word,
    cell_of,
)
from rulegame.language.vocabulary import Scope, Vocabulary
from rulegame.model import Ruleset, StateValue
from rulegame.model.uses import cards_by_name, cards_of

UNTOLD = "hidden"  # in the place of what those who read a text may not see
A_ROUND: Final = 100  # what a round of a loop in a text takes, in steps
LETTERS: Final = 4  # that one step writes

RESULT = (
    "{if draw_game}The game is a draw.{elif size(winners) > 1 and size(winners) == size(players)}"
    "Everyone wins the game!{elif winners}{and_list(winners)} "
    "{if size(winners) == 1}wins{else}win{end} the game!{elif size(losers) > 1}"
    "Everyone loses the game.{elif losers}{loser} loses the game.{else}"
    "The score is {payoffs}.{end}"
)
DEFAULT_TEXTS: Mapping[str, str] = {
    "welcome": "Welcome to {title}!{if summary}\n{summary}{end}\n\n",
    "begin": "",
    "rolled": "{capital(roll)}: {rolled}",
    "menu": "Choose an operation:\n{one_per_line(options)}",
    "option": "{position}. {label}{if why} (not valid: {why}){end}",
    "prompt": "Enter your choice ({or_list(entries)}): ",
    "chosen": "{my.name}: {move}",
    "updated": "",
    "refused": "Not valid: {because}",
    "unknown": "'{typed}' is not an option here. You can type {or_list(entries)}.",
    "stuck": "{my.name} has no valid move.{if why} {why}{end}\n" + RESULT,
    "passed": "{my.name} has no valid move and passes.{if why} {why}{end}",
    "all_stuck": "Nobody has a valid move. " + RESULT,
    "ended": RESULT,
    "between": "\n",
}
UNKNOWN_SECRET = "That is not an option here. You can type {or_list(entries)}."
CHOICE_TEXTS: Mapping[str, str] = {
    "menu": "{if notes}{capital(choice)}: {valid} ({notes}){else}{capital(choice)}: {valid}{end}",
    "option": "{value}",
    "prompt": "Choose {choice}: ",
}
SET_MENU = "{capital(choice)}: {or_list(entries)}"
SETUP_MENU = "{my.name}, choose {choice}: {or_list(entries)}"


@dataclass(frozen=True, slots=True)
class Context:
    """What a template is rendered with: the state, another state (before or after), who is `me`,
    names, locals. Cells may be masked, and some locals not be told: what a text says of them is
    replaced by a word, or, if it must be told as a whole, not said at all (`Unseen`).
    """

    cells: Sequence[int]
    other: Sequence[int] = ()
    me: int = 0
    names: Sequence[str] = ()
    locals: Mapping[str, Any] = field(default_factory=dict)
    untold: frozenset[str] = frozenset()
    whole: bool = False
    drawn: bool = False  # whether numbers that are cards are told as cards


class _TooLong(Exception):
    """A text takes more steps than a move may."""


class Renderer:
    """Renders the texts of one game; expressions are compiled when they are first needed."""

    def __init__(self, game: Rules) -> None:
        self._game = game
        self._compiled: dict[int, Callable[..., Any]] = {}
        self._locals: dict[int, frozenset[str]] = {}
        self._defaults = default_texts(game.ruleset)
        self._meter = Meter()
        self._together = False
        self._splits: dict[int, tuple[Template, Split]] = {}
        self.cards = cards_by_name(game.ruleset)  # of choices and rolls

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
        return self.render(
            self._defaults["choice", "prompt"], Context((), locals={"choice": about})
        )

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
        known = {name: context.locals.get(name, 0) for name in template.locals}
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
        for part in parts:
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

    def _part(self, part: Part, context: Context, known: dict[str, Any]) -> list[str]:
        match part:
            case str():
                return [self._measured(part)]
            case Show(value=value):
                code = self._value(value, context, known)
                if isinstance(code, (tuple, range)):
                    self._charge(SHOWN * len(code))
                cards = cards_of(self._game.ruleset, value, self.cards) if context.drawn else {}
                if cards and code != NONE_CODE:
                    return [self._measured(_dealt(value.type, code, cards))]
                shown = show(value.type, code, self._game.ruleset.words, context.names)
                return [self._measured(shown)]
            case Choose(branches=branches):
                for condition, body in branches:
                    if condition is None or self._true(condition, context, known):
                        return self._parts(body, context, known)
                return []
            case Repeat():
                return self._repeat(part, context, known)

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


def _dealt(type_: Type, code: Any, cards: Mapping[int, str]) -> str:
    """Numbers as the cards that they are."""
    numbers = numbers_of(type_, code) if isinstance(type_, Set) else code
    if isinstance(numbers, int):
        return cards.get(numbers, str(numbers))
    return ", ".join(cards.get(number, str(number)) for number in numbers)


def renderer_of(game: Rules) -> Renderer:
    """The renderer of a game, made once."""
    return game.companion(Renderer)


def default_texts(ruleset: Ruleset) -> dict[tuple[str, str], Template]:
    """The texts of a ruleset that has none of its own."""
    # Loaded here: a command line that plays nothing needs neither YAML nor the builder.
    from rulegame.building.context import COMMON_NAMES
    from rulegame.building.texts import CHOICE_NAMES, MENU_NAMES, TEXT_NAMES, names_of

    vocabulary = Vocabulary(len(ruleset.players))
    vocabulary.variables.update({n: v.variable for n, v in ruleset.state.items()})
    vocabulary.words.update({word: code for code, word in enumerate(ruleset.words)})
    binder = Binder(vocabulary)

    def made(source: str, names: Mapping[str, Type]) -> Template:
        place = Span.whole("the default texts")
        template = bind_template(
            Passage(place, source), binder, Scope(eras=("before",)), {**COMMON_NAMES, **names}
        )
        assert template is not None, binder.diagnostics
        return template._replace(source=None)

    texts = {("texts", n): made(s, names_of(n)) for n, s in DEFAULT_TEXTS.items()}
    values = ruleset.state.values()
    texts["texts", "turn"] = made(_turn_text(values, ruleset.words), TEXT_NAMES["turn"])
    told_to_all = [value for value in values if value.seen_by == "all"]
    texts["discreet", "turn"] = made(_turn_text(told_to_all, ruleset.words), TEXT_NAMES["turn"])
    texts["drawn", "turn"] = made(_turn_text((), ruleset.words), TEXT_NAMES["turn"])
    texts["drawn", "ended"] = texts["texts", "ended"]
    ended = names_of("ended")
    if "turn" not in ruleset.texts:  # the last position is shown as every position was
        boards = [v for v in values if isinstance(v.variable.type, Grid)]
        shown = [v for v in boards if v.seen_by == "all" and v.variable.name not in ended]
        last = "".join(_value_text(value, ruleset.words) for value in shown)
        texts["texts", "ended"] = made(last + RESULT, ended)
    for name, source in CHOICE_TEXTS.items():
        texts["choice", name] = made(source, {**TEXT_NAMES[name], **CHOICE_NAMES})
    texts["secret", "unknown"] = made(UNKNOWN_SECRET, {**TEXT_NAMES["unknown"], **CHOICE_NAMES})
    texts["set", "menu"] = made(SET_MENU, {**MENU_NAMES, **CHOICE_NAMES})
    texts["setup", "menu"] = made(SETUP_MENU, {**MENU_NAMES, **CHOICE_NAMES})
    return texts


def _turn_text(values: Iterable[StateValue], words: Sequence[str]) -> str:
    """Whose turn it is, and every value that this player may see; each line ends itself."""
    return "{my.name}'s turn.\n" + "".join(_value_text(v, words) for v in values)


def _value_text(value: StateValue, words: Sequence[str]) -> str:
    name = value.variable.name
    label = name.replace("_", " ")
    if value.seen_by == "nobody":
        return ""
    if not value.variable.each_player:
        return _labelled(label.capitalize(), value, name, words)
    if value.seen_by == "owner":
        return _labelled(f"Your {label}", value, f"my.{name}", words)
    one = _free_name("p", words)
    text = _labelled(f"{{name of {one}}}: {label}", value, f"{name} of {one}", words, " ")
    return f"{{for {one} in players}}{text}{{end}}"


def _labelled(
    label: str, value: StateValue, source: str, words: Sequence[str], sign: str = ": "
) -> str:
    """A value with its name; `source` is the expression that is the value."""
    type_ = value.variable.type
    if isinstance(type_, Grid):
        return f"{label}:\n{_board(source, type_, value.show.symbols, words)}"
    if isinstance(type_, Set):
        return f"{label}{sign}{{if size({source}) == 0}}none{{else}}{{{source}}}{{end}}\n"
    return f"{label}{sign}{{{source}}}\n"


def _board(source: str, grid: Grid, symbols: Mapping[int, str], words: Sequence[str]) -> str:
    """A grid, row by row: what its cells are called, where that is declared, and its symbols."""
    each, row = _free_name("c", words), _free_name("row", words)
    width = max([1, *map(len, symbols.values())])
    cell = _cell(each, grid.of, symbols, words, width)
    if grid.naming == "numbers" and not grid.hexagons:
        return f"{{for {row} in rows({source})}}{{for {each} in {row}}}{cell} {{end}}\n{{end}}"
    beside = [row_name(cell_of(grid), r) for r in range(grid.rows)]
    margin = max(map(len, beside))
    above = " ".join(column_name(grid.naming, c).rjust(width) for c in range(grid.columns))
    lines = [" " * (margin + 1) + above]
    for r, name in enumerate(beside):
        shift = " " * (r * (width + 1) // 2) if grid.hexagons else ""
        line = f"{{for {each} in rows({source})[{r + 1}]}} {cell}{{end}}"
        lines.append(shift + name.rjust(margin) + line)
    return "".join(line + "\n" for line in lines)


def _free_name(name: str, words: Sequence[str]) -> str:
    """A name for a loop that hides no word of the ruleset."""
    while name in words:
        name += "_"
    return name


def _cell(
    each: str, type_: Type, symbols: Mapping[int, str], words: Sequence[str], width: int
) -> str:
    """What is printed for a cell: its symbol; else a player as the number of the seat."""
    of = type_.of if isinstance(type_, Optional) else type_
    shown = {_constant(of, code, words): symbol for code, symbol in symbols.items()}
    if isinstance(type_, Optional):
        shown.setdefault("none", ".")
    other = f"{{seat({each})}}" if isinstance(of, PlayerType) else f"{{{each}}}"
    if not shown:
        return other
    parts = [
        f"{{{'elif' if k else 'if'} {each} == {constant}}}{_escaped(symbol.rjust(width))}"
        for k, (constant, symbol) in enumerate(shown.items())
    ]
    return "".join(parts) + f"{{else}}{other}{{end}}"


def _constant(of: Type, code: int, words: Sequence[str]) -> str:
    """How an expression writes a value that has a symbol."""
    if code == NONE_CODE:
        return "none"
    match of:
        case PlayerType():
            return f"players[{code + 1}]"
        case Word():
            return words[code]
        case Bool():
            return "true" if code else "false"
    return str(code)


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
