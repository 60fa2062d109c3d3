"""Random, greedy and searching players: what they choose, how they are named and repeated."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import rulegame
from engine.players.rating import best_response, play_game, value_lost
from rulegame import Game, Player, make_player
from rulegame.compiling import Fault
from rulegame.players import UnknownPlayer, answer, player_names
from rulegame.players.advice import advise
from rulegame.players.budget import Budget, Pace, read_budget
from rulegame.players.rollouts import Rollouts
from rulegame.players.search import search
from rulegame.players.slices import finish
from rulegame.players.table import FastTable
from support.games import load
from support.rulesets import CARDS, THROWS

# Whoever reaches 10 wins; there is always a way to give the game away.
RACE = """
rulegame: 1
title: Race
parameters: {goal: 10}
state: {n: 0}
operations:
  add: {choose: {k: 1..3}, effects: {n: n + k}}
  give_up: {effects: {n: -1}}
end:
  goal: {when: n >= goal, result: win}
  given_up: {when: n < 0, result: lose}
"""

# One of 300 numbers wins.
MANY = """
rulegame: 1
title: Many
state: {n: 0, turns: 0}
operations:
  say: {choose: {k: 1..300}, effects: {n: k, turns: turns + 1}}
end:
  found: {when: n == 217, result: win}
  over: {when: turns == 6, result: draw}
"""

# Each may bank points; the payoff is what was banked.
BANK = """
rulegame: 1
title: Bank
players: [Ann, Bob, Cy]
state:
  turns: 0
  each player: {points: 0}
operations:
  bank: {choose: {k: [1, 5, 2]}, effects: {my.points: my.points + k, turns: turns + 1}}
stuck: draw
end:
  over: {when: turns == 6, payoff: points}
"""


def choice(game: Game, spec: str, state: rulegame.State | None = None, seed: int = 0) -> str:
    state = state or game.start()
    assert state.player is not None
    return make_player(spec, game).choose(state.view(state.player), Random(seed)).text


def test_random_is_as_likely_to_choose_each_move() -> None:
    game = rulegame.load("tic_tac_toe")
    player, rng = make_player("random", game), Random(0)
    counts = Counter(player.choose(game.start().view(0), rng) for _ in range(1800))
    assert len(counts) == 9 and min(counts.values()) > 140


@pytest.mark.parametrize("spec", ["greedy", "search:60"])
def test_a_win_at_once_is_taken_and_a_loss_at_once_is_not(spec: str) -> None:
    game = load(RACE)
    for seed in range(10):
        assert choice(game, spec, game.begin({"n": 7}), seed) == "add 3"
        assert choice(game, spec, game.begin({"n": 0}), seed) != "give_up"


@pytest.mark.parametrize("spec", ["greedy", "search:100"])
def test_a_win_among_hundreds_of_moves_is_found(spec: str) -> None:
    assert choice(load(MANY), spec) == "say 217"


# The tower falls for sure with a third stone, and with a second one if the die says so.
TOWER = """
rulegame: 1
title: Tower
state: {stones: 0}
operations:
  lay:
    choose: {k: 1..3}
    roll: {wind: 1..6}
    effects: {stones: 3 if k == 3 or (k == 2 and wind > 1) else 0}
end:
  fallen: {when: stones >= 3, result: lose}
"""


def test_greedy_weighs_what_the_dice_may_do() -> None:
    game = load(TOWER)
    assert {choice(game, "greedy", seed=seed) for seed in range(10)} == {"lay 1"}


@pytest.mark.parametrize(
    "dice",
    [
        "{from: 1..3, weight: die - 2}",  # their sum is nothing
        "{from: 0..3, weight: die - 1}",  # their sum is not, but one is negative
        "{from: 1..3, weight: n}",
        "{from: 1..n, weight: 1}",
        "{from: 1..n}",
    ],
)
def test_dice_that_cannot_be_rolled_break_a_game_that_is_only_imagined(dice: str) -> None:
    text = TOWER.replace("1..6", dice.replace("die", "wind")).replace(
        "stones: 0", "stones: 0, n: 0"
    )
    game = load(text)
    table, state = game.companion(FastTable), game.start()
    cells = table.step(state.cells, state.options[0])
    with pytest.raises(Fault):
        table.roll(cells, Random(0))
    assert game.companion(Rollouts).play(cells, Random(0))[0] == (0.0, 0.0)  # nothing for anyone
    assert choice(game, "search:20") in {"lay 1", "lay 2", "lay 3"}


def test_search_finds_the_only_winning_move() -> None:
    game = load(RACE)
    for n, best in ((0, "add 2"), (3, "add 3"), (5, "add 1")):
        assert choice(game, "search:400", game.begin({"n": n})) == best


# Ann lays something down in secret, which does not matter; then Bob bets on the die.
BETS = """
rulegame: 1
title: Bets
players: [Ann, Bob]
state:
  laid: {start: 0, seen by: nobody}
  turns: 0
  thrown: 0
  least: 0
operations:
  lay:
    when: turns == 0
    secret: true
    choose: {n: 1..3}
    effects: {laid: n, turns: 1}
  even:
    when: turns == 1
    roll: {die: 1..6}
    effects: {thrown: die, least: 4}
  sure:
    when: turns == 1
    roll: {die: 1..6}
    effects: {thrown: die, least: 2}
end:
  won: {when: thrown > 0 and thrown >= least, result: win}
  lost: {when: thrown > 0, result: lose}
"""


def test_search_tries_again_what_was_bad_luck_where_something_is_hidden() -> None:
    """Neither one lucky game nor an unlucky one decides: what is uncertain is worth another."""
    game = load(BETS)
    start = game.start()
    past = [(start, start.moves[0])]
    view = start.play(start.moves[0]).view(1, past)
    assert view.state is None  # so what follows is a search among what may be hidden
    for seed in range(20):
        found = search(view, Random(seed), Budget(iterations=200))
        assert found is not None
        assert found.best.text == "sure"
        assert min(finding.visits for finding in found.moves) > 1
        assert sum(finding.visits for finding in found.moves) == 200
        by_name = {finding.move.text: finding.value for finding in found.moves}
        assert by_name["sure"] == pytest.approx(2 / 3, abs=0.2)


def test_search_tries_all_of_many_moves_where_something_is_hidden() -> None:
    """More than are tried at first: one of thirty wins."""
    text = BETS.replace(
        "  even:\n",
        "  say:\n    when: turns == 1\n    choose: {k: 1..30}\n"
        "    effects: {thrown: 6, least: 6 if k == 23 else 7}\n  even:\n",
    )
    game = load(text)
    start = game.start()
    view = start.play(start.moves[0]).view(1, [(start, start.moves[0])])
    found = search(view, Random(0), Budget(iterations=1200))
    assert found is not None and found.best.text == "say 23"
    assert all(finding.visits for finding in found.moves)


# Whoever leaves the door open loses to one of thirty numbers.
DOOR = """
rulegame: 1
title: Door
state: {n: 0, open: false, turns: 0}
operations:
  leave_open: {when: turns == 0, effects: {open: true, turns: 1}}
  shut: {when: turns == 0, effects: {turns: 1}}
  say: {when: turns > 0, choose: {k: 1..30}, effects: {n: k, turns: turns + 1}}
end:
  through: {when: open and n == 17, result: win}
  over: {when: turns == 3, result: draw}
"""


@pytest.mark.parametrize("first", [0, 1])
def test_search_sees_what_the_other_wins_at_once(first: int) -> None:
    game = load(DOOR)
    chosen = {choice(game, "search:12", game.start(first), seed) for seed in range(10)}
    assert chosen == {"shut"}


def test_search_takes_the_highest_payoff_for_itself() -> None:
    game = load(BANK)
    assert choice(game, "search:400") == "bank 5"


@pytest.mark.parametrize("text", [THROWS, CARDS, RACE, MANY, BANK])
@pytest.mark.parametrize("spec", ["random", "greedy", "search:30"])
def test_the_same_seed_is_the_same_game(text: str, spec: str) -> None:
    game = load(text)

    def play() -> rulegame.State:
        players = [make_player(spec, game) for _ in game.players]
        rngs = [Random(f"{k}") for k in range(len(players))]
        return play_game(players, game.start(), rngs, Random(9))

    assert play() == play()


def test_search_does_not_think_about_a_single_move() -> None:
    assert choice(rulegame.load("pig"), "search:80000s") == "roll"  # or this takes a day


def test_search_ends_a_won_game_that_could_go_on_for_ever() -> None:
    game = rulegame.load("double_or_nothing_10")
    player = make_player("search:150", game)
    for seed in range(5):
        end = play_game(
            [player, make_player("random", game)], game.start(), [Random(seed)] * 2, Random(0)
        )
        assert end.outcome is not None and end.outcome.winners == (0,)


def test_more_thinking_loses_less() -> None:
    solution = rulegame.solve(rulegame.load("zero_sum_duel", {"start": 12}), "perfect_information")
    game = solution.graph.game
    specs = ("random", "search:10", "search:300")
    lost = [value_lost(make_player(spec, game), solution, 60).mean for spec in specs]
    assert lost[0] > lost[1] > lost[2]
    assert value_lost(make_player("perfect", game), solution, 60).worst == 0


def test_players_are_compared_by_what_they_see() -> None:
    """All that has happened is in the view."""
    seen: set[tuple[int, int]] = set()

    class Watching:
        def choose(self, view: rulegame.View, rng: Random) -> rulegame.Move:
            assert view.state is not None
            seen.add((len(view.past), view.state["turns"]))
            return rng.choice(view.moves)

    game = load(DOOR)
    value_lost(Watching(), rulegame.solve(game, "perfect_information"), 20)
    assert seen == {(0, 0), (1, 1), (2, 2)}


def test_the_best_answer_to_random_play_is_worth_what_may_follow() -> None:
    """Also where play can go round in circles, and one sweep is not enough."""
    game = rulegame.load("double_or_nothing_10")
    table = game.companion(FastTable)
    graph = answer._Graph(table, 0, Pace(Budget()))
    graph.number(game.start().cells)
    assert finish(graph.grow())
    values = finish(graph.values())
    for worth, ways, chooses in zip(values, graph._following, graph._chooses, strict=True):
        if ways:
            best = max(values[target] for target, _ in ways)
            mean = sum(values[target] * share for target, share in ways)
            assert worth == pytest.approx(best if chooses else mean, abs=1e-4)


def test_best_response_to_random_play() -> None:
    graph = rulegame.explore(load(RACE, goal=1))
    assert best_response(graph, 0) == 1
    assert best_response(graph, 1) == pytest.approx(1 / 4)  # only if the first gives up


# ---- names and budgets


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("5000", Budget(iterations=5000)),
        ("2s", Budget(seconds=2)),
        ("1.5s", Budget(seconds=1.5)),
        (".5s", Budget(seconds=0.5)),
        ("500ms", Budget(seconds=0.5)),
        (" 7 ", Budget(iterations=7)),
    ],
)
def test_budgets(text: str, budget: Budget) -> None:
    assert read_budget(text) == budget


@pytest.mark.parametrize(
    "text",
    ["", "0", "-3", "1e3", "2 s", "2m", "0s", "inf", "nan", "1.5", "9" * 400 + "s", "٣", "1_0"],
)
def test_no_budgets(text: str) -> None:
    assert read_budget(text) is None


def test_the_clock_of_a_choice_stops_while_others_work(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("rulegame.players.budget.monotonic", lambda: now)
    pace = Pace(Budget(seconds=1))
    for _ in range(3):
        now += 0.2
        for _ in pace.rest():
            now += 60.0
    assert pace.now == pytest.approx(100.6)
    assert pace.lasts(0.39) and not pace.lasts(0.41)
    assert pace.share(0.5) == pytest.approx(100.8)
    assert Pace(Budget(iterations=5)).lasts(1e9)


def test_budgets_in_words_and_within_a_time() -> None:
    assert Budget(iterations=7).within(2) == Budget(7, 2)
    assert Budget(seconds=5).within(2) == Budget(seconds=5)
    assert [str(Budget(iterations=7)), str(Budget(seconds=1)), str(Budget(seconds=0.5))] == [
        "7",
        "1s",
        "500ms",
    ]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("serch", "did you mean 'search'?"),
        ("", "random, greedy, search, perfect, easy, medium, hard"),
        ("search:", "search:2s"),
        ("search:soon", "search:5000"),
        ("random:2", "takes no argument"),
        ("greedy:", "takes no argument"),
        ("perfect:2s", "perfect:100000"),
        ("search:2s:3", "search:500ms"),
    ],
)
def test_what_is_no_player_is_told_with_what_there_is(spec: str, told: str) -> None:
    with pytest.raises(UnknownPlayer) as caught:
        make_player(spec, rulegame.load("nim"))
    assert told in str(caught.value) and "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_the_names() -> None:
    assert player_names()[:4] == ("random", "greedy", "search", "perfect")


def test_anything_that_chooses_is_a_player() -> None:
    class First:
        def choose(self, view: rulegame.View, rng: Random) -> rulegame.Move:
            return view.moves[0]

    player: Player = First()
    game = rulegame.load("nim")
    end = play_game([player, player], game.start(), [Random(0)] * 2, Random(0))
    assert end.outcome is not None


# ---- advice


def test_advice_from_the_solution() -> None:
    game = load(RACE)
    advice = advise(game.begin({"n": 3}).view(0), Random(0))
    assert [m.text for m in advice.best] == ["add 3"] and advice.source == "solution"
    assert {w.move.text: (w.value, w.text) for w in advice.worths} == {
        "add 1": (-1, "loses in 4 moves"),
        "add 2": (-1, "loses in 4 moves"),
        "add 3": (1, "wins in 3 moves"),
        "give_up": (-1, "loses at once"),
    }


def test_advice_is_from_the_side_of_the_player_to_move() -> None:
    game = rulegame.load("zero_sum_duel", {"start": 3})
    state = game.start().play(game.parse_move("subtract 1"))
    advice = advise(state.view(1), Random(0))
    wins = {w.move.text: w.text for w in advice.worths}
    assert wins["subtract 3"] == "wins at once"


def test_advice_from_a_search_says_why() -> None:
    game = rulegame.load("pig", {"target": 20})
    state = game.start().play(game.parse_move("roll")).play(game.parse_move("die 6"))
    advice = advise(state.view(0), Random(0), budget=Budget(iterations=300), max_states=50)
    assert advice.source == "search" and "over 50 positions" in str(advice.note)
    assert [w.move.text for w in advice.worths] == ["roll", "hold"]
    assert all("is worth about" in w.text for w in advice.worths)


def test_advice_is_for_the_player_to_move() -> None:
    with pytest.raises(ValueError, match="not this player"):
        advise(rulegame.load("nim").start().view(1), Random(0))
