"""Models for PRISM and Storm: read by Storm, and by a plain reader of the format."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rulegame
from rulegame.exporting import CannotExport, export
from support.games import bundled_game
from support.tiers import library


def model(game: rulegame.Game, *players: str) -> str:
    return "".join(f"{line}\n" for line in export(game, "prism", players=players or None))


class Read:
    """A model, read by its words: the commands by state, the labels, and what is earned."""

    def __init__(self, text: str) -> None:
        self.kind = text.splitlines()[1]
        self.end = {0: int(re.search(r"e : \[0\.\.\d+\] init (\d+);", text)[1])}  # type: ignore[index]
        self.commands: dict[int, list[tuple[str, list[tuple[Fraction, int]]]]] = {}
        for action, state, update in re.findall(r"^  \[(\w*)\] s=(\d+) -> (.*);$", text, re.M):
            shares = []
            for part in update.split(" + "):
                share, target, end = re.fullmatch(  # type: ignore[union-attr]
                    r"(\S+) : \(s'=(\d+)\)(?:&\(e'=(\d+)\))?", part
                ).groups()
                shares.append((Fraction(share), int(target)))
                self.end[int(target)] = int(end or 0)
            assert sum(share for share, _ in shares) == 1
            self.commands.setdefault(int(state), []).append((action, shares))
        self.labels = {
            name: {end for end in self.end.values() if eval(_python(said), {"e": end})}
            for name, said in re.findall(r'^label "(\w+)" = (.*);$', text, re.M)
        }
        self.earned: dict[tuple[str, str, int], Fraction] = {}
        for who, lines in re.findall(r'^rewards "(\w+)".*\n((?:  .*\n)*)endrewards', text, re.M):
            for action, state, paid in re.findall(
                r"^  (?:\[(\w+)\] )?s=(\d+) : (\S+);", lines, re.M
            ):
                self.earned[who, action, int(state)] = Fraction(paid)
        more = re.search(r"and (\S+) more", text)
        self.more = Fraction(more[1]) if more else Fraction(0)

    @cache  # noqa: B019
    def worth(self, who: str, state: int = 0) -> Fraction:
        """What a player earns at most, where no play is endless."""
        found = [
            self.earned.get((who, action, state), Fraction(0))
            + sum(share * self.worth(who, target) for share, target in shares)
            for action, shares in self.commands.get(state, ())
        ]
        return max(found, default=Fraction(0))


def _python(said: str) -> str:
    return said.replace("&", "and").replace("|", "or").replace("e=", "e==")


GAMBLE = """
rulegame: 1
title: Gamble
players: [You]
state: {left: 3, coins: 0}
operations:
  safe: {effects: {left: left - 1, coins: coins + 1}}
  risk:
    roll: {die: 1..3}
    effects: {left: left - 1, coins: "coins + 4 if die == 3 else coins - 1"}
end:
  done: {when: left == 0, payoff: '[coins]'}
"""


def test_who_plays_decides_what_it_is() -> None:
    duel = bundled_game("zero_sum_duel", {"start": 6})
    states = len(rulegame.explore(duel))
    for players, kind in {
        (): "smg",
        ("free", "random"): "mdp",
        ("random", "random"): "dtmc",
        ("perfect", "perfect"): "dtmc",
    }.items():
        read = Read(model(duel, *players))
        assert read.kind == kind
        assert len(read.end) == states or "perfect" in players
        assert sum(map(len, read.commands.values())) <= rulegame.explore(duel).edges
    assert Read(model(rulegame.loads(GAMBLE))).kind == "mdp"


def test_rewards_are_what_is_paid() -> None:
    game = rulegame.loads(GAMBLE)
    read = Read(model(game))
    assert read.more == 3
    assert read.worth("player_1") - read.more == rulegame.solve(game).value
    shared = Read(model(bundled_game("kuhn_poker"), "random", "random"))
    first, second = (shared.worth(f"player_{seat}") - shared.more for seat in (1, 2))
    assert first == -second == Fraction(1, 8)  # as in the table of all 30 plays


def test_labels_tell_who_wins() -> None:
    read = Read(model(bundled_game("tic_tac_toe"), "random", "random"))
    assert read.labels["over"] == set(range(1, 4))
    wins = read.labels["player_1_wins"], read.labels["player_2_wins"], read.labels["draw"]
    assert sorted(end for some in wins for end in some) == [1, 2, 3]
    assert read.labels["player_1_wins"] == read.labels["player_2_loses"]


def test_names_that_the_format_keeps_for_itself() -> None:
    text = """
rulegame: 1
title: "Odd // names"
players: [You]
state: {left: 2}
operations:
  max: {effects: {left: left - 1}}
  add: {choose: {n: {from: "-1..1"}}, effects: {left: left - 1}}
end: {done: {when: left == 0, payoff: '[left]'}}
"""
    names = {
        action for some in Read(model(rulegame.loads(text))).commands.values() for action, _ in some
    }
    assert names == {"move_max", "add_minus_1", "add_0", "add_1"}


def test_what_is_hidden_cannot_be_chosen_by() -> None:
    kuhn = bundled_game("kuhn_poker")
    with pytest.raises(CannotExport, match="something is hidden from a player"):
        model(kuhn)
    with pytest.raises(CannotExport, match="no perfect players for this game"):
        model(kuhn, "perfect", "perfect")
    with pytest.raises(ValueError, match="players are free, random, perfect, not 'greedy'"):
        model(kuhn, "random", "greedy")
    with pytest.raises(ValueError, match="there are 2 players, not 1"):
        model(kuhn, "random")
    with pytest.raises(ValueError, match="players works only with prism, not with csv"):
        export(kuhn, "csv", players=("random", "random"))


# ---- read by Storm

VALUES = [
    ("zero_sum_duel", {"start": 6}, ("perfect", "perfect"), 'P=? [F "player_1_wins"]'),
    ("pig", {"target": 6}, ("perfect", "perfect"), 'P=? [F "player_1_wins"]'),
    ("pig", {"target": 6}, ("free", "perfect"), 'Pmax=? [F "player_1_wins"]'),
    ("double_or_nothing_31", {}, ("free", "perfect"), 'Pmax=? [F "player_1_wins"]'),
]


def checked(text: str, asked: str, folder: Path) -> tuple[int, float]:
    """How many states Storm builds, and what it answers."""
    storm: Any = library("stormpy")
    path = folder / "model.prism"
    path.write_text(text, "utf-8")
    program = storm.parse_prism_program(str(path))
    properties = storm.parse_properties(asked, program)
    built = storm.build_model(program, properties)
    found = storm.model_checking(built, properties[0])
    return built.nr_states, found.get_value(built.initial_states[0])


@pytest.mark.parametrize(("name", "parameters", "players", "asked"), VALUES)
def test_storm_finds_the_same_values(
    name: str, parameters: dict[str, Any], players: tuple[str, ...], asked: str, tmp_path: Path
) -> None:
    game = bundled_game(name, parameters)
    text = model(game, *players)
    states, found = checked(text, asked, tmp_path)
    solution = rulegame.solve(game)
    assert states == len(Read(text).end)
    assert found == pytest.approx((1 + (solution.lower + solution.upper) / 2) / 2, abs=1e-5)


def test_storm_builds_games_of_two(tmp_path: Path) -> None:
    storm: Any = library("stormpy")
    game = bundled_game("pig", {"target": 6})
    path = tmp_path / "model.prism"
    path.write_text(model(game), "utf-8")
    assert storm.build_model(storm.parse_prism_program(str(path))).nr_states == len(
        rulegame.explore(game)
    )


@pytest.mark.parametrize("name", ["gamble", "leaking_boat"])
def test_storm_finds_what_is_earned(name: str, tmp_path: Path) -> None:
    game = rulegame.loads(GAMBLE) if name == "gamble" else bundled_game(name)
    if name == "leaking_boat":
        text = model(game, *["random"] * len(game.players))
        states, found = checked(text, 'R{"player_1"}=? [F "over"]', tmp_path)
        wanted = Read(text).worth("player_1")
        assert states == len(rulegame.explore(game))
    else:
        text = model(game)
        states, found = checked(text, 'R{"player_1"}max=? [F "over"]', tmp_path)
        wanted = (rulegame.solve(game).value or Fraction(9)) + Read(text).more
        assert states == len(rulegame.explore(game))
    assert found == pytest.approx(float(wanted), abs=1e-5)
