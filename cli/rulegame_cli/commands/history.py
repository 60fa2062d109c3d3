"""`rulegame history`: the games that are kept, the last played first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from rulegame_cli.calling.options import JSON, Options, option
from rulegame_cli.calling.values import read_count
from rulegame_cli.printing.tables import columns
from rulegame_cli.printing.terminal import one_line, visible
from rulegame_cli.table.saving import Glance, games_folder, glances


class HistoryOptions(Options):
    """List the games that were played, the last one first."""

    top: str = option("NUMBER", "Show only so many games.")
    as_json: bool = JSON


def run(options: HistoryOptions) -> int:
    """Exit code 0."""
    most = read_count("--top", options.top)
    found = list(glances())[:most]
    if options.as_json:
        print(json.dumps([_data(glance) for glance in found], indent=2))
        return 0
    for line in _rows(found):
        print(line)
    if not found:
        print(visible(f"No games are kept in {games_folder()}"))
    return 0


def _rows(found: list[Glance]) -> list[str]:
    rows = [
        (
            glance.code,
            _started(glance),
            one_line(str(glance.header.get("title", "?"))),
            one_line(_players(glance)),
            one_line(_result(glance)),
        )
        for glance in found
    ]
    return columns(rows, left=range(5))


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
    if end.get("draw") is False and isinstance(payoffs, list) and len(payoffs) == 1:
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
