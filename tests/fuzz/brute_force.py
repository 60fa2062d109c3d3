"""Reference solvers for small games. They walk `State.moves`, `State.chances` and `State.play` and
share no code with `exploring`, `solving` or `native`.

Values are exact fractions. Endless play pays 0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

import rulegame
from rulegame import CHANCE, Game, Move, State

MAX: Final = 0
MIN: Final = 1
ROLL: Final = 2
END: Final = 3

ROUNDS: Final = 600  # of value iteration, to guess optimal strategies
IMPROVEMENTS: Final = 12  # of the guessed strategies

Values = list[Fraction]
Mix = Mapping[Move, Fraction]


class TooMany(Exception):
    """The game has more states than the limit."""


@dataclass
class Position:
    """A reachable state with its moves and successors."""

    state: State
    moves: list[Move] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    stuck: bool = False  # a move into it left a player without a valid move


def reachable(game: Game, first: int, limit: int, at: State | None = None) -> list[Position]:
    """All reachable positions; the start is number 0."""
    start = game.start(first) if at is None else at
    found = [Position(start, stuck=bool(start.events))]
    numbers = {start: 0}
    for position in found:
        for move in position.state.moves:
            after = position.state.play(move)
            if after not in numbers:
                if len(found) == limit:
                    raise TooMany
                numbers[after] = len(found)
                found.append(Position(after))
            position.moves.append(move)
            position.targets.append(numbers[after])
            found[numbers[after]].stuck |= bool(after.events)
    return found


@dataclass
class Node:
    """A position from one side: MAX and MIN choose, ROLL is random, END pays."""

    role: int
    targets: list[int]
    shares: Values = field(default_factory=list)  # of a ROLL
    pay: Fraction = Fraction(0)  # of an END


Strategy = Callable[[State], Mix]


def side_nodes(
    positions: Sequence[Position],
    high: Collection[int],
    pay: Callable[[rulegame.Outcome], int | Fraction],
    fixed: Mapping[int, Strategy] | None = None,
) -> list[Node]:
    """The game from the side of the seats `high`; seats in `fixed` play a known strategy."""
    fixed = fixed or {}
    nodes = []
    for position in positions:
        state, targets = position.state, position.targets
        if state.outcome is not None:
            nodes.append(Node(END, [], pay=Fraction(pay(state.outcome))))
        elif state.player == CHANCE:
            nodes.append(Node(ROLL, targets, [share for _, share in state.chances]))
        elif state.player is not None and state.player in fixed:
            mix = fixed[state.player](state)
            nodes.append(Node(ROLL, targets, [Fraction(mix.get(m, 0)) for m in position.moves]))
        else:
            nodes.append(Node(MAX if state.player in high else MIN, targets))
    return [_without_zeros(node) for node in nodes]


def _without_zeros(node: Node) -> Node:
    if node.role != ROLL or all(node.shares):
        return node
    kept = [k for k, share in enumerate(node.shares) if share]
    return Node(ROLL, [node.targets[k] for k in kept], [node.shares[k] for k in kept])


@dataclass
class Bounds:
    """Proved bounds on the value of every position; equal where the value is known."""

    lower: Values
    upper: Values

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


def solve_nodes(nodes: Sequence[Node]) -> Bounds:
    """Values by backward induction, attractors or policy iteration; bounds from two strategies
    where chance and cycles meet two opponents.
    """
    order = _bottom_up(nodes)
    if order is not None:
        values = [Fraction(0)] * len(nodes)
        for k in order:
            values[k] = backed_up(nodes[k], values)
        return Bounds(values, values)
    roles = {node.role for node in nodes}
    if MIN not in roles:
        values = solve_mdp(nodes)
        return Bounds(values, values)
    if MAX not in roles:
        values = [-value for value in solve_mdp(_negated(nodes))]
        return Bounds(values, values)
    if ROLL not in roles:
        values = _deterministic(nodes)
        return Bounds(values, values)
    return _from_strategies(nodes)


def backed_up(node: Node, values: Sequence[Fraction]) -> Fraction:
    """The value of a node from those of its successors."""
    after = [values[k] for k in node.targets]
    if node.role == END:
        return node.pay
    if node.role == ROLL:
        return sum((p * v for p, v in zip(node.shares, after, strict=True)), Fraction(0))
    return max(after) if node.role == MAX else min(after)


def longest_play(nodes: Sequence[Node]) -> int | None:
    """The length of the longest play; None if play can be endless."""
    order = _bottom_up(nodes)
    if order is None:
        return None
    away = [0] * len(nodes)
    for k in order:
        away[k] = max((1 + away[t] for t in nodes[k].targets), default=0)
    return away[0]


def shortest_play(nodes: Sequence[Node]) -> int | None:
    """The length of the shortest play; None if no end is reachable."""
    seen, layer, steps = {0}, [0], 0
    while layer:
        if any(nodes[k].role == END for k in layer):
            return steps
        layer = list(dict.fromkeys(t for k in layer for t in nodes[k].targets if t not in seen))
        seen.update(layer)
        steps += 1
    return None


def forced_within(
    nodes: Sequence[Node], side: int, number: int, moves: int, good: Callable[[Fraction], bool]
) -> bool:
    """Whether a side can force a good end within a number of moves, in a game without chance."""
    sure = {k for k, node in enumerate(nodes) if node.role == END and good(node.pay)}
    for _ in range(moves):
        sure |= {
            k
            for k, node in enumerate(nodes)
            if node.targets and (any if node.role == side else all)(t in sure for t in node.targets)
        }
    return number in sure


def _negated(nodes: Sequence[Node]) -> list[Node]:
    swapped = {MAX: MIN, MIN: MAX}
    return [Node(swapped.get(n.role, n.role), n.targets, n.shares, -n.pay) for n in nodes]


def _bottom_up(nodes: Sequence[Node]) -> list[int] | None:
    """Every node after its successors; None if there is a cycle."""
    left = [len(node.targets) for node in nodes]
    sources: list[list[int]] = [[] for _ in nodes]
    for k, node in enumerate(nodes):
        for target in node.targets:
            sources[target].append(k)
    order = [k for k, count in enumerate(left) if count == 0]
    for k in order:
        for source in sources[k]:
            left[source] -= 1
            if left[source] == 0:
                order.append(source)
    return order if len(order) == len(nodes) else None


# ---- without chance


def _deterministic(nodes: Sequence[Node]) -> Values:
    """The best payoff above 0 that MAX can force, or the worst below 0 that MIN can; else 0."""
    values = [Fraction(0)] * len(nodes)
    pays = {node.pay for node in nodes if node.role == END and node.pay}
    for pay in sorted(pays, key=abs):
        side, sign = (MAX, 1) if pay > 0 else (MIN, -1)
        good = {
            k for k, node in enumerate(nodes) if node.role == END and sign * node.pay >= sign * pay
        }
        for k in _attractor(nodes, side, good):
            values[k] = pay
    return values


def _attractor(nodes: Sequence[Node], side: int, goal: set[int]) -> set[int]:
    forced, grown = set(goal), True
    while grown:
        more = {
            k
            for k, node in enumerate(nodes)
            if node.targets
            and k not in forced
            and (any if node.role == side else all)(t in forced for t in node.targets)
        }
        forced |= more
        grown = bool(more)
    return forced


# ---- one side alone: a Markov decision process


def solve_mdp(nodes: Sequence[Node]) -> Values:
    """Exact values where only MAX chooses: end components are merged, since whoever stays there
    gets 0; then policy iteration.
    """
    components = end_components(nodes)
    merged = {k: number for number, one in enumerate(components) for k in one}
    label = [
        len(nodes) + merged[k] if k in merged else k for k in range(len(nodes))
    ]  # of the merged node
    small: dict[int, Node] = {}
    for k, node in enumerate(nodes):
        targets = [label[t] for t in node.targets]
        if k not in merged:
            small[k] = Node(node.role, targets, node.shares, node.pay)
    stop = -1
    small[stop] = Node(END, [])
    for number, one in enumerate(components):
        leaving = [
            label[t]
            for k in one
            for t in (nodes[k].targets if nodes[k].role == MAX else [])
            if label[t] != len(nodes) + number
        ]
        small[len(nodes) + number] = Node(MAX, [*dict.fromkeys(leaving), stop])
    values = _policy_iteration(small)
    return [values[label[k]] for k in range(len(nodes))]


def end_components(nodes: Sequence[Node]) -> list[set[int]]:
    """The maximal sets in which play can be held for ever, whatever is rolled. Both MAX and MIN
    count as choosing to stay.
    """
    left = {k for k, node in enumerate(nodes) if node.role != END}
    while True:
        inside = _components(nodes, left)
        kept = {
            k
            for k in left
            if (all if nodes[k].role == ROLL else any)(
                inside.get(t) == inside[k] for t in nodes[k].targets
            )
        }
        if kept == left:
            break
        left = kept
    found: dict[int, set[int]] = {}
    for k in left:
        found.setdefault(inside[k], set()).add(k)
    return list(found.values())


def _components(nodes: Sequence[Node], allowed: set[int]) -> dict[int, int]:
    """The strongly connected component of each allowed node, by its smallest member."""

    def closure(edges: Mapping[int, Sequence[int]], start: int) -> set[int]:
        seen, waiting = {start}, [start]
        while waiting:
            for t in edges.get(waiting.pop(), ()):
                if t not in seen:
                    seen.add(t)
                    waiting.append(t)
        return seen

    forward = {k: [t for t in nodes[k].targets if t in allowed] for k in allowed}
    backward: dict[int, list[int]] = {}
    for k, targets in forward.items():
        for t in targets:
            backward.setdefault(t, []).append(k)
    found: dict[int, int] = {}
    for k in sorted(allowed):
        if k not in found:
            found |= dict.fromkeys(closure(forward, k) & closure(backward, k), k)
    return found


def _policy_iteration(nodes: Mapping[int, Node]) -> dict[int, Fraction]:
    chosen = {k: node.targets[0] for k, node in nodes.items() if node.role == MAX}
    while True:
        values = _evaluated(nodes, chosen)
        improved = False
        for k in chosen:
            best = max(nodes[k].targets, key=lambda t: values[t])
            if values[best] > values[chosen[k]]:
                chosen[k], improved = best, True
        if not improved:
            return values


def _evaluated(nodes: Mapping[int, Node], chosen: Mapping[int, int]) -> dict[int, Fraction]:
    """The values of a policy that always ends, by state elimination."""
    rows: dict[int, dict[int, Fraction]] = {}
    known: dict[int, Fraction] = {}
    uses: dict[int, set[int]] = {}
    for k, node in nodes.items():
        if node.role == END:
            known[k] = node.pay
            continue
        row: dict[int, Fraction] = {}
        targets, shares = node.targets, node.shares
        if k in chosen:
            targets, shares = [chosen[k]], [Fraction(1)]
        for t, share in zip(targets, shares, strict=True):
            row[t] = row.get(t, Fraction(0)) + share
        rows[k] = row
        for t in row:
            uses.setdefault(t, set()).add(k)
    constants = dict.fromkeys(rows, Fraction(0))
    order: list[int] = []
    for end, pay in known.items():
        for k in uses.get(end, ()):
            constants[k] += rows[k].pop(end) * pay
    waiting = set(rows)
    while waiting:
        k = min(waiting, key=lambda one: (len(rows[one]), one))
        waiting.remove(k)
        order.append(k)
        own = rows[k].pop(k, Fraction(0))
        if own:
            rows[k] = {t: share / (1 - own) for t, share in rows[k].items()}
            constants[k] /= 1 - own
        for user in uses.get(k, set()) & waiting:
            factor = rows[user].pop(k)
            constants[user] += factor * constants[k]
            for t, share in rows[k].items():
                rows[user][t] = rows[user].get(t, Fraction(0)) + factor * share
                uses.setdefault(t, set()).add(user)
    for k in reversed(order):
        known[k] = constants[k] + sum(
            (share * known[t] for t, share in rows[k].items()), Fraction(0)
        )
    return known


# ---- two sides, chance and cycles


def _from_strategies(nodes: Sequence[Node]) -> Bounds:
    """Bounds from the best responses to strategies that value iteration suggests."""
    guess = _guessed(nodes)
    lower = upper = None
    for side, sign in ((MAX, 1), (MIN, -1)):
        seen = nodes if side == MAX else _negated(nodes)
        chosen = {k: t for k, t in guess.items() if nodes[k].role == side}
        best = _sure(seen, chosen)
        for _ in range(IMPROVEMENTS):
            better = {k: max(seen[k].targets, key=lambda t: best[t]) for k in chosen}
            better = {k: t if best[t] > best[chosen[k]] else chosen[k] for k, t in better.items()}
            if better == chosen:
                break
            chosen = better
            best = [max(pair) for pair in zip(best, _sure(seen, chosen), strict=True)]
        if sign > 0:
            lower = best
        else:
            upper = [-value for value in best]
    assert lower is not None and upper is not None
    return Bounds(lower, upper)


def _sure(nodes: Sequence[Node], chosen: Mapping[int, int]) -> Values:
    """What MAX gets at least by always moving like this."""
    fixed = [
        Node(ROLL, [chosen[k]], [Fraction(1)]) if k in chosen else node
        for k, node in enumerate(nodes)
    ]
    return [-value for value in solve_mdp(_negated(fixed))]


def _guessed(nodes: Sequence[Node]) -> dict[int, int]:
    """Moves that are best if every end pays once in each of many rounds."""
    shares = [[float(p) for p in node.shares] for node in nodes]
    total = [0.0] * len(nodes)
    for _ in range(ROUNDS):
        before, total = total, []
        for k, node in enumerate(nodes):
            after = [before[t] for t in node.targets]
            if node.role == END:
                total.append(before[k] + float(node.pay))
            elif node.role == ROLL:
                total.append(sum(p * v for p, v in zip(shares[k], after, strict=True)))
            else:
                total.append(max(after) if node.role == MAX else min(after))
    return {
        k: (max if node.role == MAX else min)(node.targets, key=lambda t: total[t])
        for k, node in enumerate(nodes)
        if node.role in (MAX, MIN)
    }
