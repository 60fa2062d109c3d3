"""What an editor shows of a whole file: its outline, what can be folded, the colours of words."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from lsprotocol import types as lsp

from rulegame.authoring.contents import Heading, contents
from rulegame.authoring.folding import folds
from rulegame.authoring.highlighting import Token, tokens
from rulegame_cli.editor.open_files import RulegameServer

SYMBOL_KINDS: Final = {
    "section": lsp.SymbolKind.Namespace,
    "entry": lsp.SymbolKind.Key,
    "parameter": lsp.SymbolKind.Constant,
    "definition": lsp.SymbolKind.Function,
    "value": lsp.SymbolKind.Variable,
    "operation": lsp.SymbolKind.Method,
    "setup": lsp.SymbolKind.Method,
    "choice": lsp.SymbolKind.Field,
    "value of a move": lsp.SymbolKind.Variable,
    "roll": lsp.SymbolKind.Field,
    "step": lsp.SymbolKind.Field,
    "validity rule": lsp.SymbolKind.Interface,
    "end rule": lsp.SymbolKind.Event,
}
BUILT_IN: Final = (lsp.SemanticTokenModifiers.DefaultLibrary,)
CONSTANT: Final = (lsp.SemanticTokenModifiers.Readonly,)
TOKEN_KINDS: Final[dict[str, tuple[lsp.SemanticTokenTypes, tuple[str, ...]]]] = {
    "parameter": (lsp.SemanticTokenTypes.Variable, CONSTANT),
    "value": (lsp.SemanticTokenTypes.Property, ()),
    "definition": (lsp.SemanticTokenTypes.Function, ()),
    "function": (lsp.SemanticTokenTypes.Function, BUILT_IN),
    "operation": (lsp.SemanticTokenTypes.Method, ()),
    "setup": (lsp.SemanticTokenTypes.Method, ()),
    "choice": (lsp.SemanticTokenTypes.Parameter, ()),
    "value of a move": (lsp.SemanticTokenTypes.Variable, ()),
    "roll": (lsp.SemanticTokenTypes.Parameter, ()),
    "argument": (lsp.SemanticTokenTypes.Parameter, ()),
    "loop": (lsp.SemanticTokenTypes.Variable, ()),
    "step": (lsp.SemanticTokenTypes.Namespace, ()),
    "validity rule": (lsp.SemanticTokenTypes.Interface, ()),
    "end rule": (lsp.SemanticTokenTypes.Event, ()),
    "word": (lsp.SemanticTokenTypes.EnumMember, ()),
    "special": (lsp.SemanticTokenTypes.Variable, (*BUILT_IN, *CONSTANT)),
    "text name": (lsp.SemanticTokenTypes.Variable, (*BUILT_IN, *CONSTANT)),
    "keyword": (lsp.SemanticTokenTypes.Keyword, ()),
    "type": (lsp.SemanticTokenTypes.Type, BUILT_IN),
    "number": (lsp.SemanticTokenTypes.Number, ()),
    "string": (lsp.SemanticTokenTypes.String, ()),
    "operator": (lsp.SemanticTokenTypes.Operator, ()),
}
TYPES: Final = list(dict.fromkeys(kind.value for kind, _ in TOKEN_KINDS.values()))
MODIFIERS: Final = [m.value for m in (lsp.SemanticTokenModifiers.Declaration, *BUILT_IN, *CONSTANT)]
LEGEND: Final = lsp.SemanticTokensLegend(TYPES, MODIFIERS)


def symbols(server: RulegameServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    path = server.path(params.text_document.uri)
    if not server.rulesets.is_ruleset(path):
        return []
    return [_symbol(server, path, one) for one in contents(server.rulesets.legible(path))]


def _symbol(server: RulegameServer, path: Path, heading: Heading) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=heading.name or " ",  # the protocol wants one
        kind=SYMBOL_KINDS[heading.kind],
        range=server.range(path, heading.whole),
        selection_range=server.range(path, heading.key),
        detail=heading.detail or None,
        children=[_symbol(server, path, inner) for inner in heading.inner],
    )


def folding_ranges(
    server: RulegameServer, params: lsp.FoldingRangeParams
) -> list[lsp.FoldingRange]:
    path = server.path(params.text_document.uri)
    if not server.rulesets.is_ruleset(path):
        return []
    positions = server.positions(path)
    found = []
    for fold in folds(server.rulesets.files.text(path) or ""):
        kind = lsp.FoldingRangeKind.Comment if fold.comment else None
        first, last = (positions.to_editor(line, 1)[0] for line in (fold.first, fold.last))
        if first < last:
            found.append(lsp.FoldingRange(first, last, kind=kind))
    return found


def semantic_tokens(server: RulegameServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    """Five numbers for each word: lines and columns count from the word before it."""
    path = server.path(params.text_document.uri)
    data: list[int] = []
    if not server.rulesets.is_ruleset(path):
        return lsp.SemanticTokens(data)
    line = column = 0
    for token in tokens(server.rulesets.legible(path)):
        place = server.range(path, token.span)
        start, length = place.start, place.end.character - place.start.character
        if length <= 0 or place.end.line != start.line:
            continue
        column = column if start.line == line else 0
        data += [start.line - line, start.character - column, length, *_numbers(token)]
        line, column = start.line, start.character
    return lsp.SemanticTokens(data)


def _numbers(token: Token) -> tuple[int, int]:
    """The type of a word and its modifiers, by their places in the legend."""
    type_, modifiers = TOKEN_KINDS[token.kind]
    bits = sum(1 << MODIFIERS.index(lsp.SemanticTokenModifiers(m).value) for m in modifiers)
    return TYPES.index(type_.value), bits | int(token.declares)
