"""What happens by itself before the first turn, and steps that roll under conditions: held against
what their rules say, counted by hand.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest

import rulegame
from engine.native.test_machine_kernel import Comparison
from rulegame import CHANCE, Game, State
from rulegame.loading import RulesetText
from rulegame.native.compiler import toolchain
from rulegame.ruletests.running import run_tests

DEALING = """
rulegame: 1
title: Dealing
players: [Ann, Bob]
parameters: {each: 2, handicap: 3}
state:
  deck: {type: set of 1..5, start: 1..5, seen by: nobody}
  shown: 0
  each player:
    hand: {type: set of 1..5, seen by: owner}
    score: 0
setup:
  deal:
    steps:
      cards:
        repeat: each
        roll: {card: deck}
        effects:
          my.hand: with(my.hand, card)
          deck: without(deck, card)
  turn_up:
    once: true
    roll: {open: deck}
    effects:
      shown: open
      deck: without(deck, open)
  handicap:
    for: players[2]
    when: handicap > 0
    effects: {my.score: handicap}
  lucky:
    when: shown in my.hand or mod(shown, 2) == 0
    effects: {my.score: my.score + 1}
  bid:
    when: my.score == 0
    choose: {n: 1..2}
    effects: {my.score: n}
operations:
  win: {effects: {my.score: 9}}
end:
  done: {when: my.score == 9, result: win}
"""


def first_decisions(state: State, chance: Fraction = Fraction(1)) -> Counter[State]:
    """The states in which somebody is first to decide, with their probabilities."""
    if state.player != CHANCE:
        return Counter({state: chance})
    found: Counter[State] = Counter()
    for move, share in state.chances:
        found.update(first_decisions(state.play(move), chance * share))
    return found


def test_every_deal_is_as_likely_as_another() -> None:
    game = rulegame.loads(DEALING)
    found = first_decisions(game.start())
    deals: Counter[Any] = Counter()
    for a, b, c, d, shown in permutations(range(1, 6)):
        deals[frozenset({a, b}), frozenset({c, d}), shown] += 1
    assert sum(found.values()) == 1
    assert {(*s["hand"], s["shown"]): p for s, p in found.items()} == {
        deal: Fraction(ways, 120) for deal, ways in deals.items()
    }


def test_entries_come_in_order_and_are_left_out_where_they_do_not_apply() -> None:
    game = rulegame.loads(DEALING)
    for state in first_decisions(game.start()):
        even = state["shown"] % 2 == 0
        assert state["score"] == [int(even), 3 + even]
        if even:  # nobody bids
            assert (state.player, game.point(state).kind) == (0, "turn")
            continue
        assert (state.player, [str(m) for m in state.moves]) == (0, ["bid 1", "bid 2"])
        after = state.play("bid 2")
        assert (after["score"], after.player, game.point(after).kind) == ([2, 3], 0, "turn")


def test_the_player_for_whom_it_is_done_is_told_while_something_is_rolled() -> None:
    state = rulegame.loads(DEALING).start(1)
    turns = []
    while state.player == CHANCE:
        turns.append((state.turn, str(state.moves[0]).partition(" ")[0]))
        state = state.play(state.moves[-1])
    assert turns == [(0, "card"), (0, "card"), (1, "card"), (1, "card"), (0, "open")]


def test_no_trace_is_left_of_what_was_rolled_in_which_order() -> None:
    game = rulegame.loads(DEALING)
    one, two = game.start(), game.start()
    for move in ("card 1", "card 2", "card 3", "card 4", "open 5"):
        one = one.play(move)
    for move in ("card 2", "card 1", "card 4", "card 3", "open 5"):
        two = two.play(move)
    assert one == two and one.cells == two.cells


def test_nobody_and_several() -> None:
    entries = (
        "  none_of_them: {for: list(p for p in players if seat(p) > 9), effects: {shown: 9}}",
        "  turned: {for: '[players[2], players[1]]', roll: {r: 1..2}, effects: {my.score: r}}",
    )
    for chosen, expected in ((entries[0], []), (entries[1], [1, 0]), ("\n".join(entries), [1, 0])):
        text = DEALING.partition("setup:")[0] + "setup:\n" + chosen + "\noperations:"
        state = rulegame.loads(text + DEALING.partition("operations:")[2]).start()
        turns = []
        while state.player == CHANCE:
            turns.append(state.turn)
            state = state.play("r 2")
        assert (turns, state["shown"], state["score"]) == (
            expected,
            0,
            [2, 2] if expected else [0, 0],
        )


def test_who_begins_is_who_was_asked_for() -> None:
    game = rulegame.loads(DEALING)
    for first in (0, 1):
        moves = ("card 1", "card 3", "card 2", "card 5", "open 4")
        state = game.start(first)
        for move in moves:
            state = state.play(move)
        assert state.player == first


# ---- steps that roll

STEPS = """
rulegame: 1
title: Steps
state: {{a: 0, b: 0, c: 0, n: 3}}
operations:
  go:
    choose: {{x: 0..3}}
    steps: {steps}
    next: me
end:
  never: {{when: a == 99, result: win}}
"""


def ways(steps: str, *moves: str) -> list[tuple[str, dict[str, int]]]:
    """What is rolled after some moves, one after the other, and the values in the end."""
    state = rulegame.loads(STEPS.format(steps=steps)).start()
    for move in moves:
        state = state.play(move)
    found: list[tuple[str, dict[str, int]]] = []

    def go_on(state: State, rolled: tuple[str, ...]) -> None:
        if state.player != CHANCE:
            found.append((" ".join(rolled), {name: state[name] for name in "abcn"}))
            return
        for move in state.moves:
            go_on(state.play(move), (*rolled, str(move)))

    go_on(state, ())
    return found


def test_rolls_come_before_the_effects_of_their_step() -> None:
    found = ways("{one: {roll: {d: 1..2, e: 5..5}, effects: {a: d, b: e}}}", "go 0")
    assert found == [
        ("d 1 e 5", {"a": 1, "b": 5, "c": 0, "n": 3}),
        ("d 2 e 5", {"a": 2, "b": 5, "c": 0, "n": 3}),
    ]


def test_a_step_that_rolls_may_be_left_out() -> None:
    steps = "{one: {when: x > 1, roll: {d: 1..2}, effects: {a: d}}, two: {effects: {b: x + a}}}"
    assert ways(steps, "go 1") == [("", {"a": 0, "b": 1, "c": 0, "n": 3})]
    assert [rolled for rolled, _ in ways(steps, "go 2")] == ["d 1", "d 2"]
    assert [values["b"] for _, values in ways(steps, "go 2")] == [3, 4]


def test_how_often_is_worked_out_before_the_first_time() -> None:
    steps = "{one: {repeat: n, roll: {d: 1..1}, effects: {a: a + d, n: n + 1}}}"
    assert ways(steps, "go 0") == [("d 1 d 1 d 1", {"a": 3, "b": 0, "c": 0, "n": 6})]


@pytest.mark.parametrize(("times", "rolled"), [("0", 0), ("x - 5", 0), ("x", 2)])
def test_a_step_may_be_done_no_time(times: str, rolled: int) -> None:
    steps = f"{{one: {{repeat: {times}, roll: {{d: 1..1}}, effects: {{a: a + d}}}}}}"
    assert ways(steps, "go 2")[0][1]["a"] == rolled


def test_what_holds_is_asked_before_each_time() -> None:
    steps = "{one: {repeat: 9, while: a < 4, roll: {d: 1..2}, effects: {a: a + d}}}"
    found = ways(steps, "go 0")
    assert {values["a"] for _, values in found} == {4, 5}
    for rolled, values in found:
        fallen = [int(word) for word in rolled.split()[1::2]]
        assert sum(fallen) == values["a"] and sum(fallen[:-1]) < 4


def test_two_steps_may_roll_under_the_same_name() -> None:
    steps = (
        "{one: {repeat: 2, roll: {d: 1..2}, effects: {a: a + d}}, "
        "two: {when: a > 2, roll: {d: 7..7, e: 1..2}, effects: {b: b + d + e + x}}}"
    )
    found = dict(ways(steps, "go 1"))
    assert list(found) == [
        "d 1 d 1",
        *(f"d {a} d {b} d 7 e {c}" for a, b in ((1, 2), (2, 1), (2, 2)) for c in (1, 2)),
    ]
    assert found["d 1 d 2 d 7 e 2"] == {"a": 3, "b": 10, "c": 0, "n": 3}


def test_what_was_rolled_before_is_known_in_a_step_that_is_repeated() -> None:
    steps = (
        "{first: {roll: {d: 2..3}}, again: {repeat: d, roll: {e: 1..1}, effects: {a: a + d + e}}, "
        "last: {effects: {b: d}}}"
    )
    assert [(v["a"], v["b"]) for _, v in ways(steps, "go 0")] == [(6, 2), (12, 3)]


def test_the_number_of_times_has_a_limit() -> None:
    steps = "{one: {repeat: x * 5000, roll: {d: 1..1}, effects: {a: a + d}}}"
    game = rulegame.loads(STEPS.format(steps=steps))
    assert game.start().play("go 2").player == CHANCE
    with pytest.raises(rulegame.GameError, match="cannot be repeated 15000 times"):
        game.start().play("go 3")


def test_states_with_different_numbers_of_times_left_are_different() -> None:
    steps = "{one: {repeat: x, roll: {d: 1..1}, effects: {a: 0}}}"
    game = rulegame.loads(STEPS.format(steps=steps))
    two, three = game.start().play("go 2"), game.start().play("go 3")
    assert two != three
    assert three.play("d 1") != two.play("d 1").play("d 1")
    ends = [two.play("d 1").play("d 1"), three.play("d 1").play("d 1").play("d 1")]
    assert ends[0] == ends[1] == game.start().play("go 0")


def test_a_line_made_in_a_repeated_step_ends_the_game() -> None:
    game = rulegame.loads(
        """
rulegame: 1
title: Lines
state: {board: {type: grid of optional player, rows: 1, columns: 3}}
operations:
  drop:
    steps:
      stones: {repeat: 3, roll: {at: 1..3}, effects: {"board[1, at]": me}}
end:
  line:
    when: any(all(c == me for c in line) for line in lines(board, 3))
    result: win
"""
    )
    state = game.start().play("drop")
    for at in (1, 2, 3):
        assert state.outcome is None
        state = state.play(f"at {at}")
    assert state.outcome is not None and state.outcome.winners == (0,)


def test_what_a_step_changes_for_certain_is_known_after_the_move() -> None:
    rules = "validity: {small: {require: after.b < 3, for: [go]}}\nend:"
    steps = (
        "{one: {when: x > 0, roll: {d: 1..2}, effects: {a: a + d, b: b + x}}, "
        "two: {repeat: x, roll: {d: 1..2}, effects: {b: b + 1, c: d}}}"
    )
    game = rulegame.loads(STEPS.format(steps=steps).replace("end:", rules))
    assert [str(move) for move in game.start().moves] == ["go 0", "go 1"]
    found = game.start().play("go 1").play("d 1").play("d 2")
    assert found["b"] == 2


def test_a_move_that_divides_by_zero_where_dice_may_not_fall_is_not_valid() -> None:
    steps = "{one: {when: x > 2, roll: {d: 1..2}, effects: {a: d}}, two: {effects: {b: 6 / x}}}"
    game = rulegame.loads(STEPS.format(steps=steps))
    assert [str(move) for move in game.start().moves] == ["go 1", "go 2", "go 3"]


# ---- machine code

ALL_STEPS = (
    "{first: {roll: {d: 2..3}}, "
    "again: {repeat: d, while: a < 7, when: x > 0, roll: {e: 1..2, f: 0..1}, "
    "effects: {a: 'mod(a + d + e, 9)', b: f}}, "
    "seldom: {repeat: 20000 * b - 19000, roll: {g: 1..2}, effects: {c: g}}}"
)


@pytest.mark.skipif(toolchain() is None, reason="llvmlite is not installed")
@pytest.mark.parametrize("text", [DEALING, STEPS.format(steps=ALL_STEPS)], ids=["setup", "steps"])
def test_machine_code_does_the_same(text: str) -> None:
    game: Game = rulegame.loads(text)
    compared, rng = Comparison(game.kernel), Random(5)
    for k in range(30):
        compared.play(k % 2, rng, 60)
    assert compared.given_up == 0


def test_one_name_may_be_rolled_from_different_things() -> None:
    text = """
rulegame: 1
title: Coins
state: {n: 0, side: {type: heads | tails, start: heads}}
setup:
  toss: {once: true, roll: {coin: 1..2}, effects: {n: coin}}
turn:
  roll: {coin: heads | tails}
operations:
  go: {effects: {n: n + 1, side: coin}}
end: {done: {when: n > 3, result: win}}
tests:
  both:
    play: [coin 2, coin tails, go]
    expect:
      values: {n: 3, side: tails}
      valid: [coin heads, coin tails]
"""
    game = rulegame.loads(text)
    state = game.start().play("coin 2").play("coin tails").play("go")
    assert (state["n"], state["side"]) == (3, "tails")
    assert [result.failures for result in run_tests(RulesetText(text)).results] == [()]
