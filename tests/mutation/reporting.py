"""What came of a campaign: kept as lines of JSON, told as a table and the survivors' changes."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from mutation.mutating import Mutant
from mutation.sampling import PACKAGES, package_of

EQUIVALENT: Final = Path(__file__).with_name("equivalent.toml")
ENOUGH: Final = 0.9


class Result(NamedTuple):
    """What became of a mutant: `killer` is a test, or "time", or None if it survived."""

    key: str
    killer: str | None
    tests: int  # that were to be run
    seconds: float


def read_results(file: Path) -> dict[str, Result]:
    """The last result of each mutant."""
    if not file.exists():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    return {result.key: result for result in (Result(**json.loads(line)) for line in lines)}


def add_result(file: Path, result: Result) -> None:
    """One more line."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(result._asdict()) + "\n")


def read_equivalents() -> dict[tuple[str, str, str], str]:
    """The reasons why mutants change nothing, by source and line before and after."""
    found = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["mutant"]
    return {
        (one["source"], _spaced(one["line"]), _spaced(one["mutant"])): one["why"] for one in found
    }


def _spaced(line: str) -> str:
    return " ".join(line.split())


def is_equivalent(mutant: Mutant, known: Mapping[tuple[str, str, str], str]) -> bool:
    """Whether someone has looked at it and found that it changes nothing."""
    return (mutant.source, mutant.before, mutant.after) in known


def report(mutants: Sequence[Mutant], results: Mapping[str, Result]) -> str:
    """A table by package, then each survivor as it was and as it is."""
    known = read_equivalents()
    rows = [f"{'':12} mutants  killed  survived  equivalent  not run"]
    total = [0] * 5
    survivors: list[Mutant] = []
    for package in PACKAGES:
        mine = [mutant for mutant in mutants if package_of(mutant.source) == package]
        done = [mutant for mutant in mine if mutant.key in results]
        alive = [mutant for mutant in done if results[mutant.key].killer is None]
        real = [mutant for mutant in alive if not is_equivalent(mutant, known)]
        killed, same = len(done) - len(alive), len(alive) - len(real)
        row = [len(mine), killed, len(real), same, len(mine) - len(done)]
        total = [a + b for a, b in zip(total, row, strict=True)]
        survivors += real
        if mine:
            rows.append(_row(package, row))
    rows.append(_row("all", total))
    decided = total[1] + total[2]
    if decided:
        rows.append(f"killed: {total[1] / decided:.1%} of those that change something")
    return "\n".join([*rows, "", *(_survivor(mutant, results) for mutant in survivors)])


def _row(name: str, counts: Sequence[int]) -> str:
    widths = (7, 6, 8, 10, 7)
    cells = [f"{count:{width}}" for count, width in zip(counts, widths, strict=True)]
    return f"{name:12} {'  '.join(cells)}"


def _survivor(mutant: Mutant, results: Mapping[str, Result]) -> str:
    tests = results[mutant.key].tests
    where = f"{mutant.source}:{mutant.lines[0]} in {mutant.scope or 'the module'}"
    head = f"{where}, {mutant.change.kind}, {tests} tests ({mutant.key})"
    return f"{head}\n  - {mutant.before}\n  + {mutant.after}\n"
