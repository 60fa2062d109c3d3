"""`rulegame test`: runs the example games inside rulesets and says which went otherwise."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulegame_cli.mistakes import WrongCall, complain, no_such_file
from rulegame_cli.opening import print_problems
from rulegame_cli.reporters import counted, has_errors
from rulegame_cli.terminal import KEPT_IN_TEXTS, Style, style_for, visible

if TYPE_CHECKING:
    from rulegame.ruletests import TestResult


@dataclass(slots=True)
class Tally:
    """What became of the tests of all files."""

    passed: int = 0
    failed: int = 0
    broken: int = 0  # rulesets with problems

    def summary(self) -> str:
        parts = [f"{self.passed} passed", f"{self.failed} failed"]
        if not self.failed:
            parts.pop()
        if self.broken:
            parts.append(f"{counted(self.broken, 'ruleset')} with problems")
        return ", ".join(parts)


def run(files: Sequence[str], only: str, verbose: bool, no_color: bool) -> int:
    """Exit code 0: all passed; 1: a test failed, or a ruleset has problems; 2: no such file."""
    from rulegame.ruletests import run_tests

    style = style_for(sys.stdout, no_color)
    tally = Tally()
    missing: list[WrongCall] = []
    for file in files:
        try:
            results, diagnostics = run_tests(file, only)
        except FileNotFoundError:
            missing.append(no_such_file(file))
            continue
        if has_errors(diagnostics):
            tally.broken += 1
            print_problems(file, diagnostics, no_color)
            continue
        failed = sum(bool(result.failures) for result in results)
        tally.passed += len(results) - failed
        tally.failed += failed
        sys.stdout.write(_file_text(file, results, only, verbose, style))
    sys.stdout.write(f"{tally.summary()}\n")
    sys.stdout.flush()
    for mistake in missing:
        complain(mistake)
    return 2 if missing else int(bool(tally.failed or tally.broken))


def _file_text(
    file: str, results: Sequence[TestResult], only: str, verbose: bool, style: Style
) -> str:
    if not results:
        named = f" with '{visible(only)}' in its name" if only else ""
        return f"{visible(file)}: no test{named}\n"
    failed = [result for result in results if result.failures]
    shown = results if verbose else failed
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
