"""Explanations test moves by what the list of valid moves tests them for."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulegame
from rulegame.bundled import ruleset_names
from rulegame.game.candidates import offers_of
from rulegame.model import Operation, Ruleset, Validity

RULES = "".join(f"  rule_{k}: n != {k}\n" for k in range(1, 21))
MANY_RULES = f"""
rulegame: 1
title: Many rules
state: {{left: 20}}
operations:
  take:
    choose: {{n: 1..30}}
    effects: {{left: left - n}}
validity:
{RULES}
  enough: after.left >= 0
  divides: 12 / (n - 42) != 99
end:
  empty: {{when: left < 5, result: win}}
"""


def load(folder: Path, text: str) -> rulegame.Game:
    path = folder / "rules.yaml"
    path.write_text(text, "utf-8")
    return rulegame.load(path)


@pytest.mark.quick(16)
@pytest.mark.parametrize("name", ruleset_names())
def test_candidates_that_no_rule_bars_are_the_valid_moves(name: str) -> None:
    game, rng = rulegame.load(name), Random(1)
    offers, state = offers_of(game), game.start(0)
    for _ in range(12):
        if state.outcome is not None:
            state = game.start(0)
        if state.player != rulegame.CHANCE:
            valid = [m for m in offers.candidates(state) if not any(offers.barring(state, m))]
            assert valid == list(state.moves)
        state = state.play(rng.choice(state.moves))


def test_every_rule_is_checked_however_many_there_are(tmp_path: Path) -> None:
    game = load(tmp_path, MANY_RULES)
    take = game.ruleset.operations[0]
    checks = game.kernel.checks(take)
    before = [f"rule_{k}" for k in range(1, 21)] + ["divides"]
    assert [test.rule for test in checks.rules] == [*before, "enough"]
    assert [test.rule for test in checks.rules if test.uses_after] == ["enough"]
    move = game.kernel.code("take", (20,))
    assert list(offers_of(game).barring(game.start(), game.move_of(move))) == ["rule_20"]


def test_operations_without_rules_have_no_checks(tmp_path: Path) -> None:
    text = MANY_RULES.replace("choose: {n: 1..30}", "").replace("left - n", "left - 1")
    game = load(tmp_path, text[: text.index("validity")] + text[text.index("end:") :])
    checks = game.kernel.checks(game.ruleset.operations[0])
    assert (checks.when, checks.choices, checks.rules) == (None, [], [])
    assert checks.is_available(game.start().cells)


def test_what_the_list_of_moves_does_not_test_refuses_no_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    required_of = Ruleset.required_of

    def without(ruleset: Ruleset, operation: Operation) -> list[Validity]:
        return [rule for rule in required_of(ruleset, operation) if rule.name != "rule_3"]

    monkeypatch.setattr(Ruleset, "required_of", without)
    game = load(tmp_path, MANY_RULES)
    move = game.parse_move("take 3")
    assert move in game.start().moves
    assert "rule_3" not in [
        check.rule for check in rulegame.explain_move(game.start(), move).checks
    ]
