"""Translates the intermediate representation to Python functions, the reference implementation.

Only nodes of `ast` are compiled: no text of a ruleset ever becomes source code.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any, Final

from rulegame.core import ir

RELATIONS: Final[Mapping[ir.Relation, type[ast.cmpop]]] = {
    "==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
    "in": ast.In,
}  # fmt: skip
BINARY: Final[Mapping[str, type[ast.operator]]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "//": ast.FloorDiv, "%": ast.Mod,
}  # fmt: skip
INTRINSICS: Final = {"list": "tuple"}  # those that have another name in Python


def compile_functions(functions: Iterable[ir.Function], names: dict[str, Any]) -> dict[str, Any]:
    """Define the functions in a namespace, which holds all names that they use."""
    module = ast.Module([python_function(function) for function in functions], [])
    ast.fix_missing_locations(module)
    exec(compile(module, "<ruleset>", "exec"), names)
    return names


def python_function(function: ir.Function) -> ast.FunctionDef:
    """The definition of a function."""
    parameters = [ast.arg(name) for name in function.parameters]
    arguments = ast.arguments([], parameters, None, [], [], None, [])
    body = _Translation(function.role).block(function.body)
    return ast.FunctionDef(function.name, arguments, body, [])


class _Translation:
    """One function on its way to Python."""

    def __init__(self, role: ir.Role) -> None:
        self._role = role
        self._looped = ""  # the operation of the innermost loop over moves

    # ---- statements

    def block(self, statements: ir.Block) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            found += self._statement(statement)
        return found or [ast.Pass()]

    def _statement(self, s: ir.Stmt) -> list[ast.stmt]:
        match s:
            case ir.Assign(name=name, value=value):
                return [self._assign(name, value)]
            case ir.Store(offset=offset, value=value):
                return [
                    _set(_at("t", self._expression(offset), ast.Store()), self._expression(value))
                ]
            case ir.StoreSlice(start=start, size=size, value=value):
                place = _at("t", self._range(start, size), ast.Store())
                return [_set(place, self._expression(value))]
            case ir.If(test=test, then=then, otherwise=otherwise):
                rest = self.block(otherwise) if otherwise else []
                return [ast.If(self._expression(test), self.block(then), rest)]
            case ir.For(name=name, collection=collection, body=body):
                items = self._expression(collection)
                return [ast.For(_stored(name), items, self.block(body), [])]
            case ir.ForMove():
                return [self._loop_over_moves(s)]
            case ir.Break():
                return [ast.Break()]
            case ir.Append(name=name, value=value):
                return [_append(name, self._expression(value))]
            case ir.Do(call=call):
                return [ast.Expr(self._expression(call))]
            case ir.Attempt(operation=operation, arguments=arguments, body=body):
                given = [self._expression(one) for one in arguments]
                after = _call("attempt", _loaded(f"after_{operation}"), _loaded("s"), *given)
                done = ast.Compare(_loaded("t"), [ast.IsNot()], [ast.Constant(None)])
                return [_set(_stored("t"), after), ast.If(done, self.block(body), [])]
        return [self._list_statement(s)]

    def _assign(self, name: str, value: ir.Expr) -> ast.stmt:
        match value:
            case ir.Op(operator="+", operands=(ir.Local(name=same), more)) if same == name:
                return ast.AugAssign(_stored(name), ast.Add(), self._expression(more))
        return _set(_stored(name), self._expression(value))

    def _loop_over_moves(self, s: ir.ForMove) -> ast.stmt:
        """Pairs of the choice and the code of the move."""
        around, self._looped = self._looped, s.operation
        target = ast.Tuple([_stored(s.name), _stored("move")], ast.Store())
        loop = ast.For(target, _loaded(pairs_name(s.operation)), self.block(s.body), [])
        self._looped = around
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
            case ir.Offer(operation=operation) if operation == self._looped:
                return _append("out", _loaded("move"))
            case ir.Offer(operation=operation, choices=choices):
                key = [self._expression(one) for one in choices]
                chosen = key[0] if len(key) == 1 else ast.Tuple(key, ast.Load())
                return _append("out", _at(codes_name(operation), chosen))
            case ir.NewWrites(joint=joint):
                return _empty("done" if joint else "writes")
            case ir.Defer(offset=offset, value=value):
                return _append("writes", self._row((offset, value)))
            case ir.DeferJoint(value=value):
                return _append("done", self._row((ir.joint_key(s), value)))
            case ir.Commit(site=site):
                given = _loaded("t"), _loaded("writes"), ast.Constant(site)
                return ast.Expr(_call("write_all", *given))
            case ir.CommitJoint():
                return ast.Expr(_call("write_of_all", _loaded("t"), _loaded("done")))
        return ast.Return(self._result(s))

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
                return ast.IfExp(self._expression(condition), moves, self._row(()))
            case ir.ReturnOperations(operations=operations):
                return _loaded(SAME_MOVES) if operations else self._row(())
            case ir.ReturnEvents(values=values, weights=weights):
                shares = ast.Constant(None) if weights is None else self._expression(weights)
                return ast.Tuple([self._expression(values), shares], ast.Load())
        raise AssertionError(f"no statement: {s}")

    # ---- expressions

    def _expression(self, e: ir.Expr) -> ast.expr:
        match e:
            case ir.Const(value=value):
                return ast.Constant(value)
            case ir.Local(name=name) | ir.Array(state=name):
                return _loaded(name)
            case ir.Load(state=state, offset=offset):
                return _at(state, self._expression(offset))
            case ir.Slice(state=state, start=start, size=size, view=view):
                part = _at(state, self._range(start, size))
                return part if view or state == "s" else _call("tuple", part)
            case ir.Item(items=items, index=index):
                return ast.Subscript(self._expression(items), self._expression(index), ast.Load())
            case ir.Op(operator=operator, operands=operands):
                return _operation(operator, [self._expression(one) for one in operands])
            case ir.Compare(operands=operands, relations=relations):
                left, *others = [self._expression(one) for one in operands]
                return ast.Compare(left, [RELATIONS[one]() for one in relations], others)
            case ir.BoolOp(operator=word, operands=operands):
                junction = ast.And() if word == "and" else ast.Or()
                return ast.BoolOp(junction, [self._expression(one) for one in operands])
            case ir.Select(test=test, then=then, otherwise=otherwise):
                parts = (self._expression(one) for one in (test, then, otherwise))
                return ast.IfExp(*parts)
            case ir.ListExpr(items=elements):
                return self._row(elements)
            case ir.Call(function=function, arguments=arguments, site=site):
                given = [self._expression(one) for one in arguments]
                if site is not None:
                    given.append(ast.Constant(site))
                return _call(INTRINSICS.get(function, function), *given)
        raise AssertionError(f"no expression: {e}")

    def _row(self, items: Iterable[ir.Expr]) -> ast.expr:
        return ast.Tuple([self._expression(one) for one in items], ast.Load())

    def _range(self, start: ir.Expr, size: int) -> ast.expr:
        end = ir.add(start, ir.Const(size))
        return ast.Slice(self._expression(start), self._expression(end))


SAME_MOVES: Final = "same_moves"  # the codes of moves that are valid in every state


def pairs_name(operation: str) -> str:
    """The namespace's name for the values of an operation's only choice, with the moves' codes."""
    return f"pairs_{operation}"


def codes_name(operation: str) -> str:
    """The namespace's name for the codes of an operation's moves, by its choices."""
    return f"codes_{operation}"


def _operation(operator: ir.Operator, operands: list[ast.expr]) -> ast.expr:
    if operator == "popcount":
        return ast.Call(ast.Attribute(operands[0], "bit_count", ast.Load()), [], [])
    if operator == "not":
        return ast.UnaryOp(ast.Not(), operands[0])
    if operator == "neg":
        return ast.UnaryOp(ast.USub(), operands[0])
    left, right = operands
    return ast.BinOp(left, BINARY[operator](), right)


def _loaded(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _stored(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _at(name: str, place: ast.expr, context: ast.expr_context | None = None) -> ast.expr:
    return ast.Subscript(_loaded(name), place, context or ast.Load())


def _set(target: ast.expr, value: ast.expr) -> ast.stmt:
    return ast.Assign([target], value)


def _call(function: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(_loaded(function), list(arguments), [])


def _empty(name: str) -> ast.stmt:
    return _set(_stored(name), ast.List([], ast.Load()))


def _append(name: str, value: ast.expr) -> ast.stmt:
    method = ast.Attribute(_loaded(name), "append", ast.Load())
    return ast.Expr(ast.Call(method, [value], []))
