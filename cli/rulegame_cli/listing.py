"""`rulegame list`: the bundled games and variants."""

from __future__ import annotations

import sys
from pathlib import Path

from rulegame_cli.terminal import one_line


def command() -> int:
    """List the bundled games and variants."""
    return run()


def run() -> int:
    """Print each with its title and summary."""
    from rulegame.bundled import rulesets_folder

    folder = rulesets_folder()
    groups = {
        "Games": sorted(folder.glob("*.yaml")),
        "Variants": sorted((folder / "variants").glob("*.yaml")),
    }
    width = max((len(path.stem) for paths in groups.values() for path in paths), default=0)
    lines: list[str] = []
    for heading, paths in groups.items():
        if paths:
            lines += [heading, *(_row(path, width) for path in paths), ""]
    lines.append("`rulegame show NAME` tells more, `rulegame play NAME` plays it.")
    sys.stdout.write("".join(line + "\n" for line in lines))
    return 0


def _row(path: Path, width: int) -> str:
    from rulegame.loading import load_ruleset

    ruleset, _ = load_ruleset(path.stem)
    if ruleset is None:
        return f"  {path.stem:<{width}}  has problems: see `rulegame validate {path.stem}`"
    summary = one_line(ruleset.summary)
    below = f"\n  {'':<{width}}  {summary}" if summary else ""
    return f"  {path.stem:<{width}}  {one_line(ruleset.title)}{below}"
