"""The page about continuous integration, and the hooks for pre-commit: what they show works."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulegame import bundled
from waiting import WAIT

from .pages import blocks

ROOT = Path(__file__).parents[2]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
SHOWN = {
    block.remarks["fragment"]: yaml.safe_load(block.text)
    for block in blocks((ROOT / "docs" / "ci.md").read_text("utf-8"))
    if "fragment" in block.remarks
}


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A line of a shell, with this Python's rulegame."""
    own = shlex.join([sys.executable, "-m", "rulegame_cli"])
    line = re.sub(r"^rulegame\b", own.replace("\\", r"\\"), command)
    return subprocess.run(
        line, shell=True, cwd=folder, capture_output=True, text=True, timeout=WAIT
    )


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder like that of someone who writes games."""
    (tmp_path / "rulesets" / "variants").mkdir(parents=True)
    path = bundled.ruleset_path("nim")
    assert path is not None
    text = path.read_text("utf-8")
    for name in ("one", "two", "variants/three"):
        (tmp_path / "rulesets" / f"{name}.yaml").write_text(text, "utf-8")
    return tmp_path


@pytest.mark.full
@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_a_hook_passes_good_rulesets_and_stops_bad_ones(hook: dict[str, Any], games: Path) -> None:
    assert hook["types"] == ["yaml"] and hook["language"] == "python"
    files = "rulesets/one.yaml rulesets/two.yaml"
    assert run(f"{hook['entry']} {files}", games).returncode == 0
    bad = games / "rulesets" / "two.yaml"
    bad.write_text(bad.read_text("utf-8").replace("effects:", "efects:", 1), "utf-8")
    result = run(f"{hook['entry']} {files}", games)
    assert result.returncode == 1 and "two.yaml" in result.stdout


def test_the_configuration_shown_uses_hooks_that_exist() -> None:
    shown = [hook["id"] for repo in SHOWN["pre-commit"]["repos"] for hook in repo["hooks"]]
    assert shown == [hook["id"] for hook in HOOKS]


@pytest.mark.full
def test_the_steps_of_the_workflow_run(games: Path) -> None:
    steps = [step.get("run", "") for step in SHOWN["workflow"]["jobs"]["rulesets"]["steps"]]
    steps += [step.get("run", "") for step in SHOWN["steps"]]
    ours = [step for step in steps if step.startswith("rulegame ")]
    assert len(ours) == 4
    for step in ours:
        result = run(step, games)
        assert (result.returncode, result.stderr) == (0, ""), step
    assert json.loads((games / "rulegame.sarif").read_text("utf-8"))["version"] == "2.1.0"
