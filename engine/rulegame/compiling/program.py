"""A compiled ruleset: the functions that play it, and what they need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final, NamedTuple

from rulegame.compiling.layout import Point, Shape
from rulegame.core import ir
from rulegame.evaluation.emitting import Sites
from rulegame.evaluation.runtime import Cells, Meter
from rulegame.language.types import Type
from rulegame.model import Ruleset

NO_MODULE: Final = ir.Module({}, (), 0, {}, 0, True)

Codes = tuple[int, ...]  # of moves, or of what can be rolled


class Action(NamedTuple):
    """What a code stands for: an operation with its choices, or a roll with its value."""

    name: str
    types: tuple[Type, ...]
    words: tuple[int, ...]  # the operation's number, then the choices: what the functions take


class ActionTable:
    """Everything that was done or rolled so far in a game, by its code: small whole numbers, given
    in the order in which they are met.
    """

    def __init__(self) -> None:
        self.known: list[Action] = []
        self.words: list[tuple[int, ...]] = []  # of each of them
        self._lock = Lock()

    def add(self, action: Action) -> int:
        """The code of something new."""
        with self._lock:
            self.known.append(action)
            self.words.append(action.words)
            return len(self.known) - 1


class Numbering(dict[Any, int]):
    """The codes of one operation's moves, or of what one roll can be, by the choices: a single one
    by itself, several as a tuple.
    """

    def __init__(self, actions: ActionTable, name: str, number: int, types: Sequence[Type]) -> None:
        super().__init__()
        self.name = name
        self._actions = actions
        self._number = number
        self._types = tuple(types)

    def __missing__(self, key: Any) -> int:
        choices = key if isinstance(key, tuple) else (key,)
        action = Action(self.name, self._types, (self._number, *choices))
        return self.setdefault(key, self._actions.add(action))

    def of(self, choices: tuple[int, ...]) -> int:
        """The code with some choices."""
        return self[choices[0] if len(choices) == 1 else choices]


@dataclass(slots=True)
class Program:
    """A compiled ruleset."""

    ruleset: Ruleset
    shape: Shape
    points: tuple[Point, ...]
    rules: tuple[str, ...]
    sites: Sites
    meter: Meter
    start: tuple[Cells, ...]  # by who is first
    actions: ActionTable = field(default_factory=ActionTable)
    operations: dict[str, Numbering] = field(default_factory=dict)  # those of the setup, too
    rolls: dict[int, Numbering] = field(default_factory=dict)  # by the point
    moves: dict[int, Callable[[Cells], Codes]] = field(default_factory=dict)
    play: list[Callable[[Cells, tuple[int, ...]], Cells]] = field(default_factory=list)
    events: dict[int, Callable[[Cells], tuple[Sequence[int], Sequence[int] | None]]] = field(
        default_factory=dict
    )
    gates: dict[int, Callable[[Cells], Cells]] = field(default_factory=dict)  # by the point
    stuck: Callable[[Cells], Cells] = lambda cells: cells
    # what holds for nobody in any state that a game can come to and goes on from, by cells and seat
    granted: list[Callable[[Cells, int], bool]] = field(default_factory=list)
    after: dict[str, Callable[..., list[int]]] = field(default_factory=dict)
    # whether a move satisfies a compulsory rule, by the names of the rule and of the operation
    tests: dict[tuple[str, str], Callable[..., bool]] = field(default_factory=dict)
    module: ir.Module = NO_MODULE
    names: dict[str, Any] = field(default_factory=dict)  # what they may use

    @property
    def functions(self) -> Mapping[str, ir.Function]:
        """The functions of the module, by name."""
        return self.module.functions
