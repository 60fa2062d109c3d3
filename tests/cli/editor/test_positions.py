"""Places as editors count them and as the engine does: there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulegame.source.yaml_text import Source
from rulegame_cli.editor.positions import UTF8, UTF16, UTF32, Positions

SIGNS = st.sampled_from("ab é😀\n\r\t\x85\u2028")


@pytest.mark.parametrize(
    ("text", "engine", "encoding", "editor"),
    [
        ("abc", (1, 3), UTF16, (0, 2)),
        ("é😀c", (1, 3), UTF16, (0, 3)),
        ("é😀c", (1, 3), UTF8, (0, 6)),
        ("é😀c", (1, 3), UTF32, (0, 2)),
        ("a\r\nbc", (2, 2), UTF16, (1, 1)),
        ("a\rbc", (2, 2), UTF16, (1, 1)),
        ("a\x85bc", (2, 2), UTF16, (0, 3)),  # a line break for YAML, but not for editors
        ("\ufeffab", (1, 2), UTF16, (0, 2)),  # a mark that the engine does not count
    ],
)
def test_a_place_counted_both_ways(
    text: str, engine: tuple[int, int], encoding: str, editor: tuple[int, int]
) -> None:
    positions = Positions(text, encoding)
    assert positions.to_editor(*engine) == editor
    assert positions.to_engine(*editor) == engine


@given(st.text(SIGNS), st.sampled_from([UTF8, UTF16, UTF32]), st.integers(0, 40))
def test_there_and_back(text: str, encoding: str, offset: int) -> None:
    """Every place between two characters, but for that inside a line break of two."""
    offset = min(offset, len(text))
    if text[offset - 1 : offset + 1] == "\r\n":
        return
    line, column, _ = Source("", text).place(offset)
    positions = Positions(text, encoding)
    assert positions.to_engine(*positions.to_editor(line, column)) == (line, column)


@given(st.text(SIGNS), st.integers(0, 2**31), st.integers(0, 2**31))
def test_a_place_outside_is_moved_inside(text: str, row: int, units: int) -> None:
    source = Source("", text)
    line, column = Positions(text).to_engine(row, units)
    assert 1 <= line <= len(source.lines) and 1 <= column <= len(source.lines[line - 1]) + 1
