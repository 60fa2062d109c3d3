"""Many settings of a ruleset's parameters: `start=5..40`, `start=5,10,20`, `misere=true,false`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Final

from rulegame.building import Settings, build
from rulegame.diagnostics import Diagnostic, RulesetError, Span
from rulegame.game import Game, GameError
from rulegame.loading import make_game
from rulegame.model import Ruleset
from rulegame.nodes import Node, Scalar, items_of, to_plain
from rulegame.progress import Progress, silent
from rulegame.proving import MAX_STATES, check
from rulegame.proving.findings import Report, Setting
from rulegame.reading import read_value

MOST_SETTINGS: Final = 10_000
RANGE: Final = re.compile(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})")

Ranges = Mapping[str, tuple[Node, ...]]


class BadRange(ValueError):
    """A range of a parameter that cannot be understood, or too many settings."""


class Refused(RulesetError):
    """A setting that the ruleset does not allow."""

    def __init__(self, setting: Setting, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(diagnostics)
        self.setting = setting


def read_ranges(texts: Sequence[str]) -> Ranges:
    """The values of each parameter: numbers, words, lists, and ranges of whole numbers."""
    ranges: dict[str, tuple[Node, ...]] = {}
    for text in texts:
        name, equals, values = (part.strip() for part in text.partition("="))
        if not (name and equals and values):
            raise BadRange(f"'{text}' is not a range: write name=5..40 or name=5,10,20")
        if name in ranges:
            raise BadRange(f"'{name}' is given twice: write {name}=5..40,50")
        ranges[name] = _values(name, values)
    count = prod(len(values) for values in ranges.values())
    if count > MOST_SETTINGS:
        raise BadRange(f"these are {count:,} settings: at most {MOST_SETTINGS:,} are checked")
    return ranges


def _values(name: str, text: str) -> tuple[Node, ...]:
    node, problems = read_value(f"[{text}]", name)
    if node is None or problems:
        raise BadRange(f"'{text}' is not a list of values for '{name}'")
    found: list[Node] = []
    for item in items_of(node):
        found += _numbers(name, item) if isinstance(item, Scalar) else [item]
        if len(found) > MOST_SETTINGS:
            raise BadRange(f"'{name}' has more than {MOST_SETTINGS:,} values")
    if not found:
        raise BadRange(f"'{text}' has no values for '{name}'")
    return tuple(found)


def _numbers(name: str, item: Scalar) -> Sequence[Node]:
    """The numbers of a range such as 5..40; anything else is one value."""
    ends = RANGE.fullmatch(item.text)
    if ends is None:
        return [item]
    low, high = map(int, ends.groups())
    if high < low:
        raise BadRange(f"there is no number in {item.text}: write {name}={high}..{low}")
    if high - low >= MOST_SETTINGS:
        raise BadRange(f"'{name}' has more than {MOST_SETTINGS:,} values")
    return [_number(name, number) for number in range(low, high + 1)]


def _number(name: str, number: int) -> Scalar:
    text = str(number)
    return Scalar(Span(name, 1, 1, 1, len(text) + 1, text), number, text)


def check_settings(
    ruleset: Ruleset,
    given: Settings,
    ranges: Ranges,
    *,
    first: int = 0,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    progress: Progress = silent,
) -> Iterator[tuple[Setting, Report]]:
    """The report of every combination of the ranges, beside what is given anyway; of the one game
    there is, if there are no ranges. `Refused` for a setting that the ruleset does not allow.
    """
    count = prod(len(values) for values in ranges.values())
    for done, values in enumerate(product(*ranges.values())):
        if count > 1:
            progress("Checking settings", done, count)
        setting, game = _game(ruleset, given, dict(zip(ranges, values, strict=True)))
        try:
            report = check(
                game,
                first=first,
                max_states=max_states,
                max_memory=max_memory,
                progress=progress if count == 1 else silent,
            )
        except GameError as error:
            raise _with_setting(error, setting) from None
        yield setting, report


def _game(ruleset: Ruleset, given: Settings, chosen: Mapping[str, Node]) -> tuple[Setting, Game]:
    setting = Setting({name: to_plain(node) for name, node in chosen.items()})
    settings = given._replace(parameters={**given.parameters, **chosen})
    built, problems = build(ruleset.root, ruleset.file, settings)
    if built is None:
        raise Refused(setting, problems)
    try:
        return setting, make_game(built)
    except RulesetError as error:
        raise Refused(setting, error.diagnostics) from None


def _with_setting(error: GameError, setting: Setting) -> GameError:
    if not setting.values:
        return error
    message = f"{error.diagnostic.message} (with {setting})"
    return GameError(error.diagnostic._replace(message=message))
