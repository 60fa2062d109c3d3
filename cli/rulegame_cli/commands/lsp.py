"""`rulegame lsp`, if what it needs is installed."""

from __future__ import annotations

from rulegame.extras import require
from rulegame_cli.calling.options import Options, flag


class LspOptions(Options):
    """Start the language server for editors (errors as you type, completion, rename).

    Editors start it themselves and talk to it over standard input and output. See docs/editors.md
    for setup.
    """

    stdio: bool = flag("Accepted for editors that pass it; has no effect.")


def run(options: LspOptions) -> int:
    """Exit code 1 if an editor left unannounced; 2 if pygls is not installed."""
    require("lsp")
    from rulegame_cli.editor.language_server import serve

    return serve()
