"""What a seat sees of a game, as texts and as rows of numbers: for programs that learn.

Numbers of a known, small range are one-hot, others are given as they are; of what is hidden every
number is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import CHANCE, OVER
from rulegame.game import HIDDEN, Game, Move, Seen, State, View
from rulegame.game.visibility import Sight
from rulegame.language.types import NONE_CODE, Grid, List, Optional, size_of

FEW_VALUES: Final = 64  # a cell that can be so many things is one-hot

Past = Sequence[tuple[State, Move]]


@dataclass(frozen=True, slots=True)
class Piece:
    """One named part of an observation: the cells that it is made of, and how each is written."""

    name: str
    cells: range
    low: int
    width: int  # of each cell; 1: as it is
    optional: bool  # the last place of a cell says that there is none
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.cells) * self.width

    def write(self, cells: Sequence[int | None], into: NDArray[np.float32]) -> None:
        """Writes what is seen of the cells into a row of zeros."""
        for k, place in enumerate(self.cells):
            code = cells[place]
            if code is None:
                continue
            if self.width == 1:
                into[k] = 0 if code == NONE_CODE else code
            elif code == NONE_CODE:
                into[(k + 1) * self.width - 1] = 1
            elif 0 <= code - self.low < self.width - self.optional:
                into[k * self.width + code - self.low] = 1


class Observations:
    """What the seats of a game see, as numbers. First who looks and who is to move (or chance, or
    nobody any more), then the rolls of the turn, then the declared values.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._seats = len(game.players)
        self.pieces = tuple(_pieces(game))
        self.heads = (("player", self._seats), ("to_move", self._seats + 2))
        self.size = sum(size for _, size in self.heads) + sum(p.size for p in self.pieces)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each part, by its name, in order."""
        heads = {name: (size,) for name, size in self.heads}
        return heads | {piece.name: piece.shape for piece in self.pieces}

    def write(self, view: View, into: NDArray[np.float32]) -> None:
        """Writes what a view shows into a row of numbers."""
        self.write_cells(view.seat, OVER if view.player is None else view.player, view.cells, into)

    def write_cells(
        self, seat: int, player: int, cells: Sequence[int | None], into: NDArray[np.float32]
    ) -> None:
        """The same by who looks, who is to move (or CHANCE, or OVER) and the cells that it sees."""
        into.fill(0)
        into[seat] = 1
        others = {CHANCE: self._seats, OVER: self._seats + 1}
        into[self._seats + others.get(player, player)] = 1
        at = 2 * self._seats + 2
        for piece in self.pieces:
            piece.write(cells, into[at : at + piece.size])
            at += piece.size

    def write_public(self, state: State, into: NDArray[np.float32]) -> None:
        """The same as far as everybody sees it: nobody is the one who looks."""
        player = OVER if state.player is None else state.player
        self.write_cells(0, player, seen_by_everybody(state), into)
        into[0] = 0

    def parts(self, row: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """A row by its named parts, each in its shape; they share the row's memory."""
        found, at = {}, 0
        for name, shape in self.shapes.items():
            size = int(np.prod(shape))
            found[name] = row[at : at + size].reshape(shape)
            at += size
        return found


def _pieces(game: Game) -> Iterator[Piece]:
    kernel, seats = game.kernel, len(game.players)
    ranges = kernel.cell_ranges
    for name, place in kernel.roll_places.items():
        yield _piece(name, range(place, place + 1), ranges[place], True, ())
    for name, value in game.ruleset.state.items():
        type_ = value.variable.type
        of = type_.of if isinstance(type_, (List, Grid)) else type_
        shape: tuple[int, ...] = (seats,) if value.variable.each_player else ()
        if isinstance(type_, Grid):
            shape += (type_.rows, type_.columns)
        elif isinstance(type_, List):
            shape += (size_of(type_),)
        own = kernel.places(name)
        owners = seats if value.variable.each_player else 1
        cells = range(own.start, own.start + len(own) * owners)
        known = ranges[cells.start] if len(cells) else None
        yield _piece(name, cells, known, isinstance(of, Optional), shape)


def _piece(
    name: str,
    cells: range,
    known: tuple[int, int] | None,
    optional: bool,
    shape: tuple[int, ...],
) -> Piece:
    """A part of an observation; a cell that can be many things is one number."""
    if known is None or known[1] - known[0] >= FEW_VALUES:
        return Piece(name, cells, 0, 1, optional, (*shape, 1))
    width = known[1] - known[0] + 1 + optional
    if width == 1:
        return Piece(name, cells, 0, 1, optional, (*shape, 1))
    return Piece(name, cells, known[0], width, optional, (*shape, width))


# ---- as texts


def observation_text(view: View) -> str:
    """What a seat sees of a state, in one line."""
    game = view.game
    to_move = "-" if view.player is None else "chance" if view.player == CHANCE else view.player
    values = " ".join(f"{name}={_shown(view[name])}" for name in game.ruleset.state)
    rolled = "".join(f" {name}={code}" for name, code in _rolls(view))
    return f"seat={view.seat} to_move={to_move}{rolled} {values}".rstrip()


def seen_by_everybody(state: State) -> Sequence[int | None]:
    """The cells that all seats see; None for the others."""
    return state.game.companion(Sight).seen_by_all(state.cells, range(len(state.game.players)))


def public_text(state: State) -> str:
    """What everybody sees of a state, in one line."""
    game, cells = state.game, seen_by_everybody(state)
    to_move = "-" if state.player is None else "chance" if state.player == CHANCE else state.player
    names = ((name, value.seen_by == "all") for name, value in game.ruleset.state.items())
    values = " ".join(f"{name}={_shown(state[name]) if seen else '?'}" for name, seen in names)
    rolls = "".join(f" {n}={_code(cells[at])}" for n, at in game.kernel.roll_places.items())
    return f"to_move={to_move}{rolls} {values}".rstrip()


def state_text(state: State) -> str:
    """A state in one line, other for every other state."""
    values = " ".join(f"{name}={_shown(state[name])}" for name in state)
    return f"{_codes(state.cells[: _first_value(state.game)])} {values}".rstrip()


def _rolls(view: View) -> Iterator[tuple[str, str]]:
    for name, place in view.game.kernel.roll_places.items():
        yield name, _code(view.cells[place])


def recall_text(state: State, seat: int, past: Past) -> str:
    """All that a seat has seen of a game, from the start to a state: the same text if it
    can tell no difference, and another one if it can.
    """
    view = state.view(seat, past)
    steps = [_seen(step) for step in view.past]
    if view.state is None and steps:
        seen = [*view.trail[1:], view.cells]
        steps = [f"{step} {_values(view.game, c)}" for step, c in zip(steps, seen, strict=True)]
    return f"seat={seat} {' | '.join(steps)}".rstrip()


def _values(game: Game, cells: Sequence[int | None]) -> str:
    """The cells of the declared values."""
    return _codes(cells[_first_value(game) :])


def _first_value(game: Game) -> int:
    """The place of the first of the declared values, which are the last cells."""
    places = (game.kernel.places(name).start for name in game.ruleset.state)
    return min(places, default=len(game.kernel.start(0)))


def _seen(step: Seen) -> str:
    who = "chance" if step.player == CHANCE else step.player
    if isinstance(step.move, Move):
        return f"{who}:{step.move.text}"
    return f"{who}:{_codes(step.codes) if step.codes else '?'}"


def _codes(codes: Sequence[int | None]) -> str:
    return ",".join(map(_code, codes))


def _code(code: int | None) -> str:
    return "?" if code is None else "none" if code == NONE_CODE else str(code)


def _shown(value: Any) -> str:
    if value is HIDDEN:
        return "?"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_shown, value)) + "]"
    if isinstance(value, frozenset):
        return "{" + ",".join(map(str, sorted(value))) + "}"
    return str(value)
