"""Action numbers: dense, the same way there and back, and refused where a choice has no bound."""

from __future__ import annotations

import pytest

import rulegame
from rulegame.bundled import ruleset_names
from support.games import bundled_game

GAME = """
rulegame: 1
title: All kinds
players: [Ann, Bob, Cid]
state: {left: 9, mark: {type: optional player}}
setup:
  bet: {choose: {high: [true, false]}, effects: {left: left + 1}}
operations:
  take: {choose: {n: NUMBERS, twice: [true, false]}, effects: {left: left - n}}
  name: {choose: {who: "[none, me]"}, effects: {mark: who}}
  keep: {choose: {some: "subsets(1..4, 2)"}, effects: {left: left - 1}}
  wait: {effects: {left: left - 1}}
stuck: pass
end: {gone: {when: left <= 0, result: win}}
"""


def load(numbers: str) -> rulegame.Game:
    return rulegame.loads(GAME.replace("NUMBERS", numbers))


@pytest.mark.quick(16)
@pytest.mark.parametrize("name", ruleset_names())
def test_numbers_of_bundled_games_are_dense(name: str) -> None:
    actions = bundled_game(name).actions
    assert [actions.index(move) for move in actions] == list(range(len(actions)))
    assert len({move.text for move in actions}) == len(actions)


def test_every_valid_move_has_its_place_in_the_mask() -> None:
    state = load("2..4").start()
    actions = state.game.actions
    assert len(actions) == 2 + 3 * 2 + 4 + 6 + 1  # bet, take, name (none or a seat), keep, wait
    for move in ("bet true", "bet false", "bet true"):
        assert sum(state.action_mask) == 2
        state = state.play(move)
    chosen = {move for move, valid in zip(actions, state.action_mask, strict=True) if valid}
    assert chosen == set(state.moves) and len(chosen) == 6 + 2 + 6 + 1
    assert actions[-1] == actions[len(actions) - 1] and len(actions[1:3]) == 2
    with pytest.raises(IndexError):
        actions[len(actions)]


def test_rolls_have_no_number() -> None:
    state = bundled_game("dice_duel").start()
    assert state.action_mask == (False, False)
    with pytest.raises(ValueError, match="die 1 has no action number"):
        state.game.actions.index(state.moves[0])


def test_a_text_stands_for_a_move() -> None:
    actions = bundled_game("zero_sum_duel").actions
    first = actions[0]
    known: list[object] = [first, first.text]
    others: list[object] = ["banana", first.operation, f"{first.operation} 999", 3, None]
    assert actions.index(first.text) == 0
    assert [one in actions for one in (*known, *others)] == [True] * 2 + [False] * 5
    with pytest.raises(ValueError, match="no move 'banana'"):
        actions.index("banana")
    with pytest.raises(ValueError, match=f"{first} has no action number"):
        actions.index(first, 1)
    assert repr(actions) == f"<Actions of Zero Sum Duel: {len(actions)} moves>"


def test_a_choice_without_a_bound_is_named() -> None:
    with pytest.raises(rulegame.Unbounded, match=r"'n' of 'take' has no bound"):
        load("1..left").start().action_mask  # noqa: B018
    many = GAME.replace("twice: [true, false]", "twice: 1..20")
    game = rulegame.loads(many.replace("NUMBERS", "{from: 1..left, within: 1..90000}"))
    with pytest.raises(rulegame.Unbounded, match=r"1,800,0\d\d moves .*'take'"):
        game.actions  # noqa: B018


def test_a_declared_bound_numbers_the_moves_and_is_kept() -> None:
    game = load("{from: 1..left, within: 1..12}")
    assert len(game.actions) == 2 + 12 * 2 + 4 + 6 + 1
    assert game.begin({"left": 12}).play("take 12 true").is_over
    with pytest.raises(rulegame.GameError, match=r"13 can be chosen but is outside 1\.\.12"):
        game.begin({"left": 13})


@pytest.mark.parametrize("bound", ["1..left", "5", "[1, 2]", "me"])
def test_a_bound_is_a_range_that_is_known_before_the_game(bound: str) -> None:
    text = GAME.replace("NUMBERS", f"{{from: 1..left, within: '{bound}'}}")
    assert [d.code for d in rulegame.validate_text(text)] in (["E307"], ["E303"])


def test_only_numbers_have_bounds() -> None:
    text = GAME.replace("high: [true, false]", "high: {from: [true, false], within: 0..1}")
    [problem] = rulegame.validate_text(text.replace("NUMBERS", "1..3"))
    assert problem.message.startswith("only numbers have bounds, not ")


def test_what_can_be_chosen_has_a_number_once() -> None:
    actions = load("[5, 1, 5]").actions
    some = [move.choices[0] for move in actions if move.operation == "keep"]
    assert sorted(map(sorted, some)) == [[a, b] for a in range(1, 5) for b in range(a + 1, 5)]
    assert [move.text for move in actions[:4]] == [
        "take 1 false",
        "take 1 true",
        "take 5 false",
        "take 5 true",
    ]
    assert "take 2 true" not in map(str, actions)
    with pytest.raises(ValueError, match="take 2 true has no action number"):
        actions.index("take 2 true")


def test_sets_that_are_too_many_are_not_told_to_have_bounds() -> None:
    wide = GAME.replace("subsets(1..4, 2)", "subsets(1..40, min(2, left))")
    with pytest.raises(rulegame.Unbounded, match="'some' of 'keep' has too many values"):
        rulegame.loads(wide.replace("NUMBERS", "1..3")).actions  # noqa: B018


@pytest.mark.parametrize(
    ("choice", "code", "message"),
    [
        ("{from: 1..left, within: 3..1}", "E303", "this range is empty: 3 is greater than 1"),
        ("{from: 1..3, within: 1..2}", "E510", "3 can be chosen but is outside 1..2"),
        ("{from: '[0, 9, 2]', within: 1..2}", "E510", "0 can be chosen but is outside 1..2"),
    ],
)
def test_a_bound_that_cannot_hold_is_an_error_before_the_game(
    choice: str, code: str, message: str
) -> None:
    [problem] = rulegame.validate_text(GAME.replace("NUMBERS", choice))
    assert (problem.code, problem.message, problem.span.line) == (code, message, 9)
    assert rulegame.validate_text(GAME.replace("NUMBERS", "{from: 1..2, within: 1..2}")) == ()


def test_an_operation_with_nothing_to_choose_has_no_numbers() -> None:
    game = rulegame.loads(
        GAME.replace("subsets(1..4, 2)", "subsets(1..4, 9)")
        .replace("state:", "parameters: {most: 0}\nstate:")
        .replace("NUMBERS", "{from: 'list(n for n in 1..left if n <= most)', within: 1..most}")
    )
    assert [move.operation for move in game.actions] == ["name"] * 4 + ["wait"] + ["bet"] * 2
    assert [game.actions.index(move) for move in game.actions] == list(range(7))
    with pytest.raises(ValueError, match="take 1 true has no action number"):
        game.actions.index("take 1 true")
