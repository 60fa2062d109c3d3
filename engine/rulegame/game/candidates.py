"""What is put before a player: every move of the operations on offer, valid or not, and the rule
that bars it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from rulegame.codes import DIVISION_BY_ZERO
from rulegame.compiling import Fault
from rulegame.diagnostics import Diagnostic
from rulegame.evaluation.values import numbers_of
from rulegame.game.moves import GameError, Move
from rulegame.game.rules import Position, Rules
from rulegame.game.visibility import Masked, Sight, Unseen
from rulegame.language.typed import Typed
from rulegame.language.types import Set
from rulegame.limits import LIMITS
from rulegame.model import Choice, Operation, Validity
from rulegame.model.secrecy import reads_hidden

DIVISION: Final = "division_by_zero"  # the rule that no effect of a move divides by zero


class Judged(NamedTuple):
    """A validity rule and whether a move keeps it, or why that cannot be worked out; `after` are
    the cells after the move, if the rule is about them. No rule stands for `DIVISION`.
    """

    rule: Validity | None
    holds: bool | Fault
    after: Any = ()


class Candidates:
    """The offers of one game; its expressions are compiled when they are first needed."""

    def __init__(self, game: Rules) -> None:
        self._game = game
        self._compiled: dict[int, Callable[..., Any]] = {}

    def operations(self, state: Position) -> tuple[Operation, ...]:
        """The operations that are on offer in a state of decision."""
        point = self._game.point(state)
        return tuple(
            o for o in point.operations if o.when is None or self.value(o.when, o, state, ())
        )

    def candidates(self, state: Position) -> list[Move]:
        """Every move on offer, valid or not, in order."""
        found: list[Move] = []
        for operation in self.operations(state):
            for codes in self._choices(operation, state, ()):
                if len(found) >= LIMITS.moves:
                    message = f"there are more than {LIMITS.moves:,} moves"
                    raise GameError(Diagnostic("E506", message, operation.place.span))
                found.append(self._game.move_with(operation.name, codes))
        return found

    def domain(
        self, operation: Operation, choice: Choice, state: Position, earlier: tuple[int, ...]
    ) -> tuple[int, ...]:
        """What a choice is made from, given the earlier ones."""
        items = self.value(choice.collection, operation, state, earlier)
        if isinstance(choice.collection.type, Set):
            return numbers_of(choice.collection.type, items)
        return tuple(dict.fromkeys(items))

    def _choices(
        self, operation: Operation, state: Position, earlier: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        if len(earlier) == len(operation.choices):
            yield earlier
            return
        for code in self.domain(operation, operation.choices[len(earlier)], state, earlier):
            yield from self._choices(operation, state, (*earlier, code))

    def judged(self, state: Position, move: Move) -> Iterator[Judged]:
        """Every validity rule of a move's operation, those about the state after it last, and
        whether the move keeps it.
        """
        operation = self._operation(move)
        rules = self._game.operation_rules(operation)
        for rule in rules:
            if not rule.uses_after:
                yield self._judge(rule, operation, state, move, ())
        try:
            after = self.after(state, move)
        except Fault as failure:
            if failure.code == DIVISION_BY_ZERO:
                yield Judged(None, False)
            yield from (Judged(rule, failure) for rule in rules if rule.uses_after)
            return
        for rule in rules:
            if rule.uses_after:
                yield self._judge(rule, operation, state, move, after)

    def _judge(
        self, rule: Validity, operation: Operation, state: Position, move: Move, after: Any
    ) -> Judged:
        condition = rule.requires[operation.name]
        try:
            holds = bool(self.value(condition, operation, state, move.codes[1:], after))
        except Fault as failure:
            return Judged(rule, failure, after)
        return Judged(rule, holds, after)

    def barring(self, state: Position, move: Move) -> Iterator[str]:
        """The names of the validity rules that the move breaks, in order. Once one does, a rule
        that cannot be worked out for the move is passed over: the first may be there to guard it.
        """
        barred = False
        for rule, holds, _ in self.judged(state, move):
            if isinstance(holds, Fault):
                if not barred:
                    raise holds
            elif not holds:
                barred = True
                yield DIVISION if rule is None else rule.name

    def after(self, state: Position, move: Move) -> Sequence[int]:
        """The cells after a move, as far as no roll inside it decides. Of a state in which some are
        masked, the same are masked afterwards; `Unseen` if one of them might be needed.
        """
        operation = self._operation(move)
        arguments = [*self.rolls(operation, state).values(), *move.codes[1:]]
        after = self._game.kernel.program.after[move.operation]
        if not isinstance(state.cells, Masked):
            return after(state.cells, state.turn, *arguments)
        if reads_hidden(self._game.ruleset.state, operation, self._is_own(state.cells)):
            raise Unseen
        cells = tuple(tuple.__iter__(state.cells))
        return Masked.of(after(cells, state.turn, *arguments), state.cells.hidden)

    def _operation(self, move: Move) -> Operation:
        operation = self._game.ruleset.operation(move.operation)
        assert operation is not None
        return operation

    def _is_own(self, cells: Masked) -> bool:
        """Whether the player who moves sees the own values in masked cells."""
        return cells.hidden.isdisjoint(
            self._game.companion(Sight).own_cells(self._game.kernel.seat(cells))
        )

    def rolls(self, operation: Operation, state: Position) -> dict[str, int]:
        """The rolls of the turn, which come before the choices in every scope of an operation."""
        if operation.setup:
            return {}
        return {name: state.cells[c] for name, c in self._game.kernel.roll_places.items()}

    def value(
        self,
        e: Typed,
        operation: Operation,
        state: Position,
        codes: tuple[int, ...],
        after: Any = (),
    ) -> Any:
        """The value of an expression of the operation, or of a rule about it."""
        rolls = self.rolls(operation, state)
        made = self._compiled.get(id(e))  # the ruleset keeps its expressions alive
        if made is None:
            names = (*rolls, *(c.name for c in operation.choices[: len(codes)]))
            made = self._compiled[id(e)] = self._game.evaluator(e, names)
        return made(state.cells, after, state.turn, (), *rolls.values(), *codes)


def offers_of(game: Rules) -> Candidates:
    """The offers of a game, made once."""
    return game.companion(Candidates)
