"""For all tests: games that they play are kept in a folder of their own, not in the home."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _games_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """In the environment itself, so that processes that tests start use it too."""
    before = os.environ.get("RULEGAME_HOME")
    os.environ["RULEGAME_HOME"] = str(tmp_path_factory.mktemp("rulegame_home"))
    yield
    if before is None:
        del os.environ["RULEGAME_HOME"]
    else:
        os.environ["RULEGAME_HOME"] = before
