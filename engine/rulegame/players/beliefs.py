"""What a seat can work out of what is hidden from it: whole states that agree with all it has seen.

The game is played again from the start. Moves that the seat saw are made as they were; where it saw
only that a secret move was made, every secret move that was valid is held possible, as likely as
the others, until something seen later contradicts it. What really was chosen is never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import accumulate
from math import inf
from operator import itemgetter
from random import Random
from typing import Any, Final, cast

from rulegame.compiling import CHANCE, Cells, Codes, Fault
from rulegame.game import Game, Move, Seen, View
from rulegame.game.visibility import Sight
from rulegame.native.profitability import sample_work
from rulegame.players.budget import Budget, Pace
from rulegame.players.slices import Thinking, finish
from rulegame.players.table import FastTable

WORK: Final = 250_000_000  # instructions of Python for one belief, about a second
PLAY: Final = 3000  # instructions around the rules for each move that is tried
FEWEST: Final = 200  # moves that are tried, however slow the rules are
LEAST: Final = 8  # moves that are tried in each step
SHARES: Final = (0.75, 0.25)  # of the work, for the first and the second try
TRACKING: Final = 0.4  # of the time of a choice, if that is limited,
GUESSING: Final = 0.2  # and of the rest
SHRINKING: Final = 3  # times an even share of the work may be spent on a step without sampling
LONGEST: Final = 1000  # rolls in a row that a seat does not notice
GUESSES: Final = 32
GUESSING_STEPS: Final = 1500
GUESSING_MOVES: Final = 1_000_000

Agrees = Callable[[Cells], bool]
Weights = dict[Cells, float]


class Belief:
    """The whole states that a seat holds possible; it is empty if none could be found."""

    def __init__(self, weights: Weights) -> None:
        self.states = tuple(weights)
        self._cumulative = list(accumulate(weights.values()))

    def __len__(self) -> int:
        return len(self.states)

    def draw(self, rng: Random) -> Cells:
        """One of the states, as likely as it is."""
        if len(self.states) == 1:
            return self.states[0]
        return rng.choices(self.states, cum_weights=self._cumulative)[0]


def believe(view: View, rng: Random) -> Belief:
    """What the seat of a view holds possible: the one state, if nothing is hidden from it.

    Without a past, or with one that does not begin at the start of the game, it is a guess: games
    at random lend their hidden values to what the seat sees.
    """
    return finish(believing(view, rng, Pace(Budget())))


def believing(view: View, rng: Random, pace: Pace) -> Thinking[Belief]:
    """The same in slices, and in a part of the time, if that is limited."""
    if view.state is not None:
        return Belief({view.state.cells: 1.0})
    table = view.game.companion(FastTable)
    plays = view.game.companion(BeliefBudget).plays
    found: Weights = {}
    starts = _starts(view)
    if starts:
        tracker = _Tracker(view, table, rng, pace)
        for share in SHARES:
            end = pace.share(share * TRACKING)
            possible = yield from tracker.track(starts, int(share * plays), end)
            few = _some(possible, plays // 4, rng, pace)
            found = yield from _agreeing_on_moves(view, table, few, pace, end)
            if found or not tracker.sampled:
                break
    if not found:
        found = yield from _guess(view, table, rng, min(plays, GUESSING_STEPS), pace)
    return Belief(found)


class BeliefBudget:
    """The moves that may be tried for one belief: fewer where the rules are slow. Without a limit
    of time, this count alone decides, so that a seed gives the same choice again.
    """

    def __init__(self, game: Game) -> None:
        self.plays = max(FEWEST, int(WORK / (PLAY + sample_work(game.kernel).median)))


def _some(weights: Weights, most: int, rng: Random, pace: Pace) -> Weights:
    """At most so many of the states; in random order, if there may be no time for all."""
    if len(weights) <= most and not pace.is_timed:
        return weights
    kept = rng.sample(list(weights), min(most, len(weights)))
    return {cells: weights[cells] for cells in kept}


def _starts(view: View) -> Weights:
    """The starts of the game that look like that of the view's past."""
    seen = view.trail[0] if view.trail else view.cells
    sight = view.game.companion(Sight)
    starts = (view.game.start(first).cells for first in range(len(view.game.players)))
    return {cells: 1.0 for cells in starts if sight.cells(cells, view.seat) == seen}


def _agreeing(seen: tuple[int | None, ...]) -> Agrees:
    """Whether cells look like what was seen."""
    places = [place for place, code in enumerate(seen) if code is not None]
    pick = itemgetter(*places)  # at least the seat, the point and the passes
    expected: Any = pick(seen)
    return lambda cells: bool(pick(cells) == expected)


def _agreeing_on_moves(
    view: View, table: FastTable, weights: Weights, pace: Pace, end: float
) -> Thinking[Weights]:
    """Those states in which the seat would have the moves that it has."""
    if view.player != view.seat:
        return weights
    found: Weights = {}
    for number, (cells, weight) in enumerate(weights.items()):
        yield from pace.rest()
        if number >= LEAST and pace.now > end:
            break
        if _moves(table, cells) == view.moves:
            found[cells] = weight
    return found


def _moves(table: FastTable, cells: Cells) -> tuple[Any, ...]:
    """The moves at cells where a player is to move; none if the rules fail there."""
    try:
        after, options, _ = table.settle(cells)
    except Fault:
        return ()
    return table.game.moves_of(options) if after == cells else ()


class _Tracker:
    """Follows a game as one seat saw it."""

    def __init__(self, view: View, table: FastTable, rng: Random, pace: Pace) -> None:
        self._table, self._rng, self._seat, self._pace = table, rng, view.seat, pace
        self._sight = view.game.companion(Sight)
        self._past = view.past
        self._known = len(self._past) - view.waiting  # of the others not even the name is known
        self._agrees = [_agreeing(seen) for seen in (*view.trail[1:], view.cells)]
        self.sampled = False  # whether some possible states were left out
        self._left = 0  # moves that may still be tried,
        self._end = inf  # until then

    def track(self, starts: Weights, plays: int, end: float) -> Thinking[Weights]:
        """The states that the game may have come to, by trying so many moves; none if the time does
        not last.
        """
        weights, left = starts, len(self._past)
        for at, (seen, agrees) in enumerate(zip(self._past, self._agrees, strict=False)):
            if self._pace.now > end:
                self.sampled = True
                return {}
            most = max(LEAST, plays // (left - at))
            seconds = (end - self._pace.now) / (left - at)
            self._left, self._end = plays, end
            shown = at < self._known
            weights, spent = yield from self._follow(weights, seen, agrees, shown, most, seconds)
            plays -= spent
        return weights

    def _follow(
        self, weights: Weights, seen: Seen, agrees: Agrees, shown: bool, most: int, seconds: float
    ) -> Thinking[tuple[Weights, int]]:
        """The states after one move or roll, and how many moves were tried: all of them, or as many
        as allowed, drawn by their probabilities.
        """
        following: Weights = {}
        tried, limit, pace = 0, min(SHRINKING * most, self._left), self._pace
        end = min(pace.now + SHRINKING * seconds, self._end)
        for cells, weight in weights.items():
            ways = list(self._possible(cells, seen, shown))
            if not tried and len(ways) * len(weights) > limit:
                drawn = yield from self._draw(weights, seen, agrees, shown, most, seconds)
                return drawn, most
            for code, share in ways:
                yield from pace.rest()
                for after, chance in self._arrivals(cells, code):
                    tried += 1
                    if agrees(after):
                        following[after] = following.get(after, 0.0) + weight * share * chance
                    if tried > limit or pace.now > end:
                        drawn = yield from self._draw(weights, seen, agrees, shown, most, seconds)
                        return drawn, tried + most
        return following, tried

    def _draw(
        self, weights: Weights, seen: Seen, agrees: Agrees, shown: bool, most: int, seconds: float
    ) -> Thinking[Weights]:
        """The states that some random moves or rolls lead to."""
        self.sampled = True
        following: Weights = {}
        ways: dict[Cells, tuple[list[int], list[float]]] = {}
        end = self._pace.now + seconds
        drawn = self._rng.choices(list(weights), list(weights.values()), k=most)
        for number, cells in enumerate(drawn):
            yield from self._pace.rest()
            if number >= LEAST and self._pace.now > end:
                break
            if cells not in ways:
                pairs = list(self._possible(cells, seen, shown))
                ways[cells] = [code for code, _ in pairs], [share for _, share in pairs]
            codes, shares = ways[cells]
            after = self._arrival(cells, self._rng.choices(codes, shares)[0]) if codes else None
            if after is not None and agrees(after):
                following[after] = following.get(after, 0.0) + 1.0
        return following

    def _arrival(self, cells: Cells, code: int) -> Cells | None:
        """A state that a move or a roll leads to, after random rolls that the seat does not notice;
        None where the rules fail.
        """
        try:
            for _ in range(LONGEST):
                cells = self._table.after(cells, code)
                if self._sight.notices(cells, self._seat):
                    return cells
                code = self._table.roll(cells, self._rng)
        except Fault:
            pass
        return None

    def _arrivals(
        self, cells: Cells, code: int, chance: float = 1.0
    ) -> Iterator[tuple[Cells, float]]:
        """What a move or a roll may lead to: rolls that the seat does not notice fall on the way.
        Ways on which the rules fail were not taken.
        """
        try:
            after = self._table.after(cells, code)
            unnoticed = not self._sight.notices(after, self._seat)
            faces = self._table.faces(after) if unnoticed else []
        except Fault:
            return
        if not unnoticed:
            yield after, chance
        for face, share in faces:
            yield from self._arrivals(after, face, chance * share)

    def _possible(self, cells: Cells, seen: Seen, shown: bool) -> Iterator[tuple[int, float]]:
        """What may have been played or rolled at some cells, with its probability; of a move that
        is not `shown` until all have chosen it may be any.
        """
        if seen.player != self._table.player(cells):
            return
        move_of = self._table.game.move_of
        if seen.player == CHANCE:
            for code, share in self._table.faces(cells):
                if not isinstance(seen.move, Move) or move_of(code) == seen.move:
                    yield code, share
            return
        options = self._table.kernel.options(cells)
        if isinstance(seen.move, Move):
            yield from ((code, 1.0) for code in options if move_of(code) == seen.move)
            return
        glimpse, seat = self._sight.glimpse, self._seat
        alike = list(options)
        if shown:
            alike = [code for code in options if glimpse(cells, move_of(code), seat) == seen.codes]
        yield from ((code, 1 / len(alike)) for code in alike)


# ---- without a past


def _guess(view: View, table: FastTable, rng: Random, steps: int, pace: Pace) -> Thinking[Weights]:
    """What the seat sees, with hidden values from states of random games that look most like it."""
    mine = view.cells
    ranked: list[tuple[int, Cells]] = []
    for donors in _random_states(view, table, rng, steps, pace):
        for donor in donors:
            alike = sum(code == own for code, own in zip(donor, mine, strict=True))
            pairs = zip(mine, donor, strict=True)
            ranked.append((-alike, tuple(donor if own is None else own for own, donor in pairs)))
        yield from pace.rest()
    ranked.sort(key=itemgetter(0))
    found: Weights = {}
    for whole in dict.fromkeys(whole for _, whole in ranked):
        if len(found) == GUESSES or not pace.lasts(0):
            break
        if view.player != view.seat or _moves(table, whole) == view.moves:
            found[whole] = 1.0
        yield from pace.rest()
    return found


class _Enough(Exception):
    """So many moves have been made up that no more are worth it."""


def _random_states(
    view: View, table: FastTable, rng: Random, most: int, pace: Pace
) -> Iterator[list[Cells]]:
    """States of random games in which the same decision is due as in the view, game by game."""
    kernel, seen, end = table.kernel, cast(Cells, view.cells), pace.share(GUESSING)
    due = kernel.seat(seen), kernel.number(seen)
    steps = made = 0

    def choose(cells: Cells, options: Codes, player: int, _: int) -> int:
        nonlocal steps, made
        steps, made = steps + 1, made + len(options)
        if (kernel.seat(cells), kernel.number(cells)) == due:
            met.append(cells)
        if made >= GUESSING_MOVES or pace.now > end:
            raise _Enough
        return kernel.any_of(cells, options, player, rng.randrange)

    while steps < most and made < GUESSING_MOVES and pace.now <= end:
        steps += 1
        met: list[Cells] = []
        with suppress(Fault, _Enough):
            start = kernel.start(rng.randrange(table.seats))
            kernel.run(start, choose, most - steps)
        yield met
