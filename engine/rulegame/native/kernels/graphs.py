"""State graphs: backward edges, an order of the states, wins and losses found from the ends.

The edges of state k are those from offsets[k] up to offsets[k + 1].
"""

from __future__ import annotations

from rulegame.native.kernels.machine import Bytes, Ints

HIGH = 0
LOW = 1
ROLL = 2
END = 3


def transpose(
    size: int, offsets: Ints, successors: Ints, into_offsets: Ints, sources: Ints
) -> None:
    """The states that lead to state k: those from into_offsets[k] up to into_offsets[k + 1], in
    order. `into_offsets` is 0 to begin with.
    """
    edges = offsets[size]
    for e in range(edges):
        into_offsets[successors[e] + 1] += 1
    for k in range(size):
        into_offsets[k + 1] += into_offsets[k]
    for k in range(size):
        for e in range(offsets[k], offsets[k + 1]):
            target = successors[e]
            sources[into_offsets[target]] = k
            into_offsets[target] += 1
    # Each offset stands where the next one belongs now.
    k = size
    while k > 0:
        into_offsets[k] = into_offsets[k - 1]
        k -= 1
    into_offsets[0] = 0


def peel(size: int, into_offsets: Ints, sources: Ints, left: Ints, level: Ints, queue: Ints) -> int:
    """Gives a level to all states from which no cycle can be reached: above those of all that they
    lead to. `left` counts the ways out; how many states have a level.
    """
    end = 0
    for k in range(size):
        if left[k] == 0:
            level[k] = 0
            queue[end] = k
            end += 1
    begin = 0
    while begin < end:
        state = queue[begin]
        begin += 1
        height = level[state] + 1
        for e in range(into_offsets[state], into_offsets[state + 1]):
            source = sources[e]
            left[source] -= 1
            if left[source] == 0:
                level[source] = height
                queue[end] = source
                end += 1
    return end


def sweep(
    into_offsets: Ints,
    sources: Ints,
    wants: Bytes,
    left: Ints,
    value: Bytes,
    distance: Ints,
    queue: Ints,
    known: int,
) -> int:
    """Backward from decided states, the first `known` in the queue: who wants a value takes it, who
    does not must, if all his moves lead to it. Undecided states have the value 0.
    """
    end = known
    begin = 0
    while begin < end:
        state = queue[begin]
        begin += 1
        worth = value[state]
        away = distance[state] + 1
        for e in range(into_offsets[state], into_offsets[state + 1]):
            source = sources[e]
            if value[source] == 0:
                if wants[source] == worth:
                    value[source] = worth
                    distance[source] = away
                    queue[end] = source
                    end += 1
                else:
                    left[source] -= 1
                    if left[source] == 0:
                        value[source] = 0 - wants[source]
                        distance[source] = away
                        queue[end] = source
                        end += 1
    return end


def count_ways(size: int, offsets: Ints, successors: Ints, value: Bytes, left: Ints) -> None:
    """Of each state of the value 0, how many edges lead to such states."""
    for k in range(size):
        ways = 0
        if value[k] == 0:
            for e in range(offsets[k], offsets[k + 1]):
                if value[successors[e]] == 0:
                    ways += 1
        left[k] = ways


def choose(
    size: int,
    offsets: Ints,
    successors: Ints,
    role: Bytes,
    value: Bytes,
    distance: Ints,
    chosen: Ints,
) -> None:
    """One edge of best play for each player's state, -1 elsewhere: the first that keeps the value
    and comes nearer to the end, or else the first that keeps it.
    """
    for k in range(size):
        best = 0 - 1
        if role[k] == HIGH or role[k] == LOW:
            nearer = 0
            for e in range(offsets[k], offsets[k + 1]):
                target = successors[e]
                if nearer == 0 and value[target] == value[k]:
                    if distance[k] < 0 or distance[target] == distance[k] - 1:
                        best = e
                        nearer = 1
                    elif best < 0:
                        best = e
        chosen[k] = best


def shortest(offsets: Ints, successors: Ints, role: Bytes, depth: Ints, queue: Ints) -> int:
    """The least number of edges from state 0 to an end, -1 if there is no way. `depth` is -1 to
    begin with.
    """
    depth[0] = 0
    queue[0] = 0
    begin = 0
    end = 1
    while begin < end:
        state = queue[begin]
        begin += 1
        if role[state] == END:
            return depth[state]
        for e in range(offsets[state], offsets[state + 1]):
            if depth[successors[e]] < 0:
                depth[successors[e]] = depth[state] + 1
                queue[end] = successors[e]
                end += 1
    return 0 - 1


def connect(
    size: int, offsets: Ints, successors: Ints, left: Ints, level: Ints, cycle: Ints, base: int,
    number: Ints, low: Ints, stack: Ints, path: Ints, place: Ints,
) -> int:  # fmt: skip
    """Tarjan's strongly connected parts of the states that have ways `left`: their numbers go to
    `cycle`, if they are cycles, and their levels, from `base` on, to `level`: above those of all
    that they lead to. `number`, `low` and `cycle` are 0, 0 and -1 to begin with; how many parts.
    """
    met = 0
    parts = 0
    top = 0  # of the stack of states that are in no part yet
    for root in range(size):
        if left[root] > 0 and number[root] == 0:
            depth = 0
            path[0] = root
            met += 1
            number[root] = met
            low[root] = met
            place[root] = offsets[root]
            stack[top] = root
            top += 1
            while depth >= 0:
                state = path[depth]
                if place[state] < offsets[state + 1]:
                    target = successors[place[state]]
                    place[state] += 1
                    if left[target] > 0:
                        if number[target] == 0:
                            met += 1
                            number[target] = met
                            low[target] = met
                            place[target] = offsets[target]
                            stack[top] = target
                            top += 1
                            depth += 1
                            path[depth] = target
                        elif low[target] > 0 and number[target] < low[state]:
                            low[state] = number[target]
                else:
                    reached = low[state]
                    if reached == number[state]:
                        top = close(
                            offsets, successors, left, level, cycle, base, low, stack, top, state,
                            parts,
                        )  # fmt: skip
                        parts += 1
                    depth -= 1
                    if depth >= 0 and reached < number[state] and reached < low[path[depth]]:
                        low[path[depth]] = reached
    return parts


def close(
    offsets: Ints, successors: Ints, left: Ints, level: Ints, cycle: Ints, base: int, low: Ints,
    stack: Ints, top: int, root: int, part: int,
) -> int:  # fmt: skip
    """One part, which is on top of the stack down to its root: 0 in `low` says that a state is in
    one. How many states are left on the stack.
    """
    begin = top - 1
    while stack[begin] != root:
        begin -= 1
    for k in range(begin, top):
        low[stack[k]] = 0 - 1
    height = base
    turns = 1 if top - begin > 1 else 0
    for k in range(begin, top):
        state = stack[k]
        for e in range(offsets[state], offsets[state + 1]):
            target = successors[e]
            if target == state:
                turns = 1
            if left[target] > 0 and low[target] == 0 and level[target] >= height:
                height = level[target] + 1
    for k in range(begin, top):
        state = stack[k]
        low[state] = 0
        level[state] = height
        if turns == 1:
            cycle[state] = part
    return begin


def lead_back(
    into_offsets: Ints, sources: Ints, role: Bytes, followed: Ints, found: Bytes, queue: Ints,
    count: int,
) -> int:  # fmt: skip
    """Marks all states from which one of the first in the queue can be reached by rolls and by the
    moves that are followed: of each state the one that it leads to. How many there are.
    """
    begin = 0
    end = count
    while begin < end:
        state = queue[begin]
        begin += 1
        for e in range(into_offsets[state], into_offsets[state + 1]):
            source = sources[e]
            if found[source] == 0 and (role[source] == ROLL or followed[source] == state):
                found[source] = 1
                queue[end] = source
                end += 1
    return end
