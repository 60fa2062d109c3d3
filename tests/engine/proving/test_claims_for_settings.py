"""Claims for many values of parameters: each game is examined, and told apart from the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulegame
from rulegame.building import Settings
from rulegame.building.ranges import read_ranges
from rulegame.loading import read_ruleset
from rulegame.proving import common_warnings, overall
from rulegame.proving.settings import check_settings
from rulegame.rulebook import promises
from rulegame.rulebook.document import ItemList

TAKEAWAY = """\
rulegame: 1
title: Takeaway
parameters:
  pile: {default: 7, min: 1, max: 200}
  most: {default: 3, min: 1, require: most <= pile}
  last: {default: wins, one of: [wins, loses]}
state: {left: pile}
operations:
  take:
    choose: {n: 1..most}
    effects: {left: left - n}
validity: {enough: after.left >= 0}
end:
  wins: {when: left == 0 and last == wins, result: win}
  loses: {when: left == 0, result: lose}
"""


def claiming(folder: Path, claims: str) -> Path:
    file = folder / "game.yaml"
    file.write_text(f"{TAKEAWAY}claims:{claims}\n", encoding="utf-8")
    return file


def plainly_lost(pile: int, most: int, last_wins: bool) -> bool:
    """Whether who is to move loses the game of taking 1 to `most`, by its remainders."""
    return pile % (most + 1) == (0 if last_wins else 1)


def test_every_combination_is_examined(tmp_path: Path) -> None:
    """Where the first player wins, told by remainders, claims of both kinds are proved; where one
    of many settings is wrong, that one is shown.
    """
    settings = [(p, m, w) for p in range(1, 13) for m in range(1, 5) for w in ("wins", "loses")]
    allowed = [(p, m, w) for p, m, w in settings if m <= p]
    over = "pile: 1..12, most: [1..3, 4], last: [wins, loses]"
    file = claiming(tmp_path, f" {{for: {{{over}}}, second_player_wins: true, always_ends: true}}")
    second, ends = rulegame.check_claims(file)
    assert (ends.status, ends.settings, ends.left_out) == ("proved", len(allowed), 12)
    wrong = [(p, m, w) for p, m, w in allowed if not plainly_lost(p, m, w == "wins")]
    assert (second.status, second.failing) == ("refuted", len(wrong))
    assert tuple(second.setting.values.values()) == wrong[0]
    shown = rulegame.load(file, dict(second.setting.values))
    state = shown.start()
    for move in second.shown.evidence.play or ():
        state = state.play(move.text)
    assert state.outcome is not None and state.outcome.winners == (0,)


def test_claims_of_one_name_for_different_values(tmp_path: Path) -> None:
    blocks = """
  - first_player_wins: true
  - for: {pile: 4..40..4}
    second_player_wins: true
  - for: {pile: 3..40, most: 2}
    first_player_wins: true"""
    found = rulegame.check_claims(claiming(tmp_path, blocks))
    assert [(one.claim.name, one.status, one.settings, one.failing) for one in found] == [
        ("first_player_wins", "proved", 1, 0),
        ("second_player_wins", "proved", 10, 0),
        ("first_player_wins", "refuted", 38, 13),
    ]
    assert found[2].setting.values == {"pile": 3, "most": 2}


def test_a_call_counts_instead_of_the_values_of_a_claim(tmp_path: Path) -> None:
    file = claiming(tmp_path, " {for: {pile: 4..8, most: 3}, second_player_wins: true}")
    assert [one.failing for one in rulegame.check_claims(file)] == [3]
    assert [one.failing for one in rulegame.check_claims(file, {"pile": 4})] == [0]
    document = read_ruleset(file).document
    assert document is not None
    ranges = read_ranges(["pile=8,12,16"])
    (one,) = overall(list(check_settings(document, Settings(), ranges)))
    assert (one.status, one.settings) == ("proved", 3)


def test_where_no_combination_is_allowed_nothing_is_proved(tmp_path: Path) -> None:
    file = claiming(tmp_path, " {for: {pile: 1..2, most: 3}, always_ends: true}")
    (one,) = rulegame.check_claims(file)
    assert (one.status, one.settings, one.left_out) == ("undecided", 0, 2)


def test_check_decides_what_is_claimed_of_the_very_game(tmp_path: Path) -> None:
    file = claiming(tmp_path, " {for: {pile: 4..8, most: [3]}, second_player_wins: true}")
    assert [f.status for f in rulegame.check(rulegame.load(file)).findings] == ["refuted"]
    assert [f.status for f in rulegame.check(rulegame.load(file, {"pile": 8})).findings] == [
        "proved"
    ]
    assert rulegame.check(rulegame.load(file, {"pile": 9})).findings == ()
    assert rulegame.check(rulegame.load(file, {"pile": 8, "most": 2})).findings == ()


def test_warnings_are_those_of_all_settings(tmp_path: Path) -> None:
    """A rule that never bars a move in one game may do so in another one."""
    blocks = "\n  - always_ends: true\n  - {for: {most: [1, 2]}, always_ends: true}"
    document = read_ruleset(claiming(tmp_path, blocks)).document
    assert document is not None
    reports = list(check_settings(document, Settings({}), {}))
    assert len(reports) == 3
    assert "idle_rule" not in [w.kind for w in common_warnings(reports)]
    (tmp_path / "one").mkdir()
    one = claiming(tmp_path / "one", " {for: {most: 1}, always_ends: true}")
    document = read_ruleset(one).document
    assert document is not None
    assert [w.name for w in common_warnings(list(check_settings(document, Settings(), {})))] == [
        "enough", "loses",
    ]  # fmt: skip


@pytest.mark.parametrize("proof", [False, True])
def test_the_rulebook_says_for_which_values(tmp_path: Path, proof: bool) -> None:
    over = "pile: 8..40..4, last: wins, most: [3]"
    file = claiming(tmp_path, f" {{for: {{{over}}}, second_player_wins: true}}")
    game: Any = rulegame.load(file)
    report = rulegame.check(game) if proof else None
    heading, said = promises(game.ruleset, report)
    assert heading == "Claimed by the author, not proved here:"
    sentence = (
        "With pile from 8 to 40 in steps of 4, last wins and most 3: the player who moves second "
        "can force a win."
    )
    assert said == ItemList((sentence,)), "nothing is proved of all by what is known of one"
    eight = rulegame.load(file, {"pile": 8})
    proved, *_ = promises(eight.ruleset, rulegame.check(eight))
    assert proved == ItemList(("The player who moves second can force a win.",))
