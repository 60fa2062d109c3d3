"""Values that live during a move: `let` in operations and setup entries, and in expressions."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulegame
from rulegame.comparing import compare
from rulegame.exploring import explore
from rulegame.model.meaning import meaning
from rulegame.model.secrecy import kept_choices
from rulegame.rulebook import render
from support.backends import MACHINE_CODE, PYTHON, use_backend

SOW = """\
rulegame: 1
title: Sow
state:
  each player: {pits: {type: list of int, size: 4, start: 2}, store: 0}
operations:
  sow:
    choose: {pit: 1..4}
    let:
      hand: my.pits[pit]
      at: pit
    steps:
      lift:
        effects:
          my.pits[pit]: 0
      sow:
        repeat: 20
        while: hand > 0
        effects:
          at: mod(at, 4) + 1
          my.pits[mod(at, 4) + 1]: my.pits[mod(at, 4) + 1] + 1
          hand: hand - 1
      score:
        effects:
          my.store: my.store + at
    next: me if at == 4 else them
validity:
  full: my.pits[pit] > 0
end:
  done: {when: my.store >= 12, result: win}
"""
IN_STATE = (
    SOW.replace("state:\n", "state:\n  hand: 0\n  at: 0\n  last: 0\n")
    .replace("    let:\n      hand: my.pits[pit]\n      at: pit\n", "")
    .replace(
        "my.pits[pit]: 0\n", "my.pits[pit]: 0\n          hand: my.pits[pit]\n          at: pit\n"
    )
    .replace("next: me if at == 4", "next: me if last == 4")
    .replace(
        "          my.store: my.store + at\n",
        "          my.store: my.store + at\n          last: at\n          at: 0\n",
    )
)
ROLLED = """\
rulegame: 1
title: Rolled
state:
  total: 0
  each player: {card: {type: int, seen by: owner}, shown: 0}
setup:
  take:
    choose: {c: 1..3}
    let: {twice: c * 2}
    effects: {my.card: twice}
    secret: true
operations:
  throw:
    choose: {n: 1..2}
    let: {kept: n * 10 + my.card, sum: 0}
    steps:
      first:
        roll: {a: 1..3}
        effects: {sum: sum + a}
      second:
        roll: {b: 1..3}
        effects: {total: total + sum + b, my.shown: kept - my.card}
end:
  done: {when: total >= 12, result: win}
"""


def test_they_are_written_and_read_and_forgotten() -> None:
    game = rulegame.loads(SOW)
    state = game.start().play("sow 2")
    assert state["pits"] == [[2, 0, 3, 3], [2, 2, 2, 2]]
    assert (state.player, state["store"]) == (0, [4, 0])
    with pytest.raises(KeyError):
        state["hand"]
    with pytest.raises(KeyError):
        state.view(0)["hand"]


def test_they_make_no_states() -> None:
    with_let, without = explore(rulegame.loads(SOW)), explore(rulegame.loads(IN_STATE))
    assert len(with_let) < len(without)
    empty = rulegame.loads(SOW).kernel
    let_cells = list(empty.move_places(empty.ruleset.operations[0]))
    assert all(state.cells[k] == 0 for state in map(with_let.state, range(200)) for k in let_cells)
    assert [empty.cell_ranges[k] for k in let_cells] == [(0, 0), (0, 0)]


@pytest.mark.parametrize("text", [SOW, ROLLED], ids=["sow", "rolled"])
def test_machine_code_plays_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulegame.loads(text)
    reports = []
    for backend in (PYTHON, MACHINE_CODE):
        use_backend(monkeypatch, backend)
        reports.append(rulegame.simulate(game, 300, seed=8, first=None))
    assert reports[0] == reports[1]


def test_what_is_rolled_between_steps_finds_them_as_they_were() -> None:
    state = rulegame.loads(ROLLED).start().play("take 3").play("take 1")
    assert state["card"] == [6, 2]
    waiting = state.play("throw 2").play("a 3")
    assert waiting["total"] == 0
    over = waiting.play("b 2")
    assert (over["total"], over["shown"]) == (5, [20, 0])
    again = state.play("throw 2").play("a 3").play("b 2")
    assert again == over and hash(again) == hash(over)


def test_nobody_sees_what_they_hold() -> None:
    """`kept` is made of a card that only its owner sees, and waits for dice in the state."""
    game = rulegame.loads(ROLLED)
    views = []
    for card in ("take 1", "take 3"):
        waiting = game.start().play(card).play("take 2").play("throw 1").play("a 2")
        views.append(waiting.view(1))
    assert views[0] == views[1]


def test_a_choice_that_leads_to_hidden_values_through_them_is_hidden() -> None:
    text = """\
rulegame: 1
title: Hidden
state:
  n: 0
  each player: {card: {type: int, seen by: owner}}
operations:
  keep:
    choose: {c: 1..3}
    let: {own: c, other: 0}
    steps:
      carry: {effects: {other: own + 1, own: 0}}
      store: {effects: {my.card: other, n: n + own}}
end:
  done: {when: n + 1 > 3, result: win}
"""
    ruleset = rulegame.loads(text).ruleset
    assert kept_choices(ruleset.state, ruleset.operations[0]) == {"c"}
    open_ = rulegame.loads(text.replace("own: 0", "own: own")).ruleset
    assert kept_choices(open_.state, open_.operations[0]) == frozenset()
    told = text.replace("end:\n", "    next: me if other > 2 else them\nend:\n")
    shown = rulegame.loads(told).ruleset
    assert kept_choices(shown.state, shown.operations[0]) == frozenset()


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("let(x = n + 1, y = x * 2, x * y)", 18),
        ("let(x = n, sum(let(y = x + v, y * y) for v in 1..3))", 50),
        ("sum(let(y = v * v, y + y) for v in 1..3)", 28),
        ("let(l = list(v for v in 1..n), size(l) + sum(l))", 5),
        ("let(o = n if n > 5 else none, 7 if o == none else o)", 7),
        ("let(deep = let(x = n, x + 1), deep + n)", 5),
        ("double(let(x = n, x + 1))", 6),
    ],
)
def test_names_inside_expressions(expression: str, value: int) -> None:
    text = f"""\
rulegame: 1
title: Let
define: {{double(a): "let(b = a, b + b)"}}
state: {{n: 2}}
operations:
  set:
    effects:
      n: {expression}
end: {{done: {{when: n == -1, result: win}}}}
"""
    assert rulegame.loads(text).start().play("set")["n"] == value


def test_a_definition_of_the_name_let_is_meant() -> None:
    text = """\
rulegame: 1
title: Own
define: {"let(a, b)": a + b}
state: {n: 2}
operations: {add: {effects: {n: "let(n, 3)"}}}
end: {done: {when: n > 9, result: win}}
"""
    assert rulegame.loads(text).start().play("add")["n"] == 5


def test_types_and_starts() -> None:
    text = """\
rulegame: 1
title: Types
state: {n: 0, board: {type: grid of optional player, rows: 2, columns: 2}}
operations:
  go:
    choose: {at: cells(board)}
    let:
      count: {type: int}
      seen: {type: set of 1..9}
      many: {type: list of int, size: 3, start: n + 5}
      some: {type: list of optional int, size: 2}
      who: board[at]
      where: at
      sign: {type: heads | tails, start: heads}
      maybe: {type: optional int}
    steps:
      change:
        effects:
          count: count + 1
          seen: with(seen, 4)
          many[2]: 7
          some[1]: 3
          sign: tails
      store:
        effects:
          n: >-
            count + size(seen) * 10 + sum(many) * 100 + (0 if some[1] == none else 1)
            + (10000 if who == none and maybe == none and sign == tails else 0)
          board[where]: me
end: {done: {when: n == -1, result: win}}
"""
    state = rulegame.loads(text).start().play("go 2 1")
    assert state["n"] == 1 + 10 + 1700 + 1 + 10000
    assert state["board"] == [[None, None], [0, None]]
    again = state.play("go 1 1")["n"]
    assert again == 1 + 10 + (2 * (5 + state["n"]) + 7) * 100 + 1 + 10000


def test_rules_that_differ_in_them_differ() -> None:
    game, other = rulegame.loads(SOW), rulegame.loads(SOW.replace("at: pit", "at: pit + 0"))
    found = compare(game.ruleset, other.ruleset).differences
    assert [(d.name, d.what, d.before, d.after) for d in found] == [
        ("sow", "let at", "pit", "pit + 0")
    ]
    assert meaning(game.ruleset) != meaning(other.ruleset)
    same = SOW.replace("my.store + at\n", "let(x = my.store, x + at)\n")
    assert meaning(rulegame.loads(same).ruleset) == meaning(game.ruleset)


def test_the_rulebook_says_what_they_are() -> None:
    book = render(rulegame.write_rulebook(rulegame.loads(SOW)), "text")
    assert "At first, the hand is the number in that pit of yours" in " ".join(book.split())
    assert "Hand:" not in book


def test_a_variant_may_change_them(tmp_path: Path) -> None:
    (tmp_path / "sow.yaml").write_text(SOW, "utf-8")
    variant = tmp_path / "variant.yaml"
    patch = 'operations: {sow: {let: {hand: "my.pits[pit] + 1"}}}\n'
    variant.write_text(f"rulegame: 1\nextends: sow.yaml\ntitle: More\n{patch}", "utf-8")
    assert rulegame.load(variant).start().play("sow 1")["pits"][0] == [0, 3, 3, 3]


def test_where_all_choose_at_once_each_has_values_of_their_own() -> None:
    text = """\
rulegame: 1
title: Bids
state:
  each player: {purse: 10, won: 0}
turn:
  together: true
  let: {most: max(bid)}
  effects:
    won of p for p in players if bid of p == most: won of p + 1
operations:
  bid:
    choose: {bid: 0..3}
    let: {twice: bid * 2, kept: 0}
    steps:
      pay: {effects: {kept: twice - bid, my.purse: my.purse - 1}}
      again: {effects: {my.purse: my.purse - kept + 1}}
end:
  done: {when: "max(won) == 3", winners: list(p for p in players if won of p == 3)}
"""
    game = rulegame.loads(text)
    state = game.start().play("bid 2").play("bid 3")
    assert (state["purse"], state["won"]) == ([8, 7], [0, 1])
    assert state.play("bid 0").play("bid 0")["won"] == [1, 2]
    with pytest.raises(rulegame.RulesetError) as error:
        rulegame.loads(text.replace("most", "bid").replace("max(bid)", "3"))
    assert error.value.diagnostics[0].code == "E312"
