"""Reports: simulated and swept games, checked claims, compared rulesets, rulebooks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from rulegame.comparing import Comparison
from rulegame.rulebook import Rulebook
from rulegame.rulebook.rendering import html_part
from rulegame.showing.faces import Face, Row, written
from rulegame.simulation.report import Report, Share
from rulegame.sweeping import SweepResult
from rulegame.sweeping.rows import row_of
from rulegame.wording import joined

if TYPE_CHECKING:
    from rulegame.proving import CheckResult

# ---- simulated games


def _report(report: Report) -> Face:
    first = "each in turn" if report.first is None else report.seats[report.first].name
    facts = [("games", f"{report.games:,}, seed {report.seed}"), ("moves first", first)]
    if report.advantage is not None:
        low, high = report.advantage.interval
        worth = f"{report.advantage.value:+.4f} (95% interval {low:+.4f} to {high:+.4f})"
        facts.append(("first-mover advantage", worth))
    lengths = report.lengths
    if lengths.mean is not None:
        span = f"{lengths.shortest} to {lengths.longest}"
        facts.append(("length", f"mean {lengths.mean:.2f}, {span} moves"))
    if report.unfinished.times:
        facts.append(("left unfinished", f"{report.unfinished.times:,}"))
    tables = {
        "seats": partial(_seats, report),
        "ends": partial(_ends, report),
        "lengths": partial(_lengths, report),
        "operations": partial(_operations, report),
    }
    return Face(report.title, tuple(facts), tables, ("seats", "ends", "operations"))


def _share(share: Share, name: str = "share") -> Row:
    prefix = "" if name == "share" else f"{name}_"
    low, high = share.interval
    return {name: share.share, f"{prefix}lower": low, f"{prefix}upper": high}


def _seats(report: Report) -> Iterator[Row]:
    for seat, one in enumerate(report.seats):
        row: Row = {"seat": seat, "name": one.name, "player": one.player, "wins": one.wins.times}
        row |= _share(one.wins, "win_share")
        row |= {"losses": one.losses.times, "draws": one.draws.times}
        if report.payoffs is not None:
            mean = report.payoffs[seat]
            low, high = mean.interval
            row |= {"payoff": mean.value, "payoff_lower": low, "payoff_upper": high}
        yield row


def _ends(report: Report) -> Iterator[Row]:
    for end in report.ends:
        row: Row = {"rule": end.rule}
        row["winners"] = joined([report.seats[seat].name for seat in end.winners], "and")
        row["losers"] = joined([report.seats[seat].name for seat in end.losers], "and")
        row |= {"draw": end.draw, "games": end.games.times}
        yield row | _share(end.games)


def _lengths(report: Report) -> Iterator[Row]:
    games = report.lengths.games
    for moves, count in report.lengths.counts:
        yield {"moves": moves, "games": count, "share": count / games}


def _operations(report: Report) -> Iterator[Row]:
    sorts = (("operation", report.operations), ("setup", report.setup), ("roll", report.rolls))
    for sort, usages in sorts:
        for usage in usages:
            yield {
                "name": usage.name,
                "sort": sort,
                "times": usage.times,
                "share": usage.share,
                "per_game": usage.per_game,
                "in_games": usage.games.share,
            }


# ---- sweeps


def _sweep(settings: SweepResult) -> Face:
    return Face("", (), {"settings": partial(settings_of, settings)}, ("settings",))


def settings_of(settings: SweepResult) -> Iterator[Row]:
    """A row for each setting."""
    for setting in settings:
        row = row_of(setting)
        if "value" in row:
            row["value"] = written(row["value"])
        yield row | {"problem": setting.problem or None}


# ---- claims


def _check(result: CheckResult) -> Face:
    states = "too large to look at" if result.states is None else f"{result.states:,}"
    facts = [("states", states), ("every claim proved", "yes" if result.holds else "no")]
    if result.refusal:
        facts.append(("why not", result.refusal))
    tables = {"claims": partial(_claims, result), "warnings": partial(_warnings, result)}
    return Face("", tuple(facts), tables, ("claims", "warnings"))


def _claims(result: CheckResult) -> Iterator[Row]:
    for finding in result.findings:
        evidence = finding.evidence
        shows = evidence.play if finding.status != "proved" else None
        yield {
            "claim": str(finding.claim),
            "status": finding.status,
            "because": None if finding.status == "proved" else evidence.detail,
            "play": None if shows is None else ", ".join(move.text for move in shows),
        }


def _warnings(result: CheckResult) -> Iterator[Row]:
    for warned in result.warnings:
        yield {
            "kind": warned.kind,
            "name": warned.name,
            "message": warned.message,
            "line": warned.span.line,
        }


# ---- rulesets


def _comparison(comparison: Comparison) -> Face:
    before, after = comparison.before.title, comparison.after.title
    facts = [("before", before), ("after", after)]
    facts.append(("the same game", "yes" if comparison.same else "no"))
    if comparison.texts:
        facts.append(("only said differently", ", ".join(comparison.texts)))
    return Face(
        "", tuple(facts), {"differences": partial(_differences, comparison)}, ("differences",)
    )


def _differences(comparison: Comparison) -> Iterator[Row]:
    for one in comparison.differences:
        yield dict(one._asdict())


def _rulebook(book: Rulebook) -> Face:
    return Face("", text=html_part(book))


FACES: Final[Mapping[str, Any]] = {
    "CheckResult": _check,
    "Comparison": _comparison,
    "Report": _report,
    "Rulebook": _rulebook,
    "SweepResult": _sweep,
}
