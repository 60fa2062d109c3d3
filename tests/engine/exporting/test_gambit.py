"""Files for Gambit: read by a plain reader of the format, and by Gambit where there is a build."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import rulegame
from fuzz import secrets_way, together_way
from rulegame.exporting import CannotExport, export
from support.tiers import library

HAS_WHEEL = sys.version_info >= (3, 12) and sys.platform in ("linux", "darwin")
# Games, and their values recorded from Gambit 17.0.0b2 (lp_solve, rational).
SMALL: list[tuple[str, dict[str, Any], Fraction]] = [
    ("kuhn_poker", {}, Fraction(-1, 18)),
    ("goofspiel", {"cards": 2}, Fraction(0)),
    ("nim", {"heaps": [1, 2]}, Fraction(1)),
    ("liars_dice", {"sides": 2}, Fraction(1, 2)),
]


def small(name: str, parameters: dict[str, Any]) -> rulegame.Game:
    known = rulegame.load(name).parameters
    return rulegame.load(name, {key: value for key, value in parameters.items() if key in known})


def value_of(game: rulegame.Game, max_states: int = 10_000) -> float:
    """What the first player can make sure of, as we find it."""
    found = rulegame.solve(game, "hidden", max_states=max_states).value
    assert found is not None
    return float(found)


def written(game: rulegame.Game, to: str) -> str:
    return "".join(f"{line}\n" for line in export(game, to, max_states=600))


class Tree:
    """An extensive form, read by its words: what each end means to both players."""

    def __init__(self, text: str) -> None:
        self._words = iter(re.findall(r'"(?:\\.|[^"\\])*"|[{}]|[^\s{},]+', text))
        assert [next(self._words) for _ in range(3)] == ["EFG", "2", "R"]
        next(self._words)  # the title
        self.players = len(self._list())
        next(self._words)  # the summary
        self.actions: dict[tuple[int, str], list[str]] = {}  # of each information set
        self.ends: list[tuple[Fraction, list[tuple[tuple[str, int], ...]], list[Fraction]]] = []
        self._node(Fraction(1), [()] * self.players)
        assert next(self._words, None) is None

    def _list(self) -> list[str]:
        assert next(self._words) == "{"
        return list(iter(self._words.__next__, "}"))

    def _node(self, share: Fraction, own: list[Any]) -> None:
        kind, _ = next(self._words), next(self._words)
        if kind == "t":
            next(self._words), next(self._words)
            paid = [Fraction(one) for one in self._list()]
            assert len(paid) == self.players
            self.ends.append((share, own, paid))
        elif kind == "c":
            next(self._words), next(self._words)
            listed = self._list()
            shares = [Fraction(one) for one in listed[1::2]]
            assert sum(shares) == 1
            assert next(self._words) == "0"
            for one in shares:
                self._node(share * one, own)
        else:
            assert kind == "p"
            player, known = int(next(self._words)) - 1, next(self._words)
            next(self._words)  # its name
            actions = self._list()
            assert next(self._words) == "0"
            assert self.actions.setdefault((player, known), actions) == actions
            for k in range(len(actions)):
                after = [*own]
                after[player] = (*own[player], (known, k))
                self._node(share, after)

    def value(self) -> float:
        """What the first of two opposed players can make sure of, by the sequence form."""
        plans = [_sequences(own[seat] for _, own, _ in self.ends) for seat in (0, 1)]
        matrix = np.zeros((len(plans[0]), len(plans[1])))
        for share, own, paid in self.ends:
            assert paid[0] == -paid[1]
            matrix[plans[0][own[0]], plans[1][own[1]]] += float(share * paid[0])
        (rows, one), (columns, other) = (_plan_rules(plan) for plan in plans)
        # the most q[0] with  columns.T q <= matrix.T x,  rows x = one
        found = linprog(
            np.concatenate([np.zeros(len(plans[0])), -other]),
            A_ub=np.hstack([-matrix.T, columns.T]),
            b_ub=np.zeros(len(plans[1])),
            A_eq=np.hstack([rows, np.zeros((len(rows), len(columns)))]),
            b_eq=one,
            bounds=[(0, None)] * len(plans[0]) + [(None, None)] * len(columns),
        )
        return float(-found.fun)


def _sequences(of: Iterator[tuple[tuple[str, int], ...]]) -> dict[Any, int]:
    """All sequences of a player's choices, with those that lead to them, numbered."""
    found: dict[Any, int] = {(): 0}
    for sequence in of:
        for size in range(len(sequence) + 1):
            found.setdefault(sequence[:size], len(found))
    return found


def _plan_rules(plan: dict[Any, int]) -> tuple[Any, Any]:
    """That the empty sequence is certain, and that choices share what leads to them."""
    sets: dict[Any, list[int]] = {}
    for sequence, number in plan.items():
        if sequence:
            sets.setdefault((sequence[:-1], sequence[-1][0]), []).append(number)
    rules = np.zeros((1 + len(sets), len(plan)))
    rules[0, 0] = 1
    for row, ((before, _), numbers) in enumerate(sets.items(), 1):
        rules[row, plan[before]] = -1
        rules[row, numbers] = 1
    return rules, np.eye(1 + len(sets))[0]


@pytest.mark.parametrize(("name", "parameters", "value"), SMALL)
def test_the_tree_has_the_value_of_the_game(
    name: str, parameters: dict[str, Any], value: Fraction
) -> None:
    game = small(name, parameters)
    assert Tree(written(game, "efg")).value() == pytest.approx(float(value), abs=1e-7)
    assert value_of(game) == pytest.approx(float(value), abs=1e-7)


@pytest.mark.full
@pytest.mark.parametrize("make", [secrets_way.make, together_way.make])
def test_trees_of_random_rulesets_have_their_values(make: Any) -> None:
    compared = 0
    for seed in range(120):
        try:
            game = rulegame.loads(make(Random(seed)).decode())
            if len(game.players) != 2:
                continue
            tree = Tree(written(game, "efg"))
            value = value_of(game, max_states=600)
        except (
            rulegame.RulesetError, rulegame.GameError, rulegame.TooLarge, rulegame.CannotSolve,
            CannotExport, RecursionError,
        ):  # fmt: skip
            continue
        assert tree.value() == pytest.approx(value, abs=1e-6), seed
        compared += 1
        if compared == 3:
            return
    pytest.fail("there were too few of them")


# ---- by Gambit itself


def gambit() -> Any:
    """Gambit's library. Where it has no wheel, install it by hand: compiling takes ten minutes."""
    if find_spec("pygambit") is None and not HAS_WHEEL:
        pytest.skip("pygambit has no wheel for this platform")
    return library("pygambit")


@pytest.mark.parametrize(("name", "parameters", "value"), SMALL)
def test_gambit_finds_the_recorded_values(
    name: str, parameters: dict[str, Any], value: Fraction, tmp_path: Path
) -> None:
    library, game = gambit(), small(name, parameters)
    path = tmp_path / "game.efg"
    path.write_text(written(game, "efg"), "utf-8")
    read = library.read_efg(str(path))
    assert read.is_perfect_recall
    payoffs = library.nash.lp_solve(read, rational=True).equilibrium.payoffs
    assert Fraction(str(payoffs[next(iter(read.players))])) == value


def test_gambit_reads_the_strategic_form(tmp_path: Path) -> None:
    library, game = gambit(), rulegame.load("kuhn_poker")
    path = tmp_path / "game.nfg"
    path.write_text(written(game, "nfg"), "utf-8")
    read = library.read_nfg(str(path))
    payoffs = library.nash.lp_solve(read, rational=True).equilibrium.payoffs
    assert Fraction(str(payoffs[next(iter(read.players))])) == Fraction(-1, 18)
