"""The games of a worker process: rulesets read under the limits of the engine, and kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from rulegame.bundled import ruleset_path
from rulegame.diagnostics import Diagnostic, RulesetError
from rulegame.extras import MissingExtra, require_player
from rulegame.game import Game
from rulegame.loading import check_ruleset, make_game, read_settings
from rulegame.model import Ruleset
from rulegame.playing.reopening import RulesChanged, game_of_save, identity
from rulegame.playing.saves import Header, SaveError
from rulegame_studio.places import Library

MOST_GAMES: Final = 64
Settings = tuple[tuple[str, ...], ...]  # what is set, enabled and disabled
NO_SETTINGS: Final[Settings] = ((), (), ())


class Rulesets:
    """Games by file and settings."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._games: OrderedDict[tuple[Any, ...], Game] = OrderedDict()

    def game(self, path: Path, settings: Settings = NO_SETTINGS) -> Game:
        """The game of a file; `RulesetError` has all that is wrong."""
        self._require(path)
        key = (*identity(_named(path)), *settings)
        if key in self._games:
            self._games.move_to_end(key)
            return self._games[key]
        self._games[key] = made = make_game(self.ruleset(path, settings))
        if len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        return made

    def ruleset(self, path: Path, settings: Settings = NO_SETTINGS) -> Ruleset:
        """The ruleset of a file, before it is compiled."""
        self._require(path)
        read = check_ruleset(path, path.name, read_settings(*settings), self.library)
        if read.ruleset is None:
            raise RulesetError(read.diagnostics)
        return read.ruleset

    def _require(self, path: Path) -> None:
        if not self.library.exists(path):
            raise SaveError("its ruleset is not in this studio's folder")

    def game_of(self, header: Header) -> Game:
        """The game that a save was played by; `SaveError` if there is no such one any more."""

        def load(given: Header) -> Game | None:
            path = ruleset_path(given.ruleset) or Path(given.ruleset)
            try:
                return self.game(path, (given.sets, given.enable, given.disable))
            except RulesetError:
                return None

        try:
            game = game_of_save(header, load)
            for spec in header.players:
                require_player(spec)
        except RulesChanged:  # without the path, which guests need not know
            changed = f"the rules of '{header.title}' changed after this game was played"
            raise SaveError(changed) from None
        except MissingExtra as refusal:
            raise SaveError(str(refusal)) from None
        return game


def found_as(path: Path) -> tuple[str, str]:
    """The name of a ruleset in a save, and its fingerprint."""
    return identity(_named(path))


def _named(path: Path) -> str:
    return path.stem if ruleset_path(path.stem) == path else str(path)


def sentences(problems: Sequence[Diagnostic]) -> list[str]:
    """What is wrong, each in one line for people, without the paths of this machine."""
    told = []
    for problem in problems[:20]:
        place = f"line {problem.span.line}: " if problem.span.line and _in_file(problem) else ""
        hint = f" ({problem.hint})" if problem.hint else ""
        told.append(f"{place}{problem.message}{hint}")
    return told


def _in_file(problem: Diagnostic) -> bool:
    return problem.span.file.endswith((".yaml", ".yml"))
