"""Translates the intermediate representation to Python functions, the reference implementation.

Only nodes of `ast` are compiled: no text of a ruleset ever becomes source code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypedDict

from rulegame.core import ir

RELATIONS: Final[Mapping[ir.Relation, type[ast.cmpop]]] = {
    "==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
    "in": ast.In,
}  # fmt: skip
BINARY: Final[Mapping[str, type[ast.operator]]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "//": ast.FloorDiv, "%": ast.Mod,
}  # fmt: skip
INTRINSICS: Final = {"list": "tuple"}  # those that have another name in Python
LOAD, STORE = ast.Load(), ast.Store()


class _Location(TypedDict):
    lineno: int
    col_offset: int


AT: Final[_Location] = {"lineno": 1, "col_offset": 0}  # of every node: there is no source code


Codes = Mapping[str, Mapping[Any, int]]  # of moves, by operation and choices
Moves = tuple[tuple[str, Any], ...]  # operations with their choices


def compile_functions(
    functions: Iterable[ir.Function], names: dict[str, Any], codes: Codes = MappingProxyType({})
) -> dict[str, Any]:
    """Define the functions in a namespace, which holds all names that they use but those for the
    codes of moves.
    """
    constants = Constants()
    module = ast.Module([python_function(function, constants) for function in functions], [])
    names |= {codes_name(operation): of for operation, of in codes.items()}
    names |= constants.values(codes)
    exec(compile(module, "<ruleset>", "exec"), names)
    return names


def python_function(function: ir.Function, constants: Constants | None = None) -> ast.FunctionDef:
    """The definition of a function; the constants that it uses are added to others."""
    parameters = [ast.arg(one.name, **AT) for one in function.parameters]
    arguments = ast.arguments([], parameters, None, [], [], None, [])
    body = _Translation(function.role, constants or Constants()).block(function.body)
    return ast.FunctionDef(function.name, arguments, body, [], **AT)


class Constants:
    """The codes of moves that are valid in many states: functions need not look them up."""

    def __init__(self) -> None:
        self._names: dict[tuple[bool, Moves], str] = {}

    def pairs(self, operation: str, choices: Iterable[int]) -> str:
        """The name of pairs of a choice and the code of its move."""
        moves = tuple([(operation, choice) for choice in choices])
        return self._name(True, moves, f"pairs_{operation}")

    def moves(self, operations: Iterable[str]) -> str:
        """The name of the codes of operations without choices."""
        return self._name(False, tuple([(name, ()) for name in operations]), "same_moves")

    def _name(self, paired: bool, moves: Moves, name: str) -> str:
        used = self._names.values()
        free = name if name not in used else f"{name}_{len(self._names)}"
        return self._names.setdefault((paired, moves), free)

    def values(self, codes: Codes) -> dict[str, tuple[Any, ...]]:
        """The constants by name."""
        return {
            name: tuple([
                (choice, codes[operation][choice]) if paired else codes[operation][choice]
                for operation, choice in moves
            ])
            for (paired, moves), name in self._names.items()
        }  # fmt: skip


class _Translation:
    """One function on its way to Python."""

    def __init__(self, role: ir.Role, constants: Constants) -> None:
        self._role = role
        self._constants = constants
        self._paired: ir.Offer | None = None  # the move of the innermost loop over pairs

    # ---- statements

    def block(self, statements: ir.Block) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            found += self._statement(statement)
        return found or [ast.Pass(**AT)]

    def _statement(self, s: ir.Stmt) -> list[ast.stmt]:
        match s:
            case ir.Assign(name=name, value=value):
                return [self._assign(name, value)]
            case ir.Store(offset=offset, value=value):
                return [_set(_at("t", self._expression(offset), STORE), self._expression(value))]
            case ir.StoreSlice(start=start, size=size, value=value):
                place = _at("t", self._range(start, size), STORE)
                return [_set(place, self._expression(value))]
            case ir.If(test=test, then=then, otherwise=otherwise):
                rest = self.block(otherwise) if otherwise else []
                return [ast.If(self._expression(test), self.block(then), rest, **AT)]
            case ir.For():
                return [self._loop(s)]
            case ir.Break():
                return [ast.Break(**AT)]
            case ir.Append(name=name, value=value):
                return [_append(name, self._expression(value))]
            case ir.Do(call=call):
                return [ast.Expr(self._expression(call), **AT)]
            case ir.Attempt(operation=operation, arguments=arguments, body=body):
                given = [self._expression(one) for one in arguments]
                after = _call("attempt", _loaded(f"after_{operation}"), _loaded("s"), *given)
                done = ast.Compare(_loaded("t"), [ast.IsNot()], [ast.Constant(None, **AT)], **AT)
                return [_set(_stored("t"), after), ast.If(done, self.block(body), [], **AT)]
        return [self._list_statement(s)]

    def _assign(self, name: str, value: ir.Expr) -> ast.stmt:
        match value:
            case ir.Op(operator="+", operands=(ir.Local(name=same), more)) if same == name:
                return ast.AugAssign(_stored(name), ast.Add(), self._expression(more), **AT)
        return _set(_stored(name), self._expression(value))

    def _loop(self, s: ir.For) -> ast.stmt:
        """A loop; if each round may offer a move with nothing else to choose, over pairs of the
        choice and the code of the move.
        """
        name, values = s.name, ir.constants_of(s.collection)
        offer = None if values is None else _offer_of(s)
        if values is None or offer is None:
            items = self._expression(s.collection)
            return ast.For(_stored(name), items, self.block(s.body), [], **AT)
        around, self._paired = self._paired, offer
        target = ast.Tuple([_stored(name), _stored("move")], STORE, **AT)
        pairs = _loaded(self._constants.pairs(offer.operation, values))
        loop = ast.For(target, pairs, self.block(s.body), [], **AT)
        self._paired = around
        return loop

    def _list_statement(self, s: ir.Stmt) -> ast.stmt:
        """Lists that a function makes, and its result."""
        match s:
            case ir.CopyState():
                return _set(_stored("t"), _call("list", _loaded("s")))
            case ir.NewList(name=name):
                return _empty(name)
            case ir.NewOffers():
                return _empty("out")
            case ir.Offer() if s == self._paired:
                return _append("out", _loaded("move"))
            case ir.Offer(operation=operation, choices=choices):
                key = [self._expression(one) for one in choices]
                chosen = key[0] if len(key) == 1 else ast.Tuple(key, LOAD, **AT)
                return _append("out", _at(codes_name(operation), chosen))
            case ir.OfferAll(function=name):
                return _set(_stored("out"), _call(name, _loaded("s")))
            case ir.Compel(operations=operations, functions=functions, arguments=arguments):
                names: list[ast.expr | None] = [ast.Constant(name, **AT) for name in operations]
                tests = ast.Dict(names, [_loaded(name) for name in functions], **AT)
                rest = (self._expression(one) for one in arguments)
                kept = _call("compel", _loaded("out"), tests, _loaded("s"), *rest)
                return _set(_stored("out"), kept)
            case ir.NewWrites(joint=joint):
                return _empty("done" if joint else "writes")
            case ir.Defer(offset=offset, value=value):
                return _append("writes", self._row((offset, value)))
            case ir.DeferJoint(value=value):
                return _append("done", self._row((ir.joint_key(s), value)))
            case ir.Commit(site=site):
                given = _loaded("t"), _loaded("writes"), ast.Constant(site, **AT)
                return ast.Expr(_call("write_all", *given), **AT)
            case ir.CommitJoint():
                return ast.Expr(_call("write_of_all", _loaded("t"), _loaded("done")), **AT)
        return ast.Return(self._result(s), **AT)

    def _result(self, s: ir.Stmt) -> ast.expr:
        match s:
            case ir.Return(value=value):
                return self._expression(value)
            case ir.ReturnState():
                made = _loaded("t")
                return made if self._role is ir.Role.AFTER else _call("tuple", made)
            case ir.ReturnMoves(condition=condition):
                moves = _call("tuple", _loaded("out"))
                if condition is None:
                    return moves
                return ast.IfExp(self._expression(condition), moves, self._row(()), **AT)
            case ir.ReturnOperations(operations=operations):
                return _loaded(self._constants.moves(operations)) if operations else self._row(())
            case ir.ReturnEvents(values=values, weights=weights):
                shares = ast.Constant(None, **AT) if weights is None else self._expression(weights)
                return ast.Tuple([self._expression(values), shares], LOAD, **AT)
        raise AssertionError(f"no statement: {s}")

    # ---- expressions

    def _expression(self, e: ir.Expr) -> ast.expr:
        match e:
            case ir.Const(value=value):
                return ast.Constant(value, **AT)
            case ir.Local(name=name) | ir.Array(state=name):
                return _loaded(name)
            case ir.Load(state=state, offset=offset):
                return _at(state, self._expression(offset))
            case ir.Call(function=function, arguments=arguments, site=site):
                given = [self._expression(one) for one in arguments]
                if site is not None:
                    given.append(ast.Constant(site, **AT))
                return _call(INTRINSICS.get(function, function), *given)
            case ir.Slice(state=state, start=start, size=size, view=view):
                part = _at(state, self._range(start, size))
                return part if view or state == "s" else _call("tuple", part)
            case ir.Item(items=items, index=index):
                return ast.Subscript(self._expression(items), self._expression(index), LOAD, **AT)
            case ir.Op(operator=operator, operands=operands):
                return _operation(operator, [self._expression(one) for one in operands])
            case ir.Compare(operands=operands, relations=relations):
                left, *others = [self._expression(one) for one in operands]
                return ast.Compare(left, [RELATIONS[one]() for one in relations], others, **AT)
            case ir.BoolOp(operator=word, operands=operands):
                junction = ast.And() if word == "and" else ast.Or()
                return ast.BoolOp(junction, [self._expression(one) for one in operands], **AT)
            case ir.Select(test=test, then=then, otherwise=otherwise):
                parts = (self._expression(one) for one in (test, then, otherwise))
                return ast.IfExp(*parts, **AT)
            case ir.ListExpr(items=elements):
                return self._row(elements)
        raise AssertionError(f"no expression: {e}")

    def _row(self, items: Iterable[ir.Expr]) -> ast.expr:
        return ast.Tuple([self._expression(one) for one in items], LOAD, **AT)

    def _range(self, start: ir.Expr, size: int) -> ast.expr:
        end = ir.add(start, ir.Const(size))
        return ast.Slice(self._expression(start), self._expression(end), **AT)


def codes_name(operation: str) -> str:
    """The namespace's name for the codes of an operation's moves, by its choices."""
    return f"codes_{operation}"


def _offer_of(loop: ir.For) -> ir.Offer | None:
    """The offer in a loop of a move with nothing else to choose."""
    choices = (ir.Local(loop.name),)
    offers = (node for node in ir.walk(*loop.body) if isinstance(node, ir.Offer))
    return next((offer for offer in offers if offer.choices == choices), None)


def _operation(operator: ir.Operator, operands: list[ast.expr]) -> ast.expr:
    if operator == "popcount":
        return ast.Call(ast.Attribute(operands[0], "bit_count", LOAD, **AT), [], [], **AT)
    if operator == "not":
        return ast.UnaryOp(ast.Not(), operands[0], **AT)
    if operator == "neg":
        return ast.UnaryOp(ast.USub(), operands[0], **AT)
    left, right = operands
    return ast.BinOp(left, BINARY[operator](), right, **AT)


def _loaded(name: str) -> ast.expr:
    return ast.Name(name, LOAD, **AT)


def _stored(name: str) -> ast.Name:
    return ast.Name(name, STORE, **AT)


def _at(name: str, place: ast.expr, context: ast.expr_context | None = None) -> ast.expr:
    return ast.Subscript(_loaded(name), place, context or LOAD, **AT)


def _set(target: ast.expr, value: ast.expr) -> ast.stmt:
    return ast.Assign([target], value, **AT)


def _call(function: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(_loaded(function), list(arguments), [], **AT)


def _empty(name: str) -> ast.stmt:
    return _set(_stored(name), ast.List([], LOAD, **AT))


def _append(name: str, value: ast.expr) -> ast.stmt:
    method = ast.Attribute(_loaded(name), "append", LOAD, **AT)
    return ast.Expr(ast.Call(method, [value], [], **AT), **AT)
