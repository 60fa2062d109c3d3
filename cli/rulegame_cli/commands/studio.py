"""`rulegame studio`, if what it needs is installed."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from rulegame.extras import require
from rulegame.files import disk
from rulegame_cli.calling.options import Options, argument, flag, option
from rulegame_cli.calling.usage_errors import WrongCall


class StudioOptions(Options):
    """Play games in the browser, on one device or several.

    Lists the bundled games and the rulesets in FOLDER. Only this machine can connect; with --host,
    other devices can too, through links with a key.
    """

    folder: str = argument(
        "FOLDER|RULESET",
        "Folder with your rulesets, or one ruleset. Default: the current folder.",
        required=False,
    )
    host: str = option("ADDRESS", "Accept other devices: 0.0.0.0 for all networks, or one address.")
    port: str = option("NUMBER", "Port. Default: the first free port from 8417.")
    new_keys: bool = flag("Make all old links invalid, also those of seats and watchers.")
    no_browser: bool = flag("Do not open a browser.")


def run(options: StudioOptions) -> int:
    """Exit code 0 when it is closed; 2 if the libraries are missing, or it cannot be opened."""
    require("studio")
    from rulegame_studio.serving import CannotServe, Serving, serve

    given = Path(options.folder or ".")
    if not disk.exists(given):
        raise WrongCall(f"No folder or ruleset '{options.folder}'.")
    opening = "/"
    if disk.is_file(given):
        opening = f"/play/{quote(f'folder/{given.resolve().name}', safe='')}"
    host, port = options.host or "127.0.0.1", _port(options.port)
    browser = not options.no_browser
    wanted = Serving(str(given.absolute()), host, port, browser, options.new_keys)
    try:
        return serve(wanted, opening)
    except CannotServe as problem:
        raise WrongCall(f"Cannot start the studio at {problem}") from None


def _port(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 65536):
        raise WrongCall(f"--port: expected a number from 0 to 65535, not '{text}'")
    return int(text)
