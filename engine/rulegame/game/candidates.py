"""What is put before a player: every move of the operations on offer, valid or not, and the rule
that bars it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulegame.compiling import SEAT
from rulegame.diagnostics import Diagnostic
from rulegame.evaluation.runtime import Fault, members
from rulegame.game.game import Game, GameError, Move, State
from rulegame.game.visibility import Masked, Sight, Unseen
from rulegame.language.typed import Typed
from rulegame.language.types import Set
from rulegame.limits import LIMITS
from rulegame.model import Choice, Operation
from rulegame.model.secrecy import reads_hidden


class Candidates:
    """The offers of one game; its expressions are compiled when they are first needed."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._compiled: dict[int, Callable[..., Any]] = {}

    def operations(self, state: State) -> tuple[Operation, ...]:
        """The operations that are on offer in a state of decision."""
        point = self._game.point(state)
        return tuple(
            o for o in point.operations if o.when is None or self._holds(o.when, o, state, ())
        )

    def candidates(self, state: State) -> list[Move]:
        """Every move on offer, valid or not, in order."""
        found: list[Move] = []
        for operation in self.operations(state):
            for codes in self._choices(operation, state, ()):
                if len(found) >= LIMITS.moves:
                    message = f"there are more than {LIMITS.moves:,} moves"
                    raise GameError(Diagnostic("E506", message, operation.place.span))
                found.append(self._game.move_of(operation.name, codes))
        return found

    def domain(
        self, operation: Operation, choice: Choice, state: State, earlier: tuple[int, ...]
    ) -> tuple[int, ...]:
        """What a choice is made from, given the earlier ones."""
        items = self.value(choice.collection, operation, state, earlier)
        if isinstance(choice.collection.type, Set):
            return members(items, choice.collection.type.low)
        return tuple(dict.fromkeys(items))

    def _choices(
        self, operation: Operation, state: State, earlier: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        if len(earlier) == len(operation.choices):
            yield earlier
            return
        for code in self.domain(operation, operation.choices[len(earlier)], state, earlier):
            yield from self._choices(operation, state, (*earlier, code))

    def barring(self, state: State, move: Move) -> Iterator[str]:
        """The names of the validity rules that the move breaks, in order. Once one does, a rule
        that cannot be worked out for the move is passed over: the first may be there to guard it.
        """
        operation = self._game.ruleset.operation(move.operation)
        assert operation is not None
        codes = move.codes[1:]
        rules = self._game.operation_rules(operation)
        afterwards = [rule for rule in rules if rule.uses_after]
        barred = False
        for rule in rules:
            try:
                if rule.uses_after or self._holds(
                    rule.requires[operation.name], operation, state, codes
                ):
                    continue
            except (Fault, GameError):
                if barred:
                    continue
                raise
            barred = True
            yield rule.name
        try:
            after = self.after(state, move)
        except Fault as fault:
            if fault.code == "E503":
                yield "division_by_zero"
            elif afterwards and not barred:
                raise
            return
        for rule in afterwards:
            if not self._holds(rule.requires[operation.name], operation, state, codes, after):
                yield rule.name

    def after(self, state: State, move: Move) -> Sequence[int]:
        """The cells after a move, as far as no roll inside it decides. Of a state in which some are
        masked, the same are masked afterwards; `Unseen` if one of them might be needed.
        """
        operation = self._game.ruleset.operation(move.operation)
        assert operation is not None
        arguments = [*self.rolls(operation, state).values(), *move.codes[1:]]
        after = self._game.program.after[move.operation]
        if not isinstance(state.cells, Masked):
            return after(state.cells, state.cells[SEAT], *arguments)
        if reads_hidden(self._game.ruleset.state, operation, self._is_own(state.cells)):
            raise Unseen
        cells = tuple(tuple.__iter__(state.cells))
        return Masked.of(after(cells, state.cells[SEAT], *arguments), state.cells.hidden)

    def _is_own(self, cells: Masked) -> bool:
        """Whether the player who moves sees the own values in masked cells."""
        return cells.hidden.isdisjoint(self._game.companion(Sight).own_cells(cells[SEAT]))

    def rolls(self, operation: Operation, state: State) -> dict[str, int]:
        """The rolls of the turn, which come before the choices in every scope of an operation."""
        if operation.setup:
            return {}
        return {name: state.cells[c] for name, c in self._game.program.shape.rolls.items()}

    def _holds(
        self,
        condition: Typed,
        operation: Operation,
        state: State,
        codes: tuple[int, ...],
        after: Any = (),
    ) -> bool:
        return bool(self.value(condition, operation, state, codes, after))

    def value(
        self, e: Typed, operation: Operation, state: State, codes: tuple[int, ...], after: Any = ()
    ) -> Any:
        """The value of an expression of the operation, or of a rule about it."""
        rolls = self.rolls(operation, state)
        made = self._compiled.get(id(e))  # the ruleset keeps its expressions alive
        if made is None:
            names = (*rolls, *(c.name for c in operation.choices[: len(codes)]))
            made = self._compiled[id(e)] = self._game.evaluator(e, names)
        return made(state.cells, after, state.cells[SEAT], (), *rolls.values(), *codes)


def offers_of(game: Game) -> Candidates:
    """The offers of a game, made once."""
    return game.companion(Candidates)
