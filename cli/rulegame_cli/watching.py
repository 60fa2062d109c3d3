"""`--watch`: runs a command again whenever one of its rulesets, or a parent of one, is saved."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Never

from rulegame_cli.terminal import one_line

PAUSE: Final = 0.2  # seconds between two looks at the files
Stamp = tuple[int, int, int] | None  # of a file that is there: when written, how large, which


def watch(files: Sequence[str], command: Callable[[], int]) -> Never:
    """Runs the command now and after every change, until it is interrupted."""
    while True:
        paths = watched(files)
        before = _stamps(paths)  # taken first: a change while the command runs counts as well
        command()
        sys.stdout.flush()
        print("\nwatching; Ctrl-C ends", file=sys.stderr, flush=True)
        changed = _wait(paths, before)
        names = one_line(", ".join(path.name for path in changed))
        print(f"\n──── {names} changed ────\n", file=sys.stderr, flush=True)


def watched(files: Sequence[str]) -> tuple[Path, ...]:
    """The files of the rulesets with their parents, also those that are not there yet."""
    from rulegame.authoring.outline import chain
    from rulegame.bundled import is_name
    from rulegame.diagnostics import RulesetError
    from rulegame.loading import find

    found: dict[Path, None] = {}
    for name in files:
        try:
            path, _ = find(name)
            files_of = chain(path)
        except (RulesetError, OSError, ValueError):
            found[Path(name)] = None
            continue
        found.update(dict.fromkeys(file.path for file in files_of))
        missing = files_of[-1].root.get("extends")
        parent = getattr(missing, "text", "")
        if parent and not is_name(parent):
            found[files_of[-1].path.parent / parent] = None
    return tuple(found)


def _wait(paths: Sequence[Path], before: dict[Path, Stamp]) -> list[Path]:
    """The files that have changed, once they have stopped changing."""
    after = _stamps(paths)
    while True:
        time.sleep(PAUSE)
        earlier, after = after, _stamps(paths)
        if after != before and after == earlier:
            return [path for path in paths if after[path] != before[path]]


def _stamps(paths: Sequence[Path]) -> dict[Path, Stamp]:
    return {path: _stamp(path) for path in paths}


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
