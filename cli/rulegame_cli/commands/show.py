"""`rulegame show`: what a ruleset is about, what can be varied, and its rules as written."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rulegame_cli.calling.opening import open_ruleset
from rulegame_cli.calling.options import AsJson, RulesetOptions
from rulegame_cli.calling.output import problems_apart
from rulegame_cli.printing.tables import columns
from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from rulegame.model import Operation, ParameterRule, Ruleset
    from rulegame.source.nodes import Mapping, Node

# What only matters at the prompt, and what stands in the heading of an operation.
NOT_RULES: Final = frozenset(
    [
        "text",
        "texts",
        "menu",
        "option",
        "prompt",
        "note",
        "because",
        "stuck",
        "label",
        "key",
        "about",
        "enabled",
        "doing",
    ]
)
SHORT_FORMS: Final = ("from", "require", "result", "start")


@dataclass(frozen=True, kw_only=True)
class ShowOptions(RulesetOptions):
    """Show what a game is about, what can be varied, and its rules."""

    as_json: AsJson = False


def run(options: ShowOptions) -> int:
    """Prints it, for people or for programs."""
    with problems_apart(options.as_json):
        ruleset = open_ruleset(options.ruleset, options)
    if ruleset is None:
        return 1
    if options.as_json:
        print(json.dumps(as_data(ruleset), indent=2))
        return 0
    sys.stdout.write("".join(line.rstrip() + "\n" for line in ruleset_lines(ruleset)))
    return 0


def ruleset_lines(ruleset: Ruleset) -> Iterator[str]:
    """A ruleset for people to read."""
    yield one_line(ruleset.title)
    if ruleset.summary:
        yield one_line(ruleset.summary)
    yield ""
    yield f"Players: {one_line(', '.join(ruleset.players))}"
    yield from _parameters(ruleset)
    yield from _rules("Definitions", "define", ruleset)
    yield from _rules("State", "state", ruleset)
    yield from _operations("Setup", "setup", ruleset.setup, ruleset)
    yield from _rules("Turn", "turn", ruleset)
    everything = (*ruleset.operations, *ruleset.disabled)
    yield from _operations(
        "Operations (--enable NAME, --disable NAME)", "operations", everything, ruleset
    )
    for heading, section in (("Validity", "validity"), ("Stuck", "stuck"), ("End", "end")):
        yield from _rules(heading, section, ruleset)


def as_data(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset for programs: what can be varied, and all of it with what it inherits, as
    written.
    """
    from rulegame.evaluation.values import decode
    from rulegame.source.nodes import to_plain

    parameters = [
        {
            "name": rule.name,
            "value": decode(
                rule.type,
                rule.value if isinstance(rule.value, tuple) else (rule.value,),
                ruleset.words,
            ),
            "min": rule.low,
            "max": rule.high,
            "one_of": list(rule.words),
            "about": rule.about,
        }
        for rule in ruleset.parameters.values()
    ]
    operations = [
        {"name": o.name, "label": o.label, "about": o.about, "enabled": o.enabled}
        for o in (*ruleset.operations, *ruleset.disabled)
    ]
    return {
        "title": ruleset.title,
        "summary": ruleset.summary,
        "file": ruleset.file,
        "players": list(ruleset.players),
        "parameters": parameters,
        "operations": operations,
        "ruleset": to_plain(ruleset.root),
    }


# ---- parameters


def _parameters(ruleset: Ruleset) -> Iterator[str]:
    if not ruleset.parameters:
        return
    yield from ("", "Parameters (--set NAME=VALUE)")
    rows = [
        (rule.name, _value(rule, ruleset), _bounds(rule, ruleset), one_line(rule.about))
        for rule in ruleset.parameters.values()
    ]
    yield from (f"  {line}" for line in columns(rows, left=range(4)))


def _value(rule: ParameterRule, ruleset: Ruleset) -> str:
    from rulegame.evaluation.values import show

    text = show(rule.type, rule.value, ruleset.words, ruleset.players)
    return f"[{text}]" if isinstance(rule.value, tuple) else text


def _bounds(rule: ParameterRule, ruleset: Ruleset) -> str:
    """What may be given instead: `1 to 1000`, `2 to 6 different numbers, each 1 to 9`."""
    from rulegame.language.types import Bool
    from rulegame.source.nodes import to_plain

    if isinstance(rule.type, Bool):
        return "true or false"
    if rule.words:
        return " or ".join(rule.words)
    numbers = _between(rule.low, rule.high)
    if not isinstance(rule.value, tuple):
        return numbers
    node = _section(ruleset, "parameters").get(rule.name)
    written = {} if node is None else to_plain(node)
    size = _between(written.get("min size"), written.get("max size"))
    kind = "different numbers" if written.get("different") else "numbers"
    return f"{size} {kind}".strip() + (f", each {numbers}" if numbers else "")


def _between(low: int | None, high: int | None) -> str:
    if low is None:
        return "" if high is None else f"at most {high}"
    if high is None:
        return f"at least {low}"
    return f"{low} to {high}" if low != high else str(low)


# ---- operations and rules


def _operations(
    heading: str, section: str, operations: Sequence[Operation], ruleset: Ruleset
) -> Iterator[str]:
    if not operations:
        return
    yield from ("", heading)
    written = _section(ruleset, section)
    order = list(written.entries)
    for operation in sorted(operations, key=lambda o: order.index(o.name)):
        switched = "" if operation.setup else ", on" if operation.enabled else ", off"
        key = f", key {one_line(operation.key)}" if operation.key else ""
        yield f"  {operation.name}: {one_line(operation.label)}{key}{switched}"
        if operation.about:
            yield f"    {one_line(operation.about)}"
        yield from _node_lines(written.entries[operation.name].value, "    ")


def _rules(heading: str, section: str, ruleset: Ruleset) -> Iterator[str]:
    node = _section(ruleset, section)
    lines = list(_node_lines(node, "  "))
    if lines:
        yield from ("", heading, *lines)


def _section(ruleset: Ruleset, name: str) -> Mapping:
    from rulegame.diagnostics import Span
    from rulegame.source.nodes import Mapping

    node = ruleset.root.get(name) if ruleset.root is not None else None
    return node if isinstance(node, Mapping) else Mapping(Span.whole(ruleset.file))


def _node_lines(node: Node, indent: str) -> Iterator[str]:
    """The rules in a node as they are written, without its texts."""
    from rulegame.source.nodes import Mapping

    if not isinstance(node, Mapping):
        return
    for key, value in node:
        if key.text in NOT_RULES:
            continue
        short = _short(value)
        if short is not None:
            yield f"{indent}{one_line(key.text)}: {short}"
        else:
            yield f"{indent}{one_line(key.text)}:"
            yield from _node_lines(value, indent + "  ")


def _short(node: Node) -> str | None:
    """A value on one line; None for a mapping that needs several."""
    from rulegame.source.nodes import Scalar, Sequence

    if isinstance(node, Scalar):
        return one_line(node.text)
    if isinstance(node, Sequence):
        return f"[{', '.join(_short(item) or '…' for item in node.items)}]"
    rules = [(key.text, value) for key, value in node if key.text not in NOT_RULES]
    if len(rules) == 1 and rules[0][0] in SHORT_FORMS:
        return _short(rules[0][1])
    return None
