"""The section on what players may change: parameters with their ranges, operations that are off."""

from __future__ import annotations

from collections.abc import Iterator

from rulegame.evaluation.values import show
from rulegame.game import Game
from rulegame.language.types import Bool
from rulegame.model import ParameterRule, Ruleset, Validity
from rulegame.rulebook.document import Block, ItemList, TableBlock
from rulegame.rulebook.markup import and_list, clean, code
from rulegame.rulebook.sections import deed, rule_sentence
from rulegame.wording import from_to


def variations(game: Game) -> Iterator[Block]:
    """What can be varied without changing a rule."""
    ruleset = game.ruleset
    if ruleset.parameters:
        yield "Before a game the players may agree on other values:"
        rows = tuple(_row(ruleset, rule) for rule in ruleset.parameters.values())
        yield TableBlock("Parameters", ("Name", "Here", "May be", "Meaning"), rows)
    if ruleset.disabled:
        those = "This operation is" if len(ruleset.disabled) == 1 else "These operations are"
        yield f"{those} off, and may be switched on:"
        yield ItemList(tuple(_switched_off(ruleset)))


def _row(ruleset: Ruleset, rule: ParameterRule) -> tuple[str, ...]:
    value = show(rule.type, rule.value, ruleset.words, ruleset.players)
    bounds = _bounds(rule)
    if "require" in rule.sources:
        bounds += f"; {code(rule.sources['require'].written)} must hold"
    return code(rule.name), clean(value), bounds, clean(rule.about)


def _bounds(rule: ParameterRule) -> str:
    """What may be given: `1 to 1000`, `1 to 9 different numbers, each 1 to 6`."""
    if isinstance(rule.type, Bool):
        return "true or false"
    if rule.words or rule.numbers:
        allowed = [clean(word) for word in rule.words] or [str(n) for n in rule.numbers]
        listed = and_list(allowed, "or")
        return f"a list of {listed}" if isinstance(rule.value, tuple) else listed
    numbers = from_to(rule.low, rule.high, ",")
    if not isinstance(rule.value, tuple):
        return numbers or "any whole number"
    size = from_to(rule.least, rule.most, ",")
    kind = "different numbers" if rule.different else "numbers"
    return f"{size} {kind}".strip() + (f", each {numbers}" if numbers else "")


def _switched_off(ruleset: Ruleset) -> Iterator[str]:
    for operation in ruleset.disabled:
        on = (*ruleset.setup, *ruleset.operations)
        rules: list[Validity] = [
            rule
            for rule in ruleset.validity
            if operation.name in rule.requires
            and operation.name not in rule.forgone
            and not any(o.name in rule.requires for o in on)
        ]
        said = [deed(ruleset, operation)]
        said += [rule_sentence(ruleset, rule, [operation]) for rule in rules]
        yield " ".join(said)
