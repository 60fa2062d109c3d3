"""The hooks for pre-commit: what they would run works on files as pre-commit hands them over."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
GOOD = ROOT / "rulesets" / "nim.yaml"


@pytest.mark.parametrize("name", ["rulegame-validate", "rulegame-test"])
def test_the_entry_tells_good_rulesets_from_bad(name: str, tmp_path: Path) -> None:
    program, *arguments = shlex.split(HOOKS[name]["entry"])
    assert program == "rulegame"
    bad = tmp_path / "bad.yaml"
    bad.write_text(GOOD.read_text("utf-8").replace("heaps[heap] - n", "heap[heap] - n"), "utf-8")
    for files, code in (([GOOD], 0), ([bad], 1), ([GOOD, bad], 1)):
        call = [sys.executable, "-m", "rulegame_cli", *arguments, *map(str, files)]
        assert subprocess.run(call, capture_output=True, check=False).returncode == code


def test_the_documentation_names_the_hooks() -> None:
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    assert set(re.findall(r"- id: (\S+)", page)) == set(HOOKS)
    for block in re.findall(r"<!-- fragment: \S+ -->\n```yaml\n(.*?)```", page, re.DOTALL):
        assert yaml.safe_load(block)
