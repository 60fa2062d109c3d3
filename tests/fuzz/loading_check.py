"""Whatever the bytes, loading them ends in a game or in diagnostics that can be printed."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any
from unittest.mock import patch

import yaml

from fuzz.findings import Finding
from fuzz.games import file_of, game_of
from rulegame.diagnostics import Diagnostic, has_errors
from rulegame.limits import LIMITS
from rulegame.loading import load_ruleset
from rulegame.source import reading
from rulegame.source.nodes import to_plain
from rulegame.source.pure_loader import PureLoader
from rulegame_cli.printing.error_pages import current_codes
from rulegame_cli.printing.reporters import REPORTS, CheckedRuleset
from rulegame_cli.printing.terminal import Style


def check(text: bytes, rng: Random) -> None:
    """Reading with both parsers, validating, reporting, loading."""
    parsers = [PureLoader, *([yaml.CBaseLoader] if hasattr(yaml, "CBaseLoader") else [])]
    read = [_read(text, parser) for parser in parsers]
    if any(one != read[0] for one in read):
        raise Finding(f"the parsers do not read the same: {read}"[:2_000])
    ruleset, problems = load_ruleset(file_of(text))
    _judge(problems, len(text.decode(errors="replace").splitlines()) + 1)
    if (ruleset is None) != has_errors(problems):
        raise Finding("a ruleset without errors, or errors with a ruleset")
    game_of(text)


def _read(text: bytes, parser: Any) -> Any:
    """The tree, or that there is none: which of several problems is said may differ."""
    with patch.object(reading, "LOADER", parser):
        root, problems = reading.read_bytes(text, "fuzzed.yaml")
    return None if problems or root is None else to_plain(root)


def _judge(problems: tuple[Diagnostic, ...], lines: int) -> None:
    if len(problems) > LIMITS.problems:
        raise Finding(f"{len(problems)} problems")
    for problem in problems:
        if problem.code not in _codes():
            raise Finding(f"{problem.code} is not registered")
        if problem.span.file.endswith("fuzzed.yaml") and not 1 <= problem.span.line <= lines:
            raise Finding(f"line {problem.span.line} of {lines}")
    for report in REPORTS.values():
        for line in report([CheckedRuleset("fuzzed.yaml", problems)], Style(False)).split("\n"):
            if not line.isprintable():
                raise Finding(f"would be printed as it is: {line!r}")


@cache
def _codes() -> frozenset[str]:
    return frozenset(current_codes())
