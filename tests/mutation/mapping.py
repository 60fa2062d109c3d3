"""Which tests run a line of the engine: measured once for each file of tests, and kept.

When a file of tests changes, the tests in it that are new or changed are measured. A source that
has changed since is compared with the text that was measured: lines that are still there keep their
tests.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from mutation.copying import environment

# What tells something about the packages that compute; what reads files and texts is left out, and
# what takes long because it runs in processes of its own.
FILES: Final = (
    "engine/**/test_*.py",
    "cli/test_check.py",
    "cli/test_coverage.py",
    "cli/test_information.py",
    "cli/test_match.py",
    "cli/test_replay.py",
    "cli/test_ruletest.py",
    "cli/test_saves.py",
    "cli/test_simulate.py",
    "cli/test_solve*.py",
    "cli/test_sweep.py",
    "diagnostics/test_golden.py",
)
LEFT_OUT: Final = (
    "authoring",
    "formatting",
    "hostile",
    "reading",
    "schema",
    "structure",
)
AT_MOST: Final = 1500  # seconds for one file of tests, measured


@dataclass(frozen=True, slots=True)
class Measured:
    """One file of tests: its tests, how long those take that pass, and by source and line which of
    them ran it. The number -1 stands for the file itself: what runs when it is imported.
    """

    digest: str  # of the file of tests
    functions: dict[str, str]  # and of each function in it
    names: tuple[str, ...]
    seconds: dict[str, float]
    lines: dict[str, dict[int, list[int]]]


class Map:
    """All files of tests that were measured, for the sources as they are in a copy."""

    def __init__(self, folder: Path, tree: Path) -> None:
        found = [_read(folder, tree, path) for path in test_files(tree)]
        self.files = [measured for measured in found if measured is not None]

    @property
    def all(self) -> dict[str, float]:
        """Every test, with its seconds."""
        return {name: s for measured in self.files for name, s in measured.seconds.items()}

    def covering(self, source: str, lines: range) -> dict[str, float]:
        """The tests that run one of these lines, with their seconds; failing ones left out."""
        return {
            name: measured.seconds[name]
            for measured in self.files
            for name in _running(measured, source, lines)
            if name in measured.seconds
        }

    def importing(self, source: str, lines: range) -> dict[str, float]:
        """All tests of the files that run these lines when they are imported."""
        return {
            name: seconds
            for measured in self.files
            if any(-1 in measured.lines.get(source, {}).get(line, ()) for line in lines)
            for name, seconds in measured.seconds.items()
        }


def _running(measured: Measured, source: str, lines: range) -> Iterator[str]:
    by_line = measured.lines.get(source, {})
    for line in lines:
        for number in by_line.get(line, ()):
            if number >= 0:
                yield measured.names[number]


def test_files(tree: Path) -> list[Path]:
    """The files of tests that are used, in order."""
    left_out = {f"test_{name}" for name in LEFT_OUT}
    found = [path for pattern in FILES for path in sorted((tree / "tests").glob(pattern))]
    return [path for path in found if path.stem not in left_out]


def measure(folder: Path, tree: Path) -> None:
    """Runs the tests that were not measured yet."""
    for path in test_files(tree):
        known = _read(folder, tree, path)
        if known is None or known.digest != _digest(path):
            print(f"measuring {path.relative_to(tree)}", file=sys.stderr, flush=True)
            _write(folder, tree, path, _measure(folder, tree, path, known))


def _measure(folder: Path, tree: Path, path: Path, known: Measured | None) -> Measured:
    """Measures the tests of a file but for those that are known, and puts both together."""
    result, names = folder / "measured.json", folder / "known.json"
    known = None if known is None else _unchanged(known, _functions(path))
    names.write_text(json.dumps(known.names if known else ()), encoding="utf-8")
    variables = environment(folder, tree) | {
        "MUTATION_KNOWN": str(names),
        "MUTATION_PACKAGE": str(tree / "engine" / "rulegame"),
        "MUTATION_RESULT": str(result),
    }
    options = ["-q", "--full", "-p", "mutation.measuring", "-p", "no:cacheprovider", "-n0"]
    subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(path.relative_to(tree))],
        cwd=tree,
        env=variables,
        stdout=subprocess.DEVNULL,
        timeout=AT_MOST,
        check=False,
    )
    found = json.loads(result.read_text(encoding="utf-8"))
    result.unlink()
    new = Measured(
        _digest(path),
        _functions(path),
        tuple(found["names"]),
        found["seconds"],
        _lines(found["lines"]),
    )
    for name in sorted(set(new.names) - set(new.seconds)):
        print(f"  left out, because it fails in the copy: {name}", file=sys.stderr)
    return new if known is None else _together(known, new)


def _together(known: Measured, new: Measured) -> Measured:
    lines = {source: dict(by_line) for source, by_line in known.lines.items()}
    for source, by_line in new.lines.items():
        mine = lines.setdefault(source, {})
        for line, numbers in by_line.items():
            moved = {n if n < 0 else n + len(known.names) for n in numbers}
            mine[line] = sorted({*mine.get(line, ()), *moved})
    names, seconds = known.names + new.names, known.seconds | new.seconds
    return Measured(new.digest, new.functions, names, seconds, lines)


def _unchanged(known: Measured, functions: dict[str, str]) -> Measured:
    """What is known of the tests that are as they were."""

    def is_same(name: str) -> bool:
        function = name.split("::")[-1].split("[")[0]
        return known.functions.get(function) == functions.get(function)

    kept = [number for number, name in enumerate(known.names) if is_same(name)]
    moved = {number: place for place, number in enumerate(kept)} | {-1: -1}
    names = tuple(known.names[number] for number in kept)
    seconds = {name: known.seconds[name] for name in names if name in known.seconds}
    lines = {
        source: {line: [moved[n] for n in ran if n in moved] for line, ran in by_line.items()}
        for source, by_line in known.lines.items()
    }
    return Measured(known.digest, functions, names, seconds, lines)


def _functions(path: Path) -> dict[str, str]:
    """A digest of each function of a file, its decorators included."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.name: sha256(ast.dump(node).encode()).hexdigest()[:16]
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


# ---- kept in the folder


def _kept(folder: Path, tree: Path, path: Path) -> Path:
    name = path.relative_to(tree / "tests").with_suffix(".json").as_posix()
    return folder / "map" / name.replace("/", ".")


def _write(folder: Path, tree: Path, path: Path, measured: Measured) -> None:
    """With the texts of the sources that the lines are those of."""
    kept, texts = _kept(folder, tree, path), folder / "sources"
    kept.parent.mkdir(parents=True, exist_ok=True)
    texts.mkdir(exist_ok=True)
    digests = {}
    for source in measured.lines:
        now = tree / "engine" / "rulegame" / source
        digests[source] = digest = _digest(now)
        (texts / digest).write_bytes(now.read_bytes())
    kept.write_text(json.dumps(asdict(measured) | {"sources": digests}), encoding="utf-8")


def _read(folder: Path, tree: Path, path: Path) -> Measured | None:
    """What is known of a file of tests, for the sources as they are now."""
    kept = _kept(folder, tree, path)
    if not kept.exists():
        return None
    found = json.loads(kept.read_text(encoding="utf-8"))
    lines = _lines(found["lines"])
    for source, digest in found["sources"].items():
        now = tree / "engine" / "rulegame" / source
        if not now.exists():
            del lines[source]
        elif _digest(now) != digest:
            before = (folder / "sources" / digest).read_text(encoding="utf-8")
            lines[source] = _moved(before, now.read_text(encoding="utf-8"), lines[source])
    return Measured(
        found["digest"], found["functions"], tuple(found["names"]), found["seconds"], lines
    )


def _lines(found: dict[str, dict[str, list[int]]]) -> dict[str, dict[int, list[int]]]:
    return {
        source: {int(line): numbers for line, numbers in by_line.items()}
        for source, by_line in found.items()
    }


def _moved(before: str, after: str, lines: dict[int, list[int]]) -> dict[int, list[int]]:
    """The tests of each line of a source that has changed."""
    moved = {}
    for line, origins in _origins(before, after).items():
        tests = {test for origin in origins for test in lines.get(origin, ())}
        if tests:
            moved[line] = sorted(tests)
    return moved


@cache
def _origins(before: str, after: str) -> dict[int, range]:
    """Of each line of a changed text, where it stood; of a new one, the lines around it."""
    found: dict[int, range] = {}
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), False)
    for tag, i, end, j, last in matcher.get_opcodes():
        for k in range(j, last):
            same = i + k - j + 1
            found[k + 1] = range(same, same + 1) if tag == "equal" else range(i - 1, end + 3)
    return found


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()[:16]
