"""How values are shown: what `show` says of them, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rulegame.building.context import Workbench
from rulegame.diagnostics import Hint, did_you_mean
from rulegame.evaluation.constants import evaluate
from rulegame.evaluation.runtime import Fault
from rulegame.language import typed
from rulegame.language.parsing import SyntaxProblem, parse_expression
from rulegame.language.typed import Typed
from rulegame.language.types import (
    Bool,
    Grid,
    Int,
    List,
    Optional,
    PlayerType,
    Set,
    Type,
    Word,
    board_of_points,
    fits,
)
from rulegame.language.vocabulary import Scope
from rulegame.model import Display, StateValue
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, items_of, mapping_of, text_of

LONGEST_SYMBOL: Final = 3
LARGEST_DRAWING: Final = 60  # columns and rows of points
KNOWN_BEFORE: Final = Scope(state=False, me=False)
NUMBERS: Final = (Int, Set)
# What each form can draw: the kinds of values, those of lists and grids included.
FORMS: Final[Mapping[str, tuple[type, ...]]] = {
    "bar": (Int,),
    "pips": NUMBERS,
    "cards": (*NUMBERS, Word),
    "text": (),
    "discs": (PlayerType,),
    "stones": (PlayerType,),
    "men": (PlayerType,),
    "kings": (Bool,),
    "pegs": (*NUMBERS, Word),
    "tokens": (*NUMBERS, Word),
    "pits": (Int,),
    "chess": (Int, Word),
    "no": (),
    "yes": (),
}
SUITS: Final[Mapping[str, str]] = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}
DECK: Final = ("♠", "♥", "♣", "♦")  # of 52 cards that name no suits
RANKS: Final = ("A", *map(str, range(2, 11)), "J", "Q", "K")


def shown(
    bench: Workbench, node: MappingNode, declared: Type, start: Typed | None
) -> Display | None:
    """What `show` says of a value; None if something is wrong with it."""
    show = node.get("show")
    if show is None:
        graph = _graph_of_type(declared)
        return Display(points=graph.points, lines=graph.lines, names=graph.names)
    said = mapping_of(show)
    named = show if isinstance(show, Scalar) else said.get("as")
    with bench.binder.watching() as problems:
        form = _form(bench, named, declared)
        full = _full(bench, said.get("to"), form, start, show)
        symbols = symbols_of(bench, said.get("symbols"), declared)
        cards = _cards(bench, said, form, declared)
        ground = _of_grid(bench, said.get("board"), declared)
        sides = _sides(bench, said.get("sides"), declared)
        numbers = _cell_numbers(bench, said.get("numbers"), declared)
        graph = _graph(bench, said, declared)
        store = text_of(said.get("store"))
        if store and form != "pits":
            at = said.get("store") or show
            bench.report("E455", "'store' stands beside pits", at, "as: pits")
    if problems:
        return None
    return Display(
        form,  # type: ignore[arg-type]
        full,
        symbols,
        cards,
        ground,  # type: ignore[arg-type]
        sides,
        numbers,
        graph.points,
        graph.lines,
        graph.names,
        _is_true(said.get("history")),
        store,
        numbered=text_of(said.get("columns")) == "numbers",
        declared=True,
    )


def _is_true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.value is True


def _form(bench: Workbench, named: Node | None, declared: Type) -> str:
    """The form that a value is drawn in; empty if none is given."""
    if named is None:
        return ""
    form = text_of(named)
    if isinstance(named, Scalar) and isinstance(named.value, bool):
        return "" if named.value else "no"
    if form == "yes":
        return ""
    if form not in FORMS:
        hint = did_you_mean(form, FORMS) or Hint(f"use one of {', '.join(FORMS)}")
        bench.report("E455", f"unknown drawing '{form}'", named, hint)
        return ""
    fine = FORMS[form]
    of = declared.of if isinstance(declared, Optional | List | Grid) else declared
    of = of.of if isinstance(of, Optional) else of
    bare = isinstance(of, Set) and declared is not of and form != "cards"
    wide = form == "kings" and not isinstance(declared, Grid | List)
    counted = form == "pits" and not isinstance(declared, List)
    barred = form == "bar" and isinstance(declared, Grid)
    if fine and (not isinstance(of, fine) or bare or wide or counted or barred):
        bench.report("E455", f"{declared} cannot be drawn as {form}", named)
    return form


def _full(
    bench: Workbench, to: Node | None, form: str, start: Typed | None, show: Node
) -> int | None:
    """How far a bar can go: as `to` says, or as far as it is at the start."""
    if to is not None and form != "bar":
        bench.report("E455", "'to' sets the length of a bar", to, "as: bar")
        return None
    if form != "bar":
        return None
    if to is not None:
        value = bench.known(bench.bound(to, KNOWN_BEFORE, Int()), to)
    else:
        value = start.code if isinstance(start, typed.Constant) else None
        if value is None or value < 1:
            hint = "show: {as: bar, to: 100}"
            bench.report("E455", "the length of this bar is unknown", show, hint)
            return None
    if value is not None and value < 1:
        bench.report("E455", f"a bar must be at least 1 long, not {value}", to or show)
        return None
    return value


# ---- cards


def _cards(bench: Workbench, said: MappingNode, form: str, declared: Type) -> Mapping[int, str]:
    """The suit and the rank of each number that is a card."""
    suits, ranks = said.get("suits"), said.get("ranks")
    given = suits or ranks
    of = declared.of if isinstance(declared, List | Optional | Grid) else declared
    of = of.of if isinstance(of, Optional) else of
    if given is not None and (form != "cards" or not isinstance(of, NUMBERS)):
        bench.report("E455", "only numbers drawn as cards have suits and ranks", given, "as: cards")
        return {}
    if form != "cards" or not isinstance(of, NUMBERS):
        return {}
    low, count = (of.low, of.high - of.low + 1) if isinstance(of, Set) else (1, 0)
    if given is None and count != len(DECK) * len(RANKS):
        return {}
    colours = _signs(suits) if suits is not None else DECK
    values = _signs(ranks) if ranks is not None else RANKS
    colours = tuple(SUITS.get(one, one) for one in colours)
    if any(len(c) + len(v) > LONGEST_SYMBOL for c in colours for v in values):
        message = f"a card is drawn with at most {LONGEST_SYMBOL} letters"
        bench.report("E455", message, given or said, "suits: [clubs, diamonds, hearts, spades]")
        return {}
    of_suit = count // len(colours) if count else len(values)
    if count and (count % len(colours) or of_suit > len(values)):
        message = f"{count} cards are not the same number of each suit, at most {len(values)}"
        bench.report("E455", message, given or said)
        return {}
    drawn = [f"{suit}{rank}" for suit in colours for rank in values[len(values) - of_suit :]]
    return dict(enumerate(drawn, low))


def _signs(node: Node) -> tuple[str, ...]:
    return tuple(text_of(item) for item in items_of(node))


# ---- boards and graphs


def _of_grid(bench: Workbench, board: Node | None, declared: Type) -> str:
    if board is not None and not isinstance(declared, Grid):
        bench.report("E455", f"only a grid is drawn as a board, not {declared}", board)
    return text_of(board)


def _sides(bench: Workbench, node: Node | None, declared: Type) -> tuple[int, ...]:
    """The seats of two players, one for each pair of sides."""
    if node is None:
        return ()
    seats = _numbers(bench, node, List(PlayerType()))
    if not isinstance(declared, Grid) or (seats is not None and len(seats) != 2):
        bench.report(
            "E455", "'sides' names two players of a grid", node, "[players[1], players[2]]"
        )
        return ()
    return () if seats is None else tuple(one for one in seats if isinstance(one, int))


def _cell_numbers(bench: Workbench, node: Node | None, declared: Type) -> tuple[int, ...]:
    """The number of each cell, row by row; 0 for a cell without."""
    if node is None:
        return ()
    rows = _numbers(bench, node, List(List(Int())))
    if rows is None:
        return ()
    found = [number for row in rows if isinstance(row, tuple) for number in row]
    given = [number for number in found if number != 0]
    wide, high = (declared.columns, declared.rows) if isinstance(declared, Grid) else (0, -1)
    fine = len(rows) == high and all(isinstance(r, tuple) and len(r) == wide for r in rows)
    if not fine or min(given, default=1) < 1 or len(set(given)) != len(given):
        message = "'numbers' has a row of numbers for each row of a grid: different ones, or 0"
        bench.report("E455", message, node)
        return ()
    return tuple(found)


class _Graph(NamedTuple):
    points: tuple[tuple[int, int], ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()
    names: tuple[str, ...] = ()


def _graph(bench: Workbench, said: MappingNode, declared: Type) -> _Graph:
    """Where points lie, which lines there are, and what points are called."""
    points, lines, names = said.get("points"), said.get("lines"), said.get("names")
    first = points or lines or names
    if first is None:
        return _graph_of_type(declared)
    if not isinstance(declared, List) or declared.size is None:
        bench.report("E455", f"only a list is drawn with points and lines, not {declared}", first)
        return _Graph()
    count = declared.size
    placed: Sequence[object] | None = ()
    joined: Sequence[object] | None = ()
    if points is not None:
        placed = _numbers(bench, points, List(List(Int())))
        fine = placed is not None and len(placed) == count
        fine = fine and all(_is_pair(one, LARGEST_DRAWING) for one in placed or ())
        if placed is not None and not fine:
            message = f"this needs {count} points, each a column and a row from 1 to 60"
            bench.report("E455", message, points, "points: [[1, 1], [2, 1]]")
    if lines is not None:
        joined = _numbers(bench, lines, List(List(Int())))
        fine = all(isinstance(one, tuple) and _are_within(one, count) for one in joined or ())
        if not fine:
            bench.report("E455", f"a line joins points from 1 to {count}", lines)
    called = tuple(text_of(item) for item in items_of(names))
    if names is not None and (len(called) != count or len(set(called)) != count):
        bench.report("E455", f"this needs {count} different names", names)
    return _Graph(tuple(placed or ()), tuple(joined or ()), called)  # type: ignore[arg-type]


def _graph_of_type(declared: Type) -> _Graph:
    """The graph whose points index a list."""
    order = board_of_points(declared)
    if order is None or order.graph is None:
        return _Graph()
    lines = tuple(tuple(point + 1 for point in line) for line in order.graph.lines)
    return _Graph(order.graph.points, lines, order.words)


def _is_pair(one: object, most: int) -> bool:
    return isinstance(one, tuple) and len(one) == 2 and _are_within(one, most)


def _are_within(numbers: tuple[object, ...], most: int) -> bool:
    return all(isinstance(number, int) and 1 <= number <= most for number in numbers)


def _numbers(bench: Workbench, node: Node, expected: Type) -> Sequence[object] | None:
    """The value of a list that is known before the game; None if something is wrong with it."""
    found = bench.bound(node, KNOWN_BEFORE)
    if found is None:
        return None
    if not fits(found.type, expected):
        bench.report("E455", f"expected {expected} here, not {found.type}", node)
        return None
    try:
        value = evaluate(found, len(bench.players))
    except Fault as fault:
        bench.report(fault.code, fault.message, node)
        return None
    assert isinstance(value, tuple | range)
    return tuple(tuple(one) if isinstance(one, range) else one for one in value)


# ---- values that are drawn like, or beside, others


def with_others(
    bench: Workbench, values: dict[str, StateValue], nodes: Mapping[str, MappingNode]
) -> None:
    """Fill in what `like` and `store` take from other values."""
    for name, value in list(values.items()):
        said = mapping_of(nodes[name].get("show"))
        like, store = said.get("like"), said.get("store")
        if like is not None and _other(bench, values, nodes, name, like):
            values[name] = value._replace(show=values[text_of(like)].show)
        if store is not None and _other(bench, values, nodes, name, store):
            other = values[text_of(store)].variable
            if not isinstance(other.type, Int) or other.each_player != value.variable.each_player:
                message = "a store is a number that each player has"
                bench.report("E455", message, store)


def _other(
    bench: Workbench,
    values: Mapping[str, StateValue],
    declared: Iterable[str],
    name: str,
    node: Node,
) -> bool:
    """Whether a name is that of another value with which nothing is wrong; complains if there is
    none of that name.
    """
    known = [one for one in declared if one != name]
    if text_of(node) in known:
        return text_of(node) in values
    hint = did_you_mean(text_of(node), known)
    bench.report("E455", f"unknown value '{text_of(node)}'", node, hint or "")
    return False


# ---- symbols


def symbols_of(bench: Workbench, node: Node | None, declared: Type) -> Mapping[int, str]:
    """The symbols of values, by their codes."""
    found: dict[int, str] = {}
    of = declared.of if isinstance(declared, (Grid, List)) else declared
    if isinstance(of, Set):
        of = Int(of.low, of.high)
    for key, value in mapping_of(node):
        code = _code(bench, key, of)
        symbol = text_of(value)
        if code is None:
            continue
        if not symbol.isprintable() or not 1 <= len(symbol) <= LONGEST_SYMBOL or " " in symbol:
            message = f"a symbol is 1 to {LONGEST_SYMBOL} characters without spaces"
            bench.report("E455", message, value)
        elif symbol in found.values():
            bench.report("E455", f"'{symbol}' already has another meaning", value)
        elif code in found:
            bench.report("E455", f"'{key.text}' already has a symbol", key)
        else:
            found[code] = symbol
    return found


def _code(bench: Workbench, key: Scalar, of: Type) -> int | None:
    """The value that a symbol stands for."""
    try:
        expression = parse_expression(key.passage)
    except SyntaxProblem as problem:
        bench.diagnostics.append(problem.diagnostic)
        return None
    found = bench.binder.bind(expression, KNOWN_BEFORE)
    if found is None:
        return None
    if not fits(found.type, of):
        bench.report("E455", f"this symbol stands for {found.type}, but the value is {of}", key)
        return None
    try:
        return bench.known(found, key)
    except Fault as fault:
        bench.report(fault.code, fault.message, key)
        return None
