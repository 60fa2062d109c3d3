"""`rulegame resume`: resume a saved game after its last complete move."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rulegame.extras import require_player
from rulegame.playing.saving import CannotSave, glances
from rulegame.wording import counted
from rulegame_cli.calling.options import ANYWAY, TableOptions, argument
from rulegame_cli.calling.saved_games import find, load_save
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.terminal import one_line, visible

if TYPE_CHECKING:
    from rulegame.playing.match import Resumed
    from rulegame_cli.table.terminal_match import TerminalMatch


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
    from rulegame_cli.table.run_match import at_terminal, keep, run_matches

    path = find(options.game) if options.game else _latest()
    try:
        resumed = load_save(path, options, options.anyway)
        match = resumed.match
        if match.is_over:
            raise SaveError("the game is over. Watch it with `rulegame replay`.")
        for spec in match.header.players:
            require_player(spec)
        table = at_terminal(match, options)
        if resumed.changed:
            keep(match.record, "", table.terminal)
        else:
            resumed.go_on()
    except (SaveError, CannotSave) as problem:
        print(visible(f"{path}: {problem}"), file=sys.stderr)
        return 1
    return run_matches(lambda: _go_on(table, resumed), table, options)


def _latest() -> Path:
    found = next((glance.path for glance in glances() if glance.header and not glance.over), None)
    if found is None:
        raise WrongCall("No unfinished game to resume. Start one with `rulegame play`.")
    return found


def _remarks(table: TerminalMatch, resumed: Resumed) -> Iterator[str]:
    """What somebody should know before the game goes on."""
    file = table.match.record.file
    if not resumed.whole:
        yield "The save is incomplete. Resuming from the last complete move."
    if resumed.stopped:
        yield f"Not valid under the current rules: {resumed.stopped}. Resuming before it."
    elif resumed.changed:
        yield "The rules have changed, but every move is still valid."
    if resumed.changed and file is not None:
        yield f"Saving to {file.path}; the old save is unchanged."


def _go_on(table: TerminalMatch, resumed: Resumed) -> None:
    match, terminal = table.match, table.terminal
    remarks = list(_remarks(table, resumed))
    for remark in remarks if not terminal.draws else ():
        terminal.remark(remark)
    round_ = f", round {match.number + 1}" if match.header.rounds > 1 else ""
    moves = counted(match.session.decisions, "move")
    title = f"{one_line(match.game.ruleset.title)}{round_}, after {moves}.\n\n"
    if terminal.draws:  # where the screen may be handed over first
        title = "".join(f"{remark}\n" for remark in remarks) + title
    if match.outcome is None:
        table.run(title)
        return
    match.begin()  # the end was not recorded
    terminal.write(title + match.score_text)
    if match.next_round():
        table.run()
