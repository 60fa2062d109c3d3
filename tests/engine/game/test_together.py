"""Who sees what, where players choose at once: pending moves are their own player's alone."""

from __future__ import annotations

from random import Random

import pytest

import rulegame
from engine.bids import BIDS, HEAD
from rulegame.game import HIDDEN
from rulegame.game.visibility import SECRET, Sight
from rulegame.players import make_player
from rulegame.players.beliefs import believe
from support.games import load, play

HIDING = """\
state:
  round: 0
  each player: {hand: {start: 0, seen by: owner}, shown: 0}
turn: {together: true, steps: {count: {effects: {round: round + 1}}, luck: {roll: {die: 1..2}}}}
operations:
  keep: {choose: {n: 1..3}, effects: {my.hand: n}}
  show: {choose: {m: 1..3}, effects: {my.shown: m}}
end:
  over: {when: round == 3, payoff: shown}
"""


def test_a_pending_move_is_seen_by_its_player_alone() -> None:
    views = []
    for bid in ("bid 0", "bid 5"):
        state, past = play(load(HEAD + BIDS), bid)
        own, other = state.view(0, past), state.view(1, past)
        assert own.past[0].move == state.meant(bid)
        assert (other.past[0].player, other.past[0].move) == (0, HIDDEN)
        assert (other.waiting, other.choosing, other.state) == (1, (1, 2), None)
        views.append(other)
    assert views[0] == views[1]
    assert views[0].cells == views[1].cells
    assert views[0].past == views[1].past


def test_all_see_it_when_all_have_chosen() -> None:
    state, past = play(load(HEAD + BIDS), "bid 2", "bid 3", "bid 1", "bid 0")
    view = state.view(2, past)
    assert [str(seen.move) for seen in view.past[:3]] == ["bid 2", "bid 3", "bid 1"]
    assert view.past[3].move is HIDDEN
    assert view.waiting == 1


def test_what_is_hidden_stays_so_when_all_have_chosen() -> None:
    texts = ("keep 1", "keep 2"), ("keep 3", "keep 2")
    games = (play(load(HEAD + HIDING), *moves) for moves in texts)
    views = [state.view(1, past) for state, past in games]
    assert views[0].past == views[1].past and views[0].cells == views[1].cells
    assert views[0].past[0].codes == ()  # neither the choice nor the operation is told
    shown, past = play(load(HEAD + HIDING), "show 3", "keep 2")
    assert str(shown.view(1, past).past[0].move) == "show 3"
    assert shown.view(0, past).past[1].move is HIDDEN


def test_texts_for_all_tell_nothing_that_waits() -> None:
    state, past = play(load(HEAD + BIDS), "bid 2")
    sight = state.game.companion(Sight)
    assert sight.public_text(*past[0], waits=True) == SECRET
    assert sight.public_text(*past[0]) == "bid 2"


@pytest.mark.parametrize("spec", ["random", "greedy", "search:30"])
def test_a_computer_does_not_depend_on_what_waits(spec: str) -> None:
    chosen = set()
    for bid in range(6):
        state, past = play(load(HEAD + BIDS), "bid 1", "bid 0", "bid 2", f"bid {bid % 5}")
        player = make_player(spec, state.game, first=0)
        chosen.add(player.choose(state.view(1, past), Random(7)))
    assert len(chosen) == 1


def test_every_move_that_waits_is_held_possible() -> None:
    state, past = play(load(HEAD + BIDS), "bid 2")
    belief = believe(state.view(1, past), Random(1))
    assert set(belief.states) == {play(load(HEAD + BIDS), f"bid {n}")[0].cells for n in range(6)}
    later, past = play(load(HEAD + BIDS), "bid 2", "bid 0", "bid 1")
    assert believe(later.view(1, past), Random(1)).states == (later.cells,)


def test_search_finds_what_beats_a_known_bid() -> None:
    """Where the other one has no choice, what waits can be known."""
    game = """\
state: {each player: {chips: "2 if seat(me) == 2 else 0", won: 0}}
turn:
  together: true
  effects: {"won of p for p in players": "1 if n of p > n of next(p) else 0"}
operations:
  bid: {choose: {n: 0..my.chips}}
end:
  over: {when: true, payoff: won}
"""
    state, past = play(load(HEAD + game), "bid 0")
    player = make_player("search:60", state.game, first=0)
    assert str(player.choose(state.view(1, past), Random(3))) in ("bid 1", "bid 2")


def test_games_of_that_kind_are_solved_as_matrix_games() -> None:
    game = rulegame.load("rock_paper_scissors")
    assert isinstance(rulegame.solve(game), rulegame.SimultaneousSolution)
    with pytest.raises(rulegame.CannotSolve, match="choose simultaneously"):
        rulegame.solve(game, "perfect_information")
    with pytest.raises(rulegame.CannotSolve, match="choose at once"):
        rulegame.solve(game, "revealed")
