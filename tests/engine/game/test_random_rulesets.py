"""Random rulesets lead to the same states and moves by a second reading of their rules, played
state by state, and explored by Python and by machine code.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulegame
from engine.game.random_rules import Author, Play, Position, Rules
from engine.language.random_expressions import Broken
from rulegame.exploring import StateGraph
from support.backends import BACKENDS, use_backend
from support.tiers import pick

MOST_STATES = 400
SEEDS = 60
BATCH = 20


def rules_of(seed: int) -> Rules:
    return Author(Random(seed)).rules()


def key(at: Position) -> Any:
    waiting = at.waiting and (at.waiting[0].name, at.waiting[1])
    due = waiting, at.rolling, at.picking
    return _frozen((at.values, at.seat, at.names, due, at.passes, at.outcome))


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple((name, _frozen(one)) for name, one in sorted(value.items()))
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value


Positions = dict[Any, tuple[int, Position, list[tuple[str, Any]]]]


class TooMany(Exception):
    """The second reading has found enough."""


def plainly(rules: Rules) -> Positions:
    """All positions in the order in which they are met, with their moves, each to a position."""
    play = Play(rules)
    start = play.start()
    found: Positions = {key(start): (0, start, [])}
    for _, at, following in (waiting := list(found.values())):
        for move in play.moves(at):
            after = play.play(at, move)
            if key(after) not in found:
                if len(found) == MOST_STATES:
                    raise TooMany
                found[key(after)] = (len(found), after, [])
                waiting.append(found[key(after)])
            following.append((move, key(after)))
    return found


def explored(game: rulegame.Game, monkeypatch: pytest.MonkeyPatch, backend: str) -> StateGraph:
    use_backend(monkeypatch, backend)
    return rulegame.explore(game, max_states=MOST_STATES)


def agree(graph: StateGraph, rules: Rules, positions: Positions) -> None:
    play = Play(rules)
    assert len(graph) == len(positions)
    for number, at, following in positions.values():
        state = graph.state(number)
        for name, value in at.values.items():
            assert state[name] == value, name
        assert [(m.text, k) for m, k in graph.following(number)] == [
            (move, positions[k][0]) for move, k in following
        ]
        assert [m.text for m in state.moves] == [move for move, _ in following]
        for move, after in graph.following(number):
            assert state.play(move).cells == graph.cells[after]
        if at.outcome is not None:
            assert state.outcome is not None
            assert (state.outcome.rule, state.outcome.winners) == at.outcome
        elif state.player == rulegame.CHANCE:
            weights = play.chances(at)
            shares = [Fraction(weight, sum(weights.values())) for weight in weights.values()]
            assert [share for _, share in graph.chances(number)] == shares
            assert [share for _, share in state.chances] == shares
        else:
            assert state.player == at.seat


def worth(rules: Rules, positions: Positions) -> dict[int, Fraction]:
    """The value of every position; play is never endless, so what follows can be valued first."""
    play = Play(rules)
    values: dict[int, Fraction] = {}

    def value(name: Any) -> Fraction:
        number, at, following = positions[name]
        if number not in values:
            after = [value(k) for _, k in following]
            if at.outcome is not None:
                winners = at.outcome[1]
                values[number] = Fraction(1 if winners == (0,) else -1 if winners else 0)
            elif at.rolling or at.waiting is not None:
                weights = list(play.chances(at).values())
                total = sum((w * v for w, v in zip(weights, after, strict=True)), Fraction(0))
                values[number] = total / sum(weights)
            else:
                values[number] = max(after) if at.seat == 0 else min(after)
        return values[number]

    value(next(iter(positions)))
    return values


def agreeing(seed: int, file: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What became of a random ruleset, on which all must agree."""
    rules = rules_of(seed)
    file.write_text(rules.text, "utf-8")
    try:
        game = rulegame.load(str(file))
    except rulegame.RulesetError:  # an expression that takes too long, a sum that is too large
        return "refused"
    try:
        positions = plainly(rules)
    except TooMany:
        for backend in BACKENDS:
            with pytest.raises(rulegame.TooLarge):
                explored(game, monkeypatch, backend)
        return "too large"
    except Broken:
        for backend in BACKENDS:
            with pytest.raises(rulegame.GameError):
                explored(game, monkeypatch, backend)
        return "broken"
    for backend in BACKENDS:
        agree(explored(game, monkeypatch, backend), rules, positions)
    solution, values = rulegame.solve(game, "perfect_information"), worth(rules, positions)
    assert [solution.value_of(number) for number in range(len(values))] == [
        values[number] for number in range(len(values))
    ]
    return "whole" if len(positions) > 10 else "small"


@pytest.mark.quick(1)
@pytest.mark.parametrize("batch", range(0, SEEDS, BATCH))
def test_random_rulesets(batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    number = pick(quick=4, full=BATCH)
    for seed in range(batch, batch + number):
        try:
            found.append(agreeing(seed, tmp_path / "random.yaml", monkeypatch))
        except Exception as problem:
            problem.add_note(f"seed {seed}")
            raise
    assert found.count("whole") >= number // 4 and found.count("refused") <= 1
