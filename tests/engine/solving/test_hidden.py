"""Games with hidden information: values that others have found, and certificates that are checked
by code that shares nothing with the solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import rulegame
from engine.solving.plain_answers import best_answer
from fuzz import secrets_way, together_way
from rulegame.progress import silent
from rulegame.solving import deadline
from rulegame.solving.hidden import mixing
from rulegame.solving.hidden import solution as hidden
from rulegame.solving.hidden.sequence_form import SequenceForm, behaviour, plan_of

PENNIES = """
rulegame: 1
title: Matching pennies
state:
  each player: {coin: {start: 0, seen by: owner}}
setup:
  lay: {secret: true, choose: {side: 1..SIDES}, effects: {my.coin: side}}
operations:
  show: {effects: {my.coin: my.coin}}
end:
  shown: {when: true, payoff: "PAYOFF"}
"""


def pennies(sides: int, payoff: str) -> rulegame.Game:
    return rulegame.loads(PENNIES.replace("SIDES", str(sides)).replace("PAYOFF", payoff))


def certified(solution: rulegame.HiddenSolution) -> None:
    """Neither side gets more than the value against the other one's strategy."""
    first, other = solution.first, 1 - solution.first
    game = solution.game
    assert best_answer(game, first, first, solution.strategy, first) == solution.plans.upper
    assert best_answer(game, first, other, solution.strategy, first) == solution.plans.lower


@pytest.mark.parametrize(
    ("name", "setting", "value"),
    [
        ("kuhn_poker", {}, Fraction(-1, 18)),
        ("kuhn_poker", {"cards": 2}, None),
        ("kuhn_poker", {"cards": 4, "bet": 2}, None),
        ("liars_dice", {"sides": 1}, None),
        ("liars_dice", {"sides": 2}, None),
        ("liars_dice", {"sides": 3}, Fraction(1, 9)),
        ("number_duel", {"count": 1, "highest": 4, "target": 5}, None),
    ],
    ids=str,
)
@pytest.mark.parametrize("first", [0, 1])
def test_bundled_games(
    name: str, setting: dict[str, Any], value: Fraction | None, first: int
) -> None:
    solution = rulegame.solve(rulegame.load(name, setting), "hidden", first=first)
    assert solution.exact and solution.value is not None
    assert value is None or solution.value == value
    assert Fraction(solution.lower) <= solution.value <= Fraction(solution.upper)
    assert solution.exploitability == 0
    certified(solution)


@pytest.mark.full
def test_liars_dice_with_six_sides() -> None:
    """Its value, as others have found it; the proof in fractions is the solver's own."""
    solution = rulegame.solve(rulegame.load("liars_dice"), "hidden")
    assert (solution.value, solution.plans.method) == (Fraction(-7, 258), "exact")
    assert solution.win_probability == (1 + Fraction(-7, 258)) / 2


ONE, TWO = "coin of (players[1])", "coin of (players[2])"


@pytest.mark.parametrize(
    ("sides", "worth"),
    [
        (2, f"1 if {ONE} == {TWO} else -1"),
        (3, f"0 if {ONE} == {TWO} else 1 if mod({ONE} - {TWO}, 3) == 1 else -1"),
    ],
)
def test_pennies_and_rock_paper_scissors(sides: int, worth: str) -> None:
    """What is chosen unseen is chosen at the same time."""
    solution = rulegame.solve(
        pennies(sides, f"list(({worth}) * (1 if p == players[1] else -1) for p in players)"),
        "hidden",
    )
    assert solution.value == 0
    certified(solution)
    for seat in (0, 1):
        (one,) = solution.information_sets(seat)
        assert [move.probability for move in one.moves] == [Fraction(1, sides)] * sides
        assert [abs(move.value or 0) < 1e-9 for move in one.moves] == [True] * sides and one.used


GOOFSPIEL = """
rulegame: 1
title: Goofspiel
parameters: {cards: 4}
state: {prize: 1, each player: {hand: {type: set of 1..cards, start: 1..cards}, won: 0}}
turn:
  together: true
  effects:
    prize: prize + 1
    "won of p for p in players if card of p > card of (next(p))": won of p + prize
operations:
  bid: {choose: {card: my.hand}, effects: {my.hand: "without(my.hand, card)"}}
end:
  done: {when: prize > cards, payoff: "list(PAID for p in players)"}
"""
MORE = "won of p > won of (next(p))"
LESS = "won of p < won of (next(p))"


@pytest.mark.parametrize(
    ("cards", "paid"),
    [
        (3, "won of p - won of (next(p))"),
        (3, f"(1 if {MORE} else 0) - (1 if {LESS} else 0)"),
        (4, f"(1 if {MORE} else 0) - (1 if {LESS} else 0)"),
    ],
)
def test_goofspiel_with_prizes_in_order(cards: int, paid: str) -> None:
    """Both choose at once: nobody sees what the other has chosen before it is too late."""
    game = rulegame.loads(GOOFSPIEL.replace("PAID", paid), {"cards": cards})
    solution = rulegame.solve(game, "hidden")
    assert solution.value == 0
    if cards == 3:
        certified(solution)


def test_rock_paper_scissors_at_once() -> None:
    beats = " or ".join(
        f"sign of p == {one} and sign of (next(p)) == {other}"
        for one, other in (("rock", "scissors"), ("paper", "rock"), ("scissors", "paper"))
    )
    text = f"""
rulegame: 1
title: Signs
state: {{n: 0, each player: {{won: 0}}}}
turn:
  together: true
  effects: {{n: n + 1, "won of p for p in players if {beats}": won of p + 1}}
operations:
  show: {{choose: {{sign: rock | paper | scissors}}}}
end:
  shown: {{when: n == 2, payoff: "list(won of p - won of (next(p)) for p in players)"}}
"""
    solution = rulegame.solve(rulegame.loads(text), "hidden")
    assert solution.value == 0
    certified(solution)
    for seat in (0, 1):
        for one in solution.information_sets(seat):
            assert not one.used or {move.probability for move in one.moves} == {Fraction(1, 3)}


def test_leduc_poker() -> None:
    """As OpenSpiel has it, at the same bets: -0.0856064241."""
    solution = rulegame.solve(rulegame.load("leduc_poker"), "hidden")
    assert solution.exact and solution.value is not None
    assert float(solution.value) == pytest.approx(-0.0856064241, abs=5e-11)


def random_games(count: int) -> Iterator[rulegame.HiddenSolution]:
    """Solved rulesets with secrets of all kinds, and with players who choose at once."""
    for seed in range(10_000):
        make = (secrets_way.make, together_way.make)[seed % 2]
        try:
            game = rulegame.loads(make(Random(f"hidden {seed}")).decode())
            solution = rulegame.solve(game, "hidden", max_states=600)
        except (
            rulegame.RulesetError,
            rulegame.CannotSolve,
            rulegame.TooLarge,
            rulegame.GameError,
        ):
            continue
        yield solution
        count -= 1
        if not count:
            return


@pytest.mark.full
def test_random_rulesets() -> None:
    certain = 0
    for solution in random_games(15):
        if len(solution.game.players) == 2:
            assert solution.exact
            certified(solution)
            certain += 1
    assert certain > 5


@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice"])
def test_bounds_by_regrets_hold(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """What is too large for a linear program: the bounds are proved, in fractions or in floats."""
    game = rulegame.load(name, {"sides": 3} if name == "liars_dice" else {})
    value = rulegame.solve(game, "hidden").plans.lower
    monkeypatch.setattr(mixing, "MOST_SEQUENCES", 0)
    monkeypatch.setattr(mixing, "ITERATIONS", 200)
    for most in (10**6, 0):
        monkeypatch.setattr(mixing, "MOST_EXACT", most)
        solution = rulegame.solve(game, "hidden")
        assert not solution.exact and solution.value is None
        assert Fraction(solution.lower) <= value <= Fraction(solution.upper)
        assert solution.upper - solution.lower < 0.02
        assert solution.exploitability >= solution.upper - solution.lower
        if most:
            certified(solution)


@pytest.mark.quick(8)
@pytest.mark.parametrize("seed", range(20))
def test_best_answers_in_floating_point_are_never_too_low(seed: int) -> None:
    """Against behaviours at random, in fractions and with rounding."""
    game = rulegame.load("liars_dice", {"sides": 3})
    histories = rulegame.solve(game, "hidden").histories
    form = SequenceForm(histories)
    random = np.random.default_rng(seed)
    for side in range(2):
        other = form.sides[1 - side]
        shares = behaviour(other, random.random(other.sequences))
        exact = [Fraction(share) for share in shares.tolist()]
        for low, high in zip(other.starts[:-1].tolist(), other.starts[1:].tolist(), strict=True):
            total = sum(exact[low:high])
            exact[low:high] = [share / total for share in exact[low:high]]
        sure = form.exact_answer(side, mixing.exact_plan(other, exact))
        found = form.answer(side, plan_of(other, shares))
        assert sure <= Fraction(found) <= sure + Fraction(1, 10**9)


def test_a_strategy_is_found_by_what_was_seen() -> None:
    game = rulegame.load("kuhn_poker")
    solution = rulegame.solve(game, "hidden")
    state, past = game.start(), []
    for text in ("card 3", "card 1", "pass"):
        move = state.meant(text)
        past.append((state, move))
        state = state.play(move)
    found = solution.strategy(state.view(1, past))
    assert found == {game.move("pass"): Fraction(2, 3), game.move("bet"): Fraction(1, 3)}
    assert solution.strategy(state.view(1)) is None  # nothing tells how it came to this


@pytest.mark.parametrize(
    ("effect", "paid", "reason"),
    [
        ("x + n", "[x, 1]", "does not add up to zero"),
        ("mod(x + n, 5)", "[2, 0]", "adds up to 2, and play that never ends to zero"),
    ],
)
def test_what_is_refused(effect: str, paid: str, reason: str) -> None:
    text = f"""
rulegame: 1
title: X
state: {{x: 0, each player: {{h: {{start: 0, seen by: owner}}}}}}
operations:
  go: {{choose: {{n: 1..2}}, effects: {{x: "{effect}", my.h: n}}}}
end:
  b: {{when: x > 3, payoff: "{paid}"}}
"""
    with pytest.raises(rulegame.CannotSolve, match=reason):
        rulegame.solve(rulegame.loads(text), "hidden")


GUESSING = """
rulegame: 1
title: Guessing until it is right
players: [Hider, Seeker]
state:
  found: false
  hides: true
  tries: 0
  each player: {place: {start: 0, seen by: owner}}
operations:
  hide:
    when: hides
    secret: true
    choose: {n: 1..2}
    effects: {my.place: n, hides: false}
  seek:
    when: not hides
    choose: {m: 1..2}
    effects: {found: "m == place[1]", hides: true, "place of (players[1])": 0}
end:
  over: {when: found, winners: "[players[2]]"}
"""


def test_bounds_where_play_can_be_endless() -> None:
    """Who guesses at random is right in the end; after k guesses with all but 1 in 2 ** k."""
    game = rulegame.loads(GUESSING)
    widths = []
    for budget in (100, 1000):
        solution = rulegame.solve(game, "hidden", max_states=budget)
        assert not solution.exact and solution.longest_game is None
        assert solution.lower == -1
        assert solution.depth is not None
        assert solution.upper == -1 + 0.5 ** (solution.depth // 2)
        widths.append(solution.exploitability)
    assert widths[1] < widths[0]
    seen = solution.strategy(
        game.start().play("hide 1").view(1, [(game.start(), game.move("hide", n=1))])
    )
    assert seen is not None and sum(seen.values()) == 1


def test_endless_play_that_nobody_can_end() -> None:
    game = rulegame.loads(GUESSING.replace("m == place[1]", "m == place[1] + 5"))
    solution = rulegame.solve(game, "hidden")
    assert solution.exact and solution.value == 0


def test_positions_that_all_know() -> None:
    """After a wrong guess both know everything, and begin again."""
    game = rulegame.loads(GUESSING)
    again = game.start().play("hide 1").play("seek 2")
    found = rulegame.solve(game, "hidden", at=again, max_states=300)
    assert found.lower == -1 and found.upper < -0.5
    with pytest.raises(rulegame.CannotSolve, match="looks the same to Seeker"):
        rulegame.solve(game, "hidden", at=game.start().play("hide 1"))


def test_too_many_histories() -> None:
    with pytest.raises(rulegame.TooLarge, match="294,883 of them, and the budget is 2,000"):
        rulegame.solve(rulegame.load("liars_dice"), "hidden", max_states=2000)
    with pytest.raises(rulegame.TooLarge, match=r"250,000 .*--max-memory allows"):
        rulegame.solve(rulegame.load("liars_dice"), "hidden", max_memory=10**8)


def test_one_player_who_does_not_see_everything() -> None:
    """Guess a die that nobody sees: one in six, unless it may be looked at."""
    text = """
rulegame: 1
title: Guess
players: [Ann]
state:
  die: {start: 0, seen by: nobody}
  guess: 0
operations:
  shake: {when: die == 0, roll: {d: 1..6}, effects: {die: d}}
  say: {when: die > 0, choose: {n: 1..6}, effects: {guess: n}}
end:
  right: {when: guess > 0, payoff: "[6 if guess == die else 0]"}
"""
    solution = rulegame.solve(rulegame.loads(text), "hidden")
    assert solution.value == 1
    open_ = rulegame.solve(rulegame.loads(text.replace("seen by: nobody", "seen by: all")))
    assert open_.value == 6


def test_histories_are_counted() -> None:
    game = rulegame.load("kuhn_poker")
    graph = rulegame.explore(game)
    solution = hidden.solve_histories(graph, 0, 10**6, None, silent)
    assert solution.histories.histories == 1 + sum(rulegame.perft(game, n) for n in range(1, 6))


def test_without_time_there_are_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """They contain the value, however little time there is."""
    monkeypatch.setattr(deadline, "GRACE", 60.0)
    game = rulegame.load("leduc_poker")
    exact, hurried = rulegame.solve(game, "hidden"), rulegame.solve(game, "hidden", max_time=0.001)
    assert not hurried.exact
    assert hurried.lower <= exact.lower <= exact.upper <= hurried.upper
