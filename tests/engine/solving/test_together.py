"""Games in which players choose at once are solved as games in which something is hidden."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulegame

MATRIX = """\
rulegame: 1
title: Matrix
state: {each player: {gain: 0}}
turn:
  together: true
  effects:
    gain: "[GAIN, 0 - (GAIN)]"
operations:
  show: {choose: {k: 1..2}}
end:
  over: {when: true, payoff: gain}
"""
PENNIES = "2 if k[1] == 1 and k[2] == 1 else 1 if k[1] == k[2] else -1"
SADDLE = "k[1] - 3 * k[2]"


@pytest.mark.parametrize(("gain", "value"), [(PENNIES, Fraction(1, 5)), (SADDLE, Fraction(-4))])
def test_the_value_of_a_matrix(gain: str, value: Fraction) -> None:
    """The second to choose must not know what the first has chosen: it would win by that."""
    game = rulegame.loads(MATRIX.replace("GAIN", gain))
    assert rulegame.solve(game, "hidden").value == value


def test_what_was_chosen_is_known_in_the_next_turn() -> None:
    """Whoever plays another sign than in the first turn is told so, and the other one answers."""
    game = rulegame.loads(
        """\
rulegame: 1
title: Two turns
state: {turns: 0, last: 0, each player: {gain: 0}}
turn:
  together: true
  effects:
    turns: turns + 1
    last: k[1]
    gain: "[0, 0] if turns == 0 else [0 if k[2] == last else 1, 0 if k[2] == last else -1]"
operations:
  show: {choose: {k: 1..2}}
end:
  over: {when: turns == 2, payoff: gain}
"""
    )
    assert rulegame.solve(game, "hidden").value == 0


@pytest.mark.parametrize("shuffled", [False, True])
def test_goofspiel_is_fair(shuffled: bool) -> None:
    game = rulegame.load("goofspiel", {"cards": 3, "shuffled": shuffled})
    assert rulegame.solve(game, "hidden").value == 0
