"""What is known when a player is to choose, in words: of a state that all see, and of what one
player has seen.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, cast

from rulegame.compiling import Cells
from rulegame.evaluation.values import choice_text
from rulegame.game import HIDDEN, Game, Seen, State, View
from rulegame.model.secrecy import exposed_values, is_kept
from rulegame.wording import as_written


def situation_text(state: State | View) -> str:
    """The values that all see, the setup entry to choose for, and the rolls of the turn, in words.
    In an open game, or one of stages, other values never change.
    """
    kernel, ruleset = state.game.kernel, state.game.ruleset
    seen = [n for n, value in ruleset.state.items() if not is_kept(ruleset, value.seen_by)]
    told = [f"{name} {as_written(state[name])}" for name in seen]
    point = kernel.point(cast(Cells, state.cells))
    if point.kind == "setup":
        told.insert(0, f"setup {point.operations[0].name}")
    elif point.kind == "turn":
        for roll in ruleset.turn.rolls:
            code = state.cells[kernel.roll_places[roll.name]]
            if code is not None:  # which a view may not show
                told.append(f"{roll.name} {choice_text(roll.element, code, ruleset.words)}")
    return ", ".join(told) or "at the start"


def knowledge_text(view: View) -> str:
    """What a player knows that not all know, the moves that it saw, and how values changed that
    depend on something hidden, in words.
    """
    own: list[str] = []
    for name, value in view.game.ruleset.state.items():
        if value.seen_by not in ("all", "nobody"):
            own += _told_alone(view, name)
    made = list(zip(view.past, view.trail, strict=True))[: len(view.past) - view.waiting]
    moves = [text for text in (_seen_text(seen, view.game, cells) for seen, cells in made) if text]
    parts = [", ".join(own), f"after {', '.join(moves)}" if moves else "at the start"]
    for name in exposed_values(view.game.ruleset):
        changes = [value for value, _ in groupby(view.history(name))]
        parts += [f"{name} {', then '.join(map(_told, changes))}"] if len(changes) > 1 else []
    return "; ".join(filter(None, parts))


def _told_alone(view: View, name: str) -> list[str]:
    """A value as a player sees it that some do not see: its own is not said to be anybody's."""
    found, players = view[name], view.game.players
    if not view.game.ruleset.state[name].variable.each_player:
        return [] if found is HIDDEN else [f"{name} {_told(found)}"]
    owned = [(seat, one) for seat, one in enumerate(found) if one is not HIDDEN]
    return [
        f"{name} {_told(one)}" if seat == view.seat else f"{name} of {players[seat]} {_told(one)}"
        for seat, one in owned
    ]


def _seen_text(seen: Seen, game: Game, cells: tuple[int | None, ...]) -> str:
    """A move as a player saw it; nothing of a hidden roll, or of a secret pick in the setup."""
    if seen.move is not HIDDEN:
        return seen.move.text  # type: ignore[union-attr]
    in_turn = game.kernel.point(cast(Cells, cells)).kind == "turn"
    return "a hidden move" if in_turn else ""


def _told(value: Any) -> str:
    if isinstance(value, (list, tuple, set, frozenset)):
        return f"[{', '.join(_told(one) for one in value)}]"
    return "none" if value is None else str(value)
