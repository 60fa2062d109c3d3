"""`rulegame history`: list saved games, newest first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from rulegame.playing.saving import Glance, games_folder, glances
from rulegame_cli.calling.options import ReportOptions, Texts, option, repeatable
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_count
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.tables import columns
from rulegame_cli.printing.terminal import one_line, visible

OVER: Final = "over"  # stands for all games that are


class HistoryOptions(ReportOptions):
    """List saved games, newest first."""

    top: str = option("NUMBER", "Show at most NUMBER games.")
    forget: Texts = repeatable(
        "ID", "Delete a saved game; `--forget over` deletes all finished ones. Repeatable."
    )


def run(options: HistoryOptions) -> int:
    """Exit code 0."""
    if options.forget:
        return _forget(options.forget)
    most = read_count("--top", options.top)
    found = [glance for glance in glances() if glance.played][:most]
    if options.as_json:
        print(json.dumps([_data(glance) for glance in found], indent=2))
        return 0
    page("".join(f"{line}\n" for line in _rows(found)))
    if not found:
        print(visible(f"No saved games in {games_folder()}"))
    return 0


def _rows(found: list[Glance]) -> list[str]:
    rows = [
        (
            glance.code,
            _started(glance),
            one_line(_title(glance)),
            one_line(_players(glance)),
            one_line(_result(glance)),
        )
        for glance in found
    ]
    return columns(rows, left=range(5))


def _title(glance: Glance) -> str:
    """What was played: the title, and which ruleset of that title, with its settings."""
    header = glance.header
    given = [*_texts(header, "set"), *(f"+{name}" for name in _texts(header, "enable"))]
    given += [f"-{name}" for name in _texts(header, "disable")]
    ruleset = Path(str(header.get("ruleset", "?"))).name
    return f"{header.get('title', '?')} ({', '.join([ruleset, *given])})"


def _texts(header: dict[str, Any], key: str) -> list[str]:
    found = header.get(key)
    return [str(text) for text in found] if isinstance(found, list) else []


def _forget(codes: Texts) -> int:
    """Delete games. One that is being played goes on, and is kept elsewhere only if asked."""
    kept = list(glances())
    for code in codes:
        found = [g for g in kept if code == g.code or (code == OVER and g.over)]
        if not found and code != OVER:
            raise WrongCall(f"--forget: no saved game '{code}'. `rulegame history` lists them.")
        for glance in found:
            glance.path.unlink(missing_ok=True)
            print(visible(f"Deleted {glance.code}, {_title(glance)}"))
    return 0


def _started(glance: Glance) -> str:
    try:
        started = datetime.fromisoformat(str(glance.header.get("started")))
        return f"{started.astimezone():%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return "?"


def _names(glance: Glance) -> list[str]:
    names = glance.header.get("names")
    return [str(name) for name in names] if isinstance(names, list) else []


def _players(glance: Glance) -> str:
    specs = glance.header.get("players")
    kinds = [str(spec) for spec in specs] if isinstance(specs, list) else []
    names = _names(glance)
    if len(kinds) != len(names):
        return "?"
    shown = (
        name if kind == "human" else f"{name} ({kind})"
        for name, kind in zip(names, kinds, strict=True)
    )
    return ", ".join(shown)


def _result(glance: Glance) -> str:
    """How it ended, as far as the last lines tell."""
    if not glance.header:
        return "damaged"
    over = next((line for line in glance.last if "over" in line), None)
    if over is None:
        return "in progress"
    names, wins = _names(glance), over.get("wins")
    if not isinstance(wins, list) or len(wins) != len(names):
        return "damaged"
    if glance.header.get("rounds") != 1:
        score = ", ".join(f"{name}: {count}" for name, count in zip(names, wins, strict=True))
        return score + (f", draws: {over['draws']}" if over.get("draws") else "")
    winners = [name for name, count in zip(names, wins, strict=True) if count]
    if winners and len(winners) == len(names) > 1:
        return "won by everyone"
    return f"won by {' and '.join(winners)}" if winners else _without_winner(glance, names)


def _without_winner(glance: Glance, names: Sequence[str]) -> str:
    """How a game ended that nobody has won."""
    end = next((line["end"] for line in glance.last if "end" in line), None)
    if not isinstance(end, dict):
        return "no winner"
    losers, payoffs = end.get("losers"), end.get("payoffs")
    if isinstance(losers, list) and losers:
        return "lost by everyone" if len(losers) == len(names) > 1 else "lost"
    if end.get("draw") is False and isinstance(payoffs, list) and payoffs:
        return f"score {payoffs[0]}"
    return "no winner"


def _data(glance: Glance) -> dict[str, Any]:
    header = glance.header
    return {
        "id": glance.code,
        "file": str(glance.path),
        "started": header.get("started"),
        "title": header.get("title"),
        "ruleset": header.get("ruleset"),
        "names": header.get("names"),
        "players": header.get("players"),
        "over": glance.over,
        "result": _result(glance),
    }
