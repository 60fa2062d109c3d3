"""Tests validity rules as early as possible: a rule that does not look at later choices is tested
before the loops over them. A rule that bars a piece bars all its moves.

To test a rule before a loop must not hide a fault: so the test has to be total, and so must be all
that is not evaluated any more where it fails.
"""

from __future__ import annotations

from typing import Final

from rulegame.core import ir
from rulegame.core.analysis import is_total, reads, sets
from rulegame.core.cost import steps
from rulegame.core.rewriting import with_children

MOST_LIGHT: Final = 40  # steps of a test that may run more often than before
MOST_EARLY: Final = 8  # tests around a loop: they stand inside one another


def test_early(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with each test before the loops that it does not depend on."""
    if function.role is not ir.Role.MOVES:
        return function
    return function.replace(body=_EarlyTests(module.metered).block(function.body))


class _EarlyTests:
    def __init__(self, metered: bool) -> None:
        self._metered = metered

    def block(self, statements: ir.Block) -> ir.Block:
        return [self._statement(s) for s in statements]

    def _statement(self, s: ir.Stmt) -> ir.Stmt:
        if not any(isinstance(inner, ir.Offer) for inner in ir.statements(s)):
            return s
        inside = with_children(s, _same, self.block)
        if not isinstance(inside, ir.For) or not isinstance(inside.body[-1], ir.If):
            return inside
        if not is_total([inside.collection], self._metered):
            return inside
        early, rest = self._split(inside.body, sets(inside))
        found: ir.Stmt = inside.replace(body=rest) if early else inside
        for test in reversed(early):
            found = test.replace(then=[found])
        return found

    def _split(self, block: ir.Block, changed: set[str]) -> tuple[list[ir.If], ir.Block]:
        """The tests that may run before a loop that changes some names, and the body without
        them.
        """
        match block:
            case [*before, ir.If(test=test, then=then, otherwise=[]) as last]:
                if is_total([*before, test], self._metered):
                    early, rest = self._split(then, changed)
                    if len(early) < MOST_EARLY and self._may_be_early(test, changed):
                        return [last, *early], [*before, *rest]
                    return early, [*before, last.replace(then=rest)] if early else block
        return [], block

    def _may_be_early(self, test: ir.Expr, changed: set[str]) -> bool:
        return steps(test) <= MOST_LIGHT and reads(test).isdisjoint(changed - sets(ir.Return(test)))


def _same(e: ir.Expr) -> ir.Expr:
    return e
