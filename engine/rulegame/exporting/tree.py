"""A game as a tree of all its histories, with the information sets of each seat: what a seat has
seen since the start, so that nobody forgets anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from rulegame.adapters.observing import recall_text
from rulegame.adapters.traits import lengths
from rulegame.compiling import CHANCE, OVER
from rulegame.diagnostics import PortableError
from rulegame.errors import TooLarge
from rulegame.exploring import StateGraph
from rulegame.game import Game, Move, Outcome, State
from rulegame.progress import Progress


class CannotExport(PortableError):
    """A game cannot be written in a format, and why."""


@dataclass(frozen=True, slots=True)
class History:
    """A history: who moves there, in which information set, and what follows; or how it ended."""

    player: int  # a seat, CHANCE, or OVER
    moves: tuple[Move, ...] = ()
    shares: tuple[Fraction, ...] = ()  # the probabilities of what is rolled
    information: int = 0  # the number of the seat's information set, from 1 on
    outcome: Outcome | None = None
    children: list[History] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GameTree:
    """All histories of a game from its root on."""

    game: Game
    root: History
    nodes: int
    seen: tuple[dict[str, int], ...]  # of each seat, its information sets, by what it has seen

    def __iter__(self) -> Iterator[History]:
        """Each node before its children, these in order."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)


def make_tree(graph: StateGraph, most: int, progress: Progress) -> GameTree:
    """The tree of a game whose states are known; TooLarge if it has more than `most` histories."""
    game = graph.game
    if lengths(graph)[0] is None:
        raise CannotExport("play can go on forever, so the game tree is infinite")
    seen: tuple[dict[str, int], ...] = tuple({} for _ in game.players)
    made: list[History] = []
    waiting: list[tuple[History | None, State, tuple[tuple[State, Move], ...]]] = [
        (None, graph.state(0), ())
    ]
    while waiting:
        parent, state, past = waiting.pop()
        node = _node(state, past, seen)
        made.append(node)
        if len(made) > most:
            raise TooLarge(len(made), len(made), f"{most:,} histories")
        if parent is not None:
            parent.children.append(node)
        after = [(node, state.play(move), (*past, (state, move))) for move in node.moves]
        waiting += reversed(after)
        if len(made) % 1024 == 0:
            progress("Writing the tree", len(made), None)
    return GameTree(game, made[0], len(made), seen)


def _node(
    state: State, past: tuple[tuple[State, Move], ...], seen: tuple[dict[str, int], ...]
) -> History:
    if state.outcome is not None:
        return History(OVER, outcome=state.outcome)
    assert state.player is not None
    if state.player == CHANCE:
        moves, shares = zip(*state.chances, strict=True)
        return History(CHANCE, moves, shares)
    known = seen[state.player]
    number = known.setdefault(recall_text(state, state.player, past), len(known) + 1)
    return History(state.player, state.moves, information=number)
