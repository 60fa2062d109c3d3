"""Facts about expressions and statements that passes ask for: which names they read and set, and
whether they are total.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rulegame.core import ir

CHARGED: Final = ("charge", "through")  # intrinsics that spend steps of the meter, beside `span`
FAILING: Final = (ir.Commit, ir.CommitJoint, ir.DeferJoint, ir.Attempt, ir.OfferAll, ir.Compel)


def reads(*nodes: ir.Node) -> set[str]:
    """The names and the states that are read, without the names that the nodes set themselves."""
    found: set[str] = set()
    own: set[str] = set()
    for node in ir.walk(*nodes):
        match node:
            case ir.Local(name=name) | ir.Array(state=name):
                found.add(name)
            case ir.Load(state=name) | ir.Slice(state=name):
                found.add(name)
            case ir.Assign(name=name) | ir.NewList(name=name) | ir.For(name=name):
                own.add(name)
    return found - own


def sets(*nodes: ir.Node) -> set[str]:
    """The names that are set, by loops too, and `t` if a cell may change."""
    found: set[str] = set()
    for node in ir.walk(*nodes):
        match node:
            case ir.Assign(name=name) | ir.NewList(name=name) | ir.For(name=name):
                found.add(name)
            case ir.Call(function="over"):
                found.add("t")
            case ir.Stmt() if isinstance(node, ir.WRITES):
                found.add("t")
    return found


def is_total(nodes: Iterable[ir.Node], metered: bool) -> bool:
    """Whether nothing fails and nothing is charged for, so that it makes no difference whether
    and when the nodes are evaluated.
    """
    for node in ir.walk(*nodes):
        match node:
            case ir.Call(function="span"):
                if metered:
                    return False
            case ir.Call(function=function, site=site, sure=sure):
                if function in CHARGED or (site is not None and not sure):
                    return False
            case ir.Stmt() if isinstance(node, FAILING):
                return False
    return True
