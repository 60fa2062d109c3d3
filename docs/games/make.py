"""Writes the page of all bundled games: a position of each, drawn, and what best play comes to.

`python docs/games/make.py` solves them anew, which takes some minutes; `--page` only writes the
page and the pictures, from the values that are known.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, Final

import rulegame
from rulegame.bundled import ruleset_names
from rulegame.drawing.position import draw
from rulegame.drawing.svg import picture_svg
from rulegame.exploring import TooLarge
from rulegame.game import CHANCE
from rulegame.solving import (
    CannotSolve,
    HiddenSolution,
    MultiplayerSolution,
    solve,
)

HERE: Final = Path(__file__).parent
VALUES: Final = HERE / "values.json"
ABOUT: Final = (
    "Every bundled game: a position as everybody at the table sees it, and what best play comes "
    "to. Values are those of the player who moves first: 1 a sure win, -1 a sure loss, 0 even, or "
    "what is paid. `rulegame solve NAME` finds them again. `python docs/games/make.py` makes this "
    "page."
)
MOVES: Final = 8
MOST_STATES: Final = 50_000
TOO_LARGE: Final = f"not tried for this page: more than {MOST_STATES:,} states or histories"
# A game that is too large is solved with smaller parameters, where that is telling.
SMALLER: Final[dict[str, dict[str, Any]]] = {
    "breakthrough": {"rows": 5, "columns": 3},
    "connect_four": {"rows": 4, "columns": 4, "line": 3},
    "english_draughts": {"size": 4},
    "german_whist": {"ranks": 1},
    "gomoku": {"size": 3, "line": 3},
    "goofspiel": {"cards": 4},
    "hex": {"size": 3},
    "kalah": {"width": 2, "seeds": 2},
    "leaking_boat": {"holds": 2, "hours": 4},
    "leduc_poker": {"ranks": 2},
    "liars_dice": {"sides": 3},
    "mastermind": {"colours": 2, "tries": 2},
    "number_duel": {"count": 2, "highest": 4, "target": 6},
    "othello": {"size": 4},
    "pig": {"target": 25},
    "rock_paper_scissors": {"target": 1},
    "shut_the_box": {"tiles": 6},
    "three_player_pig": {"target": 5},
}


def picture(name: str) -> str:
    """The position after some moves, as all players see it."""
    game = rulegame.load(name)
    rng, state, past = Random(7), game.start(), []
    while True:
        rolls = state.player == CHANCE
        move = state.roll(rng.randrange) if rolls else rng.choice(state.moves)
        later = state.play(move)
        if later.is_over:
            break
        past.append((state, move))
        state = later
        if len(past) >= MOVES and state.player != CHANCE:
            break
    return picture_svg(draw(state, past, range(len(game.players)))) + "\n"


def value_of(name: str, settings: dict[str, Any]) -> dict[str, Any]:
    """What best play comes to, or why that is not known."""
    game = rulegame.load(name, settings)
    try:
        solution = solve(game, max_states=MOST_STATES)
    except TooLarge:
        return {"refusal": TOO_LARGE}
    except CannotSolve as refusal:
        return {"refusal": str(refusal)}
    states: Any = solution
    found = {"states": len(states.graph), "how": solution.account}
    if isinstance(solution, MultiplayerSolution):
        sure = ", ".join(_number(one.value, one.lower, one.upper) for one in solution.alone)
        return {"value": f"each can make sure of {sure}", **found}
    value = _number(solution.value, solution.lower, solution.upper)
    if isinstance(solution, HiddenSolution):
        value += " on average, with hidden information"
    return {"value": value, **found}


def _number(value: Fraction | None, lower: float, upper: float) -> str:
    if value is None:
        if upper - lower < 1e-6:
            return f"{(lower + upper) / 2:.6f}, between bounds {upper - lower:.0e} apart"
        return f"between {lower:.6g} and {upper:.6g}"
    text = str(value) if value.denominator.bit_length() < 60 else ""
    if value.denominator == 1:
        return text
    return f"{text} ({float(value):.6f})" if text else f"{float(value):.6f}"


def known(name: str) -> list[dict[str, Any]]:
    """What is known of a game as it is and, if that is nothing, of a smaller one."""
    found = [{"settings": {}, **value_of(name, {})}]
    if "refusal" in found[0] and name in SMALLER:
        found.append({"settings": SMALLER[name], **value_of(name, SMALLER[name])})
    return found


def page(values: dict[str, Any]) -> str:
    """The page, from what is known."""
    lines = ["# Games, with pictures and values", "", ABOUT, ""]
    for name in ruleset_names():
        ruleset = rulegame.load(name).ruleset
        summary = " ".join((ruleset.summary or "").split())
        lines += [f"## {ruleset.title}", "", f"`rulegame play {name}`. {summary}", ""]
        lines += [f"![A position of {ruleset.title}]({name}.svg)", ""]
        lines += ["| parameters | value | states | how it is known |", "| --- | --- | --- | --- |"]
        lines += [_row(one) for one in values[name]] + [""]
    return "\n".join(lines)


def _row(one: dict[str, Any]) -> str:
    given = ", ".join(f"`{name}={value}`" for name, value in one["settings"].items())
    if "refusal" in one:
        return f"| {given or 'as it is'} | not known | | {one['refusal'].replace('|', '')} |"
    return f"| {given or 'as it is'} | {one['value']} | {one['states']:,} | {one['how']} |"


def main() -> None:
    """Write the values, the pictures and the page; only those of the games that are named."""
    named = [one for one in sys.argv[1:] if one != "--page"]
    values = json.loads(VALUES.read_text("utf-8")) if VALUES.exists() else {}
    for name in named or ruleset_names():
        if "--page" not in sys.argv:
            values[name] = known(name)
            VALUES.write_text(json.dumps(values, indent=1) + "\n", "utf-8")
        (HERE / f"{name}.svg").write_text(picture(name), "utf-8")
    kept = {name: values[name] for name in ruleset_names()}
    VALUES.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    (HERE / "README.md").write_text(page(kept), "utf-8")


if __name__ == "__main__":
    main()
