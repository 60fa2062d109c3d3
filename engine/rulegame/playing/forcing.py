"""Moves without a choice, which are made at once where a ruleset says so."""

from __future__ import annotations

from rulegame.game import CHANCE, State


def is_forced(state: State) -> bool:
    """Whether the player whose turn it is has one valid move only, and is not asked for it."""
    if not state.game.ruleset.turn.forced or state.player == CHANCE:
        return False
    return state.game.point(state).kind == "turn" and len(state.moves) == 1
