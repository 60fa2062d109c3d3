"""Rules carried out for many states at once lead to the same states as one by one."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import indent

import numpy as np
import pytest

import rulegame
from rulegame.exploring import StateGraph
from rulegame.exploring import explorer as exploring
from rulegame.lockstep import calls as lockstep_calls
from rulegame.lockstep import many
from rulegame.lockstep.kernel import ArrayKernel
from rulegame.lockstep.names import mixed_names

# Together they use every kind of value, loop and function.
HEAD = "rulegame: 1\ntitle: Game\n"
RULESETS = {
    "sets and sums": """\
state:
  left: {type: set of 1..7, start: "[1, 2, 3, 4, 5, 7]"}
  each player:
    have: {type: set of 1..7}
operations:
  take:
    choose: {n: left}
    effects:
      left: without(left, n)
      my.have: with(my.have, n)
end:
  three:
    when: any(a + b == 9 for a in my.have for b in my.have if a < b) and size(my.have) > 2
    result: win
  none_left: {when: size(left) == 0, result: draw}
""",
    "a grid with neighbours": """\
state:
  board: {type: grid of optional player, rows: 2, columns: 4}
operations:
  place:
    choose: {r: 1..2, c: 1..4}
    effects: {"board[r, c]": me}
validity:
  empty: {require: "board[r, c] == none"}
  alone: {require: "count(x for x in neighbours(board, r, c) if x == me) < 2"}
stuck: {result: pass, all: draw}
end:
  pairs: {when: "count(l for l in lines(board, 2) if all(x == me for x in l)) >= 2", result: win}
  full: {when: "all(x != none for x in board)", result: draw}
""",
    "pits that are sown": """\
state:
  pits: {type: list of int, size: 4, start: 2}
  hand: 0
  at: 1
  each player: {store: 0}
operations:
  sow:
    choose: {i: 1..4}
    steps:
      lift: {effects: {hand: "pits[i]", "pits[i]": 0, at: i}}
      drop:
        repeat: 8
        while: hand > 0
        effects:
          at: mod(at, 4) + 1
          "pits[mod(at, 4) + 1]": "pits[mod(at, 4) + 1] + 1"
          hand: hand - 1
      capture:
        when: "pits[at] > 2"
        effects: {my.store: "my.store + pits[at]", "pits[at]": 0}
    next: "me if pits[at] == 1 else them"
validity: {some: {require: "pits[i] > 0"}}
stuck: {result: pass, all: {winners: "list(p for p in players if store of p == max(store))"}}
end:
  empty: {when: "sum(pits) == 0", winners: "list(p for p in players if store of p == max(store))"}
""",
    "words, none and quotients": """\
state:
  light: {type: red | amber | green, start: red}
  last: {type: optional int}
  on: false
  number: {start: 40}
operations:
  halve:
    effects: {number: number / 2, on: not on, last: number}
  lower:
    choose: {n: 1..3}
    effects:
      number: "max(number - n * (2 if light == red else 1), -5)"
      light: "amber if light == red else green if light == amber else red"
      last: "n if on else none"
validity:
  not_again: {require: last == none or last != n}
  close: {require: "abs(after.number - number) <= 25"}
end:
  zero: {when: "number <= 0 and mod(number, 2) == 0", result: "win if number == 0 else lose"}
  below: {when: number < 0, result: "lose if on else draw"}
""",
    "all at once": """\
players: [A, B]
state:
  each player: {score: 3, best: 0}
turn:
  roll: {die: {from: 1..3, weight: die}}
operations:
  hit:
    effects:
      "score of p for p in players if p != me": score of p - die
      my.best: "max(my.best, die)"
  swap:
    when: my.score != their.score
    effects: {my.score: their.score, their.score: my.score}
stuck: {unless: after.my.score > -2, result: lose}
end:
  down:
    when: min(score) <= 0
    winners: list(p for p in players if score of p > 0)
""",
    "a weight that depends on the state": """\
state: {red: 3, blue: 2}
operations:
  draw:
    roll:
      ball: {from: 1..2, weight: red if ball == 1 else blue}
    effects:
      red: "red - 1 if ball == 1 else red"
      blue: "blue - 1 if ball == 2 else blue"
end:
  empty: {when: red + blue == 0, result: win}
  gone: {when: blue == 0, result: lose}
""",
    "a pass that keeps what was rolled": """\
state: {a: 0, b: 0, c: 0, each player: {kept: 0}}
turn: {roll: {die: 1..3}}
operations:
  step:
    choose: {i: 1..3}
    effects: {a: "mod(a + i * die, 11)", b: "mod(b + i * i, 7)", c: c + 1}
validity: {few: c < 5}
stuck:
  result: pass
  effects: {my.kept: die}
  all: {winners: "list(p for p in players if kept of p >= 2)"}
end:
  never: {when: c == 50, result: lose}
""",
    "lists in both branches": """\
state:
  pits: {type: list of int, start: "[1, 2, 3]"}
  a: 0
  t: 0
operations:
  turn_over:
    choose: {i: 1..3}
    effects:
      pits: "[mod(pits[2] + i, 4), a, pits[1]] if mod(a, 2) == 0 else [pits[3], 0, mod(t, 3)]"
      a: "mod(a + pits[i] + i, 5)"
      t: t + 1
validity:
  listed: "i in (list(p for p in pits if p > 0) if a > 1 else list(p - 1 for p in pits if p > 1))"
stuck: {result: pass, all: lose}
end:
  late: {when: t == 6, result: draw}
""",
    "ends of many kinds, and a loop as long as a number": """\
state: {n: 0, m: 0}
operations:
  add:
    choose: {k: 1..3}
    effects: {n: n + k, m: "mod(m + count(i for i in 1..n if mod(i, 2) == 0) + k, 17)"}
end:
  low: {when: n == 9, result: lose}
  middle: {when: m == 12, result: draw}
  high: {when: m > 14 and n > 7, result: win}
  odd: {when: "n > 10 and mod(m, 2) == 1", winners: "list(p for p in players if p != me)"}
  far: {when: n > 12, result: draw}
""",
}
BY_HAND = {"a weight that depends on the state"}  # what can be rolled is asked state by state


def explore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, least: int) -> StateGraph:
    file = tmp_path / "game.yaml"
    file.write_text(HEAD + text, "utf-8")
    monkeypatch.setattr(exploring, "MANY", least)
    monkeypatch.setattr(exploring, "FEW", 1)
    return rulegame.explore(rulegame.load(str(file)), max_states=100_000)


def same(one: StateGraph, other: StateGraph) -> None:
    assert list(one.cells) == list(other.cells)
    for name in ("owner", "offsets", "successors", "weights"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    for number in range(len(one)):
        assert [m.text for m, _ in one.following(number)] == [
            m.text for m, _ in other.following(number)
        ]
    finals = one.outcome >= 0
    assert np.array_equal(finals, other.outcome >= 0)
    for number in np.flatnonzero(finals).tolist():
        assert one.outcomes[one.outcome[number]] == other.outcomes[other.outcome[number]]


@pytest.mark.parametrize("name", RULESETS)
def test_many_at_once_as_one_by_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    single = explore(tmp_path, monkeypatch, RULESETS[name], 10**9)
    assert len(single) > 10
    same(explore(tmp_path, monkeypatch, RULESETS[name], 1), single)


@pytest.mark.parametrize("name", sorted(RULESETS.keys() - BY_HAND))
def test_it_is_really_done_at_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[str] = []
    monkeypatch.setattr(ArrayKernel, "_failed", lambda self, name: failed.append(name))
    explore(tmp_path, monkeypatch, RULESETS[name], 1)
    assert failed == []


DOUBLING = """\
state: {number: 1, other: 1}
operations:
  double: {effects: {number: number * 1000003}}
  count: {effects: {other: other + 1}}
end:
  never: {when: number == 0, result: win}
  much: {when: other == 30, result: win}
"""


def test_a_number_that_does_not_fit_is_reported_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports = []
    for least in (1, 10**9):
        with pytest.raises(rulegame.GameError, match="does not fit in 64 bits") as error:
            explore(tmp_path, monkeypatch, DOUBLING, least)
        reports.append(str(error.value))
    assert reports[0] == reports[1]


FAILING = {
    "E502": """\
state: {n: 2, x: 0, pits: {type: list of int, start: "[4, 5, 6]"}}
operations:
  down: {choose: {k: 0..2}, effects: {n: n - 1, x: "pits[k]"}}
  wait: {when: x < 30, effects: {x: x + 1}}
end:
  over: {when: x == 30, result: draw}
""",
    "E508": """\
state: {n: 1, have: {type: set of 1..4}}
operations:
  put: {effects: {have: "with(have, n)", n: n + 1}}
  skip: {effects: {n: n + 1}}
end:
  over: {when: n == 9, result: draw}
""",
}


@pytest.mark.parametrize("code", FAILING)
def test_what_fails_in_one_state_of_many_is_reported_as_ever(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports = []
    for least in (1, 10**9):
        with pytest.raises(rulegame.GameError) as error:
            explore(tmp_path, monkeypatch, FAILING[code], least)
        assert error.value.diagnostic.code == code
        reports.append(str(error.value))
    assert reports[0] == reports[1]


DIVIDING = """\
state: {number: 12, by: 3}
operations:
  divide: {effects: {number: number / by}}
  lower: {when: by > 0, effects: {by: by - 1}}
  less: {when: number > 0, effects: {number: number - 1}}
end:
  over: {when: number == 0 and by == 0, result: win}
"""


def test_a_division_by_zero_bars_a_move_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    single = explore(tmp_path, monkeypatch, DIVIDING, 10**9)
    same(explore(tmp_path, monkeypatch, DIVIDING, 1), single)


@pytest.mark.parametrize(
    ("code", "mixed"),
    [
        ("x = 1\nreturn x", ""),
        ("if a:\n  x = 1\nelse:\n  x = 2\nreturn x", "x"),
        ("x = 1\nif a:\n  x = 2\nreturn x", "x"),
        ("if a:\n  x = 1\n  y = x\nx = 2\nreturn x", ""),  # each is read where it was assigned
        ("x = 1\nif a:\n  x = 2\n  return x\nreturn x", "x"),  # the others come after it
        ("if a:\n  x = 1\nelse:\n  y = a\n  return y\nreturn a", ""),
        ("x = 1\nfor i in a:\n  y = x\n  x = i\nreturn y", "x y"),
        ("x = 0\nfor i in a:\n  x += i\nreturn x", ""),  # leaves those who do not add as they were
        ("if a:\n  x = 0\nfor i in a:\n  x += i\nreturn 1", "x"),
        ("for i in a:\n  for j in a:\n    x = i\n    y = x + j\nreturn 1", ""),
        ("for i in a:\n  pass\nreturn i", "i"),
        ("if a:\n  a = 2\n  return a\nreturn a", "a"),  # an argument is assigned from the start
        ("for i, x in a:\n  if i:\n    t[i] = x\nreturn t", ""),
    ],
)
def test_names_that_states_do_not_share(code: str, mixed: str) -> None:
    function = ast.parse("def f(a, t):\n" + indent(code, "  ")).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert mixed_names(function) == set(mixed.split())


HUGE = 2**62
ONLY_SECOND = np.array([False, True])


def test_numbers_that_turn_out_not_to_differ_are_one_number() -> None:
    """Where the first state does not count, nothing differs any more."""
    a, b = (many.Many(np.array([HUGE, k]), k, HUGE) for k in (5, 7))
    assert many.plus(a, b, ONLY_SECOND) == 12
    assert many.minus(many.Many(np.array([-HUGE - 9, 5]), -HUGE - 9, 5), b, ONLY_SECOND) == -2
    assert many.times(a, b, ONLY_SECOND) == 35
    at = lockstep_calls.Choosing(ONLY_SECOND, {}, lambda steps: None)
    place = many.Many(np.array([9, 3]), 3, 9)
    assert lockstep_calls.CALLS["f_with"](at, 1, place, 1, 5, 0) == 0b101


def test_a_number_beyond_64_bits_is_not_divided_for_many() -> None:
    at = lockstep_calls.Choosing(True, {}, lambda steps: None)
    by = many.Many(np.array([2, 3]), 2, 3)
    for name in ("div", "f_mod"):
        with pytest.raises(many.Irregular):
            lockstep_calls.CALLS[name](at, 2**63 + 4, by, 0)


STORED = """\
state:
  a: 9223372036854775000
  pits: {type: list of int, size: 2}
  last: {type: optional int}
  seen: {type: list of optional int, size: 2}
operations:
  keep: {effects: {EFFECT}}
end:
  never: {when: a == 0, result: win}
"""


@pytest.mark.parametrize(
    "effect",
    ["pits: '[a + a, 1]'", "last: a + a if a > 0 else none", "seen: '[none, 0 - a - a]'"],
)
def test_what_is_stored_fits_wherever_it_is_stored(
    effect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for least in (1, 10**9):
        with pytest.raises(rulegame.GameError, match="E501"):
            explore(tmp_path, monkeypatch, STORED.replace("EFFECT", effect), least)


@pytest.mark.parametrize("where", ["choose", "roll"])
def test_what_waits_for_a_roll_fits_too(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = STORED.replace(
        "  keep: {effects: {EFFECT}}",
        f"  keep: {{{where}: {{n: '[a + a, 1]'}}, steps: {{one: {{roll: {{m: 1..2}}}}}}}}"
        if where == "choose"
        else "  keep: {effects: {last: 1}}\nturn: {roll: {n: '[a + a, 1]'}}",
    )
    for least in (1, 10**9):
        with pytest.raises(rulegame.GameError, match="E501"):
            explore(tmp_path, monkeypatch, text, least)
