"""Computes common subexpressions once, and those that do not change in a loop once for the loop.

A value is computed where it is first asked for, and kept as long as nothing changes that it
depends on. So nothing is computed that was not before, and a fault stays where it was. Only what
takes loops is worth it, and only what is not charged for may happen less often than it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rulegame.core import ir
from rulegame.core.analysis import CHARGED, Key, alpha_key, sets_itself
from rulegame.core.intrinsics import HEAVY, signature_of
from rulegame.core.rewriting import with_children

NEXT: Final = frozenset("t")


def share_values(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with each common subexpression computed once."""
    survey = _Survey(module.metered)
    survey.block(function.body, _Region(None, len(survey.regions)))
    found = _shared(survey.candidates)
    if not found:
        return function
    rewriter = _Rewriter(found)
    return function.replace(body=rewriter.block(function.body))


# ---- what a function computes where


@dataclass(slots=True, eq=False)
class _Region:
    """A block: the statement that it is part of, and whether it is always executed once."""

    parent: _Place | None
    number: int  # in the order of the text
    is_loop: bool = False
    is_sure: bool = True
    entry: frozenset[str] = frozenset()  # what changes where it begins
    returns: bool = False
    places: list[_Place] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Place:
    """A statement, and the names and states that it changes."""

    region: _Region
    index: int
    changes: set[str] = field(default_factory=set)


class _Facts:
    """What an expression or a statement reads, sets and needs."""

    __slots__ = ("is_heavy", "is_plain", "reads", "sets")

    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.sets: set[str] = set()
        self.is_heavy = False
        self.is_plain = True  # it is not charged for

    def add(self, other: _Facts) -> None:
        """What a part reads, sets and needs."""
        self.reads |= other.reads
        self.sets |= other.sets
        self.is_heavy = self.is_heavy or other.is_heavy
        self.is_plain = self.is_plain and other.is_plain


class _Candidate(NamedTuple):
    """An expression that is worth sharing, and the nodes before and behind it in the text."""

    e: ir.Expr
    place: _Place
    names: set[str]
    is_sure: bool  # its statement always evaluates it
    number: int
    end: int
    regions_end: int


class _Survey:
    """Goes through a function in the order of the text, which is that of evaluation."""

    def __init__(self, metered: bool) -> None:
        self._charged = (*CHARGED, "span") if metered else CHARGED
        self.candidates: list[_Candidate] = []
        self.regions: list[_Region] = []
        self._count = 0

    def block(self, statements: ir.Block, region: _Region) -> _Facts:
        self.regions.append(region)
        region.returns = bool(statements) and isinstance(statements[-1], ir.RETURNS)
        total = _Facts()
        for k, s in enumerate(statements):
            place = _Place(region, k)
            region.places.append(place)
            facts = self._statement(s, place)
            place.changes = facts.sets
            total.add(facts)
        return total

    def _statement(self, s: ir.Stmt, place: _Place) -> _Facts:
        total = _Facts()
        total.is_heavy = loop = isinstance(s, ir.For)
        total.sets |= sets_itself(s.call if isinstance(s, ir.Do) else s)
        entry = frozenset(total.sets) if loop or isinstance(s, ir.Attempt) else frozenset()
        for name in s.__inside__:
            if (e := getattr(s, name)) is not None:
                self._expression(e, place, True, True, total)
        for name in s.__within__:
            several = getattr(s, name)
            if type(several) is list:
                region = _Region(place, len(self.regions), loop, False, entry)
                total.add(self.block(several, region))
            else:
                for e in several:
                    self._expression(e, place, True, True, total)
        return total

    def _expression(
        self, e: ir.Expr, place: _Place, sure: bool, asked: bool, around: _Facts
    ) -> None:
        """Add the facts to those of what is `around` it. `asked`: whether it may be evaluated
        before its statement.
        """
        number = self._count
        self._count += 1
        match e:
            case ir.Const():
                return
            case ir.Local(name=name) | ir.Array(state=name):
                around.reads.add(name)
                return
            case ir.BlockExpr(body=body, value=value):
                region = _Region(place, len(self.regions), is_sure=sure)
                facts = self.block(body, region)
                self._expression(value, place, sure, False, facts)
                facts.reads -= facts.sets
                facts.sets &= NEXT
            case _:
                facts = _Facts()
                self._operands(e, place, sure, asked, facts)
        worth = asked and facts.is_heavy and facts.is_plain and "t" not in facts.sets
        if worth and _kind(e) is not None and _stays(e):
            ends = self._count, len(self.regions)
            self.candidates.append(_Candidate(e, place, facts.reads, sure, number, *ends))
        around.add(facts)

    def _operands(self, e: ir.Expr, place: _Place, sure: bool, asked: bool, facts: _Facts) -> None:
        match e:
            case ir.Load(state=state) | ir.Slice(state=state):
                facts.reads.add(state)
            case ir.Call(function=function):
                if function == "over":
                    facts.sets.add("t")
                facts.is_heavy = function in HEAVY
                facts.is_plain = function not in self._charged
        lazy = isinstance(e, (ir.BoolOp, ir.Select))
        chain = isinstance(e, ir.Compare)
        for k, child in enumerate(ir.children(e)):
            assert isinstance(child, ir.Expr)
            may = asked and not (k > 1 and chain)
            self._expression(child, place, sure and not (lazy and k), may, facts)


def _kind(e: ir.Expr) -> type | None:
    """`bool` for a truth, `int` for a number, None for anything else."""
    match e:
        case ir.Compare() | ir.BoolOp():
            return bool
        case ir.Op(operator=operator):
            return bool if operator == "not" else int
        case ir.Call(function=function):
            signature = signature_of(function)
            return None if signature is None else {"i": int, "b": bool}.get(signature.result)
        case ir.Select(then=then, otherwise=otherwise):
            kinds = {_kind(then), _kind(otherwise)}
            return kinds.pop() if len(kinds) == 1 else None
        case ir.Load():
            return int
        case ir.Const(value=value):
            return None if isinstance(value, (str, float)) else type(value)
        case ir.BlockExpr(body=body, value=ir.Local(name=name)):
            for s in body:
                match s:
                    case ir.Assign(name=found, value=value) if found == name:
                        return _kind(value)
            return None
        case ir.BlockExpr(value=value):
            return _kind(value)
    return None


def _stays(e: ir.Expr) -> bool:
    """Whether no fault moves if an expression is evaluated together with its statements."""
    values = [e]
    for value in values:
        for node in ir.own_nodes(value):
            if getattr(node, "site", None) is not None:
                return False
            if isinstance(node, ir.BlockExpr):
                values.append(node.value)
    return True


# ---- which are shared


@dataclass(slots=True)
class _Shared:
    """A value that is kept under a name; `known` says whether it is, unless it certainly is."""

    name: str
    known: str | None
    uses: list[_Candidate]  # in the order of evaluation
    region: _Region  # where it begins to be kept
    index: int


def _shared(candidates: Iterable[_Candidate]) -> list[_Shared]:
    """What is worth sharing; larger expressions first."""
    found: list[_Shared] = []
    kept: list[_Candidate] = []  # the uses of these,
    gone: list[_Candidate] = []  # and those that are dropped
    for group in sorted(_alike(candidates), key=lambda g: g[0].number - g[0].end):
        left = [use for use in group if _around(use, gone) is None]
        for uses in _connected(sorted(left, key=lambda use: use.number)):
            region, index, in_loop = _beginning(uses, kept)
            if not in_loop and (len(uses) == 1 or _is_once_in(uses, found, kept)):
                continue
            name = f"kept{len(found) + 1}"
            sure = not (in_loop or _is_deferred(uses, found)) and _is_sure(uses[0], region)
            found.append(_Shared(name, None if sure else f"is_{name}", uses, region, index))
            kept += uses
            gone += uses[1:] if sure else ()
    return found


def _alike(candidates: Iterable[_Candidate]) -> Iterator[list[_Candidate]]:
    """Candidates with the same value, as far as nothing changes between them."""
    groups: dict[tuple[int, int, int], list[_Candidate]] = {}
    for one in candidates:
        region, index = _home(one)
        groups.setdefault((one.end - one.number, region.number, index), []).append(one)
    for group in groups.values():
        if len(group) == 1:
            yield group
            continue
        equal: dict[Key, list[_Candidate]] = {}
        for one in group:
            equal.setdefault(alpha_key(one.e), []).append(one)
        yield from equal.values()


def _is_once_in(uses: list[_Candidate], found: list[_Shared], kept: list[_Candidate]) -> bool:
    """Whether each use is part of another use of one value, which is computed once itself."""
    outer = {None if o is None else o.number for o in (_around(use, kept) for use in uses)}
    of_one = any(outer <= {use.number for use in shared.uses} for shared in found)
    return len(outer) == len(uses) and of_one


def _is_deferred(uses: list[_Candidate], found: list[_Shared]) -> bool:
    """Whether the first use is part of a value that may be known already, and another is not."""
    first, last = uses[0].number, max(use.end for use in uses)
    around = [use for shared in found if shared.known is not None for use in shared.uses]
    return any(use.number <= first and uses[0].end <= use.end < last for use in around)


def _around(one: _Candidate, others: list[_Candidate]) -> _Candidate | None:
    """The smallest of the others that a candidate is part of."""
    found = [o for o in others if o.number <= one.number and one.end <= o.end and o is not one]
    return min(found, key=lambda o: o.end - o.number, default=None)


def _home(one: _Candidate) -> tuple[_Region, int]:
    """The first statement from which on nothing changes that the candidate depends on."""
    region, index = one.place.region, one.place.index
    while True:
        while index and region.places[index - 1].changes.isdisjoint(one.names):
            index -= 1
        parent = region.parent
        if index or parent is None or not region.entry.isdisjoint(one.names):
            return region, index
        if region.is_loop and not parent.changes.isdisjoint(one.names):
            return region, 0
        region, index = _at(parent)


def _chain(region: _Region, index: int) -> list[tuple[_Region, int]]:
    """The statements around a statement, itself included, from the inside."""
    found = [(region, index)]
    while region.parent is not None:
        region, index = _at(region.parent)
        found.append((region, index))
    return found


def _connected(uses: list[_Candidate]) -> list[list[_Candidate]]:
    """Uses of which the first may be followed by the others."""
    found: list[list[_Candidate]] = []
    for use in uses:
        for group in found:
            if any(_reaches(one, use) for one in group):
                group.append(use)
                break
        else:
            found.append([use])
    return found


def _reaches(one: _Candidate, other: _Candidate) -> bool:
    """Whether a later candidate may be evaluated after an earlier one."""
    around = {region.number: index for region, index in _chain(*_at(other))}
    region, index = _at(one)
    while region.number not in around:
        parent = region.parent
        assert parent is not None
        if region.returns:
            return False
        inner, (region, index) = region, _at(parent)
        if around.get(region.number) == index and not inner.is_sure and not inner.is_loop:
            return _is_inside(other, inner)  # the other branch
    return True


def _at(one: _Candidate | _Place) -> tuple[_Region, int]:
    place = one if isinstance(one, _Place) else one.place
    return place.region, place.index


def _is_inside(one: _Candidate, region: _Region) -> bool:
    return any(around is region for around, _ in _chain(*_at(one)))


def _beginning(uses: list[_Candidate], kept: list[_Candidate]) -> tuple[_Region, int, bool]:
    """Where a value begins to be kept: before the outermost loop in which it does not change, and
    before all its uses; and whether it is kept for a loop. What is part of a value that is kept
    itself needs not be kept for the loops around that.
    """
    in_loop = False
    common: dict[int, tuple[_Region, int]] | None = None
    for use in uses:
        home, _ = _home(use)
        region, index = _at(use)
        around = _chain(region, index)
        outer = _around(use, kept)
        ends = (home,) if outer is None else (home, outer.place.region)
        inside = next(k for k, (one, _) in enumerate(around) if one in ends)
        loops = [k for k, (one, _) in enumerate(around[:inside]) if one.is_loop]
        in_loop = in_loop or bool(loops)
        chain = {one.number: (one, i) for one, i in around[loops[-1] + 1 if loops else 0 :]}
        if common is None:
            common = chain
        else:
            both = common.keys() & chain.keys()
            common = {n: (common[n][0], min(common[n][1], chain[n][1])) for n in both}
    assert common is not None
    region, index = common[max(common)]
    return region, index, in_loop


def _is_sure(first: _Candidate, region: _Region) -> bool:
    """Whether the first use is always evaluated where the region is executed."""
    inner = first.place.region
    while inner is not region:
        if not inner.is_sure or inner.parent is None:
            return False
        inner = inner.parent.region
    return first.is_sure


# ---- rewriting


class _Rewriter:
    """Goes through a function as the survey did."""

    def __init__(self, found: Iterable[_Shared]) -> None:
        self._uses: dict[int, tuple[_Shared, _Candidate]] = {}
        self._begun: dict[tuple[int, int], list[ir.Stmt]] = {}
        for shared in found:
            for use in shared.uses:
                self._uses.setdefault(use.number, (shared, use))
            if shared.known is not None:
                nothing = False if _kind(shared.uses[0].e) is bool else 0
                self._begun.setdefault((shared.region.number, shared.index), []).extend((
                    ir.Assign(shared.known, ir.Const(False)),
                    ir.Assign(shared.name, ir.Const(nothing)),
                ))  # fmt: skip
        self._count = self._regions = 0

    def block(self, statements: ir.Block) -> ir.Block:
        region = self._regions
        self._regions += 1
        done: ir.Block = []
        for k, s in enumerate(statements):
            done += self._begun.get((region, k), ())
            done.append(with_children(s, self._expression, self.block))
        return done

    def _expression(self, e: ir.Expr) -> ir.Expr:
        number = self._count
        self._count += 1
        shared, use = self._uses.get(number, (None, None))
        if shared is None or use is None:
            return self._inside(e)
        kept = ir.Local(shared.name)
        if shared.known is None and use is not shared.uses[0]:
            self._count, self._regions = use.end, use.regions_end
            return kept
        computed: ir.Block = [ir.Assign(shared.name, self._inside(e))]
        if shared.known is None:
            return ir.BlockExpr(computed, kept)
        computed.append(ir.Assign(shared.known, ir.Const(True)))
        return ir.BlockExpr([ir.If(ir.invert(ir.Local(shared.known)), computed, [])], kept)

    def _inside(self, e: ir.Expr) -> ir.Expr:
        if isinstance(e, ir.BlockExpr):
            body = self.block(e.body)
            return ir.BlockExpr(body, self._expression(e.value))
        return with_children(e, self._expression)
