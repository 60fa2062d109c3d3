"""Sets of many numbers: held against Python's own, by Python and by machine code."""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random
from typing import Final

import pytest

import rulegame
from engine.native.test_machine_kernel import Comparison
from rulegame.game import Game, State
from rulegame.ruletests.running import run_tests

LOW, HIGH = -7, 140
RULESET: Final = f"""\
rulegame: 1
title: Wide sets
state:
  narrow: {{type: set of {LOW}..40, start: "[-7, 0, 40]"}}
  wide: {{type: set of {LOW}..{HIGH}, start: "[-7, 54, 55, 116, 117, 140]"}}
  other: {{type: set of {LOW}..120, start: 1..100}}
  widest: {{type: set of -200..311}}
  n: 0
  each player:
    own: {{type: set of {LOW}..{HIGH}, start: "[seat(me), 60]"}}
operations:
  put: {{choose: {{k: "{LOW}..{HIGH}"}}, effects: {{wide: "with(wide, k)", n: n + 1}}}}
  drop: {{choose: {{k: "-12..145"}}, effects: {{wide: "without(wide, k)", n: n + 1}}}}
  take: {{choose: {{k: wide}}, effects: {{wide: "without(wide, k)", my.own: "with(my.own, k)"}}}}
  join: {{effects: {{wide: "union(wide, other, narrow, [k for k in 3..9])", n: n + 1}}}}
  meet: {{effects: {{wide: "intersection(wide, other, -3..130)", own: "[own[2], their.own]"}}}}
  part:
    effects: {{wide: "difference(wide, narrow, [55, 200])", other: "difference(other, wide)"}}
  turn: {{effects: {{wide: complement(wide), widest: "union(widest, complement(other))"}}}}
  fit: {{effects: {{narrow: wide, n: size(wide)}}}}
  shrink: {{effects: {{other: wide if n > 3 else narrow, n: sum(wide) - max(other)}}}}
  widen: {{effects: {{wide: narrow, n: "count(k for k in widest if k > 30)"}}}}
  all: {{effects: {{"own of p for p in players": "union(own of p, [seat(p), 70])"}}}}
  cast:
    roll: {{d: {{from: wide, weight: 9 + d}}, e: other}}
    effects: {{other: "without(other, d)", n: "n + 1 if d in other else size(highest(wide, 3))"}}
validity:
  some: size(after.wide) > 0
  others: "after.wide != my.own and other != narrow"
end:
  over: {{when: "n > 40 or own[1] == own[2] or wide in [narrow, other]", result: draw}}
""".replace("[k for k in 3..9]", "list(k for k in 3..9)")


@pytest.fixture(scope="module")
def game() -> Game:
    return rulegame.loads(RULESET)


def after(state: State, move: str) -> dict[str, set[int]] | None:
    """What becomes of the sets, by Python's own; None if there is no place for a number."""
    narrow, wide, other = (set(state[name]) for name in ("narrow", "wide", "other"))
    widest, own = set(state["widest"]), [set(one) for one in state["own"]]
    me, (name, *given) = state.player, move.split()
    assert me is not None
    match name:
        case "put":
            wide |= {int(given[0])}
        case "drop":
            wide -= {int(given[0])}
        case "take":
            wide, own[me] = wide - {int(given[0])}, own[me] | {int(given[0])}
        case "join":
            wide |= other | narrow | set(range(3, 10))
        case "meet":
            wide, own = wide & other & set(range(-3, 131)), [own[1], own[1 - me]]
        case "part":
            wide, other = wide - narrow - {55, 200}, other - wide
        case "turn":
            widest |= set(range(LOW, 121)) - other
            wide = set(range(LOW, HIGH + 1)) - wide
        case "fit":
            narrow = wide
        case "shrink":
            other = wide if state["n"] > 3 else narrow
        case "widen":
            wide = narrow
        case "all":
            own = [one | {seat, 70} for seat, one in enumerate(own, 1)]
    fitting = wide <= set(range(LOW, HIGH + 1)) and other <= set(range(LOW, 121))
    if not fitting or not narrow <= set(range(LOW, 41)):
        return None
    return {"narrow": narrow, "wide": wide, "other": other, "widest": widest, **dict(
        zip(("own 1", "own 2"), own, strict=True)
    )}  # fmt: skip


def sets_of(state: State) -> dict[str, set[int]]:
    found = {name: set(state[name]) for name in ("narrow", "wide", "other", "widest")}
    return found | {f"own {seat}": set(one) for seat, one in enumerate(state["own"], 1)}


@pytest.mark.parametrize("seed", range(12))
def test_the_same_as_pythons_own(game: Game, seed: int) -> None:
    rng, state, compared = Random(seed), game.start(first=seed % 2), 0
    for _ in range(40):
        if state.is_over:
            break
        if state.chances:
            state = state.play(rng.choice([roll for roll, _ in state.chances]))
            continue
        operation = rng.choice(sorted({move.operation for move in state.moves}))
        moves = [move for move in state.moves if move.operation == operation]
        move = rng.choice(moves)
        expected = after(state, str(move))
        if expected is None:
            with pytest.raises(rulegame.GameError, match="cannot be in a set of"):
                state.play(move)
            continue
        state = state.play(move)
        if not state.chances:
            compared += 1
            assert sets_of(state) == expected, move
    assert compared > 0


@pytest.mark.parametrize("seed", range(6))
def test_machine_code_does_the_same(game: Game, seed: int) -> None:
    compared = Comparison(game.kernel)
    compared.play(seed % 2, Random(seed), 40)


EXPRESSIONS: Final = """\
rulegame: 1
title: Expressions
state:
  s: {type: set of 1..100, start: "[3, 62, 63, 100]"}
  t: {type: set of 1..70, start: "[3, 70]"}
  u: {type: set of 0..100, start: "[0, 63]"}
  n: {type: set of 1..9, start: "[3, 9]"}
  each player: {own: {type: set of 1..100, start: "[seat(me), 90]"}}
  x: 0
operations:
  op: {effects: {x: "EXPRESSION"}}
end:
  over: {when: x != 0, result: win}
"""


def outcome_of(expression: str) -> int:
    """What an expression comes to, by Python and by machine code."""
    game = rulegame.loads(EXPRESSIONS.replace("EXPRESSION", expression))
    compared, start = Comparison(game.kernel), game.kernel.start(0)
    for code in compared.options(start) or ():
        compared.after(start, code)
    value: int = game.start(first=0).play("op")["x"]
    return value


@pytest.mark.quick(12)
@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("sum(s)", 228),
        ("size(s) + 10 * size(complement(s))", 964),
        ("sum(union(s, t))", 298),
        ("sum(union(s, n, [4]))", 241),
        ("sum(intersection(s, u, t, 1..99)) + 1", 1),
        ("sum(difference(s, u, t)) + size(difference(t, s))", 163),
        ("sum(union(n, intersection(s, 1..9)))", 12),
        ("sum(difference(n, s)) + 20 * sum(intersection(n, s))", 69),
        ("1 if 62 in s and 64 not in s and 0 not in s and 101 not in s else 2", 1),
        ("1 if 0 in u and 9223372036854775807 not in u else 2", 1),
        ("sorted(s)[2] + highest(s, 1)[1]", 162),
        ("sum(lowest(s, 3)) - min(t) + max(u)", 188),
        ("1 if with(without(without(s, 62), 63), 1) == with(without(n, 9), 1) else 2", 2),
        ("1 if intersection(s, n) == without(n, 9) else 2", 1),
        ("1 if without(t, 70) == intersection(n, [3]) == intersection(s, t) else 2", 1),
        ("sum(s if size(t) > 2 else t)", 73),
        ("sum(n if size(t) == 2 else s)", 12),
        ("sum(own[1]) + 1000 * sum(own[size(t)])", 92091),
        ("count(p for p in players if own of p != s and 90 in own of p)", 2),
        ("sum(size(one) for one in own) + sum(sum(one) for one in [n, t, s])", 317),
        ("1 if s in [n, t] else 2 if t in [s, t] else 3", 2),
        ("count(one for one in list(own of p for p in players) if one == own[1])", 1),
        ("sum(a * b for a in s if a > 62 for b in t if b > 3)", 11410),
    ],
)
def test_expressions(expression: str, value: int) -> None:
    assert outcome_of(expression) == value


WRITTEN: Final = """\
rulegame: 1
title: Written
state: {s: {type: set of 1..RANGE, start: 1..3}, t: {type: set of 1..RANGE}, n: 0}
operations:
  clear: {effects: {s: "[]"}}
  some: {choose: {k: 1..9}, effects: {s: "[k, 2, k]", n: n + 1}}
  many: {choose: {k: 1..9}, effects: {s: 3..k}}
  maybe: {choose: {k: 1..9}, effects: {t: "[] if k > 5 else s", s: "with(s, 1) if k > 4 else [k]"}}
validity: {not_twice: "s != [] or after.s != []"}
end: {over: {when: "n > 9 or (t != [] and [] == s)", result: win}}
"""


@pytest.mark.parametrize("most", [9, 200])
def test_lists_that_are_written_to_sets(most: int) -> None:
    game = rulegame.loads(WRITTEN.replace("RANGE", str(most)))
    state = game.start(first=0).play("clear")
    assert state["s"] == frozenset()
    assert "clear" not in map(str, state.moves) and "many 2" not in map(str, state.moves)
    assert state.play("some 2")["s"] == {2}
    assert state.play("many 5")["s"] == {3, 4, 5}
    assert state.play("maybe 3")["s"] == {3}
    assert game.start(first=0).play("maybe 4")["t"] == {1, 2, 3}
    compared = Comparison(game.kernel)
    for seed in range(4):
        compared.play(0, Random(seed), 30)
    assert compared.given_up == 0


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("size(with(s, 101))", r"101 cannot be in a set of 1\.\.100"),
        ("size(with(s, 0))", r"0 cannot be in a set of 1\.\.100"),
        ("size(union(t, s))", r"100 cannot be in a set of 1\.\.70"),
        ("size(union(s, u))", r"0 cannot be in a set of 1\.\.100"),
        ("size(union(n, t))", r"70 cannot be in a set of 1\.\.9"),
        ("size(union(s, [5, 700]))", r"700 cannot be in a set of 1\.\.100"),
        ("size(own[size(s)])", r"outside 1\.\.2"),
    ],
)
def test_what_has_no_place(expression: str, message: str) -> None:
    with pytest.raises(rulegame.GameError, match=message):
        outcome_of(expression)


BINGO: Final = """\
rulegame: 1
title: Bingo
state:
  left: {type: SET, start: "[5, 150, 300]"}
  each player: {got: {type: SET, seen by: owner}}
operations:
  take:
    choose: {n: left}
    effects: {left: "without(left, n)", my.got: "with(my.got, n)"}
    texts: {chosen: "Left: {left}.", updated: "{for n in left}<{n}>{end} of {size(left)}"}
end:
  over: {when: size(left) == 0, winners: "list(p for p in players if size(got of p) > 1)"}
tests:
  the last:
    given: {left: [300], got: [[5], [150]]}
    play: [take 300]
    expect: {values: {left: [], got: [[5, 300], [150]]}, outcome: {winner: 1}}
  what is left is printed:
    play: [take 150]
    expect: {printed: "Left: 5, 300.\\n<5><300> of 2"}
"""


@pytest.fixture(scope="module")
def bingo() -> Game:
    return rulegame.loads(BINGO.replace("SET", "set of 5..516"))


def test_a_game_around_a_wide_set(bingo: Game) -> None:
    state = bingo.start(first=0)
    assert state["left"] == {5, 150, 300}
    assert list(map(str, state.moves)) == ["take 5", "take 150", "take 300"]
    state = state.play("take 150")
    assert state.view(1)["left"] == {5, 300}
    assert state.view(0)["got"][0] == {150}
    assert state.view(1)["got"][0] is rulegame.HIDDEN
    assert pickle.loads(pickle.dumps(state)) == state
    assert bingo.begin({"left": {5, 300}, "got": [{150}, []]}, first=1) == state


def test_it_is_tested_explored_and_numbered(tmp_path: Path) -> None:
    """As one with narrow sets of the same numbers is."""
    wide = BINGO.replace("SET", "set of 5..516").replace(", seen by: owner", "")
    narrow = wide.replace("5..516", "5..60").replace("150", "50").replace("300", "60")
    for name, text in (("wide", wide), ("narrow", narrow)):
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
        tested = run_tests(tmp_path / f"{name}.yaml")
        assert [result.failures for result in tested.results] == [(), ()]
    games = [rulegame.loads(wide), rulegame.loads(narrow)]
    assert len({len(rulegame.explore(game)) for game in games}) == 1
    assert len({rulegame.perft(game, 3) for game in games}) == 1
    assert [len(game.actions) for game in games] == [512, 56]


def test_values_from_outside(bingo: Game) -> None:
    for wrong in ([517], ["a"], 5, "5"):
        with pytest.raises(ValueError, match="left must be"):
            bingo.begin({"left": wrong})


LETS: Final = """\
rulegame: 1
title: Values of a move
state:
  left: {type: set of 1..100, start: 1..100}
  zeros: {type: set of 0..9, start: "[0, 4]"}
  n: 0
operations:
  go:
    choose: {k: "lowest(left, 3)"}
    let:
      few: {type: set of 1..RANGE, start: "[k, 7, k]"}
      none_yet: {type: set of 1..RANGE}
      others: {type: set of 1..RANGE, start: "difference(zeros, [0])"}
      low: {type: set of 1..9, start: "[2]"}
    steps:
      draw:
        roll: {d: few}
        effects: {none_yet: "[d]", low: "with(low, mod(d, 9) + 1)"}
      more:
        repeat: 2
        roll: {e: "highest(left, 2)"}
        effects: {few: "union(few, none_yet, low)"}
      done:
        effects: {left: "difference(left, few, others)", n: "n + size(few) * 10 + size(others)"}
end: {over: {when: n > 150, result: win}}
"""


@pytest.mark.parametrize("most", [60, 100])
def test_values_of_a_move(most: int) -> None:
    game = rulegame.loads(LETS.replace("RANGE", str(most)))
    state = game.start(first=0)
    for text in ("go 3", "d 7", "e 99", "e 100"):
        state = state.play(text)
    assert state["left"] == set(range(1, 101)) - {2, 3, 4, 7, 8}
    assert state["n"] == 41  # 2, 3, 7 and 8; and 4
    compared = Comparison(game.kernel)
    for seed in range(4):
        compared.play(0, Random(seed), 40)
    assert compared.given_up == 0
