"""The results of checking a game: a finding with evidence for each claim, and warnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from rulegame.diagnostics import Span
from rulegame.game import Move
from rulegame.model import Claim
from rulegame.shown import Shown, Tabled
from rulegame.wording import as_written

Status = Literal["proved", "refuted", "undecided"]
PROVED: Final = "proved"
REFUTED: Final = "refuted"
UNDECIDED: Final = "undecided"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Whether something holds (None: unknown), why, and a play that shows it; the moves of `cycle`
    can then be repeated forever.
    """

    holds: bool | None
    detail: str
    play: tuple[Move, ...] | None = None  # None: no single play shows it
    cycle: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on a claim."""

    claim: Claim
    status: Status
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Warned:
    """A rule that is probably a mistake: `kind` is for programs, `message` for people."""

    kind: str
    name: str
    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class CheckResult(Shown, Tabled):
    """The result for one game; `refusal` says why a game is too large."""

    states: int | None
    findings: tuple[Finding, ...]
    warnings: tuple[Warned, ...]
    refusal: str = ""
    left_out: tuple[Claim, ...] = ()  # claims about settings that `require` rejects

    @property
    def holds(self) -> bool:
        """Whether every claim was decided and proved."""
        return not self.refusal and all(f.status == PROVED for f in self.findings)


@dataclass(frozen=True, slots=True)
class ParameterSetting:
    """The parameters of one of several games."""

    values: Mapping[str, Any]

    def __str__(self) -> str:
        return ", ".join(f"{name}={text}" for name, text in self.texts())

    def texts(self) -> list[tuple[str, str]]:
        """Each parameter with its value as text."""
        return [(name, as_written(value)) for name, value in self.values.items()]


@dataclass(frozen=True, slots=True)
class Overall:
    """The verdict on a claim over all settings; `shown` is the first setting that decides it."""

    claim: Claim
    status: Status
    settings: int
    failing: int  # settings in which it is not proved
    shown: Finding
    setting: ParameterSetting
    left_out: int = 0  # settings that `require` rejects


def finding(claim: Claim, evidence: Evidence) -> Finding:
    """The verdict on a claim; `false` claims the opposite."""
    if evidence.holds is None:
        return Finding(claim, UNDECIDED, evidence)
    wanted = claim.value is not False
    return Finding(claim, PROVED if evidence.holds == wanted else REFUTED, evidence)


Reports = Sequence[tuple[ParameterSetting, CheckResult]]


def overall(reports: Reports) -> tuple[Overall, ...]:
    """The verdicts over all settings, by claim: refuted if one is refuted, else undecided if one is
    undecided.
    """
    found: dict[Span, list[tuple[ParameterSetting, Finding]]] = {}
    left_out: dict[Span, list[tuple[ParameterSetting, Claim]]] = {}
    for setting, report in reports:
        for one in report.findings:
            found.setdefault(one.claim.span, []).append((setting, one))
        for claim in report.left_out:
            left_out.setdefault(claim.span, []).append((setting, claim))
    places = sorted({*found, *left_out}, key=lambda span: (span.line, span.column))
    return tuple(_overall(found.get(place, []), left_out.get(place, [])) for place in places)


def _overall(
    rows: Sequence[tuple[ParameterSetting, Finding]],
    left_out: Sequence[tuple[ParameterSetting, Claim]],
) -> Overall:
    if not rows:
        claim = left_out[0][1]
        shown = finding(claim, Evidence(None, "none of these settings is allowed"))
        return Overall(claim, UNDECIDED, 0, 0, shown, ParameterSetting({}), len(left_out))
    failing = sum(row.status != PROVED for _, row in rows)
    worst = next(s for s in (REFUTED, UNDECIDED, PROVED) if any(r.status == s for _, r in rows))
    setting, shown = next(row for row in rows if row[1].status == worst)
    return Overall(shown.claim, shown.status, len(rows), failing, shown, setting, len(left_out))


def common_warnings(reports: Reports) -> tuple[Warned, ...]:
    """The warnings that hold in every setting; none if one setting could not be checked."""
    examined = [report for _, report in reports if not report.left_out]
    if not examined or any(report.refusal for report in examined):
        return ()
    kept = set.intersection(*({(w.kind, w.name) for w in r.warnings} for r in examined))
    return tuple(w for w in examined[0].warnings if (w.kind, w.name) in kept)
