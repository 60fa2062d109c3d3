"""The report of a simulation, for people and for programs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from rulegame.wording import counted
from rulegame_cli.printing.tables import bars, columns
from rulegame_cli.printing.terminal import Style, one_line

if TYPE_CHECKING:
    from rulegame.simulation import (
        EndResult,
        Interval,
        Lengths,
        Mean,
        Report,
        SeatResult,
        Share,
        Usage,
    )

MOST_BARS: Final = 16
PERCENTILES: Final = (5, 25, 50, 75, 95)
WIDEST: Final = 78
NARROWEST: Final = 30


def report_text(report: Report, style: Style, encoding: str | None) -> str:
    """The whole report."""
    width = min(WIDEST, max(NARROWEST, shutil.get_terminal_size().columns))
    lines = [style.bold(one_line(report.title)), *_how(report), ""]
    lines += _section(style, _results(report))
    lines += _section(style, _endings(report))
    lines += _first_mover(report)
    lines += _payoffs(report)
    lines += _length_lines(report, style, width, encoding)
    for heading, usages in (
        ("Setup", report.setup),
        ("Operations", report.operations),
        ("Rolls", report.rolls),
    ):
        if usages:
            lines += ["", *_heading_first(style, _usages(heading, usages))]
    return "".join(f"{line}\n" for line in lines)


def _heading_first(style: Style, rows: list[str]) -> list[str]:
    return [style.bold(rows[0]), *rows[1:]]


def _section(style: Style, rows: list[str]) -> list[str]:
    return [*_heading_first(style, rows), ""]


def _how(report: Report) -> Iterator[str]:
    names = [one_line(seat.name) for seat in report.seats]
    players = [seat.player for seat in report.seats]
    sides = " against ".join(players) if len(players) == 2 else ", ".join(players)
    if len(names) == 1:
        first = ""
    elif report.first is None:
        first = ", players alternate moving first"
    else:
        first = f", {names[report.first]} moves first"
    yield f"{counted(report.games, 'game')}, seed {report.seed}: {sides}{first}"
    if report.states is not None:
        yield f"Played on the graph of {counted(report.states, 'position')}."


def percent(share: float) -> str:
    """A share as people read it; never 0 or 100 unless it is."""
    text = f"{100 * share:.2f}%"
    if text == "0.00%" and share > 0:
        return "<0.01%"
    return ">99.99%" if text == "100.00%" and share < 1 else text


def between(interval: Interval) -> str:
    """Where a share lies, in percent."""
    return f"{100 * interval.lower:.2f} to {100 * interval.upper:.2f}%"


def _row(label: str, share: Share) -> list[str]:
    return [f"  {label}", f"{share.times:,}", percent(share.share), between(share.interval)]


def _results(report: Report) -> list[str]:
    from rulegame.simulation import Share

    rows = [["Result", "games", "share", "95% interval"]]
    seats = report.seats if report.advantage is not None or len(report.seats) == 1 else ()
    scored = sum(end.games.times for end in report.ends if _is_score(end))
    only_scores = scored == report.games - report.unfinished.times
    if len(report.seats) > 1 and not seats and not (scored and only_scores):
        rows.append(_row("everyone wins", report.seats[0].wins))
        rows.append(_row("everyone loses", report.seats[0].losses))
    for seat in () if scored and only_scores else seats:
        rows.append(_row(f"{one_line(seat.name)} wins", seat.wins))
        if len(seats) == 1:
            rows.append(_row(f"{one_line(seat.name)} loses", seat.losses))
    if scored:
        rows.append(_row("score", Share(scored, report.games)))
    if report.draws.times:
        rows.append(_row("draw", report.draws))
    if report.unfinished.times:
        rows.append(_row(f"unfinished after {report.max_moves:,} moves", report.unfinished))
    return columns(rows)


def _endings(report: Report) -> list[str]:
    rows = [["End", "games", "share", "95% interval"]]
    for end in report.ends:
        rows.append(_row(f"{end.rule}: {_winners(report, end)}", end.games))
    for rule in report.never:
        rows.append([f"  {rule}: never", "0", "", ""])
    return columns(rows)


def _winners(report: Report, end: EndResult) -> str:
    names = [one_line(report.seats[seat].name) for seat in end.winners]
    if len(report.seats) > 1 and len(report.seats) in (len(end.winners), len(end.losers)):
        return "everyone wins" if names else "everyone loses"
    if not names and end.losers:
        return "lost"
    return ", ".join(names) or ("draw" if end.draw else "score")


def _is_score(end: EndResult) -> bool:
    """Whether such ends are neither won nor lost nor drawn."""
    return not (end.winners or end.losers or end.draw)


def _first_mover(report: Report) -> Iterator[str]:
    found = report.advantage
    if found is None:
        return
    low, high = found.interval
    yield f"First-mover advantage: {found.value:+.4f} (95% interval {low:+.4f} to {high:+.4f})"


def _payoffs(report: Report) -> Iterator[str]:
    means = report.payoffs or ()
    common = all(_is_score(end) for end in report.ends)
    for seat, mean in zip(report.seats, means[:1] if common else means, strict=False):
        low, high = mean.interval
        what = f"payoff of {one_line(seat.name)}" if len(means) > 1 and not common else "score"
        yield f"Mean {what}: {mean.value:.4f} (95% interval {low:.4f} to {high:.4f})"


# ---- lengths


def _length_lines(report: Report, style: Style, width: int, encoding: str | None) -> Iterator[str]:
    lengths = report.lengths
    if report.advantage is not None or report.payoffs:
        yield ""
    yield style.bold("Game length in moves and rolls" if report.rolls else "Game length in moves")
    if lengths.mean is None:
        yield "  no game finished"
        return
    yield (
        f"  mean {lengths.mean:.2f}, median {lengths.percentile(50)}, "
        f"shortest {lengths.shortest}, longest {lengths.longest}"
    )
    yield f"  9 of 10 games: {lengths.percentile(5)} to {lengths.percentile(95)}"
    rows = [(label, count, percent(count / lengths.games)) for label, count in histogram(lengths)]
    yield from (f"  {line}" for line in bars(rows, width - 2, encoding))


def histogram(lengths: Lengths) -> list[tuple[str, int]]:
    """How many games fall into each range of lengths; if there are many, what is longer than 99 of
    100 games shares one range.
    """
    shortest, longest, cut = lengths.shortest, lengths.longest, lengths.percentile(99)
    assert shortest is not None and longest is not None and cut is not None
    if longest - shortest < MOST_BARS:
        cut = longest
    step = -(-(cut - shortest + 1) // MOST_BARS)
    counts = [0] * -(-(cut - shortest + 1) // step)
    beyond = 0
    last = shortest + step * len(counts) - 1
    for length, count in lengths.counts:
        if length > last:
            beyond += count
        else:
            counts[(length - shortest) // step] += count
    rows = []
    for number, count in enumerate(counts):
        low = shortest + number * step
        rows.append((str(low) if step == 1 else f"{low}-{low + step - 1}", count))
    return [*rows, (f"over {last}", beyond)] if beyond else rows


# ---- operations


def _usages(heading: str, usages: tuple[Usage, ...]) -> list[str]:
    rows = [[heading, "times", "share", "per game", "in games"]]
    for usage in usages:
        rows.append(
            [
                f"  {usage.name}",
                f"{usage.times:,}",
                percent(usage.share),
                f"{usage.per_game:.2f}",
                percent(usage.games.share),
            ]
        )
    return columns(rows)


# ---- for programs


def as_data(report: Report) -> dict[str, Any]:
    """The report as JSON has it; seats count from 1."""
    advantage = report.advantage
    return {
        "title": report.title,
        "games": report.games,
        "seed": report.seed,
        "players": [seat.player for seat in report.seats],
        "first": "alternate" if report.first is None else report.first + 1,
        "max_moves": report.max_moves,
        "states": report.states,
        "seats": [_seat(number, seat) for number, seat in enumerate(report.seats, 1)],
        "draws": _share(report.draws),
        "unfinished": _share(report.unfinished),
        "ends": [_end(end) for end in report.ends],
        "never": list(report.never),
        "advantage": None
        if advantage is None
        else {
            "value": advantage.value,
            "interval": list(advantage.interval),
            "wins": _share(advantage.wins),
            "losses": _share(advantage.losses),
        },
        "payoffs": None if report.payoffs is None else [_mean(mean) for mean in report.payoffs],
        "lengths": _lengths(report.lengths),
        "operations": [_usage_data(usage) for usage in report.operations],
        "setup": [_usage_data(usage) for usage in report.setup],
        "rolls": [_usage_data(usage) for usage in report.rolls],
    }


def _seat(number: int, seat: SeatResult) -> dict[str, Any]:
    return {
        "seat": number,
        "name": seat.name,
        "player": seat.player,
        "wins": _share(seat.wins),
        "losses": _share(seat.losses),
        "draws": _share(seat.draws),
    }


def _end(end: EndResult) -> dict[str, Any]:
    return {
        "rule": end.rule,
        "winners": [seat + 1 for seat in end.winners],
        "losers": [seat + 1 for seat in end.losers],
        "draw": end.draw,
        **_share(end.games),
    }


def _lengths(lengths: Lengths) -> dict[str, Any]:
    return {
        "games": lengths.games,
        "mean": lengths.mean,
        "shortest": lengths.shortest,
        "longest": lengths.longest,
        "percentiles": {str(p): lengths.percentile(p) for p in PERCENTILES},
        "counts": [list(pair) for pair in lengths.counts],
    }


def _share(share: Share) -> dict[str, Any]:
    return {"games": share.times, "share": share.share, "interval": list(share.interval)}


def _mean(mean: Mean) -> dict[str, Any]:
    return {"mean": mean.value, "interval": list(mean.interval)}


def _usage_data(usage: Usage) -> dict[str, Any]:
    return {
        "name": usage.name,
        "times": usage.times,
        "share": usage.share,
        "per_game": usage.per_game,
        "in_games": _share(usage.games),
    }
