"""Games and their states: the public interface of the engine. Immutable values; nothing is
printed, nothing is random.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, TypeVar, cast

from rulegame.compiling import (
    PASSES,
    POINT,
    SEAT,
    Point,
    Program,
    compile_ruleset,
    turn_start,
    verdicts,
)
from rulegame.diagnostics import Diagnostic, Span, did_you_mean
from rulegame.evaluation.evaluator import compile_expression
from rulegame.evaluation.runtime import Cells, Fault, Meter
from rulegame.evaluation.values import choice_text, decode, encode, encode_one
from rulegame.language import typed
from rulegame.language.types import Type, size_of
from rulegame.limits import LIMITS
from rulegame.model import Operation, Roll, Ruleset, Validity
from rulegame.model.move_texts import move_parts, read_move

if TYPE_CHECKING:
    from rulegame.game.visibility import Sight

CHANCE: Final = -1
T = TypeVar("T")


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
    codes: tuple[int, ...]  # the operation's number and the choices, for the compiled game

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
class Outcome:
    """How a game ended: `rule` is the name of the rule that decided."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    draw: bool
    payoffs: tuple[int, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened by itself on the way to a state: a player was stuck."""

    kind: str  # "pass", "stuck" or "all_stuck"
    player: int
    before: State = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Check:
    """One rule that a move is held to: its expression as written, the values of the parts of that,
    and whether it holds (None if it was not looked at: something before it failed).
    """

    kind: str  # "when", "choice" or "validity"
    rule: str  # the validity rule's name, the choice's, or "when"
    expression: str
    values: Mapping[str, Any]
    holds: bool | None
    message: str = ""  # why it does not hold
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is not valid: the rule, the values that made it fail, and a sentence
    for people.
    """

    rule: str | None
    message: str
    values: Mapping[str, Any] = field(default_factory=dict)
    span: Span | None = None
    asked: tuple[State, Move] | None = field(default=None, compare=False, repr=False)

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every rule that the move is held to, those that it keeps too; worked out when asked."""
        if self.asked is None:
            return ()
        from rulegame.game.explaining import checks

        return checks(*self.asked)

    def __str__(self) -> str:
        shown = ", ".join(f"{name} = {value}" for name, value in self.values.items())
        rule = f"{self.rule}: " if self.rule else ""
        return f"{rule}{self.message}" + (f" ({shown})" if shown else "")


class IllegalMove(ValueError):
    """A move that is not valid in a state."""

    def __init__(self, move: Move | str, reason: Reason) -> None:
        super().__init__(f"{move}: {reason}")
        self.move = move
        self.reason = reason


class GameError(Exception):
    """The rules failed while a game was played: a number too large, an index out of range."""

    def __init__(self, diagnostic: Diagnostic, moves: Sequence[str] = (), said: str = "") -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic
        self.moves = tuple(moves)  # those so far, where a conversation knows them
        self.said = said  # what was still to be printed when it happened


class _Draft:
    """The fields of a state, while it is being made; then it becomes a `State`, which does not
    change.
    """

    __slots__ = ("cells", "events", "game", "moves", "outcome", "player")

    def __init__(
        self,
        game: Game,
        cells: Cells,
        player: int | None,
        moves: tuple[Move, ...],
        outcome: Outcome | None = None,
        events: tuple[Event, ...] = (),
    ) -> None:
        self.game = game
        self.cells = cells  # the flat tuple of integers: see `compiling`
        self.player = player  # the seat to move, CHANCE, or None when the game is over
        self.moves = moves  # the valid moves, or what can be rolled
        self.outcome = outcome
        self.events = events  # what happened by itself after the last move


class State(_Draft):
    """A situation in a game: immutable, hashable, equal if all that matters for the rules is
    equal.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a state does not change: play() returns the next one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a state does not change: play() returns the next one")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.cells != other.cells:
            return False
        return self.game is other.game or self.game == other.game

    def __hash__(self) -> int:
        return hash(self.cells)

    def __repr__(self) -> str:
        names = ", ".join(f"{name}={self[name]!r}" for name in self.game.ruleset.state)
        return f"<State player={self.player} {names}>"

    def __deepcopy__(self, memo: object) -> State:
        return self

    def __copy__(self) -> State:
        return self

    def __reduce__(self) -> tuple[Callable[..., State], tuple[Any, ...]]:
        return _restored_state, tuple(getattr(self, name) for name in _Draft.__slots__)

    def play(self, move: Move | str) -> State:
        """The state after a move, or after something was rolled; the move may be given as text."""
        if move not in self.moves:
            if not isinstance(move, str):
                raise IllegalMove(move, self._reason(move))
            return self.play(self.game.parse_move(move))
        game, cells = self.game, self.cells
        try:
            return game._arrive(game._play[cells[POINT]](cells, move.codes))
        except Fault as fault:
            raise game.error(fault) from None

    def why_not(self, move: Move) -> Reason | None:
        """None if the move is valid, else why it is not."""
        return None if move in self.moves else self._reason(move)

    def _reason(self, move: Move) -> Reason:
        from rulegame.game.reasons import reason

        with self.game.telling_faults():
            return reason(self, move)

    @property
    def chances(self) -> tuple[tuple[Move, Fraction], ...]:
        """At a chance state: what can be rolled, with its exact probability."""
        if self.player != CHANCE:
            return ()
        return self.game.chances_at(self.cells)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended; `outcome` says how."""
        return self.outcome is not None

    def __getitem__(self, name: str) -> Any:
        """A declared value by its name; a list over the seats for what each player has."""
        return self.game._value(self.cells, name)

    def __iter__(self) -> Iterator[str]:
        """The names of the declared values."""
        return iter(self.game.ruleset.state)

    def __contains__(self, name: object) -> bool:
        return name in self.game.ruleset.state

    def view(self, seat: int, past: Iterable[tuple[State, Move]] = ()) -> View:
        """What the player in that seat knows; `past` are the moves and rolls of the game so far,
        each with the state before it.
        """
        return View(self, seat, past)


class View:
    """What one player knows of a state, and of the moves that led to it."""

    __slots__ = ("_past", "_state", "seat")

    def __init__(self, state: State, seat: int, past: Iterable[tuple[State, Move]] = ()) -> None:
        if not 0 <= seat < len(state.game.ruleset.players):
            raise IndexError(f"there is no seat {seat}")
        self._state = state
        self._past = tuple(past)
        self.seat = seat

    @property
    def game(self) -> Game:
        return self._state.game

    @property
    def player(self) -> int | None:
        return self._state.player

    @property
    def outcome(self) -> Outcome | None:
        return self._state.outcome

    @property
    def moves(self) -> tuple[Move, ...]:
        """The valid moves, if this player is to move; those of others may give away what is
        hidden.
        """
        return self._state.moves if self._state.player == self.seat else ()

    @property
    def state(self) -> State | None:
        """The whole state, if the game hides nothing from this player."""
        return self._state if self._sight.shows_all(self.seat) else None

    @property
    def past(self) -> tuple[Seen, ...]:
        """The game so far as this player saw it: of a secret move of others only that it was
        made.
        """
        sight, seat = self._sight, self.seat
        return tuple(
            Seen(
                cast(int, before.player),
                sight.move(before, move, seat),
                sight.glimpse(before.cells, move, seat),
            )
            for before, move in self._noticed
        )

    @property
    def cells(self) -> tuple[int | None, ...]:
        """The cells of the state; None for those that this player may not see."""
        return self._sight.cells(self._state.cells, self.seat)

    @property
    def trail(self) -> tuple[tuple[int | None, ...], ...]:
        """The cells before each move of the past, as this player saw them."""
        sight = self._sight
        return tuple(sight.cells(before.cells, self.seat) for before, _ in self._noticed)

    @property
    def _noticed(self) -> list[tuple[State, Move]]:
        """What this player noticed at all of the past."""
        sight = self._sight
        return [step for step in self._past if sight.notices(step[0].cells, self.seat)]

    @property
    def _sight(self) -> Sight:
        from rulegame.game.visibility import Sight

        return self.game.companion(Sight)

    def __getitem__(self, name: str) -> Any:
        value = self._state[name]
        sight = self.game.ruleset.state[name].seen_by
        if sight == "all":
            return value
        if sight == "nobody":
            return (
                [HIDDEN] * len(value)
                if self.game.ruleset.state[name].variable.each_player
                else HIDDEN
            )
        return [v if seat == self.seat else HIDDEN for seat, v in enumerate(value)]

    def _knowledge(self) -> tuple[Any, ...]:
        names = self.game.ruleset.state
        values = tuple((name, _frozen(self[name])) for name in names)
        return (self.seat, self.player, self.moves, self.outcome, values, self.past)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return self.game == other.game and self._knowledge() == other._knowledge()

    def __hash__(self) -> int:
        return hash(self._knowledge())

    def __repr__(self) -> str:
        names = ", ".join(f"{name}={self[name]!r}" for name in self.game.ruleset.state)
        return f"<View of {self.seat}: player={self.player} {names}>"


def _restored_state(*fields: Any) -> State:
    """The state that was pickled."""
    return _finished(_Draft(**dict(zip(_Draft.__slots__, fields, strict=True))))


def _finished(draft: _Draft) -> State:
    """The state that a draft becomes; a new class on the same slots is the cheapest way to close
    it.
    """
    draft.__class__ = State
    return cast(State, draft)


class _MoveTable(dict[Any, Move]):
    """The moves of an operation, or of a roll, by their choices' codes, each made once."""

    def __init__(self, name: str, number: int, types: Sequence[Type], words: Sequence[str]) -> None:
        super().__init__()
        self.name = name
        self._number = number
        self._types = tuple(types)
        self._words = words

    def __missing__(self, key: Any) -> Move:
        codes = key if isinstance(key, tuple) else (key,)
        if len(self) >= LIMITS.moves:
            self.clear()  # a cache, not a list of what exists
        values = tuple(
            decode(t, (c,), self._words) for t, c in zip(self._types, codes, strict=True)
        )
        texts = [choice_text(t, c, self._words) for t, c in zip(self._types, codes, strict=True)]
        move = Move(self.name, values, " ".join([self.name, *texts]), (self._number, *codes))
        self[key] = move
        return move


@lru_cache(maxsize=16)
def _restored_game(pickled: bytes) -> Game:
    """The game that was pickled; kept, for the states of one game are often pickled one by one."""
    return Game(pickle.loads(pickled))


class Game:
    """A ruleset with its parameters, ready to be played. Games of equal rulesets are equal."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        numbers = {operation.name: k for k, operation in enumerate(ruleset.operations)}
        self._tables = {
            o.name: self._table(o.name, numbers.get(o.name, 0), [c.element for c in o.choices])
            for o in (*ruleset.operations, *ruleset.setup)
        }
        self.program: Program = compile_ruleset(ruleset, self._tables)
        self._roll_tables = {
            number: self._table(point.roll.name, 0, [point.roll.element])
            for number, point in enumerate(self.program.points)
            if point.roll is not None
        }
        self._play = self.program.play
        self._turn_moves = self.program.moves[0]
        self._fixed_events: dict[int, tuple[Move, ...]] = {}
        self._outcomes: dict[tuple[int, int], Outcome] = {}
        self._companions: dict[Callable[[Game], Any], Any] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or self.ruleset == other.ruleset

    def __hash__(self) -> int:
        return hash((self.ruleset.file, self.ruleset.title))

    def __reduce__(self) -> tuple[Callable[[bytes], Game], tuple[bytes]]:
        return _restored_game, (self._pickled,)

    @cached_property
    def _pickled(self) -> bytes:
        return pickle.dumps(self.ruleset)

    def _table(self, name: str, number: int, types: Sequence[Type]) -> _MoveTable:
        return _MoveTable(name, number, types, self.ruleset.words)

    def __repr__(self) -> str:
        values = ", ".join(f"{n}={self.parameters[n]!r}" for n in self.parameters)
        return f"<Game {self.ruleset.title}: {values}>"

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that the game is played with."""
        words = self.ruleset.words
        return {
            name: decode(p.type, p.value if isinstance(p.value, tuple) else (p.value,), words)
            for name, p in self.ruleset.parameters.items()
        }

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in seat order."""
        return self.ruleset.players

    # ---- states

    def start(self, first: int = 0) -> State:
        """The state in which a game begins; `first` is the seat that moves first."""
        self._check_seat(first)
        return self.resume(self.program.start[first])

    def begin(self, given: Mapping[str, Any], first: int = 0) -> State:
        """The beginning of the turn of `first`, with some values other than at the start; the
        setup is left out.
        """
        self._check_seat(first)
        shape = self.program.shape
        cells = list(self.program.start[first])
        cells[SEAT], cells[POINT] = first, turn_start(self.ruleset)
        if shape.first is not None:
            cells[shape.first] = first if shape.keeps_first else 0
        for name, value in given.items():
            if name not in self.ruleset.state:
                raise KeyError(name)
            self._write(cells, name, value)
        return self.resume(tuple(cells))

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.ruleset.players):
            raise IndexError(f"there is no seat {seat}")

    def _write(self, cells: list[int], name: str, value: Any) -> None:
        variable = self.ruleset.state[name].variable
        at, size = self.program.shape.layout.offsets[name], size_of(variable.type)
        players = len(self.ruleset.players)
        if variable.each_player and (not isinstance(value, (list, tuple)) or len(value) != players):
            raise ValueError(f"a list of {players}, one for each player")
        for seat, one in enumerate(value if variable.each_player else [value]):
            codes = encode(variable.type, one, self.ruleset.words, players)
            cells[at + seat * size : at + (seat + 1) * size] = codes

    def _arrive(self, cells: Cells, events: tuple[Event, ...] = ()) -> State:
        """The state of some cells; a player who is stuck is dealt with on the way."""
        point = cells[POINT]
        if point == 0:
            moves = self._turn_moves(cells)
            if not moves:
                return self._stuck(cells, events)
            draft = _Draft(self, cells, cells[SEAT], moves, None, events)
        elif point < 0:
            draft = _Draft(self, cells, None, (), self.outcome_at(cells), events)
        else:
            player = CHANCE if point in self._roll_tables else cells[SEAT]
            draft = _Draft(self, cells, player, self.moves_at(cells), None, events)
        return _finished(draft)

    def _setup_moves(self, cells: Cells) -> tuple[Move, ...]:
        point = cells[POINT]
        moves = self.program.moves[point](cells)
        if not moves:
            operation = self.program.points[point].operations[0]
            player = self.ruleset.players[cells[SEAT]]
            message = f"{player} has no valid choice for '{operation.name}'"
            raise GameError(Diagnostic("E509", message, operation.place.span))
        return moves

    def _stuck(self, cells: Cells, events: tuple[Event, ...]) -> State:
        seat = cells[SEAT]
        stuck = _finished(_Draft(self, cells, seat, ()))  # as it was without a move, for the texts
        following = self.program.stuck(cells)
        kind = {-1: "stuck", -2: "all_stuck"}.get(following[POINT], "pass")
        if kind == "all_stuck":
            events = (*events, Event("pass", seat, stuck))
        return self._arrive(following, (*events, Event(kind, seat, stuck)))

    def outcome_at(self, cells: Cells) -> Outcome:
        """How the game ended that some cells are the end of."""
        key = cells[POINT], cells[PASSES]
        known = self._outcomes.get(key)
        if known is None:
            known = self._make_outcome(cells)
            if not self._pays(-1 - cells[POINT]):
                self._outcomes[key] = known
        return known

    def _make_outcome(self, cells: Cells) -> Outcome:
        bits, shape = cells[PASSES], self.program.shape
        seats = range(len(self.ruleset.players))
        winners = tuple(s for s in seats if bits >> s & 1)
        losers = tuple(s for s in seats if bits >> (s + 8) & 1)
        payoffs = tuple(1 if s in winners else -1 if s in losers else 0 for s in seats)
        rule = -1 - cells[POINT]
        if shape.payoffs is not None and self._pays(rule):
            payoffs = cells[shape.payoffs : shape.payoffs + len(seats)]
        return Outcome(
            winners, losers, not winners and not losers, payoffs, self.program.rules[rule]
        )

    def _pays(self, rule: int) -> bool:
        return verdicts(self.ruleset)[rule].payoff is not None

    # ---- chance

    def _events(self, cells: Cells) -> tuple[Move, ...]:
        point = cells[POINT]
        roll = self.program.points[point].roll
        assert roll is not None
        values, weights = self.program.events[point](cells)
        if weights is not None:
            self._check_weights(weights, roll)
            values = [v for v, w in zip(values, weights, strict=True) if w > 0]
        if not values:
            message = f"there is nothing to roll for '{roll.name}'"
            raise GameError(Diagnostic("E507", message, roll.place.span))
        table = self._roll_tables[point]
        moves = tuple(table[value] for value in dict.fromkeys(values))
        if _is_fixed(roll):
            self._fixed_events[point] = moves
        return moves

    def _check_weights(self, weights: Iterable[int], roll: Roll) -> None:
        for weight in weights:
            if weight < 0:
                message = f"a weight of '{roll.name}' is {weight}"
                raise GameError(Diagnostic("E507", message, roll.place.span))

    def chances_at(self, cells: Cells) -> tuple[tuple[Move, Fraction], ...]:
        """What can be rolled at some cells, with its exact probability."""
        values, weights = self.program.events[cells[POINT]](cells)
        shares: dict[int, int] = {}
        for value, weight in zip(values, weights or [1] * len(values), strict=True):
            if weight > 0:
                shares[value] = shares.get(value, 0) + weight
        total = sum(shares.values())
        table = self._roll_tables[cells[POINT]]
        return tuple((table[value], Fraction(share, total)) for value, share in shares.items())

    # ---- values and moves by name

    def _value(self, cells: Cells, name: str) -> Any:
        value = self.ruleset.state.get(name)
        if value is None:
            raise KeyError(f"{name}: {did_you_mean(name, self.ruleset.state)}")
        type_ = value.variable.type
        at, size = self.program.shape.layout.offsets[name], size_of(type_)
        words = self.ruleset.words
        if not value.variable.each_player:
            return decode(type_, cells[at : at + size], words)
        seats = range(len(self.ruleset.players))
        return [decode(type_, cells[at + s * size : at + (s + 1) * size], words) for s in seats]

    def move(self, operation: str, **choices: Any) -> Move:
        """A move by the names of its operation and choices; whether it is valid is for a state to
        say.
        """
        known = move_parts(self.ruleset)
        if operation not in known:
            hint = did_you_mean(operation, known)
            raise ValueError(f"there is no operation '{operation}': {hint}")
        parts = known[operation]
        if set(choices) != {name for name, _ in parts}:
            raise ValueError(
                f"'{operation}' takes {', '.join(n for n, _ in parts) or 'no choices'}"
            )
        codes = tuple(self._encode(name, type_, choices[name]) for name, type_ in parts)
        return self.move_of(operation, codes)

    def _encode(self, name: str, type_: Type, value: Any) -> int:
        try:
            return encode_one(type_, value, self.ruleset.words, len(self.ruleset.players))
        except ValueError as problem:
            raise ValueError(f"{name} must be {problem}, not {value!r}") from None

    def parse_move(self, text: str) -> Move:
        """The move that a text stands for, `subtract 5`; ValueError if it is none."""
        return self.move_of(*read_move(self.ruleset, text))

    # ---- for the other modules of the engine, which know `program` and its cells

    def resume(self, cells: Cells) -> State:
        """The state that some cells are, or that they lead to by themselves."""
        with self.telling_faults():
            return self._arrive(cells)

    @contextmanager
    def telling_faults(self) -> Iterator[None]:
        """Where the rules fail inside, it is a `GameError` that says where in the ruleset."""
        try:
            yield
        except Fault as fault:
            raise self.error(fault) from None

    def point(self, state: State) -> Point:
        """Where a game that is not over waits: for which decision, or for which roll."""
        return self.program.points[state.cells[POINT]]

    def moves_at(self, cells: Cells) -> tuple[Move, ...]:
        """The valid moves (none if the player is stuck), or what can be rolled."""
        point = cells[POINT]
        if point == 0:
            return self._turn_moves(cells)
        if point in self.program.events:
            return self._fixed_events.get(point) or self._events(cells)
        return self._setup_moves(cells)

    def is_always_alike(self, point: int) -> bool:
        """Whether what can be rolled at a point, which has been met, is the same in every state."""
        return point in self._fixed_events

    def move_of(self, name: str, codes: tuple[int, ...]) -> Move:
        """The move of an operation, or of something rolled, with the codes of its choices."""
        if name in self._tables:
            table = self._tables[name]
        else:
            table = next(t for t in self._roll_tables.values() if t.name == name)
        return table[codes[0] if len(codes) == 1 else codes]

    def error(self, fault: Fault) -> GameError:
        """What a fault of the compiled functions means, and where in the ruleset it happened."""
        places = self.program.sites.places
        known = 0 <= fault.site < len(places)
        span = places[fault.site].span if known else Span.whole(self.ruleset.file)
        return GameError(Diagnostic(fault.code, fault.message, span, fault.hint))

    def companion(self, kind: Callable[[Game], T]) -> T:
        """Something made from the game when it is first needed: its offers, its renderer."""
        if kind not in self._companions:
            self._companions[kind] = kind(self)
        return cast(T, self._companions[kind])

    def evaluator(
        self, expression: typed.Typed, locals_: tuple[str, ...], meter: Meter | None = None
    ) -> Any:
        """A function of (state's cells, other cells, me, names, locals …) for one expression, with
        a budget for each call, or with that of a meter.
        """
        from rulegame.evaluation.text_functions import names_for_texts

        program = self.program
        more = names_for_texts(self.ruleset.words, program.sites.types)
        return compile_expression(
            expression, program.shape.layout, program.sites, {}, meter, more, locals_
        )

    def operation_rules(self, operation: Operation) -> list[Validity]:
        """The validity rules of an operation, in the order in which they are checked."""
        return [rule for rule in self.ruleset.validity if operation.name in rule.requires]


def _is_fixed(roll: Roll) -> bool:
    """Whether the events are the same in every state."""
    parts = [
        *typed.every_part(roll.collection),
        *(typed.every_part(roll.weight) if roll.weight else ()),
    ]
    return not any(isinstance(p, (typed.Value, typed.Local, typed.Seat)) for p in parts)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value
