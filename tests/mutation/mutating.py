"""Small changes to a source, found on its syntax tree and made in its text.

Only what computes is changed: no texts, no annotations, no docstrings, nothing that only names
types. So a mutant differs from the source in one place, and the rest of its lines stay.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

COMPARISONS: Final[dict[type[ast.cmpop], tuple[str, tuple[str, ...]]]] = {
    ast.Lt: ("<", ("<=", ">")),
    ast.LtE: ("<=", ("<", ">=")),
    ast.Gt: (">", (">=", "<")),
    ast.GtE: (">=", (">", "<=")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: (r"is\s+not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: (r"not\s+in", ("in",)),
}
ARITHMETIC: Final[dict[type[ast.operator], tuple[str, tuple[str, ...]]]] = {
    ast.Add: (r"\+", ("-",)),
    ast.Sub: ("-", ("+",)),
    ast.Mult: (r"\*", ("+",)),
    ast.Div: ("/", ("*",)),
    ast.FloorDiv: ("//", ("*",)),
    ast.Mod: ("%", ("//",)),
    ast.Pow: (r"\*\*", ("*",)),
    ast.LShift: ("<<", (">>",)),
    ast.RShift: (">>", ("<<",)),
    ast.BitAnd: ("&", ("|",)),
    ast.BitOr: (r"\|", ("&",)),
    ast.BitXor: (r"\^", ("|",)),
}
SWAPPED: Final = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "minimum": "maximum",
    "maximum": "minimum",
    "argmin": "argmax",
    "argmax": "argmin",
    "floor": "ceil",
    "ceil": "floor",
    "zeros": "ones",
    "ones": "zeros",
    "appendleft": "append",
    "popleft": "pop",
}


@dataclass(frozen=True, slots=True)
class Change:
    """One change: the characters from `start` to `end` of a source become `text`."""

    kind: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """A source with one change. Its `key` stays the same when other lines are added or moved."""

    source: str
    scope: str  # the names around it
    lines: range  # of the statement
    inside: bool  # of a function: so it runs when that is called, not when the module is imported
    change: Change
    before: str  # the changed lines, without their indentation
    after: str
    key: str


class _Place(NamedTuple):
    scope: str
    lines: range
    inside: bool


def mutants(source: str, text: str) -> Iterator[Mutant]:
    """Every mutant of a source, in the order of its lines."""
    found = _Finder(text)
    found.visit(ast.parse(text))
    seen: dict[tuple[str, str, str], int] = {}
    for place, change in sorted(found.changes, key=lambda c: (c[1].start, c[1].text)):
        before, after = _lines(text, change)
        same = (place.scope, before, after)
        seen[same] = number = seen.get(same, 0) + 1
        key = sha256("\0".join((source, *same, str(number))).encode()).hexdigest()[:12]
        yield Mutant(source, *place, change, before, after, key)


def applied(text: str, change: Change) -> str:
    """The source with the change."""
    return text[: change.start] + change.text + text[change.end :]


def _lines(text: str, change: Change) -> tuple[str, str]:
    start = text.rfind("\n", 0, change.start) + 1
    end = text.find("\n", change.end)
    end = len(text) if end < 0 else end
    after = text[start : change.start] + change.text + text[change.end : end]
    return " ".join(text[start:end].split()), " ".join(after.split())


class _Finder(ast.NodeVisitor):
    """Walks through a source and notes what may be changed in each place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.changes: list[tuple[_Place, Change]] = []
        self._scope: list[str] = []
        self._lines = range(1, 2)
        self._inside = False
        # Columns count bytes; positions count characters.
        self._starts = [0]
        for line in text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._text_lines = text.splitlines(keepends=True)

    # ---- places

    def _at(self, line: int, column: int) -> int:
        before = self._text_lines[line - 1].encode()[:column].decode()
        return self._starts[line - 1] + len(before)

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._at(node.lineno, node.col_offset)

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self._at(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _note(self, kind: str, start: int, end: int, text: str) -> None:
        place = _Place(".".join(self._scope), self._lines, self._inside)
        self.changes.append((place, Change(kind, start, end, text)))

    def _replace(self, kind: str, node: ast.expr | ast.stmt, text: str) -> None:
        self._note(kind, self._start(node), self._end(node), text)

    def _between(
        self, kind: str, left: int, right: int, operator: str, instead: tuple[str, ...]
    ) -> None:
        """An operator that stands between two operands, which may have parentheses or comments."""
        gap = re.sub(r"#[^\n]*", lambda c: " " * len(c[0]), self.text[left:right])
        words = operator[0].isalpha()
        found = re.search(rf"\b{operator}\b" if words else operator, gap)
        if found is not None:
            for text in instead:
                self._note(kind, left + found.start(), left + found.end(), text)

    def _source(self, node: ast.expr) -> str:
        return self.text[self._start(node) : self._end(node)]

    # ---- scopes and what is left alone

    def visit(self, node: ast.AST) -> None:
        """Notes the lines of the statement that is being looked at; only its head, if it has a
        body of its own.
        """
        before = self._lines
        if isinstance(node, ast.stmt):
            last = node.end_lineno or node.lineno
            body = getattr(node, "body", None)
            if body:
                last = max(node.lineno, body[0].lineno - 1)
            self._lines = range(node.lineno, last + 1)
        super().visit(node)
        self._lines = before

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._scope.append(node.name)
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                self.visit(default)
        before, self._inside = self._inside, True
        for statement in node.body:
            self.visit(statement)
        self._inside = before
        self._scope.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._scope.append(node.name)
        for statement in node.body:
            self.visit(statement)
        self._scope.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._visit_value(node.target, node.value)
            if not isinstance(node.target, ast.Name):
                self._replace("statement deleted", node, "pass")

    def visit_Assign(self, node: ast.Assign) -> None:
        self._visit_value(node.targets[0], node.value)
        if all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self._replace("statement deleted", node, "pass")
            for target in node.targets:
                self.visit(target)

    def _visit_value(self, target: ast.expr, value: ast.expr) -> None:
        """A name for a type or a union of types, outside of functions, computes nothing."""
        outside = not self._scope and isinstance(target, ast.Name)
        names_types = isinstance(value, ast.Subscript | ast.BinOp) and outside
        slots = isinstance(target, ast.Name) and target.id.startswith("__")
        if not (names_types and "[" in self._source(value)) and not slots:
            self.visit(value)

    def visit_Import(self, node: ast.Import) -> None:
        """Nothing to change."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Nothing to change."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """Assertions are for those who read the source."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Texts are not changed."""

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" not in self._source(node.test):
            self._negate(node.test)
            self.generic_visit(node)

    # ---- statements

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring
        self._replace("statement deleted", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._replace("statement deleted", node, "pass")
        operator, instead = ARITHMETIC.get(type(node.op), ("", ()))
        left, right = self._end(node.target), self._start(node.value)
        self._between("operator", left, right, f"{operator}=", tuple(f"{i}=" for i in instead))
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._replace("statement deleted", node, "pass")

    def visit_Return(self, node: ast.Return) -> None:
        value = node.value
        if value is None:
            return
        if isinstance(value, ast.Compare | ast.BoolOp):
            self._replace("value returned", value, f"not ({self._source(value)})")
        elif not isinstance(value, ast.Constant):
            self._replace("value returned", value, "None")
        self.visit(value)

    def visit_Break(self, node: ast.Break) -> None:
        self._replace("break or continue", node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self._replace("break or continue", node, "break")

    def visit_While(self, node: ast.While) -> None:
        if not isinstance(node.test, ast.Constant):
            self._negate(node.test)
            self.visit(node.test)
        for statement in [*node.body, *node.orelse]:
            self.visit(statement)

    # ---- expressions

    def _negate(self, test: ast.expr) -> None:
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return  # it is dropped there
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            kinds = ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn
            if isinstance(test.ops[0], kinds):
                return  # it is turned there
        self._replace("condition negated", test, f"not ({self._source(test)})")

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self._negate(condition)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        left = node.left
        for operation, right in zip(node.ops, node.comparators, strict=True):
            operator, instead = COMPARISONS[type(operation)]
            self._between("comparison", self._end(left), self._start(right), operator, instead)
            left = right
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        operator, instead = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        # The first operator alone would bind otherwise than its neighbours: all are changed.
        parts = [f"({self._source(value)})" for value in node.values]
        self._replace(f"{operator} for {instead}", node, f"({f' {instead} '.join(parts)})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if not (_is_text(node.left) or _is_text(node.right)) and type(node.op) in ARITHMETIC:
            operator, instead = ARITHMETIC[type(node.op)]
            left, right = self._end(node.left), self._start(node.right)
            self._between("operator", left, right, operator, instead)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        kind = {ast.USub: "sign dropped", ast.Not: "not dropped", ast.Invert: "not dropped"}
        if type(node.op) in kind:
            self._replace(kind[type(node.op)], node, f"({self._source(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._replace("constant", node, str(not value))
        elif isinstance(value, int):
            self._replace("constant", node, str(value + 1))
            self._replace("constant", node, str(value - 1) if value > 0 else f"({value - 1})")
        elif isinstance(value, float):
            self._replace("constant", node, repr(value * 2 + (value == 0)))

    def visit_Subscript(self, node: ast.Subscript) -> None:
        bounds = [node.slice]
        if isinstance(node.slice, ast.Slice):
            bounds = [bound for bound in (node.slice.lower, node.slice.upper) if bound]
        for bound in bounds:
            counted = isinstance(bound, ast.BinOp) or isinstance(node.slice, ast.Slice)
            if counted and not isinstance(bound, ast.Constant):
                self._replace("index shifted", bound, f"{self._source(bound)} + 1")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
        if name in ("cast", "TypeVar", "NewType", "field", "dataclass"):
            return
        if name in SWAPPED:
            end = self._end(called)
            self._note("function swapped", end - len(name), end, SWAPPED[name])
        self.generic_visit(node)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
