"""The model of a ruleset. In: merged nodes that fit the schema, and the settings of a call.
Out: the model, every name, type, count and range checked; or all that is wrong.

One module a section, in the order in which the sections depend on one another. Every problem is
collected; what is wrong is left out of the model, which is used only if there was none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from rulegame.building.claims import claims
from rulegame.building.constraints import check_constraints
from rulegame.building.context import Workbench
from rulegame.building.definitions import check_unused, define
from rulegame.building.notes import names, said
from rulegame.building.operations import (
    check_next_of_pass,
    check_secrets,
    check_typed_names,
    check_work,
    name_locals,
    of_every_move,
    operations,
    turn,
    turn_rolls,
)
from rulegame.building.parameters import check_unused_parameters, parameters
from rulegame.building.players import player_counts, player_names
from rulegame.building.rules import (
    check_common_payoffs,
    check_compulsory,
    check_repetitions,
    end_rules,
    payoff_unit,
    stuck,
    validity,
)
from rulegame.building.settings import NO_SETTINGS, Settings
from rulegame.building.state import state_values
from rulegame.building.symmetry import symmetry
from rulegame.building.tests import rule_tests
from rulegame.building.texts import paragraphs, texts
from rulegame.building.together import check_together, with_everybody
from rulegame.building.types import declare_ranges, declare_words
from rulegame.diagnostics import Diagnostic, TooManyProblems, has_errors
from rulegame.keys.ruleset import section_at
from rulegame.language.judging import Heard
from rulegame.language.types import Type, join
from rulegame.model import Operation, Roll, Ruleset, StateValue, Turn
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import mapping_of, text_of, to_plain

__all__ = ["Document", "Settings"]


class Document(NamedTuple):
    """A ruleset as it is written, variants merged: what all its games are built from."""

    root: MappingNode
    file: str

    def build(
        self, settings: Settings = NO_SETTINGS, heard: Heard | None = None
    ) -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
        """The model, and everything that is wrong; None if anything is. `heard` is told what each
        part of an expression means.
        """
        bench = Workbench(self.root, self.file, heard, settings)
        model: Ruleset | None = None
        with suppress(TooManyProblems):
            model = _sections(bench, settings)
        found = tuple(bench.diagnostics)
        return (None if has_errors(found) else model), found

    @property
    def title(self) -> str:
        return text_of(self.root.get("title"))

    @property
    def summary(self) -> str:
        return text_of(self.root.get("summary"))

    @property
    def players(self) -> tuple[str, ...]:
        return player_names(self.root)

    def other_games(self) -> Iterator[Settings]:
        """The settings for every other number of players that the ruleset allows."""
        return player_counts(self.root)

    def refused(self, settings: Settings) -> tuple[Diagnostic, ...]:
        """What is wrong with the values of parameters, each taken by itself."""
        bench = Workbench(self.root, self.file, settings=settings)
        parameters(bench, settings)
        return tuple(bench.diagnostics)

    def as_data(self) -> dict[str, Any]:
        """All of it, as JSON has it."""
        data: dict[str, Any] = to_plain(self.root)
        return data


def _sections(bench: Workbench, settings: Settings) -> Ruleset:
    """Every section, in order."""
    declare_words(bench)
    values = parameters(bench, settings)
    define(bench)
    declare_ranges(bench)
    check_constraints(bench, settings)
    state = state_values(bench)
    name_locals(bench)
    thrown = turn_rolls(bench)
    rolled = {roll.name: roll.known for roll in thrown}
    of_turn = of_every_move(bench, thrown)
    setup = tuple(operations(bench, settings, "setup", rolled))
    listed = tuple(operations(bench, settings, "operations", rolled, of_turn))
    enabled, disabled = (tuple(o for o in listed if o.enabled == on) for on in (True, False))
    check_typed_names(bench, enabled)
    choices = _all_choices(listed)
    rules = validity(bench, (*setup, *listed), rolled, choices)
    check_work(bench, (*setup, *listed), rules)
    when_stuck = stuck(bench, enabled, rolled)
    made = turn(bench, thrown, enabled)._replace(
        common=of_turn.steps, common_names=of_turn.names, common_told=of_turn.told
    )
    every_turn = with_everybody(bench, made, listed, when_stuck)
    ends = end_rules(bench, rolled, {} if bench.is_together else choices)
    check_together(bench, enabled, when_stuck, ends)
    check_common_payoffs(bench, ends)
    check_next_of_pass(bench, every_turn, when_stuck)
    own_texts = texts(bench, mapping_of(bench.root.get("texts")), rolled, choices, choices)
    _check_any_enabled(bench, settings, listed)
    _check_whole(bench, (*setup, *listed), thrown, state)
    _check_claims(bench, every_turn)
    ruleset = Ruleset(
        title=text_of(bench.root.get("title")),
        summary=text_of(bench.root.get("summary")),
        file=bench.file,
        extends=text_of(bench.root.get("extends")),
        players=bench.players,
        player_counts=bench.sources(mapping_of(bench.root.get("players")), section_at("players")),
        parameters=values,
        words=tuple(bench.vocabulary.words),
        types=bench.vocabulary.types,
        definitions=bench.vocabulary.definitions,
        state=state,
        setup=setup,
        turn=every_turn,
        operations=enabled,
        disabled=disabled,
        validity=tuple(rules),
        stuck=when_stuck,
        end=tuple(ends),
        texts=own_texts,
        rulebook=paragraphs(bench, mapping_of(bench.root.get("rulebook"))),
        symmetry=symmetry(bench, state),
        claims=claims(bench.root.get("claims")),
        tests=rule_tests(mapping_of(bench.root.get("tests"))),
        names=names(bench.root),
        defined=bench.vocabulary.said,
        said=dict(said(bench.root)),
        unit=payoff_unit(bench, when_stuck, ends),
    )
    if not has_errors(bench.diagnostics):
        check_compulsory(bench, ruleset)
        check_repetitions(bench, ruleset)
    return ruleset


def _check_claims(bench: Workbench, turn: Turn) -> None:
    """Nothing is claimed of the player who moves first, if the setup decides who that is."""
    node = bench.root.get("claims")
    if turn.opener is None or node is None:
        return
    for claim in claims(node):
        if claim.name in ("first_player_wins", "second_player_wins", "first_player_gets"):
            message = f"the setup decides who moves first: '{claim.name}' is about nobody"
            bench.report("E480", message, node, "claim something that is about both players")


def _check_any_enabled(
    bench: Workbench, settings: Settings, operations: Sequence[Operation]
) -> None:
    """A game without a move is a mistake of the call, if the call has switched them off."""
    if any(o.enabled for o in operations) or has_errors(bench.diagnostics):
        return
    place, message = bench.root.entries["operations"].key, "no operation is enabled"
    if settings.disable:
        place, message = settings.disable[-1], "this leaves no operation enabled"
    off = {o.name for o in operations} - {s.text for s in settings.disable}
    hint = "enable one with --enable NAME" if off else "a game needs at least one"
    bench.report("E405", message, place, hint)


def _check_whole(
    bench: Workbench,
    operations: Sequence[Operation],
    thrown: Sequence[Roll],
    state: Mapping[str, StateValue],
) -> None:
    """What shows only when every section is known."""
    check_unused(bench)
    if not has_errors(bench.diagnostics):
        check_unused_parameters(bench)
        check_secrets(bench, operations, thrown, state)


def _all_choices(operations: Sequence[Operation]) -> dict[str, Type]:
    """The choices of all operations: a text of the ruleset that names one is for those that have
    it. A choice that is of different kinds in two operations cannot be named there.
    """
    found: dict[str, Type | None] = {}
    for operation in operations:
        for choice in operation.choices:
            known = found.setdefault(choice.name, choice.element)
            found[choice.name] = None if known is None else join(known, choice.element)
    return {name: type_ for name, type_ in found.items() if type_ is not None}
