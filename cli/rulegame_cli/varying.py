"""What `--vary NAME=VALUES` says: ranges, and values as `--set` takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from rulegame_cli.mistakes import WrongCall
from rulegame_cli.terminal import one_line

if TYPE_CHECKING:
    from rulegame.model import Ruleset
    from rulegame.nodes import Node

MOST_VALUES: Final = 10_000
_NUMBER: Final = r"\s*(-?[0-9]{1,18})\s*"
_RANGE: Final = re.compile(rf"{_NUMBER}\.\.{_NUMBER}(?:\.\.{_NUMBER})?")


def read_vary(texts: Sequence[str], ruleset: Ruleset, fixed: Sequence[str]) -> dict[str, list[Any]]:
    """The values of each parameter that is varied; `fixed` are those that `--set` names."""
    from rulegame.diagnostics import did_you_mean
    from rulegame.sweeping import MOST_SETTINGS

    if not texts:
        raise WrongCall("--vary: expected at least one, such as --vary start=10..40")
    found: dict[str, list[Any]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        name = name.strip()
        if not equals or not name or not values.strip():
            raise WrongCall(f"--vary: expected name=values, such as start=10..40, not '{text}'")
        if name not in ruleset.parameters:
            hint = did_you_mean(name, ruleset.parameters) or "this ruleset has no parameters"
            raise WrongCall(f"--vary: there is no parameter '{name}'; {hint}")
        if name in found or name in fixed:
            raise WrongCall(f"--vary: '{name}' is given twice")
        found[name] = list(_values(name, values))
    settings = 1
    for listed in found.values():
        settings *= len(listed)
    if settings > MOST_SETTINGS:
        raise WrongCall(f"--vary: {settings:,} settings are too many; at most {MOST_SETTINGS:,}")
    return found


def _values(name: str, text: str) -> Iterator[Any]:
    for part in _parts(text):
        matched = _RANGE.fullmatch(part)
        if matched:
            yield from _range(part, *(int(n or 1) for n in matched.groups()))
        else:
            yield _value(name, part)


def _range(text: str, low: int, high: int, step: int) -> range:
    if step <= 0:
        raise WrongCall(f"--vary: the step of '{text.strip()}' must be above 0")
    if low > high:
        raise WrongCall(f"--vary: '{text.strip()}' holds no number: the lower one comes first")
    if (high - low) // step >= MOST_VALUES:
        raise WrongCall(f"--vary: '{text.strip()}' holds more than {MOST_VALUES:,} numbers")
    return range(low, high + 1, step)


def _parts(text: str) -> Iterator[str]:
    """What stands between commas, those inside brackets left alone."""
    depth, begin = 0, 0
    for place, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if character == "," and depth <= 0:
            yield text[begin:place]
            begin = place + 1
    yield text[begin:]


def _value(name: str, text: str) -> Any:
    from rulegame.reading import read_value

    node, problems = read_value(text.strip(), f"--vary {name}")
    if problems or node is None or not text.strip():
        why = problems[0].message if problems else "it is empty"
        raise WrongCall(f"--vary: '{text.strip()}' is not a value for '{name}': {why}")
    return plain(name, node)


def plain(name: str, node: Node) -> Any:
    """The Python value of a node that a setting may be."""
    from rulegame.nodes import Scalar
    from rulegame.nodes import Sequence as SequenceNode

    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, SequenceNode):
        return [plain(name, item) for item in node.items]
    raise WrongCall(f"'{name}' cannot be a mapping")


def value_text(value: Any) -> str:
    """A value as it is typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(value_text, value))}]"
    return "null" if value is None else one_line(str(value))


def setting_text(values: Sequence[tuple[str, Any]]) -> str:
    """A setting as it is typed."""
    return ", ".join(f"{name}={value_text(value)}" for name, value in values)
