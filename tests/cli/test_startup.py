"""What `rulegame validate` must not import: each of these costs people time at every call."""

from __future__ import annotations

import subprocess
import sys

from .conftest import RULESETS

SCRIPT = """
import sys
from rulegame_cli.main import main
try:
    main()
except SystemExit as left:
    assert left.code == 0, left.code
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""
NOT_NEEDED = {"asyncio", "cattrs", "lsprotocol", "pydantic", "pygls", "readline", "rich"}


def test_validating_imports_only_what_it_needs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "validate", "countdown.yaml"],
        cwd=RULESETS,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    valid, modules = done.stdout.splitlines()
    assert valid == "countdown.yaml: valid"
    assert not NOT_NEEDED & set(modules.split())
