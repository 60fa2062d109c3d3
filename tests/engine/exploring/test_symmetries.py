"""Of states that are the same but for a declared symmetry one is explored, and checked."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulegame
from rulegame.players.advice import advise
from rulegame.players.perfect import PerfectPlayer
from support.backends import BACKENDS, use_backend

RULESETS = Path(__file__).parents[3] / "rulesets"
SQUARE = "[mirror columns, transpose]"

# A die decides who owns the cell: chance, passes and two boards, which are moved at once.
DICE = """\
rulegame: 1
title: Dice on two boards
state:
  board: {type: grid of optional player, rows: 1, columns: 3}
  each player:
    mine: {type: grid of bool, rows: 1, columns: 3}
turn:
  roll: {coin: "[1, 1, 2]"}
operations:
  place:
    choose: {c: 1..3}
    effects:
      "board[1, c]": "me if coin == 1 else them"
      "my.mine[1, c]": true
validity:
  empty: {require: "board[1, c] == none"}
  blocked: {require: "not (coin == 2 and any(my.mine[1, k] for k in 1..3))"}
symmetry: mirror columns
stuck: {result: pass, all: draw}
end:
  ends: {when: "board[1, 1] == me and board[1, 3] == me", result: win}
  full: {when: "all(x != none for x in board)", result: draw}
"""


@pytest.fixture(params=BACKENDS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    use_backend(monkeypatch, request.param)
    return str(request.param)


def declared(name: str, symmetry: str, **setting: Any) -> rulegame.Game:
    """A bundled game with a symmetry, which it may or may not have itself."""
    [path] = RULESETS.rglob(f"{name}.yaml")
    lines = [line for line in path.read_text("utf-8").splitlines() if line[:9] != "symmetry:"]
    return rulegame.loads("\n".join([*lines, f"symmetry: {symmetry}"]), setting)


def agree(game: rulegame.Game, states: int | None = None) -> None:
    """Every state is worth the same as without symmetry, and so are its moves."""
    whole = rulegame.solving.solve_graph(rulegame.explore(game))
    few = rulegame.solve(game, "perfect_information")
    assert len(few.graph) < len(whole.graph)
    assert states is None or len(few.graph) == states
    assert (few.value, few.shortest_game, few.longest_game) == (
        whole.value,
        whole.shortest_game,
        whole.longest_game,
    )
    for number in range(len(whole.graph)):
        state = whole.graph.state(number)
        assert few[state] == whole[number]
        if state.outcome is None:
            assert few.options(state) == whole.options(number)
            assert set(few.best_moves(state)) == set(whole.best_moves(number))


GAMES: list[tuple[str, str, dict[str, Any], int | None]] = [
    ("tic_tac_toe", SQUARE, {}, 765),
    ("tic_tac_toe", "[rotate, mirror rows]", {"line": 2}, None),
    ("tic_tac_toe", "half turn", {}, None),
    ("tic_tac_toe", "{board: [mirror rows]}", {"size": 2}, None),
    ("connect_four", "mirror columns", {"rows": 3, "columns": 3, "line": 3}, None),
    ("breakthrough", "mirror columns", {"rows": 4, "columns": 2}, None),
]


@pytest.mark.quick(2)
@pytest.mark.parametrize(("name", "symmetry", "setting", "states"), GAMES, ids=str)
def test_values_stay_what_they_are(
    way: str, name: str, symmetry: str, setting: dict[str, Any], states: int | None
) -> None:
    agree(declared(name, symmetry, **setting), states)


def test_chance_passes_and_several_grids(way: str) -> None:
    agree(rulegame.loads(DICE))


CORNER = "board[1, 1] == me"
WRONG = {
    "an end": ("any(all(c == me for c in cells) for cells in lines(board, line))", CORNER),
    "validity": ("board[row, column] == none", "board[row, column] == none and row + column > 2"),
    "effects": ("board[row, column]: me", "board[row, min([column, 2])]: me"),
}


@pytest.mark.quick(3)
@pytest.mark.parametrize("rule", WRONG)
def test_what_does_not_hold_is_refuted(way: str, rule: str) -> None:
    text = (RULESETS / "tic_tac_toe.yaml").read_text("utf-8")
    assert WRONG[rule][0] in text
    text = text.partition("\nclaims:")[0].replace(*WRONG[rule])
    game = rulegame.loads(f"{text}\nsymmetry: mirror columns\n")
    with pytest.raises(rulegame.GameError) as refuted:
        rulegame.solve(game, "perfect_information")
    assert refuted.value.diagnostic.code == "E511"
    state = game.start()
    for move in refuted.value.moves:  # can be played
        state = state.play(move)
    assert rulegame.solving.solve_graph(rulegame.explore(game)).exact  # nothing is wrong without


def test_a_weight_that_is_not_symmetric(way: str) -> None:
    weight = "2 if coin == 1 and board[1, 1] == none else 1"
    text = DICE.replace('"[1, 1, 2]"', f'{{from: "[1, 2]", weight: "{weight}"}}')
    with pytest.raises(rulegame.GameError, match="E511"):
        rulegame.solve(rulegame.loads(text), "perfect_information")


def test_a_start_that_is_not_symmetric_is_explored_as_it_is() -> None:
    start = "columns: 3, start: [[true, false, false]]}"
    game = rulegame.loads(DICE.replace("columns: 3}\nturn", f"{start}\nturn"))
    assert len(rulegame.solve(game, "perfect_information").graph) == len(rulegame.explore(game))


def test_where_the_rules_fail_the_play_is_told() -> None:
    text = (RULESETS / "tic_tac_toe.yaml").read_text("utf-8").partition("\nclaims:")[0]
    broken = text.replace(
        "when: all(c != none for c in board)",
        "when: count(c for c in board if c != none) == min(9 for c in board if c == none)",
    )
    with pytest.raises(rulegame.GameError, match="E504") as failed:
        rulegame.solve(rulegame.loads(f"{broken}\nsymmetry: {SQUARE}\n"), "perfect_information")
    assert len(failed.value.moves) == 9


def test_perfect_play_and_advice_are_about_the_state_itself() -> None:
    game = declared("tic_tac_toe", SQUARE)
    state = game.start().play("place 3 3").play("place 3 2")
    found = advise(state.view(state.turn), Random(1))
    whole = rulegame.solving.solve_graph(rulegame.explore(game))
    best = {move.text for move in whole.best_moves(state)}
    assert {move.text for move in found.best} <= best
    assert [rated.move for rated in found.worths] == list(state.moves)
    player = PerfectPlayer(rulegame.solve(game, "perfect_information"), None)  # type: ignore[arg-type]
    chosen = {player.choose(state.view(state.turn), Random(k)).text for k in range(20)}
    assert chosen <= best


def test_a_variant_does_not_inherit_it(tmp_path: Path) -> None:
    (tmp_path / "dice.yaml").write_text(DICE, "utf-8")
    (tmp_path / "other.yaml").write_text("rulegame: 1\nextends: dice.yaml\ntitle: Other\n", "utf-8")
    assert rulegame.load(str(tmp_path / "other.yaml")).ruleset.symmetry == ()


def test_it_is_no_rule() -> None:
    from rulegame.model.meaning import meaning

    plain = rulegame.loads(DICE.replace("symmetry: mirror columns\n", "")).ruleset
    assert meaning(plain) == meaning(rulegame.loads(DICE).ruleset)
