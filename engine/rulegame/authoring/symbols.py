"""Symbols: what names stand for, where they are declared, and every place that mentions one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from rulegame.diagnostics import Span
from rulegame.source.nodes import Node

Kind = Literal[
    "parameter", "definition", "argument", "value", "operation", "setup", "choice", "roll", "step",
    "value of a move", "type",
    "validity rule", "end rule", "word", "loop", "function", "special", "text name",
]  # fmt: skip

BUILT_IN: Final = ("function", "special", "text name")  # kinds that no ruleset declares


class Symbol(NamedTuple):
    """What a name stands for. `owner` is the operation of a choice, a roll or a step, the
    definition of an argument, the place of a loop; empty for what the whole ruleset knows.
    """

    kind: Kind
    name: str
    owner: str = ""


class Declaration(NamedTuple):
    """Where a file declares a symbol, or changes what its parent declares."""

    symbol: Symbol
    span: Span  # of the name alone
    node: Node
    about: str = ""
    each_player: bool = False
    arguments: tuple[str, ...] | None = None  # of a definition


class Occurrence(NamedTuple):
    """A name in a file. It stands for several symbols where a rule is about several operations:
    `n` is then the choice `n` of each.
    """

    span: Span
    symbols: tuple[Symbol, ...]
    declares: bool = False


@dataclass(slots=True)
class DeclaredNames:
    """What a ruleset and its parents declare; the declarations of a symbol begin with the oldest
    parent's.
    """

    declared: dict[Symbol, list[Declaration]] = field(default_factory=dict)
    players: int = 2
    together: bool = False  # whether players choose at once
    _by_name: dict[tuple[str, str], dict[Symbol, None]] = field(default_factory=dict)
    _by_owner: dict[tuple[str, str | None], dict[Symbol, None]] = field(default_factory=dict)

    def add(self, declaration: Declaration) -> None:
        symbol = declaration.symbol
        self.declared.setdefault(symbol, []).append(declaration)
        self._by_name.setdefault((symbol.kind, symbol.name), {})[symbol] = None
        for owner in (symbol.owner, None):
            self._by_owner.setdefault((symbol.kind, owner), {})[symbol] = None

    def remove(self, symbol: Symbol) -> None:
        """Forget what a variant removes, with everything that it owns."""
        for known in [
            s
            for s in self.declared
            if s == symbol or (symbol.kind in OWNERS and s.owner == symbol.name)
        ]:
            del self.declared[known]
            self._by_name[known.kind, known.name].pop(known)
            for owner in (known.owner, None):
                self._by_owner[known.kind, owner].pop(known)

    def of(self, *kinds: Kind, owner: str | None = None) -> list[Symbol]:
        """The symbols of these kinds, of that owner if one is given, in the order of the file."""
        return [s for kind in kinds for s in self._by_owner.get((kind, owner), ())]

    def named(self, name: str, *kinds: Kind) -> tuple[Symbol, ...]:
        """The symbols of these kinds and that name."""
        return tuple(s for kind in kinds for s in self._by_name.get((kind, name), ()))

    def first(self, name: str, *kinds: Kind) -> tuple[Symbol, ...]:
        """The same for the first of the kinds that has one."""
        return next((found for kind in kinds if (found := self.named(name, kind))), ())

    def declaration(self, symbol: Symbol) -> Declaration | None:
        """The first declaration: the oldest parent's."""
        known = self.declared.get(symbol)
        return known[0] if known else None

    def about(self, symbol: Symbol) -> str:
        """What the ruleset says about it; a variant may say it anew."""
        return next((d.about for d in reversed(self.declared.get(symbol, [])) if d.about), "")

    def is_each_player(self, symbol: Symbol) -> bool:
        return any(d.each_player for d in self.declared.get(symbol, ()))


OWNERS: Final = ("operation", "setup", "definition")  # kinds with symbols of their own


def related(symbols: Iterable[Symbol], occurrences: Iterable[Occurrence]) -> frozenset[Symbol]:
    """All symbols that must keep one name: those that some occurrence stands for together."""
    group = frozenset(symbols)
    joined = [frozenset(o.symbols) for o in occurrences if len(o.symbols) > 1]
    while True:
        wider = group.union(*(one for one in joined if one & group))
        if wider == group:
            return group
        group = wider
