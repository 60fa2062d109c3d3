"""Turns in which players choose at once: who chooses, what comes of it, and what goes wrong."""

from __future__ import annotations

import pytest

import rulegame
from engine.bids import BIDS, HEAD
from rulegame.game import CHANCE, State

SWAP = """\
state: {each player: {hand: "seat(me)", seen: 0}}
turn: {together: true}
operations:
  swap:
    steps:
      take: {effects: {my.hand: their.hand}}
      look: {effects: {my.seen: my.hand * 10 + their.hand}}
  keep: {effects: {}}
end:
  over: {when: max(seen) > 0, payoff: hand}
"""
SHARED = """\
state: {pot: 0, pits: {type: list of int, size: 3, start: 0}, n: 0}
turn: {together: true, effects: {n: n + 1}}
operations:
  pay: {effects: {pot: pot + 1}}
  put: {choose: {at: 1..3}, effects: {"pits[at]": "pits[at] + 1"}}
  wait: {effects: {}}
end:
  over: {when: n == 4, result: draw}
"""
LEAVING = """\
players: [A, B, C]
state: {n: 0, each player: {out: false, moves: 2}}
turn:
  together: list(p for p in players if not out of p)
  effects: {n: n + 1}
operations:
  leave: {when: my.moves > 0, effects: {my.out: true}}
  stay: {when: my.moves > 0, effects: {my.moves: my.moves - 1}}
stuck: {result: pass, all: draw}
end:
  all_out: {when: all(out of p for p in players), payoff: moves}
"""
DRAWN = """\
state: {sum: 0, n: 0, each player: {guess: 0}}
turn:
  together: true
  roll: {base: 1..2}
  steps:
    note: {effects: {n: n + 1}}
    draw: {roll: {card: 1..3}}
    add: {effects: {sum: sum + card * base, "guess of p for p in players": k of p + card}}
operations:
  say: {choose: {k: 1..base + 1}}
end:
  over: {when: n == 2, payoff: guess}
"""


def start(text: str) -> State:
    return rulegame.loads(HEAD + text).start()


def play(text: str, *moves: str) -> State:
    state = start(text)
    for move in moves:
        state = state.play(move)
    return state


def test_seats_choose_in_order_and_nothing_changes_before_the_last_has() -> None:
    state = start(BIDS)
    seen = []
    for move in ("bid 2", "bid 3", "bid 2"):
        assert state["chips"] == [5, 5, 5]
        seen.append((state.player, state.choosing))
        state = state.play(move)
    assert seen == [(0, (0, 1, 2)), (1, (1, 2)), (2, (2,))]
    assert (state["chips"], state["taken"], state["round"]) == ([3, 2, 3], [0, 1, 0], 1)
    assert (state.player, state.choosing) == (0, (0, 1, 2))


def test_what_waits_makes_a_difference_between_states() -> None:
    assert play(BIDS, "bid 2") != play(BIDS, "bid 3")
    assert play(BIDS, "bid 2", "bid 3", "bid 0") != play(BIDS, "bid 3", "bid 2", "bid 0")
    tied = "bid 1", "bid 1", "bid 1"
    assert play(BIDS, *tied, *("bid 0",) * 3) == play(BIDS, *("bid 0",) * 3, *tied)


def test_moves_of_a_player_do_not_depend_on_what_others_have_chosen() -> None:
    state = start(BIDS)
    kernel, cells = state.game.kernel, state.cells
    for chosen in ("bid 0", "bid 5"):
        waiting = state.play(chosen).cells
        assert kernel.options(waiting) == kernel.options_of(cells, 1)


def test_a_joint_choice_leads_where_the_single_ones_do() -> None:
    state = start(BIDS)
    kernel = state.game.kernel
    codes = [state.game.code_of(state.meant(f"bid {n}")) for n in (4, 0, 1)]
    assert kernel.choosers(state.cells) == (0, 1, 2)
    after = kernel.after_all(state.cells, codes)
    assert after == play(BIDS, "bid 4", "bid 0", "bid 1").cells


def test_effects_read_the_state_before_and_steps_what_their_own_player_has_done() -> None:
    state = play(SWAP, "swap", "swap")
    assert state["hand"] == [2, 1]
    assert state["seen"] == [22, 11]  # the other's is as it was
    assert state.outcome is not None and state.outcome.payoffs == (2, 1)


def test_two_who_write_one_value_fail_with_its_place() -> None:
    assert play(SHARED, "pay", "wait")["pot"] == 1
    assert play(SHARED, "put 1", "put 2")["pits"] == [1, 1, 0]
    for moves, line in ((("pay", "pay"), 6), (("put 2", "put 2"), 7)):
        with pytest.raises(rulegame.GameError) as error:
            play(SHARED, *moves)
        diagnostic = error.value.diagnostic
        assert (diagnostic.code, diagnostic.span.line) == ("E535", line)


def test_a_list_says_who_chooses() -> None:
    state = play(LEAVING, "stay", "leave", "stay")
    assert state.choosing == (0, 2)
    state = state.play("leave")
    assert (state.player, state.choosing) == (2, (2,))
    state = state.play("leave")
    assert state.outcome is not None and state.outcome.rule == "all_out"


def test_who_has_no_move_sits_out_and_all_who_have_none_end_the_game() -> None:
    state = play(LEAVING, "stay", "stay", "leave", "stay", "stay")
    assert state.outcome is not None and state.outcome.rule == "all_stuck"
    assert [event.kind for event in state.events] == ["pass", "pass", "all_stuck"]
    given = start(LEAVING).game.begin({"moves": [0, 2, 0]})
    assert (given.player, given.choosing) == (1, (1, 2))
    after = given.play("stay")
    assert (after["n"], after["moves"], after.player) == (1, [0, 1, 0], 1)


def test_other_verdicts_about_a_player_without_a_move_hold_at_once() -> None:
    losing = LEAVING.replace("{result: pass, all: draw}", "{winners: next(me)}")
    state = rulegame.loads(HEAD + losing).begin({"moves": [2, 0, 2]}).play("stay")
    assert state.outcome is not None
    assert (state.outcome.rule, state.outcome.winners) == ("stuck", (2,))


def test_rolls_before_and_after_all_have_chosen() -> None:
    state = start(DRAWN)
    players = []
    for move in ("base 2", "say 3", "say 1", "card 2"):
        players.append(state.player)
        state = state.play(move)
    assert players == [CHANCE, 0, 1, CHANCE]
    assert (state["sum"], state["guess"], state["n"]) == (4, [5, 3], 1)
    assert state.choosing == ()
    assert [str(move) for move in state.moves] == ["base 1", "base 2"]


def test_a_single_player_may_choose_together() -> None:
    text = BIDS.replace("players: [A, B, C]", "players: [A]").replace("stuck: draw\n", "")
    state = rulegame.loads(HEAD + text).start().play("bid 2")
    assert (state["chips"], state["round"], state.choosing) == ([3], 1, (0,))


def test_first_does_not_matter() -> None:
    game = rulegame.loads(HEAD + BIDS)
    assert game.start(2) == game.start(0)
