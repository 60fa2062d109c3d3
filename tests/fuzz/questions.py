"""Answers about a ruleset as JSON, by the installed version of rulegame: diagnostics, random plays,
refused moves, faults, solutions, simulation reports.

`PYTHON tests/fuzz/questions.py` answers requests, one JSON line each, by the version installed for
that interpreter. This module imports nothing but the public interface of rulegame.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any, Final

import rulegame

PLAYS: Final = 3
STEPS: Final = 40
REFUSED: Final = 5  # moves of earlier states to try in each state
MOST_STATES: Final = 300
GAMES: Final = 200
LONGEST: Final = 60  # moves of a simulated game
READY: Final = "ready"
REFUSALS: Final = ("OutOfTime", "TooMuchMemory", "TooLarge", "CannotSolve")

Answers = dict[str, Any]


def answer(text: bytes, seed: int) -> Answers:
    """Answers by question; everything is JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "fuzzed.yaml")
        path.write_bytes(text)
        problems = rulegame.validate(path)
        answers: Answers = {"diagnostics": [_problem(one) for one in problems]}
        try:
            game = rulegame.load(path)
        except rulegame.RulesetError:
            return answers
    rng = Random(seed)
    for number in range(PLAYS):
        answers[f"play {number}"] = list(_play(game, Random(rng.random())))
    first, seed = rng.randrange(len(game.players)), rng.randrange(2**40)
    answers["explore"] = _caught(lambda: _explore(game, first))
    answers["solve"] = _caught(lambda: _solve(game, first))
    answers["solve together"] = _caught(lambda: _solve_together(game, first))
    answers["simulate"] = _caught(lambda: _simulate(game, seed))
    return answers


def _problem(problem: Any) -> list[object]:
    span = problem.span
    return [problem.code, problem.severity, span.line, span.column, span.end_line, span.end_column]


def _caught(question: Callable[[], Any]) -> Any:
    """The answer, or the kind of refusal: its words may change."""
    try:
        return question()
    except rulegame.GameError as error:
        return {"fault": _problem(error.diagnostic)}
    except (rulegame.CannotSolve, rulegame.TooLarge) as error:
        names = {kind.__name__ for kind in type(error).__mro__}
        return {"refused": next(name for name in REFUSALS if name in names)}


def _play(game: rulegame.Game, rng: Random) -> Iterator[Any]:
    """A random game: each state with its moves, and a fault if the rules fail."""
    state = _caught(lambda: game.start(rng.randrange(len(game.players))))
    others: list[rulegame.Move] = []
    for _ in range(STEPS):
        if isinstance(state, dict):
            yield state
            return
        here = state
        yield _caught(lambda s=here: _state(s))  # type: ignore[misc]
        moves = _caught(lambda s=here: list(s.moves))  # type: ignore[misc]
        if not isinstance(moves, list) or not moves:
            return
        for move in rng.sample(others, min(REFUSED, len(others))):
            yield _caught(lambda s=here, m=move: _refusal(s, m))  # type: ignore[misc]
        others = [*others, *moves][-50:]
        move = rng.choice(moves)
        state = _caught(lambda s=here, m=move: s.play(m))  # type: ignore[misc]


def _state(state: rulegame.State) -> Answers:
    outcome = state.outcome
    return {
        "cells": list(state.cells),
        "player": state.player,
        "moves": [move.text for move in state.moves],
        "chances": [str(share) for _, share in state.chances]
        if state.player == rulegame.CHANCE
        else [],
        "outcome": None if outcome is None else {k: str(v) for k, v in asdict(outcome).items()},
        "views": [list(state.view(seat).cells) for seat in range(len(state.game.players))],
    }


def _refusal(state: rulegame.State, move: rulegame.Move) -> list[object]:
    """Why a move is not valid: the rules that it was held to."""
    explained = rulegame.explain_move(state, move)
    reason = explained.reason
    rules = [[check.kind, check.rule, check.holds] for check in explained.checks]
    return [move.text, None if reason is None else reason.rule, rules]


def _explore(game: rulegame.Game, first: int) -> Any:
    graph = rulegame.explore(game, first=first, max_states=MOST_STATES)
    return {"states": len(graph), "edges": int(graph.edges)}


def _solution(game: rulegame.Game, method: str, former: str, first: int, **options: Any) -> Any:
    """By a method, or by its own function in versions whose `solve` has no methods."""
    options |= {"first": first, "max_states": MOST_STATES}
    if hasattr(rulegame, "Method"):
        return rulegame.solve(game, method, **options)
    return getattr(rulegame, former)(game, **options)


def _solve(game: rulegame.Game, first: int) -> Any:
    solution = _solution(game, "perfect_information", "solve", first, keep=False)
    bounds = [[str(one) for one in solution.bounds_of(k)] for k in range(len(solution.graph))]
    return {"bounds": bounds, "longest": solution.longest_game, "shortest": solution.shortest_game}


def _solve_together(game: rulegame.Game, first: int) -> Any:
    """With cycles, bounds depend on time."""
    solution = _solution(game, "simultaneous", "solve_together", first, max_time=1.0)
    if solution.longest_game is None:
        return {"shortest": solution.shortest_game}
    bounds = zip(solution.lowers, solution.uppers, strict=True)
    return [[str(low), str(high)] for low, high in bounds]


def _simulate(game: rulegame.Game, seed: int) -> Any:
    report = rulegame.simulate(game, GAMES, seed=seed, first=None, max_moves=LONGEST)
    return json.loads(json.dumps(asdict(report), default=str))


def main() -> None:
    """Answer requests until there are no more."""
    _lift_limits()
    out = sys.stdout
    print(READY, file=out, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        with redirect_stdout(sys.stderr):
            try:
                found = answer(bytes.fromhex(request["text"]), request["seed"])
            except Exception as error:
                found = {"exception": type(error).__name__}
        print(json.dumps(found), file=out, flush=True)


def _lift_limits() -> None:
    """A process that starts this one may have limits for a single input."""
    if sys.platform == "linux":
        import resource

        for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU):
            hard = resource.getrlimit(kind)[1]
            resource.setrlimit(kind, (hard, hard))


if __name__ == "__main__":
    main()
