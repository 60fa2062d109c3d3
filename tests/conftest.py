"""For all tests: tiers, a reproducible environment, and the processor time used."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

from rulegame.core.passes import VERIFY
from support import tiers

# What a user's own settings would change in what the tests see.
FOREIGN: Final = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING", "INPUTRC")

# Neither chance nor a busy machine may decide whether a test passes.
settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run the full tier: every test")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: not in the quick tier; run by pytest --full")
    config.addinivalue_line("markers", "quick(n): only n cases of this test are in the quick tier")
    tiers.select(full=config.getoption("--full"))


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """A few files that are named are run in this process: that is quick, and easy to look into."""
    named = [Path(name.partition("::")[0]) for name in config.args]
    return 0 if all(path.is_file() for path in named) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select the tier. Each process must collect the same tests in the same order, and sets have
    none.
    """
    if not config.getoption("--full"):
        left_out = set(tiers.deselected(items))
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]
    for item in items:
        for mark in item.iter_markers("parametrize"):
            if isinstance(mark.args[1] if len(mark.args) > 1 else None, Set):
                raise pytest.UsageError(f"{item.nodeid}: its parameters are a set; sort them")


def pytest_collection_finish() -> None:
    """Keep imported modules and collected tests out of garbage collections: the heap is large."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the processor time of this process and its children; workers have ended by now."""
    times = os.times()
    used = times.user + times.system + times.children_user + times.children_system
    terminalreporter.write_line(f"processor time: {used:.0f} s")


@pytest.fixture(scope="session", autouse=True)
def _environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """In the environment itself, so that processes that tests start use it too. Games that are
    played, and what is cached, are kept in folders of this process's own, not in the home.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in FOREIGN:
            patch.delenv(name, raising=False)
        patch.setenv("RULEGAME_HOME", str(tmp_path_factory.mktemp("rulegame_home")))
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("HISTFILE", os.devnull)  # of shells that are started
        patch.setenv(VERIFY, "on")
        before = signal.getsignal(signal.SIGINT)
        if before == signal.SIG_IGN:  # as in the background of a script; children would inherit it
            signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)
