"""What is put before a player: every move of the operations on offer, valid or not, and the rule
that bars it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from rulegame.codes import DIVISION_BY_ZERO
from rulegame.compiling import Cells, Checks, Fault, RuleTest
from rulegame.diagnostics import Diagnostic
from rulegame.game.moves import GameError, Move
from rulegame.game.rules import Position, Rules
from rulegame.game.visibility import Masked, Sight, Unseen
from rulegame.language.typed import Typed
from rulegame.limits import LIMITS
from rulegame.model import Operation, Validity
from rulegame.model.analysis import looks_further
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
        self._compulsory = [rule for rule in game.ruleset.validity if rule.compulsory]
        self._forgone: tuple[Cells, Mapping[Move, str]] = ((), {})  # of the last state

    def operations(self, state: Position) -> tuple[Operation, ...]:
        """The operations that are on offer in a state of decision."""
        operations = self._game.point(state).operations
        checks = self._game.kernel.checks
        return tuple(o for o in operations if checks(o).is_available(state.cells))

    def candidates(self, state: Position) -> list[Move]:
        """Every move on offer, valid or not, in order."""
        found: list[Move] = []
        for operation in self.operations(state):
            checks = self._game.kernel.checks(operation)
            for codes in _choices(checks, state.cells, ()):
                if len(found) >= LIMITS.moves:
                    message = f"there are more than {LIMITS.moves:,} moves"
                    raise GameError(Diagnostic("E506", message, operation.place.span))
                found.append(self._game.move_with(operation.name, codes))
        return found

    def judged(self, state: Position, move: Move) -> Iterator[Judged]:
        """Every validity rule of a move's operation, those about the state after it last, and
        whether the move keeps it; compulsory rules aside.
        """
        checks = self._game.kernel.checks(self._operation(move))
        for test in checks.rules:
            if not test.uses_after:
                yield self._judge(test, state, move, ())
        if not checks.needs_after:
            return
        afterwards = [test for test in checks.rules if test.uses_after]
        try:
            after = self.after(state, move)
        except Fault as failure:
            if failure.code == DIVISION_BY_ZERO:
                yield Judged(None, False)
            yield from (Judged(self._rule(test), failure) for test in afterwards)
            return
        for test in afterwards:
            yield self._judge(test, state, move, after)

    def _judge(self, test: RuleTest, state: Position, move: Move, after: Sequence[int]) -> Judged:
        try:
            holds = bool(test.holds(state.cells, after, *move.codes[1:]))
        except Fault as failure:
            return Judged(self._rule(test), failure, after)
        return Judged(self._rule(test), holds, after)

    def _rule(self, test: RuleTest) -> Validity:
        return next(r for r in self._game.ruleset.validity if r.name == test.rule)

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
        if not barred and self._compulsory and (name := self.forgone(state).get(move)):
            yield name

    def forgone(self, state: Position) -> Mapping[Move, str]:
        """The moves that are not valid because another one is compulsory, with the name of the
        rule.
        """
        cells, known = self._forgone
        if cells is not state.cells:
            known = dict(self._forgo(state)) if self._compulsory else {}
            self._forgone = state.cells, known
        return known

    def _forgo(self, state: Position) -> Iterator[tuple[Move, str]]:
        moves = [
            move
            for move in self.candidates(state)
            if all(judged.holds is True for judged in self.judged(state, move))
        ]
        for rule in self._compulsory:
            bound = [m for m in moves if m.operation in rule.requires]
            failed = {m for m in bound if len(moves) > 1 and not self.satisfies(state, m, rule)}
            if len(failed) < len(bound):
                yield from ((move, rule.name) for move in bound if move in failed)
                moves = [move for move in moves if move not in failed]

    def satisfies(self, state: Position, move: Move, rule: Validity) -> bool:
        """Whether a move satisfies the condition of a compulsory rule."""
        operation, codes = self._operation(move), move.codes[1:]
        if not isinstance(state.cells, Masked):
            return self._game.kernel.satisfies(state.cells, operation, rule, codes)
        condition = rule.requires[operation.name]
        if looks_further(condition):
            raise Unseen
        after = self.after(state, move) if rule.uses_after else ()
        return bool(self.value(condition, operation, state, codes, after))

    def after(self, state: Position, move: Move) -> Sequence[int]:
        """The cells after a move, as far as no roll inside it decides. Of a state in which some are
        masked, the same are masked afterwards; `Unseen` if one of them might be needed.
        """
        operation = self._operation(move)
        arguments = [*self.rolls(operation, state).values(), *move.codes[1:]]
        after = self._game.kernel.after
        if not isinstance(state.cells, Masked):
            return after(operation, state.cells, arguments)
        if reads_hidden(self._game.ruleset.state, operation, self._is_own(state.cells)):
            raise Unseen
        cells = tuple(tuple.__iter__(state.cells))
        return Masked.of(after(operation, cells, arguments), state.cells.hidden)

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
        """The value of a part of an expression of the operation, or of a rule about it."""
        rolls = self.rolls(operation, state)
        made = self._compiled.get(id(e))  # the ruleset keeps its expressions alive
        if made is None:
            names = (*rolls, *(c.name for c in operation.choices[: len(codes)]))
            made = self._compiled[id(e)] = self._game.evaluator(e, names)
        return made(state.cells, after, state.turn, (), *rolls.values(), *codes)


def _choices(checks: Checks, cells: Cells, earlier: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All choices, one after the other."""
    if len(earlier) == len(checks.choices):
        yield earlier
        return
    for code in checks.values(cells, earlier):
        yield from _choices(checks, cells, (*earlier, code))


def offers_of(game: Rules) -> Candidates:
    """The offers of a game, made once."""
    return game.companion(Candidates)
