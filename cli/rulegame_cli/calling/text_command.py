"""Typer commands whose arguments stay the texts that were typed, and whose help is ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperGroup

# Our arguments are texts, lists of texts and flags: there is nothing to convert. Newer versions of
# typer import pydantic for the first value that they convert, even for an option that was left out,
# and that takes about as long as everything else that `rulegame validate` does.


class TextCommand(TyperCommand):
    """A command that converts no values."""

    def get_params(self, ctx: Any) -> Any:
        return _without_conversion(super().get_params(ctx))

    def get_help(self, ctx: Any) -> str:
        from rulegame_cli.calling.help_pages import page

        return page(ctx)

    def get_usage(self, ctx: Any) -> str:
        from rulegame_cli.calling.help_pages import usage

        return usage(ctx)


class TextGroup(TyperGroup):
    """A group of commands that converts no values."""

    def get_params(self, ctx: Any) -> Any:
        return _without_conversion(super().get_params(ctx))

    def get_help(self, ctx: Any) -> str:
        from rulegame_cli.calling.help_pages import page

        return page(ctx)

    def get_usage(self, ctx: Any) -> str:
        from rulegame_cli.calling.help_pages import usage

        return usage(ctx)


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
