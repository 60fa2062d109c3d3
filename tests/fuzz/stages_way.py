"""Small games in which both players choose at once: matrix games, repeated along the edges of a
random graph, with chance, cycles and payoffs of any size.
"""

from __future__ import annotations

from random import Random
from typing import Any

import yaml

from fuzz.payoffs_way import SCALES, UNITS, claims


def make(rng: Random) -> bytes:
    """The text of a ruleset."""
    made = _ruleset(rng)
    made["claims"] = claims(rng)
    return yaml.safe_dump(made, sort_keys=False, width=10_000).encode()


def _ruleset(rng: Random) -> dict[str, Any]:
    places, ends = rng.randint(1, 5), rng.randint(1, 5)
    rows, columns, coins = rng.randint(1, 3), rng.randint(1, 3), rng.choice([1, 1, 2])
    cyclic = rng.random() < 0.6
    last = places + ends - 1
    block = rows * columns * coins
    leads = [
        rng.randint(0 if cyclic and rng.random() < 0.7 else place + 1, last)
        for place in range(places)
        for _ in range(block)
    ]
    picks = [f"k of (players[{seat}])" for seat in (1, 2)]
    chosen = [f"(1 if {pick} == none else {pick})" for pick in picks]
    coin = f"coin * {rows * columns} + " if coins > 1 else ""
    index = f"at * {block} + {coin}({chosen[0]} - 1) * {columns} + {chosen[1]}"
    turn: dict[str, Any] = {"together": True}
    if rng.random() < 0.25:
        turn["together"] = "list(p for p in players if both[at + 1] == 1 or p == players[1])"
    if coins > 1:
        turn["roll"] = {"coin": f"0..{coins - 1}"}
    turn["effects"] = {"at": f"leads[{index}]"}
    many = f"{rows} if me == players[1] else {columns}"
    made: dict[str, Any] = {
        "rulegame": 1,
        "title": "Stages",
        "define": {"leads": leads, "both": [rng.randint(0, 1) for _ in range(last + 1)]},
        "state": {"at": 0},
        "turn": turn,
        "operations": {"show": {"choose": {"k": f"1..({many})"}}},
    }
    scale, constant = rng.choice(SCALES), rng.choice([0, 0, 0, 5])
    made["end"] = {}
    for k in range(ends):
        pay = scale * rng.randint(-3, 3) + rng.randint(-1, 1)
        verdict: dict[str, Any] = {"payoff": [pay, constant - pay]}
        if rng.random() < 0.1:
            verdict = rng.choice([{"winners": "players[1]"}, {"winners": "players[2]"}])
        when = f"at {'>=' if k == ends - 1 else '=='} {places + k}"
        made["end"][f"end{k}"] = {"when": when, **verdict}
    if rng.random() < 0.3:
        made["payoff unit"] = rng.choice(UNITS)
    return made
