"""What is worked out for many states at once is what each state gets by itself, or is left to it:
numbers at the edges of 64 bits, and states that do not count beside those that do.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from rulegame.evaluation import runtime
from rulegame.language.types import NONE_CODE
from rulegame.lockstep import calls as lockstep_calls
from rulegame.lockstep import interpreter as lockstep
from rulegame.lockstep import many

STATES = 6
ROUNDS = 400
EDGES = (0, 1, 2, 3, 5, 62, 63, 64, 2**31, 2**62, 2**63 - 1)
NUMBERS = (*EDGES, *(-edge for edge in EDGES), NONE_CODE, -1, -1, 1, 2)
SMALL = (-3, -2, -1, 0, 1, 2, 3, 4, 5)
SETS = (0, 1, 2, 5, 0b1011, 2**61, 2**62 - 1)


def drawn(rng: Random, pool: tuple[int, ...]) -> tuple[Any, list[int]]:
    """A number that differs, or one that does not; and what it is in each state."""
    if rng.random() < 0.25:
        value = rng.choice(pool)
        return value, [value] * STATES
    values = [rng.choice(rng.choice((pool, SMALL if pool is NUMBERS else pool)))
              for _ in range(STATES)]  # fmt: skip
    return many.many(np.array(values, np.int64)), values


def masked(rng: Random) -> tuple[many.Mask, list[bool]]:
    """Some states, at least one."""
    if rng.random() < 0.3:
        return True, [True] * STATES
    chosen = [rng.random() < 0.6 for _ in range(STATES)]
    chosen[rng.randrange(STATES)] = True
    return np.array(chosen), chosen


def in_state(value: Any, k: int) -> Any:
    """What a result is in one state."""
    if isinstance(value, many.Many):
        return int(value.array[k])
    if isinstance(value, np.ndarray):
        return bool(value[k])
    if isinstance(value, many.ItemsOfMany):
        return [in_state(item, k) for some, item in value.pairs if in_state(some, k)]
    if isinstance(value, (tuple, list, range)):
        return [in_state(item, k) for item in value]
    return value


def plain(function: Callable[..., Any], arguments: list[Any]) -> Any:
    """What one state gets; None if the rules fail."""
    try:
        found = function(*arguments)
    except (runtime.Fault, ZeroDivisionError):
        return None
    return list(found) if isinstance(found, (tuple, list, range)) else found


def held(
    alone: Callable[..., Any], together: Callable[..., Any], *pools: tuple[int, ...], seed: str
) -> None:
    """Holds a function for many states against the same for each."""
    rng, done = Random(seed), 0
    for _ in range(ROUNDS):
        given = [drawn(rng, pool) for pool in pools]
        mask, chosen = masked(rng)
        at = lockstep_calls.Choosing(mask, NAMES, lambda steps: None)
        try:
            found = together(at, *(one for one, _ in given))
        except (many.Irregular, runtime.Fault):
            continue
        done += 1
        for k in range(STATES):
            if chosen[k]:
                expected = plain(alone, [values[k] for _, values in given])
                assert expected is not None, given
                assert in_state(found, k) == expected, (given, chosen, k)
    assert done > ROUNDS // 20  # otherwise nothing was compared


NAMES: dict[str, Any] = {
    **vars(runtime),
    **{f.__name__: f for f in (range, tuple, list, len, sum, any, all, abs, min, max)},
}

# Of each function: its last arguments, and what the others are drawn from.
CALLS: dict[str, tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]] = {
    "mul": ((0,), (NUMBERS, NUMBERS)),
    "div": ((0,), (NUMBERS, NUMBERS)),
    "f_mod": ((0,), (NUMBERS, NUMBERS)),
    "fit": ((0,), (NUMBERS,)),
    "fit_or_none": ((0,), (NUMBERS,)),
    "abs": ((), (NUMBERS,)),
    "min": ((), (NUMBERS, NUMBERS, SMALL)),
    "max": ((), (NUMBERS, SMALL, NUMBERS)),
    "range": ((), (SMALL, SMALL)),
    "repetitions": ((0,), (SMALL,)),
    "index": ((4, 0), (SMALL,)),
    "members": ((-1,), (SETS,)),
    "contains": ((-1,), (SETS, NUMBERS)),
    "f_with": ((-1, 3, 0), (SETS[:4], SMALL)),
    "f_without": ((-1, 3, 0), (SETS[:4], NUMBERS)),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    last, pools = CALLS[name]
    together = lockstep_calls.CALLS[name]
    held(
        lambda *given: NAMES[name](*given, *last),
        lambda at, *given: together(at, *given, *last),
        *pools,
        seed=name,
    )


@pytest.mark.parametrize("name", ["f_min", "f_max", "sum", "any", "all", "len", "different"])
def test_lists_that_differ(name: str) -> None:
    """Of a range whose ends differ, with more of it for some."""
    last = (0,) if name in ("f_min", "f_max") else ()
    together, span = lockstep_calls.CALLS[name], lockstep_calls.CALLS["range"]

    def items(at: lockstep_calls.Choosing, a: Any, b: Any, c: Any) -> Any:
        ends = many.compare(ast.Lt, c, 2)
        return many.choose(ends, span(at, a, b), (c, a))

    held(
        lambda a, b, c: NAMES[name](tuple(range(a, b)) if c < 2 else (c, a), *last),
        lambda at, a, b, c: together(at, items(at, a, b, c), *last),
        SMALL,
        SMALL,
        SMALL,
        seed=name,
    )


OPERATIONS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "plus": (lambda a, b: a + b, lambda at, a, b: many.plus(a, b, at.mask)),
    "minus": (lambda a, b: a - b, lambda at, a, b: many.minus(a, b, at.mask)),
    "times": (lambda a, b: a * b, lambda at, a, b: many.times(a, b, at.mask)),
    "floor": (lambda a, b: a // b, lockstep_calls.floor_div),
    "modulo": (lambda a, b: a % b, lockstep_calls.modulo),
    "less": (lambda a, b: a < b, lambda at, a, b: many.compare(ast.Lt, a, b)),
    "most": (lambda a, b: a <= b, lambda at, a, b: many.compare(ast.LtE, a, b)),
    "more": (lambda a, b: a > b, lambda at, a, b: many.compare(ast.Gt, a, b)),
    "same": (lambda a, b: a == b, lambda at, a, b: many.compare(ast.Eq, a, b)),
    "other": (lambda a, b: a != b, lambda at, a, b: many.compare(ast.NotEq, a, b)),
    "choose": (
        lambda a, b: a if a < b else b,
        lambda at, a, b: many.choose(many.compare(ast.Lt, a, b), a, b),
    ),
    "narrowed": (
        lambda a, b: a + min(b, 1),
        lambda at, a, b: many.plus(
            many.narrowed(many.number(a), at.mask), lockstep_calls.CALLS["min"](at, b, 1), at.mask
        ),
    ),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations(name: str) -> None:
    held(*OPERATIONS[name], NUMBERS, NUMBERS, seed=name)


def test_sizes_of_sets() -> None:
    held(lambda bits: bits.bit_count(), lockstep_calls.CALLS["bit_count"], SETS, seed="sizes")


@pytest.mark.parametrize("size", [1, 2, 3])
def test_indices_from_one_on(size: int) -> None:
    """An index of 0 in one state is left to that state, where it is an error."""

    def alone(i: int) -> int:
        return runtime.index(i, size, 0)

    def together(at: lockstep_calls.Choosing, i: Any) -> Any:
        return lockstep_calls.CALLS["index"](at, i, size, 0)

    held(alone, together, (0, 1, 2, 3, 4), seed=f"index {size}")


def test_of_several_that_return_each_state_gets_its_own() -> None:
    first, second = np.array([True, False, False]), np.array([False, True, False])
    joined = lockstep._joined([(first, 1), (second, 2), (True, 3)])
    assert [in_state(joined, k) for k in range(3)] == [1, 2, 3]


@pytest.mark.parametrize("other", [(1, 2, 3), 7])
def test_lists_of_different_kinds_are_left_to_each_state(other: Any) -> None:
    some = np.array([True, False])
    assert many.choose(some, (1, 2), (1, 2)) == (1, 2)
    for a, b in (((1, 2), other), (other, (1, 2))):
        with pytest.raises(many.Irregular):
            many.choose(some, a, b)
