"""The review of a round that is over: what each decision was worth, and which were mistakes.

    worst = rulegame.review(match).mistakes[0]
    worst.mark, worst.played, worst.best  # "??", the move that was played, and the best ones

A decision is rated by what its player knew, from the solution if that is found soon, otherwise by a
search. Front ends that show a review before it is complete make a `Review` and call `rate` for each
of `order`: every eighth position comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal

from rulegame.game import CHANCE, GameError, Move, State
from rulegame.game.wording import seen_words
from rulegame.players.advice import Advice, advise
from rulegame.players.budget import Budget

if TYPE_CHECKING:
    from rulegame.playing.match import Match

Mark = Literal["", "?", "??"]
SECONDS: Final = 5.0  # for a whole review
SOLVING: Final = 1.5  # seconds for the solution of the game
MOST_STATES: Final = 100_000  # of a game that is solved for that
LONGEST: Final = 0.3  # seconds for one position,
SHORTEST: Final = 0.005
STRIDE: Final = 8  # of the positions that are rated first
# A move is marked if it costs so much of the range of payoffs: ?, ??
PROVED: Final = (0.05, 0.25)
ESTIMATED: Final = (0.2, 0.35)


@dataclass(slots=True)
class Position:
    """A position before a decision, or the last one."""

    number: int  # in the review, from 0
    at: int  # the moves and rolls before it
    state: State
    label: str  # the move that led here, as those may read it who look at the review
    played: Move | None  # the decision; None in the last position
    values: list[float | None]  # what it is worth to each seat (win 1, loss -1)
    best: tuple[Move, ...] = ()
    loss: float | None = None  # by how much the decision is worth less than the best
    mark: Mark = ""
    proved: bool = field(default=False, repr=False)  # whether the values come from a solution

    @property
    def seat(self) -> int | None:
        """Who decides here."""
        return self.state.player


class Review:
    """The positions of the last round of a match. `seat` is the seat that looks at it: where hidden
    information stays hidden, because somebody resigned, only its decisions are rated.
    """

    def __init__(self, match: Match, seat: int | None = None, most: int | None = None) -> None:
        seats = range(len(match.names))
        self.match = match
        self.eyes: Sequence[int] = () if match.is_open else seats if seat is None else (seat,)
        self.positions = list(_positions(match, self.eyes, most))
        rated = frozenset(seats if match.is_open else () if seat is None else (seat,))
        decisions = [one for one in self.positions if one.seat in rated]
        strided = (decisions[::STRIDE], (p for k, p in enumerate(decisions) if k % STRIDE))
        self.order = [position.number for part in strided for position in part]
        self._most_states = MOST_STATES

    @property
    def is_plain(self) -> bool:
        """Whether values are chances to win: (1 + value) / 2."""
        return self.match.game.kernel.is_plain

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value in the review."""
        if self.is_plain:
            return -1.0, 1.0
        known = [v for one in self.positions for v in one.values if v is not None] or [0.0]
        return min(known), max(known)

    @property
    def mistakes(self) -> list[Position]:
        """The marked decisions, the most expensive first."""
        marked = [position for position in self.positions if position.mark]
        return sorted(marked, key=lambda position: -(position.loss or 0.0))

    def rate(self, number: int, seconds: float) -> Position:
        """Rate a decision in about so many seconds; the first may take `SOLVING` longer."""
        position = self.positions[number]
        seat, line = position.seat, self.match.session.line[: position.at]
        assert seat is not None
        budget = Budget(seconds=max(SHORTEST, min(LONGEST, seconds)))
        try:
            advice = advise(
                position.state.view(seat, line),
                Random(position.at),
                first=self.match.first,
                budget=budget,
                max_states=self._most_states,
                patience=SOLVING,
            )
        except (ValueError, GameError):
            return position
        if advice.source != "solution":
            self._most_states = 1  # it is not worth trying at every position
        self._note(position, advice, seat)
        for one in self.positions:
            one.mark = self._mark(one)
        return position

    def _note(self, position: Position, advice: Advice, seat: int) -> None:
        worths = {worth.move: worth.value for worth in advice.worths}
        known = [value for value in worths.values() if value is not None]
        position.best, position.proved = advice.best, advice.source != "search"
        if not known:
            return
        best = max(known)
        position.values[seat] = best
        if self.match.game.kind.is_duel and self.is_plain:
            position.values[1 - seat] = -best
        played = None if position.played is None else worths.get(position.played)
        if played is not None:
            position.loss = 0.0 if position.played in advice.best else best - played

    def _mark(self, position: Position) -> Mark:
        low, high = self.range
        if not position.loss or high <= low:
            return ""
        share, (some, much) = position.loss / (high - low), PROVED if position.proved else ESTIMATED
        return "??" if share >= much else "?" if share >= some else ""


def review(match: Match, seat: int | None = None, *, seconds: float = SECONDS) -> Review:
    """Return the review of the last round of a match, as complete as it can be in a time."""
    if match.outcome is None:
        raise ValueError("the round is not over")
    found, end = Review(match, seat), monotonic() + seconds
    for done, number in enumerate(found.order):
        left = end - monotonic()
        if left <= 0:
            break
        found.rate(number, left / (len(found.order) - done))
    return found


def _positions(match: Match, eyes: Sequence[int], most: int | None) -> Iterator[Position]:
    line, last, count = match.session.line, match.state, len(match.names)
    at = [n for n, step in enumerate(line) if step.seat != CHANCE][:most]
    label = "Start"
    for number, n in enumerate(at):
        state, move = line[n]
        yield Position(number, n, state, label, move, [None] * count)
        words = seen_words(match.game, line[n].seat, move, match.names, eyes)
        label = f"{match.names[line[n].seat]}: {words}"
    outcome = last.outcome
    payoffs = [None] * count if outcome is None else [float(p) for p in outcome.payoffs]
    yield Position(len(at), len(line), last, label, None, list(payoffs))
