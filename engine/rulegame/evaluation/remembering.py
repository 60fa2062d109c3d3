"""What generated code works out once, though it is written inside loops or more than once.

A value that does not depend on a loop is worked out when the loop first asks for it, and kept until
the loop is over; one that stands twice in what is worked out together, when it is first asked for.
So nothing is worked out that was not before, and what goes wrong goes wrong where it did. Only what
takes loops of its own is worth it, and only what is not charged for as it runs may happen less
often than it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from rulegame.core import ir
from rulegame.language import typed
from rulegame.language.certainty import Charging, worked_out
from rulegame.language.functions import FUNCTIONS
from rulegame.language.likeness import Likeness, likeness
from rulegame.language.typed import Typed
from rulegame.language.types import Bool, Grid, List, Text


@dataclass(slots=True)
class Kept:
    """The names of a value and of whether it is known, and how many loops it needs."""

    value: str
    known: str
    depth: int
    is_new: bool = False  # it was not asked for before
    is_sure: bool = False  # it is certainly known from then on


class _Facts(NamedTuple):
    e: Typed  # which keeps its identity from being another's
    names: frozenset[str]  # that it does not give itself
    loops: bool
    plain: bool  # it is not charged for, and looks at nothing but the state as it is


@dataclass(slots=True)
class _Stretch:
    """Statements during which values are kept: a loop (in its block), or some that share them."""

    depth: int
    block: ir.Block
    start: int  # where it begins in the block
    among: frozenset[Likeness] | None = (
        None  # only these; None: whatever does not depend on the loop
    )
    bound: frozenset[str] = frozenset()
    kept: dict[Likeness, Kept] = field(default_factory=dict)


@dataclass(slots=True)
class _Found:
    """What stands once or twice in some expressions, and the names that they give."""

    once: set[Likeness] = field(default_factory=set)
    twice: set[Likeness] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)


class Memory:
    """What is kept where."""

    def __init__(self) -> None:
        self._loops: list[_Stretch] = []
        self._shared: list[_Stretch] = []
        self._depths: dict[str, int] = {}  # of names, in loops
        self._facts: dict[int, _Facts] = {}
        self._alike: dict[int, Likeness] = {}  # by the identity of what has facts
        self._made = 0
        self._paused = 0

    @contextmanager
    def pause(self) -> Iterator[None]:
        """What is written inside may not be worked out at all: nothing is worked out before it."""
        self._paused += 1
        try:
            yield
        finally:
            self._paused -= 1

    def bind(self, name: str, value: Typed | None = None) -> None:
        """A name that is given a value here, or is another one for something."""
        match value:
            case typed.Local(name=other):
                self._depths[name] = self._depths.get(other, 0)
            case typed.Constant() | typed.Seat():
                self._depths[name] = 0
            case _:
                self._depths[name] = len(self._loops)

    @contextmanager
    def loop(self, block: ir.Block) -> Iterator[None]:
        """A loop that will be added to a block."""
        self._loops.append(_Stretch(len(self._loops), block, len(block)))
        try:
            yield
        finally:
            self._loops.pop()

    @contextmanager
    def sharing(
        self, roots: Iterable[Typed], block: ir.Block, charging: Charging
    ) -> Iterator[None]:
        """Expressions that are worked out one after the other, while nothing changes."""
        found = _Found()
        for root in roots:
            self._count(root, charging, found)
        depth, among = len(self._loops), frozenset(found.twice)
        self._shared.append(_Stretch(depth, block, len(block), among, frozenset(found.bound)))
        try:
            yield
        finally:
            self._shared.pop()

    def _count(self, e: Typed, charging: Charging, found: _Found) -> None:
        match e:
            case typed.Let(name=name):
                found.bound.add(name)
            case typed.Aggregate(loops=loops):
                found.bound.update(loop.name for loop in loops)
        if not self._facts_of(e, charging).loops:
            return
        if self._is_worth(e, charging):
            key = self._likeness(e)
            if key in found.once:
                found.twice.add(key)
                return
            found.once.add(key)
        for part in typed.parts(e):
            self._count(part, charging, found)

    def kept(self, e: Typed, charging: Charging, block: ir.Block) -> Kept | None:
        """Under which names a value is kept that is asked for in a block, if it is."""
        if self._paused or not (self._loops or self._shared) or not self._is_worth(e, charging):
            return None
        names = self._facts_of(e, charging).names
        depth = max((self._depths.get(name, 0) for name in names), default=0)
        if depth < len(self._loops):
            return self._keep(self._loops[depth], e, False)
        for stretch in reversed(self._shared):
            if stretch.depth == depth and stretch.among and names.isdisjoint(stretch.bound):
                shared = self._likeness(e) in stretch.among
                return self._keep(stretch, e, block is stretch.block) if shared else None
        return None

    def _keep(self, stretch: _Stretch, e: Typed, is_sure: bool) -> Kept:
        key = self._likeness(e)
        kept = stretch.kept.get(key)
        if kept is not None:
            kept.is_new = False
            return kept
        self._made += 1
        name = f"kept{self._made}"
        kept = stretch.kept[key] = Kept(name, f"is_{name}", stretch.depth, True, is_sure)
        nothing = False if isinstance(e.type, Bool) else 0
        for name, value in ((kept.known, False), (kept.value, nothing)) if not is_sure else ():
            begun = ir.Assign(name, ir.Const(value))
            stretch.block.insert(stretch.start, begun)
        return kept

    @contextmanager
    def at(self, depth: int) -> Iterator[None]:
        """Working out what needs only so many of the loops."""
        loops, self._loops = self._loops, self._loops[:depth]
        try:
            yield
        finally:
            self._loops = loops

    def _likeness(self, e: Typed) -> Likeness:
        known = self._alike.get(id(e))
        if known is None:
            known = self._alike[id(e)] = likeness(e)
        return known

    # ---- which are worth it

    def _is_worth(self, e: Typed, charging: Charging) -> bool:
        if isinstance(e, (typed.Constant, typed.Local, typed.Seat, typed.Value)):
            return False
        facts = self._facts_of(e, charging)
        return facts.loops and facts.plain and not isinstance(e.type, (List, Grid, Text))

    def _facts_of(self, e: Typed, charging: Charging) -> _Facts:
        known = self._facts.get(id(e))
        if known is None:
            known = self._facts[id(e)] = self._worked_out(e, charging)
        return known

    def _worked_out(self, e: Typed, charging: Charging) -> _Facts:
        parts = [self._facts_of(part, charging) for part in worked_out(e)]
        names = frozenset().union(*(part.names for part in parts))
        loops = isinstance(e, typed.Aggregate) or any(part.loops for part in parts)
        plain = charging.is_free(e) and all(part.plain for part in parts)
        match e:
            case typed.Local(name=name):
                names = frozenset([name])
            case typed.Let(name=name):
                names -= {name}
            case typed.Aggregate():
                names -= {loop.name for loop in e.loops}
            case typed.Call(function=function):
                known = FUNCTIONS.get(function)
                loops = loops or (known is not None and known.is_loop)
            case typed.Value(era=era):
                plain = plain and era == "now"
        return _Facts(e, names, loops, plain)
