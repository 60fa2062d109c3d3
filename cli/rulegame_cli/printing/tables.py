"""Columns of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def columns(rows: Sequence[Sequence[str]], left: Sequence[int] = (0,), gap: int = 2) -> list[str]:
    """Rows with their cells one below the other: numbers to the right, and to the left the columns
    in `left`.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        (" " * gap)
        .join(
            cell.ljust(width) if number in left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in rows
    ]


def bars(rows: Sequence[tuple[str, int, str]], width: int, encoding: str | None) -> Iterator[str]:
    """A bar for each row of a label, a count and a note; block characters where there are any."""
    labels = max(len(label) for label, _, _ in rows)
    notes = max(len(note) for _, _, note in rows)
    room = max(8, width - labels - notes - 4)
    most = max(count for _, count, _ in rows) or 1
    blocks = can_print("█▏▎▍▌▋▊▉", encoding)
    for label, count, note in rows:
        eighths = round(8 * room * count / most)
        if count and not eighths:
            eighths = 1  # little, but not nothing
        bar = _blocks(eighths) if blocks else "#" * -(-eighths // 8)
        yield f"{label.rjust(labels)}  {bar.ljust(room)}  {note.rjust(notes)}"


def _blocks(eighths: int) -> str:
    whole, part = divmod(eighths, 8)
    return "█" * whole + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[part]


def can_print(text: str, encoding: str | None) -> bool:
    """Whether a stream of that encoding can show a text."""
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
