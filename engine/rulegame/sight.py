"""What each seat sees: which cells of a state, and which moves and rolls."""

from __future__ import annotations

from rulegame.compiling import POINT, SEAT, Point
from rulegame.expressions import typed
from rulegame.game import CHANCE, HIDDEN, Game, Move, State, _Hidden
from rulegame.model import Effects, Operation, Roll
from rulegame.runtime import Cells
from rulegame.types import size_of


class Sight:
    """What the seats of a game see. The moves of an operation that is `secret` are its mover's
    alone, and so are the rolls inside it. The same holds for choices and rolls that lead to nothing
    but values that are hidden, even if the ruleset does not call them secret.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        seats = range(len(game.players))
        self._hidden = tuple(_hidden_cells(game, seat) for seat in seats)
        operations = (*game.ruleset.operations, *game.ruleset.setup)
        self._secret = frozenset(o.name for o in operations if _is_secret(game, o))
        points = game.program.points
        self._rolls = {
            number: _roll_sight(game, point)
            for number, point in enumerate(points)
            if point.operation is not None
        }
        self._points_of: dict[str, list[int]] = {}
        for number in self._rolls:
            operation = points[number].operation
            assert operation is not None
            self._points_of.setdefault(operation.name, []).append(number)
        shape = game.program.shape
        self._pending = range(shape.pending, shape.temporary.stop)

    def shows_all(self, seat: int) -> bool:
        """Whether nothing is ever hidden from a seat."""
        return not self._hidden[seat]

    def is_secret(self, move: Move) -> bool:
        """Whether only the player who makes a move sees which it is."""
        return move.operation in self._secret

    def shows_roll(self, cells: Cells, seat: int) -> bool:
        """Whether a seat sees what is rolled at some cells."""
        sight = self._rolls.get(cells[POINT], "all")
        return sight == "all" or (sight == "owner" and cells[SEAT] == seat)

    def cells(self, cells: Cells, seat: int) -> tuple[int | None, ...]:
        """The cells that a seat sees; None for the others."""
        hidden = self._hidden[seat]
        if not hidden:
            return cells
        pending = self._pending if self._keeps_pending(cells, seat) else range(0)
        return tuple(
            None if place in hidden or place in pending else code
            for place, code in enumerate(cells)
        )

    def _keeps_pending(self, cells: Cells, seat: int) -> bool:
        """Whether the choices and rolls of a move whose dice have not all fallen are hidden."""
        operation = self._game.program.points[cells[POINT]].operation if cells[POINT] > 0 else None
        if operation is None:
            return False
        sights = {self._rolls[number] for number in self._points_of[operation.name]}
        return "nobody" in sights or (sights != {"all"} and cells[SEAT] != seat)

    def move(self, before: State, move: Move, seat: int) -> Move | _Hidden:
        """A move, or what was rolled, as a seat saw it."""
        if self.shows_all(seat):
            return move
        if before.player == CHANCE:
            return move if self.shows_roll(before.cells, seat) else HIDDEN
        return HIDDEN if before.player != seat and self.is_secret(move) else move


def _hidden_cells(game: Game, seat: int) -> frozenset[int]:
    """The places of the declared values that a seat may not see."""
    hidden: set[int] = set()
    for name, value in game.ruleset.state.items():
        if value.seen_by == "all":
            continue
        at, size = game.program.shape.layout.offsets[name], size_of(value.variable.type)
        owners = range(len(game.players)) if value.variable.each_player else range(1)
        for owner in owners:
            if value.seen_by == "nobody" or owner != seat:
                hidden.update(range(at + owner * size, at + (owner + 1) * size))
    return frozenset(hidden)


def _is_secret(game: Game, operation: Operation) -> bool:
    """Whether others do not see which move of an operation is made: it is said to be secret, or
    what is chosen leads to nothing that they could see.
    """
    if operation.secret:
        return True
    names = {choice.name for choice in operation.choices}
    if names:
        sights = _sights(game, operation, names)
    else:
        effects = [step for step in operation.steps if isinstance(step, Effects)]
        sights = {_sight_of(game, write) for step in effects for write in step.writes}
    return bool(sights) and "all" not in sights


def _roll_sight(game: Game, point: Point) -> str:
    """Who sees a roll inside an operation: all, only the mover (`owner`), or nobody."""
    operation, roll = point.operation, point.roll
    assert operation is not None and roll is not None
    sights = _sights(game, operation, {roll.name})
    if sights == {"nobody"}:
        return "nobody"
    if operation.secret or (sights and "all" not in sights):
        return "owner"
    return "all"


def _sights(game: Game, operation: Operation, names: set[str]) -> set[str]:
    """Who sees what some choices or rolls of an operation lead to; what is no value, as who is
    next, is seen by all.
    """
    sights: set[str] = set()
    if operation.next is not None and _reads(operation.next, names):
        sights.add("all")
    for step in operation.steps:
        if isinstance(step, Roll):
            if _reads(step.collection, names):
                sights.add("all")
            continue
        conditions = (step.when, step.repeat, step.while_)
        decides = any(c is not None and _reads(c, names) for c in conditions)
        for write in step.writes:
            if decides or any(_reads(e, names) for e in _expressions(write)):
                sights.add(_sight_of(game, write))
    return sights


def _sight_of(game: Game, write: typed.Write) -> str:
    """Who sees what a write changes, as the mover sees it: another player's own is nobody's."""
    sight = game.ruleset.state[write.variable.name].seen_by
    return "nobody" if sight == "owner" and typed.owner_key(write.owner) != "me" else sight


def _expressions(write: typed.Write) -> list[typed.Typed]:
    """All that decides what is written, and where."""
    found = [write.value, *write.indices]
    if write.owner is not None:
        found.append(write.owner)
    for loop in write.loops:
        found += [part for part in (loop.collection, loop.condition) if part is not None]
    return found


def _reads(expression: typed.Typed, names: set[str]) -> bool:
    return any(
        isinstance(part, typed.Local) and part.name in names
        for part in typed.every_part(expression)
    )
