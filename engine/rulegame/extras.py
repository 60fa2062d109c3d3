"""Optional packages: which extra of rulegame installs which, and whether they are installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final, NamedTuple

from rulegame.wording import joined


class Extra(NamedTuple):
    """An extra: the modules that it installs, each with the name of its project."""

    task: str  # that needs it, as the subject of a sentence
    modules: dict[str, str]


SOLVING: Final = {"numpy": "NumPy", "scipy": "SciPy"}
EXTRAS: Final = {
    "solve": Extra("Solving", SOLVING),
    "fast": Extra("Machine code", {"llvmlite": "llvmlite", "numpy": "NumPy"}),
    "lsp": Extra("The language server", {"pygls": "pygls"}),
    "studio": Extra(
        "The studio",
        {"starlette": "Starlette", "uvicorn": "Uvicorn", "websockets": "websockets"},
    ),
    "plots": Extra("Plotting", {"matplotlib": "Matplotlib", **SOLVING}),
    "notebooks": Extra("A table of results", {"pandas": "pandas"}),
    "cluster": Extra("A cluster", {"distributed": "Dask"}),
    "parquet": Extra("Writing Parquet", {"pyarrow": "PyArrow", **SOLVING}),
    "gymnasium": Extra("A Gymnasium environment", {"gymnasium": "Gymnasium", **SOLVING}),
    "pettingzoo": Extra(
        "A PettingZoo environment",
        {"pettingzoo": "PettingZoo", "gymnasium": "Gymnasium", **SOLVING},
    ),
    "openspiel": Extra("An OpenSpiel game", {"pyspiel": "OpenSpiel", **SOLVING}),
}
PLAYERS: Final = {"perfect": "Perfect play", "policy": "Playing a policy"}  # that need solving


class MissingExtra(ModuleNotFoundError):
    """Something needs packages that are not installed; the message has the command to install
    them.
    """


def is_installed(extra: str) -> bool:
    """Whether every package of an extra is installed. Imports none of them."""
    return all(_has_module(name) for name in EXTRAS[extra].modules)


def require(extra: str, task: str = "") -> None:
    """MissingExtra unless an extra is installed. `task` is what needs it, as the subject of a
    sentence.
    """
    if not is_installed(extra):
        raise missing(extra, task)


def require_player(spec: str) -> None:
    """MissingExtra if a player, such as `perfect`, needs packages that are not installed."""
    name = spec.partition(":")[0].strip()
    if name in PLAYERS:
        require("solve", PLAYERS[name])


def missing(extra: str, task: str = "") -> MissingExtra:
    """The error for an extra that is not installed."""
    known = EXTRAS[extra]
    names = list(known.modules.values())
    them = "it" if len(names) == 1 else "them"
    return MissingExtra(
        f"{task or known.task} needs {joined(names, 'and')}. "
        f"Install {them} with: {install_command(extra)}"
    )


def install_command(extra: str) -> str:
    """The command that installs an extra."""
    return f'pip install "rulegame[{extra}]"'


def _has_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):  # hidden by an import hook; half imported
        return False
