"""Python and machine code: force one of them, however little or much there is to do."""

from __future__ import annotations

from typing import Final

import pytest

from rulegame.exploring import explorer
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


def use_backend(monkeypatch: pytest.MonkeyPatch, backend: str) -> None:
    """Explore, solve, look ahead and simulate with this backend alone."""
    for module, name in THRESHOLDS:
        monkeypatch.setattr(module, name, 0 if backend == MACHINE_CODE else 10**18)
