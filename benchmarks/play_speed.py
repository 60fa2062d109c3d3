"""Random games through the public interface, beside hand-written classes of the same games.

Both play in this process, in turns, with the same random numbers; every game of one must come out
as the same game of the other does. Prints, for each game, how many times as fast the ruleset is.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import median
from typing import Protocol

import rulegame
from field.measuring import timed
from field.versions import Measure, Seconds, add_option, compare_versions


class IllegalMove(ValueError):
    """A move that is not valid."""


@dataclass(frozen=True, slots=True)
class ZeroSumDuel:
    """Zero Sum Duel as one would write it by hand."""

    scores: tuple[int, int] = (20, 20)
    player: int = 0
    last: int | None = None

    NUMBERS = (1, 2, 3, 4, 5)

    @property
    def moves(self) -> tuple[int, ...]:
        """The numbers that may be subtracted."""
        if 0 in self.scores:
            return ()
        mine, last = self.scores[self.player], self.last
        return tuple([n for n in self.NUMBERS if n != last and n <= mine])

    def play(self, number: int) -> ZeroSumDuel:
        """The position after a move."""
        if number not in self.moves:
            raise IllegalMove(number)
        one, two = self.scores
        if self.player == 0:
            return ZeroSumDuel((one - number, two), 1, number)
        return ZeroSumDuel((one, two - number), 0, number)

    @property
    def outcome(self) -> tuple[int, str] | None:
        """The winner and the rule, or None."""
        if 0 in self.scores:
            return self.scores.index(0), "zero"
        return None if self.moves else (1 - self.player, "stuck")


@dataclass(frozen=True, slots=True)
class DiceDuel:
    """Dice Duel as one would write it by hand; before a roll the moves are what can be rolled."""

    scores: tuple[int, int] = (0, 0)
    player: int = 0
    roll: int | None = None

    TARGET = 15
    ROLLS = (1, 2, 3, 4, 5, 6)
    OPERATIONS = ("add", "subtract")

    @property
    def moves(self) -> tuple[int, ...] | tuple[str, ...]:
        """The operations, or what can be rolled."""
        if self.outcome is not None:
            return ()
        return self.ROLLS if self.roll is None else self.OPERATIONS

    def play(self, move: int | str) -> DiceDuel:
        """The position after a roll or a move."""
        if move not in self.moves:
            raise IllegalMove(move)
        if self.roll is None:
            assert isinstance(move, int)
            return DiceDuel(self.scores, self.player, move)
        change = self.roll if move == "add" else -self.roll
        one, two = self.scores
        if self.player == 0:
            return DiceDuel((one + change, two), 1)
        return DiceDuel((one, two + change), 0)

    @property
    def outcome(self) -> tuple[int, str] | None:
        """The winner and the rule, or None."""
        if self.roll is not None:
            mine = self.scores[self.player]
            if mine - self.roll >= 0 or mine + self.roll <= self.TARGET:
                return None
            return 1 - self.player, "stuck"
        mover = 1 - self.player
        reached = self.scores[mover]
        if reached == self.TARGET:
            return mover, "exact"
        return None if 0 <= reached <= self.TARGET else (self.player, "outside")


class ByHand(Protocol):
    """What both classes have in common."""

    @property
    def moves(self) -> tuple[int, ...] | tuple[str, ...]: ...

    @property
    def outcome(self) -> tuple[int, str] | None: ...

    def play(self, move: object, /) -> ByHand: ...


Play = Callable[[Random, int], list[tuple[int, str]]]


def by_ruleset(name: str) -> Play:
    """Random games of a ruleset."""
    game = rulegame.load(name)

    def play(random: Random, games: int) -> list[tuple[int, str]]:
        results = []
        draw = random.random
        for _ in range(games):
            state = game.start()
            while state.outcome is None:
                moves = state.moves
                state = state.play(moves[int(draw() * len(moves))])
            results.append((state.outcome.winners[0], state.outcome.rule))
        return results

    return play


def by_hand(start: Callable[[], ByHand]) -> Play:
    """Random games of a hand-written class."""

    def play(random: Random, games: int) -> list[tuple[int, str]]:
        results = []
        draw = random.random
        for _ in range(games):
            state = start()
            while (outcome := state.outcome) is None:
                moves = state.moves
                state = state.play(moves[int(draw() * len(moves))])
            results.append(outcome)
        return results

    return play


CLASSES: dict[str, Callable[[], ByHand]] = {
    "zero_sum_duel": ZeroSumDuel,  # type: ignore[dict-item]  # it takes numbers only
    "dice_duel": DiceDuel,  # type: ignore[dict-item]
}


def measure(name: str, games: int) -> Seconds:
    """The time of some random games."""
    play = by_ruleset(name)
    play(Random(0), games // 10)  # compiles the rules
    return {"processor": timed(lambda: play(Random(1), games))[0]}


def main() -> None:
    """Compares all games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="games in a round")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of each, in turns")
    add_option(parser)
    options = parser.parse_args()
    if options.before:
        measures = [Measure(name, "play_speed.measure", (name, options.games)) for name in CLASSES]
        compare_versions("play speed", options.before, measures, options.rounds)
        return
    for name, start in CLASSES.items():
        ruleset, hand = by_ruleset(name), by_hand(start)
        ratios = []
        for seed in range(options.rounds):
            taken, results = timed(partial(ruleset, Random(seed), options.games))
            taken_by_hand, results_by_hand = timed(partial(hand, Random(seed), options.games))
            if results != results_by_hand:
                raise SystemExit(f"{name}: the two do not play the same game")
            ratios.append(taken_by_hand / taken)
        print(
            f"{name}: {median(ratios):.2f} times as fast as by hand"
            f" (between {min(ratios):.2f} and {max(ratios):.2f})"
        )


if __name__ == "__main__":
    main()
