"""The texts that a ruleset leaves out; bound when a game is about to say something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulegame.building.context import TextNames
from rulegame.building.texts import TEXT_NAMES, of_choice
from rulegame.diagnostics import Passage, Span
from rulegame.language.binding import Binder
from rulegame.language.cells import column_name, row_name
from rulegame.language.templates import Template, bind_template
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
from rulegame.language.vocabulary import Scope, Vocabulary, orders
from rulegame.model import Ruleset, StateValue

RESULT = (
    "{if draw_game}The game is a draw.{elif size(winners) > 1 and size(winners) == size(players)}"
    "Everyone wins the game!{elif winners}{and_list(winners)} "
    "{if size(winners) == 1}wins{else}win{end} the game!{elif size(losers) > 1}"
    "Everyone loses the game.{elif losers}{loser} loses the game.{else}"
    "The score is {payoffs[1]}.{end}"
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


def default_texts(ruleset: Ruleset) -> dict[tuple[str, str], Template]:
    """The texts of a ruleset that has none of its own."""
    vocabulary = Vocabulary(len(ruleset.players))
    vocabulary.variables.update({n: v.variable for n, v in ruleset.state.items()})
    vocabulary.words.update({word: code for code, word in enumerate(ruleset.words)})
    vocabulary.orders.update(orders(ruleset.types.values()))
    binder = Binder(vocabulary)

    def made(source: str, names: TextNames) -> Template:
        passage = Passage(Span.whole("the default texts"), source)
        template = bind_template(passage, binder, Scope(eras=("before",)), names.beside(()))
        assert template is not None, binder.diagnostics
        return template._replace(source=None)

    texts = {("texts", n): made(s, TEXT_NAMES[n]) for n, s in DEFAULT_TEXTS.items()}
    values = ruleset.state.values()
    texts["texts", "turn"] = made(_turn_text(values, ruleset.words), TEXT_NAMES["turn"])
    told_to_all = [value for value in values if value.seen_by == "all"]
    if ruleset.turn.opener is not None:
        texts["texts", "begin"] = made("{my.name} moves first.\n\n", TEXT_NAMES["begin"])
    texts["discreet", "turn"] = made(_turn_text(told_to_all, ruleset.words), TEXT_NAMES["turn"])
    texts["drawn", "turn"] = made(_turn_text((), ruleset.words), TEXT_NAMES["turn"])
    texts["drawn", "ended"] = texts["texts", "ended"]
    ended, taken = TEXT_NAMES["ended"], TEXT_NAMES["ended"].beside(())
    if "turn" not in ruleset.texts:  # the last position is shown as every position was
        boards = [v for v in values if isinstance(v.variable.type, Grid)]
        shown = [v for v in boards if v.seen_by == "all" and v.variable.name not in taken]
        last = "".join(_value_text(value, ruleset.words) for value in shown)
        texts["texts", "ended"] = made(last + RESULT, ended)
    for name, source in CHOICE_TEXTS.items():
        texts["choice", name] = made(source, of_choice(name))
    texts["secret", "unknown"] = made(UNKNOWN_SECRET, of_choice("unknown"))
    texts["set", "menu"] = made(SET_MENU, of_choice("menu"))
    texts["setup", "menu"] = made(SETUP_MENU, of_choice("menu"))
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
    if value.seen_by == "others":
        text = _labelled(f"{{name of {one}}}: {label}", value, f"{name} of {one}", words, " ")
        return f"{{for {one} in players}}{{if {one} != me}}{text}{{end}}{{end}}"
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
