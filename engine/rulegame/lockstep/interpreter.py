"""The functions of a compiled game, carried out for many states at once.

`compiling` writes functions of one state. Here the same syntax trees are followed once for a whole
group of states: what differs between them is an array (`many.Many`), what does not is a plain
number, and a condition that only some of them fulfil narrows down for whom the rest is done.
Whatever cannot be done so raises `Irregular`, and then the states are played one by one, which is
what any of this must agree with.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rulegame.compiling.program import Program
from rulegame.evaluation.runtime import Fault
from rulegame.limits import LIMITS
from rulegame.lockstep.calls import CALLS, Choosing, floor_div, modulo
from rulegame.lockstep.many import (
    Irregular,
    ItemsOfMany,
    Mask,
    both,
    choose,
    compare,
    either,
    least_of,
    minus,
    plus,
    times,
    truth,
    unless,
)
from rulegame.lockstep.names import mixed_names

MOST_PLACES: Final = 256  # cells that one index may point to


@dataclass(slots=True)
class _Frame:
    """One call: its names, what was returned for whom, and who has left the innermost loop."""

    names: dict[str, Any]
    mixed: frozenset[str]  # names that may be read with what other statements gave others
    returned: list[tuple[Mask, Any]] = field(default_factory=list)
    broken: Mask = False


class Interpreter:
    """Runs the functions of one program."""

    def __init__(self, program: Program) -> None:
        self._functions = program.functions
        self._names = program.names
        self._mixed: dict[str, frozenset[str]] = {}
        self._steps = 0
        self._statements: dict[type[ast.stmt], Callable[[Any, _Frame, Mask], Mask]] = {
            ast.Assign: self._assignment,
            ast.AugAssign: self._addition,
            ast.If: self._branch,
            ast.For: self._loop,
            ast.Return: self._return,
            ast.Break: self._break,
            ast.Expr: self._expression,
            ast.Pass: self._pass,
        }
        self._expressions: dict[type[ast.expr], Callable[[Any, _Frame, Mask], Any]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Subscript: self._subscript,
            ast.Compare: self._comparison,
            ast.BinOp: self._arithmetic,
            ast.BoolOp: self._junction,
            ast.UnaryOp: self._sign,
            ast.IfExp: self._conditional,
            ast.Tuple: self._tuple,
            ast.List: self._empty,
            ast.Call: self._call,
        }

    def call(self, name: str, arguments: Sequence[Any], mask: Mask = True) -> Any:
        """What a function returns, with plain numbers or `Many` for its cells."""
        self._steps = 0
        return _joined(self._returned(name, arguments, mask))

    def moves(self, name: str, cells: Sequence[Any]) -> list[tuple[Mask, Any]]:
        """The moves that a function returns, in order, each with the states that have it."""
        self._steps = 0
        found: list[tuple[Mask, Any]] = []
        for some, value in self._returned(name, [list(cells)], True):
            found += [(both(some, mask), move) for mask, move in ItemsOfMany.of(value)]
        return [(mask, move) for mask, move in found if mask is not False]

    def _returned(self, name: str, arguments: Sequence[Any], mask: Mask) -> list[tuple[Mask, Any]]:
        definition = self._functions[name]
        names = {a.arg: value for a, value in zip(definition.args.args, arguments, strict=True)}
        if name not in self._mixed:
            self._mixed[name] = mixed_names(definition)
        frame = _Frame(names, self._mixed[name])
        try:
            self._block(definition.body, frame, mask)
        except Fault as problem:  # of some of the states: one by one it is told which
            raise Irregular(str(problem)) from None
        if not frame.returned:
            raise Irregular("nothing is returned")
        return frame.returned

    def _charge(self, steps: int) -> None:
        self._steps += steps
        if self._steps > LIMITS.steps:
            raise Irregular("loops that may take too long")

    # ---- statements: each gives back for whom the next one is carried out

    def _block(self, statements: Sequence[ast.stmt], frame: _Frame, mask: Mask) -> Mask:
        for statement in statements:
            if mask is False:
                break
            mask = self._statement(statement, frame, mask)
        return mask

    def _statement(self, statement: ast.stmt, frame: _Frame, mask: Mask) -> Mask:
        carry_out = self._statements.get(type(statement))
        if carry_out is None:
            raise Irregular(ast.dump(statement))
        return carry_out(statement, frame, mask)

    def _assignment(self, statement: ast.Assign, frame: _Frame, mask: Mask) -> Mask:
        value = self._value(statement.value, frame, mask)
        self._assign(statement.targets[0], value, frame, mask)
        return mask

    def _addition(self, statement: ast.AugAssign, frame: _Frame, mask: Mask) -> Mask:
        if not isinstance(statement.target, ast.Name) or not isinstance(statement.op, ast.Add):
            raise Irregular(ast.dump(statement))
        name = statement.target.id
        total = plus(frame.names[name], self._value(statement.value, frame, mask), mask)
        frame.names[name] = choose(mask, total, frame.names[name])
        return mask

    def _branch(self, statement: ast.If, frame: _Frame, mask: Mask) -> Mask:
        holds = truth(self._value(statement.test, frame, mask))
        yes = self._block(statement.body, frame, both(mask, holds))
        return either(yes, self._block(statement.orelse, frame, unless(mask, holds)))

    def _return(self, statement: ast.Return, frame: _Frame, mask: Mask) -> Mask:
        assert statement.value is not None
        frame.returned.append((mask, self._value(statement.value, frame, mask)))
        return False

    def _break(self, statement: ast.Break, frame: _Frame, mask: Mask) -> Mask:
        frame.broken = either(frame.broken, mask)
        return False

    def _expression(self, statement: ast.Expr, frame: _Frame, mask: Mask) -> Mask:
        self._value(statement.value, frame, mask)
        return mask

    def _pass(self, statement: ast.Pass, frame: _Frame, mask: Mask) -> Mask:
        return mask

    def _assign(self, target: ast.expr, value: Any, frame: _Frame, mask: Mask) -> None:
        match target:
            case ast.Name(id=name):
                if name in frame.mixed and name in frame.names:
                    value = choose(mask, value, frame.names[name])
                frame.names[name] = value
            case ast.Tuple(elts=parts):
                for part, one in zip(parts, _listed(value, len(parts)), strict=True):
                    self._assign(part, one, frame, mask)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Slice(lower=lower, upper=upper)):
                places = range(*(_whole(self._value(e, frame, mask)) for e in (lower, upper) if e))
                for place, one in zip(places, _listed(value, len(places)), strict=True):
                    _put(frame.names[name], place, one, mask)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                _put(frame.names[name], self._value(index, frame, mask), value, mask)
            case _:
                raise Irregular(ast.dump(target))

    def _loop(self, statement: ast.For, frame: _Frame, mask: Mask) -> Mask:
        items, body = self._value(statement.iter, frame, mask), statement.body
        outer, frame.broken = frame.broken, False
        for some, item in ItemsOfMany.of(items):
            inside = both(mask, some)
            if inside is False:
                continue
            self._assign(statement.target, item, frame, inside)
            mask = either(unless(mask, some), self._block(body, frame, inside))
        left, frame.broken = either(mask, frame.broken), outer
        return left

    # ---- expressions

    def _value(self, e: ast.expr, frame: _Frame, mask: Mask) -> Any:
        work_out = self._expressions.get(type(e))
        if work_out is None:
            raise Irregular(ast.dump(e))
        return work_out(e, frame, mask)

    def _constant(self, e: ast.Constant, frame: _Frame, mask: Mask) -> Any:
        return e.value

    def _name(self, e: ast.Name, frame: _Frame, mask: Mask) -> Any:
        return frame.names[e.id] if e.id in frame.names else self._names[e.id]

    def _subscript(self, e: ast.Subscript, frame: _Frame, mask: Mask) -> Any:
        items, index = self._value(e.value, frame, mask), e.slice
        if isinstance(index, ast.Slice):
            parts = (index.lower, index.upper)
            ends = [_whole(self._value(part, frame, mask)) for part in parts if part]
            return tuple(_plain_list(items)[slice(*ends)])
        at = self._value(index, frame, mask)
        if isinstance(items, dict):
            if not _is_known(at):
                raise Irregular("a move with a choice that differs")
            return items[at]
        return _get(_plain_list(items), at, mask)

    def _comparison(self, e: ast.Compare, frame: _Frame, mask: Mask) -> Mask:
        a = self._value(e.left, frame, mask)
        result: Mask = True
        for relation, other in zip(e.ops, e.comparators, strict=True):
            b = self._value(other, frame, mask)
            if isinstance(relation, ast.IsNot) and b is None:
                result = both(result, a is not None)
            elif isinstance(relation, ast.In):
                found: Mask = False
                for some, item in ItemsOfMany.of(b):
                    found = either(found, both(some, compare(ast.Eq, a, item)))
                result = both(result, found)
            else:
                result = both(result, compare(type(relation), a, b))
            a = b
        return result

    def _junction(self, e: ast.BoolOp, frame: _Frame, mask: Mask) -> Mask:
        """Later operands are worked out for those to whom they matter."""
        conjunction = isinstance(e.op, ast.And)
        result = truth(self._value(e.values[0], frame, mask))
        for operand in e.values[1:]:
            some = both(mask, result) if conjunction else unless(mask, result)
            if some is False:
                break
            value = truth(self._value(operand, frame, some))
            result = both(result, value) if conjunction else either(result, value)
        return result

    def _sign(self, e: ast.UnaryOp, frame: _Frame, mask: Mask) -> Any:
        value = self._value(e.operand, frame, mask)
        if isinstance(e.op, ast.Not):
            return unless(True, truth(value))
        return minus(0, value, mask)

    def _conditional(self, e: ast.IfExp, frame: _Frame, mask: Mask) -> Any:
        holds = truth(self._value(e.test, frame, mask))
        yes, no = both(mask, holds), unless(mask, holds)
        if no is False:
            return self._value(e.body, frame, mask)
        if yes is False:
            return self._value(e.orelse, frame, mask)
        return choose(holds, self._value(e.body, frame, yes), self._value(e.orelse, frame, no))

    def _tuple(self, e: ast.Tuple, frame: _Frame, mask: Mask) -> Any:
        return tuple([self._value(part, frame, mask) for part in e.elts])

    def _empty(self, e: ast.List, frame: _Frame, mask: Mask) -> Any:
        if e.elts:
            raise Irregular("a list that begins with something")
        return ItemsOfMany([])

    def _call(self, e: ast.Call, frame: _Frame, mask: Mask) -> Any:
        given = [self._value(a, frame, mask) for a in e.args]
        if isinstance(e.func, ast.Attribute):
            base = self._value(e.func.value, frame, mask)
            if e.func.attr == "append":
                if not isinstance(base, ItemsOfMany):
                    raise Irregular("more for a list that is made otherwise")
                base.pairs.append((mask, given[0]))
                return None
            return self._calls(e.func.attr, [base], mask)
        assert isinstance(e.func, ast.Name)
        return self._calls(e.func.id, given, mask)

    def _calls(self, name: str, given: list[Any], mask: Mask) -> Any:
        if name == "attempt":  # which only differs where a division by zero makes it irregular
            name, given = given[0].__name__, given[1:]
        if name in self._functions:
            return _joined(self._returned(name, given, mask))
        if name in CALLS:
            return CALLS[name](Choosing(mask, self._names, self._charge), *given)
        raise Irregular(name)

    def _arithmetic(self, e: ast.BinOp, frame: _Frame, mask: Mask) -> Any:
        a, b = self._value(e.left, frame, mask), self._value(e.right, frame, mask)
        return self._operation(e.op, a, b, mask)

    def _operation(self, operator: ast.operator, a: Any, b: Any, mask: Mask) -> Any:
        match operator:
            case ast.Add():
                return plus(a, b, mask)
            case ast.Sub():
                return minus(a, b, mask)
            case ast.Mult():
                return times(a, b, mask)
            case ast.FloorDiv():
                return floor_div(Choosing(mask, self._names, self._charge), a, b)
            case ast.Mod():
                return modulo(Choosing(mask, self._names, self._charge), a, b)
        raise Irregular(ast.dump(operator))


def _joined(returned: Sequence[tuple[Mask, Any]]) -> Any:
    result = returned[-1][1]
    for some, value in reversed(returned[:-1]):
        result = choose(some, value, result)
    return result


def _is_known(at: Any) -> bool:
    return isinstance(at, int) or (isinstance(at, tuple) and all(isinstance(k, int) for k in at))


def _whole(value: Any) -> int:
    if isinstance(value, int):
        return value
    raise Irregular("a place that differs")


def _places(at: Any, mask: Mask) -> Iterator[tuple[int, Mask]]:
    """The places that an index may point to, each with those for whom it does."""
    low, high = least_of(at, mask)
    if high - low >= MOST_PLACES:
        raise Irregular("an index with too many places")
    for place in range(low, high + 1):
        yield place, compare(ast.Eq, at, place)


def _plain_list(items: Any) -> Any:
    """A list with the same length in all states."""
    if isinstance(items, (tuple, list, range)):
        return items
    raise Irregular("a list that differs")


def _listed(items: Any, length: int) -> Any:
    if len(_plain_list(items)) != length:
        raise Irregular("a list of another length")
    return items


def _inside(items: Any, place: int) -> int:
    if -len(items) <= place < len(items):
        return place
    raise Irregular("a place outside")


def _get(items: Any, at: Any, mask: Mask) -> Any:
    if isinstance(at, int):
        return items[_inside(items, at)]
    result: Any = None
    for place, there in _places(at, mask):
        if there is not False:
            one = items[_inside(items, place)]
            result = one if result is None else choose(there, one, result)
    return result


def _put(cells: Any, at: Any, value: Any, mask: Mask) -> None:
    if not isinstance(cells, list):
        raise Irregular("cells that came together from several states")
    if isinstance(at, int):
        cells[_inside(cells, at)] = choose(mask, value, cells[at])
        return
    for place, there in _places(at, mask):
        some = both(mask, there)
        if some is not False:
            cells[_inside(cells, place)] = choose(some, value, cells[place])
