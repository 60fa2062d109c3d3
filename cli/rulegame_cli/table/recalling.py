"""A saved game opened again: by which rules it goes on, and its rounds, move by move."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rulegame.playing.reopening import as_before, identity, parameters_of, settings_of
from rulegame.playing.saving import read_file
from rulegame.wording import counted
from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import ScreenOptions, SettingsOptions
from rulegame_cli.calling.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.game import Game
    from rulegame.playing.saves import Header, Saved, SavedRound
    from rulegame.playing.session import Session
    from rulegame_cli.table.match import Match


class Opened(NamedTuple):
    """A save, its bytes, and the game by whose rules it goes on."""

    saved: Saved
    data: bytes
    game: Game
    changed: bool  # the rules are not those it was played by, or some moves do not hold
    stopped: str  # which move no longer holds; empty if all do


def open_save(path: Path, screen: ScreenOptions, anyway: bool) -> Opened:
    """`SaveError` unless the file is as it was written, and the rules mean what they did; `anyway`,
    under other rules, too, as far as the moves hold.
    """
    from rulegame.game import GameError
    from rulegame.model.meaning import meaning
    from rulegame.playing.retelling import retell
    from rulegame.playing.saves import SaveError

    saved, data = read_file(path)
    header = saved.header
    game, given = _open_rules(header, screen, anyway)
    content, means = identity(header.ruleset)[1], meaning(game.ruleset)
    changed = content != header.content and means != header.meaning
    if not anyway:
        if changed:
            raise SaveError(_has_changed(header))
        return Opened(saved, data, game, False, "")
    try:
        rounds, stopped = retell(game, saved.rounds)
    except GameError as error:
        raise SaveError(f"{header.ruleset} fails at run time: {error}") from None
    told = replace(
        saved,
        header=replace(given, content=content, meaning=means, parameters=parameters_of(game)),
        rounds=rounds,
        over=saved.over and not stopped,
    )
    return Opened(told, data, game, changed or bool(stopped), stopped)


def _has_changed(header: Header) -> str:
    what = "rules of" if header.meaning else "file"
    return (
        f"the {what} {header.ruleset} changed after this game was saved. "
        "Use --anyway to replay the moves that are still valid."
    )


def _open_rules(header: Header, screen: ScreenOptions, anyway: bool) -> tuple[Game, Header]:
    """The game with the parameters that it was played with, and what the call was for that."""
    from rulegame.playing.saves import SaveError

    if anyway:
        header = _still_possible(header, screen)
    game = _game(header, screen)
    if game is not None and not as_before(game, header):  # a default has changed
        header = replace(header, sets=settings_of(header.parameters))
        game = _game(header, screen)
    if game is None:
        raise SaveError(_has_changed(header))
    if len(game.players) != len(header.players):
        players = counted(len(game.players), "player")
        raise SaveError(f"{header.ruleset} is now a game for {players}")
    if not anyway and not as_before(game, header):
        raise SaveError(f"{header.ruleset} no longer accepts the parameters of this game")
    return game, header


def _game(header: Header, screen: ScreenOptions) -> Game | None:
    from rulegame.playing.saves import SaveError

    try:
        return open_game(
            header.ruleset,
            SettingsOptions(
                sets=header.sets,
                enable=header.enable,
                disable=header.disable,
                no_color=screen.no_color or screen.plain,
            ),
        )
    except WrongCall as mistake:
        raise SaveError(str(mistake)) from None


def _still_possible(header: Header, screen: ScreenOptions) -> Header:
    """The call without parameters and operations that the ruleset does not have any more."""
    game = _game(replace(header, sets=(), enable=(), disable=()), screen)
    if game is None:
        return header
    ruleset = game.ruleset
    operations = {operation.name for operation in (*ruleset.operations, *ruleset.disabled)}
    kept = {name: value for name, value in header.parameters.items() if name in game.parameters}
    return replace(
        header,
        sets=settings_of(kept),
        parameters=kept,
        enable=tuple(name for name in header.enable if name in operations),
        disable=tuple(name for name in header.disable if name in operations),
    )


def recall(match: Match, saved: Saved) -> Session:
    """Go through all rounds; the session of the last one. Each move is checked."""
    for number, played in enumerate(saved.rounds):
        match.number = number
        session = recall_round(match, played)
        match.dice.skip(session.rolled_fresh)
        if number + 1 < len(saved.rounds) and played.outcome is not None:
            match.count(played.outcome)
    return session


def recall_round(match: Match, played: SavedRound) -> Session:
    """The session of one saved round."""
    from rulegame.game import GameError
    from rulegame.playing.retelling import which_fails
    from rulegame.playing.saves import SaveError
    from rulegame.playing.scoring import outcome_of
    from rulegame.playing.session import NotThisGame

    session = match.session()
    if session.first != played.first:
        raise SaveError(f"the wrong player moves first in round {match.number + 1}")
    try:
        state = session.recall(played.entries)
    except NotThisGame as problem:
        which = which_fails(match.game, played, problem)
        raise SaveError(f"the current rules do not allow this game: {which}") from None
    except GameError as problem:
        raise SaveError(f"the current rules do not allow this game: {problem}") from None
    if played.outcome is not None and played.outcome != outcome_of(session, state.outcome):
        raise SaveError("the current rules do not allow this game: the recorded result differs")
    return session
