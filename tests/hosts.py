"""Other libraries that games are made for: their tests are skipped where one is missing, but never
on a machine that is there to run them all.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest


def host(name: str) -> Any:
    """A library that may be missing."""
    if os.environ.get("CI"):
        return importlib.import_module(name)
    return pytest.importorskip(name)
