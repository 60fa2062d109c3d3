"""Pictures of positions as lines of a terminal: boards, bars, heaps, hands and dice, drawn by rich.
Only games at a terminal import this.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import Final

from rich import box
from rich.cells import cell_len
from rich.console import Console, Group
from rich.panel import Panel
from rich.text import Text

from rulegame.drawing.pictures import (
    Bar,
    Caption,
    Die,
    Drawing,
    DrawnBoard,
    DrawnPiece,
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
from rulegame_cli.printing.terminal import Terminal, columns, one_line, rows, visible

SYMBOLS: Final = "XO#@%&$="  # of the players on a board, as far as they go
MARKS: Final = "*+^'"  # of places that another value is true of
ROUND: Final = "●○■□▲△◆◇"  # discs, stones and men of the players, as far as they go
FIGURES: Final = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
CROWNED: Final = "♚♔"
RED: Final = ("♥", "♦")
SPELT: Final = {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "✓": "x"}  # in plain letters
TINTS: Final = ("red", "yellow", "green", "blue", "magenta", "cyan", "white")
TALLEST_GRAPH: Final = 7  # rows of points with a line of the terminal between them
SEATS: Final = ("bold cyan", "bold magenta", "bold yellow", "bold green", "bold blue", "bold red")
MOST_FRAMED: Final = 5  # rows of a board that has lines between its places
MOST_PIPS: Final = 20  # in a heap that is drawn one by one
MOST_HEAPS: Final = 8
WIDEST_BAR: Final = 30
LONGEST_WORD: Final = 8  # in a place of a board
FRAME: Final = 4  # columns
LAST: Final = "last move: "
HANGING: Final = 2  # columns by which what goes on from a line stands further in
GAP: Final = 3  # columns between a board and what stands beside it


LEAST_EARLIER: Final = 3  # rows of a history, the last ones
AROUND_EARLIER: Final = 12  # lines of the rest of a picture


LARGE: Final = (DrawnBoard, Graph, Heaps, Track, History)  # that take more than a line


@dataclass(frozen=True, slots=True)
class Canvas:
    """How a terminal can be drawn on."""

    width: int = 80
    colour: bool = True
    unicode: bool = True
    encoding: str = "utf-8"
    notes: Mapping[int, str] = field(default_factory=dict)  # what is said behind a player's name
    height: int | None = None  # lines of the screen for it; None: there is no end to them

    def printable(self, text: str) -> str:
        """A text on one line, with nothing that the terminal cannot show."""
        return self.encoded(one_line(text))

    def encoded(self, line: str) -> str:
        """A line in which blanks count, with nothing that the terminal cannot show."""
        return visible(line).encode(self.encoding, "backslashreplace").decode(self.encoding)

    def either(self, wished: str, otherwise: str) -> str:
        """A sign, or what stands for it where there are only plain letters."""
        return wished if self.unicode else otherwise


def canvas_of(terminal: Terminal, notes: Mapping[int, str], taken: int = 0) -> Canvas:
    """What can be drawn on a terminal, of which some lines are taken."""
    encoding = sys.stdout.encoding or "ascii"
    return Canvas(
        width=columns(sys.stdout),
        height=max(1, rows(sys.stdout) - taken),
        colour=terminal.colour,
        unicode=encoding.lower().replace("-", "").startswith("utf"),
        encoding=encoding,
        notes=notes,
    )


def picture_text(picture: Picture, canvas: Canvas) -> str:
    """The lines of a picture, each ended, none wider than the terminal."""
    return _printed([_fitted(picture, canvas)], canvas)


def _printed(parts: Iterable[Panel | Text], canvas: Canvas) -> str:
    out = StringIO()
    console = Console(
        file=out,
        width=canvas.width,
        force_terminal=canvas.colour,
        color_system="standard" if canvas.colour else None,
        no_color=not canvas.colour,
        legacy_windows=False,
        safe_box=False,
        markup=False,
        emoji=False,
        highlight=False,
    )
    for part in parts:
        console.print(part)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def _fitted(picture: Picture, canvas: Canvas) -> Panel | Text:
    """The picture as it fits on the screen: where it is too tall, without lines between the rows of
    its boards; where it still is, without a frame.
    """
    panel: Panel | Text = Text()
    for low, frame in ((False, FRAME), (True, FRAME), (True, 0)):
        room = max(8, canvas.width - frame)
        sheet = _Sheet(picture, canvas, room, low)
        lines = [line for long in sheet.lines() for line in _hung(long, room)]
        panel = _framed(lines, _title(picture, canvas), canvas, room, frame)
        high = len(lines) + (2 if frame else 1)
        if canvas.height is None or high <= canvas.height:
            break
    return panel


def _title(picture: Picture, canvas: Canvas) -> str:
    """The name of the game, where there is room for it, and the number of the turn."""
    when = "game over" if picture.result else f"turn {picture.number}" if picture.number else ""
    dot = canvas.either(" · ", ", ")
    title = dot.join(part for part in (canvas.printable(picture.title), when) if part)
    return title if cell_len(title) <= canvas.width - FRAME - 2 else when


def _framed(
    lines: Sequence[Text], title: str, canvas: Canvas, room: int, frame: int
) -> Panel | Text:
    """Lines in a frame, or below a title."""
    if not frame:
        dash = canvas.either("─", "-")
        head = Text(f"{dash} ", "dim").append(title, "bold") if title else Text(dash, "dim")
        return Text("\n").join([head, *lines])
    wide = max([cell_len(title) + 2, *(min(line.cell_len, room) for line in lines)])
    return Panel(
        Group(*lines),
        title=Text(title, "bold") if title else None,
        title_align="left",
        box=box.ROUNDED if canvas.unicode else box.ASCII,
        border_style="dim",
        width=min(canvas.width, wide + FRAME),
        padding=(0, 1),
    )


class _Sheet:
    """One picture while it is drawn."""

    def __init__(self, picture: Picture, canvas: Canvas, room: int, low: bool) -> None:
        self._picture, self._canvas = picture, canvas
        self._room, self._low = room, low  # columns; as few lines as possible
        self._shapes = tuple(self._fitting(picture.shapes))
        self._labels = [self._name(seat) for seat in range(len(picture.players))]

    def _fitting(self, shapes: Iterable[Shape]) -> Iterator[Shape]:
        """The shapes, with others instead of drawings that are too wide."""
        for shape in shapes:
            if isinstance(shape, Drawing) and max(map(cell_len, shape.lines)) > self._room:
                yield from shape.instead
            else:
                yield shape

    def lines(self) -> list[Text]:
        """The one board, if there is one, with the rest beside it where there is room."""
        kinds = DrawnBoard | Drawing | Graph | Pits
        boards = [shape for shape in self._shapes if isinstance(shape, kinds)]
        if len(boards) != 1 or boards[0].caption.owner is not None:
            return [*self._in_order()]
        board = [*self._shared(boards[0])]
        rest = [*self._players(), *self._in_order(boards, players=False)]
        wide = max(line.cell_len for line in board)
        rest = rest or [Text()]
        if wide + GAP + max(line.cell_len for line in rest) > self._room:
            return [*rest[: len(self._labels)], *board, *rest[len(self._labels) :]]
        above = max(0, (len(board) - len(rest)) // 2)
        beside = [Text()] * above + rest + [Text()] * (len(board) - len(rest) - above)
        board += [Text()] * (len(rest) - len(board))
        return [
            _padded(left, wide + GAP).append_text(right)
            for left, right in zip(board, beside, strict=True)
        ]

    def _in_order(self, drawn: Sequence[Shape] = (), players: bool = True) -> Iterator[Text]:
        """Everything, but what is drawn elsewhere."""
        if players:
            yield from self._players()
        blocks: list[list[Text]] = []
        for shapes in self._by_value():
            if shapes[0] in drawn:
                continue
            if shapes[0].caption.owner is None:
                blocks.append([*self._shared(shapes[0])])
            elif isinstance(shapes[0], LARGE) or isinstance(shapes[-1], LARGE):
                blocks.append([*self._of_each(shapes)])
        yield from self._side_by_side([block for block in blocks if block])
        yield from self._facts()
        yield from self._last()

    def _side_by_side(self, blocks: Sequence[list[Text]]) -> list[Text]:
        """Values below one another or, where they take more than half of the screen, in columns of
        about the same height, as few as it takes and as many as there is room for.
        """
        found = [line for block in blocks for line in block]
        most = len(found) if self._canvas.height is None else self._canvas.height // 2
        count = 1
        while len(found) > most and count < len(blocks):
            count += 1
            columns = _packed(blocks, count)
            wide = [max(line.cell_len for line in column) for column in columns]
            if sum(wide) + GAP * (len(wide) - 1) > self._room:
                break
            found = [Text() for _ in range(max(map(len, columns)))]
            for number, column in enumerate(columns):
                left = sum(wide[:number]) + GAP * number
                for k, line in enumerate(column):
                    found[k] = _padded(found[k], left).append_text(line)
        return found

    # ---- who plays

    def _style(self, seat: int | None) -> str:
        return "" if seat is None else SEATS[seat % len(SEATS)]

    def _symbol(self, seat: int) -> str:
        if self._picture.signs[seat]:
            return self._canvas.printable(self._picture.signs[seat])
        if self._picture.form in ("disc", "stone", "man") and seat < len(ROUND):
            return self._canvas.either(ROUND[seat], SYMBOLS[seat].lower())
        return SYMBOLS[seat] if seat < len(SYMBOLS) else str((seat + 1) % 10)

    def _name(self, seat: int) -> Text:
        picture, canvas = self._picture, self._canvas
        mark = "  "
        if seat in picture.winners:
            mark = canvas.either("★ ", "* ")
        elif seat == picture.turn:
            mark = canvas.either("▶ ", "> ")
        line = Text(mark, self._style(seat))
        if self._has_pieces():
            line.append(f"{self._symbol(seat)} ", self._style(seat))
        line.append(canvas.printable(picture.players[seat]), self._style(seat))
        taken = picture.captured[seat] if seat < len(picture.captured) else 0
        if taken:
            line.append(f" took {taken}", "dim")
        note = canvas.notes.get(seat)
        if note:
            line.append(f" ({canvas.printable(note)})", "dim")
        return line

    def _has_pieces(self) -> bool:
        """Whether players have signs on a board."""
        if self._picture.has_pieces or any(self._picture.signs):
            return True
        pieces = (piece for shape in self._shapes for piece in _pieces(shape))
        return any(piece.seat is not None and not piece.symbol for piece in pieces)

    def _players(self) -> Iterator[Text]:
        """A line for each, with the values that fit on one; below the name where there is no room
        for them beside it.
        """
        columns = [
            [self._short(shape) for shape in shapes]
            for shapes in self._by_value()
            if shapes[0].caption.owner is not None
            and not any(isinstance(shape, LARGE) for shape in shapes)
        ]
        wide = [max(text.cell_len for text in column) for column in columns]
        names = max(label.cell_len for label in self._labels)
        beside = names + sum(w + 2 for w in wide) <= self._room
        for seat, label in enumerate(self._labels):
            parts = [column[seat] for column in columns]
            if beside:
                line = _padded(label, names)
                for part, width in zip(parts, wide, strict=True):
                    line.append("  ")
                    line.append_text(_padded(part, width))
                yield line
                continue
            yield label
            yield from (Text("    ").append_text(part) for part in parts)

    # ---- values

    def _by_value(self) -> Iterator[list[Shape]]:
        """The shapes of each value: one, or one for each player. What is neither small nor of one
        player stands where it is declared.
        """
        group: list[Shape] = []
        for shape in self._shapes:
            caption = shape.caption
            if group and (caption.owner in (None, 0) or caption.label != group[0].caption.label):
                yield group
                group = []
            group.append(shape)
        if group:
            yield group

    def _shared(self, shape: Shape) -> Iterator[Text]:
        match shape:
            case Bar():
                yield self._bar(shape)
            case DrawnBoard():
                yield from self._board(shape)
            case Heaps():
                yield from self._heaps(shape)
            case Track():
                yield self._title(shape.caption)
                yield from self._track([(Text(""), shape.pieces)], shape.labels)
            case Hand() if not _is_fact(shape):
                yield self._short(shape)
            case Graph():
                yield from self._graph(shape)
            case Pits():
                yield from self._pits(shape)
            case History():
                yield self._title(shape.caption)
                yield from self._history(shape)
            case Drawing(lines=lines):
                yield from (Text(self._canvas.encoded(line)) for line in lines)

    def _history(self, history: History) -> Iterator[Text]:
        """A line for each earlier move, with what came of it."""
        wide = len(str(history.rows[-1].move))
        high = self._canvas.height
        most = len(history.rows) if high is None else max(LEAST_EARLIER, high - AROUND_EARLIER)
        if len(history.rows) > most:
            yield Text(self._canvas.either("…", "..."), "dim")
        for row in history.rows[-most:]:
            line = Text(f"{row.move:>{wide}}  ", "dim")
            for number, (seat, text) in enumerate(row.moves):
                line.append(", " if number else " ", "dim")
                line.append(self._canvas.printable(text), self._style(seat))
            line.append(self._canvas.either(" →", " ->") if row.moves else "", "dim")
            for piece in row.pieces:
                sign = self._sign(piece, LONGEST_WORD)
                if row.moves:
                    line.append(" ").append_text(self._value(piece))
                else:
                    line.append(f" {sign}", self._look(piece))
            for label, piece in row.results:
                line.append(f"   {self._canvas.printable(label)} ", "dim")
                line.append_text(self._value(piece))
            yield line

    def _facts(self) -> Iterator[Text]:
        """The values of all that need no room of their own, one after the other."""
        facts: list[Text] = []
        rolled = ""  # what the last fact is, if it was rolled: a second one stands beside it
        for shape in self._shapes:
            if shape.caption.owner is not None or not _is_fact(shape):
                continue
            if isinstance(shape, Die) and shape.caption.label == rolled:
                facts[-1].append(self._face(shape), "bold")
            else:
                facts.append(self._short(shape))
            rolled = shape.caption.label if isinstance(shape, Die) else ""
        line = Text()
        for fact in facts:
            if line and line.cell_len + 3 + fact.cell_len > self._room:
                yield line
                line = Text()
            line.append("   " if line else "")
            line.append_text(fact)
        if line:
            yield line

    def _title(self, caption: Caption) -> Text:
        return Text(self._canvas.printable(caption.label), "dim")

    def _short(self, shape: Shape) -> Text:
        """A value on one line."""
        canvas, line = self._canvas, self._title(shape.caption)
        match shape:
            case Bar():
                return self._bar(shape)
            case Hand(pieces=pieces):
                line.append("" if pieces else f" {canvas.either('–', 'none')}", "bold")
                for piece in pieces:
                    style = f"bold {self._tint(piece)}".strip()
                    line.append(" ").append(f"[{self._sign(piece, 2 * LONGEST_WORD)}]", style)
            case Die():
                line.append(self._face(shape), "bold")
            case PlainValue(piece=piece):
                line.append(" ")
                line.append_text(self._value(piece))
            case HiddenValue():
                line.append(" hidden", "italic")
            case _:
                raise TypeError(f"{shape!r} takes more than a line")
        return line

    def _face(self, die: Die) -> str:
        """What has fallen: ` ⚂ 3`."""
        return self._with_face(die.piece._replace(pips=die.pips))

    def _with_face(self, piece: DrawnPiece) -> str:
        face = f"{chr(0x267F + piece.pips)} " if piece.pips and self._canvas.unicode else ""
        return f" {face}{self._canvas.printable(piece.text)}"

    def _value(self, piece: DrawnPiece) -> Text:
        text = self._canvas.printable(self._spelt(piece.symbol) or piece.text)
        text = text or self._canvas.either("–", "-")
        style = self._style(piece.seat) or self._tint(piece)
        return Text(text, f"{style}{' bold' * piece.changed}".strip())

    def _bar(self, bar: Bar) -> Text:
        """`score  5 ███░░░ 15`: filled as far as the number goes, be it on its way up or down."""
        line = self._title(bar.caption)
        low, high = sorted((bar.start, bar.goal))
        ends = [f"{bar.value:>{max(len(str(low)), len(str(high)))}}", str(high)]
        taken = line.cell_len + sum(map(len, ends)) + 3
        names = 0 if bar.caption.owner is None else max(t.cell_len for t in self._labels) + 2
        room = self._room - taken - (names if names + taken + 8 <= self._room else 4)
        wide = max(1, min(WIDEST_BAR, high - low, max(3, room)))
        done = max(0, min(wide, wide * (bar.value - low) // (high - low)))
        line.append(f" {ends[0]} ", "bold" if bar.changed else "")
        line.append(self._canvas.either("█", "#") * done, self._style(bar.caption.owner) or "bold")
        line.append(self._canvas.either("░", ".") * (wide - done), "dim")
        return line.append(f" {ends[1]}", "dim")

    # ---- heaps and rows

    def _heaps(self, heaps: Heaps) -> Iterator[Text]:
        most = max(heaps.counts, default=0)
        labels = heaps.labels or tuple(str(k + 1) for k in range(len(heaps.counts)))
        wide = max(map(cell_len, labels), default=1)
        fits = wide + 2 + most + 1 + len(str(most)) <= self._room
        yield self._title(heaps.caption)
        if most > MOST_PIPS or len(heaps.counts) > MOST_HEAPS or not fits:
            yield from self._track([(Text(""), _numbers(heaps))], heaps.labels)
            return
        pip = self._canvas.either("●", "o")
        for label, count, new in zip(labels, heaps.counts, heaps.changed, strict=True):
            line = Text(" " * (wide - cell_len(label)) + f"{label}  ", "dim")
            line.append(pip * count, "bold" if new else "")
            yield line.append(f" {count}" if count else "0", "dim")

    def _of_each(self, shapes: Sequence[Shape]) -> Iterator[Text]:
        """What each player has beside the line of the name."""
        yield self._title(shapes[0].caption)
        rows: list[tuple[Text, Sequence[DrawnPiece]]] = []
        labels: Sequence[str] = ()
        for shape in shapes:
            owner = shape.caption.owner
            assert owner is not None
            name = Text(self._canvas.printable(self._picture.players[owner]), self._style(owner))
            match shape:
                case DrawnBoard():
                    yield name
                    yield from self._board(shape, titled=False)
                case Graph():
                    yield name
                    yield from self._graph(shape)
                case History():
                    yield name
                    yield from self._history(shape)
                case Heaps():
                    rows.append((name, _numbers(shape)))
                    labels = shape.labels
                case Track(pieces=pieces):
                    rows.append((name, pieces))
                    labels = shape.labels
                case _:
                    yield name.append(" hidden", "italic")
        if rows:
            yield from self._track(rows, labels)

    def _track(
        self, rows: Sequence[tuple[Text, Sequence[DrawnPiece]]], labels: Sequence[str] = ()
    ) -> Iterator[Text]:
        """Places in rows below their labels or numbers, in as many bands as it takes."""
        texts = [[self._sign(piece, LONGEST_WORD) for piece in pieces] for _, pieces in rows]
        count = max(len(row) for row in texts)
        heads = [self._canvas.printable(label)[: 2 * LONGEST_WORD] for label in labels]
        heads = heads or [str(k + 1) for k in range(count)]
        wide = max(cell_len(text) for row in (heads, *texts) for text in row)
        names = max(name.cell_len for name, _ in rows)
        room = max(1, (self._room - names - (names > 0) - 1) // (wide + 2))
        for low in range(0, count, room):
            here = range(low, min(count, low + room))
            head = Text(" " * (names + (names > 0)))
            head.append("".join(f"{heads[k]:>{wide + 1}} " for k in here), "dim")
            yield head
            for (name, pieces), row in zip(rows, texts, strict=True):
                line = _padded(name, names + (names > 0))
                for k in here:
                    if k < len(row):
                        line.append_text(self._place(pieces[k], row[k], wide))
                yield line

    def _place(self, piece: DrawnPiece, sign: str, wide: int) -> Text:
        """A sign between its brackets, if the last move has put it there; those of pieces that have
        won are round.
        """
        gap = " " * (wide - cell_len(sign))
        left, right = _brackets(piece)
        return Text(gap + left).append(sign, self._look(piece)).append(right)

    def _look(self, piece: DrawnPiece) -> str:
        return self._style(piece.seat) or self._tint(piece)

    def _tint(self, piece: DrawnPiece) -> str:
        """The colour of what belongs to nobody: pegs, and cards of a red suit."""
        if piece.tint is not None:
            return f"bold {TINTS[piece.tint % len(TINTS)]}"
        return "red" if piece.symbol.startswith(RED) else ""

    def _spelt(self, symbol: str) -> str:
        """A symbol with letters for suits where the terminal has no signs for them."""
        if self._canvas.unicode:
            return symbol
        return "".join(SPELT.get(letter, letter) for letter in symbol)

    def _sign(self, piece: DrawnPiece, most: int) -> str:
        """What is drawn for a piece, at most so many letters of it."""
        if piece.form == "king" and piece.seat is not None:
            return self._king(piece)
        if piece.form == "chess":
            return self._canvas.either(FIGURES[piece.symbol], piece.symbol)
        if piece.symbol:
            return self._canvas.printable(self._spelt(piece.symbol))
        if piece.pips is not None:
            return self._with_face(piece).strip()
        if piece.seat is not None:
            return self._symbol(piece.seat)
        return self._canvas.printable(piece.text)[:most] or self._canvas.either("·", ".")

    def _king(self, piece: DrawnPiece) -> str:
        """The sign of a player's men as a capital letter, or a crown."""
        assert piece.seat is not None
        sign = self._canvas.printable(piece.symbol) or self._symbol(piece.seat)
        if sign.upper() != sign:
            return sign.upper()
        return self._canvas.either(CROWNED[piece.seat % 2], f"{sign}K")

    # ---- points and pits

    def _graph(self, graph: Graph) -> Iterator[Text]:
        """Points where they lie, with lines between them; what is empty is called by its name."""
        signs = [
            self._sign(piece, LONGEST_WORD) if piece.text else self._canvas.printable(name)
            for piece, name in zip(graph.pieces, graph.names, strict=True)
        ]
        if len([s for s in self._shapes if isinstance(s, DrawnBoard | Graph)]) > 1:
            yield self._title(graph.caption)
        wide = max(map(cell_len, signs))
        across = 1 + max(x for x, _ in graph.points)
        down = 1 + max(y for _, y in graph.points)
        pitch = max(wide + 1, min(4, (self._room - wide - 2) // max(1, across - 1)))
        if 2 + wide + pitch * (across - 1) > self._room:
            yield from self._track([(Text(""), graph.pieces)])
            return
        skip = 2 if down <= TALLEST_GRAPH and not self._low else 1
        high, length = 1 + skip * (down - 1), pitch * (across - 1) + wide + 2
        field = [[" "] * length for _ in range(high)]
        at = [(1 + x * pitch + (wide - 1) // 2, y * skip) for x, y in graph.points]
        for a, b in graph.lines:
            self._line(field, at[a], at[b])
        styles = ["dim"] * (high * length)
        for piece, sign, (x, y) in zip(graph.pieces, signs, at, strict=True):
            start = x - (cell_len(sign) - 1) // 2
            for k, letter in enumerate(sign):
                field[y][start + k] = letter
                styles[y * length + start + k] = self._look(piece) if piece.text else ""
            if piece.changed or piece.won:
                field[y][start - 1], field[y][start + len(sign)] = _brackets(piece)
        for y, row in enumerate(field):
            line = Text()
            for x, letter in enumerate(row):
                line.append(letter, styles[y * length + x])
            line.rstrip()
            yield line

    def _line(self, field: list[list[str]], one: tuple[int, int], other: tuple[int, int]) -> None:
        """Draw a line between two points of a field of letters."""
        (x, y), (right, low) = one, other
        wide, high = right - x, low - y
        steps = max(abs(wide), abs(high))
        either = self._canvas.either
        if not high:
            stroke = either("─", "-")
        elif not wide:
            stroke = either("│", "|")
        else:
            stroke = either("╲", "\\") if (wide > 0) == (high > 0) else either("╱", "/")
            steps = abs(high)
        for k in range(steps + 1):
            column, row = x + round(wide * k / steps), y + round(high * k / steps)
            field[row][column] = stroke

    def _pits(self, pits: Pits) -> Iterator[Text]:
        """The pits of two players face one another, with their stores beside them; those of more
        players lie below one another.
        """
        yield self._title(pits.caption)
        facing = len(pits.counts) == 2
        wide = max(2, *(len(str(n)) for row in (*pits.counts, pits.stores) for n in row))
        numbers = range(1, len(pits.counts[0]) + 1)
        edge = wide + 2
        if edge * 2 + len(numbers) * (wide + 2) > self._room:
            for seat, row in enumerate(pits.counts):
                name = Text(self._canvas.printable(self._picture.players[seat]), self._style(seat))
                pieces = [
                    DrawnPiece(str(n), None, c)
                    for n, c in zip(row, pits.changed[seat], strict=True)
                ]
                yield from self._track([(name, pieces)])
            return

        def head(order: Sequence[int]) -> Text:
            line = "".join(f" {number:>{wide}} " for number in order)
            return Text(" " * edge + line, "dim")

        def of(seat: int, order: Sequence[int]) -> Text:
            line = Text(" " * edge)
            for number in order:
                changed = pits.changed[seat][number - 1]
                left, right = "[]" if changed else "  "
                count = f"{pits.counts[seat][number - 1]:>{wide}}"
                line.append(left).append(count, self._style(seat)).append(right)
            return line

        if not facing:
            yield head(numbers)
            for seat in range(len(pits.counts)):
                line = of(seat, numbers)
                if pits.stores:
                    line.append(f"  {pits.stores[seat]:>{wide}}", self._style(seat))
                yield line
            return
        names = [self._canvas.printable(name) for name in self._picture.players]
        named = edge * 2 + len(numbers) * (wide + 2) + max(map(cell_len, names)) <= self._room

        def beside(seat: int, order: Sequence[int]) -> Text:
            line = of(seat, order)
            name = Text(" " * edge + names[seat], self._style(seat))
            return line.append_text(name) if named else line

        yield head(numbers[::-1])
        yield beside(1, numbers[::-1])
        if pits.stores:
            line = Text(f"{pits.stores[1]:>{wide}}", self._style(1))
            line.append(" " * (edge - wide + len(numbers) * (wide + 2)))
            yield line.append(f"  {pits.stores[0]:<{wide}}", self._style(0))
        yield beside(0, numbers)
        yield head(numbers)

    # ---- boards

    def _board(self, board: DrawnBoard, titled: bool = True) -> Iterator[Text]:
        if titled and len([s for s in self._shapes if isinstance(s, DrawnBoard)]) > 1:
            yield self._title(board.caption)
        signs = self._signs(board)
        wide = max(cell_len(sign) for row in signs for sign in row)
        upright = board.ground == "upright"
        board = replace(board, row_names=("",) * len(board.rows)) if upright else board
        edge = max(map(len, board.row_names)) + 1
        columns = len(board.rows[0])
        shift = len(board.rows) if board.hexagons else 0
        plain = not board.hexagons and board.ground != "intersections"
        framed = plain and len(board.rows) <= MOST_FRAMED and not self._low
        if framed and edge + columns * (wide + 3) + 1 <= self._room:
            yield from self._with_lines(board, signs, wide, edge)
        else:
            pitch = wide + 1
            if edge + 3 + columns * pitch + shift > self._room:
                pitch = wide
            band = max(1, (self._room - edge - 3 - shift) // pitch)
            for low in range(0, columns, band):
                here = range(low, min(columns, low + band))
                yield from self._compact(board, signs, here, pitch, wide, edge)
        used = {mark for row in board.rows for piece in row for mark in piece.marks}
        for number, mark in enumerate(board.marks):
            if mark not in used:
                continue
            label = self._canvas.printable(mark)
            yield Text(f"{self._mark(board, number)} ", "bold").append(label, "dim")

    def _mark(self, board: DrawnBoard, number: int) -> str:
        """The sign of a mark: as the ruleset declares it, or one of a few."""
        declared = board.mark_signs[number] if number < len(board.mark_signs) else ""
        return self._canvas.printable(declared) or MARKS[number % len(MARKS)]

    def _signs(self, board: DrawnBoard) -> list[list[str]]:
        """What is drawn in each place; words as long as there is room for them."""
        most = max(1, (self._room - 6) // max(1, len(board.rows[0])) - 1)

        def sign(piece: DrawnPiece, light: bool, number: int) -> str:
            found = self._sign(piece, min(LONGEST_WORD, most))
            if number and not piece.text:
                found = str(number)
            elif light and not piece.text and not piece.symbol:
                found = " "  # a light square
            if not any(piece.marks for row in board.rows for piece in row):
                return found
            of_place = [self._mark(board, k) for k, m in enumerate(board.marks) if m in piece.marks]
            return found + (of_place[0] if of_place else " ")

        chequered, columns = board.ground == "chequered", len(board.rows[0])
        numbers = board.numbers or (0,) * (len(board.rows) * columns)
        return [
            [
                sign(piece, chequered and (r + k) % 2 == 0, numbers[r * columns + k])
                for k, piece in enumerate(row)
            ]
            for r, row in enumerate(board.rows)
        ]

    def _with_lines(
        self, board: DrawnBoard, signs: list[list[str]], wide: int, edge: int
    ) -> Iterator[Text]:
        bar, dash = self._canvas.either("│", "|"), self._canvas.either("─", "-")
        columns = len(board.rows[0])
        numbers = "".join(f" {name:>{wide}}  " for name in board.column_names)
        yield Text(" " * (edge + 1) + numbers.rstrip(), "dim")

        def line(joints: str) -> Text:
            joints = self._canvas.either(joints, "+++")
            inner = joints[1].join([dash * (wide + 2)] * columns)
            return Text(f"{' ' * edge}{joints[0]}{inner}{joints[2]}", "dim")

        lines = zip(board.row_names, board.rows, signs, strict=True)
        for number, (name, row, texts) in enumerate(lines):
            yield line("├┼┤" if number else "┌┬┐")
            drawn = Text(f"{name:>{edge - 1}} ", "dim")
            for piece, text in zip(row, texts, strict=True):
                drawn.append(bar, "dim").append_text(self._place(piece, text, wide))
            yield drawn.append(bar, "dim")
        yield line("└┴┘")

    def _compact(
        self,
        board: DrawnBoard,
        signs: list[list[str]],
        here: range,
        pitch: int,
        wide: int,
        edge: int,
    ) -> Iterator[Text]:
        """A board without lines between its places, or some columns of one."""
        canvas = self._canvas
        bar, dash = canvas.either("│", "|"), canvas.either("─", "-")
        names = [board.column_names[k] for k in here]
        crossed = board.ground == "intersections"
        yield from self._numbers(names, pitch, wide, edge, crossed)
        length = len(here) * pitch + (pitch > wide)
        corners = canvas.either("┌┐└┘", "++++")
        ends = [Text(dash * length, "dim")] * 2
        sides = [Text(bar, "dim")] * 2
        if board.sides:  # owned by players: drawn with their signs
            ends = [self._owned(board.sides[0], wide, pitch, len(here))] * 2
            sides = [Text(self._symbol(board.sides[1]), self._style(board.sides[1]))] * 2
        if crossed:
            sides = [Text(), Text()]
        else:
            top = Text(" " * edge + corners[0], "dim").append_text(ends[0])
            yield top.append(corners[1], "dim")
        lines = zip(board.row_names, board.rows, signs, strict=True)
        for number, (name, row, texts) in enumerate(lines):
            line = Text(f"{name:>{edge - 1}} ", "dim")
            line.append(" " * number * board.hexagons).append_text(sides[0])
            if pitch > wide:
                line.append(_brackets(row[here[0]])[0])
            for k in here:
                text, lines_ = texts[k], ""
                if crossed:
                    text, lines_ = self._crossing(board, number, k, row[k], text), dash
                gap = (lines_ if k else " ") * (wide - cell_len(text)) if lines_ else ""
                gap = gap or " " * (wide - cell_len(text))
                marked = (row[k].changed or row[k].won) and pitch == wide
                style = self._look(row[k]) or ("dim" if lines_ and not row[k].text else "")
                style += " reverse" if marked else ""
                line.append(gap, "dim").append(text, style.strip())
                if pitch > wide:
                    later = row[k + 1] if k + 1 in here else None
                    plain = lines_ if k + 1 < len(row) and lines_ else " "
                    between = _between(row[k], later, plain)
                    line.append(between, "dim" if between == dash else "")
            yield line.append_text(sides[1])
        if crossed:
            return
        shift = " " * (len(board.rows) - 1) * board.hexagons
        low = Text(" " * edge + shift + corners[2], "dim")
        yield low.append_text(ends[1]).append(corners[3], "dim")

    def _owned(self, seat: int, wide: int, pitch: int, count: int) -> Text:
        """A side of a board in the colour and with the signs of its owner."""
        sign = self._symbol(seat)
        signs = "".join(f"{sign:>{wide}}".ljust(pitch) for _ in range(count))
        return Text(" " * (pitch > wide) + signs, self._style(seat))

    def _crossing(
        self, board: DrawnBoard, row: int, column: int, piece: DrawnPiece, text: str
    ) -> str:
        """What is drawn where two lines cross: a stone, or the lines."""
        if piece.text:
            return text
        rows, columns = len(board.rows), len(board.rows[0])
        down = 0 if row == 0 else 2 if row == rows - 1 else 1
        right = 0 if column == 0 else 2 if column == columns - 1 else 1
        return self._canvas.either("┌┬┐├┼┤└┴┘"[3 * down + right], "+")

    def _numbers(
        self, names: Sequence[str], pitch: int, wide: int, edge: int, crossed: bool
    ) -> Iterator[Text]:
        """The names of columns: letter below letter, where they are wider than their places."""
        most = max(map(len, names))
        start = " " * (edge + (not crossed) + (pitch > wide))
        if most < pitch or most <= wide:
            head = "".join(f"{name:>{wide}}".ljust(pitch) for name in names)
            yield Text((start + head).rstrip(), "dim")
            return
        for letter in range(most):
            row = (f"{name:>{most}}"[letter].rjust(wide).ljust(pitch) for name in names)
            yield Text((start + "".join(row)).rstrip(), "dim")

    # ---- the last move

    def _last(self) -> Iterator[Text]:
        picture, canvas = self._picture, self._canvas
        for number, (seat, text) in enumerate(picture.last):
            line = Text(" " * len(LAST) if number else LAST, "dim")
            line.append(canvas.printable(picture.players[seat]), self._style(seat))
            yield line.append(f", {canvas.printable(text)}")


def _pieces(shape: Shape) -> Iterator[DrawnPiece]:
    match shape:
        case DrawnBoard(rows=rows):
            yield from (piece for row in rows for piece in row)
        case Track(pieces=pieces) | Graph(pieces=pieces):
            yield from pieces


def _brackets(piece: DrawnPiece) -> tuple[str, str]:
    """What stands left and right of a piece that the last move has changed, or that has won."""
    return ("(", ")") if piece.won else ("[", "]") if piece.changed else (" ", " ")


def _between(piece: DrawnPiece, later: DrawnPiece | None, plain: str) -> str:
    """What stands between a piece and the next one in its row."""
    if later is not None and _brackets(piece) == _brackets(later):
        return plain  # of several in a row, the first one opens and the last one closes
    closes = _brackets(piece)[1]
    opens = "" if later is None else _brackets(later)[0].strip()
    if closes != " " and opens:
        return closes if piece.won or not later or not later.won else opens
    return closes.strip() or opens or plain


def _packed(blocks: Sequence[list[Text]], count: int) -> list[list[Text]]:
    """Blocks in their order in so many columns, as low as they can be."""
    high = max(max(map(len, blocks)), -(-sum(map(len, blocks)) // count))
    while True:
        columns: list[list[Text]] = [[]]
        for block in blocks:
            if columns[-1] and len(columns[-1]) + len(block) > high:
                columns.append([])
            columns[-1] += block
        if len(columns) <= count:
            return columns
        high += 1


def _is_fact(shape: Shape) -> bool:
    """Whether it takes no more room than a single value."""
    if isinstance(shape, Hand):
        return len(shape.pieces) <= 1
    return isinstance(shape, PlainValue | HiddenValue | Die)


def _numbers(heaps: Heaps) -> list[DrawnPiece]:
    pairs = zip(heaps.counts, heaps.changed, strict=True)
    return [DrawnPiece(str(count), changed=changed) for count, changed in pairs]


def _hung(line: Text, room: int) -> Iterator[Text]:
    """A line, broken between words where it is too long, with the rest further in."""
    if line.cell_len <= room:
        yield line
        return
    indent = line.cell_len - cell_len(line.plain.lstrip()) + HANGING
    part, empty = Text(), True
    for word in line.split(" ", include_separator=True):
        if not empty and part.cell_len + cell_len(word.plain.rstrip()) > room:
            part.rstrip()
            yield part
            part, empty = Text(" " * min(indent, room // 2)), True
        part.append_text(word)
        empty = empty and not word.plain.strip()
    yield part


def _padded(text: Text, width: int) -> Text:
    padded = text.copy()
    padded.append(" " * max(0, width - text.cell_len))
    return padded
