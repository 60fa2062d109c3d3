"""`rulegame resume`: goes on with a game from its last completed move."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

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
    """Go on with a game that was left."""

    game: str = argument(
        "ID|FILE",
        "Which game, by what `rulegame history` calls it or by its file; without it, the last that "
        "was left.",
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
            raise SaveError("the game is over; `rulegame replay` shows it")
        record = _record(opened)
        header = opened.saved.header
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
        raise WrongCall("there is no game to go on with; `rulegame play` begins one")
    return found


def _remarks(match: Match, opened: Opened) -> Iterator[str]:
    """What somebody should know before the game goes on."""
    file = match.table.record.file
    if not opened.saved.whole:
        yield "The end of the save is missing: the game goes on from what is there."
    if opened.stopped:
        yield f"What no longer holds is {opened.stopped}. The game goes on before it."
    elif opened.changed:
        yield "The rules have changed; all moves of the game hold."
    if opened.changed and file is not None:
        yield f"The game goes on in {file.path}; the old save stays as it is."


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
