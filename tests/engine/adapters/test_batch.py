"""Many games at once, by machine code and by Python, beside ordinary states of the same games."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import rulegame
from fuzz import rulesets_way, secrets_way, together_way
from rulegame.adapters import batch as batches
from rulegame.adapters.batch import Batch
from rulegame.bundled import ruleset_names
from rulegame.compiling import CHANCE
from rulegame.game import Game, GameError, State
from rulegame.native.compiler import toolchain
from rulegame.native.kernels.lanes import CUT, FINISHED, INVALID, PLAYING
from rulegame.simulation.rng import Draws, Seeded

ROWS = 5
LIMIT = 12
WAYS = [10**9, 0] if toolchain() is not None else [10**9]  # by Python, by machine code


class Followed:
    """One row, followed by ordinary states."""

    def __init__(self, game: Game, seed: int, seat: int | None) -> None:
        self._game, self._seed, self._seat, self._number = game, seed, seat, -1

    def begin(self) -> None:
        self._number += 1
        self._draws: Draws = Seeded.by(self._seed).game(self._number)
        self._past: list[Any] = []
        self._moves = 0
        self.state: State = self._game.start()
        self.looking = self._seat or 0
        if self._seat is None:
            self.looking = self._game.kernel.who_begins(0)
        self._settle()

    def _settle(self) -> None:
        self.status = PLAYING
        while (state := self.state).player == CHANCE or self._is_others(state):
            self._draws.step = len(self._past)
            if state.player == CHANCE:
                self._go_on(state.roll(self._draws.below))
            elif self._moves >= LIMIT:
                break
            else:
                self._go_on(state.moves[self._draws.below(len(state.moves))])
                self._moves += 1
        if state.is_over:
            self.status = FINISHED
        elif self._moves >= LIMIT:
            self.status = CUT
        elif state.player is not None:
            self.looking = state.player

    def _is_others(self, state: State) -> bool:
        return self._seat is not None and state.player not in (None, self._seat)

    def _go_on(self, move: Any) -> None:
        before, self.state = self.state, self.state.play(move)
        self._past.append((before, move))

    def act(self, action: int) -> None:
        if self.status != PLAYING:
            return
        if not self.state.action_mask[action]:
            self.status = INVALID
            return
        self._go_on(self._game.actions[action])
        self._moves += 1
        self._settle()

    def rewards(self) -> list[float]:
        if self.status == INVALID:
            return [-1.0 * (seat == self.looking) for seat in range(len(self._game.players))]
        outcome = self.state.outcome
        paid = (0,) * len(self._game.players) if outcome is None else outcome.payoffs
        return [float(one) for one in paid]

    def compare(self, batch: Batch, k: int) -> None:
        """The row shows what the seat sees, and nothing else."""
        assert batch.players[k] == self.looking
        assert batch.is_waiting[k] == (self.status == PLAYING)
        row = np.zeros(batch.layout.size, np.float32)
        batch.layout.write(self.state.view(self.looking, self._past), row)
        assert batch.observations[k].tolist() == row.tolist()
        valid = self.state.action_mask if self.status == PLAYING else [0] * batch.masks.shape[1]
        assert batch.masks[k].tolist() == [int(one) for one in valid]


def follow(game: Game, seed: int, seat: int | None, steps: int) -> int:
    """Plays the same in all ways; how many steps there were."""
    rng = Random(seed)
    rows = [Followed(game, seed + k, seat) for k in range(ROWS)]
    batch = Batch(game, ROWS, seat, LIMIT)
    batch.begin(range(seed, seed + ROWS))
    for row in rows:
        row.begin()
    for number in range(steps):
        for k, row in enumerate(rows):
            row.compare(batch, k)
        actions = []
        for k in range(ROWS):
            valid = np.flatnonzero(batch.masks[k]).tolist()
            wrong = not valid or rng.random() < 0.05
            actions.append(rng.randrange(batch.masks.shape[1]) if wrong else rng.choice(valid))
        again = number % 3 > 0
        over = np.array([row.status != PLAYING for row in rows]) & (batch.ended != PLAYING)
        batch.step(np.array(actions), again, None if again else over)
        for k, row in enumerate(rows):
            if over[k] and not again:
                row.begin()
                assert batch.ended[k] == PLAYING
                continue
            row.act(actions[k])
            assert batch.ended[k] == row.status
            assert batch.rewards[k].tolist() == row.rewards()
            if row.status != PLAYING and again:
                row.begin()
    return steps * ROWS


@pytest.fixture(params=WAYS, ids=["python", "machine code"][: len(WAYS)])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(batches, "FEW_STEPS", request.param)
    return int(request.param)


# Others take long to compile, and have nothing that these have not.
SOME = ["blackjack", "connect_four", "go", "goofspiel", "leduc_poker", "liars_dice", "mastermind"]


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", [*ruleset_names("games", "variants"), *SOME])
def test_bundled_rulesets(name: str, way: int) -> None:
    game = rulegame.load(name)
    times = 1 if len(game.actions) < 500 else 6
    follow(game, 3, None, 24 // times)
    follow(game, 4, len(game.players) - 1, 12 // times)


@pytest.mark.quick(1)
@pytest.mark.parametrize("make", [rulesets_way.make, secrets_way.make, together_way.make])
def test_random_rulesets(make: Any, way: int) -> None:
    played = 0
    for seed in range(60):
        try:
            game = rulegame.loads(make(Random(seed)).decode())
            if not 0 < len(game.actions) < 500:
                continue
        except (rulegame.RulesetError, rulegame.Unbounded):
            continue
        try:
            played += follow(game, seed, None if seed % 2 else 0, 12)
        except GameError:
            continue  # the rules fail
        if played > (240 if way == 0 else 600):
            return
    pytest.fail("there were too few of them")


def test_where_the_rules_fail_it_is_said(way: int) -> None:
    text = """
rulegame: 1
title: Failing
state: {left: 21}
turn: {roll: {card: 1..left - 20}}
operations: {take: {effects: {left: left - 1}}}
end: {done: {when: left == 0, result: win}}
"""
    batch = Batch(rulegame.loads(text), 2)
    batch.begin([1, 2])
    with pytest.raises(GameError, match="'card' has no values to roll"):
        batch.step(np.zeros(2, np.int64))


def test_rolls_without_end_are_cut(way: int) -> None:
    text = """
rulegame: 1
title: Idle
state: {left: 1}
turn: {roll: {die: 1..6}}
operations:
  take: {when: left > 1, effects: {left: left - 1}}
  wait: {when: die > 6, effects: {left: left}}
stuck: pass
end: {done: {when: left == 0, result: win}}
"""
    batch = Batch(rulegame.loads(text), 2)
    batch.begin([1, 2])
    assert not batch.is_waiting.any()


def test_wrong_calls() -> None:
    game = rulegame.load("nim")
    with pytest.raises(ValueError, match="expected at least one game, not 0"):
        Batch(game, 0)
    with pytest.raises(IndexError, match="there is no seat 2"):
        Batch(game, 1, seat=2)
    batch = Batch(game, 3)
    with pytest.raises(IndexError, match="there is no seat 5"):
        batch.begin(first=5)
    batch.begin([1, 2, 3])
    with pytest.raises(ValueError, match=r"expected 3 actions, not an array \(2,\)"):
        batch.step(np.zeros(2, np.int64))
