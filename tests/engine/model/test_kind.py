"""Whether a game hides anything has one answer, which all who ask agree on."""

from __future__ import annotations

from random import Random

import pytest

import rulegame
from rulegame.adapters.traits import traits_of
from rulegame.exporting import CannotExport, export
from rulegame.players.advice import advise
from rulegame.players.perfect import PerfectPlayer

GAME = """\
rulegame: 1
title: Pile
PLAYERS
state:
  left: 4
  SHARED
  each player: {badge: {start: 1, seen by: OWNER}}
operations:
  take: {choose: {n: "1..min(2, left)"}, effects: {left: left - n MORE}}
  OPERATION
end:
  last: {when: left == 0, result: win}
"""


def pile(**parts: str) -> str:
    given = {"OWNER": "owner", "PLAYERS": "", "SHARED": "", "MORE": "", "OPERATION": "", **parts}
    text = GAME
    for part, words in given.items():
        text = text.replace(part, words)
    return text


WRITES = ", my.badge: n"
SECRET = "{secret: true, when: left > 1, effects: {left: left - 1}}"
ONE = {"PLAYERS": "players: [Ann]"}
OPEN = {
    "seen by its owner, and never written": pile(),
    "seen by nobody, and never written": pile(OWNER="nobody"),
    "written, and seen by all": pile(OWNER="all", MORE=WRITES),
    "the only player is the owner": pile(MORE=WRITES, **ONE),
    "one secret move, which has no choice": pile(OPERATION=f"slip: {SECRET}"),
}
HIDING = {
    "seen by its owner": pile(MORE=WRITES),
    "seen by nobody": pile(OWNER="nobody", MORE=WRITES),
    "not even seen by the only player": pile(OWNER="nobody", MORE=WRITES, **ONE),
    "written by the setup": pile().replace(
        "operations:", "setup:\n  deal: {for: players, roll: {d: {from: 1..2}}, "
        "effects: {my.badge: d}}\noperations:"
    ),
    "a hidden roll": pile(
        OPERATION="throw:\n    when: left > 1\n    roll: {d: {from: 1..2, seen by: owner}}\n"
        "    effects: {left: left - 1}"
    ),
    "written when stuck": pile() + "stuck: {result: pass, effects: {my.badge: 2}}\n",
    "a secret choice": pile().replace("take: {", "take: {secret: true, "),
    "two secret moves": pile(OPERATION=f"slip: {SECRET}\n  slide: {SECRET}"),
}  # fmt: skip


@pytest.mark.parametrize("name", [*OPEN, *HIDING])
def test_all_agree(name: str) -> None:
    game = rulegame.loads({**OPEN, **HIDING}[name])
    hides = name in HIDING
    assert (game.kind.hidden is not None, game.kind.is_open) == (hides, not hides)
    assert traits_of(game).hidden == hides
    if hides:
        assert isinstance(rulegame.solve(game), rulegame.HiddenSolution)
        with pytest.raises(rulegame.CannotSolve, match="needs perfect information"):
            rulegame.solve(game, "perfect_information")
        with pytest.raises(CannotExport):
            list(export(game, "prism", players=["free"] * len(game.players)))
        return
    assert rulegame.solve(game).exact
    assert isinstance(rulegame.make_player("perfect", game), PerfectPlayer)
    view = game.start().view(0)
    assert view.state is not None
    assert advise(view, Random(1)).source == "solution"
    assert list(export(game, "prism", players=["free"] * len(game.players)))


KINDS = {
    "zero_sum_duel": "2 players, perfect information, no chance, win, loss or draw, constant sum, "
    "always ends",
    "dice_duel": "2 players, perfect information, chance, win, loss or draw, constant sum",
    "number_duel": "2 players, hidden information, no chance, win, loss or draw, constant sum",
    "rock_paper_scissors": "2 players, simultaneous moves, no chance, win, loss or draw, "
    "constant sum",
    "kuhn_poker": "2 players, hidden information, chance, payoffs",
    "leaking_boat": "2 players, perfect information, chance, win, loss or draw, not constant-sum, "
    "always ends",
    "blackjack": "1 player, perfect information, chance, payoffs",
}


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_in_one_line(name: str) -> None:
    assert str(rulegame.load(name).kind) == KINDS[name]


COUNTING = """\
rulegame: 1
title: Counting
state: {n: 9, STATE each player: {own: 0}}
operations:
  one: {EFFECTS}
  TWO
end: {over: {when: n < 0, VERDICT}}
"""
MOVES = {
    "a number that shrinks": ("effects: {n: n - 1}", "", False),
    "by what is chosen": ("choose: {k: 1..3}, effects: {n: n - k}", "", False),
    "by nothing, perhaps": ("choose: {k: 0..3}, effects: {n: n - k}", "", None),
    "only in one of two moves": ("effects: {n: n - 1}", "two: {effects: {my.own: 1}}", None),
    "in both of two moves": ("effects: {n: n - 1}", "two: {effects: {n: n - 2}}", False),
    "back and forth": ("effects: {n: n - 1}", "two: {effects: {n: n + 2}}", None),
    "each player's own": ("effects: {my.own: my.own + 1}", "", False),
    "only in some positions": ("steps: {low: {when: n > 3, effects: {n: n - 1}}}", "", None),
    "set to something": ("effects: {n: 3 - 1}", "", None),
    "another player's": ("effects: {my.own: their.own + 1}", "", None),
}


def counting(moves: str, two: str = "", verdict: str = "result: win", state: str = "") -> str:
    text = COUNTING.replace("EFFECTS", moves).replace("TWO", two)
    return text.replace("VERDICT", verdict).replace("STATE", state)


@pytest.mark.parametrize("name", MOVES)
def test_a_number_that_only_shrinks_rules_out_cycles(name: str) -> None:
    moves, two, cyclic = MOVES[name]
    game = rulegame.loads(counting(moves, two))
    assert game.kind.cyclic is cyclic


def test_a_list_that_shrinks_and_a_stuck_rule_that_fills_it_again() -> None:
    take = (
        'choose: {i: 1..2}, when: "any(x > 0 for x in heaps)", '
        'effects: {"heaps[i]": "heaps[i] - 1"}'
    )
    heaps = "heaps: [3, 4], "
    assert rulegame.loads(counting(take, state=heaps)).kind.cyclic is False
    stuck = 'stuck: {result: pass, effects: {"heaps[1]": "heaps[1] + 1"}}\n'
    assert rulegame.loads(counting(take, state=heaps) + stuck).kind.cyclic is None


@pytest.mark.parametrize(
    ("verdict", "constant"),
    [
        ("result: draw", True),
        ("payoff: [3, -3]", True),
        ("payoff: [3, -2]", None),
        ("payoff: [n, -n]", True),
        ("payoff: [n, n]", None),
        ("everyone: win", False),
    ],
)
def test_payoffs_of_a_constant_sum(verdict: str, constant: bool | None) -> None:
    game = rulegame.loads(counting("effects: {n: n - 1}", verdict=verdict))
    assert game.kind.constant_sum is constant
    assert game.kind.is_duel == (constant is not False)
