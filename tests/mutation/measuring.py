"""A plugin for pytest: which lines of the engine each test runs, and how long each one takes.

Used by `mapping`, one process for each file of tests, so that what one file has cached does not
hide from another. Where it writes is said by the environment.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

from mutation.sampling import PACKAGES, sources

PACKAGE = Path(os.environ["MUTATION_PACKAGE"])
RESULT = Path(os.environ["MUTATION_RESULT"])
KNOWN = set(json.loads(Path(os.environ["MUTATION_KNOWN"]).read_text(encoding="utf-8")))

seconds: dict[str, float] = {}
failed: set[str] = set()
measured = coverage.Coverage(
    data_file=None,
    config_file=False,
    include=[str(PACKAGE / source) for source in sources(PACKAGE, list(PACKAGES))],
)
measured.start()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is known already is not run again."""
    items[:] = [item for item in items if item.nodeid not in KNOWN]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """What runs from here on belongs to this test; all else, to the file of tests."""
    measured.switch_context(item.nodeid)
    began = _spent()
    try:
        return (yield)
    finally:
        seconds[item.nodeid] = _spent() - began
        measured.switch_context("")


def _spent() -> float:
    """Seconds of the processor, which do not depend on what else runs."""
    return sum(os.times()[:4])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """What fails here would fail against every mutant."""
    if report.failed or hasattr(report, "wasxfail"):
        failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    """Written at once, so that a file that was broken off counts as not measured."""
    measured.stop()
    data = measured.get_data()
    tests = sorted(seconds)
    number = {name: index for index, name in enumerate(tests)} | {"": -1}
    lines = {
        str(Path(file).relative_to(PACKAGE)): {
            line: sorted(number[name] for name in names)
            for line, names in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }
    passed = {name: round(seconds[name], 4) for name in tests if name not in failed}
    found = {"names": tests, "seconds": passed, "lines": lines}
    RESULT.write_text(json.dumps(found), encoding="utf-8")
