"""Simulation: the same games whatever the way, and frequencies that agree with exact ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest

import rulegame
from rulegame.compiling import OVER
from rulegame.exploring import StateGraph, explore
from rulegame.game import CHANCE, Game, Move, View
from rulegame.simulation import Lengths, Report, simulate, wilson
from rulegame.simulation.rng import HALF, Draws, Seeded, below
from support.backends import MACHINE_CODE, PYTHON, use_backend

WEIGHED = """\
rulegame: 1
title: Weighed
state:
  total: 0
operations:
  add:
    roll:
      card:
        from: 1..4
        weight: 5 - card
    effects: {total: total + card}
  leave:
    effects: {total: total + 1}
end:
  over: {when: total >= 12, result: "lose if total > 13 else win"}
"""

# Weights whose sum does not fit in half a word, and one that does not fit in a word.
WIDE = """\
rulegame: 1
title: Wide
state:
  last: 0
  turns: 0
operations:
  draw:
    roll:
      card:
        from: 1..3
        weight: 3074457345618258600 - card if turns == 0 else 3000000000 + card
    effects: {last: card, turns: turns + 1}
end:
  over: {when: turns == 3, result: "win if last == 1 else lose if last == 2 else draw"}
"""

# Weights that add up to 3 * 2**30: one draw in four is rejected.
REJECTING = WIDE.replace(
    "3074457345618258600 - card if turns == 0 else 3000000000 + card", "1073741822 + card"
)

SOLITAIRE = """\
rulegame: 1
title: Solitaire
players: [Only]
state:
  left: 6
operations:
  take:
    choose: {n: "1..3"}
    effects: {left: left - n}
end:
  exact: {when: left == 0, result: win}
  below: {when: left < 0, result: lose}
"""

PAYOFFS = """\
rulegame: 1
title: Payoffs
state:
  each player: {score: 0}
  turns: 0
operations:
  take:
    choose: {n: "1..3"}
    effects: {my.score: my.score + n, turns: turns + 1}
end:
  over: {when: turns == 4, payoff: score}
"""

ENDLESS = """\
rulegame: 1
title: Endless
state: {n: 0}
operations:
  left: {effects: {n: "mod(n + 1, 5)"}}
  right: {effects: {n: "mod(n + 4, 5)"}}
end:
  never: {when: n > 9, result: win}
"""

WAITING = """\
rulegame: 1
title: Waiting
state: {left: 7}
operations:
  take:
    choose: {n: "1..min(2, left)"}
    effects: {left: left - n}
  wait: {when: "me == players[1]", effects: {left: left}, next: me}
end:
  over: {when: left == 0, result: win}
"""

STUCK_AT_ONCE = """\
rulegame: 1
title: Stuck
state: {n: 0}
operations:
  take: {when: n > 0, effects: {n: n + 1}}
end:
  over: {when: n > 3, result: win}
"""

FAULT = """\
rulegame: 1
title: Fault
state: {n: 0, list: {type: list of int, size: 3}}
operations:
  safe: {effects: {n: n + 1}}
  risky: {effects: {n: "list[n + 3]"}}
end:
  over: {when: n >= 2, result: win}
"""


def many_operations(count: int) -> str:
    lines = ["rulegame: 1", "title: Many", "state: {n: 0, m: 0}", "operations:"]
    lines += [f"  op{k}: {{effects: {{n: n + 1, m: {k % 3}}}}}" for k in range(count)]
    return "\n".join([*lines, "end:", "  over: {when: n == 5, result: win if m == 1 else lose}\n"])


TEXTS = {
    "weighed": WEIGHED,
    "wide": WIDE,
    "rejecting": REJECTING,
    "solitaire": SOLITAIRE,
    "payoffs": PAYOFFS,
    "endless": ENDLESS,
    "stuck": STUCK_AT_ONCE,
    "64 operations": many_operations(64),
    "150 operations": many_operations(150),
}
BUNDLED = ("zero_sum_duel", "dice_duel", "tic_tac_toe", "nim", "number_duel", "three_player_pig")


def make(folder: Path, text: str) -> Game:
    file = folder / "game.yaml"
    file.write_text(text, "utf-8")
    return rulegame.load(file)


# ---- draws


def drawn(draws: Draws, limit: int, step: int) -> int:
    draws.step = step
    return draws.below(limit)


def test_draws_never_change() -> None:
    """Anyone who has written down a seed can repeat the run: these numbers must stay."""
    draws = Seeded.by(7).game(3)
    assert [drawn(draws, 1000, step) for step in range(8)] == [
        877,
        138,
        703,
        24,
        991,
        315,
        222,
        153,
    ]
    assert drawn(Seeded.by(-7).game(3), 10**30, 0) == 236779942503159460511305199408
    assert drawn(Seeded.by(-7).game(8), 10**30, 0) == 391750973396020059747052790113
    assert below(3 * 2**30, 0, 12345, 7) == 3212180553  # the first is rejected


def test_no_number_is_favoured() -> None:
    """Each result of the multiplication has as many halves that lead to it, or they are
    rejected: with 3 * 2**30 numbers one half in four is.
    """
    limit = 3 * 2**30
    taken = [below(limit, half, 1, 0) for half in range(8)]
    product_alone = [half * limit >> 32 for half in range(8)]
    rejected = [half for half in range(8) if half * limit % HALF < HALF % limit]
    assert rejected == [0, 4]
    assert [h for h in range(8) if taken[h] != product_alone[h]] == rejected


@pytest.mark.parametrize("limit", [2, 3, 6, 1000, 3 * 2**30, 2**40 + 7, 10**25])
def test_draws_are_even(limit: int) -> None:
    draws = [drawn(Seeded.by(1).game(number), limit, 4) for number in range(4000)]
    assert 0 <= min(draws) <= max(draws) < limit
    mean = sum(draws) / len(draws) / (limit - 1)
    assert abs(mean - 0.5) < 5 / sqrt(12 * len(draws)) * 1.8  # of two numbers it varies most


# ---- the same games, whatever the way


@pytest.fixture
def by_python(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Whether games are played by Python alone; by machine code, if not, from the first on."""

    def choose(python: bool) -> None:
        use_backend(monkeypatch, PYTHON if python else MACHINE_CODE)

    return choose


Choose = Callable[[bool], None]


@pytest.mark.quick(5)
@pytest.mark.parametrize("name", [*BUNDLED, *TEXTS])
def test_the_way_of_playing_does_not_matter(name: str, tmp_path: Path, by_python: Choose) -> None:
    game = make(tmp_path, TEXTS[name]) if name in TEXTS else rulegame.load(name)
    reports = []
    for python, batch in ((True, None), (False, None), (False, 37)):
        by_python(python)
        reports.append(simulate(game, 400, seed=11, first=None, max_moves=60, batch=batch))
    assert reports[0] == reports[1] == reports[2]
    assert reports[0].games == 400


@pytest.mark.quick(3)
@pytest.mark.parametrize("players", [["perfect", "random"], ["perfect"]])
@pytest.mark.parametrize(
    ("name", "parameters"), [("dice_duel", {"target": 5}), ("nim", {}), ("tic_tac_toe", {})]
)
def test_the_way_of_playing_does_not_matter_to_perfect_players(
    name: str, parameters: dict[str, object], players: list[str], by_python: Choose
) -> None:
    game = rulegame.load(name, parameters)
    reports = []
    for python in (True, False):
        by_python(python)
        reports.append(simulate(game, 300, seed=4, players=players, first=None))
    assert reports[0] == reports[1]
    assert reports[0].states == sum(len(explore(game, first=first)) for first in (0, 1))


def test_batches_do_not_matter() -> None:
    game = rulegame.load("dice_duel")
    reports = {simulate(game, 5000, seed=3, batch=batch) for batch in (None, 1000, 4999, 10**9)}
    assert len(reports) == 1


def test_more_games_begin_with_the_same_ones() -> None:
    game = rulegame.load("nim")
    lengths = [Counter(dict(simulate(game, games, seed=3).lengths.counts)) for games in (500, 501)]
    assert (lengths[1] - lengths[0]).total() == 1
    assert not lengths[0] - lengths[1]


def test_seeds_matter() -> None:
    game = rulegame.load("nim")
    assert len({simulate(game, 1000, seed=seed) for seed in (0, 1, -1, 10**60)}) == 4


# ---- frequencies


def exactly(graph: StateGraph) -> tuple[list[float], float]:
    """The probability of each seat to win in random play, and the mean length: by the linear
    equations of the state graph.
    """
    size = len(graph)
    steps, wins = np.zeros((size, size)), np.zeros((size, len(graph.game.players)))
    going = np.zeros(size)
    for state in range(size):
        if graph.owner[state] == OVER:
            for seat in graph.outcomes[graph.outcome[state]].winners:
                wins[state, seat] = 1
            continue
        going[state] = 1
        low, high = graph.offsets[state], graph.offsets[state + 1]
        weights = graph.weights[low:high] if graph.owner[state] == CHANCE else np.ones(high - low)
        for target, weight in zip(graph.successors[low:high], weights, strict=True):
            steps[state, target] += weight / weights.sum()
    matrix = np.eye(size) - steps
    won = np.linalg.solve(matrix, wins)
    return won[0].tolist(), float(np.linalg.solve(matrix, going)[0])


@pytest.mark.quick(6)
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("zero_sum_duel", {"start": 9}),
        ("dice_duel", {"target": 4, "sides": 3}),
        ("nim", {"heaps": [2, 3]}),
        ("weighed", {}),
        ("solitaire", {}),
        ("payoffs", {}),
    ],
)
@pytest.mark.parametrize("python", [True, False])
def test_frequencies_agree_with_probabilities(
    name: str, parameters: dict[str, object], python: bool, tmp_path: Path, by_python: Choose
) -> None:
    game = make(tmp_path, TEXTS[name]) if name in TEXTS else rulegame.load(name, parameters)
    games = 4_000 if python else 40_000
    by_python(python)
    report = simulate(game, games, seed=2024)
    chances, length = exactly(explore(game))
    for seat, chance in zip(report.seats, chances, strict=True):
        spread = sqrt(chance * (1 - chance) / games)
        assert abs(seat.wins.share - chance) < 4 * spread
    mean = report.lengths.mean
    assert mean is not None
    square = sum(n * (k - mean) ** 2 for k, n in report.lengths.counts) / games
    assert abs(mean - length) <= 4 * sqrt(square / games) + 1e-9


def test_wide_weights_are_exact(tmp_path: Path) -> None:
    report = simulate(make(tmp_path, WIDE), 30_000, seed=5)
    for end in report.ends:
        assert abs(end.games.share - 1 / 3) < 4 * sqrt(2 / 9 / 30_000)


def test_weights_that_no_graph_holds(tmp_path: Path) -> None:
    text = WIDE.replace("from: 1..3", 'from: "[1, 1, 1, 2]"').replace("3000000000 +", "1 +")
    game = make(tmp_path, text.replace(" if turns == 0", " if turns >= 0"))
    report = simulate(game, 4000, seed=5)
    assert report.states is None
    assert abs(report.seats[0].wins.share - 3 / 4) < 4 * sqrt(3 / 16 / 4000)
    with pytest.raises(rulegame.TooLarge, match="weights"):
        simulate(game, 10, seed=5, players=["perfect"])


def test_perfect_against_perfect_has_the_value_of_the_game() -> None:
    game = rulegame.load("dice_duel", {"target": 5})
    value = rulegame.solve(game, "perfect_information").value
    assert value is not None
    report = simulate(game, 50_000, seed=8, players=["perfect"])
    assert report.advantage is not None
    assert abs(report.advantage.value - float(value)) < 4 / sqrt(50_000)


# ---- players


@pytest.mark.parametrize("start", [10, 9])
def test_a_perfect_player_never_loses_a_won_game(start: int) -> None:
    game = rulegame.load("zero_sum_duel", {"start": start})
    winner = 0 if rulegame.solve(game, "perfect_information").value == 1 else 1
    players = ["random", "random"]
    players[winner] = "perfect"
    report = simulate(game, 5000, seed=1, players=players)
    assert report.seats[winner].wins.times == 5000


def test_perfect_play_gets_on_where_it_could_go_round_in_circles(tmp_path: Path) -> None:
    game = make(tmp_path, WAITING)
    solution = rulegame.solve(game, "perfect_information")
    assert solution.longest_game is None
    assert solution.value == 1
    report = simulate(game, 500, seed=1, players=["perfect", "random"])
    assert report.seats[0].wins.times == 500
    assert report.operations[1].times == 0
    assert simulate(game, 500, seed=1).operations[1].times > 0


def test_a_perfect_player_never_loses_a_drawn_game() -> None:
    game = rulegame.load("tic_tac_toe")
    report = simulate(game, 3000, seed=4, players=["random", "perfect"])
    assert report.seats[1].losses.times == 0
    assert simulate(game, 10, seed=4, players=["perfect"]).draws.times == 10


def test_perfect_players_need_a_solution() -> None:
    with pytest.raises(rulegame.CannotSolve, match="3 players"):
        simulate(rulegame.load("three_player_pig"), 10, seed=1, players=["perfect"])
    with pytest.raises(rulegame.TooLarge):
        simulate(rulegame.load("pig"), 10, seed=1, players=["perfect"], max_states=1000)


def test_perfect_players_mix_where_something_is_hidden() -> None:
    """Nobody gains against a third each; in Kuhn poker who is first loses, whoever that is."""
    signs = rulegame.load("rock_paper_scissors", {"target": 1})
    report = simulate(signs, 600, seed=2, players=["perfect", Greedy()])
    assert 0.4 < report.seats[0].wins.times / 600 < 0.6
    poker = simulate(rulegame.load("kuhn_poker"), 3000, seed=5, players=["perfect"], first=None)
    assert poker.advantage is not None and -0.2 < poker.advantage.value < 0
    with pytest.raises(rulegame.CannotSolve, match="one or two players, not 3"):
        simulate(rulegame.load("sealed_bids"), 5, seed=1, players=["perfect"])


class Greedy:
    """Always takes the last of the moves, and looks at chance, as a player may."""

    name = "greedy"

    def choose(self, view: View, rng: Random) -> Move:
        assert view.player == view.seat
        rng.random()
        return view.moves[-1]


class Cheat:
    def choose(self, view: View, rng: Random) -> Move:
        return view.game.parse_move("subtract 5")


def test_other_players_are_asked_move_by_move() -> None:
    game = rulegame.load("zero_sum_duel", {"start": 10})
    report = simulate(game, 300, seed=1, players=[Greedy(), "random"])
    assert [seat.player for seat in report.seats] == ["greedy", "random"]
    assert report.states is None
    assert report == simulate(game, 300, seed=1, players=[Greedy(), "random"])
    alone = simulate(game, 3, seed=1, players=[Greedy()])
    assert alone.lengths.counts == ((3, 3),)  # 5, 4, and 5 again


def test_players_by_name_are_asked_move_by_move() -> None:
    game = rulegame.load("tic_tac_toe")
    report = simulate(game, 40, seed=1, players=["greedy", "search:30"], first=None)
    assert [seat.player for seat in report.seats] == ["greedy", "search:30"]
    assert report.states is None
    assert report == simulate(game, 40, seed=1, players=["greedy", "search:30"], first=None)
    assert report.seats[1].wins.times > report.seats[0].wins.times


@pytest.mark.parametrize("name", ["tic_tac_toe", "dice_duel"])
def test_perfect_beside_one_who_is_asked_is_perfect_all_the_same(name: str) -> None:
    class Edges:
        """Plays as `random` does over the graph."""

        def choose(self, view: View, rng: Random) -> Move:
            return rng.choice(view.moves)

    game = rulegame.load(name)
    beside = simulate(game, 400, seed=2, players=["perfect", Edges()], first=None)
    walked = simulate(game, 4000, seed=3, players=["perfect", "random"], first=None)
    assert abs(beside.seats[0].wins.share - walked.seats[0].wins.share) < 0.08
    if name == "tic_tac_toe":
        assert beside.seats[0].losses.times == 0


def test_who_is_asked_sees_the_past() -> None:
    pasts: list[int] = []

    class Recalls:
        def choose(self, view: View, rng: Random) -> Move:
            pasts.append(len(view.past))
            return view.moves[0]

    simulate(rulegame.load("number_duel"), 1, seed=1, players=[Recalls()])
    assert pasts == list(range(len(pasts))) and len(pasts) > 3


@pytest.mark.parametrize("spec", ["search", "search:2s", "search:500ms"])
def test_what_cannot_be_repeated_is_refused(spec: str) -> None:
    with pytest.raises(ValueError, match="number of iterations"):
        simulate(rulegame.load("nim"), 1, seed=1, players=[spec, "random"])


def test_a_player_must_follow_the_rules() -> None:
    with pytest.raises(rulegame.IllegalMove, match="subtract 5"):
        simulate(rulegame.load("zero_sum_duel"), 5, seed=1, players=[Cheat()])


def test_wrong_calls() -> None:
    game = rulegame.load("nim")
    for wrong in (
        {"players": ["clever"]},
        {"players": ["human"]},
        {"players": ["perfect:100"]},
        {"players": ["random"] * 3},
        {"first": 2},
        {"max_moves": 0},
        {"batch": 0},
    ):
        with pytest.raises(ValueError, match=r"\w"):
            simulate(game, 10, seed=1, **wrong)
    with pytest.raises(ValueError, match="above 0"):
        simulate(game, 0, seed=1)


# ---- what is counted


def test_games_without_an_end_are_told(tmp_path: Path) -> None:
    report = simulate(make(tmp_path, ENDLESS), 500, seed=1, max_moves=41)
    assert report.unfinished.times == 500
    assert report.lengths.mean is None
    assert report.never == ("never",)
    assert sum(usage.times for usage in report.operations) == 500 * 41


def test_a_limit_cuts_off_the_long_games_only() -> None:
    game = rulegame.load("zero_sum_duel")
    whole = simulate(game, 3000, seed=6)
    cut = simulate(game, 3000, seed=6, max_moves=12)
    kept = tuple(pair for pair in whole.lengths.counts if pair[0] <= 12)
    assert cut.lengths.counts == kept
    assert cut.unfinished.times == 3000 - sum(count for _, count in kept)


def test_a_game_that_is_over_before_it_begins(tmp_path: Path) -> None:
    report = simulate(make(tmp_path, STUCK_AT_ONCE), 100, seed=1)
    assert report.lengths.counts == ((0, 100),)
    assert [(end.rule, end.winners) for end in report.ends] == [("stuck", (1,))]
    assert (report.operations[0].times, report.operations[0].games.times) == (0, 0)


def test_who_moves_first_in_turn() -> None:
    game = rulegame.load("zero_sum_duel", {"start": 10})
    report = simulate(game, 1000, seed=1, first=None, players=["perfect", "random"])
    one, two = (
        simulate(game, 1000, seed=1, first=k, players=["perfect", "random"]) for k in (0, 1)
    )
    assert one.seats[0].wins.times == 1000 > two.seats[0].wins.times
    assert report.advantage is not None and report.advantage.wins.times > 500
    even = simulate(game, 20_000, seed=1, first=None)
    low, high = even.seats[0].wins.interval
    assert low < 0.5 < high


def test_use_of_operations(tmp_path: Path) -> None:
    report = simulate(make(tmp_path, WEIGHED), 5000, seed=1)
    add, leave = report.operations
    (card,) = report.rolls
    assert card.times == add.times
    assert card.games == add.games
    assert add.share + leave.share == pytest.approx(1)
    steps = sum(length * count for length, count in report.lengths.counts)
    assert steps == add.times + leave.times + card.times


def test_payoffs(tmp_path: Path) -> None:
    report = simulate(make(tmp_path, PAYOFFS), 20_000, seed=1)
    assert report.payoffs is not None
    for mean in report.payoffs:
        assert mean.interval.lower < 4 < mean.interval.upper
    assert simulate(rulegame.load("nim"), 10, seed=1).payoffs is None


def test_an_error_in_the_rules_tells_the_moves(tmp_path: Path) -> None:
    game = make(tmp_path, FAULT)
    with pytest.raises(rulegame.GameError) as caught:
        simulate(game, 10_000, seed=1)
    assert caught.value.moves[-1] == "risky"


def test_intervals() -> None:
    """Published values of Wilson's interval."""
    for successes, trials, low, high in (
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 100, 0.0552, 0.1744),
        (81, 263, 0.2553, 0.3662),
        (10, 10, 0.7225, 1.0),
    ):
        assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_advantage_has_an_interval_even_if_all_games_are_alike() -> None:
    report = simulate(rulegame.load("tic_tac_toe"), 100, seed=1, players=["perfect"])
    assert report.advantage is not None
    assert report.advantage.value == 0
    assert -0.2 < report.advantage.interval.lower < 0 < report.advantage.interval.upper < 0.2


def test_lengths() -> None:
    lengths = Lengths(((3, 1), (5, 8), (9, 1)))
    assert (lengths.mean, lengths.shortest, lengths.longest) == (5.2, 3, 9)
    assert [lengths.percentile(p) for p in (0, 10, 11, 50, 90, 91, 100)] == [3, 3, 5, 5, 5, 9, 9]
    assert Lengths(()).percentile(50) is None


def test_progress_reaches_the_end() -> None:
    told: list[tuple[str, int, int | None]] = []
    report: Report = simulate(
        rulegame.load("nim"), 1000, seed=1, batch=100, progress=lambda *what: told.append(what)
    )
    assert report.games == 1000
    assert told[-1] == ("Playing", 1000, 1000)
