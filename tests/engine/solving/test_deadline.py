"""Time limits, with a clock that each look at it moves on by a second."""

from __future__ import annotations

from itertools import count

import pytest

import rulegame
from rulegame.errors import OutOfTime
from rulegame.players.exploiting import exploit
from rulegame.solving import deadline, solve
from rulegame.solving.hidden import mixing, unfolding
from rulegame.solving.lookahead import solution as lookahead
from rulegame.solving.simultaneous import cycle_bounds, cycle_iteration
from rulegame.solving.simultaneous import solution as together
from support.tiers import pick

LIMITS = pick(
    quick=[0, 2, 13, 89, 10**4],
    full=[0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 10**3, 10**4, 10**5],
)


def hurry(monkeypatch: pytest.MonkeyPatch, grace: float) -> None:
    clock = count()
    for module in (cycle_bounds, cycle_iteration, deadline, mixing, together, unfolding):
        monkeypatch.setattr(module, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(deadline, "GRACE", grace)


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("method", "name", "settings"),
    [
        ("hidden", "kuhn_poker", {}),
        ("hidden", "rock_paper_scissors", {}),  # endless
        ("simultaneous", "rock_paper_scissors", {}),
        ("simultaneous", "goofspiel", {"cards": 4}),
    ],
)
def test_bounds_contain_the_value(
    method: str, name: str, settings: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever time runs out; if that is too early, there are no bounds."""
    game = rulegame.load(name, parameters=settings)
    calm = rulegame.solve(game)
    assert calm.exact and calm.value is not None
    most = pick(quick=20_000, full=5_000_000)
    hurry(monkeypatch, 6.0)
    found = []
    for limit in LIMITS:
        try:
            found.append(rulegame.solve(game, method, max_time=limit, max_states=most))
        except OutOfTime:
            assert not found
    assert found
    for solution in found:
        assert solution.lower <= calm.value <= solution.upper


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    "name", ["three_player_pig", "connect_four", "pig", "goofspiel", "liars_dice"]
)
def test_exploring_stops(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulegame.load(name)
    hurry(monkeypatch, 0.0)
    with pytest.raises(OutOfTime):
        solve(game, max_time=1)
    with pytest.raises(OutOfTime):
        exploit(game, "random", 0, max_time=1)


FLIPPING = """\
rulegame: 1
title: Flipping
state: {side: 0}
operations: {flip: {effects: {side: 1 - side}}}
end: {never: {when: side == 2, payoff: [3, -3]}}
"""


def test_looking_ahead_stops_between_short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few positions each depth has."""
    clock = count()
    monkeypatch.setattr(lookahead, "monotonic", lambda: float(next(clock)))
    found = rulegame.solve(rulegame.loads(FLIPPING), "lookahead", max_time=40.0)
    assert 0 < found.depth < 40


@pytest.mark.parametrize("exact_states", [0, 1000])
def test_improving_strategies_stops_at_every_evaluation(exact_states: int) -> None:
    """However many evaluations a cycle with chance takes."""
    game = rulegame.load("pig", parameters={"target": 10})
    reports = count()

    def stop_at_third(task: str, done: int, total: int | None) -> None:
        if task == "Improving strategies" and next(reports) == 2:
            raise OutOfTime

    limits = rulegame.Limits(exact_states=exact_states)
    with pytest.raises(OutOfTime):
        solve(game, limits=limits, progress=stop_at_third, keep=False)
