"""`rulegame resume`: goes on with a game from its last completed move."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rulegame.extras import require_player
from rulegame.playing.saving import CannotSave, GameRecord, glances
from rulegame.playing.scoring import outcome_of
from rulegame.wording import counted
from rulegame_cli.calling.options import ANYWAY, TableOptions, argument
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.terminal import one_line, visible
from rulegame_cli.table.hosting import keep, make_match, play_matches
from rulegame_cli.table.recalling import Opened, open_save, recall
from rulegame_cli.table.saving import find

if TYPE_CHECKING:
    from rulegame.playing.session import Session
    from rulegame_cli.table.match import Match


class ResumeOptions(TableOptions):
    """Resume a saved game."""

    game: str = argument(
        "ID|FILE",
        "Saved game: an ID from `rulegame history` or a file. Default: the latest unfinished one.",
        required=False,
    )
    anyway: bool = ANYWAY


def run(options: ResumeOptions) -> int:
    """Exit code as for `play`; 1 if the save cannot be used."""
    from rulegame.playing.saves import SaveError

    path = find(options.game) if options.game else _latest()
    try:
        opened = open_save(path, options, options.anyway)
        if opened.saved.over:
            raise SaveError("the game is over. Watch it with `rulegame replay`.")
        record = _record(opened)
        header = opened.saved.header
        for spec in header.players:
            require_player(spec)
        match = make_match(opened.game, header, record, options)
        session = recall(match, opened.saved)
        if opened.changed:
            keep(record, "", match.table.terminal)
        else:
            record.go_on_in(path, len(opened.data))
    except (SaveError, CannotSave) as problem:
        print(visible(f"{path}: {problem}"), file=sys.stderr)
        return 1
    return play_matches(lambda: _go_on(match, session, opened), match, header, options)


def _record(opened: Opened) -> GameRecord:
    """The lines of the game; under other rules those of a new save, and the old one stays."""
    from rulegame.playing.saves import whole_record

    if opened.changed:
        return GameRecord(*whole_record(opened.saved.header, opened.saved.rounds))
    return GameRecord(opened.saved.chain, opened.data[: opened.saved.length])


def _latest() -> Path:
    found = next((glance.path for glance in glances() if glance.header and not glance.over), None)
    if found is None:
        raise WrongCall("No unfinished game to resume. Start one with `rulegame play`.")
    return found


def _remarks(match: Match, opened: Opened) -> Iterator[str]:
    """What somebody should know before the game goes on."""
    file = match.table.record.file
    if not opened.saved.whole:
        yield "The save is incomplete. Resuming from the last complete move."
    if opened.stopped:
        yield f"Not valid under the current rules: {opened.stopped}. Resuming before it."
    elif opened.changed:
        yield "The rules have changed, but every move is still valid."
    if opened.changed and file is not None:
        yield f"Saving to {file.path}; the old save is unchanged."


def _go_on(match: Match, session: Session, opened: Opened) -> None:
    saved, terminal = opened.saved, match.table.terminal
    remarks = list(_remarks(match, opened))
    for remark in remarks if not terminal.draws else ():
        terminal.remark(remark)
    round_ = f", round {match.number + 1}" if match.rounds > 1 else ""
    moves = counted(session.decisions, "move")
    title = f"{one_line(match.game.ruleset.title)}{round_}, after {moves}.\n\n"
    if terminal.draws:  # where the screen may be handed over first
        title = "".join(f"{remark}\n" for remark in remarks) + title
    outcome = saved.rounds[-1].outcome or (
        outcome_of(session, None) if session.resigned is not None else None
    )
    if outcome is None:
        match.run(session, title)
        return
    terminal.write(title)
    if match.ended(outcome, recorded=saved.rounds[-1].outcome is not None):
        match.run()
