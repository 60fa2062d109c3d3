"""A ruleset as an editor sees it while it is being written: what is wrong with it, what its names
mean, and of which type they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulegame.authoring.outline import Outline, outline
from rulegame.authoring.symbols import Symbol
from rulegame.diagnostics import Diagnostic, Span
from rulegame.language import syntax
from rulegame.language.syntax import Expression, Named, name_place
from rulegame.language.typed import Typed
from rulegame.language.types import List, Type
from rulegame.loading import check_ruleset
from rulegame.model import Operation, Ruleset
from rulegame.source.reading import DISK, Files

Types = dict[tuple[str, int, int], str]  # by file, line and column of a name


@dataclass(frozen=True, slots=True)
class Study:
    """What is known of one ruleset at one moment."""

    path: Path
    outline: Outline
    diagnostics: tuple[Diagnostic, ...]
    types: Types
    used_as: dict[Symbol, str]  # the type of a symbol where it is used
    ruleset: Ruleset | None  # None if there are errors

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)

    def type_at(self, span: Span) -> str:
        """The type of the name at a place, in words; empty if it is not known."""
        return self.types.get((span.file, span.line, span.column), "")

    def type_of(self, symbol: Symbol) -> str:
        """The type of a symbol, in words; empty if it has none, or none is known."""
        declared = _declared_type(self.ruleset, symbol) if self.ruleset is not None else None
        if declared is not None:
            return str(declared)
        return self.used_as.get(symbol, "")


def study(path: Path, files: Files = DISK) -> Study:
    """Everything about a ruleset; its diagnostics are those of `rulegame validate`."""
    types: Types = {}

    def heard(e: Expression, found: Typed) -> None:
        if isinstance(e, Named) and isinstance(found.type, Type):
            shown = found.type
            if isinstance(e, syntax.Name) and isinstance(shown, List) and shown.size is not None:
                types.setdefault(_key(name_place(e).span), f"{shown}, {shown.size} of them")
            else:
                types.setdefault(_key(name_place(e).span), str(shown))

    ruleset, diagnostics, _ = check_ruleset(path, str(path), files=files, heard=heard)
    found = outline(path, files)
    used_as: dict[Symbol, str] = {}
    for occurrence in found.occurrences:
        type_ = types.get(_key(occurrence.span))
        for symbol in occurrence.symbols if type_ is not None else ():
            used_as.setdefault(symbol, type_ or "")
    return Study(path, found, diagnostics, types, used_as, ruleset)


def _key(span: Span) -> tuple[str, int, int]:
    return span.file, span.line, span.column


def _declared_type(ruleset: Ruleset, symbol: Symbol) -> Type | None:
    match symbol.kind:
        case "parameter" if symbol.name in ruleset.parameters:
            return ruleset.parameters[symbol.name].type
        case "value" if symbol.name in ruleset.state:
            return ruleset.state[symbol.name].variable.type
        case "value of a move":
            lets = [one.variable for o in _operations(ruleset, symbol) for one in o.lets]
            return next((one.type for one in lets if one.name == symbol.name), None)
        case "choice":
            return next(
                (
                    c.element
                    for o in _operations(ruleset, symbol)
                    for c in o.choices
                    if c.name == symbol.name
                ),
                None,
            )
        case "roll":
            owned = [r for o in _operations(ruleset, symbol) for r in o.rolls]
            rolls = owned if symbol.owner else ruleset.turn.rolls
            return next((r.element for r in rolls if r.name == symbol.name), None)
    return None


def _operations(ruleset: Ruleset, symbol: Symbol) -> list[Operation]:
    done = () if ruleset.together is None else (ruleset.together.done,)
    every = (*ruleset.operations, *ruleset.disabled, *ruleset.setup, *done)
    return [o for o in every if o.name == symbol.owner]
