"""The page about editors: what it shows can be read, and leads where it says."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

from rulegame import bundled

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text("utf-8")
    return [found[2] for found in BLOCK.finditer(text) if found[1] == language]


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
    command = blocks("editors.md", "sh")[0].strip().removeprefix("python ")
    result = subprocess.run(
        [sys.executable, *shlex.split(command)], capture_output=True, text=True, check=True
    )
    assert Path(result.stdout.strip()).samefile(bundled.schema_path())
