"""Mutants: do the tests notice small changes to the packages that compute?

    python tests/mutation --count 300 --seed 1
    python tests/mutation --count 100 --only solving --only proving
    python tests/mutation --count 300 --seed 1 --again

A sample of small changes to the sources (a comparison turned, a constant off by one, a condition
negated, a statement deleted, ...) that the seed decides; each is made in a copy of the repository
and run against the tests that run the changed line, quick ones first. What they do not notice is
printed, as it was and as it is: it lacks a test, or it changes nothing. The latter is written, with
the reason, into `equivalent.toml`.

The copy, which tests run which lines, and the results are kept in a folder outside the repository
(`--folder`). A campaign that was broken off goes on where it was; `--again` tries the survivors
again, after tests were written. The first run measures the tests, which takes some minutes.

Run by hand, on a system with `fork`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from mutation.copying import ROOT, copy_tree
from mutation.mapping import Map, measure
from mutation.mutating import Mutant
from mutation.reporting import Result, add_result, is_equivalent, read_equivalents, read_results
from mutation.reporting import report as reported
from mutation.running import Runner
from mutation.sampling import PACKAGES, sample

QUICK = 2.0  # seconds for the tests that are tried first
AT_FIRST = 3  # files of tests from which those are taken


def main() -> None:
    """Samples, runs what has no result yet, and prints the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=300, help="mutants in the sample (300)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (1)")
    parser.add_argument("--only", action="append", choices=PACKAGES, help="a package; repeatable")
    parser.add_argument("--again", action="store_true", help="try the survivors again")
    parser.add_argument("--report", action="store_true", help="only print what is known")
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="of tests for one mutant at most (60)"
    )
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "rulegame_mutants"
    )
    options = parser.parse_args()
    folder: Path = options.folder.resolve()
    file = folder / "results.jsonl"
    tree = ROOT if options.report else copy_tree(folder)
    packages = options.only or [*PACKAGES]
    chosen = sample(tree / "engine" / "rulegame", packages, options.count, options.seed)
    if not options.report:
        results, known = read_results(file), read_equivalents()
        again = {
            mutant.key
            for mutant in chosen
            if options.again
            and mutant.key in results
            and results[mutant.key].killer is None
            and not is_equivalent(mutant, known)
        }
        left = [mutant for mutant in chosen if mutant.key not in results or mutant.key in again]
        run(folder, tree, left, file, options.seconds)
    print(reported(chosen, read_results(file)))


def run(folder: Path, tree: Path, mutants: list[Mutant], file: Path, most: float) -> None:
    """Runs mutants one after the other, and keeps what comes of each at once."""
    measure(folder, tree)
    found = Map(folder, tree)
    runner = Runner(folder, tree)
    for number, mutant in enumerate(mutants, 1):
        result = judge(mutant, found, runner, most)
        add_result(file, result)
        ending = f"{result.killer}, {result.seconds:.1f} s" if result.killer else "SURVIVED"
        print(f"{number}/{len(mutants)} {mutant.source}: {mutant.after}  [{ending}]", flush=True)


def judge(mutant: Mutant, found: Map, runner: Runner, most: float) -> Result:
    """The quick tests first; the others if those notice nothing."""
    tests = covering(mutant, found)
    quick, rest = stages(tests, most)
    seconds = 0.0
    for names in (quick, rest):
        if names:
            verdict = runner.test(mutant, names, sum(tests[name] for name in names))
            seconds += verdict.seconds
            if verdict.killer:
                return Result(mutant.key, verdict.killer, len(quick) + len(rest), seconds)
    return Result(mutant.key, None, len(quick) + len(rest), seconds)


def covering(mutant: Mutant, found: Map) -> dict[str, float]:
    """The tests that run the changed line, with their seconds. For what runs when a module is
    imported, and where none is known, those that run anything of the module; for a module that is
    new since the tests were measured, all.
    """
    tests: dict[str, float] = {}
    if mutant.inside:
        tests = found.covering(mutant.source, mutant.lines)
        tests |= found.importing(mutant.source, mutant.lines)
    return tests or found.covering(mutant.source, range(1, 10_000)) or found.all


def stages(tests: dict[str, float], most: float) -> tuple[list[str], list[str]]:
    """Tests of a few files that are done in a moment; then the others, file by file."""
    count = Counter(_file(name) for name, seconds in tests.items() if seconds < QUICK / 4)
    first = [file for file, _ in count.most_common(AT_FIRST)]
    quick, rest, soon, spent = [], [], 0.0, 0.0
    for name in sorted(tests, key=lambda name: (tests[name], name)):
        spent += tests[name]
        if _file(name) in first and soon + tests[name] <= QUICK:
            soon += tests[name]
            quick.append(name)
        elif spent <= most:
            rest.append(name)
    return quick, sorted(rest, key=lambda name: (int(tests[name] * 4), _file(name), tests[name]))


def _file(name: str) -> str:
    return name.split("::")[0]
