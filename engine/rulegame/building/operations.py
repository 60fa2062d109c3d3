"""The sections `setup`, `operations` and `turn`: choices, rolls, steps and their effects."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

from rulegame.building.context import Workbench
from rulegame.building.lets import beginnings, move_values
from rulegame.building.notes import told
from rulegame.building.preparing import check_entry, seats_of
from rulegame.building.settings import Settings
from rulegame.building.sights import sight_of
from rulegame.building.texts import of_choice, of_roll, texts
from rulegame.diagnostics import Diagnostic, Hint, Related, did_you_mean, write_instead
from rulegame.evaluation.runtime import Fault, beyond
from rulegame.keys.moves import CHOICE, OPERATION, SETUP_CHOICE, STEP, TURN_ROLL
from rulegame.keys.ruleset import section_at
from rulegame.language import typed
from rulegame.language.costs import cost, too_many_steps
from rulegame.language.parsing import SyntaxProblem, advise, parse_target
from rulegame.language.syntax import Expression, Place, Target, WordsOf, free_names
from rulegame.language.templates import Template
from rulegame.language.typed import Typed, Write, owner_key
from rulegame.language.types import Int, List, PlayerType, Set, Type, element_of
from rulegame.language.vocabulary import LocalKind, LocalName, Scope
from rulegame.limits import LIMITS
from rulegame.model import (
    Assignment,
    Choice,
    Effects,
    Operation,
    Roll,
    Sight,
    StateValue,
    Step,
    Stuck,
    Turn,
    Validity,
)
from rulegame.model.analysis import effort, known_codes, least_moves, may_be
from rulegame.model.secrecy import declared_otherwise, laid_open
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, items_of, mapping_of, text_of

ANYWHERE: Final = Scope()
OF_THE_TABLE: Final = "it runs once, for no player in particular: say whose, as in 'score of p'"
LOCALS: Final[tuple[LocalKind, ...]] = ("choose", "roll", "let")


def name_locals(bench: Workbench) -> None:
    """Remembers which operation each choice and roll belongs to, for better messages; declares the
    words that they are taken from.
    """
    _name_words(bench)
    known = bench.vocabulary.locals_elsewhere
    for section in ("setup", "operations"):
        for key, node in mapping_of(bench.root.get(section)):
            for kind in LOCALS:
                for name, _ in mapping_of(mapping_of(node).get(kind)):
                    known.setdefault(name.text, LocalName(kind, key.text))
            for step, inner in mapping_of(mapping_of(node).get("steps")):
                for name, _ in mapping_of(mapping_of(inner).get("roll")):
                    known.setdefault(name.text, LocalName("step roll", step.text))


def _name_words(bench: Workbench) -> None:
    """Declares the words that are chosen or rolled from: `sign: rock | paper | scissors`."""
    for node in _collections(bench.root):
        if not isinstance(node, Scalar) or "|" not in node.text:
            continue
        with suppress(SyntaxProblem):
            found = bench.expression(node)
            for word in found.words if isinstance(found, WordsOf) else ():
                bench.declare_word(word, node)


def _collections(root: MappingNode) -> Iterator[Node | None]:
    """All that is chosen or rolled from."""
    turn = mapping_of(root.get("turn"))
    listed = [turn, *(mapping_of(step) for _, step in mapping_of(turn.get("steps")))]
    for section in ("setup", "operations"):
        for _, node in mapping_of(root.get(section)):
            operation = mapping_of(node)
            steps = mapping_of(operation.get("steps"))
            listed += [operation, *(mapping_of(step) for _, step in steps)]
    for owner in listed:
        for kind in ("choose", "roll"):
            for _, node in mapping_of(owner.get(kind)):
                yield mapping_of(node).get("from")


def _rolls(
    bench: Workbench, node: MappingNode, before: Mapping[str, Type], base: Scope = ANYWHERE
) -> list[Roll]:
    """What is rolled, in order; `before` has the names that are known already."""
    found: list[Roll] = []
    known = dict(before)
    bench.check_count("rolls", node, LIMITS.rolls)
    for key, value in node:
        bench.check_local(key, known)
        entry = mapping_of(value)
        collection = bench.collection(entry.get("from"), base._replace(locals=known))
        if collection is None:
            bench.vocabulary.broken.add(key.text)
            continue
        element = element_of(collection.type)
        assert element is not None
        when = bench.condition(entry.get("when"), base._replace(locals=dict(known)))
        known[key.text] = element
        weight = bench.bound(entry.get("weight"), base._replace(locals=known), Int())
        if isinstance(collection.type, List) and collection.type.size == 0:
            bench.report("E409", f"'{key.text}' has no values to roll", entry.get("from") or key)
        if isinstance(weight, typed.Constant) and weight.code <= 0:
            bench.report("E409", "a weight must be at least 1", entry.get("weight") or key)
        text = bench.template(entry.get("text"), base._replace(locals=known), of_roll(known))
        written = bench.sources(entry, TURN_ROLL)
        place = Place(key.passage)
        made = Roll(key.text, collection, element, weight, text, place, written)
        made = made._replace(seen_by=_roll_sight(bench, entry.get("seen by"), base), when=when)
        if when is not None and isinstance(element, Set):
            message, hint = (
                "a roll with 'when' cannot be a set",
                "roll it in a step of an operation",
            )
            bench.report("E303", message, entry.get("when") or key, hint)
        known[key.text] = made.known
        found.append(made)
    return found


def _roll_sight(bench: Workbench, node: Node | None, base: Scope) -> Sight | None:
    """Who sees a roll, if that is declared."""
    declared = sight_of(bench, node)
    together = bench.vocabulary.everyone is not None
    if node is not None and declared in ("owner", "others") and (together or not base.me):
        message = "a setup entry with 'once' has no owner"
        hint = "seen by: nobody" if together else "seen by: nobody, or remove 'once'"
        bench.report("E432", message, node, hint)
        return None
    return declared


class OfTurn(NamedTuple):
    """What every move does after its own steps."""

    steps: tuple[Step, ...] = ()
    names: tuple[str, ...] = ()
    told: Mapping[str, str] = {}


NOTHING: Final = OfTurn()


def of_every_move(bench: Workbench, thrown: Sequence[Roll]) -> OfTurn:
    """The effects or steps of the turn, unless all choose at once: then nobody moves."""
    node = mapping_of(bench.root.get("turn"))
    written = {key: entry for key, entry in node.entries.items() if key in ("effects", "steps")}
    if bench.is_together or not written:
        return NOTHING
    bench.vocabulary.broken.update(mapping_of(node.get("let")).entries)  # reported elsewhere
    own = replace(node, entries=written)
    steps = steps_of(bench, own, {roll.name: roll.known for roll in thrown})
    listed = mapping_of(own.get("steps"))
    marked = tuple(step._replace(of_turn=True) for step in steps)
    return OfTurn(marked, tuple(listed.entries), steps_told(bench, listed))


def operations(
    bench: Workbench,
    settings: Settings,
    section: str,
    turn_rolls: Mapping[str, Type],
    of_turn: OfTurn = NOTHING,
) -> Iterator[Operation]:
    """The operations of a section, `setup` or `operations`, be they switched on or off."""
    setup = section == "setup"
    enabled = {s.text for s in settings.enable}
    disabled = {s.text for s in settings.disable}
    node = mapping_of(bench.root.get(section))
    if not setup:
        for given in (*settings.enable, *settings.disable):
            if given.text not in node.entries:
                message = f"unknown operation '{given.text}'"
                bench.report("E403", message, given, did_you_mean(given.text, node.entries))
    bench.check_count(section, node, LIMITS.operations)
    others = mapping_of(bench.root.get("setup")).entries if not setup else {}
    for key, value in node:
        bench.check_name(key, (others,))
        operation = _operation(bench, key, mapping_of(value), setup, {} if setup else turn_rolls)
        if setup:
            check_entry(bench, key, mapping_of(value))
        else:
            _check_names_of_turn(bench, key, operation, of_turn)
            operation = operation._replace(steps=(*operation.steps, *of_turn.steps))
        on = (operation.enabled or key.text in enabled) and key.text not in disabled
        yield operation._replace(enabled=on)


def _check_names_of_turn(
    bench: Workbench, key: Scalar, operation: Operation, of_turn: OfTurn
) -> None:
    """Steps and rolls of the turn have other names than those of an operation."""
    own = {*operation.step_names, *(roll.name for roll in operation.rolls)}
    own |= {one.name for one in operation.choices} | {one.variable.name for one in operation.lets}
    rolled = [step.name for step in of_turn.steps if isinstance(step, Roll)]
    for name in (*of_turn.names, *rolled):
        if name in own:
            message = f"'{key.text}' and the turn both have '{name}'"
            bench.report("E312", message, key, "use another name in one of them")


def _operation(
    bench: Workbench, key: Scalar, node: MappingNode, setup: bool, turn_rolls: Mapping[str, Type]
) -> Operation:
    known = dict(turn_rolls)
    once = isinstance(o := node.get("once"), Scalar) and o.value is True
    section = SETUP_CHOICE if setup else OPERATION
    base = Scope(me=not once, instead=OF_THE_TABLE)
    choices = _choices(bench, node, known)
    at_choice = dict(known)
    lets = move_values(bench, node.get("let"), known, base)
    inside = base._replace(lets={one.variable.name: one.variable for one in lets})
    steps = [*beginnings(lets), *steps_of(bench, node, known, inside)]
    _check_moves(bench, key, choices)
    enabled = node.get("enabled")
    on = not (isinstance(enabled, Scalar) and enabled.value is False)
    label = text_of(node.get("label")) or key.text.replace("_", " ").title()
    return Operation(
        name=key.text,
        label=label,
        key=text_of(node.get("key")),
        doing=text_of(node.get("doing")) or label,
        about=text_of(node.get("about")),
        told=told(node, section, bench.file),
        enabled=on,
        enabled_by_default=on,
        setup=setup,
        secret=isinstance(s := node.get("secret"), Scalar) and s.value is True,
        when=bench.condition(node.get("when"), base._replace(locals=turn_rolls)),
        choices=tuple(choices),
        steps=tuple(steps),
        step_names=tuple(mapping_of(node.get("steps")).entries),
        steps_told=steps_told(bench, mapping_of(node.get("steps"))),
        next=_next_player(bench, node, inside._replace(locals=known)),
        texts=texts(bench, mapping_of(node.get("texts")), turn_rolls, at_choice, known, base),
        place=Place(key.passage),
        sources=bench.sources(node, section),
        seats=seats_of(bench, node) if setup else (),
        once=once,
        lets=lets,
    )


def _choices(bench: Workbench, node: MappingNode, known: dict[str, Type]) -> list[Choice]:
    """The choices of an operation, whose names are known from then on."""
    choices: list[Choice] = []
    for name, value in mapping_of(node.get("choose")):
        choice = _choice(bench, name, mapping_of(value), known)
        if choice is None:
            bench.vocabulary.broken.add(name.text)
        else:
            known[name.text] = choice.element
            choices.append(choice)
    for choice in choices[:-1]:
        if isinstance(choice.element, Set):
            bench.report("E408", "a choice of a set must be the last choice", choice.place)
    return choices


def _choice(
    bench: Workbench, key: Scalar, node: MappingNode, known: Mapping[str, Type]
) -> Choice | None:
    bench.check_local(key, known)
    collection = bench.collection(node.get("from"), Scope(locals=known))
    own: dict[str, Template] = {}
    for name in ("menu", "option", "prompt"):
        template = bench.template(node.get(name), Scope(locals=known), of_choice(name))
        if template is not None:
            own[name] = template
    if collection is None:
        return None
    element = element_of(collection.type)
    assert element is not None
    within = _within(bench, node.get("within"), element)
    if within is not None:
        _check_within(bench, node, collection, within)
        element = Int(within[0], max(within))
    return Choice(
        key.text,
        collection,
        element,
        own,
        Place(key.passage),
        bench.sources(node, CHOICE),
        within,
        told(node, CHOICE, bench.file),
    )


def _within(bench: Workbench, node: Node | None, element: Type) -> tuple[int, int] | None:
    """The bounds of a choice that were declared, known before the game."""
    found = None if node is None else bench.bound(node, Scope(state=False, me=False))
    if node is None or found is None:
        return None
    if not isinstance(element, Int):
        bench.report("E303", f"only numbers have bounds, not {element}", node)
        return None
    if not isinstance(found, typed.Range):
        bench.report("E303", f"expected a range here, not {found.type}", node, "as in 1..9")
        return None
    low, high = bench.known(found.low, node), bench.known(found.high, node)
    if low is None or high is None:
        return None
    written = bench.parse(node)
    if low > high and written is not None and not free_names(written):  # not one by its parameters
        bench.report("E303", f"this range is empty: {low} is greater than {high}", node)
        return None
    return low, high


def _check_within(
    bench: Workbench, node: MappingNode, collection: Typed, within: tuple[int, int]
) -> None:
    """What can be chosen keeps within the bounds, where that does not depend on the state."""
    codes = known_codes(collection, bench.vocabulary.players) or ()
    outside = [code for code in codes if not within[0] <= code <= within[1]]
    if not outside:
        return
    try:
        beyond(min(outside), *within, site=0)
    except Fault as fault:
        bench.report(fault.code, fault.message, node.entries["from"].value, fault.hint)


def _check_moves(bench: Workbench, key: Scalar, choices: Sequence[Choice]) -> None:
    """What is known of the number of moves; what depends on the state is counted in play."""
    if len(choices) > LIMITS.choices:
        message = f"'{key.text}' has more than {LIMITS.choices} choices"
        bench.report("E407", message, choices[LIMITS.choices].place)
    elif least_moves(choices) > LIMITS.moves:
        message = f"'{key.text}' has more than {LIMITS.moves:,} moves"
        bench.report("E407", message, choices[-1].place, "choose from smaller collections")


def check_typed_names(bench: Workbench, enabled: Sequence[Operation]) -> None:
    """What a person types must mean one operation: names, labels and keys are different ones."""
    owners: dict[str, Operation] = {}
    for operation in enabled:
        for text in {operation.name, operation.label, operation.key} - {""}:
            other = owners.setdefault(text.lower(), operation)
            if other is not operation:
                message = f"'{text}' is used by two operations, '{other.name}' and this one"
                hint = "give them different labels and keys"
                bench.report("E312", message, operation.place, hint)


def check_work(
    bench: Workbench, operations: Sequence[Operation], validity: Sequence[Validity]
) -> None:
    """Every move is tried before a player is asked: that must not take too long."""
    for operation in operations:
        effects = sum(map(effort, operation.steps))
        rules = [r for r in validity if operation.name in r.requires]
        costs = [(cost(r.requires[operation.name]), r.source.span) for r in rules]
        if any(r.uses_after for r in rules):
            costs += [(effort(step), step.place.span) for step in operation.steps]
        moves = least_moves(operation.choices)
        steps = max(effects, moves * sum(each for each, _ in costs))
        if steps > LIMITS.steps:
            taken = too_many_steps(steps, LIMITS.steps)
            message = f"the moves of '{operation.name}' take {taken}"
            hint = "use smaller ranges, fewer repetitions or fewer moves"
            costs = costs or [(effort(step), step.place.span) for step in operation.steps]
            most, where = max(costs)
            part = f"most of them are here: {most:,} for a move, of which there are {moves:,}"
            bench.diagnostics.append(
                Diagnostic(
                    "E311", message, operation.place.span, hint, related=(Related(part, where),)
                )
            )


def steps_of(
    bench: Workbench, node: MappingNode, known: dict[str, Type], base: Scope = ANYWHERE
) -> list[Step]:
    """The steps, in order; rolls add their names to what is known."""
    if node.get("steps") is None:
        steps: list[Step] = [*_rolled(bench, node, known, base)]
        entry = node.entries.get("effects")
        if entry is not None:
            place = Place(entry.key.passage)
            steps.append(effects(bench, mapping_of(entry.value), known, place, base))
        return steps
    steps = []
    for name, value in mapping_of(node.get("steps")):
        made = _step(bench, name, mapping_of(value), known, base)
        steps += (step._replace(step=name.text) for step in made)
    return steps


def steps_told(bench: Workbench, steps: MappingNode) -> dict[str, str]:
    """What the author says about steps, by name."""
    said = {key.text: told(mapping_of(step), STEP, bench.file) for key, step in steps}
    return {name: words for name, words in said.items() if words}


def _rolled(bench: Workbench, node: MappingNode, known: dict[str, Type], base: Scope) -> list[Roll]:
    """The rolls of an operation or a step, whose names are known from then on."""
    found = _rolls(bench, mapping_of(node.get("roll")), known, base)
    known.update({roll.name: roll.element for roll in found})
    return found


def _step(
    bench: Workbench, name: Scalar, node: MappingNode, known: dict[str, Type], base: Scope
) -> Iterator[Step]:
    """The rolls of a step, then its effects. What is rolled under a condition, or repeatedly, is
    known inside the step alone.
    """
    around = [key for key in ("when", "repeat", "while") if node.get(key) is not None]
    scope = base._replace(locals=dict(known))
    when = bench.condition(node.get("when"), scope)
    repeat = bench.bound(node.get("repeat"), scope, Int())
    while_ = bench.condition(node.get("while"), scope)
    inside = dict(known) if around else known
    for roll in _rolled(bench, node, inside, base):
        yield roll._replace(when=when, repeat=repeat, while_=while_)
    if node.get("effects") is None:
        _check_rolled(bench, name, node, around)
        return
    made = effects(bench, mapping_of(node.get("effects")), inside, Place(name.passage), base)
    written = bench.sources(node, STEP)
    yield made._replace(when=when, repeat=repeat, while_=while_, sources=written)


def _check_rolled(bench: Workbench, name: Scalar, node: MappingNode, around: Sequence[str]) -> None:
    """A step without effects rolls for the steps after it."""
    if around:
        message = f"the roll of '{name.text}' is known only inside it, because it has '{around[0]}'"
        bench.vocabulary.broken.update(mapping_of(node.get("roll")).entries)
        hint = "put the effects that use it into the same step"
        bench.report("E430", message, node.entries[around[0]].key, hint)


def effects(
    bench: Workbench,
    node: MappingNode,
    known: Mapping[str, Type],
    place: Place,
    base: Scope = ANYWHERE,
) -> Effects:
    """Writes that happen at once."""
    writes: list[typed.Write] = []
    assignments: list[Assignment] = []
    known_writes = _Writes()
    for key, value in node:
        try:
            target = parse_target(key.passage)
        except SyntaxProblem as problem:
            hint = "number, my.score, score of p, heaps[i], board[row, column]"
            message = f"'{key.text}' cannot be changed by an effect"
            found = problem.diagnostic
            if "=" in key.text or not found.suggestions:
                found = Diagnostic(found.code, message, found.span, hint)
            bench.diagnostics.append(found)
            continue
        if (slip := _increment(key, value)) is not None:
            bench.diagnostics.append(slip)
            continue
        expression = bench.parse(value)
        if expression is None:
            continue
        assignments.append(Assignment(target, expression))
        for write in _writes(bench, target, expression, base._replace(locals=known)):
            known_writes.check(bench, write, key)
            writes.append(write)
    given = tuple(assignments)
    return Effects(tuple(writes), None, None, None, place, {}, assignments=given)


def _writes(
    bench: Workbench, target: Target, value: Expression, scope: Scope
) -> Sequence[typed.Write]:
    """One effect: a write, or one for every player."""
    to_all = bench.binder.bind_write_to_all(target, value, scope)
    if to_all is not None:
        return to_all
    write = bench.binder.bind_write(target, value, scope)
    return () if write is None else (write,)


INCREMENT: Final = re.compile(r"\s*(?:([-+*/])=|(\+)(?!\+)|=(?!=))\s*(\S.*)$", re.DOTALL)


def _increment(key: Scalar, value: Node) -> Diagnostic | None:
    """`+= n`, or `+1`, which YAML reads as 1: an effect gives the whole new value."""
    found = INCREMENT.match(value.text) if isinstance(value, Scalar) else None
    if found is None or not isinstance(value, Scalar):
        return None
    operator, rest = found[1] or found[2], found[3].strip()
    target = key.text.partition(" for ")[0].strip()
    message = f"'{found[0].strip()}' has no effect by itself: give the complete new value"
    if operator:
        from rulegame.language.foreign import operand

        rest = operand(rest, operator)
    hint = write_instead(f"{target} {operator} {rest}" if operator else rest)
    if found[2]:
        hint = Hint(f"{hint}, or {rest} to set it to that", (*hint.offers, rest))
    suggestions = advise(Place(value.passage), hint)
    return Diagnostic("E301", message, value.span, str(hint), suggestions=suggestions)


class _Writes:
    """The writes of a step so far, by what they change. Two to one value contradict each other;
    what only shows at run time is checked there.
    """

    def __init__(self) -> None:
        self._first: dict[Hashable, typed.Write] = {}

    def check(self, bench: Workbench, write: typed.Write, key: Scalar) -> None:
        """Reports a write to what another one has changed."""
        owner = owner_key(write.owner)
        if owner == "?" or write.loops:
            return
        value = (write.variable, owner)
        # A value as a whole is written beside any of its elements, an element beside the whole.
        here = [(value, write.indices), (value, "whole")] if write.indices else [(value, "any")]
        first = next((self._first[one] for one in here if one in self._first), None)
        if first is not None:
            message = f"'{key.text}' is set twice in one step"
            bench.report("E404", message, key, "", (Related("first here", first.place.span),))
        self._first.setdefault((value, "any"), write)
        self._first.setdefault((value, write.indices or "whole"), write)


def _next_player(bench: Workbench, node: MappingNode, scope: Scope) -> Typed | None:
    """Whose turn is next, if the turn or the operation says so."""
    return bench.bound(node.get("next"), scope, PlayerType())


def turn_rolls(bench: Workbench) -> tuple[Roll, ...]:
    """What is rolled at the beginning of every turn."""
    with bench.for_everyone():
        return tuple(_rolls(bench, mapping_of(mapping_of(bench.root.get("turn")).get("roll")), {}))


def turn(bench: Workbench, rolls: tuple[Roll, ...], operations: Sequence[Operation]) -> Turn:
    """What belongs to every turn; `operations` are those that are on."""
    node = mapping_of(bench.root.get("turn"))
    rolled = Scope(locals={roll.name: roll.known for roll in rolls})
    following = _next_player(bench, node, rolled)
    asked, forced = _asked(bench, node, operations), text_of(node.get("forced")) == "play"
    first, opener = _first_player(bench, node.get("first"))
    written = bench.sources(node, section_at("turn"))
    made = Turn(rolls, asked, following, written, first, forced, opener=opener)
    return made._replace(begin=_begin(bench, node))


def _begin(bench: Workbench, node: MappingNode) -> Effects | None:
    """What changes when a turn begins."""
    entry = node.entries.get("begin")
    if entry is None:
        return None
    if bench.is_together:
        message = "'begin' is only for turns of one player"
        bench.report("E441", message, entry.key, "put it into 'effects'")
        return None
    return effects(bench, mapping_of(entry.value), {}, Place(entry.key.passage))


def check_next_of_pass(bench: Workbench, turn: Turn, stuck: Stuck) -> None:
    """Warns of a `next` of the turn that leaves the turn to a player who has passed."""
    entry = mapping_of(bench.root.get("turn")).entries.get("next")
    result = stuck.verdict.result
    if entry is None or turn.next is None or turn.together is not None or len(bench.players) == 1:
        return
    if result is None or not may_be(result, bench.vocabulary.words["pass"]):
        return
    if not _may_be_me(turn.next):
        return
    message = "'next' applies to a pass as well: a stuck player may move again"
    hint = "move 'next' into the operations"
    span = entry.key.span
    bench.diagnostics.append(Diagnostic("E447", message, span, hint, severity="warning"))


def _may_be_me(following: Typed) -> bool:
    """Whether the player who moves next may be the one who has moved."""
    match following:
        case typed.IfElse(then=then, otherwise=otherwise):
            return _may_be_me(then) or _may_be_me(otherwise)
        case typed.Call(function="next", arguments=(typed.Seat(which="me"),)):
            return False
    return True


def _first_player(bench: Workbench, node: Node | None) -> tuple[int | None, Typed | None]:
    """The seat that begins, if the ruleset says so; where it is decided in the setup, it is what
    the second is in the state after that.
    """
    if node is None:
        return None, None
    found = bench.bound(node, Scope(me=False), PlayerType())
    if found is None:
        return None, None
    parts = typed.every_part(found)
    if any(isinstance(part, typed.Seat) for part in parts):
        bench.report("E307", "'first' is not known here", node, "name the player who begins")
        return None, None
    if not any(isinstance(part, typed.Value) for part in parts):
        return bench.known(found, node), None
    if not mapping_of(bench.root.get("setup")).entries:
        message = "'first' reads the state, but nothing happens before the first turn"
        hint = "decide it in the setup: lot: {once: true, roll: {who: players}, effects: {…: who}}"
        bench.report("E307", message, node, hint)
        return None, None
    return 0, found


def _asked(bench: Workbench, node: MappingNode, operations: Sequence[Operation]) -> tuple[str, ...]:
    """The order in which a player is asked for the parts of a move."""
    names: list[str] = []
    choices = list(dict.fromkeys(c.name for o in operations for c in o.choices))
    for item in items_of(node.get("ask")):
        if not isinstance(item, Scalar) or item.text in bench.vocabulary.broken:
            continue
        if item.text != "operation" and item.text not in choices:
            message = f"'{item.text}' is not a choice of any operation"
            bench.report("E302", message, item, did_you_mean(item.text, [*choices, "operation"]))
        elif item.text != "operation" and "operation" not in names:
            for operation in operations:
                if item.text not in {c.name for c in operation.choices}:
                    bench.report(
                        "E204",
                        f"'{item.text}' cannot be asked before the operation: "
                        f"'{operation.name}' has no such choice",
                        item,
                    )
        names.append(item.text)
    return tuple(names)


def check_secrets(
    bench: Workbench,
    operations: Sequence[Operation],
    thrown: Sequence[Roll],
    state: Mapping[str, StateValue],
) -> None:
    """Warns of what is chosen in secret, or rolled unseen, and stored for others to see; `thrown`
    is what is rolled at the beginning of a turn.
    """
    for operation in operations:
        for roll in (*(() if operation.setup else thrown), *operation.rolls):
            _check_sight(bench, operation, roll, state)
        for found in laid_open(state, operation):
            variable = found.write.variable
            what = f"which stores '{found.what}'" if found.what else "which it changes"
            message = f"'{operation.name}' is secret, but everyone sees '{variable.name}', {what}"
            hint = _hide(found.write, "owner" if variable.each_player else "nobody")
            span = found.write.place.span
            bench.diagnostics.append(Diagnostic("E425", message, span, hint, severity="warning"))


def _check_sight(
    bench: Workbench, operation: Operation, roll: Roll, state: Mapping[str, StateValue]
) -> None:
    """Warns of a roll that is stored where somebody sees it who, as it says, does not see it."""
    found = declared_otherwise(state, operation, roll)
    if found is None:
        return
    variable, seen = found.write.variable, state[found.write.variable.name].seen_by
    who = {"all": "everyone sees", "owner": "its owner sees"}.get(str(seen), "others see")
    said = roll.seen_by if isinstance(roll.seen_by, str) else "some seats"
    message = f"'{roll.name}' is seen by {said}, but {who} '{variable.name}', which stores it"
    hint = _hide(found.write, roll.seen_by if variable.each_player else "nobody")
    span = found.write.place.span
    bench.diagnostics.append(Diagnostic("E435", message, span, hint, severity="warning"))


def _hide(write: Write, sight: Sight | None) -> str:
    """The hint that keeps a secret: who may see the value, if the player who moves owns it."""
    known = sight in ("owner", "others") and owner_key(write.owner) == "me"
    return f"give '{write.variable.name}' 'seen by: {sight if known else 'nobody'}'"
