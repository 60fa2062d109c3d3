"""Kernels over state graphs, which need no rules: made once for all games."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from rulegame.native.compiler import MachineCode, has_machine_code

if TYPE_CHECKING:
    from numpy.typing import NDArray

MANY_EDGES: Final = 100_000  # from which on machine code is worth its loading
MOST_EDGES: Final = 2**31 - 1
_LOCK: Final = Lock()


def has_kernels(edges: int) -> bool:
    """Whether a graph with so many edges is better left to machine code, and can be."""
    return MANY_EDGES <= edges <= MOST_EDGES and has_machine_code()


def call(name: str, *given: int | NDArray[Any]) -> int:
    """Call a kernel with numbers and arrays. An array must be contiguous and have the element type
    that the kernel declares; ctypes.ArgumentError if not.
    """
    with _LOCK:
        function = _function(name)
    result = function(*given)
    return 0 if result is None else int(result)


def run_python(name: str, *given: int | NDArray[Any]) -> int:
    """The same without machine code: a kernel is Python, too."""
    function = _python_function(name)
    result = function(*(one if isinstance(one, int) else memoryview(one) for one in given))  # type: ignore[arg-type]
    return 0 if result is None else int(result)


@cache
def _python_function(name: str) -> Any:
    from rulegame.native.kernels import graphs

    return getattr(graphs, name)


@cache
def _code() -> MachineCode:
    from rulegame.native.module import graph_module

    return MachineCode(graph_module())


@cache
def _function(name: str) -> Any:
    """A kernel, made when it is first called."""
    from rulegame.native.module import graph_signature

    return _code().function(name, *graph_signature(name))
