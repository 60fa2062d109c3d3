"""What a value has to show, before it is HTML or a table: a heading, facts, tables, a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, Final, NamedTuple, Protocol

MOST_BITS: Final = 13_000  # of a fraction that is written out: what Python writes by default

Row = dict[str, Any]
Rows = Callable[[], Iterable[Row]]


class Face(NamedTuple):
    """What is shown of a value."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    tables: Mapping[str, Rows] = {}  # the first is meant if none is named
    shown: tuple[str, ...] = ()  # the names of the tables that people see
    picture: str = ""  # SVG
    text: str = ""  # HTML


class Valued(Protocol):
    """What has an exact value, or bounds between which it lies."""

    @property
    def value(self) -> Fraction | None: ...
    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...


HOMES: Final = {
    "positions": ("Game", "State", "View"),
    "solutions": (
        "LookaheadSolution",
        "MixedSolution",
        "MultiplayerSolution",
        "PerfectInformationSolution",
        "RevealedSolution",
        "SolutionExplanation",
    ),
    "reports": ("CheckResult", "Comparison", "Report", "Rulebook", "SweepResult"),
}  # which module knows which class: a report can be shown without the solver


def face_of(value: object) -> Face:
    """What a value has to show."""
    for kind in type(value).__mro__:
        for module, names in HOMES.items():
            if kind.__name__ in names:
                faces = import_module(f"rulegame.showing.{module}").FACES
                found: Face = faces[kind.__name__](value)
                return found
    raise TypeError(f"{type(value).__name__} has nothing to show")


def written(value: Fraction | float | None) -> Fraction | None:
    """A value that is known exactly, unless it is beyond measure."""
    if not isinstance(value, Fraction) or value.denominator.bit_length() > MOST_BITS:
        return None
    return value


def middle(valued: Valued) -> float:
    """The value as a decimal; halfway between the bounds where it is not known."""
    return (valued.lower + valued.upper) / 2 if valued.value is None else float(valued.value)


def value_cells(valued: Valued) -> Row:
    """The columns of a value."""
    return {
        "value": written(valued.value),
        "value_decimal": middle(valued),
        "lower": valued.lower,
        "upper": valued.upper,
    }
