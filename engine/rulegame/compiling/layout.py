"""Where a game can wait, and where each value stands in the flat tuple of a state.

The cells of a state, in order:

    0  the seat whose turn it is; -1 when the game is over
    1  the point: 0 a player decides, then the entries of the setup, the rolls of a turn, the rolls
           inside operations, the gates of setup choices (see `Point`);
       when the game is over, -1 minus the number of the rule that decided
    2  the passes in a row; when the game is over, who won and who lost, as bits;
           where players choose at once: 0, or who chooses next is to be found (see `together`)
    …  who moved first (if a rule or the setup needs it), the rolls and choices that are pending,
           where players choose at once the move of each (0, or its operation's number plus 1), and
           the choices of each by name,
           payoffs (if any), and the earlier positions that rules count (no numbers: a `History`)
    …  the declared values
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from rulegame.core import ir
from rulegame.evaluation.constants import evaluate
from rulegame.evaluation.emitting import Counted, Layout
from rulegame.evaluation.repetition import NONE
from rulegame.evaluation.runtime import Cells, Fault, fit, members, pack
from rulegame.evaluation.wide_sets import wide_pack
from rulegame.language import typed
from rulegame.language.typed import Variable
from rulegame.language.types import (
    NONE_CODE,
    SET_CELL,
    Grid,
    Int,
    List,
    Optional,
    Set,
    Type,
    Word,
    known_range,
    range_in,
    size_of,
)
from rulegame.model import Operation, Roll, Ruleset, StateValue
from rulegame.model.analysis import rule_expressions
from rulegame.model.payoffs import verdicts
from rulegame.model.repetition import counted_positions, counts_turns, values_of

SEAT: Final = 0
POINT: Final = 1
PASSES: Final = 2
NEXT: Final = 1  # where players choose at once: who chooses next is to be found,
FIRST: Final = 2  # or who chooses first
FEW_NUMBERS: Final = 1 << 20
RULES: Final = ("stuck", "all_stuck")  # the rules that are not under `end`


@dataclass(frozen=True, slots=True)
class Point:
    """Where a game can wait: for a player's decision or for chance. At a `gate` it never does:
    there an entry of the setup is left out, or begins, or happens by itself; or, without an
    operation, a turn begins.
    """

    kind: Literal["turn", "setup", "chance", "gate"]
    operations: tuple[Operation, ...] = ()
    roll: Roll | None = None
    operation: Operation | None = None  # the roll is inside this one


@dataclass(frozen=True, slots=True)
class Shape:
    """The layout of the cells."""

    layout: Layout
    size: int
    first: int | None
    keeps_first: bool
    rolls: dict[str, int]  # cells of the rolls of the turn
    pending: int  # the first cell of choices and rolls inside an operation
    temporary: range
    payoffs: int | None
    moved: range = range(0)  # what each player has chosen to do, where all choose at once,
    rest: tuple[int, ...] = ()  # and what these cells and those of the choices are otherwise


def points_of(ruleset: Ruleset) -> tuple[Point, ...]:
    """Every point of a game, by its number."""
    points = [Point("turn", ruleset.operations)]
    points += [Point("gate" if o.is_automatic else "setup", (o,)) for o in ruleset.setup]
    points += [Point("gate")] if ruleset.turn.has_gate else []
    points += [Point("chance", roll=roll) for roll in ruleset.turn.rolls]
    done = () if ruleset.together is None else (ruleset.together.done,)
    for operation in (*ruleset.operations, *done, *ruleset.setup):
        points += [Point("chance", roll=roll, operation=operation) for roll in operation.rolls]
    points += [Point("gate", (o,)) for o in ruleset.setup if o.when is not None and o.choices]
    return tuple(points)


def setup_start(points: tuple[Point, ...], operation: Operation) -> int:
    """The point at which an entry of the setup begins: its gate, if it has one."""
    gates = [k for k, p in enumerate(points) if p.kind == "gate" and p.operations == (operation,)]
    own = [k for k, p in enumerate(points) if p.kind == "setup" and p.operations == (operation,)]
    return (gates or own)[0]


def is_counted(operation: Operation) -> bool:
    """Whether it has a step that rolls repeatedly: how often still is part of the state."""
    return any(roll.repeat is not None for roll in operation.rolls)


def pending_size(operation: Operation) -> int:
    """How many cells an operation has for what is pending: its choices and rolls, and how often a
    step is still to be done.
    """
    return len(operation.choices) + len(operation.rolls) + is_counted(operation)


def is_always_alike(roll: Roll) -> bool:
    """Whether what can be rolled is the same in every state."""
    asked = [roll.collection, *([] if roll.weight is None else [roll.weight])]
    return not any(
        isinstance(part, (typed.Value, typed.Local, typed.Seat))
        for expression in asked
        for part in typed.every_part(expression)
    )


def shape_of(ruleset: Ruleset, points: tuple[Point, ...]) -> Shape:
    """Which cells a state of the game has."""
    keeps_first = any(
        isinstance(part, typed.Seat) and part.which == "first"
        for expression in rule_expressions(ruleset)
        for part in typed.every_part(expression)
    )
    at = PASSES + 1
    first = None
    if keeps_first or ruleset.setup:
        first, at = at, at + 1
    temporary_start = at
    rolls = {}
    for roll in ruleset.turn.rolls:
        rolls[roll.name], at = at, at + 1
    pending = at
    at += max((pending_size(p.operation) for p in points if p.operation is not None), default=0)
    offsets: dict[str, int] = {}
    counted = counted_positions(ruleset)
    for variable in move_variables(ruleset):
        offsets[variable.name], at = at, at + size_of(variable.type)
    temporary = range(temporary_start, at)
    moved, rest = range(0), _rest(ruleset, offsets, at)
    if rest:
        moved, at = range(at, at + len(ruleset.players)), at + len(rest)
    payoffs = None
    if any(verdict.pays for verdict in verdicts(ruleset)):
        payoffs, at = at, at + len(ruleset.players)
    history, at = at, at + len(counted)
    for name, value in ruleset.state.items():
        offsets[name] = at
        at += _cells_of(ruleset, value)
    histories = {
        names: Counted(cell, _counted_cells(ruleset, offsets, names))
        for cell, names in enumerate(counted, history)
    }
    layout = Layout(offsets, len(ruleset.players), first, at, histories)
    return Shape(layout, at, first, keeps_first, rolls, pending, temporary, payoffs, moved, rest)


def _cells_of(ruleset: Ruleset, value: StateValue) -> int:
    """How many cells a value has, of all players together."""
    players = len(ruleset.players) if value.variable.each_player else 1
    return size_of(value.variable.type) * players


def _counted_cells(
    ruleset: Ruleset, offsets: Mapping[str, int], names: tuple[str, ...]
) -> tuple[range, ...]:
    """The cells of a position that is counted; whose turn it is belongs to the whole position."""
    with_seat = counts_turns(names) and ruleset.together is None
    found = [range(SEAT, SEAT + 1)] if with_seat else []
    for name in values_of(ruleset, names):
        at = offsets[name]
        found.append(range(at, at + _cells_of(ruleset, ruleset.state[name])))
    return tuple(found)


def _rest(ruleset: Ruleset, offsets: dict[str, int], at: int) -> tuple[int, ...]:
    """The cells of what players choose at once, as they are when nobody has chosen; where those of
    each choice begin is added to `offsets`.
    """
    if ruleset.together is None:
        return ()
    players = len(ruleset.players)
    rest = [0] * players
    for choice in (choice for operation in ruleset.operations for choice in operation.choices):
        if choice.name not in offsets:
            offsets[choice.name] = at + len(rest)
            variable = ruleset.together.chosen.get(choice.name)
            nothing = variable is not None and isinstance(variable.type, Optional)
            rest += [NONE_CODE if nothing else 0] * players
    return tuple(rest)


def _all_that_is_done(ruleset: Ruleset) -> tuple[Operation, ...]:
    """Setup entries, operations, and what is done when all have chosen at once."""
    together = () if ruleset.together is None else (ruleset.together.done,)
    return (*ruleset.setup, *ruleset.operations, *together)


def move_variables(ruleset: Ruleset) -> list[Variable]:
    """The values of moves, each with the most cells that it has in any operation."""
    found: dict[str, Variable] = {}
    for operation in _all_that_is_done(ruleset):
        for one in operation.lets:
            known = found.setdefault(one.variable.name, one.variable)
            if size_of(one.variable.type) > size_of(known.type):
                found[known.name] = one.variable
    return list(found.values())


def start_cells(ruleset: Ruleset, shape: Shape, points: tuple[Point, ...]) -> tuple[Cells, ...]:
    """The cells before the setup, for each player who may be first."""
    declared: list[int] = []
    players = len(ruleset.players)
    for value in ruleset.state.values():
        for seat in range(players if value.variable.each_player else 1):
            declared += _start_value(value, players, seat)
    result = []
    for chosen in range(players):
        first = chosen if ruleset.turn.first is None else ruleset.turn.first
        cells = [0] * (shape.size - len(declared)) + declared
        entry = next((o for o in ruleset.setup if o.seats), None)
        cells[SEAT] = first if entry is None else entry.seats[0]
        cells[POINT] = turn_start(ruleset) if entry is None else setup_start(points, entry)
        cells[PASSES] = opening(ruleset)
        cells[shape.moved.start : shape.moved.start + len(shape.rest)] = shape.rest
        for counted in shape.layout.histories.values():
            cells[counted.cell] = NONE  # type: ignore[call-overload]  # no number, but an element
        if shape.first is not None and (entry is not None or shape.keeps_first):
            cells[shape.first] = first
        result.append(tuple(cells))
    return tuple(result)


def state_values(ruleset: Ruleset, shape: Shape) -> tuple[ir.StateValue, ...]:
    """The values of a state, in the order of their cells."""
    players, offsets = len(ruleset.players), shape.layout.offsets
    seat = ir.StateValue("seat", range(SEAT, POINT), 0, players - 1)
    found = [seat, ir.StateValue("point", range(POINT, PASSES))]
    found.append(ir.StateValue("passes, or the outcome", range(PASSES, PASSES + 1)))
    if shape.first is not None:
        cells = range(shape.first, shape.first + 1)
        found.append(ir.StateValue("player who moved first", cells))
    found += [ir.StateValue(f"roll {name}", range(k, k + 1)) for name, k in shape.rolls.items()]
    moves = [(v.name, offsets[v.name], size_of(v.type)) for v in move_variables(ruleset)]
    first = min([at for _, at, _ in moves], default=shape.temporary.stop)
    found.append(ir.StateValue("pending choices and rolls", range(shape.pending, first)))
    found += [ir.StateValue(f"{n} of the move", range(k, k + size)) for n, k, size in moves]
    found.append(ir.StateValue("chosen operations", shape.moved))
    for name in dict.fromkeys(c.name for o in ruleset.operations for c in o.choices):
        if ruleset.together is not None:
            cells = range(offsets[name], offsets[name] + players)
            found.append(ir.StateValue(f"chosen {name}", cells))
    for counted in shape.layout.histories.values():
        cells = range(counted.cell, counted.cell + 1)
        found.append(ir.StateValue("earlier positions", cells))
    if shape.payoffs is not None:
        found.append(ir.StateValue("payoffs", range(shape.payoffs, shape.payoffs + players)))
    for name, value in ruleset.state.items():
        type_ = value.variable.type
        of = type_.of if isinstance(type_, (Grid, List)) else type_
        times = players if value.variable.each_player else 1
        cells = range(offsets[name], offsets[name] + times * size_of(type_))
        found.append(ir.StateValue(name, cells, *_certain_range(of, players)))
    return tuple(value for value in found if value.cells)


def _certain_range(type_: Type, players: int) -> tuple[int | None, int | None]:
    """What a cell of a type certainly holds."""
    if isinstance(type_, Word):
        return 0, 2**31
    if isinstance(type_, Int) and range_in(type_) is None:
        return None, None
    return known_range(type_, players) or (None, None)


def cell_ranges(
    ruleset: Ruleset, shape: Shape, points: tuple[Point, ...]
) -> list[tuple[int, int] | None]:
    """What each cell can be, beside none; None where only playing tells."""
    players, rules = len(ruleset.players), len(RULES) + len(ruleset.end)
    found: list[tuple[int, int] | None] = [None] * shape.size
    found[SEAT] = -1, players - 1
    found[POINT] = -rules, len(points) - 1
    found[PASSES] = 0, ((1 << players) - 1) * 257  # winners, and losers eight bits above
    if shape.first is not None:
        found[shape.first] = 0, players - 1
    for roll in ruleset.turn.rolls:
        found[shape.rolls[roll.name]] = _with_zero(_range_of(roll.element, players))
    for cell in shape.moved:
        found[cell] = 0, len(ruleset.operations)
    for name, variable in {} if ruleset.together is None else ruleset.together.chosen.items():
        for cell in range(at := shape.layout.offsets[name], at + players):
            found[cell] = _with_zero(_range_of(variable.type, players))
    _move_ranges(ruleset, shape, found)
    for name, value in ruleset.state.items():
        type_ = value.variable.type
        of = type_.of if isinstance(type_, (List, Grid)) else type_
        at, size = shape.layout.offsets[name], size_of(type_)
        for cell in range(size * (players if value.variable.each_player else 1)):
            found[at + cell] = _range_of(_in_cell(of, cell % size), players)
    return found


def _in_cell(type_: Type, number: int) -> Type:
    """What one of the cells of a value holds; of a set of many numbers, some of them."""
    if not isinstance(type_, Set):
        return type_
    first = type_.low + number * SET_CELL
    return Set(first, min(type_.high, first + SET_CELL - 1))


def _move_ranges(ruleset: Ruleset, shape: Shape, found: list[tuple[int, int] | None]) -> None:
    """The values of moves are 0 between moves; only while something is rolled they are not."""
    waiting = [operation for operation in _all_that_is_done(ruleset) if operation.rolls]
    kept = {one.variable.name for operation in waiting for one in operation.lets}
    for variable in move_variables(ruleset):
        at = shape.layout.offsets[variable.name]
        if variable.name not in kept:
            found[at : at + size_of(variable.type)] = [(0, 0)] * size_of(variable.type)


def _range_of(type_: Type, players: int) -> tuple[int, int] | None:
    """What a value of a type can be, beside none, if that is little."""
    match type_:
        case Optional(of=of):
            return _range_of(of, players)
        case Set(low=low, high=high):
            return 0, (1 << (high - low + 1)) - 1
        case Int(low=low, high=high) if high - low >= FEW_NUMBERS:
            return None
    return known_range(type_, players)


def _with_zero(known: tuple[int, int] | None) -> tuple[int, int] | None:
    """A cell that is 0 as long as nothing has been rolled."""
    return None if known is None else (min(known[0], 0), max(known[1], 0))


def opening(ruleset: Ruleset) -> int:
    """What the cell of passes is when a turn begins: whether who chooses first is to be found."""
    return FIRST if ruleset.together is not None and not ruleset.together.everyone else 0


def turn_start(ruleset: Ruleset) -> int:
    """The point at which a turn begins: its gate, its first roll, or the decision."""
    return 1 + len(ruleset.setup) if ruleset.turn.rolls or ruleset.turn.has_gate else 0


def _start_value(value: StateValue, players: int, seat: int) -> list[int]:
    """The cells of one value at the start."""
    type_ = value.variable.type
    if value.start is None:
        return _as_type_starts(type_)
    code: Any = evaluate(value.start, players, seat)
    return _flat(code, value.start.type, type_)


def _flat(code: Any, found: Type, declared: Type) -> list[int]:
    """A start value as cells of the declared type: one value may stand for all elements."""
    if isinstance(declared, Set):
        items = members(code, found.low) if isinstance(found, Set) else code
        for item in items:
            if not declared.low <= item <= declared.high:
                raise Fault(
                    "E508", -1, f"{item} cannot be in a set of {declared.low}..{declared.high}"
                )
        if declared.is_wide:
            return list(wide_pack(items, declared.low, declared.high))
        return [pack(items, declared.low)]
    if isinstance(declared, (List, Grid)):
        if not isinstance(code, (tuple, range)):
            return [_stored(code, declared.of)] * size_of(declared)
        if isinstance(declared, Grid):
            rows: Any = code
            return [_stored(c, declared.of) for row in rows for c in row]
        return [_stored(c, declared.of) for c in code]
    return [_stored(code, declared)]


def _stored(code: Any, type_: Type) -> int:
    return fit(int(code), -1) if isinstance(type_, Int) else int(code)


def _as_type_starts(type_: Type) -> list[int]:
    if isinstance(type_, (List, Grid)):
        return _as_type_starts(type_.of) * size_of(type_)
    if isinstance(type_, Set):
        return [0] * type_.cells
    return [NONE_CODE if isinstance(type_, Optional) else 0]
