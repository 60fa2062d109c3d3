"""The language server's side of a conversation with an editor: its files, their places, and what is
wrong with them, published whenever it changes.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from rulegame import __version__
from rulegame.authoring.workspace import Workspace
from rulegame.codes import CODES
from rulegame.diagnostics import Diagnostic, Span
from rulegame.files.disk import identity
from rulegame_cli.editor.positions import UTF16, Positions
from rulegame_cli.printing.error_pages import pages_folder

log = logging.getLogger("rulegame")

PAUSE: Final = 0.15  # seconds without a change, until a ruleset is checked


class Refusal(JsonRpcException):
    """What a request is refused for, in one line for people: no mistake of anybody's."""

    CODE = -32803  # `RequestFailed` in the protocol


class RulegameServer(LanguageServer):
    """The state of one conversation with an editor."""

    def __init__(self) -> None:
        full = lsp.TextDocumentSyncKind.Full  # files are small, and whole texts cannot go astray
        super().__init__("rulegame", __version__, text_document_sync_kind=full, max_workers=1)
        self.rulesets = Workspace()
        self.stopped = False  # whether the editor has said that it will leave
        self._uris: dict[Path, str] = {}
        self._positions: dict[Path, tuple[str, Positions]] = {}
        self._due: dict[Path, Any] = {}  # the timers of the files to be checked
        self._found: dict[Path, dict[Path, list[lsp.Diagnostic]]] = {}  # by who found them

    def report_server_error(self, error: Exception, source: Any) -> None:
        """A mistake of the server is logged; nobody who writes a game has to care."""
        if not isinstance(error, Refusal):
            log.error("internal error: %s", error, exc_info=error)

    # ---- files

    def path(self, uri: str) -> Path:
        """The path of a file; one that was never saved lies in the first folder."""
        found = to_fs_path(uri)
        if found is not None:
            return Path(found)
        folder = self.rulesets.folders[0] if self.rulesets.folders else Path.cwd()
        return folder / "".join(c if c.isalnum() else "_" for c in uri)

    def uri(self, path: Path) -> str:
        """The address that the editor knows a file by."""
        return self._uris.get(identity(path)) or identity(path).as_uri()

    def positions(self, path: Path) -> Positions:
        """The places of a file, kept as long as its text is the same."""
        key, text = identity(path), self.rulesets.files.text(path) or ""
        known = self._positions.get(key)
        if known is None or known[0] != text:
            known = self._positions[key] = text, Positions(text, _encoding(self.workspace))
        return known[1]

    def range(self, path: Path, span: Span) -> lsp.Range:
        positions = self.positions(path)
        start = positions.to_editor(span.line, span.column)
        end = max(start, positions.to_editor(span.end_line, span.end_column))
        return lsp.Range(lsp.Position(*start), lsp.Position(*end))

    def whole(self, path: Path) -> lsp.Range:
        """All of a file."""
        end = self.positions(path).to_editor(sys.maxsize, sys.maxsize)
        return lsp.Range(lsp.Position(0, 0), lsp.Position(*end))

    def place(self, params: Any) -> tuple[Path, int, int]:
        """The file and the place that a request is about."""
        path = self.path(params.text_document.uri)
        at = params.position
        return path, *self.positions(path).to_engine(at.line, at.character)

    def opened(self, uri: str, text: str) -> None:
        """A file was opened, or has changed."""
        path = self.path(uri)
        self._uris[identity(path)] = uri
        self.rulesets.put(path, text)
        self.check_soon(path)

    def closed(self, uri: str) -> None:
        path = self.path(uri)
        depending = self.rulesets.depending_on(path)
        self.rulesets.close(path)
        self._publish(self._note(path, {}))
        self._uris.pop(identity(path), None)
        self._positions.pop(identity(path), None)
        for ruleset in depending:
            self.check_soon(ruleset)

    # ---- diagnostics

    def check_soon(self, path: Path) -> None:
        """Checks a file, and what depends on it, when nothing has changed for a moment."""
        key = identity(path)
        timer = self._due.pop(key, None)
        if timer is not None:
            timer.cancel()
        self._due[key] = asyncio.get_running_loop().call_later(PAUSE, self._check, key)

    def _check(self, path: Path) -> None:
        self._due.pop(path, None)
        try:
            touched: set[Path] = set()
            for ruleset in self.rulesets.depending_on(path):
                found = self.rulesets.diagnostics(ruleset)
                touched |= self._note(
                    ruleset, {file: self._diagnostics(file, d) for file, d in found.items()}
                )
            self._publish(touched)
        except Exception as error:  # whatever it is, the editor's next change may be fine again
            self.report_server_error(error, None)

    def _note(self, finder: Path, found: dict[Path, list[lsp.Diagnostic]]) -> set[Path]:
        """Remembers what one ruleset's check has found; the files that this is about."""
        key = identity(finder)
        before = self._found.pop(key, {})
        if found:
            self._found[key] = found
        return {*before, *found}

    def _publish(self, touched: set[Path]) -> None:
        """Tells the editor of all that is wrong in some files, whichever ruleset found it."""
        for path in sorted(touched):
            every = [d for each in self._found.values() for d in each.get(path, ())]
            unique = [d for k, d in enumerate(every) if d not in every[:k]]
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(self.uri(path), unique)
            )

    def problems(self, path: Path) -> list[Diagnostic]:
        """All that is wrong in a file, whichever open ruleset has it."""
        every = (self.rulesets.diagnostics(r) for r in self.rulesets.depending_on(path))
        return list(dict.fromkeys(d for found in every for d in found.get(identity(path), ())))

    def _diagnostics(self, path: Path, found: tuple[Diagnostic, ...]) -> list[lsp.Diagnostic]:
        return [self.diagnostic(path, one) for one in found]

    def diagnostic(self, path: Path, found: Diagnostic) -> lsp.Diagnostic:
        error, warning = lsp.DiagnosticSeverity.Error, lsp.DiagnosticSeverity.Warning
        page = pages_folder() / CODES[found.code].page
        return lsp.Diagnostic(
            range=self.range(path, found.span),
            message=f"{found.message}\n{found.hint}" if found.hint else found.message,
            severity=error if found.severity == "error" else warning,
            code=found.code,
            code_description=lsp.CodeDescription(page.as_uri()),
            source="rulegame",
            related_information=[
                lsp.DiagnosticRelatedInformation(
                    lsp.Location(
                        self.uri(Path(r.span.file)), self.range(Path(r.span.file), r.span)
                    ),
                    r.message,
                )
                for r in found.related
            ],
            data={"explain": f"rulegame explain {found.code}", "hint": found.hint},
        )


def _encoding(workspace: Any) -> str:
    """The unit of columns that was agreed with the editor."""
    agreed = workspace.position_encoding
    return str(getattr(agreed, "value", agreed) or UTF16)
