"""`rulegame resume`: goes on with a game from its last completed move. Opens saves for others."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rulegame.wording import as_written, counted
from rulegame_cli.arguments import Anyway, Delay, NoColor, Plain
from rulegame_cli.commands.play import Look, identity, keep, make_match, read_delay, sit_down
from rulegame_cli.opening import open_game, open_ruleset
from rulegame_cli.printing.terminal import one_line, visible
from rulegame_cli.table.saving import CannotSave, GameRecord, find, glances, read_file
from rulegame_cli.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.game import Game, Outcome
    from rulegame.playing.saves import Header, Saved, SavedRound
    from rulegame.playing.session import Session
    from rulegame_cli.table.match import Match


def command(
    game: Annotated[
        str,
        typer.Argument(metavar="[ID|FILE]", help="Which game; without it, the last played."),
    ] = "",
    anyway: Anyway = False,
    delay: Delay = "",
    plain: Plain = False,
    no_color: NoColor = False,
) -> int:
    """Go on with a game that was left."""
    return run(game, Look(no_color, plain, delay), anyway)


def run(reference: str, look: Look, anyway: bool) -> int:
    """Exit code as for `play`; 1 if the save cannot be used."""
    from rulegame.playing.saves import SaveError

    path = find(reference) if reference else _latest()
    try:
        opened = open_save(path, look, anyway)
        if opened.saved.over:
            raise SaveError("the game is over; `rulegame replay` shows it")
        record = _record(opened)
        match = make_match(opened.game, opened.saved.header, record, look, read_delay(look.delay))
        session = recall(match, opened.saved)
        if opened.changed:
            keep(record, "", match.table.terminal)
        else:
            record.go_on_in(path, len(opened.data))
    except (SaveError, CannotSave) as problem:
        print(visible(f"{path}: {problem}"), file=sys.stderr)
        return 1
    return sit_down(lambda: _go_on(match, session, opened), match, look)


def _record(opened: Opened) -> GameRecord:
    """The lines of the game; under other rules those of a new save, and the old one stays."""
    from rulegame.playing.saves import whole_record

    if opened.changed:
        return GameRecord(*whole_record(opened.saved.header, opened.saved.rounds))
    return GameRecord(opened.saved.chain, opened.data[: opened.saved.length])


def _latest() -> Path:
    found = next((glance.path for glance in glances() if glance.header and not glance.over), None)
    if found is None:
        raise WrongCall("there is no game to go on with; `rulegame play` begins one")
    return found


class Opened(NamedTuple):
    """A save, its bytes, and the game by whose rules it goes on."""

    saved: Saved
    data: bytes
    game: Game
    changed: bool  # the rules are not those it was played by, or some moves do not hold
    stopped: str  # which move no longer holds; empty if all do


def open_save(path: Path, look: Look, anyway: bool) -> Opened:
    """`SaveError` unless the file is as it was written, and the rules mean what they did; `anyway`,
    under other rules, too, as far as the moves hold.
    """
    from rulegame.game import GameError
    from rulegame.model.meaning import meaning
    from rulegame.playing.retelling import retell
    from rulegame.playing.saves import SaveError

    saved, data = read_file(path)
    header = saved.header
    game, given = _open_rules(header, look, anyway)
    content, means = identity(header.ruleset)[1], meaning(game.ruleset)
    changed = content != header.content and means != header.meaning
    if not anyway:
        if changed:
            raise SaveError(_has_changed(header))
        return Opened(saved, data, game, False, "")
    try:
        rounds, stopped = retell(game, saved.rounds)
    except GameError as error:
        raise SaveError(f"the rules of {header.ruleset} fail: {error}") from None
    told = replace(
        saved,
        header=replace(given, content=content, meaning=means, parameters=_parameters(game)),
        rounds=rounds,
        over=saved.over and not stopped,
    )
    return Opened(told, data, game, changed or bool(stopped), stopped)


def _has_changed(header: Header) -> str:
    unknown = "" if header.meaning else "; a save of version 0.1 cannot tell whether in its rules"
    return (
        f"the ruleset {header.ruleset} has changed since this game was played{unknown}; "
        "`--anyway` uses it as far as its moves hold"
    )


def _open_rules(header: Header, look: Look, anyway: bool) -> tuple[Game, Header]:
    """The game with the parameters that it was played with, and what the call was for that."""
    from rulegame.playing.saves import SaveError

    if anyway:
        header = _still_possible(header, look)
    game = _game(header, look)
    if game is not None and not _as_before(game, header):  # a default has changed
        header = replace(header, sets=_settings(header.parameters))
        game = _game(header, look)
    if game is None:
        raise SaveError(_has_changed(header))
    if len(game.players) != len(header.players):
        players = counted(len(game.players), "player")
        raise SaveError(f"{header.ruleset} is a game for {players} now")
    if not anyway and not _as_before(game, header):
        raise SaveError(f"the parameters of {header.ruleset} are not those of this game")
    return game, header


def _game(header: Header, look: Look) -> Game | None:
    from rulegame.playing.saves import SaveError

    try:
        ruleset = open_ruleset(
            header.ruleset, header.sets, header.enable, header.disable, look.no_color
        )
    except WrongCall as mistake:
        raise SaveError(str(mistake)) from None
    return None if ruleset is None else open_game(header.ruleset, ruleset, look.no_color)


def _parameters(game: Game) -> dict[str, Any]:
    """As they are in a save."""
    found: dict[str, Any] = json.loads(json.dumps(game.parameters, default=sorted))
    return found


def _as_before(game: Game, header: Header) -> bool:
    """Whether each parameter has the value that it had; one that is new does no harm."""
    now = _parameters(game)
    return all(name in now and now[name] == value for name, value in header.parameters.items())


def _settings(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"{name}={as_written(value)}" for name, value in parameters.items())


def _still_possible(header: Header, look: Look) -> Header:
    """The call without parameters and operations that the ruleset does not have any more."""
    game = _game(replace(header, sets=(), enable=(), disable=()), look)
    if game is None:
        return header
    ruleset = game.ruleset
    operations = {operation.name for operation in (*ruleset.operations, *ruleset.disabled)}
    kept = {name: value for name, value in header.parameters.items() if name in game.parameters}
    return replace(
        header,
        sets=_settings(kept),
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
            match.score.add(played.outcome)
    return session


def recall_round(match: Match, played: SavedRound) -> Session:
    """The session of one saved round."""
    from rulegame.game import GameError
    from rulegame.playing.retelling import which_fails
    from rulegame.playing.saves import SaveError
    from rulegame.playing.session import NotThisGame

    session = match.session()
    if session.first != played.first:
        raise SaveError(f"another player should move first in round {match.number + 1}")
    try:
        state = session.recall(played.entries)
    except NotThisGame as problem:
        which = which_fails(match.game, played, problem)
        raise SaveError(f"these rules cannot have led to this game: {which}") from None
    except GameError as problem:
        raise SaveError(f"these rules cannot have led to this game: {problem}") from None
    if played.outcome is not None and played.outcome != outcome_of(session, state.outcome):
        raise SaveError("these rules cannot have led to this game: it ended in another way")
    return session


def outcome_of(session: Session, outcome: Outcome | None) -> Outcome | None:
    """How a session has ended, by the rules or because somebody gave up."""
    from rulegame_cli.table.sitting import resignation

    if session.resigned is None:
        return outcome
    return resignation(session.resigned, len(session.game.players))


def _go_on(match: Match, session: Session, opened: Opened) -> None:
    saved, terminal, file = opened.saved, match.table.terminal, match.table.record.file
    if not saved.whole:
        terminal.remark("The end of the save is missing: the game goes on from what is there.")
    if opened.stopped:
        terminal.remark(f"What no longer holds is {opened.stopped}. The game goes on before it.")
    elif opened.changed:
        terminal.remark("The rules have changed; all moves of the game hold.")
    if opened.changed and file is not None:
        terminal.remark(f"The game goes on in {file.path}; the old save stays as it is.")
    moves = session.decisions
    round_ = f", round {match.number + 1}" if match.rounds > 1 else ""
    terminal.write(
        f"{one_line(match.game.ruleset.title)}{round_}, after {counted(moves, 'move')}.\n\n"
    )
    outcome = saved.rounds[-1].outcome or (
        outcome_of(session, None) if session.resigned is not None else None
    )
    if outcome is None:
        match.run(session, again=True)
    elif match.ended(outcome, recorded=saved.rounds[-1].outcome is not None):
        match.run()
