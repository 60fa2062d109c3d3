"""The rules of a ruleset worked out from its typed expressions, in the plainest way: one part after
the other, as often as it is written. What compiled functions do must agree with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import Any, Final, NamedTuple

from engine.compiling.plain_boards import (
    connected,
    connected_points,
    lines_of_points,
    of_board,
    of_cell,
    of_point,
)
from rulegame.compiling import Cells, Kernel
from rulegame.evaluation import runtime
from rulegame.evaluation.runtime import Fault
from rulegame.language import typed
from rulegame.language.functions import FUNCTIONS
from rulegame.language.typed import Typed
from rulegame.language.types import (
    Bool,
    Cell,
    Grid,
    List,
    Set,
    Word,
    board_of_points,
    points_of,
    size_of,
)
from rulegame.model import Operation

COMPARED: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "==": lambda a, b: bool(a == b),
    "!=": lambda a, b: bool(a != b),
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
}


class Scene(NamedTuple):
    """What names mean: the cells of a state, who moves, and what is chosen or gone through."""

    kernel: Kernel
    cells: Cells
    me: int
    names: Mapping[str, Any]

    def having(self, name: str, value: Any) -> Scene:
        return self._replace(names={**self.names, name: value})


def value_of(e: Typed, at: Scene) -> Any:
    """The value of an expression, or a `Fault`."""
    match e:
        case typed.Constant(type=type_, code=code):
            return bool(code) if isinstance(type_, Bool) else code
        case typed.Local(name=name):
            return at.names[name]
        case typed.Seat(which="me"):
            return at.me
        case typed.Value():
            return _stored(e, at)
        case typed.Element(base=base, indices=indices):
            return _element(value_of(base, at), base.type, [value_of(i, at) for i in indices])
        case typed.Arithmetic(operator=operator, operands=operands):
            return _calculated(operator, [value_of(o, at) for o in operands])
        case typed.Compare(operands=operands, relations=relations):
            return _compared(operands, relations, at)
        case typed.Membership(element=element, collection=typed.Range(low=low, high=high)):
            value, least = value_of(element, at), value_of(low, at)
            return least <= value and value <= value_of(high, at)
        case typed.Membership(element=element, collection=collection):
            return value_of(element, at) in _items(collection, at)
        case typed.BoolOp(operator="and", operands=operands):
            return all(value_of(o, at) for o in operands)
        case typed.BoolOp(operands=operands):
            return any(value_of(o, at) for o in operands)
        case typed.Not(operand=operand):
            return not value_of(operand, at)
        case typed.IfElse(condition=condition, then=then, otherwise=otherwise):
            return value_of(then if value_of(condition, at) else otherwise, at)
        case typed.Range(low=low, high=high):
            return tuple(range(value_of(low, at), value_of(high, at) + 1))
        case typed.ListLiteral(items=items):
            return tuple(value_of(item, at) for item in items)
        case typed.Call():
            return _applied(e, at)
        case typed.Aggregate(function="run" | "connected"):
            return _reached(e, at)
        case typed.Aggregate(function="any"):
            return any(value_of(e.body, s) for s in _scenes(e.loops, at))
        case typed.Aggregate(function="all"):
            return all(value_of(e.body, s) for s in _scenes(e.loops, at))
        case typed.Aggregate():
            return _gathered(e.function, [value_of(e.body, s) for s in _scenes(e.loops, at)])
        case typed.Let(name=name, value=value, body=body):
            return value_of(body, at.having(name, value_of(value, at)))
    raise NotImplementedError(e)


def _reached(e: typed.Aggregate, at: Scene) -> tuple[Any, ...]:
    """What is gone through as long as a condition holds, in a row or from cell to cell."""
    [loop] = e.loops
    condition, items = loop.condition, _items(loop.collection, at)
    assert condition is not None
    if (order := points_of(loop.element)) is not None and e.function == "connected":
        return connected_points(
            order, items, lambda point: value_of(condition, at.having(loop.name, point))
        )
    if isinstance(loop.element, Cell) and e.function == "connected":
        return connected(
            loop.element, items, lambda cell: value_of(condition, at.having(loop.name, cell))
        )
    inside = (at.having(loop.name, item) for item in items)
    taken = takewhile(lambda scene: value_of(condition, scene), inside)
    return tuple(value_of(e.body, scene) for scene in taken)


def _compared(operands: tuple[Typed, ...], relations: tuple[str, ...], at: Scene) -> bool:
    """A chain of comparisons ends with the first that does not hold."""
    left = value_of(operands[0], at)
    for relation, operand in zip(relations, operands[1:], strict=True):
        right = value_of(operand, at)
        if not COMPARED[relation](left, right):
            return False
        left = right
    return True


def _stored(e: typed.Value, at: Scene) -> Any:
    owner = 0 if e.owner is None else value_of(e.owner, at)
    places = at.kernel.places(e.variable.name, owner)
    if e.owner is None and e.variable.each_player:
        size = size_of(e.variable.type) * at.kernel.seats
        return at.cells[places.start : places.start + size]
    cells = at.cells[places.start : places.stop]
    return cells if isinstance(e.variable.type, (List, Grid)) else cells[0]


def _element(items: Any, type_: object, indices: list[int]) -> Any:
    if isinstance(type_, Grid) and len(indices) == 1:
        return items[indices[0]]
    if isinstance(type_, List) and type_.index is not None:
        if not 0 <= indices[0] - type_.index.first < len(items):
            raise Fault("E502", -1, "outside")
        return items[indices[0] - type_.index.first]
    sizes = [type_.rows, type_.columns] if isinstance(type_, Grid) else [len(items)]
    for index, size in zip(indices, sizes, strict=True):
        runtime.index(index, size, -1)
    if isinstance(type_, Grid):
        return items[(indices[0] - 1) * type_.columns + indices[1] - 1]
    return items[indices[0] - 1]


def _calculated(operator: str, values: list[int]) -> int:
    if len(values) == 1:
        return -values[0]
    a, b = values
    if operator == "/":
        return runtime.div(a, b, -1)
    return {"+": a + b, "-": a - b}[operator] if operator != "*" else runtime.mul(a, b, -1)


def _items(e: Typed, at: Scene) -> tuple[Any, ...]:
    value = value_of(e, at)
    return runtime.members(value, e.type.low) if isinstance(e.type, Set) else tuple(value)


def _scenes(loops: tuple[typed.Loop, ...], at: Scene) -> Iterator[Scene]:
    if not loops:
        yield at
        return
    loop, *rest = loops
    for item in _items(loop.collection, at):
        inside = at.having(loop.name, item)
        if loop.condition is None or value_of(loop.condition, inside):
            yield from _scenes(tuple(rest), inside)


def _gathered(function: str, values: list[Any]) -> Any:
    match function:
        case "any" | "all":
            return any(values) if function == "any" else all(values)
        case "sum":
            return sum(values)
        case "count":
            return sum(1 for value in values if value is not False)
        case "list":
            return tuple(values)
    if not values:
        raise Fault("E504", -1, "nothing")
    return min(values) if function == "min" else max(values)


def _applied(e: typed.Call, at: Scene) -> Any:
    name, first = e.function, e.arguments[0]
    if name in ("any", "all", "sum", "list") or (name in ("min", "max") and len(e.arguments) == 1):
        return _gathered(name, list(_items(first, at)))
    if name == "size":
        return len(_items(first, at))
    if isinstance(first, typed.BoardName):
        assert isinstance(first.type, Grid)
        return of_board(name, first.type, [value_of(a, at) for a in e.arguments[1:]])
    given = [value_of(argument, at) for argument in e.arguments]
    if (order := points_of(first.type)) is not None and name != "ordinal":
        return of_point(name, order, given[0], given[1:])
    if (order := board_of_points(first.type)) is not None and name == "lines":
        lines = lines_of_points(order, given[1])
        return tuple(tuple(given[0][point] for point in line) for line in lines)
    if isinstance(first.type, Cell):
        return of_cell(name, first.type, given[0], given[1:])
    match name:
        case "min" | "max":
            return min(given) if name == "min" else max(given)
        case "abs":
            return abs(given[0])
        case "seat":
            return given[0] + 1
        case "ordinal":
            assert isinstance(first.type, Word) and first.type.order is not None
            return given[0] - first.type.order.first + 1
        case "next" | "previous":
            return (given[0] + (1 if name == "next" else -1)) % at.kernel.seats
    function = getattr(runtime, f"f_{name}")
    shape = [first.type.rows, first.type.columns] if isinstance(first.type, Grid) else []
    tiles = [True] if isinstance(first.type, Grid) and first.type.hexagons else []
    ends = [e.type.low, e.type.high] if isinstance(e.type, Set) else []
    site = [-1] if FUNCTIONS[name].intrinsics[0].fails else []
    return function(*shape, *given, *tiles, *ends, *site)


def moves(kernel: Kernel, cells: Cells) -> set[tuple[Any, ...]]:
    """The valid moves of the player whose turn it is; rules that look at what follows are left
    out, and so are rolls.
    """
    found: dict[tuple[Any, ...], Scene] = {}
    here = Scene(kernel, cells, kernel.seat(cells), {})
    for operation in kernel.ruleset.operations:
        if operation.when is None or value_of(operation.when, here):
            found |= dict(_valid(operation, here))
    for rule in kernel.ruleset.validity:
        if rule.compulsory and len(found) > 1:
            holds = {
                move: bool(value_of(rule.requires[move[0]], scene))
                for move, scene in found.items()
                if move[0] in rule.requires
            }
            if any(holds.values()):
                found = {move: scene for move, scene in found.items() if holds.get(move, True)}
    return set(found)


def _valid(operation: Operation, here: Scene) -> Iterator[tuple[tuple[Any, ...], Scene]]:
    scenes = [here]
    for choice in operation.choices:
        scenes = [s.having(choice.name, v) for s in scenes for v in _items(choice.collection, s)]
    rules = here.kernel.ruleset.required_of(operation)
    for scene in scenes:
        if all(value_of(rule.requires[operation.name], scene) for rule in rules):
            yield (operation.name, *(scene.names[c.name] for c in operation.choices)), scene


def ended(kernel: Kernel, cells: Cells, seat: int) -> str | None:
    """The end rule that holds after a move of a player."""
    scene = Scene(kernel, cells, seat, {})
    return next((r.name for r in kernel.ruleset.end if value_of(r.when, scene)), None)
