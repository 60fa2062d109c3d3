"""Players who choose at once in games that can come back to where they were: the value of every
state, exact or between proved bounds, held against plain solvers and a checker of its own.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random

import pytest

import rulegame
from fuzz import together_way
from rulegame.players.advice import advise
from rulegame.solving import deadline, solve
from rulegame.solving.simultaneous import cycle_bounds

from .concurrent_games import ConcurrentGame

ROOT = """\
rulegame: 1
title: Root
state: {done: false, each player: {gain: 0}}
turn:
  together: true
  steps:
    toss: {roll: {coin: 0..1}}
    pay:
      effects:
        done: not (k[1] == 2 and k[2] == 2 and coin == 0)
        gain: "[1, -1] if k[1] == k[2] and not (k[1] == 2 and coin == 0) else [0, 0]"
operations:
  show: {choose: {k: 1..2}}
end:
  over: {when: done, payoff: gain}
"""
SNOWBALL = """\
rulegame: 1
title: Hide or run
players: [Hider, Thrower]
state: {home: false, hit: false, ball: true}
turn:
  together: true
  effects:
    home: k[1] == 2 and k[2] == 1
    hit: k[1] == 2 and k[2] == 2
    ball: ball and k[2] == 1
operations:
  act: {choose: {k: 1..2}}
end:
  safe: {when: home or not ball and not hit, winners: "[players[1]]"}
  caught: {when: hit, winners: "[players[2]]"}
"""
PENNIES = """\
rulegame: 1
title: Pennies until they differ
state: {over: false, each player: {gain: 0}}
turn:
  together: true
  effects:
    over: SAME
    gain: "[GAIN, 0 - (GAIN)]"
operations:
  show: {choose: {k: 1..2}}
end:
  over: {when: over, payoff: gain}
claims: {fair_within: 0, first_player_gets: 0}
"""


SCATTER = """\
rulegame: 1
title: Scatter
state: {at: 1, over: false}
turn:
  together: true
  steps:
    go:
      effects: {at: "mod(at * 13 + 7 + 11 * k[1] * k[1] + 23 * k[2] + 5 * k[1] * k[2], 101)"}
    luck:
      roll: {c: 1..4}
      effects: {over: c == 1}
operations:
  jump: {choose: {k: 1..3}}
end:
  over:
    when: over
    payoff: "[mod(at * at, 23) - 9, 9 - mod(at * at, 23)]"
"""


def test_rock_paper_scissors() -> None:
    """Fair, a third each, whatever the score is; at 1 to 0 it is what fair rounds make of it."""
    game = rulegame.load("rock_paper_scissors")
    solution = rulegame.solve(game, "simultaneous")
    assert solution.exact and solution.value == 0
    assert solution.win_probability == Fraction(1, 2) and solution.result == "mixed"
    third = (Fraction(1, 3),) * 3
    assert set(solution.mixes.values()) == {(third, third)}
    ahead = game.start().play("show rock").play("show scissors")
    assert solution.value_of(ahead) == Fraction(3, 8)
    assert rulegame.solve(game, "simultaneous", at=ahead).value == Fraction(3, 8)
    with pytest.raises(KeyError, match="has no value of its own"):
        solution.value_of(game.start().play("show rock"))


@pytest.mark.parametrize(
    ("same", "gain", "value"),
    [
        ("k[1] != k[2]", "0 if k[1] == k[2] else 1 if k[1] == 1 else -1", Fraction(0)),
        ("true", "1 if k[1] == k[2] else -1", Fraction(0)),
        ("k[1] == 1 or k[2] == 1", "0 if k[1] != k[2] else 1", Fraction(0)),
        ("k[1] == 1", "2 if k[2] == 1 else -1", Fraction(0)),
    ],
)
def test_values_by_hand(same: str, gain: str, value: Fraction) -> None:
    """Ties are played again; whoever would lose by ending the game need not."""
    game = rulegame.loads(PENNIES.replace("SAME", same).replace("GAIN", gain))
    solution = rulegame.solve(game, "simultaneous")
    if solution.exact:
        assert solution.value == value
    assert Fraction(solution.lower) <= value <= Fraction(solution.upper)
    assert solution.upper - solution.lower < 1e-5


def test_a_value_that_is_no_fraction() -> None:
    """v = (v + 1) / (v + 3): the root of 2, less 1."""
    solution = rulegame.solve(rulegame.loads(ROOT), "simultaneous")
    assert not solution.exact and solution.value is None
    assert solution.lower <= sqrt(2) - 1 <= solution.upper
    assert solution.upper - solution.lower <= solution.exploitability < 1e-9


def test_a_value_that_no_strategy_reaches() -> None:
    """Who hides long enough is all but safe: the value is 1, and every strategy gets less."""
    solution = rulegame.solve(rulegame.loads(SNOWBALL), "simultaneous")
    assert 0.9999 < solution.lower < 1 == solution.upper
    assert solution.result == "mixed" and not solution.exact


def positions(game: rulegame.Game) -> dict[tuple[int, int | None], rulegame.State]:
    """All places that a game can come to, before the coin and after each of its sides."""
    found: dict[tuple[int, int | None], rulegame.State] = {}
    waiting = [game.start()]
    while waiting:
        state = waiting.pop()
        if state.is_over or (state["at"], None) in found:
            continue
        found[state["at"], None] = state
        for coin, roll in enumerate(state.moves):
            after = found[state["at"], coin] = state.play(roll)
            for one in map(after.play, after.moves):
                waiting += map(one.play, one.moves)
    return found


def shares(
    solution: rulegame.SimultaneousSolution, state: rulegame.State, side: int
) -> list[Fraction]:
    """How a player chooses in a state: the second is asked when the first has chosen."""
    asked = state if side == 0 else state.play(state.moves[0])
    strategy = solution.strategy(asked.view(side))
    assert strategy is not None
    return [Fraction(share) for share in strategy.values()]


@pytest.mark.quick(15)
@pytest.mark.parametrize("way", ["strategies", "value iteration", "no time"])
@pytest.mark.parametrize("number", range(12))
def test_random_games(number: int, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said of every place is proved by the strategies, and what many turns come to."""
    plain = ConcurrentGame.random(Random(f"places {number}"))
    game = rulegame.loads(plain.ruleset())
    monkeypatch.setattr(deadline, "GRACE", 60.0)
    if way == "value iteration":
        monkeypatch.setattr(cycle_bounds, "LARGE", 0)
        monkeypatch.setattr(cycle_bounds, "NARROW", 100.0)  # so that nothing else is tried
        monkeypatch.setattr(cycle_bounds, "MOST_SWEEPS", 1000)
    solution = rulegame.solve(game, "simultaneous", max_time=0 if way == "no time" else 20)
    known = positions(game)
    numbers = {at: solution.graph.number(s) for (at, coin), s in known.items() if coin is None}
    places = range(len(plain.table))
    for side, one in enumerate((plain, plain.flipped())):
        bounds = solution.lowers if side == 0 else [-value for value in solution.uppers]
        claimed = [bounds[numbers[p]] if p in numbers else Fraction(-9) for p in places]
        even = [Fraction(1, 2)] * 2
        mixes = [
            [shares(solution, known[p, c], side) if p in numbers else even for c in range(2)]
            for p in places
        ]
        assert one.proves(mixes, claimed)
    rough = plain.iterated(5_000)
    for place, at in numbers.items():
        low, high = float(solution.lowers[at]), float(solution.uppers[at])
        assert low - 0.03 <= rough[place] <= high + 0.03


@pytest.mark.full
def test_value_iteration_solves_large_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cycle_bounds, "_improve_both", lambda *_: pytest.fail("not needed"))
    solution = rulegame.solve(rulegame.loads(SCATTER), "simultaneous", max_time=60)
    assert len(solution.graph) > 500
    assert solution.upper - solution.lower < 1e-10
    assert -9 < solution.lower < solution.upper < 9


def test_a_claim_that_is_too_high_is_not_proved() -> None:
    """The checker is no rubber stamp: in a fair game nothing above 0 can be made sure of."""
    game = ConcurrentGame([[[[-1, -2], [-2, -1]], [[0, 0], [0, 0]]]], [1, -1, 0])
    even = [[[Fraction(1, 2)] * 2] * 2]
    assert game.proves(even, [Fraction(0)])
    assert not game.proves(even, [Fraction(1, 1000)])
    held = ConcurrentGame([[[[0, -1], [0, -1]], [[0, -1], [0, -1]]]], [1, -1, 0])
    assert not held.proves(even, [Fraction(1)])  # the other one can stay, and so it does
    assert held.proves(even, [Fraction(0)])


@pytest.mark.parametrize("seed", [21, 32, 91, 118, 132])
def test_random_rulesets_by_another_way(seed: int) -> None:
    """Stage by stage and over all that players can have seen: the same."""
    text = together_way.make(Random(f"stages {seed}")).decode()
    for whose in ("owner", "nobody"):
        text = text.replace(f"seen by: {whose}", "seen by: all")
    game = rulegame.loads(text.replace("    secret: true\n", ""))
    found = rulegame.solve(game, "simultaneous")
    assert found.exact and found.value == rulegame.solve(game, "hidden").value


@pytest.mark.parametrize("number", range(6))
def test_endless_games_by_another_way(number: int) -> None:
    """Followed for so many turns, whoever has seen what: bounds that meet."""
    game = rulegame.loads(ConcurrentGame.random(Random(f"turns {number}")).ruleset())
    found = rulegame.solve(game, "simultaneous", max_time=20)
    other = rulegame.solve(game, "hidden", max_states=1000, max_time=1)
    assert other.plans.lower <= found.uppers[0] and found.lowers[0] <= other.plans.upper


# ---- what else answers


def test_claims_and_values_in_tests() -> None:
    text = PENNIES.replace("SAME", "k[1] != k[2]")
    text = text.replace("GAIN", "0 if k[1] == k[2] else 1 if k[1] == 1 else -1")
    result = rulegame.check(rulegame.loads(text))
    assert [finding.status for finding in result.findings] == ["proved", "proved"]


def test_the_perfect_player_mixes() -> None:
    game = rulegame.load("rock_paper_scissors", {"target": 1})
    player = rulegame.make_player("perfect", game, first=0)
    assert getattr(player, "note", "") is None
    view = game.start().play("show rock").view(1)
    drawn = {player.choose(view, Random(k)).text for k in range(40)}
    assert drawn == {"show rock", "show paper", "show scissors"}
    advice = advise(view, Random(1))
    assert len(advice.best) == 3 and advice.source == "solution"
    assert {worth.text for worth in advice.worths} == {"is worth +0.000, best 33.3 % of the time"}


def test_positions() -> None:
    """Of what has been chosen unseen there is no position to solve."""
    game = rulegame.load("rock_paper_scissors")
    with pytest.raises(rulegame.CannotSolve, match="before both choose"):
        rulegame.solve(game, "simultaneous", at=game.start().play("show rock"))
    strongest = solve(game)
    assert isinstance(strongest, rulegame.SimultaneousSolution) and strongest.value == 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [("tic_tac_toe", "no simultaneous turns"), ("sealed_bids", "one or two players, not 3")],
)
def test_other_games_are_refused(name: str, reason: str) -> None:
    with pytest.raises(rulegame.CannotSolve, match=reason):
        rulegame.solve(rulegame.load(name), "simultaneous")
