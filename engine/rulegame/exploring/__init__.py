"""Explore a game: all reachable states and moves, as compact arrays (`StateGraph`).

`explorer` visits the states, `expansion` expands many of them in native code, `estimating` detects
early that there are far too many, `state_table` numbers them, `recording` stores the edges, `perft`
counts move sequences. With symmetries, `orbits` keeps one representative of each class of
equivalent states.
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

LEAST_SPILLING: Final = 64 * 2**20  # bytes; with less memory, files do not help
SHARE: Final = 0.75  # of the memory, for large arrays; the rest is for temporary values
LONGEST_PLAY: Final = 1000  # characters of the play in an error message


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
    """Explore all states reachable from the start, or from the state `at`.

    Raise TooLarge if there are more than `max_states`, or if they take more than `max_memory` bytes
    (by default a quarter of the free memory; see `memory`). With `spill`, arrays that do not fit in
    memory go to temporary files. With `symmetric`, keep one representative of each class of states
    that a symmetry maps to each other.
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
    """Add the moves that lead to a fault to its error message."""
    try:
        yield
    except GameError as error:
        if explorer.lost:
            raise
        raise _told(error, game, first, at is not None) from None


@contextmanager
def telling_full_disks() -> Iterator[None]:
    """Report a full disk as a game that is too large."""
    try:
        yield
    except DiskFull as problem:
        raise TooLargeForDisk(str(problem)) from None


def own_state(game: Game, state: State) -> State:
    """The state as one of this game; ValueError if it belongs to another game."""
    if state.game != game:
        raise ValueError(f"this is a state of another game, {state.game}, not of {game}")
    return state if state.game is game else game.resume(state.cells)


def _told(error: GameError, game: Game, first: int, later: bool) -> GameError:
    """The error of a fault, with the moves that lead to it, so that readers can replay it."""
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
    """The parameters that differ from the ruleset's defaults."""
    for name, value in game.parameters.items():
        rule = game.ruleset.parameters[name]
        if rule.value != rule.default:
            yield name, value
