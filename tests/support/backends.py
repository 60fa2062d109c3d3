"""Force Python or machine code, memory or files, however little or much there is to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from rulegame import exploring
from rulegame.exploring import explorer
from rulegame.files import mapped
from rulegame.native import graph_kernels, profitability
from rulegame.native.compiler import toolchain
from rulegame.solving.lookahead import solution as deepening

PYTHON: Final = "python"
MACHINE_CODE: Final = "machine code"
BACKENDS: Final = [PYTHON, *([MACHINE_CODE] if toolchain() is not None else [])]
# The work from which on machine code is used.
THRESHOLDS: Final = (
    (explorer, "FIRST_EDGES"),
    (graph_kernels, "MANY_EDGES"),
    (deepening, "FEW"),
    (profitability, "SCALE"),
)


# Every array of a game explored with `spill` is in a file, wherever temporary files are kept.
FILES: Final[tuple[tuple[Any, str, Any], ...]] = (
    (mapped, "SMALL", 1),
    (mapped, "MOUNTS", Path("/none")),
    (exploring, "LEAST_SPILLING", 0),
    (exploring, "SHARE", 1e-9),
)


def use_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Explore and solve in files instead of memory."""
    for module, name, value in FILES:
        monkeypatch.setattr(module, name, value)


def use_backend(monkeypatch: pytest.MonkeyPatch, backend: str) -> None:
    """Explore, solve, look ahead and simulate with this backend alone."""
    for module, name in THRESHOLDS:
        monkeypatch.setattr(module, name, 0 if backend == MACHINE_CODE else 10**18)
