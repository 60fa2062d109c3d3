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
        with pytest.raises(rulegame.CannotSolve, match="hidden information"):
            rulegame.solve(game)
        with pytest.raises(CannotExport):
            list(export(game, "prism", players=["free"] * len(game.players)))
        return
    assert rulegame.solve(game).exact
    assert isinstance(rulegame.make_player("perfect", game), PerfectPlayer)
    view = game.start().view(0)
    assert view.state is not None
    assert advise(view, Random(1)).source == "solution"
    assert list(export(game, "prism", players=["free"] * len(game.players)))
