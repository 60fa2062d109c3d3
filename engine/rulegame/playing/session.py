"""A game as it is being played: its moves and rolls, undo and redo, and dice that stay fallen.

The session remembers; conversations (`conversation.converse`) ask and tell, and follow its line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rulegame.game import CHANCE, Game, GameError, IllegalMove, Move, State, View
from rulegame.game.visibility import Sight
from rulegame.playing.forcing import is_forced

# What is rolled for the first time: the state, the name of the roll, and how many of that name
# came before it in this game. The answer may depend on nothing else that changes.
Fresh = Callable[[State, str, int], Move]


class Step(NamedTuple):
    """A move or a roll, and the state before it: what `State.view` takes as the past."""

    state: State
    move: Move

    @property
    def seat(self) -> int:
        """Who decided: a seat, or CHANCE."""
        return CHANCE if self.state.player is None else self.state.player


EntryKind = Literal["move", "roll", "undo", "redo", "resign"]


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """One line of the record of a game: a move or roll by its text, or how many steps an undo or a
    redo leaves, or the seat that resigned.
    """

    kind: EntryKind
    text: str = ""
    number: int = 0


class NotThisGame(ValueError):
    """A record that these rules cannot have led to: which move it is, and why, where that may be
    told.
    """

    def __init__(self, which: str, held: int) -> None:
        super().__init__(which)
        self.held = held  # how many entries hold


def unrecorded(entry: SessionEntry) -> None:
    """For games that nobody keeps."""


class Session:
    """The course of one game."""

    def __init__(
        self,
        game: Game,
        *,
        fresh: Fresh,
        first: int = 0,
        record: Callable[[SessionEntry], None] = unrecorded,
    ) -> None:
        self.game = game
        self.first = first
        self.resigned: int | None = None
        self.rolled_fresh = 0
        self._fresh = fresh
        self._record = record
        self._line: list[Step] = []
        self._undone: list[Step] = []
        self._fallen: dict[tuple[str, int], list[Move]] = {}
        self._rolls: Counter[str] = Counter()
        self._undos = 0

    # ---- what there is

    @property
    def line(self) -> tuple[Step, ...]:
        """The steps that count, from the start to now."""
        return tuple(self._line)

    @property
    def decisions(self) -> int:
        """How many moves were made by players."""
        return sum(step.seat != CHANCE for step in self._line)

    def place_of(self, view: View) -> str:
        """Where the game stands for a seat, for what chance adds to its choices. Where something is
        hidden, what was taken back belongs to it: a secret that came out is chosen anew.
        """
        if not self.game.companion(Sight).hides_something:
            return str(len(self._line))
        place = str(len(view.past))
        return f"{place}/{self._undos}" if self._undos else place

    # ---- forth

    def roll(self, state: State) -> Move:
        """Return what falls in a chance state: what fell here before, if that is possible."""
        name = state.moves[0].operation
        number = self._rolls[name]
        fallen = self._fallen.get((name, number), ())
        known = next((move for move in fallen if move in state.moves), None)
        return known or self._fresh(state, name, number)

    def play(self, state: State, move: Move) -> State:
        """Record a move or a roll; return the state after it."""
        after = state.play(move)
        self._undone.clear()
        self._add(Step(state, move))
        kind: Literal["roll", "move"] = "roll" if state.player == CHANCE else "move"
        self._record(SessionEntry(kind, move.text))
        return after

    # ---- back and forth

    def undo(self, seats: Collection[int]) -> bool:
        """Back to the last decision of one of those seats; False if there is none."""
        mine = [at for at, step in enumerate(self._line) if self._is_asked(step, seats)]
        if not mine:
            return False
        self._cut(mine[-1])
        self._undos += 1
        self._record(SessionEntry("undo", number=len(self._line)))
        return True

    def redo(self, seats: Collection[int]) -> bool:
        """Forth to the next decision of one of those seats; False if nothing was undone."""
        if not self._undone:
            return False
        steps = enumerate(self._undone)
        later = (at for at, step in steps if at and self._is_asked(step, seats))
        self._restore(next(later, len(self._undone)))
        self._record(SessionEntry("redo", number=len(self._line)))
        return True

    def _is_asked(self, step: Step, seats: Collection[int]) -> bool:
        """Whether it was a decision of one of those seats."""
        return step.seat in seats and not is_forced(step.state)

    def resign(self, seat: int) -> None:
        """A player gives up."""
        self.resigned = seat
        self._record(SessionEntry("resign", number=seat))

    def _cut(self, length: int) -> None:
        self._undone[:0] = self._line[length:]
        del self._line[length:]
        self._rolls = Counter(s.move.operation for s in self._line if s.seat == CHANCE)

    def _restore(self, count: int) -> None:
        for step in self._undone[:count]:
            self._add(step)
        del self._undone[:count]

    def _add(self, step: Step) -> None:
        self._line.append(step)
        if step.seat != CHANCE:
            return
        name = step.move.operation
        fallen = self._fallen.setdefault((name, self._rolls[name]), [])
        if step.move not in fallen:
            fallen.append(step.move)
            self.rolled_fresh += 1
        self._rolls[name] += 1

    # ---- from a record

    @property
    def state(self) -> State:
        """The state that the line leads to."""
        if not self._line:
            return self.game.start(self.first)
        last = self._line[-1]
        return last.state.play(last.move)

    def recall(self, entries: Iterable[SessionEntry], state: State | None = None) -> State:
        """Go on along recorded entries, from the start or from `state`; each move is checked.
        Return the state that they lead to.
        """
        state = self.game.start(self.first) if state is None else state
        for held, entry in enumerate(entries):
            try:
                state = self._recall(state, entry)
            except (ValueError, GameError) as problem:
                raise NotThisGame(self._which(entry, str(problem)), held) from None
        return state

    def _which(self, entry: SessionEntry, reason: str) -> str:
        """Which entry cannot follow, and why, unless something is hidden that this would tell."""
        after = self.decisions
        match entry.kind:
            case "move":
                which = f"move {after + 1}"
            case "roll":
                which = f"the roll after move {after}" if after else "the first roll"
            case kind:
                which = f"the {kind} after move {after}"
        return f"{which}: {reason}" if self.game.kind.is_open else which

    def _recall(self, state: State, entry: SessionEntry) -> State:
        if self.resigned is not None:
            raise ValueError("a player has already resigned")
        if entry.kind == "resign":
            if not 0 <= entry.number < len(self.game.players) or state.outcome is not None:
                raise ValueError("nobody can resign here")
            self.resigned = entry.number
            return state
        if entry.kind in ("move", "roll"):
            return self._recall_step(state, entry)
        length = len(self._line)
        if entry.kind == "undo" and 0 <= entry.number < length:
            back = self._line[entry.number].state
            self._cut(entry.number)
            self._undos += 1
            return back
        if entry.kind == "redo" and length < entry.number <= length + len(self._undone):
            self._restore(entry.number - length)
            return self.state
        raise ValueError(f"there is no such {entry.kind}")

    def _recall_step(self, state: State, entry: SessionEntry) -> State:
        rolls = state.player == CHANCE
        if rolls != (entry.kind == "roll"):
            here = "a roll is due" if rolls else "no roll is due"
            raise ValueError(f"'{entry.text}' is not possible here: {here}")
        move, after = step_of(state, entry.text)
        self._undone.clear()
        self._add(Step(state, move))
        return after


def entries_of(state: State, texts: Iterable[str]) -> tuple[list[SessionEntry], State]:
    """Return moves and rolls, given by their texts, as a record, and the state that they lead to;
    ValueError says which is not possible, and why.
    """
    entries: list[SessionEntry] = []
    for number, text in enumerate(texts, 1):
        kind: EntryKind = "roll" if state.player == CHANCE else "move"
        try:
            move, state = step_of(state, text)
        except ValueError as problem:
            raise ValueError(f"move {number}: {problem}") from None
        entries.append(SessionEntry(kind, move.text))
    return entries, state


def step_of(state: State, text: str) -> tuple[Move, State]:
    """The move or roll of that text, and the state after it; ValueError says why there is none."""
    found = next((move for move in state.moves if move.text == text), None)
    move = found or state.game.parse_move(text)
    try:
        return move, state.play(move)
    except IllegalMove as refusal:
        raise ValueError(f"'{text}' is not valid: {refusal.reason}") from None
