"""The quick tier leaves out what is marked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from support.tiers import deselected


def case(name: str, *marks: pytest.MarkDecorator) -> Any:
    """A collected test with these marks."""
    named = {decorator.mark.name: decorator.mark for decorator in marks}
    return SimpleNamespace(nodeid=f"tests/test_it.py::{name}", get_closest_marker=named.get)


def test_marked_tests_are_left_out() -> None:
    items = [case("test_one"), case("test_two", pytest.mark.full), case("test_three[0]")]
    assert deselected(items) == [items[1]]


@pytest.mark.parametrize(("number", "kept"), [(1, [0]), (2, [0, 5]), (4, [0, 2, 5, 7]), (20, None)])
def test_some_cases_of_a_test_are_kept(number: int, kept: list[int] | None) -> None:
    items = [case(f"test_it[{k}]", pytest.mark.quick(number)) for k in range(10)]
    left_out = deselected(items)
    expected = range(10) if kept is None else kept
    assert [k for k, item in enumerate(items) if item not in left_out] == list(expected)
