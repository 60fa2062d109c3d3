"""The options of a command are one declaration: a class whose fields are what typer parses, what
`--help` shows, what a shell completes and what `run` gets. Those that several commands have are
declared here.

A metavar says what is meant: `calling.completion` knows by it what to offer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any, Final, Never, dataclass_transform, get_type_hints

import typer

from rulegame_cli.printing.terminal import style_for

if TYPE_CHECKING:
    from rulegame_cli.printing.terminal import Style

Texts = tuple[str, ...]  # of an option that may be given several times
SETTINGS: Final = "Settings of the game"
LIMITS: Final = "Limits"
OUTPUT: Final = "Output"
HEADINGS: Final = (SETTINGS, LIMITS, OUTPUT)  # in this order, after what only one command has

RulesetNames = Annotated[
    Texts,
    typer.Argument(
        metavar="RULESET", help="Ruleset files, folders, bundled names, or - for standard input."
    ),
]
Watch = Annotated[bool, typer.Option("--watch", help="Run again whenever a file is saved.")]
First = Annotated[
    str, typer.Option(metavar="1|2|...", help="The seat that moves first, by its number.")
]
FirstOrAll = Annotated[
    str,
    typer.Option(
        metavar="1|2|...|alternate",
        help="The seat that moves first, by its number; or each in turn.",
    ),
]
Names = Annotated[str, typer.Option(metavar="NAME,NAME", help="The players' names, in seat order.")]
Seed = Annotated[
    str, typer.Option(metavar="NUMBER", help="The same number gives the same chance again.")
]
Anyway = Annotated[
    bool,
    typer.Option("--anyway", help="Even if the rules have changed, as far as the moves hold."),
]
AsJson = Annotated[
    bool,
    typer.Option("--json", help="Print JSON, for programs to read.", rich_help_panel=OUTPUT),
]
Output = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="Write to a file, which is whole or not there at all.",
        rich_help_panel=OUTPUT,
    ),
]
MaxMoves = Annotated[
    str,
    typer.Option(
        metavar="NUMBER",
        help="Leave a game unfinished after so many moves.",
        rich_help_panel=LIMITS,
    ),
]
MaxStates = Annotated[
    str,
    typer.Option(metavar="NUMBER", help="Give up beyond so many states.", rich_help_panel=LIMITS),
]
MaxMemory = Annotated[
    str,
    typer.Option(
        metavar="BYTES",
        help="Give up beyond about so much memory: 500M, 8G. Without it, a quarter of what is "
        "free.",
        rich_help_panel=LIMITS,
    ),
]


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Options:
    """What a command was called with; a field without a default is required. To type checkers it
    is a frozen dataclass. It is none, because making one takes as long as parsing a call.
    """

    def __init__(self, **given: Any) -> None:
        vars(self).update(given)

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"{type(self).__name__} cannot be changed")


class ColorOptions(Options):
    """What is printed may be coloured."""

    no_color: Annotated[
        bool,
        typer.Option(
            "--no-color",
            help="Print plain text, as with NO_COLOR in the environment.",
            rich_help_panel=OUTPUT,
        ),
    ] = False

    @property
    def style(self) -> Style:
        """Colours on standard output, where it can have them."""
        return style_for(sys.stdout, self.no_color)


class ScreenOptions(ColorOptions):
    """A game is shown on a screen."""

    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help="For screen readers: no colour, nothing that moves the cursor.",
            rich_help_panel=OUTPUT,
        ),
    ] = False

    @property
    def style(self) -> Style:
        return style_for(sys.stdout, self.no_color or self.plain)


class DelayOptions(ScreenOptions):
    """Computers may play."""

    delay: Annotated[
        str,
        typer.Option(
            metavar="SECONDS",
            help="Wait after each move of a computer player.",
            rich_help_panel=OUTPUT,
        ),
    ] = ""


class SettingsOptions(ColorOptions):
    """A game may be varied."""

    sets: Annotated[
        Texts,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Give a parameter a value; `rulegame show` lists them. Repeatable.",
            rich_help_panel=SETTINGS,
        ),
    ] = ()
    enable: Annotated[
        Texts,
        typer.Option(
            metavar="OPERATION",
            help="Switch an operation on. Repeatable.",
            rich_help_panel=SETTINGS,
        ),
    ] = ()
    disable: Annotated[
        Texts,
        typer.Option(
            metavar="OPERATION",
            help="Switch an operation off. Repeatable.",
            rich_help_panel=SETTINGS,
        ),
    ] = ()


class RulesetOptions(SettingsOptions):
    """A command for one ruleset."""

    ruleset: Annotated[
        str,
        typer.Argument(
            metavar="RULESET", help="A ruleset file, a bundled name, or - for standard input."
        ),
    ]


def command_of(run: Callable[[Any], int]) -> Callable[..., int]:
    """What typer makes a command of: a function with the options of `run` as its arguments, those
    of the command itself before those that it inherits. What may be given several times is a list
    to typer, and a tuple to the command.
    """
    options: type[Options] = get_type_hints(run)["options"]
    hints = get_type_hints(options, include_extras=True)
    repeatable = [name for name, hint in hints.items() if hint.__origin__ == Texts]

    def command(**given: Any) -> int:
        several = {name: tuple(given[name] or ()) for name in repeatable}
        return run(options(**{**given, **several}))

    names = dict.fromkeys(n for c in options.__mro__ for n in getattr(c, "__annotations__", ()))
    parameters = [_parameter(options, name, hints[name]) for name in names]
    command.__doc__ = options.__doc__
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def _parameter(options: type[Options], name: str, hint: Any) -> Parameter:
    default = getattr(options, name, Parameter.empty)
    if hint.__origin__ == Texts:
        hint = Annotated[list[str] | None, *hint.__metadata__]
        default = default or None
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=hint, default=default)
