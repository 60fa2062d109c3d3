"""Moves as values, and what is said about them: what was seen of one, why one is not valid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from rulegame.diagnostics import Diagnostic, PortableError, Span
from rulegame.wording import as_written


class _Hidden:
    """What a player may not see."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "HIDDEN"

    def __reduce__(self) -> str:
        return "HIDDEN"


HIDDEN: Final = _Hidden()


class Move(NamedTuple):
    """An operation with its choices, or something rolled with its value. Equal moves are equal
    values.
    """

    operation: str
    choices: tuple[Any, ...]
    text: str
    codes: tuple[int, ...]  # the operation's number and the choices, as whole numbers

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Move {self.text}>"


class Seen(NamedTuple):
    """What one player saw of a move, or of a roll: who made it, and which it was, unless that was
    kept from this player.
    """

    player: int  # a seat, or CHANCE
    move: Move | _Hidden
    codes: tuple[int | None, ...] = ()  # as in `Move`; None for a choice that was kept


@dataclass(frozen=True, slots=True)
class Check:
    """One rule that a move is held to: its expression as written, the values of the parts of that,
    and whether it holds (None if it was not looked at: something before it failed).
    """

    kind: str  # "when", "choice", "validity", "compulsory" or "gives way"
    rule: str  # the validity rule's name, the choice's, or "when"
    expression: str
    values: Mapping[str, Any]
    holds: bool | None
    message: str = ""  # why it does not hold
    span: Span | None = None
    about: str = ""  # what is chosen, in the author's words
    meanings: Mapping[str, str] = field(
        default_factory=dict
    )  # the same of definitions that it uses


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is not valid: the rule, the values that made it fail, and a sentence
    for people.
    """

    rule: str | None
    message: str
    values: Mapping[str, Any] = field(default_factory=dict)
    span: Span | None = None
    ask: Callable[[], tuple[Check, ...]] | None = field(default=None, compare=False, repr=False)

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every rule that the move is held to, those that it keeps too; worked out when asked."""
        return () if self.ask is None else self.ask()

    def __str__(self) -> str:
        shown = ", ".join(f"{name} = {as_written(value)}" for name, value in self.values.items())
        rule = f"{self.rule}: " if self.rule else ""
        return f"{rule}{self.message}" + (f" ({shown})" if shown else "")


class IllegalMove(PortableError, ValueError):
    """A move that is not valid in a state, or a text that is no move at all."""

    def __init__(self, move: Move | str, reason: Reason) -> None:
        super().__init__(f"{move}: {reason}" if isinstance(move, Move) else str(reason))
        self.move = move
        self.reason = reason


class GameError(PortableError):
    """The rules failed while a game was played: a number too large, an index out of range."""

    def __init__(self, diagnostic: Diagnostic, moves: Sequence[str] = (), said: str = "") -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic
        self.moves = tuple(moves)  # those so far, where a conversation knows them
        self.said = said  # what was still to be printed when it happened
