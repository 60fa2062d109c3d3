"""What a seat sees and can work out; and that no player chooses by what it cannot see."""

from __future__ import annotations

from collections import Counter
from random import Random
from unittest.mock import Mock

import pytest

import rulegame
from rulegame import HIDDEN, Game, View
from rulegame.game.visibility import Sight
from rulegame.players import beliefs, make_player, simple
from rulegame.players.advice import advise
from rulegame.players.beliefs import believe
from rulegame.players.budget import Budget
from rulegame.players.table import FastTable
from support.games import load, play, play_at_random, retold
from support.rulesets import CARDS, THROWS
from support.tiers import pick


def after(game: Game, *moves: str, seat: int) -> View:
    state, past = play(game, *moves)
    return state.view(seat, past)


def hands(game: Game, view: View, seat: int) -> set[frozenset[int]]:
    """The hands that a player may hold, as far as the view tells."""
    belief = believe(view, Random(0))
    return {frozenset(game.resume(cells)["numbers"][seat]) for cells in belief.states}


# ---- sight


def test_the_past_shows_that_secret_moves_were_made_but_not_which() -> None:
    game = rulegame.load("number_duel")
    state, past = play(game, "pick 2 3 5", "pick 1 4 6", "add 5")
    one, two = (state.view(seat, past).past for seat in (0, 1))
    assert [str(seen.move) for seen in one] == ["pick 2 3 5", "HIDDEN", "add 5"]
    assert [str(seen.move) for seen in two] == ["HIDDEN", "pick 1 4 6", "add 5"]
    assert [seen.player for seen in one] == [0, 1, 0]


def test_views_with_different_pasts_differ() -> None:
    game = rulegame.load("zero_sum_duel")
    state, past = play(game, "subtract 2", "subtract 3", "subtract 1", "subtract 4")
    same, other = play(game, "subtract 1", "subtract 3", "subtract 2", "subtract 4")
    assert state == same
    assert state.view(0, past) != same.view(0, other)
    assert state.view(0) == same.view(0)


def test_the_whole_state_is_in_the_view_only_if_nothing_is_hidden() -> None:
    open_game, hidden = rulegame.load("nim"), rulegame.load("number_duel")
    assert open_game.start().view(1).state == open_game.start()
    assert hidden.start().view(0).state is None


def test_the_cells_of_a_view_do_not_tell_what_is_hidden() -> None:
    game = rulegame.load("number_duel")
    one, other = (play(game, "pick 2 3 5", pick)[0] for pick in ("pick 1 4 6", "pick 7 8 9"))
    assert one.view(0).cells == other.view(0).cells
    assert one.view(1).cells != other.view(1).cells


def test_choices_that_lead_only_to_hidden_values_are_not_seen() -> None:
    """Even if the ruleset forgets to call them secret; and dice that only their owner sees."""
    game = load(CARDS)
    moves = ("deal", "drawn 5", "deal", "drawn 1", "deal", "drawn 3", "lay", "below 4", "stay true")
    seen = [str(s.move) for s in after(game, *moves, seat=2).past]
    assert seen[:4] == ["deal", "HIDDEN", "deal", "HIDDEN"]
    assert seen[4:] == ["deal", "drawn 3", "lay", "HIDDEN", "HIDDEN"]


def test_a_roll_that_nobody_sees_is_not_in_the_cells_of_its_mover() -> None:
    game = load(CARDS)
    moves = ["deal", "drawn 5", "deal", "drawn 1", "deal", "drawn 3", "lay"]
    views = [after(game, *moves, f"below {n}", seat=0) for n in (1, 4)]
    assert views[0] == views[1] and views[0].cells == views[1].cells


# ---- belief


def test_belief_in_a_game_without_secrets_is_the_state() -> None:
    state = rulegame.load("nim").start()
    assert believe(state.view(0), Random(0)).states == (state.cells,)


def test_spent_numbers_narrow_down_what_was_picked() -> None:
    game = rulegame.load("number_duel", {"target": 100})
    begun = after(game, "pick 2 3 5", "pick 1 4 6", seat=0)
    assert len(hands(game, begun, 1)) == 84
    spent = after(game, "pick 2 3 5", "pick 1 4 6", "add 5", "add 6", seat=0)
    assert hands(game, spent, 1) == {
        frozenset({a, b}) for a in range(1, 10) for b in range(1, 10) if a < b and 6 not in (a, b)
    }
    moves = ("pick 2 3 5", "pick 1 4 6", "add 5", "add 6", "add 3", "add 4")
    assert hands(game, after(game, *moves, seat=0), 1) == {
        frozenset({n}) for n in range(1, 10) if n not in (4, 6)
    }


def test_belief_follows_who_moved_first() -> None:
    game = rulegame.load("number_duel")
    state, past = play(game, "pick 1 2 3", "pick 1 2 3", "add 3", first=1)
    belief = believe(state.view(0, past), Random(0))
    assert len(belief) and all(game.resume(cells).player == 0 for cells in belief.states)


def test_dice_that_are_hidden_are_believed_in_as_likely_as_they_are() -> None:
    game = load(CARDS)
    moves = ("deal", "drawn 5", "deal", "drawn 1", "deal", "drawn 3", "lay", "below 4", "stay true")
    belief = believe(after(game, *moves, seat=1), Random(0))
    states = [game.resume(cells) for cells in belief.states]
    assert {state["card"][1] for state in states} == {1}
    assert {(s["card"][0], s["card"][2]) for s in states} == {
        (a, b) for a in range(1, 7) for b in range(1, 7)
    }
    assert {state["face_down"] for state in states} == {1, 2, 3, 4}


TWO_SECRETS = """
rulegame: 1
title: Two secrets
state:
  turns: 0
  each player: {hand: {start: 0, seen by: owner}, shown: 0}
operations:
  draw: {secret: true, roll: {die: 1..6}, effects: {my.hand: die, turns: turns + 1}}
  keep: {secret: true, effects: {my.hand: 7, turns: turns + 1}}
  lay:
    choose: {n: 1..3, m: 1..3}
    effects: {my.hand: n, my.shown: m, turns: turns + 1}
end:
  over: {when: turns == 4, result: draw}
"""


def test_a_roll_inside_a_secret_does_not_tell_which_secret_it_was() -> None:
    game = load(TWO_SECRETS)
    drawn, kept = after(game, "draw", "die 3", seat=1), after(game, "keep", seat=1)
    assert len(drawn.past) == len(kept.past) == 1
    assert [glimpse.move for glimpse in drawn.past] == [glimpse.move for glimpse in kept.past]
    assert len(after(game, "draw", "die 3", seat=0).past) == 2


def test_of_a_move_all_read_what_all_may_see() -> None:
    state = load(TWO_SECRETS).start()
    texts = {
        move.text: state.game.companion(Sight).public_text(state, move) for move in state.moves
    }
    assert texts["draw"] == texts["keep"]
    assert texts["lay 1 3"] == texts["lay 2 3"] != texts["lay 1 2"]
    assert texts["lay 1 3"].startswith("lay ") and texts["lay 1 3"].endswith(" 3")


WEIGHED = """
rulegame: 1
title: Weighed
state:
  card: {start: 0, seen by: nobody}
  turns: 0
operations:
  draw:
    when: turns < 2
    roll: {die: {from: 1..2, weight: 3 if die == 2 else 1}}
    effects: {card: card + die, turns: turns + 1}
  say: {when: turns == 2, choose: {n: 2..4}, effects: {turns: 3}}
end:
  over: {when: turns == 3, result: draw}
"""


def test_what_is_hidden_is_believed_in_by_its_chances() -> None:
    """Two ways lead to the middle: together they count as much as they are likely."""
    game = load(WEIGHED)
    belief = believe(after(game, "draw", "die 1", "draw", "die 2", seat=0), Random(0))
    rng = Random(1)
    drawn = Counter(game.resume(belief.draw(rng))["card"] for _ in range(1600))
    for card, sixteenths in ((2, 1), (3, 6), (4, 9)):
        assert drawn[card] / 100 == pytest.approx(sixteenths, abs=0.8)


def test_without_a_past_more_than_one_state_is_held_possible() -> None:
    game = load(CARDS)
    state, _ = play(game, "deal", "drawn 5", "deal", "drawn 1", "deal", "drawn 3")
    belief = believe(state.view(0), Random(0))
    cards = {tuple(game.resume(cells)["card"]) for cells in belief.states}
    assert len(cards) > 5 and {mine for mine, _, _ in cards} == {5}


@pytest.mark.parametrize("kept", [True, False], ids=["with its past", "without its past"])
@pytest.mark.parametrize("name", ["number_duel", THROWS, CARDS], ids=["numbers", "throws", "cards"])
def test_what_is_believed_looks_like_what_was_seen(name: str, kept: bool) -> None:
    game = rulegame.load(name) if name == "number_duel" else load(name)
    sight = game.companion(Sight)
    rng = Random(5)
    for _ in range(10):
        end, past = play_at_random(game, rng)
        states = [*(before for before, _ in past), end]
        number = rng.randrange(len(past))
        seat = states[number].player
        if seat is None or seat < 0:
            continue
        view = states[number].view(seat, past[:number] if kept else ())
        belief = believe(view, rng)
        assert len(belief)
        for cells in belief.states[:20]:
            assert sight.cells(cells, seat) == view.cells
            assert game.resume(cells).moves == view.moves


def test_a_belief_tries_no_more_moves_than_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirteen cards that nobody else sees: far too many hands to try them all."""
    game = rulegame.load("german_whist")
    state, past, rng = game.start(), [], Random(1)
    while state.player is None or state.player < 0:
        past.append((state, rng.choice(state.moves)))
        state = state.play(past[-1][1])
    view = state.view(state.player, past)
    game.companion(beliefs.BeliefBudget).plays = 3000
    table = game.companion(FastTable)
    counted = Mock(side_effect=table.after)
    monkeypatch.setattr(table, "after", counted)
    belief = believe(view, Random(2))
    assert len(belief) > 20
    assert counted.call_count <= 3000


def test_looking_a_move_ahead_has_the_same_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulegame.load("mastermind", {"colours": 3})
    state, past = game.start(), []
    while state.player is None or state.player < 0:
        past.append((state, state.moves[0]))
        state = state.play(past[-1][1])
    view = state.view(0, past)
    game.companion(beliefs.BeliefBudget).plays = 5 * len(view.moves)
    counted = Mock(return_value=(0.0, 0.0))
    monkeypatch.setattr(simple._Look, "after", counted)
    assert make_player("greedy", game).choose(view, Random(2)) in view.moves
    assert 0 < counted.call_count <= 5 * len(view.moves)


def test_more_possibilities_than_can_be_held_are_sampled() -> None:
    game = rulegame.load("number_duel", {"count": 5, "highest": 14, "target": 1000})
    game.companion(beliefs.BeliefBudget).plays = 800
    view = after(game, "pick 1 2 3 4 5", "pick 9 10 11 12 13", "add 1", seat=1)
    belief = believe(view, Random(0))
    held = [game.resume(cells)["numbers"][0] for cells in belief.states]
    assert 20 < len(belief) < 715  # which are all with a 1, out of 2002
    assert all(len(numbers) == 4 and 1 not in numbers for numbers in held)
    assert set().union(*held) == set(range(2, 15))


# ---- nobody peeks


PLAYERS = ["random", "greedy", "search:30", "perfect"]


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["number_duel", THROWS, CARDS], ids=["numbers", "throws", "cards"])
def test_the_same_move_whatever_the_hidden_choices_are(name: str) -> None:
    game = rulegame.load(name) if name == "number_duel" else load(name)
    players = [make_player(spec, game, fallback="search:25") for spec in PLAYERS]
    rng = Random(11)
    compared = 0
    while compared < pick(quick=2, full=6):
        _, past = play_at_random(game, rng)
        number = rng.randrange(len(past))
        state, before = past[number][0], past[:number]
        seat = state.player
        if seat is None or seat < 0 or len(state.moves) == 1:
            continue
        other = retold(before, state, seat, rng)
        if other is None:
            continue
        other_past, other_state = other
        assert other_state.cells != state.cells
        compared += 1
        for views in (
            (state.view(seat, before), other_state.view(seat, other_past)),
            (state.view(seat), other_state.view(seat)),
        ):
            for player in players:
                one, two = (player.choose(view, Random(number)) for view in views)
                assert one == two
            told = [advise(view, Random(1), budget=Budget(iterations=25)) for view in views]
            assert told[0] == told[1]


def test_hidden_is_what_views_are_made_of() -> None:
    """A player that looks for more than it may know finds HIDDEN, and no state."""
    game = load(THROWS)
    state, past = play(game, "rock")
    view = state.view(1, past)
    assert view.state is None and view["hand"][0] is HIDDEN and view.past[0].move is HIDDEN
