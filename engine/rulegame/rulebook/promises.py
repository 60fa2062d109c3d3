"""The claims of a ruleset in English, and which of them have been proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from rulegame.building.ranges import RANGE
from rulegame.model import Claim, Ruleset
from rulegame.rulebook.document import Block, ItemList
from rulegame.wording import as_written, joined

if TYPE_CHECKING:
    from rulegame.proving import CheckResult

SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "always_ends": (
        "Every game comes to an end, whatever the players do.",
        "A game need not come to an end: play can go on for ever.",
    ),
    "ends_almost_surely": (
        "Whatever the players do, the game comes to an end with probability 1.",
        "If the players are out for it, the game can go on for ever with a probability above 0.",
    ),
    "ends_under_best_play": (
        "If both players play as well as possible, the game comes to an end.",
        "If both players play as well as possible, the game need not come to an end.",
    ),
    "no_draws": ("No game ends in a draw.", "A game can end in a draw."),
    "never_stuck": (
        "Nobody is ever without a valid move.",
        "It can happen that a player has no valid move.",
    ),
    "every_operation_used": (
        "Every operation can be used in some game.",
        "There is an operation that can never be used.",
    ),
    "every_end_rule_reached": (
        "Each of the ways in which the game ends can come about.",
        "One of the ways in which the game is said to end never comes about.",
    ),
    "first_player_wins": (
        "The player who moves first can force a win.",
        "The player who moves first cannot force a win.",
    ),
    "second_player_wins": (
        "The player who moves second can force a win.",
        "The player who moves second cannot force a win.",
    ),
    "cooperative_win": (
        "All players together can make sure that everybody wins.",
        "Not even all players together can make sure that everybody wins.",
    ),
}


def promises(ruleset: Ruleset, report: CheckResult | None = None) -> Iterator[Block]:
    """What the rules promise, as the report of `rulegame.check` on this very game found it: what
    is proved, then what is claimed only; what is refuted is no promise. A game with other
    parameters or operations than its ruleset's own is one of which nothing was claimed: only what
    is proved holds there.
    """
    status = (
        {(f.claim.span, bool(f.claim.over)): f.status for f in report.findings} if report else {}
    )
    by_status: dict[str, list[str]] = {}
    for claim in ruleset.claims:
        sentence = _sentence(claim)
        if len(ruleset.players) != 2:
            sentence = sentence.replace("both players play", "all players play")
        if claim.over and status.get((claim.span, False)) == "proved":
            by_status.setdefault("proved", []).append(sentence)  # of this game, at least
        if claim.over:
            sentence = f"With {_settings(claim)}: {sentence[0].lower()}{sentence[1:]}"
        found = status.get((claim.span, bool(claim.over)), "undecided")
        by_status.setdefault(found, []).append(sentence)
    by_status = {found: list(dict.fromkeys(said)) for found, said in by_status.items()}
    proved, open_ = (by_status.get(key, []) for key in ("proved", "undecided"))
    if proved and report:
        yield ItemList(tuple(proved))
        yield f"Proved from all {report.states:,} positions that can be reached."
    if open_ and _as_it_stands(ruleset):
        if proved:
            yield "Not proved:"
        yield ItemList(tuple(open_))


def _as_it_stands(ruleset: Ruleset) -> bool:
    """Whether the game is played with the ruleset's own parameters and operations."""
    parameters = ruleset.parameters.values()
    return all(rule.value == rule.default for rule in parameters) and all(
        operation.enabled == operation.enabled_by_default for operation in ruleset.listed
    )


def _settings(claim: Claim) -> str:
    """The values of parameters that a claim is for: pile from 1 to 60 and most 2 or 3."""
    over = claim.over_as_written.items()
    return joined([f"{name} {_values(some)}" for name, some in over], "and")


def _values(some: Any) -> str:
    if isinstance(some, list):
        return joined([_values(one) for one in some], "or") if some else "[]"
    ends = RANGE.fullmatch(some) if isinstance(some, str) else None
    if ends is None:
        return as_written(some)
    step = f" in steps of {ends[3]}" if ends[3] else ""
    return f"from {ends[1]} to {ends[2]}{step}"


def _sentence(claim: Claim) -> str:
    if isinstance(claim.value, bool):
        return SENTENCES[claim.name][0 if claim.value else 1]
    if claim.name == "first_player_gets":
        return (
            f"The player who moves first can make sure of {claim.value} on average, whatever "
            "happens."
        )
    return _fair(float(claim.value))


def _fair(within: float) -> str:
    """What a value at most so far from 0 means, a win counting 1 and a loss -1."""
    if within == 0:
        return (
            "If both players play as well as possible, the game is even: neither comes out ahead."
        )
    return (
        "If both players play as well as possible, neither comes out more than "
        f"{within:g} ahead on average, where a win counts 1, a draw 0 and a loss −1."
    )
