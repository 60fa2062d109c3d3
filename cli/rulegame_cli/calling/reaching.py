"""A position by the moves that lead to it: `--at "drop 4, drop 4"`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_moves

if TYPE_CHECKING:
    from rulegame.game import Game, Move, State


def reach(game: Game, first: int, at: str) -> tuple[list[Move], State]:
    """The moves that lead to the position, and the position."""
    from rulegame.game import CHANCE

    state = game.start(first)
    played: list[Move] = []
    texts = read_moves("--at", at) if at.strip() else ()
    for number, text in enumerate(texts, 1):
        same = (one for one in state.moves if one.text == " ".join(text.split()))
        move = next(same, None) or read_as_move(game, f"--at: move {number}", text)
        reason = state.why_not(move)
        if reason is not None:
            where = "at the start" if number == 1 else f"after {listed(played)}"
            what = "cannot be rolled" if state.player == CHANCE else "is not valid"
            raise WrongCall(f"--at: move {number}, '{move.text}', {what} {where}: {reason}")
        state = state.play(move)
        played.append(move)
    return played, state


def read_as_move(game: Game, option: str, text: str) -> Move:
    """A move by the name, the label or the key of its operation."""
    from rulegame.model.move_texts import NotAMove

    try:
        return game.parse_move(_by_name(game, text))
    except NotAMove as mistake:
        off = mistake.switched_off
        hint = f"add --enable {off}" if off else str(mistake.hint)
        raise WrongCall(f"{option}: {mistake.message}{f'; {hint}' if hint else ''}") from None


def _by_name(game: Game, text: str) -> str:
    """The text of a move with the name of its operation in place of the label or the key."""
    from rulegame.model.move_texts import move_parts

    words = " ".join(text.split())
    if words.partition(" ")[0] in move_parts(game.ruleset):
        return words
    known = [
        (called, operation.name)
        for operation in game.ruleset.chosen
        for called in (operation.label, operation.key, operation.name)
        if called
    ]
    for called, name in sorted(known, key=lambda pair: -len(pair[0])):
        if f"{words} ".casefold().startswith(f"{called} ".casefold()):
            return f"{name}{words[len(called) :]}"
    return words


def listed(moves: Sequence[Move]) -> str:
    return ", ".join(move.text for move in moves)
