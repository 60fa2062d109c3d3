"""The states and moves of a game as a table of columns: a Parquet file."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rulegame.exploring import StateGraph
from rulegame.exporting.graphs import HEADER, rows
from rulegame.extras import require


def parquet(graph: StateGraph) -> bytes:
    """The bytes of the file; its rows are those of the CSV table, with types."""
    require("parquet")
    import pyarrow
    import pyarrow.parquet

    text, whole = pyarrow.string(), pyarrow.int64()
    kinds = (whole, text, text, text, pyarrow.float64(), whole, text)
    paid = pyarrow.list_(pyarrow.float64())
    schema = pyarrow.schema(list(zip(HEADER, (*kinds, paid), strict=True)))
    columns = zip(*_typed(graph), strict=True)
    arrays = [pyarrow.array(c, kind.type) for c, kind in zip(columns, schema, strict=True)]
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), sink)
    written: bytes = sink.getvalue().to_pybytes()
    return written


def _typed(graph: StateGraph) -> Iterator[tuple[Any, ...]]:
    """Rows with numbers, and nothing where there is nothing to say."""
    for number, to_move, values, move, share, after, rule, payoffs in rows(graph):
        yield (
            number,
            to_move or None,
            values,
            move or None,
            float(Fraction(share)) if share else None,
            None if after == "" else after,
            rule or None,
            [float(paid) for paid in payoffs] or None,
        )
