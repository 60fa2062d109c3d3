"""Secret picks: the matrix against plain minimax, made-up games with known values, refusals."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import rulegame
from reference import number_duel
from reference.number_duel import NumberDuel
from rulegame.solving import solve_graph
from rulegame.solving.simultaneous.matrix import guaranteed
from support.games import bundled_game, load

NOUGHT = Fraction(0)


# ---- Number Duel against plain minimax


@cache
def minimax(position: NumberDuel) -> int:
    """For the player who moves first in the game."""
    if position.result is not None:
        return 1 if position.first in position.result.winners else -1
    following = [minimax(position.play(text)) for text in position.moves]
    return max(following) if position.mover == position.first else min(following)


@pytest.mark.quick(7)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("setting", "disable"),
    [
        ({"count": 1, "highest": 4, "target": 3}, ()),
        ({"count": 2, "highest": 4, "target": 5}, ("subtract", "multiply", "divide")),
        ({"count": 2, "highest": 4, "target": 6}, ()),
        ({"count": 2, "highest": 5, "target": 7}, ("subtract", "divide")),
        ({"count": 2, "highest": 5, "target": 10}, ("multiply",)),
        ({"count": 2, "lowest": 2, "highest": 5, "target": 12}, ()),
        ({"count": 3, "highest": 4, "target": 9}, ("subtract", "multiply", "divide")),
    ],
    ids=str,
)
def test_every_entry_is_that_of_plain_minimax(
    setting: dict[str, Any], disable: tuple[str, ...], first: int
) -> None:
    game = rulegame.load("number_duel", setting, disable=list(disable))
    solution = rulegame.solve(game, "revealed", first=first)
    start = number_duel.start(first, **setting, disable=disable)
    assert [pick.text for pick in solution.picks[0]] == list(start.moves)
    assert solution.payoffs is not None
    for i, mine in enumerate(start.moves):
        for j, theirs in enumerate(start.moves):
            one, other = (mine, theirs) if first == 0 else (theirs, mine)
            assert solution.payoffs[i, j] == minimax(start.play(one).play(other))
    value = solution.value
    assert guaranteed(solution.payoffs, solution.mix.rows, solution.mix.columns) == (value, value)


def test_a_mixed_value() -> None:
    game = rulegame.load(
        "number_duel", {"count": 2, "highest": 5, "target": 7}, disable=["subtract", "divide"]
    )
    solution = rulegame.solve(game, "revealed")
    assert (solution.value, solution.result) == (Fraction(-3, 7), "mixed")
    assert solution.value is not None
    assert Fraction(solution.lower) <= solution.value <= Fraction(solution.upper)
    assert solution.win_probability == Fraction(2, 7)
    assert (solution.distance, solution.shortest_game, solution.longest_game) == (None, 4, 6)
    for side in (0, 1):
        mix = solution.best_mix(side)
        assert sum(share for _, share in mix) == 1
        assert {pick for pick, _ in mix} == set(solution.best_picks[side])
        for option in solution.options(side):
            assert option.value is not None
            gain = option.value - solution.value
            assert (gain <= 0) if side == 0 else (gain >= 0)
            if option.probability:
                assert gain == 0


def test_states_of_different_picks_are_shared() -> None:
    """Spent numbers are not part of a state: fewer states than the pairs have on their own."""
    game = bundled_game("number_duel", {"count": 2, "highest": 4})
    solution = rulegame.solve(game, "revealed")
    alone = 0
    for position in solution.positions.reshape(-1).tolist():
        seen, pending = {position}, [position]
        while pending:
            for _, state in solution.graph.following(pending.pop()):
                if state not in seen:
                    seen.add(state)
                    pending.append(state)
        alone += len(seen)
    assert len(solution.graph) < alone


# ---- made-up games

FRAME = """\
rulegame: 1
title: Picks
parameters: {{most: 3}}
state:
  shown: false
  each player:
    pick: {{type: int, seen by: owner}}
setup:
  choose:
    choose: {{n: 1..most}}
    effects: {{my.pick: n}}
    secret: true
operations:
  show:
    effects: {{shown: true}}
end:
  over:
    when: shown
    {verdict}
"""
BEATS = "(pick of {0} - pick of {1} == 1 or pick of {1} - pick of {0} == 2)"
ROCK_PAPER_SCISSORS = FRAME.format(
    verdict=f"""result: >-
      draw if my.pick == their.pick
      else win if {BEATS.format("me", "them")}
      else lose"""
)
PENNIES = FRAME.format(verdict="result: win if my.pick == their.pick else lose")
HIGHER = FRAME.format(
    verdict="result: draw if my.pick == their.pick else win if my.pick > their.pick else lose"
)
UNDERCUT = FRAME.format(
    verdict="""result: >-
      draw if my.pick == their.pick
      else win if my.pick == their.pick - 1 or my.pick > their.pick + 1
      else lose"""
)


def test_rock_paper_scissors() -> None:
    solution = rulegame.solve(load(ROCK_PAPER_SCISSORS), "revealed")
    assert (solution.value, solution.result) == (NOUGHT, "mixed")
    assert [share for _, share in solution.best_mix(1)] == [Fraction(1, 3)] * 3
    assert solution.win_probability is None  # the picks may be equal: a draw
    assert (solution.longest_game, len(solution.graph)) == (3, 1 + 3 + 9 + 9)


@pytest.mark.parametrize(("most", "value"), [(2, 0), (3, Fraction(-1, 3)), (5, Fraction(-3, 5))])
@pytest.mark.parametrize("first", [0, 1])
def test_matching_pennies(most: int, value: Fraction, first: int) -> None:
    solution = rulegame.solve(load(PENNIES, most=most), "revealed", first=first)
    assert solution.value == value
    assert solution.win_probability == (1 + value) / 2


def test_a_draw_by_one_pick() -> None:
    solution = rulegame.solve(load(HIGHER), "revealed")
    assert (solution.value, solution.result, solution.distance) == (NOUGHT, "draw", 3)
    assert [[pick.text for pick in side] for side in solution.best_picks] == [["choose 3"]] * 2


def test_a_draw_that_one_side_forces() -> None:
    """The first mover can call the game off by a third pick; the other one has to mix."""
    verdict = "result: draw if pick of first == 3 else win if even else lose"
    even = "define:\n  even: my.pick / 2 * 2 + their.pick / 2 * 2 != my.pick + their.pick - 1\n"
    game = load(FRAME.format(verdict=verdict) + even)
    solution = rulegame.solve(game, "revealed")
    assert (solution.value, solution.result, solution.distance) == (NOUGHT, "draw", 3)
    assert [pick.text for pick in solution.best_picks[0]] == ["choose 3"]
    assert solution.mix.saddle is None
    assert {share for _, share in solution.best_mix(1)} == {Fraction(1, 2)}


def test_undercut() -> None:
    solution = rulegame.solve(load(UNDERCUT, most=9), "revealed")
    assert solution.value == 0
    assert solution.payoffs is not None
    assert guaranteed(solution.payoffs, solution.mix.rows, solution.mix.columns) == (NOUGHT, NOUGHT)
    assert {pick.text for pick in solution.best_picks[0]} == {"choose 7", "choose 8", "choose 9"}


def test_one_pick_only() -> None:
    solution = rulegame.solve(load(HIGHER, most=1), "revealed")
    assert (solution.value, solution.result, solution.positions.size) == (NOUGHT, "draw", 1)


TWO_ENTRIES = """\
rulegame: 1
title: Morra
state:
  shown: false
  each player:
    fingers: {type: int, seen by: owner}
    guess: {type: int, seen by: owner}
setup:
  hold:
    choose: {n: 1..2}
    effects: {my.fingers: n}
    secret: true
  guess_sum:
    choose: {n: my.fingers + 1..my.fingers + 2}
    effects: {my.guess: n}
    secret: true
operations:
  show:
    effects: {shown: true}
end:
  over:
    when: shown
    result: >-
      draw if (my.guess == fingers[1] + fingers[2]) == (their.guess == fingers[1] + fingers[2])
      else win if my.guess == fingers[1] + fingers[2]
      else lose
"""


def test_several_picks_make_one() -> None:
    solution = rulegame.solve(load(TWO_ENTRIES), "revealed")
    texts = [pick.text for pick in solution.picks[1]]
    assert texts == [f"hold {n}, guess_sum {n + k}" for n in (1, 2) for k in (1, 2)]
    assert solution.payoffs is not None
    for i, (mine, guess) in enumerate((n, n + k) for n in (1, 2) for k in (1, 2)):
        for j, (theirs, other) in enumerate((n, n + k) for n in (1, 2) for k in (1, 2)):
            right, wrong = guess == mine + theirs, other == mine + theirs
            assert solution.payoffs[i, j] == int(right) - int(wrong)
    assert (solution.value, solution.longest_game) == (NOUGHT, 5)


DICE = """\
rulegame: 1
title: Nerves
state:
  left: 0
  rolled: 0
  each player:
    pick: {type: int, seen by: owner}
setup:
  choose:
    choose: {n: 1..3}
    effects: {my.pick: n}
    secret: true
operations:
  throw:
    roll: {die: 1..6}
    effects: {rolled: die}
end:
  mine: {when: rolled > 3 and my.pick != their.pick, result: win}
  same: {when: rolled > 1 and my.pick == their.pick, result: lose}
"""


def dice_value() -> Fraction:
    """Different picks: who throws first has a half, then the other one, and so on; equal picks:
    who throws first loses five times in six.
    """
    different = Fraction(1, 3)  # v = 1/2 - v/2
    equal = Fraction(-5, 7)  # v = -5/6 - v/6
    return (2 * different + equal) / 3


def test_chance_after_the_picks() -> None:
    solution = rulegame.solve(load(DICE), "revealed")
    assert (solution.value, solution.result, solution.exact) == (dice_value(), "mixed", True)
    assert solution.longest_game is None
    assert solution.win_probability == (1 + dice_value()) / 2


def test_bounds_where_fractions_are_too_long() -> None:
    solution = rulegame.solve(load(DICE), "revealed", limits=rulegame.Limits(exact_states=0))
    assert (solution.value, solution.exact, solution.result) == (None, False, "mixed")
    assert Fraction(solution.lower) <= dice_value() <= Fraction(solution.upper)
    assert solution.upper - solution.lower < 1e-9
    for option in solution.options(0):
        assert option.lower <= float(dice_value()) <= option.upper
    assert solution.win_probability == pytest.approx(float(1 + dice_value()) / 2)


CIRCLING = """\
rulegame: 1
title: Round and round
state:
  stopped: false
  each player:
    pick: {type: int, seen by: owner}
setup:
  choose:
    choose: {n: 1..2}
    effects: {my.pick: n}
    secret: true
operations:
  walk: {next: next(me)}
  stop:
    when: STOP
    effects: {stopped: true}
end:
  stopped: {when: stopped, result: draw}
"""


@pytest.mark.parametrize(
    ("condition", "result", "distance"),
    [
        ("false", "endless", None),
        ("my.pick == 2", "draw", 3),
        ("pick[1] == pick[2]", "endless", None),
    ],
)
def test_draws_and_endless_play(condition: str, result: str, distance: int | None) -> None:
    solution = rulegame.solve(load(CIRCLING.replace("STOP", condition)), "revealed")
    assert (solution.value, solution.result, solution.distance) == (NOUGHT, result, distance)
    assert solution.win_probability is None


# ---- refusals

SHAPE = """\
rulegame: 1
title: Other shapes
state:
  open: 0
  {shared}
  each player:
    pick: {{type: int, seen by: owner}}
    {own}
setup:
  choose:
    choose: {{n: {options}}}
    effects: {{my.pick: n{more}}}
    secret: {secret}
  {setup}
turn: {{{turn}}}
operations:
  go: {{{operation}}}
end:
  over: {{when: open > 0, result: win if my.pick > their.pick else lose}}
"""
PLAIN = {
    "shared": "",
    "own": "",
    "options": "1..3",
    "more": "",
    "secret": "true",
    "setup": "",
    "turn": "",
    "operation": "effects: {open: 1}",
}


def test_the_plain_shape_is_solved() -> None:
    """What the refused ones differ from."""
    assert rulegame.solve(load(SHAPE.format(**PLAIN)), "revealed").value == -1


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"secret": "false"}, "'choose' is chosen openly before the first turn"),
        ({"more": ", open: open + n"}, "'choose' is secret, but it changes 'open', which all see"),
        ({"more": ", their.pick: n"}, "changes 'pick' of another player than the one who picks"),
        ({"options": "1..3 + their.pick"}, "'choose' depends on 'pick' of other players"),
        ({"options": "1..4 - max(pick)"}, "'choose' depends on 'pick' of other players"),
        (
            {"secret": "true\nvalidity: {higher: {require: n > their.pick, for: [choose]}}"},
            "'choose' depends on 'pick' of other players",
        ),
        (
            {"setup": "say: {choose: {n: 1..2}, effects: {open: n}}"},
            "'say' is chosen openly before the first turn",
        ),
        (
            {"operation": "effects: {open: 1}, secret: true"},
            "the operation 'go' is secret: only secret picks",
        ),
        (
            {"operation": "roll: {die: 1..6}, effects: {open: 1, my.pick: die}"},
            "chance decides 'pick', which not all see, in 'go'",
        ),
        (
            {"turn": "roll: {die: 1..6}", "operation": "effects: {open: 1, my.pick: die}"},
            "chance decides 'pick', which not all see, in 'go'",
        ),
        (
            {
                "shared": "dark: {type: int, seen by: nobody}",
                "operation": "effects: {open: 1, dark: 1}",
            },
            "nobody sees 'dark'",
        ),
        (
            {
                "own": "hand: {type: int, seen by: owner}",
                "operation": "effects: {open: 1, my.hand: 1}",
            },
            "'hand' is hidden from the opponent, and no pick decides it",
        ),
    ],
    ids=str,
)
def test_other_shapes_are_refused(changed: dict[str, str], reason: str) -> None:
    game = load(SHAPE.format(**{**PLAIN, **changed}))
    with pytest.raises(rulegame.CannotSolve, match=reason):
        rulegame.solve(game, "revealed")
    with pytest.raises(rulegame.CannotSolve, match="hidden information"):
        rulegame.solve(game, "perfect_information")


def test_a_hidden_value_that_nothing_changes_is_no_secret() -> None:
    changed = {"own": "goal: {start: 3, seen by: owner}"}
    game = load(SHAPE.format(**{**PLAIN, **changed}))
    assert rulegame.solve(game, "revealed").value == -1


def test_a_hidden_value_that_only_being_stuck_changes_is_one() -> None:
    text = SHAPE.format(**{**PLAIN, "shared": "dark: {type: int, seen by: nobody}"})
    assert rulegame.solve(load(text), "revealed").value == -1
    text = text.replace("end:\n", "stuck: {result: pass, effects: {dark: 1}}\nend:\n")
    with pytest.raises(rulegame.CannotSolve, match="nobody sees 'dark'"):
        rulegame.solve(load(text), "revealed")


def test_an_open_game_has_nothing_to_lay_open() -> None:
    with pytest.raises(rulegame.CannotSolve, match="nothing is hidden"):
        rulegame.solve(bundled_game("nim"), "revealed")


def test_the_budget_counts() -> None:
    with pytest.raises(rulegame.TooLarge):
        rulegame.solve(bundled_game("number_duel"), "revealed", max_states=1000)


def test_a_pick_after_a_pick_is_not_the_value() -> None:
    """The graph itself has one pick after the other: its first state is not the matrix game."""
    game = rulegame.load(
        "number_duel", {"count": 2, "highest": 5, "target": 7}, disable=["subtract", "divide"]
    )
    graph = rulegame.explore(game)
    assert solve_graph(graph).value == -1
    assert rulegame.solve(game, "revealed").value == Fraction(-3, 7)
