"""Which choices and rolls the rules keep from whom, told before they run: from what they lead to.

A choice or a roll that leads to nothing but hidden values is hidden like them; one that leads to
something that all see was made in the open, unless its operation is `secret`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, NamedTuple

from rulegame.language import typed
from rulegame.language.typed import Typed, Write, owner_key
from rulegame.model import (
    Effects,
    Operation,
    Roll,
    Ruleset,
    Sight,
    StateValue,
    Step,
    Validity,
    sees,
)
from rulegame.model.analysis import step_expressions, write_expressions

State = Mapping[str, StateValue]
# What a copy of a roll is called that only its owner sees, or that all others do.
SEEN_AS: Final = {"owner": "copied", "others": "shown"}
Word = Literal["all", "owner", "others", "nobody"]  # who sees something, as the mover sees it


def kept_choices(
    state: State, operation: Operation, done: Operation | None = None
) -> frozenset[str]:
    """The choices of an operation that only the player who makes them sees, also when `done` has
    been, which is carried out once all have chosen.
    """
    names = [choice.name for choice in operation.choices]
    if operation.secret:
        return frozenset(names)
    kept = []
    for name in names:
        reach = _reach(state, operation, {name})
        reach |= set() if done is None else _reach(state, done, {name})
        kept += [name] if _is_hidden(reach) else []
    return frozenset(kept)


def is_kept_whole(state: State, operation: Operation, done: Operation | None = None) -> bool:
    """Whether nothing of a move of the operation can be seen but that one was made: it is secret,
    all its choices are kept, or it has none and changes nothing that others see.
    """
    if operation.secret:
        return True
    if operation.choices:
        return len(kept_choices(state, operation, done)) == len(operation.choices)
    return _is_hidden({_sight_of(state, write) for write in _stored(state, operation)})


def _stored(state: State, operation: Operation) -> Iterator[Write]:
    """The writes to the state: not those to values of the move."""
    for step in operation.steps:
        for write in step.writes if isinstance(step, Effects) else ():
            if write.variable.name in state:
                yield write


def roll_sight(state: State, operation: Operation, roll: Roll) -> Sight:
    """Who sees a roll inside an operation; its owner is the player who moves, or, in the setup, for
    whom it is done.
    """
    if roll.seen_by is not None:
        return roll.seen_by
    return _sight(_reach(state, operation, {roll.name}), operation.secret)


def hidden_roll(ruleset: Ruleset) -> str | None:
    """The first roll that is declared to be kept from somebody; those that are hidden by what they
    lead to come with hidden values.
    """
    rolls = [*ruleset.turn.rolls, *ruleset.turn.later_rolls]
    for operation in (*ruleset.setup, *ruleset.operations):
        rolls += operation.rolls
    return next((r.name for r in rolls if r.seen_by and is_kept(ruleset, r.seen_by)), None)


def turn_roll_sight(ruleset: Ruleset, roll: Roll) -> Sight:
    """Who sees a roll of the turn; its owner is the player whose turn it is."""
    if roll.seen_by is not None:
        return roll.seen_by
    names = {roll.name}
    for later in ruleset.turn.rolls:
        if _read(step_expressions(later), names):
            names.add(later.name)
    reach: set[str] = set()
    for operation in ruleset.operations:
        reach |= _reach(ruleset.state, operation, names)
    if ruleset.stuck.effects is not None:
        reach |= _reach_of_steps(ruleset.state, [ruleset.stuck.effects], names)[0]
    if ruleset.together is not None:
        reach |= _reach(ruleset.state, ruleset.together.done, names)
    asked = [later.when for later in ruleset.turn.rolls if later.when is not None]
    if _read([*asked, *_verdicts(ruleset)], names):
        reach.add("all")
    sight = _sight(reach, False)
    # Where all choose at once, it is everybody's turn, and nobody is another.
    if ruleset.together is None:
        return sight
    return {"owner": "all", "others": "nobody"}.get(sight, sight)  # type: ignore[return-value]


def _verdicts(ruleset: Ruleset) -> Iterator[Typed]:
    """What all see the result of: who is next, and how the game ends."""
    stuck = ruleset.stuck
    verdicts = [stuck.verdict, stuck.all_verdict, *(rule.verdict for rule in ruleset.end)]
    found = [ruleset.turn.next, *(rule.when for rule in ruleset.end)]
    found += [] if ruleset.together is None else [ruleset.together.who]
    for verdict in verdicts:
        found += verdict.expressions
    return (expression for expression in found if expression is not None)


def _sight(reach: set[str], secret: bool) -> Word:
    if ("all" in reach and not secret) or not (reach or secret):
        return "all"
    if "copied" in reach:
        return "owner"
    if not secret and ("shown" in reach or reach == {"others"}):
        return "others"
    return "nobody" if reach & {"nobody", "others"} else "owner"


def _is_hidden(reach: set[str]) -> bool:
    return bool(reach) and "all" not in reach


# ---- where something leads


def _reach(state: State, operation: Operation, names: set[str]) -> set[str]:
    """Who sees what some choices or rolls lead to. What is no value, as who is next, all see;
    `copied` says that the mover has it in a value of their own, `shown` that all others see it in
    one.
    """
    reach, known = _reach_of_steps(state, operation.steps, names)
    if operation.next is not None and _read([operation.next], known):
        reach.add("all")
    return reach


def _reach_of_steps(
    state: State, steps: Iterable[Step], names: set[str]
) -> tuple[set[str], set[str]]:
    """Who sees what is led to; and what is known in the end, with rolls and values of the move."""
    reach: set[str] = set()
    known = set(names)
    inside = ""  # the step in which it is rolled, if it is known there alone: what it does is done
    for step in steps:
        around = [e for e in (step.when, step.repeat, step.while_) if e is not None]
        if isinstance(step, Roll):
            inside = step.step if names == {step.name} and step.is_conditional else inside
            if _read(around, known):  # whether dice fall is for all to see
                reach.add("all")
            if _read(step_expressions(step), known):
                known.add(step.name)
            continue
        later = _carried_on(state, step, known)
        known = known if step.repeat is None else later
        decides = _read(around, known)
        for write in step.writes:
            stored = write.variable.name in state
            if stored and (decides or _read(write_expressions(write), known)):
                sight = _sight_of(state, write)
                reach.add(sight)
                certain = not around or step.step == inside
                if sight in SEEN_AS and certain and _copies(write, names):
                    reach.add(SEEN_AS[sight])
        known = later - _forgotten(state, step, known)
    return reach, known


def _carried_on(state: State, step: Effects, known: set[str]) -> set[str]:
    """What leads on, with the values of the move that a step gives it to: where a step is repeated,
    these may be read before they are written.
    """
    found = set(known)
    around = [e for e in (step.when, step.repeat, step.while_) if e is not None]
    for _ in step.writes:
        for write in step.writes:
            own = write.variable.name not in state
            if own and (_read(around, found) or _read(write_expressions(write), found)):
                found.add(write.variable.name)
        if step.repeat is None:
            break
    return found


def _forgotten(state: State, step: Effects, known: set[str]) -> set[str]:
    """The values of the move that a step certainly gives something else."""
    if step.when is not None or step.repeat is not None:
        return set()
    whole = [w for w in step.writes if not (w.indices or w.loops) and w.variable.name not in state]
    return {w.variable.name for w in whole if not _read(write_expressions(w), known)}


def _copies(write: Write, names: set[str]) -> bool:
    value = write.value
    if isinstance(value, typed.Call) and value.function == "with":
        value = value.arguments[1]
    return isinstance(value, typed.Local) and {value.name} == names and not write.loops


def _sight_of(state: State, write: Write) -> Word:
    """Who sees what a write changes,: what only some others see is nobody's."""
    sight = state[write.variable.name].seen_by
    if isinstance(sight, tuple):
        return "nobody"
    return sight if sight == "all" or owner_key(write.owner) == "me" else "nobody"


def _read(expressions: Iterable[Typed], names: set[str]) -> bool:
    """Whether some choices or rolls are read; what all have chosen is read like a value."""
    return any(
        (isinstance(part, typed.Local) and part.name in names)
        or (isinstance(part, typed.Value) and part.variable.name in names)
        for expression in expressions
        for part in typed.every_part(expression)
    )


# ---- secrets that are none


class LaidOpen(NamedTuple):
    """A write with which a secret operation shows everybody what it keeps secret."""

    write: Write
    what: str  # the choice or the roll; empty: the operation itself


def laid_open(state: State, operation: Operation) -> Iterator[LaidOpen]:
    """Where an operation that is secret stores what is chosen, or rolled, for all to see."""
    if not operation.secret:
        return
    names = [*(c.name for c in operation.choices), *(roll.name for roll in operation.rolls)]
    for name in names:
        for write in _carrying(operation.steps, name):
            if write.variable.name in state and state[write.variable.name].seen_by == "all":
                yield LaidOpen(write, name)
                break
    writes = list(_stored(state, operation))
    if not names and writes and all(state[w.variable.name].seen_by == "all" for w in writes):
        yield LaidOpen(writes[0], "")


def _carrying(steps: Iterable[Step], name: str) -> Iterator[Write]:
    """The writes that store a choice or a roll, or what it was stored in before."""
    values: set[str] = set()
    for step in steps:
        if isinstance(step, Roll):
            continue
        found = [
            write
            for write in step.writes
            if any(_carries(e, name, values) for e in (write.value, *write.indices))
        ]
        values.update(write.variable.name for write in found)
        yield from found


def _carries(expression: Typed, name: str, values: set[str]) -> bool:
    """Whether the value of an expression is made of a local, or of some values: a condition on them
    does not count.
    """
    match expression:
        case typed.Local():
            return expression.name == name
        case typed.Value():
            return expression.variable.name in values
        case typed.Compare() | typed.Membership() | typed.BoolOp() | typed.Not():
            return False
        case typed.IfElse():
            parts: Iterable[Typed] = (expression.then, expression.otherwise)
        case typed.Aggregate():
            parts = (expression.body,)
        case _:
            parts = typed.parts(expression)
    return any(_carries(part, name, values) for part in parts)


def declared_otherwise(state: State, operation: Operation, roll: Roll) -> LaidOpen | None:
    """Where a roll is stored for somebody to see who, as it declares, does not see it."""
    if roll.seen_by in (None, "all"):
        return None
    for write in _carrying(operation.steps, roll.name):
        if write.variable.name not in state:
            continue
        if _shows_more(_sight_of(state, write), roll.seen_by):
            return LaidOpen(write, roll.name)
    return None


def _shows_more(stored: Word, declared: Sight | None) -> bool:
    """Whether a value shows a roll to somebody who, as it declares, does not see it; of the seats
    that some declare, nothing is known before the game.
    """
    if stored == "all" or isinstance(declared, tuple):
        return stored == "all"
    return stored not in ("nobody", declared)


# ---- what is read


def reads_hidden(state: State, operation: Operation, own: bool) -> bool:
    """Whether the effects of an operation read a value that not everybody sees; `own`: those of
    the player who moves do not count.
    """
    expressions = (e for step in operation.steps for e in step_expressions(step))
    return any(True for _ in _unseen(state, expressions, own))


def _is_seen(state: State, value: typed.Value, own: bool) -> bool:
    if value.variable.name not in state:
        return True  # a value of the move: what it is made of is asked where it is written
    sight, owner = state[value.variable.name].seen_by, owner_key(value.owner)
    if sight == "all" or not own:
        return sight == "all"
    return (sight == "owner" and owner == "me") or (sight == "others" and owner == "them")


def compulsory_secrets(ruleset: Ruleset, rule: Validity) -> Iterator[str]:
    """What a compulsory rule reads, or what decides it, that the player who moves does not see."""
    rolls = {roll.name for roll in ruleset.turn.rolls if roll.seen_by == "nobody"}
    for name, condition in rule.requires.items():
        operation = ruleset.operation(name)
        after = set() if operation is None else _unforeseen(ruleset.state, operation)
        for part in typed.every_part(condition):
            match part:
                case typed.Local(name=local) if local in rolls:
                    yield local
                case typed.Value(variable=variable, era=era) if (
                    era == "after" and variable.name in after
                ) or not _is_seen(ruleset.state, part, own=True):
                    yield variable.name
                case typed.Call(function="can_move", arguments=(player,)) if operation is not None:
                    own = isinstance(player, typed.Seat) and player.which == "me"
                    yield from _unseen(ruleset.state, _of_moves(ruleset, operation), own)


def _unforeseen(state: State, operation: Operation) -> set[str]:
    """The values that an operation makes from something that the player who moves does not see."""
    found: set[str] = set()
    for _ in operation.steps:
        for step in operation.steps:
            if isinstance(step, Roll):
                continue
            around = [e for e in (step.when, step.repeat, step.while_) if e is not None]
            for write in step.writes:
                expressions = [*around, *write_expressions(write)]
                if _read(expressions, found) or any(_unseen(state, expressions, own=True)):
                    found.add(write.variable.name)
    return found


def _of_moves(ruleset: Ruleset, operation: Operation) -> Iterator[Typed]:
    """All that decides whether there is a valid move after an operation."""
    for step in operation.steps:
        yield from step_expressions(step)
    if ruleset.turn.begin is not None:
        yield from step_expressions(ruleset.turn.begin)
    yield from (e for e in (operation.next, *_verdicts(ruleset)) if e is not None)
    yield from ruleset.stuck.unless.values()
    for one in ruleset.operations:
        yield from () if one.when is None else (one.when,)
        yield from (choice.collection for choice in one.choices)
        for step in one.steps:
            yield from step_expressions(step)
    for rule in ruleset.validity:
        yield from () if rule.compulsory else rule.requires.values()


def _unseen(state: State, expressions: Iterable[Typed], own: bool) -> Iterator[str]:
    """The values in some expressions that not everybody sees; see `reads_hidden`."""
    for expression in expressions:
        for part in typed.every_part(expression):
            if isinstance(part, typed.Value) and not _is_seen(state, part, own):
                yield part.variable.name


def hidden_values(ruleset: Ruleset) -> list[str]:
    """The values that a player does not see, apart from those that no rule changes: the rules state
    these.
    """
    written = {name for steps in _all_steps(ruleset) for name in written_names(steps)}
    state = ruleset.state.items()
    return [name for name, value in state if is_kept(ruleset, value.seen_by) and name in written]


def is_kept(ruleset: Ruleset, sight: Sight) -> bool:
    """Whether something is kept from a player."""
    seats = range(len(ruleset.players))
    return any(not sees(sight, owner, seat) for owner in seats for seat in seats)


def exposed_values(ruleset: Ruleset) -> list[str]:
    """The values that all see and that effects make from something hidden."""
    operations = (*ruleset.setup, *ruleset.operations)
    rolls = [*ruleset.turn.rolls, *ruleset.turn.later_rolls]
    rolls += [roll for operation in operations for roll in operation.rolls]
    known = {name for name, value in ruleset.state.items() if value.seen_by != "all"}
    known |= {roll.name for roll in rolls if roll.seen_by not in (None, "all")}
    known |= {choice.name for one in operations if one.secret for choice in one.choices}
    while True:
        more = {name for steps in _all_steps(ruleset) for name in _made_from(steps, known)}
        if more <= known:
            break
        known |= more
    public = [name for name, value in ruleset.state.items() if value.seen_by == "all"]
    return [name for name in public if name in known]


def _made_from(steps: Iterable[Step], names: set[str]) -> Iterator[str]:
    """The values and rolls that depend on some names."""
    for step in steps:
        around = [e for e in (step.when, step.repeat, step.while_) if e is not None]
        if isinstance(step, Roll):
            if _read([*around, *step_expressions(step)], names):
                yield step.name
            continue
        for write in step.writes:
            if _read([*around, *write_expressions(write)], names):
                yield write.variable.name


def _all_steps(ruleset: Ruleset) -> Iterator[tuple[Step, ...]]:
    """The steps of everything that changes something."""
    for operation in (*ruleset.setup, *ruleset.operations):
        yield operation.steps
    if ruleset.stuck.effects is not None:
        yield (ruleset.stuck.effects,)
    if ruleset.turn.begin is not None:
        yield (ruleset.turn.begin,)
    if ruleset.together is not None:
        yield ruleset.together.done.steps


def written_names(steps: Iterable[Step]) -> Iterator[str]:
    """The values that some steps write."""
    for step in steps:
        if isinstance(step, Effects):
            yield from (write.variable.name for write in step.writes)
