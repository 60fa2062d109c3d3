"""Tables of values, as pandas has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulegame.extras import require
from rulegame.showing.faces import Face
from rulegame.wording import joined

if TYPE_CHECKING:
    from pandas import DataFrame


def frame(face: Face, table: str) -> DataFrame:
    """The table of that name, or the first; a column for each name that occurs in a row."""
    names = list(face.tables)
    if table and table not in names:
        raise ValueError(f"there is no table '{table}': expected {joined(names, 'or')}")
    require("notebooks")
    from pandas import DataFrame

    rows = list(face.tables[table or names[0]]())
    columns = list(dict.fromkeys(name for row in rows for name in row))
    return DataFrame({name: [row.get(name) for row in rows] for name in columns})
