"""`rulegame lsp`, if what it needs is installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec


def run() -> int:
    """Exit code 1 if the language server's library is missing, or if an editor left unannounced."""
    if find_spec("pygls") is None:
        print('rulegame lsp needs one more library: pip install "rulegame[lsp]"', file=sys.stderr)
        return 1
    from rulegame_cli.language_server import serve

    return serve()
