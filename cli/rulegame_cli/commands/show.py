"""`rulegame show`: show a game's summary, settings and rules."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rulegame.diagnostics import nearest
from rulegame.keys.kinds import Key, Kind, Section
from rulegame.keys.ruleset import RULESET, entry
from rulegame.wording import as_written, from_to
from rulegame_cli.calling.opening import open_document
from rulegame_cli.calling.options import ReportOptions, RulesetOptions, flag, option
from rulegame_cli.calling.output import problems_apart
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.tables import columns
from rulegame_cli.printing.terminal import one_line, visible

if TYPE_CHECKING:
    from rulegame.model import Operation, ParameterRule, Ruleset

ABOVE: Final = ("players", "parameters")  # with their values
IN_HEADINGS: Final = ("enabled",)  # what the heading of an operation says


class ShowOptions(RulesetOptions, ReportOptions):
    """Show a game's summary, settings and rules."""

    ir: bool = flag("Print the intermediate representation of the rules instead.")
    after: str = option("PASS", "Print it after PASS instead of the last pass. Needs --ir.")


def run(options: ShowOptions) -> int:
    """Prints it, for people or for programs."""
    if options.after and not options.ir:
        raise WrongCall("--after needs --ir")
    after = _pass_name(options.after) if options.ir else ""
    with problems_apart(options.as_json):
        ruleset, document = open_document(options.ruleset, options)
    if ruleset is None or document is None:
        return 1
    if options.ir:
        return _print_ir(ruleset, after, options)
    written = document.as_data()
    if options.as_json:
        print(json.dumps(as_data(ruleset, written), indent=2))
        return 0
    page("".join(line.rstrip() + "\n" for line in ruleset_lines(ruleset, written)))
    return 0


def _pass_name(name: str) -> str:
    """The stage of that name, by default the last one."""
    from rulegame.core.passes import STAGES

    if name and name not in STAGES:
        close = nearest(name, STAGES)
        hint = f"Did you mean '{close}'? " if close else ""
        known = f"The stages are, in order: {', '.join(STAGES)}."
        raise WrongCall(f"--after: unknown pass '{name}'. {hint}{known}")
    return name or STAGES[-1]


def _print_ir(ruleset: Ruleset, after: str, options: ShowOptions) -> int:
    from rulegame.compiling import lower_ruleset
    from rulegame.core.printer import print_function

    module, places = lower_ruleset(ruleset, after)

    def place_of(site: int) -> str:
        span = places[site].span
        return f"{Path(span.file).name}:{span.line}"

    texts = {name: print_function(one, place_of) for name, one in module.functions.items()}
    if options.as_json:
        values = [
            {
                "name": v.name,
                "first": v.cells.start,
                "size": len(v.cells),
                "min": v.low,
                "max": v.high,
            }
            for v in module.values
        ]
        print(json.dumps({"after": after, "cells": values, "functions": texts}, indent=2))
        return 0
    rows = [(f"s[{_cells_text(v.cells)}]", v.name, from_to(v.low, v.high)) for v in module.values]
    head = "".join(f"# {line.rstrip()}\n" for line in columns(rows, left=range(3)))
    page(visible("\n".join([head, *texts.values()]), frozenset("\n")))
    return 0


def _cells_text(cells: range) -> str:
    return str(cells.start) if len(cells) == 1 else f"{cells.start}:+{len(cells)}"


def ruleset_lines(ruleset: Ruleset, written: Mapping[str, Any]) -> Iterator[str]:
    """A ruleset for people to read; `written` is all of it, with what it inherits."""
    from rulegame.model.kind import kind_of

    yield one_line(ruleset.title)
    if ruleset.summary:
        yield one_line(ruleset.summary)
    yield ""
    yield f"Kind: {kind_of(ruleset)}"
    yield f"Players: {one_line(', '.join(ruleset.players))}"
    yield from _parameters(ruleset)
    operations = {"setup": ruleset.setup, "operations": ruleset.listed}
    for key in RULESET.keys:
        if key.name in operations:
            yield from _operations(key, operations[key.name], written)
        elif key.is_rule and key.name not in ABOVE:
            yield from _rules(key, written)


def as_data(ruleset: Ruleset, written: Mapping[str, Any]) -> dict[str, Any]:
    """A ruleset for programs: what can be varied, and all of it as written."""
    from rulegame.evaluation.values import decode
    from rulegame.model.kind import kind_of

    parameters = [
        {
            "name": rule.name,
            "value": decode(rule.type, rule.value, ruleset.words),
            "min": rule.low,
            "max": rule.high,
            "one_of": list(rule.words or rule.numbers),
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
        "kind": kind_of(ruleset).as_data(),
        "players": list(ruleset.players),
        "parameters": parameters,
        "operations": operations,
        "ruleset": written,
    }


# ---- parameters


def _parameters(ruleset: Ruleset) -> Iterator[str]:
    if not ruleset.parameters:
        return
    yield from ("", "Parameters (--set NAME=VALUE)")
    rows = [
        (rule.name, _value(rule, ruleset), _bounds(rule), one_line(rule.about))
        for rule in ruleset.parameters.values()
    ]
    yield from (f"  {line}" for line in columns(rows, left=range(4)))


def _value(rule: ParameterRule, ruleset: Ruleset) -> str:
    from rulegame.evaluation.values import show

    text = show(rule.type, rule.value, ruleset.words, ruleset.players)
    return f"[{text}]" if isinstance(rule.value, tuple) else text


def _bounds(rule: ParameterRule) -> str:
    """What may be given instead: `1 to 1000`, `2 to 6 different numbers, each 1 to 9`."""
    from rulegame.language.types import Bool

    if isinstance(rule.type, Bool):
        return "true or false"
    if rule.words or rule.numbers:
        return " or ".join(rule.words or map(str, rule.numbers))
    numbers = from_to(rule.low, rule.high)
    if not isinstance(rule.value, tuple):
        return numbers
    size = from_to(rule.least, rule.most)
    kind = "different numbers" if rule.different else "numbers"
    return f"{size} {kind}".strip() + (f", each {numbers}" if numbers else "")


# ---- operations and rules


def _operations(
    key: Key, operations: Sequence[Operation], written: Mapping[str, Any]
) -> Iterator[str]:
    if not operations:
        return
    switches = "" if operations[0].setup else " (--enable NAME, --disable NAME)"
    yield from ("", key.noun.capitalize() + switches)
    for operation in operations:
        switched = "" if operation.setup else ", on" if operation.enabled else ", off"
        shortcut = f", key {one_line(operation.key)}" if operation.key else ""
        yield f"  {operation.name}: {one_line(operation.label)}{shortcut}{switched}"
        if operation.about:
            yield f"    {one_line(operation.about)}"
        place = entry(key.value, operation.name)
        assert place is not None
        yield from _lines(written[key.name][operation.name], place.kind, "    ")


def _rules(key: Key, written: Mapping[str, Any]) -> Iterator[str]:
    value, heading = written.get(key.name), key.noun.capitalize()
    if isinstance(value, dict):
        lines = list(_lines(value, key.value, "  "))
        yield from ("", heading, *lines) if lines else ()
    elif value is not None:
        yield from ("", f"{heading}: {_short(value, key.value)}")


def _lines(written: Any, kind: Kind, indent: str) -> Iterator[str]:
    """Rules as they are written, without their texts and drawings."""
    for key, value, below in _parts(written, kind):
        if (short := _short(value, below)) is not None:
            yield f"{indent}{one_line(key)}: {short}"
        elif lines := list(_lines(value, below, indent + "  ")):
            yield f"{indent}{one_line(key)}:"
            yield from lines


def _parts(written: Any, kind: Kind) -> Iterator[tuple[str, Any, Kind]]:
    """The keys of a mapping that are rules, with their values."""
    for name, value in written.items() if isinstance(written, dict) else ():
        place = entry(kind, name)
        if place is None or (place.key is not None and not place.key.is_rule):
            continue
        short = place.kind.key(place.kind.short) if isinstance(place.kind, Section) else None
        is_drawing = short is not None and not short.is_rule and not isinstance(value, dict)
        if not is_drawing and (place.key is None or name not in IN_HEADINGS):
            yield name, value, place.kind


def _short(value: Any, kind: Kind) -> str | None:
    """A value on one line; None for a mapping that needs several."""
    if isinstance(value, list):
        return f"[{', '.join(_short(item, kind) or '…' for item in value)}]"
    if not isinstance(value, dict):
        return one_line(as_written(value))
    rules = list(_parts(value, kind))
    if isinstance(kind, Section) and len(rules) == 1 and rules[0][0] == kind.short:
        return _short(rules[0][1], rules[0][2])
    return None
