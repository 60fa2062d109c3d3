"""Nothing is broken within a word: every command at a terminal of 40 columns, for every bundled
game. One process at a real terminal makes many calls.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from rulegame.bundled import ruleset_names
from rulegame_cli.main import COMMANDS
from rulegame_cli.printing.wrapping import columns_of
from support.rulesets import RULESETS
from support.tiers import installed
from waiting import WAIT

pytestmark = pytest.mark.full

pexpect = installed("pexpect")
NARROW = 40
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
CALLS = """
import json, os, sys
from rulegame_cli.main import main

if __name__ == "__main__":
    for call in json.loads(sys.argv[1]):
        os.write(1, f"\\x02{json.dumps(call)}\\x03".encode())
        sys.argv = ["rulegame", *call]
        try:
            main()
        except SystemExit as left:
            sys.stdout.flush()
            assert left.code in (0, 1, 2), left.code
"""


def printed(folder: Path, calls: list[list[str]], columns: int = NARROW) -> dict[str, str]:
    """What each call prints at a terminal."""
    script = folder / "calls.py"
    script.write_text(CALLS, "utf-8")
    environment = {"TERM": "xterm", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", "PAGER": "cat"}
    child: Any = pexpect.spawn(
        sys.executable,
        [str(script), json.dumps(calls)],
        cwd=str(RULESETS),
        env={**os.environ, **environment, "RULEGAME_HOME": str(folder)},
        encoding="utf-8",
        dimensions=(50, columns),
        timeout=WAIT,
    )
    child.expect(pexpect.EOF)
    child.close()
    text = ESCAPES.sub("", child.before.replace("\r\n", "\n"))
    found = dict(part.split("\x03", 1) for part in text.split("\x02")[1:])
    assert len(found) == len(calls) and child.exitstatus == 0, text[-2000:]
    return found


def too_wide(text: str) -> list[str]:
    """The lines that a terminal would break, although they have more than one word."""
    lines = (line.rpartition("\r")[2] for line in text.split("\n"))
    return [line for line in lines if columns_of(line) > NARROW and len(line.split()) > 1]


def check(folder: Path, calls: list[list[str]]) -> None:
    for call, text in printed(folder, calls).items():
        assert text.strip() and too_wide(text) == [], call


READ = [
    ["list"],
    ["history"],
    ["explain"],
    ["explain", "E455"],
    ["show", "nim"],
    ["diff", "pig", "three_player_pig"],
    ["explain-move", "nim", "--at", "take 1 1", "--move", "take 1 9"],
    ["validate", "broken.yaml"],
    ["test", "nim", "--coverage"],
    ["check", "nim"],
    ["nosuch"],
    ["play", "nosuch"],
    ["play", "nim", "--set", "heaps=x"],
    ["replay", "nim", "--moves", "take 1 x"],
    ["replay", "nim", "--moves", "take 1 1", "--plain"],
]
STUDY = [
    ["solve", "kuhn_poker"],
    ["solve", "nim", "--set", "heaps=[1,2]"],
    ["simulate", "three_player_pig", "--games", "20", "--seed", "1"],
    ["sweep", "nim", "--vary", "misere=true,false", "--games", "5", "--jobs", "1"],
    ["export", "nim", "--to", "dot", "--set", "heaps=[1,2]"],
    ["cache"],
]


def test_what_is_read_has_the_same_words_at_any_width(tmp_path: Path) -> None:
    narrow, wide = printed(tmp_path, READ), printed(tmp_path, READ, columns=400)
    for call, text in narrow.items():
        assert text.strip() and too_wide(text) == [], call
        if call != '["list"]':  # where there is no room for columns there is a colon
            assert text.split() == wide[call].split(), call


def test_studies_and_help(tmp_path: Path) -> None:
    check(tmp_path, [*STUDY, ["--help"], *([name, "--help"] for name in COMMANDS)])


def test_the_rules_of_every_bundled_game(tmp_path: Path) -> None:
    books = [["rules", name] for name in ruleset_names("games", "variants")]
    check(tmp_path, [*books, *(["show", name] for name in ruleset_names())])


def test_every_bundled_game_that_is_watched(tmp_path: Path) -> None:
    names = ruleset_names()
    options = ["--watch", "--delay", "0", "--seed", "2", "--no-save"]
    check(tmp_path, [["play", n, *options] for n in names])
