"""The fuzz program for a fixed number of inputs, and that it notices what it is for."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Final

import pytest

from fuzz import sample_way
from fuzz.command import keep
from fuzz.run import fuzz
from fuzz.table import WAYS, Check
from support.tiers import pick

SEED: Final = 9
INPUTS: Final = pick(
    quick={"bytes": 20, "trees": 10, "rulesets": 2, "secrets": 1, "together": 1}
    | {"payoffs": 1, "stages": 1, "bluffs": 1, "limits": 1},
    full={"bytes": 200, "trees": 100, "rulesets": 80, "secrets": 20, "together": 20}
    | {"payoffs": 40, "stages": 40, "bluffs": 40, "limits": 40},
)


def test_every_way_is_tried() -> None:
    assert set(INPUTS) == set(WAYS)


@pytest.mark.parametrize("ways", pick(quick=[tuple(INPUTS)], full=[(way,) for way in INPUTS]))
def test_nothing_is_found(ways: tuple[str, ...]) -> None:
    """Every call of `fuzz` starts a worker process."""
    counts = fuzz({way: range(INPUTS[way]) for way in ways}, SEED, timed=False)
    assert not [(one.way, one.input, one.check, one.message) for one in counts.findings]
    assert counts.inputs == {way: INPUTS[way] for way in ways}
    for way in ways:
        if INPUTS[way] >= 20 and way != "bytes":  # bytes are seldom a ruleset
            assert counts.valid[way] > 0  # otherwise most checks have nothing to do


def numbers_of(*wrongs: bytes) -> list[int]:
    """Numbers of inputs of the sample way, a few of each kind."""
    made = [sample_way.make(Random(f"{SEED}/sample/{k}")) for k in range(30)]
    assert set(made) == set(sample_way.WRONGS)
    return [k for k, text in enumerate(made) if text in wrongs]


def test_what_is_wrong_is_found() -> None:
    ways = {"sample": (Check("sample", 9, 200),)}
    wrongs = [wrong for wrong in sample_way.WRONGS if wrong not in (b"hang", b"long")]
    numbers = sorted(numbers_of(wrong)[0] for wrong in wrongs)
    counts = fuzz({"sample": numbers}, SEED, timed=False, ways=ways)
    assert [found.input for found in counts.findings] == [
        number for number in numbers if number not in numbers_of(b"nothing")
    ]
    said = {found.text: found.message.rstrip().splitlines()[-1] for found in counts.findings}
    assert said[b"finding"] == "something is wrong"
    assert said[b"exception"].startswith("KeyError")
    assert said[b"memory"].startswith("MemoryError") or sys.platform != "linux"
    assert said[b"death"] == "the process died: exit code 3"
    assert said[b"recursion"].startswith("RecursionError")


@pytest.mark.full
def test_what_hangs_is_found() -> None:
    ways = {"sample": (Check("sample", 9, 200),)}
    (found,) = fuzz({"sample": numbers_of(b"hang")[:1]}, SEED, ways=ways, wait=0.5).findings
    assert (found.check, found.text) == ("sample", b"hang")
    assert found.message == "no answer within 0.5 s"


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limit")
def test_what_computes_for_too_long_is_found() -> None:
    ways = {"sample": (Check("sample", 0.1, 200),)}
    (found,) = fuzz({"sample": numbers_of(b"long")[:1]}, SEED, ways=ways).findings
    assert found.message == "the process died: it took too long"


def test_what_fails_is_kept(tmp_path: Path) -> None:
    ways = {"sample": (Check("sample", 9, 200),)}
    (number, *_) = numbers_of(b"finding")
    (found,) = fuzz({"sample": [number]}, SEED, timed=False, ways=ways).findings
    keep(found, tmp_path)
    name = f"sample_{SEED}_{number}_sample"
    assert (tmp_path / f"{name}.yaml").read_bytes() == b"finding"
    message = (tmp_path / f"{name}.txt").read_text("utf-8")
    assert f"--seed {SEED} --only {number}" in message and "something is wrong" in message
