"""Switches that decide how the engine computes: native code or Python, memory or files."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any, Final
from unittest.mock import patch

from rulegame.native import compiler, graph_kernels
from rulegame.players import machinery
from rulegame.solving.perfect_information import keeping
from support.backends import THRESHOLDS

Setting = tuple[Any, str, Any]  # a module, the name of a constant, its value

PYTHON: Final = "Python"
NATIVE: Final = "native code"

GRAPHS: Final[list[Setting]] = [(graph_kernels, "MANY_EDGES", 1)]
RULES: Final[list[Setting]] = [
    *((module, name, 0) for module, name in THRESHOLDS),
    *GRAPHS,
    (machinery, "WORTH", 0.0),
]
CACHE: Final[list[Setting]] = [(keeping, "FEWEST_EDGES", 0), (keeping, "WORTH_KEEPING", 2**60)]


@contextmanager
def settings(*values: Setting) -> Iterator[None]:
    """Change constants of modules."""
    with ExitStack() as stack:
        for module, name, value in values:
            stack.enter_context(patch.object(module, name, value))
        yield


@contextmanager
def backend(name: str, *, rules: bool = True) -> Iterator[None]:
    """PYTHON switches native code off; NATIVE uses it for the smallest graph and, unless `rules` is
    False, compiles the rules of every game.
    """
    changed = {"XDG_CACHE_HOME": _cache().name}
    if name == PYTHON:
        changed[compiler.SWITCH] = "off"
    _finish_threads()
    compiler.toolchain.cache_clear()
    try:
        with patch.dict(os.environ, changed):
            chosen = [] if name == PYTHON else RULES if rules else GRAPHS
            with settings(*chosen):
                try:
                    yield
                finally:
                    _finish_threads()
    finally:
        compiler.toolchain.cache_clear()


def _finish_threads() -> None:
    """Wait for threads that compile in the background."""
    for thread in set(threading.enumerate()) - {threading.current_thread()}:
        if not thread.daemon:
            thread.join()


@cache
def _cache() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="rulegame_fuzz_cache_")
