"""Players of others, found by their entry points in a distribution on the path."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulegame
from rulegame.players import PlayerFailed, UnknownPlayer, make_player, player_names

MODULE = '''
class Cautious:
    """Takes as little as possible."""

    def __init__(self, game, argument):
        self.note = f"cautious in {game.ruleset.title} with '{argument}'"

    def choose(self, view, rng):
        return min(view.moves, key=lambda move: move.choices[-1])


def broken(game, argument):
    raise RuntimeError("no licence\\nfor this")


def nothing(game, argument):
    return None


class Cheat:
    def __init__(self, game, argument):
        self.argument = argument

    def choose(self, view, rng):
        if self.argument == "raise":
            raise KeyError("lost")
        return "take everything"
'''

ENTRIES = """
[rulegame.players]
cautious = outside_players:Cautious
broken = outside_players:broken
nothing = outside_players:nothing
cheat = outside_players:Cheat
gone = outside_players_gone:Player
random = outside_players:broken
"""


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution as an installer leaves it behind."""
    (tmp_path / "outside_players.py").write_text(MODULE, "utf-8")
    info = tmp_path / "outside_players-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside-players\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "outside_players", raising=False)


@pytest.mark.usefixtures("outside")
def test_a_registered_player_plays() -> None:
    game = rulegame.load("nim")
    assert "cautious" in player_names()
    player = make_player("cautious:very much", game)
    assert getattr(player, "note", None) == "cautious in Nim with 'very much'"
    assert player.choose(game.start().view(0), Random(0)).text == "take 1 1"


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("broken", ": RuntimeError: no licence for this"),
        ("nothing", "has no method 'choose'"),
        ("gone", ": ModuleNotFoundError"),
        ("cautous", "did you mean 'cautious'?"),
    ],
)
def test_one_that_cannot_be_made_is_told_in_one_line(name: str, told: str) -> None:
    with pytest.raises(UnknownPlayer) as caught:
        make_player(name, rulegame.load("nim"))
    assert told in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize(
    ("spec", "told"), [("cheat", "which is not valid"), ("cheat:raise", "KeyError: 'lost'")]
)
def test_one_that_fails_is_told_by_its_name(spec: str, told: str) -> None:
    game = rulegame.load("nim")
    player = make_player(spec, game)
    with pytest.raises(PlayerFailed, match="the player 'cheat'") as caught:
        player.choose(game.start().view(0), Random(0))
    assert told in str(caught.value)


@pytest.mark.usefixtures("outside")
def test_nobody_takes_the_name_of_a_built_in_player() -> None:
    game = rulegame.load("nim")
    assert make_player("random", game).choose(game.start().view(0), Random(0))
    assert player_names().count("random") == 1


def test_the_examples_of_the_documentation_run() -> None:
    page = Path(__file__).parents[3] / "docs" / "opponents.md"
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block.replace("search:2s", "search:50"), names)
    assert names["move"] in names["state"].moves and names["advice"].source == "solution"
    game = rulegame.load("zero_sum_duel")
    cautious = names["Cautious"](game, "")
    assert cautious.choose(game.start().view(0), Random(0)) in game.start().moves


@pytest.mark.usefixtures("outside")
def test_registered_players_are_simulated() -> None:
    game = rulegame.load("nim")
    report = rulegame.simulate(game, 5, seed=1, players=["cautious:2", "random"])
    assert report.seats[0].player == "cautious:2"
    with pytest.raises(PlayerFailed, match="cheat"):
        rulegame.simulate(game, 5, seed=1, players=["cheat", "random"])
    with pytest.raises(UnknownPlayer, match="no licence"):
        rulegame.simulate(game, 5, seed=1, players=["broken"])
