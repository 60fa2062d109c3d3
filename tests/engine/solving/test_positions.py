"""What is left of a game from a later state on: explored and solved as a part of the whole."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import rulegame


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("nim", {"heaps": [2, 3]}),
        ("tic_tac_toe", {}),
        ("dice_duel", {"target": 4}),
        ("triple_or_nothing", {}),
        ("zero_sum_duel", {"start": 12}),
    ],
)
@pytest.mark.parametrize("first", [0, 1])
def test_a_later_state_is_worth_what_it_is_in_the_whole_game(
    name: str, setting: dict[str, Any], first: int
) -> None:
    game = rulegame.load(name, setting)
    whole = rulegame.solve(game, "perfect_information", first=first)
    rng = Random(first)
    for _ in range(3):
        state = game.start(first)
        while not state.is_over and rng.random() < 0.8:
            state = state.play(rng.choice(state.moves))
        part = rulegame.solve(game, "perfect_information", first=first, at=state)
        assert known(part, 0) == known(part, state) == known(whole, state)
        assert set(part.best_moves(0)) == set(whole.best_moves(state))
        for number in range(0, len(part.graph), 7):
            assert known(part, number) == known(whole, part.graph.state(number))
            if whole.distances is not None:  # else there may be no chance left, and distances
                assert part[number] == whole[part.graph.state(number)]


def known(
    solution: rulegame.PerfectInformationSolution, state: rulegame.State | int
) -> tuple[object, ...]:
    found = solution[state]
    return found.value, found.lower, found.upper, found.result


def test_the_states_from_there_on_and_no_others() -> None:
    game = rulegame.load("tic_tac_toe")
    later = game.start().play("place 1 1").play("place 2 2")
    part = rulegame.explore(game, at=later)
    assert part.state(0) == later
    assert part.find(game.start()) is None
    with pytest.raises(KeyError, match="never reached from <State"):
        part.number(game.start())
    with pytest.raises(KeyError, match="never reached when Player 1 moves first"):
        rulegame.explore(game).number(game.start(1))


def test_states_of_equal_games_and_of_others() -> None:
    game, again = (rulegame.load("nim", {"heaps": [1, 3]}) for _ in range(2))
    later = again.start().play("take 1 1")
    assert rulegame.solve(game, "perfect_information", at=later).value == -1
    other = rulegame.load("nim", {"heaps": [1, 2]}).start()
    with pytest.raises(ValueError, match="a state of another game"):
        rulegame.solve(game, "perfect_information", at=other)


def test_where_the_rules_fail_is_counted_from_there(tmp_path: Any) -> None:
    path = tmp_path / "failing.yaml"
    path.write_text(
        """
rulegame: 1
title: Failing
state:
  left: 9
  share: 6
operations:
  take:
    effects:
      left: left - 1
      share: share * 2000000000
end:
  done:
    when: left < 0
    result: win
"""
    )
    game = rulegame.load(str(path))
    with pytest.raises(rulegame.GameError) as failure:
        rulegame.explore(game, at=game.start().play("take"))
    assert "after take, counted from the given state" in str(failure.value.diagnostic.hint)
