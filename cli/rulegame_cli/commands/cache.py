"""`rulegame cache`: show the cache location and size, or clear it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence

from rulegame.files.cache import (
    MOST_KEPT,
    CacheEntry,
    cache_entries,
    cache_place,
    cache_problem,
    clear_cache,
)
from rulegame.wording import counted
from rulegame_cli.calling.options import ReportOptions, argument
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.figures import bytes_text
from rulegame_cli.printing.tables import columns
from rulegame_cli.printing.terminal import visible


class CacheOptions(ReportOptions):
    """Show the cache location and size, or clear it.

    Clearing it is safe: everything in it is rebuilt when needed.
    """

    action: str = argument("clear", "Delete all cached files.", required=False)


def run(options: CacheOptions) -> int:
    """Exit code 0, or 1 if something could not be deleted."""
    if options.action not in ("", "clear"):
        raise WrongCall(f"expected 'clear' or nothing, not '{options.action}'")
    entries = list(cache_entries())
    kept = clear_cache() if options.action else entries
    gone = [entry for entry in entries if entry not in kept]
    if options.as_json:
        print(json.dumps(_data(kept, gone), indent=2))
    elif options.action:
        print(f"{counted(len(gone), 'file')} deleted, {_total(gone)}")
        if problem := cache_problem():
            print(f"Caching is off: {problem}.")
    else:
        sys.stdout.writelines(f"{line}\n" for line in _report(entries))
    if not (options.action and kept):
        return 0
    for entry in kept:
        print(f"Cannot delete {visible(str(entry.path))}", file=sys.stderr)
    return 1


def _total(entries: Sequence[CacheEntry]) -> str:
    return bytes_text(sum(entry.size for entry in entries))


def _report(entries: Sequence[CacheEntry]) -> Iterator[str]:
    problem = cache_problem()
    size = f"{_total(entries)} of at most {bytes_text(MOST_KEPT)}"
    yield f"{visible(str(cache_place()))}: {counted(len(entries), 'file')}, {size}"
    if problem:
        yield f"Caching is off: {problem}."
    kinds = dict.fromkeys(entry.kind for entry in entries)
    rows = []
    for kind in kinds:
        some = [entry for entry in entries if entry.kind == kind]
        rows.append((kind, counted(len(some), "file"), _total(some)))
    yield from (f"  {line}" for line in columns(rows))


def _data(kept: Sequence[CacheEntry], gone: Sequence[CacheEntry]) -> dict[str, object]:
    return {
        "folder": str(cache_place()),
        "problem": cache_problem() or None,
        "bytes": sum(entry.size for entry in kept),
        "most_bytes": MOST_KEPT,
        "files": [
            {"kind": entry.kind, "file": str(entry.path), "bytes": entry.size} for entry in kept
        ],
        "deleted": len(gone),
        "deleted_bytes": sum(entry.size for entry in gone),
    }
