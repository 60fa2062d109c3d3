"""The `rulegame` command: its arguments. What a command needs is imported when it runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from rulegame_cli.terminal import INTERRUPTED, make_robust
from rulegame_cli.text_command import TextCommand, TextGroup

WRONG_CALL = 2
BROKEN_PIPE = 141  # what a shell reports for a program whose reader went away

app = typer.Typer(
    cls=TextGroup,
    help="One YAML file describes a turn-based game: play it, validate it, test it.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


Ruleset = Annotated[
    str, typer.Argument(metavar="RULESET", help="A ruleset file, or a bundled name.")
]
Rulesets = Annotated[
    list[str], typer.Argument(metavar="RULESET", help="Ruleset files, or bundled names.")
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Give a parameter a value. Repeatable."),
]
Enable = Annotated[
    list[str] | None,
    typer.Option("--enable", metavar="OPERATION", help="Switch an operation on. Repeatable."),
]
Disable = Annotated[
    list[str] | None,
    typer.Option("--disable", metavar="OPERATION", help="Switch an operation off. Repeatable."),
]
NoColor = Annotated[
    bool, typer.Option("--no-color", help="Plain text, as with NO_COLOR in the environment.")
]


def _print_version(asked: bool) -> None:
    if asked:
        from rulegame import __version__

        print(f"rulegame {__version__}")
        raise typer.Exit


@app.callback()
def rulegame(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """One YAML file describes a turn-based game: play it, validate it, test it."""


@app.command(cls=TextCommand)
def play(
    ruleset: Ruleset,
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    first: Annotated[
        str, typer.Option(metavar="1|2|...|random", help="Who moves first, by number.")
    ] = "1",
    names: Annotated[
        str, typer.Option(metavar="NAME,NAME", help="The players' names, in seat order.")
    ] = "",
    seed: Annotated[str, typer.Option(metavar="NUMBER", help="Chance that can be repeated.")] = "",
    rolls: Annotated[
        str,
        typer.Option(metavar="5,3,6", help="Dice by hand; chance again when they run out."),
    ] = "",
    no_color: NoColor = False,
) -> None:
    """Play a game at this terminal."""
    from rulegame_cli import play as command

    options = command.Options(
        sets or (), enable or (), disable or (), first, names, seed, rolls, no_color
    )
    _leave(lambda: command.run(ruleset, options))


@app.command(cls=TextCommand)
def validate(
    rulesets: Rulesets,
    report: Annotated[
        str,
        typer.Option(
            "--format", metavar="text|json|github|sarif", help="How problems are reported."
        ),
    ] = "text",
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    no_color: NoColor = False,
) -> None:
    """Check rulesets: exit code 0 valid, 1 problems, 2 wrong call."""
    from rulegame_cli import validate as command

    _leave(lambda: command.run(rulesets, report, sets or (), enable or (), disable or (), no_color))


@app.command("test", cls=TextCommand)
def run_tests(
    rulesets: Rulesets,
    only: Annotated[
        str, typer.Option("-k", metavar="TEXT", help="Only tests with this text in their name.")
    ] = "",
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List every test.")] = False,
    no_color: NoColor = False,
) -> None:
    """Run the tests inside rulesets."""
    from rulegame_cli import ruletest as command

    _leave(lambda: command.run(rulesets, only, verbose, no_color))


@app.command(cls=TextCommand)
def solve(
    ruleset: Ruleset,
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    first: Annotated[str, typer.Option(metavar="1|2", help="Who moves first, by number.")] = "1",
    as_json: Annotated[bool, typer.Option("--json", help="For programs to read.")] = False,
    top: Annotated[
        str, typer.Option(metavar="NUMBER", help="Show only so many opening moves.")
    ] = "",
    max_states: Annotated[
        str, typer.Option(metavar="NUMBER", help="Give up beyond so many states.")
    ] = "",
    max_memory: Annotated[
        str, typer.Option(metavar="BYTES", help="Give up beyond about so much memory: 500M, 8G.")
    ] = "",
    no_color: NoColor = False,
) -> None:
    """Solve a game of two: who wins under best play, and what each opening move is worth."""
    from rulegame_cli import solve as command

    options = command.Options(
        sets or (),
        enable or (),
        disable or (),
        first,
        as_json,
        top,
        max_states,
        max_memory,
        no_color,
    )
    _leave(lambda: command.run(ruleset, options))


@app.command("list", cls=TextCommand)
def list_games() -> None:
    """List the bundled games and variants."""
    from rulegame_cli import listing as command

    _leave(command.run)


@app.command(cls=TextCommand)
def show(
    ruleset: Ruleset,
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    no_color: NoColor = False,
) -> None:
    """Show what a game is about, what can be varied, and its rules."""
    from rulegame_cli import showing as command

    _leave(lambda: command.run(ruleset, sets or (), enable or (), disable or (), no_color))


@app.command(cls=TextCommand)
def rules(
    ruleset: Ruleset,
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    form: Annotated[
        str, typer.Option("--format", metavar="text|md|html", help="What is printed.")
    ] = "text",
    no_color: NoColor = False,
) -> None:
    """Print the rulebook of a game."""
    from rulegame_cli import rulebook as command

    _leave(lambda: command.run(ruleset, sets or (), enable or (), disable or (), form, no_color))


@app.command(cls=TextCommand)
def diff(
    ruleset: Ruleset,
    other: Annotated[
        str,
        typer.Argument(
            metavar="[OTHER]", help="What it is compared with; else a variant's parent."
        ),
    ] = "",
    values: Annotated[
        bool, typer.Option("--values", help="What the differences do to best play.")
    ] = False,
    max_states: Annotated[
        str, typer.Option(metavar="NUMBER", help="With --values: give up beyond so many states.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="For programs to read.")] = False,
    no_color: NoColor = False,
) -> None:
    """Compare two rulesets by meaning: exit code 0 the same game, 1 different, 2 wrong call."""
    from rulegame_cli import comparing as command

    options = command.Options(values, max_states, as_json, no_color)
    _leave(lambda: command.run(ruleset, other, options))


@app.command("explain-move", cls=TextCommand)
def explain_move(
    ruleset: Ruleset,
    move: Annotated[str, typer.Option(metavar="MOVE", help='The move: "subtract 4".')] = "",
    at: Annotated[
        str,
        typer.Option(metavar="MOVES", help='Moves and rolls that come before: "die 5, add".'),
    ] = "",
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    first: Annotated[str, typer.Option(metavar="1|2|...", help="Who moves first.")] = "1",
    as_json: Annotated[bool, typer.Option("--json", help="For programs to read.")] = False,
    no_color: NoColor = False,
) -> None:
    """Explain why a move is valid or not, rule by rule."""
    from rulegame_cli import explain_move as command

    options = command.Options(
        move, at, sets or (), enable or (), disable or (), first, as_json, no_color
    )
    _leave(lambda: command.run(ruleset, options))


@app.command(cls=TextCommand)
def explain(
    code: Annotated[str, typer.Argument(metavar="CODE", help="A code such as E302.")],
) -> None:
    """Explain the code of a problem."""
    from rulegame_cli import explain as command

    _leave(lambda: command.run(code))


def _leave(command: Callable[[], int]) -> None:
    """Run a command and leave with its exit code."""
    from rulegame_cli.mistakes import WrongCall, complain

    try:
        code = command()
        sys.stdout.flush()
    except WrongCall as mistake:
        complain(mistake)
        code = WRONG_CALL
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = BROKEN_PIPE
        # What is still in the buffer has nowhere to go; the interpreter must not try again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise typer.Exit(code)


def main() -> None:
    """The entry point of the console script."""
    make_robust()
    app(prog_name="rulegame")
