"""Renaming: the edits that give a name of a ruleset another name everywhere, in its files and in
those of the rulesets that extend them. What a rename would break is refused, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from rulegame import bundled
from rulegame.authoring.files import OpenFiles
from rulegame.authoring.outline import File, Outline
from rulegame.authoring.study import Study, study
from rulegame.authoring.symbols import BUILT_IN, Occurrence, Symbol, related
from rulegame.diagnostics import Edit, Span
from rulegame.edits import apply_edits
from rulegame.files.disk import identity
from rulegame.keys.values import RESERVED
from rulegame.language.functions import FUNCTIONS
from rulegame.source.nodes import Entry, Mapping, mapping_of
from rulegame.source.unknown_keys import NAMES_RULE

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_YAML_WORDS: Final = ("null", "true", "false")  # a plain scalar of this text is not a name


Editable = Callable[[Path], bool]  # whether a file may be changed


class CannotRename(Exception):
    """Why something cannot be renamed, in one line for people."""


def is_not_bundled(path: Path) -> bool:
    """Bundled rulesets are everybody's: nobody may change them."""
    return not identity(path).is_relative_to(bundled.rulesets_folder().resolve())


def renamable(
    checked: Study, line: int, column: int, editable: Editable = is_not_bundled
) -> Occurrence:
    """The name at a place of the ruleset's own file, if it can be renamed."""
    outline = checked.outline
    found = outline.at(outline.file.shown_as, line, column)
    if found is None:
        raise CannotRename("there is no name to rename here")
    symbol = found.symbols[0]
    if symbol.kind in BUILT_IN:
        raise CannotRename(f"'{symbol.name}' is part of the language")
    for one in related(found.symbols, outline.occurrences):
        _check_declared(outline, one, editable)
    if checked.has_errors:
        raise CannotRename("fix the errors in this ruleset before renaming")
    return found


def rename(
    checked: Study,
    line: int,
    column: int,
    name: str,
    files: OpenFiles,
    others: Iterable[Study] = (),
    editable: Editable = is_not_bundled,
) -> tuple[Edit, ...]:
    """The edits that rename what stands at a place; `others` are the rulesets that may extend the
    same files.
    """
    found = renamable(checked, line, column, editable)
    old = found.symbols[0].name
    _check_name(name, found.symbols)
    if name == old:
        return ()
    touched = [checked, *_relatives(checked, others)]
    occurrences = [o for one in touched for o in one.outline.occurrences]
    group = related(found.symbols, occurrences)
    edits = {
        Edit(o.span._replace(file=str(identity(path))), name)
        for one in touched
        for o in one.outline.occurrences
        if group & set(o.symbols) and (path := one.outline.path_of(o.span.file)) is not None
    }
    for one in touched:
        edits |= _kept_labels(one.outline, group)
    result = tuple(sorted(edits, key=lambda e: e.span[:3]))
    for edit in result:
        _check_editable(Path(edit.span.file), old, editable)
    _check_result(touched, result, files)
    return result


# ---- what must hold


def _check_declared(outline: Outline, symbol: Symbol, editable: Editable) -> None:
    """What is inherited has the name that it has in the parent."""
    for declaration in outline.names.declared.get(symbol, ()):
        path = outline.path_of(declaration.span.file)
        if path is not None:
            _check_editable(path, symbol.name, editable)


def _check_editable(path: Path, name: str, editable: Editable) -> None:
    if editable(path):
        return
    if not is_not_bundled(path):
        raise CannotRename(
            f"'{name}' belongs to the bundled ruleset '{path.stem}' and cannot be changed"
        )
    raise CannotRename(f"'{name}' is used in {path.name}, which is outside this workspace")


def _check_name(name: str, symbols: Sequence[Symbol]) -> None:
    if _NAME.fullmatch(name) is None:
        raise CannotRename(f"'{name}' is not a name: {NAMES_RULE}")
    in_expressions = symbols[0].kind not in (
        "operation",
        "setup",
        "step",
        "validity rule",
        "end rule",
    )
    if (name in RESERVED and in_expressions) or name.lower() in _YAML_WORDS:
        raise CannotRename(f"'{name}' is a reserved word")
    function = FUNCTIONS.get(name)
    if symbols[0].kind == "definition" and function is not None and not function.is_shadowable:
        raise CannotRename(f"'{name}' is a built-in function")


def _check_result(touched: Sequence[Study], edits: Sequence[Edit], files: OpenFiles) -> None:
    """Nothing may be wrong afterwards, and every name must still mean what it meant."""
    texts: dict[Path, str] = {}
    for file in {e.span.file for e in edits}:
        path = Path(file)
        text = files.text(path)
        if text is None:
            raise CannotRename(f"cannot read {path.name}")
        texts[path] = apply_edits(text, [e for e in edits if e.span.file == file])
    after = files.with_texts(texts)
    for before in touched:
        result = study(before.path, after)
        wrong = next((d for d in result.diagnostics if d.severity == "error"), None)
        if wrong is not None and not before.has_errors:
            raise CannotRename(f"renaming would cause an error: {wrong.message}")
        if _meanings(result.outline) != _meanings(before.outline):
            raise CannotRename("that name is taken: other names would change their meaning")


def _meanings(outline: Outline) -> list[tuple[str, tuple[int, ...]]]:
    """What each name of a ruleset means, told by where else the same is meant, not by its name."""
    first: dict[Symbol, int] = {}
    found: list[tuple[str, tuple[int, ...]]] = []
    for at, one in enumerate(outline.occurrences):
        places = (first.setdefault(symbol, at) for symbol in one.symbols)
        found.append((one.symbols[0].kind, tuple(sorted(set(places)))))
    return found


# ---- what belongs to it


def _relatives(checked: Study, others: Iterable[Study]) -> list[Study]:
    """The rulesets that have a file in common with this one; a bundled one in common changes
    nothing.
    """
    home = bundled.rulesets_folder().resolve()
    mine = {identity(f.path) for f in checked.outline.files}
    mine = {path for path in mine if not path.is_relative_to(home)} | {identity(checked.path)}
    return [
        other
        for other in others
        if identity(other.path) != identity(checked.path)
        and mine & {identity(f.path) for f in other.outline.files}
    ]


def _kept_labels(outline: Outline, group: frozenset[Symbol]) -> set[Edit]:
    """People go on reading and typing the label that an operation's old name made."""
    found: set[Edit] = set()
    for section, kind in (("operations", "operation"), ("setup", "setup")):
        for symbol in group:
            if symbol.kind != kind:
                continue
            declaring = [f for f in outline.files if symbol.name in _section(f, section)]
            nodes = [mapping_of(_section(f, section)[symbol.name].value) for f in declaring]
            if declaring and not any(node.get("label") is not None for node in nodes):
                label = symbol.name.replace("_", " ").title()
                edit = _label(declaring[-1], nodes[-1], label)
                found |= {edit} if edit is not None else set()
    return found


def _section(file: File, section: str) -> dict[str, Entry]:
    return mapping_of(file.root.get(section)).entries


def _label(file: File, node: Mapping, label: str) -> Edit | None:
    """The label before the first key of an operation, in the style that it is written in."""
    first = next(iter(node.entries.values()), None)
    if first is None:
        return None
    at = first.key.span
    quoted = at.source[at.column - 2 : at.column - 1] if first.key.quoted else ""
    column = at.column - (1 if quoted in ("'", '"') and quoted else 0)
    behind = ", " if node.flow else "\n" + " " * (column - 1)
    home = str(identity(file.path))
    place = Span(home, at.line, column, at.line, column, at.source)
    return Edit(place, f"label: {label}{behind}")
