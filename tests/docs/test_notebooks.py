"""The notebooks of the documentation run, and show what stands in them.

`RULEGAME_UPDATE_GOLDEN=1 pytest tests/docs/test_notebooks.py` writes what they show now.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from support.tiers import library

pytestmark = pytest.mark.full

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
UPDATE = bool(os.environ.get("RULEGAME_UPDATE_GOLDEN"))
MOST_BYTES = 100_000
OWN = '<div class="rulegame'  # what values of this library show of themselves


def small(outputs: list[Any]) -> list[Any]:
    """Outputs as they are kept: one form of each is enough, and plain text may tell of paths."""
    for output in outputs:
        data = output.get("data", {})
        if "image/svg+xml" in data:
            data.pop("image/png", None)
        if "text/html" in data:
            data.pop("text/plain", None)
    return outputs


def shown(notebook: Any) -> list[Any]:
    """The kinds of outputs of each cell, and all that is this library's own or plain text."""
    return [
        [
            (kind, text if kind == "text/plain" or OWN in text else "")
            for output in cell.outputs
            for kind, text in sorted(output.get("data", {}).items())
            if not text.startswith("<Plot")
        ]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3
    assert all(path.stat().st_size < MOST_BYTES for path in NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_stands_in_it(path: Path) -> None:
    nbformat, nbclient = library("nbformat"), library("nbclient")
    for needed in ("ipykernel", "pandas", "matplotlib", "gymnasium"):
        library(needed)
    kept = nbformat.read(path, 4)
    done = nbformat.read(path, 4)
    nbclient.NotebookClient(done, timeout=300, kernel_name="python3").execute()
    for cell in done.cells:
        if cell.cell_type == "code":
            cell.outputs = small(cell.outputs)
            assert not [one for one in cell.outputs if one.output_type in ("error", "stream")]
            cell.metadata = {}
    if UPDATE:
        done.metadata = kept.metadata
        nbformat.write(done, path)
    else:
        assert shown(done) == shown(kept)
