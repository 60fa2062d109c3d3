"""`rulegame lsp`, if what it needs is installed."""

from __future__ import annotations

import sys
from typing import Final

from rulegame_cli.calling.options import Options, flag

LIBRARIES: Final = ("pygls", "lsprotocol", "cattrs")


class LspOptions(Options):
    """Serve editors: problems as you type, completion, renaming.

    Editors start this themselves, as a language server over standard input and output:
    docs/editors.md says how to set them up.
    """

    stdio: bool = flag("Which is what it does anyway: some editors say so.")


def run(options: LspOptions) -> int:
    """Exit code 1 if the language server's library is missing, or if an editor left unannounced."""
    try:
        from rulegame_cli.editor.language_server import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in LIBRARIES:
            raise
        print('rulegame lsp needs one more library: pip install "rulegame[lsp]"', file=sys.stderr)
        return 1
    return serve()
