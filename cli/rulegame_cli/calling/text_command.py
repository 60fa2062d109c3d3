"""Typer commands whose arguments stay the texts that were typed, and whose help is ours; what is
wrong with a call is told in one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

# Our arguments are texts, lists of texts and flags: there is nothing to convert. Newer versions of
# typer import pydantic for the first value that they convert, even for an option that was left out,
# and that takes about as long as everything else that `rulegame validate` does.


class _Texts:
    """What commands and groups of them share."""

    def get_params(self, ctx: Any) -> Any:
        parent: Any = super()
        return _without_conversion(parent.get_params(ctx))

    def get_help(self, ctx: Any) -> str:
        from rulegame_cli.calling.help_pages import page

        return page(ctx)

    def get_usage(self, ctx: Any) -> str:
        from rulegame_cli.calling.help_pages import usage

        return usage(ctx)


class TextCommand(_Texts, TyperCommand):
    """A command that converts no values."""

    allow_extra_args = True  # which are then refused in our words

    def invoke(self, ctx: Any) -> Any:
        if ctx.args:
            from rulegame_cli.calling.usage_errors import complain, one_too_many

            complain(one_too_many(ctx.args[0], ctx))
            raise typer.Exit(2)
        return super().invoke(ctx)


class TextGroup(_Texts, TyperGroup):
    """A group of commands that converts no values."""

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        with _in_one_line():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: Any) -> Any:
        with _in_one_line():
            return super().invoke(ctx)


MISUSE: Final[Any] = typer.BadParameter.__mro__[1]  # the base of all that typer finds wrong


@contextmanager
def _in_one_line() -> Iterator[None]:
    """What typer finds wrong with a call, as we say it."""
    try:
        yield
    except MISUSE as mistake:
        if type(mistake).__name__ == "NoArgsIsHelpError":
            raise
        from rulegame_cli.calling.usage_errors import complain, misused

        complain(misused(mistake))
        raise typer.Exit(2) from None


def _without_conversion(parameters: Iterable[Any]) -> list[Any]:
    listed = list(parameters)
    for parameter in listed:
        if "process_value" not in vars(parameter):
            parameter.process_value = _unless_text(parameter, parameter.process_value)
    return listed


def _unless_text(parameter: Any, convert: Any) -> Any:
    def process(context: Any, value: Any) -> Any:
        if value is None or value == ():
            return convert(context, value) if parameter.required else value
        texts = value if isinstance(value, (list, tuple)) else (value,)
        if parameter.callback is None and all(isinstance(text, str) for text in texts):
            return value
        return convert(context, value)

    return process
