"""What rules use values and choices for, told before they run: which values a player has to know,
which places of a board the choices of an operation name, and how its pieces move.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from rulegame.language import typed
from rulegame.language.cells import LETTERS, column_name
from rulegame.language.templates import Choose, Part, Repeat, Show, Template
from rulegame.language.typed import Typed, Write
from rulegame.language.types import (
    NONE_CODE,
    Cell,
    Grid,
    Int,
    List,
    Optional,
    PlayerType,
    Set,
    Type,
    board_of_points,
)
from rulegame.model import (
    Choice,
    Display,
    Effects,
    Ground,
    Operation,
    Roll,
    Ruleset,
    StateValue,
    Step,
)
from rulegame.model.analysis import rule_expressions

NAMELESS: Final = Display()


# ---- which values are read


def helper_values(ruleset: Ruleset) -> frozenset[str]:
    """The values that serve the effects alone: moves write them and effects read them, or nothing
    ever writes them; but no text, validity rule, condition of an operation, choice or end rule
    reads them, be it through definitions. A value that moves write and nothing reads is a note for
    the players, and one that the setup alone writes is a setting of this game.
    """
    read = _read((*_conditions(ruleset), *told_expressions(ruleset)))
    used = _read(rule_expressions(ruleset))
    steps: list[Step] = [] if ruleset.turn.begin is None else [ruleset.turn.begin]
    steps += () if ruleset.together is None else ruleset.together.done.steps
    steps += () if ruleset.stuck.effects is None else (ruleset.stuck.effects,)
    steps += (step for operation in ruleset.operations for step in operation.steps)
    played = _written(steps)
    prepared = _written(step for entry in ruleset.setup for step in entry.steps)
    visible = {name for name, value in ruleset.state.items() if value.seen_by != "nobody"}
    notes, settings = (played - used) & visible, (prepared - played) & visible
    return frozenset(ruleset.state) - read - notes - settings


def _read(expressions: Iterable[Typed]) -> set[str]:
    return {
        part.variable.name
        for expression in expressions
        for part in typed.every_part(expression)
        if isinstance(part, typed.Value)
    }


def _written(steps: Iterable[Step]) -> set[str]:
    return {
        write.variable.name for step in steps if isinstance(step, Effects) for write in step.writes
    }


def _conditions(ruleset: Ruleset) -> Iterator[Typed]:
    for operation in ruleset.operations:
        yield from _given(operation.when)
        yield from (choice.collection for choice in operation.choices)
    for rule in ruleset.validity:
        yield from rule.requires.values()
    for end in ruleset.end:
        yield end.when
        yield from end.verdict.expressions
    yield from ruleset.stuck.unless.values()
    yield from ruleset.stuck.verdict.expressions
    yield from ruleset.stuck.all_verdict.expressions


def _given(expression: Typed | None) -> tuple[Typed, ...]:
    return () if expression is None else (expression,)


def told_expressions(ruleset: Ruleset) -> Iterator[Typed]:
    """The expressions in texts."""
    templates: list[Template | None] = [*ruleset.texts.values()]
    for operation in (*ruleset.setup, *ruleset.operations):
        templates += operation.texts.values()
        for choice in operation.choices:
            templates += choice.texts.values()
        templates += (roll.text for roll in operation.rolls)
    templates += (roll.text for roll in (*ruleset.turn.rolls, *ruleset.turn.later_rolls))
    for rule in ruleset.validity:
        for of_operation in rule.texts.values():
            templates += of_operation.values()
    templates += (end.text for end in ruleset.end)
    templates += (ruleset.stuck.text, ruleset.stuck.all_text)
    for template in templates:
        if template is not None:
            yield from _of_parts(template.parts)


def _of_parts(parts: tuple[Part, ...]) -> Iterator[Typed]:
    for part in parts:
        match part:
            case Show(value=value):
                yield value
            case Choose(branches=branches):
                for condition, body in branches:
                    yield from _given(condition)
                    yield from _of_parts(body)
            case Repeat(collection=collection, body=body):
                yield collection
                yield from _of_parts(body)


# ---- places of boards


class Spot(NamedTuple):
    """A place that a move names: by a choice of a cell, by two of a row and a column, by the number
    of an element, or by a column alone, where pieces fall.
    """

    board: str
    kind: Literal["cell", "pair", "element", "column"]
    choices: tuple[int, ...]  # their positions in the operation


def spots(ruleset: Ruleset, operation: Operation) -> tuple[Spot, ...]:
    """The places that the choices of an operation name, in the order of the choices."""
    names = [choice.name for choice in operation.choices]
    pairs: dict[str, tuple[str, str, str]] = {}  # by the row: the board, the row, the column
    elements: dict[str, str] = {}
    columns: dict[str, str] = {}
    for board, type_, indices in _indexed(ruleset, operation):
        local = [i.name if isinstance(i, typed.Local) and i.name in names else "" for i in indices]
        if isinstance(type_, Grid) and len(local) == 2:
            if all(local):
                pairs.setdefault(local[0], (board, local[0], local[1]))
            elif local[1]:
                columns.setdefault(local[1], board)
        elif isinstance(type_, List) and len(local) == 1 and local[0] and _is_board(type_):
            elements.setdefault(local[0], board)
    found: list[Spot] = []
    taken: set[str] = set()
    for at, choice in enumerate(operation.choices):
        of = choice.element.of if isinstance(choice.element, Optional) else choice.element
        if choice.name in taken:
            continue
        if isinstance(of, Cell):
            found.append(Spot(of.board, "cell", (at,)))
        elif choice.name in pairs:
            board, row, column = pairs[choice.name]
            found.append(Spot(board, "pair", (names.index(row), names.index(column))))
            taken.add(column)
        elif choice.name in elements:
            found.append(Spot(elements[choice.name], "element", (at,)))
        elif choice.name in columns and len(names) == 1:
            found.append(Spot(columns[choice.name], "column", (at,)))
    return tuple(found)


def _is_board(type_: List) -> bool:
    """Whether the elements of a list lie somewhere, by their numbers or as points."""
    return type_.index is None or board_of_points(type_) is not None


def _indexed(
    ruleset: Ruleset, operation: Operation
) -> Iterator[tuple[str, Type, tuple[Typed, ...]]]:
    """Where a rule of an operation looks at, or writes, a part of a value."""
    for write in _writes(operation):
        if write.indices:
            yield write.variable.name, write.variable.type, write.indices
    expressions: list[Typed] = []
    for write in _writes(operation):
        expressions += [write.value, *write.indices]
    for rule in ruleset.validity:
        if operation.name in rule.requires:
            expressions.append(rule.requires[operation.name])
    expressions += (choice.collection for choice in operation.choices)
    for expression in expressions:
        for part in typed.every_part(expression):
            if isinstance(part, typed.Element) and isinstance(part.base, typed.Value):
                yield part.base.variable.name, part.base.variable.type, part.indices


def _writes(operation: Operation) -> Iterator[Write]:
    for step in operation.steps:
        if isinstance(step, Effects):
            yield from step.writes


# ---- what a board looks like


def ground_of(ruleset: Ruleset, value: StateValue) -> Ground:
    """What a grid is drawn as, if the ruleset does not say: upright where every operation that
    writes to it names a column alone, chequered with chess pieces and where men move from one
    place to another.
    """
    name, type_ = value.variable.name, value.variable.type
    if value.show.ground or not isinstance(type_, Grid):
        return value.show.ground
    if value.show.form == "stones" and not type_.hexagons:
        return "intersections"
    writing = [o for o in ruleset.operations if any(w.variable.name == name for w in _writes(o))]
    named = [[spot for spot in spots(ruleset, o) if spot.board == name] for o in writing]
    if writing and all(len(one) == 1 and one[0].kind == "column" for one in named):
        return "upright"
    moving = holds_players(type_) and any(_moves_a_piece(o, name) for o in writing)
    moving = moving or value.show.form == "chess"
    wide = min(type_.rows, type_.columns) > 3 and not type_.hexagons
    return "chequered" if moving and wide else "plain"


def _moves_a_piece(operation: Operation, board: str) -> bool:
    """Whether an operation empties a place that was chosen, and fills another."""
    names = {choice.name for choice in operation.choices}
    writes = [write for write in _writes(operation) if write.variable.name == board]
    left = any(
        isinstance(write.value, typed.Constant)
        and write.value.code == NONE_CODE
        and all(isinstance(i, typed.Local) and i.name in names for i in write.indices)
        for write in writes
    )
    return left and any(not isinstance(write.value, typed.Constant) for write in writes)


def holds_players(type_: Type) -> bool:
    """Whether a value, or each part of it, is a player."""
    of = type_.of if isinstance(type_, Grid | List) else type_
    return isinstance(of.of if isinstance(of, Optional) else of, PlayerType)


# ---- letters of columns


def lettered_boards(ruleset: Ruleset) -> frozenset[str]:
    """The boards whose columns are drawn as letters although moves number them: those of which a
    move names a row and a column, unless the ruleset wants numbers.
    """
    return frozenset(
        spot.board
        for operation in ruleset.operations
        for spot in spots(ruleset, operation)
        if spot.kind in ("cell", "pair") and _can_have_letters(ruleset, spot.board)
    )


def _can_have_letters(ruleset: Ruleset, board: str) -> bool:
    value = ruleset.state.get(board)
    if value is None or value.show.numbered or ground_of(ruleset, value) == "upright":
        return False
    type_ = value.variable.type
    return isinstance(type_, Grid) and type_.naming == "numbers" and type_.columns <= LETTERS


def lettered_pairs(
    ruleset: Ruleset, operation: Operation, lettered: Collection[str]
) -> tuple[tuple[int, int], ...]:
    """The positions of the choices that are the row and the column of a cell of such a board."""
    return tuple(
        (spot.choices[0], spot.choices[1])
        for spot in spots(ruleset, operation)
        if spot.kind == "pair" and spot.board in lettered
    )


def landing_row(
    operation: Operation, board: str, column: str, earlier: Collection[str]
) -> Typed | None:
    """The row of the place that an operation fills in a column that is chosen, if the `earlier`
    choices and the player determine it.
    """
    for write in _writes(operation):
        if write.variable.name == board and len(write.indices) == 2:
            row, last = write.indices
            parts = [*typed.every_part(row)]
            names = {part.name for part in parts if isinstance(part, typed.Local)}
            known = names.issubset(earlier) and not any(isinstance(p, typed.Value) for p in parts)
            if isinstance(last, typed.Local) and last.name == column and known:
                return row
    return None


def drawn_type(type_: Type, lettered: Collection[str]) -> Type:
    """A type whose cells are called as they are drawn."""
    if isinstance(type_, Cell):
        return replace(type_, naming="letters") if type_.board in lettered else type_
    if isinstance(type_, Optional | List):
        of = drawn_type(type_.of, lettered)
        return type_ if of is type_.of else replace(type_, of=of)  # type: ignore[arg-type]
    return type_


def _columns(
    ruleset: Ruleset, operation: Operation, lettered: Collection[str]
) -> Mapping[str, Mapping[int, str]]:
    """The letters of the choices that are columns of such boards, and nothing else."""
    found: dict[str, int] = {}
    others: set[str] = set()
    for board, type_, indices in _indexed(ruleset, operation):
        names = [index.name if isinstance(index, typed.Local) else "" for index in indices]
        if isinstance(type_, Grid) and len(names) == 2:
            column = names.pop()
            if board in lettered:
                found[column] = type_.columns
        others.update(names)
    return {
        name: {k + 1: column_name("letters", k) for k in range(count)}
        for name, count in found.items()
        if name not in others
    }


# ---- what a choice or a roll is drawn like


def display_of(ruleset: Ruleset, operation: Operation | None, what: Choice | Roll) -> Display:
    """How an element that is chosen or rolled is drawn: like the value that it is taken from, or
    else like the one that it is written to.
    """
    if not isinstance(_element(what.element), Int):
        return NAMELESS
    source = _source(ruleset.state, what.collection)
    if source is not None and source.show.declared:
        return source.show
    for write in () if operation is None else _writes(operation):
        value = ruleset.state.get(write.variable.name)
        if value is not None and value.show.declared and _stores(write.value, what.name):
            return value.show
    return NAMELESS


def is_laid_open(ruleset: Ruleset, operation: Operation | None, roll: Roll) -> bool:
    """Whether a roll is stored, as it is, in a single value that all see."""
    shared = [
        name
        for name, value in ruleset.state.items()
        if value.seen_by == "all" and isinstance(value.variable.type, Int)
    ]
    return operation is not None and any(
        write.variable.name in shared and _stores(write.value, roll.name)
        for write in _writes(operation)
    )


def signs_by_name(ruleset: Ruleset) -> Mapping[str, Mapping[int, str]]:
    """The cards, or the letters of columns, that the numbers of choices and rolls are drawn as: by
    name, where all of a name agree.
    """
    found: dict[str, Mapping[int, str]] = {}
    rolls = (*ruleset.turn.rolls, *ruleset.turn.later_rolls)
    named: list[tuple[Operation | None, Choice | Roll]] = [(None, roll) for roll in rolls]
    lettered = lettered_boards(ruleset)
    operations = (*ruleset.setup, *ruleset.operations)
    columns = {o.name: _columns(ruleset, o, lettered) for o in operations}
    for operation in operations:
        named += ((operation, choice) for choice in operation.choices)
        named += ((operation, roll) for roll in operation.rolls)
    for within, one in named:
        signs = display_of(ruleset, within, one).cards
        if not signs and within is not None and isinstance(one, Choice):
            signs = columns[within.name].get(one.name, {})
        found[one.name] = signs if found.get(one.name, signs) == signs else {}
    return {name: signs for name, signs in found.items() if signs}


def signs_of(
    ruleset: Ruleset, e: Typed, named: Mapping[str, Mapping[int, str]]
) -> Mapping[int, str]:
    """The cards or letters that the numbers of an expression are drawn as; none if they are mere
    numbers.
    """
    match e:
        case typed.Local(name=name):
            return named.get(name, {})
        case typed.Value(variable=variable) | typed.Element(base=typed.Value(variable=variable)):
            value = ruleset.state.get(variable.name)
            return {} if value is None else value.show.cards
    source = _source(ruleset.state, e)
    return {} if source is None else source.show.cards


def _element(type_: Type) -> Type:
    return type_.of if isinstance(type_, Optional) else type_


def _source(state: Mapping[str, StateValue], collection: Typed) -> StateValue | None:
    """The value whose elements a collection has."""
    match collection:
        case typed.Value(variable=variable) if isinstance(variable.type, Set | List):
            return state.get(variable.name)
        case typed.Aggregate(function="list", loops=(loop,), body=typed.Local(name=name)):
            return _source(state, loop.collection) if name == loop.name else None
        case typed.Call(function="without" | "with", arguments=(first, *_)):
            return _source(state, first)
        case typed.IfElse(then=then, otherwise=otherwise):
            return _source(state, then) or _source(state, otherwise)
    return None


def _stores(value: Typed, name: str) -> bool:
    """Whether a value that is written is, or has, what was chosen."""
    match value:
        case typed.Local(name=local):
            return local == name
        case typed.ListLiteral(items=items):
            return any(_stores(item, name) for item in items)
        case typed.Call(function="with", arguments=(_, added)):
            return _stores(added, name)
    return False
