"""What people read and type: default texts, whole moves, secrets, texts for some moves only."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulegame.loading import load, loads
from rulegame.playing.conversation import converse
from rulegame.ruletests.running import run_tests

BOARD = """
rulegame: 1
title: Marks
players: [Ann, Bob]
state:
  board: {type: grid of optional player, rows: 2, columns: 3}
  light: {type: red | green, start: red}
operations:
  place:
    choose: {row: 1..2, column: 1..3}
    effects: {"board[row, column]": me}
validity:
  empty: board[row, column] == none
end:
  full:
    when: all(c != none for c in board)
    result: draw
"""
DRAWN = """
rulegame: 1
title: Drawn
players: [Ann, Bob]
state:
  sea:
    type: grid of row | c | label
    rows: 2
    columns: 2
    start: row
    show: {symbols: {row: ".", c: "{}"}, rows: upward, columns: letters}
  comb:
    type: grid of optional player
    rows: 2
    columns: 2
    tiles: hexagons
    show: {symbols: {"players[1]": X}}
  each player:
    bits: {type: grid of bool, rows: 1, columns: 2, show: {symbols: {true: "#", false: "."}}}
operations:
  place:
    choose: {at: cells(sea), word: c | label}
    effects:
      sea[at]: word
      comb[cell(comb, row(at), column(at))]: me
      my.bits[1, 1]: true
end:
  full:
    when: all(x == c for x in sea)
    result: draw
"""
SETS = """
rulegame: 1
title: Sets
state:
  left: {type: set of 1..3, start: 1..3}
operations:
  take:
    choose: {these: subsets(left)}
    effects: {left: "difference(left, these)"}
end:
  cleared:
    when: left == []
    result: win
"""
WHOM = """
rulegame: 1
title: Tag
players: [Ann, Bob, Cat]
state:
  it: {type: player, start: "players[1]"}
  told: {start: 0, seen by: nobody}
operations:
  tag:
    choose:
      who: players
    effects:
      it: who
  tell:
    secret: true
    choose:
      n: 7..9
    effects:
      told: n
stuck: draw
end:
  told:
    when: told > 7
    winners: it
    text: "{n} it is."
texts:
  chosen: "{my.name} tags {who}."
"""


def talk(text: str, typed: list[str], folder: Path) -> tuple[str, list[bool]]:
    """Everything that is printed, and which of the questions were secret."""
    file = folder / "game.yaml"
    file.write_text(text, "utf-8")
    conversation = converse(load(file), roll=lambda state: state.moves[0])
    printed, secret = "", []
    try:
        ask = next(conversation)
        for line in typed:
            printed += f"{ask.text}{ask.prompt}{line}\n"
            secret.append(ask.secret)
            ask = conversation.send(line)
        printed += ask.text + ask.prompt
    except StopIteration as end:
        printed += end.value.text
    return printed, secret


def test_a_board_is_shown_row_by_row_and_the_next_value_on_its_own_line(tmp_path: Path) -> None:
    printed, _ = talk(BOARD, ["1 2", "2", "3"], tmp_path)
    assert "Ann's turn.\nBoard:\n. . . \n. . . \nLight: red\n" in printed
    assert "Ann's turn.\nBoard:\n. 1 . \n. . 2 \nLight: red\n" in printed


def test_a_board_is_shown_as_it_declares(tmp_path: Path) -> None:
    printed, _ = talk(DRAWN, ["place a1 c", "place b2 label"], tmp_path)
    assert "Sea:\n   a  b\n2  .  .\n1 {}  .\nComb:\n  1 2\n1 . .\n 2 X .\n" in printed
    assert "Ann: bits:\n# . \nBob: bits:\n. . \n" in printed
    assert "Sea:\n   a  b\n2  . label\n1 {}  .\nComb:\n  1 2\n1 . 2\n 2 X .\n" in printed


def test_the_last_position_is_shown(tmp_path: Path) -> None:
    printed, _ = talk(BOARD, ["1 1", "1 2", "1 3", "2 1", "2 2", "2 3"], tmp_path)
    assert printed.endswith("Board:\n1 2 1 \n2 1 2 \nThe game is a draw.\n")


def test_a_whole_move_takes_back_what_was_answered_before(tmp_path: Path) -> None:
    printed, _ = talk(BOARD, ["1", "place 2 2"], tmp_path)
    assert "Choose column: place 2 2\nAnn: Place 2 2\n" in printed


@pytest.mark.parametrize("typed", ["none", "NONE", "take", "take none"])
def test_a_set_with_nothing_in_it_is_typed_and_shown(typed: str, tmp_path: Path) -> None:
    printed, _ = talk(SETS, [typed, "2", "3 1"], tmp_path)
    assert "These: none, or up to 3 different numbers, such as 1\n" in printed
    assert "Player 1: Take none\n" in printed
    assert "Left: 1, 3\nThese: none, or up to 2 different numbers, such as 1\n" in printed
    assert "Player 1: Take 1 3\nPlayer 1 wins the game!\n" in printed


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("size(these) > 0", "1 to 3 different numbers, such as 1"),
        ("size(these) == 1", "1 number, such as 1"),
        ("size(these) < 2", "none, or 1 number, such as 1"),
        ("size(these) == 2", "2 different numbers, such as 1 2"),
        ("size(these) == 0", "none"),
    ],
)
def test_how_many_numbers_a_set_may_have(rule: str, told: str, tmp_path: Path) -> None:
    printed, _ = talk(f"{SETS}validity:\n  sized: {rule}\n", ["x"], tmp_path)
    assert f"These: {told}\n" in printed


def test_players_are_shown_and_typed_by_their_names(tmp_path: Path) -> None:
    printed, _ = talk(WHOM, ["1", "Dan", "bob", "tag 3"], tmp_path)
    assert "'Dan' is not an option here. You can type Ann, Bob or Cat.\n" in printed
    assert "Ann tags Bob.\n" in printed
    assert "Bob tags Cat.\n" in printed


def test_a_secret_choice_is_asked_as_one_and_not_repeated(tmp_path: Path) -> None:
    printed, secret = talk(WHOM, ["Tell", "7"], tmp_path)
    assert secret == [True, True]  # the first as well: "tell 7" could be typed there
    assert printed.count("7") == 2  # in the menu, and where it was typed


def test_a_text_that_names_a_choice_is_for_the_moves_that_have_it(tmp_path: Path) -> None:
    printed, _ = talk(WHOM, ["tag 2", "Tell", "8"], tmp_path)
    assert "Ann tags Bob.\n" in printed
    assert printed.endswith("8 it is.\n")
    other = WHOM.replace("told > 7", "it != players[1]")
    printed, _ = talk(other, ["tag 2"], tmp_path)
    assert printed.endswith("Bob wins the game!\n")  # 'n' is no choice of 'tag'


@pytest.mark.parametrize(("player", "passes"), [(2, True), (1, False)])
def test_whose_turn_it_is_while_a_roll_is_due(player: int, passes: bool, tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    tests = f"tests:\n  x:\n    play: [die 1, add]\n    expect: {{player: {player}}}\n"
    file.write_text(f"rulegame: 1\nextends: dice_duel\n{tests}", "utf-8")
    (result,) = run_tests(file).results
    assert (result.failures == ()) is passes


def test_why_an_operation_is_barred_is_said_of_what_comes_nearest(tmp_path: Path) -> None:
    file = tmp_path / "pieces.yaml"
    file.write_text(
        """
rulegame: 1
title: Pieces
state: {row: {type: list of int, start: [0, 1, 2]}}
operations:
  wait: {effects: {}}
  take: {choose: {from_: 1..3, to: 1..3}, effects: {"row[to]": 1}}
validity:
  own: {require: "row[from_] == 1", because: "there is no piece of yours at {from_}"}
  step: {require: to == from_ + 1, because: "a piece moves to the right"}
  theirs: {require: "row[to] == 3", because: "there is nothing to take"}
end: {never: {when: "row[1] == 9", result: win}}
""",
        "utf-8",
    )
    conversation = converse(load(file), roll=lambda state: state.moves[0])
    assert "2. Take (not valid: there is nothing to take)" in next(conversation).text
    assert "Not valid: there is nothing to take\n" in conversation.send("take").text


def test_a_note_on_a_rule_that_another_one_guards(tmp_path: Path) -> None:
    file = tmp_path / "guarded.yaml"
    file.write_text(
        """
rulegame: 1
title: Guarded
state: {row: {type: list of int, start: [0, 1, 0]}}
operations:
  mark: {choose: {n: 1..3}, effects: {"row[n]": 1}}
validity:
  not_the_last: {require: n < 3, because: "nothing is to the right of it"}
  free_right: {require: "row[n + 1] == 0", note: "not beside a mark"}
end: {never: {when: "row[1] == 9", result: win}}
""",
        "utf-8",
    )
    asked = next(converse(load(file), roll=lambda state: state.moves[0]))
    assert asked.text.endswith("N: 2 (not beside a mark)\n")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ('{plural(n, "stone")}', "3 stones"),
        ('{plural(n - 2, "stone")}', "1 stone"),
        (
            '{plural(n, "box")}, {plural(n, "berry")}, {plural(n, "day")}',
            "3 boxes, 3 berries, 3 days",
        ),
        ('{plural(n, "die", "dice")}', "3 dice"),
        (
            '[{pad(n, 4)}] [{pad(-n, 4)}] [{pad("ab", 4)}] [{pad("abc", 2)}]',
            "[   3] [  -3] [ab  ] [abc]",
        ),
        ("[{pad(n, -5)}]", "[3]"),
    ],
)
def test_plurals_and_padding(text: str, printed: str) -> None:
    game = loads(f"""
rulegame: 1
title: Counted
state: {{n: 3}}
operations: {{take: {{effects: {{n: n - 1}}}}}}
end: {{none_left: {{when: n == 0, result: win}}}}
texts: {{turn: '{text}'}}
""")
    asked = next(converse(game, roll=lambda state: state.moves[0]))
    assert printed in asked.text.splitlines()


def test_an_author_may_define_pad() -> None:
    game = loads("""
rulegame: 1
title: Own
define: {pad(x): x + 1}
state: {n: 3}
operations: {take: {effects: {n: pad(n) - 2}}}
end: {none_left: {when: n == 0, result: win}}
texts: {turn: "{pad(n)}"}
""")
    assert game.start().play("take")["n"] == 2
