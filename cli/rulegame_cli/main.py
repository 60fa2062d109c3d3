"""The `rulegame` command: which commands there are. Each is imported when it is called."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from errno import EPIPE
from functools import wraps
from importlib import import_module
from typing import Annotated, Any, Final, NoReturn, TextIO

import typer

from rulegame_cli.calling.options import command_of
from rulegame_cli.calling.text_command import TextCommand, TextGroup
from rulegame_cli.printing.terminal import INTERRUPTED, CannotWrite, give_up_output, make_robust

WRONG_CALL: Final = 2
SHELLS: Final = "bash|zsh|fish"
ASKED_BY: Final = "_RULEGAME_COMPLETE"  # a shell whose user has pressed Tab
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
        "studio": "studio",
    },
    "Write rules": {
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
    "Analyse a game": {
        "prove": "prove",
        "solve": "solve",
        "simulate": "simulate",
        "sweep": "sweep",
        "rate": "rate",
        "export": "export",
    },
    "Maintenance": {
        "cache": "cache",
    },
}
ALIASES: Final = {"check": "prove"}
RENAMED: Final = {
    ("export", "--players"): "--seats",
    ("new", "--players"): "--names",
    ("play", "--player"): "--seats",
}  # options of one release ago
COMMANDS: Final = {name: module for part in SECTIONS.values() for name, module in part.items()}


def _print_version(asked: bool) -> None:
    if asked:
        from rulegame import __version__

        print(f"rulegame {__version__}")
        raise typer.Exit


def _install_completion(shell: str | None) -> None:
    if shell is not None:
        from rulegame_cli.completing.shells import install, read_shell

        _leave(lambda: _print(install(read_shell("--install-completion", shell), os.environ)))


def _show_completion(shell: str | None) -> None:
    if shell is not None:
        from rulegame_cli.completing.shells import SCRIPTS, read_shell

        _leave(lambda: _print(SCRIPTS[read_shell("--show-completion", shell)]))


def _print(text: str) -> int:
    sys.stdout.write(text)
    return 0


def rulegame(
    install_completion: Annotated[
        str | None,
        typer.Option(
            metavar=SHELLS,
            callback=_install_completion,
            is_eager=True,
            help="Install tab completion (for $SHELL if no shell is named).",
        ),
    ] = None,
    show_completion: Annotated[
        str | None,
        typer.Option(
            metavar=SHELLS,
            callback=_show_completion,
            is_eager=True,
            help="Print the completion script.",
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Play, validate, test and solve turn-based games, each described in one YAML file.

    Run `rulegame COMMAND --help` for details and examples.
    """


def _nothing() -> None:
    """Before a command no option can stand: the first word is the command."""


def _leave(run: Callable[[], int]) -> NoReturn:
    """Runs, and leaves with the exit code, whatever happens."""
    from rulegame.extras import MissingExtra
    from rulegame_cli.calling.usage_errors import CannotBeDone, WrongCall, complain

    try:
        code = run()
        sys.stdout.flush()
    except CannotBeDone as failure:
        complain(failure)
        code = 1
    except (WrongCall, MissingExtra) as mistake:
        complain(mistake)
        code = WRONG_CALL
    except KeyboardInterrupt:
        code = INTERRUPTED
    raise typer.Exit(code)


def _leaving(command: Callable[..., int]) -> Callable[..., None]:
    """The command, which then leaves."""

    @wraps(command)
    def run(**options: object) -> None:
        _leave(lambda: command(**options))

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
    app.callback()(_nothing if asked in COMMANDS else rulegame)
    for section, commands in SECTIONS.items():
        for name in {asked} & set(commands) if asked in COMMANDS else commands:
            module = import_module(f"rulegame_cli.commands.{COMMANDS[name]}")
            command = _leaving(command_of(module.run))
            app.command(name, cls=TextCommand, rich_help_panel=section)(command)
    return app


def _candidates(words: list[str]) -> list[tuple[str, str]]:
    """What the last of the words may become: a command, or what a command understands."""
    from rulegame_cli.completing.candidates import candidates

    words = [ALIASES.get(words[0], words[0]), *words[1:]] if len(words) > 1 else words
    group: Any = typer.main.get_command(application(words[0]))
    commands: dict[str, Any] = group.commands
    if words[0].startswith("-"):
        return candidates(words, group)
    if len(words) > 1:
        return candidates(words[1:], commands[words[0]]) if words[0] in commands else []
    return [
        (name, command.help.partition("\n")[0])
        for name, command in commands.items()
        if name.startswith(words[0])
    ]


def _tell(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """A warning of the engine, in one line, without the place in its code."""
    sys.stderr.write(f"note: {message}\n")


def _renew(call: list[str]) -> str:
    """The command of a call, in which former names of commands and options become today's."""
    call[1] = command = ALIASES.get(call[1], call[1])
    for number, word in enumerate(call[2:], 2):
        name, equals, value = word.partition("=")
        if word == "--":
            break
        if (command, name) in RENAMED:
            now = RENAMED[command, name]
            call[number] = f"{now}{equals}{value}"
            sys.stderr.write(f"note: {name} is now {now}.\n")
    return command


def main() -> None:
    """The entry point of the console script."""
    make_robust()
    warnings.showwarning = _tell
    words = sys.argv[1:]
    if words in (["--install-completion"], ["--show-completion"]):
        sys.argv.append(os.environ.get("SHELL", ""))  # a shell may be named, and need not
    try:
        if ASKED_BY in os.environ:
            from rulegame_cli.completing.shells import answer

            raise SystemExit(_print(answer(os.environ[ASKED_BY], words, _candidates)))
        asked = _renew(sys.argv) if words else "--help"
        if asked not in COMMANDS and not asked.startswith("-"):
            from rulegame_cli.calling.usage_errors import complain, no_such_command

            complain(no_such_command(asked, tuple(COMMANDS)))
            raise SystemExit(WRONG_CALL)
        application(asked)(prog_name="rulegame")
    except KeyboardInterrupt:  # before the command itself had begun
        raise SystemExit(INTERRUPTED) from None
    except CannotWrite as problem:
        give_up_output()
        if problem.errno == EPIPE:
            raise SystemExit(BROKEN_PIPE) from None
        print(f"rulegame: {problem}", file=sys.stderr)
        raise SystemExit(1) from None
