"""Prints the intermediate representation, one line per statement.

The syntax is that of Python as far as it goes. `s[4:+9]` are the nine cells from cell 4 on; `view`
says that they are not copied. A call that may fail names its site; `place_of` tells where in the
ruleset that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from rulegame.core import ir
from rulegame.language.types import NONE_CODE

PlaceOf = Callable[[int], str]

INDENT: Final = "    "
SELECT, OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, ATOM = range(9)  # from loose to tight
BINARY: Final = {"+": SUM, "-": SUM, "*": PRODUCT, "//": PRODUCT, "%": PRODUCT}


def print_functions(functions: Iterable[ir.Function], place_of: PlaceOf | None = None) -> str:
    """The text of functions, an empty line between them."""
    return "\n".join(print_function(function, place_of) for function in functions)


def print_function(function: ir.Function, place_of: PlaceOf | None = None) -> str:
    """The text of a function."""
    head = f"def {function.name}({', '.join(function.parameters)}) -> {function.role.value}:"
    lines = [head, *_block(function.body, INDENT, place_of)]
    return "".join(f"{line}\n" for line in lines)


def own_nodes(statement: ir.Stmt) -> Iterator[ir.Node]:
    """A statement and its expressions, without the blocks inside it."""
    yield statement
    for value in statement.fields():
        parts = value if isinstance(value, tuple) else (value,)
        yield from ir.walk(*(one for one in parts if isinstance(one, ir.Node)))


def sites_of(statement: ir.Stmt) -> list[int]:
    """The sites at which a statement may fail, without the blocks inside it."""
    sites = [getattr(node, "site", None) for node in own_nodes(statement)]
    return [site for site in sites if site is not None]


def _block(statements: ir.Block, indent: str, place_of: PlaceOf | None) -> Iterator[str]:
    if not statements:
        yield f"{indent}pass"
    for s in statements:
        line = indent + statement_text(s)
        if place_of is not None:
            notes = dict.fromkeys(place_of(site) for site in sites_of(s) if site >= 0)
            if isinstance(s, ir.If) and s.rule:
                notes = {s.rule: None, **notes}
            line = "  # ".join([line, *([", ".join(notes)] if notes else [])])
        yield line
        for k, block in enumerate(ir.blocks(s)):
            if k and block:
                yield f"{indent}else:"
            if block or not k:
                yield from _block(block, indent + INDENT, place_of)


def statement_text(s: ir.Stmt) -> str:
    """A statement, or the first line of one with blocks."""
    match s:
        case ir.Assign(name=name, value=value):
            return f"{name} = {expression_text(value)}"
        case ir.Store(offset=offset, value=value):
            return f"t[{expression_text(offset)}] = {expression_text(value)}"
        case ir.StoreSlice(start=start, size=size, value=value):
            return f"t[{_range(start, size)}] = {expression_text(value)}"
        case ir.If(test=test):
            return f"if {expression_text(test)}:"
        case ir.For(name=name, collection=collection):
            return f"for {name} in {expression_text(collection)}:"
        case ir.ForMove(name=name, operation=operation, values=values):
            of = ", ".join([_quoted(operation), *map(_number, values)])
            return f"for {name} in choices({of}):"
        case ir.Attempt(operation=operation, arguments=arguments):
            return f"with attempt({_listed(operation, arguments)}):"
        case ir.Break():
            return "break"
        case ir.Do(call=call):
            return expression_text(call)
        case ir.CopyState():
            return "t[:] = s"
        case ir.NewList(name=name, distinct=distinct):
            return f"{name} = new_list({'distinct' if distinct else ''})"
        case ir.Append(name=name, value=value):
            return f"{name}.append({expression_text(value)})"
    return _of_moves_and_writes(s)


def _of_moves_and_writes(s: ir.Stmt) -> str:
    """Valid moves, deferred writes, and results."""
    match s:
        case ir.NewOffers():
            return "moves = new_list()"
        case ir.Offer(operation=operation, choices=choices):
            return f"offer({_listed(operation, choices)})"
        case ir.NewWrites(joint=joint):
            return f"{'joint_writes' if joint else 'writes'} = new_list()"
        case ir.Defer(offset=offset, value=value):
            return f"defer({expression_text(offset)}, {expression_text(value)})"
        case ir.DeferJoint(player=player, offset=offset, value=value, site=site):
            written = ", ".join(map(expression_text, (player, offset, value)))
            return f"defer_joint({written}, site={site})"
        case ir.Commit(site=site):
            return f"commit(site={site})"
        case ir.CommitJoint():
            return "commit_joint()"
        case ir.Return(value=value):
            return f"return {expression_text(value)}"
        case ir.ReturnState():
            return "return t"
        case ir.ReturnMoves(condition=condition):
            unless = "" if condition is None else f" if {_operand(condition, OR)} else none"
            return f"return moves{unless}"
        case ir.ReturnOperations(operations=operations):
            return f"return operations({', '.join(map(_quoted, operations))})"
        case ir.ReturnEvents(values=values, weights=weights):
            shares = "" if weights is None else f", {expression_text(weights)}"
            return f"return events({expression_text(values)}{shares})"
    raise AssertionError(f"no statement: {s}")


def expression_text(e: ir.Expr) -> str:
    """An expression."""
    return _written(e)[0]


def _written(e: ir.Expr) -> tuple[str, int]:
    """The text of an expression, and how tightly it binds."""
    match e:
        case ir.Const(value=value):
            text = _number(value) if type(value) is int else repr(value)
            return text, SIGN if text.startswith("-") else ATOM
        case ir.Local(name=name) | ir.Array(state=name):
            return name, ATOM
        case ir.Load(state=state, offset=offset):
            return f"{state}[{expression_text(offset)}]", ATOM
        case ir.Slice(state=state, start=start, size=size, view=view):
            text = f"{state}[{_range(start, size)}]"
            return f"view({text})" if view else text, ATOM
        case ir.Item(items=items, index=index):
            return f"{_operand(items, ATOM)}[{expression_text(index)}]", ATOM
        case ir.Op(operator=operator, operands=operands):
            return _operation(operator, operands)
        case ir.Compare(operands=operands, relations=relations):
            first, *others = [_operand(one, SUM) for one in operands]
            pairs = zip(relations, others, strict=True)
            return " ".join([first, *(f"{word} {one}" for word, one in pairs)]), COMPARE
        case ir.BoolOp(operator=word, operands=operands):
            level = AND if word == "and" else OR
            return f" {word} ".join(_operand(one, level + 1) for one in operands), level
        case ir.Select(test=test, then=then, otherwise=otherwise):
            yes, asked = _operand(then, OR), _operand(test, OR)
            return f"{yes} if {asked} else {_operand(otherwise, OR)}", SELECT
        case ir.ListExpr(items=items):
            return f"[{', '.join(map(expression_text, items))}]", ATOM
        case ir.Call(function=function, arguments=arguments, site=site):
            given = [expression_text(one) for one in arguments]
            given += [] if site is None else [f"site={site}"]
            return f"{function}({', '.join(given)})", ATOM
    raise AssertionError(f"no expression: {e}")


def _operation(operator: ir.Operator, operands: tuple[ir.Expr, ...]) -> tuple[str, int]:
    if operator == "not":
        return f"not {_operand(operands[0], NOT)}", NOT
    if operator in BINARY and len(operands) == 2:
        level = BINARY[operator]
        left, right = _operand(operands[0], level), _operand(operands[1], level + 1)
        return f"{left} {operator} {right}", level
    if operator == "neg" and not isinstance(operands[0], ir.Const):
        return f"-{_operand(operands[0], SIGN)}", SIGN
    return f"{operator}({', '.join(map(expression_text, operands))})", ATOM


def _operand(e: ir.Expr, level: int) -> str:
    """An expression as part of another: in parentheses if it binds less tightly."""
    text, own = _written(e)
    return text if own >= level else f"({text})"


def _number(value: int) -> str:
    return "none" if value == NONE_CODE else str(value)


def _range(start: ir.Expr, size: int) -> str:
    return f"{expression_text(start)}:+{size}"


def _listed(operation: str, values: Iterable[ir.Expr]) -> str:
    return ", ".join([_quoted(operation), *map(expression_text, values)])


def _quoted(operation: str) -> str:
    return f'"{operation}"'
