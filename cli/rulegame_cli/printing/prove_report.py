"""What `rulegame prove` found, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from rulegame.wording import as_written, counted
from rulegame_cli.printing.reporters import json_object, json_place, problems_text
from rulegame_cli.printing.terminal import Style, one_line, visible

if TYPE_CHECKING:
    from rulegame.diagnostics import Diagnostic, Span
    from rulegame.game import Move
    from rulegame.proving import CheckResult, Overall, ParameterSetting, Warned

STATUSES: Final = ("proved", "refuted", "undecided")
WIDTH: Final = max(map(len, STATUSES))
INDENT: Final = " " * (WIDTH + 4)


@dataclass(frozen=True)
class Examined:
    """A ruleset as it was named in the call: its problems, or the report of each setting."""

    name: str
    file: str
    diagnostics: tuple[Diagnostic, ...]
    found: tuple[tuple[ParameterSetting, CheckResult], ...] = ()
    first: int = 0

    @property
    def reports(self) -> tuple[tuple[ParameterSetting, CheckResult], ...]:
        """Those of settings that the parameters allow."""
        return tuple(one for one in self.found if not one[1].left_out)

    @cached_property
    def claims(self) -> tuple[Overall, ...]:
        from rulegame.proving import overall

        return overall(self.found)

    @cached_property
    def warnings(self) -> tuple[Warned, ...]:
        from rulegame.proving import common_warnings

        return common_warnings(self.reports)

    @property
    def refusal(self) -> str:
        """Why a setting could not be looked at; empty if all were."""
        return next((f"{_at(s)}{r.refusal}" for s, r in self.reports if r.refusal), "")

    @property
    def holds(self) -> bool:
        """Whether everything could be examined, and every claim is proved."""
        proved = all(claim.status == "proved" for claim in self.claims)
        return proved and not self.diagnostics and not self.refusal


def summary(examined: Sequence[Examined]) -> str:
    """One line about several rulesets."""
    found = [claim.status for one in examined for claim in one.claims]
    parts = [f"{found.count(status)} {status}" for status in STATUSES if status in found]
    refused = sum(bool(one.refusal) for one in examined)
    broken = sum(bool(one.diagnostics) for one in examined)
    parts += [f"{refused} too large to check"] * bool(refused) + [f"{broken} with errors"] * bool(
        broken
    )
    return f"{len(examined)} rulesets: {', '.join(parts) or 'no claims'}\n"


# ---- for people


def people_text(one: Examined, style: Style) -> str:
    """What was found about a ruleset, for people to read."""
    if one.diagnostics:
        return problems_text(one.diagnostics, style)
    return "".join(f"{line}\n" for line in _lines(one, style))


def _lines(one: Examined, style: Style) -> Iterator[str]:
    claims = "" if one.claims else ", no claims"
    yield f"{style.bold(visible(one.name))}: {_size(one)}{claims}"
    if one.refusal:
        yield f"  {visible(one.refusal)}"
    paints = {"proved": style.green, "refuted": style.red, "undecided": style.yellow}
    for claim in one.claims:
        status = paints[claim.status](claim.status.ljust(WIDTH))
        place = "" if claim.status == "proved" else f" (line {claim.claim.span.line})"
        yield f"  {status}  {claim.claim}{place}{visible(_over(claim))}{_times(claim)}"
        for line in _shown(claim, one):
            yield f"{INDENT}{visible(line)}"
    for warning in one.warnings:
        status = style.yellow("warning".ljust(WIDTH))
        yield f"  {status}  {one_line(warning.message)} ({_place(warning.span, one.file)})"


def _size(one: Examined) -> str:
    sizes = [report.states for _, report in one.reports if report.states is not None]
    settings = f"{len(one.reports):,} settings, " if len(one.reports) > 1 else ""
    if not sizes:
        return f"{settings}too large"
    least, most = min(sizes), max(sizes)
    return f"{settings}{f'{least:,} to ' if least < most else ''}{counted(most, 'position')}"


def _over(claim: Overall) -> str:
    """The values that a claim is for, as they are written."""
    over = claim.claim.over_as_written.items()
    return f", for {', '.join(f'{n}: {as_written(v)}' for n, v in over)}" if over else ""


def _times(claim: Overall) -> str:
    left_out = f" ({claim.left_out:,} not allowed)" if claim.left_out else ""
    if claim.settings == 0 or claim.settings + claim.left_out == 1:
        return left_out
    if claim.status == "proved":
        return f", in all {counted(claim.settings, 'setting')}{left_out}"
    return f", not proved in {claim.failing:,} of {counted(claim.settings, 'setting')}{left_out}"


def _shown(claim: Overall, one: Examined) -> Iterator[str]:
    """What shows that it is so, in the words of a ruleset's tests. Nothing can show that something
    always holds.
    """
    evidence = claim.shown.evidence
    if claim.status == "proved" and claim.claim.value is not False:
        return
    if evidence.detail in one.refusal:  # which has been told
        return
    yield evidence.detail
    if claim.setting.values:
        yield f"set: {{{', '.join(f'{n}: {t}' for n, t in claim.setting.texts())}}}"
    if evidence.play is None:
        return
    if one.first:
        yield f"first: {one.first + 1}"
    yield f"play: {_list(evidence.play)}"
    if evidence.cycle:
        yield f"then repeat forever: {_list(evidence.cycle)}"


def _list(moves: Sequence[Move]) -> str:
    return f"[{', '.join(move.text for move in moves)}]"


def _place(span: Span, file: str) -> str:
    """The line, and the file where a variant has it from another one."""
    if span.file == file:
        return f"line {span.line}"
    return visible(f"{PurePath(span.file).name}, line {span.line}")


# ---- for programs


def json_text(examined: Sequence[Examined]) -> str:
    """A list with an object for each ruleset; ASCII only, so nothing in it can play tricks."""
    return json.dumps([_data(one) for one in examined], indent=2) + "\n"


def _data(one: Examined) -> dict[str, Any]:
    return {
        "ruleset": one.name,
        "holds": one.holds,
        "settings": len(one.reports),
        "states": [report.states for _, report in one.reports],
        "refusal": one.refusal or None,
        "claims": [_claim_data(claim, one.first) for claim in one.claims],
        "warnings": [
            {"kind": w.kind, "name": w.name, "message": w.message, **json_place(w.span)}
            for w in one.warnings
        ],
        "problems": [json_object(diagnostic) for diagnostic in one.diagnostics],
    }


def _claim_data(claim: Overall, first: int) -> dict[str, Any]:
    value, evidence = claim.claim.value, claim.shown.evidence
    return {
        "claim": claim.claim.name,
        "value": value if isinstance(value, bool) else float(value),
        "status": claim.status,
        "for": dict(claim.claim.over_as_written) or None,
        "settings": claim.settings,
        "left_out": claim.left_out,
        "not_proved_in": claim.failing,
        "detail": evidence.detail,
        "set": dict(claim.setting.values),
        "first": first + 1,
        "play": None if evidence.play is None else [move.text for move in evidence.play],
        "repeat": [move.text for move in evidence.cycle],
        **json_place(claim.claim.span),
    }


def _at(setting: ParameterSetting) -> str:
    return f"with {setting}: " if setting.values else ""
