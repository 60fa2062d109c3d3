"""Values of small games by the plainest means: what `solve` is held against."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

ROLL = -1
ROUNDS = 4_000


class Node(NamedTuple):
    """A state: who moves (0 wants much, 1 little, ROLL), where to, how likely; what an end pays."""

    role: int
    following: Sequence[int]
    shares: Sequence[Fraction]
    pay: int = 0


def exact_values(nodes: Sequence[Node]) -> list[Fraction] | None:
    """Of each state; None with both chance and endless play."""
    order = _in_order(nodes)
    if order is None:
        return None if any(node.role == ROLL for node in nodes) else _sure_values(nodes)
    values = [Fraction(0)] * len(nodes)
    for k in order:
        values[k] = kept(nodes[k], values)
    return values


def kept(node: Node, values: Sequence[Fraction]) -> Fraction:
    """What a state is worth if what follows it is worth this."""
    after = [values[k] for k in node.following]
    if not after:
        return Fraction(node.pay)
    if node.role == ROLL:
        return sum((p * v for p, v in zip(node.shares, after, strict=True)), Fraction(0))
    return max(after) if node.role == 0 else min(after)


def near_values(nodes: Sequence[Node]) -> list[float]:
    """About what each state is worth, where play can be endless, which is worth 0: what is got on
    average if an end pays in every round that is left of very many.
    """
    shares = [[float(p) for p in node.shares] for node in nodes]
    total = [0.0] * len(nodes)
    for _ in range(ROUNDS):
        before = total
        total = []
        for node, chances in zip(nodes, shares, strict=True):
            after = [before[k] for k in node.following]
            if not after:
                total.append(before[len(total)] + node.pay)
            elif node.role == ROLL:
                total.append(sum(p * v for p, v in zip(chances, after, strict=True)))
            else:
                total.append(max(after) if node.role == 0 else min(after))
    return [value / ROUNDS for value in total]


def _in_order(nodes: Sequence[Node]) -> list[int] | None:
    """States after all that follow them; None if play can be endless."""
    left = [len(node.following) for node in nodes]
    leading: list[list[int]] = [[] for _ in nodes]
    for k, node in enumerate(nodes):
        for after in node.following:
            leading[after].append(k)
    order = [k for k, count in enumerate(left) if count == 0]
    for k in order:
        for before in leading[k]:
            left[before] -= 1
            if left[before] == 0:
                order.append(before)
    return order if len(order) == len(nodes) else None


def _sure_values(nodes: Sequence[Node]) -> list[Fraction]:
    """Without chance: the most that one side can force, or the least that the other one can.
    Neither: endless, or worth nothing.
    """
    values = [Fraction(0)] * len(nodes)
    paid = {node.pay for node in nodes if not node.following and node.pay}
    for pay in sorted(paid, key=abs):  # a greater one, if it can be forced, is preferred
        side, sign = (0, 1) if pay > 0 else (1, -1)
        for k in _forced(nodes, side, {end for end in paid if sign * (end - pay) >= 0}):
            values[k] = Fraction(pay)
    return values


def _forced(nodes: Sequence[Node], side: int, good: set[int]) -> set[int]:
    """From where a side can force an end that pays well enough."""
    forced = {k for k, node in enumerate(nodes) if not node.following and node.pay in good}
    grown = True
    while grown:
        more = {
            k
            for k, node in enumerate(nodes)
            if node.following and k not in forced
            and (any if node.role == side else all)(j in forced for j in node.following)
        }  # fmt: skip
        forced |= more
        grown = bool(more)
    return forced
