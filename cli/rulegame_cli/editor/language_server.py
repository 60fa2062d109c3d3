"""`rulegame lsp`: the language server. Answers what editors ask; `rulegame.authoring` knows the
answers, `open_files` the files.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from errno import EPIPE
from io import BufferedWriter, FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from rulegame.authoring.completion import complete
from rulegame.authoring.explaining import definition, explain
from rulegame.authoring.formatting import NotFormatted, format_text
from rulegame.authoring.renaming import CannotRename, renamable, rename
from rulegame.authoring.signatures import Signature
from rulegame.authoring.signatures import signature_help as call_help
from rulegame.authoring.symbols import related
from rulegame.diagnostics import Span
from rulegame.files.disk import identity
from rulegame_cli.editor.open_files import Refusal, RulegameServer
from rulegame_cli.editor.quick_fixes import OPTIONS as QUICK_FIXES
from rulegame_cli.editor.quick_fixes import code_actions, workspace_edit
from rulegame_cli.editor.whole_file import LEGEND, folding_ranges, semantic_tokens, symbols
from rulegame_cli.printing.terminal import INTERRUPTED, CannotWrite

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

WATCHED: Final = "**/*.{yaml,yml}"  # parents of open rulesets may change on the disk
SMALL: Final = 40  # characters of a file that may yet become a ruleset
ITEM_KINDS: Final = {
    "key": lsp.CompletionItemKind.Property,
    "name": lsp.CompletionItemKind.Variable,
    "member": lsp.CompletionItemKind.Field,
    "function": lsp.CompletionItemKind.Function,
    "keyword": lsp.CompletionItemKind.Keyword,
    "file": lsp.CompletionItemKind.File,
}


# ---- files


def initialized(server: RulegameServer, params: lsp.InitializedParams) -> None:
    _note_folders(server)
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is not None and watching.dynamic_registration:
        files = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(WATCHED)])
        method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
        wanted = lsp.Registration("rulegame-files", method, files)
        server.client_register_capability(lsp.RegistrationParams([wanted]))


def did_change_folders(server: RulegameServer, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    _note_folders(server)


def _note_folders(server: RulegameServer) -> None:
    folders = [Path(p) for uri in server.workspace.folders if (p := to_fs_path(uri)) is not None]
    root = server.workspace.root_path
    if not folders and root:
        folders = [Path(root)]
    server.rulesets.folders = tuple(identity(folder) for folder in folders)


def did_open(server: RulegameServer, params: lsp.DidOpenTextDocumentParams) -> None:
    server.opened(params.text_document.uri, params.text_document.text)


def did_change(server: RulegameServer, params: lsp.DidChangeTextDocumentParams) -> None:
    document = server.workspace.get_text_document(params.text_document.uri)
    server.opened(params.text_document.uri, document.source)


def did_close(server: RulegameServer, params: lsp.DidCloseTextDocumentParams) -> None:
    server.closed(params.text_document.uri)


def did_change_on_disk(server: RulegameServer, params: lsp.DidChangeWatchedFilesParams) -> None:
    server.rulesets.forget()
    for change in params.changes:
        server.check_soon(server.path(change.uri))


def shutdown(server: RulegameServer, params: Any) -> None:
    server.stopped = True


# ---- questions


def completion(server: RulegameServer, params: lsp.CompletionParams) -> lsp.CompletionList:
    path, line, column = server.place(params)
    text = server.rulesets.files.text(path) or ""
    if not server.rulesets.is_ruleset(path) and len(text.strip()) > SMALL:
        return lsp.CompletionList(False, [])
    return lsp.CompletionList(False, list(_items(server, path, line, column)))


def hover(server: RulegameServer, params: lsp.HoverParams) -> lsp.Hover | None:
    path, line, column = server.place(params)
    if not server.rulesets.is_ruleset(path):
        return None
    found = explain(server.rulesets.study(path), line, column)
    if found is None:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
    return lsp.Hover(content, server.range(path, found.span))


def go_to_definition(server: RulegameServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
    path, line, column = server.place(params)
    if not server.rulesets.is_ruleset(path):
        return []
    checked = server.rulesets.study(path)
    return [_location(server, path, span) for span in definition(checked, line, column)]


def references(server: RulegameServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
    path, line, column = server.place(params)
    if not server.rulesets.is_ruleset(path):
        return []
    outline = server.rulesets.study(path).outline
    found = outline.at(outline.file.shown_as, line, column)
    group = related(found.symbols, outline.occurrences) if found is not None else frozenset()
    wanted = params.context.include_declaration
    return [
        lsp.Location(server.uri(Path(o.span.file)), server.range(Path(o.span.file), o.span))
        for o in outline.occurrences
        if group & set(o.symbols) and (wanted or not o.declares)
    ]


def signature_help(
    server: RulegameServer, params: lsp.SignatureHelpParams
) -> lsp.SignatureHelp | None:
    path, line, column = server.place(params)
    if not server.rulesets.is_ruleset(path):
        return None
    text = server.rulesets.files.text(path) or ""
    found = call_help(server.rulesets.readable(path, line), text, line, column)
    return (
        None
        if found is None
        else lsp.SignatureHelp(
            [_signature(one) for one in found.signatures], found.likely, found.argument
        )
    )


def format_document(
    server: RulegameServer, params: lsp.DocumentFormattingParams
) -> list[lsp.TextEdit] | None:
    path = server.path(params.text_document.uri)
    text = server.rulesets.files.text(path)
    if text is None or not server.rulesets.is_ruleset(path):
        return None
    try:
        formatted = format_text(text, str(path))
    except NotFormatted as refusal:
        raise Refusal(str(refusal)) from None
    return [lsp.TextEdit(server.whole(path), formatted)] if formatted != text else []


# ---- renaming


def prepare_rename(
    server: RulegameServer, params: lsp.PrepareRenameParams
) -> lsp.PrepareRenamePlaceholder | None:
    path, line, column = server.place(params)
    rulesets = server.rulesets
    if not rulesets.is_ruleset(path):
        return None
    try:
        found = renamable(rulesets.study(path), line, column, rulesets.is_editable)
    except CannotRename as refusal:
        raise Refusal(str(refusal)) from None
    return lsp.PrepareRenamePlaceholder(server.range(path, found.span), found.symbols[0].name)


def rename_name(server: RulegameServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    path, line, column = server.place(params)
    rulesets = server.rulesets
    if not rulesets.is_ruleset(path):
        return None
    checked, others = rulesets.study(path), rulesets.rulesets()
    try:
        edits = rename(
            checked, line, column, params.new_name, rulesets.files, others, rulesets.is_editable
        )
    except CannotRename as refusal:
        raise Refusal(str(refusal)) from None
    return workspace_edit(server, edits)


# ---- answers


def _items(
    server: RulegameServer, path: Path, line: int, column: int
) -> Iterator[lsp.CompletionItem]:
    text = server.rulesets.files.text(path) or ""
    checked = server.rulesets.readable(path, line)
    end = lsp.Position(*server.positions(path).to_editor(line, column))
    for number, item in enumerate(complete(checked, text, line, column, server.rulesets.files)):
        start = server.positions(path).to_editor(line, column - item.replaces)
        about = lsp.MarkupContent(lsp.MarkupKind.Markdown, item.about) if item.about else None
        yield lsp.CompletionItem(
            label=item.label,
            kind=ITEM_KINDS[item.kind],
            detail=item.detail or None,
            documentation=about,
            sort_text=f"{number:04}",
            filter_text=item.label,
            text_edit=lsp.TextEdit(lsp.Range(lsp.Position(*start), end), item.text or item.label),
        )


def _location(server: RulegameServer, asked: Path, span: Span) -> lsp.Location:
    path = server.rulesets.study(asked).outline.path_of(span.file) or asked
    return lsp.Location(server.uri(path), server.range(path, span))


def _signature(found: Signature) -> lsp.SignatureInformation:
    arguments = [lsp.ParameterInformation(label=stretch) for stretch in found.arguments]
    about = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.about)
    return lsp.SignatureInformation(found.label, documentation=about, parameters=arguments)


FEATURES: Final[tuple[tuple[str, Callable[..., Any], Any], ...]] = (
    (lsp.INITIALIZED, initialized, None),
    (lsp.SHUTDOWN, shutdown, None),
    (lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, did_change_folders, None),
    (lsp.TEXT_DOCUMENT_DID_OPEN, did_open, None),
    (lsp.TEXT_DOCUMENT_DID_CHANGE, did_change, None),
    (lsp.TEXT_DOCUMENT_DID_CLOSE, did_close, None),
    (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, did_change_on_disk, None),
    (
        lsp.TEXT_DOCUMENT_COMPLETION,
        completion,
        lsp.CompletionOptions(trigger_characters=[".", "{"]),
    ),
    (lsp.TEXT_DOCUMENT_HOVER, hover, None),
    (lsp.TEXT_DOCUMENT_DEFINITION, go_to_definition, None),
    (lsp.TEXT_DOCUMENT_REFERENCES, references, None),
    (
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP,
        signature_help,
        lsp.SignatureHelpOptions(trigger_characters=["(", ","]),
    ),
    (lsp.TEXT_DOCUMENT_CODE_ACTION, code_actions, QUICK_FIXES),
    (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, symbols, None),
    (lsp.TEXT_DOCUMENT_FOLDING_RANGE, folding_ranges, None),
    (lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, semantic_tokens, LEGEND),
    (lsp.TEXT_DOCUMENT_FORMATTING, format_document, None),
    (lsp.TEXT_DOCUMENT_PREPARE_RENAME, prepare_rename, None),
    (lsp.TEXT_DOCUMENT_RENAME, rename_name, lsp.RenameOptions(prepare_provider=True)),
)


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a line belongs into the log: a refusal was told to the one who asked."""
    return record.exc_info is None or not isinstance(record.exc_info[1], Refusal)


class _ToEditor(BufferedWriter):
    """What the editor reads. When it cannot be written any more there is nobody to serve."""

    def write(self, data: Buffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            self._leave(error)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self._leave(error)

    def _leave(self, error: OSError) -> NoReturn:
        if error.errno != EPIPE:  # an editor that is gone knows
            print(f"rulegame: {CannotWrite(error)}", file=sys.stderr)
        os._exit(1)


def serve() -> int:
    """Talks to an editor until it leaves; exit code 0 if it said so before."""
    if sys.stdin.isatty():
        print("rulegame lsp: editors start this command; see docs/editors.md", file=sys.stderr)
    # Nothing but the protocol may reach the editor; and at Ctrl-C nothing is left to be saved.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    stdout = _ToEditor(FileIO(os.dup(sys.stdout.fileno()), "wb"))
    sys.stdout = sys.stderr
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    for handler in logging.getLogger().handlers:
        handler.addFilter(_is_news)
    server = RulegameServer()
    for name, answer, options in FEATURES:
        server.feature(name, options)(answer)
    server.start_io(sys.stdin.buffer, stdout)
    return 0 if server.stopped else 1
