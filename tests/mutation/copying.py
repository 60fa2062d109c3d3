"""The copy of the repository in which mutants are made and tested; the original is only read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = (
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "cli",
    "docs",
    "engine",
    "pyproject.toml",
    "rulesets",
    "schemas",
    "tests",
)


def copy_tree(folder: Path) -> Path:
    """The repository as it is now, in `folder/tree`, in place of what was there."""
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            shutil.copy2(source, tree / name)
    return tree


def environment(folder: Path, tree: Path) -> dict[str, str]:
    """For processes that are to use the copy, and to leave nothing behind outside of `folder`."""
    paths = [tree / "engine", tree / "cli", tree / "tests"]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "XDG_CACHE_HOME": str(folder / "cache"),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
        "OPENBLAS_NUM_THREADS": "1",
    }
