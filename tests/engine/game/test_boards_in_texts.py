"""`{board}` in a text."""

from __future__ import annotations

import rulegame
from rulegame.game.rendering import Context, renderer_of

GAME = """\
rulegame: 1
title: Board
state:
  board: {type: grid of optional player, rows: 2, columns: 2, show: {symbols: SYMBOLS}}
  plain: {type: grid of int, rows: 1, columns: 3}
operations:
  go: {choose: {c: cells(board)}, effects: {"board[c]": me}}
validity: {empty: "board[c] == none"}
texts: {turn: "{board}\\n{plain}\\n{top}", chosen: "{before.board} to {board}"}
define: {top: "list(board[c] for c in cells(board) if row(c) == 1)"}
stuck: draw
end: {over: {when: 1 == 2, result: win}}
"""


def printed(symbols: str) -> list[str]:
    game = rulegame.loads(GAME.replace("SYMBOLS", symbols))
    state = game.start().play("go 1 2")
    context = Context(state.cells, names=("Ann", "Bob"))
    return renderer_of(game).render(game.ruleset.texts["turn"], context).splitlines()


def test_rows_of_symbols() -> None:
    assert printed('{none: ., "players[1]": X, "players[2]": O}') == [
        ". X", ". .", "0, 0, 0", "none, Ann",
    ]  # fmt: skip


def test_symbols_of_two_letters_are_aligned() -> None:
    assert printed('{none: "..", "players[1]": X, "players[2]": Oo}')[:2] == [".. X", ".. .."]


def test_values_without_a_symbol_are_printed_as_text() -> None:
    assert printed('{"players[1]": X, "players[2]": O}')[:2] == ["none X", "none none"]
