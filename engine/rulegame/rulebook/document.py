"""A rulebook as a value: sections of paragraphs, lists and tables, whatever they are printed as."""

from __future__ import annotations

from typing import Final, NamedTuple

from rulegame.drawing.pictures import Picture
from rulegame.shown import html_of

TITLES: Final = {
    "objective": "Objective",
    "setup": "Setup",
    "turn": "The turn",
    "operations": "Operations",
    "validity": "Which moves are allowed",
    "end": "How the game ends",
    "stuck": "When you are stuck",
    "variations": "Variations",
    "claims": "What the rules promise",
    "sample": "A sample game",
}  # the paragraphs that a ruleset can word itself, in order; `intro` stands before them


class ItemList(NamedTuple):
    """A list of points."""

    items: tuple[str, ...]


class TableBlock(NamedTuple):
    """Rows of cells under a heading."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Verbatim(NamedTuple):
    """Lines that stay as they are: a board. On a page its picture stands instead; without lines
    there is only the picture.
    """

    lines: tuple[str, ...]
    picture: Picture | None = None


Block = str | ItemList | TableBlock | Verbatim


class Section(NamedTuple):
    """A part of a rulebook."""

    name: str
    title: str
    blocks: tuple[Block, ...]


class Rulebook(NamedTuple):
    """The rules of a game for people to read. Sentences carry marks: see `markup`."""

    title: str
    intro: tuple[Block, ...]
    sections: tuple[Section, ...]

    def _repr_html_(self) -> str:
        return html_of(self)
