"""`rulegame list`: the bundled games, variants and gallery."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from rulegame_cli.calling.options import ReportOptions
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.terminal import columns, one_line

NARROW: Final = 72  # columns; on fewer the summaries stand below the names


class ListOptions(ReportOptions):
    """List the bundled games, variants and gallery."""


def run(options: ListOptions) -> int:
    """Print each with its title and summary."""
    from rulegame.bundled import GROUPS, ruleset_paths

    groups = {group.capitalize(): ruleset_paths(group) for group in GROUPS}
    if options.as_json:
        data = [_data(path, heading) for heading, paths in groups.items() for path in paths]
        print(json.dumps(data, indent=2))
        return 0
    width = max((len(path.stem) for paths in groups.values() for path in paths), default=0)
    width = width if columns(sys.stdout) >= NARROW else 0
    lines: list[str] = []
    for heading, paths in groups.items():
        if paths:
            lines += [heading, *(_row(path, width) for path in paths), ""]
    lines.append("Run `rulegame show NAME` for details, `rulegame play NAME` to play.")
    page("".join(line + "\n" for line in lines))
    return 0


def _row(path: Path, width: int) -> str:
    from rulegame.loading import read_document

    ruleset = read_document(path)
    if ruleset is None:
        return f"  {path.stem:<{width}}  has errors: see `rulegame validate {path.stem}`"
    summary = one_line(ruleset.summary)
    if not width:  # there is no room for two columns
        below = f"\n    {summary}" if summary else ""
        return f"  {path.stem}: {one_line(ruleset.title)}{below}"
    below = f"\n  {'':<{width}}  {summary}" if summary else ""
    return f"  {path.stem:<{width}}  {one_line(ruleset.title)}{below}"


def _data(path: Path, heading: str) -> dict[str, Any]:
    from rulegame.loading import read_document

    known: dict[str, Any] = {"name": path.stem, "group": heading.lower(), "file": str(path)}
    ruleset = read_document(path)
    if ruleset is not None:
        known |= {"title": ruleset.title, "summary": ruleset.summary, "players": ruleset.players}
    return {**known, "valid": ruleset is not None}
