"""Calls of the command line in a process without the packages of any extra."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rulegame.extras import EXTRAS

# Runs every call of a JSON list in one process that cannot import the packages of extras.
HIDE = """
import sys
HIDDEN = set(sys.argv.pop(1).split(","))
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hide())
"""
RUN = """
import contextlib, io, json, traceback
from rulegame_cli.main import main
done = []
for words, typed in json.loads(sys.stdin.read()):
    out, err = io.StringIO(), io.StringIO()
    sys.argv, sys.stdin = ["rulegame", *words], io.StringIO(typed)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as left:
            code = left.code
        except BaseException:
            code = traceback.format_exc()
    done.append((code, out.getvalue(), err.getvalue()))
json.dump((done, sorted({"numpy", "scipy", "llvmlite"} & set(sys.modules))), sys.stdout)
"""
PACKAGES = sorted({name for extra in EXTRAS.values() for name in extra.modules})
Call = tuple[Sequence[str], str]  # the words, and what is typed


class Result(NamedTuple):
    code: int | str
    out: str
    err: str


def call_all(
    calls: Sequence[Call],
    folder: Path,
    hidden: Sequence[str] = PACKAGES,
    python: str = sys.executable,
) -> tuple[list[Result], list[str]]:
    """The results of calls, and those of NumPy, SciPy and llvmlite that they imported."""
    done = subprocess.run(
        [python, "-c", HIDE + RUN, ",".join(hidden) or "nothing"],
        cwd=folder,
        input=json.dumps(calls),
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results, imported = json.loads(done.stdout)
    return [Result(*one) for one in results], imported
