"""Values and rolls that all others see but not their owner, or that some seats see."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import rulegame
from fuzz import hidden_check
from rulegame.bundled import rulesets_folder
from rulegame.game import HIDDEN
from rulegame.rulebook import write_rulebook
from rulegame.rulebook.rendering import render
from support.games import load, play
from support.tiers import library

HANDS = """\
rulegame: 1
title: Backs
players: [Ann, Bob, Cleo]
types:
  rank: 1..3
state:
  deck: {type: list of int, indexed by: rank, start: [6, 4, 3], seen by: nobody}
  boss: {start: 7, seen by: [2]}
  clues: 3
  top: 0
  each player:
    card: {type: rank, start: 1, seen by: others}
    note: {start: 0, seen by: [1, 3]}
setup:
  deal:
    roll:
      drawn:
        from: rank
        weight: deck[drawn]
    effects:
      my.card: drawn
      deck[drawn]: deck[drawn] - 1
operations:
  play:
    steps:
      show:
        effects:
          top: top + 1 if my.card == top + 1 else top
          boss: boss + 1
      draw:
        roll:
          fresh:
            from: rank
            weight: deck[fresh]
        effects:
          my.card: fresh
          deck[fresh]: deck[fresh] - 1
  hint:
    choose: {whom: "list(p for p in players if p != me and clues > 0)"}
    effects:
      clues: clues - 1
  write:
    choose: {n: 1..2}
    effects: {my.note: n}
end:
  done: {when: top == 3 or sum(deck) < 5, score: top}
stuck: {score: top}
"""


def test_all_but_the_owner_see_a_value() -> None:
    state, past = play(load(HANDS), "drawn 2", "drawn 3", "drawn 1", "play", "fresh 3")
    views = [state.view(seat, past) for seat in range(3)]
    assert views[0]["card"] == [HIDDEN, 3, 1]
    assert views[1]["card"] == [3, HIDDEN, 1]
    assert views[2]["card"] == [3, 3, HIDDEN]
    assert [view["deck"] for view in views] == [HIDDEN] * 3


def test_only_some_seats_see_a_value() -> None:
    state, past = play(load(HANDS), "drawn 2", "drawn 3", "drawn 1", "write 2")
    views = [state.view(seat, past) for seat in range(3)]
    assert [view["boss"] for view in views] == [HIDDEN, 7, HIDDEN]
    assert [view["note"] for view in views] == [[2, 0, 0], [HIDDEN] * 3, [2, 0, 0]]
    made = [view.past[-1].move for view in views]
    assert made[0] != HIDDEN and made[1:] == [HIDDEN, HIDDEN]  # the choice is the player's own


def test_a_roll_is_seen_by_those_who_see_where_it_is_stored() -> None:
    state, past = play(load(HANDS), "drawn 2", "drawn 3", "drawn 1", "play", "fresh 3")
    for number, owner in ((0, 0), (1, 1), (2, 2), (4, 0)):
        seen = [state.view(seat, past).past[number].move for seat in range(3)]
        assert [move == HIDDEN for move in seen] == [seat == owner for seat in range(3)]


def test_a_roll_may_be_declared_to_be_seen_by_others() -> None:
    text = HANDS.replace("          fresh:\n", "          fresh:\n            seen by: [2]\n")
    state, past = play(load(text), "drawn 2", "drawn 3", "drawn 1", "play", "fresh 3")
    assert [state.view(seat, past).past[4].move == HIDDEN for seat in range(3)] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("seed", range(4))
def test_nobody_can_tell_games_apart_that_look_alike(seed: int) -> None:
    hidden_check.check(HANDS.encode(), Random(seed))


def test_observers_are_alike_where_only_the_own_card_differs() -> None:
    np = library("numpy")
    from rulegame.adapters import observing

    game = load(HANDS)
    rest = "drawn 1", "drawn 1", "hint 2", "write 1"
    pairs = [play(game, first, *rest) for first in ("drawn 2", "drawn 3")]
    found = []
    for state, past in pairs:
        view = state.view(0, past)
        observations = observing.Observations(game)
        row = np.zeros(observations.size, np.float32)
        observations.write(view, row)
        texts = observing.observation_text(view), observing.recall_text(state, 0, past)
        found.append((texts, observing.public_text(state), row.tolist()))
    assert found[0] == found[1]
    others = [observing.recall_text(state, 1, past) for state, past in pairs]
    assert others[0] != others[1]


def test_a_player_who_holds_the_other_hand_plays_the_same_game() -> None:
    """Kuhn poker in which each holds the card of the other one, and sees it alone."""
    text = (rulesets_folder() / "gallery" / "kuhn_poker.yaml").read_text("utf-8")
    text = text[: text.index("# A game is one deal")] + "claims: {always_ends: true}\n"
    for old, new in (
        ("seen by: owner, about: The card", "seen by: others, about: The card"),
        ("my.hand: card", "their.hand: card"),
        ("my.hand > their.hand", "their.hand > my.hand"),
        ("Your card: {my.hand}", "Your card: {their.hand}"),
    ):
        assert old in text
        text = text.replace(old, new)
    game = load(text)
    solution = rulegame.solve(game)
    assert solution.value == Fraction(-1, 18)
    hidden_check.check(text.encode(), Random(5))


def test_seats_that_a_smaller_game_does_not_have_see_nothing() -> None:
    text = HANDS.replace("players: [Ann, Bob, Cleo]", "players: {from: 2, to: 4}")
    state = load(text, players=2).begin({})
    assert [state.view(seat)["note"] for seat in range(2)] == [[0, 0], [HIDDEN, HIDDEN]]
    one = HANDS.replace("players: [Ann, Bob, Cleo]", "players: [Ann]").replace("[2]", "[1]")
    one = one.replace("[1, 3]", "[1]")
    state = load(one).begin({})
    assert state.view(0)["card"] == [HIDDEN] and state.view(0)["boss"] == 7


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("boss: {start: 7, seen by: [2]}", "boss: {start: 7, seen by: others}", "E204"),
        ("seen by: [2]}", "seen by: [4]}", "E204 there is no seat 4"),
        ("seen by: [2]}", "seen by: someone}", "E204"),
        ("seen by: [2]}", "seen by: []}", "E204"),
        (
            "          fresh:\n",
            "          fresh:\n            seen by: owner\n",
            "E435 'fresh' is seen by owner, but others see 'card', which stores it",
        ),
    ],
)
def test_mistakes(old: str, new: str, expected: str) -> None:
    assert old in HANDS
    found = [f"{d.code} {d.message}" for d in rulegame.validate_text(HANDS.replace(old, new))]
    assert any(one.startswith(expected) for one in found), found


def test_the_rulebook_says_who_sees_a_value() -> None:
    text = " ".join(render(write_rulebook(load(HANDS)), "text").split())
    assert "Card: one for each player; starts at 1; all but its owner see it." in text
    assert "Note: one for each player; starts at 0; only Ann and Cleo can see it." in text
