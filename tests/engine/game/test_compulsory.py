"""Compulsory moves: a rule with `must` keeps the moves that satisfy it, if there are any."""

from __future__ import annotations

import random

import pytest

import rulegame
from rulegame.players.beliefs import believe
from rulegame.rulebook import render
from support.backends import BACKENDS, use_backend
from support.games import play

HEAD = "rulegame: 1\ntitle: Game\n"
PILE = (
    HEAD
    + """\
state: {left: 12}
operations:
  take: {choose: {n: 1..4}, effects: {left: left - n}}
  skip: {effects: {}}
validity:
  enough: after.left >= 0
  big: {must: n >= 3, because: "take at least three, not {n}"}
  even:
    must: mod(after.left, 2) == 0
    for: [take]
    instead of: [skip]
    note: "leave an even number"
end: {done: {when: left == 0, result: win}}
"""
)


def moves(state: rulegame.State) -> list[str]:
    return [move.text for move in state.moves]


def barred(state: rulegame.State, text: str) -> tuple[str | None, str]:
    reason = state.why_not(text)
    assert reason is not None
    return reason.rule, reason.message


def test_rules_apply_in_order_to_the_moves_that_are_left() -> None:
    game = rulegame.loads(PILE)
    state = game.start()
    assert moves(state) == ["take 4"]
    assert barred(state, "take 1") == ("big", "take at least three, not 1")
    assert barred(state, "take 2")[0] == "big"  # which satisfies the second rule alone
    assert barred(state, "take 3")[0] == "even"
    assert barred(state, "skip") == ("even", "even: another move is compulsory")
    for text, left in (("take 4", ["take 4"]), ("take 4", ["take 4"])):
        state = state.play(text)
        assert moves(state) == left


def test_a_rule_without_a_move_that_satisfies_it_forbids_nothing() -> None:
    game = rulegame.loads(PILE.replace("left: 12", "left: 1").replace("== 0\n", "== 9\n"))
    assert moves(game.start()) == ["take 1", "skip"]


def test_the_rules_below_see_what_the_rules_above_have_left() -> None:
    text = PILE.replace("left: 12", "left: 9")
    assert moves(rulegame.loads(text).start()) == ["take 3"]
    reversed_ = text.replace("n >= 3", "n == 2")
    # `even` finds none among those that `big` has left, so that `skip` is valid, too
    assert moves(rulegame.loads(reversed_).start()) == ["take 2", "skip"]


def test_a_later_rule_is_not_evaluated_for_moves_that_are_dropped() -> None:
    text = HEAD + (
        "state: {divisors: {start: '[0, 2, 4]'}, x: 0}\noperations:\n"
        "  pick: {choose: {n: 1..3}, effects: {x: n}}\nvalidity:\n"
        "  some: {must: 'divisors[n] > 0'}\n  odd: {must: 'mod(8 / divisors[n], 4) == 2'}\n"
        "end: {done: {when: x > 0, result: win}}\n"
    )
    assert moves(rulegame.loads(text).start()) == ["pick 3"]
    with pytest.raises(rulegame.GameError, match="by zero"):
        rulegame.loads(text.replace("divisors[n] > 0", "true")).start()


def test_stuck_unless_looks_at_all_moves_that_the_other_rules_allow() -> None:
    text = PILE + "stuck: {unless: after.left == 11, result: draw}\n"
    game = rulegame.loads(text)
    assert moves(game.start()) == ["take 4"]  # `take 1` frees the player, and is forbidden
    assert rulegame.loads(text.replace("11", "20")).start().outcome is not None


EXPLAINED = [
    ("take 1", [("validity", "enough", True), ("compulsory", "big", False),
                ("compulsory", "even", None)]),
    ("skip", [("validity", "enough", True), ("gives way", "even", False)]),
    ("take 4", [("validity", "enough", True), ("compulsory", "big", True),
                ("compulsory", "even", True)]),
]  # fmt: skip


@pytest.mark.parametrize(("move", "expected"), EXPLAINED)
def test_explanations_show_compulsory_rules(
    move: str, expected: list[tuple[str, str, bool | None]]
) -> None:
    found = rulegame.explain_move(rulegame.loads(PILE).start(), move).checks
    assert [(c.kind, c.rule, c.holds) for c in found if c.kind != "choice"] == expected


def test_an_explanation_says_that_nothing_is_compulsory() -> None:
    text = PILE.replace("left: 12", "left: 1").replace("== 0\n", "== 9\n")
    state = rulegame.loads(text).start()
    checks = {c.rule: c for c in rulegame.explain_move(state, "take 1").checks}
    assert checks["big"].holds and checks["big"].message == "no valid move satisfies it"
    (other,) = (c for c in rulegame.explain_move(state, "skip").checks if c.rule == "even")
    assert other.holds and other.message == "no move is compulsory"


FOLLOW = (
    HEAD
    + """\
state:
  led: {type: optional int}
  last: 0
  deck: {type: set of 1..8, start: 1..8, seen by: nobody}
  each player:
    hand: {type: set of 1..8, seen by: owner}
    won: 0
define:
  suit(c): (c - 1) / 4
setup:
  deal:
    steps:
      draw:
        repeat: 3
        roll: {card: {from: deck, seen by: owner}}
        effects: {my.hand: "with(my.hand, card)", deck: "without(deck, card)"}
operations:
  play:
    choose: {c: my.hand}
    effects: {my.hand: "without(my.hand, c)", led: c if led == none else none, last: c}
validity:
  follow: {must: "led != none and suit(c) == suit(led)", because: "follow suit"}
end: {over: {when: size(my.hand) == 0, result: draw}}
"""
)


HAND = ["card 1", "card 2", "card 3", "card 5", "card 6", "card 7"]


def test_players_follow_suit_if_they_can() -> None:
    state = rulegame.loads(FOLLOW).start()
    for text in [*HAND[:2], "card 7", "card 3", *HAND[3:5]]:
        state = state.play(text)
    state = state.play("play 1")
    assert moves(state) == ["play 3"]
    assert barred(state, "play 5") == ("follow", "follow suit")


@pytest.mark.parametrize("backend", BACKENDS)
def test_beliefs_know_that_who_does_not_follow_suit_is_void(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_backend(monkeypatch, backend)
    game = rulegame.loads(FOLLOW)
    state, past = play(game, *HAND, "play 1", "play 5")
    hands = game.kernel.places("hand", 1)
    belief = believe(state.view(0, past), random.Random(1))
    held = {cells[hands[0]] for cells in belief.states}
    assert held
    assert all(not bits & 0b1111 for bits in held)


ERRORS = [
    ("must: any(c == x for x in their.hand)", "E471"),
    ("must: any(c == x for x in deck)", "E471"),
    ("must: after.can_move(them)", "E471"),
    ("must: after.total > 9", "E471"),
    ("require: after.can_move(me)", "E473"),
    ("must: can_move(me)", "E473"),
    ("{must: c > 1, stuck: text}", "E201"),
    ("{must: c > 1, require: c > 2}", "E201"),
    ("{require: c > 1, instead of: [other]}", "E202"),
    ("{must: c > 1, for: [play], instead of: [play]}", "E204"),
    ("{must: c > 1, for: [play], instead of: [pass_on]}", "E302"),
    ("{must: 'true', for: [play]}", "E472"),
]


@pytest.mark.parametrize(("rule", "code"), ERRORS)
def test_mistakes_are_reported(rule: str, code: str) -> None:
    text = FOLLOW.replace("  play:\n", "  other: {effects: {}}\n  play:\n")
    text = text.replace("  led:", "  total: 0\n  led:")
    text = text.replace("none, last: c}", "none, last: c, total: size(their.hand)}")
    before, _, after = text.partition("  follow: ")
    written = rule if rule.startswith("{") else f"\n    {rule}"
    changed = f"{before}  follow: {written}\n{after.partition(chr(10))[2]}"
    assert [found.code for found in rulegame.validate_text(changed)] == [code]


def test_what_follows_a_roll_is_not_known() -> None:
    text = PILE.replace("must: n >= 3", "must: after.can_move(me)")
    rolled = text.replace("operations:", "turn: {roll: {die: 1..6}}\noperations:")
    assert [found.code for found in rulegame.validate_text(rolled)] == ["E410"]
    inside = text.replace("  take: {", "  take: {roll: {die: 1..6}, ")
    assert [found.code for found in rulegame.validate_text(inside)] == ["E410"]


def test_names_of_the_ruleset_come_first() -> None:
    text = PILE.replace("operations:", "define: {can_move(p): p == me}\noperations:")
    text = text.replace("must: n >= 3", "require: can_move(me) and n < 3")
    assert moves(rulegame.loads(text).start()) == ["take 2"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_simulations_play_compulsory_moves_alone(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_backend(monkeypatch, backend)
    report = rulegame.simulate(rulegame.loads(PILE), 50, seed=1)
    assert report.lengths.mean == 3


def test_rulebooks_word_compulsory_moves() -> None:
    text = " ".join(render(rulegame.write_rulebook(rulegame.loads(PILE)), "text").split())
    assert "If Take is possible so that n is at least 3, you must choose such a move." in text
    assert "you must choose such a move instead of Skip." in text


def test_rulebooks_word_who_can_move() -> None:
    text = PILE.replace("must: n >= 3", 'must: "after.can_move(players[1])"')
    book = " ".join(render(rulegame.write_rulebook(rulegame.loads(text)), "text").split())
    assert "If a move is possible so that Player 1 can move after it" in book


def test_reasons_name_optional_values_that_are_none() -> None:
    text = HEAD + (
        "types: {card: [low, high]}\n"
        "state: {x: 0, led: {type: optional card}, last: {type: optional int}}\n"
        "operations: {go: {choose: {n: 1..2}, effects: {x: x + n, last: n, led: high}}}\n"
        "validity:\n"
        "  two: {must: n == 2 or led != none and led > low or last != none and last > 1}\n"
        "end: {far: {when: x > 3, result: win}}\n"
    )
    reason = rulegame.loads(text).start().why_not("go 1")
    assert reason is not None
    assert reason.values == {"n": 1, "led": None, "last": None}


# A player goes on as long as the energy of the turn lasts; `begin` decides whether a move remains.
ENERGY = (
    HEAD
    + """\
state: {left: 6, taken: 0, energy: 0, each player: {pouch: {start: 1, seen by: owner}}}
turn:
  begin: {taken: "0", energy: "energy + 1 if taken == 2 else 1"}
  next: "me if taken == 2 else them"
operations:
  take:
    choose: {n: 1..2}
    when: energy < 3
    effects: {left: left - n, taken: n}
validity:
  enough: after.left >= 0
  go_on: {must: after.can_move(me)}
end:
  done: {when: left == 0, result: win}
"""
)


def test_what_happens_when_a_turn_begins_decides_who_can_move() -> None:
    state = rulegame.loads(ENERGY).start()
    assert moves(state) == ["take 2"]
    state = state.play("take 2")
    assert (state.player, state["energy"]) == (0, 2)
    assert moves(state) == ["take 1", "take 2"]  # with an energy of 3 no move remains
    assert state.play("take 2").is_over


@pytest.mark.parametrize("backend", BACKENDS)
def test_turns_begin_in_simulations_of_compulsory_moves(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_backend(monkeypatch, backend)
    report = rulegame.simulate(rulegame.loads(ENERGY.replace("left: 6", "left: 3")), 50, seed=1)
    assert report.lengths.counts == ((2, 50),)


def test_what_a_turn_begins_with_must_be_seen() -> None:
    hidden = ENERGY.replace('taken: "0"', 'taken: "pouch of (next(me))"')
    assert "E471" in [found.code for found in rulegame.validate_text(hidden)]
