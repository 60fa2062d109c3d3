"""The rulesets of tests with settings of their own."""

from __future__ import annotations

from rulegame.building import Document
from rulegame.building.checking import Variations
from rulegame.loading import RulesetText, read_ruleset
from rulegame.model import Ruleset

COUNTDOWN = """\
rulegame: 1
title: Countdown
parameters: {start: {default: 9, min: 1, max: 99}, fast: {default: false}}
state: {left: start}
operations:
  take: {choose: {n: 1..2}, effects: {left: left - n}}
  skip: {enabled: false, effects: {left: left - (3 if fast else 1)}}
end: {empty: {when: left <= 0, result: win}}
tests:
  plain: {play: [take 1]}
  one: {set: {start: 1}, play: [take 1]}
  again: {set: {start: 1}, play: [take 2]}
  other: {set: {start: 2}, play: [take 2]}
  true: {set: {start: 1, fast: true}, play: [take 1]}
  on: {set: {start: 1}, enable: [skip], play: [skip]}
  off: {set: {start: 1}, disable: [skip], play: [take 1]}
  wrong: {set: {start: 0}, play: [take 1]}
"""


def variations() -> Variations:
    text = COUNTDOWN.partition("  wrong:")[0]
    ruleset, problems, document = read_ruleset(RulesetText(text))
    assert isinstance(ruleset, Ruleset) and isinstance(document, Document), problems
    return Variations(document, ruleset)


def test_tests_with_the_same_settings_share_a_ruleset() -> None:
    of = variations().of
    assert of("one") is of("again")
    assert len({id(of(name)) for name in ("plain", "one", "other", "true", "on", "off")}) == 6


def test_every_test_reports_its_own_settings() -> None:
    text = COUNTDOWN + "  wrong again: {set: {start: 0}, play: [take 1]}\n"
    problems = read_ruleset(RulesetText(text)).diagnostics
    assert [(problem.code, problem.span.line) for problem in problems] == [
        ("E402", 17),
        ("E402", 18),
    ]
