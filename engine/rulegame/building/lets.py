"""The key `let` of operations and setup entries: values that live during a move.

They are written as the values of the state are, but no part of it: each is given its start when the
move begins, and forgotten when it is over.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulegame.building.boards import BoardShape
from rulegame.building.context import Workbench
from rulegame.building.state import declared_type, fitting_type, stored_type
from rulegame.diagnostics import Hint
from rulegame.keys.moves import MOVE_VALUE
from rulegame.language import typed
from rulegame.language.operating import as_set
from rulegame.language.syntax import Place
from rulegame.language.typed import Typed, Variable
from rulegame.language.types import (
    NONE_CODE,
    Cell,
    Grid,
    List,
    Nothing,
    Optional,
    PlayerType,
    Set,
    Type,
    Word,
    fits,
    size_of,
)
from rulegame.language.vocabulary import Scope
from rulegame.limits import LIMITS
from rulegame.model import Effects, MoveValue
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, mapping_of, text_of


def move_values(
    bench: Workbench, node: Node | None, known: Mapping[str, Type], base: Scope
) -> tuple[MoveValue, ...]:
    """The values of a move, in order: each may start as what those before it are."""
    found: dict[str, MoveValue] = {}
    for key, value in mapping_of(node):
        scope = base._replace(
            locals=known, lets={name: one.variable for name, one in found.items()}
        )
        with bench.binder.watching() as problems:
            bench.check_local(key, {**known, **{n: one.variable.type for n, one in found.items()}})
            made = _value(bench, key, mapping_of(value), scope)
        if made is None or problems:
            bench.vocabulary.broken.add(key.text)
        else:
            found[key.text] = made
    cells = sum(size_of(one.variable.type) for one in found.values())
    if cells > LIMITS.cells:
        message = f"the values of this move have more than {LIMITS.cells} elements"
        bench.report("E407", message, node or bench.root)
    return tuple(found.values())


def beginnings(values: tuple[MoveValue, ...]) -> list[Effects]:
    """What a move begins with: its values are given their starts, one after the other."""
    return [
        Effects((one.start,), None, None, None, one.place, {}, let=True)
        for one in values
        if one.start is not None
    ]


def _value(bench: Workbench, key: Scalar, node: MappingNode, scope: Scope) -> MoveValue | None:
    start_node, type_node = node.get("start"), node.get("type")
    declared: Type | None = None
    if isinstance(type_node, Scalar):
        if type_node.text.split()[:1] == ["grid"]:
            _refuse_board(bench, type_node)
            return None
        declared = declared_type(bench, type_node, node, key.text, _boards(bench))
        if declared is None:
            return None
    with bench.binder.watching() as problems:
        start = bench.bound(start_node, scope)
        if start is None and start_node is not None:
            return None
        if declared is None and start is not None:
            declared = _type_of(bench, key, start)
        elif declared is not None and start is not None:
            declared = fitting_type(bench, declared, start, start_node or key)
        elif declared is not None:
            start = _nothing(bench, key, declared)
    if declared is None or problems:
        return None
    variable = Variable(key.text, declared)
    write = None
    if start is not None:
        source = Place(start_node.passage) if isinstance(start_node, Scalar) else Place(key.passage)
        write = _write(bench, variable, start, Place(key.passage), source)
    written = bench.sources(node, MOVE_VALUE)
    return MoveValue(variable, write, text_of(node.get("about")), Place(key.passage), written)


def _boards(bench: Workbench) -> dict[str, BoardShape | None]:
    """The boards of the state, by name: a value may be a cell of one."""
    return {
        name: BoardShape(one.type.rows, one.type.columns, one.type.hexagons, one.type.naming)
        for name, one in bench.vocabulary.variables.items()
        if isinstance(one.type, Grid)
    }


def _refuse_board(bench: Workbench, node: Node) -> None:
    message = "a value of a move cannot be a board"
    bench.report("E461", message, node, "keep it in the state, or use a list")


def _type_of(bench: Workbench, key: Scalar, start: Typed) -> Type | None:
    """The type of a value that only its start tells."""
    found = stored_type(start.type)
    if found is None and isinstance(start.type, Optional):
        return start.type
    if found is None and isinstance(start.type, Word) and not isinstance(start, typed.Constant):
        return start.type
    if found is None:
        hint = Hint("declare it: {type: optional int}")
        message = f"a value cannot start as {start.type} without a type"
        if isinstance(start.type, List) and start.type.size is None:
            message = f"the length of the list '{key.text}' is unknown"
            hint = Hint("use let(…) inside an expression, or a set")
        if isinstance(start.type, Grid):
            _refuse_board(bench, key)
            return None
        bench.report("E303", message, key, hint)
    return found


def _nothing(bench: Workbench, key: Scalar, declared: Type) -> Typed | None:
    """How a value starts that is not given a start: cells are 0 between moves."""
    of = declared.of if isinstance(declared, List) else declared
    if isinstance(declared, List) and declared.size is None:
        bench.report("E202", f"the list '{key.text}' needs a size or a start", key, "size: 10")
        return None
    if isinstance(of, (PlayerType, Word, Cell)):
        bench.report("E202", f"'{key.text}' needs a start", key, "start: …")
        return None
    return typed.Constant(Nothing(), NONE_CODE) if isinstance(of, Optional) else None


def _write(
    bench: Workbench, variable: Variable, start: Typed, place: Place, source: Place
) -> typed.Write:
    """How a value is given its start; one value may stand for all elements of a list."""
    declared = variable.type
    if isinstance(declared, List) and fits(start.type, declared.of):
        assert declared.size is not None
        name = bench.binder.fresh(variable.name)
        items = (typed.Local(start.type, name),) * declared.size
        start = typed.Let(declared, name, start, typed.ListLiteral(declared, items))
    if isinstance(declared, Set):
        start = as_set(start, declared, source)
        if not fits(start.type, declared):  # other numbers, of which it is the set
            start = typed.Call(declared, "union", (typed.Constant(declared, 0), start), source)
    return typed.Write(variable, None, (), (), start, place, source)
