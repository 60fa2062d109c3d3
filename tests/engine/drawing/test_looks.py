"""What values look like: as `show` says, or as their types and the rules suggest."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

import rulegame
from rulegame.drawing.pictures import (
    Bar,
    DrawnBoard,
    Graph,
    Hand,
    Picture,
    Pits,
    PlainValue,
    Track,
)
from rulegame.drawing.position import draw
from rulegame.drawing.svg import picture_svg
from support.games import play


def drawn(text: str, *moves: str, eyes: tuple[int, ...] = (0,)) -> Picture:
    return draw(*play(rulegame.loads(text), *moves), eyes)


def shapes(picture: Picture) -> dict[str, Any]:
    return {shape.caption.label: shape for shape in picture.shapes if not shape.caption.owner}


def game(state: str, operations: str, end: str = "sum(list(1 for p in players)) == 3") -> str:
    return (
        f"rulegame: 1\ntitle: T\nstate:\n{state}operations:\n{operations}"
        f"end:\n  over: {{when: '{end}', result: draw}}\n"
    )


BOARD = "  board: {type: grid of optional player, rows: 4, columns: 5%s}\n"
READ = "all(x == me for x in board)"
DROP = """  drop:
    choose: {c: 1..5}
    effects:
      board[max(r for r in 1..4 if board[r, c] == none), c]: me
"""
PLACE = """  place:
    choose: {r: 1..4, c: 1..5}
    effects:
      board[r, c]: me
"""
MOVE = """  move:
    choose: {here: cells(board), there: cells(board)}
    effects:
      board[here]: none
      board[there]: me
"""


def test_the_ground_of_a_board_follows_from_its_operations() -> None:
    for operation, ground, form in (
        (DROP, "upright", "disc"),
        (PLACE, "plain", ""),
        (MOVE, "chequered", "disc"),
    ):
        text = game(BOARD % "", operation, READ)
        board = shapes(drawn(text, rulegame.loads(text).start().moves[1].text))["board"]
        assert isinstance(board, DrawnBoard)
        assert board.ground == ground
        assert {p.form for row in board.rows for p in row if p.seat is not None} == {form}


def test_a_ruleset_says_what_its_board_looks_like() -> None:
    text = game(BOARD % ", show: {as: stones, sides: '[players[2], players[1]]'}", PLACE, READ)
    board = shapes(drawn(text))["board"]
    assert isinstance(board, DrawnBoard)
    assert (board.ground, board.sides) == ("intersections", (1, 0))
    text = text.replace("as: stones", "as: discs, board: chequered")
    assert shapes(drawn(text))["board"].ground == "chequered"


def test_cards_have_suits_and_ranks() -> None:
    state = (
        "  each player:\n    hand: {type: set of 1..52, start: '{1, 13, 14, 52}', show: cards}\n"
        "  top: {start: 0, show: {like: hand}}\n"
    ).replace("'{1, 13, 14, 52}'", "[1, 13, 14, 52]")
    lay = "  lay:\n    choose: {card: my.hand}\n    effects: {top: card}\n"
    text = game(state, lay, "top == 99")
    picture = drawn(text)
    hand, top = shapes(picture)["hand"], shapes(picture)["top"]
    assert isinstance(hand, Hand) and isinstance(top, Hand)
    assert [piece.symbol for piece in hand.pieces] == ["♠A", "♠K", "♥A", "♦K"]
    assert top.pieces == ()  # 0 is no card
    picture = drawn(text, "lay 52")
    assert [piece.symbol for piece in shapes(picture)["top"].pieces] == ["♦K"]
    assert picture.last[0].text == "Lay ♦K"
    own = text.replace("1..52", "1..8").replace("[1, 13, 14, 52]", "[1, 2, 5, 8]")
    own = own.replace(
        "show: cards", "show: {as: cards, suits: [spades, B], ranks: [7, 8, 9, X, Z]}"
    )
    hand = shapes(drawn(own))["hand"]
    assert [piece.symbol for piece in hand.pieces] == ["♠8", "♠9", "B8", "BZ"]


def test_points_and_lines() -> None:
    state = (
        "  net: {type: list of optional player, size: 3, show: {lines: '[[1, 2, 3], [3, 1]]',"
        " names: [a, b, c]}}\n"
    )
    put = "  put:\n    choose: {p: 1..3}\n    effects:\n      net[p]: me\n"
    text = game(state, put, "net[1] == them")
    net = shapes(drawn(text, "put 2"))["net"]
    assert isinstance(net, Graph)
    assert (net.lines, net.names) == (((0, 1), (1, 2), (0, 2)), ("a", "b", "c"))
    assert len(set(net.points)) == 3 and net.pieces[1].seat == 0
    placed = text.replace("lines:", "points: '[[1, 1], [3, 1], [2, 2]]', lines:")
    assert shapes(drawn(placed))["net"].points == ((0, 0), (2, 0), (1, 1))


def test_pits_and_stores() -> None:
    state = (
        "  each player:\n    pits: {type: list of int, size: 3, start: 2,"
        " show: {as: pits, store: home}}\n    home: 0\n"
    )
    sow = "  sow:\n    choose: {p: 1..3}\n    effects:\n      my.pits[p]: 0\n      my.home: 2\n"
    picture = drawn(game(state, sow, "sum(my.pits) == 0 and my.home == 9"), "sow 3")
    assert [type(shape) for shape in picture.shapes] == [Pits]  # the store is part of them
    pits = picture.shapes[0]
    assert isinstance(pits, Pits)
    assert (pits.counts, pits.stores) == (((2, 2, 0), (2, 2, 2)), (2, 0))
    assert pits.changed[0] == (False, False, True)


def test_pegs_have_colours() -> None:
    state = "  row: {type: list of int, size: 2, show: pegs}\n"
    lay = "  lay:\n    choose: {n: 1..3}\n    effects:\n      row[2]: n\n"
    row = shapes(drawn(game(state, lay), "lay 3"))["row"]
    assert isinstance(row, Track)
    assert [(piece.form, piece.tint) for piece in row.pieces] == [("", None), ("peg", 2)]
    state = "  row: {type: list of red | blue, size: 2, start: red, show: tokens}\n"
    lay = "  lay:\n    effects:\n      row[2]: blue\n"
    row = shapes(drawn(game(state, lay), "lay"))["row"]
    assert [(piece.form, piece.tint) for piece in row.pieces] == [("token", 0), ("token", 1)]


HELPERS = """  left: 9
  count: 0
  shown: {start: 0, show: yes}
  kept: {start: 9, show: no}
  told: 0
  deck: {type: set of 1..9, start: 1..9, seen by: nobody}
  each player:
    purse: {start: 0, seen by: owner}
"""


def test_values_that_no_rule_reads_are_helpers() -> None:
    take = """  take:
    choose: {n: 1..2}
    roll: {drawn: deck}
    effects: {left: left - n, count: count + 1, kept: kept - n}
    texts: {updated: "{told}"}
"""
    text = game(HELPERS, take, "half(left) == 0 and kept < 20")
    text = text.replace("state:", "define:\n  half(n): n / 2\nstate:", 1)
    assert [*shapes(drawn(text))] == ["left", "shown", "told", "purse", "drawn"][:4]


def test_values_that_only_inform_the_players_are_drawn() -> None:
    """A note that moves write and nothing reads, and what the setup decides for the effects; but
    neither a table that nothing writes nor what nobody sees.
    """
    text = """
rulegame: 1
title: T
state:
  left: 9
  note: 0
  trump: 0
  table: {type: list of int, size: 3, start: 2}
  secret: {start: 0, seen by: nobody}
setup:
  turn_up: {once: true, roll: {n: 1..3}, effects: {trump: n, secret: n}}
operations:
  take:
    choose: {n: 1..3}
    effects:
      left: left - table[n] - trump - secret
      note: n
end:
  over: {when: left <= 0, result: draw}
"""
    assert [*shapes(drawn(text, "n 2"))] == ["left", "note", "trump"]


def test_boards_of_chess_pieces_are_chequered() -> None:
    board = """  board:
    type: grid of empty | king
    rows: 4
    columns: %d
    start: empty
    show: {as: chess, symbols: {empty: ".", king: K}}
"""
    put = "  put: {choose: {c: cells(board)}, effects: {'board[c]': king}}\n"
    for columns, ground in ((4, "chequered"), (3, "plain")):
        text = game(board % columns, put, "all(x == king for x in board)")
        assert shapes(drawn(text))["board"].ground == ground


def test_a_game_of_helpers_alone_is_drawn_whole() -> None:
    take = "  take:\n    choose: {n: 1..2}\n    effects: {left: left - n}\n"
    picture = drawn(game("  left: 9\n", take))
    assert isinstance(shapes(picture)["left"], PlainValue)


def test_a_bar_is_as_full_as_its_number() -> None:
    take = "  take:\n    choose: {n: 1..4}\n    effects: {left: left - n}\n"
    picture = drawn(game("  left: 8\n", take, "left == 0"), "take 2")
    bar = shapes(picture)["left"]
    assert isinstance(bar, Bar) and (bar.start, bar.goal, bar.value) == (8, 0, 6)
    tree = ElementTree.fromstring(picture_svg(picture))
    wide = [float(rect.attrib["width"]) for rect in tree.iter("{http://www.w3.org/2000/svg}rect")]
    assert wide[-1] == 0.75 * wide[-2]


PLACING = "  place:\n    choose: {r: 1..4, c: 1..5}\n    effects: {'board[r, c]': me}\n"
DROPPING = "  drop:\n    choose: {c: 1..5}\n    effects: {'board[4, c]': me}\n"
CELLS = "  place:\n    choose: {p: cells(board)}\n    effects: {'board[p]': me, last: p}\n"
LETTERED = "  board: {type: grid of optional player, rows: 4, columns: 5"


@pytest.mark.parametrize(
    ("state", "operation", "move", "columns", "last"),
    [
        (f"{LETTERED}}}\n", PLACING, "place 2 3", "abcde", "Place c2"),
        (f"{LETTERED}, show: {{columns: numbers}}}}\n", PLACING, "place 2 3", "12345", "Place 2 3"),
        (f"{LETTERED}}}\n", DROPPING, "drop 3", "12345", "Drop 3"),
        (f"{LETTERED}}}\n  last: {{type: optional cell of board}}\n", CELLS, "place 2 3", "abcde",
         "Place c2"),
        (f"{LETTERED}, tiles: hexagons}}\n  last: {{type: optional cell of board}}\n", CELLS,
         "place 4 5", "abcde", "Place e4"),
    ],
)  # fmt: skip
def test_columns_are_drawn_as_letters(
    state: str, operation: str, move: str, columns: str, last: str
) -> None:
    """The text of moves stays as it is."""
    picture = drawn(game(state, operation, "all(x != none for x in board)"), move)
    board = shapes(picture)["board"]
    assert isinstance(board, DrawnBoard)
    assert "".join(board.column_names) == columns
    assert [one.text for one in picture.last] == [last]
    if "last" in shapes(picture):
        cell = shapes(picture)["last"]
        assert isinstance(cell, PlainValue) and cell.piece.text == last.removeprefix("Place ")


def test_lists_from_which_two_players_sow_are_pits() -> None:
    state = "  each player:\n    pits: {type: list of int, size: 3, start: 2}\n"
    sow = "  sow:\n    choose: {p: 1..3}\n    effects: {'my.pits[p]': 'my.pits[p] - 1'}\n"
    [pits] = drawn(game(state, sow, "sum(my.pits) == 0"), "sow 3").shapes
    assert isinstance(pits, Pits) and pits.counts == ((2, 2, 1), (2, 2, 2))
    hidden = state.replace("start: 2", "start: 2, seen by: owner")
    shown = drawn(game(hidden, sow, "sum(my.pits) == 0"), "sow 3").shapes
    assert not any(isinstance(shape, Pits) for shape in shown)


def test_places_where_something_is_true_are_ticked() -> None:
    state = "  shut: {type: list of bool, size: 3}\n"
    shut = "  shut:\n    choose: {p: 1..3}\n    effects: {'shut[p]': true}\n"
    row = shapes(drawn(game(state, shut, "all(s for s in shut)"), "shut 2"))["shut"]
    assert isinstance(row, Track)
    assert [(piece.text, piece.symbol) for piece in row.pieces] == [
        ("", ""),
        ("yes", "✓"),
        ("", ""),
    ]


def test_numbers_of_squares() -> None:
    rows = "list(list(5 * (r - 1) + c if c < 5 else 0 for c in 1..5) for r in 1..4)"
    state = f"{LETTERED}, show: {{board: plain, numbers: '{rows}'}}}}\n"
    text = game(state, PLACING, "all(x != none for x in board)")
    board = shapes(drawn(text, "place 1 2"))["board"]
    assert isinstance(board, DrawnBoard)
    assert board.numbers == (1, 2, 3, 4, 0, 6, 7, 8, 9, 0, 11, 12, 13, 14, 0, 16, 17, 18, 19, 0)
    drawn_texts = [text.text for text in ElementTree.fromstring(picture_svg(drawn(text))).iter()]
    assert "19" in drawn_texts and "5" not in drawn_texts


@pytest.mark.parametrize(
    "rows", ["[[1, 2]]", "list(list(1 for c in 1..5) for r in 1..4)", "[1, 2]"]
)
def test_numbers_that_do_not_fit_a_board(rows: str) -> None:
    state = f"{LETTERED}, show: {{numbers: '{rows}'}}}}\n"
    with pytest.raises(rulegame.RulesetError, match="E455"):
        rulegame.loads(game(state, PLACING, "all(x != none for x in board)"))
