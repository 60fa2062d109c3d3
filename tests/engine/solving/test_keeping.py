"""Solutions that are kept on disk: the same as when they were found, and never those of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulegame
from rulegame import proving
from rulegame.bundled import rulesets_folder
from rulegame.files import cache
from rulegame.proving import inquiry
from rulegame.solving import dispatch
from rulegame.solving.perfect_information import keeping

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("nim", {"heaps": [2, 3]}),
    ("tic_tac_toe", {}),
    ("triple_or_nothing", {}),
    ("dice_duel", {"target": 4}),
    ("pig", {"target": 8}),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, for games of any size."""
    monkeypatch.setattr(cache, "cache_place", lambda: tmp_path)
    monkeypatch.setattr(keeping, "FEWEST_EDGES", 0)
    return tmp_path


def kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("solution-*"))


def known(
    name: str, setting: dict[str, Any], first: int = 0
) -> rulegame.PerfectInformationSolution | None:
    return keeping.load_solution(rulegame.load(name, setting), first)


@pytest.mark.quick(3)
@pytest.mark.parametrize("bounds_only", [False, True])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(("name", "setting"), GAMES, ids=str)
def test_what_is_kept_is_what_was_found(
    name: str,
    setting: dict[str, Any],
    first: int,
    bounds_only: bool,
) -> None:
    limits = rulegame.Limits(exact_states=0) if bounds_only else None
    game = rulegame.load(name, setting)
    found = rulegame.solve(game, "perfect_information", first=first, limits=limits)
    if bounds_only:  # such limits keep nothing: others would find it
        assert known(name, setting, first) is None
        keeping.keep_solution(found, first, 60.0)
    again = known(name, setting, first)
    assert again is not None and again.summary == found.summary
    assert again.graph.move_table == found.graph.move_table
    assert again.graph.outcomes == found.graph.outcomes
    assert again.graph.nbytes == found.graph.nbytes
    for number in range(len(found.graph)):
        state = found.graph.state(number)
        assert again.graph.number(state) == number
        assert again[number] == found[number]
        assert again.options(number) == found.options(number)
        assert again.best_moves(number) == found.best_moves(number)
        assert again.win_probability_of(number) == found.win_probability_of(number)
    assert again.chosen.tolist() == found.chosen.tolist()


def test_it_is_found_instead_of_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    found = rulegame.solve(rulegame.load("nim"), "perfect_information")

    def refused(*given: Any) -> None:
        raise AssertionError("it should have been found")

    monkeypatch.setattr(dispatch, "solve_graph", refused)
    assert rulegame.solve(rulegame.load("nim"), "perfect_information").summary == found.summary
    with pytest.raises(AssertionError):
        rulegame.solve(rulegame.load("nim"), "perfect_information", keep=False)
    with pytest.raises(AssertionError):
        rulegame.solve(rulegame.load("nim"), "perfect_information", first=1)


def test_budgets_are_kept_all_the_same() -> None:
    states = len(rulegame.solve(rulegame.load("tic_tac_toe"), "perfect_information").graph)
    with pytest.raises(rulegame.TooLarge):
        rulegame.solve(rulegame.load("tic_tac_toe"), "perfect_information", max_states=states - 1)


TEXT = """
rulegame: 1
title: Take
parameters: {most: 2}
state: {left: 5}
operations:
  take: {choose: {n: 1..most}, effects: {left: left - n}}
  split: {enabled: false, effects: {left: left / 2}}
validity: {enough: {require: after.left >= 0, because: "no"}}
end: {last: {when: left == 0, result: win}}
"""
OTHERS = {
    "the end": ("result: win", "result: lose"),
    "a name of an end": ("last:", "final:"),
    "a parameter": ("most: 2", "most: 3"),
    "the start": ("left: 5", "left: 6"),
    "an effect": ("left - n", "left - n * 1 - 0 * n - 0"),
    "an operation": ("enabled: false", "enabled: true"),
    "a rule": ("after.left >= 0", "after.left >= 0 and n != left"),
}


@pytest.mark.parametrize("what", OTHERS)
def test_another_game_has_another_solution(what: str) -> None:
    rulegame.solve(rulegame.loads(TEXT), "perfect_information")
    other = rulegame.loads(TEXT.replace(*OTHERS[what]))
    game = rulegame.loads(TEXT)
    assert keeping.load_solution(game, 0) is not None
    assert keeping.load_solution(game, 1) is None
    assert keeping.load_solution(game, 0, game.start().play("take 1")) is None
    if what != "an effect":  # which may be found to be the same, and then is
        assert keeping.load_solution(other, 0) is None
    assert (
        rulegame.solve(other, "perfect_information").summary
        == rulegame.solve(other, "perfect_information", keep=False).summary
    )


def test_texts_are_those_of_the_game_that_asks() -> None:
    rulegame.solve(rulegame.loads(TEXT), "perfect_information")
    renamed = rulegame.loads(TEXT.replace("title: Take", "title: Another\nplayers: [Ann, Bob]"))
    found = keeping.load_solution(renamed, 0)
    assert found is None or found.graph.game.players == ("Ann", "Bob")


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "other program"])
def test_damaged_and_foreign_entries_are_ignored(
    damage: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rulegame.solve(rulegame.load("nim"), "perfect_information")
    (path,) = kept(folder)
    data = path.read_bytes()
    if damage == "cut":
        path.write_bytes(data[:-1])
    elif damage == "changed":
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        monkeypatch.setattr(keeping, "_program_digest", lambda: "that of another program")
    assert known("nim", {}) is None
    assert (
        rulegame.solve(rulegame.load("nim"), "perfect_information").value == 1
    )  # and is kept anew
    assert known("nim", {}) is not None


def test_what_is_too_small_or_too_large_is_not_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "FEWEST_EDGES", 10**6)
    rulegame.solve(rulegame.load("nim"), "perfect_information")
    monkeypatch.setattr(keeping, "FEWEST_EDGES", 0)
    monkeypatch.setattr(keeping, "MOST_BYTES", 1_000)
    rulegame.solve(rulegame.load("nim"), "perfect_information")
    assert not kept(folder)


def test_a_perfect_player_finds_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rulegame.make_player("perfect", rulegame.load("tic_tac_toe"))
    assert len(kept(folder)) == 1

    def refused(*given: Any) -> None:
        raise AssertionError("it should have been found")

    monkeypatch.setattr(dispatch, "solve_graph", refused)
    rulegame.make_player("perfect", rulegame.load("tic_tac_toe"))


@pytest.fixture
def no_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*given: Any, **more: Any) -> None:
        raise AssertionError("it should have been found")

    for where in (dispatch, proving, inquiry):
        for name in ("solve_graph", "explore"):
            monkeypatch.setattr(where, name, refused, raising=False)


@pytest.mark.parametrize("asks", ["simulate", "check", "lay open"])
def test_everyone_finds_what_others_have_found(
    asks: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    """Twice the same report, the second time without exploring anything."""
    name, setting = GAMES[0]
    if asks == "lay open":
        name, setting = "number_duel", {"count": 2, "highest": 5, "target": 7}

    def answer() -> Any:
        game = rulegame.load(name, setting)
        match asks:
            case "simulate":
                return rulegame.simulate(game, 50, seed=1, players=["perfect", "random"])
            case "check":
                return rulegame.check(game)
        found = rulegame.solve(game, "revealed")
        return found.value, found.mix

    first = answer()
    assert len(kept(folder)) == 1
    request.getfixturevalue("no_solving")
    assert answer() == first


def test_a_laid_open_game_that_was_kept_is_still_not_solved() -> None:
    game = rulegame.load("number_duel", {"count": 2, "highest": 5, "target": 7})
    rulegame.solve(game, "revealed")
    assert keeping.load_solution(game, 0, symmetric=False) is not None
    with pytest.raises(rulegame.CannotSolve):
        rulegame.solve(game, "perfect_information")


def test_all_states_are_another_solution_than_one_for_all_images(folder: Path) -> None:
    text = (rulesets_folder() / "tic_tac_toe.yaml").read_text("utf-8")
    game = rulegame.loads(text + "symmetry: [mirror columns, transpose]\n")
    few = rulegame.solve(game, "perfect_information")
    report = rulegame.simulate(game, 50, seed=1, players=["perfect", "random"])
    assert len(kept(folder)) == 2
    assert rulegame.simulate(game, 50, seed=1, players=["perfect", "random"]) == report
    assert report.states is not None and report.states > len(few.graph)
    assert len(rulegame.solve(game, "perfect_information").graph) == len(few.graph)


def test_a_kept_solution_beyond_the_budget_is_of_no_use() -> None:
    game = rulegame.load("tic_tac_toe")
    states = rulegame.check(game).states
    assert states is not None
    assert rulegame.check(game, max_states=states - 1).states is None
    assert rulegame.check(game, max_memory=1000).states is None
