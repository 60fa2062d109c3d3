"""`rulegame resume`: goes on with a game from its last completed move. Opens saves for others."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from rulegame.wording import counted
from rulegame_cli.arguments import Delay, NoColor, Plain
from rulegame_cli.mistakes import WrongCall
from rulegame_cli.opening import open_game, open_ruleset
from rulegame_cli.play import Look, identity, make_match, read_delay, sit_down
from rulegame_cli.saving import CannotSave, Record, find, glances, read_file
from rulegame_cli.terminal import one_line, visible

if TYPE_CHECKING:
    from rulegame.game import Game, Outcome
    from rulegame.saves import Saved, SavedRound
    from rulegame.session import Session
    from rulegame_cli.match import Match


def command(
    game: Annotated[
        str,
        typer.Argument(metavar="[ID|FILE]", help="Which game; without it, the last played."),
    ] = "",
    delay: Delay = "",
    plain: Plain = False,
    no_color: NoColor = False,
) -> int:
    """Go on with a game that was left."""
    return run(game, Look(no_color, plain, delay))


def run(reference: str, look: Look) -> int:
    """Exit code as for `play`; 1 if the save cannot be used."""
    from rulegame.saves import SaveError

    path = find(reference) if reference else _latest()
    try:
        opened = open_save(path, look)
        if opened.saved.over:
            raise SaveError("the game is over; `rulegame replay` shows it")
        record = Record(opened.saved.chain, opened.data[: opened.saved.length])
        match = make_match(opened.game, opened.saved.header, record, look, read_delay(look.delay))
        session = recall(match, opened.saved)
        record.go_on_in(path, len(opened.data))
    except (SaveError, CannotSave) as problem:
        print(visible(f"{path}: {problem}"), file=sys.stderr)
        return 1
    return sit_down(lambda: _go_on(match, session, opened.saved), match, look)


def _latest() -> Path:
    found = next((glance.path for glance in glances() if glance.header and not glance.over), None)
    if found is None:
        raise WrongCall("there is no game to go on with; `rulegame play` begins one")
    return found


class Opened(NamedTuple):
    """A save, its bytes, and the game by whose rules it was played."""

    saved: Saved
    data: bytes
    game: Game


def open_save(path: Path, look: Look) -> Opened:
    """`SaveError` unless the file is as it was written, and the rules are what they were."""
    from rulegame.saves import SaveError

    saved, data = read_file(path)
    header = saved.header
    try:
        ruleset = open_ruleset(
            header.ruleset, header.sets, header.enable, header.disable, look.no_color
        )
    except WrongCall as mistake:
        raise SaveError(str(mistake)) from None
    game = None if ruleset is None else open_game(header.ruleset, ruleset, look.no_color)
    if game is None or identity(header.ruleset)[1] != header.content:
        raise SaveError(f"the ruleset {header.ruleset} has changed since this game was played")
    parameters = json.loads(json.dumps(game.parameters, default=sorted))
    if parameters != header.parameters or len(game.players) != len(header.players):
        raise SaveError(f"the parameters of {header.ruleset} are not those of this game")
    return Opened(saved, data, game)


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
    from rulegame.saves import SaveError
    from rulegame.session import NotThisGame

    session = match.session()
    if session.first != played.first:
        raise SaveError(f"another player should move first in round {match.number + 1}")
    try:
        state = session.recall(played.entries)
    except (NotThisGame, GameError) as problem:
        raise SaveError(f"these rules cannot have led to this game: {problem}") from None
    if played.outcome is not None and played.outcome != outcome_of(session, state.outcome):
        raise SaveError("these rules cannot have led to this game: it ended in another way")
    return session


def outcome_of(session: Session, outcome: Outcome | None) -> Outcome | None:
    """How a session has ended, by the rules or because somebody gave up."""
    from rulegame_cli.sitting import resignation

    if session.resigned is None:
        return outcome
    return resignation(session.resigned, len(session.game.players))


def _go_on(match: Match, session: Session, saved: Saved) -> None:
    terminal = match.table.terminal
    if not saved.whole:
        terminal.remark("The end of the save is missing: the game goes on from what is there.")
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
