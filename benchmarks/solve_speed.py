"""Exploring and solving a ruleset, beside a solver of the same game written by hand over
dictionaries; then how the time grows with the states, and what a state takes in memory.

Both solvers run in this process, in turns, and must come to the same answer: for Zero Sum Duel win
or loss and the distance of every state, for Dice Duel the value, which value iteration has to
twelve digits (and which `rulegame.solve` proves). Times are those of the processor: others may use
it too.
"""

from __future__ import annotations

import argparse
from collections import deque
from math import log2
from statistics import median

import rulegame
from field.measuring import timed
from field.solved import measures, solved_alone
from field.versions import add_option, compare_versions

CASES = (("zero_sum_duel", {"start": 100}), ("dice_duel", {"target": 60}))
LARGE = (("pig", {}), ("tic_tac_toe", {"size": 4, "line": 4}))

# ---- by hand

Position = tuple[int, int, int, int]  # the scores, who moves, and the number subtracted last


def zero_sum_duel(start: int) -> dict[Position, tuple[int, int]]:
    """Of every position the value for the first player, and the distance to the end."""
    known: dict[Position, tuple[int, int]] = {}
    left: dict[Position, int] = {}
    leading: dict[Position, list[Position]] = {(start, start, 0, 0): []}
    waiting = deque(leading)
    ends: list[Position] = []
    while waiting:
        position = waiting.popleft()
        one, two, mover, last = position
        if one == 0 or two == 0:
            known[position] = (1 if one == 0 else -1, 0)
            ends.append(position)
            continue
        mine = two if mover else one
        ways = 0
        for n in range(1, min(mine, 5) + 1):
            if n == last:
                continue
            ways += 1
            after = (one, two - n, 0, n) if mover else (one - n, two, 1, n)
            before = leading.get(after)
            if before is None:
                leading[after] = [position]
                waiting.append(after)
            else:
                before.append(position)
        if ways:
            left[position] = ways
        else:
            known[position] = (1 if mover else -1, 0)
            ends.append(position)
    decided = deque(ends)
    while decided:
        position = decided.popleft()
        value, away = known[position]
        for before in leading[position]:
            if before in known:
                continue
            wanted = -1 if before[2] else 1
            if value == wanted:
                known[before] = (value, away + 1)
                decided.append(before)
            else:
                left[before] -= 1
                if not left[before]:
                    known[before] = (value, away + 1)
                    decided.append(before)
    return known


def dice_duel(target: int, sides: int = 6) -> float:
    """The value for the first player, by value iteration over what can be before a roll."""
    ends: dict[tuple[int, int, int], float] = {}
    ways: dict[tuple[int, int, int], list[list[tuple[int, int, int]]]] = {}
    waiting = [(0, 0, 0)]
    seen = set(waiting)
    while waiting:
        before = waiting.pop()
        one, two, mover = before
        mine = two if mover else one
        loses = 1.0 if mover else -1.0
        dice = []
        for die in range(1, sides + 1):
            options = []
            for score in (mine + die, mine - die):
                after = (one, score, 0) if mover else (score, two, 1)
                options.append(after)
                if after in seen:
                    continue
                seen.add(after)
                if score == target:
                    ends[after] = -loses
                elif 0 <= score < target:
                    waiting.append(after)
                else:
                    ends[after] = loses
            dice.append(options)
        ways[before] = dice
    values = dict.fromkeys(ways, 0.0) | ends
    rows = [(before, max if before[2] == 0 else min, dice) for before, dice in ways.items()]
    change = 1.0
    while change > 1e-12:
        change = 0.0
        for before, pick, dice in rows:
            total = 0.0
            for first, second in dice:
                total += pick(values[first], values[second])
            after = total / sides
            change = max(change, abs(after - values[before]))
            values[before] = after
    return values[0, 0, 0]


# ---- the ruleset


def solved(name: str, **parameters: int) -> rulegame.PerfectInformationSolution:
    """Explored and solved; loading a ruleset is not counted by anyone."""
    return rulegame.solve(rulegame.load(name, parameters))


def compare_zero_sum(start: int) -> float:
    game = rulegame.load("zero_sum_duel", {"start": start})
    by_hand, answer = timed(lambda: zero_sum_duel(start))
    ours, solution = timed(lambda: rulegame.solve(game))
    assert solution.distances is not None
    value, away = answer[start, start, 0, 0]
    if (value, away, len(answer)) != (solution.value, solution.distance_of(0), len(solution.graph)):
        raise SystemExit("zero_sum_duel: the two do not agree")
    if sorted(away for _, away in answer.values()) != sorted(solution.distances.tolist()):
        raise SystemExit("zero_sum_duel: the two do not agree about distances")
    return by_hand / ours


def compare_dice(target: int) -> float:
    game = rulegame.load("dice_duel", {"target": target})
    by_hand, value = timed(lambda: dice_duel(target))
    ours, solution = timed(lambda: rulegame.solve(game))
    if not solution.lower - 1e-9 <= value <= solution.upper + 1e-9:
        raise SystemExit("dice_duel: the two do not agree")
    return by_hand / ours


def print_growth(name: str, parameter: str, sizes: list[int]) -> None:
    """The time for more and more states, and how it grows when the states double."""
    print(f"{name}, {parameter}:   states     moves   seconds  a doubling of the states takes")
    before: tuple[int, float] | None = None
    for size in sizes:
        game = rulegame.load(name, {parameter: size})
        taken, solution = min(
            (timed(lambda g=game: rulegame.solve(g)) for _ in range(3)), key=lambda pair: pair[0]
        )
        states = len(solution.graph)
        growth = ""
        if before is not None:
            growth = f"{(taken / before[1]) ** (1 / log2(states / before[0])):8.2f} times as long"
        print(f"{size:>14} {states:>12,} {solution.graph.edges:>9,} {taken:9.3f}  {growth}")
        before = states, taken


def measure_large(name: str, parameters: dict[str, object]) -> None:
    """In a process of its own, whose peak of memory is then that of the game."""
    found = solved_alone(name, parameters)
    print(
        f"{name} {parameters}: {found.states:,} states, {found.moves:,} moves, "
        f"{found.seconds:.0f} s; value in [{found.lower!r}, {found.upper!r}], "
        f"width {found.upper - found.lower:.1e}; peak {found.peak_bytes / 2**20:,.0f} MiB, "
        f"{found.own_bytes / found.states:.0f} bytes a state "
        f"(the graph alone {found.graph_bytes / found.states:.0f})"
    )


def main() -> None:
    """Prints ratios, growth and, if asked to, what large games take."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each, in turns")
    parser.add_argument("--large", action="store_true", help="Pig to 100, and ten million states")
    add_option(parser)
    options = parser.parse_args()
    if options.before:
        cases = CASES + LARGE if options.large else CASES
        compare_versions("solve speed", options.before, measures(cases), options.rounds)
        return
    solved("zero_sum_duel", start=20)
    solved("dice_duel", target=30)  # what is imported on the way is not measured
    for text, compare in (
        ("zero_sum_duel, start=100", lambda: compare_zero_sum(100)),
        ("dice_duel, target=60", lambda: compare_dice(60)),
    ):
        ratios = [compare() for _ in range(options.rounds)]
        print(
            f"{text}: {median(ratios):.2f} times as fast as by hand"
            f" (between {min(ratios):.2f} and {max(ratios):.2f})"
        )
    print_growth("zero_sum_duel", "start", [50, 71, 100, 141, 200, 283])
    print_growth("dice_duel", "target", [30, 42, 60, 85])
    if options.large:
        for name, parameters in LARGE:
            measure_large(name, parameters)


if __name__ == "__main__":
    main()
