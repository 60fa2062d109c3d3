"""Test tiers: plain `pytest` runs the quick tier, `pytest --full` everything.

`@pytest.mark.full` puts a test into the full tier; `@pytest.mark.quick(3)` all cases of a
parametrized test but three, evenly spread.
"""

from __future__ import annotations

import importlib
import os
from typing import Any, NoReturn, TypeVar

import pytest

T = TypeVar("T")
_full = False


def select(*, full: bool) -> None:
    """Set the tier of this process; `tests/conftest.py` calls it before collection."""
    global _full
    _full = full


def deselected(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests that are not in the quick tier."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left_out = []
    for group in cases.values():
        mark = group[0].get_closest_marker("quick")
        number = min(mark.args[0], len(group)) if mark else len(group)
        kept = {k * len(group) // number for k in range(number)}
        left_out += [
            item
            for k, item in enumerate(group)
            if k not in kept or item.get_closest_marker("full") is not None
        ]
    return left_out


def pick(*, quick: T, full: T) -> T:
    """The value for the selected tier."""
    return full if _full else quick


def library(name: str) -> Any:
    """Import a library that `[test]` does not install: skip the caller in the quick tier."""
    if not _full:
        pytest.skip("full tier: run pytest --full", allow_module_level=True)
    return installed(name)


def installed(name: str) -> Any:
    """Import a library of `[test]` that some platforms lack."""
    try:
        return importlib.import_module(name)
    except ImportError:
        missing(f"{name} is not installed")


def missing(reason: str) -> NoReturn:
    """Skip for want of a tool, or fail where CI=true."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)
