"""What kernels may call beside each other: the machine, and the rules of the game that they are
made for. For type checkers; never run.
"""

from __future__ import annotations

from typing import Self, overload


class Words:
    """64-bit numbers in a row."""

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> Self: ...
    def __getitem__(self, place: int | slice) -> int | Self:
        raise NotImplementedError

    def __setitem__(self, place: int, value: int) -> None:
        raise NotImplementedError


class Ints(Words):
    """32-bit numbers in a row."""


class Bytes(Words):
    """8-bit numbers in a row."""


class Reals:
    """Floating-point numbers in a row."""

    @overload
    def __getitem__(self, place: int) -> float: ...
    @overload
    def __getitem__(self, place: slice) -> Self: ...
    def __getitem__(self, place: int | slice) -> float | Self:
        raise NotImplementedError

    def __setitem__(self, place: int, value: float) -> None:
        raise NotImplementedError


class Floats(Reals):
    """The same in 32 bits; written, never read."""


def room(words: int) -> Words:
    """Memory of the function's own."""
    raise NotImplementedError


def copy(into: Words, source: Words, words: int) -> None:
    raise NotImplementedError


def ult(a: int, b: int) -> bool:
    """a < b, both without a sign."""
    raise NotImplementedError


def umod(a: int, b: int) -> int:
    """The remainder, both without a sign."""
    raise NotImplementedError


def prefetch(at: Words) -> None:
    """Memory that will be read soon."""
    raise NotImplementedError


def udiv(a: int, b: int) -> int:
    """The quotient, both without a sign."""
    raise NotImplementedError


def as_bytes(row: Words) -> Bytes:
    """The same memory, byte by byte."""
    raise NotImplementedError


def as_ints(row: Words) -> Ints:
    """The same memory, four bytes a number."""
    raise NotImplementedError


def call_back(address: int, question: int, a: Words, b: Words, d: Words, c: Words) -> int:
    """Calls a function of Python's."""
    raise NotImplementedError


def leading_zeros(a: int) -> int:
    raise NotImplementedError


def sqrt(a: float) -> float:
    raise NotImplementedError


def bits_of(a: float) -> int:
    raise NotImplementedError


def real_of(a: int) -> float:
    raise NotImplementedError


# ---- the rules of a game (see `rules`)

SEATS: int  # players
SIZE: int  # cells of a state
STRIDE: int  # words of an option: the operation's number, and the choices
STEPS: int  # the budget of a question to the rules
IS_CHANCE: Words  # by the point
IS_GATE: Words  # by the point: whether something happens by itself there, and no game waits
KIND: Words  # by the point: the kind of step, for a decision of a turn 0
KINDS: int  # how many kinds of steps there are
PAID: int  # how many players are paid: none, or all
PARTS: int  # of 1, in which payoffs are kept
PAYS: Words  # by the rule that ended a game: whether it says what is paid
PAYOFFS: int  # the cell of what the first of them gets


def options(c: Words, s: Words, out: Words, weights: Words) -> int:
    """The options of a state that is not over, and the weights of what can be rolled; how many
    there are: 0 if a player is stuck, or at a gate, below 0 if Python is to be asked.
    """
    raise NotImplementedError


def any_option(c: Words, s: Words, out: Words) -> int:
    """Whether a player has a valid move in a turn: 1 or more, 0, or below 0 if Python is to be
    asked.
    """
    raise NotImplementedError


def step(c: Words, s: Words, m: Words, t: Words) -> int:
    """Writes what an option leads to into `t`; below 0 if Python is to be asked."""
    raise NotImplementedError


def get_past(c: Words, s: Words, t: Words) -> int:
    """The same for what happens by itself when a player is stuck, or at a gate."""
    raise NotImplementedError
