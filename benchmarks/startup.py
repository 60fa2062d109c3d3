"""The wall time of `rulegame validate`, beside that of importing the libraries that it stands on.

Runs with the interpreter that runs this file, in which rulegame must be installed. The two calls
take turns, so that a busy machine slows both; the ratio is that of their medians.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from statistics import median
from time import perf_counter

IMPORTS = "import yaml, lark, jsonschema, typer"
VALIDATE = ("-m", "rulegame_cli", "validate")


def taken(*arguments: str) -> float:
    """How long one call of the interpreter takes."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    began = perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env=environment,
        cwd=tempfile.gettempdir(),  # away from the repository: what is installed is measured
    )
    return perf_counter() - began


def main() -> None:
    """Prints the ratio for every bundled ruleset."""
    from rulegame.bundled import ruleset_names

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="calls of each, in turns")
    parser.add_argument("names", nargs="*", help="bundled rulesets; all if left out")
    options = parser.parse_args()
    for name in options.names or ruleset_names():
        ours, theirs = [], []
        for _ in range(options.rounds + 1):
            theirs.append(taken("-c", IMPORTS))
            ours.append(taken(*VALIDATE, name))
        ratio = median(ours[1:]) / median(theirs[1:])  # the first round fills caches
        print(f"validate {name}: {ratio:.2f} times the wall time of the imports")


if __name__ == "__main__":
    main()
