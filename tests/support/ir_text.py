"""Reads the intermediate representation as `core.printer` prints it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any, Final

from rulegame.core import ir
from rulegame.core.rewriting import rewritten
from rulegame.language.types import NONE_CODE

STATES: Final = ("s", "t", "u", "m")
BINARY: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
RELATIONS: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in",
}  # fmt: skip


def read_functions(text: str) -> list[ir.Function]:
    """The functions of a text."""
    return [_function(node) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


def _function(node: ast.FunctionDef) -> ir.Function:
    assert isinstance(node.returns, ast.Name)
    parameters = tuple([ir.Local(argument.arg) for argument in node.args.args])
    return ir.Function(node.name, ir.Role(node.returns.id), parameters, _block(node.body))


def _block(body: Iterable[ast.stmt]) -> ir.Block:
    found: ir.Block = []
    own: dict[str, ir.BlockExpr] = {}  # expressions with statements, printed as functions
    for one in body:
        match one:
            case ast.Pass():
                pass
            case ast.FunctionDef(name=name, body=inner):
                *statements, last = _block(inner)
                assert isinstance(last, ir.Return)
                own[name] = ir.BlockExpr(statements, last.value)
            case _:
                found.append(_placed(_statement(one), own))
    return found


def _placed(part: Any, own: Mapping[str, ir.BlockExpr]) -> Any:
    """A statement with the expressions that are printed before it."""

    def change(node: ir.Node) -> ir.Node:
        return own.get(node.function, node) if isinstance(node, ir.Call) else node

    return rewritten(part, change) if own else part


def _statement(node: ast.stmt) -> ir.Stmt:
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=ast.Name(id="new_list"), args=facts),
        ):
            lists = {"moves": ir.NewOffers(), "writes": ir.NewWrites()}
            return {**lists, "joint_writes": ir.NewWrites(joint=True)}.get(
                name, ir.NewList(name, bool(facts))
            )
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return ir.Assign(name, _expression(value))
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Name(id=state), slice=place)], value=value
        ):
            return _store(state, place, value)
        case ast.If(test=test, body=then, orelse=otherwise):
            return ir.If(_expression(test), _block(then), _block(otherwise))
        case ast.For(target=ast.Name(id=name), iter=collection, body=body):
            return ir.For(name, _expression(collection), _block(body))
        case ast.With(items=[ast.withitem(ast.Call(args=[operation, *arguments]))], body=body):
            return ir.Attempt(_name(operation), _expressions(arguments), _block(body))
        case ast.Break():
            return ir.Break()
        case ast.Return(value=ast.expr() as value):
            return _result(value)
        case ast.Expr(value=ast.Call() as call):
            return _call_statement(call)
    raise ValueError(ast.dump(node))


def _store(state: Any, place: ast.expr, value: ast.expr) -> ir.Stmt:
    match place:
        case ast.Slice(lower=None):
            return ir.CopyState(state)
        case ast.Slice():
            return ir.StoreSlice(*_range(place), _expression(value), state)
    return ir.Store(_expression(place), _expression(value), state)


def _result(value: ast.expr) -> ir.Stmt:
    match value:
        case ast.Name(id="t"):
            return ir.ReturnState()
        case ast.Name(id="moves"):
            return ir.ReturnMoves()
        case ast.IfExp(body=ast.Name(id="moves"), test=test):
            return ir.ReturnMoves(_expression(test))
        case ast.Call(func=ast.Name(id="operations"), args=names):
            return ir.ReturnOperations(tuple(map(_name, names)))
        case ast.Call(func=ast.Name(id="events"), args=[values, *weights]):
            return ir.ReturnEvents(_expression(values), *(_expressions(weights) or (None,)))
    return ir.Return(_expression(value))


def _call_statement(call: ast.Call) -> ir.Stmt:
    site = _site(call)
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name)), args=[value]):
            return ir.Append(name, _expression(value))
        case ast.Call(func=ast.Name(id="offer"), args=[operation, *choices]):
            return ir.Offer(_name(operation), _expressions(choices))
        case ast.Call(func=ast.Name(id="offer_all"), args=[function]):
            return ir.OfferAll(_name(function))
        case ast.Call(func=ast.Name(id="compel"), args=[rule, *given], keywords=tests):
            operations = tuple(str(test.arg) for test in tests)
            functions = tuple(ast.unparse(test.value) for test in tests)
            return ir.Compel(_name(rule), operations, functions, _expressions(given))
        case ast.Call(func=ast.Name(id="defer"), args=arguments):
            return ir.Defer(*_expressions(arguments))
        case ast.Call(func=ast.Name(id="defer_joint"), args=arguments):
            return ir.DeferJoint(*_expressions(arguments), site)  # type: ignore[call-arg]
        case ast.Call(func=ast.Name(id="commit")):
            assert site is not None
            return ir.Commit(site)
        case ast.Call(func=ast.Name(id="commit_joint")):
            return ir.CommitJoint()
    called = _expression(call)
    assert isinstance(called, ir.Call)
    return ir.Do(called)


def _expression(node: ast.expr) -> ir.Expr:
    match node:
        case ast.Name(id="none"):
            return ir.Const(NONE_CODE)
        case ast.Name(id=name):
            return ir.Array(name) if name in STATES else ir.Local(name)  # type: ignore[arg-type]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return ir.Const(-value)
        case ast.Constant(value=bool() | int() | float() | str() as value):
            return ir.Const(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ir.Op("neg", (_expression(operand),))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ir.Op("not", (_expression(operand),))
        case ast.BinOp(left=left, op=op, right=right):
            return ir.Op(BINARY[type(op)], (_expression(left), _expression(right)))
        case ast.Compare(left=left, ops=ops, comparators=others):
            relations = tuple(RELATIONS[type(one)] for one in ops)
            return ir.Compare(_expressions([left, *others]), relations)
        case ast.BoolOp(op=op, values=values):
            return ir.BoolOp("and" if isinstance(op, ast.And) else "or", _expressions(values))
        case ast.IfExp(test=test, body=then, orelse=otherwise):
            return ir.Select(*_expressions([test, then, otherwise]))
        case ast.List(elts=items):
            return ir.ListExpr(_expressions(items))
        case ast.Subscript(
            value=ast.Name(id="s" | "t" | "u" | "m" as state), slice=ast.Slice() as cells
        ):
            return ir.Slice(state, *_range(cells))
        case ast.Subscript(value=ast.Name(id="s" | "t" | "u" | "m" as state), slice=offset):
            return ir.Load(state, _expression(offset))
        case ast.Subscript(value=items, slice=index):
            return ir.Item(_expression(items), _expression(index))
        case ast.Call(func=ast.Name(id="view"), args=[cells]):
            return _expression(cells).replace(view=True)
        case ast.Call(func=ast.Name(id="popcount" | "neg" as operator), args=arguments):
            return ir.Op(operator, _expressions(arguments))
        case ast.Call(func=ast.Name(id="incremental"), args=[loop, condition, *cells]):
            return ir.Incremental(_expression(condition), _name(loop), _expressions(cells))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            sure = any(one.arg == "sure" for one in node.keywords)
            return ir.Call(name, _expressions(arguments), _site(node), sure)
    raise ValueError(ast.dump(node))


def _expressions(nodes: Iterable[ast.expr]) -> tuple[Any, ...]:
    return tuple(map(_expression, nodes))


def _range(cells: ast.Slice) -> tuple[ir.Expr, int]:
    match cells:
        case ast.Slice(
            lower=ast.expr() as start,
            upper=ast.UnaryOp(op=ast.UAdd(), operand=ast.Constant(value=int() as size)),
        ):
            return _expression(start), size
    raise ValueError(ast.dump(cells))


def _site(call: ast.Call) -> int | None:
    return next((_number(one.value) for one in call.keywords if one.arg == "site"), None)


def _number(node: ast.expr) -> int:
    found = _expression(node)
    assert isinstance(found, ir.Const) and isinstance(found.value, int)
    return found.value


def _name(node: ast.expr) -> str:
    assert isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value
