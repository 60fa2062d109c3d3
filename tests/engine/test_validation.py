"""Other settings than the defaults: extremes, values in between, pairs, operations."""

from __future__ import annotations

import pytest

from rulegame import bundled
from rulegame.building.samples import sample_settings
from rulegame.loading import RulesetText, load_ruleset, read_settings
from rulegame.validation import validate_settings

TEXT = """\
rulegame: 1
title: Rows
parameters:
  rows: {default: 3, min: 1, max: 40}
  columns: {default: 3, min: 1, max: 100}
  marks: {default: [1, 2], min: 0, max: 5, min size: 1, max size: 3, different: true}
  layout: {default: small, one of: [small, large]}
  misere: false
state:
  board: {type: grid of optional int, rows: rows, columns: columns}
  left: 5
operations:
  take: {choose: {n: marks}, effects: {left: left - n}}
  share: {enabled: false, effects: {left: left - 1}}
end:
  over: {when: "left <= 0 and board[1, 1] == none and layout == small and not misere", result: win}
  other: {when: left <= 0, result: lose}
"""


def messages(text: str, *settings: str) -> list[tuple[str, str, str]]:
    found = validate_settings(RulesetText(text), read_settings(settings))
    return [(d.code, d.severity, d.message) for d in found]


def test_valid_settings_bring_no_warning() -> None:
    assert messages(TEXT) == []


def test_samples_cover_extremes_and_pairs() -> None:
    ruleset, _ = load_ruleset(RulesetText(TEXT))
    assert ruleset is not None
    samples = [settings.values() for settings in sample_settings(ruleset)]
    for name, low, high in (("rows", 1, 40), ("columns", 1, 100)):
        assert {name: low} in samples and {name: high} in samples
    assert {"rows": 40, "columns": 100} in samples
    assert {"rows": 1, "misere": True} in samples
    assert {"layout": "large"} in samples and {"layout": "small"} not in samples
    lists = [tuple(values["marks"]) for values in samples if "marks" in values]
    assert {len(numbers) for numbers in lists} == {1, 2, 3}
    assert all(len(set(numbers)) == len(numbers) for numbers in lists)


def test_a_failing_setting_is_a_warning_with_its_values() -> None:
    text = TEXT.replace("max: 100}", "max: 200}")
    [(code, severity, message), *_] = messages(text)
    assert (code, severity) == ("E407", "warning")
    assert message.startswith("with rows=40, columns=200: ")


def test_faults_of_play_are_found() -> None:
    text = TEXT.replace("{left: left - 1}", '{left: "marks[left + 1]"}')
    [(code, severity, message)] = messages(text)
    assert (code, severity) == ("E502", "warning")
    assert message.startswith("with --enable share: ")


def test_constraints_leave_settings_out() -> None:
    text = TEXT.replace("max: 100}", "max: 200, require: rows * columns <= 4000}")
    assert messages(text) == []


def test_given_settings_stay() -> None:
    text = TEXT.replace("max: 100}", "max: 200}")
    assert messages(text, "rows=2") == []
    [(_, _, message)] = messages(text, "columns=200")
    assert message.startswith("with rows=21: ")


@pytest.mark.full
@pytest.mark.parametrize("name", bundled.ruleset_names())
def test_bundled_rulesets_are_valid_with_other_settings(name: str) -> None:
    assert validate_settings(name) == ()
