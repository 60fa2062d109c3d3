"""`--watch`: a command is run again whenever one of its rulesets is saved."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from rulegame.wording import counted
from rulegame_cli.calling.gathering import STANDARD_INPUT, gather
from rulegame_cli.calling.usage_errors import WrongCall

EVERY: Final = 0.25  # seconds between two looks at the files

# Of each file when it was last changed and how large it is; None if it is not there.
Stamps = dict[Path, tuple[int, int] | None]


def watch(names: Sequence[str], run: Callable[[], int]) -> int:
    """Runs at once, and again after every change; Ctrl-C ends it."""
    if STANDARD_INPUT in names:
        raise WrongCall("--watch: cannot watch standard input (-). Name a file.")
    while True:
        seen = stamps(names)
        run()
        sys.stdout.flush()
        files = counted(len(seen), "file")
        _say(f"--- {time.strftime('%H:%M:%S')}, watching {files}; press Ctrl-C to stop ---")
        while stamps(names) == seen:
            time.sleep(EVERY)


def stamps(names: Sequence[str]) -> Stamps:
    """The rulesets' files and those of their parents, as they are now."""
    from rulegame.source.lineage import lineage

    found: Stamps = {}
    for name in gather(names):
        path = _path(name)
        found[path] = _stamp(path)
        try:
            for file, _ in lineage(path):
                found[file] = _stamp(file)
        except (OSError, ValueError):
            continue  # what cannot be read is watched too: it may be mended
    return found


def _path(name: str) -> Path:
    from rulegame.diagnostics import RulesetNotFound
    from rulegame.loading import find

    try:
        return find(name)[0]
    except RulesetNotFound:
        return Path(name)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
