"""States packed into words: found again, in order, whatever their numbers are."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from rulegame.evaluation.runtime import Cells
from rulegame.exploring.state_table import StateKeys, first_of_each
from rulegame.language.types import NONE_CODE

SIZES = [1, 5, 300, 10**6, 2**62, 2**63 - 1]


def columns_of(states: list[Cells]) -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    return [np.array(column, np.int64) for column in zip(*states, strict=True)]


@pytest.mark.parametrize("seed", range(40))
def test_states_are_found_again(seed: int) -> None:
    random = Random(seed)
    sizes = random.choices(SIZES, k=random.randint(1, 8))

    def state() -> Cells:
        return tuple(
            NONE_CODE if random.random() < 0.1 else random.randint(-size, size) for size in sizes
        )

    start = state()
    keys, numbers = StateKeys(start), {start: 0}
    keys.add(keys.pack(columns_of([start]), 1))
    for _ in range(6):
        states = [state() for _ in range(random.randint(1, 400))]
        states += random.choices(list(numbers), k=10)
        columns = columns_of(states)
        keys.make_room([columns])
        words = keys.pack(columns, len(states))
        found = keys.find(words)
        assert found.tolist() == [numbers.get(s, -1) for s in states]
        missing = np.flatnonzero(found < 0)
        first, which = first_of_each(words[missing])
        fresh = list(dict.fromkeys(states[k] for k in missing))
        assert [states[missing[k]] for k in first] == fresh
        assert [fresh[k] for k in which] == [states[k] for k in missing]
        keys.add(words[missing][first])
        numbers |= {s: len(numbers) + k for k, s in enumerate(fresh)}
    assert list(keys) == list(numbers)
    assert all(keys.number(s) == number for s, number in numbers.items())
    assert list(zip(*(c.tolist() for c in keys.columns(slice(None))), strict=True)) == list(numbers)
    for _ in range(20):
        other = state()
        assert keys.number(other) == numbers.get(other, -1)


def test_a_cell_that_is_the_same_in_all_states_is_packed_as_one_number() -> None:
    keys = StateKeys((5, NONE_CODE, 1))
    keys.make_room([[7, NONE_CODE, np.array([1, 2, 9], np.int64)]])
    keys.add(keys.pack([7, NONE_CODE, np.array([1, 2, 9], np.int64)], 3))
    assert list(keys) == [(7, NONE_CODE, 1), (7, NONE_CODE, 2), (7, NONE_CODE, 9)]
    assert keys[-1] == keys[2]
    with pytest.raises(IndexError):
        keys[3]
