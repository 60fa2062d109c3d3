"""A saved game under rules that are not those it was played by: as far as its moves hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from rulegame.game import Game, State
from rulegame.playing.saves import SavedRound
from rulegame.playing.session import NotThisGame, Session


class Retold(NamedTuple):
    """The rounds as far as they hold, and which move no longer does; empty if all do."""

    rounds: tuple[SavedRound, ...]
    stopped: str


def retell(game: Game, rounds: Sequence[SavedRound]) -> Retold:
    """Each round up to the first move that these rules refuse, or to an end that is another."""
    held: list[SavedRound] = []
    for number, played in enumerate(rounds, 1):
        one, stopped = _hold(game, played)
        held.append(one)
        if stopped:
            return Retold(tuple(held), f"round {number}, {stopped}" if len(rounds) > 1 else stopped)
    return Retold(tuple(held), "")


def _hold(game: Game, played: SavedRound) -> tuple[SavedRound, str]:
    session = Session(game, fresh=_never, first=played.first)
    try:
        state = session.recall(played.entries)
    except NotThisGame as problem:
        kept = SavedRound(played.first, played.entries[: problem.held], None)
        return kept, which_fails(game, played, problem)
    if played.outcome in (None, state.outcome) or session.resigned is not None:
        return played, ""
    return SavedRound(played.first, played.entries, None), "the result, which is different now"


def which_fails(game: Game, played: SavedRound, problem: NotThisGame) -> str:
    """Which move it is, and why. Where anything is hidden, that would tell too much."""
    after = problem.decisions
    match played.entries[problem.held].kind:
        case "move":
            which = f"move {after + 1}"
        case "roll":
            which = f"the roll after move {after}" if after else "the first roll"
        case kind:
            which = f"the {kind} after move {after}"
    return f"{which}: {problem.reason}" if game.kind.is_open else which


def _never(state: State, name: str, number: int) -> NoReturn:
    raise AssertionError("the save lacks a dice roll")
