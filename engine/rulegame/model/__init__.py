"""What a ruleset means, as frozen values. In: nothing; `building` makes it. Out: `Ruleset`, every
expression typed and as it was written, and what can be told of its rules before they run.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

from rulegame.diagnostics import Passage, Span
from rulegame.language.syntax import Expression, Place, Target
from rulegame.language.templates import Template
from rulegame.language.typed import Typed, Variable, Write
from rulegame.language.types import Type, optional
from rulegame.language.vocabulary import Definition, NamedType, Sayings

# Who sees something: a word, or the seats of those who do.
Sight = Literal["all", "owner", "others", "nobody"] | tuple[int, ...]


def sees(sight: Sight, owner: int, seat: int) -> bool:
    """Whether a seat sees what is seen so, and belongs to the owner."""
    if isinstance(sight, tuple):
        return seat in sight
    return (
        sight == "all"
        or (sight == "owner" and seat == owner)
        or (sight == "others" and seat != owner)
    )


class Source(NamedTuple):
    """What a rule says under a key, as it is written, and the syntax tree of an expression, or the
    plain value of anything else: of a type, a flag or a board that is drawn.
    """

    passage: Passage
    tree: Expression | None
    value: Any = None

    @property
    def written(self) -> str:
        """The text as its author wrote it, on one line."""
        return self.passage.written

    @property
    def span(self) -> Span:
        """Where it stands in the file."""
        return self.passage.span


class Assignment(NamedTuple):
    """The syntax trees of an effect: what it changes, and the new value."""

    target: Target
    value: Expression


Sources = Mapping[str, Source]  # what a rule says, by key; mappings aside
NO_SOURCES: Final[Sources] = {}
NO_SYMBOLS: Final[Mapping[int, str]] = {}
NO_WORDS: Final[Mapping[str, str]] = {}


class ParameterRule(NamedTuple):
    """A parameter with its value in this game, and what may be given instead."""

    name: str
    type: Type
    value: int | tuple[int, ...]
    default: int | tuple[int, ...]
    low: int | None
    high: int | None
    least: int | None  # numbers in a list, and the most of them
    most: int | None
    different: bool
    words: tuple[str, ...]
    about: str
    numbers: tuple[int, ...] = ()  # the only ones that it may be, if there are any
    sources: Sources = NO_SOURCES


Form = Literal[
    "", "no", "bar", "pips", "cards", "text", "discs", "stones", "men", "kings", "pegs", "tokens",
    "pits", "chess",
]  # fmt: skip
Ground = Literal["", "chequered", "plain", "intersections", "upright"]


class Display(NamedTuple):
    """How a value is drawn: as its type and the rules suggest if there is no `form`; as the lines
    of the text `turn` that list it if that is `text`; not at all if that is `no`. The symbols of
    values are by their codes. What the cells of a board are called is part of its type.
    """

    form: Form = ""
    full: int | None = None  # how far a bar can go
    symbols: Mapping[int, str] = NO_SYMBOLS
    cards: Mapping[int, str] = NO_SYMBOLS  # suit and rank, drawn only; texts print the numbers
    ground: Ground = ""  # of a board
    sides: tuple[int, ...] = ()  # the seats that own top and bottom, and left and right
    numbers: tuple[int, ...] = ()  # of the cells of a board, row by row; 0 for none
    points: tuple[tuple[int, int], ...] = ()  # columns and rows, of a list drawn as a graph
    lines: tuple[tuple[int, ...], ...] = ()  # between points, which count from 1
    names: tuple[str, ...] = ()  # of points
    history: bool = False  # whether earlier values stay in view
    store: str = ""  # the value in which the seeds of pits are collected
    numbered: bool = False  # whether the columns of a board have numbers, also where it is drawn
    declared: bool = False  # whether the ruleset says anything of it


class StateValue(NamedTuple):
    """A declared value: its variable, its start (None: as its type starts) and who sees it."""

    variable: Variable
    start: Typed | None
    seen_by: Sight
    about: str
    place: Place
    sources: Sources
    show: Display = Display()


class Roll(NamedTuple):
    """Chance: a value drawn from a collection. `when`, `repeat` and `while_` are those of the step
    that it is part of, which its effects have as well.
    """

    name: str
    collection: Typed
    element: Type
    weight: Typed | None
    text: Template | None
    place: Place
    sources: Sources
    step: str = ""  # that it is part of, if the operation has steps
    seen_by: Sight | None = None  # as declared; None: by what it leads to
    when: Typed | None = None
    repeat: Typed | None = None
    while_: Typed | None = None
    of_turn: bool = False  # whether it is part of what every move does

    @property
    def is_conditional(self) -> bool:
        """Whether it may be left out, or rolled again: its name is known inside its step alone."""
        return self.when is not None or self.repeat is not None

    @property
    def known(self) -> Type:
        """The type of its name in a turn: none, if it was left out."""
        return self.element if self.when is None else optional(self.element)


class Effects(NamedTuple):
    """Writes that happen at once, perhaps repeatedly."""

    writes: tuple[Write, ...]
    when: Typed | None
    repeat: Typed | None
    while_: Typed | None
    place: Place
    sources: Sources
    step: str = ""
    let: bool = False  # whether a value of the move is given its start
    of_turn: bool = False  # whether it is part of what every move does
    assignments: tuple[Assignment, ...] = ()  # those that a ruleset writes, one for each key


Step = Effects | Roll


class MoveValue(NamedTuple):
    """A value that lives during a move; `start` gives it what it starts with, if that is not 0."""

    variable: Variable
    start: Write | None
    about: str
    place: Place
    sources: Sources


class Choice(NamedTuple):
    """Something that a player chooses with an operation."""

    name: str
    collection: Typed
    element: Type
    texts: Mapping[str, Template]
    place: Place
    sources: Sources
    within: tuple[int, int] | None = None  # what it was declared never to leave
    told: str = ""


class Operation(NamedTuple):
    """What a player can do; also what is chosen or happens in the setup."""

    name: str
    label: str
    key: str
    doing: str
    about: str
    told: str  # what is said about it, unless a variant has changed it since
    enabled: bool
    enabled_by_default: bool
    setup: bool
    secret: bool
    when: Typed | None
    choices: tuple[Choice, ...]
    steps: tuple[Step, ...]
    step_names: tuple[str, ...]
    steps_told: Mapping[str, str]  # what is said about steps, by name
    next: Typed | None
    texts: Mapping[str, Template]
    place: Place
    sources: Sources
    seats: tuple[int, ...] = ()  # of the setup: those for whom it is done, one after the other
    once: bool = False  # of the setup: for the table; nobody is `me`
    lets: tuple[MoveValue, ...] = ()  # the steps begin with those that have a start

    @property
    def is_automatic(self) -> bool:
        """Whether it happens by itself: in the setup, without anything to choose."""
        return self.setup and not self.choices

    @property
    def own_steps(self) -> tuple[Step, ...]:
        """The steps without those that every move has."""
        return tuple(step for step in self.steps if not step.of_turn)

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The chance inside the operation."""
        return tuple(step for step in self.steps if isinstance(step, Roll))


class Validity(NamedTuple):
    """A validity rule; its condition is typed for each operation that it applies to. A compulsory
    rule forbids the moves that break it only while there is one that keeps it.
    """

    name: str
    requires: Mapping[str, Typed]
    uses_after: bool
    texts: Mapping[str, Mapping[str, Template]]  # operation, then note, because or stuck
    listed: tuple[str, ...] | None  # the operations that it names itself
    told: str
    place: Place
    sources: Sources
    compulsory: bool = False
    forgone: tuple[str, ...] = ()  # the operations that only give way to compulsory moves

    @property
    def source(self) -> Source:
        """The condition as it is written."""
        return self.sources["must" if self.compulsory else "require"]


class Verdict(NamedTuple):
    """What an end means: exactly one of these."""

    result: Typed | None = None
    winners: Typed | None = None
    payoff: Typed | None = None
    everyone: Typed | None = None  # all win, or all lose
    score: Typed | None = None  # what all reach together, the payoff of each

    @property
    def pays(self) -> bool:
        """Whether it pays amounts."""
        return self.payoff is not None or self.score is not None

    @property
    def is_common(self) -> bool:
        """Whether all players get the same, and it is not a draw."""
        return self.everyone is not None or self.score is not None

    @property
    def expressions(self) -> tuple[Typed, ...]:
        """What tells it: one expression, if nothing is wrong with it."""
        return tuple(one for one in self if one is not None)


VERDICTS: Final = Verdict._fields  # the keys of which a verdict has one


class EndRule(NamedTuple):
    """How a game ends."""

    name: str
    when: Typed
    verdict: Verdict
    text: Template | None
    told: str
    place: Place
    sources: Sources


class Stuck(NamedTuple):
    """What happens to a player without a valid move."""

    unless: Mapping[str, Typed]  # by operation
    verdict: Verdict
    effects: Effects | None
    text: Template | None
    all_verdict: Verdict
    all_text: Template | None
    told: str
    place: Place
    keys: Mapping[str, Span]  # where each of its parts stands; none if it is not written at all
    sources: Sources
    all_sources: Sources


class Together(NamedTuple):
    """A turn in which players choose at once, unseen."""

    who: Typed  # the list of those who choose
    everyone: bool  # all do, in every turn
    chosen: Mapping[str, Variable]  # what each has chosen, by the name of the choice
    done: Operation  # by nobody, once all have chosen and their own effects are carried out
    place: Place


class Turn(NamedTuple):
    """What belongs to every turn."""

    rolls: tuple[Roll, ...]
    ask: tuple[str, ...]
    next: Typed | None
    sources: Sources
    first: int | None = None  # the seat that begins, if the ruleset says so
    forced: bool = False  # a move without a choice is made, and nobody asked
    together: Together | None = None  # all choose at once
    opener: Typed | None = None  # who begins, known after the setup; `first` is 0 then
    begin: Effects | None = None  # of a turn that begins, before its rolls
    common: tuple[Step, ...] = ()  # at the end of every move
    common_names: tuple[str, ...] = ()  # of its steps
    common_told: Mapping[str, str] = NO_WORDS  # their descriptions, by step

    @property
    def has_gate(self) -> bool:
        """Whether something happens by itself when a turn begins."""
        return self.begin is not None or (bool(self.rolls) and self.rolls[0].when is not None)

    @property
    def later_rolls(self) -> tuple[Roll, ...]:
        """What is rolled when all have chosen."""
        return () if self.together is None else self.together.done.rolls


class Claim(NamedTuple):
    """What a ruleset says about itself: that it is so or not, or how far `fair_within` goes; of the
    game as it is played, or, with `over`, of the games with each of these values of parameters.
    """

    name: str
    value: bool | Fraction
    span: Span
    over: Mapping[str, tuple[Any, ...]] = {}
    over_as_written: Mapping[str, Any] = {}

    def __str__(self) -> str:
        if self.value is True:
            return self.name
        value = "false" if self.value is False else f"{float(self.value):g}"
        if self.name == "first_player_gets":
            value = str(self.value)
        return f"{self.name}: {value}"


class Expectation(NamedTuple):
    """What a test expects where it ends; None, or nothing in it, where it does not say."""

    valid: tuple[str, ...] | None
    invalid: Mapping[str, str]  # moves, and the rule that bars each
    values: Mapping[str, Any]
    player: int | None
    goes_on: bool
    outcome: Mapping[str, Any] | None
    printed: tuple[str, ...] | None  # lines
    value: str | None = None  # under best play, for who moves first


class RuleTest(NamedTuple):
    """A test of a ruleset: players count from 1, values are as a ruleset has them."""

    name: str
    span: Span
    settings: Mapping[str, Any]  # what it sets and switches
    first: int
    given: Mapping[str, Any]
    play: tuple[str, ...]
    typed: tuple[str, ...] | None  # lines at the prompts, instead of moves
    rolls: tuple[str, ...]
    expect: Expectation


class Symmetry(NamedTuple):
    """What is said to change nothing: some grids turned or mirrored, all at once."""

    word: str
    grids: tuple[str, ...]
    span: Span


class Ruleset(NamedTuple):
    """A whole game, with the parameters that it is played with."""

    title: str
    summary: str
    file: str
    extends: str
    players: tuple[str, ...]
    player_counts: Sources
    parameters: Mapping[str, ParameterRule]
    words: tuple[str, ...]
    types: Mapping[str, NamedType]
    definitions: Mapping[str, Definition]
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
    symmetry: tuple[Symmetry, ...]
    claims: tuple[Claim, ...]
    tests: Mapping[str, RuleTest]
    names: Mapping[str, tuple[str, ...]]  # the keys of each section, in the order of the file
    defined: Sayings  # where definitions are used that have words of their own
    said: Mapping[tuple[str, ...], str]  # every text that is no rule, by the keys that lead to it
    unit: Fraction = Fraction(1)  # in which payoffs are given

    def operation(self, name: str) -> Operation | None:
        """An operation or an entry of the setup that is in the game."""
        return next((o for o in (*self.operations, *self.setup) if o.name == name), None)

    def required_of(self, operation: Operation) -> list[Validity]:
        """The validity rules of an operation, without compulsory ones."""
        rules = (rule for rule in self.validity if not rule.compulsory)
        return [rule for rule in rules if operation.name in rule.requires]

    @property
    def chosen(self) -> tuple[Operation, ...]:
        """All that players choose: operations, and entries of the setup that ask them."""
        return (*self.operations, *(o for o in self.setup if not o.is_automatic))

    @property
    def listed(self) -> tuple[Operation, ...]:
        """The operations, on and off, in the order of the file."""
        rank = {name: k for k, name in enumerate(self.names.get("operations", ()))}
        return tuple(sorted((*self.operations, *self.disabled), key=lambda o: rank[o.name]))

    @property
    def together(self) -> Together | None:
        """What makes it a game in which players choose at once."""
        return self.turn.together
