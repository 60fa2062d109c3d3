"""A picture as a value: what is to be drawn, not how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Result = Literal["", "won", "draw", "lost", "score"]
Form = Literal[
    "", "disc", "stone", "man", "king", "peg", "token", "chess"
]  # what a piece looks like
Ground = Literal["plain", "chequered", "intersections", "upright"]


class DrawnPiece(NamedTuple):
    """What lies in one place: what it is called, the player that it is or belongs to, and whether
    the last move has put it there.
    """

    text: str  # empty: nothing lies there
    seat: int | None = None
    changed: bool = False
    marks: tuple[str, ...] = ()  # the names of values that are true of this place
    symbol: str = ""  # as the ruleset wants it drawn; empty if it does not say
    pips: int | None = None  # of a die, which the ruleset wants drawn
    form: Form = ""
    tint: int | None = None  # the colour of a peg or a token, counted from 0
    won: bool = False  # whether the winner needs it to have won


class Caption(NamedTuple):
    """What all parts of a picture have: the name of the value, what it is about, and whose it is
    (None: it is shared).
    """

    label: str
    about: str = ""
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """Places in rows and columns, and what those are called."""

    caption: Caption
    rows: tuple[tuple[DrawnPiece, ...], ...]
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    marks: tuple[str, ...] = ()  # the names of values that mark places of the board
    hexagons: bool = False  # each row stands half a place further to the right
    ground: Ground = "plain"
    sides: tuple[int, ...] = ()  # the seats that own top and bottom, and left and right
    mark_signs: tuple[str, ...] = ()  # of the marks, where the ruleset has some
    numbers: tuple[int, ...] = ()  # of the cells, row by row, where they have some; 0 for none


@dataclass(frozen=True, slots=True)
class Graph:
    """Points with lines between them. A point has a column and a row, counted from 0."""

    caption: Caption
    pieces: tuple[DrawnPiece, ...]
    points: tuple[tuple[int, int], ...]
    lines: tuple[tuple[int, int], ...]  # from point to point, counted from 0
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pits:
    """The pits of all players, of each in the order of sowing, and their stores."""

    caption: Caption
    counts: tuple[tuple[int, ...], ...]  # by seat
    changed: tuple[tuple[bool, ...], ...]
    stores: tuple[int, ...]  # by seat; none if there are no stores
    store_label: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A number on its way from where it began to where it leads."""

    caption: Caption
    value: int
    start: int
    goal: int
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Heaps:
    """How many there are in each of several places, counted from 1 if they have no labels."""

    caption: Caption
    counts: tuple[int, ...]
    changed: tuple[bool, ...]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """Places in a row, counted from 1 if they have no labels."""

    caption: Caption
    pieces: tuple[DrawnPiece, ...]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hand:
    """What somebody holds, in no order."""

    caption: Caption
    pieces: tuple[DrawnPiece, ...]


@dataclass(frozen=True, slots=True)
class Die:
    """What has fallen since the last decision, or lies on the table; pips where it is a die of up
    to six sides.
    """

    caption: Caption
    piece: DrawnPiece
    pips: int | None = None


@dataclass(frozen=True, slots=True)
class PlainValue:
    """Any other value."""

    caption: Caption
    piece: DrawnPiece


class LastMove(NamedTuple):
    """Who moved last, and what, as far as those who look on may know."""

    seat: int
    text: str


class Earlier(NamedTuple):
    """A value after an earlier move: the number of the move, what there was, and what else the
    move has set, each with its label; or, for a single value, the moves since the row before.
    """

    move: int
    pieces: tuple[DrawnPiece, ...]
    results: tuple[tuple[str, DrawnPiece], ...] = ()
    moves: tuple[LastMove, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """What a value was after each move that has set it, the first one first."""

    caption: Caption
    rows: tuple[Earlier, ...]


@dataclass(frozen=True, slots=True)
class HiddenValue:
    """A value that those who look on may not see, and about which nothing more is told."""

    caption: Caption


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines with which the ruleset itself draws some values, and what they are otherwise, where
    there is no room for them.
    """

    caption: Caption
    lines: tuple[str, ...]
    instead: tuple[Shape, ...]


Shape = (
    DrawnBoard
    | Graph
    | Pits
    | Bar
    | Heaps
    | Track
    | Hand
    | Die
    | PlainValue
    | History
    | HiddenValue
    | Drawing
)


@dataclass(frozen=True, slots=True)
class Picture:
    """A position as some seats see it."""

    title: str
    players: tuple[str, ...]
    signs: tuple[str, ...]  # of the players, as the ruleset wants them; empty if it does not say
    has_pieces: bool  # whether places of a board or a row belong to players
    form: Form  # of the pieces of players
    turn: int | None  # the seat whose turn it is; None when the game is over
    number: int  # of the turn, counted from 1; 0 before the first
    shapes: tuple[Shape, ...]
    last: tuple[LastMove, ...]  # several where players choose at once
    winners: tuple[int, ...] = ()
    result: Result = ""  # how it ended; empty as long as it goes on
    captured: tuple[int, ...] = ()  # by seat: the pieces that the player has taken from a board
