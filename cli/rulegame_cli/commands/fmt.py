"""`rulegame fmt`: format rulesets in the standard style."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from enum import Enum

from rulegame.wording import counted
from rulegame_cli.calling.gathering import STANDARD_INPUT, gather
from rulegame_cli.calling.opening import print_problems
from rulegame_cli.calling.options import ColorOptions, Texts, arguments, flag
from rulegame_cli.calling.rewriting import difference, text_of, write_back
from rulegame_cli.calling.usage_errors import WrongCall, complain
from rulegame_cli.printing.terminal import visible


class _Result(Enum):
    """What became of a file."""

    SAME = "already formatted"
    OTHER = "formatted, or would be"
    FAILED = "not a ruleset that can be formatted"
    REFUSED = "not read or not written"


class FmtOptions(ColorOptions):
    """Format rulesets in the standard style.

    Comments stay, and the meaning of a ruleset does not change.
    """

    files: Texts = arguments("FILE", "Ruleset files, folders, or - for standard input.")
    check: bool = flag("Do not write; exit with 1 if a file would change.")
    diff: bool = flag("Do not write; print the changes as a diff.")


def run(options: FmtOptions) -> int:
    """Exit code 0: all is formatted; 1: something is not and was only to be checked, or cannot be
    formatted; 2: no such file, or one that cannot be read or written; the others are formatted.
    """
    files = gather(options.files)
    results: list[_Result] = []
    for name in files:
        try:
            results.append(_format(name, options))
        except WrongCall as refusal:
            complain(refusal)
            results.append(_Result.REFUSED)
    if options.check and set(results) == {_Result.SAME}:
        print(f"{counted(len(files), 'file')} already formatted")
    if _Result.REFUSED in results:
        return 2
    is_wanting = (options.check or options.diff) and _Result.OTHER in results
    return int(is_wanting or _Result.FAILED in results)


def _format(name: str, options: FmtOptions) -> _Result:
    """Standard output may be the ruleset itself: then it gets nothing else."""
    from rulegame.authoring.formatting import NotFormatted, format_text

    text = text_of(name)
    try:
        formatted = format_text(text, name)
    except NotFormatted as refusal:
        with redirect_stdout(sys.stderr if name == STANDARD_INPUT else sys.stdout):
            if refusal.problems:
                print_problems(name, refusal.problems, options)
            else:
                print(f"{visible(name)}: cannot format: {refusal}")
        return _Result.FAILED
    if options.diff:
        sys.stdout.writelines(difference(text, formatted, name))
    elif name == STANDARD_INPUT and not options.check:
        sys.stdout.write(formatted)
    elif formatted != text:
        if not options.check:
            write_back(name, formatted)
        print(f"{visible(name)}: {'would be formatted' if options.check else 'formatted'}")
    return _Result.SAME if formatted == text else _Result.OTHER
