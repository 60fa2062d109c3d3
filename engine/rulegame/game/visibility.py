"""What each seat sees: which cells of a state, and what of moves and rolls.

What is shown to some seats is worked out from cells in which everything else is missing
(`Masked`), so that it cannot depend on what they may not see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from rulegame.compiling import CHANCE, OVER, Cells
from rulegame.evaluation.values import choice_text
from rulegame.game.moves import HIDDEN, Move, _Hidden
from rulegame.game.rules import Position, Rules
from rulegame.model import Operation, sees
from rulegame.model import Sight as Whose
from rulegame.model.secrecy import (
    hidden_roll,
    hidden_values,
    is_kept_whole,
    kept_choices,
    roll_sight,
    turn_roll_sight,
)

NOBODY: Final = -1
SECRET: Final = "(secret)"  # in the place of what is not told

Glimpse = tuple[int | None, ...]


class Unseen(Exception):
    """Something would have to be known that may not be seen."""


class Masked(tuple[int, ...]):
    """Cells as some seats see them. Whoever reads one that is hidden gets `Unseen`; and what it
    holds is not in here anyway.
    """

    hidden: frozenset[int]

    @staticmethod
    def of(cells: Sequence[int], hidden: frozenset[int]) -> Masked:
        """Cells without the hidden ones."""
        made = Masked([0 if place in hidden else code for place, code in enumerate(cells)])
        made.hidden = hidden
        return made

    def __getitem__(self, key: Any) -> Any:
        places = range(len(self))[key]
        if places in self.hidden if isinstance(places, int) else self.hidden.intersection(places):
            raise Unseen
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[int]:
        if self.hidden:
            raise Unseen
        return super().__iter__()


class Sight:
    """What the seats of a game see. The moves of an operation that is `secret` are its mover's
    alone, and so are the rolls inside it. The same holds for choices and rolls that lead to nothing
    but values that are hidden, even if the ruleset does not call them secret.
    """

    def __init__(self, game: Rules) -> None:
        self._game = game
        self._kernel = game.kernel
        ruleset = game.ruleset
        seats, changed = range(len(game.players)), hidden_values(ruleset)
        self._hidden = tuple(_hidden_cells(game, seat, ruleset.state) for seat in seats)
        self._secrets = tuple(bool(_hidden_cells(game, seat, changed)) for seat in seats)
        operations = (*ruleset.operations, *ruleset.setup)
        done = None if ruleset.together is None else ruleset.together.done
        self._together = done is not None and len(game.players) > 1
        self._kept = {o.name: kept_choices(ruleset.state, o, done) for o in operations}
        self._whole = frozenset(o.name for o in operations if is_kept_whole(ruleset.state, o, done))
        secret = [o.name for o in ruleset.operations if o.secret]
        self._nameless = frozenset(secret if len(secret) > 1 else ())
        self._rolls: dict[int, Whose] = {}
        for number, point in enumerate(game.kernel.points):
            if point.roll is not None and point.operation is not None:
                self._rolls[number] = roll_sight(ruleset.state, point.operation, point.roll)
            elif point.roll is not None:
                self._rolls[number] = turn_roll_sight(ruleset, point.roll)
        self._keeps_rolls = hidden_roll(ruleset) is not None
        self._missing: dict[tuple[int, bool, int], frozenset[int]] = {}

    # ---- what there is to hide

    @property
    def hides_something(self) -> bool:
        """Whether there is anything that not every seat sees."""
        return not self._game.kind.is_open

    def shows_all(self, seat: int) -> bool:
        """Whether nothing that the rules do not state is ever hidden from a seat."""
        return not (self._secrets[seat] or self._keeps_rolls or self._together)

    def kept(self, operation: Operation) -> frozenset[str]:
        """The choices of an operation that only the player who makes them sees."""
        return self._kept.get(operation.name, frozenset())

    def keeps_name(self, operation: Operation) -> bool:
        """Whether not even the name of the operation is told: another one is secret as well."""
        return operation.name in self._nameless

    def asks_unseen(self, operation: Operation) -> bool:
        """Whether a move of the operation must not be typed for all to see."""
        return operation.secret or bool(self.kept(operation)) or self.waits(operation)

    def waits(self, operation: Operation) -> bool:
        """Whether nobody sees a move of the operation until all have chosen."""
        return self._together and not operation.setup

    def tells_alone(self, seat: int) -> bool:
        """Whether a seat sees values or rolls that others do not."""
        alone = any(whose not in ("all", "nobody") for whose in self._rolls.values())
        return bool(self.own_cells(seat)) or alone

    # ---- cells

    def cells(self, cells: Cells, seat: int) -> tuple[int | None, ...]:
        """The cells that a seat sees; None for the others."""
        hidden = self._unseen(cells, seat)
        if not hidden:
            return cells
        return tuple(None if place in hidden else code for place, code in enumerate(cells))

    def seen_by_all(self, cells: Cells, seats: Collection[int]) -> tuple[int | None, ...]:
        """The cells that all of some seats see; None for the others."""
        hidden = frozenset[int]().union(*(self._unseen(cells, seat) for seat in seats))
        if not hidden:
            return cells
        return tuple(None if place in hidden else code for place, code in enumerate(cells))

    def masked(self, cells: Cells, seats: Collection[int]) -> Cells:
        """The cells as far as all of some seats see them."""
        hidden = frozenset[int]().union(*(self._unseen(cells, seat) for seat in seats))
        return Masked.of(cells, hidden) if hidden else cells

    def seen_state(self, state: Position, seats: Collection[int]) -> Position:
        """A state as far as all of some seats see it, without its moves: for texts."""
        cells = self.masked(state.cells, seats)
        if cells is state.cells:
            return state
        return Position(state.game, cells, state.player, outcome=state.outcome)

    def own_cells(self, seat: int) -> frozenset[int]:
        """The places of the values that their owner, in that seat, sees, and others do not."""
        others = (hidden for other, hidden in enumerate(self._hidden) if other != seat)
        return frozenset[int]().union(*others) - self._hidden[seat]

    def _unseen(self, cells: Cells, seat: int) -> frozenset[int]:
        """The places of the cells that a seat does not see."""
        if self.shows_all(seat) or self._kernel.player(cells) == OVER:
            return self._hidden[seat]
        return self.unseen_at(self._kernel.number(cells), self._kernel.seat(cells) == seat, seat)

    def unseen_at(self, point: int | None, own_turn: bool, seat: int) -> frozenset[int]:
        """The same of all states that wait at a point, in a turn of the seat or of another; None:
        of those in which the game is over.
        """
        hidden = self._hidden[seat]
        if self.shows_all(seat) or point is None:
            return hidden
        key = seat, own_turn, point
        if key not in self._missing:
            waiting = [*self._turn_rolls(), *self._pending(point)]
            owner = seat if own_turn else NOBODY
            unseen = [at for at, whose in waiting if not sees(whose, owner, seat)]
            self._missing[key] = hidden.union(unseen, self._unrevealed(point, seat))
        return self._missing[key]

    def _unrevealed(self, number: int, seat: int) -> Iterator[int]:
        """The places of what others have chosen, where players choose at once: all of it until the
        last has chosen, and then what is kept.
        """
        if not self._together:
            return
        kept = frozenset[str]().union(*self._kept.values(), [""] if self._nameless else [])
        for other in range(len(self._hidden)):
            for name, place in self._kernel.places_of_chosen(other).items():
                if other != seat and (number == 0 or name in kept):
                    yield place

    def _turn_rolls(self) -> Iterator[tuple[int, Whose]]:
        """The places of the rolls of the turn, and who sees them."""
        for number, whose in self._rolls.items():
            point = self._kernel.points[number]
            if point.roll is not None and point.operation is None:
                yield self._kernel.roll_places[point.roll.name], whose

    def _pending(self, number: int) -> Iterator[tuple[int, Whose]]:
        """The places of the choices and rolls of a move whose dice have not all fallen."""
        operation = self._kernel.points[number].operation
        if operation is None:
            return
        kept = self.kept(operation)
        whose: list[Whose] = ["owner" if c.name in kept else "all" for c in operation.choices]
        whose += [roll_sight(self._game.ruleset.state, operation, r) for r in operation.rolls]
        whose += ["nobody"]  # how often a step is still to be done, if there is such a step
        yield from zip(self._kernel.pending(operation), whose, strict=False)
        yield from ((place, "nobody") for place in self._kernel.move_places(operation))

    def unseen_rolls(self, cells: Cells, seats: Collection[int]) -> frozenset[str]:
        """The names of the rolls of the turn that some seats do not see."""
        return frozenset(
            name
            for name, at in self._kernel.roll_places.items()
            if any(at in self._unseen(cells, seat) for seat in seats)
        )

    # ---- moves and rolls

    def shows_roll(self, cells: Cells, seat: int) -> bool:
        """Whether a seat sees what is rolled at some cells."""
        whose = self._rolls.get(self._kernel.number(cells), "all")
        return sees(whose, self._kernel.seat(cells), seat)

    def shows_roll_to_all(self, cells: Cells) -> bool:
        """Whether every seat sees what is rolled at some cells."""
        return all(self.shows_roll(cells, seat) for seat in range(len(self._hidden)))

    def notices(self, cells: Cells, seat: int) -> bool:
        """Whether a seat notices that something happens at some cells: not a roll that it does not
        see, inside an operation of which not even the name is told.
        """
        kernel = self._kernel
        if not self._nameless or kernel.player(cells) != CHANCE or kernel.seat(cells) == seat:
            return True
        operation = kernel.point(cells).operation
        nameless = operation is not None and operation.name in self._nameless
        return not nameless or self.shows_all(seat) or self.shows_roll(cells, seat)

    def glimpse(self, cells: Cells, move: Move, seat: int) -> Glimpse:
        """What a seat sees of a move, or of a roll, at some cells: its codes, None for each that
        is hidden; nothing at all of one that is hidden as a whole. Of moves that are chosen at
        once, this is what it sees when all have chosen.
        """
        if self._kernel.player(cells) == CHANCE:
            return move.codes if self.shows_all(seat) or self.shows_roll(cells, seat) else ()
        if self._kernel.seat(cells) == seat or self.shows_all(seat):
            return move.codes
        if move.operation in self._whole:
            return ()
        kept = self._kept[move.operation]
        if not kept:
            return move.codes
        names = ("", *(choice.name for choice in self._operation(move).choices))
        return tuple(None if n in kept else c for n, c in zip(names, move.codes, strict=True))

    def move(self, before: Position, move: Move, seat: int) -> Move | _Hidden:
        """A move, or what was rolled, as a seat saw it; HIDDEN if it did not see all of it."""
        return move if self.glimpse(before.cells, move, seat) == move.codes else HIDDEN

    def public_text(self, before: Position, move: Move, waits: bool = False) -> str:
        """A move, or what was rolled, as all may read it; `waits`: until all have chosen."""
        if waits:
            return SECRET
        if before.player == CHANCE:
            shown = self.shows_roll_to_all(before.cells)
            return move.text if shown else f"{move.operation} {SECRET}"
        operation = self._operation(move)
        kept = self._kept[move.operation]
        if self.keeps_name(operation):
            return SECRET
        if operation.secret or (kept and len(kept) == len(operation.choices)):
            return f"{move.operation} {SECRET}"
        if not kept:
            return move.text
        words = self._game.ruleset.words
        texts = [
            SECRET if choice.name in kept else choice_text(choice.element, code, words)
            for choice, code in zip(operation.choices, move.codes[1:], strict=True)
        ]
        return " ".join([move.operation, *texts])

    def _operation(self, move: Move) -> Operation:
        operation = self._game.ruleset.operation(move.operation)
        assert operation is not None
        return operation


def _hidden_cells(game: Rules, seat: int, names: Iterable[str]) -> frozenset[int]:
    """The places of some declared values, where a seat may not see them."""
    hidden: set[int] = set()
    for name in names:
        value = game.ruleset.state[name]
        owners = range(len(game.players)) if value.variable.each_player else range(1)
        for owner in owners:
            if not sees(value.seen_by, owner, seat):
                hidden.update(game.kernel.places(name, owner))
    return frozenset(hidden)
