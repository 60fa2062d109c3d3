"""Declared types: words in order, ranges and cells, and the lists that they index."""

from __future__ import annotations

from random import Random

import pytest

import rulegame
from fuzz import running_check
from rulegame.drawing.pictures import Heaps, Track
from rulegame.drawing.position import draw
from support.games import load, play

CARDS = """\
rulegame: 1
title: Cards
parameters:
  last: {default: 12, min: 4, max: 20}
types:
  card: [guard, priest, baron, princess]
  column: 2..last
  point: cell of board
define:
  worth(c): 10 * ordinal(c)
state:
  board: {type: grid of optional player, rows: 2, columns: 2}
  left: {type: list of int, indexed by: card, start: [5, 2, 2, 1]}
  runners: {type: list of int, indexed by: column}
  visits: {type: list of int, indexed by: point}
  at: {type: column, start: 3}
  seen: {type: set of column}
  top: {type: optional card}
  each player:
    won: {type: list of bool, indexed by: card}
turn:
  roll:
    drawn:
      from: card
      weight: left[drawn]
operations:
  keep:
    when: drawn > guard
    effects:
      top: drawn if top == none else max(top, drawn)
      left[drawn]: left[drawn] - 1
      my.won[drawn]: true
  move:
    choose: {by: 1..9}
    effects:
      at: at + by
      runners[at + by]: runners[at + by] + worth(drawn)
      seen: with(seen, at + by)
  place:
    choose: {p: point}
    effects:
      board[p]: me
      visits[p]: visits[p] + 1
validity:
  free: board[p] == none
end:
  all_won:
    when: all(my.won[c] for c in card)
    result: win
  far:
    when: runners[last] > 0
    result: win
"""

WORDS = "one of the words guard, priest, baron, princess"


def errors_of(text: str) -> list[str]:
    return [f"{one.code} {one.message}" for one in rulegame.validate_text(text)]


def test_a_game_with_types() -> None:
    state, _ = play(load(CARDS), "drawn baron", "keep", "drawn priest", "move 4", "drawn princess")
    assert state["left"] == [5, 2, 1, 1]
    assert state["won"] == [[False, False, True, False], [False] * 4]
    assert state["runners"] == [0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0]
    assert state["at"] == 7 and state["seen"] == {7} and state["top"] == "baron"
    state = state.play(state.meant("keep"))
    assert state["top"] == "princess"
    state = state.play(state.roll(lambda _: 0))
    state = state.play(state.meant("place 2 1"))
    assert state["visits"] == [0, 0, 1, 0]


def test_words_have_the_order_of_their_type() -> None:
    """Whatever else declares them first: a parameter, a choice or a value."""
    text = CARDS.replace(
        "last: {def", "best: {default: princess, one of: [princess, guard]}\n  last: {def"
    )
    text = text.replace("drawn > guard", "drawn > guard and drawn <= best")
    state, _ = play(load(text, best="guard"), "drawn baron")
    assert not any(move.operation == "keep" for move in state.moves)
    state, _ = play(load(text), "drawn baron")
    assert any(move.operation == "keep" for move in state.moves)


def test_a_number_outside_the_range_of_its_type_ends_the_game() -> None:
    state, _ = play(load(CARDS, last=4), "drawn guard")
    with pytest.raises(rulegame.GameError) as fault:
        state.play(state.meant("move 2"))
    assert fault.value.diagnostic.code == "E540"
    assert fault.value.diagnostic.message == "5 cannot be stored here: the range is 2..4"


def test_an_index_outside_the_range_names_that_range() -> None:
    text = CARDS.replace("at: {type: column", "at: {type: int").replace(
        "seen: with(seen, at + by)", "top: top"
    )
    state, _ = play(load(text, last=4), "drawn guard")
    with pytest.raises(rulegame.GameError) as fault:
        state.play(state.meant("move 2"))
    assert fault.value.diagnostic.code == "E502"
    assert fault.value.diagnostic.message == "the index 5 is outside 2..4"


@pytest.mark.parametrize("last", [4, 12])
def test_every_way_of_running_the_rules_agrees(last: int) -> None:
    running_check.check(CARDS.replace("default: 12", f"default: {last}").encode(), Random(1))


def test_elements_are_labelled() -> None:
    game = load(CARDS)
    state, _ = play(game, "drawn baron")
    labels = {
        shape.caption.label: shape.labels
        for shape in draw(state, (), ()).shapes
        if isinstance(shape, Heaps | Track)
    }
    assert labels["won"] == ("guard", "priest", "baron", "princess")
    assert labels["runners"][:2] == ("2", "3")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("left[drawn] - 1", "left[1] - 1", "E303 expected a card as the index, not a number"),
        ("won[c] for c", "won[drawn] for c", ""),
        (
            "runners[last]",
            "runners[guard]",
            "E303 expected a number as the index, not one of the words guard",
        ),
        (
            "visits[p] + 1",
            "visits[1] + 1",
            "E303 expected a cell of board as the index, not a number",
        ),
        ("runners[last]", "runners[13]", "E309 this index is outside 2..12"),
        ("runners[last]", "runners[2, 3]", "E304 this list is indexed by 2..12: one index"),
        ("indexed by: column", "indexed by: colum", "E302 unknown type 'colum'"),
        ("type: column, start: 3", "type: colum, start: 3", "E303 unknown type 'colum'"),
        ("start: 3", "start: 1", "E540 1 cannot be stored here: the range is 2..12"),
        ("type: column, start: 3", "type: column", "E202 'at' needs a start"),
        (
            "set of column",
            "set of card",
            f"E303 a set holds numbers of a range, not {WORDS}",
        ),
        ("[5, 2, 2, 1]", "[5, 2, 2]", "E303 this list has the wrong length: 4 for card"),
        ("2..last", "20..last", "E407 a range has 1 to 100,000 numbers, not 20..12"),
        ("column: 2..last", "column: last", "E303 expected words or a range here, not a number"),
        ("baron, princess]", "baron, baron]", "E312 the word 'baron' stands here twice"),
        ("baron, princess]", "baron, pass]", "E206 'pass' is a reserved word"),
        (
            "types:",
            "types:\n  pet: [cat, guard]",
            "E312 the word 'guard' belongs to the type 'pet'",
        ),
        ("types:", "types:\n  int: [cat, dog]", "E206 'int' is a built-in type"),
        ("types:", "types:\n  last: [cat, dog]", "E312 the name 'last' is already taken"),
        ("cell of board", "cell of bord", "E450 unknown board 'bord'"),
        (
            "type: list of int, indexed by: point",
            "type: int, indexed by: point",
            "E204 only a list is indexed by a type",
        ),
        (
            "drawn > guard",
            "drawn > 2",
            f"E303 expected a number here, not {WORDS}",
        ),
    ],
)
def test_mistakes(old: str, new: str, expected: str) -> None:
    assert old in CARDS
    found = errors_of(CARDS.replace(old, new))
    assert expected in found if expected else not found


def test_words_without_a_type_have_no_order() -> None:
    text = CARDS.replace("from: card\n      weight: left[drawn]", "from: guard | knave")
    message = "words are compared with '<' or '>' only if one type declares them in order"
    assert f"E303 {message}" in errors_of(text)


def test_what_an_author_names_hides_a_type_and_ordinal() -> None:
    """A choice, a roll or a loop may have the name of a type, a definition that of a function."""
    text = (
        CARDS.replace("drawn", "card")
        .replace("c in card", "c in [guard, baron]")
        .replace("worth(c): 10 * ordinal(c)", "ordinal(c): 7\n  worth(c): ordinal(c)")
    )
    state, _ = play(load(text), "card priest", "move 4")
    assert state["runners"][5] == 7
