"""The rules of a game beside its states: the kernel, its codes as moves, its faults as errors, and
what is made from the rules when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Final, TypeVar, cast

from rulegame.compiling import Cells, Codes, Fault, Kernel, Outcome, Point, compile_ruleset
from rulegame.diagnostics import Diagnostic, Span
from rulegame.evaluation.runtime import Meter
from rulegame.evaluation.values import choice_text, decode
from rulegame.game.moves import GameError, Move
from rulegame.language.typed import Typed
from rulegame.model import Operation, Ruleset, Validity
from rulegame.model.kind import GameKind, kind_of

MOST_LISTED: Final = 4096  # lists of moves that are kept, to be given out again,
LONGEST_LISTED: Final = 256  # and how many moves one of them has at most

T = TypeVar("T")


class Position:
    """The fields of a state. A `State` is one that does not change; one whose cells are masked is
    for texts.
    """

    __slots__ = ("cells", "events", "game", "moves", "options", "outcome", "player")

    def __init__(
        self,
        game: Rules,
        cells: Cells,
        player: int | None,
        options: Codes = (),
        moves: tuple[Move, ...] = (),
        outcome: Outcome | None = None,
        events: tuple[Any, ...] = (),
    ) -> None:
        self.game = game
        self.cells = cells  # a flat tuple of whole numbers: see `compiling`
        self.player = player  # the seat to move, CHANCE, or None when the game is over
        self.options = options  # the codes of the moves, for the kernel
        self.moves = moves  # the valid moves, or what can be rolled
        self.outcome = outcome
        self.events = events  # what happened by itself after the last move

    @property
    def turn(self) -> int:
        """Whose turn it is, also while something is rolled in it; -1 when the game is over."""
        return self.game.kernel.seat(self.cells)


class Rules:
    """A ruleset with its parameters, compiled."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.kernel: Kernel = compile_ruleset(ruleset)
        self._moves: dict[int, Move] = {}
        self._listed: dict[Codes, tuple[Move, ...]] = {}
        self.code_by_identity: dict[int, int] = {}  # of the moves below, which stay alive
        self._companions: dict[Callable[[Any], Any], Any] = {}

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in seat order."""
        return self.ruleset.players

    @cached_property
    def kind(self) -> GameKind:
        """What the rules say about chance, hidden information, payoffs and cycles."""
        return kind_of(self.ruleset)

    # ---- codes as moves

    def moves_of(self, codes: Codes) -> tuple[Move, ...]:
        """The moves that some codes stand for."""
        known = self._listed.get(codes)
        if known is None:
            known = tuple([self.move_of(code) for code in codes])
            if len(codes) <= LONGEST_LISTED:
                if len(self._listed) >= MOST_LISTED:
                    self._listed.clear()
                self._listed[codes] = known
        return known

    def move_of(self, code: int) -> Move:
        """The move that a code stands for, made once."""
        move = self._moves.get(code)
        if move is None:
            name, types, (number, *choices) = self.kernel.actions[code]
            words = self.ruleset.words
            pairs = list(zip(types, choices, strict=True))
            values = tuple([decode(type_, (choice,), words) for type_, choice in pairs])
            texts = [choice_text(type_, choice, words) for type_, choice in pairs]
            move = Move(name, values, " ".join([name, *texts]), (number, *choices))
            move = self._moves.setdefault(code, move)
            self.code_by_identity[id(move)] = code
        return move

    def move_with(self, name: str, choices: tuple[int, ...]) -> Move:
        """The move of an operation, or of something rolled, with the codes of its choices."""
        return self.move_of(self.kernel.code(name, choices))

    def code_of(self, move: Move) -> int:
        """The code of a move."""
        return self.kernel.code(move.operation, move.codes[1:])

    # ---- where the rules fail

    @contextmanager
    def telling_faults(self) -> Iterator[None]:
        """Where the rules fail inside, it is a `GameError` that says where in the ruleset."""
        try:
            yield
        except Fault as fault:
            raise self.error(fault) from None

    def error(self, fault: Fault) -> GameError:
        """What a fault of the kernel means, and where in the ruleset it happened."""
        place = self.kernel.place(fault.site)
        span = Span.whole(self.ruleset.file) if place is None else place.span
        return GameError(Diagnostic(fault.code, fault.message, span, fault.hint))

    # ---- for the other modules of the engine

    def point(self, position: Position) -> Point:
        """Where a game that is not over waits: for which decision, or for which roll."""
        return self.kernel.point(position.cells)

    def companion(self, kind: Callable[[Any], T]) -> T:
        """Something made from the game when it is first needed: its candidates, its renderer."""
        if kind not in self._companions:
            self._companions[kind] = kind(self)
        return cast(T, self._companions[kind])

    def evaluator(
        self, expression: Typed, locals_: tuple[str, ...], meter: Meter | None = None
    ) -> Any:
        """A function of (state's cells, other cells, me, names, locals …) for one expression, with
        a budget for each call, or with that of a meter.
        """
        from rulegame.evaluation.text_functions import names_for_texts

        more = names_for_texts(self.ruleset.words, self.kernel.printed_types)
        return self.kernel.evaluator(expression, locals_, more, meter)

    def operation_rules(self, operation: Operation) -> list[Validity]:
        """The validity rules of an operation, in the order in which they are checked."""
        return [rule for rule in self.ruleset.validity if operation.name in rule.requires]
