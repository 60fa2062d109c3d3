"""Explanations for someone who points at a name or a key: what it is, of which type, what for."""

from __future__ import annotations

from typing import Final, NamedTuple

from rulegame.authoring.outline import covers, key_at
from rulegame.authoring.scopes import RESULTS, SPECIAL
from rulegame.authoring.study import Study
from rulegame.authoring.symbols import Occurrence, Symbol
from rulegame.diagnostics import Span
from rulegame.keys.ruleset import place_at
from rulegame.language.functions import FUNCTIONS

WHAT: Final = {"setup": "setup choice", "loop": "each element of a loop", "value": "value"}


class Hover(NamedTuple):
    """Markdown about a stretch of a file."""

    text: str
    span: Span


def explain(checked: Study, line: int, column: int) -> Hover | None:
    """What stands at a place of the ruleset's own file; None if there is nothing to say."""
    file = checked.outline.file
    found = checked.outline.at(file.shown_as, line, column)
    if found is not None:
        return Hover(_about_name(checked, found), found.span)
    key = key_at(file.root, line, column)
    part = place_at(key[0]) if key is not None else None
    if key is None or part is None or not part.description:
        return None
    return Hover(part.description, key[1].span)


def definition(checked: Study, line: int, column: int) -> tuple[Span, ...]:
    """Where the name at a place is declared: in the oldest parent that has it. What a ruleset
    extends is the parent's file.
    """
    outline = checked.outline
    found = outline.at(outline.file.shown_as, line, column)
    if found is not None:
        declared = (outline.names.declaration(symbol) for symbol in found.symbols)
        own = (o.span for o in outline.occurrences if o.declares and o.symbols == found.symbols)
        return tuple(d.span for d in declared if d is not None) or tuple(own)
    extends = outline.file.root.get("extends")
    if extends is not None and covers(extends.span, line, column) and len(outline.files) > 1:
        return (Span.whole(outline.files[1].shown_as),)
    return ()


def _about_name(checked: Study, found: Occurrence) -> str:
    symbol = found.symbols[0]
    if symbol.kind == "function":
        function = FUNCTIONS[symbol.name]
        return f"**function** `{function.usage}`\n\n{function.about}"
    type_ = checked.type_at(found.span) or checked.type_of(symbol)
    lines = [f"**{_what(checked, found)}**" + (f": {type_}" if type_ else "")]
    names = checked.outline.names
    about = names.about(symbol) or {**SPECIAL, **RESULTS}.get(symbol.name, "")
    if about and (symbol.kind != "special" or symbol.name != "name"):
        lines.append(_plain(about))
    latest = names.declared.get(symbol, ())[-1:]
    for declaration in latest:
        written = declaration.span.source.strip()[:200]
        if not written.endswith(":"):
            lines.append(f"```yaml\n{written}\n```")
        if declaration.span.file != checked.outline.file.shown_as:
            path = checked.outline.path_of(declaration.span.file)
            lines.append(f"inherited from `{path.name if path else declaration.span.file}`")
    return "\n\n".join(lines)


def _what(checked: Study, found: Occurrence) -> str:
    """What kind of thing a name is, and whose."""
    symbol = found.symbols[0]
    if symbol.kind == "special":
        return symbol.name
    if symbol.kind == "text name":
        return f"{symbol.name}, which this text knows"
    what = WHAT.get(symbol.kind, symbol.kind)
    if checked.outline.names.is_each_player(symbol):
        what = "value of each player"
    owners = _owners(found.symbols)
    return f"{what} {symbol.name}" + (f" of {owners}" if owners else "")


def _owners(symbols: tuple[Symbol, ...]) -> str:
    if symbols[0].kind == "loop":
        return ""
    return ", ".join(dict.fromkeys(s.owner for s in symbols if s.owner))


def _plain(text: str) -> str:
    """A ruleset's own words are no markup."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|" else sign for sign in text)
