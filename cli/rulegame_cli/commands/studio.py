"""`rulegame studio`, if what it needs is installed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final
from urllib.parse import quote

from rulegame.files import disk
from rulegame_cli.calling.options import Options, argument, flag, option
from rulegame_cli.calling.usage_errors import WrongCall

LIBRARIES: Final = ("starlette", "uvicorn", "websockets", "anyio")


class StudioOptions(Options):
    """Play any game in the browser, on one screen or across devices.

    The page shows the bundled games and the rulesets of the folder. It is open to this machine
    only; with --host others reach it by links that have a key in them.
    """

    folder: str = argument(
        "FOLDER|RULESET",
        "The folder of your rulesets, or one of them; the current folder if left out.",
        required=False,
    )
    host: str = option("ADDRESS", "Let other devices in: 0.0.0.0 for all networks, or one address.")
    port: str = option("NUMBER", "The port; if left out, the first free one from 8417 on.")
    no_browser: bool = flag("Do not open a browser.")


def run(options: StudioOptions) -> int:
    """Exit code 0 when it is closed; 2 if the libraries are missing, or it cannot be opened."""
    try:
        from rulegame_studio.serving import CannotServe, Serving, serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in LIBRARIES:
            raise
        needed = 'rulegame studio needs more libraries: pip install "rulegame[studio]"'
        print(needed, file=sys.stderr)
        return 2
    given = Path(options.folder or ".")
    if not disk.exists(given):
        raise WrongCall(f"there is no folder and no ruleset '{options.folder}'")
    opening = "/"
    if disk.is_file(given):
        opening = f"/play/{quote(f'folder/{given.resolve().name}', safe='')}"
    host, port = options.host or "127.0.0.1", _port(options.port)
    wanted = Serving(str(given.absolute()), host, port, not options.no_browser)
    try:
        return serve(wanted, opening)
    except CannotServe as problem:
        raise WrongCall(f"the studio cannot be opened at {problem}") from None


def _port(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 65536):
        raise WrongCall(f"--port: expected a number from 0 to 65535, not '{text}'")
    return int(text)
