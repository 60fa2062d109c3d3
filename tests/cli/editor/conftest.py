"""A real client; the tests of a module share it, each with a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from cli.editor.client import Client

NUMBERS = count(1)


@pytest.fixture(scope="module")
def conversation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    one = Client(tmp_path_factory.mktemp("games"))
    yield one
    one.kill()


@pytest.fixture
def client(conversation: Client) -> Iterator[Client]:
    home = conversation.folder
    conversation.folder = home / f"game_{next(NUMBERS)}"
    conversation.folder.mkdir()
    yield conversation
    conversation.close_all()
    for path in conversation.folder.iterdir():
        path.unlink()
    conversation.folder = home


@pytest.fixture
def own_client(tmp_path: Path) -> Iterator[Client]:
    """For tests that end the server, or may."""
    one = Client(tmp_path)
    yield one
    one.kill()
