"""The section `state`: the declared values, their types and how they start."""

from __future__ import annotations

from collections.abc import Mapping

from rulegame.building.boards import (
    BoardShape,
    board_of,
    check_tiles,
    drawing,
    drawn_start,
    is_without_symbols,
)
from rulegame.building.context import Workbench
from rulegame.building.displays import shown, symbols_of, with_others
from rulegame.building.sights import sight_of
from rulegame.building.types import declare_cells, index_of
from rulegame.diagnostics import Diagnostic, Hint, candidates, did_you_mean, meant
from rulegame.edits import offered
from rulegame.evaluation.constants import evaluate
from rulegame.evaluation.runtime import Fault, fit_all
from rulegame.keys.declarations import STATE_VALUE
from rulegame.language import syntax, typed
from rulegame.language.parsing import SyntaxProblem, parse_type
from rulegame.language.syntax import Place
from rulegame.language.typed import Typed, Variable
from rulegame.language.types import (
    NONE_CODE,
    Bool,
    Cell,
    Element,
    Grid,
    Int,
    List,
    Optional,
    PlayerType,
    Set,
    Type,
    Word,
    element_of,
    fits,
    range_in,
    size_of,
)
from rulegame.language.vocabulary import Scope
from rulegame.limits import LIMITS
from rulegame.model import StateValue
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, mapping_of, text_of


def state_values(bench: Workbench) -> dict[str, StateValue]:
    """The declared values, which the vocabulary then knows."""
    found: dict[str, StateValue] = {}
    pending: list[tuple[Scalar, MappingNode, bool]] = []
    for key, node in mapping_of(bench.root.get("state")):
        if key.text == "each player":
            pending += [(k, mapping_of(n), True) for k, n in mapping_of(node)]
        else:
            pending.append((key, mapping_of(node), False))
    boards = _boards(bench, pending)
    declare_cells(bench, boards)
    for key, node, each in pending:
        vocabulary = bench.vocabulary
        bench.check_name(key, (found, vocabulary.definitions, vocabulary.types))
        value = _state_value(bench, key, node, each, boards)
        if value is not None:
            found[key.text] = value
        else:
            bench.vocabulary.broken.add(key.text)
            bench.vocabulary.variables.pop(key.text, None)
    with_others(bench, found, {key.text: node for key, node, _ in pending})
    bench.vocabulary.variables.update({name: v.variable for name, v in found.items()})
    cells = sum(
        size_of(v.variable.type) * (len(bench.players) if v.variable.each_player else 1)
        for v in found.values()
    )
    if cells > LIMITS.cells:
        message = f"the state has more than {LIMITS.cells} single values"
        bench.report("E407", message, bench.root.entries["state"].key)
    return found


def _boards(
    bench: Workbench, pending: list[tuple[Scalar, MappingNode, bool]]
) -> dict[str, BoardShape | None]:
    """The boards, before anything is said of their cells; None for one that is wrong."""
    found: dict[str, BoardShape | None] = {}
    for key, node, each in pending:
        with bench.binder.watching() as problems:
            board = board_of(bench, node)
        if board is None:
            continue
        found[key.text] = None if problems else board
        # cells are known by their board; what is on it will be known when its type is read
        grid = Grid(Int(), board.rows, board.columns, board.hexagons, key.text, board.naming)
        bench.vocabulary.variables[key.text] = Variable(key.text, grid, each)
    return found


def _state_value(
    bench: Workbench,
    key: Scalar,
    node: MappingNode,
    each: bool,
    boards: Mapping[str, BoardShape | None],
) -> StateValue | None:
    start_node, type_node = node.get("start"), node.get("type")
    declared: Type | None = None
    with bench.binder.watching() as problems:
        if isinstance(type_node, Scalar):
            declared = declared_type(bench, type_node, node, key.text, boards)
    if problems or (key.text in boards and boards[key.text] is None):
        return None
    start = _start(bench, node, declared, each)
    if start_node is not None and start is None:
        return None
    if declared is None:
        declared = _undeclared(bench, key, start)
    elif start is not None:
        declared = fitting_type(bench, declared, start, start_node or key)
    elif not _starts_by_itself(bench, key, declared):
        return None
    if declared is None:
        return None
    if start is not None and not _can_start(bench, declared, start, start_node or key, each):
        return None
    check_tiles(bench, node, declared)
    show = shown(bench, node, declared, start)
    if show is None:
        return None
    sight = sight_of(bench, node.get("seen by")) or "all"
    if sight in ("owner", "others") and not each:
        bench.report(
            "E204",
            f"'seen by: {sight}' needs a value under 'each player'",
            node.get("seen by") or key,
            f"put '{key.text}' under 'each player': then '{key.text} of (players[1])' is that of "
            f"the first, and seen by {'all others' if sight == 'others' else 'no other'}",
        )
    variable = Variable(key.text, declared, each)
    return StateValue(
        variable,
        start,
        sight,
        text_of(node.get("about")),
        Place(key.passage),
        bench.sources(node, STATE_VALUE),
        show,
    )


def _start(bench: Workbench, node: MappingNode, declared: Type | None, each: bool) -> Typed | None:
    """How a value starts: an expression, or a board that is drawn."""
    drawn = drawing(node)
    if drawn is None or not isinstance(declared, Grid):
        start = node.get("start")
        if start is not None and isinstance(declared, Grid) and is_without_symbols(start):
            hint = 'show: {symbols: {none: ".", players[1]: X, players[2]: O}}, for instance'
            message = "a drawn board needs 'symbols'"
            bench.report("E454", message, start, hint)
            return None
        return bench.bound(start, Scope(state=False, me=each))
    with bench.binder.watching() as problems:
        symbols = symbols_of(bench, mapping_of(node.get("show")).get("symbols"), declared)
    if problems:
        return None
    return drawn_start(bench, drawn, declared, symbols)


def _undeclared(bench: Workbench, key: Scalar, start: Typed | None) -> Type | None:
    """The type of a value that only its start tells, if it does."""
    found = None if start is None else stored_type(start.type)
    if start is None:
        message = f"'{key.text}' needs a type or a start"
        bench.report("E202", message, key, f"write {key.text}: 0")
    elif found is None:
        message = f"a value cannot start as {start.type} without a type"
        bench.report("E303", message, key, "declare it: {type: optional int}")
    return found


def _starts_by_itself(bench: Workbench, key: Scalar, declared: Type) -> bool:
    """Whether a value needs no start beside its type; complains if it does."""
    if isinstance(declared, List) and declared.size is None:
        bench.report("E202", f"the list '{key.text}' needs a size or a start", key, "size: 10")
        return False
    if _needs_start(declared):
        bench.report("E202", f"'{key.text}' needs a start", key, "start: …")
        return False
    return True


def _can_start(bench: Workbench, declared: Type, start: Typed, node: Node, each: bool) -> bool:
    """Works the start out, for each player who may have another, to see that it can be."""
    wanted = range_in(declared)
    if not isinstance(declared, Set) and wanted is None and _is_plain(start):
        return True
    for seat in range(len(bench.players) if each else 1):
        try:
            found = evaluate(start, len(bench.players), seat)
            if _holds_numbers(start.type):
                fit_all(_flat(found), -1)
        except Fault as fault:
            bench.report(fault.code, fault.message, node)
            return False
        if wanted is not None and not _is_within(bench, wanted, _flat(found), node):
            return False
        items = found if isinstance(declared, Set) and isinstance(found, (tuple, range)) else ()
        for item in items:
            if not isinstance(declared, Set) or declared.low <= item <= declared.high:
                continue
            message = f"{item} cannot be in a set of {declared.low}..{declared.high}"
            bench.report("E508", message, node)
            return False
    return True


def _is_within(bench: Workbench, wanted: Int, numbers: list[int], node: Node) -> bool:
    """Whether a start lies in the declared range; reports if it does not."""
    for number in numbers:
        if number != NONE_CODE and not wanted.low <= number <= wanted.high:
            ends = f"{wanted.low}..{wanted.high}"
            bench.report("E540", f"{number} cannot be stored here: the range is {ends}", node)
            return False
    return True


def _holds_numbers(type_: Type) -> bool:
    return _holds_numbers(type_.of) if isinstance(type_, List) else isinstance(type_, Int)


def _flat(found: object) -> list[int]:
    """The numbers of a start, which may be a list of rows."""
    if isinstance(found, (tuple, range)):
        return [number for part in found for number in _flat(part)]
    assert isinstance(found, int)
    return [found]


def declared_type(
    bench: Workbench,
    node: Scalar,
    owner: MappingNode,
    own: str,
    boards: Mapping[str, BoardShape | None],
) -> Type | None:
    """The type that a value is declared with, and its sizes."""
    try:
        name = parse_type(node.passage)
    except SyntaxProblem as problem:
        word = node.text.strip().partition(" ")[0]
        known = ("optional", "list", "set", "grid", "cell")
        close = () if word in known else candidates(word, known)
        hint = Hint("int, bool, player, red | green, optional int, list of int, set of 1..9, …")
        hint = meant(*close) if close else hint
        start = node.text.index(word)
        suggestions = offered(node.passage, hint, start, start + len(word))
        bench.diagnostics.append(
            Diagnostic(
                problem.diagnostic.code,
                "this is not a type",
                problem.diagnostic.span,
                str(hint),
                suggestions=suggestions,
            )
        )
        return None
    if name.collection != "list" and owner.get("indexed by") is not None:
        message = "only a list is indexed by a type"
        bench.report("E204", message, owner.get("indexed by") or node, f"type: list of {node.text}")
        return None
    if name.collection == "set":
        return _set_type(bench, name, node)
    element = _cell(bench, name, node, boards) if name.board else _element(bench, name, node)
    if element is None or not name.collection:
        return element
    if name.collection == "list":
        size = owner.get("size")
        if owner.get("indexed by") is None:
            return List(element, None if size is None else bench.size(size, 1, LIMITS.cells))
        index = index_of(bench, owner)
        if index is not None and index.size > LIMITS.cells:
            bench.report("E407", f"a list has at most {LIMITS.cells} elements", owner)
        return None if index is None else List(element, index.size, index=index)
    board = boards[own]
    if board is None:
        return None  # which has its message
    return Grid(element, board.rows, board.columns, board.hexagons, own, board.naming)


def _cell(
    bench: Workbench, name: syntax.TypeName, node: Scalar, boards: Mapping[str, BoardShape | None]
) -> Element | None:
    """`cell of board`."""
    if name.board not in boards:
        at = node.text.rindex(name.board)
        hint = did_you_mean(name.board, boards) or Hint(
            f"the boards are {', '.join(boards)}" if boards else "a board is a grid of the state"
        )
        wrong = at, at + len(name.board)
        message = f"unknown board '{name.board}'"
        bench.report("E450", message, node, hint, wrong=wrong)
        return None
    board = boards[name.board]
    if board is None:
        return None
    of = Cell(name.board, board.rows, board.columns, board.hexagons, board.naming)
    return Optional(of) if name.optional else of


def _set_type(bench: Workbench, name: syntax.TypeName, node: Scalar) -> Type | None:
    low: int | None
    high: int | None
    if name.low is None or name.high is None:
        of = _element(bench, name, node)
        if not isinstance(of, Int) or of == Int():
            if of is not None:
                hint = "set of 1..9; of words, use a list of bool that is indexed by their type"
                bench.report("E303", f"a set holds numbers of a range, not {of}", node, hint)
            return None
        low, high = of.low, of.high
    else:
        scope = Scope(state=False, me=False)
        low, high = (
            bench.known(bench.binder.bind(e, scope, Int()), node) for e in (name.low, name.high)
        )
        if low is None or high is None:
            return None
    if not 0 < high - low + 1 <= LIMITS.set_width:
        bench.report(
            "E407", f"a set can hold 1 to {LIMITS.set_width} numbers, not {low}..{high}", node
        )
        return None
    return Set(low, high)


def _element(bench: Workbench, name: syntax.TypeName, node: Scalar) -> Element | None:
    basic: dict[str, Int | Bool | PlayerType] = {
        "int": Int(),
        "bool": Bool(),
        "player": PlayerType(),
    }
    of: Int | Bool | PlayerType | Word | Cell
    types = bench.vocabulary.types
    if len(name.names) == 1 and name.names[0] in basic:
        of = basic[name.names[0]]
    elif len(name.names) == 1 and name.names[0] in types:
        of = types[name.names[0]].type
    elif len(name.names) == 1 and name.names[0] in bench.vocabulary.broken:
        return None
    elif len(name.names) == 1:
        bench.report(
            "E303",
            f"unknown type '{name.names[0]}'",
            node,
            "cell of board, with the name of a grid of the state"
            if name.names[0] == "cell"
            else did_you_mean(name.names[0], ["int", "bool", "player", *types]),
            wrong=(node.text.rindex(name.names[0]), len(node.text.rstrip())),
        )
        return None
    else:
        for word in name.names:
            bench.declare_word(word, node)
        of = bench.vocabulary.word(*name.names)
    return Optional(of) if name.optional else of


def fitting_type(bench: Workbench, declared: Type, start: Typed, node: Node) -> Type | None:
    """The declared type with its sizes, if the start fits it."""
    if isinstance(declared, List):
        if isinstance(start.type, List) and fits(start.type.of, declared.of):
            size = start.type.size
            if size is None or declared.size not in (None, size) or not 0 < size <= LIMITS.cells:
                by = "" if declared.index is None else f": {declared.size} for {declared.index}"
                bench.report("E303", f"this list has the wrong length{by}", node)
                return None
            return List(declared.of, size, index=declared.index)
        if declared.size is not None and fits(start.type, declared.of):
            return declared
    elif isinstance(declared, Grid):
        rows = start.type
        if fits(rows, declared.of):
            return declared
        if (
            isinstance(rows, List)
            and rows.size == declared.rows
            and isinstance(rows.of, List)
            and rows.of.size == declared.columns
            and fits(rows.of.of, declared.of)
        ):
            return declared
    elif isinstance(declared, Set):
        of = element_of(start.type)
        if isinstance(of, Int):
            return declared
    elif fits(start.type, declared):
        return declared
    bench.report("E303", f"not a valid start for {declared}", node)
    return None


def stored_type(type_: Type) -> Type | None:
    """The type of a value that starts as that, or None if it cannot be told."""
    match type_:
        case Int():
            return Int()
        case Bool() | PlayerType() | Cell() | Set():
            return type_
        case List(of=Int(), size=size) if size is not None:
            return List(Int(), size)
        case List(of=(Bool() | PlayerType() | Cell()), size=size) if size is not None:
            return type_
    return None


def _is_plain(start: Typed) -> bool:
    """Whether nothing has to be worked out: a value, or a list of values."""
    if isinstance(start, typed.ListLiteral):
        return all(map(_is_plain, start.items))
    return isinstance(start, (typed.Constant, typed.Seat))


def _needs_start(type_: Type) -> bool:
    of = type_.of if isinstance(type_, (List, Grid)) else type_
    ranged = isinstance(of, Int) and not of.low <= 0 <= of.high
    return ranged or isinstance(of, (PlayerType, Word, Cell))
