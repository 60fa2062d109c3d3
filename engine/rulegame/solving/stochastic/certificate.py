"""The proof that values of a block are the right ones, in whole numbers.

Bellman's equations alone prove nothing where play can go on forever: a block that nobody need
leave satisfies them with any value. Values v are those of the game if

1. v(s) is the highest (at HIGH's states), lowest (at LOW's) or mean (at chance states) v that can
   follow; and
2. from wherever v > 0, HIGH has moves that keep v and that leave with positive probability, however
   LOW plays, until v <= 0 or the block is left; and LOW likewise from wherever v < 0.

Why this is enough: let HIGH play the moves of 2 where v > 0, and any that keep v elsewhere. Under
every play of LOW, v cannot fall on average, so v(s) <= E[v after n steps] for all n. A play that
never leaves the block stays, with probability 1, in an end component: a set of states in which LOW
can hold it. There v is constant (where it is greatest, it cannot fall on average, so it is
equally great at all that may follow inside), and by 2 not positive. So endless plays,
which are worth 0, are worth no less than v says, and HIGH gets at least v(s). With the sides
exchanged, LOW concedes no more than v(s). It is also necessary: both sides have best strategies
without memory, and those fulfil 2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rulegame.solving.arena import HIGH, LOW, ROLL
from rulegame.solving.stochastic.blocks import Block
from rulegame.solving.stochastic.strategies import Edges


def improvements(block: Block, values: Sequence[int], chosen: Edges) -> Edges | None:
    """Choices that do better than the chosen ones by the values; None if there are none."""
    better = chosen.copy()
    found = False
    offsets, targets = block.offsets.tolist(), block.targets.tolist()
    for state, role in enumerate(block.role.tolist()):
        if role == ROLL:
            continue
        edges = range(offsets[state], offsets[state + 1])
        pick = max if role == HIGH else min
        best = pick(edges, key=lambda e: values[targets[e]])
        if values[targets[best]] != values[targets[int(chosen[state])]]:
            better[state] = best
            found = True
    return better if found else None


def is_solution(block: Block, values: Sequence[int]) -> bool:
    """Whether both conditions hold; the values are numerators over one denominator."""
    return (
        _fulfils_equations(block, values)
        and _can_leave(block, values, HIGH)
        and _can_leave(block, values, LOW)
    )


def _fulfils_equations(block: Block, values: Sequence[int]) -> bool:
    offsets, targets, weights = (a.tolist() for a in (block.offsets, block.targets, block.weights))
    for state, role in enumerate(block.role.tolist()):
        edges = range(offsets[state], offsets[state + 1])
        following = [values[targets[e]] for e in edges]
        if role == ROLL:
            shares = [weights[e] for e in edges]
            mean = sum(w * v for w, v in zip(shares, following, strict=True))
            if sum(shares) * values[state] != mean:
                return False
        elif values[state] != (max(following) if role == HIGH else min(following)):
            return False
    return True


def _can_leave(block: Block, values: Sequence[int], side: int) -> bool:
    """The second condition for one side: the states that it leads out of, one after the other."""
    sign = 1 if side == HIGH else -1
    size = len(block)
    staying = [sign * v > 0 for v in values[:size]]
    keeping = [
        role == ROLL or values[t] == values[s]
        for s, t, role in zip(
            block.sources.tolist(),
            block.targets.tolist(),
            block.role[block.sources].tolist(),
            strict=True,
        )
    ]
    sources, targets = block.sources[keeping].tolist(), block.targets[keeping].tolist()
    into: list[list[int]] = [[] for _ in values]
    left = [0] * size
    for source, target in zip(sources, targets, strict=True):
        into[target].append(source)
        left[source] += 1
    outside = [t for t in range(len(values)) if t >= size or not staying[t]]
    roles = block.role.tolist()
    while outside:
        for source in into[outside.pop()]:
            left[source] -= 1
            if staying[source] and (roles[source] in (side, ROLL) or left[source] == 0):
                staying[source] = False
                outside.append(source)
    return not any(staying)


def leaving_edges(block: Block, values: Sequence[int], chosen: Edges) -> Edges:
    """Choices that keep the values and lead out of the block wherever that must happen."""
    chosen = chosen.copy()
    numbers = np.array([(v > 0) - (v < 0) for v in values])
    done = np.ones(len(values), bool)
    done[: len(block)] = numbers[: len(block)] == 0
    changed = True
    while changed:
        changed = False
        for state in np.flatnonzero(~done[: len(block)]).tolist():
            edges = range(int(block.offsets[state]), int(block.offsets[state + 1]))
            targets = [int(block.targets[e]) for e in edges]
            role = int(block.role[state])
            keeps = [role == ROLL or values[t] == values[state] for t in targets]
            out = [e for e, t, k in zip(edges, targets, keeps, strict=True) if k and done[t]]
            wants = role == ROLL or (role == HIGH) == (numbers[state] > 0)
            if out and (wants or len(out) == sum(keeps)):
                done[state] = changed = True
                if role != ROLL:
                    chosen[state] = out[0]
    return chosen
