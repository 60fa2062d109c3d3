"""All games over one track: batch by batch, in as many threads as there are cores.

Arrays are worked on outside the interpreter's lock, so threads do run at the same time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from threading import Event, Lock
from typing import Final

from rulegame.game import Game
from rulegame.simulation.rng import Seeded
from rulegame.simulation.tally import Tally
from rulegame.simulation.tracks import Track
from rulegame.simulation.walking import Walkers

LANES: Final = 32_768  # games side by side, to begin with
MOST_LANES: Final = 262_144
FEW_LANES: Final = 8_192  # if fewer are busy on average, the same work is better done with more
MOST_THREADS: Final = 8  # beyond that they wait for each other


class Crowd:
    """The games that are still to be played, and the threads that take some of them in turn."""

    def __init__(
        self,
        game: Game,
        track: Track,
        first: int,
        games: range,
        seeded: Seeded,
        max_moves: int,
        batch: int | None,
        tell: Callable[[int], None],
    ) -> None:
        self._game = game
        self._track = track
        self._first = first
        self._left = games
        self._seeded = seeded
        self._max_moves = max_moves
        self._grows = batch is None
        self._lanes = min(batch or LANES, MOST_LANES)
        self._tell = tell
        self._lock = Lock()
        self._over = 0
        self._stop = Event()

    def play(self, tally: Tally) -> None:
        """Plays all games and counts them."""
        batches = -(-len(self._left) // self._lanes)
        threads = min(os.cpu_count() or 1, MOST_THREADS, batches)
        if threads <= 1:
            tally.add(self._play_some())
            return
        with ThreadPoolExecutor(threads) as pool:
            self._share_out(pool, threads, tally)

    def _share_out(self, pool: Executor, threads: int, tally: Tally) -> None:
        try:
            for future in [pool.submit(self._play_some) for _ in range(threads)]:
                tally.add(future.result())
        finally:
            self._left = range(0)
            self._stop.set()  # whatever happened: no thread goes on by itself

    def _play_some(self) -> Tally:
        """One thread: a batch after the other, until there are no games left."""
        tally = Tally(self._game)
        lanes, walkers = 0, None
        while games := self._next_batch():
            if walkers is None or lanes < len(games):
                lanes = len(games)
                walkers = Walkers(
                    self._track,
                    tally,
                    self._first,
                    self._seeded,
                    self._max_moves,
                    lanes,
                    self._stop,
                )
            before = tally.steps
            longest = walkers.walk(games)
            busy = (tally.steps - before) / max(longest, 1)
            self._note(len(games), busy)
        return tally

    def _next_batch(self) -> range:
        with self._lock:
            games, self._left = self._left[: self._lanes], self._left[self._lanes :]
            return games

    def _note(self, games: int, busy: float) -> None:
        """Takes larger batches if a few long games keep many lanes waiting: how games are batched
        never changes what comes of them.
        """
        with self._lock:
            self._over += games
            if self._grows and busy < FEW_LANES and games == self._lanes < MOST_LANES:
                self._lanes *= 2
            self._tell(self._over)
