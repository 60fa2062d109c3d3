"""A picture as SVG: for notebooks, pages and screens that show it. It names no other file, no font
that is not everywhere, and nothing that a ruleset says can be anything but text in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

from rulegame.drawing.pictures import (
    Bar,
    Die,
    Drawing,
    DrawnBoard,
    DrawnPiece,
    Form,
    Graph,
    Hand,
    Heaps,
    HiddenValue,
    History,
    Picture,
    Pits,
    PlainValue,
    Shape,
    Track,
)
from rulegame.wording import visible

SYMBOLS: Final = "XO#@%&$="  # of the players, where the ruleset has none
MARKS: Final = "*+^'"  # of places that another value is true of
SEATS: Final = ("#0b62a0", "#b8430b", "#1b7a4b", "#8a3f86", "#8a6100", "#4a4f57")
PAPER, EDGE, FIELD, FRESH = "#fffdf8", "#cfc9ba", "#f3eee1", "#ffe08a"
INK, DIM = "#1c1c1c", "#625c4e"
DARK, WOOD, FRAME, BLANK = "#d9c7a3", "#e8c98a", "#424b58", "#f4f5f7"
WON: Final = "#d99a00"
FIGURES: Final = dict(zip("kqrbnp", "♚♛♜♝♞♟", strict=True))
RED_INK: Final = "#b3261e"
TINTS: Final = (
    "#c0392b", "#e0b000", "#2e8b57", "#2d6cb5", "#8e44ad", "#d9772b", "#26a2a2", "#7a5230",
    "#d46a9f",
)  # fmt: skip

ROOM: Final = 640  # pixels, for what stands beside each other
AROUND: Final = 14
GAP: Final = 10
BLANKS: Final = (".", "·")  # that a ruleset has for empty places
LINE: Final = 22  # of text
LETTER: Final = 8.7  # pixels of one, at least as wide as it is drawn
BROAD: Final = frozenset("mwMW@%")  # letters that need more room than others
LONGEST: Final = 40  # letters of a name or a value
LONGEST_IN_PLACE: Final = 8
MOST_PIECES: Final = 240  # of a row or a hand
MOST_PIPS: Final = 20  # in a heap that is drawn one by one
PLACE: Final = 34  # pixels of a place of a board, if there is room
LEAST_PLACE: Final = 14
BAR: Final = 140
PIPS: Final = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


def picture_svg(picture: Picture) -> str:
    """The picture as an SVG document that can also stand inside a page."""
    drawn = _Sheet(picture).drawn()
    wide, high = drawn.wide + 2 * AROUND, drawn.high + 2 * AROUND
    size = f'width="{_n(wide)}" height="{_n(high)}" viewBox="0 0 {_n(wide)} {_n(high)}"'
    font = 'font-family="system-ui, sans-serif" font-size="14"'
    paper = f'rx="8" fill="{PAPER}" stroke="{EDGE}"'
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {font}>',
            f"<title>{_safe(_title(picture))}</title>",
            f'<rect x="0.5" y="0.5" width="{_n(wide - 1)}" height="{_n(high - 1)}" {paper}/>',
            _moved(drawn, AROUND, AROUND),
            "</svg>",
        )
    )


def _title(picture: Picture) -> str:
    when = "game over" if picture.result else f"turn {picture.number}" if picture.number else ""
    return " · ".join(part for part in (_clipped(picture.title), when) if part)


# ---- what drawings are made of


class _Box(NamedTuple):
    """Something drawn, from (0, 0) on."""

    wide: float
    high: float
    content: str = ""


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _safe(text: str) -> str:
    return escape(visible(text))


def _clipped(text: str, most: int = LONGEST) -> str:
    shown = visible(" ".join(text.split()))
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def _width(text: str) -> float:
    return LETTER * sum(
        2 if east_asian_width(letter) in "WF" else 1.5 if letter in BROAD else 1 for letter in text
    )


def _text(text: str, colour: str = INK, bold: bool = False, most: int = LONGEST) -> _Box:
    """One line."""
    shown = _clipped(text, most)
    weight = ' font-weight="bold"' if bold else ""
    drawn = f'<text y="16" fill="{colour}"{weight}>{escape(shown)}</text>'
    return _Box(_width(shown) * (1.08 if bold else 1), LINE, drawn)


def _centred(text: str, x: float, y: float, size: float, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y + size * 0.36)}" font-size="{_n(size)}" fill="{colour}"'
        f'{weight} text-anchor="middle">{escape(text)}</text>'
    )


def _moved(box: _Box, x: float, y: float) -> str:
    return f'<g transform="translate({_n(x)} {_n(y)})">{box.content}</g>' if box.content else ""


def _column(boxes: Iterable[_Box], gap: float = 0) -> _Box:
    """One below the other."""
    wide, y, out = 0.0, 0.0, list[str]()
    for box in boxes:
        if box.high:
            y += gap if out else 0
            out.append(_moved(box, 0, y))
            wide, y = max(wide, box.wide), y + box.high
    return _Box(wide, y, "".join(out))


def _row(boxes: Iterable[_Box], gap: float = GAP, room: float = ROOM) -> _Box:
    """Beside each other, in as many lines as it takes."""
    lines: list[list[_Box]] = [[]]
    taken = 0.0
    for box in boxes:
        if lines[-1] and taken + gap + box.wide > room:
            lines.append([])
            taken = 0.0
        taken += box.wide + (gap if lines[-1] else 0)
        lines[-1].append(box)
    return _column((_line(line, gap) for line in lines if line), 4)


def _line(boxes: Sequence[_Box], gap: float) -> _Box:
    high, x, out = max(box.high for box in boxes), 0.0, list[str]()
    for box in boxes:
        out.append(_moved(box, x, (high - box.high) / 2))
        x += box.wide + gap
    return _Box(x - gap, high, "".join(out))


# ---- the sheet


class _Sheet:
    """One picture while it is drawn."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def drawn(self) -> _Box:
        small, large = self._of_players()
        shared = [shape for shape in self._picture.shapes if shape.caption.owner is None]
        facts = [shape for shape in shared if isinstance(shape, PlainValue | HiddenValue | Die)]
        return _column(
            (
                _text(_title(self._picture), bold=True, most=LONGEST + 20),
                _column((self._player(seat, small[seat]) for seat in range(len(small))), 4),
                *map(self._shape, large),
                *(self._shape(shape) for shape in shared if shape not in facts),
                _row(map(self._shape, facts), 2 * GAP),
                *self._last(),
            ),
            GAP,
        )

    def _of_players(self) -> tuple[list[list[Shape]], list[Shape]]:
        """What fits beside the name of each player, and what does not."""
        small: list[list[Shape]] = [[] for _ in self._picture.players]
        large: list[Shape] = []
        for shape in self._picture.shapes:
            owner = shape.caption.owner
            if owner is None:
                continue
            if isinstance(shape, DrawnBoard | Graph | Heaps | Track):
                large.append(shape)
            else:
                small[owner].append(shape)
        return small, large

    def _sign(self, seat: int) -> str:
        own = self._picture.signs[seat]
        return own or (SYMBOLS[seat] if seat < len(SYMBOLS) else str((seat + 1) % 10))

    def _player(self, seat: int, shapes: Sequence[Shape]) -> _Box:
        picture, colour = self._picture, SEATS[seat % len(SEATS)]
        mark = "★" if seat in picture.winners else "▶" if seat == picture.turn else ""
        middle = LINE / 2
        form = picture.form or next(iter(_forms(picture)), "")
        drawn = self._piece_of(seat, form, middle, middle, 9)
        token = _Box(LINE, LINE, drawn)
        name = _text(picture.players[seat], colour, bold=True)
        head = _line([_Box(16, LINE, _text(mark, colour).content), token, name], 6)
        taken = picture.captured[seat] if seat < len(picture.captured) else 0
        boxes = [head, *([_text(f"took {taken}", DIM)] if taken else [])]
        return _row([*boxes, *map(self._shape, shapes)], 2 * GAP)

    def _token(self, seat: int, x: float, y: float, radius: float) -> str:
        """The counter of a player: told by its sign, and by its colour."""
        colour = SEATS[seat % len(SEATS)]
        disc = f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{colour}"/>'
        sign = _clipped(self._sign(seat), 3)
        return disc + _centred(sign, x, y, radius * 1.2 / max(1, len(sign) * 0.7), "#fff", True)

    def _piece_of(self, seat: int, form: Form, x: float, y: float, radius: float) -> str:
        """A piece of a player: black and white stones, men with a ring, kings with a crown, or a
        counter with the sign of the player.
        """
        at = f'cx="{_n(x)}" cy="{_n(y)}"'
        if form == "stone" and seat < 2:
            fill = "#222" if seat == 0 else "#fdfdfd"
            return f'<circle {at} r="{_n(radius)}" fill="{fill}" stroke="#222"/>'
        if form not in ("man", "king"):
            return self._token(seat, x, y, radius)
        colour = SEATS[seat % len(SEATS)]
        disc = f'<circle {at} r="{_n(radius)}" fill="{colour}" stroke="{INK}" stroke-width="0.7"/>'
        if form == "king":
            points = ((-6, 4), (-6.5, -4), (-3, 0), (0, -6), (3, 0), (6.5, -4), (6, 4))
            crown = " ".join(
                f"{_n(x + a * radius / 11)},{_n(y + b * radius / 11)}" for a, b in points
            )
            return f'{disc}<polygon points="{crown}" fill="#fff"/>'
        rings = (0.72, 0.4) if seat % 2 else (0.72,)
        return disc + "".join(
            f'<circle {at} r="{_n(radius * part)}" fill="none" stroke="#fff" stroke-width="1.3"/>'
            for part in rings
        )

    def _last(self) -> Iterator[_Box]:
        for seat, text in self._picture.last:
            who = _text(self._picture.players[seat], SEATS[seat % len(SEATS)])
            yield _row([_text("last", DIM), who, _text(text, most=2 * LONGEST)], 8)

    # ---- values

    def _shape(self, shape: Shape) -> _Box:
        match shape:
            case DrawnBoard():
                return self._titled(shape, self._board(shape))
            case Heaps():
                return self._titled(shape, _heaps(shape))
            case Graph():
                return self._titled(shape, self._graph(shape))
            case Pits():
                return self._pits(shape)
            case History():
                return self._titled(shape, self._history(shape))
            case Track(pieces=pieces, labels=labels):
                return self._titled(shape, self._places(pieces, labels))
            case Drawing(lines=lines):
                return _column(map(_as_written, lines))
        label = _text(shape.caption.label, DIM)
        match shape:
            case Bar():
                return _bar(shape, label)
            case Hand(pieces=pieces):
                cards = [self._card(piece) for piece in pieces[:MOST_PIECES]]
                return _row([label, *(cards or [_text("–")]), *_more(pieces)], 5)
            case Die(piece=piece, pips=pips):
                return _line([label, _die(pips) if pips in PIPS else self._card(piece)], 6)
            case PlainValue(piece=piece):
                return _line([label, self._value(piece)], 6)
        return _line([label, _text("hidden", DIM)], 6)

    def _titled(self, shape: Shape, drawn: _Box) -> _Box:
        """With the name of the value above it; a board that is alone needs none."""
        owner = shape.caption.owner
        kinds = DrawnBoard | Graph
        boards = [one for one in self._picture.shapes if isinstance(one, kinds)]
        if boards == [shape]:
            return drawn
        title = [_text(shape.caption.label, DIM)]
        if owner is not None:
            title.append(_text(self._picture.players[owner], SEATS[owner % len(SEATS)]))
        return _column((_row(title, 8), drawn), 2)

    def _value(self, piece: DrawnPiece) -> _Box:
        colour = _ink(piece) if piece.seat is None else SEATS[piece.seat % len(SEATS)]
        text = _text(piece.symbol or piece.text or "–", colour, piece.changed)
        return _fresh(text) if piece.changed else text

    def _card(self, piece: DrawnPiece) -> _Box:
        text = _clipped(piece.symbol or piece.text or "–", 12)
        wide = max(20.0, _width(text) + 8)
        frame = f'<rect width="{_n(wide)}" height="26" rx="4" fill="#fff" stroke="{EDGE}"/>'
        if piece.tint is not None:
            return _Box(26, 26, _peg(piece, 13, 13, 11))
        return _Box(wide, 26, frame + _centred(text, wide / 2, 13, 14, _ink(piece), True))

    def _places(self, pieces: Sequence[DrawnPiece], labels: Sequence[str]) -> _Box:
        """Places in a row, below their labels or numbers."""
        drawn = []
        for number, piece in enumerate(pieces[:MOST_PIECES], 1):
            label = _clipped(labels[number - 1], 12) if labels else str(number)
            wide = max(24.0, 10 + _width(self._words(piece, 12)), 6 + _width(label))
            place = _Box(wide, 26, self._place(piece, 0, 0, wide, 26, 12))
            head = _centred(label, wide / 2, 7, 10, DIM)
            drawn.append(_column((_Box(wide, 14, head), place)))
        return _row([*drawn, *_more(pieces)], 2)

    def _words(self, piece: DrawnPiece, most: int) -> str:
        if piece.symbol or piece.seat is None:
            return _clipped(piece.symbol or piece.text, most)
        return self._sign(piece.seat)

    def _place(
        self, piece: DrawnPiece, x: float, y: float, wide: float, high: float, most: int
    ) -> str:
        fill = FRESH if piece.changed else FIELD
        box = f'x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}"'
        frame = f'<rect {box} fill="{fill}" stroke="{EDGE}"/>'
        return frame + self._inside(piece, x + wide / 2, y + high / 2, wide, high, most)

    def _inside(
        self, piece: DrawnPiece, x: float, y: float, wide: float, high: float, most: int
    ) -> str:
        """What lies in a place."""
        if piece.seat is not None and (piece.form or not piece.symbol):
            radius = 0.4 * min(wide, high)
            drawn = self._piece_of(piece.seat, piece.form, x, y, radius)
            return drawn + (_ring(x, y, radius) if piece.won else "")
        if piece.tint is not None:
            return _peg(piece, x, y, 0.4 * min(wide, high))
        if piece.form == "chess":
            return _figure(piece, x, y, 0.8 * min(wide, high))
        if piece.pips is not None:
            die = _die(piece.pips)
            at = f"{_n(x - die.wide / 2)} {_n(y - die.high / 2)}"
            return f'<g transform="translate({at})">{die.content}</g>'
        text = self._words(piece, most)
        ring = _ring(x, y, 0.42 * min(wide, high)) if piece.won else ""
        if not text or (not piece.text and text in BLANKS):
            return ""
        colour = _ink(piece) if piece.seat is None else SEATS[piece.seat % len(SEATS)]
        size = min(0.55 * high, 1.6 * wide / max(1.0, _width(text) / LETTER))
        return ring + _centred(text, x, y, size, colour, piece.seat is not None)

    # ---- boards

    def _board(self, board: DrawnBoard) -> _Box:
        columns, rows = len(board.rows[0]), len(board.rows)
        words = max(len(self._words(p, LONGEST_IN_PLACE)) for row in board.rows for p in row)
        across = columns + (rows / 2 if board.hexagons else 0)
        high = max(LEAST_PLACE, min(PLACE, ROOM / across))
        wide = high if board.hexagons else min(max(high, 9.0 * words), max(high, ROOM / columns))
        pitch = high * 0.87 if board.hexagons else high
        upright = board.ground == "upright"
        names = [""] * rows if upright else board.row_names
        left = 10 + 8.0 * max(map(len, names))
        size = min(12, 0.6 * high)
        shift = wide / 2 if board.hexagons else 0
        out = [
            _centred(name, left + (k + 0.5) * wide, 8, size, DIM)
            for k, name in enumerate(board.column_names)
        ]
        out += self._sides(board, left, 18, wide, high, pitch)
        for r, row in enumerate(board.rows):
            x, y = left + r * shift, 18 + r * pitch
            out.append(
                _centred(
                    names[r], x - left / 2 - (8 if board.sides else 0), y + high / 2, size, DIM
                )
            )
            for k, piece in enumerate(row):
                draw: Callable[..., str] = self._hexagon if board.hexagons else self._place
                if not board.hexagons and board.ground != "plain":
                    out.append(_ground(board, r, k, piece, x + k * wide, y, wide, high))
                    draw = self._bare
                out.append(draw(piece, x + k * wide, y, wide, high, LONGEST_IN_PLACE))
                number = board.numbers[r * columns + k] if board.numbers else 0
                if number and not piece.text:
                    middle = x + (k + 0.5) * wide, y + high / 2
                    out.append(_centred(str(number), *middle, 0.75 * size, DIM))
                out.append(_marks(board, piece, x + (k + 1) * wide, y, high))
        edge = 4 if board.sides else 2
        far = left + columns * wide + rows * shift + edge
        drawn = _Box(far, 18 + (rows - 1) * pitch + high + edge, "".join(out))
        return _column((drawn, *_legend(board)), 2)

    def _bare(
        self, piece: DrawnPiece, x: float, y: float, wide: float, high: float, most: int
    ) -> str:
        """What lies in a place whose ground is drawn already."""
        return self._inside(piece, x + wide / 2, y + high / 2, wide, high, most)

    def _sides(
        self, board: DrawnBoard, x: float, y: float, wide: float, high: float, pitch: float
    ) -> Iterator[str]:
        """The sides of a board in the colours of their owners."""
        if len(board.sides) != 2:
            return
        rows, columns = len(board.rows), len(board.rows[0])
        shift = wide / 2 * (rows - 1) * board.hexagons
        corner = high * 0.29 if board.hexagons else 0
        top, low = y + corner / 2, y + (rows - 1) * pitch + high - corner / 2
        right = x + columns * wide
        colours = [SEATS[seat % len(SEATS)] for seat in board.sides]
        ends = (
            (x, top, right, top, colours[0]),
            (x + shift, low, right + shift, low, colours[0]),
            (x, top, x + shift, low, colours[1]),
            (right, top, right + shift, low, colours[1]),
        )
        for x1, y1, x2, y2, colour in ends:
            line = f'x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"'
            yield f'<line {line} stroke="{colour}" stroke-width="{_n(0.4 * high)}"/>'

    # ---- points and pits

    def _graph(self, graph: Graph) -> _Box:
        """Points with lines between them, and their names beside those that are empty."""
        across = max(x for x, _ in graph.points)
        down = max(y for _, y in graph.points)
        pitch = max(20.0, min(46.0, ROOM / (across + 1)))
        radius = 0.36 * pitch
        at = [(pitch * (x + 0.5), pitch * (y + 0.5)) for x, y in graph.points]
        out = [
            f'<line x1="{_n(at[a][0])}" y1="{_n(at[a][1])}" x2="{_n(at[b][0])}" '
            f'y2="{_n(at[b][1])}" stroke="{DIM}" stroke-width="2"/>'
            for a, b in graph.lines
        ]
        for (x, y), piece, name in zip(at, graph.pieces, graph.names, strict=True):
            fill, size = (FRESH, radius) if piece.changed else (PAPER, 0.6 * radius)
            size = 1.25 * radius if piece.changed and piece.text else size
            out.append(
                f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(size)}" fill="{fill}" stroke="{DIM}"/>'
            )
            if piece.text:
                out.append(self._inside(piece, x, y, 2 * radius, 2 * radius, LONGEST_IN_PLACE))
            else:
                out.append(_centred(_clipped(name, 4), x, y, 0.62 * radius, DIM))
        return _Box(pitch * (across + 1), pitch * (down + 1), "".join(out))

    def _pits(self, pits: Pits) -> _Box:
        """The pits of two players face one another, with their stores beside them."""
        facing = len(pits.counts) == 2
        seats = (1, 0) if facing else range(len(pits.counts))
        rows = []
        for seat in seats:
            order = range(len(pits.counts[seat]))
            places = []
            for number in reversed(order) if facing and seat else order:
                pit = _pit(pits.counts[seat][number], seat, pits.changed[seat][number])
                places.append(_Box(pit.wide, pit.high + 14, self._numbered(pit, number + 1, seat)))
            rows.append(_line(places, 4))
            if pits.stores and not facing:
                rows[-1] = _line([rows[-1], _pit(pits.stores[seat], seat, False)], 10)
        board = _column(rows, 4)
        if facing and pits.stores:
            board = _line(
                [_pit(pits.stores[1], 1, False), board, _pit(pits.stores[0], 0, False)], 8
            )
        return board

    def _history(self, history: History) -> _Box:
        """A line for each earlier move, with what came of it."""
        lines = []
        for row in history.rows:
            boxes = [_text(str(row.move), DIM)]
            boxes += [_text(text, SEATS[seat % len(SEATS)]) for seat, text in row.moves]
            draw = self._value if row.moves else self._card
            boxes += map(draw, row.pieces)
            for label, piece in row.results:
                boxes.append(_line([_text(label, DIM), self._value(piece)], 4))
            lines.append(_line(boxes, 6))
        return _column(lines, 2)

    def _numbered(self, pit: _Box, number: int, seat: int) -> str:
        """A pit with its number on the outer side."""
        above = len(self._picture.players) == 2 and seat == 1
        head = _centred(str(number), pit.wide / 2, 7 if above else pit.high + 7, 10, DIM)
        return head + _moved(pit, 0, 14 if above else 0)

    def _hexagon(
        self, piece: DrawnPiece, x: float, y: float, wide: float, high: float, most: int
    ) -> str:
        half, side = wide / 2, high * 0.29
        corners = (
            (half, 0), (wide, side), (wide, high - side), (half, high), (0, high - side), (0, side),
        )  # fmt: skip
        points = " ".join(f"{_n(x + dx)},{_n(y + dy)}" for dx, dy in corners)
        fill = FRESH if piece.changed else FIELD
        frame = f'<polygon points="{points}" fill="{fill}" stroke="{EDGE}"/>'
        return frame + self._inside(piece, x + half, y + high / 2, 0.85 * wide, 0.85 * high, most)


def _ground(
    board: DrawnBoard,
    r: int,
    k: int,
    piece: DrawnPiece,
    x: float,
    y: float,
    wide: float,
    high: float,
) -> str:
    """The place of a board without what lies there."""
    box = f'x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}"'
    middle, centre = x + wide / 2, y + high / 2
    if board.ground == "upright":
        hole, size = (FRESH, 0.5) if piece.changed else (BLANK, 0.43)
        at = f'cx="{_n(middle)}" cy="{_n(centre)}"'
        disc = f'<circle {at} r="{_n(size * high)}" fill="{hole}"/>'
        return f'<rect {box} fill="{FRAME}"/>{disc}'
    if board.ground == "chequered":
        fill = FRESH if piece.changed else DARK if (r + k) % 2 else PAPER
        return f'<rect {box} fill="{fill}" stroke="{EDGE}"/>'
    rows, columns = len(board.rows), len(board.rows[0])
    left, right = (middle if k == 0 else x), (middle if k == columns - 1 else x + wide)
    top, low = (centre if r == 0 else y), (centre if r == rows - 1 else y + high)
    fresh = ""
    if piece.changed:
        at = f'cx="{_n(middle)}" cy="{_n(centre)}"'
        fresh = f'<circle {at} r="{_n(0.49 * high)}" fill="{FRESH}"/>'
    lines = (
        f"M{_n(left)} {_n(centre)}L{_n(right)} {_n(centre)}M{_n(middle)} {_n(top)}"
        f"L{_n(middle)} {_n(low)}"
    )
    return f'<rect {box} fill="{WOOD}"/><path d="{lines}" stroke="{INK}" fill="none"/>{fresh}'


def _marks(board: DrawnBoard, piece: DrawnPiece, x: float, y: float, high: float) -> str:
    found = [_mark(board, k) for k, mark in enumerate(board.marks) if mark in piece.marks]
    return _centred("".join(found), x - 6, y + 7, 0.4 * high, INK, True) if found else ""


def _mark(board: DrawnBoard, number: int) -> str:
    """The sign of a mark: as the ruleset declares it, or one of a few."""
    declared = board.mark_signs[number] if number < len(board.mark_signs) else ""
    return declared or MARKS[number % len(MARKS)]


def _legend(board: DrawnBoard) -> Iterator[_Box]:
    used = {mark for row in board.rows for piece in row for mark in piece.marks}
    for number, mark in enumerate(board.marks):
        if mark in used:
            sign = _text(_mark(board, number), INK, bold=True)
            yield _line([sign, _text(mark, DIM)], 4)


# ---- single things


def _as_written(line: str) -> _Box:
    """A line in which each letter has its place."""
    shown = visible(line)
    look = f'y="14" fill="{INK}" font-family="monospace" xml:space="preserve"'
    return _Box(_width(shown), 18, f"<text {look}>{escape(shown)}</text>")


def _fresh(box: _Box) -> _Box:
    """On a ground that says that the last move has changed it."""
    ground = f'<rect x="-3" width="{_n(box.wide + 6)}" height="{LINE}" rx="3" fill="{FRESH}"/>'
    return _Box(box.wide, box.high, ground + box.content)


def _more(pieces: Sequence[DrawnPiece]) -> list[_Box]:
    left = len(pieces) - MOST_PIECES
    return [_text(f"… and {left:,} more", DIM)] if left > 0 else []


def _bar(bar: Bar, label: _Box) -> _Box:
    low, high = sorted((bar.start, bar.goal))
    done = max(0.0, min(1.0, (bar.value - low) / (high - low))) * BAR
    colour = INK if bar.caption.owner is None else SEATS[bar.caption.owner % len(SEATS)]
    frame = f'y="5" height="12" rx="3" fill="{FIELD}" stroke="{EDGE}"'
    filled = f'<rect y="5" width="{_n(done)}" height="12" rx="3" fill="{colour}"/>' if done else ""
    drawn = _Box(BAR, LINE, f'<rect width="{BAR}" {frame}/>{filled}')
    value = _text(str(bar.value), bold=bar.changed)
    value = _fresh(value) if bar.changed else value
    return _line([label, value, drawn, _text(str(high), DIM)], 6)


def _forms(picture: Picture) -> Iterator[Form]:
    """What the pieces of players look like on the boards of a picture."""
    for shape in picture.shapes:
        if isinstance(shape, DrawnBoard):
            pieces = [piece for row in shape.rows for piece in row]
            yield from (piece.form for piece in pieces if piece.form not in ("", "king"))


def _ink(piece: DrawnPiece) -> str:
    """The colour of what is written: that of the suit, of a card."""
    return RED_INK if piece.symbol.startswith(("♥", "♦")) else INK


def _peg(piece: DrawnPiece, x: float, y: float, radius: float) -> str:
    """A peg or a token in its colour, with what it is called."""
    colour = TINTS[(piece.tint or 0) % len(TINTS)]
    at = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"'
    disc = f'<circle {at} fill="{colour}" stroke="{INK}" stroke-width="0.7"/>'
    text = _clipped(piece.symbol or piece.text, 3)
    return disc + _centred(text, x, y, radius * 1.1 / max(1, len(text) * 0.7), "#fff", True)


def _ring(x: float, y: float, radius: float) -> str:
    """What marks a piece that has won."""
    at = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius + 1)}"'
    return f'<circle {at} fill="none" stroke="{WON}" stroke-width="4"/>'


def _figure(piece: DrawnPiece, x: float, y: float, size: float) -> str:
    """A chess piece, white or black."""
    white = piece.symbol.isupper()
    look = f'fill="{"#fff" if white else "#111"}" stroke="{"#111" if white else "#fff"}"'
    figure = FIGURES[piece.symbol.lower()]
    at = f'x="{_n(x)}" y="{_n(y + size * 0.36)}" font-size="{_n(size)}" text-anchor="middle"'
    return f'<text {at} {look} stroke-width="0.8">{figure}\ufe0e</text>'


def _pit(count: int, seat: int, changed: bool) -> _Box:
    """A hollow with its seeds, and how many there are."""
    colour, fill = SEATS[seat % len(SEATS)], FRESH if changed else FIELD
    hollow = f'<rect width="40" height="40" rx="18" fill="{fill}" stroke="{colour}"/>'
    return _Box(40, 40, hollow + _centred(str(count), 20, 20, 17, INK, True))


def _die(pips: int | None) -> _Box:
    frame = f'<rect width="26" height="26" rx="5" fill="#fff" stroke="{INK}"/>'
    dots = (
        f'<circle cx="{7 + 6 * x}" cy="{7 + 6 * y}" r="2.3" fill="{INK}"/>'
        for x, y in PIPS[pips or 1]
    )
    return _Box(26, 26, frame + "".join(dots))


def _heaps(heaps: Heaps) -> _Box:
    """Each heap on a line of its own, counted out where it is small."""
    rows = []
    pairs = list(zip(heaps.counts, heaps.changed, strict=True))
    for number, (count, changed) in enumerate(pairs[:MOST_PIECES], 1):
        drawn = min(count, MOST_PIPS) if count <= MOST_PIPS else 0
        dots = "".join(
            f'<circle cx="{7 + 15 * k}" cy="11" r="5.5" fill="{INK}"/>' for k in range(drawn)
        )
        pips = _Box(15.0 * drawn, LINE, dots)
        amount = _text(str(count), INK if changed else DIM, changed)
        amount = _fresh(amount) if changed else amount
        label = heaps.labels[number - 1] if heaps.labels else str(number)
        rows.append(_line([_text(label, DIM), pips, amount], 8))
    left = len(pairs) - MOST_PIECES
    return _column([*rows, *([_text(f"… and {left:,} more", DIM)] if left > 0 else [])])
