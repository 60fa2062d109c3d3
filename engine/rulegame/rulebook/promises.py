"""The claims of a ruleset in English, and which of them have been proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from rulegame.building.ranges import RANGE
from rulegame.diagnostics import Span
from rulegame.extras import install_command, is_installed
from rulegame.model import Claim, Ruleset
from rulegame.rulebook.document import Block, ItemList
from rulegame.wording import as_written, joined

if TYPE_CHECKING:
    from rulegame.proving import CheckResult

SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "always_ends": (
        "Every game ends, whatever the players do.",
        "A game may never end: play can go on forever.",
    ),
    "ends_almost_surely": (
        "Whatever the players do, the game ends with probability 1.",
        "If the players want to, they have a chance to keep the game going forever.",
    ),
    "ends_under_best_play": (
        "If both players play as well as possible, the game ends.",
        "If both players play as well as possible, the game may never end.",
    ),
    "no_draws": ("No game ends in a draw.", "A game can end in a draw."),
    "never_stuck": (
        "Every player always has a valid move.",
        "A player may have no valid move.",
    ),
    "every_operation_used": (
        "Every operation can be used in some game.",
        "There is an operation that can never be used.",
    ),
    "every_end_rule_reached": (
        "Every listed ending can actually happen.",
        "One of the listed endings can never happen.",
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
        "Together, the players can force a win for everybody.",
        "Even together, the players cannot force a win for everybody.",
    ),
}

LEFT_OUT: Final = "The claims of these rules are left out: proving them needs NumPy and SciPy"


def promises(ruleset: Ruleset, report: CheckResult | None = None) -> Iterator[Block]:
    """What the rules promise, as the report of `rulegame.check` on this very game found it: what
    is proved, then what is claimed only; what is refuted is no promise. A game with other
    parameters or operations than its ruleset's own is one of which nothing was claimed: only what
    is proved holds there. Without the packages that prove claims, they are left out.
    """
    if ruleset.claims and not is_installed("solve"):
        yield f"{LEFT_OUT} ({install_command('solve')})."
        return
    status = _statuses(report)
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
        yield f"Proved for all {report.states:,} reachable positions."
    if open_ and _as_it_stands(ruleset):
        yield "Not proved:" if proved else "Claimed by the author, not proved here:"
        yield ItemList(tuple(open_))


def claim_status(ruleset: Ruleset, report: CheckResult | None, name: str) -> str:
    """The status of a claim about this game as `prove` reports it; empty if it is not claimed."""
    status = _statuses(report)
    for claim in ruleset.claims:
        if claim.name == name and claim.value is True:
            found = status.get((claim.span, False))
            if found is not None:
                return found
            if not claim.over and _as_it_stands(ruleset):
                return "undecided"
    return ""


def _statuses(report: CheckResult | None) -> dict[tuple[Span, bool], str]:
    """What the report says of claims, by place and by whether they are for several settings."""
    if report is None:
        return {}
    return {(f.claim.span, bool(f.claim.over)): f.status for f in report.findings}


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
        return f"The player who moves first can guarantee {claim.value} on average."
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
