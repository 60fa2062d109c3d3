"""Lowers the rules of a ruleset to functions: moves, play, chance, ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from rulegame.codes import DIVISION_BY_ZERO
from rulegame.compiling.layout import (
    PASSES,
    POINT,
    RULES,
    SEAT,
    Point,
    pending_size,
    setup_start,
    state_values,
    turn_start,
)
from rulegame.compiling.narrowing import alternatives, narrowed, plain
from rulegame.compiling.program import Program
from rulegame.core import ir
from rulegame.core.backends.python import compile_functions
from rulegame.core.passes import STAGES, run_passes
from rulegame.evaluation.emitting import ME, Emitter, local_name
from rulegame.evaluation.evaluator import budgeted, is_metered, namespace
from rulegame.evaluation.runtime import Cells, Fault
from rulegame.language import typed
from rulegame.language.costs import LISTED, count, work
from rulegame.language.syntax import Place
from rulegame.language.typed import Typed, Write, owner_key
from rulegame.language.types import NONE_CODE, Int, PlayerType, is_row, size_of
from rulegame.limits import LIMITS
from rulegame.model import Choice, Effects, Operation, Roll, Validity, Verdict
from rulegame.model.analysis import (
    A_MOVE,
    are_certainly_different,
    is_budget_enough,
    known_after,
    loops_within,
    may_be,
    may_divide_by_zero,
    move_work,
    rule_work,
    stays_within,
    try_work,
    uncertain_values,
    uses_after,
    writes_work,
)
from rulegame.model.repetition import counts_turns

STATE: Final = ir.Local("s")  # parameters
MOVE: Final = ir.Local("m")

KnownAfter = Mapping[tuple[str, str], Typed]  # by the names of values and their owners

FEW: Final = 16  # so little code is written out where it is needed, rather than called
FEW_WRITES: Final = 8  # to single cells, which are compared with one another
MOST_LOOPS: Final = 18  # inside one another in one function; Python has 20
MOST_TESTS: Final = 16  # inside one another; Python's own compiler is recursive


class Writer:
    """Writes the functions of a program, each from the point of view of the player who moves
    (`me`).
    """

    def __init__(self, program: Program, trusting: bool = True) -> None:
        """`trusting`: every state that will be met was reached from the start."""
        self._program = program
        self._ruleset = program.ruleset
        self._shape = program.shape
        self._functions: list[ir.Function] = []
        known = move_work(self._ruleset)
        self._strict = known > LIMITS.steps
        self._metered = not is_budget_enough(self._ruleset, known)
        self._narrow = narrowed(program, self._strict, self._metered) if trusting else {}
        self._changed: list[tuple[Write, ir.Expr]] = []  # by the move that is being written
        self._plain = False  # rules are lowered as they stand, each by itself: see `moves_of`
        self._rolls_of_turn = [
            (r.name, self._shape.rolls[r.name]) for r in self._ruleset.turn.rolls
        ]
        self._chance_points = {
            (p.operation.name, p.operation.rolls.index(p.roll)): k
            for k, p in enumerate(program.points)
            if p.roll is not None and p.operation is not None
        }

    def lower(self, after: str = STAGES[-1]) -> ir.Module:
        """The functions of the program after a stage."""
        ruleset, program = self._ruleset, self._program
        for operation in (*ruleset.setup, *ruleset.operations):
            self._after(operation)
            for rule in self._compulsory(operation):
                self._must(operation, rule)
        self._over()
        for number, point in enumerate(program.points):
            if point.kind == "chance":
                self._events(number, point)
                if point.operation is None:
                    self._turn_roll(number, point)
                else:
                    self._operation_roll(number, point)
            elif point.kind == "gate" and point.operations:
                self._gate(number, point)
            elif point.kind == "gate":
                self._turn_gate(number)
            else:
                self._moves(number, point)
                self._compel(number, point)
                self._play(number, point)
        self._stuck()
        operations = {o.name: ir.Operation(0, len(o.choices)) for o in ruleset.setup}
        for number, operation in enumerate(ruleset.operations):
            operations[operation.name] = ir.Operation(number, len(operation.choices))
        module = ir.Module(
            {function.name: function for function in self._functions},
            state_values(ruleset, self._shape),
            len(ruleset.players),
            operations,
            len(program.sites.places),
            self._metered,
        )
        return run_passes(module, after)

    def moves_of(self, operation: Operation) -> ir.Function:
        """The valid moves of one operation, where each rule stands as it is written: it is tested
        last, and shares nothing with other rules. `checks` takes it apart.
        """
        number, point = next(
            (k, p) for k, p in enumerate(self._program.points) if operation in p.operations
        )
        self._plain = True
        self._moves(number, replace(point, operations=(operation,)))
        self._plain = False
        return self._functions.pop()

    def write(self) -> None:
        """Compiles everything and puts the functions into the program."""
        ruleset, program = self._ruleset, self._program
        program.module = self.lower()
        names = namespace(program.meter, attempt=_attempt, compel=_compelling(program))
        made = compile_functions(program.functions.values(), names, program.operations)
        begin = turn_start(ruleset) if ruleset.turn.has_gate else None
        names["next_mover"] = _looking_further(names, begin)
        called = {name: ir.called_by(function) for name, function in program.functions.items()}

        def entry(name: str) -> Any:
            """A function as others call it: with a whole budget for each call, if it spends any."""
            used = called[name].union(*(called.get(one, ()) for one in called[name]))
            if "compel" in used:  # it may look further: at the moves after a move
                used = used.union(*called.values())
            return budgeted(made[name], program.meter) if is_metered(used) else made[name]

        program.play = [
            _nothing_to_play if point.kind == "gate" else entry(f"play_{k}")
            for k, point in enumerate(program.points)
        ]
        program.granted = [narrow.holds for narrow in self._narrow.values()]
        for number, point in enumerate(program.points):
            if point.kind == "chance":
                program.events[number] = entry(f"events_{number}")
            elif point.kind == "gate":
                program.gates[number] = entry(f"gate_{number}")
            else:
                program.moves[number] = entry(f"moves_{number}")
        program.stuck = entry("stuck")
        program.names = names
        for operation in (*ruleset.setup, *ruleset.operations):
            program.after[operation.name] = entry(f"after_{operation.name}")
            for rule in self._compulsory(operation):
                test = entry(self._test_name(rule, operation.name))
                program.tests[rule.name, operation.name] = test

    # ---- beginnings

    def _emitter(self, state: ir.State = "s") -> Emitter:
        return Emitter(self._shape.layout, self._program.sites, {"now": state}, strict=self._strict)

    def _add(
        self, role: ir.Role, name: str | int, parameters: Iterable[ir.Local], emitter: Emitter
    ) -> None:
        full_name = role.value if name == "" else f"{role.value}_{name}"
        function = ir.Function(full_name, role, tuple(parameters), emitter.block)
        self._functions.append(function.at(emitter.at or self._place_of(name)))

    def _place_of(self, name: str | int) -> Place:
        """Where the operation or roll of a function is declared; the first one for all others."""
        operations = (*self._ruleset.operations, *self._ruleset.setup)
        if isinstance(name, int):
            point = self._program.points[name]
            part = point.roll or (*point.operations, *operations)[0]
        else:
            part = next((o for o in operations if o.name == name), operations[0])
        return part.place

    def _open(self, emitter: Emitter, setup: bool, state: ir.State = "s") -> None:
        """`me`, and the rolls of the turn, under their names."""
        emitter.assign(ME.name, ir.Load(state, ir.Const(SEAT)))
        if not setup:
            for name, cell in self._rolls_of_turn:
                emitter.assign(local_name(name), ir.Load(state, ir.Const(cell)))

    # ---- moves

    def _moves(self, number: int, point: Point) -> None:
        """All valid moves; none if the player is stuck."""
        emitter = self._emitter()
        setup = point.kind == "setup"
        self._open(emitter, setup)
        if not setup and all(self._is_always_valid(o) for o in point.operations):
            self._same_moves(emitter, point.operations)
            self._add(ir.Role.MOVES, number, [STATE], emitter)
            return
        emitter.block.append(ir.NewOffers())
        unless = bool(self._ruleset.stuck.unless) and not (setup or self._plain)
        if unless:
            emitter.assign("free", ir.Const(False))
        for operation in point.operations:
            emitter.at = operation.place
            with _guarded(emitter, operation.when):
                asked = self._ruleset.stuck.unless.get(operation.name) if unless else None
                self._choices(emitter, operation, asked)
        emitter.block.append(ir.ReturnMoves(ir.Local("free") if unless else None))
        self._add(ir.Role.MOVES, number, [STATE], emitter)

    # ---- compulsory moves

    def _compulsory(self, operation: Operation) -> list[Validity]:
        """The compulsory rules about an operation."""
        rules = self._ruleset.validity
        return [r for r in rules if r.compulsory and operation.name in r.requires]

    def _compel(self, number: int, point: Point) -> None:
        """If there are compulsory rules, the function of all valid moves drops from those that the
        other rules leave what they do not.
        """
        names = [operation.name for operation in point.operations]
        rules = [r for r in self._ruleset.validity if r.compulsory and r.requires.keys() & {*names}]
        if not rules:
            return
        found = self._functions.pop()
        allowed = f"allowed_{number}"
        self._functions.append(found.replace(name=allowed))
        emitter = self._emitter()
        self._open(emitter, point.kind == "setup")
        emitter.block.append(ir.OfferAll(allowed))
        rolls = () if point.kind == "setup" else self._ruleset.turn.rolls
        for rule in rules:
            emitter.at = rule.place
            bound = tuple(name for name in names if name in rule.requires)
            tests = tuple(self._test_name(rule, name) for name in bound)
            emitter.block.append(ir.Compel(rule.name, bound, tests, (ME, *map(_local, rolls))))
        emitter.block.append(ir.ReturnMoves())
        self._add(ir.Role.MOVES, number, [STATE], emitter)

    def _test_name(self, rule: Validity, operation: str) -> str:
        return f"{ir.Role.MUST.value}_{self._ruleset.validity.index(rule)}_{operation}"

    def _must(self, operation: Operation, rule: Validity) -> None:
        """Whether a move satisfies a compulsory rule."""
        emitter = self._emitter()
        emitter.at = rule.place
        condition = rule.requires[operation.name]
        choices = tuple(map(_local, operation.choices))
        number = 0 if operation.setup else self._ruleset.operations.index(operation)
        emitter.move = ir.ListExpr((ir.Const(number), *choices))
        asked = [condition] if uses_after(condition) else []
        replaced, needs_after = self._known_afterwards(operation, asked, None)
        given = (ME, *map(_local, self._parameters(operation)))
        with emitter.inside() as block:
            emitter.states["after"] = "t" if needs_after and asked else "s"
            self._state_values(emitter, replaced or {}, asked)
            found = emitter.root(condition)
            emitter.block.append(ir.Return(found))
        if needs_after and asked:
            emitter.block.append(ir.Attempt(operation.name, given, block))
            emitter.block.append(ir.Return(ir.Const(False)))
        else:
            emitter.block += block
        parameters = (STATE, self._shape.layout.me, *map(_local, self._parameters(operation)))
        name = self._test_name(rule, operation.name).partition("_")[2]
        self._add(ir.Role.MUST, name, parameters, emitter)

    def _is_always_valid(self, operation: Operation) -> bool:
        rules = self._ruleset.required_of(operation)
        plain = not (operation.choices or operation.when or rules)
        asked = self._ruleset.stuck.unless.get(operation.name)
        known = asked is None or known_after(operation, [asked]) is not None
        return plain and known and not may_divide_by_zero(operation)

    def _same_moves(self, emitter: Emitter, operations: Sequence[Operation]) -> None:
        """All operations, unless the player is stuck."""
        all_moves = ir.ReturnOperations(tuple(o.name for o in operations))
        for operation in operations:
            asked = self._ruleset.stuck.unless.get(operation.name)
            if asked is None:
                break
            emitter.states["after"] = "s"
            self._state_values(emitter, known_after(operation, [asked]) or {}, [asked])
            condition = emitter.root(asked)
            emitter.block.append(ir.If(condition, [all_moves], []))
        stuck = bool(self._ruleset.stuck.unless)
        emitter.block.append(ir.ReturnOperations(()) if stuck else all_moves)

    def _choices(
        self, emitter: Emitter, operation: Operation, asked: Typed | None, chosen: int = 0
    ) -> None:
        """Nested loops over the choices, and inside them the validity rules. `asked` says whether a
        move frees a player who is stuck otherwise.
        """
        outer = emitter.block
        if chosen < len(operation.choices):
            self._one_choice(emitter, operation, asked, chosen)
        else:
            self._valid(emitter, operation, asked)
            given = tuple(map(_local, operation.choices))
            emitter.block.append(ir.Offer(operation.name, given))
        emitter.block = outer

    def _one_choice(
        self, emitter: Emitter, operation: Operation, asked: Typed | None, chosen: int
    ) -> None:
        """The loop over one choice, with all that follows."""
        choice, rest = operation.choices[chosen], operation.choices[chosen + 1 :]
        collection = emitter.iterate(choice.collection, self._weight(operation, rest))
        if not isinstance(choice.collection, typed.Range):
            collection = ir.call("different", collection)
        with emitter.inside() as block:
            self._stay_within(emitter, choice)
            self._choices(emitter, operation, asked, chosen + 1)
        emitter.block.append(ir.For(local_name(choice.name), collection, block))

    def _stay_within(self, emitter: Emitter, choice: Choice) -> None:
        """A choice beyond its declared bounds is an error, wherever that may come about."""
        if choice.within is None or stays_within(choice):
            return
        low, high = choice.within
        chosen = ir.Local(local_name(choice.name))  # its type has the declared bounds
        ends = (ir.Const(low), ir.Const(high))
        inside = ir.between(ends[0], chosen, ends[1])
        failing = ir.Do(ir.call("beyond", chosen, *ends, site=emitter.sites.add(choice.place)))
        emitter.block.append(ir.If(ir.invert(inside), [failing], []))

    def _valid(
        self,
        emitter: Emitter,
        operation: Operation,
        asked: Typed | None,
    ) -> None:
        """Goes into the block in which a move has been found valid: the rules about the state
        before it are tested first.
        """
        name = operation.name
        rules = self._ruleset.required_of(operation)
        before = [r for r in rules if not r.uses_after]
        afterwards = [r for r in rules if r.uses_after]
        conditions = [r.requires[name] for r in afterwards]
        replaced, needs_after = self._known_afterwards(operation, conditions, asked)
        if self._strict:
            unless = [] if asked is None else [rule_work(operation, asked, True)]
            emitter.charge(A_MOVE + sum(unless), emitter.sites.add(operation.place))
        descent = _Descent(emitter, deep=self._plain)
        for rule in before:
            self._test(emitter, descent, operation, rule)
        if needs_after:
            given = (ME, *map(_local, self._parameters(operation)))
            descent.enter(lambda block: ir.Attempt(name, given, block))
        # what no effect changes is as before
        emitter.states["after"] = "t" if needs_after else "s"
        read = conditions if asked is None else [*conditions, asked]
        self._state_values(emitter, replaced or {}, read)
        for rule in afterwards:
            self._test(emitter, descent, operation, rule)
        if asked is not None:
            with emitter.inside() as block:
                found = emitter.emit(asked)
                block.append(ir.If(found, [ir.Assign("free", ir.Const(True))], []))
            emitter.block.append(ir.If(ir.invert(ir.Local("free")), block, []))
        emitter.states.pop("after", None)

    def _test(
        self, emitter: Emitter, descent: _Descent, operation: Operation, rule: Validity
    ) -> None:
        """Go on where a validity rule holds."""
        condition = rule.requires[operation.name]
        if self._strict:  # each rule is charged for where it is asked
            steps = rule_work(operation, condition, True)
            emitter.charge(steps, emitter.sites.add(Place(rule.source.passage)))
        descent.into(emitter.emit(condition), rule.name)

    def _state_values(
        self, emitter: Emitter, known: KnownAfter, conditions: Sequence[Typed]
    ) -> None:
        """Let conditions read the state `u`, if values after the move are known as expressions of
        the state before.
        """
        if not known:
            return
        emitter.block.append(ir.CopyState("u"))
        parts = [p for c in conditions for p in typed.every_part(c) if isinstance(p, typed.Value)]
        read = [(p.variable, p.owner) for p in parts if p.era == "after"]
        after = {(one.name, owner_key(owner)): (one, owner) for one, owner in read}
        for key, (variable, owner) in after.items():
            if key not in known:
                continue
            first, value = emitter.offset(variable, owner), emitter.emit(known[key])
            if is_row(variable.type):
                size = size_of(variable.type)
                emitter.block.append(ir.StoreSlice(first, size, value, "u"))
            else:
                emitter.block.append(ir.Store(first, value, "u"))
        emitter.states["after"] = "u"

    def _known_afterwards(
        self, operation: Operation, afterwards: Sequence[Typed], asked: Typed | None
    ) -> tuple[KnownAfter | None, bool]:
        """What conditions about the state after a move may read instead, and whether that state
        must be made after all.
        """
        conditions = [*afterwards, *([] if asked is None else [asked])]
        replaced = None if self._plain else known_after(operation, conditions)
        if replaced and _loops(operation, conditions, replaced) > MOST_LOOPS:
            return None, True
        divides = may_divide_by_zero(operation)
        return replaced, divides or (replaced is None and bool(conditions))

    def _weight(self, operation: Operation, rest: Sequence[Choice]) -> int:
        """What trying one value of a choice costs, as far as it is known beforehand."""
        weight = LIMITS.steps // LIMITS.moves
        if self._strict:  # and each move that is tried is charged for
            return weight
        weight = max(weight, try_work(self._ruleset, operation))
        for choice in rest:
            weight *= max(1, count(choice.collection.type, False))
        return weight

    def _parameters(self, operation: Operation) -> list[Choice | Roll]:
        """Those of `after_…`: the rolls of the turn, then the choices."""
        rolls = [] if operation.setup else self._ruleset.turn.rolls
        return [*rolls, *operation.choices]

    def _after(self, operation: Operation) -> None:
        """The state after an operation, as far as no roll inside it decides."""
        emitter = self._emitter()
        emitter.block.append(ir.CopyState())
        if not operation.setup:
            self._remember_position(emitter)
        uncertain = uncertain_values(operation)
        for step in operation.steps:
            if isinstance(step, Effects):
                certain = tuple(w for w in step.writes if w.variable.name not in uncertain)
                self._effects(emitter, step, certain)
        if self._counts_turns and not (operation.setup or operation.rolls):
            emitter.states["now"] = "t"
            self._set(emitter, SEAT, self._next_seat(emitter, operation.next))
        emitter.block.append(ir.ReturnState())
        given = (STATE, self._shape.layout.me, *map(_local, self._parameters(operation)))
        self._add(ir.Role.AFTER, operation.name, given, emitter)

    @property
    def _counts_turns(self) -> bool:
        """Whether the player to move is part of positions that rules count."""
        counted = any(map(counts_turns, self._shape.layout.histories))
        return counted and self._ruleset.together is None

    def _remember_position(self, emitter: Emitter) -> None:
        """The position before a move is an earlier one after it."""
        for counted in self._shape.layout.histories.values():
            earlier = ir.Load("s", ir.Const(counted.cell))
            self._set(emitter, counted.cell, ir.call("remember", earlier, *counted.position("s")))

    # ---- effects

    def _effects(self, emitter: Emitter, step: Effects, writes: tuple[Write, ...]) -> None:
        """Reads the list `t`, then writes to it."""
        emitter.states["now"] = "t"
        if not writes:
            return
        if step.when is None and step.repeat is None:
            self._write_all(emitter, writes)
            return
        self._under_conditions(emitter, step, writes)

    def _under_conditions(self, emitter: Emitter, step: Effects, writes: tuple[Write, ...]) -> None:
        with _guarded(emitter, step.when):
            if step.repeat is None:
                self._write_all(emitter, writes)
                return
            times = emitter.root(step.repeat)
            times = ir.call("repetitions", times, site=emitter.sites.add(step.place))
            with emitter.inside() as block:
                if step.while_ is not None:
                    condition = emitter.root(step.while_)
                    block.append(ir.If(ir.invert(condition), [ir.Break()], []))
                self._write_all(emitter, writes)
            emitter.block.append(ir.For("_", times, block))

    def _write_all(self, emitter: Emitter, writes: tuple[Write, ...]) -> None:
        """All values are worked out before the first is written."""
        if self._strict:
            site = emitter.sites.add(writes[0].place)
            emitter.charge(writes_work(writes, True), site)
        if are_certainly_different(writes):
            self._write_one_by_one(emitter, writes)
        elif len(writes) <= FEW_WRITES and all(_is_one_cell(w) for w in writes):
            self._write_cells(emitter, writes)
        else:
            self._write_noted(emitter, writes)

    def _write_one_by_one(self, emitter: Emitter, writes: tuple[Write, ...]) -> None:
        """No two of them are to the same cell."""
        values = [self._new_value(emitter, w) for w in writes]
        places = [self._slot(emitter, w) for w in writes]
        if len(writes) > 1:
            places = [emitter.keep(p) for p in places]
        for write, place, value in zip(writes, places, values, strict=True):
            if not write.indices and is_row(write.variable.type):
                emitter.block.append(ir.StoreSlice(place, size_of(write.variable.type), value))
            else:
                emitter.block.append(ir.Store(place, value))

    def _write_cells(self, emitter: Emitter, writes: tuple[Write, ...]) -> None:
        """Single cells, after a look whether two of them are the same."""
        found: list[tuple[ir.Expr, ir.Expr]] = []
        same: list[ir.Expr] = []
        for k, write in enumerate(writes):
            value = self._new_value(emitter, write)
            place = emitter.keep(self._slot(emitter, write))
            for earlier, (other, _) in zip(writes[:k], found, strict=True):
                if earlier.variable.name == write.variable.name:
                    same.append(ir.compare(other, "==", place))
            found.append((place, value))
        failing = ir.Do(ir.call("written_twice", site=emitter.sites.add(writes[0].place)))
        test = same[0] if len(same) == 1 else ir.BoolOp("or", tuple(same))
        emitter.block.append(ir.If(test, [failing], []))
        for place, value in found:
            emitter.block.append(ir.Store(place, value))

    def _write_noted(self, emitter: Emitter, writes: tuple[Write, ...]) -> None:
        """Any number of cells."""
        emitter.block.append(ir.NewWrites())
        for write in writes:
            each = writes_work([write.replace(loops=())], self._strict)
            emitter.loops(write.loops, lambda w=write: self._note(emitter, w), each)  # type: ignore[misc]
        emitter.block.append(ir.Commit(emitter.sites.add(writes[0].place)))

    def _new_value(self, emitter: Emitter, write: Write) -> ir.Expr:
        """What is written, under a name; a list has as many elements as there are cells for it."""
        type_ = write.variable.type
        value = emitter.keep(emitter.stored(write.value, type_, write.place))
        if not write.indices and is_row(type_):
            size, cells = ir.call("len", value), ir.Const(size_of(type_))
            self._insist(emitter, ir.compare(size, "==", cells), write)
        return value

    def _slot(self, emitter: Emitter, write: Write) -> ir.Expr:
        """The cell that is written to, which is one of the variable's own, whatever has been
        proved about its index.
        """
        variable, owner = write.variable, write.owner
        if not write.indices:
            place = emitter.offset(variable, owner)
        else:
            place = emitter.place_of(variable, owner, write.indices, write.place)
        if isinstance(place, ir.Const) or (not write.indices and owner_key(owner) != "?"):
            self._changed.append((write, place))
            return place
        place = emitter.keep(place)
        first = self._shape.layout.offsets[variable.name]
        players = len(self._ruleset.players) if variable.each_player else 1
        end = first + players * size_of(variable.type)
        inside = ir.between(ir.Const(first), place, ir.Const(end), below=True)
        self._insist(emitter, inside, write)
        if isinstance(place, ir.Local):
            place = ir.Local(place.name).typed(Int(first, end - 1)).at(place.source)
        self._changed.append((write, place))
        return place

    def _insist(self, emitter: Emitter, test: ir.Expr, write: Write) -> None:
        """A second wall around the cells of other values; the first are the bounds in `types`."""
        failing = ir.Do(ir.call("astray", site=emitter.sites.add(write.place)))
        emitter.block.append(ir.If(ir.invert(test), [failing], []))

    def _note(self, emitter: Emitter, write: Write) -> None:
        """Adds (cell, value) to the writes that are checked and carried out together."""
        whole = not write.indices and is_row(write.variable.type)
        value = self._new_value(emitter, write)
        place = emitter.keep(self._slot(emitter, write))
        for k in range(size_of(write.variable.type) if whole else 1):
            one = ir.Item(value, ir.Const(k)) if whole else value
            emitter.block.append(ir.Defer(ir.add(place, ir.Const(k)), one))

    # ---- playing a move

    def _play(self, number: int, point: Point) -> None:
        emitter = self._emitter()
        setup = point.kind == "setup"
        self._open(emitter, setup)
        for k, operation in enumerate(point.operations):
            with emitter.inside() as block:
                emitter.states["now"] = "s"
                for c, choice in enumerate(operation.choices):
                    emitter.assign(local_name(choice.name), ir.Load("m", ir.Const(c + 1)))
                emitter.block.append(ir.CopyState())
                if not setup:
                    self._remember_position(emitter)
                self._carry_out(emitter, operation, 0)
            last = k == len(point.operations) - 1
            if last:
                emitter.block += block
            else:
                test = ir.compare(ir.Load("m", ir.Const(0)), "==", ir.Const(k))
                emitter.block.append(ir.If(test, block, []))
        self._add(ir.Role.PLAY, number, [STATE, MOVE], emitter)

    def _carry_out(self, emitter: Emitter, operation: Operation, done: int) -> None:
        """The steps from `done` on, up to the next roll or to the end of the move."""
        emitter.states["now"] = "t"
        self._changed = []
        rest = list(operation.steps[done:])
        begun = operation.steps[done - 1].step if done else ""  # a step that has rolled already
        while rest:
            step = rest.pop(0)
            inside = [r for r in operation.rolls if r.is_conditional and r.step == step.step]
            if isinstance(step, Roll) and (not inside or step.step == begun):
                self._wait_for(emitter, operation, step)
                return
            if isinstance(step, Roll):
                self._enter(emitter, operation, step)
                rest = [other for other in rest if other.step != step.step]
            elif inside:
                self._effects(emitter, step._replace(when=None, repeat=None), step.writes)
                self._repeat(emitter, operation, inside[0])
            else:
                self._effects(emitter, step, step.writes)
        if operation.setup:
            self._next_setup(emitter, operation)
        else:
            self._finish(emitter, operation)

    def _wait_for(self, emitter: Emitter, operation: Operation, roll: Roll) -> None:
        """Chance is next: the choices and rolls so far are kept in the state."""
        for cell, one in self._pending(operation, roll):
            value = emitter.kept(_local(one), one.element, one.place)
            self._set(emitter, cell, value)
        if self._may_pass() and not operation.setup:  # who has moved has not passed
            self._set(emitter, PASSES, ir.Const(0))
        number = operation.rolls.index(roll)
        self._set(emitter, POINT, ir.Const(self._chance_points[operation.name, number]))
        emitter.block.append(ir.ReturnState())

    def _pending(self, operation: Operation, roll: Roll) -> Iterator[tuple[int, Choice | Roll]]:
        """What is known when something is rolled, with its cells: the choices, and the rolls before
        it, but not those that were known inside another step alone.
        """
        yield from enumerate(operation.choices, self._shape.pending)
        first = self._shape.pending + len(operation.choices)
        for k, earlier in enumerate(operation.rolls[: operation.rolls.index(roll)]):
            if not earlier.is_conditional or earlier.step == roll.step:
                yield first + k, earlier

    def _enter(self, emitter: Emitter, operation: Operation, roll: Roll) -> None:
        """A step that rolls under a condition, or repeatedly, begins, if it does."""
        with _guarded(emitter, roll.when):
            if roll.repeat is None:
                self._wait_for(emitter, operation, roll)
                return
            count = ir.call("times", emitter.root(roll.repeat), site=emitter.sites.add(roll.place))
            self._roll_if_left(emitter, operation, roll, emitter.keep(count))

    def _repeat(self, emitter: Emitter, operation: Operation, roll: Roll) -> None:
        """The same step once more, as often as is left; or else it is forgotten."""
        counter = self._counter(operation)
        if roll.repeat is not None:
            left = ir.Op("-", (ir.Load("s", ir.Const(counter)), ir.Const(1)))
            self._roll_if_left(emitter, operation, roll, emitter.keep(left))
            self._set(emitter, counter, ir.Const(0))
        self._forget(emitter, operation, roll)

    def _roll_if_left(
        self, emitter: Emitter, operation: Operation, roll: Roll, left: ir.Expr
    ) -> None:
        with emitter.inside() as block, _guarded(emitter, roll.while_):
            self._set(emitter, self._counter(operation), left)
            self._forget(emitter, operation, roll)
            self._wait_for(emitter, operation, roll)
        emitter.block.append(ir.If(ir.compare(left, ">", ir.Const(0)), block, []))

    def _counter(self, operation: Operation) -> int:
        """The cell that says how often a step is still to be done."""
        return self._shape.pending + pending_size(operation) - 1

    def _forget(self, emitter: Emitter, operation: Operation, roll: Roll) -> None:
        """What a step has rolled is not known any more."""
        first = self._shape.pending + len(operation.choices)
        for k, other in enumerate(operation.rolls):
            if other.step == roll.step:
                self._set(emitter, first + k, ir.Const(0))

    def _set(self, emitter: Emitter, cell: int, value: ir.Expr) -> None:
        emitter.block.append(ir.Store(ir.Const(cell), value))

    def _gate(self, number: int, point: Point) -> None:
        """An entry of the setup is left out, or it begins: who chooses is asked, or it happens."""
        (operation,) = point.operations
        emitter = self._emitter()
        self._open(emitter, setup=True)
        emitter.block.append(ir.CopyState())
        emitter.states["now"] = "t"
        with _guarded(emitter, operation.when):
            if operation.choices:
                self._set(emitter, POINT, ir.Const(1 + self._ruleset.setup.index(operation)))
                emitter.block.append(ir.ReturnState())
            else:
                self._carry_out(emitter, operation, 0)
        if operation.when is not None:
            self._next_setup(emitter, operation)
        self._add(ir.Role.GATE, number, [STATE], emitter)

    def _next_setup(self, emitter: Emitter, operation: Operation) -> None:
        """The next player's turn to choose; after the last the next entry, and then the first
        turn. What was pending is over.
        """
        setup, shape = self._ruleset.setup, self._shape
        for cell in range(shape.pending, shape.pending + pending_size(operation)):
            if operation.rolls:
                self._set(emitter, cell, ir.Const(0))
        for one in operation.lets:
            first = shape.layout.offsets[one.variable.name]
            for cell in range(first, first + size_of(one.variable.type)):
                self._set(emitter, cell, ir.Const(0))
        following = dict(pairwise(operation.seats))
        rest = (o for o in setup[setup.index(operation) + 1 :] if o.seats)
        with emitter.inside() as block:
            self._begin_entry(emitter, next(rest, None))
        again = setup_start(self._program.points, operation)
        for seat, then in reversed(following.items()):
            with emitter.inside() as same:
                self._set(emitter, SEAT, ir.Const(then))
                self._set(emitter, POINT, ir.Const(again))
            test = ir.compare(ME, "==", ir.Const(seat))
            block = [ir.If(test, same, block)]
        emitter.block += block
        emitter.block.append(ir.ReturnState())

    def _begin_entry(self, emitter: Emitter, operation: Operation | None) -> None:
        """The first player for whom an entry of the setup is done; after the last the first turn
        begins.
        """
        shape, ruleset = self._shape, self._ruleset
        if operation is not None:
            self._set(emitter, SEAT, ir.Const(operation.seats[0]))
            self._set(emitter, POINT, ir.Const(setup_start(self._program.points, operation)))
            return
        assert shape.first is not None
        opener = ruleset.turn.opener
        if opener is not None:
            emitter.states["now"] = "t"
            self._set(emitter, shape.first, emitter.root(opener))
        self._set(emitter, SEAT, ir.Load("t", ir.Const(shape.first)))
        self._set(emitter, POINT, ir.Const(turn_start(ruleset)))
        if not shape.keeps_first:
            self._set(emitter, shape.first, ir.Const(0))

    def _finish(self, emitter: Emitter, operation: Operation) -> None:
        """The end rules, then whose turn is next."""
        if self._counts_turns:  # end rules may ask for it
            self._set(emitter, SEAT, self._next_seat(emitter, operation.next))
        if len(self._ruleset.end) * len(self._ruleset.operations) <= FEW:
            self._end_rules(emitter, ir.ReturnState(), operation)
        else:
            over = ir.call("over", ir.Array("t"), emitter.me)
            emitter.block.append(ir.If(over, [ir.ReturnState()], []))
        if not self._counts_turns:
            self._set(emitter, SEAT, self._next_seat(emitter, operation.next))
        self._begin_turn(emitter)
        emitter.block.append(ir.ReturnState())

    def _next_seat(self, emitter: Emitter, own: Typed | None = None) -> ir.Expr:
        """Who moves next; an operation may have a rule of its own."""
        next_ = own or self._ruleset.turn.next
        return self._following() if next_ is None else emitter.root(next_)

    def _following(self) -> ir.Expr:
        players = len(self._ruleset.players)
        if players == 2:
            return ir.subtract(ir.Const(1), ME)
        return ir.Op("%", (ir.add(ME, ir.Const(1)), ir.Const(players)))

    def _begin_turn(self, emitter: Emitter, passes: ir.Expr | None = None) -> None:
        """The point and the temporary cells of a turn that begins; what is already so is not
        written.
        """
        if len(self._program.points) > 1:
            self._set(emitter, POINT, ir.Const(turn_start(self._ruleset)))
        if self._may_pass() or passes is not None:
            self._set(emitter, PASSES, passes or ir.Const(0))
        for cell in self._shape.temporary:
            self._set(emitter, cell, ir.Const(0))

    def _may_pass(self) -> bool:
        result = self._ruleset.stuck.verdict.result
        return result is not None and may_be(result, self._ruleset.words.index("pass"))

    # ---- chance

    def _events(self, number: int, point: Point) -> None:
        """What can be rolled, and the weights (None: equally likely)."""
        assert point.roll is not None
        roll = point.roll
        emitter = self._emitter()
        self._open(emitter, point.operation is not None and point.operation.setup)
        if point.operation is not None:
            self._restore(emitter, point.operation, roll)
        emitter.at = roll.place
        each = LISTED + (0 if roll.weight is None else work(roll.weight, self._strict))
        emitter.assign("values", ir.call("list", emitter.iterate(roll.collection, each)))
        weights = None
        if roll.weight is not None:
            emitter.block.append(ir.NewList("weights"))
            with emitter.inside() as block:
                weight = emitter.root(roll.weight)
                block.append(ir.Append("weights", weight))
            emitter.block.append(ir.For(local_name(roll.name), ir.Local("values"), block))
            weights = ir.Local("weights")
        emitter.block.append(ir.ReturnEvents(ir.Local("values"), weights))
        self._add(ir.Role.EVENTS, number, [STATE], emitter)

    def _restore(self, emitter: Emitter, operation: Operation, roll: Roll) -> None:
        """The choices and rolls that were kept when the operation began."""
        for cell, one in self._pending(operation, roll):
            emitter.assign(local_name(one.name), ir.Load("s", ir.Const(cell)))

    def _turn_gate(self, number: int) -> None:
        """A turn begins: what changes, then the first roll that is not left out."""
        emitter = self._emitter()
        self._open(emitter, setup=False)
        emitter.block.append(ir.CopyState())
        emitter.states["now"] = "t"
        begin = self._ruleset.turn.begin
        if begin is not None:
            self._effects(emitter, begin, begin.writes)
        self._roll_next(emitter, 0)
        self._add(ir.Role.GATE, number, [STATE], emitter)

    def _roll_next(self, emitter: Emitter, at: int) -> None:
        """The next roll of the turn from one on, unless it is left out; after the last, a move."""
        rolls = self._ruleset.turn.rolls
        if at == len(rolls):
            self._set(emitter, POINT, ir.Const(0))
            emitter.block.append(ir.ReturnState())
            return
        roll = rolls[at]
        first = turn_start(self._ruleset) + self._ruleset.turn.has_gate
        with _guarded(emitter, roll.when):
            self._set(emitter, POINT, ir.Const(first + at))
            emitter.block.append(ir.ReturnState())
        if roll.when is not None:
            self._set(emitter, self._shape.rolls[roll.name], ir.Const(NONE_CODE))
            emitter.assign(local_name(roll.name), ir.Const(NONE_CODE))
            self._roll_next(emitter, at + 1)

    def _roll_or_leave_out(self, number: int, roll: Roll, following: int) -> None:
        """A roll after which another one may be left out."""
        emitter = self._emitter()
        self._open(emitter, setup=False)
        emitter.assign(local_name(roll.name), ir.Load("m", ir.Const(1)))
        rolled = emitter.kept(_local(roll), roll.element, roll.place)
        emitter.block.append(ir.CopyState())
        emitter.states["now"] = "t"
        self._set(emitter, self._shape.rolls[roll.name], rolled)
        self._roll_next(emitter, following)
        self._add(ir.Role.PLAY, number, [STATE, MOVE], emitter)

    def _turn_roll(self, number: int, point: Point) -> None:
        assert point.roll is not None
        roll, rolls = point.roll, self._ruleset.turn.rolls
        following = 1 + next(k for k, one in enumerate(rolls) if one.name == roll.name)
        last = following == len(rolls)
        if not last and rolls[following].when is not None:
            self._roll_or_leave_out(number, roll, following)
            return
        emitter = self._emitter()
        rolled = emitter.kept(ir.Load("m", ir.Const(1)), roll.element, roll.place)
        changed = {
            self._shape.rolls[roll.name]: rolled,
            POINT: ir.Const(0 if last else number + 1),
        }
        if self._shape.size <= FEW:
            cells = [changed.get(k, ir.Load("s", ir.Const(k))) for k in range(self._shape.size)]
            emitter.block.append(ir.Return(ir.ListExpr(tuple(cells))))
        else:
            emitter.block.append(ir.CopyState())
            for cell, value in changed.items():
                self._set(emitter, cell, value)
            emitter.block.append(ir.ReturnState())
        self._add(ir.Role.PLAY, number, [STATE, MOVE], emitter)

    def _operation_roll(self, number: int, point: Point) -> None:
        operation, roll = point.operation, point.roll
        assert operation is not None and roll is not None
        emitter = self._emitter()
        self._open(emitter, operation.setup)
        self._restore(emitter, operation, roll)
        emitter.assign(local_name(roll.name), ir.Load("m", ir.Const(1)))
        emitter.block.append(ir.CopyState())
        self._carry_out(emitter, operation, operation.steps.index(roll) + 1)
        self._add(ir.Role.PLAY, number, [STATE, MOVE], emitter)

    # ---- ends

    def _over(self) -> None:
        """Asks the end rules; writes the outcome into `t` if one holds."""
        emitter = self._emitter("t")
        for name, cell in self._rolls_of_turn:
            emitter.assign(local_name(name), ir.Load("t", ir.Const(cell)))
        self._end_rules(emitter, ir.Return(ir.Const(True)))
        emitter.block.append(ir.Return(ir.Const(False)))
        self._add(ir.Role.OVER, "", [ir.Local("t"), self._shape.layout.me], emitter)

    def _end_rules(
        self, emitter: Emitter, leave: ir.Stmt, operation: Operation | None = None
    ) -> None:
        """Asks the end rules in order; if one holds, writes the outcome into `t` and returns. After
        an operation they look at what it has changed, where that is enough.
        """
        for k, rule in enumerate(self._ruleset.end):
            emitter.at = rule.place
            condition = self._ended(emitter, rule.when, operation)
            with emitter.inside() as block:
                self._conclude(emitter, rule.verdict, len(RULES) + k)
                emitter.block.append(leave)
            emitter.block.append(ir.If(condition, block, []))

    def _ended(self, emitter: Emitter, when: Typed, operation: Operation | None) -> ir.Expr:
        """Whether an end rule holds."""
        emitter.charge_for(when)
        asked: list[ir.Expr] = []
        for one in alternatives(when):
            narrow = self._narrow.get(plain(one))
            if narrow is None or operation is None or operation.name not in narrow.watched:
                asked.append(emitter.emit(one))
            else:
                condition = emitter.emit(narrow.condition)
                watched = narrow.watched[operation.name]
                changed = [place for write, place in self._changed if write in watched]
                first = ir.Const(self._shape.layout.offsets[narrow.grid.name])
                cells = tuple(ir.Op("-", (place, first)) for place in changed)
                asked.append(ir.Incremental(condition, local_name(narrow.loop), cells))
        return asked[0] if len(asked) == 1 else ir.BoolOp("or", tuple(asked))

    def _conclude(self, emitter: Emitter, verdict: Verdict, rule: int) -> None:
        """Writes an outcome into `t`."""
        shape = self._shape
        self._set(emitter, PASSES, self._who_won(emitter, verdict))
        self._set(emitter, SEAT, ir.Const(-1))
        self._set(emitter, POINT, ir.Const(-1 - rule))
        for cell in shape.temporary:
            self._set(emitter, cell, ir.Const(0))
        if shape.first is not None:
            self._set(emitter, shape.first, ir.Const(0))

    def _who_won(self, emitter: Emitter, verdict: Verdict) -> ir.Expr:
        """Who wins and who loses, as bits; what is paid is written into `t`."""
        players = ir.Const(len(self._ruleset.players))
        if verdict.payoff is not None:
            self._pay(emitter, verdict.payoff)
            return ir.call("winners_by_payoff", ir.Local("payoffs"))
        if verdict.score is not None:
            self._pay_all(emitter, verdict.score)
            return ir.Const(0)
        if verdict.winners is not None:
            winners = emitter.root(verdict.winners)
            if isinstance(verdict.winners.type, PlayerType):
                winners = ir.ListExpr((winners,))
            return ir.call("winners_of", winners, players)
        if verdict.everyone is not None:
            everyone = (1 << len(self._ruleset.players)) - 1
            win = ir.Const(self._ruleset.words.index("win"))
            won = ir.compare(emitter.root(verdict.everyone), "==", win)
            return ir.Select(won, ir.Const(everyone), ir.Const(everyone << 8))
        assert verdict.result is not None
        return ir.call("winners_by_result", emitter.root(verdict.result), emitter.me, players)

    def _pay(self, emitter: Emitter, payoff: Typed) -> None:
        """What each player gets, in parts of 1 if the unit is a fraction."""
        emitter.assign("payoffs", ir.call("list", emitter.iterate(payoff)))
        for k in range(len(self._ruleset.players)):
            self._pay_one(emitter, k, ir.Item(ir.Local("payoffs"), ir.Const(k)))

    def _pay_all(self, emitter: Emitter, score: Typed) -> None:
        """The same for every player."""
        emitter.assign("score", emitter.root(score))
        for k in range(len(self._ruleset.players)):
            self._pay_one(emitter, k, ir.Local("score").typed(score.type))

    def _pay_one(self, emitter: Emitter, seat: int, value: ir.Expr) -> None:
        first, factor = self._shape.payoffs, self._ruleset.unit.numerator
        assert first is not None
        if factor != 1:
            value = ir.call("mul", value, ir.Const(factor), site=-1)
        self._set(emitter, first + seat, ir.call("fit", value, site=-1))

    def _stuck(self) -> None:
        """What happens by itself when there is no move."""
        stuck, players = self._ruleset.stuck, len(self._ruleset.players)
        emitter = self._emitter()
        self._open(emitter, False)
        emitter.block.append(ir.CopyState())
        emitter.states["now"] = "t"
        if stuck.verdict.result is not None and self._may_pass():
            emitter.assign("result", emitter.root(stuck.verdict.result))
            passing = ir.compare(
                ir.Local("result"), "==", ir.Const(self._ruleset.words.index("pass"))
            )
            with emitter.inside() as block:
                self._remember_position(emitter)
                if stuck.effects is not None:
                    self._effects(emitter, stuck.effects, stuck.effects.writes)
                self._pass(emitter, players)
            emitter.block.append(ir.If(passing, block, []))
        self._conclude(emitter, stuck.verdict, 0)
        emitter.block.append(ir.ReturnState())
        self._add(ir.Role.STUCK, "", [STATE], emitter)

    def _pass(self, emitter: Emitter, players: int) -> None:
        if self._counts_turns:
            self._set(emitter, SEAT, self._next_seat(emitter))
        if self._ruleset.stuck.effects is not None:  # otherwise nothing has changed
            over = ir.call("over", ir.Array("t"), emitter.me)
            emitter.block.append(ir.If(over, [ir.ReturnState()], []))
        emitter.assign("following", self._next_seat(emitter))
        emitter.assign("passes", ir.add(ir.Load("s", ir.Const(PASSES)), ir.Const(1)))
        with emitter.inside() as block:
            emitter.me = ir.Local("following")
            self._conclude(emitter, self._ruleset.stuck.all_verdict, 1)
            emitter.block.append(ir.ReturnState())
            emitter.me = ME
        everyone = ir.compare(ir.Local("passes"), ">=", ir.Const(players))
        emitter.block.append(ir.If(everyone, block, []))
        self._set(emitter, SEAT, ir.Local("following"))
        self._begin_turn(emitter, ir.Local("passes"))
        emitter.block.append(ir.ReturnState())


def _local(one: Choice | Roll) -> ir.Local:
    """What was chosen or rolled."""
    known = one.known if isinstance(one, Roll) and not one.step else one.element
    return ir.Local(local_name(one.name)).typed(known)


def _loops(
    operation: Operation,
    conditions: Sequence[Typed],
    replaced: KnownAfter,
) -> int:
    """How many loops would stand inside one another, if effects were written into conditions."""
    around = max(map(loops_within, conditions), default=0)
    return len(operation.choices) + around + max(map(loops_within, replaced.values()))


class _Descent:
    """Conditions inside one another. Where these are many, a flag says that they hold so far, and
    the next ones stand behind them.
    """

    def __init__(self, emitter: Emitter, deep: bool = False) -> None:
        """`deep`: they may stand inside one another however many they are."""
        self._emitter = emitter
        self._deep = deep
        self._outer = emitter.block
        self._flagged = (emitter.block, len(emitter.block))  # where the flag is lowered, if it is
        self._depth = 0

    def into(self, condition: ir.Expr, rule: str = "") -> None:
        """What follows is written inside an `if`; `rule` is what is tested, if it is a rule."""
        self.enter(lambda block: ir.If(condition, block, [], rule))

    def enter(self, statement: Callable[[ir.Block], ir.Stmt]) -> None:
        """What follows is written inside a statement, which is made around a block."""
        if self._depth == MOST_TESTS and not self._deep:
            self._surface()
        self._inside(statement)

    def _inside(self, statement: Callable[[ir.Block], ir.Stmt]) -> None:
        block: ir.Block = []
        self._emitter.block.append(statement(block))
        self._emitter.block = block
        self._depth += 1

    def _surface(self) -> None:
        self._emitter.assign("holds", ir.Const(True))
        block, at = self._flagged
        block.insert(at, ir.Assign("holds", ir.Const(False)))
        self._emitter.block, self._depth = self._outer, 0
        self._inside(lambda block: ir.If(ir.Local("holds"), block, []))
        self._flagged = (self._emitter.block, 0)


def _is_one_cell(write: Write) -> bool:
    return not write.loops and (bool(write.indices) or not is_row(write.variable.type))


class _guarded:
    """`with _guarded(emitter, condition)`: what is written inside stands in an `if`, when there is
    a condition.
    """

    def __init__(self, emitter: Emitter, condition: Typed | None) -> None:
        self._emitter = emitter
        self._condition = condition
        self._outer: ir.Block = []

    def __enter__(self) -> None:
        self._outer = self._emitter.block
        if self._condition is not None:
            block: ir.Block = []
            test = self._emitter.root(self._condition)
            self._outer = self._emitter.block
            self._outer.append(ir.If(test, block, []))
            self._emitter.block = block

    def __exit__(self, *_: object) -> None:
        self._emitter.block = self._outer


def _nothing_to_play(cells: Cells, words: tuple[int, ...]) -> Cells:
    """At a gate a game does not wait."""
    raise AssertionError("nothing is chosen or rolled here")


def _compelling(program: Program) -> Callable[..., tuple[int, ...]]:
    """What drops moves that are not compulsory."""
    known = program.actions.known

    def compel(
        moves: tuple[int, ...], tests: Mapping[str, Callable[..., bool]], *given: Any
    ) -> tuple[int, ...]:
        """The moves without those that fail their test, if one of them passes it."""
        if len(moves) < 2:
            return moves
        kept: list[int] = []
        passed = False
        for code in moves:
            action = known[code]
            test = tests.get(action.name)
            if test is None:
                kept.append(code)
            elif test(*given, *action.words[1:]):
                kept.append(code)
                passed = True
        return tuple(kept) if passed else moves

    return compel


def _looking_further(names: Mapping[str, Any], begin: int | None) -> Callable[..., int]:
    """What finds out who can move after a move; the functions of the rules have these names.
    `begin` is the gate at which a turn begins, if there is one.
    """
    play, moves = names["play_0"], names.get("allowed_0") or names["moves_0"]
    gate = None if begin is None else names[f"gate_{begin}"]

    def next_mover(cells: Cells, words: tuple[int, ...], _: int) -> int:
        """Who is to move after a move, if there is a move then; otherwise -1."""
        after = play(cells, words)
        if gate is not None and after[POINT] == begin:
            after = gate(after)
        return after[SEAT] if after[POINT] == 0 and moves(after) else -1

    return next_mover


def _attempt(after: Callable[..., list[int]], *arguments: Any) -> list[int] | None:
    """The state after a move, or None if its effects divide by zero: then the move is not valid."""
    try:
        return after(*arguments)
    except Fault as fault:
        if fault.code == DIVISION_BY_ZERO:
            return None
        raise
