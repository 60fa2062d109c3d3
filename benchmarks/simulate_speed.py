"""`rulegame.simulate` on Zero Sum Duel, beside a hand-written class that plays the same games.

Both play random games in this process, in turns, and count the same things: who won by which rule,
and how long games were. Prints how many times as many games per second `simulate` plays. Its time
is all of it, the exploring of the states included.
"""

from __future__ import annotations

import argparse
from collections import Counter
from math import sqrt
from random import Random
from statistics import median

import rulegame
from field.measuring import timed
from field.versions import Measure, Seconds, add_option, compare_versions


class ZeroSumDuel:
    """Zero Sum Duel as one would write it by hand; it changes as it is played, which is fast."""

    __slots__ = ("last", "player", "scores")

    NUMBERS = (1, 2, 3, 4, 5)

    def __init__(self, start: int = 20) -> None:
        self.scores = [start, start]
        self.player = 0
        self.last: int | None = None

    def moves(self) -> list[int]:
        """The numbers that may be subtracted."""
        mine, last = self.scores[self.player], self.last
        return [n for n in self.NUMBERS if n <= mine and n != last]

    def play(self, number: int) -> bool:
        """Subtracts a number; whether that wins the game."""
        player = self.player
        self.scores[player] -= number
        self.last = number
        if self.scores[player] == 0:
            return True
        self.player = 1 - player
        return False


def play_out(random: Random) -> tuple[int, str, int]:
    """A random game: the winner, the rule that decided, and the number of moves."""
    duel, length = ZeroSumDuel(), 0
    while moves := duel.moves():
        length += 1
        if duel.play(random.choice(moves)):
            return duel.player, "zero", length
    return 1 - duel.player, "stuck", length


def by_hand(games: int, seed: int) -> Counter[tuple[int, str, int]]:
    """Random games, counted."""
    random = Random(seed)
    return Counter(play_out(random) for _ in range(games))


def check(report: rulegame.Report, counts: Counter[tuple[int, str, int]]) -> None:
    """Both must have played the same game: the first player wins equally often, up to chance."""
    games = counts.total()
    wins = sum(n for (winner, _, _), n in counts.items() if winner == 0)
    share = report.seats[0].wins.share
    spread = sqrt(share * (1 - share) * (1 / games + 1 / report.games))
    if abs(wins / games - share) > 5 * spread:
        raise SystemExit("the two do not play the same game")


def measure(games: int) -> Seconds:
    """The time of some random games."""
    game = rulegame.load("zero_sum_duel")
    rulegame.simulate(game, games, seed=0)  # compiles the rules
    return {"processor": timed(lambda: rulegame.simulate(game, games, seed=1))[0]}


def main() -> None:
    """Compares the two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5_000_000, help="games of simulate in a round")
    parser.add_argument("--by-hand", type=int, default=20_000, help="games by hand in a round")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each, in turns")
    add_option(parser)
    options = parser.parse_args()
    if options.before:
        measures = [Measure("zero_sum_duel", "simulate_speed.measure", (options.games,))]
        compare_versions("simulate", options.before, measures, options.rounds)
        return
    game = rulegame.load("zero_sum_duel")
    ratios, fast, slow = [], [], []
    for seed in range(options.rounds):
        taken, report = timed(lambda s=seed: rulegame.simulate(game, options.games, seed=s))
        fast.append(options.games / taken)
        taken, counts = timed(lambda s=seed: by_hand(options.by_hand, s))
        slow.append(options.by_hand / taken)
        check(report, counts)
        ratios.append(fast[-1] / slow[-1])
    print(f"simulate: {median(fast):,.0f} games per second; by hand: {median(slow):,.0f}")
    print(
        f"zero_sum_duel: {median(ratios):.0f} times as fast as by hand"
        f" (between {min(ratios):.0f} and {max(ratios):.0f})"
    )


if __name__ == "__main__":
    main()
