"""Operators in expressions: arithmetic, comparisons, conditions, elements and lists."""

from __future__ import annotations

from collections.abc import Sequence

from rulegame.diagnostics import Hint, did_you_mean, write_instead
from rulegame.language import syntax, typed
from rulegame.language.judging import UNKNOWN, is_unknown
from rulegame.language.naming import NameBinder
from rulegame.language.syntax import Expression, Place
from rulegame.language.typed import Typed
from rulegame.language.types import (
    Bool,
    Cell,
    Grid,
    Index,
    Int,
    List,
    Nothing,
    Optional,
    Set,
    Type,
    Word,
    bounds_of,
    comparable,
    element_of,
    join,
    join_all,
    quotient,
)
from rulegame.language.vocabulary import Scope
from rulegame.limits import LIMITS


class OperatorBinder(NameBinder):
    """Binds operators."""

    def _interval(self, low: Typed, high: Typed, place: Place) -> Typed:
        assert isinstance(low.type, Int) and isinstance(high.type, Int)
        size = None
        if isinstance(low, typed.Constant) and isinstance(high, typed.Constant):
            size = max(0, high.code - low.code + 1)
        most = max(0, high.type.high - low.type.low + 1)
        of = Int(low.type.low, high.type.high)
        type_ = List(of, size, most if most <= LIMITS.collection else None)
        return typed.Range(type_, low, high, place)

    def _list(self, items: tuple[Expression, ...], scope: Scope, place: Place) -> Typed:
        bound = tuple(self._bind(item, scope) for item in items)
        if any(map(is_unknown, bound)):
            return UNKNOWN
        if not bound:
            return typed.ListLiteral(List(Int(0, 0), 0), ())
        of = join_all([b.type for b in bound])
        if of is None:
            return self._report("E303", "the elements of this list have different types", place)
        return typed.ListLiteral(List(of, len(bound)), bound)

    def _indexed(self, e: syntax.Element, scope: Scope) -> Typed:
        if isinstance(e.base, syntax.OfPlayer) and self._is_of_many(e.base.player, scope):
            return self._of_many(e.base, e.indices, e.place)
        base = self._bind(e.base, scope)
        indices = tuple(self._bind(i, scope) for i in e.indices)
        if is_unknown(base) or any(map(is_unknown, indices)):
            return UNKNOWN
        if isinstance(base.type, List) and base.type.index is not None:
            if not self._is_index(indices, base.type.index, e, scope.is_inside(e)):
                return UNKNOWN
            return self._narrow(typed.Element(base.type.of, base, indices, e.place), e, scope)
        if self._is_cell(indices):
            of = self._content(base.type, indices[0], e.indices[0])
            if of is None:
                return UNKNOWN
            return self._narrow(typed.Element(of, base, indices, e.place), e, scope)
        if not self._are_numbers(indices, e.indices):
            return UNKNOWN
        if isinstance(base.type, Set):
            return self._counted(e)
        of = self._element_type(base.type, indices, e.place, scope.is_inside(e))
        if of is None:
            return UNKNOWN
        return self._narrow(typed.Element(of, base, indices, e.place), e, scope)

    def _is_index(
        self,
        indices: tuple[Typed, ...],
        wanted: Index,
        e: syntax.Element | syntax.Target,
        guarded: bool = False,
    ) -> bool:
        """Whether this indexes a list that a type indexes; reports if it does not."""
        if len(indices) != 1:
            self._report("E304", f"this list is indexed by {wanted}: one index", e.place)
            return False
        found, source = indices[0].type, e.indices[0]
        match wanted.of:
            case Word(order=order):
                fits_there = isinstance(found, Word) and found.order == order
            case Cell(board=board):
                fits_there = isinstance(found, Cell) and found.board == board
            case Int():
                fits_there = isinstance(found, Int)
        if not fits_there:
            of = f"a {wanted}" if isinstance(wanted.of, Word) else str(wanted.of)
            self._report("E303", f"expected {of} as the index, not {found}", source.place)
            return False
        if not isinstance(wanted.of, Int) or not isinstance(found, Int) or guarded:
            return True
        if found.high < wanted.of.low or found.low > wanted.of.high:
            message = f"this index is outside {wanted}"
            self._report("E309", message, e.place, f"the list is indexed by {wanted}")
            return False
        return True

    def _counted(self, e: syntax.Element) -> Typed:
        """A set has its numbers in no order, until somebody puts them into one."""
        message, at = "a set cannot be indexed", ", ".join(_written(e.indices))
        hint = write_instead(f"sorted({e.base.place.written})[{at}]", "for the lowest first")
        return self._report("E303", message, e.place, hint if len(e.indices) == 1 else Hint())

    def _is_cell(self, indices: tuple[Typed, ...]) -> bool:
        """Whether something is indexed with a cell, or with what may be one."""
        of = indices[0].type
        return isinstance(of.of if isinstance(of, Optional) else of, Cell)

    def _content(self, base: Type, index: Typed, source: Expression) -> Type | None:
        """What the cells of a board hold; None, and a report, if the cell is none of it."""
        place = source.place
        if not self._is(index, Cell, "a cell", source):
            return None
        assert isinstance(index.type, Cell)
        if not isinstance(base, Grid):
            message = f"{base} is not indexed with a cell"
            self._report("E452", message, place, f"a cell is one of '{index.type.board}'")
            return None
        if base.board != index.type.board:
            self._of_other_board(base, index.type, place)
            return None
        return base.of

    def _of_other_board(self, base: Grid, cell: Cell, place: Place) -> None:
        text = place.written
        if not base.board:
            message = f"it is not certain that this is a cell of that grid: it is {cell}"
            hint = Hint(f"write [row({text}), column({text})]")
            self._report("E452", message, place, hint)
            return
        message = f"this is {cell}, not of {base.board}"
        same = f"cell({base.board}, row({text}), column({text}))"
        hint = write_instead(same, "for the cell at the same place")
        self._report("E452", message, place, hint)

    def _element_type(
        self, base: Type, indices: tuple[Typed, ...], place: Place, guarded: bool = False
    ) -> Type | None:
        """What the elements are; None, and a report, if there are none, or none can be there.
        `guarded` is an index that is only looked at if it is inside.
        """
        if isinstance(base, List):
            bounds: tuple[int | None, ...] = (base.size,)
        elif isinstance(base, Grid):
            bounds = (base.rows, base.columns)
        else:
            self._report("E303", f"{base} cannot be indexed", place)
            return None
        if len(indices) != len(bounds):
            usage = "[row, column]" if isinstance(base, Grid) else "[number]"
            self._report("E304", f"{base} is indexed with {usage}", place)
            return None
        for index, bound in zip(indices, bounds, strict=True):
            if not isinstance(index.type, Int):
                self._report("E303", f"expected a number here, not {index.type}", place)
                return None
            outside = index.type.high < 1 or (bound is not None and index.type.low > bound)
            if outside and not guarded:
                self._report(
                    "E309", f"this index is outside 1..{bound}", place, "counting starts at 1"
                )
                return None
        return base.of

    def _arithmetic(self, e: syntax.Minus | syntax.Arithmetic, scope: Scope) -> Typed:
        sources = (e.operand,) if isinstance(e, syntax.Minus) else (e.left, e.right)
        operands = tuple(self._bind(s, scope) for s in sources)
        operator = "-" if isinstance(e, syntax.Minus) else e.operator
        for operand, source in zip(operands, sources, strict=True):
            if isinstance(operand.type, Set) and operator in "+-":
                message = f"'{operator}' does not work on sets"
                hint = _of_set(operator, [o.type for o in operands], sources)
                return self._report("E303", message, source.place, hint, e.place)
        if operator == "+" and any(isinstance(o.type, List) for o in operands):
            from rulegame.language.foreign import FIXED_LENGTH

            message, hint = "'+' does not join lists", Hint(FIXED_LENGTH)
            if all(element_of(o.type) is not None for o in operands):
                both = ", ".join(source.place.written for source in sources)
                hint = Hint(f"joined({both}) has the elements of both; {FIXED_LENGTH}")
            return self._report("E303", message, e.place, hint)
        if not self._are_numbers(operands, sources):
            return UNKNOWN
        divisor = operands[-1]
        if operator == "/" and isinstance(divisor, typed.Constant) and divisor.code == 0:
            return self._report("E308", "division by zero", sources[-1].place)
        if all(isinstance(o, typed.Constant) for o in operands):
            value = _fold(operator, [o.code for o in operands if isinstance(o, typed.Constant)])
            if abs(value) > LIMITS.integer:
                return self._report("E112", "this number does not fit in 64 bits", e.place)
            return typed.Constant(Int(value, value), value)
        type_ = bounds_of(operator, [o.type for o in operands if isinstance(o.type, Int)])
        return typed.Arithmetic(type_, operator, operands, e.place)

    def _comparison(self, e: syntax.Compare, scope: Scope) -> Typed:
        bound = [self._bind(o, scope) for o in e.operands]
        if set(e.relations) <= {"==", "!="}:
            bound = _beside_sets(bound)
        results: list[Typed] = []
        chain = [bound[0]]
        relations: list[str] = []
        for k, relation in enumerate(e.relations):
            left, right = bound[k], bound[k + 1]
            sources = (e.operands[k], e.operands[k + 1])
            if relation in ("in", "not in"):
                if chain and relations:
                    results.append(typed.Compare(tuple(chain), tuple(relations)))
                results.append(self._membership(left, right, relation, sources))
                chain, relations = [right], []
                continue
            self._check_relation(left, right, relation, sources, e.place)
            chain.append(right)
            relations.append(relation)
        if relations:
            results.append(typed.Compare(tuple(chain), tuple(relations)))
        if any(map(is_unknown, bound)) or any(map(is_unknown, results)):
            return UNKNOWN
        return results[0] if len(results) == 1 else typed.BoolOp("and", tuple(results))

    def _membership(
        self,
        element: Typed,
        collection: Typed,
        relation: str,
        sources: tuple[Expression, Expression],
    ) -> Typed:
        if is_unknown(element) or is_unknown(collection):
            return UNKNOWN
        of = element_of(collection.type)
        if of is None:
            message = f"expected a collection after 'in', not {collection.type}"
            hint = "a range a..b, a list, a set or a grid"
            return self._report("E303", message, sources[1].place, hint)
        if isinstance(element.type, Set) and isinstance(collection.type, Set):
            both, within = _both(sources), _within("<=", sources)
            return self._report("E303", "a set is never in a set", both, within)
        ordered = isinstance(collection.type, Set) or isinstance(collection, typed.Range)
        if ordered and not self._is(element, Int, "a number", sources[0]):
            return UNKNOWN
        if not comparable(element.type, of):
            return self._report(
                "E303", f"{element.type} is never in {collection.type}", sources[0].place
            )
        found = typed.Membership(element, collection)
        return typed.Not(found) if relation == "not in" else found

    def _check_relation(
        self,
        left: Typed,
        right: Typed,
        relation: str,
        sources: tuple[Expression, Expression],
        place: Place,
    ) -> None:
        if is_unknown(left) or is_unknown(right):
            return
        if relation in ("==", "!="):
            if not comparable(left.type, right.type):
                self._never_equal((left.type, right.type), relation, sources, place)
            return
        if isinstance(left.type, Set) and isinstance(right.type, Set):
            message, hint = f"sets cannot be compared with '{relation}'", _within(relation, sources)
            self._report("E303", message, place, hint, _both(sources))
            return
        if isinstance(left.type, Word) and isinstance(right.type, Word):
            if left.type.order and left.type.order == right.type.order:
                return
            message = "words are compared with '<' or '>' only if one type declares them in order"
            self._report("E303", message, place, Hint(), _both(sources))
            return
        for side, source in ((left, sources[0]), (right, sources[1])):
            self._is(side, Int, "a number", source)

    def _never_equal(
        self,
        types: tuple[Type, Type],
        relation: str,
        sources: tuple[Expression, Expression],
        place: Place,
    ) -> None:
        hint, wrong = Hint(), None
        for (a, b), source in zip((types, types[::-1]), sources, strict=True):
            if isinstance(a, Nothing):
                rest = ": [] is one with nothing in it" if isinstance(b, Set) else ""
                hint = Hint(f"{b} is never none{rest}")
            elif isinstance(a, Set) and isinstance(b, List):
                hint = Hint("compare size(…), and use 'in' for single elements")
            elif isinstance(a, Word) and isinstance(b, Word) and len(a.words) == 1:
                hint, wrong = did_you_mean(a.words[0], b.words), source.place
                hint = hint if isinstance(source, syntax.Name) else Hint(hint.words)
            else:
                hint = hint or self._not_the_word(source, b)
        from rulegame.language.suggestions import in_seat

        hint = hint or in_seat(sources, types, relation, self.vocabulary.players)
        message = f"{types[0]} and {types[1]} can never be equal"
        self._report("E303", message, place, hint, wrong or _both(sources))

    def _junction(self, e: syntax.BoolOp, scope: Scope) -> Typed:
        operands: list[Typed] = []
        for source in e.operands:
            operand = self._bind(source, scope)
            operands.append(operand if self._is(operand, Bool, "a condition", source) else UNKNOWN)
            scope = scope.assuming(source, e.operator == "and")
        if any(map(is_unknown, operands)):
            return UNKNOWN
        return typed.BoolOp(e.operator, tuple(operands))

    def _conditional(self, e: syntax.IfElse, scope: Scope) -> Typed:
        condition = self._bind(e.condition, scope)
        self._is(condition, Bool, "a condition", e.condition)
        yes = scope.assuming(e.condition, True)
        no = scope.assuming(e.condition, False)
        then, otherwise = self._bind(e.then, yes), self._bind(e.otherwise, no)
        if any(map(is_unknown, (condition, then, otherwise))) or not isinstance(
            condition.type, Bool
        ):
            return UNKNOWN
        then, otherwise = (
            as_set(then, otherwise.type, e.then.place),
            as_set(otherwise, then.type, e.otherwise.place),
        )
        type_ = join(then.type, otherwise.type)
        if type_ is None:
            sets = isinstance(then.type, Set) and isinstance(otherwise.type, Set)
            message = f"one side of 'if' is {then.type}, the other {otherwise.type}"
            hint = "both sets must start at the same number" if sets else ""
            return self._report("E303", message, e.place, hint)
        return typed.IfElse(type_, condition, then, otherwise)


def as_set(found: Typed, into: Type, place: Place) -> Typed:
    """A list of numbers where a set is expected: the set of them."""
    if not isinstance(into, Set) or found.type == into:
        return found
    if not isinstance(found.type, List) or not isinstance(found.type.of, Int):
        return found
    nothing = typed.Constant(into, 0)
    if isinstance(found, typed.ListLiteral) and not found.items:
        return nothing
    return typed.Call(into, "union", (nothing, found), place)


def _beside_sets(operands: Sequence[Typed]) -> list[Typed]:
    """What is compared; `[]` beside a set is the set with nothing in it."""
    of = next((o.type for o in operands if isinstance(o.type, Set)), None)
    if of is None:
        return list(operands)
    nothing = typed.Constant(of, 0)
    return [nothing if isinstance(o, typed.ListLiteral) and not o.items else o for o in operands]


def _written(parts: Sequence[Expression]) -> list[str]:
    return [part.place.written for part in parts]


def _of_set(operator: str, types: Sequence[Type], sources: Sequence[Expression]) -> Hint:
    """What to write instead of a sum or a difference with a set."""
    texts = _written(sources)
    if len(types) == 1:
        return write_instead(f"complement({texts[0]})", "what is not in it")
    if operator == "+" and not isinstance(types[0], Set):
        types, texts = types[::-1], texts[::-1]
    several = isinstance(element_of(types[1]), Int)
    if not isinstance(types[0], Set) or not (several or isinstance(types[1], Int)):
        return Hint()
    one, many = ("with", "union") if operator == "+" else ("without", "difference")
    return write_instead(f"{many if several else one}({', '.join(texts)})")


def _within(relation: str, sources: Sequence[Expression]) -> Hint:
    """What to write where one set is meant to be a part of another."""
    part, whole = _written(sources) if "<" in relation else _written(sources)[::-1]
    both = f"difference({part}, {whole}) == []"
    return write_instead(both if "=" in relation else f"{both} and {part} != {whole}")


def _both(sources: tuple[Expression, Expression]) -> Place:
    """Two neighbours of a comparison, and what stands between them."""
    left, right = (source.place for source in sources)
    return Place(left.passage, left.start, right.end)


def _fold(operator: str, values: list[int]) -> int:
    if len(values) == 1:
        return -values[0]
    left, right = values
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    return quotient(left, right)
