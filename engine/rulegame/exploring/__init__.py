"""All that can happen in a game. In: a game. Out: its reachable states and moves, as compact arrays
(`StateGraph`).

`explorer` goes through the states, `expansion` finds what follows on many of them at machine speed,
`estimating` tells beforehand that they are far too many, `state_table` numbers them, `recording`
keeps what was found, `perft` counts ways to play; with `symmetries`, `orbits` keeps one of several
states that are the same but for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from rulegame.extras import is_installed, missing

if not is_installed("solve"):  # the modules below import NumPy
    raise missing("solve", "Exploring a game")

from rulegame.errors import FarTooLarge, TooFine, TooLarge, TooLargeForDisk, TooMuchMemory
from rulegame.exploring.explorer import Explorer
from rulegame.exploring.graph import StateGraph
from rulegame.exploring.orbits import explore_symmetrically
from rulegame.exploring.recording import offset_type
from rulegame.files.mapped import ArrayRoom, DiskFull
from rulegame.game import Game, GameError, State
from rulegame.memory import memory_budget
from rulegame.progress import Progress, silent
from rulegame.wording import as_written, joined

__all__ = [
    "FarTooLarge",
    "StateGraph",
    "TooFine",
    "TooLarge",
    "TooLargeForDisk",
    "TooMuchMemory",
    "explore",
    "offset_type",
    "own_state",
    "telling_full_disks",
]

LEAST_SPILLING: Final = 64 * 2**20  # with less memory, files would be of no use
SHARE: Final = 0.75  # of the memory for large arrays; the rest is for what is made on the way
LONGEST_PLAY: Final = 1000  # characters of it that are told


def explore(
    game: Game,
    *,
    first: int = 0,
    at: State | None = None,
    max_states: int = 5_000_000,
    max_memory: int | None = None,
    symmetric: bool = False,
    progress: Progress = silent,
    spill: bool = False,
) -> StateGraph:
    """All states that can be reached from the start, or from the state `at`; TooLarge if they are
    more than `max_states`, or take more than `max_memory` bytes (a quarter of what is free, if left
    out; see `memory`). With `spill`, what is too much for the memory goes to temporary files.
    `symmetric`: of those that are the same but for a symmetry of the ruleset, only one.
    """
    memory = memory_budget(max_memory)
    arrays = ArrayRoom(int(memory * SHARE) if spill and memory >= LEAST_SPILLING else None)
    explorer = Explorer(game, max_states, memory, progress, arrays)
    with _telling(explorer, game, first, at):
        begin = game.start(first) if at is None else own_state(game, at)
    with telling_full_disks():
        found = None
        if symmetric:
            found = explore_symmetrically(begin, max_states, memory, progress, arrays)
        if found is not None:
            return found
        with _telling(explorer, game, first, at):
            return explorer.explore(begin.cells)


@contextmanager
def _telling(explorer: Explorer, game: Game, first: int, at: State | None) -> Iterator[None]:
    """Where the rules fail inside, the error says what leads there."""
    try:
        yield
    except GameError as error:
        if explorer.lost:
            raise
        raise _told(error, game, first, at is not None) from None


@contextmanager
def telling_full_disks() -> Iterator[None]:
    """A disk without room for temporary files is one of the ways in which a game is too large."""
    try:
        yield
    except DiskFull as problem:
        raise TooLargeForDisk(str(problem)) from None


def own_state(game: Game, state: State) -> State:
    """A state of a game, which may have been made by an equal one; ValueError if it was not."""
    if state.game != game:
        raise ValueError(f"this is a state of another game, {state.game}, not of {game}")
    return state if state.game is game else game.resume(state.cells)


def _told(error: GameError, game: Game, first: int, later: bool) -> GameError:
    """Where the rules fail, with what leads there: whoever plays it comes upon the same."""
    moves = ", ".join(error.moves)
    if len(moves) > LONGEST_PLAY:
        moves = f"{moves[:LONGEST_PLAY]} …"
    story = f"this comes up after {moves}" if moves else "this comes up before the first move"
    story += ", counted from the given state" if later else ""
    others = [f"{name} = {as_written(value)}" for name, value in _varied(game)]
    if first:
        others.insert(0, f"{game.players[first]} moving first")
    story += f", with {joined(others, 'and')}" if others else ""
    hint = f"{error.diagnostic.hint}; {story}".removeprefix("; ")
    return GameError(error.diagnostic._replace(hint=hint), error.moves)


def _varied(game: Game) -> Iterator[tuple[str, Any]]:
    """The parameters that are not as the ruleset has them."""
    for name, value in game.parameters.items():
        rule = game.ruleset.parameters[name]
        if rule.value != rule.default:
            yield name, value
