"""Run README's commands, as printed, in a copy of the repository and a new environment.

    python .ci/readme.py FOLDER

FOLDER must not exist; the copy goes there, the environment beside it. The command that plays gets
no input, so the game must end early with exit code 1 and no traceback.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OURS = (".git", "__pycache__", "*.egg-info", ".venv*", "venv", ".*_cache", ".hypothesis", "site")


def commands(readme: str) -> tuple[str, str]:
    """The commands that install and play, and install and test."""
    lines = "\n".join(re.findall(r"^```sh\n(.*?)^```", readme, re.DOTALL | re.MULTILINE))
    (play,) = re.findall(r"^pip install .* && rulegame play .*$", lines, re.MULTILINE)
    (test,) = re.findall(r"^pip install .* && pytest$", lines, re.MULTILINE)
    return play, test


def main() -> None:
    folder = Path(sys.argv[1])
    play, test = commands((ROOT / "README.md").read_text("utf-8"))
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*OURS))
    environment = folder.with_name("a clean environment")
    venv.create(environment, with_pip=True)
    variables = {**os.environ, "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"}

    print(f"$ {play}", flush=True)
    run = subprocess.run(
        play,
        shell=True,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    print(run.stdout + run.stderr, flush=True)
    if run.returncode != 1 or "turn" not in run.stdout or "Traceback" in run.stderr:
        sys.exit(f"The game did not end properly: exit code {run.returncode}.")

    print(f"$ {test}", flush=True)
    sys.exit(subprocess.run(test, shell=True, cwd=folder, env=variables).returncode)


if __name__ == "__main__":
    main()
