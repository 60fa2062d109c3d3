"""Games and their states: the public interface of the engine. Immutable values; nothing is
printed, nothing is random.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

from rulegame.compiling import CHANCE, OVER, Below, Cells, Codes, Fault
from rulegame.diagnostics import did_you_mean
from rulegame.evaluation.values import decode, encode, encode_one
from rulegame.game.actions import Actions
from rulegame.game.moves import HIDDEN, IllegalMove, Move, Reason, Seen
from rulegame.game.rules import Position, Rules
from rulegame.language.types import Type
from rulegame.model import Ruleset, sees
from rulegame.model.move_texts import NotAMove, move_parts, read_move
from rulegame.shown import Shown

if TYPE_CHECKING:
    from rulegame.compiling import Outcome
    from rulegame.game.visibility import Sight


KEPT_CELLS: Final = 1 << 15  # of states that are kept, in all of them together


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened by itself on the way to a state: a player was stuck."""

    kind: str  # "pass", "stuck" or "all_stuck"
    player: int
    before: State = field(compare=False, repr=False)


class State(Position, Shown):
    """A situation in a game: immutable, hashable, equal if all that matters for the rules is
    equal.
    """

    __slots__ = ()
    game: Game
    events: tuple[Event, ...]

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
        names = ", ".join(f"{name}={self[name]!r}" for name in self)
        return f"<State player={self.player} {names}>"

    def __deepcopy__(self, memo: object) -> State:
        return self

    def __copy__(self) -> State:
        return self

    def __reduce__(self) -> tuple[Callable[..., State], tuple[Any, ...]]:
        stuck = not self.moves and self.outcome is None
        return _restored_state, (self.game, self.cells, stuck, self.events)

    def play(self, move: Move | str) -> State:
        """The state after a move, or after something was rolled; the move may be given as text."""
        game = self.game
        code = game.code_by_identity.get(id(move))
        if code is None or code not in self.options:
            code = self._code(move)
        try:
            cells = game.kernel.step(self.cells, code)
            return game._recent.get(cells) or game._arrive(cells)
        except Fault as fault:
            raise game.error(fault) from None

    def meant(self, move: Move | str) -> Move:
        """The move that is meant, which may be given as text; `IllegalMove` if it is none."""
        if isinstance(move, Move):
            return move
        if not isinstance(move, str):
            raise TypeError(f"a move is a Move or a text, not {move!r}")
        words = " ".join(move.split())
        if self.player == CHANCE:  # what is rolled under one name may be of several kinds
            known = next((one for one in self.moves if one.text == words), None)
            if known is not None:
                return known
        try:
            return self.game.parse_move(move)
        except NotAMove as problem:
            raise IllegalMove(move, Reason(None, str(problem))) from None

    def _code(self, move: Move | str) -> int:
        """The code of a valid move that is not one of this game's own objects."""
        move = self.meant(move)
        if move not in self.moves:
            raise IllegalMove(move, self._reason(move))
        return self.options[self.moves.index(move)]

    def why_not(self, move: Move | str) -> Reason | None:
        """None if the move is valid, else why it is not."""
        try:
            move = self.meant(move)
        except IllegalMove as problem:
            return problem.reason
        return None if move in self.moves else self._reason(move)

    def _reason(self, move: Move) -> Reason:
        from rulegame.game.explaining import checks
        from rulegame.game.reasons import reason

        with self.game.telling_faults():
            return replace(reason(self, move), ask=partial(checks, self, move))

    @property
    def chances(self) -> tuple[tuple[Move, Fraction], ...]:
        """At a chance state: what can be rolled, with its exact probability."""
        if self.player != CHANCE:
            return ()
        weights = self.game.kernel.weights(self.cells)
        total = sum(weights)
        return tuple(zip(self.moves, (Fraction(w, total) for w in weights), strict=True))

    def roll(self, below: Below) -> Move:
        """At a chance state: one of `chances`, drawn by its exact probability. `below(n)` gives a
        whole number from 0 to n - 1, as `random.Random(seed).randrange` does.
        """
        if self.player != CHANCE:
            raise ValueError("there is nothing to roll in this state")
        return self.game.move_of(self.game.kernel.roll(self.cells, below))

    @property
    def action_mask(self) -> tuple[bool, ...]:
        """Of each of `game.actions`, whether it is valid here; none is at a roll."""
        return self.game.actions.mask(() if self.player == CHANCE else self.moves)

    @property
    def choosing(self) -> tuple[int, ...]:
        """The seats that have not chosen yet, in the order in which they do: the player, unless
        several choose at once; nobody while something is rolled, or when the game is over.
        """
        with self.game.telling_faults():
            return self.game.kernel.choosing(self.cells)

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


class View(Shown):
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
    def is_over(self) -> bool:
        return self._state.is_over

    @property
    def choosing(self) -> tuple[int, ...]:
        """The seats that have not chosen yet."""
        return self._state.choosing

    @property
    def waiting(self) -> int:
        """How many of the last moves wait until all have chosen: nobody sees those of others."""
        return len(self.game.kernel.chosen(self._state.cells))

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
        sight, seat, noticed = self._sight, self.seat, self._noticed
        seen = [
            Seen(
                cast(int, before.player),
                sight.move(before, move, seat),
                sight.glimpse(before.cells, move, seat),
            )
            for before, move in noticed
        ]
        for at in range(max(0, len(seen) - self.waiting), len(seen)):
            if seen[at].player != seat:
                seen[at] = Seen(seen[at].player, HIDDEN)
        return tuple(seen)

    @property
    def cells(self) -> tuple[int | None, ...]:
        """The cells of the state; None for those that this player may not see."""
        return self._sight.cells(self._state.cells, self.seat)

    @property
    def trail(self) -> tuple[tuple[int | None, ...], ...]:
        """The cells before each move of the past, as this player saw them."""
        sight = self._sight
        return tuple(sight.cells(before.cells, self.seat) for before, _ in self._noticed)

    def history(self, name: str) -> tuple[Any, ...]:
        """A value that all see, before each move of the past and now."""
        if self.game.ruleset.state[name].seen_by != "all":
            raise KeyError(f"'{name}' is hidden information")
        return (*(before[name] for before, _ in self._noticed), self._state[name])

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
        if not self.game.ruleset.state[name].variable.each_player:
            return value if sees(sight, -1, self.seat) else HIDDEN
        owned = enumerate(value)
        return [v if sees(sight, owner, self.seat) else HIDDEN for owner, v in owned]

    def __iter__(self) -> Iterator[str]:
        return iter(self._state)

    def __contains__(self, name: object) -> bool:
        return name in self._state

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


@lru_cache(maxsize=16)
def _restored_game(pickled: bytes) -> Game:
    """The game that was pickled; kept, for the states of one game are often pickled one by one."""
    return Game(pickle.loads(zlib.decompress(pickled)))


def _restored_state(game: Game, cells: Cells, stuck: bool, events: tuple[Event, ...]) -> State:
    """The state that was pickled."""
    game.kernel.admit(cells)
    options = () if stuck else game.kernel.options(cells)
    return game._at(cells, options, game.kernel.player(cells), events)


class Game(Rules, Shown):
    """A ruleset with its parameters, ready to be played. Games of equal rulesets are equal."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self._recent: dict[Cells, State] = {}
        self._most_recent = max(64, KEPT_CELLS // len(self.kernel.start(0)))

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
        return zlib.compress(pickle.dumps(self.ruleset), 1)

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

    @cached_property
    def actions(self) -> Actions:
        """Every move that players can ever make, by its action number; `Unbounded` if a choice has
        no bound.
        """
        return Actions(self)

    # ---- states

    def start(self, first: int = 0) -> State:
        """The state in which a game begins; `first` is the seat that moves first."""
        self._check_seat(first)
        return self.resume(self.kernel.start(first))

    def begin(self, given: Mapping[str, Any], first: int = 0) -> State:
        """The beginning of the turn of `first`, with some values other than at the start; the
        setup is left out.
        """
        self._check_seat(first)
        cells = list(self.kernel.turn(first))
        for name, value in given.items():
            if name not in self.ruleset.state:
                raise KeyError(self._unknown(name))
            self._write(cells, name, value)
        return self.resume(tuple(cells))

    def resume(self, cells: Cells) -> State:
        """The state that some cells are, or that they lead to by themselves."""
        with self.telling_faults():
            self.kernel.admit(cells)
            return self._arrive(cells)

    def _check_seat(self, seat: int) -> None:
        if seat not in range(len(self.ruleset.players)):
            raise IndexError(f"there is no seat {seat}")

    def _write(self, cells: list[int], name: str, value: Any) -> None:
        variable = self.ruleset.state[name].variable
        players = len(self.ruleset.players)
        if variable.each_player and (not isinstance(value, (list, tuple)) or len(value) != players):
            raise ValueError(
                f"{name} must be a list of {players}, one for each player, not {value!r}"
            )
        for seat, one in enumerate(value if variable.each_player else [value]):
            places = self.kernel.places(name, seat)
            try:
                codes = encode(variable.type, one, self.ruleset.words, players)
            except ValueError as problem:
                raise ValueError(f"{name} must be {problem}, not {one!r}") from None
            cells[places.start : places.stop] = codes

    def _arrive(self, cells: Cells) -> State:
        """The state of some cells; a player who is stuck is dealt with on the way. The last states
        are kept: what does not change can be given out again.
        """
        stuck: list[Cells] = []
        settled, options, player = self.kernel.settle(cells, stuck)
        if stuck:
            return self._at(settled, options, player, self._events(stuck, settled))
        if len(self._recent) >= self._most_recent:
            self._recent.clear()
        self._recent[cells] = state = self._at(settled, options, player)
        return state

    def _at(
        self, cells: Cells, options: Codes, player: int, events: tuple[Event, ...] = ()
    ) -> State:
        """The state of cells that lead nowhere by themselves. It is made as a position, which then
        gets the class that does not change: the cheapest way to close it.
        """
        if player == OVER:
            outcome = self.kernel.outcome(cells)
            made = Position(self, cells, None, outcome=outcome, events=events)
        else:
            made = Position(self, cells, player, options, self.moves_of(options), None, events)
        made.__class__ = State
        return cast(State, made)

    def _events(self, stuck: list[Cells], last: Cells) -> tuple[Event, ...]:
        """What happened to those who were stuck, with the states as they were without a move."""
        events: list[Event] = []
        for before, after in zip(stuck, (*stuck[1:], last), strict=True):
            seat = self.kernel.seat(before)
            state = self._at(before, (), seat)
            kind = self.kernel.way_out(after)
            if kind == "all_stuck":
                events.append(Event("pass", seat, state))
            events.append(Event(kind, seat, state))
        return tuple(events)

    # ---- values and moves by name

    def _unknown(self, name: object) -> str:
        hint = did_you_mean(str(name), self.ruleset.state)
        return f"there is no value {name!r} in a state of this game: {hint}"

    def _value(self, cells: Cells, name: str) -> Any:
        value = self.ruleset.state.get(name)
        if value is None:
            raise KeyError(self._unknown(name))
        type_, words = value.variable.type, self.ruleset.words

        def of(owner: int) -> Any:
            places = self.kernel.places(name, owner)
            return decode(type_, cells[places.start : places.stop], words)

        return list(map(of, range(len(self.players)))) if value.variable.each_player else of(0)

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
        return self.move_with(operation, codes)

    def _encode(self, name: str, type_: Type, value: Any) -> int:
        try:
            return encode_one(type_, value, self.ruleset.words, len(self.ruleset.players))
        except ValueError as problem:
            raise ValueError(f"{name} must be {problem}, not {value!r}") from None

    def parse_move(self, text: str) -> Move:
        """The move that a text stands for, `subtract 5`; ValueError if it is none."""
        return self.move_with(*read_move(self.ruleset, text))


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value
