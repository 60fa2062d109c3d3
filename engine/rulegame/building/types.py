"""The section `types`: words in order, ranges of numbers and cells of boards, declared once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rulegame.building.boards import BoardShape
from rulegame.building.context import Workbench
from rulegame.diagnostics import Hint, did_you_mean
from rulegame.keys.values import RESERVED
from rulegame.language import typed
from rulegame.language.graphs import Graph
from rulegame.language.parsing import SyntaxProblem, parse_type
from rulegame.language.syntax import TypeName
from rulegame.language.types import RESULTS, Cell, Grid, Index, Int, Order, Word, cell_of
from rulegame.language.vocabulary import NamedType, Scope
from rulegame.limits import LIMITS
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, items_of, mapping_of, text_of
from rulegame.source.nodes import Sequence as SequenceNode

BASIC: Final = ("int", "bool", "player", "list", "grid", "set", "optional", "cell")
WORDS_OR_RANGE: Final = Hint("[low, middle, high], 2..12 or cell of board")


def declare_words(bench: Workbench) -> None:
    """Declares the words of types before all others, so that their codes follow one another."""
    vocabulary = bench.vocabulary
    for key, node in mapping_of(bench.root.get("types")):
        listed = _words(mapping_of(node).get("values"))
        points = mapping_of(mapping_of(node).get("points"))
        if points.entries:
            listed = [entry.key for entry in points.entries.values()]
        if listed is None:
            continue
        if key.text in BASIC:
            bench.report("E206", f"'{key.text}' is a built-in type", key, "use another name")
        if len(listed) > LIMITS.cells:
            bench.report("E407", f"a type has at most {LIMITS.cells} words", key)
            continue
        with bench.binder.watching() as problems:
            for k, word in enumerate(listed):
                _check_word(bench, word, listed[:k])
        if problems:
            vocabulary.broken |= {key.text, *(word.text for word in listed)}
            continue
        names = tuple(word.text for word in listed)
        graph = _graph(bench, mapping_of(node), names) if points.entries else None
        order = Order(key.text, len(vocabulary.words), names, graph)
        for word in listed:
            vocabulary.orders[word.text] = order
            bench.declare_word(word.text, word)
        vocabulary.types[key.text] = NamedType(key.text, Word(names, order))


def _graph(bench: Workbench, node: MappingNode, names: Sequence[str]) -> Graph:
    """Where the points of a type lie, and its lines."""
    placed: list[tuple[int, int]] = []
    for _, place in mapping_of(node.get("points")):
        column, row = (int(text_of(item) or 1) for item in items_of(place))
        placed.append((column, row))
    if len(set(placed)) < len(placed):
        bench.report("E455", "two points lie at the same place", node.entries["points"].key)
    lines: list[tuple[int, ...]] = []
    for line in items_of(node.get("lines")):
        found = []
        for item in items_of(line):
            if text_of(item) in names:
                found.append(names.index(text_of(item)))
            else:
                hint = did_you_mean(text_of(item), names)
                bench.report("E302", f"unknown point '{text_of(item)}'", item, hint)
        lines.append(tuple(found))
    return Graph(tuple(placed), tuple(lines))


def _words(node: Node | None) -> list[Scalar] | None:
    """The words of a type: a list, or words with `|` between them; None if it has none."""
    if isinstance(node, SequenceNode):
        return [item for item in items_of(node) if isinstance(item, Scalar)]
    if not isinstance(node, Scalar) or "|" not in node.text:
        return None
    found, at = [], 0
    for part in node.text.split("|"):
        word = part.strip()
        begin = at + part.index(word)
        found.append(Scalar(node.at(begin, begin + len(word)), word, word))
        at += len(part) + 1
    return found


def _check_word(bench: Workbench, word: Scalar, before: list[Scalar]) -> None:
    """A word belongs to one type, and has no other meaning."""
    other = bench.vocabulary.orders.get(word.text)
    if word.text in (*RESERVED, *RESULTS):
        bench.report("E206", f"'{word.text}' is a reserved word", word, "use another word")
    elif not isinstance(word.value, str) or not word.text.replace("_", "a").isalnum():
        bench.report("E206", f"'{word.text}' is not a word", word, "begin with a letter")
    elif any(word.text == one.text for one in before):
        bench.report("E312", f"the word '{word.text}' stands here twice", word)
    elif other is not None:
        message = f"the word '{word.text}' belongs to the type '{other.name}'"
        bench.report("E312", message, word, "use another word")


def declare_ranges(bench: Workbench) -> None:
    """Declares the ranges, which may depend on parameters, and checks the names of all types."""
    vocabulary = bench.vocabulary
    for key, node in mapping_of(bench.root.get("types")):
        bench.check_name(key, (vocabulary.parameters, vocabulary.definitions, vocabulary.words))
        values = mapping_of(node).get("values")
        if _words(values) is not None or not isinstance(values, Scalar):
            continue
        if key.text in BASIC:
            bench.report("E206", f"'{key.text}' is a built-in type", key, "use another name")
        if _board_type(values) is not None:
            continue  # boards are not known yet
        found = range_of(bench, values)
        if found is None:
            vocabulary.broken.add(key.text)
        else:
            vocabulary.types[key.text] = NamedType(key.text, found)


def range_of(bench: Workbench, node: Scalar) -> Int | None:
    """A range that is known before the game; None, and a report, if it is none."""
    found = bench.bound(node, Scope(state=False, me=False))
    if found is None:
        return None
    if not isinstance(found, typed.Range):
        bench.report(
            "E303", f"expected words or a range here, not {found.type}", node, WORDS_OR_RANGE
        )
        return None
    low, high = bench.known(found.low, node), bench.known(found.high, node)
    if low is None or high is None:
        return None
    if low > high or high - low >= LIMITS.collection:
        most = f"{LIMITS.collection:,}"
        bench.report("E407", f"a range has 1 to {most} numbers, not {low}..{high}", node)
        return None
    return Int(low, high)


def _board_type(node: Scalar) -> TypeName | None:
    try:
        found = parse_type(node.passage)
    except SyntaxProblem:
        return None
    return found if found.board else None


def declare_cells(bench: Workbench, boards: Mapping[str, BoardShape | None]) -> None:
    """Declares the types that are the cells of a board."""
    for key, node in mapping_of(bench.root.get("types")):
        values = mapping_of(node).get("values")
        name = _board_type(values) if isinstance(values, Scalar) else None
        if name is None or not isinstance(values, Scalar):
            continue
        board = boards.get(name.board)
        if name.collection or name.optional or board is None:
            bench.vocabulary.broken.add(key.text)
            if name.collection or name.optional:
                message = f"expected words, a range or cells here, not '{values.text}'"
                bench.report("E303", message, values, WORDS_OR_RANGE)
            elif name.board not in boards:
                hint = did_you_mean(name.board, boards)
                bench.report("E450", f"unknown board '{name.board}'", values, hint)
            continue
        of = Cell(name.board, board.rows, board.columns, board.hexagons, board.naming)
        bench.vocabulary.types[key.text] = NamedType(key.text, of)


def index_of(bench: Workbench, owner: MappingNode) -> Index | None:
    """What a list is indexed by, as declared with `indexed by`; None if nothing is declared, or if
    it is wrong, which is reported.
    """
    node = owner.get("indexed by")
    if not isinstance(node, Scalar):
        return None
    vocabulary = bench.vocabulary
    name = node.text.strip()
    if name in vocabulary.types:
        return vocabulary.index(vocabulary.types[name].type)
    if name in vocabulary.broken:
        return None
    board = _board_type(node)
    found = vocabulary.variables.get(board.board) if board is not None else None
    plain = board is not None and not (board.collection or board.optional)
    if plain and found is not None and isinstance(found.type, Grid):
        return vocabulary.index(cell_of(found.type))
    if name.isidentifier() and name not in vocabulary.own:
        hint = did_you_mean(name, vocabulary.types) or Hint("declare it under 'types'")
        bench.report("E302", f"unknown type '{name}'", node, hint)
        return None
    range_ = range_of(bench, node)
    return None if range_ is None else vocabulary.index(range_)
