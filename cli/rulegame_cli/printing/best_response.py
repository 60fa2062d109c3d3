"""What `rulegame solve --against` found: the best answers to a player, for people and for
programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rulegame.rounding import bounds_text
from rulegame.wording import counted
from rulegame_cli.printing.terminal import visible

if TYPE_CHECKING:
    from rulegame.game import Game
    from rulegame.players.exploiting import Exploited

LONGEST = 30  # characters of a fraction that people still want to see


def report(game: Game, against: str, answers: Sequence[Exploited]) -> Iterator[str]:
    """The lines for people."""
    yield visible(game.ruleset.title)
    yield f"Best response to {visible(against)}{' in all other seats' * (len(answers) > 2)}"
    yield ""
    for one in answers:
        who = visible(game.players[one.seat])
        yield f"{who} gets {_number(one)} on average{_beyond(game, against, one)}"
    yield ""
    yield account(against, answers)


def _beyond(game: Game, against: str, one: Exploited) -> str:
    if one.best_play is None or one.exploitability is None:
        return "."
    even, more = _told(one.best_play), _told(one.exploitability)
    other = visible(game.players[1 - one.seat])
    return (
        f", compared with {even} if both play their best: {visible(against)} is exploitable by "
        f"{more} as {other}."
    )


def account(against: str, answers: Sequence[Exploited]) -> str:
    """How it was found, and what it is worth."""
    situations = sum(one.situations for one in answers)
    asked = sum(one.asked for one in answers)
    who = visible(against)
    taken = "its moves are assumed to depend only on what it sees"
    if not asked:
        exact = all(one.value is not None for one in answers)
        result = "Exact result" if exact else "Certified bounds"
        known = f"move probabilities of {who} known in {counted(situations, 'situation')}"
        return f"{result} ({known}; {taken})."
    times = max(one.times for one in answers)
    return (
        f"Estimate: {who} was sampled {times} times in each of {counted(asked, 'situation')}; "
        f"{taken}. Sampling tends to overestimate the result slightly."
    )


def _number(one: Exploited) -> str:
    if one.value is not None:
        return _told(one.value)
    return bounds_text(one.lower, one.upper)


def _told(value: Fraction | float) -> str:
    if not isinstance(value, Fraction):
        return f"{value:.6g}"
    text = str(value)
    if value.denominator == 1:
        return text
    decimal = f"{float(value):.6g}"
    return f"{text} ({decimal})" if len(text) <= LONGEST else decimal


def as_data(game: Game, against: str, answers: Sequence[Exploited]) -> dict[str, Any]:
    """The same for programs."""
    from rulegame.solving.result import VERSION

    return {
        "version": VERSION,
        "kind": game.kind.as_data(),
        "against": against,
        "answers": [
            {
                "seat": one.seat + 1,
                "value": None if one.value is None else str(one.value),
                "lower": one.lower,
                "upper": one.upper,
                "best_play": None if one.best_play is None else float(one.best_play),
                "exploitability": (
                    None if one.exploitability is None else float(one.exploitability)
                ),
                "estimated": one.estimated,
                "situations": one.situations,
                "asked": one.asked,
                "times": one.times,
            }
            for one in answers
        ],
        "account": account(against, answers),
    }
