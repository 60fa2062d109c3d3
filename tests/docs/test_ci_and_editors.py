"""The pages about editors and continuous integration, and the hooks: what they show works."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulegame import bundled

ROOT = Path(__file__).parents[2]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text("utf-8")
    return [found[2] for found in BLOCK.finditer(text) if found[1] == language]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A line of a shell, with this Python's rulegame."""
    own = shlex.join([sys.executable, "-m", "rulegame_cli"])
    line = re.sub(r"\brulegame(?= (validate|test|lsp)\b)", own.replace("\\", r"\\"), command)
    return subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, timeout=120)


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
    (configuration,) = (c for b in blocks("ci.md", "yaml") if "repos" in (c := yaml.safe_load(b)))
    shown = [hook["id"] for repo in configuration["repos"] for hook in repo["hooks"]]
    assert shown == [hook["id"] for hook in HOOKS]


def test_the_steps_of_the_workflow_run(games: Path) -> None:
    (workflow,) = (w for b in blocks("ci.md", "yaml") if "jobs" in (w := yaml.safe_load(b)))
    steps = [s["run"] for s in workflow["jobs"]["rulesets"]["steps"] if "run" in s]
    ours = [step for step in steps if step.startswith("rulegame ")]
    assert len(ours) == 3
    for step in ours:
        result = run(step, games)
        assert (result.returncode, result.stderr) == (0, ""), step
    assert json.loads((games / "rulesets.sarif").read_text("utf-8"))["version"] == "2.1.0"


def test_the_commands_shown_run(games: Path) -> None:
    commands = [line for b in blocks("ci.md", "console") for line in b.split("\n") if line]
    for line in commands:
        assert run(line.removeprefix("$ "), games).returncode == 0, line


def test_the_settings_shown_for_editors_can_be_read() -> None:
    servers = [tomllib.loads(block) for block in blocks("editors.md", "toml")]
    assert servers[0]["language-server"]["rulegame"] == {"command": "rulegame", "args": ["lsp"]}
    settings = [json.loads(block) for block in blocks("editors.md", "json")]
    assert settings[0]["yaml.schemas"] and settings[1]["glspc.server.commandArguments"] == ["lsp"]
    assert 'cmd = { "rulegame", "lsp" }' in blocks("editors.md", "lua")[0]


def test_the_line_for_the_schema_leads_to_the_schema() -> None:
    """In every bundled ruleset, and on the page."""
    for name in bundled.ruleset_names():
        path = bundled.ruleset_path(name)
        assert path is not None
        first = path.read_text("utf-8").split("\n")[0]
        assert first.startswith("# yaml-language-server: $schema=")
        target = (path.parent / first.partition("$schema=")[2]).resolve()
        assert target == bundled.schema_path().resolve()
    assert "# yaml-language-server: $schema=" in blocks("editors.md", "yaml")[0]


def test_the_schema_of_an_installed_package_is_found_as_shown() -> None:
    command = blocks("editors.md", "console")[0].strip().removeprefix("$ python ")
    result = subprocess.run(
        [sys.executable, *shlex.split(command)], capture_output=True, text=True, check=True
    )
    assert Path(result.stdout.strip()).samefile(bundled.schema_path())
