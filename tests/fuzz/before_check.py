"""Every answer is that of an older version (`--before PYTHON`), by Python or by native code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
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
    """A difference that is no finding: patterns of the question and of both answers, as JSON."""

    reason: str
    question: str
    old: str
    new: str


INTENDED: Final[tuple[Intended, ...]] = ()


def check(text: bytes, rng: Random) -> None:
    """Ask both versions the same questions."""
    name, seed = rng.choice([PYTHON, NATIVE]), rng.randrange(2**32)
    old = before(os.environ[OLDER]).ask(text, seed)
    with backend(name):
        new: Answers = json.loads(json.dumps(answer(text, seed)))
    if found := differences(old, new):
        raise Finding(f"{name}:\n" + "\n".join(found))


def differences(old: Answers, new: Answers) -> list[str]:
    """A line for each question that is answered differently, unless that is intended."""
    return [
        f"{question}: {_difference(old.get(question), new.get(question))}"
        for question in sorted(old.keys() | new.keys())
        if old.get(question) != new.get(question)
        and not _is_intended(question, old.get(question), new.get(question))
    ]


def _is_intended(question: str, old: Any, new: Any) -> bool:
    return any(
        re.search(one.question, question)
        and re.search(one.old, json.dumps(old))
        and re.search(one.new, json.dumps(new))
        for one in INTENDED
    )


def _difference(old: Any, new: Any) -> str:
    """The first place in which two answers differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if old.get(key) != new.get(key):
                return f"{key}: {_difference(old.get(key), new.get(key))}"
    if isinstance(old, list) and isinstance(new, list):
        for k, (one, other) in enumerate(zip(old, new, strict=False)):
            if one != other:
                return f"[{k}] {_difference(one, other)}"
    return f"{json.dumps(old)[:500]} before, now {json.dumps(new)[:500]}"


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
