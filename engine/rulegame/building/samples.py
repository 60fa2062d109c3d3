"""Settings to try a ruleset with: the extreme values of each parameter, some in between, and the
extremes of every two parameters together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Final

from rulegame.building.settings import Settings
from rulegame.diagnostics import Span
from rulegame.evaluation.values import decode
from rulegame.language.types import Bool, List
from rulegame.model import ParameterRule, Ruleset
from rulegame.source.nodes import Node, Scalar
from rulegame.source.nodes import Sequence as SequenceNode

Value = bool | int | str | tuple[int, ...]

_FEW: Final = 8  # ranges up to this size are tried completely
_MOST: Final = 400  # settings


def sample_settings(ruleset: Ruleset) -> Iterator[Settings]:
    """Settings with one parameter changed, then with one more operation, then with two parameters
    changed; at most 400.
    """
    changed = {
        rule.name: [value for value in _values(rule) if value != _default(rule, ruleset.words)]
        for rule in ruleset.parameters.values()
    }
    samples = [_settings({name: value}) for name, tried in changed.items() for value in tried]
    place = Span.whole(ruleset.file)
    samples += [Settings(enable=(Scalar(place, o.name, o.name),)) for o in ruleset.disabled]
    for two in combinations(changed, 2):
        extremes = [_extremes(changed[name]) for name in two]
        samples += [_settings(dict(zip(two, both, strict=True))) for both in product(*extremes)]
    yield from samples[:_MOST]


def _default(rule: ParameterRule, words: Sequence[str]) -> Value:
    default = decode(rule.type, rule.default, words)
    return tuple(default) if isinstance(default, list) else default


def _extremes(values: Sequence[Value]) -> Sequence[Value]:
    return values if len(values) < 3 else (values[0], values[-1])


def _settings(values: dict[str, Value]) -> Settings:
    return Settings({name: _node(name, value) for name, value in values.items()})


def _node(name: str, value: Value) -> Node:
    span = Span.whole(name)
    if isinstance(value, tuple):
        return SequenceNode(span, tuple(_node(name, item) for item in value))
    return Scalar(span, value, str(value).lower() if isinstance(value, bool) else str(value))


def _values(rule: ParameterRule) -> list[Value]:
    """The values to try, the least first."""
    if rule.words:
        return list(rule.words)
    if isinstance(rule.type, Bool):
        return [False, True]
    if isinstance(rule.type, List):
        return list(dict.fromkeys(_lists(rule)))
    assert isinstance(rule.default, int)
    return list(_numbers(rule, rule.default))


def _numbers(rule: ParameterRule, default: int) -> Sequence[int]:
    if rule.numbers:
        return sorted(rule.numbers)
    low = min(default, 0) if rule.low is None else rule.low
    high = 2 * max(abs(default), 1) if rule.high is None else rule.high
    if high - low < _FEW:
        return range(low, high + 1)
    return sorted({low, low + 1, (low + default) // 2, default, (default + high) // 2, high})


def _lists(rule: ParameterRule) -> Iterator[tuple[int, ...]]:
    """Lists of the least and the greatest length, with small, great and different numbers."""
    assert isinstance(rule.default, tuple)
    size = len(rule.default)
    least = min(size, 1) if rule.least is None else rule.least
    most = size if rule.most is None else rule.most
    numbers = _numbers(rule, rule.default[0] if rule.default else 0)
    low, high = numbers[0], numbers[-1]
    for count in sorted({least, size, most}):
        if rule.numbers:
            ordered = list(numbers)
        else:
            ordered = list(range(low, min(high, low + count - 1) + 1))
        if not rule.different:
            yield (low,) * count
            yield (high,) * count
        if len(ordered) >= count:
            yield tuple(ordered[:count])
            yield tuple(ordered[:count][::-1])
