"""Every answer is that of an older version (`--before PYTHON`), by Python or by native code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from fuzz.backends import NATIVE, PYTHON, backend
from fuzz.findings import Finding
from fuzz.questions import READY, Answers, answer
from fuzz.table import OLDER

WAIT: Final = 120.0  # seconds for its answers
PROGRAM: Final = Path(__file__).with_name("questions.py")


class Intended(NamedTuple):
    """A difference that is no finding: patterns of where it is, of both answers, as JSON, and of
    the ruleset.
    """

    reason: str
    place: str  # the question, and the way to the difference in its answers: "play 1 [2] views"
    old: str
    new: str
    ruleset: str = ""


INTENDED: Final = (
    Intended(
        "A value that never changes is no secret", r"^play \d+ \[\d+\] views ", "^null$", r"\d"
    ),
    Intended("More games are solved", "^solve refused$", "CannotSolve", "^null$"),
    Intended("More games are solved", "^solve (bounds|longest|shortest)$", "^null$", ""),
    Intended("More games are solved", "^solve together refused$", "CannotSolve", "null|Too|Out"),
    Intended("More games are solved", "^solve together shortest$", "^null$", ""),
    Intended("More games are solved", "^solve together$", "CannotSolve", r"^\["),
    Intended("A time limit includes exploring", "^solve together refused$", "^null$", "OutOfTime"),
    Intended("A time limit includes exploring", "^solve together shortest$", r"\d", "^null$"),
    Intended("A time limit includes exploring", "^solve together$", r"^\[", "OutOfTime"),
    Intended("Recovery from wrong indentation", r"^diagnostics( \[\d+\] \[0\])?$", "", "E104"),
    Intended("A misplaced key is not missing as well", "^diagnostics$", "E202", "E201"),
    Intended("Many problems were reported in any order", r"^diagnostics \[\d+\] \[[2-5]\]$", r"^\d",
             r"^\d", r"(.*\n){100}"),
    Intended(
        "A problem in the value of an alias is reported at the alias",
        r"^diagnostics \[\d+\] \[[2-5]\]$", r"^\d", r"^\d", r"\*\w",
    ),
)  # fmt: skip

# What the older version does not know: keys, and functions.
NEWER: Final = re.compile(
    rb"^[ -]*(types|indexed by|must|instead of|begin) *:|[{,] *(indexed by|must|instead of) *:"
    rb"|when: [^\n]*, score:|when: [^\n]*\n +score:"
    rb"|seen by: *(\[|others)|\b(can_move|joined|ordinal|pad|repetitions|reversed)\(",
    re.MULTILINE,
)
ADDED: Final = ("E447",)  # warnings that the older version does not have

MOVED: Final = ("E104",)  # errors that are reported at another place since recovery was added

FIXED: Final = ("AttributeError",)  # exceptions of the older version: parts of refused moves


def check(text: bytes, rng: Random) -> None:
    """Ask both versions the same questions, unless the older one lacks what the text uses."""
    if NEWER.search(text):
        return
    name, seed = rng.choice([PYTHON, NATIVE]), rng.randrange(2**32)
    old = before(os.environ[OLDER]).ask(text, seed)
    with backend(name):
        new: Answers = json.loads(json.dumps(answer(text, seed)))
    if old.get("exception") in FIXED and "exception" not in new:
        return
    if found := differences(old, new, text.decode("utf-8", "replace")):
        raise Finding(f"{name}:\n" + "\n".join(found))


def differences(old: Answers, new: Answers, ruleset: str = "") -> list[str]:
    """A line for each question that is answered differently, unless that is intended: the first
    place in which the answers differ.
    """
    found: dict[str, str] = {}
    old, new = _without_added(old), _without_added(new)
    for question in sorted(old.keys() | new.keys()):
        for place, one, other in _differing(question, old.get(question), new.get(question)):
            before, now = json.dumps(one), json.dumps(other)
            if not _is_intended(place, before, now, ruleset):
                where = place.removeprefix(question)
                found.setdefault(
                    question, f"{question}:{where} {before[:500]} before, now {now[:500]}"
                )
    return list(found.values())


def _without_added(answers: Answers) -> Answers:
    found = [one for one in answers.get("diagnostics", ()) if one[0] not in ADDED]
    return {**answers, "diagnostics": [one[:2] if one[0] in MOVED else one for one in found]}


def _is_intended(place: str, old: str, new: str, ruleset: str) -> bool:
    return any(
        re.search(one.place, place)
        and re.search(one.old, old)
        and re.search(one.new, new)
        and re.search(one.ruleset, ruleset)
        for one in INTENDED
    )


def _differing(place: str, old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:
    """The innermost places in which two answers differ, with both answers."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from _differing(f"{place} {key}", old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _differing(f"{place} [{k}]", one, other)
    elif old != new:
        yield place, old, new


class Before:
    """A process of the older version; another one starts after it has died."""

    def __init__(self, python: str) -> None:
        self._python = python
        self._process: subprocess.Popen[str] | None = None

    def ask(self, text: bytes, seed: int) -> Answers:
        process = self._process or self._start()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps({"text": text.hex(), "seed": seed}) + "\n")
        process.stdin.flush()
        timer = threading.Timer(WAIT, process.kill)
        timer.start()
        line = process.stdout.readline()
        timer.cancel()
        if not line:
            self._process = None
            raise Finding(f"the older version died or took over {WAIT:g} s: {process.wait()}")
        answers: Answers = json.loads(line)
        return answers

    def _start(self) -> subprocess.Popen[str]:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        self._process = subprocess.Popen(
            [self._python, "-P", str(PROGRAM)],  # -P: the folder of the program stays out of path
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        assert self._process.stdout is not None
        if self._process.stdout.readline().strip() != READY:
            raise RuntimeError(f"{self._python} does not run {PROGRAM.name}")
        return self._process


@cache
def before(python: str) -> Before:
    """The process of a version."""
    return Before(python)
