"""Typed expressions in English: values as noun phrases, conditions as clauses.

`you` is the player who moves. What has no good words stays code, so that nothing is said wrongly.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulegame.expressions import typed
from rulegame.expressions.typed import Loop, Typed, Variable
from rulegame.model import Ruleset
from rulegame.rulebook.folding import fold
from rulegame.rulebook.marks import and_list
from rulegame.rulebook.nouns import Names, belonging, is_plural, possessive, singular, spoken
from rulegame.types import (
    NONE_CODE,
    Bool,
    Grid,
    Int,
    List,
    Nothing,
    Optional,
    Player,
    Type,
)
from rulegame.values import show

SYMBOLS: Final = {"+": "+", "-": "−", "*": "×", "/": "÷"}
SPOKEN: Final = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
TIGHTNESS: Final = {"+": 1, "-": 1, "*": 2, "/": 2}
OPPOSITE: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED: Final = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
RELATIONS: Final = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}


class Wording:
    """Puts the expressions of one ruleset into words; `locals` are those of choices, rolls and
    loops.
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

    def knowing(self, **locals_: str) -> Wording:
        """The same, where some locals have words of their own."""
        known = {**self._locals, **locals_}
        return Wording(self.ruleset, known, self._quiet_after, self.me)

    def of(self, player: str) -> Wording:
        """The same, said of another player than `you`."""
        return Wording(self.ruleset, self._locals, self._quiet_after, player)

    def folded(self, part: Typed) -> Typed:
        """The expression, worked out as far as the parameters decide it."""
        return fold(part, len(self.names.players))

    # ---- values

    def value(self, part: Typed) -> str:
        """A value as a noun phrase."""
        part = self.folded(part)
        match part:
            case typed.Constant(type=type_, code=number):
                return self.constant(type_, number)
            case typed.Phrase(value=text):
                return f"“{text}”"
            case typed.Local(name=name):
                return self._locals.get(name, name.partition("_")[2] if name[0].isdigit() else name)
            case typed.Seat(which="me"):
                return self.me
            case typed.Seat():
                return "the player who moved first"
            case typed.Value(variable=variable, owner=owner):
                later = " after the move" if part.era == "after" and not self._quiet_after else ""
                return self._whole(variable, owner) + later
            case typed.Element(base=base, indices=indices):
                return self.element(base, indices)
            case typed.Operation(operator=operator, operands=operands):
                return self._arithmetic(operator, operands)
            case typed.Conditional(condition=condition, then=then, otherwise=otherwise):
                chosen = f"{self.value(then)} if {self.condition(condition)}"
                return f"({chosen}, otherwise {self.value(otherwise)})"
            case typed.Interval(low=low, high=high):
                return f"the numbers from {self.value(low)} to {self.value(high)}"
            case typed.Row(items=items):
                return "the players" if self.is_everyone(part) else self.listed(items, "and")
            case typed.Apply():
                from rulegame.rulebook.calls import call

                return call(self, part)
            case typed.Aggregate():
                return self._aggregate(part)
            case typed.Let(name=name, value=value, body=body):
                return self.knowing(**{name: self.value(value)}).value(body)
        return f"whether {self.condition(part)}"

    def constant(self, type_: Type, number: int) -> str:
        """A number, a word, a player."""
        if isinstance(type_, Nothing) or number == NONE_CODE:
            return "none"
        return show(type_, number, self.ruleset.words, self.names.players)

    def listed(self, items: tuple[Typed, ...], word: str) -> str:
        """Several values: `1, 2 or 3`."""
        return and_list([self.value(item) for item in items], word)

    def is_everyone(self, part: Typed) -> bool:
        """Whether it is the list of all players."""
        return (
            isinstance(part, typed.Row)
            and isinstance(part.type, List)
            and isinstance(part.type.of, Player)
            and [self.folded(i) for i in part.items]
            == [typed.Constant(Player(), k) for k in range(len(self.names.players))]
        )

    def _whole(self, variable: Variable, owner: Typed | None) -> str:
        if variable.each_player and owner is None:
            return f"the {self.names.noun(variable).text} of every player"
        return self.names.value(variable, None if owner is None else self.value(owner)).text

    def target(self, write: typed.Write) -> str:
        """What an effect changes."""
        whole = typed.Value(write.variable.type, write.variable, write.owner, "now")
        return self.element(whole, write.indices) if write.indices else self.value(whole)

    def element(self, base: Typed, indices: tuple[Typed, ...]) -> str:
        """One element of a list, one cell of a grid."""
        if isinstance(base.type, Grid):
            return f"the cell in {self.cell(indices)} of {self.value(base)}"
        if self.is_everyone(self.folded(base)):
            return f"the player in seat {self._index(indices[0])}"
        index = self._index(indices[0])
        if not isinstance(base, typed.Value):
            return f"element {index} of {self.value(base)}"
        if base.variable.each_player and base.owner is None:
            noun = self.names.noun(base.variable).text
            return f"the {noun} of the player in seat {index}"
        noun = singular(spoken(base.variable.name))
        if noun == spoken(base.variable.name):  # `ring`, `deck`: not what one of them is called
            return self._entry(base, indices[0])
        numbered = f"{noun} number ({index})" if " " in index else f"{noun} {index}"
        that = index == noun
        one = f"that {noun}" if that else numbered
        if base.owner is not None:
            owner = self.value(base.owner)
            one = f"{one} of {belonging(owner)}" if that else f"{possessive(owner)} {one}"
        if isinstance(base.type, List) and isinstance(base.type.of, Int):
            return f"the number in {one}"
        return one

    def _entry(self, base: Typed, index: Typed) -> str:
        """`entry 2 of the deck`, `the entry of the deck for the card`."""
        at = self.argument(index)
        if " " in at:
            return f"the entry of {self.value(base)} for {at}"
        return f"entry {at} of {self.value(base)}"

    def _index(self, index: Typed) -> str:
        """A position: the name of a choice stands for itself."""
        return self.value(index).removeprefix("the chosen ")

    def cell(self, indices: tuple[Typed, ...]) -> str:
        """`row 1, column 2`; a choice that is called so needs no other name."""
        row, column = (self._index(index) for index in indices)
        if (row, column) == ("row", "column"):
            return "the chosen row and column"
        return f"{_along('row', row)}, {_along('column', column)}"

    def _arithmetic(self, operator: str, operands: tuple[Typed, ...]) -> str:
        parts = [self.folded(operand) for operand in operands]
        if len(parts) == 1 or any(isinstance(p, typed.Operation) or _is_long(p) for p in parts):
            return self._formula(operator, parts)
        return f" {SPOKEN[operator]} ".join(self.value(p) for p in parts)

    def _formula(self, operator: str, parts: list[Typed]) -> str:
        """Nested arithmetic with its usual signs, in parentheses where they are needed."""
        if len(parts) == 1:
            return f"−{self._term(parts[0], '*', last=True)}"
        said = [self._term(p, operator, last=k > 0) for k, p in enumerate(parts)]
        return f" {SYMBOLS[operator]} ".join(said)

    def argument(self, part: Typed) -> str:
        """A value inside a longer phrase, in which arithmetic would be lost."""
        text = self.value(part)
        return f"({text})" if isinstance(self.folded(part), typed.Operation) else text

    def _term(self, part: Typed, outer: str, last: bool) -> str:
        part = self.folded(part)
        if not isinstance(part, typed.Operation):
            text = self.value(part)
            return f"({text})" if isinstance(part, typed.Let) or _is_long(part) else text
        text = self._formula(part.operator, [self.folded(operand) for operand in part.operands])
        inner = 3 if len(part.operands) == 1 else TIGHTNESS[part.operator]
        loose = inner < TIGHTNESS[outer] or (inner == TIGHTNESS[outer] and last) or inner == 3
        return f"({text})" if loose else text

    # ---- loops

    def _aggregate(self, part: typed.Aggregate) -> str:
        if part.function in ("any", "all"):
            return f"whether {self.condition(part)}"
        if part.function == "list":
            return self._chosen_list(part)
        inner, among = self._loops(part.loops)
        if part.function == "count":
            body = self.folded(part.body)
            if isinstance(body, typed.Constant) or not isinstance(body.type, Bool):
                return f"the number of {among}"
            such = which(self.kind(part.loops[0])[0])
            return f"the number of {among} {such} {inner.condition(body)}"
        words = {"sum": "the sum of", "min": "the least of", "max": "the greatest of"}
        what = inner.value(part.body)
        first = part.loops[0]
        body = part.body
        if len(part.loops) == 1 and isinstance(body, typed.Local) and body.name == first.name:
            return f"{words[part.function]} {among}"
        return f"{words[part.function]} {what} over all {among}"

    def _loops(self, loops: tuple[Loop, ...]) -> tuple[Wording, str]:
        """The words inside loops, and what they run over: `players p with …`."""
        inner, said = self, []
        for loop in loops:
            name = loop.name.partition("_")[2] or loop.name
            noun, where = inner.kind(loop)
            named = noun in ("number", "element")
            inner = inner.knowing(**{loop.name: name if named else f"that {head(noun)}"})
            if loop.condition is not None:
                where += f" {which(noun)} {inner.condition(loop.condition)}"
            said.append(f"{plural(noun)}{f' {name}' if named else ''}{where}")
        return inner, and_list(said)

    def kind(self, loop: Loop) -> tuple[str, str]:
        """What one element of a loop is called, and where it is from: (`cell`, ` of the board`)."""
        collection = self.folded(loop.collection)
        match collection:
            case typed.Row() if self.is_everyone(collection):
                return "player", ""
            case typed.Interval(low=low, high=high):
                return "number", f" from {self.value(low)} to {self.value(high)}"
            case typed.Apply(function="lines", arguments=(grid, size)):
                return f"straight line of {self.value(size)} cells", f" on {self.value(grid)}"
            case typed.Apply(function="rows" | "columns" as function, arguments=(grid,)):
                return singular(function), f" of {self.value(grid)}"
            case typed.Apply(function="neighbours" | "around"):
                return "cell", f" among {self.value(collection)}"
            case typed.Value(type=Grid()):
                return "cell", f" of {self.value(collection)}"
            case typed.Value(variable=variable, owner=owner) if not variable.each_player or owner:
                noun = singular(spoken(variable.name))
                return noun, "" if owner is None else f" of {belonging(self.value(owner))}"
            case typed.Local(name=name):
                line = self._locals.get(name, "").split(" ")[-1] in ("line", "row", "column")
                of = f" of {self.value(collection)}"
                return "cell" if line or _is_cells(loop) else "element", of
        return "element", f" of {self.value(collection)}"

    def _chosen_list(self, part: typed.Aggregate) -> str:
        """`list(p for p in players if …)`: the players for whom it holds."""
        loop = part.loops[0]
        plain = isinstance(part.body, typed.Local) and part.body.name == loop.name
        if len(part.loops) != 1 or not plain:
            inner, among = self._loops(part.loops)
            return f"the list of {inner.value(part.body)} for all {among}"
        noun, where = self.kind(loop)
        if loop.condition is None:
            return f"all {plural(noun)}{where}"
        most = self._leaders(loop.condition, noun)
        if most is not None and not where:
            return most
        whose = self.whose(loop, loop.condition)
        if whose is not None and not where:
            return f"the {plural(noun)} whose {whose}"
        name = loop.name.partition("_")[2] or loop.name
        inner = self.knowing(**{loop.name: name})
        condition = inner.condition(loop.condition)
        return f"all {plural(noun)} {name}{where} {which(noun)} {condition}"

    def _leaders(self, condition: Typed, noun: str) -> str | None:
        """`the players with the most coins`, where that is what a condition asks for."""
        match condition:
            case typed.Comparison(
                operands=(
                    typed.Value(variable=variable, owner=typed.Local()),
                    typed.Apply(
                        function="max" | "min" as end,
                        arguments=(typed.Value(variable=over, owner=None),),
                    ),
                ),
                relations=("==",),
            ) if variable == over:
                what = self.names.noun(variable)
                words = ("most", "fewest") if what.plural else ("greatest", "least")
                return f"the {plural(noun)} with the {words[end == 'min']} {what.text}"
        return None

    def whose(self, loop: Loop, condition: Typed) -> str | None:
        """`score is the greatest of all players' scores`, of a condition that names the element of
        the loop once, as the owner of what it begins with.
        """
        mentions = [p for p in typed.every_part(condition) if isinstance(p, typed.Local)]
        if [p.name for p in mentions] != [loop.name] or not isinstance(condition, typed.Comparison):
            return None
        left = condition.operands[0]
        if not isinstance(left, typed.Value) or not isinstance(left.owner, typed.Local):
            return None
        return self.knowing(**{loop.name: "\0"}).condition(condition).removeprefix("\0's ")

    # ---- conditions

    def one_of(self, collection: Typed, chosen: str) -> str:
        """What is chosen or rolled: `a number from 1 to 6`; `chosen` is how it is called then."""
        from rulegame.rulebook.selections import one_of

        return one_of(self, self.folded(collection), chosen)

    def condition(self, part: Typed, holds: bool = True) -> str:
        """A condition as a clause; `holds` is False for its opposite."""
        from rulegame.rulebook.clauses import clause

        return clause(self, self.folded(part), holds)

    def about_move(self, part: Typed) -> str:
        """A condition of a rule about a move: `your score is at least 0 after the move`."""
        values = [p for p in typed.every_part(part) if isinstance(p, typed.Value)]
        if values and all(value.era == "after" for value in values):
            quiet = Wording(self.ruleset, self._locals, True, self.me)
            return f"{quiet.condition(part)} afterwards"
        return self.condition(part)

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
            case typed.Interval() | typed.Row():
                return True
            case typed.Apply(function="rows" | "columns" | "lines" | "neighbours" | "around"):
                return True
            case typed.Aggregate(function="list"):
                return True
        return False


def plural(noun: str) -> str:
    """`straight line of 3 cells`: straight lines of 3 cells."""
    first, of, rest = noun.partition(" of ")
    return (first if is_plural(first) else f"{first}s") + of + rest


def _along(line: str, index: str) -> str:
    """`row 3`, and of a choice that is called so: `the chosen row`."""
    return f"the chosen {line}" if index == line else f"{line} {index}"


def which(noun: str) -> str:
    """What introduces a condition on what the noun is."""
    return "for whom" if noun == "player" else "for which"


def _is_long(part: Typed) -> bool:
    """Whether the words for a value have words like `divided by` in them."""
    if isinstance(part, typed.Aggregate):
        return True
    return isinstance(part, typed.Apply) and part.function in ("abs", "mod", "with", "without")


def head(noun: str) -> str:
    """The word that a noun is about: line."""
    return noun.partition(" of ")[0].split()[-1]


def _is_cells(loop: Loop) -> bool:
    """Whether the elements are what the cells of a board hold."""
    return isinstance(loop.element, (Optional, Player))
