"""Runs the console blocks of a page of documentation, to compare what is printed with the page."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

FILE = re.compile(r"<!-- file: (\S+) -->\n```yaml\n(.*?)```", re.S)
CONSOLE = re.compile(r"```console\n\$ (.*?)\n(.*?)```", re.S)
UPDATE = "RULEGAME_UPDATE_GOLDEN"


class Block(NamedTuple):
    """A command of a page, and what the page says that it prints."""

    page: Path
    command: str
    printed: str


def blocks(page: Path) -> list[Block]:
    """The console blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [Block(page, command, printed) for command, printed in CONSOLE.findall(text)]


def run(block: Block, folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a block in a folder with the files of its page."""
    for name, text in FILE.findall(block.page.read_text(encoding="utf-8")):
        (folder / name).write_text(text, encoding="utf-8")
    program, *arguments = shlex.split(block.command)
    assert program == "rulegame"
    return subprocess.run(
        [sys.executable, "-m", "rulegame_cli", *arguments],
        input=typed,
        cwd=folder,
        env={**os.environ, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def renewed(block: Block, printed: str) -> None:
    """Writes into the page what is printed now, if that is asked for."""
    if os.environ.get(UPDATE):
        text = block.page.read_text(encoding="utf-8")
        old = f"```console\n$ {block.command}\n{block.printed}```"
        block.page.write_text(
            text.replace(old, f"```console\n$ {block.command}\n{printed}```"), encoding="utf-8"
        )
