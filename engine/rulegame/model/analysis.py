"""What can be told of rules before they run: what effects change, what they cost, what a result may
be.

Reads the model; building refuses what is impossible or too slow, compiling leaves out what is
certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rulegame.evaluation.constants import evaluate
from rulegame.evaluation.runtime import Fault
from rulegame.language import typed
from rulegame.language.costs import LISTED, cost, count, is_open, loops_cost, loops_work, work
from rulegame.language.typed import Typed, Write, owner_key
from rulegame.language.types import Int, Set, Type, Word, element_of, known_size, size_of
from rulegame.limits import LIMITS
from rulegame.model import Choice, Effects, Operation, Roll, Ruleset, Step, Verdict

MOST_PLAIN: Final = 60  # steps of an effect that may stand in for `after.x`
A_MOVE: Final = 20  # what it takes to make a move and to try it, in steps

# ---- expressions


def uses_after(expression: Typed) -> bool:
    """Whether it reads the state after the move."""
    return any(map(_is_after, typed.every_part(expression)))


def _is_after(part: Typed) -> bool:
    match part:
        case typed.Value(era="after"):
            return True
        case typed.Call(function="repetitions", arguments=(_, typed.Constant(code=after), *_)):
            return bool(after)
    return False


def looks_further(expression: Typed) -> bool:
    """Whether it asks for the moves after the move."""
    return any(
        isinstance(p, typed.Call) and p.function == "can_move" for p in typed.every_part(expression)
    )


def may_be(result: Typed, code: int) -> bool:
    """Whether a result may be that word."""
    return any(
        isinstance(p, typed.Constant) and isinstance(p.type, Word) and p.code == code
        for p in typed.every_part(result)
    )


def names_everyone(winners: Typed, players: int) -> bool:
    """Whether winners are all players, whatever the state and whoever moves."""
    everyone = frozenset(range(players))
    return all(_always_named(winners, players, me) == everyone for me in everyone)


def _always_named(part: Typed, players: int, me: int) -> frozenset[int]:
    """Players who are among some in every state, if `me` moves: all that is certain of them."""
    if _needs_nothing(part):
        return _named(part, players, me)
    match part:
        case typed.ListLiteral(items=items):
            return frozenset().union(*(_always_named(item, players, me) for item in items))
        case typed.IfElse(then=then, otherwise=otherwise):
            return _always_named(then, players, me) & _always_named(otherwise, players, me)
        case typed.Let(body=body):
            return _always_named(body, players, me)
    return frozenset()


def _needs_nothing(part: Typed) -> bool:
    """Whether an expression can be evaluated without a state: all that it needs is who moves."""
    bound: set[str] = set()
    named: set[str] = set()
    for one in typed.every_part(part):
        match one:
            case typed.Value() | typed.Seat(which="first"):
                return False
            case typed.Local(name=name):
                named.add(name)
            case typed.Let(name=name):
                bound.add(name)
            case typed.Aggregate(loops=loops):
                bound.update(loop.name for loop in loops)
    return named <= bound


def _named(part: Typed, players: int, me: int) -> frozenset[int]:
    """The players that an expression without state names."""
    try:
        value = evaluate(part, players, me)
    except Fault:
        return frozenset()
    return frozenset([value] if isinstance(value, int) else value)


def known_codes(collection: Typed, players: int) -> frozenset[int] | None:
    """What one player or another can choose from a collection; None where a state, or a choice
    before it, decides that, or where it is too much.
    """
    if not _needs_nothing(collection):
        return None
    codes: set[int] = set()
    for me in range(players):
        try:
            found = evaluate(collection, players, me)
        except Fault:
            return None
        if not isinstance(found, (tuple, range)) or len(found) > LIMITS.moves:
            return None
        codes.update(found)
    return frozenset(codes)


def step_expressions(step: Step) -> Iterator[Typed]:
    """The expressions of one step."""
    if isinstance(step, Roll):
        found: list[Typed | None] = [step.collection, step.weight]
        found += [step.when, step.repeat, step.while_]
    else:
        found = [step.when, step.repeat, step.while_]
        for write in step.writes:
            found += write_expressions(write)
    return (e for e in found if e is not None)


def write_expressions(write: Write) -> list[Typed]:
    """All that decides what a write writes, and where."""
    owner = [] if write.owner is None else [write.owner]
    return [write.value, *owner, *write.indices, *typed.loop_parts(write.loops)]


def rule_expressions(ruleset: Ruleset) -> Iterator[Typed]:
    """Every expression of the rules (not of the texts)."""

    def of_verdict(verdict: Verdict) -> Iterable[Typed | None]:
        return verdict.expressions

    steps: list[Step] = [*ruleset.turn.rolls]
    steps += [] if ruleset.turn.begin is None else [ruleset.turn.begin]
    found: list[Typed | None] = [ruleset.turn.next, ruleset.turn.opener]
    if ruleset.together is not None:
        found.append(ruleset.together.who)
        steps += ruleset.together.done.steps
    for operation in (*ruleset.setup, *ruleset.operations):
        found += [operation.when, operation.next, *(c.collection for c in operation.choices)]
        steps += operation.steps
    for rule in ruleset.validity:
        found += rule.requires.values()
    stuck = ruleset.stuck
    found += [*stuck.unless.values(), *of_verdict(stuck.verdict), *of_verdict(stuck.all_verdict)]
    steps += [stuck.effects] if stuck.effects is not None else []
    for end in ruleset.end:
        found += [end.when, *of_verdict(end.verdict)]
    for step in steps:
        found += step_expressions(step)
    return (e for e in found if e is not None)


# ---- effects


def uncertain_values(operation: Operation, earlier: Iterable[str] = ()) -> frozenset[str]:
    """The values whose state after the operation depends on a roll inside it, or on one of some
    earlier rolls.
    """
    rolls = set(earlier)
    values: set[str] = set()

    def depends(expressions: Iterable[Typed | None]) -> bool:
        for expression in expressions:
            for part in typed.every_part(expression) if expression is not None else ():
                if isinstance(part, typed.Local) and part.name in rolls:
                    return True
                if isinstance(part, typed.Value) and part.variable.name in values:
                    return True
        return False

    for step in operation.steps:
        if isinstance(step, Roll):
            rolls.add(step.name)
            continue
        for _ in range(len(step.writes) + 1 if step.repeat is not None else 1):
            around = depends((step.when, step.repeat, step.while_))
            for write in step.writes:
                if around or depends(write_expressions(write)):
                    values.add(write.variable.name)
    return frozenset(values)


def loops_within(expression: Typed) -> int:
    """How many loops stand inside one another."""
    own = len(expression.loops) if isinstance(expression, typed.Aggregate) else 0
    return own + max(map(loops_within, typed.parts(expression)), default=0)


def known_after(
    operation: Operation, conditions: Sequence[Typed]
) -> dict[tuple[str, str], Typed] | None:
    """The values after the move that conditions read, as expressions of the state before; None if
    only the effects can tell.
    """
    parts = [part for condition in conditions for part in typed.every_part(condition)]
    if any(isinstance(part, typed.Call) and _is_after(part) for part in parts):
        return None  # earlier positions are part of the state after the move
    if len(operation.steps) != 1 or not isinstance(operation.steps[0], Effects):
        return None if operation.steps else {}
    effects = operation.steps[0]
    if effects.when is not None or effects.repeat is not None:
        return None
    known: dict[tuple[str, str], Typed] = {}
    written: dict[str, set[str]] = {}
    for write in effects.writes:
        key = owner_key(write.owner)
        written.setdefault(write.variable.name, set()).add(key)
        if write.indices or write.loops or key == "?":
            written[write.variable.name].add("?")
        known[write.variable.name, key] = write.value
    for condition in conditions:
        for part in typed.every_part(condition):
            if isinstance(part, typed.Value) and part.era == "after":
                keys = written.get(part.variable.name, set())
                mine = owner_key(part.owner)
                if "?" in keys or (keys and mine not in ("", "me", "them")):
                    return None
                if keys and part.variable.each_player and mine == "":
                    return None
                value = known.get((part.variable.name, mine))
                if value is not None and work(value) > MOST_PLAIN:
                    return None  # better worked out once
                if value is not None and not _is_alike(value.type, part.variable.type):
                    return None
    return known


def _is_alike(found: Type, declared: Type) -> bool:
    """Whether a set is as many cells as the value that it is written to."""
    if isinstance(found, Set) and isinstance(declared, Set):
        return found.cells == declared.cells
    return True


def may_divide_by_zero(operation: Operation) -> bool:
    """Whether effects that no roll decides might divide by zero."""
    for step in operation.steps:
        if isinstance(step, Roll):
            if step.is_conditional:
                continue
            return False
        for expression in step_expressions(step):
            for part in typed.every_part(expression):
                divisor = None
                if isinstance(part, typed.Arithmetic) and part.operator == "/":
                    divisor = part.operands[1].type
                elif isinstance(part, typed.Call) and part.function == "mod":
                    divisor = part.arguments[1].type
                if isinstance(divisor, Int) and divisor.low <= 0 <= divisor.high:
                    return True
    return False


def are_certainly_different(writes: Iterable[Write]) -> bool:
    """Whether no two writes can be to the same cell; then nothing needs to be checked
    at run time.
    """
    seen: set[tuple[str, str]] = set()
    for write in writes:
        key = (write.variable.name, owner_key(write.owner))
        shared = [k for k in seen if k[0] == key[0]]
        if write.loops or key in seen or (shared and "?" in (key[1], *(k[1] for k in shared))):
            return False
        seen.add(key)
    return True


def always_leaves_a_move(ruleset: Ruleset) -> bool:
    """Whether an operation can be carried out in any state: nobody can be stuck then."""
    if ruleset.stuck.unless:
        return False
    return any(
        operation.when is None
        and not ruleset.required_of(operation)
        and all(known_size(choice.collection.type) for choice in operation.choices)
        and not may_divide_by_zero(operation)
        for operation in ruleset.operations
    )


# ---- work


def least_moves(choices: Iterable[Choice]) -> int:
    """How many moves the choices make, where collections have a size that is known."""
    moves = 1
    for choice in choices:
        size = known_size(choice.collection.type)
        moves *= 1 if size is None else size
    return moves


def effort(step: Step) -> int:
    """The most steps that the effects take, all their repetitions together."""
    if isinstance(step, Roll):
        return 0
    once = sum(
        loops_cost(w.loops, sum(cost(part) for part in (w.value, *w.indices))) for w in step.writes
    )
    if step.repeat is None:
        return once
    return _most_times(step.repeat) * once


def _most_times(repeat: Typed) -> int:
    """How often a step is repeated at most."""
    if isinstance(repeat, typed.Constant):
        return repeat.code
    most = repeat.type.high if isinstance(repeat.type, Int) else LIMITS.repeat
    return max(0, min(most, LIMITS.repeat))


def writes_work(writes: Iterable[Write], strict: bool = False) -> int:
    """The most steps of writes that happen at once, without those that are charged as they run."""
    total = 0
    for write in writes:
        owner = () if write.owner is None else (write.owner,)
        each = sum(work(part, strict) for part in (write.value, *write.indices, *owner))
        cells = 1 if write.indices else size_of(write.variable.type)
        total += loops_work(write.loops, each + (cells if cells > 1 else 0), strict)
    return max(1, total)


def _step_work(step: Step) -> int:
    """The same for a step of an operation, with all its repetitions; or for what can be rolled."""
    if isinstance(step, Roll):
        each = LISTED + (0 if step.weight is None else work(step.weight))
        return work(step.collection) + each * count(step.collection.type, False)
    once = writes_work(step.writes) + (0 if step.while_ is None else work(step.while_))
    around = sum(work(e) for e in (step.when, step.repeat) if e is not None)
    if step.repeat is None:
        return around + once
    return around + once * _most_times(step.repeat)


def try_work(ruleset: Ruleset, operation: Operation, strict: bool = False) -> int:
    """The most steps that it takes to see whether one move of an operation is valid."""
    rules = [rule.requires[operation.name] for rule in ruleset.required_of(operation)]
    asked = ruleset.stuck.unless.get(operation.name)
    rules += [] if asked is None else [asked]
    total = A_MOVE + sum(rule_work(operation, rule, strict) for rule in rules)
    if not strict and (may_divide_by_zero(operation) or any(map(uses_after, rules))):
        total += sum(map(_step_work, operation.steps))
    return total


def rule_work(operation: Operation, rule: Typed, strict: bool = False) -> int:
    """The most steps that one evaluation of a validity rule takes."""
    if not uses_after(rule):
        return work(rule, strict)
    # what is written stands in for `after.x`, wherever that is light enough
    changed = [w.value for s in operation.steps if isinstance(s, Effects) for w in s.writes]
    each = max((work(value, strict) for value in changed), default=1)
    return work(rule, strict) * min(each, MOST_PLAIN)


def _moves_work(ruleset: Ruleset, operation: Operation, further: int) -> int:
    """The most steps that it takes to find the valid moves of an operation; `further`: to see
    whether a move follows another.
    """
    total = try_work(ruleset, operation) + _compelling_work(ruleset, operation, further)
    for choice in reversed(operation.choices):
        total = work(choice.collection) + total * count(choice.collection.type, False)
    return total + (0 if operation.when is None else work(operation.when))


def _compelling_work(ruleset: Ruleset, operation: Operation, further: int) -> int:
    """The most steps that it takes to see whether a move is compulsory."""
    total = 0
    for rule in ruleset.validity:
        if rule.compulsory and (condition := rule.requires.get(operation.name)) is not None:
            total += A_MOVE + work(condition)
            total += further * sum(
                isinstance(part, typed.Call) and part.function == "can_move"
                for part in typed.every_part(condition)
            )
            if uses_after(condition):
                total += sum(map(_step_work, operation.steps))
    return total


def move_work(ruleset: Ruleset) -> int:
    """The most steps that a move takes, or finding the moves of a state, beside those that are
    charged as they run: if that is within the limit, nothing else has to be.
    """

    def of_verdict(verdict: Verdict) -> int:
        return 1 + sum(map(work, verdict.expressions))

    operations = (*ruleset.setup, *ruleset.operations)
    steps = [sum(map(_step_work, operation.steps)) for operation in operations]
    together = ruleset.together
    if together is not None:  # what all have chosen is carried out at once
        done = sum(map(_step_work, together.done.steps))
        each = max(steps, default=0) + work(together.who)
        steps = [len(ruleset.players) * each + done]
    following = [e for e in (ruleset.turn.next, *(o.next for o in operations)) if e is not None]
    ends = sum(work(rule.when) + of_verdict(rule.verdict) for rule in ruleset.end)
    stuck = of_verdict(ruleset.stuck.verdict) + of_verdict(ruleset.stuck.all_verdict)
    stuck += 0 if ruleset.stuck.effects is None else _step_work(ruleset.stuck.effects)
    rolls = sum(map(_step_work, ruleset.turn.rolls))
    rolls += 0 if ruleset.turn.begin is None else _step_work(ruleset.turn.begin)
    rolls += 0 if ruleset.turn.opener is None else work(ruleset.turn.opener)
    playing = max(steps, default=0) + sum(map(work, following)) + ends + stuck + rolls
    finding = 0
    for further in (0, playing):  # how long it takes to see whether a move follows
        finding = sum(_moves_work(ruleset, o, further + finding) for o in operations)
    return max(finding, playing)


def is_budget_enough(ruleset: Ruleset, known: int) -> bool:
    """Whether no move, and no search for moves, can spend the budget, though the ranges in it are
    charged for what going through them costs: `known`, the work of a move, is at least a quarter of
    that.
    """
    if 4 * known > LIMITS.steps:
        return False
    parts = [part for e in rule_expressions(ruleset) for part in typed.every_part(e)]
    inside = {id(p.collection) for p in parts if isinstance(p, typed.Membership)}
    if any(is_open(p.type, False) and id(p) not in inside for p in parts):
        return False
    total = 4 * known
    for operation in (*ruleset.setup, *ruleset.operations):
        each = max(LIMITS.steps // LIMITS.moves, try_work(ruleset, operation))
        for choice in operation.choices:
            each *= max(1, count(choice.collection.type, False))
        total += each * len(operation.choices)
    return total <= LIMITS.steps


def stays_within(choice: Choice) -> bool:
    """Whether a choice is certainly not beyond its declared bounds."""
    found = element_of(choice.collection.type)
    if choice.within is None or not isinstance(found, Int):
        return True
    low, high = choice.within
    if low <= found.low and found.high <= high:
        return True
    match choice.collection:
        case typed.Aggregate(function="list", body=typed.Local(name=name), loops=loops):
            asked = [loop.condition for loop in loops if loop.condition is not None]
            return any(_keeps_within(condition, name, low, high) for condition in asked)
    return False


def _keeps_within(condition: Typed, name: str, low: int, high: int) -> bool:
    """Whether a name stands for a number within bounds if a condition holds."""
    match condition:
        case typed.BoolOp(operator="and", operands=operands):
            return any(_keeps_within(operand, name, low, high) for operand in operands)
        case typed.Membership(
            element=typed.Local(name=found),
            collection=typed.Range(low=typed.Constant(code=a), high=typed.Constant(code=b)),
        ):
            return found == name and low <= a and b <= high
    return False
