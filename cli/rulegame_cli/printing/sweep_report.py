"""A sweep as a table for people, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rulegame_cli.printing.figures import setting_text, value_text
from rulegame_cli.printing.simulate_report import as_data as report_data
from rulegame_cli.printing.simulate_report import percent
from rulegame_cli.printing.tables import columns
from rulegame_cli.printing.terminal import Style, one_line

if TYPE_CHECKING:
    from rulegame.solving import Solved
    from rulegame.sweeping import Setting

SHORT: Final = 20  # characters of a fraction that fit in a table
MOST_BITS: Final = 13_000  # of a denominator that is written out
MOST_NAMED: Final = 10  # settings in the summary
FAIR: Final = {True: "yes", False: "no", None: "open"}


class Sweep(NamedTuple):
    """What came of all settings, and what was asked."""

    title: str
    by: str
    seed: int | None
    within: float
    varied: tuple[str, ...]
    settings: tuple[Setting, ...]

    @property
    def fair(self) -> list[Setting]:
        return [setting for setting in self.settings if setting.is_fair(self.within)]

    @property
    def fairest(self) -> Setting | None:
        """The first of those with the least advantage for either side."""
        known = [setting for setting in self.settings if setting.advantage is not None]
        return min(known, key=lambda setting: abs(setting.advantage or 0), default=None)


# ---- for people


def table_text(sweep: Sweep, style: Style) -> str:
    """A row for each setting, and which of them are fair."""
    heading, row = (_SOLVED, _solved_row) if sweep.by == "solve" else (_SIMULATED, _simulated_row)
    good = [setting for setting in sweep.settings if not setting.problem]
    first = [one_line(sweep.title), ""]
    if sweep.seed is not None:
        games = f"{good[0].report.games:,} games" if good and good[0].report else "games"
        first.insert(1, f"{games} for each setting, seed {sweep.seed}")
    table = [[*sweep.varied, *heading]]
    for setting in sweep.settings:
        cells = [value_text(value) for _, value in setting.values]
        table.append(cells + ([""] * len(heading) if setting.problem else row(setting, sweep)))
    lines = columns(table, left=())
    for number, setting in enumerate(sweep.settings, 1):
        if setting.problem:
            lines[number] += f"  {one_line(setting.problem)}"
    head = [style.bold(first[0]), *first[1:], style.bold(lines[0])]
    verdict = list(_verdict(sweep))
    gap = [""] if verdict else []
    return "".join(f"{line}\n" for line in [*head, *lines[1:], *gap, *verdict])


_SOLVED: Final = ["states", "value", "decimal", "result", "first wins", "fair"]
_SIMULATED: Final = ["first wins", "loses", "draws", "advantage", "95% interval", "length", "fair"]


def _solved_row(setting: Setting, sweep: Sweep) -> list[str]:
    solved = setting.solved
    assert solved is not None
    value = exact_text(solved.value)
    chance = solved.win_probability
    return [
        f"{solved.states:,}",
        value if value is not None and len(value) <= SHORT else "",
        _decimal(solved),
        solved.result,
        "" if chance is None else f"{float(chance):.6f}",
        FAIR[setting.is_fair(sweep.within)],
    ]


def _decimal(solved: Solved) -> str:
    if solved.value is not None:
        return f"{float(solved.value):.6f}"
    return f"{solved.lower:.6f} to {solved.upper:.6f}"


def _simulated_row(setting: Setting, sweep: Sweep) -> list[str]:
    report = setting.report
    assert report is not None
    advantage, mean = report.advantage, report.lengths.mean
    length = "" if mean is None else f"{mean:.2f}"
    if advantage is None:  # a single player
        seat = report.seats[0]
        shares = [percent(seat.wins.share), percent(seat.losses.share)]
        return [*shares, percent(report.draws.share), "", "", length, ""]
    low, high = advantage.interval
    return [
        percent(advantage.wins.share),
        percent(advantage.losses.share),
        percent(report.draws.share),
        f"{advantage.value:+.4f}",
        f"{low:+.4f} to {high:+.4f}",
        length,
        FAIR[setting.is_fair(sweep.within)],
    ]


def _verdict(sweep: Sweep) -> Iterator[str]:
    unfinished = sum(s.report.unfinished.times for s in sweep.settings if s.report is not None)
    if unfinished:
        yield f"Unfinished games: {unfinished:,}"
    failed = sum(bool(setting.problem) for setting in sweep.settings)
    if failed:
        yield f"No result: {failed:,} of {len(sweep.settings):,} settings"
    fairest = sweep.fairest
    if fairest is None:
        return
    fair = [setting_text(setting.values) for setting in sweep.fair]
    named = "; ".join(fair[:MOST_NAMED])
    more = f"; and {len(fair) - MOST_NAMED} more" if len(fair) > MOST_NAMED else ""
    count = f"{len(fair):,} of {len(sweep.settings):,} settings"
    yield f"Fair within {sweep.within:g}: {count}{': ' if fair else ''}{named}{more}"
    open_ones = sum(s.is_fair(sweep.within) is None and not s.problem for s in sweep.settings)
    if open_ones:
        yield f"Undecided because the interval is too wide: {open_ones:,}"
    if sweep.by == "solve" and abs(fairest.advantage or 0) == 1:
        yield "With best play one side always wins, whatever the setting."
    else:
        yield f"Fairest: {setting_text(fairest.values)}, {_worth(fairest)}"


def _worth(setting: Setting) -> str:
    exact = setting.solved.value if setting.solved is not None else None
    text = exact_text(exact)
    if text is not None and len(text) <= SHORT:
        return f"value {text}"
    return f"{'value' if setting.solved is not None else 'advantage'} {setting.advantage:+.6f}"


# ---- for programs


def exact_text(value: Fraction | float | None) -> str | None:
    """A fraction as a text, unless it is beyond measure."""
    if isinstance(value, Fraction) and value.denominator.bit_length() <= MOST_BITS:
        return str(value)
    return None


def csv_text(sweep: Sweep) -> str:
    """One line for each setting; what is not known is empty."""
    rows = [_flat(setting, sweep) for setting in sweep.settings]
    names = dict.fromkeys(name for row in rows for name in row)
    names = {**{n: None for n in names if n != "problem"}, "problem": None}
    file = io.StringIO()
    writer = csv.DictWriter(file, list(names), restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return file.getvalue()


def _cell(value: Any) -> str:
    return "" if value is None else value_text(value)


def _flat(setting: Setting, sweep: Sweep) -> dict[str, Any]:
    from rulegame.sweeping.rows import row_of

    row = row_of(setting)
    if "value" in row:
        row["value"] = exact_text(row["value"])
    fair = setting.is_fair(sweep.within)
    return {**row, "fair": "" if setting.problem else FAIR[fair], "problem": setting.problem}


def _solved_data(solved: Solved) -> dict[str, Any]:
    from rulegame.sweeping.rows import solved_cells

    return {**solved_cells(solved), "value": exact_text(solved.value)}


def json_text(sweep: Sweep) -> str:
    """Everything."""
    fairest = sweep.fairest
    data = {
        "title": sweep.title,
        "by": sweep.by,
        "seed": sweep.seed,
        "fair_within": sweep.within,
        "settings": [_setting_data(setting, sweep) for setting in sweep.settings],
        "fair": [dict(setting.values) for setting in sweep.fair],
        "fairest": None if fairest is None else dict(fairest.values),
    }
    return json.dumps(data, indent=2) + "\n"


def _setting_data(setting: Setting, sweep: Sweep) -> dict[str, Any]:
    return {
        "parameters": dict(setting.values),
        "advantage": setting.advantage,
        "bounds": None if setting.bounds is None else list(setting.bounds),
        "fair": setting.is_fair(sweep.within),
        "solved": None if setting.solved is None else _solved_data(setting.solved),
        "report": None if setting.report is None else report_data(setting.report),
        "problem": setting.problem or None,
    }
