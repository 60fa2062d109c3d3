"""`.ci/run` finds README's two commands. `tests/docs` runs the rest of README."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.scripts import load_script

ROOT = Path(__file__).resolve().parents[1]


def test_the_commands_that_install_and_play_and_install_and_test() -> None:
    commands = load_script(ROOT / ".ci" / "readme.py").commands
    assert commands((ROOT / "README.md").read_text("utf-8")) == (
        "pip install . && rulegame play rulesets/zero_sum_duel.yaml",
        'pip install -e ".[test]" && pytest',
    )
    with pytest.raises(ValueError, match="not enough values"):
        commands("```sh\npip install . && rulegame play nim\n```\n")
