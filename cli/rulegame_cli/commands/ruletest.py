"""`rulegame test`: run the tests in rulesets and report failures."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulegame.extras import MissingExtra
from rulegame.wording import counted
from rulegame_cli.calling.gathering import gather, ruleset_of
from rulegame_cli.calling.opening import print_problems
from rulegame_cli.calling.options import (
    OUTPUT,
    RULESETS,
    WATCH,
    ColorOptions,
    FindingsOptions,
    Texts,
    flag,
    option,
)
from rulegame_cli.calling.usage_errors import WrongCall, complain, no_such_file
from rulegame_cli.calling.values import read_percent
from rulegame_cli.printing.reporters import json_object, json_place
from rulegame_cli.printing.tables import columns
from rulegame_cli.printing.terminal import KEPT_IN_TEXTS, Style, visible

if TYPE_CHECKING:
    from rulegame.ruletests.coverage import Coverage
    from rulegame.ruletests.running import Tested, TestResult


@dataclass(slots=True)
class TestTally:
    """What became of the tests of all files."""

    passed: int = 0
    failed: int = 0
    broken: int = 0  # rulesets with problems
    uncovered: int = 0  # rulesets whose tests cover less than was asked for

    def count(self, tested: Tested, covered: Coverage | None, least: int | None) -> None:
        """The tests of one more file."""
        failed = sum(bool(result.failures) for result in tested.results)
        self.passed += len(tested.results) - failed
        self.failed += failed
        self.broken += tested.ruleset is None
        self.uncovered += covered is not None and least is not None and covered.percent < least

    def summary(self) -> str:
        parts = [f"{self.passed} passed", f"{self.failed} failed"]
        if not self.failed:
            parts.pop()
        if self.broken:
            parts.append(f"{counted(self.broken, 'ruleset')} with errors")
        if self.uncovered:
            parts.append(f"{counted(self.uncovered, 'ruleset')} below the required coverage")
        return ", ".join(parts)


class TestOptions(ColorOptions, FindingsOptions):
    """Run the tests in rulesets and report failures.

    Exit code: 0 if all pass, 1 if one fails, 2 for a usage error.
    """

    rulesets: Texts = RULESETS
    only: str = option("PART", "Run only tests whose names contain PART.", "-k")
    coverage: bool = flag("Show which rules and operations the tests cover.")
    least: str = option("PERCENT", "Fail if coverage is below PERCENT.", "--min")
    watch: bool = WATCH
    verbose: bool = flag("List every test.", "--verbose", "-v", heading=OUTPUT)


def run(options: TestOptions) -> int:
    """Exit code 0: all passed; 1: a test failed, a ruleset has problems, or less is covered than
    was asked for; 2: no such file.
    """
    if not options.watch:
        return _test(options)
    from rulegame_cli.calling import watching

    return watching.watch(options.rulesets, lambda: _test(options))


def _test(options: TestOptions) -> int:
    from rulegame.ruletests.running import run_tests

    least = read_percent("--min", options.least)
    tally = TestTally()
    missing: list[WrongCall] = []
    data: list[dict[str, Any]] = []
    for file in gather(options.rulesets):
        try:
            tested = run_tests(ruleset_of(file), options.only)
        except FileNotFoundError:
            missing.append(no_such_file(file))
            continue
        except MissingExtra as refusal:
            missing.append(WrongCall(f"{file}: {refusal}"))
            continue
        covered = None
        if tested.ruleset is not None and (options.coverage or least is not None):
            from rulegame.ruletests.coverage import coverage

            covered = coverage(tested.ruleset, tested.results)
        tally.count(tested, covered, least)
        if options.as_json:
            data.append(_data(file, tested, covered))
        else:
            _print(file, tested, covered, least, options)
    if options.as_json:
        print(json.dumps(data, indent=2))
    elif tally != TestTally() or not missing:
        print(tally.summary())
    sys.stdout.flush()
    if options.only and not (tally.passed or tally.failed or tally.broken or missing):
        missing.append(WrongCall(f"-k {options.only}: no test name contains this"))
    for mistake in missing:
        complain(mistake)
    return 2 if missing else int(bool(tally.failed or tally.broken or tally.uncovered))


def _print(
    file: str, tested: Tested, covered: Coverage | None, least: int | None, options: TestOptions
) -> None:
    if tested.ruleset is None:
        print_problems(file, tested.diagnostics, options)
        return
    sys.stdout.write(_file_text(file, tested.results, options))
    if covered is not None:
        sys.stdout.write(coverage_text(covered, least, options.style))


def _data(file: str, tested: Tested, covered: Coverage | None) -> dict[str, Any]:
    """What became of the tests of a file, for programs."""
    found: dict[str, Any] = {
        "file": file,
        "problems": [json_object(d) for d in tested.diagnostics],
        "tests": [
            {
                "name": result.name,
                **json_place(result.span),
                "passed": not result.failures,
                "failures": list(result.failures),
            }
            for result in tested.results
        ],
    }
    if covered is not None:
        found["coverage"] = {
            "percent": covered.percent,
            "items": [
                {"kind": i.kind, "name": i.name, **json_place(i.span), "tests": list(i.tests)}
                for i in covered.items
            ],
        }
    return found


def _file_text(file: str, results: Sequence[TestResult], options: TestOptions) -> str:
    style = options.style
    if not results:
        named = f" named like '{visible(options.only)}'" if options.only else ""
        return f"{visible(file)}: no test{named}\n"
    failed = [result for result in results if result.failures]
    shown = results if options.verbose else failed
    count = counted(len(results), "test")
    verdict = style.red(f"{len(failed)} failed") if failed else style.green("passed")
    lines = [f"{visible(file)}: {count}, {verdict}"]
    for result in shown:
        lines += _result_lines(result, style)
    return "".join(line + "\n" for line in lines)


def _result_lines(result: TestResult, style: Style) -> list[str]:
    name = visible(result.name)
    if not result.failures:
        return [f"  {style.green('passed')}  {name}"]
    place = f"{visible(result.span.file)}:{result.span.line}:{result.span.column}"
    lines = [f"  {style.red('failed')}  {name}  ({place})"]
    for failure in result.failures:
        lines += [f"      {line}" for line in visible(failure, KEPT_IN_TEXTS).split("\n")]
    return lines


def coverage_text(covered: Coverage, least: int | None, style: Style) -> str:
    """What the tests of a file exercised, each with its line."""
    items = covered.items
    share = f"{covered.exercised} of {len(items)}, {covered.percent}%"
    enough = least is None or covered.percent >= least
    verdict = share if enough else style.red(f"{share}, below {least}%")
    rows = [
        (
            item.kind,
            item.name,
            f"line {item.span.line}"
            if item.span.file == covered.file
            else f"{visible(Path(item.span.file).name)}:{item.span.line}",
            counted(len(item.tests), "test") if item.tests else style.yellow("no test"),
        )
        for item in items
    ]
    lines = [f"  covered: {verdict}", *(f"    {line}" for line in columns(rows, left=range(4)))]
    return "".join(line + "\n" for line in lines)
