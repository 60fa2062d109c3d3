"""Small rulesets for what the language reference says and no bundled game uses.

What is expected was worked out by hand from docs/language.md.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import rulegame
from rulegame.language.types import Int, bounds_of, quotient
from rulegame.model import Effects

Make = Callable[..., rulegame.Game]

TWO = "end: {never: {when: false, result: draw}}"


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """`make(text)`: the game of a ruleset, whose first two lines are added."""

    def game(text: str, **parameters: Any) -> rulegame.Game:
        path = tmp_path / "game.yaml"
        path.write_text("rulegame: 1\ntitle: Game\n" + dedent(text), encoding="utf-8")
        return rulegame.load(path, parameters)

    return game


def play(game: rulegame.Game, *texts: str, first: int = 0) -> rulegame.State:
    """The state after some moves and events."""
    state = game.start(first)
    for text in texts:
        state = state.play(game.parse_move(text))
    return state


def moves(state: rulegame.State) -> list[str]:
    return [str(move) for move in state.moves]


def why(state: rulegame.State, text: str) -> str | None:
    """The rule that bars a move."""
    reason = state.why_not(state.game.parse_move(text))
    assert reason is not None
    return reason.rule


def value_of(make: Make, expression: str, state: str = "", define: str = "") -> Any:
    """What an int expression is worth, when it is the effect of the only move."""
    game = make(
        f"state:\n  x: 0\n{dedent(state)}\n"
        + (f"define:\n{dedent(define)}\n" if define else "")
        + f"operations:\n  go:\n    effects:\n      x: {expression}\n{TWO}\n"
    )
    return play(game, "go")["x"]


def indented(text: str, by: int = 2) -> str:
    return "\n".join(" " * by + line for line in dedent(text).strip().splitlines())


# ---- expressions


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("7 / 3", 2),
        ("-7 / 2", -3),
        ("7 / -2", -3),
        ("-7 / -2", 3),
        ("mod(7, 5)", 2),
        ("mod(-1, 5)", 4),
        ("mod(-5, 5)", 0),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 4 - 3", 3),
        ("24 / 4 / 2", 3),
        ("-2 * 3", -6),
        ("1 - -1", 2),
        ("1 if 0 <= 5 <= 9 else 0", 1),
        ("1 if 0 <= 5 < 5 else 0", 0),
        ("1 if 1 < 2 < 3 < 4 else 0", 1),
        ("1 if 3 in 1..3 else 0", 1),
        ("1 if 4 not in 1..3 else 0", 1),
        ("1 if 2 in [1, 3] else 0", 0),
        ("1 if not true or true and false else 0", 0),
        ("1 if true or 1 / x == 1 else 0", 1),
        ("1 if false and 1 / x == 1 else 0", 0),
        ("1 if 1..3 == [1, 2, 3] else 0", 1),
        ("1 if [1, 2] != 1..2 else 0", 0),
        ("1 if (1..2 if true else [3]) == [1, 2] else 0", 1),
        ("1 if [1, 2] in [1..3, 1..2] else 0", 1),
        ("1 if 1..2 == 1..3 else 0", 0),
        ("size(3..1)", 0),
        ("sum(2..4)", 9),
        ("sum(i * i for i in 1..4 if i != 2)", 26),
        ("sum(i * j for i in 1..2 for j in i..3)", 16),  # 1 + 2 + 3 + 4 + 6
        ("sum(i for i in 5..1)", 0),
        ("count(i > 2 for i in 1..5)", 3),
        ("count(i for i in 1..5 if i > 3)", 2),
        ("min(4, 2, 3)", 2),
        ("max([4, 9, 3])", 9),
        ("max(i * (5 - i) for i in 1..4)", 6),
        ("abs(-4)", 4),
        ("size(list(i for i in 1..9 if mod(i, 2) == 0))", 4),
        ("1 if any(i == 3 for i in 1..3) and all(i < 4 for i in 1..3) else 0", 1),
        ("1 if any(i == 3 for i in 3..1) else 0", 0),
        ("1 if all(i == 3 for i in 3..1) else 0", 1),
        ("seat(next(me)) * 10 + seat(previous(me))", 22),
        ("size(players)", 2),
        ("1 if me == first and them != first else 0", 1),
        ("1 if true else 2 if true else 3", 1),
        ("9223372036854775807", 9223372036854775807),
        ("-9223372036854775807", -9223372036854775807),
    ],
)
def test_expressions(make: Make, expression: str, value: int) -> None:
    assert value_of(make, f"'{expression}'") == value


@pytest.mark.parametrize(
    ("effect", "code"),
    [
        ("x: 9223372036854775807 + y", "E501"),
        ("x: 9223372036854775807 * (y + 1)", "E501"),
        ("x: numbers[y + 3]", "E502"),
        ("x: numbers[y - 1]", "E502"),
        ("numbers[y + 3]: 1", "E502"),
        ("x: max(i for i in y..0)", "E504"),
    ],
)
def test_what_fails_while_a_game_is_played_names_its_place(
    make: Make, effect: str, code: str
) -> None:
    game = make(
        f"""
        state:
          x: 0
          y: 1
          numbers: {{type: list of int, size: 3}}
        operations:
          go:
            effects:
              {effect}
        {TWO}
        """
    )
    with pytest.raises(rulegame.GameError) as error:
        play(game, "go")
    assert error.value.diagnostic.code == code
    assert error.value.diagnostic.span.line == 11


def test_a_move_that_would_divide_by_zero_is_not_valid(make: Make) -> None:
    game = make(
        f"""
        state:
          x: 12
        operations:
          divide:
            choose:
              n: -1..2
            effects:
              x: x / n
          remainder:
            choose:
              m: 0..1
            effects:
              x: mod(x, m)
          share:
            choose:
              k: 0..2
            effects:
              x: 12 / k
        {TWO}
        """
    )
    start = game.start()
    divided = ["divide -1", "divide 1", "divide 2"]
    assert moves(start) == [*divided, "remainder 1", "share 1", "share 2"]
    assert why(start, "divide 0") == "division_by_zero"
    assert why(start, "remainder 0") == "division_by_zero"
    assert play(game, "divide -1")["x"] == -12


def test_an_optional_is_narrowed_by_asking(make: Make) -> None:
    game = make(
        f"""
        state:
          last: {{type: optional int}}
          x: 0
        operations:
          say:
            choose:
              n: 1..3
            effects:
              last: n
              x: 0 if last == none else last
          forget:
            effects:
              last: none
        validity:
          greater:
            for: [say]
            require: last == none or n > last
        {TWO}
        """
    )
    assert game.start()["last"] is None
    assert moves(play(game, "say 2")) == ["say 3", "forget"]
    assert why(play(game, "say 2"), "say 2") == "greater"
    assert play(game, "say 2", "say 3")["x"] == 2
    assert moves(play(game, "say 3")) == ["forget"]
    assert play(game, "say 3", "forget")["last"] is None


CELLS = """
    parameters:
      size: 2
    state:
      board: {{type: grid of optional player, rows: size, columns: size}}
    operations:
      put:
        choose: {{r: 1..size}}
        steps:
          twice: {{repeat: size * size / 2, effects: {{"board[r, 1]": me}}}}
    end:
      over: {{when: "{condition}", result: win}}
"""


@pytest.mark.parametrize(
    ("condition", "ends"),
    [
        ("any(inside(board, r + 2, 1) and board[r + 2, 1] == me for r in 1..2)", False),
        ("not inside(board, 3, 1) or board[3, 1] == me", True),
        ("board[0, 1] == me if inside(board, 0, 1) else board[1, 1] == me", True),
        ("inside(board, 3, 1) and any(board[3, 1] == me for b in 1..2)", False),
    ],
)
def test_a_cell_is_asked_for_only_if_it_is_inside(make: Make, condition: str, ends: bool) -> None:
    """With a small board it never is: that is no mistake."""
    game = make(CELLS.format(condition=condition))
    assert play(game, "put 1").is_over == ends


@pytest.mark.parametrize(
    "condition",
    [
        "board[3, 1] == me",
        "not inside(board, 3, 1) and board[3, 1] == me",
        "inside(board, 3, 2) and board[3, 1] == me",
    ],
)
def test_a_cell_that_can_never_be_there(make: Make, condition: str) -> None:
    with pytest.raises(rulegame.RulesetError) as caught:
        make(CELLS.format(condition=condition))
    assert [problem.code for problem in caught.value.diagnostics] == ["E309"]


def test_a_quotient_of_constants_is_a_constant(make: Make) -> None:
    """So the work of what is repeated so often is known."""
    (step,) = make(CELLS.format(condition="false")).ruleset.operations[0].steps
    assert isinstance(step, Effects) and step.repeat is not None
    assert step.repeat.type == Int(2, 2)


@pytest.mark.parametrize("left", [Int(-7, -2), Int(-5, 3), Int(0, 6), Int(4, 9)])
@pytest.mark.parametrize("right", [Int(-4, -2), Int(-1, 3), Int(0, 2), Int(1, 1), Int(2, 5)])
def test_what_is_known_of_a_quotient(left: Int, right: Int) -> None:
    """As narrow as can be, if the divisor is never zero."""
    found = {
        quotient(a, b)
        for a in range(left.low, left.high + 1)
        for b in range(right.low, right.high + 1)
        if b
    }
    known = bounds_of("/", [left, right])
    assert known.low <= min(found) and max(found) <= known.high
    if not right.low <= 0 <= right.high:
        assert known == Int(min(found), max(found))


def test_words_and_bools(make: Make) -> None:
    game = make(
        f"""
        state:
          light: {{type: red | amber | green, start: red}}
          walked: false
          next_light: {{type: optional red | amber | green}}
        operations:
          change:
            effects:
              light: green if light == red else amber if light == green else red
              walked: light == green
              next_light: light
          wait:
            when: walked
            effects:
              walked: not walked
        {TWO}
        """
    )
    start = game.start()
    assert (start["light"], start["walked"], start["next_light"]) == ("red", False, None)
    green = play(game, "change")
    assert (green["light"], green["walked"], green["next_light"]) == ("green", False, "red")
    amber = play(game, "change", "change")
    assert (amber["light"], amber["walked"], amber["next_light"]) == ("amber", True, "green")
    assert moves(amber) == ["change", "wait"]
    assert why(green, "wait") == "when"


# ---- lists, grids, sets


def test_a_choice_of_nothing_but_none(make: Make) -> None:
    game = make(
        f"""
        state:
          last: {{type: optional int, start: 3}}
        operations:
          go:
            choose:
              n: "[none]"
            effects:
              last: n
        {TWO}
        """
    )
    (move,) = game.start().moves
    assert (move.text, move.choices) == ("go none", (None,))
    assert game.parse_move("go none") == move == game.move("go", n=None)
    assert game.start().play(move)["last"] is None


@pytest.mark.parametrize("loop", ["", " for p in players if p == me"])
def test_a_list_of_one_and_a_grid_of_one_cell(make: Make, loop: str) -> None:
    """They are no single values: neither where they are written nor where rules read them."""
    game = make(
        f"""
        state:
          few: {{type: list of int, size: 1, start: 3}}
          cell: {{type: grid of int, rows: 1, columns: 1}}
          other: {{type: grid of int, rows: 1, columns: 1, start: 7}}
          each player:
            own: {{type: list of int, size: 1, start: 4}}
        operations:
          go:
            choose:
              i: few
            effects:
              few: "[few[1] + i]"
              own of {"p" if loop else "me"}{loop}: list(n + sum(few) for n in my.own)
              cell: other
        validity:
          listed: i in few and sum(my.own) > 0 and size(rows(cell)) == 1
        {TWO}
        """
    )
    state = play(game, "go 3")
    assert (state["few"], state["cell"], state["own"]) == ([6], [[7]], [[7], [4]])
    assert [move.text for move in state.moves] == ["go 6"]


def test_lists(make: Make) -> None:
    game = make(
        f"""
        parameters:
          given: {{default: [4, 5, 6], min: 0, max: 9}}
        state:
          three: {{type: list of int, size: 3, start: 7}}
          given: {{type: list of int, start: given}}
          flags: {{type: list of bool, size: 2}}
          owners: {{type: list of optional player, size: 2}}
          each player:
            pits: {{type: list of int, size: 2, start: 1}}
        operations:
          go:
            choose:
              i: 1..3
            effects:
              three[i]: given[i] * 10
              flags[2]: flags[1] == false
              owners[1]: them
              my.pits[1]: their.pits[2] + 5
              their.pits[2]: sum(pits of me)
              given: list(g + 1 for g in given)
        {TWO}
        """
    )
    after = play(game, "go 2")
    assert after["three"] == [7, 50, 7]
    assert after["given"] == [5, 6, 7]
    assert after["flags"] == [False, True]
    assert after["owners"] == [1, None]
    assert after["pits"] == [[6, 1], [1, 2]]


BOARD = """
    state:
      board:
        type: grid of int
        rows: 3
        columns: 4
        start: [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
      x: 0
    operations:
      go:
        effects:
          x: EXPRESSION
"""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("board[2, 3]", 7),
        ("sum(board)", 78),
        ("size(rows(board)) * 10 + size(columns(board))", 34),
        ("max(sum(r) for r in rows(board))", 42),
        ("min(sum(c) for c in columns(board))", 15),
        ("sum(neighbours(board, 1, 1))", 7),  # 2 and 5
        ("sum(neighbours(board, 2, 2))", 24),  # 2, 5, 7 and 10
        ("size(around(board, 1, 1)) * 100 + size(around(board, 2, 2))", 308),
        ("sum(around(board, 3, 4))", 26),  # 7, 8 and 11
        ("count(r for r in 0..4 for c in 0..5 if inside(board, r, c))", 12),
        ("count(r for r in 1..3 for c in 1..4 if inside(board, r, c))", 12),
        # three in a line: 3 x 2 along rows, 4 along columns, 2 + 2 along diagonals
        ("size(lines(board, 3))", 14),
        ("size(lines(board, 4))", 3),
        ("size(lines(board, 5))", 0),
        ("size(lines(board, 1))", 12),
        ("max(sum(cells) for cells in lines(board, 3))", 33),  # 10, 11 and 12
        ("1 if inside(board, 3, 4) and not inside(board, 4, 3) and not inside(board, 0, 1) else 0",
         1),
    ],
)  # fmt: skip
def test_grids(make: Make, expression: str, value: int) -> None:
    text = indented(dedent(BOARD).replace("EXPRESSION", expression), 0)
    assert play(make(f"{text}\n{TWO}\n"), "go")["x"] == value


def test_sets(make: Make) -> None:
    game = make(
        f"""
        state:
          bag: {{type: set of 1..5, start: '[1, 2, 4]'}}
          x: 0
        operations:
          draw:
            choose:
              n: bag
            effects:
              bag: without(bag, n)
              x: x * 10 + n
          put:
            choose:
              m: 1..6
            effects:
              bag: with(bag, m)
          swap:
            choose:
              pair: subsets(bag, 2)
            effects:
              bag: pair
              x: sum(pair)
        validity:
          not_there:
            require: m not in bag
          in_range:
            for: [put]
            require: m <= 5
        {TWO}
        """
    )
    start = game.start()
    assert start["bag"] == {1, 2, 4}
    assert moves(start) == [
        *("draw 1", "draw 2", "draw 4"),
        *("put 3", "put 5"),
        *("swap 1 2", "swap 1 4", "swap 2 4"),
    ]
    assert why(start, "put 4") == "not_there"
    assert why(start, "put 6") == "in_range"
    assert play(game, "draw 2")["bag"] == {1, 4}
    assert play(game, "put 5")["bag"] == {1, 2, 4, 5}
    assert play(game, "swap 2 4")["bag"] == {2, 4}
    assert play(game, "swap 2 4")["x"] == 6
    assert moves(play(game, "swap 2 4", "draw 2")) == ["draw 4", "put 1", "put 2", "put 3", "put 5"]
    assert game.move("swap", pair={4, 2}) == game.parse_move("swap 2 4")
    assert game.parse_move("swap 4 2") == game.parse_move("swap 2 4")


# ---- definitions


def test_definitions(make: Make) -> None:
    game = make(
        f"""
        parameters:
          target: {{default: 9, min: 1, max: 99}}
        define:
          half: target / 2
          left: target - number
          distance(n): abs(n - half)
          far(n): distance(n) > distance(half + step(1))
          step(k): k + bonus of me
          mine: bonus of me
        state:
          number: 0
          each player:
            bonus: seat(me)
        operations:
          add:
            choose:
              n: 1..6
            effects:
              number: number + n
        validity:
          near:
            require: not far(n)
          not_past_half_left:
            require: after.left >= distance(n) and after.step(0) == step(0)
        {TWO}
        """
    )
    # half = 4; for the first player step(1) = 2, so a number may be up to 2 away from 4: 2 to 6.
    # left after n = 9 - n, distance = |n - 4|: 7>=2, 6>=1, 5>=0, 4>=1, 3>=2.
    assert moves(game.start()) == ["add 2", "add 3", "add 4", "add 5", "add 6"]
    assert why(game.start(), "add 1") == "near"
    # for the second step(1) = 3: all are near enough; after add 5 and n there is 4 - n left,
    # and the distances are 3, 2, 1, 0, 1, 2.
    second = play(game, "add 5")
    assert moves(second) == ["add 1", "add 2", "add 3", "add 4"]
    assert why(second, "add 5") == "not_past_half_left"


# ---- effects and steps


def test_effects_happen_at_once(make: Make) -> None:
    game = make(
        f"""
        state:
          a: 1
          b: 2
          row: {{type: list of int, start: '[10, 20, 30]'}}
          each player:
            score: seat(me)
        operations:
          swap:
            effects:
              a: b
              b: a
              my.score: their.score
              their.score: my.score
          turn_round:
            effects:
              row[4 - i] for i in 1..3: row[i]
        {TWO}
        """
    )
    after = play(game, "swap")
    assert (after["a"], after["b"], after["score"]) == (2, 1, [2, 1])
    assert play(game, "turn_round")["row"] == [30, 20, 10]


def test_effects_for_every_element(make: Make) -> None:
    game = make(
        f"""
        players: [Ann, Bob, Cid]
        state:
          board: {{type: grid of int, rows: 2, columns: 3}}
          each player:
            score: 0
            pits: {{type: list of int, size: 2}}
        operations:
          go:
            choose:
              k: 1..3
            effects:
              score of p for p in players if p != me: seat(p)
              my.score: 10
              board[r, c] for r in 1..2 for c in 1..3 if mod(r + c, 2) == 0: r * 10 + c
              pits of p[i] for p in players for i in 1..2 if seat(p) <= k: i
        stuck: draw
        {TWO}
        """
    )
    after = play(game, "go 2")
    assert after["score"] == [10, 2, 3]
    assert after["board"] == [[11, 0, 13], [0, 22, 0]]
    assert after["pits"] == [[1, 2], [1, 2], [0, 0]]


@pytest.mark.parametrize(
    "effects",
    [
        ["row[i]: 1", "row[1]: 2"],
        ["row[1] for j in 1..2: j"],
        ["score of p for p in players: 1", "my.score: 2"],
    ],
)
def test_writing_a_value_twice_is_an_error(make: Make, effects: list[str]) -> None:
    game = make(
        f"""
        state:
          row: {{type: list of int, size: 2}}
          each player:
            score: 0
        operations:
          go:
            choose:
              i: 1..1
            effects:
              {effects[0]}
              {effects[-1] if len(effects) > 1 else ""}
        {TWO}
        """
    )
    with pytest.raises(rulegame.GameError) as error:
        play(game, "go 1")
    assert error.value.diagnostic.code == "E505"


MANCALA = """
    define:
      after_of(i): mod(i, 6) + 1
    state:
      pits: {type: list of int, size: 6, start: 2}
      hand: 0
      at: 1
      rounds: 0
      each player:
        store: 0
    operations:
      sow:
        choose:
          pit: list(i for i in 1..6 if pits[i] > 0)
        steps:
          lift:
            effects:
              hand: pits[pit]
              pits[pit]: 0
              at: pit
          drop:
            repeat: 48
            while: hand > 0
            effects:
              at: after_of(at)
              pits[after_of(at)]: pits[after_of(at)] + 1
              hand: hand - 1
          capture:
            when: pits[at] == 3
            effects:
              my.store: my.store + pits[at]
              pits[at]: 0
          count_rounds:
            repeat: 3
            effects:
              rounds: rounds + 1
    validity:
      keeps_the_first:
        require: after.pits[1] > 0 or after.my.store == 0
    end:
      four:
        when: my.store >= 4
        result: win
"""


def test_steps_repeat_while(make: Make) -> None:
    game = make(MANCALA)
    # from pit 2: one more in 3, one more in 4, where there are 3: captured
    after = play(game, "sow 2")
    assert after["pits"] == [2, 0, 3, 0, 2, 2]
    assert (after["store"], after["hand"], after["at"], after["rounds"]) == ([3, 0], 0, 4, 3)
    # from pit 5: around the corner into 6 and 1; taking pit 1 empty with a capture is barred
    assert why(game.start(), "sow 5") == "keeps_the_first"
    assert moves(game.start()) == ["sow 2", "sow 3", "sow 4", "sow 6"]
    # pit 1 goes to 2 and 3, a capture, and leaves pit 1 empty
    assert why(game.start(), "sow 1") == "keeps_the_first"
    # 3 goes to 4, 5, 6: the last has 3 again
    assert play(game, "sow 2", "sow 3")["pits"] == [2, 0, 0, 1, 3, 0]


@pytest.mark.parametrize(
    ("step", "count"),
    [
        ("repeat: 4", 4),
        ("repeat: 0", 0),
        ("repeat: y", 3),
        ("when: y == 3", 1),
        ("when: y == 4", 0),
        ("repeat: 100\n                while: x < 7", 7),
        ("when: y == 3\n                repeat: y", 3),
    ],
)
def test_how_often_a_step_is_done(make: Make, step: str, count: int) -> None:
    game = make(
        f"""
        state:
          x: 0
          y: 3
        operations:
          go:
            steps:
              more:
                {step}
                effects:
                  x: x + 1
        {TWO}
        """
    )
    assert play(game, "go")["x"] == count


# ---- players and turns


def test_three_players_take_turns(make: Make) -> None:
    game = make(
        f"""
        players: [Ann, Bob, Cid]
        state:
          each player:
            score: 0
        operations:
          add:
            effects:
              my.score: my.score + 1
        {TWO}
        stuck: draw
        """
    )
    assert [play(game, *["add"] * n).player for n in range(5)] == [0, 1, 2, 0, 1]
    assert play(game, *["add"] * 4)["score"] == [2, 1, 1]
    assert [play(game, *["add"] * n, first=2).player for n in range(3)] == [2, 0, 1]


def test_four_players_in_the_other_direction_and_extra_turns(make: Make) -> None:
    game = make(
        f"""
        players: [A, B, C, D]
        state:
          n: 0
        turn:
          next: previous(me)
        operations:
          step:
            effects:
              n: n + 1
          again:
            effects:
              n: n + 1
            next: me if n < 3 else next(me)
          to:
            choose:
              p: list(p for p in players if p != me)
            effects:
              n: n
            next: p
        {TWO}
        stuck: draw
        """
    )
    assert [play(game, *["step"] * n).player for n in range(5)] == [0, 3, 2, 1, 0]
    # `next` sees the state after the move: 1 and 2 are below 3
    assert [play(game, *["again"] * n).player for n in range(4)] == [0, 0, 0, 1]
    assert moves(game.start()) == ["step", "again", "to 2", "to 3", "to 4"]
    assert play(game, "to 3").player == 2
    assert game.move("to", p=2) == game.parse_move("to 3")


def test_a_game_for_one(make: Make) -> None:
    game = make(
        """
        players: [Solo]
        parameters:
          pegs: 3
        state:
          left: pegs
        operations:
          take:
            choose:
              n: 1..2
            effects:
              left: left - n
        validity:
          enough: after.left >= 0
        end:
          done:
            when: left == 0
            result: win
          one_left:
            when: left == 1
            result: lose
        """
    )
    won = play(game, "take 1", "take 2").outcome
    assert won == rulegame.Outcome((0,), (), draw=False, payoffs=(1,), rule="done")
    lost = play(game, "take 2").outcome
    assert lost == rulegame.Outcome((), (0,), draw=False, payoffs=(-1,), rule="one_left")


def test_who_moved_first(make: Make) -> None:
    game = make(
        """
        state:
          n: 0
        operations:
          add:
            effects:
              n: n + 1
          swap:
            when: me != first
            effects:
              n: n
        end:
          three:
            when: n == 3
            winners: first
        """
    )
    assert moves(game.start(1)) == ["add"]
    assert moves(play(game, "add", first=1)) == ["add", "swap"]
    for first in (0, 1):
        outcome = play(game, "add", "add", "add", first=first).outcome
        assert outcome is not None
        assert outcome.winners == (first,)


# ---- chance


def test_chance_inside_an_operation_keeps_its_choices(make: Make) -> None:
    game = make(
        f"""
        state:
          x: 0
          y: 0
          z: 0
        operations:
          bet:
            choose:
              stake: 1..3
              on: [2, 5]
            steps:
              pay:
                effects:
                  y: y - stake
              first:
                roll:
                  die: 1..6
              second:
                roll:
                  coin: 0..die - 1
              win:
                effects:
                  x: stake * 100 + on * 10 + die
                  z: y + coin
        validity:
          solvent: after.y >= y - 2
        {TWO}
        """
    )
    assert moves(game.start()) == ["bet 1 2", "bet 1 5", "bet 2 2", "bet 2 5"]
    rolling = play(game, "bet 2 5")
    assert rolling.player == rulegame.CHANCE
    assert rolling["y"] == -2
    assert moves(rolling) == [f"die {n}" for n in range(1, 7)]
    assert rolling != play(game, "bet 2 2")
    again = play(game, "bet 2 5", "die 3")
    assert again.player == rulegame.CHANCE
    assert moves(again) == ["coin 0", "coin 1", "coin 2"]
    after = play(game, "bet 2 5", "die 3", "coin 2")
    assert (after["x"], after["y"], after["z"], after.player) == (253, -2, 0, 1)


def test_two_rolls_in_a_turn(make: Make) -> None:
    game = make(
        f"""
        state:
          x: 0
        turn:
          roll:
            die: 1..3
            more: die..die + 1
        operations:
          add:
            effects:
              x: die * 10 + more
        validity:
          uneven: die != more
        stuck: pass
        {TWO}
        """
    )
    assert moves(game.start()) == ["die 1", "die 2", "die 3"]
    assert moves(play(game, "die 2")) == ["more 2", "more 3"]
    assert play(game, "die 2", "more 3", "add")["x"] == 23
    # who rolls the same twice is stuck and passes: the other's turn begins with a roll
    passed = play(game, "die 2", "more 2")
    assert passed.player == rulegame.CHANCE
    assert moves(passed) == ["die 1", "die 2", "die 3"]
    assert [event.kind for event in passed.events] == ["pass"]
    both = play(game, "die 2", "more 2", "die 1", "more 1")
    assert both.outcome is not None
    assert (both.outcome.rule, both.outcome.draw) == ("all_stuck", True)


def test_weighted_chance_and_drawing_without_replacement(make: Make) -> None:
    game = make(
        """
        state:
          copies: {type: list of int, start: '[2, 0, 1]'}
          total: 0
        turn:
          roll:
            card:
              from: 1..3
              weight: copies[card]
        operations:
          keep:
            effects:
              copies[card]: copies[card] - 1
              total: total + card
        end:
          empty:
            when: sum(copies) == 0
            result: win
        """
    )
    start = game.start()
    assert [(str(m), c) for m, c in start.chances] == [
        ("card 1", Fraction(2, 3)),
        ("card 3", Fraction(1, 3)),
    ]
    assert moves(start) == ["card 1", "card 3"]
    later = play(game, "card 1", "keep")
    assert [c for _, c in later.chances] == [Fraction(1, 2), Fraction(1, 2)]
    last = play(game, "card 1", "keep", "card 1", "keep")
    assert [(str(m), c) for m, c in last.chances] == [("card 3", Fraction(1))]
    outcome = last.play(last.moves[0]).play(game.parse_move("keep")).outcome
    assert outcome is not None
    assert outcome.winners == (0,)


def test_drawing_from_a_set_and_a_list_with_equal_elements(make: Make) -> None:
    game = make(
        f"""
        state:
          deck: {{type: set of 1..4, start: 1..4}}
          x: 0
        operations:
          draw:
            when: size(deck) > 2
            roll:
              card: deck
            effects:
              deck: without(deck, card)
          flip:
            roll:
              face: [7, 7, 8]
            effects:
              x: face
        {TWO}
        """
    )
    assert moves(play(game, "draw")) == ["card 1", "card 2", "card 3", "card 4"]
    later = play(game, "draw", "card 3", "draw")
    assert [(str(m), c) for m, c in later.chances] == [
        ("card 1", Fraction(1, 3)),
        ("card 2", Fraction(1, 3)),
        ("card 4", Fraction(1, 3)),
    ]
    assert moves(play(game, "draw", "card 3", "draw", "card 1")) == ["flip"]
    assert [(str(m), c) for m, c in play(game, "flip").chances] == [
        ("face 7", Fraction(2, 3)),
        ("face 8", Fraction(1, 3)),
    ]


# ---- validity


def test_validity_for_operations_and_shared_choices(make: Make) -> None:
    game = make(
        f"""
        state:
          x: 10
        operations:
          add:
            choose:
              n: 1..3
            effects:
              x: x + n
          scale:
            choose:
              n: 1..3
              k: 2..3
            effects:
              x: x * n - k
          rest:
            effects:
              x: x
        validity:
          not_two:
            require: n != 2
          only_scale:
            for: [scale]
            require: n < k
          both_named:
            require: n + k != 4
          bounded: after.x <= 12
        {TWO}
        """
    )
    start = game.start()
    # add 3 leads to 13; scale 1 2 to 8; scale 1 3 is barred as 1 + 3 is 4; scale 3 … by only_scale
    assert moves(start) == ["add 1", "scale 1 2", "rest"]
    assert [why(start, text) for text in ("add 2", "scale 2 2", "add 3")] == [
        "not_two",
        "not_two",
        "bounded",
    ]
    assert why(start, "scale 3 2") == "only_scale"
    assert why(start, "scale 1 3") == "both_named"


def test_each_of_many_rules_bars_its_move(make: Make) -> None:
    """However many rules there are, and wherever the one stands that a move breaks."""
    rules = "\n".join(f"          rule_{k}: {{require: n != {k}}}" for k in range(1, 61))
    game = make(
        f"""
        state:
          x: 0
        operations:
          go:
            choose: {{n: 1..62}}
            effects: {{x: n}}
        validity:
{rules}
        {TWO}
        """
    )
    start = game.start()
    assert moves(start) == ["go 61", "go 62"]
    assert [why(start, f"go {k}") for k in (1, 20, 60)] == ["rule_1", "rule_20", "rule_60"]


def test_rules_without_after_come_first(make: Make) -> None:
    game = make(
        f"""
        state:
          x: 0
        operations:
          add:
            choose:
              n: 1..3
            effects:
              x: x + n
        validity:
          small: after.x <= 1
          not_three: n != 3
        {TWO}
        """
    )
    assert why(game.start(), "add 2") == "small"
    assert why(game.start(), "add 3") == "not_three"


# ---- stuck


@pytest.mark.parametrize(
    ("stuck", "winners", "rule"),
    [
        ("stuck: lose", (1,), "stuck"),
        ("stuck: win", (0,), "stuck"),
        ("stuck: draw", (), "stuck"),
        ("stuck: {winners: them}", (1,), "stuck"),
        ("stuck: {payoff: '[3, 1]'}", (0,), "stuck"),
        ("stuck: pass", (), "all_stuck"),
        ("stuck: {result: pass, all: lose}", (1,), "all_stuck"),
        ("stuck: {result: pass, all: win}", (0,), "all_stuck"),
        ("stuck: {result: pass, all: {winners: them}}", (1,), "all_stuck"),
        ("stuck: {result: pass, all: {payoff: '[0, 5]'}}", (1,), "all_stuck"),
        ("", (1,), "stuck"),
    ],
)
def test_a_stuck_player(make: Make, stuck: str, winners: tuple[int, ...], rule: str) -> None:
    game = make(
        f"""
        state:
          x: 0
        operations:
          go:
            when: x > 0
            effects:
              x: 1
        {stuck}
        {TWO}
        """
    )
    state = game.start()
    assert state.moves == ()
    assert state.player is None
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.rule) == (winners, rule)
    assert state.outcome.draw == (not winners)


def test_a_pass_has_effects_and_an_end(make: Make) -> None:
    game = make(
        """
        state:
          n: 0
          each player:
            score: 3 * seat(me)
        operations:
          take:
            choose:
              k: 3..3
            effects:
              my.score: my.score - k
        validity:
          enough: after.my.score >= 0
        stuck:
          result: pass
          effects:
            my.score: my.score + 2
            n: n + 1
          all: draw
        end:
          three_passes:
            when: n == 3
            result: win
        """
    )
    state = play(game, "take 3", "take 3")  # 0 and 3: the first passes, has 2; the second moves
    assert (state["score"], state["n"], state.player) == ([2, 3], 1, 1)
    assert [(event.kind, event.player) for event in state.events] == [("pass", 0)]
    state = state.play(state.moves[0])  # 2 and 0: both pass in a row
    assert state.outcome is not None
    assert (state.outcome.rule, state.outcome.winners) == ("three_passes", (1,))
    assert state["score"] == [4, 2]


def test_stuck_unless_some_move_helps(make: Make) -> None:
    game = make(
        f"""
        state:
          x: 0
        operations:
          add:
            choose:
              n: 1..3
            effects:
              x: x + n
        stuck:
          unless: after.x in [2, 3, 5]
        {TWO}
        """
    )
    assert moves(game.start()) == ["add 1", "add 2", "add 3"]
    assert moves(play(game, "add 3")) == ["add 1", "add 2", "add 3"]
    outcome = play(game, "add 3", "add 3").outcome
    assert outcome is not None
    assert (outcome.rule, outcome.winners) == ("stuck", (1,))


def test_three_players_who_all_pass(make: Make) -> None:
    game = make(
        f"""
        players: [A, B, C]
        state:
          each player:
            left: seat(me)
        operations:
          take:
            effects:
              my.left: my.left - 1
        validity:
          some: my.left > 0
        stuck:
          result: pass
          all:
            winners: me
        {TWO}
        """
    )
    # A takes its one; then B, C; A passes; B, C; A and B pass; C takes its last: all pass, and
    # the first who passed is A.
    state = play(game, "take", "take", "take", "take", "take", "take")
    assert state["left"] == [0, 0, 0]
    assert [event.kind for event in state.events] == ["pass", "pass", "pass", "all_stuck"]
    assert state.outcome is not None
    assert (state.outcome.rule, state.outcome.winners) == ("all_stuck", (0,))
    assert state.outcome.losers == (1, 2)
    assert play(game, "take", "take", "take").player == 1
    assert play(game, *["take"] * 5).player == 2


# ---- ends

ENDS = """
    players: [A, B, C]
    state:
      each player:
        score: 0
    operations:
      go:
        choose:
          n: 0..9
        effects:
          my.score: n
    stuck: draw
    end:
      all_went:
        when: me == players[3]
        RESULT
"""


@pytest.mark.parametrize(
    ("result", "typed", "winners", "losers", "payoffs"),
    [
        ("winners: list(p for p in players if score of p == max(score))",
         "4 7 1", (1,), (0, 2), (-1, 1, -1)),
        ("winners: list(p for p in players if score of p == max(score))",
         "7 7 1", (0, 1), (2,), (1, 1, -1)),
        ("winners: list(p for p in players if score of p == max(score))",
         "7 7 7", (), (), (0, 0, 0)),
        ("winners: list(p for p in players if score of p > 9)", "1 2 3", (), (), (0, 0, 0)),
        ("winners: previous(me)", "1 2 3", (1,), (0, 2), (-1, 1, -1)),
        ("payoff: score", "4 7 1", (1,), (0, 2), (4, 7, 1)),
        ("payoff: list(score of p - 3 for p in players)", "5 5 0", (0, 1), (2,), (2, 2, -3)),
        ("payoff: score", "4 4 4", (), (), (4, 4, 4)),
        ("result: win", "1 2 3", (2,), (0, 1), (-1, -1, 1)),
        ("result: draw", "1 2 3", (), (), (0, 0, 0)),
        ("result: win if my.score > 2 else draw", "1 2 3", (2,), (0, 1), (-1, -1, 1)),
        ("result: win if my.score > 2 else draw", "1 2 2", (), (), (0, 0, 0)),
    ],
)  # fmt: skip
def test_who_wins(
    make: Make,
    result: str,
    typed: str,
    winners: tuple[int, ...],
    losers: tuple[int, ...],
    payoffs: tuple[int, ...],
) -> None:
    game = make(dedent(ENDS).replace("RESULT", result))
    outcome = play(game, *(f"go {n}" for n in typed.split())).outcome
    draw = not winners
    assert outcome == rulegame.Outcome(winners, losers, draw, payoffs, "all_went")


def test_end_rules_are_asked_in_order_and_not_before_the_first_move(make: Make) -> None:
    game = make(
        """
        state:
          n: 0
        operations:
          add:
            choose:
              k: 0..2
            effects:
              n: n + k
        end:
          zero: {when: n == 0, result: lose}
          even: {when: "mod(n, 2) == 0", result: win}
          four: {when: n == 4, result: draw}
        """
    )
    assert game.start().outcome is None
    for typed, rule in (("add 0", "zero"), ("add 2", "even")):
        outcome = play(game, typed).outcome
        assert outcome is not None
        assert outcome.rule == rule
    assert play(game, "add 1").outcome is None


# ---- secrets and setup


def test_rock_paper_scissors(make: Make) -> None:
    game = make(
        """
        state:
          each player:
            hand: {type: optional rock | paper | scissors, seen by: owner}
        operations:
          throw_rock:
            effects:
              my.hand: rock
          throw_paper:
            effects:
              my.hand: paper
          throw_scissors:
            effects:
              my.hand: scissors
        define:
          beats(p, q): >-
            hand of p == rock and hand of q == scissors
            or hand of p == scissors and hand of q == paper
            or hand of p == paper and hand of q == rock
        end:
          shown:
            when: all(h != none for h in hand)
            winners: list(p for p in players if any(beats(p, q) for q in players))
        """
    )
    thrown = [play(game, text) for text in moves(game.start())]
    assert len({state.view(1) for state in thrown}) == 1
    assert len({state.view(0) for state in thrown}) == 3
    assert thrown[0].view(1)["hand"] == [rulegame.HIDDEN, None]
    outcomes = {
        (one, two): play(game, f"throw_{one}", f"throw_{two}").outcome
        for one in ("rock", "paper", "scissors")
        for two in ("rock", "paper", "scissors")
    }
    winners = {hands: outcome.winners for hands, outcome in outcomes.items() if outcome}
    assert winners == {
        ("rock", "rock"): (),
        ("rock", "paper"): (1,),
        ("rock", "scissors"): (0,),
        ("paper", "rock"): (0,),
        ("paper", "paper"): (),
        ("paper", "scissors"): (1,),
        ("scissors", "rock"): (1,),
        ("scissors", "paper"): (0,),
        ("scissors", "scissors"): (),
    }


def test_a_setup_with_two_entries_and_a_sealed_value(make: Make) -> None:
    game = make(
        f"""
        state:
          sealed: {{start: 0, seen by: nobody}}
          each player:
            colour: {{type: optional int}}
            hand: {{type: set of 1..3, seen by: owner}}
            own_sealed: {{start: 0, seen by: nobody}}
        setup:
          pick:
            choose:
              number: 1..3
            effects:
              my.colour: number
              sealed: sealed * 10 + number
          deal:
            choose:
              cards: subsets(1..3, 2)
            effects:
              my.hand: cards
        operations:
          go:
            choose:
              n: my.hand
            effects:
              my.hand: without(my.hand, n)
        {TWO}
        """
    )
    state = game.start(1)
    seats = []
    for text in ("pick 2", "pick 3", "deal 1 2", "deal 2 3"):
        seats.append(state.player)
        state = state.play(game.parse_move(text))
    assert seats == [0, 1, 0, 1]
    assert state.player == 1
    assert moves(state) == ["go 2", "go 3"]
    assert (state["colour"], state["sealed"]) == ([2, 3], 23)
    view = state.view(0)
    assert view["sealed"] is rulegame.HIDDEN
    assert view["own_sealed"] == [rulegame.HIDDEN, rulegame.HIDDEN]
    assert view["hand"] == [{1, 2}, rulegame.HIDDEN]
    assert view["colour"] == [2, 3]


# ---- a larger game


CONNECT_FOUR = """
    parameters:
      rows: {default: 6, min: 1, max: 9}
      columns: {default: 7, min: 1, max: 9}
    state:
      board: {type: grid of optional player, rows: rows, columns: columns}
    define:
      landing(c): max(r for r in 1..rows if board[r, c] == none)
    operations:
      drop:
        choose:
          c: list(c for c in 1..columns if board[1, c] == none)
        effects:
          board[landing(c), c]: me
    end:
      four:
        when: any(all(x == me for x in line) for line in lines(board, 4))
        result: win
      full:
        when: all(x != none for x in board)
        result: draw
"""


def test_connect_four(make: Make) -> None:
    game = make(CONNECT_FOUR)
    state = play(game, "drop 4", "drop 4", "drop 3")
    assert state["board"][5] == [None, None, 0, 0, None, None, None]
    assert state["board"][4][3] == 1
    assert [rulegame.perft(game, depth) for depth in range(1, 6)] == [7, 49, 343, 2401, 16807]
    columns = play(game, *["drop 1"] * 6)
    assert moves(columns) == [f"drop {c}" for c in range(2, 8)]
    upright = play(game, *["drop 1", "drop 2"] * 3, "drop 1").outcome
    assert upright == rulegame.Outcome((0,), (1,), draw=False, payoffs=(1, -1), rule="four")
    typed = [1, 2, 2, 3, 3, 4, 3, 4, 4, 6, 4]  # 1 1, 2 2, 3 3, 4 4 from below
    slanting = play(game, *(f"drop {c}" for c in typed)).outcome
    assert slanting is not None
    assert slanting.winners == (0,)


def test_a_small_board_is_full(make: Make) -> None:
    game = make(CONNECT_FOUR, rows=1, columns=2)
    outcome = play(game, "drop 2", "drop 1").outcome
    assert outcome is not None
    assert (outcome.draw, outcome.rule) == (True, "full")


# ---- variants


@pytest.fixture
def variant(tmp_path: Path) -> Callable[[str], rulegame.Game]:
    """A variant of the ruleset `parent.yaml`, and of a variant of that (`child.yaml`)."""
    files = {
        "parent.yaml": """
            rulegame: 1
            title: Parent
            parameters:
              start: {default: 10, min: 5, max: 20}
            state:
              x: {start: start}
            operations:
              add:
                label: Plus
                effects:
                  x: x + 1
              double:
                effects:
                  x: x * 2
            validity:
              small: after.x <= 30
              not_even:
                require: mod(after.x, 2) == 1
            end:
              won: {when: x > 28, result: win}
            claims: {no_draws: true}
            tests:
              adding:
                play: [add]
                expect:
                  values: {x: 11}
        """,
        "child.yaml": """
            rulegame: 1
            extends: parent.yaml
            title: Child
            parameters:
              start: 7
            validity:
              not_even: null
              not_three_times:
                before: small
                require: mod(after.x, 3) != 0
            operations:
              halve:
                before: double
                effects:
                  x: x / 2
        """,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(dedent(text).lstrip(), encoding="utf-8")

    def game(text: str) -> rulegame.Game:
        path = tmp_path / "variant.yaml"
        path.write_text("rulegame: 1\n" + dedent(text), encoding="utf-8")
        return rulegame.load(path)

    return game


def test_a_variant_of_a_variant(variant: Callable[[str], rulegame.Game]) -> None:
    game = variant(
        """
        extends: child.yaml
        operations:
          add:
            effects:
              x: x + 3
          double: null
        """
    )
    start = game.start()
    assert game.ruleset.title == "Child"
    assert start["x"] == 7
    assert moves(start) == ["add"]  # to 10; half of 7 is 3
    assert [operation.name for operation in game.ruleset.operations] == ["add", "halve"]
    assert game.ruleset.operations[0].label == "Plus"
    assert [rule.name for rule in game.ruleset.validity] == ["not_three_times", "small"]
    assert not game.ruleset.tests


def test_a_short_form_keeps_the_bounds(variant: Callable[[str], rulegame.Game]) -> None:
    with pytest.raises(rulegame.RulesetError) as error:
        variant("extends: child.yaml\nparameters: {start: 21}\n")
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == ["E401"]
    assert variant("extends: child.yaml\nparameters: {start: 20}\n").start()["x"] == 20


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("extends: parent.yaml\n", ["add"]),  # 11; 20 is even
        ("extends: parent.yaml\nvalidity: null\n", ["add", "double"]),
        ("extends: parent.yaml\nvalidity: {small: after.x <= 10}\n", []),
        ("extends: child.yaml\n", ["add", "double"]),  # 8, 14; 3 is barred
        ("extends: child.yaml\nvalidity: {not_three_times: null}\n", ["add", "halve", "double"]),
        ("extends: child.yaml\noperations: {add: null}\n", ["double"]),
    ],
)
def test_variants(variant: Callable[[str], rulegame.Game], text: str, valid: list[str]) -> None:
    assert moves(variant(text).start()) == valid


def test_a_rule_for_many_operations_counts_for_each_of_them() -> None:
    """Operations that have the same names share what the rule means, but each is compiled."""
    operations = "".join(f"  o{k}: {{effects: {{a: a + 1}}}}\n" for k in range(400))
    rules = "".join(f"  v{k}: {{require: a + {k} > a}}\n" for k in range(40))
    text = f"rulegame: 1\ntitle: T\nstate: {{a: 0}}\noperations:\n{operations}validity:\n{rules}"
    text += "end: {done: {when: a > 9, result: win}}\n"
    (problem,) = rulegame.validate_text(text)
    assert (problem.code, problem.span.line) == ("E311", 430)


def test_a_rule_means_something_else_where_its_names_do(make: Make) -> None:
    game = make("""
state: {a: 0}
operations:
  one: {choose: {n: 1..3}, effects: {a: n}}
  two: {choose: {n: 2..5}, effects: {a: n}}
  three: {choose: {n: 1..3}, effects: {a: a + n}}
validity:
  small: {require: n * n < 10 and after.a < 3, because: "{n} is too large for {label}"}
end:
  done: {when: a > 9, result: win}
""")
    assert [move.text for move in game.start().moves] == [
        "one 1", "one 2", "two 2", "three 1", "three 2",
    ]  # fmt: skip
    assert str(game.start().why_not(game.move("two", n=3))).startswith("small: 3 is too large")


SETS = """\
state:
  s: {type: set of 1..5, start: [2, 3]}
  t: {type: set of 0..9, start: [3, 9]}
  row: {start: [4, -1, 4]}
  x: 0
operations:
  op: {effects: {x: "EXPRESSION"}}
end:
  over: {when: x != 0, result: win}
"""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("sum(union(s, [5, 1]))", 11),
        ("sum(union(s, with(s, 4), 1..2))", 10),
        ("sum(union(t, s))", 14),
        ("sum(intersection(s, t))", 3),
        ("sum(intersection(s, -9..2, s))", 2),
        ("sum(difference(s, t, [77]))", 2),
        ("sum(complement(s))", 10),
        ("size(complement(t))", 8),
        ("sorted(row)[1] + 10 * sorted(s)[2]", 29),
        ("sum(highest(row, 2))", 8),
        ("highest(s, 9)[1]", 3),
        ("size(lowest(row, 2 - 3)) + 1", 1),
        ("size(lowest(row, 2))", 2),
        ("sum(lowest(row, 2))", 3),
        ("count(z for z in subsets(s))", 4),
        ("sum(size(z) for z in subsets(1..3))", 12),
    ],
)
def test_sets_together_and_numbers_in_order(make: Make, expression: str, value: int) -> None:
    game = make(SETS.replace("EXPRESSION", expression))
    assert game.start(first=0).play("op")["x"] == value


@pytest.mark.parametrize("expression", ["sum(union(s, t))", "sum(union(s, [6]))"])
def test_what_has_no_place_in_a_set(make: Make, expression: str) -> None:
    game = make(SETS.replace("EXPRESSION", expression))
    with pytest.raises(rulegame.GameError):
        game.start(first=0).play("op")


def test_a_definition_comes_before_a_function_that_is_younger(make: Make) -> None:
    text = SETS.replace("EXPRESSION", "union(2, 3) + sorted")
    game = make(text + "define:\n  union(a, b): a * b\n  sorted: 1\n")
    assert game.start(first=0).play("op")["x"] == 7


def test_words_to_choose_and_to_roll(make: Make) -> None:
    game = make(
        """\
state:
  points: 0
  last: {type: optional rock | paper, start: none}
operations:
  throw:
    choose: {what: rock | paper}
    roll: {coin: heads | tails}
    effects: {last: what, points: "points + (2 if coin == heads and what == rock else 1)"}
end:
  over: {when: points >= 2, result: win}
"""
    )
    state = game.start(first=0)
    assert [str(move) for move in state.moves] == ["throw rock", "throw paper"]
    state = state.play("throw rock")
    assert [str(move) for move, _ in state.chances] == ["coin heads", "coin tails"]
    assert state.play("coin heads")["points"] == 2
    assert state.play("coin tails")["last"] == "rock"


def test_one_effect_for_all_players(make: Make) -> None:
    game = make(
        """\
state:
  n: 0
  each player:
    card: {type: optional int}
    done: false
operations:
  deal: {choose: {a: 1..3}, effects: {card: "[a, none]", n: n + 1}}
  turn: {effects: {card: "list(card of next(p) for p in players)", done: "[true, my.done]"}}
end:
  over: {when: n == 9, result: win}
"""
    )
    state = game.start(first=0).play("deal 2")
    assert state["card"] == [2, None]
    state = state.play("turn")
    assert (state["card"], state["done"]) == ([None, 2], [True, False])
