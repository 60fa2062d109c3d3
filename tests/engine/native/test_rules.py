"""Machine code leads to the same states, moves, chances, outcomes and faults as the functions of
Python, which it is made of.
"""

from __future__ import annotations

import numpy as np
import pytest

import rulegame
from rulegame.exploring import StateGraph
from rulegame.exploring.expansion import Expansion
from rulegame.exploring.explorer import Explorer
from support.backends import MACHINE_CODE, PYTHON, use_backend

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
    "sets together, and numbers in order": """\
state:
  open: {type: set of 1..5, start: 1..5}
  shut: {type: set of 1..5}
  odd: {type: set of 0..6, start: "[0, 6]"}
  row: {start: "[3, 1, 5, 1]"}
  best: {start: "[0, 0]"}
operations:
  close:
    choose: {which: subsets(open)}
    effects:
      open: "difference(open, which, [row[4]])"
      shut: "union(shut, which, [mod(size(odd), 5) + 1])"
      odd: intersection(complement(odd), union(odd, shut), sorted(row))
      row: list(mod(n * 2, 7) for n in sorted(row))
      best: highest(row, 2)
validity:
  some: size(which) in 1..2 and sum(lowest(which, 1)) < 5
stuck: draw
end:
  over: {when: size(open) < 2, result: win}
""",
    "compulsory moves": """\
state:
  dice: {type: list of int, size: 2}
  each player:
    men: {type: list of int, size: 2}
operations:
  roll:
    when: dice[1] == 0 and dice[2] == 0
    roll: {a: 1..3, b: 1..3}
    effects: {dice: "[a, b]"}
    next: me
  move:
    choose: {die: 1..2, man: 1..2}
    effects:
      dice[die]: 0
      my.men[man]: my.men[man] + dice[die]
    next: me if dice[1] > 0 or dice[2] > 0 else them
  give_up:
    when: dice[1] > 0 or dice[2] > 0
    effects: {dice: "[0, 0]"}
validity:
  has_die: {require: "dice[die] > 0"}
  not_beyond: {require: "after.my.men[man] <= 5"}
  free: {require: "all(after.my.men[man] != x for x in their.men) or after.my.men[man] == 5"}
  both: {must: after.can_move(me), for: [move]}
  larger: {must: "dice[die] == max(dice)", for: [move]}
  rear: {must: "after.my.men[man] == max(after.my.men)", for: [move]}
  play: {must: "true", for: [move], instead of: [give_up]}
end:
  home: {when: all(m == 5 for m in my.men), result: win}
""",
    "compulsory choices at once": """state:
  n: 0
  each player: {have: {type: set of 1..5, start: 1..5}}
turn: {together: true, effects: {n: n + 1}}
operations:
  play: {choose: {k: my.have}, effects: {my.have: "without(my.have, k)"}}
  wait: {when: n < 2, effects: {}}
validity:
  odd: {must: "mod(k, 2) == 1", for: [play], instead of: [wait]}
  low: {must: k == min(my.have)}
stuck: {unless: size(after.my.have) != 3, result: pass, all: draw}
end:
  over: {when: n == 4, result: draw}
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
    "players who choose at once, and some who sit out": """\
players: [A, B, C]
state:
  total: 0
  round: 0
  each player: {score: 0, out: false, pits: {type: list of int, size: 2, start: 0}}
turn:
  together: list(p for p in players if not out of p)
  steps:
    sum:
      effects:
        total: total + sum((0 if n of p == none else n of p) for p in players)
        round: round + 1
    luck: {roll: {die: 1..2}}
    more:
      effects:
        "score of p for p in players if n of p == die": score of p + 1
operations:
  take:
    choose: {n: 1..2}
    steps:
      one: {effects: {my.score: my.score + n}}
      two: {when: "my.score > 3", effects: {my.out: true, my.pits: "[n, my.score]"}}
  put:
    choose: {at: 1..2}
    effects: {"my.pits[at]": "my.pits[at] + 1", my.score: my.score + 1}
  fold: {when: my.score > 1, effects: {my.out: true}}
validity:
  room: {require: "my.pits[at] < 1", for: [put]}
  late: {require: round < 2, for: [take]}
stuck: pass
end:
  done:
    when: round > 2 or all(out of p for p in players)
    winners: list(p for p in players if score of p == max(score))
""",
}


def explore(monkeypatch: pytest.MonkeyPatch, text: str, backend: str) -> StateGraph:
    use_backend(monkeypatch, backend)
    return rulegame.explore(rulegame.loads(HEAD + text), max_states=100_000)


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


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", RULESETS)
def test_machine_code_finds_what_python_finds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    single = explore(monkeypatch, RULESETS[name], PYTHON)
    assert len(single) > 10
    same(explore(monkeypatch, RULESETS[name], MACHINE_CODE), single)


@pytest.mark.quick(3)
@pytest.mark.parametrize("name", RULESETS)
def test_nothing_is_left_to_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[Expansion] = []
    monkeypatch.setattr(Explorer, "_by_hand", lambda self, expansion: left.append(expansion))
    explore(monkeypatch, RULESETS[name], MACHINE_CODE)
    assert left == []


DOUBLING = """\
state: {number: 1, other: 1}
operations:
  double: {effects: {number: number * 1000003}}
  count: {effects: {other: other + 1}}
end:
  never: {when: number == 0, result: win}
  much: {when: other == 30, result: win}
"""


def test_a_number_that_does_not_fit_is_reported_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = []
    for edges in (MACHINE_CODE, PYTHON):
        with pytest.raises(rulegame.GameError, match="does not fit in 64 bits") as error:
            explore(monkeypatch, DOUBLING, edges)
        reports.append(str(error.value))
    assert reports[0] == reports[1]


FAILING = {
    "E535": """\
state: {pot: 0, n: 0}
turn: {together: true, effects: {n: n + 1}}
operations:
  pay: {when: n > 2, choose: {k: 0..2}, effects: {pot: pot + k}}
  wait: {effects: {}}
end:
  over: {when: n == 9, result: draw}
""",
    "E536": """\
state: {n: 0, each player: {out: false}}
turn: {together: list(p for p in players if not out of p), effects: {n: n + 1}}
operations:
  leave: {effects: {my.out: true}}
  wait: {effects: {}}
end:
  over: {when: n == 9, result: draw}
""",
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
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports = []
    for edges in (MACHINE_CODE, PYTHON):
        with pytest.raises(rulegame.GameError) as error:
            explore(monkeypatch, FAILING[code], edges)
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


def test_a_division_by_zero_bars_a_move_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    single = explore(monkeypatch, DIVIDING, PYTHON)
    same(explore(monkeypatch, DIVIDING, MACHINE_CODE), single)


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
    effect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for edges in (MACHINE_CODE, PYTHON):
        with pytest.raises(rulegame.GameError, match="E501"):
            explore(monkeypatch, STORED.replace("EFFECT", effect), edges)


@pytest.mark.parametrize("where", ["choose", "roll"])
def test_what_waits_for_a_roll_fits_too(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = STORED.replace(
        "  keep: {effects: {EFFECT}}",
        f"  keep: {{{where}: {{n: '[a + a, 1]'}}, steps: {{one: {{roll: {{m: 1..2}}}}}}}}"
        if where == "choose"
        else "  keep: {effects: {last: 1}}\nturn: {roll: {n: '[a + a, 1]'}}",
    )
    for edges in (MACHINE_CODE, PYTHON):
        with pytest.raises(rulegame.GameError, match="E501"):
            explore(monkeypatch, text, edges)
