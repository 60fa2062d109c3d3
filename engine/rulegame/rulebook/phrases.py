"""Typed expressions in English: values as noun phrases.

`you` is the player who moves. Few shapes are put into words, and the reader of the tests reads
each of them back. What has no words of which one can be sure raises `NoWords`; whoever asked quotes
the expression then, so that nothing is said wrongly.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final, Self

from rulegame.evaluation.values import show
from rulegame.language import typed
from rulegame.language.typed import Loop, Typed, Variable
from rulegame.language.types import (
    NONE_CODE,
    Bool,
    Cell,
    Grid,
    Int,
    List,
    Nothing,
    PlayerType,
    Type,
    board_of_points,
    element_of,
    points_of,
)
from rulegame.model import Ruleset
from rulegame.rulebook.folding import fold
from rulegame.rulebook.markup import and_list, clean
from rulegame.rulebook.nouns import Names, belonging, is_plural, possessive, singular, spoken

SYMBOLS: Final = {"+": "+", "-": "−", "*": "×"}
SPOKEN: Final = {"+": "plus", "-": "minus", "*": "times"}
TIGHTNESS: Final = {"+": 1, "-": 1, "*": 2}
OPPOSITE: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED: Final = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
RELATIONS: Final = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}
JOINED: Final = re.compile(r", | and | or | nor | if | such that | whose | for (?:which|whom) ")
INSIDE: Final = re.compile(r"\([^()]*\)")
# What joins nothing: the comma between a row and a column.
IN_A_GRID: Final = re.compile(
    r"row(?: \S+)?, (?:(?:the chosen|that) )?column|chosen row and column"
)


SAID: Final = re.compile(r"(?:The|What|How many|How much|Who|Whose|Whether|An?) [^,;:.(){}\"]+")


def in_words(about: str) -> str:
    """What the author says of a definition, as it can stand inside a sentence; empty if not."""
    about = clean(about).rstrip(".")
    return about[0].lower() + about[1:] if SAID.fullmatch(about) else ""


def _place(type_: Type) -> str:
    """What a place on a board is called."""
    named = points_of(type_) is not None or board_of_points(type_) is not None
    return "point" if named else "cell"


class NoWords(Exception):
    """There are no words for an expression that cannot be misread."""


class Phrases(ABC):
    """Puts the values of one ruleset into words; `locals` are those of choices, rolls and loops.
    What values and conditions say of each other is put together in `wording`.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        locals_: Mapping[str, str] | None = None,
        quiet_after: bool = False,
        me: str = "you",
    ) -> None:
        self.ruleset = ruleset
        self.names = Names(ruleset)
        self._locals = dict(locals_ or {})
        self._quiet_after = quiet_after  # the sentence as a whole is about the state after a move
        self.me = me

    def knowing(self, name: str, words: str) -> Self:
        """The same, where a local has words of its own, which must not mean anything else yet."""
        if any(words == other for known, other in self._locals.items() if known != name):
            raise NoWords
        return self.calling(name, words)

    def calling(self, name: str, words: str) -> Self:
        """The same, where a local has the words of another one, which it is about to be."""
        return type(self)(self.ruleset, {**self._locals, name: words}, self._quiet_after, self.me)

    def of(self, player: str) -> Self:
        """The same, said of another player than `you`."""
        return type(self)(self.ruleset, self._locals, self._quiet_after, player)

    def folded(self, part: Typed) -> Typed:
        """The expression, worked out as far as the parameters decide it."""
        return fold(part, len(self.names.players))

    # ---- values

    def value(self, part: Typed) -> str:
        """A value as a noun phrase."""
        said = self.said(part)
        if said:
            return said
        part = self.folded(part)
        match part:
            case typed.Constant(type=type_, code=number):
                return self.constant(type_, number)
            case typed.Local(name=name):
                return self._locals.get(name, name.partition("_")[2] if name[0].isdigit() else name)
            case typed.Seat(which="me"):
                return self.me
            case typed.Seat():
                return "the player who moved first"
            case typed.Value(variable=variable, owner=owner):
                return self._whole(variable, owner) + self._later(part)
            case typed.Element(base=base, indices=indices):
                return self.element(base, indices)
            case typed.Arithmetic(operator=operator, operands=operands):
                return self._arithmetic(operator, operands)
            case typed.IfElse(condition=condition, then=then, otherwise=otherwise):
                chosen = f"{self.plain(then)} if {self.condition(condition)}"
                return f"({chosen}, otherwise {self.plain(otherwise)})"
            case typed.ListLiteral() if self.is_everyone(part):
                return "the players"
            case typed.Call():
                return self.call(part)
            case typed.Aggregate():
                return self._aggregate(part)
        raise NoWords

    def said(self, part: Typed) -> str:
        """What the author says of the definition that stands there; empty if there is none."""
        found = self.ruleset.defined.of(part)
        if found is None or isinstance(self.folded(part), typed.Constant):
            return ""
        values = [p for p in typed.every_part(part) if isinstance(p, typed.Value)]
        words = in_words(found.about)
        if not words or found.parameters or not all(map(self.is_now, values)):
            raise NoWords  # its name, with what is said of it, is plainer
        return words

    def operand(self, part: Typed) -> str:
        """A value inside a longer phrase: in parentheses, unless it is one thing."""
        text = self.value(part)
        return text if self.is_atom(part) or enclosed(text) else f"({text})"

    def plain(self, part: Typed) -> str:
        """A value beside an `if` or a `by`: in parentheses, if it has clauses of its own."""
        text = self.value(part)
        return parenthesised(text) if has_clauses(self.folded(part)) else text

    def is_atom(self, part: Typed) -> bool:
        """Whether the words for a value are one thing, in which nothing can be lost."""
        part = self.folded(part)
        match part:
            case typed.Call(function="next" | "previous", arguments=(player,)):
                return self.is_atom(player)
            case typed.Call(function="cell", arguments=(_, row, column)):
                return self.is_atom(row) and self.is_atom(column)
            case typed.Call(function="min" | "max", arguments=(typed.Value(owner=None) as value,)):
                return value.variable.each_player
            case typed.Element(indices=(index,)):
                # `pile number (n)`, after which anything would seem to belong to the index
                return " " not in self._index(index)
        atoms = (typed.Constant, typed.Local, typed.Seat, typed.Value, typed.Element)
        return isinstance(part, atoms) or self.is_everyone(part)

    def constant(self, type_: Type, number: int) -> str:
        """A number, a word, a player."""
        if isinstance(type_, Nothing) or number == NONE_CODE:
            return "none"
        if isinstance(type_, Cell):
            return f"cell {show(type_, number, self.ruleset.words, self.names.players)}"
        return show(type_, number, self.ruleset.words, self.names.players)

    def listed(self, items: tuple[Typed, ...], word: str) -> str:
        """Several values: `1, 2 or 3`."""
        return and_list([self.operand(item) for item in items], word)

    def is_everyone(self, part: Typed) -> bool:
        """Whether it is the list of all players."""
        return (
            isinstance(part, typed.ListLiteral)
            and isinstance(part.type, List)
            and isinstance(part.type.of, PlayerType)
            and [self.folded(i) for i in part.items]
            == [typed.Constant(PlayerType(), k) for k in range(len(self.names.players))]
        )

    def is_now(self, value: typed.Value) -> bool:
        """Whether a value needs no word for the time at which it is looked at."""
        return value.era == "now" or self._quiet_after

    def _later(self, value: typed.Value) -> str:
        return "" if self.is_now(value) else " after the move"

    def _whole(self, variable: Variable, owner: Typed | None) -> str:
        if variable.each_player and owner is None:
            return f"the {self.names.noun(variable).text} of every player"
        return self.names.value(variable, None if owner is None else self._owner(owner)).text

    def _owner(self, owner: Typed) -> str:
        if not self.is_atom(owner):
            raise NoWords
        return self.value(owner)

    def target(self, write: typed.Write) -> str:
        """What an effect changes."""
        whole = typed.Value(write.variable.type, write.variable, write.owner, "now")
        return self.element(whole, write.indices) if write.indices else self.value(whole)

    def element(self, base: Typed, indices: tuple[Typed, ...]) -> str:
        """One element of a list, one cell of a grid."""
        base = self.folded(base)
        if isinstance(indices[0].type, Cell):
            return self._content(base, indices[0])
        if isinstance(base.type, Grid):
            if not isinstance(base, typed.Value):
                raise NoWords
            return f"the cell in {self.cell(indices)} of {self.value(base)}"
        if self.is_everyone(base):
            return f"the player in seat {self._index(indices[0])}"
        if not isinstance(base, typed.Value):
            raise NoWords
        return self._listed_element(base, indices[0]) + self._later(base)

    def _content(self, base: Typed, cell: Typed) -> str:
        """What is in a cell of a board: the cell itself, of the one whose it is."""
        if not isinstance(base, typed.Value) or not self.is_atom(cell):
            raise NoWords
        whose = f" of {self._whole(base.variable, base.owner)}" if base.owner is not None else ""
        return f"{self.value(cell)}{whose}{self._later(base)}"

    def _listed_element(self, base: typed.Value, at: Typed) -> str:
        index = self._index(at)
        if base.variable.each_player and base.owner is None:
            noun = self.names.noun(base.variable).text
            return f"the {noun} of the player in seat {index}"
        noun = singular(spoken(base.variable.name))
        if noun == spoken(base.variable.name):  # `ring`, `deck`: not what one of them is called
            return self._entry(base, at)
        numbered = f"{noun} number {parenthesised(index)}" if " " in index else f"{noun} {index}"
        that = index == noun
        one = f"that {noun}" if that else numbered
        if base.owner is not None:
            owner = self._owner(base.owner)
            if that or owner.startswith("the "):
                one = f"{one} of {belonging(owner)}"
            else:
                one = f"{possessive(owner)} {one}"
        if isinstance(base.type, List) and isinstance(base.type.of, Int):
            return f"the number in {one}"
        return one

    def _entry(self, base: typed.Value, index: Typed) -> str:
        """`entry 2 of the deck`, `the entry of the deck for the card`."""
        at = self.operand(index)
        whole = self._whole(base.variable, base.owner)
        return f"the entry of {whole} for {at}" if " " in at else f"entry {at} of {whole}"

    def _index(self, index: Typed) -> str:
        """A position: the name of a choice stands for itself."""
        return self.operand(index).removeprefix("the chosen ")

    def cell(self, indices: tuple[Typed, ...]) -> str:
        """`row 1, column 2`; a choice that is called so needs no other name."""
        row, column = (self.operand(index) for index in indices)
        if (row, column) == ("the chosen row", "the chosen column"):
            return "the chosen row and column"
        return f"{self._along('row', row)}, {self._along('column', column)}"

    def _along(self, line: str, index: str) -> str:
        """`row 3`, of a choice that is called so `the chosen row`, of another number `that row`."""
        if index == f"the chosen {line}":
            return index
        if index == line:
            if f"that {line}" in self._locals.values():  # an element of rows(…)
                raise NoWords
            return f"that {line}"
        return f"{line} {index.removeprefix('the chosen ')}"

    def _arithmetic(self, operator: str, operands: tuple[Typed, ...]) -> str:
        parts = [self.folded(operand) for operand in operands]
        if len(parts) == 1:
            raise NoWords
        if operator == "/":
            by = f"{self.operand(parts[0])} divided by {self.operand(parts[1])}"
            return f"({by}, without the remainder)"
        if any(isinstance(p, typed.Arithmetic) and p.operator in SYMBOLS for p in parts):
            return self._formula(operator, parts)
        return f" {SPOKEN[operator]} ".join(self.operand(p) for p in parts)

    def _formula(self, operator: str, parts: list[Typed]) -> str:
        """Nested arithmetic with its usual signs, in parentheses where they are needed."""
        said = [self._term(p, operator, last=k > 0) for k, p in enumerate(parts)]
        return f" {SYMBOLS[operator]} ".join(said)

    def _term(self, part: Typed, outer: str, last: bool) -> str:
        part = self.folded(part)
        if not (isinstance(part, typed.Arithmetic) and part.operator in SYMBOLS):
            return self.operand(part)
        if len(part.operands) == 1:
            raise NoWords
        text = self._formula(part.operator, [self.folded(operand) for operand in part.operands])
        inner = TIGHTNESS[part.operator]
        loose = inner < TIGHTNESS[outer] or (inner == TIGHTNESS[outer] and last)
        return f"({text})" if loose else text

    # ---- loops

    def _aggregate(self, part: typed.Aggregate) -> str:
        if len(part.loops) != 1:
            raise NoWords
        if part.function == "list":
            return self._chosen_list(part)
        inner, among = self._among(part.loops[0])
        body = self.folded(part.body)
        if part.function == "count":
            if isinstance(body, typed.Constant) or not isinstance(body.type, Bool):
                return f"the number of {among}"
            if part.loops[0].condition is not None:
                raise NoWords
            such = which(self.kind(part.loops[0])[0])
            return f"the number of {among} {such} {joined_apart(inner.condition(body))}"
        words = {"sum": "the sum of", "min": "the least of", "max": "the greatest of"}
        if part.function not in words:
            raise NoWords
        if isinstance(body, typed.Local) and body.name == part.loops[0].name:
            return f"{words[part.function]} all {among}"
        return f"{words[part.function]} {inner.operand(body)} over all {among}"

    def _among(self, loop: Loop) -> tuple[Self, str]:
        """The words inside a loop, and what it runs over: `players for whom …`."""
        noun, where = self.kind(loop)
        inner = self.inside(loop, noun)
        name = f" {loop_name(loop)}" if is_numbered(noun) else ""
        if loop.condition is not None:
            where += f" {which(noun)} {joined_apart(inner.condition(loop.condition))}"
        return inner, f"{plural(noun)}{name}{where}"

    def inside(self, loop: Loop, noun: str) -> Self:
        """The words inside a loop over things of which one is called so."""
        if is_numbered(noun):
            return self.knowing(loop.name, loop_name(loop))
        if f"the chosen {head(noun)}" in self._locals.values():
            raise NoWords  # `that pile` would be the one that was chosen
        return self.knowing(loop.name, f"that {head(noun)}")

    def kind(self, loop: Loop) -> tuple[str, str]:
        """What one element of a loop is called, and where it is from: (`cell`, ` of the board`)."""
        collection = self.folded(loop.collection)
        match collection:
            case typed.ListLiteral() if self.is_everyone(collection):
                return "player", ""
            case typed.Range(low=low, high=high):
                return "number", f" from {self.operand(low)} to {self.operand(high)}"
            case typed.Call(function="lines", arguments=(typed.Value(type=Grid()) as grid, size)):
                return f"straight line of {self.operand(size)} cells", f" on {self.value(grid)}"
            case typed.Call(
                function="rows" | "columns" as function, arguments=(typed.Value() as grid,)
            ):
                return singular(function), f" of {self.value(grid)}"
            case typed.Call(
                function="neighbours" | "around" as function,
                arguments=(typed.Value() as grid, row, column),
            ):
                where = "next to" if function == "neighbours" else "around"
                place = f"{where} {self.cell((row, column))} of {self.value(grid)}"
                return "cell", f" among the cells {place}"
            case typed.Value(type=Grid()):
                return "cell", f" of {self.value(collection)}"
            case typed.Call(function="cells", arguments=(typed.BoardName(name=board),)):
                return "cell", f" of {self.board(board)}"
            case typed.Call(function="neighbours", arguments=(cell,)):
                return _place(cell.type), f" next to {self.operand(cell)}"
            case typed.Call(function="around", arguments=(cell,)):
                return _place(cell.type), f" around {self.operand(cell)}"
            case typed.Call(function="rays", arguments=(cell,)):
                return f"line of {_place(cell.type)}s", f" from {self.operand(cell)} outward"
            case typed.Call(function="lines", arguments=(cell, size)):
                straight = "" if _place(cell.type) == "point" else "straight "
                noun = f"{straight}line of {self.operand(size)} {_place(cell.type)}s"
                return noun, f" through {self.operand(cell)}"
            case typed.Value(variable=variable, owner=owner) if not variable.each_player or owner:
                return self._kind_of_value(collection)
            case typed.Local(name=name):
                if self._locals.get(name, "").split(" ")[-1] in ("line", "row", "column"):
                    return "cell", f" of {self.value(collection)}"
        raise NoWords

    def board(self, name: str) -> str:
        """A board, whatever is on it, and whosever it is."""
        return f"the {self.names.noun(self.ruleset.state[name].variable).text}"

    def _kind_of_value(self, value: typed.Value) -> tuple[str, str]:
        """What one element of a list or set is called: `pile`, of a hand `number`."""
        name = spoken(value.variable.name)
        if is_plural(name) and self.is_now(value):
            owner = None if value.owner is None else self._owner(value.owner)
            return singular(name), "" if owner is None else f" of {belonging(owner)}"
        if isinstance(element_of(value.type), Int):
            return "number", f" in {self.value(value)}"
        raise NoWords

    def _chosen_list(self, part: typed.Aggregate) -> str:
        """`list(p for p in players if …)`: the players for whom it holds."""
        loop = part.loops[0]
        if not (isinstance(part.body, typed.Local) and part.body.name == loop.name):
            raise NoWords
        noun, where = self.kind(loop)
        if loop.condition is None:
            return f"all {plural(noun)}{where}"
        most = self._leaders(loop, loop.condition, noun)
        if most is not None and not where:
            return most
        whose = self.whose(loop, loop.condition)
        if whose is not None and not where:
            return f"the {plural(noun)} whose {whose}"
        _, among = self._among(loop)
        return f"all {among}"

    def _leaders(self, loop: Loop, condition: Typed, noun: str) -> str | None:
        """`the players with the most coins`, where that is what a condition asks for."""
        match condition:
            case typed.Compare(
                operands=(
                    typed.Value(variable=variable, owner=typed.Local(name=name)) as own,
                    typed.Call(
                        function="max" | "min" as end,
                        arguments=(typed.Value(variable=over, owner=None) as all_,),
                    ),
                ),
                relations=("==",),
            ) if variable == over and name == loop.name and variable.each_player:
                if not self.is_now(own) or not self.is_now(all_):
                    return None
                what = self.names.noun(variable)
                words = ("most", "fewest") if what.plural else ("greatest", "least")
                return f"the {plural(noun)} with the {words[end == 'min']} {what.text}"
        return None

    def whose(self, loop: Loop, condition: Typed) -> str | None:
        """`score is the greatest of all players' scores`, of a condition that names the element of
        the loop once, as the owner of what it begins with.
        """
        condition = self.folded(condition)
        mentions = [p for p in typed.every_part(condition) if isinstance(p, typed.Local)]
        if [p.name for p in mentions].count(loop.name) != 1:
            return None
        if not isinstance(condition, typed.Compare) or len(condition.relations) != 1:
            return None
        left = self.folded(condition.operands[0])
        if isinstance(left, typed.Arithmetic) and left.operator in SYMBOLS:
            left = self.folded(left.operands[0])
        if not isinstance(left, typed.Value) or left.owner is None:
            return None
        owner = self.folded(left.owner)
        if not (isinstance(owner, typed.Local) and owner.name == loop.name):
            return None
        said = self.knowing(loop.name, "\0").condition(condition)
        rest = said.removeprefix("\0's ")
        return None if "\0" in rest else rest

    # ---- what the other modules put into words

    @abstractmethod
    def call(self, part: typed.Call) -> str:
        """What a built-in function gives."""

    @abstractmethod
    def one_of(self, collection: Typed, chosen: str) -> str:
        """What is chosen or rolled: `a number from 1 to 6`; `chosen` is how it is called then."""

    @abstractmethod
    def condition(self, part: Typed, holds: bool = True) -> str:
        """A condition as a clause; `holds` is False for its opposite."""

    def about_move(self, part: Typed) -> tuple[str, bool]:
        """A condition of a rule about a move, and whether it is all about what is afterwards."""
        values = [p for p in typed.every_part(part) if isinstance(p, typed.Value)]
        if values and all(value.era == "after" for value in values):
            return type(self)(self.ruleset, self._locals, True, self.me).condition(part), True
        return self.condition(part), False

    def is_plural(self, part: Typed) -> bool:
        """Whether `are` follows the words for a value."""
        part = self.folded(part)
        match part:
            case typed.Seat(which="me"):
                return self.me == "you"
            case typed.Value(variable=variable, owner=owner):
                if variable.each_player and owner is None:
                    return True
                return self.names.value(variable, None if owner is None else "you").plural
            case typed.Local(name=name):
                return self._locals.get(name, "").startswith("the numbers ")
            case typed.ListLiteral():
                return True
            case typed.Aggregate(function="list" | "run" | "connected"):
                return True
        return False


def is_joined(text: str) -> bool:
    """Whether words have parts, in which others would be lost."""
    while INSIDE.search(text):
        text = INSIDE.sub("", text)
    return JOINED.search(IN_A_GRID.sub("", text)) is not None


def joined_apart(text: str) -> str:
    """A condition inside a longer phrase: in parentheses, if it has parts."""
    return parenthesised(text) if is_joined(text) else text


def parenthesised(text: str) -> str:
    """In parentheses, unless it is already."""
    return text if enclosed(text) else f"({text})"


def enclosed(text: str) -> bool:
    """Whether one pair of parentheses holds it all."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and at < len(text) - 1:
            return False
    return text.startswith("(") and depth == 0


def has_clauses(part: Typed) -> bool:
    """Whether the words for a value have a condition in them that is not in parentheses."""
    match part:
        case typed.Aggregate():
            return True
        case typed.IfElse() | typed.Element():  # which have parentheses of their own
            return False
    return any(isinstance(one, typed.Aggregate) for one in typed.every_part(part))


def is_condition(loop: Loop) -> bool:
    """Whether a loop of an effect is the condition of `n if n < 3`, and has no name."""
    return loop.name.partition("_")[1:] == ("_", "")


def loop_name(loop: Loop) -> str:
    """What the author calls one element."""
    return loop.name.partition("_")[2] or loop.name


def is_numbered(noun: str) -> bool:
    """Whether an element goes by the name that its author gave it."""
    return noun == "number"


def plural(noun: str) -> str:
    """`straight line of 3 cells`: straight lines of 3 cells."""
    first, of, rest = noun.partition(" of ")
    return (first if is_plural(first) else f"{first}s") + of + rest


def which(noun: str) -> str:
    """What introduces a condition on what the noun is."""
    return "for whom" if noun == "player" else "for which"


def head(noun: str) -> str:
    """The word that a noun is about: line."""
    return noun.partition(" of ")[0].split()[-1]
