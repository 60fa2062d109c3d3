"""Runs a page of documentation from top to bottom: its files are written, its commands called.

    <!-- file: NAME -->          the yaml block that follows is this file from here on
    <!-- typed: 3 | take 1 -->   what is typed at the prompts of the console block that follows

A console block holds calls, each after `$ `, and what they print. `<!-- exit: 1 -->` before the
block is the exit code of its last call, if that is not 0.

A yaml block without `rulegame: 1` is a part of a ruleset: `<!-- part: NAME -->` says which file in
`parts/` surrounds it. `<!-- broken: E302 -->` marks a ruleset with these problems, and
`<!-- fragment: NAME -->` what is no ruleset at all.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from support.commands import Result, call

BLOCK = re.compile(r"((?:<!-- [a-z]+: .*? -->\n)*)```(yaml|console)\n(.*?)```", re.DOTALL)
TIME = re.compile(r"It took [0-9.]+ s\b")
REMARK = re.compile(r"<!-- ([a-z]+): (.*?) -->")
UPDATE = bool(os.environ.get("RULEGAME_UPDATE_GOLDEN"))


@dataclass(frozen=True)
class Block:
    """A block of a page with the remarks before it."""

    kind: str
    text: str
    span: tuple[int, int]  # where its text stands in the page
    remarks: dict[str, str] = field(default_factory=dict)


def blocks(page: str) -> Iterator[Block]:
    """The yaml and console blocks of a page, in order."""
    for match in BLOCK.finditer(page):
        remarks = dict(REMARK.findall(match[1]))
        yield Block(match[2], match[3], match.span(3), remarks)


def run_page(path: Path, folder: Path) -> list[tuple[Block, str]]:
    """The console blocks of a page, each with what it should show; the page is brought up to date
    if that is asked for.
    """
    page = path.read_text("utf-8")
    shown: list[tuple[Block, str]] = []
    for block in blocks(page):
        if block.kind == "yaml" and "file" in block.remarks:
            (folder / block.remarks["file"]).write_text(block.text, "utf-8")
        if block.kind == "console":
            shown.append((block, _run(block, folder)))
    if UPDATE:
        path.write_text(_replaced(page, shown), "utf-8")
        return [(block, block.text) for block, _ in shown]
    return shown


def _run(block: Block, folder: Path) -> str:
    printed = ""
    typed = "".join(f"{line.strip()}\n" for line in block.remarks.get("typed", "").split("|"))
    lines = re.findall(r"^\$ (.*)$", block.text, re.MULTILINE)
    for k, line in enumerate(lines):
        done = _call(line, folder, typed if "typed" in block.remarks else "")
        expected = int(block.remarks.get("exit", "0")) if k == len(lines) - 1 else 0
        assert done.code == expected, f"{line}\n{done.code}\n{done.out}{done.err}"
        printed += f"$ {line}\n{done.out}{done.err}"
    if UPDATE:
        return printed
    times = iter(TIME.findall(block.text))  # which differ from call to call
    return TIME.sub(lambda found: next(times, found[0]), printed)


def _call(line: str, folder: Path, typed: str) -> Result:
    program, *arguments = shlex.split(line)
    assert program == "rulegame", line
    environment = {"COLUMNS": "80", "RULEGAME_HOME": str(folder / "home")}
    return call(*arguments, typed=typed, folder=folder, environment=environment)


def _replaced(page: str, shown: list[tuple[Block, str]]) -> str:
    for block, text in reversed(shown):
        low, high = block.span
        page = page[:low] + text + page[high:]
    return page


def is_whole(text: str) -> bool:
    """Whether a yaml block is a ruleset, not a part of one."""
    return re.search("^rulegame: 1", text, re.MULTILINE) is not None
