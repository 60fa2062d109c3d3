"""Games of many players: what each can make sure of, what all can reach, and what comes of
everybody playing for the own payoff, by trying every strategy.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

import pytest

import rulegame

Payoffs = tuple[Fraction, ...]
NAMES = ("Ann", "Bob", "Cid")


def random_tree(random: Random, players: int) -> str:
    """A game of places; from each the player whose turn it is, or a coin, leads on to others."""
    operations, ends, places, waiting = [], [], 1, [(0, 0)]
    while waiting:
        place, depth = waiting.pop(0)
        ways = random.choice([0, 1, 2, 2, 2, 3]) if 0 < depth < 3 else 2 if depth == 0 else 0
        if ways == 0 or places > 9:
            paid = [random.randint(0, 2) for _ in range(players)]
            ends.append(f'  end_{place}: {{when: at == {place}, payoff: "{paid}"}}')
            continue
        following = list(range(places, places + ways))
        places += ways
        waiting += [(k, depth + 1) for k in following]
        if random.random() < 0.3:
            rolled = f"from: {following}"
            operations.append(
                f"  roll_{place}: {{when: at == {place}, "
                f"roll: {{to: {{{rolled}}}}}, effects: {{at: to}}}}"
            )
        else:
            operations += [
                f"  go_{place}_{k}: {{when: at == {place}, effects: {{at: {k}}}}}"
                for k in following
            ]
    head = f"rulegame: 1\ntitle: Tree\nplayers: [{', '.join(NAMES[:players])}]\nstuck: draw\n"
    rules = "\n".join(operations)
    return f"{head}state: {{at: 0}}\noperations:\n{rules}\nend:\n" + "\n".join(ends)


def worth(state: rulegame.State, chosen: dict[rulegame.State, rulegame.Move]) -> Payoffs:
    """What everybody gets under the choices of all."""
    if state.outcome is not None:
        return tuple(Fraction(pay) for pay in state.outcome.payoffs)
    if state.player == rulegame.CHANCE:
        parts = [(p, worth(state.play(move), chosen)) for move, p in state.chances]
        return tuple(
            sum((p * v[k] for p, v in parts), Fraction(0)) for k in range(len(parts[0][1]))
        )
    return worth(state.play(chosen[state]), chosen)


def gain(
    of: rulegame.State, state: rulegame.State, chosen: dict[rulegame.State, rulegame.Move]
) -> Fraction:
    """What who is to move in one state gets from another one on."""
    assert of.player is not None
    return worth(state, chosen)[of.player]


def inner(state: rulegame.State) -> Iterator[rulegame.State]:
    """The states from one on in which somebody chooses."""
    if state.outcome is None:
        if state.player != rulegame.CHANCE:
            yield state
        for move in state.moves:
            yield from inner(state.play(move))


def perfect_outcomes(game: rulegame.Game) -> set[Payoffs]:
    """Of all choices of all players those from which nobody gains by another choice anywhere."""
    start = game.start()
    states = list(dict.fromkeys(inner(start)))
    found = set()
    for picks in product(*(state.moves for state in states)):
        chosen = dict(zip(states, picks, strict=True))
        if all(
            gain(state, state, chosen) >= gain(state, state.play(move), chosen)
            for state in states
            for move in state.moves
        ):
            found.add(worth(start, chosen))
    return found


def sure(state: rulegame.State, seats: set[int], pay: int | None) -> Fraction:
    """The most that some seats can make sure of: of what one is paid, or of the sum."""
    if state.outcome is not None:
        paid = state.outcome.payoffs
        return Fraction(sum(paid) if pay is None else paid[pay])
    if state.player == rulegame.CHANCE:
        parts = (p * sure(state.play(move), seats, pay) for move, p in state.chances)
        return sum(parts, Fraction(0))
    pick = max if state.player in seats else min
    return pick(sure(state.play(move), seats, pay) for move in state.moves)


@pytest.mark.quick(25)
@pytest.mark.parametrize("seed", range(60))
def test_random_games(seed: int) -> None:
    random = Random(f"many {seed}")
    players = random.choice([2, 3, 3])
    game = rulegame.loads(random_tree(random, players))
    solution = rulegame.solve(game, "multiplayer")
    start = game.start()
    assert [one.value for one in solution.alone] == [
        sure(start, {seat}, seat) for seat in range(players)
    ]
    assert solution.together.value == sure(start, set(range(players)), None)
    expected = perfect_outcomes(game)
    assert solution.outcomes is not None and set(solution.outcomes) == expected
    assert solution.payoffs == (next(iter(expected)) if len(expected) == 1 else None)
    assert solution.equilibria is not None and solution.equilibria.chosen[0] in expected


RACE = """
rulegame: 1
title: Race
players: [Ann, Bob, Cid]
parameters: {pile: 7}
state: {left: pile}
operations:
  take: {choose: {n: 1..2}, effects: {left: left - n}}
validity: {enough: after.left >= 0}
stuck: draw
end:
  last: {when: left == 0, result: win}
"""


def test_a_race_of_three_by_hand() -> None:
    """Who takes the last wins. Of one or two left, the mover wins; of three, the next one does,
    whatever is taken; of four, the mover decides which of the two others wins, and gains nothing
    by either.
    """
    for pile, outcomes in {
        1: {(1, -1, -1)},
        2: {(1, -1, -1)},
        3: {(-1, 1, -1)},
        4: {(-1, 1, -1), (-1, -1, 1)},
    }.items():
        solution = rulegame.solve(rulegame.loads(RACE, {"pile": pile}), "multiplayer")
        assert {tuple(map(int, one)) for one in solution.outcomes or ()} == outcomes, pile
        assert solution.winning is None and solution.totals == {-1}
        assert (solution.payoffs is None) == (len(outcomes) > 1)
    assert [one.value for one in solution.alone] == [-1, -1, -1]  # of four, nobody is sure to win


def test_where_play_can_be_endless_nothing_is_said_of_it() -> None:
    text = RACE.replace("choose: {n: 1..2}", "choose: {n: -1..2}").replace(
        "after.left >= 0", "after.left >= 0 and after.left <= pile and n != 0"
    )
    solution = rulegame.solve(rulegame.loads(text, {"pile": 3}), "multiplayer")
    assert solution.equilibria is None and solution.outcomes is None and solution.payoffs is None
    assert solution.longest_game is None and solution.best_moves() == []
    assert len(solution.alone) == 3


def test_hidden_information_is_refused() -> None:
    with pytest.raises(rulegame.CannotSolve, match="hidden information"):
        rulegame.solve(rulegame.load("kuhn_poker"), "multiplayer")
