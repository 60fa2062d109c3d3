"""A position by the moves that lead to it, or by a saved game: `--at "drop 4, drop 4"`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulegame.files import disk
from rulegame.wording import as_written
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_moves

if TYPE_CHECKING:
    from rulegame.game import Game, Move, State
    from rulegame.playing.saves import Header


def position_at(game: Game, first: int, at: str) -> tuple[int, list[Move], State]:
    """Who moved first, the moves and rolls, and the position that they lead to: `at` lists the
    moves, or is the path of a save, which knows who moved first.
    """
    from rulegame.playing.saving import SUFFIX

    path = Path(at.strip())
    if disk.is_file(path):
        return _of_save(game, path)
    if path.suffix == SUFFIX:
        raise WrongCall(f"--at: no file '{at}'")
    return first, *reach(game, first, at)


def _of_save(game: Game, path: Path) -> tuple[int, list[Move], State]:
    from rulegame.playing.match import Match
    from rulegame.playing.saves import SaveError
    from rulegame.playing.saving import read_file

    try:
        saved, _ = read_file(path)
        _check_rules(game, path, saved.header)
        match = Match.of(game, saved.header)
        match.recall(saved.rounds)
    except SaveError as problem:
        raise WrongCall(f"--at: {path}: {problem}") from None
    return match.first, [step.move for step in match.session.line], match.state


def _check_rules(game: Game, path: Path, header: Header) -> None:
    """The same rules with the same parameters, or the position would be one of another game."""
    from rulegame.model.meaning import meaning
    from rulegame.playing.reopening import parameters_of

    if header.meaning != meaning(game.ruleset):
        raise WrongCall(f"--at: {path} is a game of {header.ruleset}, played with different rules")
    now = parameters_of(game)
    for name, value in header.parameters.items():
        if now.get(name) != value:
            raise WrongCall(
                f"--at: {path} was played with other parameters. Add "
                f'--set "{name}={as_written(value)}"'
            )


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
