"""`turn: together`: who chooses at once, what is done once all have chosen, and what such a game
cannot have.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from rulegame.building.context import Workbench
from rulegame.building.lets import beginnings, move_values
from rulegame.building.operations import steps_of, steps_told
from rulegame.language import typed
from rulegame.language.syntax import Place
from rulegame.language.typed import Typed, Variable, Write
from rulegame.language.types import List, Nothing, PlayerType, Set, Type, element_of, join
from rulegame.language.vocabulary import Scope
from rulegame.model import Effects, EndRule, Operation, Stuck, Together, Turn
from rulegame.model.analysis import may_be
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, mapping_of

NAME: Final = "(together)"  # of what is done by nobody; no operation can be called so
DONE: Final = ("let", "effects", "steps")


def with_everybody(
    bench: Workbench, turn: Turn, operations: Sequence[Operation], stuck: Stuck
) -> Turn:
    """A turn with what makes all choose at once, if anything does; `operations` are all, be they
    switched on or off.
    """
    node = mapping_of(bench.root.get("turn"))
    if not bench.is_together:
        if "let" in node.entries:
            message = "'let' is only for simultaneous turns"
            hint = "put it into an operation, or write 'together: true' above it"
            bench.report("E441", message, node.entries["let"].key, hint)
        return turn
    given = node.entries["together"]
    everyone = isinstance(given.value, Scalar) and given.value.value is True
    with bench.for_everyone():
        who = _who(bench, given.value, turn, everyone)
    chosen = _chosen(operations, everyone and not _may_pass(bench, stuck))
    place = Place(given.key.passage)
    made = Together(who, everyone, chosen, _done(bench, node, turn, chosen, place), place)
    _check_keys(bench, node, operations)
    _check_lets(bench, (*operations, made.done), chosen)
    return turn._replace(together=made, first=0)


def _may_pass(bench: Workbench, stuck: Stuck) -> bool:
    result = stuck.verdict.result
    return result is not None and may_be(result, bench.vocabulary.words["pass"])


def _who(bench: Workbench, node: Node, turn: Turn, everyone: bool) -> Typed:
    """Those who choose."""
    count = len(bench.players)
    seats = tuple(typed.Constant(PlayerType(), seat) for seat in range(count))
    all_players = typed.ListLiteral(List(PlayerType(), count), seats)
    if everyone:
        return all_players
    rolls = {roll.name: roll.known for roll in turn.rolls}
    found = bench.bound(node, Scope(locals=rolls))
    if found is None:
        return all_players
    if isinstance(found, typed.ListLiteral) and not found.items:
        bench.report("E442", "nobody chooses in this turn", node, "together: true")
        return all_players
    if not isinstance(element_of(found.type), PlayerType):
        message = f"expected players here, not {found.type}"
        bench.report("E303", message, node, "true, or list(p for p in players if …)")
        return all_players
    return found


def _chosen(operations: Sequence[Operation], always: bool) -> dict[str, Variable]:
    """What each player has chosen, by name: none where a move lacks the choice. `always`: everybody
    makes a move in every turn.
    """
    found: dict[str, Type | None] = {}
    for operation in operations:
        for choice in operation.choices:
            known = found.setdefault(choice.name, choice.element)
            found[choice.name] = None if known is None else join(known, choice.element)
    chosen: dict[str, Variable] = {}
    for name, type_ in found.items():
        shared = all(name in {c.name for c in o.choices} for o in operations)
        if type_ is not None and not (always and shared) and not isinstance(type_, Set):
            type_ = join(type_, Nothing())
        if type_ is not None:
            chosen[name] = Variable(name, type_, each_player=True)
    return chosen


def _done(
    bench: Workbench,
    node: MappingNode,
    turn: Turn,
    chosen: Mapping[str, Variable],
    place: Place,
) -> Operation:
    """What is done once all have chosen, as an operation of nobody."""
    written = {key: entry for key, entry in node.entries.items() if key in DONE}
    own = replace(node, entries=written)
    known = {roll.name: roll.known for roll in turn.rolls}
    with bench.for_everyone(chosen):
        lets = move_values(bench, own.get("let"), known, Scope())
        inside = Scope(lets={one.variable.name: one.variable for one in lets})
        steps = [*beginnings(lets), *steps_of(bench, own, known, inside)]
    for step in steps:
        if not isinstance(step, Effects) and step.name in chosen:
            message = f"the name '{step.name}' is already taken"
            bench.report("E312", message, step.place, "use another name")
    listed = mapping_of(own.get("steps"))
    return Operation(
        name=NAME,
        label="",
        key="",
        doing="",
        about="",
        told="",
        enabled=True,
        enabled_by_default=True,
        setup=False,
        secret=False,
        when=None,
        choices=(),
        steps=tuple(steps),
        step_names=tuple(listed.entries),
        steps_told=steps_told(bench, listed),
        next=None,
        texts={},
        place=place,
        sources={},
        lets=lets,
    )


# ---- what such a game cannot have


def _check_lets(
    bench: Workbench, operations: Sequence[Operation], chosen: Mapping[str, Variable]
) -> None:
    """What all have chosen is known by its name everywhere: no value of a move can have it."""
    for operation in operations:
        for one in operation.lets:
            if one.variable.name in chosen:
                message = f"the name '{one.variable.name}' is already taken"
                bench.report("E312", message, one.place, "use another name")


def _check_keys(bench: Workbench, node: MappingNode, operations: Sequence[Operation]) -> None:
    for key in ("next", "first"):
        if key in node.entries:
            message = f"'{key}' has no meaning in a simultaneous turn"
            hint = "together: list(p for p in players if …) says who chooses"
            bench.report("E443", message, node.entries[key].key, hint)
    written = mapping_of(bench.root.get("operations"))
    for operation in operations:
        own = mapping_of(written.get(operation.name))
        if operation.next is not None or "next" in own.entries:
            message = f"'next' of '{operation.name}' has no meaning in a simultaneous turn"
            bench.report("E443", message, own.entries["next"].key, "leave it out")
        if operation.rolls:
            message = f"'{operation.name}' belongs to a simultaneous turn and cannot roll"
            hint = "put the roll into 'steps' of 'turn', which run once"
            bench.report("E444", message, operation.rolls[0].place, hint)
        texts = mapping_of(own.get("texts"))
        if "updated" in texts.entries:
            message = "'updated' is printed once, after all have chosen: not per operation"
            hint = "put it under 'texts' of the ruleset, or use 'chosen'"
            bench.report("E443", message, texts.entries["updated"].key, hint)


def check_together(
    bench: Workbench, operations: Sequence[Operation], stuck: Stuck, ends: Sequence[EndRule]
) -> None:
    """What makes no sense if all choose at once; `operations` are those that are on."""
    if not bench.is_together:
        return
    verdicts = [(rule.verdict, rule.sources) for rule in ends]
    for verdict, sources in [*verdicts, (stuck.all_verdict, stuck.all_sources)]:
        words = bench.vocabulary.words
        result = verdict.result
        if result is not None and any(may_be(result, words[w]) for w in ("win", "lose")):
            message = "all players choose together: 'win' and 'lose' do not say who is meant"
            hint = "name the winners: 'winners: …', or 'payoff: …'; 'result: draw' is for all"
            bench.report("E445", message, Place(sources["result"].passage), hint)
    if stuck.effects is not None:
        message = "a pass in a simultaneous turn has no 'effects'"
        hint = "put them into 'effects' of 'turn', where the choice of who passed is none"
        bench.report("E443", message, Place(stuck.place.passage), hint)
    if not _may_pass(bench, stuck):
        _check_conflicts(bench, operations)


def _check_conflicts(bench: Workbench, operations: Sequence[Operation]) -> None:
    """Every move of every player writes one and the same value: that can never be."""
    given = mapping_of(bench.root.get("turn")).get("together")
    everyone = isinstance(given, Scalar) and given.value is True
    if len(bench.players) < 2 or not everyone or not operations:
        return
    found, state = [dict(_shared_writes(o)) for o in operations], bench.vocabulary.variables
    for key, write in found[0].items():
        if all(key in others for others in found) and write.variable.name in state:
            name = write.variable.name
            message = f"all players would set '{name}' at the same time"
            hint = f"give each player their own value, and set '{name}' in 'turn: effects'"
            bench.report("E446", message, write.place, hint)
            return


def _shared_writes(operation: Operation) -> Iterator[tuple[Hashable, Write]]:
    """What an operation writes whatever happens, and whoever moves."""
    for step in operation.steps:
        if not isinstance(step, Effects) or step.when is not None or step.repeat is not None:
            continue
        for write in step.writes:
            owner = write.owner
            if write.loops or (owner is not None and not isinstance(owner, typed.Constant)):
                continue
            if all(isinstance(index, typed.Constant) for index in write.indices):
                yield (write.variable.name, owner, write.indices), write
