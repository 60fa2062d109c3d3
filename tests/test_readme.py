"""The README begins with the two commands that do all the set-up. `tests/docs` runs the rest."""

from __future__ import annotations

import re
from pathlib import Path

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_two_commands_stand_on_top() -> None:
    first, second = re.findall(r"```sh\n(.*?)\n```", README)[:2]
    assert first == "pip install . && rulegame play rulesets/zero_sum_duel.yaml"
    assert second == 'pip install -e ".[test]" && pytest'
