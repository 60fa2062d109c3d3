"""Kernels over state graphs, which need no rules: made once for all games."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any, Final

from numpy.typing import NDArray

from rulegame.native.compiler import MachineCode, has_machine_code

MANY_EDGES: Final = 200_000  # from which on machine code is worth its loading
MOST_EDGES: Final = 2**31 - 1
SIGNATURES: Final = {
    "transpose": "ipppp", "peel": "ippppp", "sweep": "pppppppi", "count_ways": "ipppp",
    "choose": "ipppppp", "shortest": "ipppp", "walk_games": "ppppppppiiiipppppi",
    "connect": "ipppppippppp", "lead_back": "ppppppi",
    "induce": "ipppppppp",
}  # fmt: skip
_LOCK: Final = Lock()
VOID: Final = ("transpose", "count_ways", "choose", "walk_games")


def has_kernels(edges: int) -> bool:
    """Whether a graph with so many edges is better left to machine code, and can be."""
    return MANY_EDGES <= edges <= MOST_EDGES and has_machine_code()


def call(name: str, *given: int | NDArray[Any]) -> int:
    """Calls a kernel with numbers and arrays."""
    with _LOCK:
        function = _function(name)
    result = function(*(one if isinstance(one, int) else one.ctypes.data for one in given))
    return 0 if result is None else int(result)


@cache
def _code() -> MachineCode:
    from rulegame.native.module import graph_module

    return MachineCode(graph_module())


@cache
def _function(name: str) -> Any:
    """A kernel, made when it is first called."""
    return _code().function(name, SIGNATURES[name], "v" if name in VOID else "i")
