"""What `rulegame validate` must not import: each of these costs people time at every call."""

from __future__ import annotations

import subprocess
import sys

from support.rulesets import RULESETS
from waiting import WAIT

SCRIPT = """
import sys
from rulegame_cli.main import main
try:
    main()
except SystemExit as left:
    assert left.code == 0, left.code
print(*sorted(sys.modules))
"""
NOT_NEEDED = {
    *("asyncio", "concurrent", "multiprocessing", "email", "http", "socket", "ssl", "readline"),
    *("cattrs", "lsprotocol", "numpy", "pydantic", "pygls", "rich", "scipy"),
}
STAGES = {  # of the engine; no module of another one is needed to judge a ruleset
    *("building", "bundled", "codes", "core", "diagnostics", "edits", "evaluation", "extras"),
    *("files", "keys", "language", "limits", "loading", "model", "source", "wording"),
}
WORDS_FOR_PROBLEMS = {  # only a ruleset with problems needs these
    *("language.foreign", "language.suggestions", "source.unknown_keys", "source.wrong_values"),
}
COMMAND = {  # of the command line
    *("main", "commands.validate", "printing.reporters", "printing.terminal", "printing.wrapping"),
    *(
        "calling.gathering",
        "calling.opening",
        "calling.options",
        "calling.text_command",
        "calling.usage_errors",
    ),
}


def imported(*call: str) -> tuple[str, list[list[str]]]:
    """What a command prints, and the modules that it has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *call],
        cwd=RULESETS,
        capture_output=True,
        encoding="utf-8",
        timeout=WAIT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed, _, loaded = done.stdout.rstrip("\n").rpartition("\n")
    return printed, [name.split(".") for name in loaded.split()]


def test_the_version_needs_neither_yaml_nor_the_builder() -> None:
    _, modules = imported("--version")
    assert not {("yaml",), ("rulegame", "building")} & {tuple(name) for name in modules}


def test_validating_imports_only_what_it_needs() -> None:
    valid, modules = imported("validate", "countdown.yaml")
    assert valid == "countdown.yaml: valid"
    assert not NOT_NEEDED & {name[0] for name in modules}
    assert {name[1] for name in modules if name[0] == "rulegame" and name[1:]} <= STAGES
    names = {".".join(name[1:]) for name in modules}
    assert not names & WORDS_FOR_PROBLEMS
    lowered = {"evaluation.emitting", "evaluation.evaluator", "core.ir", "core.passes"}
    assert not lowered & names  # all values are constants
    own = {".".join(name[1:]) for name in modules if name[0] == "rulegame_cli"}
    assert own <= COMMAND | {""} | {name.partition(".")[0] for name in COMMAND}


def test_solve_imports_only_the_algorithm_that_it_uses() -> None:
    algorithms = {"hidden", "lookahead", "multiplayer", "revealed", "simultaneous"}
    for call in (("solve", "nim"), ("solve", "nim", "--against", "random")):
        _, modules = imported(*call)
        solving = {name[2] for name in modules if name[:2] == ["rulegame", "solving"] and name[2:]}
        assert "perfect_information" in solving
        assert not algorithms & solving
        assert ["scipy"] not in modules
