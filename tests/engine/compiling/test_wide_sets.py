"""Sets of many numbers: held against Python's own, by Python and by machine code."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

import rulegame
from engine.native.test_machine_kernel import Comparison
from rulegame.game import Game, State

LOW, HIGH = -7, 140
RULESET: Final = f"""\
rulegame: 1
title: Wide sets
state:
  narrow: {{type: set of {LOW}..40, start: "[-7, 0, 40]"}}
  wide: {{type: set of {LOW}..{HIGH}, start: "[-7, 54, 55, 116, 117, 140]"}}
  other: {{type: set of {LOW}..120, start: 1..100}}
  widest: {{type: set of -200..311}}
  n: 0
  each player:
    own: {{type: set of {LOW}..{HIGH}, start: "[seat(me), 60]"}}
operations:
  put: {{choose: {{k: "{LOW}..{HIGH}"}}, effects: {{wide: "with(wide, k)", n: n + 1}}}}
  drop: {{choose: {{k: "-12..145"}}, effects: {{wide: "without(wide, k)", n: n + 1}}}}
  take: {{choose: {{k: wide}}, effects: {{wide: "without(wide, k)", my.own: "with(my.own, k)"}}}}
  join: {{effects: {{wide: "union(wide, other, narrow, [k for k in 3..9])", n: n + 1}}}}
  meet: {{effects: {{wide: "intersection(wide, other, -3..130)", own: "[own[2], their.own]"}}}}
  part:
    effects: {{wide: "difference(wide, narrow, [55, 200])", other: "difference(other, wide)"}}
  turn: {{effects: {{wide: complement(wide), widest: "union(widest, complement(other))"}}}}
  fit: {{effects: {{narrow: wide, n: size(wide)}}}}
  shrink: {{effects: {{other: wide if n > 3 else narrow, n: sum(wide) - max(other)}}}}
  widen: {{effects: {{wide: narrow, n: "count(k for k in widest if k > 30)"}}}}
  all: {{effects: {{"own of p for p in players": "union(own of p, [seat(p), 70])"}}}}
  cast:
    roll: {{d: {{from: wide, weight: 9 + d}}, e: other}}
    effects: {{other: "without(other, d)", n: "n + 1 if d in other else size(highest(wide, 3))"}}
validity:
  some: size(after.wide) > 0
  others: "after.wide != my.own and other != narrow"
end:
  over: {{when: "n > 40 or own[1] == own[2] or wide in [narrow, other]", result: draw}}
""".replace("[k for k in 3..9]", "list(k for k in 3..9)")


@pytest.fixture(scope="module")
def game() -> Game:
    return rulegame.loads(RULESET)


def after(state: State, move: str) -> dict[str, set[int]] | None:
    """What becomes of the sets, by Python's own; None if there is no place for a number."""
    narrow, wide, other = (set(state[name]) for name in ("narrow", "wide", "other"))
    widest, own = set(state["widest"]), [set(one) for one in state["own"]]
    me, (name, *given) = state.player, move.split()
    assert me is not None
    match name:
        case "put":
            wide |= {int(given[0])}
        case "drop":
            wide -= {int(given[0])}
        case "take":
            wide, own[me] = wide - {int(given[0])}, own[me] | {int(given[0])}
        case "join":
            wide |= other | narrow | set(range(3, 10))
        case "meet":
            wide, own = wide & other & set(range(-3, 131)), [own[1], own[1 - me]]
        case "part":
            wide, other = wide - narrow - {55, 200}, other - wide
        case "turn":
            widest |= set(range(LOW, 121)) - other
            wide = set(range(LOW, HIGH + 1)) - wide
        case "fit":
            narrow = wide
        case "shrink":
            other = wide if state["n"] > 3 else narrow
        case "widen":
            wide = narrow
        case "all":
            own = [one | {seat, 70} for seat, one in enumerate(own, 1)]
    fitting = wide <= set(range(LOW, HIGH + 1)) and other <= set(range(LOW, 121))
    if not fitting or not narrow <= set(range(LOW, 41)):
        return None
    return {"narrow": narrow, "wide": wide, "other": other, "widest": widest, **dict(
        zip(("own 1", "own 2"), own, strict=True)
    )}  # fmt: skip


def sets_of(state: State) -> dict[str, set[int]]:
    found = {name: set(state[name]) for name in ("narrow", "wide", "other", "widest")}
    return found | {f"own {seat}": set(one) for seat, one in enumerate(state["own"], 1)}


@pytest.mark.parametrize("seed", range(12))
def test_the_same_as_pythons_own(game: Game, seed: int) -> None:
    rng, state, compared = Random(seed), game.start(first=seed % 2), 0
    for _ in range(40):
        if state.is_over:
            break
        if state.chances:
            state = state.play(rng.choice([roll for roll, _ in state.chances]))
            continue
        operation = rng.choice(sorted({move.operation for move in state.moves}))
        moves = [move for move in state.moves if move.operation == operation]
        move = rng.choice(moves)
        expected = after(state, str(move))
        if expected is None:
            with pytest.raises(rulegame.GameError, match="cannot be in a set of"):
                state.play(move)
            continue
        state = state.play(move)
        if not state.chances:
            compared += 1
            assert sets_of(state) == expected, move
    assert compared > 0


@pytest.mark.parametrize("seed", range(6))
def test_machine_code_does_the_same(game: Game, seed: int) -> None:
    compared = Comparison(game.kernel)
    compared.play(seed % 2, Random(seed), 40)
