"""The strategic form of a game, in the format of Gambit: what each combination of strategies pays.

Strategies are reduced: they say nothing of information sets that they themselves keep away from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Final

from rulegame.compiling import CHANCE
from rulegame.exporting.efg import quoted
from rulegame.exporting.tree import CannotExport, GameTree, History

MOST_STRATEGIES: Final = 100_000  # of one player
MOST_WORK: Final = 20_000_000  # combinations, times histories

Strategy = Mapping[int, int]  # what is played, by its place, in each information set that matters


def nfg(tree: GameTree) -> Iterator[str]:
    """The lines of an `.nfg` file."""
    game = tree.game
    strategies = [_strategies(tree, seat) for seat in range(len(game.players))]
    combinations = prod(map(len, strategies))
    if combinations * tree.nodes > MOST_WORK:
        raise CannotExport(
            f"there are {combinations:,} combinations of strategies in {tree.nodes:,} histories: "
            "too many to write down; efg has the game as a tree"
        )
    players = " ".join(map(quoted, game.players))
    sizes = " ".join(str(len(some)) for some in strategies)
    yield f"NFG 1 R {quoted(game.ruleset.title)} {{ {players} }} {{ {sizes} }}"
    yield ""
    for reversed_profile in product(*reversed(strategies)):  # the first player's changes fastest
        yield " ".join(map(str, _paid(tree.root, reversed_profile[::-1])))


def _strategies(tree: GameTree, seat: int) -> list[dict[int, int]]:
    """All reduced strategies of a seat."""
    following: dict[tuple[int, int] | None, list[int]] = {}
    sizes: dict[int, int] = {}
    waiting: list[tuple[History, tuple[int, int] | None]] = [(tree.root, None)]
    while waiting:
        node, last = waiting.pop()
        mine = node.player == seat
        if mine and node.information not in sizes:
            sizes[node.information] = len(node.moves)
            following.setdefault(last, []).append(node.information)
        for k, child in enumerate(node.children):
            waiting.append((child, (node.information, k) if mine else last))

    def after(last: tuple[int, int] | None) -> list[dict[int, int]]:
        found: list[dict[int, int]] = [{}]
        for information in following.get(last, ()):
            ways = [
                {information: k} | rest
                for k in range(sizes[information])
                for rest in after((information, k))
            ]
            found = [one | way for one in found for way in ways]
            if len(found) > MOST_STRATEGIES:
                raise CannotExport(
                    f"{tree.game.players[seat]} has more than {MOST_STRATEGIES:,} strategies: too "
                    "many to write down; efg has the game as a tree"
                )
        return found

    return after(None)


def _paid(node: History, profile: tuple[Strategy, ...]) -> list[Fraction]:
    """What each player can expect if all play as their strategies say."""
    if node.outcome is not None:
        return [Fraction(payoff) for payoff in node.outcome.payoffs]
    if node.player != CHANCE:
        return _paid(node.children[profile[node.player][node.information]], profile)
    total = [Fraction(0)] * len(profile)
    for share, child in zip(node.shares, node.children, strict=True):
        paid = _paid(child, profile)
        total = [one + share * more for one, more in zip(total, paid, strict=True)]
    return total
