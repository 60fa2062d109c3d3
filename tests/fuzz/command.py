"""`python tests/fuzz`: the arguments, what is printed, what is kept."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path

from fuzz.findings import Found
from fuzz.run import Counts, fuzz
from fuzz.table import BEFORE, OLDER, WAYS


def main(typed: Sequence[str] | None = None) -> int:
    """0 if nothing was found."""
    arguments = _parser().parse_args(typed)
    seed = int(time.time()) if arguments.seed is None else arguments.seed
    ends = (arguments.minutes, arguments.inputs, arguments.only)
    minutes = 1.0 if ends == (None, None, None) else arguments.minutes
    counts = Counts()

    def tell(found: Found) -> None:
        shown = found.message.rstrip().splitlines()[-1][:200]
        print(f"{found.way} {found.input}: {found.check}: {shown}", flush=True)
        keep(found, arguments.keep)

    print(f"seed {seed}; what fails is kept in {arguments.keep}", flush=True)
    try:
        numbers = {way: _numbers(arguments) for way in arguments.way or WAYS}
        seconds = None if minutes is None else 60 * minutes
        ways = WAYS
        if arguments.before is not None:
            os.environ[OLDER] = str(arguments.before.absolute())
            ways = dict.fromkeys(WAYS, (BEFORE,))
        fuzz(numbers, seed, seconds=seconds, ways=ways, tell=tell, counts=counts)
    except KeyboardInterrupt:
        print("stopped")
    print(counts.table(), end="")
    return 1 if counts.findings else 0


def _numbers(arguments: argparse.Namespace) -> Iterable[int]:
    if arguments.only is not None:
        return [arguments.only]
    return count() if arguments.inputs is None else range(arguments.inputs)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python tests/fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, help="how long (1, if nothing else ends it)")
    parser.add_argument("--inputs", type=int, help="how many inputs for each way")
    parser.add_argument("--way", action="append", choices=sorted(WAYS), help="one way in only")
    parser.add_argument("--seed", type=int, help="which inputs (others in each run)")
    parser.add_argument("--only", type=int, help="the number of one input, to see it again")
    parser.add_argument(
        "--before",
        type=Path,
        metavar="PYTHON",
        help="compare with the version installed for this interpreter, and nothing else",
    )
    parser.add_argument("--keep", type=Path, default=Path("fuzz_findings"), help="a folder")
    return parser


def keep(found: Found, folder: Path) -> None:
    """The input as a ruleset, and beside it what was found."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{found.way}_{found.seed}_{found.input}_{found.check}"
    (folder / f"{name}.yaml").write_bytes(found.text)
    again = f"--way {found.way} --seed {found.seed} --only {found.input}"
    (folder / f"{name}.txt").write_text(f"python tests/fuzz {again}\n\n{found.message}\n", "utf-8")
