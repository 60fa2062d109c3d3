"""The `rulegame` command: which commands there are. Each is imported when it is called."""

from __future__ import annotations

import sys
from collections.abc import Callable
from errno import EPIPE
from functools import wraps
from importlib import import_module
from typing import Annotated, Final

import typer

from rulegame_cli.calling.options import command_of
from rulegame_cli.calling.text_command import TextCommand, TextGroup
from rulegame_cli.printing.terminal import INTERRUPTED, CannotWrite, give_up_output, make_robust

WRONG_CALL: Final = 2
BROKEN_PIPE: Final = 141  # what a shell reports for a program whose reader went away

# The modules whose `run` it is, by section, in the order in which the help lists them. Each has the
# name of its command, unless that is a name of Python itself.
SECTIONS: Final = {
    "Play": {
        "play": "play",
        "resume": "resume",
        "replay": "replay",
        "history": "history",
        "list": "listing",
    },
    "Read and write rules": {
        "show": "show",
        "rules": "rules",
        "new": "new",
        "validate": "validate",
        "fmt": "fmt",
        "test": "ruletest",
        "diff": "diff",
        "explain-move": "explain_move",
        "explain": "explain",
        "lsp": "lsp",
    },
    "Study a game": {
        "check": "check",
        "solve": "solve",
        "simulate": "simulate",
        "sweep": "sweep",
    },
}
COMMANDS: Final = {name: module for part in SECTIONS.values() for name, module in part.items()}


def _print_version(asked: bool) -> None:
    if asked:
        from rulegame import __version__

        print(f"rulegame {__version__}")
        raise typer.Exit


def rulegame(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """One YAML file describes a turn-based game: play it, validate it, test it, solve it.

    `rulegame COMMAND --help` tells what a command can do, with examples.
    """


def _leaving(command: Callable[..., int]) -> Callable[..., None]:
    """The command, which then leaves with its exit code, whatever happens."""

    @wraps(command)
    def run(*arguments: object, **options: object) -> None:
        from rulegame_cli.calling.usage_errors import WrongCall, complain

        try:
            code = command(*arguments, **options)
            sys.stdout.flush()
        except WrongCall as mistake:
            complain(mistake)
            code = WRONG_CALL
        except KeyboardInterrupt:
            code = INTERRUPTED
        raise typer.Exit(code)

    return run


def application(asked: str) -> typer.Typer:
    """The command line with the command that was asked for, or with all if it is none of them."""
    app = typer.Typer(
        cls=TextGroup,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(rulegame)
    for section, commands in SECTIONS.items():
        for name in {asked} & set(commands) if asked in COMMANDS else commands:
            module = import_module(f"rulegame_cli.commands.{COMMANDS[name]}")
            command = _leaving(command_of(module.run))
            app.command(name, cls=TextCommand, rich_help_panel=section)(command)
    return app


def main() -> None:
    """The entry point of the console script."""
    make_robust()
    try:
        application(next(iter(sys.argv[1:]), ""))(prog_name="rulegame")
    except KeyboardInterrupt:  # before the command itself had begun
        raise SystemExit(INTERRUPTED) from None
    except CannotWrite as problem:
        give_up_output()
        if problem.errno == EPIPE:
            raise SystemExit(BROKEN_PIPE) from None
        print(f"rulegame: {problem}", file=sys.stderr)
        raise SystemExit(1) from None
