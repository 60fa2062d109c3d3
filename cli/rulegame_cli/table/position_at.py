"""The position that a saved game has come to, in a game that is open already."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulegame.files import disk
from rulegame.playing.reopening import parameters_of
from rulegame.playing.saving import SUFFIX, read_file
from rulegame.wording import as_written
from rulegame_cli.calling.reaching import reach
from rulegame_cli.calling.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.game import Game, Move, State
    from rulegame.playing.saves import Header


def position_at(game: Game, first: int, at: str) -> tuple[int, list[Move], State]:
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
    from rulegame.playing.match import replay_rounds
    from rulegame.playing.saves import SaveError

    try:
        saved, _ = read_file(path)
        _check_rules(game, path, saved.header)
        match = replay_rounds(game, saved)[-1]
    except SaveError as problem:
        raise WrongCall(f"--at: {path}: {problem}") from None
    return match.first, [step.move for step in match.session.line], match.state


def _check_rules(game: Game, path: Path, header: Header) -> None:
    """The same rules with the same parameters, or the position would be one of another game."""
    from rulegame.model.meaning import meaning

    if header.meaning != meaning(game.ruleset):
        raise WrongCall(f"--at: {path} is a game of {header.ruleset}, played with different rules")
    now = parameters_of(game)
    for name, value in header.parameters.items():
        if now.get(name) != value:
            raise WrongCall(
                f"--at: {path} was played with other parameters. Add "
                f'--set "{name}={as_written(value)}"'
            )
