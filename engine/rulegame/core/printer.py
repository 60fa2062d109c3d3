"""Prints the intermediate representation, one line per statement.

The syntax is that of Python as far as it goes. `s[4:+9]` are the nine cells from cell 4 on; `view`
says that they are not copied. A call that may fail names its site; it is `sure` if its arguments'
types rule that out. `place_of` tells where in the
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
    given = ", ".join(one.name for one in function.parameters)
    head = f"def {function.name}({given}) -> {function.role.value}:"
    lines = [head, *_Printer(place_of).block(function.body, INDENT)]
    return "".join(f"{line}\n" for line in lines)


def statement_text(s: ir.Stmt) -> str:
    """A statement, or the first line of one with blocks."""
    return _Printer().statement(s)


def expression_text(e: ir.Expr) -> str:
    """An expression."""
    return _Printer().expression(e)


def sites_of(statement: ir.Stmt) -> list[int]:
    """The sites at which a statement may fail, without the blocks inside it."""
    sites = [getattr(node, "site", None) for node in ir.own_nodes(statement)]
    return [site for site in sites if site is not None]


class _Printer:
    """A function on its way to text. An expression with statements is a function `e1()` of its own,
    which stands before the statement that calls it.
    """

    def __init__(self, place_of: PlaceOf | None = None) -> None:
        self._place_of = place_of
        self._waiting: list[tuple[str, ir.BlockExpr]] = []  # to be printed before the statement
        self._count = 0

    def block(self, statements: ir.Block, indent: str) -> Iterator[str]:
        if not statements:
            yield f"{indent}pass"
        for s in statements:
            line = indent + self.statement(s)
            waiting, self._waiting = self._waiting, []
            for name, e in waiting:
                yield f"{indent}def {name}():"
                yield from self.block([*e.body, ir.Return(e.value)], indent + INDENT)
            if self._place_of is not None:
                notes = dict.fromkeys(self._place_of(site) for site in sites_of(s) if site >= 0)
                if isinstance(s, ir.If) and s.rule:
                    notes = {s.rule: None, **notes}
                line = "  # ".join([line, *([", ".join(notes)] if notes else [])])
            yield line
            for k, block in enumerate(ir.blocks(s)):
                if k and block:
                    yield f"{indent}else:"
                if block or not k:
                    yield from self.block(block, indent + INDENT)

    def statement(self, s: ir.Stmt) -> str:
        """A statement, or the first line of one with blocks."""
        match s:
            case ir.Assign(name=name, value=value):
                return f"{name} = {self.expression(value)}"
            case ir.Store(offset=offset, value=value, state=state):
                return f"{state}[{self.expression(offset)}] = {self.expression(value)}"
            case ir.StoreSlice(start=start, size=size, value=value, state=state):
                return f"{state}[{self._range(start, size)}] = {self.expression(value)}"
            case ir.If(test=test):
                return f"if {self.expression(test)}:"
            case ir.For(name=name, collection=collection):
                return f"for {name} in {self.expression(collection)}:"
            case ir.Attempt(operation=operation, arguments=arguments):
                return f"with attempt({self._listed(operation, arguments)}):"
            case ir.Break():
                return "break"
            case ir.Do(call=call):
                return self.expression(call)
            case ir.CopyState(state=state):
                return f"{state}[:] = s"
            case ir.NewList(name=name, distinct=distinct):
                return f"{name} = new_list({'distinct' if distinct else ''})"
            case ir.Append(name=name, value=value):
                return f"{name}.append({self.expression(value)})"
        return self._of_moves_and_writes(s)

    def _of_moves_and_writes(self, s: ir.Stmt) -> str:
        """Valid moves, deferred writes, and results."""
        match s:
            case ir.NewOffers():
                return "moves = new_list()"
            case ir.Offer(operation=operation, choices=choices):
                return f"offer({self._listed(operation, choices)})"
            case ir.OfferAll(function=function):
                return f"offer_all({_quoted(function)})"
            case ir.Compel(rule=rule, operations=operations, functions=functions):
                given = [_quoted(rule), *map(self.expression, s.arguments)]
                pairs = zip(operations, functions, strict=True)
                given += [f"{name}={function}" for name, function in pairs]
                return f"compel({', '.join(given)})"
            case ir.NewWrites(joint=joint):
                return f"{'joint_writes' if joint else 'writes'} = new_list()"
            case ir.Defer(offset=offset, value=value):
                return f"defer({self.expression(offset)}, {self.expression(value)})"
            case ir.DeferJoint(player=player, offset=offset, value=value, site=site):
                written = ", ".join(map(self.expression, (player, offset, value)))
                return f"defer_joint({written}, site={site})"
            case ir.Commit(site=site):
                return f"commit(site={site})"
            case ir.CommitJoint():
                return "commit_joint()"
            case ir.Return(value=value):
                return f"return {self.expression(value)}"
            case ir.ReturnState():
                return "return t"
            case ir.ReturnMoves(condition=condition):
                unless = (
                    "" if condition is None else f" if {self._operand(condition, OR)} else none"
                )
                return f"return moves{unless}"
            case ir.ReturnOperations(operations=operations):
                return f"return operations({', '.join(map(_quoted, operations))})"
            case ir.ReturnEvents(values=values, weights=weights):
                shares = "" if weights is None else f", {self.expression(weights)}"
                return f"return events({self.expression(values)}{shares})"
        raise AssertionError(f"no statement: {s}")

    def expression(self, e: ir.Expr) -> str:
        """An expression."""
        return self._written(e)[0]

    def _written(self, e: ir.Expr) -> tuple[str, int]:
        """The text of an expression, and how tightly it binds."""
        match e:
            case ir.Const(value=value):
                text = _number(value) if type(value) is int else repr(value)
                return text, SIGN if text.startswith("-") else ATOM
            case ir.Local(name=name) | ir.Array(state=name):
                return name, ATOM
            case ir.Load(state=state, offset=offset):
                return f"{state}[{self.expression(offset)}]", ATOM
            case ir.Slice(state=state, start=start, size=size, view=view):
                text = f"{state}[{self._range(start, size)}]"
                return f"view({text})" if view else text, ATOM
            case ir.Item(items=items, index=index):
                return f"{self._operand(items, ATOM)}[{self.expression(index)}]", ATOM
            case ir.Op(operator=operator, operands=operands):
                return self._operation(operator, operands)
            case ir.Compare(operands=operands, relations=relations):
                first, *others = [self._operand(one, SUM) for one in operands]
                pairs = zip(relations, others, strict=True)
                return " ".join([first, *(f"{word} {one}" for word, one in pairs)]), COMPARE
            case ir.BoolOp(operator=word, operands=operands):
                level = AND if word == "and" else OR
                return f" {word} ".join(self._operand(one, level + 1) for one in operands), level
            case ir.Select(test=test, then=then, otherwise=otherwise):
                yes, asked = self._operand(then, OR), self._operand(test, OR)
                return f"{yes} if {asked} else {self._operand(otherwise, OR)}", SELECT
            case ir.ListExpr(items=items):
                return f"[{', '.join(map(self.expression, items))}]", ATOM
            case ir.Call(function=function, arguments=arguments, site=site, sure=sure):
                given = [self.expression(one) for one in arguments]
                given += [] if site is None else [f"site={site}"]
                given += ["sure=True"] if sure else []
                return f"{function}({', '.join(given)})", ATOM
            case ir.Incremental(condition=condition, loop=loop, cells=cells):
                parts = [self.expression(one) for one in (condition, *cells)]
                return f"incremental({', '.join([_quoted(loop), *parts])})", ATOM
            case ir.BlockExpr():
                self._count += 1
                self._waiting.append((f"e{self._count}", e))
                return f"e{self._count}()", ATOM
        raise AssertionError(f"no expression: {e}")

    def _operation(self, operator: ir.Operator, operands: tuple[ir.Expr, ...]) -> tuple[str, int]:
        if operator == "not":
            return f"not {self._operand(operands[0], NOT)}", NOT
        if operator in BINARY and len(operands) == 2:
            level = BINARY[operator]
            left, right = self._operand(operands[0], level), self._operand(operands[1], level + 1)
            return f"{left} {operator} {right}", level
        if operator == "neg" and not isinstance(operands[0], ir.Const):
            return f"-{self._operand(operands[0], SIGN)}", SIGN
        return f"{operator}({', '.join(map(self.expression, operands))})", ATOM

    def _operand(self, e: ir.Expr, level: int) -> str:
        """An expression as part of another: in parentheses if it binds less tightly."""
        text, own = self._written(e)
        return text if own >= level else f"({text})"

    def _range(self, start: ir.Expr, size: int) -> str:
        return f"{self.expression(start)}:+{size}"

    def _listed(self, operation: str, values: Iterable[ir.Expr]) -> str:
        return ", ".join([_quoted(operation), *map(self.expression, values)])


def _number(value: int) -> str:
    return "none" if value == NONE_CODE else str(value)


def _quoted(operation: str) -> str:
    return f'"{operation}"'
