"""The claims of a ruleset in English, and which of them have been proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from rulegame.model import Claim, Ruleset
from rulegame.rulebook.document import Block, ItemList

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
    status = {found.claim.name: found.status for found in report.findings} if report else {}
    by_status: dict[str, list[str]] = {}
    for name, claim in ruleset.claims.items():
        said = by_status.setdefault(status.get(name, "undecided"), [])
        sentence = _sentence(claim)
        if len(ruleset.players) != 2:
            sentence = sentence.replace("both players play", "all players play")
        said.append(sentence)
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
