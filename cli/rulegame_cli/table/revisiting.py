"""The position that a saved game has come to, in a game that is open already."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from rulegame.files import disk
from rulegame.playing.saving import SUFFIX, read_file
from rulegame.wording import as_written
from rulegame_cli.calling.reaching import reach
from rulegame_cli.calling.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.game import Game, Move, State
    from rulegame.playing.saves import Header


def revisit(game: Game, first: int, at: str) -> tuple[int, list[Move], State]:
    """Who moved first, the moves and rolls, and the position that they lead to: `at` lists the
    moves, or is the path of a save, which knows who moved first.
    """
    path = Path(at.strip())
    if disk.is_file(path):
        return _of_save(game, path)
    if path.suffix == SUFFIX:
        raise WrongCall(f"--at: no file '{at}'")
    return first, *reach(game, first, at)


def _of_save(game: Game, path: Path) -> tuple[int, list[Move], State]:
    from rulegame.playing.retelling import which_fails
    from rulegame.playing.saves import SaveError
    from rulegame.playing.session import NotThisGame, Session

    try:
        saved, _ = read_file(path)
    except SaveError as problem:
        raise WrongCall(f"--at: {path}: {problem}") from None
    _check_rules(game, path, saved.header)
    played = saved.rounds[-1]
    session = Session(game, fresh=_nothing_falls, first=played.first)
    try:
        state = session.recall(played.entries)
    except NotThisGame as problem:
        which = which_fails(game, played, problem)
        raise WrongCall(
            f"--at: {path}: the current rules do not allow this game: {which}"
        ) from None
    return played.first, [step.move for step in session.line], state


def _check_rules(game: Game, path: Path, header: Header) -> None:
    """The same rules with the same parameters, or the position would be one of another game."""
    from rulegame.model.meaning import meaning

    if header.meaning != meaning(game.ruleset):
        raise WrongCall(f"--at: {path} is a game of {header.ruleset}, played with different rules")
    now = json.loads(json.dumps(game.parameters, default=sorted))
    for name, value in header.parameters.items():
        if now.get(name) != value:
            raise WrongCall(
                f"--at: {path} was played with other parameters. Add "
                f'--set "{name}={as_written(value)}"'
            )


def _nothing_falls(state: State, name: str, number: int) -> NoReturn:
    raise AssertionError("the save lacks a dice roll")
