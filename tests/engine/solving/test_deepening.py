"""What can be forced within a number of moves is what the state graph says by definition."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf, isinf
from random import Random
from typing import Any

import pytest

import rulegame
from engine.game.random_rules import Author
from fuzz.rulesets_way import make
from rulegame.compiling import OVER
from rulegame.exploring import TooLarge
from rulegame.game import CHANCE, GameError
from rulegame.solving import CannotSolve
from rulegame.solving.lookahead import search as lookahead
from rulegame.solving.lookahead import solution as deepening
from support.backends import BACKENDS, MACHINE_CODE, PYTHON, use_backend
from support.rulesets import PATIENCE
from support.tiers import pick

CLOSE = 1e-12


@pytest.fixture(params=BACKENDS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """All of it by Python, or by machine code."""
    use_backend(monkeypatch, request.param)
    return str(request.param)


def horizon_values(
    game: rulegame.Game, first: int, beyond: Fraction | float, depth: int
) -> Iterator[dict[str, Any]]:
    """The value of each opening move (and, under '', of the start) for `first`, if all that is not
    over after 1, 2 … moves counts as `beyond`.
    """
    graph = rulegame.explore(game, first=first, max_states=20_000)
    now: list[Any] = [
        beyond if end < 0 else Fraction(graph.outcomes[end].payoffs[first]) for end in graph.outcome
    ]
    for _ in range(depth):
        before, now = now, list(now)
        for number, owner in enumerate(graph.owner.tolist()):
            if owner == CHANCE:
                now[number] = sum((before[t] * p for t, p in graph.chances(number)), Fraction(0))
            elif owner != OVER:
                following = [before[t] for _, t in graph.following(number)]
                now[number] = max(following) if owner == first else min(following)
        yield {"": now[0], **{move.text: before[t] for move, t in graph.following(0)}}


def agree(game: rulegame.Game, first: int, depth: int) -> None:
    """Bounds at every depth are those of the definition; with chance, hardly wider."""
    first = game.kernel.who_begins(first)
    low, high = beyond(game, first)
    lowers = horizon_values(game, first, low, depth)
    uppers = horizon_values(game, first, high, depth)
    for far, (lower, upper) in enumerate(zip(lowers, uppers, strict=True), 1):
        found = rulegame.solve(game, "lookahead", depth=far, first=first)
        pairs = {move.text: bounds for move, bounds in found.options}
        for name, bounds in {"": found.whole, **pairs}.items():
            assert bounds.lower <= lower[name] <= bounds.lower + CLOSE, (far, name)
            assert bounds.upper >= upper[name] >= bounds.upper - CLOSE, (far, name)
            if not game.kind.chance:
                assert bounds.value == (lower[name] if lower[name] == upper[name] else None)
            for exact, near in ((lower, bounds.lower), (upper, bounds.upper)):
                if exact[name] in (low, high) and game.kernel.parts == 1:
                    assert near == exact[name]


def beyond(game: rulegame.Game, first: int) -> tuple[Fraction | float, Fraction | float]:
    """The least and the most that can follow."""
    stakes, parts = deepening.stakes_of(game.kernel, first), game.kernel.parts
    low, high = (b if isinf(b) else Fraction(b) / parts for b in (stakes.low, stakes.high))
    return low, high


GAMES: list[tuple[str, dict[str, Any], int]] = [
    ("zero_sum_duel", {"start": 9}, 12),
    ("double_or_nothing_31", {"target": 14}, 10),
    ("double_or_nothing_10", {"target": 6}, 6),
    ("dice_duel", {"target": 8}, 5),
    ("nim", {"heaps": [1, 2, 3]}, 7),
    ("misere_nim", {"heaps": [1, 2, 2]}, 6),
    ("tic_tac_toe", {"size": 2, "line": 2}, 4),
    ("tic_tac_toe", {}, 5),
    ("pig", {"target": 7, "sides": 3}, 6),
    ("connect_four", {"rows": 3, "columns": 3, "line": 3}, 10),
    ("hex", {"size": 2}, 5),
    ("breakthrough", {"rows": 4, "columns": 2}, 9),
]


@pytest.mark.quick(3)
@pytest.mark.parametrize(("name", "setting", "depth"), GAMES, ids=str)
def test_bundled_games(way: str, name: str, setting: dict[str, Any], depth: int) -> None:
    game = rulegame.load(name, setting)
    for first in range(2):
        agree(game, first, depth)


def treated(texts: Iterator[str], count: int) -> Iterator[rulegame.Game]:
    """Games that can be solved and have few states."""
    for text in texts:
        try:
            game = rulegame.loads(text)
            rulegame.solve(game, "perfect_information", max_states=400)
        except (rulegame.RulesetError, CannotSolve, TooLarge, GameError):
            continue
        if len(game.players) != 2:
            continue
        yield game
        count -= 1
        if not count:
            return


@pytest.mark.quick(1)
def test_random_rulesets(way: str) -> None:
    texts = (make(Random(f"deepening {seed}")).decode() for seed in range(10_000))
    for game in treated(texts, pick(quick=5, full=12)):
        agree(game, 0, 5)


@pytest.mark.quick(1)
def test_random_rules(way: str) -> None:
    texts = (Author(Random(f"deepening {seed}")).rules().text for seed in range(10_000))
    for game in treated(texts, 8):
        agree(game, 0, 5)


# ---- what else can happen


def test_a_table_that_is_too_small_forgets_and_changes_nothing(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookahead, "LEAST_ROWS", 2)
    monkeypatch.setattr(lookahead, "MOST_KEPT", 3)
    game = rulegame.load("connect_four", {"rows": 3, "columns": 3, "line": 3})
    found = rulegame.solve(game, "lookahead", depth=9, max_memory=1)
    exact = rulegame.solve(game, "perfect_information")
    assert found.lower == found.upper == exact.value
    assert found.whole.lower_within == exact.distance_of(0)


def test_a_larger_game(way: str) -> None:
    """Connect Four with four in a row on 4 by 4 is a draw."""
    game = rulegame.load("connect_four", {"rows": 4, "columns": 4})
    if way == MACHINE_CODE:
        found = rulegame.solve(game, "lookahead", depth=16)
        assert (found.lower, found.upper, found.depth) == (0, 0, 16)


def test_from_a_position_on(way: str) -> None:
    game = rulegame.load("tic_tac_toe")
    state = game.start().play("place 1 1").play("place 1 2")
    found = rulegame.solve(game, "lookahead", depth=5, at=state)
    assert (found.lower, found.upper, found.whole.lower_within) == (1, 1, 5)
    assert rulegame.solve(game, "lookahead", depth=4, at=state).lower == -1
    best = {move.text for move, bounds in found.options if bounds.lower == 1}
    assert best == {"place 2 1", "place 2 2", "place 3 1"}


def test_a_position_that_is_over(way: str) -> None:
    game = rulegame.load("nim", {"heaps": [1]})
    found = rulegame.solve(game, "lookahead", depth=3, at=game.start().play("take 1 1"))
    assert (found.lower, found.upper, found.options) == (1, 1, ())


def test_no_time_at_all(way: str) -> None:
    game = rulegame.load("connect_four")
    found = rulegame.solve(game, "lookahead", max_time=1e-9)
    assert (found.lower, found.upper) == (-1, 1)
    assert found.depth < 20


GROWING = """\
rulegame: 1
title: Growing
state: {x: 3}
operations:
  square: {effects: {x: "x * x"}}
  fall: {effects: {x: x - 1}}
end:
  never: {when: x == -5, result: win}
"""


def test_where_the_rules_fail(way: str) -> None:
    """Where a number leaves 64 bits."""
    game = rulegame.loads(GROWING)
    assert rulegame.solve(game, "lookahead", depth=5).depth == 5
    with pytest.raises(GameError, match="E501"):
        rulegame.solve(game, "lookahead", depth=12)


PAYING = """\
rulegame: 1
title: Paying
state: {x: 3}
operations:
  take: {choose: {n: 1..2}, effects: {x: x - n}}
end:
  over: {when: x < 1, payoff: "PAYOFF"}
"""


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    "payoff", ["list(1 if p == me else -1 for p in players)", "[3 - x, x - 3]", "[x, 1 - x]"]
)
def test_ends_that_pay(way: str, payoff: str) -> None:
    """Amounts of any size, as long as all ends pay the same together."""
    game = rulegame.loads(PAYING.replace("PAYOFF", payoff))
    agree(game, 0, 3)
    assert (
        rulegame.solve(game, "lookahead", depth=3).whole.value
        == rulegame.solve(game, "perfect_information").value
    )


def test_players_who_are_not_opposed_are_refused(way: str) -> None:
    with pytest.raises(CannotSolve, match="does not add up to zero"):
        rulegame.solve(rulegame.loads(PAYING.replace("PAYOFF", "[3, x]")), "lookahead", depth=3)
    everyone = PAYING.replace('payoff: "PAYOFF"', "everyone: win")
    with pytest.raises(CannotSolve, match="lets everyone win"):
        rulegame.solve(rulegame.loads(everyone), "lookahead", depth=3)


def test_what_lies_beyond_may_pay_more_than_a_win(way: str) -> None:
    game = rulegame.loads(PATIENCE)
    found = rulegame.solve(game, "lookahead", depth=2)
    assert (found.lower, found.upper, found.whole.lower_within) == (1, 3, 1)
    found = rulegame.solve(game, "lookahead", depth=3)
    assert found.whole.value == 3
    assert found.whole.lower_within == 3


def test_no_bound_is_reported_where_the_rules_set_none(way: str) -> None:
    game = rulegame.loads(PATIENCE.replace("[3, -3]", "[moved, -moved]"))
    found = rulegame.solve(game, "lookahead", depth=2)
    assert (found.lower, found.upper) == (1, inf)
    assert rulegame.solve(game, "lookahead", depth=3).whole.value == 3


def test_no_move_is_best_while_another_may_surpass_it(way: str) -> None:
    """Also for the second player, who wants the first one to get little."""
    for paid, mover in (("[3, -3]", 0), ("[-3, 3]", 1)):
        text = PATIENCE.replace("[3, -3]", paid).replace(
            "[1, -1]", "[1, -1]" if not mover else "[-1, 1]"
        )
        game = rulegame.loads(text)
        found = rulegame.solve(game, "lookahead", depth=2, first=0, at=game.start(mover))
        assert found.best_moves() == []
        found = rulegame.solve(game, "lookahead", depth=3, first=0, at=game.start(mover))
        assert [move.text for move in found.best_moves()] == ["wait"]


def walk(random: Random) -> str:
    """A walk between places, some by a roll, with ways back, and an amount at each last place."""
    places = random.randint(3, 7)
    text = f"rulegame: 1\ntitle: Walk\npayoff unit: {random.choice(['1', '1/2', '1/3'])}\n"
    text += "state: {at: 0}\noperations:\n"
    inner = range(random.randint(2, places - 1))
    for place in inner:
        for way in range(random.randint(1, 3)):
            to = [random.randrange(places) for _ in range(random.choice((1, 1, 2, 3)))]
            rolled = f'roll: {{to: {{from: "{to}"}}}}, ' if len(to) > 1 else ""
            then = "to" if rolled else to[0]
            does = f"when: at == {place}, {rolled}effects: {{at: {then}}}"
            text += f"  go_{place}_{way}: {{{does}}}\n"
    text += "end:\n"
    for place in range(len(inner), places):
        paid = random.choice((0, 1, -1, random.randint(-40, 40)))
        text += f'  end_{place}: {{when: at == {place}, payoff: "[{paid}, {-paid}]"}}\n'
    return text


def test_bounds_contain_the_value_of_games_with_payoffs_chance_and_cycles(way: str) -> None:
    for seed in range(pick(quick=8, full=60) if way == PYTHON else pick(quick=2, full=8)):
        game = rulegame.loads(walk(Random(f"walk {seed}")))
        agree(game, 0, 4)
        exact = rulegame.solve(game, "perfect_information")
        found = rulegame.solve(game, "lookahead", depth=4)
        assert exact.value is not None
        assert found.lower <= exact.value <= found.upper, seed
        for option, (move, bounds) in zip(exact.options(0), found.options, strict=True):
            assert option.move == move and option.value is not None
            assert bounds.lower <= option.value <= bounds.upper, seed


@pytest.mark.parametrize("depth", [0, -1, 301])
def test_depths_that_are_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 300"):
        rulegame.solve(rulegame.load("nim"), "lookahead", depth=depth)


def test_games_that_are_refused() -> None:
    with pytest.raises(CannotSolve, match="this needs two players, and the game has 3"):
        rulegame.solve(rulegame.load("three_player_pig"), "lookahead", depth=2)
