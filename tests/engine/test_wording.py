"""Lists, counts and values as messages write them."""

from __future__ import annotations

from typing import Any

import pytest

from rulegame.proving.findings import ParameterSetting
from rulegame.wording import as_written, counted, joined


@pytest.mark.parametrize(
    ("items", "text"),
    [([], ""), (["1"], "1"), (["1", "2"], "1 or 2"), (["1", "2", "3"], "1, 2 or 3")],
)
def test_lists(items: list[str], text: str) -> None:
    assert joined(items, "or") == text


def test_counts() -> None:
    assert [counted(n, "state") for n in (0, 1, 2, 3004)] == [
        "0 states",
        "1 state",
        "2 states",
        "3,004 states",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "none"),
        (True, "true"),
        (1, "1"),
        ("odd", "odd"),
        (frozenset({3, 1}), "[1, 3]"),
        ([(True, None), [2]], "[[true, none], [2]]"),
    ],
)
def test_values(value: Any, text: str) -> None:
    assert as_written(value) == text


def test_a_setting_can_be_typed_again() -> None:
    assert (
        str(ParameterSetting({"open": [True, False], "start": 7})) == "open=[true, false], start=7"
    )
