"""Wrong calls of the command line: one line on standard error, exit code 2; and what cannot be
done, which is told in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulegame.diagnostics import Diagnostic, nearest
from rulegame.files.disk import is_file
from rulegame_cli.printing.terminal import visible


class WrongCall(Exception):
    """The command was called in a way that cannot mean anything."""


class CannotBeDone(Exception):
    """What was asked for makes sense, but cannot be done here and now: exit code 1."""


def complain(mistake: WrongCall | CannotBeDone) -> None:
    """Say on standard error what is wrong."""
    for line in str(mistake).split("\n"):
        print(f"rulegame: {visible(line)}", file=sys.stderr)


def no_such_file(name: str) -> WrongCall:
    """There is neither a file nor a bundled game of that name."""
    from rulegame.bundled import ruleset_names

    stem = name.replace("\\", "/").rpartition("/")[2].removesuffix(".yaml").removesuffix(".yml")
    close = nearest(stem, ruleset_names())
    file = next((p for p in (Path(f"{stem}.yaml"), Path(f"{stem}.yml")) if is_file(p)), None)
    if file is not None:
        hint = f"did you mean the file '{file}'?"
    elif close:
        hint = f"did you mean the bundled '{close}'?"
    else:
        hint = "`rulegame list` shows the bundled games"
    return WrongCall(f"there is no file or bundled game '{name}'; {hint}")


def no_such_command(name: str, known: Sequence[str]) -> WrongCall:
    """The first word is none that this program understands."""
    close = nearest(name, known)
    hint = f"did you mean '{close}'?" if close else "`rulegame --help` lists them"
    return WrongCall(f"there is no command '{name}'; {hint}")


def one_too_many(argument: str, context: Any) -> WrongCall:
    """An argument that the command has no use for."""
    return WrongCall(f"'{argument}' is one argument too many; {_page(context)}")


def misused(mistake: Any) -> WrongCall:
    """What typer finds wrong with the arguments of a command."""
    context, missing = mistake.ctx, getattr(mistake, "param", None)
    if missing is not None and not mistake.message:
        return WrongCall(f"{missing.metavar} is missing; {_page(context)}")
    if hasattr(mistake, "possibilities"):
        known = [option for p in context.command.params for option in p.opts]
        bare = {option.lstrip("-"): option for option in known}
        close = nearest(mistake.option_name.lstrip("-"), bare)
        hint = f"did you mean {bare[close]}?" if close else _page(context)
        return WrongCall(f"there is no option {mistake.option_name}; {hint}")
    said = mistake.format_message().rstrip(".")
    return WrongCall(f"{said[:1].lower()}{said[1:]}")


def _page(context: Any) -> str:
    return f"`{context.command_path} --help` tells what there is"


def refuse_settings(diagnostics: Sequence[Diagnostic]) -> None:
    """WrongCall if what is wrong is what the call set, not the ruleset."""
    wrong = [f"{d.span.file}: {d.in_one_line}" for d in diagnostics if is_of_call(d)]
    if wrong:
        raise WrongCall("\n".join(wrong))


def is_of_call(diagnostic: Diagnostic) -> bool:
    """Whether a problem is in an option of the call: `--set target`."""
    return diagnostic.severity == "error" and diagnostic.span.file.startswith("--")
