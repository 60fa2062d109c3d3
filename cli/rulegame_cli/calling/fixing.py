"""`validate --fix` and `--diff`: the rulesets of a call after their certain fixes."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, TextIO

from rulegame_cli.calling.gathering import STANDARD_INPUT
from rulegame_cli.calling.rewriting import difference, text_of, write_back
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.terminal import visible

if TYPE_CHECKING:
    from rulegame.authoring.fixing import Fixed
    from rulegame.building import Settings
    from rulegame.diagnostics import Diagnostic
    from rulegame.loading import RulesetText


class Rewritten(NamedTuple):
    """What became of the rulesets of a call: standard input as it is now, how many are others, and
    which had to stay as they are.
    """

    standard_input: RulesetText | None
    changed: int
    refused: tuple[WrongCall, ...]


def fix_rulesets(names: Iterable[str], given: Settings, only_show: bool, say: TextIO) -> Rewritten:
    """Fixes each file of a call, and says so; or shows what would change. A file that cannot be
    read is for whoever checks it to complain of.
    """
    from rulegame.authoring.fixing import sentence

    piped: RulesetText | None = None
    changed = 0
    refused: list[WrongCall] = []
    for name in names:
        try:
            before, fixed = _fixed(name, given)
        except (FileNotFoundError, WrongCall):
            continue
        changed += bool(fixed.edits)
        if only_show:
            sys.stdout.writelines(difference(before, fixed.text, name))
            continue
        if name == STANDARD_INPUT:
            sys.stdout.write(fixed.text)
            piped = _piped(fixed.text)
        elif fixed.edits:
            try:
                _write(name, fixed.text)
            except WrongCall as refusal:
                refused.append(refusal)
                continue
        for edit in fixed.edits:
            print(f"{visible(name)}:{edit.span.line}: {visible(sentence(edit))}", file=say)
    return Rewritten(piped, changed, tuple(refused))


def _fixed(name: str, given: Settings) -> tuple[str, Fixed]:
    from rulegame.authoring.files import OpenFiles
    from rulegame.authoring.fixing import fix
    from rulegame.loading import check_ruleset, find, load_ruleset

    if name == STANDARD_INPUT:
        text = text_of(name)
        return text, fix(text, name, lambda new: load_ruleset(_piped(new), given)[1])
    path, shown_as = find(name)

    def check(new: str) -> tuple[Diagnostic, ...]:
        return check_ruleset(path, shown_as, given, OpenFiles({path: new}))[1]

    text = text_of(str(path))
    return text, fix(text, shown_as, check)


def _piped(text: str) -> RulesetText:
    from rulegame.loading import RulesetText

    return RulesetText(text, STANDARD_INPUT)


def _write(name: str, text: str) -> None:
    from rulegame.authoring.renaming import is_not_bundled
    from rulegame.loading import find

    if not is_not_bundled(find(name)[0]):
        raise WrongCall(
            f"'{name}' is a bundled game and cannot be changed. Copy it to a file first."
        )
    write_back(name, text)
