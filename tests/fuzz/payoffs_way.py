"""Small games of open information whose ends pay amounts of any size and sign: one to four players,
chance, cycles, players whose interests differ.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

import yaml

from fuzz.rulesets_way import Author, Wanted

SCALES: Final = (1, 1, 1, 2, 7, 1_000, 10**6)
HUGE: Final = (10**6, 2**40, 2**53 - 1, 2**53, 10**17)
UNITS: Final = ("1/2", "2/3", "3", "1/10")
UNWRITTEN: Final = "unwritten"  # a value that no rule changes: it hides nothing
CLAIMS: Final = (
    "always_ends", "ends_almost_surely", "no_draws", "never_stuck", "every_operation_used",
    "every_end_rule_reached", "first_player_wins", "second_player_wins", "cooperative_win",
)  # fmt: skip


def make(rng: Random) -> bytes:
    """The text of a ruleset."""
    kind = rng.random()
    if kind < 0.35:
        made = _PayingAuthor(rng, Wanted(boards=rng.random() < 0.2)).ruleset()
    else:
        make_one = _board_game if kind > 0.9 else _scores if kind > 0.8 else _walk
        made = make_one(rng)
        if rng.random() < 0.15:
            made["state"]["each player"] = {
                UNWRITTEN: {"start": 1, "seen by": rng.choice(["owner", "nobody"])}
            }
    made["claims"] = claims(rng)
    return yaml.safe_dump(made, sort_keys=False, allow_unicode=True, width=10_000).encode()


def claims(rng: Random) -> dict[str, Any]:
    """Most claims that a ruleset can make."""
    found: dict[str, Any] = {name: rng.random() < 0.5 for name in CLAIMS if rng.random() < 0.8}
    found["first_player_gets"] = rng.choice([0, 1, -1, "1/3", "-7/2", 100])
    found["fair_within"] = rng.choice([0, 0.5, 2])
    return found


class _PayingAuthor(Author):
    """Random typed rulesets, most of whose ends pay."""

    def _verdict(self, results: Any, plain: bool = False) -> dict[str, Any]:
        if self.maybe(0.4):
            return super()._verdict(results, plain)
        scale = self.rng.choice(SCALES) * self.rng.choice([1, 1, -1])
        numbers = [f"{scale} * ({self.write.number(1)})" for _ in range(self.players)]
        if self.players == 2 and self.maybe(0.8):
            numbers[1] = f"0 - {numbers[0]}"
        return {"payoff": numbers}


class _GraphGame:
    """Players move a token along the edges of a random graph, which may have cycles."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.players = rng.choice([1, 2, 2, 2, 2, 3])
        self.places, self.ends = rng.randint(3, 14), rng.randint(1, 4)
        self.ways = rng.randint(1, 3)
        self.coins = rng.choice([1, 1, 2, 3])
        self.cyclic = rng.random() < 0.6

    def ruleset(self) -> dict[str, Any]:
        rng, ways, coins = self.rng, self.ways, self.coins
        leads = [self._target(place) for place in range(self.places) for _ in range(ways * coins)]
        fewest = 0 if rng.random() < 0.1 else 1
        made: dict[str, Any] = {
            "rulegame": 1,
            "title": "Graph",
            "players": ["Ann", "Bob", "Cleo"][: self.players],
            "define": {
                "leads": leads,
                "who": [rng.randint(1, self.players) for _ in range(self.places + self.ends)],
                "open": [rng.randint(fewest, ways) for _ in range(self.places)],
            },
            "state": {"at": 0},
            "turn": {"next": "players[who[at + 1]]"},
            "operations": {
                "go": {
                    "choose": {"k": "1..open[at + 1]"},
                    "effects": {"at": f"leads[at * {ways * coins} + {self._column()}]"},
                }
            },
            "stuck": rng.choice(["draw", "draw", "win"]),
        }
        if coins > 1:
            weight = {"weight": rng.choice(["1 + coin", "3 - coin", "1 + 4 * coin * coin"])}
            made["turn"]["roll"] = {
                "coin": {"from": f"0..{coins - 1}", **(weight if rng.random() < 0.5 else {})}
            }
        if rng.random() < 0.3:
            made["operations"]["leap"] = {
                "when": f"mod(at, {rng.randint(2, 3)}) == 1",
                "effects": {"at": str(rng.randrange(self.places + self.ends))},
            }
            if not self.cyclic:  # forward only
                made["operations"]["leap"]["effects"]["at"] = "at + 1"
        made["end"] = self._ends()
        if rng.random() < 0.3:
            made["payoff unit"] = rng.choice(UNITS)
        return made

    def _column(self) -> str:
        return f"coin * {self.ways} + k" if self.coins > 1 else "k"

    def _target(self, place: int) -> int:
        last = self.places + self.ends - 1
        if self.rng.random() < 0.12:
            return self.rng.randint(self.places, last)
        return self.rng.randint(0 if self.cyclic else place + 1, last)

    def _ends(self) -> dict[str, Any]:
        rng, found = self.rng, {}
        plain = rng.random() < 0.25
        scale, kind = rng.choice(SCALES), rng.choice(["opposed"] * 4 + ["constant", "any"])
        for k in range(self.ends):
            when = f"at {'>=' if k == self.ends - 1 else '=='} {self.places + k}"
            if plain or rng.random() < 0.05:
                found[f"end{k}"] = {"when": when, **self._result()}
                continue
            pays = [scale * rng.randint(-3, 3) + rng.randint(-1, 1) for _ in range(self.players)]
            if kind != "any" and self.players > 1:
                pays[-1] = (scale if kind == "constant" else 0) - sum(pays[:-1])
            found[f"end{k}"] = {"when": when, "payoff": pays}
        return found

    def _result(self) -> dict[str, Any]:
        seat = f"players[{self.rng.randint(1, self.players)}]"
        kinds: list[dict[str, Any]] = [{"winners": seat}, {"winners": seat}, {"result": "draw"}]
        if self.players == 1:
            kinds = [{"result": "win"}, {"result": "lose"}]
        return self.rng.choice(kinds)


def _walk(rng: Random) -> dict[str, Any]:
    return _GraphGame(rng).ruleset()


def _scores(rng: Random) -> dict[str, Any]:
    """Scores that grow with every move, and that nothing bounds; who is ahead is paid."""
    steps = [rng.choice([1, 1, -1]) * rng.choice([1, 2, 3, 7, *HUGE]) for _ in range(3)]
    turns, times = rng.randint(1, 4), rng.choice(["", "", "2 * ", "0 - "])
    pay = rng.choice(
        ["s", "s", "max(0, s)", "min(0, s)", "s if s > 0 else 1", f"clamp(s, {steps[0]})"]
    )
    made: dict[str, Any] = {
        "rulegame": 1,
        "title": "Scores",
        "define": {"clamp(n, most)": "max(0 - abs(most), min(abs(most), n))"},
        "state": {"t": 0, "s": 0},
        "operations": {
            "add": {
                "choose": {"k": "1..3"},
                "effects": {"s": f"{times}s + {steps}[k]", "t": "t + 1"},
            }
        },
        "stuck": "draw",
        "end": {"over": {"when": f"t >= {turns}", "payoff": [f"{pay}", f"0 - ({pay})"]}},
    }
    if rng.random() < 0.3:
        made["operations"]["stop"] = {"effects": {"t": str(turns)}}
    if rng.random() < 0.3:
        made["operations"]["add"]["roll"] = {"die": "0..1"}
        made["operations"]["add"]["effects"]["s"] += " * die"
    return made


def _board_game(rng: Random) -> dict[str, Any]:
    """Players mark squares of a small board for some turns, and are paid for rows, columns and
    squares; its mirror images are the same game.
    """
    rows, columns = rng.choice([(1, 3), (2, 2), (2, 2), (2, 3), (1, 5)])
    turns = rng.randint(2, min(4, rows * columns))
    owned = "count(c for row in rows(board) for c in row if c == p)"
    full = "count(row for row in rows(board) if all(c == p for c in row))"
    lines = "count(line for line in columns(board) if all(c == p for c in line))"
    factors = [rng.choice(SCALES) * rng.randint(-2, 2) for _ in range(3)]
    scored = zip(factors, (owned, full, lines), strict=True)
    score = " + ".join(f"{factor} * {what}" for factor, what in scored)
    end: dict[str, Any] = {"payoff": "[gain(players[1]), gain(players[2])]"}
    if rng.random() < 0.8:
        difference = "gain(players[1]) - gain(players[2])"
        end["payoff"] = f"[{difference}, 0 - ({difference})]"
    mark: dict[str, Any] = {"choose": {"at": "cells(board)"}, "effects": {"board[at]": "me"}}
    if rng.random() < 0.4:
        mark["roll"] = {"slip": "0..1"}
        mark["effects"]["board[at]"] = "me if slip == 0 else none"
    mark["effects"]["t"] = "t + 1"
    return {
        "rulegame": 1,
        "title": "Board",
        "define": {"gain(p)": score},
        "state": {
            "t": 0,
            "board": {"type": "grid of optional player", "rows": rows, "columns": columns},
        },
        "operations": {"mark": mark},
        "validity": {} if rng.random() < 0.2 else {"free": "board[at] == none"},
        "stuck": "draw",
        "end": {"over": {"when": f"t >= {turns}", **end}},
        "symmetry": rng.choice(["mirror columns", ["mirror columns", "mirror rows"], "half turn"]),
    }
