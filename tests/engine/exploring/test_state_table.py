"""States packed into words: found again, in order, whatever their numbers are."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from rulegame.evaluation.runtime import Cells
from rulegame.exploring.state_table import StateKeys
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
    keys.add(columns_of([start]))
    for _ in range(6):
        fresh = list(dict.fromkeys(state() for _ in range(random.randint(1, 400))))
        assert [keys.number(s) for s in fresh] == [numbers.get(s, -1) for s in fresh]
        fresh = [s for s in fresh if s not in numbers]
        if fresh:
            keys.add(columns_of(fresh))
        numbers |= {s: len(numbers) + k for k, s in enumerate(fresh)}
    if random.random() < 0.5:
        keys.finish()
    assert list(keys) == list(numbers)
    assert all(keys.number(s) == number for s, number in numbers.items())
    assert list(zip(*(c.tolist() for c in keys.columns(slice(None))), strict=True)) == list(numbers)
    for _ in range(20):
        other = state()
        assert keys.number(other) == numbers.get(other, -1)


def test_what_is_known_of_cells_is_packed_in_as_few_bits_as_it_takes() -> None:
    """With none, 16 cells of three kinds take two bits each."""
    start = (NONE_CODE,) * 16 + (5,)
    keys = StateKeys(start, [(0, 1)] * 16 + [None])
    others = [(NONE_CODE, 1) * 8 + (k,) for k in range(6, 900)]
    keys.add(columns_of([start, *others]))
    assert keys.width == 1
    assert list(keys) == [start, *others]
    assert keys[-1] == others[-1]
    with pytest.raises(IndexError):
        keys[895]
