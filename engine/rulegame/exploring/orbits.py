"""Exploration modulo the symmetries of a ruleset, and the error if a symmetry does not hold."""

from __future__ import annotations

from rulegame.compiling import Cells, Kernel
from rulegame.diagnostics import Diagnostic
from rulegame.exploring.explorer import Explorer
from rulegame.exploring.graph import StateGraph
from rulegame.exploring.symmetries import Asymmetric, Symmetries, symmetries_of
from rulegame.files.mapped import ArrayRoom
from rulegame.game import GameError, State
from rulegame.language.types import NONE_CODE, Cell, List, Optional, Type
from rulegame.progress import Progress


def explore_symmetrically(
    begin: State, max_states: int, memory: int, progress: Progress, room: ArrayRoom
) -> StateGraph | None:
    """The graph with one representative per orbit; None if there are no symmetries or the rules
    fail, so that all states must be explored. Raise GameError if a symmetry does not hold.
    """
    symmetries = symmetries_of(begin.game.kernel, begin.cells)
    if symmetries is None:
        return None
    explorer = Explorer(begin.game, max_states, memory, progress, room, symmetries)
    try:
        return explorer.explore(begin.cells)
    except Asymmetric:
        state, moves = _played(begin, explorer.states_on_the_way(), symmetries)
        raise _refuted(state, moves, symmetries) from None
    except GameError:
        return None


def _played(state: State, way: list[Cells], symmetries: Symmetries) -> tuple[State, list[str]]:
    """A play that passes through images of given states, in order."""
    moves: list[str] = []
    for cells in way:
        move = next(m for m in state.moves if _stands(state.play(m), symmetries) == cells)
        moves.append(move.text)
        state = state.play(move)
    return state, moves


def _stands(state: State, symmetries: Symmetries) -> Cells:
    return symmetries.representative(state.cells)


def _refuted(state: State, moves: list[str], symmetries: Symmetries) -> GameError:
    """A counterexample to a symmetry: a state, and a move there or in its image."""
    game = state.game
    try:
        symmetries.check(state.cells)
    except Asymmetric as found:
        broken = found
    [move] = game.moves_of((broken.code,))
    names = " and then ".join(f"'{name}'" for name in broken.names)
    what = f"{move.text} has no counterpart in the image"
    if broken.cells != state.cells:
        what = f"in the image there is {move.text}, which has no counterpart"
    message = f"the game is not the same under {names}: {what}"
    play = f"after {', '.join(moves)}" if moves else "before the first move"
    span = next(one.span for one in game.ruleset.symmetry if one.word == broken.names[-1])
    hint = f"this comes up {play}{_unmoved(game.kernel, broken)}"
    return GameError(Diagnostic("E511", message, span, hint), moves)


def _unmoved(kernel: Kernel, found: Asymmetric) -> str:
    """The values that hold cells of a board that the symmetry moves, although it does not move
    these.
    """
    ruleset = kernel.ruleset
    moved = {grid for one in ruleset.symmetry if one.word in found.names for grid in one.grids}
    after = kernel.step(found.cells, found.code)
    holding = [
        f"'{name}'"
        for name, value in ruleset.state.items()
        if _board_of(value.variable.type) in moved
        and any(
            cells[place] != NONE_CODE
            for cells in (found.cells, after)
            for owner in range(kernel.seats if value.variable.each_player else 1)
            for place in kernel.places(name, owner)
        )
    ]
    if not holding:
        return ""
    return f"; a symmetry does not move the cells stored in {' and '.join(holding)}"


def _board_of(type_: Type) -> str:
    """The name of the board whose cells a value holds, or ""."""
    while isinstance(type_, (Optional, List)):
        type_ = type_.of
    return type_.board if isinstance(type_, Cell) else ""
