"""What `--help` prints: whole sentences, wrapped to the terminal, and examples that work."""

from __future__ import annotations

import shutil
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rulegame_cli.calling.opponents import shown_metavar
from rulegame_cli.calling.options import HEADINGS

WIDEST: Final = 100  # longer lines are hard to read
NARROWEST: Final = 40
MOST_BEFORE: Final = 30  # columns of names before what is said about them
EXAMPLES: Final = Path(__file__).with_name("examples.toml")

Row = tuple[str, str]  # a name, and what is said about it


def page(context: Any) -> str:
    """The page about the command of a context of typer's."""
    width = min(WIDEST, max(NARROWEST, shutil.get_terminal_size().columns))
    parameters = context.command.get_params(context)
    arguments = [p for p in parameters if p.param_type_name == "argument"]
    options = [p for p in parameters if p.param_type_name == "option"]
    parts = [[usage(context)], list(_paragraphs(context.command.help or "", width))]
    parts += _sections(list(_commands(context)), width)
    parts += [_examples(context.info_name), *_sections([("Arguments", _rows(arguments))], width)]
    parts += _sections(list(_panels(options)), width)
    return "\n\n".join("\n".join(part) for part in parts if part)


def usage(context: Any) -> str:
    """How the command is called, in one line."""
    if getattr(context.command, "commands", None):
        return f"Usage: {context.command_path} COMMAND [ARGUMENTS]"
    words = [context.command_path]
    for parameter in context.command.get_params(context):
        if parameter.param_type_name == "argument":
            name = f"{parameter.metavar}{'...' if parameter.nargs < 0 else ''}"
            words.append(name if parameter.required else f"[{name}]")
    return f"Usage: {' '.join(words)} [OPTIONS]"


def examples() -> dict[str, list[str]]:
    """Calls that work in the folder of the README, by command; a comment says what for."""
    return tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))


def _paragraphs(text: str, width: int) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ""
        yield from textwrap.wrap(" ".join(paragraph.split()), width, break_on_hyphens=False)


def _examples(name: str) -> list[str]:
    found = examples().get(name, [])
    return ["Examples:", *(f"  {line}" for line in found)] if found else []


def _commands(context: Any) -> Iterator[tuple[str, list[Row]]]:
    """Every command under the heading of its section, with the first sentences of its page."""
    sections: dict[str, list[Row]] = {}
    for name, command in getattr(context.command, "commands", {}).items():
        first = (command.help or "").partition("\n\n")[0]
        sections.setdefault(command.rich_help_panel, []).append((name, first))
    yield from sections.items()


def _panels(options: Iterable[Any]) -> Iterator[tuple[str, list[Row]]]:
    """The options of the command itself, then those that it shares with others, by heading."""
    panels: dict[str, list[Any]] = {heading: [] for heading in ("Options", *HEADINGS)}
    for option in options:
        panels[getattr(option, "rich_help_panel", None) or "Options"].append(option)
    yield from ((heading, _rows(members)) for heading, members in panels.items())


def _rows(parameters: Iterable[Any]) -> list[Row]:
    return [(_names(parameter), _about(parameter)) for parameter in parameters]


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.metavar)
    names = ", ".join(sorted(parameter.opts, key=len))
    return names if parameter.is_flag else f"{names} {shown_metavar(parameter.metavar)}"


def _about(parameter: Any) -> str:
    default = parameter.default
    left_out = f" Default: {default}." if isinstance(default, str) and default else ""
    return f"{parameter.help}{left_out}"


def _sections(sections: Sequence[tuple[str, list[Row]]], width: int) -> list[list[str]]:
    """Each heading with its rows below, in two columns; a long name has a line for itself."""
    most = min(MOST_BEFORE, width // 2)
    names = [len(name) for _, rows in sections for name, _ in rows if len(name) <= most]
    before = 2 + max(names, default=0) + 2
    return [
        [f"{heading}:", *(line for row in rows for line in _row_lines(row, before, width))]
        for heading, rows in sections
        if rows
    ]


def _row_lines(row: Row, before: int, width: int) -> Iterator[str]:
    name, about = row
    lines = textwrap.wrap(" ".join(about.split()), width - before, break_on_hyphens=False)
    if len(name) + 4 > before:
        yield f"  {name}"
    elif lines:
        yield f"  {name}".ljust(before) + lines.pop(0)
    yield from (" " * before + line for line in lines)
