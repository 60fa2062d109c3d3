"""The options of a command are one declaration: a class whose fields are what typer parses, what
`--help` shows, what a shell completes and what `run` gets. Those that several commands have are
declared here.

A metavar says what is meant: `completing.candidates` knows by it what to offer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Never, get_type_hints

from rulegame.wording import joined
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.terminal import style_for

if TYPE_CHECKING:
    from rulegame_cli.printing.terminal import Style

Texts = tuple[str, ...]  # of an option that may be given several times
SETTINGS: Final = "Game settings"
LIMITS: Final = "Limits"
OUTPUT: Final = "Output"
HEADINGS: Final = (SETTINGS, LIMITS, OUTPUT)  # in this order, after what only one command has


class Declared(NamedTuple):
    """A field of options: what is typed, and what it is about."""

    type: Any  # as typer parses it
    metavar: str | None
    about: str
    names: tuple[str, ...] = ()  # of an option; made of the field's if there are none
    default: Any = ""
    heading: str | None = None
    is_argument: bool = False
    may_be_empty: bool = False

    def parameter(self, name: str) -> Parameter:
        """The same for typer; None is what was left out."""
        import typer

        default = None if self.default == "" else self.default
        info: Any = (
            typer.Argument(default, metavar=self.metavar, help=self.about)
            if self.is_argument
            else typer.Option(
                default,
                *self.typed(name),
                metavar=self.metavar,
                help=self.about,
                rich_help_panel=self.heading,
            )
        )
        return Parameter(name, Parameter.KEYWORD_ONLY, annotation=self.type, default=info)

    def typed(self, name: str) -> tuple[str, ...]:
        """What stands for it in a call."""
        return self.names or (f"--{name.replace('_', '-')}",)

    def refuse_empty(self, name: str, given: Any) -> None:
        """A variable of a script that was never set must not count as an option left out."""
        if not self.may_be_empty and (given == "" or (isinstance(given, list) and "" in given)):
            label = self.metavar if self.is_argument else self.typed(name)[0]
            raise WrongCall(f"{label} is empty")


def option(
    metavar: str, about: str, *names: str, default: str = "", heading: str | None = None
) -> Any:
    """An option with a value."""
    return Declared(str, metavar, about, names, default, heading)


def repeatable(metavar: str, about: str, *names: str, heading: str | None = None) -> Any:
    """An option that may be given several times."""
    return Declared(list[str] | None, metavar, about, names, None, heading)


def flag(about: str, *names: str, heading: str | None = None) -> Any:
    """An option without a value."""
    return Declared(bool, None, about, names, False, heading)


def argument(metavar: str, about: str, *, required: bool = True) -> Any:
    """A value without the name of an option."""
    return Declared(str, metavar, about, (), ... if required else "", None, True)


def arguments(metavar: str, about: str) -> Any:
    """One or more of them."""
    return Declared(list[str], metavar, about, (), ..., None, True)


RULESET = argument("RULESET", "Ruleset file, bundled game, or - for standard input.")
RULESETS = arguments("RULESET", "Ruleset files, folders, bundled games, or - for standard input.")
WATCH = flag("Rerun whenever a file is saved.")
FIRST = option("1|2|...", "Seat that moves first.", default="1")
FIRST_OR_ALL = option(
    "1|2|...|alternate",
    "Seat that moves first. alternate or random: each seat in turn.",
    default="1",
)
FIRST_IN_MATCH = option(
    "1|2|...|random",
    "Seat that moves first, then each in turn; random: a coin toss; alternate: as 1.",
    default="1",
)
NAMES = option("NAME,NAME", "Player names, in seat order.")
SEED = option("NUMBER", "Random seed, for repeatable games.")
ANYWAY = flag("Continue even if the rules have changed, up to the first move that is not valid.")
JSON = flag("Print JSON.", "--json", heading=OUTPUT)
OUTPUT_FILE = option("FILE", "Write to FILE (written atomically).", heading=OUTPUT)
PLOT_FILE = option(
    "FILE", "Save a plot as .svg or .png (needs matplotlib).",
    heading=OUTPUT,
)  # fmt: skip
MOST_MOVES = option(
    "NUMBER", "Stop a game after NUMBER moves and count it as unfinished.", heading=LIMITS
)
MOST_STATES = option("NUMBER", "Stop after NUMBER positions.", heading=LIMITS)
MOST_MEMORY = option(
    "BYTES",
    "Memory limit, e.g. 500M or 8G. Default: a quarter of the free memory.",
    heading=LIMITS,
)


class Options:
    """What a command was called with. What may be given several times is a list to typer, and a
    tuple here.
    """

    def __init__(self, **given: Any) -> None:
        for name, field in declared(type(self)).items():
            value = given.pop(name, None)
            several = field.type not in (str, bool)
            value = field.default if value is None else value
            vars(self)[name] = tuple(value or ()) if several else value
        if given:
            raise TypeError(f"{type(self).__name__} has no {', '.join(given)}")

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"{type(self).__name__} cannot be changed")


def declared(options: type[Options]) -> dict[str, Declared]:
    """The fields of a command itself, then those that it inherits."""
    found: dict[str, Declared] = {}
    for base in options.__mro__:
        for name, value in vars(base).items():
            if isinstance(value, Declared):
                found.setdefault(name, value)
    return found


class ColorOptions(Options):
    """What is printed may be coloured."""

    no_color: bool = flag("Disable colour (same as NO_COLOR=1).", heading=OUTPUT)

    @property
    def style(self) -> Style:
        """Colours on standard output, where it can have them."""
        return style_for(sys.stdout, self.no_color)


class ScreenOptions(ColorOptions):
    """A game is shown on a screen."""

    plain: bool = flag(
        "For screen readers: no colour and no cursor movement (same as RULEGAME_PLAIN=1).",
        heading=OUTPUT,
    )

    @property
    def style(self) -> Style:
        return style_for(sys.stdout, self.no_color or self.plain)


class DelayOptions(ScreenOptions):
    """Computers may play."""

    delay: str = option("SECONDS", "Pause after each computer move.", heading=OUTPUT)


class TableOptions(DelayOptions):
    """People play at this terminal."""

    no_handover: bool = flag(
        "Do not clear the screen when handing over in games with hidden information.",
        heading=OUTPUT,
    )
    once: bool = flag("Exit after the game instead of offering a rematch.", heading=OUTPUT)


class ReportOptions(Options):
    """A report is printed: as text or as JSON, perhaps to a file."""

    as_json: bool = JSON
    format: str = option("text|json", "Output format.", default="text", heading=OUTPUT)
    output: str = OUTPUT_FILE


class FindingsOptions(ReportOptions):
    """A report that is one with exit code 1, too: it lists what is wrong."""


class SettingsOptions(ColorOptions):
    """A game may be varied."""

    sets: Texts = repeatable(
        "NAME=VALUE",
        "Set a parameter (listed by `rulegame show`). Repeatable.",
        "--set",
        heading=SETTINGS,
    )
    enable: Texts = repeatable("OPERATION", "Enable an operation. Repeatable.", heading=SETTINGS)
    disable: Texts = repeatable("OPERATION", "Disable an operation. Repeatable.", heading=SETTINGS)


class RulesetOptions(SettingsOptions):
    """A command for one ruleset."""

    ruleset: str = RULESET


def _agree(given: dict[str, Any], field: Declared) -> None:
    """`--json` and `--format json` are the same."""
    wanted, known = given["format"], str(field.metavar).split("|")
    if wanted not in known:
        raise WrongCall(f"--format: expected {joined(known, 'or')}, not '{wanted}'")
    if given["as_json"] and wanted not in (field.default, "json"):
        raise WrongCall("--json and --format cannot be combined")
    if given["as_json"] or wanted == "json":
        given.update(as_json=True, format="json")


def command_of(run: Callable[[Any], int]) -> Callable[..., int]:
    """What typer makes a command of: a function with the options of `run` as its arguments."""
    options: type[Options] = get_type_hints(run)["options"]
    fields = declared(options)
    parameters = [field.parameter(name) for name, field in fields.items()]

    def command(**given: Any) -> int:
        for name, value in given.items():
            fields[name].refuse_empty(name, value)
        if "format" in fields and "as_json" in fields:
            _agree(given, fields["format"])
        made = options(**given)
        if not isinstance(made, ReportOptions) or not made.output:
            return run(made)
        from rulegame_cli.calling.output import written

        codes = (0, 1) if isinstance(made, FindingsOptions) else (0,)
        return written(lambda: run(made), made.output, codes)

    command.__doc__ = options.__doc__
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command
