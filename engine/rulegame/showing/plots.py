"""Results as figures of matplotlib. No window is opened, nothing is drawn before it is asked for,
and the same result is the same file.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any, Final

from rulegame.extras import is_installed, missing

if not is_installed("plots"):
    raise missing("plots")

import matplotlib
from matplotlib.figure import Figure

from rulegame.showing.solutions import (
    bounded_moves,
    moves_of,
    openings_of,
    picks_of,
    players_of,
)
from rulegame.simulation import Report
from rulegame.solving import (
    LookaheadSolution,
    MixedSolution,
    MultiplayerSolution,
    PerfectInformationSolution,
    RevealedSolution,
)
from rulegame.sweeping import Setting, SweepResult
from rulegame.wording import as_written, visible

MOST_ROWS: Final = 30
LONGEST: Final = 70  # letters of a label
BLUE, ORANGE, GREY = "#0b62a0", "#b8430b", "#8a8577"
FORMATS: Final = ("svg", "png")
# Texts stay texts in SVG, and what is numbered there is numbered alike each time.
STEADY: Final = {"svg.hashsalt": "rulegame", "svg.fonttype": "none"}
UNDATED: Final = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
AXIS: Final = "value for who moves first"


class Plot(Figure):  # type: ignore[misc, unused-ignore]
    """A figure that shows itself in a notebook, also where matplotlib is not set up for one."""

    def _repr_svg_(self) -> str:
        return self.data("svg").decode()

    def _repr_png_(self) -> bytes:
        return self.data("png")

    def data(self, form: str) -> bytes:
        """The bytes of a file: `svg` or `png`."""
        out = io.BytesIO()
        with _steady():
            super().savefig(out, format=form, dpi=150, metadata=UNDATED[form])
        return out.getvalue()


@contextmanager
def _steady() -> Iterator[None]:
    """Letters that the font does not have are no reason to complain."""
    with matplotlib.rc_context(STEADY), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        yield


def plot(value: object) -> Plot:
    """A result as a figure."""
    for kind, draw in _DRAWN.items():
        if isinstance(value, kind):
            drawn: Plot = draw(value)
            return drawn
    raise TypeError(f"{type(value).__name__} has no plot")


def _label(text: str) -> str:
    """A text as text: between dollar signs would be a formula."""
    shown = visible(" ".join(text.split()))
    shown = shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"
    return shown.replace("$", r"\$")


def _sheet(title: str, rows: int, columns: int = 1) -> tuple[Plot, Any]:
    """A figure as high as so many bars ask for, and its axes."""
    high = max(2.6, 1.4 + 0.28 * rows)
    figure = Plot(figsize=(4 + 3 * columns, high), layout="constrained")
    figure.suptitle(_label(title), fontweight="bold")
    return figure, figure.subplots(1, columns, squeeze=False)[0]


def _bars(
    axes: Any,
    labels: Sequence[str],
    values: Sequence[float],
    spans: Sequence[tuple[float, float]] | None = None,
    marked: Sequence[bool] = (),
) -> None:
    """A bar for each row, the first on top; with the interval in which the value lies."""
    places = range(len(labels))
    colours = [BLUE if one else GREY for one in marked] or BLUE
    axes.barh(places, values, color=colours, height=0.7)
    if spans is not None:
        low = [max(0.0, v - s[0]) for v, s in zip(values, spans, strict=True)]
        high = [max(0.0, s[1] - v) for v, s in zip(values, spans, strict=True)]
        if any(low) or any(high):
            axes.errorbar(values, places, xerr=[low, high], fmt="none", ecolor="#1c1c1c", capsize=2)
    axes.plot(values, places, "o", color="#1c1c1c", markersize=3)  # seen where a bar is not
    axes.set_yticks(places, [_label(text) for text in labels])
    axes.invert_yaxis()
    axes.axvline(0, color="#1c1c1c", linewidth=0.8)
    axes.grid(axis="x", alpha=0.3)


def _even(axes: Any, values: Sequence[float]) -> None:
    """As far to the left of 0 as to the right, and at least from a loss to a win."""
    most = 1.05 * max([1.0, *map(abs, values)])
    axes.set_xlim(-most, most)


def _left_out(axes: Any, rows: int) -> None:
    if rows > MOST_ROWS:
        axes.set_title(f"the first {MOST_ROWS} of {rows:,}", fontsize="small")


# ---- simulated games


def _report(report: Report) -> Plot:
    results = [(f"{seat.name} wins", seat.wins) for seat in report.seats]
    results += [("draw", report.draws)] if report.draws.times else []
    results += [("unfinished", report.unfinished)] if report.unfinished.times else []
    figure, (left, right) = _sheet(report.title, len(results), 2)
    shares = [share.share for _, share in results]
    _bars(left, [name for name, _ in results], shares, [s.interval for _, s in results])
    left.set_xlim(0, 1)
    left.set_xlabel(f"share of {report.games:,} games, with 95% intervals")
    games = report.lengths.games
    lengths = [length for length, _ in report.lengths.counts]
    right.bar(lengths, [count / games for _, count in report.lengths.counts], color=BLUE, width=1)
    right.set_xlabel("length in moves")
    right.set_ylabel("share of games")
    right.xaxis.get_major_locator().set_params(integer=True)
    right.grid(axis="y", alpha=0.3)
    return figure


# ---- sweeps


def _sweep(settings: SweepResult) -> Plot:
    known = [one for one in settings if one.advantage is not None]
    varied = [name for name, _ in settings[0].values] if settings else []
    numbers = all(type(value) in (int, float) for one in known for _, value in one.values)
    if known and numbers and len(varied) == 1:
        return _curve(known, varied[0])
    if known and numbers and len(varied) == 2:
        return _map(known, varied)
    return _listed(known, ", ".join(varied))


def _curve(settings: Sequence[Setting], name: str) -> Plot:
    figure, (axes,) = _sheet(f"Advantage of moving first, by {name}", 6)
    places = [setting.values[0][1] for setting in settings]
    values = [setting.advantage or 0.0 for setting in settings]
    bounds = [setting.bounds or (0.0, 0.0) for setting in settings]
    gaps = [
        [max(0.0, v - b[0]) for v, b in zip(values, bounds, strict=True)],
        [max(0.0, b[1] - v) for v, b in zip(values, bounds, strict=True)],
    ]
    axes.plot(places, values, color=GREY, linewidth=0.8, alpha=0.6)
    axes.errorbar(places, values, yerr=gaps, fmt="o", color=BLUE, ecolor=ORANGE, capsize=2)
    axes.axhline(0, color="#1c1c1c", linewidth=0.8)
    axes.set_xlabel(_label(name))
    axes.set_ylabel("advantage of moving first")
    axes.grid(alpha=0.3)
    if all(isinstance(place, int) for place in places):
        axes.xaxis.get_major_locator().set_params(integer=True)
    return figure


def _map(settings: Sequence[Setting], names: Sequence[str]) -> Plot:
    """Two parameters: a field for each setting, coloured by its advantage."""
    figure, (axes,) = _sheet("Advantage of moving first", 8)
    across, down = (sorted({one.values[k][1] for one in settings}) for k in (0, 1))
    found = {tuple(value for _, value in one.values): one.advantage for one in settings}
    field = [[found.get((x, y), float("nan")) for x in across] for y in down]
    most = max([1e-9, *(abs(one.advantage or 0.0) for one in settings)])
    image = axes.imshow(field, cmap="RdBu", vmin=-most, vmax=most, aspect="auto", origin="lower")
    axes.set_xticks(range(len(across)), [as_written(x) for x in across])
    axes.set_yticks(range(len(down)), [as_written(y) for y in down])
    axes.set_xlabel(_label(names[0]))
    axes.set_ylabel(_label(names[1]))
    figure.colorbar(image, ax=axes)
    return figure


def _listed(settings: Sequence[Setting], names: str) -> Plot:
    shown = settings[:MOST_ROWS]
    figure, (axes,) = _sheet(f"Advantage of moving first, by {names}", len(shown))
    labels = [", ".join(as_written(value) for _, value in one.values) for one in shown]
    values = [setting.advantage or 0.0 for setting in shown]
    _bars(axes, labels, values, [setting.bounds or (0.0, 0.0) for setting in shown])
    axes.set_xlabel("advantage of moving first")
    _left_out(axes, len(settings))
    return figure


# ---- solutions


def _open(solution: PerfectInformationSolution) -> Plot:
    rows = moves_of(solution)
    shown = rows[:MOST_ROWS]
    figure, (axes,) = _sheet(solution.graph.game.ruleset.title, len(shown))
    spans = [(row["lower"], row["upper"]) for row in shown]
    values = [row["value_decimal"] for row in shown]
    best = [row["best"] is not False for row in shown]
    _bars(axes, [row["move"] for row in shown], values, spans, best)
    _even(axes, [end for span in spans for end in span])
    axes.set_xlabel(f"{AXIS}; the best moves in blue")
    _left_out(axes, len(rows))
    return figure


def _shares(
    title: str, rows: list[dict[str, Any]], name: Callable[[dict[str, Any]], str], axis: str
) -> Plot:
    shown = rows[:MOST_ROWS]
    figure, (axes,) = _sheet(title, len(shown))
    figure.set_figwidth(9)
    _bars(axes, [name(row) for row in shown], [row["probability"] for row in shown])
    axes.set_xlim(0, 1)
    axes.set_xlabel(axis)
    _left_out(axes, len(rows))
    return figure


def _hidden(solution: MixedSolution) -> Plot:
    names = solution.game.players
    return _shares(
        solution.game.ruleset.title,
        list(openings_of(solution)),
        lambda row: f"{names[row['seat']]}: {row['knows']}: {row['move']}",
        "probability in a best strategy, where a player chooses first",
    )


def _laid_open(solution: RevealedSolution) -> Plot:
    sides = ("moves first", "moves second")
    return _shares(
        solution.graph.game.ruleset.title,
        [row for row in picks_of(solution) if row["probability"]],
        lambda row: f"{sides[row['side']]}: {row['pick']}",
        "probability in a best mix of picks",
    )


def _many(solution: MultiplayerSolution) -> Plot:
    rows = players_of(solution)
    names = [row["name"] for row in rows]
    known = solution.payoffs is not None
    figure, (left, *rest) = _sheet(solution.game.ruleset.title, len(rows), 1 + known)
    spans = [(one.lower, one.upper) for one in solution.alone]
    _bars(left, names, [row["alone_decimal"] for row in rows], spans)
    _even(left, [end for span in spans for end in span])
    left.set_xlabel("what each can make sure of")
    for axes in rest:
        values = [row["each_for_oneself_decimal"] for row in rows]
        _bars(axes, names, values)
        _even(axes, values)
        axes.set_xlabel("if everybody plays for the own payoff")
    return figure


def _bounds(bounds: LookaheadSolution) -> Plot:
    rows = bounded_moves(bounds)
    shown = rows[:MOST_ROWS]
    figure, (axes,) = _sheet(bounds.state.game.ruleset.title, len(shown))
    places = range(len(shown))
    ends = [row[end] for row in shown for end in ("lower", "upper")]
    known = [end for end in ends if isfinite(end)]
    least, most = min([-1.0, *known]), max([1.0, *known])
    margin = (most - least) / 40
    lows = [max(row["lower"], least - margin) for row in shown]
    highs = [min(row["upper"], most + margin) for row in shown]
    wide = [high - low for low, high in zip(lows, highs, strict=True)]
    axes.barh(places, wide, left=lows, color=BLUE, height=0.5)
    settled = [(low, k) for k, (low, w) in enumerate(zip(lows, wide, strict=True)) if not w]
    axes.plot([x for x, _ in settled], [y for _, y in settled], "o", color=ORANGE)
    axes.set_yticks(places, [_label(row["move"]) for row in shown])
    axes.invert_yaxis()
    axes.set_xlim(least - margin, most + margin)
    axes.set_xlabel(f"{AXIS}: at least and at most")
    axes.grid(axis="x", alpha=0.3)
    _left_out(axes, len(rows))
    return figure


_DRAWN: Final[dict[type, Callable[[Any], Plot]]] = {
    Report: _report,
    SweepResult: _sweep,
    PerfectInformationSolution: _open,
    MixedSolution: _hidden,
    RevealedSolution: _laid_open,
    MultiplayerSolution: _many,
    LookaheadSolution: _bounds,
}
