"""A face as HTML that needs nothing else. Whatever a ruleset says is text in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from html import escape
from itertools import islice
from typing import Any, Final

from rulegame.showing.faces import Face, Row
from rulegame.wording import as_written, visible

MOST_ROWS: Final = 20
LONGEST: Final = 300  # characters of a cell
LONGEST_FRACTION: Final = 24
# Notebooks set what stands between dollar signs as formulas, unless they are told not to.
OPENING: Final = '<div class="rulegame tex2jax_ignore mathjax_ignore">'


def page_part(face: Face) -> str:
    """The whole of it."""
    return f"{OPENING}{''.join(_parts(face))}</div>"


def _parts(face: Face) -> Iterator[str]:
    if face.title:
        yield f"<p><strong>{said(face.title)}</strong></p>"
    yield face.picture
    yield face.text
    if face.facts:
        cells = (
            f'<tr><th style="text-align:left">{said(name)}</th>'
            f'<td style="text-align:left">{said(text)}</td></tr>'
            for name, text in face.facts
        )
        yield f"<table><tbody>{''.join(cells)}</tbody></table>"
    for name in face.shown:
        yield table(name, face.tables[name]())


def said(text: str) -> str:
    """A text, as text."""
    shown = visible(text)
    return escape(shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…")


def table(caption: str, rows: Iterable[Row]) -> str:
    """The first rows of a table, and that there are more."""
    every = iter(rows)
    shown = list(islice(every, MOST_ROWS))
    if not shown:
        return ""
    names = [
        name
        for name in dict.fromkeys(name for row in shown for name in row)
        if any(row.get(name) is not None for row in shown)
    ]
    head = "".join(f"<th>{said(name.replace('_', ' '))}</th>" for name in names)
    body = "".join(
        f"<tr>{''.join(f'<td>{said(cell(row.get(name)))}</td>' for name in names)}</tr>"
        for row in shown
    )
    more = "<p>…</p>" if next(every, None) is not None else ""
    title = f"<caption>{said(caption)}</caption>"
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def cell(value: Any) -> str:
    """A value of a table for people."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Fraction):
        text = str(value)
        return text if len(text) <= LONGEST_FRACTION else f"{float(value):.6g}"
    if isinstance(value, int):
        return f"{value:,}"
    return as_written(value)
