"""Many games at once over the state graph, all taking their n-th step together."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from threading import Event
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.simulation.rng import HALF, Seeded, Words, below, mix
from rulegame.simulation.tally import Tally
from rulegame.simulation.tracks import OFFSET, WEIGHED, Track

_LOW: Final = np.uint64(HALF - 1)
_HALF: Final = np.uint64(32)
_BITS: Final = 64  # kinds of steps whose use fits in one word


class Walkers:
    """Lanes in which games are played side by side. The arrays are made once; a step then writes
    into them and asks for no memory, which is what makes it fast.
    """

    def __init__(
        self,
        track: Track,
        tally: Tally,
        first: int,
        seeded: Seeded,
        max_moves: int,
        size: int,
        stop: Event,
    ) -> None:
        self._track = track
        self._tally = tally
        self._first = first
        self._seeded = seeded
        self._limit = max_moves
        self._stop = stop  # set: what is counted will not be used
        self._kinds = len(tally.kinds)
        self._rows, self._counters, self._strides, self._words, self._drawn, self._limits = (
            np.empty(size, np.uint64) for _ in range(6)
        )
        self._spare = np.empty(size, np.uint64)
        self._low = np.empty(size, np.uint32)
        self._over = np.empty(size, bool)
        # With one kind of step there is nothing to keep: every game with a step has it.
        parts = 0 if self._kinds == 1 else -(-self._kinds // _BITS)
        self._used = np.zeros((parts, size), np.uint64)
        self._ended = np.zeros(len(track.outcomes), np.int64)

    def walk(self, games: range) -> int:
        """Plays these games, at most as many as there are lanes, and counts them; returns how many
        steps the longest had.
        """
        lanes = len(games)
        numbers = np.arange(games.start, games.stop, games.step, dtype=np.uint64)
        self._seeded.games(
            numbers, self._counters[:lanes], self._strides[:lanes], self._words[:lanes]
        )
        self._rows[:lanes] = self._track.start
        self._used[:, :lanes] = 0
        self._ended[:] = 0
        step = 0
        over = self._look(lanes, step, 0)
        while over < lanes and step < self._limit and not self._stop.is_set():
            # After an odd step nobody needs the words any more: they need not be moved along.
            if step % 2 == 0 and over * 4 > lanes:
                lanes, over = self._leave(lanes), 0
            self._take_step(lanes, step, over)
            step += 1
            over = self._look(lanes, step, over)
        lanes = self._leave(lanes)
        self._count_used(np.ones(lanes, bool))
        if self._kinds == 1 and step:
            self._tally.used[0] += len(games)
        if lanes:
            self._tally.unfinished[self._first] += lanes
        for place in np.flatnonzero(self._ended).tolist():
            self._tally.end(self._track.outcomes[place], self._first, int(self._ended[place]))
        return step

    def _look(self, lanes: int, step: int, before: int) -> int:
        """How many of the lanes hold games that are over; counts how long the new ones took."""
        over = self._over[:lanes]
        np.greater_equal(self._rows[:lanes], np.uint64(self._track.ends), out=over)
        count = int(np.count_nonzero(over))
        if count > before:
            self._tally.lengths[step] += count - before
        return count

    def _take_step(self, lanes: int, step: int, over: int) -> None:
        """Every lane draws and moves; those that are over stay where they are."""
        track = self._track
        rows, drawn, limits = self._rows[:lanes], self._drawn[:lanes], self._limits[:lanes]
        self._draw(lanes, step)
        np.bitwise_and(rows, _LOW, out=limits)
        np.multiply(drawn, limits, out=drawn)
        aside = self._reject(lanes, step)
        np.right_shift(drawn, _HALF, out=drawn)
        np.right_shift(rows, np.uint64(OFFSET), out=limits)
        edges = limits.view(np.int64)
        if track.weighed:
            weighed = np.flatnonzero(rows & np.uint64(1 << WEIGHED))
            sums = track.sums[edges[weighed]] + drawn[weighed].view(np.int64)
        np.add(edges, drawn.view(np.int64), out=edges)
        if track.weighed:
            edges[weighed] = np.searchsorted(track.sums, sums, side="right") - 1
        for lane, edge in aside:
            edges[lane] = edge
        track.targets.take(edges, out=rows, mode="clip")
        if self._kinds == 1:
            self._tally.times[0] += lanes - over
        else:
            self._count(lanes, edges)

    def _draw(self, lanes: int, step: int) -> None:
        """Half a word for every lane; two steps share a word."""
        words, drawn = self._words[:lanes], self._drawn[:lanes]
        if step % 2:
            np.bitwise_and(words, _LOW, out=drawn)
            return
        counters = self._counters[:lanes]
        np.add(counters, self._strides[:lanes], out=counters)
        mix(counters, words, drawn)
        np.right_shift(words, _HALF, out=drawn)

    def _reject(self, lanes: int, step: int) -> list[tuple[int, int]]:
        """Draws again where a number would favour some edges, as `below` does. Returns lanes and
        the edges that they take, where half a word is not enough.
        """
        low, drawn, limits = self._low[:lanes], self._drawn[:lanes], self._limits[:lanes]
        np.copyto(low, drawn, casting="unsafe")
        if int(low.min()) >= self._track.most:
            return []
        aside = []
        for lane in np.flatnonzero(low <= limits).tolist():
            word, stride = int(self._words[lane]), int(self._strides[lane])
            half = word & (HALF - 1) if step % 2 else word >> 32
            limit = int(limits[lane])
            if limit:
                drawn[lane] = below(limit, half, stride, step) << 32
            else:
                first = int(self._rows[lane]) >> OFFSET
                sums = list(accumulate(self._track.wide[first]))
                ticket = below(sums[-1], half, stride, step)
                aside.append((lane, first + bisect_right(sums, ticket)))
        return aside

    def _count(self, lanes: int, edges: NDArray[np.int64]) -> None:
        """What was done in this step; games that are over do what is no kind."""
        kinds = self._drawn[:lanes].view(np.int64)
        self._track.kinds.take(edges, out=kinds, mode="clip")
        times = np.bincount(kinds, minlength=self._kinds + 1)
        for kind in np.flatnonzero(times[: self._kinds]).tolist():
            self._tally.times[kind] += int(times[kind])
        bits = self._limits[:lanes]
        for part in range(len(self._used)):
            np.subtract(kinds.view(np.uint64), np.uint64(part * _BITS), out=bits)
            # A shift by 64 or more is 0, which is what kinds of the other parts need.
            np.left_shift(np.uint64(1), bits, out=bits)
            np.bitwise_or(self._used[part, :lanes], bits, out=self._used[part, :lanes])

    def _leave(self, lanes: int) -> int:
        """Counts the games that are over and frees their lanes; returns how many stay."""
        over, track = self._over[:lanes], self._track
        ended = track.outcome[self._rows[:lanes][over] - np.uint64(track.ends) >> np.uint64(OFFSET)]
        self._ended += np.bincount(ended, minlength=len(self._ended))
        self._count_used(over)
        staying = np.flatnonzero(~over)
        self._rows = self._moved_up(self._rows, staying)
        self._counters = self._moved_up(self._counters, staying)
        self._strides = self._moved_up(self._strides, staying)
        for used in self._used:
            used[: len(staying)] = used[staying]
        return len(staying)

    def _moved_up(self, lane: Words, staying: NDArray[np.int64]) -> Words:
        """The lane with what stays at its beginning; the old one is spare now."""
        result, self._spare = self._spare, lane
        lane.take(staying, out=result[: len(staying)], mode="clip")
        return result

    def _count_used(self, chosen: NDArray[np.bool_]) -> None:
        """In how many of the chosen lanes each kind of step was taken."""
        for part, used in enumerate(self._used):
            words = used[: len(chosen)][chosen]
            for kind in range(part * _BITS, min(self._kinds, (part + 1) * _BITS)):
                bit = np.uint64(1 << kind - part * _BITS)
                self._tally.used[kind] += int(np.count_nonzero(words & bit))
