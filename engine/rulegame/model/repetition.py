"""Which positions the rules count, told before they run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulegame.language import typed
from rulegame.language.typed import Typed
from rulegame.model import Operation, Ruleset
from rulegame.model.analysis import rule_expressions, step_expressions, write_expressions
from rulegame.model.uses import told_expressions

Names = tuple[str, ...]  # of the values that are counted; none: the whole position
MOVER: Final = "me"  # among them: with the player to move


def repetitions_in(expression: Typed) -> Iterator[typed.Call]:
    """The parts of an expression that count earlier positions."""
    for part in typed.every_part(expression):
        if isinstance(part, typed.Call) and part.function == "repetitions":
            yield part


def names_of(part: typed.Call) -> Names:
    """What a part counts."""
    named = (one for one in part.arguments if isinstance(one, (typed.Value, typed.Seat)))
    return tuple(one.variable.name if isinstance(one, typed.Value) else MOVER for one in named)


def counting_parts(ruleset: Ruleset) -> Iterator[typed.Call]:
    """The parts of rules and texts that count earlier positions."""
    for expression in (*rule_expressions(ruleset), *told_expressions(ruleset)):
        yield from repetitions_in(expression)


def counted_positions(ruleset: Ruleset) -> tuple[Names, ...]:
    """What is counted of earlier positions, each once."""
    return tuple(dict.fromkeys(map(names_of, counting_parts(ruleset))))


def values_of(ruleset: Ruleset, names: Names) -> Names:
    """The values that make a position: those with these names, or all that everybody sees."""
    public = (name for name, value in ruleset.state.items() if value.seen_by == "all")
    return tuple(name for name in names if name != MOVER) if names else tuple(public)


def counts_turns(names: Names) -> bool:
    """Whether the player to move is part of what is counted."""
    return not names or MOVER in names


def misplaced(ruleset: Ruleset) -> Iterator[typed.Call]:
    """The parts that count positions where a move is being carried out, or before the first
    turn.
    """
    together = () if ruleset.together is None else (ruleset.together.done,)
    for operation in (*ruleset.operations, *ruleset.setup, *together):
        for expression in _inside(operation):
            yield from repetitions_in(expression)
    if ruleset.stuck.effects is not None:
        for expression in step_expressions(ruleset.stuck.effects):
            yield from repetitions_in(expression)


def _inside(operation: Operation) -> Iterator[Typed]:
    for step in operation.steps:
        yield from step_expressions(step)
    for one in operation.lets:
        yield from () if one.start is None else write_expressions(one.start)
    if operation.setup:
        yield from () if operation.when is None else (operation.when,)
        yield from (choice.collection for choice in operation.choices)
