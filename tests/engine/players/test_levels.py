"""Opponents by how hard they are to beat."""

from __future__ import annotations

from random import Random

import pytest

import rulegame
from rulegame.game import Game
from rulegame.players import UnknownPlayer, budget, levels, make_player
from rulegame.players.background import BackgroundSolutions
from rulegame.players.budget import Budget
from rulegame.players.hard import HardPlayer
from rulegame.players.search import SearchPlayer
from rulegame.players.slices import Thinking, urgently
from rulegame.players.solutions import Solutions
from rulegame.playing.computers import Computers


def score(game: Game, better: str, worse: str, games: int) -> float:
    total = 0.0
    for number in range(games):
        seat, rng, state = number % 2, Random(number), game.start()
        players = {seat: make_player(better, game), 1 - seat: make_player(worse, game)}
        while state.outcome is None:
            assert state.player is not None
            state = state.play(players[state.player].choose(state.view(state.player), rng))
        total += 0.5 if state.outcome.draw else seat in state.outcome.winners
    return total / games


@pytest.mark.full
def test_each_is_harder_than_the_one_before() -> None:
    game = rulegame.load("nim")
    assert score(game, "medium", "easy", 20) > 0.7
    assert score(game, "hard", "medium", 20) > 0.7


def test_an_easy_opponent_errs() -> None:
    """A win at once is taken about every second time, and whenever chance has it."""
    game = rulegame.load("nim", {"heaps": [5]})
    view = game.start().view(0)
    easy = make_player("easy", game)
    taken = sum(easy.choose(view, Random(n)).text == "take 1 5" for n in range(200))
    assert 80 < taken < 160


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_nothing_stands_after_the_name(name: str) -> None:
    with pytest.raises(UnknownPlayer, match="takes no argument"):
        make_player(f"{name}:3", rulegame.load("nim"))


def test_hard_searches_until_the_solution_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulegame.load("nim")
    view = game.start().view(0)
    thought: list[float] = []

    def searched(self: SearchPlayer, view: object, rng: Random) -> Thinking[object]:
        thought.append(self.budget.seconds or 0.0)
        yield
        return game.start().moves[0]

    monkeypatch.setattr(SearchPlayer, "thinking", searched)
    monkeypatch.setattr(BackgroundSolutions, "ready", lambda *_: None)
    computers = Computers(game, ["hard", "human"], {})
    hard = computers.player("hard", 0)
    assert computers.notes(["hard", "human"], 0) == {0: "hard"}
    hard.choose(view, Random(1))
    assert computers.notes(["hard", "human"], 0) == {0: "hard, search"}
    assert thought == [1.0]
    monkeypatch.undo()
    game.companion(BackgroundSolutions).ready(0, 60)
    assert hard.choose(view, Random(1)).text == "take 1 2"  # the only move that wins
    assert computers.notes(["hard", "human"], 0) == {0: "hard, solution"}
    assert len(thought) == 1


def test_a_solution_that_is_found_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulegame.load("nim")
    ready, solution = iter([None]), make_solution(game)
    monkeypatch.setattr(BackgroundSolutions, "ready", lambda *_: next(ready, solution))
    monkeypatch.setattr(budget, "SLICE", 0.0)
    hard = make_player("hard", game)
    assert hard.choose(game.start().view(0), Random(1)).text == "take 1 2"
    assert getattr(hard, "spec", "") == "hard:solution"


def make_solution(game: Game) -> object:
    return game.companion(Solutions).find(0, 10_000)


def test_solving_in_the_background_rests_while_something_is_urgent() -> None:
    game = rulegame.load("tic_tac_toe")
    with urgently():
        make_player("hard", game)
        solutions = game.companion(BackgroundSolutions)
        assert solutions.ready(0, 0.2) is None
    assert solutions.ready(0, 60) is not None


def test_others_share_the_solution_of_the_background() -> None:
    game = rulegame.load("nim")
    make_player("hard", game)
    solution = game.companion(BackgroundSolutions).ready(0, 60)
    assert game.companion(Solutions).find(0, 10) is solution


def test_hard_begins_at_once_in_a_large_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is explored by the thread that plays."""
    monkeypatch.setattr(Solutions, "find", lambda *_: pytest.fail("solved in the foreground"))
    monkeypatch.setattr(BackgroundSolutions, "begin", lambda *_: None)
    monkeypatch.setattr(BackgroundSolutions, "ready", lambda *_: None)
    monkeypatch.setattr(levels, "THINKING", Budget(iterations=10))
    game = rulegame.load("othello")
    assert make_player("hard", game).choose(game.start().view(0), Random(1)) in game.start().moves


def test_repeatable_levels_think_for_iterations() -> None:
    game = rulegame.load("nim")
    assert isinstance(make_player("hard", game), HardPlayer)
    for name in ("medium", "hard"):
        player = make_player(name, game, repeatable=True)
        assert isinstance(player, SearchPlayer) and player.budget.iterations is not None


def test_hard_games_can_be_repeated() -> None:
    game = rulegame.load("nim")
    reports = [rulegame.simulate(game, 2, seed=3, players=["hard", "medium"]) for _ in range(2)]
    assert reports[0] == reports[1]
    assert [seat.player for seat in reports[0].seats] == ["hard", "medium"]
