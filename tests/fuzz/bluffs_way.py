"""Small games of hidden information: dealt cards, secret picks and moves, hidden rolls, choices at
once, and payoffs of any size.
"""

from __future__ import annotations

from random import Random
from typing import Any

import yaml

from fuzz.payoffs_way import SCALES, UNITS, claims


def make(rng: Random) -> bytes:
    """The text of a ruleset."""
    made = _Bluff(rng).ruleset()
    made["claims"] = claims(rng)
    return yaml.safe_dump(made, sort_keys=False, width=10_000).encode()


class _Bluff:
    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.players = rng.choice([1, 2, 2, 2, 2, 2, 3])
        self.together = rng.random() < 0.3
        self.counted: list[str] = ["line"]  # values that decide what is paid

    def maybe(self, share: float) -> bool:
        return self.rng.random() < share

    def ruleset(self) -> dict[str, Any]:
        rng = self.rng
        own: dict[str, Any] = {}
        state: dict[str, Any] = {"t": 0, "line": 0}
        setup: dict[str, Any] = {}
        if self.maybe(0.7):
            own["card"] = {"start": 0, "seen by": "owner"}
            setup["deal"] = {"roll": {"c": self._roll("c", 2)}, "effects": {"my.card": "c"}}
        if self.maybe(0.3):
            own["pick"] = {"start": 0, "seen by": "owner"}
            chosen = {"choose": {"s": "1..2"}, "effects": {"my.pick": "s"}}
            setup["choice"] = {**chosen, "secret": True}
        if self.maybe(0.25):
            state["under"] = {"start": 0, "seen by": "nobody"}
            self.counted.append("under")
            setup["bury"] = {"once": True, "roll": {"u": "1..2"}, "effects": {"under": "u"}}
        if not own and "under" not in state and not self.together:
            own["mark"] = {"start": 0, "seen by": "owner"}
        self.counted += [f"({name} of p)" for name in own]
        operations = self._operations(own)
        made: dict[str, Any] = {
            "rulegame": 1,
            "title": "Bluff",
            "players": ["Ann", "Bob", "Cleo"][: self.players],
            "define": {"pays": [self._pay() for _ in range(rng.choice([3, 5, 7, 11]))]},
            "state": {**state, **({"each player": own} if own else {})},
        }
        if setup:
            made["setup"] = setup
        if self.together:
            picked = " + ".join(
                f"{3**k} * (0 if k of (players[{k + 1}]) == none else k of (players[{k + 1}]))"
                for k in range(self.players)
            )
            made["turn"] = {
                "together": True,
                "effects": {"t": "t + 1", "line": f"mod(line * 5 + {picked}, 40)"},
            }
        elif self.maybe(0.2):
            seen = {"seen by": rng.choice(["nobody", "owner", "all"])}
            made["turn"] = {"roll": {"die": {"from": "0..1", **seen}}}
            operations["say"]["effects"]["line"] += " + die"
        made["operations"] = operations
        length = rng.randint(1, 2) if self.together else rng.randint(1, 3)
        made["end"] = {"over": {"when": f"t >= {length}", "payoff": self._payoffs(len(
            made["define"]["pays"]))}}  # fmt: skip
        if self.maybe(0.3):
            made["end"] = {
                "out": {"when": "mod(line, 5) == 3", **self._payoff(self._pay())},
                **made["end"],
            }
        if self.maybe(0.3):
            made["payoff unit"] = rng.choice(UNITS)
        return made

    def _roll(self, name: str, most: int) -> Any:
        roll: dict[str, Any] = {"from": f"1..{most}"}
        if self.maybe(0.5):
            roll["seen by"] = "owner"
        if self.maybe(0.4):
            roll["weight"] = self.rng.choice([f"{name}", f"3 - {name}", f"1 + 2 * {name}"])
        return roll

    def _operations(self, own: dict[str, Any]) -> dict[str, Any]:
        rng = self.rng
        say: dict[str, Any] = {"choose": {"k": f"1..{rng.choice([2, 2, 3])}"}}
        if self.together:
            if own:
                name = rng.choice(list(own))
                say["effects"] = {f"my.{name}": f"mod(my.{name} + k, 3)"}
            return {"say": say}
        say["effects"] = {"t": "t + 1", "line": "line * 4 + k"}
        found = {"say": say}
        if self.maybe(0.1):  # play may be endless
            found["wait"] = {"effects": {"line": f"mod(line + 1, {rng.randint(2, 9)})"}}
        if own and ("mark" in own or self.maybe(0.3)):
            name = rng.choice(list(own))
            found["hide"] = {
                "secret": True,
                "choose": {"h": "1..2"},
                "effects": {"t": "t + 1", f"my.{name}": f"mod(my.{name} + h, 3)"},
            }
        return found

    def _pay(self) -> int:
        return self.rng.choice(SCALES) * self.rng.randint(-2, 2) + self.rng.randint(-1, 1)

    def _payoffs(self, size: int) -> list[str]:
        terms = []
        for name in self.counted:
            for seat in range(self.players):
                if "of p" in name or seat == 0:
                    owned = name.replace("of p", f"of (players[{seat + 1}])")
                    terms.append(f"{self.rng.randint(1, size - 1)} * {owned}")
        paid = f"pays[1 + mod({' + '.join(terms)}, {size})]"
        return [paid, f"0 - {paid}", "0"][: self.players]

    def _payoff(self, pay: int) -> dict[str, Any]:
        return {"payoff": [pay, -pay, 0][: self.players]}
