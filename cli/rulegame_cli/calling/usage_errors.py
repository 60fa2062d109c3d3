"""Wrong calls of the command line: one line on standard error, exit code 2; and what cannot be
done, which is told in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rulegame.diagnostics import Diagnostic, nearest
from rulegame.extras import MissingExtra
from rulegame.files.disk import is_file
from rulegame_cli.printing.terminal import visible

# Options with which one or another command names computer players
OPPONENTS: Final = ("--vs", "--against", "--players")
ALSO_OPPONENTS: Final = ("opponent", "opponents", "player", "level", "levels", "difficulty", "ai")


class WrongCall(Exception):
    """The command was called in a way that cannot mean anything."""


class CannotBeDone(Exception):
    """What was asked for makes sense, but cannot be done here and now: exit code 1."""


def complain(mistake: WrongCall | CannotBeDone | MissingExtra) -> None:
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
        hint = f"Did you mean the file '{file}'?"
    elif close:
        hint = f"Did you mean '{close}'?"
    else:
        hint = "`rulegame list` shows the bundled games."
    return WrongCall(f"No file or bundled game '{name}'. {hint}")


def no_such_command(name: str, known: Sequence[str]) -> WrongCall:
    """The first word is none that this program understands."""
    close = nearest(name, known)
    hint = f"Did you mean '{close}'?" if close else "`rulegame --help` lists all commands."
    return WrongCall(f"Unknown command '{name}'. {hint}")


def one_too_many(argument: str, context: Any) -> WrongCall:
    """An argument that the command has no use for."""
    return WrongCall(f"Unexpected argument '{argument}'. {_page(context)}")


def misused(mistake: Any) -> WrongCall:
    """What typer finds wrong with the arguments of a command."""
    context, missing = mistake.ctx, getattr(mistake, "param", None)
    if missing is not None and not mistake.message:
        called = context.get_usage().removesuffix(" [OPTIONS]").removesuffix("...")
        if missing.metavar == "RULESET":
            ask, hint = "Which game?", "`rulegame list` shows the bundled games."
        else:
            ask, hint = f"{missing.metavar} is missing.", _page(context)
        return WrongCall(f"{ask} {called}. {hint}")
    if hasattr(mistake, "possibilities"):
        return _unknown_option(mistake.option_name, context)
    return WrongCall(mistake.format_message())


def _unknown_option(name: str, context: Any) -> WrongCall:
    known = {o.lstrip("-"): o for p in context.command.params for o in p.opts}
    settings = _parameters_of_call() if "set" in known else ()
    bare = name.lstrip("-").replace("-", "_")
    word = name.lstrip("-")
    longer = [one for one in known if one.startswith(word) or word.startswith(one)]
    close = nearest(word, longer) or nearest(word, known)
    if name in OPPONENTS or bare in ALSO_OPPONENTS:
        close = next((o.lstrip("-") for o in OPPONENTS if o.lstrip("-") in known), close)
    parameter = bare if bare in settings else None if close else nearest(bare, settings)
    if parameter:
        hint = f"Did you mean `--set {parameter}={_value_after(name)}`?"
    else:
        hint = f"Did you mean {known[close]}?" if close else _page(context)
    return WrongCall(f"Unknown option {name}. {hint}")


def _parameters_of_call() -> Sequence[str]:
    """The parameters of the first ruleset named in the call."""
    from rulegame.loading import load_ruleset

    for word in sys.argv[2:]:
        if word.startswith("-"):
            continue
        with suppress(OSError):
            ruleset, _ = load_ruleset(word)
            return () if ruleset is None else tuple(ruleset.parameters)
    return ()


def _value_after(option: str) -> str:
    """The value of `--option VALUE` or `--option=VALUE` in the call."""
    for word, after in zip(sys.argv, [*sys.argv[1:], ""], strict=True):
        if word.startswith(f"{option}="):
            return word.removeprefix(f"{option}=")
        if word == option and after and not after.startswith("--"):
            return after
    return "VALUE"


def _page(context: Any) -> str:
    return f"See `{context.command_path} --help`."


def refuse_settings(diagnostics: Sequence[Diagnostic]) -> None:
    """WrongCall if what is wrong is what the call set, not the ruleset."""
    wrong = [f"{d.span.file}: {d.in_one_line}" for d in diagnostics if is_of_call(d)]
    if wrong:
        raise WrongCall("\n".join(wrong))


def is_of_call(diagnostic: Diagnostic) -> bool:
    """Whether a problem is in an option of the call: `--set target`."""
    return diagnostic.severity == "error" and diagnostic.span.is_option
