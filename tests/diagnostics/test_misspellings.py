"""Slips in the bundled rulesets: each is reported where it was made, and none ends in a traceback.

Seeded samples: a slip of one letter in a key, a name or an expression, and lines that are torn.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from diagnostics.spelling import Slip, slips, spots
from rulegame.diagnostics import Diagnostic
from rulegame.loading import load_ruleset

ROOT = Path(__file__).parents[2]
RULESETS = sorted((ROOT / "rulesets").glob("*.yaml"))
SEED = 20
SLIPS = 25  # of each ruleset
TEARS = 30
PART_OF_A_MAPPING = re.compile(r"(\s*[A-Za-z][\w .]*):( +.+|)$")


def problems(text: str, folder: Path) -> tuple[Diagnostic, ...]:
    path = folder / "ruleset.yaml"
    path.write_text(text, "utf-8")
    return load_ruleset(path)[1]


def sample(path: Path) -> list[Slip]:
    text = path.read_text("utf-8")
    words = {spot.word for spot in spots(text)}
    every = [slip for spot in spots(text) for slip in slips(text, spot)]
    unknown = [slip for slip in every if slip.written not in words]  # others may have a meaning
    return random.Random(SEED).sample(unknown, SLIPS)


@pytest.mark.quick(2)
@pytest.mark.parametrize("path", RULESETS, ids=lambda path: str(path.stem))
def test_a_slip_is_reported_where_it_was_made(path: Path, tmp_path: Path) -> None:
    for slip in sample(path):
        found = problems(slip.text, tmp_path)
        lines = slip.text.split("\n")
        where = {d.span.line for d in found}
        if slip.spot.kind in ("key", "name"):
            assert where & set(slip.spot.lines), f"{slip}: {[str(d) for d in found]}"
            assert len(found) <= 3, f"{slip}: {[str(d) for d in found]}"
            continue
        if slip.spot.kind == "declaration":
            assert found, f"{slip}: nobody misses it"
        used = re.compile(rf"\b{re.escape(slip.spot.word)}\b")
        strange = [
            str(d)
            for d in found
            if d.span.line != slip.spot.line and not used.search(lines[d.span.line - 1])
        ]
        assert not strange, f"{slip}: {strange}"


def test_most_slips_have_a_hint_with_the_right_name(tmp_path: Path) -> None:
    hints = [
        any(one.text.startswith(slip.spot.word) for one in d.suggestions)
        for path in RULESETS
        for slip in sample(path)
        if slip.spot.kind in ("key", "name")
        for d in problems(slip.text, tmp_path)[:1]
    ]
    assert sum(hints) > 0.9 * len(hints)


def torn(text: str) -> Iterator[tuple[int, str, str]]:
    """Line number, what was done to the line, and the ruleset."""
    lines = text.split("\n")
    for k, line in enumerate(lines):
        bare = line.lstrip()
        if not bare or bare.startswith("#"):
            continue
        changes = {
            "indented more": f"  {line}",
            "indented less": line[1:] if line.startswith(" ") else line,
            "without a quote": line.replace('"', "", 1),
            "without its last quote": line.rstrip('"'),
            "without a bracket": re.sub(r"[\]}]", "", line, count=1),
            "with a tab": line.replace("  ", "\t", 1),
            "left out": "",
        }
        if found := PART_OF_A_MAPPING.match(line):
            key, value = found.groups()
            changes |= {
                "without its colon": f"{key}{value}",
                "without its blank": f"{key}:{value.strip()}",
                "as a mapping": f"{key}: {{x: {value.strip() or 1}}}",
                "as a list": f"{key}: [{value.strip()}]",
                "as a word": f"{key}: word",
                "without its value": f"{key}:",
            }
        for what, changed in changes.items():
            if changed != line:
                yield k + 1, what, "\n".join([*lines[:k], changed, *lines[k + 1 :]])


@pytest.mark.quick(2)
@pytest.mark.parametrize("path", RULESETS, ids=lambda path: str(path.stem))
def test_a_torn_line_ends_in_diagnostics_or_success(path: Path, tmp_path: Path) -> None:
    every = list(torn(path.read_text("utf-8")))
    for line, what, text in random.Random(SEED).sample(every, TEARS):
        for problem in problems(text, tmp_path):
            assert problem.message, f"line {line} {what}"
            assert 1 <= problem.span.line <= text.count("\n") + 1, f"line {line} {what}"


# One line of Countdown, as it is and as it is torn; the line that must be reported.
COUNTDOWN = (ROOT / "tests" / "rulesets" / "countdown.yaml").read_text("utf-8")
TORN = [
    ("operations:", "operations"),
    ("operations:", "oprations:"),
    ("  take:", "  take"),
    ("      n: 1..most", "      n 1..most"),
    ("      n: 1..most", "      n:1..most"),
    ("    require: after.left >= 0", "    require: after.left >= 0)"),
    ("    require: after.left >= 0", "    require: [after.left >= 0"),
    ("    when: left == 0", "    when: left = 0"),
    ("    when: left == 0", "    when: 'left == 0"),
    ("    when: left == 0", "    when: {x: left == 0}"),
    ("    when: left == 0", "    when:"),
    ("    result: win", "    result: [win]"),
    ("    result: win", "    result: {win: true}"),
    ("title: Countdown", "title: [Countdown]"),
    ("title: Countdown", "title Countdown"),
    ("rulegame: 1", "rulegame: one"),
]


@pytest.mark.parametrize(("line", "changed"), TORN)
def test_a_torn_line_is_named(line: str, changed: str, tmp_path: Path) -> None:
    assert f"\n{line}\n" in f"\n{COUNTDOWN}"
    text = f"\n{COUNTDOWN}".replace(f"\n{line}\n", f"\n{changed}\n")[1:]
    number = text.split("\n").index(changed) + 1
    assert number in {d.span.line for d in problems(text, tmp_path)}


REQUIRED = [
    ("title: Countdown\n", "E202"),
    ("rulegame: 1\n", "E202"),
    ("    when: left == 0\n", "E202"),
    ("    result: win\n", "E202"),
    ("    require: after.left >= 0\n", "E202"),
]


@pytest.mark.parametrize(("line", "code"), REQUIRED)
def test_a_required_key_is_missed(line: str, code: str, tmp_path: Path) -> None:
    assert line in COUNTDOWN
    assert [d.code for d in problems(COUNTDOWN.replace(line, "", 1), tmp_path)] == [code]
