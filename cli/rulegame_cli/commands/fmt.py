"""`rulegame fmt`: rulesets in the order and style of the bundled ones."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout

from rulegame.wording import counted
from rulegame_cli.calling.gathering import STANDARD_INPUT, gather
from rulegame_cli.calling.opening import print_problems
from rulegame_cli.calling.options import ColorOptions, Texts, arguments, flag
from rulegame_cli.calling.rewriting import difference, text_of, write_back
from rulegame_cli.printing.terminal import visible


class FmtOptions(ColorOptions):
    """Format rulesets as the bundled ones are: order of keys, indentation, blank lines.

    Comments are kept, and a ruleset means the same as before.
    """

    files: Texts = arguments("FILE", "Ruleset files, folders, or - for standard input.")
    check: bool = flag("Change nothing; the exit code is 1 if something would change.")
    diff: bool = flag("Change nothing; print what would change.")


def run(options: FmtOptions) -> int:
    """Exit code 0: all is formatted; 1: something is not and was only to be checked, or cannot be
    read; 2: no such file. Standard output may be the ruleset itself: then it gets nothing else.
    """
    from rulegame.authoring.formatting import NotFormatted, format_text

    changed = failed = 0
    files = gather(options.files)
    for name in files:
        text = text_of(name)
        try:
            formatted = format_text(text, name)
        except NotFormatted as refusal:
            failed += 1
            with redirect_stdout(sys.stderr if name == STANDARD_INPUT else sys.stdout):
                if refusal.problems:
                    print_problems(name, refusal.problems, options)
                else:
                    print(f"{visible(name)}: not formatted: {refusal}")
            continue
        changed += formatted != text
        if options.diff:
            sys.stdout.writelines(difference(text, formatted, name))
        elif name == STANDARD_INPUT and not options.check:
            sys.stdout.write(formatted)
        elif formatted != text:
            if not options.check:
                write_back(name, formatted)
            print(f"{visible(name)}: {'would be formatted' if options.check else 'formatted'}")
    if options.check and not changed and not failed:
        print(f"{counted(len(files), 'file')} formatted already")
    return int(failed > 0 or ((options.check or options.diff) and changed > 0))
