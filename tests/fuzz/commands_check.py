"""The command line says of a game what the library says, on both backends."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from random import Random
from typing import Any, Final

import rulegame
from fuzz.backends import NATIVE, PYTHON, backend
from fuzz.brute_force import TooMany
from fuzz.findings import Finding
from fuzz.games import file_of, game_of
from fuzz.solving_check import Reference, agrees, uniform
from support.commands import Result, call

SHARE: Final = 0.15  # of the inputs: a call takes long
NO_NUMBER: Final = re.compile(r"\b(nan|inf)\b", re.IGNORECASE)


def check(text: bytes, rng: Random) -> None:
    """Call `solve` and `check` as people do."""
    game = game_of(text)
    if game is None or rng.random() > SHARE:
        return
    reference = None
    try:
        if game.kind.is_open:
            reference = Reference(game, game.kernel.who_begins(0))
    except (TooMany, rulegame.GameError):
        return
    path = file_of(text)
    name = rng.choice([PYTHON, NATIVE])
    with backend(name, rules=False):
        for options in (
            ["solve"], ["solve", "--depth", "3"], ["solve", "--against", "random"], ["check"]
        ):  # fmt: skip
            for more in ([], ["--json"]):
                limit = ["--max-time", "1"] if options == ["solve"] else []
                called = [*options, *limit, str(path), *more]
                result = call(*called, folder=path.parent)
                if result.code not in (0, 1, None, 2 if options[-1] == "random" else 0):
                    raise Finding(f"{called}: exit code {result.code}, {result.err}")
                if NO_NUMBER.search(result.out):
                    raise Finding(f"{called}: {result.out}")
                if more and result.code == 0 and reference is not None:
                    _compare(options, result, reference)


def _compare(options: list[str], result: Result, reference: Reference) -> None:
    data: Any = json.loads(result.out)
    if options == ["solve"] and reference.opposed and "value" in data:
        low, high = reference.value(0, reference.first)
        if data["value"] is not None and not low <= Fraction(data["value"]) <= high:
            raise Finding(f"solve --json says {data['value']}, not {low}")
    if "--depth" in options:
        low, high = reference.value(0, reference.first)
        least, most = data["lower"], data["upper"]
        if not (least is None or least <= high) or not (most is None or most >= low):
            raise Finding(f"solve --depth --json says {least} to {most}, not {low} to {high}")
    if options[-1] == "random":
        for answer in data["answers"]:
            expected = reference.response(answer["seat"] - 1, uniform)
            agrees("--against random --json", answer["lower"], answer["upper"], expected)
