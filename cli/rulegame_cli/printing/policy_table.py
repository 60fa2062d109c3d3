"""The moves of best play in every position as text: CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulegame.solving.policies import PolicyRow

COLUMNS = ("player", "state", "move", "probability", "value")


def policy_text(rows: Iterable[PolicyRow], as_json: bool) -> str:
    """A line or an object for each move; exact numbers are fractions in a text."""
    data = [dict(zip(COLUMNS, _cells(row), strict=True)) for row in rows]
    if as_json:
        return json.dumps(data, indent=2) + "\n"
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(data)
    return out.getvalue()


def _cells(row: PolicyRow) -> tuple[Any, ...]:
    return row.seat + 1, row.situation, row.move, _number(row.probability), _number(row.value)


def _number(value: Fraction | float | None) -> str | float | None:
    return str(value) if isinstance(value, Fraction) else value
