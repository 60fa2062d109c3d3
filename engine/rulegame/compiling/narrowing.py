"""End rules that look only at what a move has changed.

`any(all(c == me for c in line) for line in lines(board, 3))` asks about every line of the board.
Where it was false before a move, it can be true only of a line with a cell that the move has
written. It was false if it is so at the start and no state in which it holds is played on from:

- It ends the game for whoever has just moved, for it is an end rule, or one of the alternatives of
  one. If it does not mention `me`, that is all.
- If it does, a move must not make it true for anybody else. So it has to say of a line that all its
  cells are as the player has them (`me`, or a word that depends on who moves), and players write
  only what is theirs, or what is nobody's.

Nothing else may write to the board: no setup choice, and no effect before a roll, after which end
rules are not asked. What the condition says besides must be total (`core.analysis`), and
read nothing but the board; the board must be seen by all, since players who cannot see a value make
one up. A state that was made by hand may hold what no game leads to: see `Kernel.admit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from rulegame.compiling.program import Program
from rulegame.core.analysis import is_total
from rulegame.evaluation.emitting import Emitter, Sites
from rulegame.evaluation.evaluator import compile_expression, compile_stateless
from rulegame.evaluation.runtime import Cells, Fault
from rulegame.language import typed
from rulegame.language.trees import Tree, rebuilt
from rulegame.language.typed import Typed, Variable, Write
from rulegame.language.types import Bool, Grid, List
from rulegame.model import Effects, Operation, Roll, Ruleset, Step
from rulegame.model.repetition import repetitions_in

Codes = tuple[frozenset[int], ...]  # what may be written, by who moves


class Narrow(NamedTuple):
    """An alternative of an end rule that holds in no state in which a game goes on, whoever moves.
    After some operations it need be asked only of lines with a cell that one of the writes changed.
    """

    condition: Typed
    loop: str  # through the lines,
    grid: Variable  # of this board
    watched: Mapping[str, tuple[Write, ...]]  # by operation; none: it is false without being asked
    holds: Callable[[Cells, int], bool]  # whether it is so in some cells, for a player


def plain(e: Typed) -> Typed:
    """The expression with definitions' arguments that are names or constants in their places."""

    def change(part: Tree) -> Tree | None:
        if not isinstance(part, typed.Let):
            return None
        if not isinstance(part.value, (typed.Constant, typed.Local, typed.Seat)):
            return None
        return plain(_put(part.body, part.name, part.value))

    return rebuilt(e, change)  # type: ignore[no-any-return]


def _put(body: Typed, name: str, value: Typed) -> Typed:
    """Names are given once in a ruleset: no loop inside can take one away."""

    def change(part: Tree) -> Tree | None:
        return value if isinstance(part, typed.Local) and part.name == name else None

    return rebuilt(body, change)  # type: ignore[no-any-return]


def alternatives(condition: Typed) -> list[Typed]:
    """What a condition is an `or` of."""
    if isinstance(condition, typed.BoolOp) and condition.operator == "or":
        return [one for operand in condition.operands for one in alternatives(operand)]
    return [condition]


def narrowed(program: Program, strict: bool, metered: bool) -> dict[Typed, Narrow]:
    """The alternatives of end rules that may be narrowed."""
    found = {}
    seats = range(len(program.ruleset.players))
    for rule in program.ruleset.end:
        for condition in map(plain, alternatives(rule.when)):
            narrow = _narrow(program, condition, strict, metered)
            if narrow is not None and not any(narrow.holds(program.start[0], p) for p in seats):
                found[condition] = narrow
    return found


def _narrow(program: Program, condition: Typed, strict: bool, metered: bool) -> Narrow | None:
    """One of them, as far as the rules tell; not whether it holds at the start."""
    ruleset = program.ruleset
    search = _lines_of(condition)
    values = [p for p in typed.every_part(condition) if isinstance(p, typed.Value)]
    if search is None or len(values) != 1:
        return None
    if any(repetitions_in(condition)):
        return None
    if typed.free_names(condition) or _is_hidden(ruleset, values[0]):
        return None
    lines, claims, name = search
    variable = values[0].variable
    if not _is_written_in_moves_only(ruleset, variable):
        return None
    watched = _all_writes(ruleset, variable)
    if _mentions(condition, "first"):
        return None
    if _mentions(condition, "me"):
        theirs = _claimed(claims, name, lines, len(ruleset.players))
        if theirs is None:
            return None
        for operation, writes in watched.items():
            kept = _own(writes, theirs)
            if kept is None:
                return None
            watched[operation] = kept
    emitter = Emitter(program.shape.layout, Sites(), strict=strict)
    if not is_total([emitter.emit(condition)], metered):
        return None
    single = {o.name for o in ruleset.operations if _are_single(o, watched.get(o.name, ()))}
    asked = compile_expression(
        condition, program.shape.layout, Sites(), {}, None, {}, optimise=False
    )

    def holds(cells: Cells, seat: int) -> bool:
        return bool(asked(cells, (), seat, ()))

    return Narrow(
        condition, name, variable, {o: w for o, w in watched.items() if o in single}, holds
    )


def _mentions(condition: Typed, which: str) -> bool:
    seats = [p for p in typed.every_part(condition) if isinstance(p, typed.Seat)]
    return any(seat.which == which for seat in seats)


def _is_hidden(ruleset: Ruleset, value: typed.Value) -> bool:
    return value.era != "now" or ruleset.state[value.variable.name].seen_by != "all"


# ---- what a condition says of a line


def _lines_of(e: Typed) -> tuple[Typed, list[Typed], str] | None:
    """The lines among which a condition looks for one, what must hold of it, and its name."""
    if not isinstance(e, typed.Aggregate) or e.function != "any":
        return None
    for k, loop in enumerate(e.loops):
        match loop.collection:
            case typed.Call(function="lines", arguments=(typed.Value(owner=None, type=Grid()), _)):
                asked = [inner.condition for inner in e.loops[k:]]
                return loop.collection, [c for c in (*asked, e.body) if c is not None], loop.name
    return _lines_of(e.body)


def _claimed(
    claims: Iterable[Typed], name: str, lines: Typed, players: int
) -> tuple[int, ...] | None:
    """What every cell of the line must be, by who moves, if all of that holds."""
    length = _length(lines)
    if length is None:
        return None
    pinned: dict[tuple[int, ...], set[int]] = {}
    for claim in claims:
        for value, cells in _pins(claim, name, length):
            codes = _codes(value, players)
            if codes is not None and all(len(c) == 1 for c in codes):
                key = tuple(code for [code] in codes)
                pinned.setdefault(key, set()).update(cells)
    return next((key for key, cells in pinned.items() if len(cells) == length), None)


def _length(lines: Typed) -> int | None:
    of = lines.type.of if isinstance(lines.type, List) else None
    return of.size if isinstance(of, List) else None


def _pins(claim: Typed, name: str, length: int) -> Iterator[tuple[Typed, Iterable[int]]]:
    """The values that cells of a line certainly have if a claim about it holds: which cells."""
    everywhere = range(length)
    match claim:
        case typed.BoolOp(operator="and", operands=operands):
            for operand in operands:
                yield from _pins(operand, name, length)
        case typed.Aggregate(function="all", body=body, loops=(loop,)):
            if _goes_through(loop, name) and loop.condition is None:
                yield from ((value, everywhere) for value in _values(body, loop.name))
        case typed.Not(operand=typed.Aggregate(function="any", body=body, loops=(loop,))):
            if _goes_through(loop, name) and loop.condition is None:
                yield from ((value, everywhere) for value in _values(_negated(body), loop.name))
        case typed.Compare(operands=operands) if set(claim.relations) == {"=="}:
            yield from _equal_pins(operands, name, length)


def _equal_pins(
    operands: tuple[Typed, ...], name: str, length: int
) -> Iterator[tuple[Typed, Iterable[int]]]:
    """The same for things that are equal to one another."""
    cells = [_cell(o, name) for o in operands]
    here = {cell for cell in cells if cell is not None}
    for operand, cell in zip(operands, cells, strict=True):
        if cell is None and here:
            yield operand, here
    if len(operands) != 2:
        return
    for one, other in (operands, operands[::-1]):
        match one, other:
            case typed.Local(name=found), typed.ListLiteral(items=items) if found == name:
                yield from ((item, [k]) for k, item in enumerate(items[:length]))
            case typed.Aggregate(function="count", body=body, loops=(loop,)), _:
                if _goes_through(loop, name) and _is_length(other, name, length):
                    asked = body if isinstance(body.type, Bool) else loop.condition
                    if asked is not None and (asked is body) == (loop.condition is None):
                        yield from ((v, range(length)) for v in _values(asked, loop.name))


def _goes_through(loop: typed.Loop, name: str) -> bool:
    return isinstance(loop.collection, typed.Local) and loop.collection.name == name


def _is_length(e: Typed, name: str, length: int) -> bool:
    match e:
        case typed.Constant(code=code):
            return code == length
        case typed.Call(function="size", arguments=(typed.Local(name=found),)):
            return found == name
    return False


def _cell(e: Typed, name: str) -> int | None:
    match e:
        case typed.Element(base=typed.Local(name=found), indices=(typed.Constant(code=code),)):
            return code - 1 if found == name else None
    return None


def _values(claim: Typed, name: str) -> Iterator[Typed]:
    """What an element certainly is if a claim about it holds."""
    match claim:
        case typed.BoolOp(operator="and", operands=operands):
            for operand in operands:
                yield from _values(operand, name)
        case typed.Compare(operands=operands) if set(claim.relations) == {"=="}:
            if any(isinstance(o, typed.Local) and o.name == name for o in operands):
                yield from operands
        case typed.Local(name=found) if found == name:
            yield typed.Constant(Bool(), 1)
        case typed.Not(operand=typed.Local(name=found)) if found == name:
            yield typed.Constant(Bool(), 0)


def _negated(claim: Typed) -> Typed:
    match claim:
        case typed.Compare(relations=("!=",)):
            return claim.replace(relations=("==",))
        case typed.Not(operand=operand):
            return operand
    return typed.Not(claim)


def _codes(value: Typed, players: int) -> Codes | None:
    """What an expression may be, by who moves; None if the state or a choice decides it."""
    if isinstance(value, typed.IfElse):
        both = [_codes(part, players) for part in (value.then, value.otherwise)]
        known = _needed_nothing(value.condition)
        if not known and None not in both:
            one, other = both
            assert one is not None and other is not None
            return tuple(a | b for a, b in zip(one, other, strict=True))
    if not _needed_nothing(value):
        return None
    if isinstance(value, typed.Constant):
        return (frozenset([value.code]),) * players
    of = compile_stateless(value, players)
    try:
        found = [of((), (), me, ()) for me in range(players)]
    except Fault:
        return None
    return tuple(frozenset([int(c)]) for c in found if isinstance(c, int))


def _needed_nothing(value: Typed) -> bool:
    """Whether all that it needs is who moves."""
    values = any(isinstance(part, typed.Value) for part in typed.every_part(value))
    return not values and not typed.free_names(value) and not _mentions(value, "first")


# ---- what is written


def _all_writes(ruleset: Ruleset, variable: Variable) -> dict[str, tuple[Write, ...]]:
    """The writes to a value, by operation; those of players who are stuck under ''."""
    steps: dict[str, tuple[Step, ...]] = {o.name: o.steps for o in ruleset.operations}
    if ruleset.stuck.effects is not None:
        steps[""] = (ruleset.stuck.effects,)
    return {name: tuple(_writes(one, variable)) for name, one in steps.items()}


def _writes(steps: Iterable[Step], variable: Variable) -> Iterator[Write]:
    for step in steps:
        if isinstance(step, Effects):
            yield from (w for w in step.writes if w.variable.name == variable.name)


def _is_written_in_moves_only(ruleset: Ruleset, variable: Variable) -> bool:
    """Whether end rules are asked after every write."""
    begin = () if ruleset.turn.begin is None else (ruleset.turn.begin,)
    earlier = [begin, *(operation.steps for operation in ruleset.setup)]
    if any(True for steps in earlier for _ in _writes(steps, variable)):
        return False
    for operation in ruleset.operations:
        for k, step in enumerate(operation.steps):
            if not isinstance(step, Roll):
                continue
            before = list(operation.steps[:k])
            if step.repeat is not None:  # what follows it is before it, the next time
                before += (other for other in operation.steps[k:] if other.step == step.step)
            if any(True for _ in _writes(before, variable)):
                return False
    return True


def _own(writes: tuple[Write, ...], theirs: tuple[int, ...]) -> tuple[Write, ...] | None:
    """Those of the writes that may make the condition true, for who moves; None if they may do so
    for somebody else.
    """
    found = []
    for write in writes:
        codes = _codes(write.value, len(theirs)) if write.indices else None
        if codes is None or len(codes) != len(theirs):
            return None
        for me, written in enumerate(codes):
            if not written.isdisjoint(theirs[:me] + theirs[me + 1 :]):
                return None
        if any(mine in written for mine, written in zip(theirs, codes, strict=True)):
            found.append(write)
    return tuple(found)


def _are_single(operation: Operation, watched: tuple[Write, ...]) -> bool:
    """Whether the writes are certainly carried out, each once."""
    for step in operation.steps:
        if isinstance(step, Roll) or (step.when is None and step.repeat is None):
            continue
        if any(write in watched for write in step.writes):
            return False
    return all(write.indices and not write.loops for write in watched)
