"""`--plot FILE`: a result as a picture, drawn by matplotlib, if that is installed."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from rulegame.extras import require
from rulegame_cli.calling.output import check_output, deliver_bytes
from rulegame_cli.calling.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.shown import Plotted

SUFFIXES: Final = (".svg", ".png")


def check_plot(path: str) -> None:
    """WrongCall if nothing can be drawn there: better now than after the work."""
    if not path:
        return
    if PurePath(path).suffix.lower() not in SUFFIXES:
        raise WrongCall(f"--plot: expected a .svg or .png file, not '{path}'")
    check_output(path, "--plot")
    require("plots")


def write_plot(result: Plotted, path: str) -> None:
    """Draws a result to the file, if one is named."""
    if path:
        from rulegame.showing import plot_of

        form = PurePath(path).suffix.lower().removeprefix(".")
        deliver_bytes(plot_of(result).data(form), path, "--plot")
