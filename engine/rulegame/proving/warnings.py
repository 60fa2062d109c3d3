"""Warnings about rules that are probably mistakes: they never apply, or nobody needs them.

A claim that says the same silences the warning: with `never_stuck: true`, the author knows that the
rule for stuck players never applies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import gcd
from typing import Final

import numpy as np

from rulegame.evaluation.runtime import Fault
from rulegame.game import State
from rulegame.game.candidates import offers_of
from rulegame.proving.findings import Warned
from rulegame.proving.inquiry import EVERY, Inquiry
from rulegame.proving.plays import Mask
from rulegame.proving.reaching import unreached_ends, unused_operations
from rulegame.solving import solve_graph

# Limits of the work for a warning; beyond them there is none.
MOST_LOOKED_AT: Final = 2_000_000  # candidate moves examined for idle rules
MOST_SOLVED: Final = 1_000_000  # states of a game to solve
MOST_BY_CHANCE: Final = 200_000  # the same with chance
MOST_IN_CYCLES: Final = 5_000  # the same with chance, if play can cycle
MOST_SOLVED_AGAIN: Final = 50_000_000  # moves of all games solved without an operation


def find_doubts(inquiry: Inquiry) -> Iterator[Warned]:
    """All warnings about a game."""
    ruleset = inquiry.game.ruleset
    places = {o.name: o.place.span for o in ruleset.operations}
    unused = unused_operations(inquiry)
    if inquiry.claimed("every_operation_used") is not False:
        for name in unused:
            yield Warned("unused_operation", name, f"'{name}' is never a valid move", places[name])
    for name in idle_rules(inquiry):
        span = next(r.place.span for r in ruleset.validity if r.name == name)
        yield Warned("idle_rule", name, f"the validity rule '{name}' never forbids a move", span)
    if inquiry.claimed("every_end_rule_reached") is not False:
        for name in unreached_ends(inquiry):
            span = next(r.place.span for r in ruleset.end if r.name == name)
            yield Warned("unreached_end", name, f"'{name}' never ends a game", span)
    yield from _idle_stuck(inquiry)
    for name in needless_operations(inquiry, unused):
        message = f"'{name}' is never needed: some other move is always at least as good"
        yield Warned("needless_operation", name, message, places[name])


def _idle_stuck(inquiry: Inquiry) -> Iterator[Warned]:
    ruleset = inquiry.game.ruleset
    if "stuck" not in ruleset.names or inquiry.claimed("never_stuck") is True:
        return
    if inquiry.first_stuck is None:
        span = ruleset.stuck.place.span
        yield Warned("idle_stuck", "stuck", "never applies: every player can always move", span)


# ---- validity rules


def idle_rules(inquiry: Inquiry) -> list[str]:
    """The validity rules that bar no move in any reachable state, except rules for disabled
    operations only. None if the graph is too large to search.
    """
    ruleset = inquiry.game.ruleset
    on = {operation.name for operation in (*ruleset.operations, *ruleset.setup)}
    idle = {rule.name for rule in ruleset.validity if on & rule.requires.keys()}
    if not idle:
        return []
    looked_at = 0
    for state in _decisions(inquiry):
        names, count = _barring(inquiry, state)
        idle -= names
        looked_at += 1 + count
        if not idle or looked_at > MOST_LOOKED_AT:
            return []
    return [rule.name for rule in ruleset.validity if rule.name in idle]


def _decisions(inquiry: Inquiry) -> Iterator[State]:
    """Every state in which a player decides, then those in which one is stuck; in strides, so that
    early and late states of the game come soon.
    """
    states = np.flatnonzero(inquiry.graph.owner >= 0).tolist()
    stride = _stride(len(states))
    for k in range(len(states)):
        if k % EVERY == EVERY - 1:
            inquiry.progress("Looking for rules that never apply", k, len(states))
        yield inquiry.graph.state(states[k * stride % len(states)])
    for _, event in inquiry.stuck():
        yield event.before


def _stride(count: int) -> int:
    """A number coprime to `count`, about five eighths of it: its multiples meet every place
    once.
    """
    return next(k for k in range(count * 5 // 8 + 1, 2 * count + 2) if gcd(k, count) == 1)


def _barring(inquiry: Inquiry, state: State) -> tuple[set[str], int]:
    """The rules that bar a move in a state, and the number of moves examined. Rules after the first
    one that bars a move are not evaluated.
    """
    offers = offers_of(inquiry.game)
    valid = frozenset(state.moves)
    names: set[str] = set()
    candidates = offers.candidates(state)
    for move in candidates:
        if move in valid:
            continue
        try:
            names.update(offers.barring(state, move))
        except Fault:
            continue
    return names, len(candidates)


# ---- operations that nobody needs


def needless_operations(inquiry: Inquiry, unused: list[str]) -> list[str]:
    """The operations that either player could do without, at no loss in any state. Where play
    cannot be endless, it suffices that another operation keeps the value in every state. Elsewhere
    moves that keep the value may cycle, so the game is solved again without the operation, once for
    each player.
    """
    names = [o.name for o in inquiry.game.ruleset.operations if o.name not in unused]
    if len(names) < 2 or _is_costly(inquiry) or (ranks := inquiry.ranks) is None:
        return []
    numbers = {name: k for k, name in enumerate(names)}
    graph, plays = inquiry.graph, inquiry.plays
    by_move = np.array([numbers.get(move.operation, -1) for move in graph.move_table])
    operation = np.where(plays.rolls[plays.sources], -1, by_move[graph.moves])
    keeps = ranks[plays.sources] == ranks[plays.successors]
    found: list[str] = []
    for name, number in numbers.items():
        offered = np.zeros(len(plays), bool)
        offered[plays.sources[operation == number]] = True
        replaced = np.zeros(len(plays), bool)
        replaced[plays.sources[keeps & (operation != number)]] = True
        if (replaced | ~offered).all() and _is_needless(inquiry, operation == number):
            found.append(name)
    return found


def _is_costly(inquiry: Inquiry) -> bool:
    most = MOST_SOLVED
    if inquiry.plays.rolls.any():
        most = MOST_IN_CYCLES if inquiry.endless.any() else MOST_BY_CHANCE
    operations = len(inquiry.game.ruleset.operations)
    again = 2 * operations * inquiry.graph.edges if inquiry.endless.any() else 0
    return len(inquiry.plays) > most or again > MOST_SOLVED_AGAIN


def _is_needless(inquiry: Inquiry, edges: Mask) -> bool:
    if not inquiry.endless.any():
        return True
    owner = inquiry.graph.owner[inquiry.plays.sources]
    return all(_same_without(inquiry, edges & (owner == seat)) for seat in (0, 1))


def _same_without(inquiry: Inquiry, edges: Mask) -> bool:
    """Whether every state has the same value without these edges."""
    if not edges.any():
        return True
    graph, solution = inquiry.graph, inquiry.solution
    kept = ~edges
    degrees = np.bincount(inquiry.plays.sources[kept], minlength=len(inquiry.plays))
    smaller = replace(
        graph,
        offsets=np.concatenate(([0], np.cumsum(degrees))),
        successors=graph.successors[kept],
        moves=graph.moves[kept],
        weights=graph.weights[kept],
    )
    again = solve_graph(smaller, inquiry.first, inquiry.progress)
    if isinstance(solution, str) or not again.exact:
        return False
    return all(solution.value_of(n) == again.value_of(n) for n in range(len(inquiry.plays)))
