"""Which rulesets have secret picks and nothing else that is hidden.

In such a game each player picks in secret before the first turn, neither knows the other's pick,
and if the picks were laid open then, both would know everything: turns are played in the open, and
chance decides nothing that is hidden. Whatever is different is refused, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rulegame.errors import CannotSolve
from rulegame.language import typed
from rulegame.language.typed import Typed, owner_key
from rulegame.model import Effects, Operation, Ruleset
from rulegame.model.analysis import step_expressions, uncertain_values
from rulegame.model.secrecy import hidden_roll, hidden_values, written_names

ONLY_PICKS: Final = "only secret picks before the first turn can be revealed"


def check_picks(ruleset: Ruleset) -> None:
    """CannotSolve, with a reason, unless secret picks are all that is hidden."""
    for reason in _objections(ruleset, hidden_values(ruleset)):
        raise CannotSolve(reason)


def _objections(ruleset: Ruleset, hidden: list[str]) -> Iterator[str]:
    if ruleset.together is not None:
        yield f"players choose at once in every turn: {ONLY_PICKS}"
    for name in hidden:
        if ruleset.state[name].seen_by == "nobody":
            yield f"nobody sees '{name}': {ONLY_PICKS}"
    for operation in ruleset.operations:
        if operation.secret:
            yield f"the operation '{operation.name}' is secret: {ONLY_PICKS}"
    yield from _hidden_chance(ruleset, hidden)
    roll = hidden_roll(ruleset)
    if roll is not None:
        yield f"'{roll}' is rolled unseen: {ONLY_PICKS}"
    for pick in ruleset.setup:
        yield from _wrong_pick(ruleset, pick, hidden)
    picked = {name for pick in ruleset.setup for name in written_names(pick.steps)}
    for name in hidden:
        if name not in picked:
            yield f"'{name}' is hidden from the opponent, and no pick decides it: {ONLY_PICKS}"


def _hidden_chance(ruleset: Ruleset, hidden: list[str]) -> Iterator[str]:
    """What dice decide and not all see: a player would have to reckon with what may have fallen."""
    rolls = {roll.name for roll in ruleset.turn.rolls}
    for operation in ruleset.operations:
        uncertain = uncertain_values(operation, rolls)
        for name in hidden:
            if name in uncertain:
                where = f"in '{operation.name}'"
                yield f"chance decides '{name}', which not all see, {where}: {ONLY_PICKS}"
    effects = ruleset.stuck.effects
    if effects is not None and _reads_local(step_expressions(effects), rolls):
        for name in written_names([effects]):
            if name in hidden:
                yield f"chance decides '{name}', which not all see: {ONLY_PICKS}"


def _wrong_pick(ruleset: Ruleset, pick: Operation, hidden: list[str]) -> Iterator[str]:
    if pick.is_automatic or pick.rolls:
        yield (
            f"'{pick.name}' happens by itself, or by chance, before the first turn: "
            "only setups in which players pick are solved"
        )
    if pick.when is not None or pick.seats != tuple(range(len(ruleset.players))):
        yield f"not every player picks in '{pick.name}': only setups in which all do are solved"
    if not pick.secret:
        yield (
            f"'{pick.name}' is chosen openly before the first turn, beside picks that are hidden: "
            "only setups in which every pick is secret are solved"
        )
    for step in pick.steps:
        for write in step.writes if isinstance(step, Effects) else ():
            name = write.variable.name
            if name not in ruleset.state:
                continue  # a value of the move
            if name not in hidden:
                yield (
                    f"'{pick.name}' is secret, but it changes '{name}', which all see: "
                    "give it 'seen by: owner' to have it hidden"
                )
            if owner_key(write.owner) != "me":
                yield f"'{pick.name}' changes '{name}' of another player than the one who picks"
    for part in _parts(_expressions(ruleset, pick)):
        if (
            isinstance(part, typed.Value)
            and part.variable.name in hidden
            and owner_key(part.owner) != "me"
        ):
            yield (
                f"'{pick.name}' depends on '{part.variable.name}' of other players: "
                "only picks that do not depend on each other are solved"
            )


# ---- what rules write and read


def _expressions(ruleset: Ruleset, pick: Operation) -> Iterator[Typed]:
    """All that decides what can be picked, and what comes of it."""
    if pick.when is not None:
        yield pick.when
    yield from (choice.collection for choice in pick.choices)
    for step in pick.steps:
        yield from step_expressions(step)
    for rule in ruleset.validity:
        if pick.name in rule.requires:
            yield rule.requires[pick.name]


def _parts(expressions: Iterable[Typed]) -> Iterator[Typed]:
    for expression in expressions:
        yield from typed.every_part(expression)


def _reads_local(expressions: Iterable[Typed], names: set[str]) -> bool:
    return any(isinstance(p, typed.Local) and p.name in names for p in _parts(expressions))
