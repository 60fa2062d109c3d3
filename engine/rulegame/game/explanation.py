"""Explanations of moves for people: what a move is held to, and the position it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulegame.evaluation.values import cell_name
from rulegame.game.explaining import checks
from rulegame.game.game import State
from rulegame.game.moves import Check, Move, Reason
from rulegame.language.types import Cell, PlayerType, Type


@dataclass(frozen=True, slots=True)
class Explanation:
    """Whether a move is valid in a state: each check in order, and the reason if it is not."""

    state: State
    move: Move
    checks: tuple[Check, ...]
    reason: Reason | None

    @property
    def valid(self) -> bool:
        return self.reason is None


def explain_move(state: State, move: Move | str) -> Explanation:
    """Why a move is valid, or is not; `IllegalMove` for a text that is no move at all."""
    move = state.meant(move)
    return Explanation(state, move, checks(state, move), state.why_not(move))


def position(state: State) -> Mapping[str, Any]:
    """The declared values of a state, players by their names, for people to read."""
    shown: dict[str, Any] = {}
    for name, value in state.game.ruleset.state.items():
        shown[name] = _readable(state, value.variable.type, state[name], value.variable.each_player)
    return shown


def _readable(state: State, type_: Type, value: Any, each: bool) -> Any:
    if each:
        return [_readable(state, type_, one, False) for one in value]
    of = getattr(type_, "of", type_)
    of = getattr(of, "of", of)
    if isinstance(value, list):
        return [_readable(state, of, one, False) for one in value]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(of, Cell) and value is not None:
        return cell_name(of, value)
    return state.game.players[value] if isinstance(of, PlayerType) and value is not None else value
