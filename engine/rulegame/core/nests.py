"""Nests of loops that compute one value, and what passes put into them."""

from __future__ import annotations

from collections.abc import Iterator

from rulegame.core import ir
from rulegame.core.rewriting import with_children


def put(block: ir.Block, target: ir.Stmt, into: ir.Block, names: Iterator[str]) -> ir.Block:
    """The block with other statements in the place of one. A `Break` among them, outside of loops,
    leaves all loops of the block.
    """
    if not _leaves(into) or _depth(block, target) < 2:
        return _put(block, target, into, None, 0)
    flag = next(names)
    flagged = _flagged(into, flag)
    return [ir.Assign(flag, ir.Const(False)), *_put(block, target, flagged, ir.Local(flag), 0)]


def _put(
    block: ir.Block, target: ir.Stmt, into: ir.Block, flag: ir.Local | None, depth: int
) -> ir.Block:
    done: ir.Block = []
    for s in block:
        if s is target:
            done += into
            continue
        if not _holds(s, target):
            done.append(s)
            continue
        loop = isinstance(s, ir.For)
        inner = depth + loop
        change = lambda b: _put(b, target, into, flag, inner)  # noqa: E731, B023
        done.append(with_children(s, _same, change))
        if loop and depth and flag is not None:
            done.append(ir.If(flag, [ir.Break()], []))
    return done


def _depth(block: ir.Block, target: ir.Stmt) -> int:
    """How many loops of a block are around a statement."""
    for s in block:
        if s is not target and _holds(s, target):
            return isinstance(s, ir.For) + sum(_depth(inner, target) for inner in ir.blocks(s))
    return 0


def _holds(s: ir.Stmt, target: ir.Stmt) -> bool:
    return s is target or any(_holds(one, target) for block in ir.blocks(s) for one in block)


def _leaves(block: ir.Block) -> bool:
    """Whether there is a `Break` outside of loops."""
    return any(
        isinstance(s, ir.Break)
        or (not isinstance(s, ir.For) and any(_leaves(inner) for inner in ir.blocks(s)))
        for s in block
    )


def _flagged(block: ir.Block, flag: str) -> ir.Block:
    """The block where each `Break` outside of loops is noted before."""
    done: ir.Block = []
    for s in block:
        if isinstance(s, ir.Break):
            done.append(ir.Assign(flag, ir.Const(True)))
        if not isinstance(s, ir.For):
            s = with_children(s, _same, lambda b: _flagged(b, flag))
        done.append(s)
    return done


def _same(e: ir.Expr) -> ir.Expr:
    return e
