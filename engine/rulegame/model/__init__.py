"""What a ruleset means, as frozen values. In: nothing; `building` makes it. Out: `Ruleset`, every
expression typed, and what can be told of its rules before they run.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from rulegame.language.syntax import Place
from rulegame.language.templates import Template
from rulegame.language.typed import Typed, Variable, Write
from rulegame.language.types import Type
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node

Sight = Literal["all", "owner", "nobody"]


class ParameterRule(NamedTuple):
    """A parameter with its value in this game, and what may be given instead."""

    name: str
    type: Type
    value: int | tuple[int, ...]
    low: int | None
    high: int | None
    words: tuple[str, ...]
    about: str


class StateValue(NamedTuple):
    """A declared value: its variable, its start (None: as its type starts) and who sees it."""

    variable: Variable
    start: Typed | None
    seen_by: Sight
    about: str
    place: Place


class Roll(NamedTuple):
    """Chance: a value drawn from a collection."""

    name: str
    collection: Typed
    element: Type
    weight: Typed | None
    text: Template | None
    place: Place


class Effects(NamedTuple):
    """Writes that happen at once, perhaps repeatedly."""

    writes: tuple[Write, ...]
    when: Typed | None
    repeat: Typed | None
    while_: Typed | None
    place: Place


Step = Effects | Roll


class Choice(NamedTuple):
    """Something that a player chooses with an operation."""

    name: str
    collection: Typed
    element: Type
    texts: Mapping[str, Template]
    place: Place


class Operation(NamedTuple):
    """What a player can do; also a choice of the setup."""

    name: str
    label: str
    key: str
    doing: str
    about: str
    enabled: bool
    setup: bool
    secret: bool
    when: Typed | None
    choices: tuple[Choice, ...]
    steps: tuple[Step, ...]
    next: Typed | None
    texts: Mapping[str, Template]
    place: Place

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The chance inside the operation."""
        return tuple(step for step in self.steps if isinstance(step, Roll))


class Validity(NamedTuple):
    """A validity rule; its condition is typed for each operation that it applies to."""

    name: str
    requires: Mapping[str, Typed]
    uses_after: bool
    texts: Mapping[str, Mapping[str, Template]]  # operation, then note, because or stuck
    place: Place


class Verdict(NamedTuple):
    """What an end means: exactly one of the three."""

    result: Typed | None = None
    winners: Typed | None = None
    payoff: Typed | None = None


class EndRule(NamedTuple):
    """How a game ends."""

    name: str
    when: Typed
    verdict: Verdict
    text: Template | None
    place: Place


class Stuck(NamedTuple):
    """What happens to a player without a valid move."""

    unless: Mapping[str, Typed]  # by operation
    verdict: Verdict
    effects: Effects | None
    text: Template | None
    all_verdict: Verdict
    all_text: Template | None
    place: Place


class Turn(NamedTuple):
    """What belongs to every turn."""

    rolls: tuple[Roll, ...] = ()
    ask: tuple[str, ...] = ()
    next: Typed | None = None


class Ruleset(NamedTuple):
    """A whole game, with the parameters that it is played with."""

    title: str
    summary: str
    file: str
    players: tuple[str, ...]
    parameters: Mapping[str, ParameterRule]
    words: tuple[str, ...]
    state: Mapping[str, StateValue]
    setup: tuple[Operation, ...]
    turn: Turn
    operations: tuple[Operation, ...]
    disabled: tuple[Operation, ...]
    validity: tuple[Validity, ...]
    stuck: Stuck
    end: tuple[EndRule, ...]
    texts: Mapping[str, Template]
    rulebook: Mapping[str, Template]  # paragraphs in the author's own words
    claims: Mapping[str, bool | float]
    tests: Mapping[str, Node]
    root: MappingNode

    def operation(self, name: str) -> Operation | None:
        """An operation or setup choice that is in the game."""
        return next((o for o in (*self.operations, *self.setup) if o.name == name), None)
