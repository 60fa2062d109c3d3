"""The section `parameters`: what players may vary, and the values that they have chosen."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rulegame.building.context import Workbench
from rulegame.building.players import PLAYERS, count_problems, count_rule
from rulegame.building.settings import Settings
from rulegame.diagnostics import Diagnostic, Hint, candidates, did_you_mean, meant
from rulegame.edits import offered
from rulegame.keys.declarations import PARAMETER
from rulegame.language.types import Bool, Int, List, Type
from rulegame.language.vocabulary import Parameter
from rulegame.limits import LIMITS
from rulegame.model import ParameterRule
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, items_of, mapping_of, text_of
from rulegame.source.nodes import Sequence as SequenceNode
from rulegame.wording import joined

Given = tuple[Type, int | tuple[int, ...]]

WHOLE: Final = re.compile("[-+]?[0-9]{1,18}")


class _Limits(NamedTuple):
    """What a value of one parameter must be like."""

    words: tuple[str, ...]
    low: int | None
    high: int | None
    least: int | None
    most: int | None
    different: bool
    numbers: tuple[int, ...] = ()


def parameters(bench: Workbench, settings: Settings) -> dict[str, ParameterRule]:
    """The parameters with their values in this game."""
    rules: dict[str, ParameterRule] = {}
    section = mapping_of(bench.root.get("parameters"))
    for key, node in section:
        rule = _parameter(bench, settings, key, mapping_of(node))
        if rule is not None:
            rules[key.text] = rule
            bench.vocabulary.parameters[key.text] = Parameter(key.text, rule.type, rule.value)
        else:
            bench.vocabulary.broken.add(key.text)
    count = count_rule(bench.root, len(bench.players))
    if count is not None:
        rules = {PLAYERS: count, **rules}
    bench.diagnostics.report(count_problems(bench.root, settings))
    for name, value in settings.parameters.items():
        if name not in section.entries and name not in rules:
            message = f"unknown parameter '{name}'"
            hint = did_you_mean(name, section.entries) or Hint("this ruleset has no parameters")
            bench.report("E403", message, settings.names.get(name, value), hint)
    return rules


def _parameter(
    bench: Workbench, settings: Settings, key: Scalar, node: MappingNode
) -> ParameterRule | None:
    default_node = node.get("default")
    if default_node is None:
        return None
    limits = _limits(node)
    if not _are_in_order(bench, key.text, node, limits):
        return None
    for word in limits.words:
        bench.vocabulary.words.setdefault(word, len(bench.vocabulary.words))
    default = _value(bench, key.text, default_node, limits, "E401")
    if default is None:
        return None
    type_, value = default
    override = settings.parameters.get(key.text)
    if override is not None:
        type_, value = _value(bench, key.text, override, limits, "E402", type_) or default
    return ParameterRule(
        name=key.text,
        type=type_,
        value=value,
        default=default[1],
        low=limits.low,
        high=limits.high,
        least=limits.least,
        most=limits.most,
        different=limits.different,
        words=limits.words,
        about=text_of(node.get("about")),
        numbers=limits.numbers,
        sources=bench.sources(node, PARAMETER),
    )


def _limits(node: MappingNode) -> _Limits:
    allowed = [i for i in items_of(node.get("one of")) if isinstance(i, Scalar)]
    words = tuple(i.text for i in allowed if isinstance(i.value, str))
    numbers = tuple(i.value for i in allowed if type(i.value) is int)
    low, high, least, most = (
        n.value if isinstance(n := node.get(k), Scalar) and isinstance(n.value, int) else None
        for k in ("min", "max", "min size", "max size")
    )
    different = isinstance(n := node.get("different"), Scalar) and n.value is True
    return _Limits(words, low, high, least, most, different, numbers)


def _are_in_order(bench: Workbench, name: str, node: MappingNode, limits: _Limits) -> bool:
    """Whether something is within the limits at all; complains if not."""
    numbers = ("min", limits.low, "max", limits.high)
    sizes = ("min size", limits.least, "max size", limits.most)
    for lower, low, upper, high in (numbers, sizes):
        if low is not None and high is not None and low > high:
            message = f"'{upper}' of '{name}' is less than its '{lower}': {high} and {low}"
            bench.report("E401", message, node.get(upper) or node, "swap the two")
            return False
    if limits.words and limits.numbers:
        message = f"'one of' of '{name}' has words and numbers"
        bench.report("E401", message, node.get("one of") or node, "use only words or only numbers")
        return False
    return True


def _value(
    bench: Workbench, name: str, given: Node, limits: _Limits, code: str, like: Type | None = None
) -> Given | None:
    """The value, if it is within the limits (and of the type of the default); `code` is for what is
    wrong.
    """
    found = _read(bench, name, given, limits, code, like)
    if found is None:
        return None
    type_, value = found
    if like is not None and type(type_) is not type(like):
        problem = f"'{name}' must be {_kind(like)}, not {_kind(type_)}"
    else:
        problem = _problem(name, type_, value, limits)
    if problem:
        bench.report(code, problem, given)
        return None
    return found


def _problem(name: str, type_: Type, value: int | tuple[int, ...], limits: _Limits) -> str:
    """What is wrong with a value; empty if nothing is."""
    numbers = value if isinstance(value, tuple) else (value,) if isinstance(type_, Int) else ()
    for number in numbers:
        if not _is_within(number, limits.low, limits.high):
            return f"'{name}' must be {_between(limits.low, limits.high)}, not {number}"
        if limits.numbers and number not in limits.numbers:
            allowed = joined([str(n) for n in limits.numbers], "or")
            return f"'{name}' must be {allowed}, not {number}"
    if not isinstance(value, tuple):
        return ""
    if not _is_within(len(value), limits.least, limits.most):
        wanted = _between(limits.least, limits.most)
        return f"'{name}' must have {wanted} numbers, not {len(value)}"
    if len(value) > LIMITS.cells:
        return f"'{name}' is longer than {LIMITS.cells}"
    if limits.different and len(set(value)) != len(value):
        return f"the numbers of '{name}' must all be different"
    return ""


def _read(
    bench: Workbench, name: str, node: Node, limits: _Limits, code: str, like: Type | None
) -> Given | None:
    """The value that a node stands for."""
    words = limits.words
    if isinstance(like, List) and isinstance(node, Scalar):
        node = _listed(node)
    if isinstance(node, SequenceNode):
        numbers = []
        for item in node.items:
            if not isinstance(item, Scalar) or type(item.value) is not int:
                bench.report(code, f"'{name}' must be a list of whole numbers", item)
                return None
            numbers.append(item.value)
        return List(Int(), len(numbers)), tuple(numbers)
    if isinstance(node, Scalar):
        if isinstance(node.value, bool):
            return Bool(), int(node.value)
        if isinstance(node.value, int):
            return Int(), node.value
        if words and isinstance(node.value, str):
            if node.value in words:
                return bench.vocabulary.word(*words), bench.vocabulary.words[node.value]
            close = did_you_mean(node.value, words)
            bench.report(code, f"'{name}' cannot be '{node.value}'", node, close)
            return None
    hint = "a whole number, true, false, or a list of whole numbers; for a word give 'one of'"
    if like is not None:
        hint = f"it is {_wanted(like, limits)}"
    bench.report(code, f"not a valid value for '{name}'", node, "" if words else hint)
    return None


def _listed(node: Scalar) -> Node:
    """A list as it may be typed in a call, without brackets: `--set numbers=1,2,3`."""
    texts = [text.strip() for text in node.text.split(",")]
    if not node.span.is_option or not all(WHOLE.fullmatch(text) for text in texts):
        return node
    items = tuple(Scalar(node.span, int(text), text) for text in texts)
    return SequenceNode(node.span, items, flow=True)


def _wanted(like: Type, limits: _Limits) -> str:
    """What may be given for a parameter, for someone who sets it."""
    if isinstance(like, List):
        return "a list of whole numbers, such as [3, 4]"
    if isinstance(like, Int) and limits.numbers:
        return joined([str(n) for n in limits.numbers], "or")
    if isinstance(like, Int) and (limits.low is not None or limits.high is not None):
        return f"a whole number, {_between(limits.low, limits.high)}"
    return _kind(like)


def check_unused_parameters(bench: Workbench) -> None:
    """Warns of a parameter that nothing reads: in a variant it is a name misspelt, most likely."""
    names = mapping_of(bench.root.get("parameters")).entries
    unused = [name for name in names if name not in bench.vocabulary.used]
    for name in unused[: LIMITS.problems]:
        entry = names[name]
        if entry.key.span.file == bench.file:
            others = [n for n in names if n != name]
            close = candidates(name, others)
            hint = meant(*close, wrong=name) if close else Hint("use it or remove it")
            message = f"the parameter '{name}' is never used"
            # A name of the same file stands there already; one of a parent is what was meant.
            inherited = all(names[other].key.span.file != bench.file for other in close)
            suggestions = offered(entry.key.passage, hint) if inherited else ()
            place = entry.key.span
            found = Diagnostic("E412", message, place, str(hint), "warning", (), suggestions)
            bench.diagnostics.append(found)


def _kind(type_: Type) -> str:
    match type_:
        case Int():
            return "a whole number"
        case List():
            return "a list of whole numbers"
    return str(type_)


def _is_within(number: int, low: int | None, high: int | None) -> bool:
    return (low is None or number >= low) and (high is None or number <= high)


def _between(low: int | None, high: int | None) -> str:
    if low is None:
        return f"at most {high}"
    return f"at least {low}" if high is None else f"between {low} and {high}"
