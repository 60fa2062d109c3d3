"""Assembly to machine code, by LLVM; kept in the user's cache folder, so that it is made once."""

from __future__ import annotations

import ctypes
import os
import warnings
from functools import cache
from hashlib import sha256
from typing import Any, Final, Self

from rulegame.extras import is_installed, missing
from rulegame.files.cache import load_entry, store_entry

KIND: Final = "machine_code"  # of an entry in the cache
FAST, QUICKLY_MADE = 2, 1  # levels of LLVM's optimisations
LARGE: Final = 1_000_000  # letters of assembly, from which on it is optimised less
SWITCH: Final = "RULEGAME_MACHINE_CODE"  # in the environment; "off": everything is left to Python


class SlowerWarning(UserWarning):
    """There is no machine code, so what would be done by it takes longer."""


def has_machine_code(warn: bool = True) -> bool:
    """Whether machine code can be made here. If not, and nobody switched it off, `warn` once."""
    if toolchain() is not None:
        return True
    if warn and not is_switched_off():
        reason = "llvmlite does not work here" if is_installed("fast") else str(missing("fast"))
        warnings.warn(f"Running in Python, which is slower. {reason}", SlowerWarning, stacklevel=1)
    return False


def is_switched_off() -> bool:
    """Whether somebody wants everything done by Python."""
    return os.environ.get(SWITCH, "").lower() in ("off", "0", "no", "false")


@cache
def toolchain() -> Any:
    """llvmlite's binding to LLVM, ready for this machine; None where there is none."""
    if is_switched_off() or not is_installed("fast"):
        return None
    try:
        from llvmlite import binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    except (ImportError, OSError, RuntimeError):
        return None
    return llvm


def is_cached(text: str) -> bool:
    """Whether this assembly was compiled before."""
    return load_entry(KIND, _key(text)) is not None


class MachineCode:
    """Functions that have been loaded, by name."""

    def __init__(self, text: str) -> None:
        llvm = toolchain()
        self.was_cached = True
        code = self._compiled(llvm, text)
        # the engine keeps the description of the machine, so it gets one of its own
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine(FAST))
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def _compiled(self, llvm: Any, text: str) -> bytes:
        level = FAST if len(text) < LARGE else QUICKLY_MADE
        key = _key(text)
        known = load_entry(KIND, key)
        if known is not None:
            return known
        self.was_cached = False
        module = llvm.parse_assembly(text)
        options = llvm.create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization = options.slp_vectorization = level == FAST
        machine = _target_machine(level)
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        code: bytes = machine.emit_object(module)
        store_entry(KIND, key, code)
        return code

    def function(self, name: str, arguments: str, result: str = "i") -> Any:
        """A function to call: `p` an address, `i` a number, `f` a floating-point one; `w`, `d` and
        `b` a contiguous array of 64-, 32- or 8-bit integers.
        """
        address = self._engine.get_function_address(name)
        made = ctypes.CFUNCTYPE(ARGUMENTS[result], *(ARGUMENTS[a] for a in arguments))(address)
        made.code = self  # type: ignore[attr-defined]  # must live as long as the function
        return made


def _array_type(size: int) -> type[ctypes.c_void_p]:
    """The address of a contiguous array of integers of so many bytes; TypeError for any other."""

    class Array(ctypes.c_void_p):
        @classmethod
        def from_param(cls, given: Any) -> Self:
            if given.dtype.kind not in "iu" or given.itemsize != size:
                raise TypeError(f"expected integers of {size} bytes, not {given.dtype}")
            if not given.flags.c_contiguous:
                raise TypeError("expected a contiguous array")
            return cls(given.ctypes.data)

    return Array


ARGUMENTS: Final[dict[str, Any]] = {
    "p": ctypes.c_void_p, "i": ctypes.c_int64, "f": ctypes.c_double, "v": None,
    "w": _array_type(8), "d": _array_type(4), "b": _array_type(1),
}  # fmt: skip


def _target_machine(level: int) -> Any:
    llvm = toolchain()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        reloc="pic",
        codemodel="jitdefault",
        jit=True,
    )


def _key(text: str) -> bytes:
    """The key of compiled assembly in the cache."""
    return sha256(f"{_identity()}\n{text}".encode()).digest()


@cache
def _identity() -> str:
    """What machine code depends on beside the text."""
    import llvmlite

    llvm = toolchain()
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvmlite.__version__} {llvm.get_host_cpu_name()} {features}"
