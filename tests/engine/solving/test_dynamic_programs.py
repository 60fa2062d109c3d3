"""Games of one player against dice beside plain dynamic programs, and exact values of games with
circles beside a proof of their own: written without the solver, by show the ruless and the
public interface alone.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest

import rulegame

# ---- blackjack and shut the box


Ends = dict[tuple[int, bool], Fraction]
CARDS = {card: Fraction(4 if card == 10 else 1, 13) for card in range(1, 11)}


def worth(total: int, ace: bool) -> int:
    return total + 10 if ace and total <= 11 else total


@cache
def dealers_ends(total: int, ace: bool, cards: int, stands: int) -> Ends:
    """What the dealer comes to, and whether it is an ace and a ten at once."""
    if worth(total, ace) >= stands:
        points = worth(total, ace)
        return {(points, cards == 2 and points == 21): Fraction(1)}
    ends: Ends = {}
    for card, share in CARDS.items():
        following = dealers_ends(total + card, ace or card == 1, cards + 1, stands)
        for end, chance in following.items():
            ends[end] = ends.get(end, Fraction(0)) + share * chance
    return ends


def blackjack(stands: int) -> Fraction:
    """What the player can expect, in bets."""

    def settled(mine: int, natural: bool, stake: int, shown: int) -> Fraction:
        total = Fraction(0)
        for (points, dealers), chance in dealers_ends(shown, shown == 1, 1, stands).items():
            if natural and not dealers:
                won = Fraction(3, 2)
            elif points > 21 or mine > points:
                won = Fraction(stake)
            elif mine < points or (dealers and not natural):
                won = Fraction(-stake)
            else:
                won = Fraction(0)
            total += chance * won
        return total

    def drawing(total: int, ace: bool, shown: int, bust: int, after: Any) -> Fraction:
        found = Fraction(0)
        for card, share in CARDS.items():
            beyond = total + card > 21
            found += share * (bust if beyond else after(total + card, ace or card == 1, shown))
        return found

    def hit(total: int, ace: bool, shown: int) -> Fraction:
        return hand(total, ace, False, shown)

    def doubled(total: int, ace: bool, shown: int) -> Fraction:
        return settled(worth(total, ace), False, 2, shown)

    @cache
    def hand(total: int, ace: bool, two: bool, shown: int) -> Fraction:
        mine = worth(total, ace)
        choices = [settled(mine, two and mine == 21, 1, shown)]
        if mine < 21:
            choices.append(drawing(total, ace, shown, -1, hit))
        if mine < 21 and two:
            choices.append(drawing(total, ace, shown, -2, doubled))
        return max(choices)

    return sum(
        (
            CARDS[one]
            * CARDS[other]
            * CARDS[shown]
            * hand(one + other, 1 in (one, other), True, shown)
            for one, other, shown in product(CARDS, repeat=3)
        ),
        Fraction(0),
    )


@pytest.mark.full
def test_blackjack() -> None:
    solution = rulegame.solve(rulegame.load("blackjack"), "perfect_information", keep=False)
    assert solution.value == blackjack(17)


def shut_the_box(tiles: int, sides: int) -> Fraction:
    """The expected sum of the tiles that are shut; sets of tiles as bits."""
    fitting: dict[int, list[int]] = {}
    for some in range(1, 1 << tiles):
        fitting.setdefault(sum(k + 1 for k in range(tiles) if some >> k & 1), []).append(some)

    @cache
    def left(open_: int) -> Fraction:
        """The tiles that will stay open, added up."""
        if not open_:
            return Fraction(0)
        total = Fraction(0)
        for one, other in product(range(1, sides + 1), repeat=2):
            ways = [some for some in fitting.get(one + other, ()) if some & open_ == some]
            stay = Fraction(sum(k + 1 for k in range(tiles) if open_ >> k & 1))
            total += min((left(open_ & ~some) for some in ways), default=stay)
        return total / sides**2

    return Fraction(tiles * (tiles + 1), 2) - left((1 << tiles) - 1)


@pytest.mark.parametrize(("tiles", "sides"), [(9, 6), (6, 4), (4, 6)])
def test_shut_the_box(tiles: int, sides: int) -> None:
    game = rulegame.load("shut_the_box", {"tiles": tiles, "sides": sides})
    assert rulegame.solve(game, "perfect_information", keep=False).value == shut_the_box(
        tiles, sides
    )


# ---- random rulesets with circles: every choice of both is tried


def random_circles(random: Random, players: int, plain: bool) -> str:
    """A game of places that may come again; ends win, lose and draw, or pay."""
    places, ends = random.randint(2, 4), random.randint(2, 3)
    operations: list[str] = []
    for place in range(places):
        targets = random.sample(range(places + ends), random.randint(1, 3))
        for k, to in enumerate(targets):
            if random.random() < 0.4:
                others = random.sample(range(places + ends), 2)
                operations.append(
                    f"  toss_{place}_{k}: {{when: at == {place}, "
                    f"roll: {{to: {{from: {others}}}}}, effects: {{at: to}}}}"
                )
            else:
                operations.append(
                    f"  go_{place}_{k}: {{when: at == {place}, effects: {{at: {to}}}}}"
                )
    rules = []
    for end in range(places, places + ends):
        pay = random.randint(-3, 3)
        paid = str([pay]) if players == 1 else f"[{pay}, {-pay}]"
        result = f"result: {random.choice(['win', 'lose', 'draw'])}"
        rules.append(
            f"  end_{end}: {{when: at == {end}, " + (result if plain else f'payoff: "{paid}"') + "}"
        )
    names = ["Ann", "Bob"][:players]
    head = f"rulegame: 1\ntitle: Circles\nplayers: [{', '.join(names)}]\nstate: {{at: 0}}\n"
    return f"{head}operations:\n" + "\n".join(operations) + "\nend:\n" + "\n".join(rules)


Row = tuple[dict[int, Fraction], Fraction]


class Plainly:
    """All states of a game by the public interface, numbered, and what follows on each."""

    def __init__(self, game: rulegame.Game) -> None:
        self.states = [game.start()]
        numbers: dict[Any, int] = {self.states[0]: 0}
        self.ways: list[list[tuple[int, Fraction]]] = []
        for state in self.states:  # which grows
            chances = dict(state.chances) if state.player == rulegame.CHANCE else {}
            row = []
            for move in state.moves if state.outcome is None else ():
                after = state.play(move)
                if after not in numbers:
                    numbers[after] = len(self.states)
                    self.states.append(after)
                row.append((numbers[after], Fraction(chances.get(move, 0))))
            self.ways.append(row)

    def chooses(self, seat: int) -> list[int]:
        return [n for n, state in enumerate(self.states) if state.player == seat]

    def value(self, chosen: dict[int, int]) -> Fraction:
        """What the first player gets under the choices of all; endless play pays nothing."""
        rows = [
            {chosen[n]: Fraction(1)} if n in chosen else _added(ways)
            for n, ways in enumerate(self.ways)
        ]
        ending = {n for n, state in enumerate(self.states) if state.outcome is not None}
        while new := {n for n, row in enumerate(rows) if n not in ending and ending & row.keys()}:
            ending |= new
        equations: list[Row] = []
        for n, state in enumerate(self.states):
            row = {n: Fraction(1)}
            pays = Fraction(0) if state.outcome is None else Fraction(state.outcome.payoffs[0])
            if n in ending:
                for to, share in rows[n].items():
                    row[to] = row.get(to, Fraction(0)) - share
            equations.append((row, pays))
        return _solved(equations)[0]

    def best(self, players: int) -> Fraction:
        """The best choice of the first player against the worst of the other one."""
        ways = [{n: [to for to, _ in self.ways[n]] for n in self.chooses(k)} for k in range(2)]
        if players == 1:
            ways[1] = {}
        return max(
            min(
                self.value(dict(zip((*ways[0], *ways[1]), (*mine, *theirs), strict=True)))
                for theirs in product(*ways[1].values())
            )
            for mine in product(*ways[0].values())
        )


def _added(ways: list[tuple[int, Fraction]]) -> dict[int, Fraction]:
    row: dict[int, Fraction] = {}
    for to, share in ways:
        row[to] = row.get(to, Fraction(0)) + share
    return row


def _solved(rows: list[Row]) -> list[Fraction]:
    """Linear equations by elimination."""
    size = len(rows)
    table = [[row.get(k, Fraction(0)) for k in range(size)] + [pays] for row, pays in rows]
    for k in range(size):
        pivot = next(r for r in range(k, size) if table[r][k])
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [entry / table[k][k] for entry in table[k]]
        for r in range(size):
            if r != k and table[r][k]:
                factor = table[r][k]
                table[r] = [a - factor * b for a, b in zip(table[r], table[k], strict=True)]
    return [row[-1] for row in table]


MOST_CHOICES = 300  # of all players together, which are all tried


@pytest.mark.quick(10)
@pytest.mark.parametrize("seed", range(50))
def test_random_rulesets_with_circles(seed: int) -> None:
    """One player against chance, or two who are opposed, with wins or with payoffs."""
    random = Random(f"circles {seed}")
    players, plain = random.choice([(1, False), (2, False), (2, True)])
    choices = MOST_CHOICES + 1
    while choices > MOST_CHOICES:
        game = rulegame.loads(random_circles(random, players, plain))
        plainly = Plainly(game)
        choosing = [*plainly.chooses(0), *plainly.chooses(1)]
        choices = prod(len(plainly.ways[number]) for number in choosing)
    assert rulegame.solve(game, "perfect_information").value == plainly.best(players)


# ---- a proof of exact values that knows nothing of how they were found


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("dice_duel", {"target": 4}),
        ("pig", {"target": 8}),
        ("double_or_nothing_10", {}),
        ("shut_the_box", {"tiles": 5}),
    ],
)
def test_exact_values_are_proved_again(name: str, setting: dict[str, Any]) -> None:
    """The values fulfil the equations; and wherever one is promised a gain, it can follow the moves
    that were chosen for it, and the other one cannot hold it there for ever.
    """
    solution = rulegame.solve(rulegame.load(name, setting), "perfect_information", keep=False)
    graph = solution.graph
    values: list[Any] = [solution.value_of(n) for n in range(len(graph))]
    ways = [[to for _, to in graph.following(n)] for n in range(len(graph))]
    states = [graph.state(n) for n in range(len(graph))]
    for n, state in enumerate(states):
        following = [values[to] for to in ways[n]]
        if state.outcome is not None:
            assert values[n] == state.outcome.payoffs[0]
        elif state.player == rulegame.CHANCE:
            shares = [share for _, share in state.chances]
            assert values[n] == sum(s * v for s, v in zip(shares, following, strict=True))
        else:
            assert values[n] == (max if state.player == 0 else min)(following)
    for seat, sign in ((0, 1), (1, -1)):
        held = {n for n, value in enumerate(values) if sign * value > 0}
        held -= {n for n in held if states[n].outcome is not None}
        mine = [n for n in held if states[n].player == seat]
        chosen = {n: int(graph.successors[solution.chosen[n]]) for n in mine}
        assert all(values[to] == values[n] for n, to in chosen.items())
        while True:
            left = {n for n in held if not stays(n, held, states[n], seat, chosen, ways, values)}
            if not left:
                break
            held -= left
        assert held == set(), "who is promised a gain would wait for it for ever"


def stays(
    number: int,
    held: set[int],
    state: rulegame.State,
    seat: int,
    chosen: dict[int, int],
    ways: list[list[int]],
    values: list[Any],
) -> bool:
    """Whether play can be kept within some states, if one player follows the chosen moves."""
    if state.player == seat:
        return chosen[number] in held
    if state.player == rulegame.CHANCE:
        return all(to in held for to in ways[number])
    return any(to in held and values[to] == values[number] for to in ways[number])
