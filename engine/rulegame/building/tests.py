"""The section `tests`: what each test plays, and what it expects."""

from __future__ import annotations

from rulegame.model import Expectation, RuleTest
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, items_of, mapping_of, text_of, to_plain
from rulegame.source.nodes import Sequence as SequenceNode

SETTINGS = ("set", "enable", "disable")  # what a test may vary


def rule_tests(node: MappingNode) -> dict[str, RuleTest]:
    """The tests of a ruleset, by name."""
    return {
        key.text: RuleTest(
            name=key.text,
            span=key.span,
            settings={
                name: to_plain(given) for name in SETTINGS if (given := test.get(name)) is not None
            },
            first=_number(test.get("first")) or 1,
            given=to_plain(mapping_of(test.get("given"))),
            play=_texts(test.get("play")),
            typed=None if (lines := test.get("type")) is None else _texts(lines),
            rolls=_texts(test.get("rolls")),
            expect=_expectation(mapping_of(test.get("expect"))),
        )
        for key, test in node
        if isinstance(test, MappingNode)
    }


def _expectation(node: MappingNode) -> Expectation:
    valid, outcome, printed = (node.get(key) for key in ("valid", "outcome", "printed"))
    value = node.get("value")
    return Expectation(
        valid=None if valid is None else _texts(valid),
        invalid={key.text: text_of(rule) for key, rule in mapping_of(node.get("invalid"))},
        values=to_plain(mapping_of(node.get("values"))),
        player=_number(node.get("player")),
        goes_on=isinstance(outcome, Scalar),
        outcome=to_plain(outcome) if isinstance(outcome, MappingNode) else None,
        printed=None if printed is None else _lines(printed),
        value=None if value is None else text_of(value),
    )


def _lines(node: Node) -> tuple[str, ...]:
    if isinstance(node, SequenceNode):
        return _texts(node)
    return tuple(text_of(node).rstrip("\n").split("\n"))


def _texts(node: Node | None) -> tuple[str, ...]:
    return tuple(map(text_of, items_of(node)))


def _number(node: Node | None) -> int | None:
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, int) else None
