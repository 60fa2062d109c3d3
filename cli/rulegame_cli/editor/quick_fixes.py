"""Quick fixes: what diagnostics suggest to write, as actions of an editor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from lsprotocol import types as lsp

from rulegame.authoring.fixing import fix
from rulegame.diagnostics import Diagnostic, Edit
from rulegame.files.disk import identity
from rulegame_cli.editor.open_files import RulegameServer

FIX: Final = lsp.CodeActionKind.QuickFix
FIX_ALL: Final = lsp.CodeActionKind.SourceFixAll
OPTIONS: Final = lsp.CodeActionOptions(code_action_kinds=[FIX, FIX_ALL])


def code_actions(server: RulegameServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """What helps against the problems at a place; everything at once only if it is asked for."""
    path = server.path(params.text_document.uri)
    if not server.rulesets.is_ruleset(path):
        return []
    only = params.context.only
    found = list(_quick_fixes(server, path, params)) if _wanted(FIX, only) else []
    if only and _wanted(FIX_ALL, only):
        found += _fix_all(server, path)
    return found


def _wanted(kind: str, only: Sequence[str] | None) -> bool:
    """A kind stands for all that begin with it."""
    return not only or any(kind == one or kind.startswith(f"{one}.") for one in only)


def _quick_fixes(
    server: RulegameServer, path: Path, params: lsp.CodeActionParams
) -> Iterator[lsp.CodeAction]:
    told = params.context.diagnostics
    for problem in server.problems(path):
        place = server.range(path, problem.span)
        if not _meet(place, params.range):
            continue
        shown = [d for d in told if (d.code, d.range) == (problem.code, place)]
        for suggestion in problem.suggestions:
            if suggestion.edits:
                yield lsp.CodeAction(
                    title=suggestion.title,
                    kind=FIX,
                    diagnostics=shown[:1] or [server.diagnostic(path, problem)],
                    edit=workspace_edit(server, suggestion.edits),
                    is_preferred=bool(problem.fix),
                )


def _fix_all(server: RulegameServer, path: Path) -> Iterator[lsp.CodeAction]:
    key, text = identity(path), server.rulesets.files.text(path) or ""

    def check(new: str) -> tuple[Diagnostic, ...]:
        return server.rulesets.diagnostics_of(key, new)

    fixed = fix(text, str(key), check)
    if fixed.edits:
        edit = lsp.TextEdit(server.whole(path), fixed.text)
        title = "Apply all safe fixes"
        changes = {server.uri(path): [edit]}
        yield lsp.CodeAction(title, FIX_ALL, edit=lsp.WorkspaceEdit(changes=changes))


def workspace_edit(server: RulegameServer, edits: Sequence[Edit]) -> lsp.WorkspaceEdit:
    """Edits of files, as an editor makes them."""
    changes: dict[str, list[lsp.TextEdit]] = {}
    for edit in edits:
        file = Path(edit.span.file)
        new = lsp.TextEdit(server.range(file, edit.span), edit.text)
        changes.setdefault(server.uri(file), []).append(new)
    return lsp.WorkspaceEdit(changes=changes)


def _meet(one: lsp.Range, other: lsp.Range) -> bool:
    """Whether two stretches touch."""
    return _at(one.start) <= _at(other.end) and _at(other.start) <= _at(one.end)


def _at(position: lsp.Position) -> tuple[int, int]:
    return position.line, position.character
