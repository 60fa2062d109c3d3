"""Who sees a roll: as it is declared, before the first turn, in a turn and in an operation."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

import pytest

import rulegame
from fuzz import hidden_check
from rulegame import CHANCE, Game
from rulegame.game.moves import HIDDEN
from rulegame.game.visibility import Sight
from rulegame.players import make_player
from rulegame.players.beliefs import believe
from rulegame.playing.conversation import Ask, converse
from support.games import play

CARDS = """
rulegame: 1
title: Cards
players: [Ann, Bob]
state:
  deck: {{type: set of 1..4, start: 1..4, seen by: nobody}}
  shown: 0
  turns: 0
  each player:
    hand: {{start: 0, seen by: owner}}
setup:
  deal:
    roll:
      card: {{from: deck{deal}}}
    effects:
      my.hand: card
      deck: without(deck, card)
  away:
    once: true
    roll:
      gone: {{from: deck{away}}}
    effects:
      deck: without(deck, gone)
{turn}
operations:
  look:
    roll:
      seen: {{from: deck{look}}}
    effects:
      turns: turns + 1
  guess:
    choose: {{g: 1..4}}
    effects:
      turns: 9 if g == their.hand else turns + 1
end:
  right: {{when: turns >= 9, result: win}}
"""
SIGHTS = {"": None, "all": "all", "owner": "owner", "nobody": "nobody"}


def cards(deal: str = "owner", away: str = "", look: str = "", die: str = "") -> Game:
    def seen(by: str) -> str:
        return f", seen by: {by}" if by else ""

    turn = f"turn: {{roll: {{die: {{from: 1..6, seen by: {die}}}}}}}" if die else ""
    return rulegame.loads(
        CARDS.format(deal=seen(deal), away=seen(away), look=seen(look), turn=turn)
    )


DEAL = ("card 2", "card 4", "gone 1")


@pytest.mark.parametrize(
    ("deal", "away", "seen"),
    [
        ("", "", (["card 2", HIDDEN, HIDDEN], [HIDDEN, "card 4", HIDDEN])),
        ("owner", "all", (["card 2", HIDDEN, "gone 1"], [HIDDEN, "card 4", "gone 1"])),
        ("nobody", "nobody", ([HIDDEN] * 3, [HIDDEN] * 3)),
        ("all", "nobody", (["card 2", "card 4", HIDDEN], ["card 2", "card 4", HIDDEN])),
    ],
)
def test_who_saw_what_was_dealt(deal: str, away: str, seen: tuple[list[object], ...]) -> None:
    state, past = play(cards(deal, away), *DEAL)
    for seat in (0, 1):
        found = [s.move if s.move is HIDDEN else str(s.move) for s in state.view(seat, past).past]
        assert found == seen[seat]
        assert state.view(seat)["hand"] == [2 if seat == 0 else HIDDEN, 4 if seat else HIDDEN]


@pytest.mark.parametrize(
    ("look", "seen"), [("", (True, True)), ("owner", (True, False)), ("nobody", (False, False))]
)
def test_who_sees_a_roll_of_an_operation(look: str, seen: tuple[bool, bool]) -> None:
    state, past = play(cards(look=look), *DEAL, "look", "seen 3")
    sight = state.game.companion(Sight)
    for seat in (0, 1):
        assert (state.view(seat, past).past[-1].move is not HIDDEN) == seen[seat]
        assert sight.shows_roll(past[-1][0].cells, seat) == seen[seat]
    expected = "seen 3" if all(seen) else "seen (secret)"
    assert sight.public_text(*past[-1]) == expected


@pytest.mark.parametrize("die", ["all", "owner", "nobody"])
def test_who_sees_a_roll_of_the_turn(die: str) -> None:
    state, past = play(cards(die=die), *DEAL, "die 5")
    place = state.game.kernel.roll_places["die"]
    assert [state.view(seat, past).cells[place] for seat in (0, 1)] == {
        "all": [5, 5],
        "owner": [5, None],
        "nobody": [None, None],
    }[die]


def test_a_hidden_roll_hides_something_though_no_value_does() -> None:
    game = rulegame.loads(
        """
rulegame: 1
title: Peek
state: {t: 0}
turn: {roll: {die: {from: 1..6, seen by: owner}}}
operations: {go: {effects: {t: t + 1}}}
end: {done: {when: t == 4, result: win}}
"""
    )
    state = game.start().play("die 3")
    assert game.companion(Sight).hides_something
    assert [state.view(seat).state is None for seat in (0, 1)] == [True, True]
    with pytest.raises(rulegame.CannotSolve, match="'die' is hidden information"):
        rulegame.solve(game, "perfect_information")
    assert isinstance(rulegame.solve(game), rulegame.HiddenSolution)


# ---- what is believed


def test_a_player_holds_all_deals_possible_that_agree_with_what_was_seen() -> None:
    state, past = play(cards(), *DEAL)
    for seat, mine in ((0, 2), (1, 4)):
        belief = believe(state.view(seat, past), Random(1))
        hands = {tuple(state.game.resume(cells)["hand"]) for cells in belief.states}
        others = {1, 2, 3, 4} - {mine}
        assert hands == {(mine, o) if seat == 0 else (o, mine) for o in others}


def test_a_card_that_all_have_seen_is_known() -> None:
    state, past = play(cards(away="all"), *DEAL)
    belief = believe(state.view(0, past), Random(1))
    hands = {tuple(state.game.resume(cells)["hand"]) for cells in belief.states}
    assert hands == {(2, 3), (2, 4)}


@pytest.mark.parametrize("player", ["random", "greedy", "search:30", "perfect:500"])
def test_a_computer_does_not_know_what_was_dealt_to_others(player: str) -> None:
    chosen = []
    for other in ("card 1", "card 3", "card 4"):
        gone = "gone 3" if other == "card 1" else "gone 1"
        state, past = play(cards(), "card 2", other, gone)
        made = make_player(player, state.game, first=0, fallback="search:30")
        chosen.append(made.choose(state.view(0, past), Random(3)))
    assert len(set(chosen)) == 1


# ---- what is printed


def printed(game: Game, moves: tuple[str, ...], audience: Collection[int], typed: list[str]) -> str:
    """Everything that is printed until somebody is asked who is not answered."""
    rolls = iter(moves)
    computers = [seat for seat in (0, 1) if seat not in audience]
    talk = converse(
        game,
        roll=lambda state: state.meant(next(rolls)),
        audience=audience,
        discreet=computers,
    )
    ask: Ask = next(talk)
    text = ask.text + ask.prompt
    for line in typed:
        ask = talk.send(line if ask.exchange is None else ask.state.meant(line))
        text += ask.text + ask.prompt
    return text


@pytest.mark.parametrize(
    ("audience", "told", "untold"),
    [([0], ["Card: 2"], ["4", "1"]), ([1], ["Card: 4"], ["2", "1"]), ([0, 1], [], ["2", "4", "1"])],
)
def test_only_its_owner_reads_a_card(
    audience: list[int], told: list[str], untold: list[str]
) -> None:
    text = printed(cards(), DEAL, audience, []).partition("Ann's turn")[0]
    assert all(words in text for words in told)
    assert not [digit for digit in untold if digit in text]


def test_what_all_see_is_read_by_all() -> None:
    text = printed(cards("all", "all"), DEAL, [0, 1], [])
    assert "Card: 2\nCard: 4\nGone: 1\n" in text


def test_the_text_of_a_roll_names_for_whom_it_is() -> None:
    text = CARDS.format(deal=', text: "{my.name} draws {card}."', away="", look="", turn="")
    assert "Bob draws 4.\n" in printed(rulegame.loads(text), DEAL, [1], [])


# ---- nothing tells what is hidden

SEVERAL = [
    cards(),
    cards("nobody", "all", "owner", "owner"),
    cards("", "", "nobody", "nobody"),
    cards("all", "nobody", "owner"),
]


@pytest.mark.parametrize("game", SEVERAL, ids=range(len(SEVERAL)))
@pytest.mark.parametrize("seed", range(4))
def test_games_that_differ_in_what_is_hidden_look_the_same(game: Game, seed: int) -> None:
    rng = Random(seed)
    for seat in (0, 1):
        twins = hidden_check._twins(game, seat, rng)
        if twins is not None:
            hidden_check.compare(game, twins, rng.randrange(2**32))


def test_how_often_a_step_is_still_to_be_done_is_no_ones_to_see() -> None:
    game = rulegame.loads(
        """
rulegame: 1
title: Often
state:
  t: 0
  each player: {n: {start: 2, seen by: owner}}
setup:
  pick: {choose: {m: 1..3}, effects: {my.n: m}, secret: true}
operations:
  go:
    steps:
      some: {repeat: "n of (players[1])", roll: {d: 1..2}, effects: {t: t + d}}
end: {done: {when: t > 9, result: win}}
"""
    )
    one, two = (game.start().play(f"pick {n}").play("pick 1").play("go") for n in (2, 3))
    assert one.player == two.player == CHANCE and one.cells != two.cells
    assert one.view(1).cells == two.view(1).cells


def test_who_draws_several_cards_sees_them_without_a_word_about_it() -> None:
    game = rulegame.loads(
        """
rulegame: 1
title: Hands
state:
  t: 0
  deck: {type: set of 1..4, start: 1..4, seen by: nobody}
  each player: {hand: {type: set of 1..4, seen by: owner}}
setup:
  deal:
    steps:
      cards:
        repeat: 2
        roll: {card: deck}
        effects:
          my.hand: with(my.hand, card)
          deck: without(deck, card)
operations: {go: {effects: {t: t + 1}}}
end: {done: {when: t == 4, result: win}}
"""
    )
    state, past = play(game, "card 1", "card 2", "card 3", "card 4")
    for seat in (0, 1):
        seen = [step.move is not HIDDEN for step in state.view(seat, past).past]
        assert seen == [seat == 0, seat == 0, seat == 1, seat == 1]
