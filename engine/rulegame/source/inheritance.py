"""Variants: short forms written out, and one ruleset patched by another (JSON Merge Patch, RFC
7396).

A merged node keeps the position that it came from, so that an error in an inherited value points
into the parent.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rulegame import bundled
from rulegame.codes import NOT_YAML, UNKNOWN_KEY
from rulegame.diagnostics import Diagnostic, Hint, Related, Span, did_you_mean, has_errors
from rulegame.edits import offered, source_text
from rulegame.files import disk
from rulegame.keys.kinds import Entries, Kind, Section, Value
from rulegame.keys.ruleset import RULESET, essential_keys
from rulegame.limits import LIMITS
from rulegame.source.nodes import Entry, Mapping, Node, Scalar, is_null
from rulegame.source.reading import DISK, Files, read_text
from rulegame.source.structure import check_file, check_merged

if TYPE_CHECKING:
    from rulegame.source.mending import Mended

FREE_TO_REMOVE = (("tests",), ("texts",), ("rulebook",))  # what has a default, and examples


class Variant(NamedTuple):
    """A ruleset with everything that it inherits, in full form; None if a file cannot be used.

    Where slips were mended to check the rest, places in those lines are those of the mended text.
    """

    root: Mapping | None
    diagnostics: list[Diagnostic]
    mended: list[Mended]


def read_variant(path: Path, shown_as: str, files: Files = DISK) -> Variant:
    """Reads a ruleset and its parents.

    A key that is merely unknown is reported and left out, so that the rest is checked as well.
    """
    diagnostics: list[Diagnostic] = []
    chain: list[Mapping] = []
    mended: list[Mended] = []
    seen: dict[str, Scalar] = {}
    usable = True
    folder = disk.identity(path).parent
    while True:
        root, problems = _checked(files.read(path, shown_as), shown_as)
        if has_errors(problems):
            slips = _mended(files.text(path), shown_as, problems)
            if slips:
                root, problems = _checked(read_text(slips[-1].text, shown_as), shown_as)
                diagnostics += (slip.problem for slip in slips)
                mended += slips
        diagnostics += (_certain(p) for p in problems if not _is_unfinished(p, mended))
        if root is None:
            return Variant(None, diagnostics, mended)
        if not isinstance(root, Mapping):
            return Variant(None, diagnostics, mended)
        if any(_misleading(problem) for problem in problems):
            usable = False
        root = _without(root, {problem.span for problem in problems})
        chain.append(root)
        parent = root.get("extends")
        if not isinstance(parent, Scalar) or not isinstance(parent.value, str):
            break
        seen[str(disk.identity(path))] = parent
        step = find_parent(parent, path, shown_as, folder, seen, diagnostics, files)
        if step is None:
            return Variant(None, diagnostics, mended)
        path, shown_as = step
    if not usable:
        return Variant(None, diagnostics, mended)
    merged = Mapping(chain[-1].span)
    for root in reversed(chain):
        kept = {k: e for k, e in merged.entries.items() if _is_inherited(k)}
        merged = _merge(replace(merged, entries=kept), _expand(root), (), diagnostics)
    return Variant(merged, diagnostics, mended)


def _checked(
    read: tuple[Node | None, Sequence[Diagnostic]], shown_as: str
) -> tuple[Node | None, tuple[Diagnostic, ...]]:
    """What was read, if it can be used, and what is wrong with it."""
    root, found = read
    if root is None or has_errors(found):
        return None, tuple(found)
    return root, (*found, *check_file(root, shown_as))


def _mended(
    text: str | None, shown_as: str, problems: Sequence[Diagnostic], blaming: bool = True
) -> list[Mended]:
    """The slips that keep a file from being read, each mended before the next one is looked for.
    Where the structure of the file is still wrong without them, indentation is not to blame.
    """
    from rulegame.source.mending import LETTERS, MOST, mend

    found: list[Mended] = []
    most = 0 if text is None else min(MOST, 1 + LETTERS // (len(text) + 1))
    mended, left, missing = text, problems, tuple[Diagnostic, ...]()
    while mended is not None and has_errors(left) and len(found) < most:
        slip = mend(mended, shown_as, left, blaming)
        if slip is None or any(slip.problem.span.line == s.problem.span.line for s in found):
            break
        found.append(slip)
        mended = slip.text
        root, left = _checked(read_text(mended, shown_as), shown_as)
        missing = ()
        if isinstance(root, Mapping) and "extends" not in root.entries and not has_errors(left):
            missing = check_merged(_expand(root))
    rest = [problem for problem in (*left, *missing) if not _is_unfinished(problem, found)]
    if all(slip.explains(rest) for slip in found):
        return found
    return _mended(text, shown_as, problems, blaming=False)


def _is_unfinished(problem: Diagnostic, mended: Sequence[Mended]) -> bool:
    """Whether it is about a key that had to be guessed: that the line is not finished is said."""
    lines = {(s.problem.span.file, s.problem.span.line) for s in mended if s.cause == "colon"}
    return (problem.span.file, problem.span.line) in lines


def _certain(problem: Diagnostic) -> Diagnostic:
    """A ':' that was not found to mend the file is not suggested."""
    is_colon = problem.code == NOT_YAML and any(edit.text == ":" for edit in problem.fix)
    return problem._replace(suggestions=()) if is_colon else problem


def _misleading(problem: Diagnostic) -> bool:
    """Whether to go on without it would only lead to complaints about what is missing then."""
    names = (source_text(problem.span), *(one.text for one in problem.suggestions))
    harmless = problem.code == UNKNOWN_KEY and not any(name in essential_keys() for name in names)
    return problem.severity == "error" and not harmless


def _without(root: Mapping, unknown: set[Span]) -> Mapping:
    """The mapping without the keys at those places."""
    entries = {
        name: entry._replace(value=_without(entry.value, unknown))
        if isinstance(entry.value, Mapping)
        else entry
        for name, entry in root.entries.items()
        if entry.key.span not in unknown
    }
    return replace(root, entries=entries)


class _NoParent(Exception):
    """Why what a ruleset extends cannot be used."""

    def __init__(
        self, code: str, message: str, hint: Hint | str = "", related: tuple[Related, ...] = ()
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.hint, self.related = code, message, hint, related


def find_parent(
    name: Scalar,
    path: Path,
    shown_as: str,
    folder: Path,
    seen: dict[str, Scalar],
    diagnostics: list[Diagnostic],
    files: Files = DISK,
) -> tuple[Path, str] | None:
    """The file that a ruleset extends; None, and the reason among the diagnostics, if it has none
    that can be used. `seen` are those that led here.
    """
    text = name.text
    try:
        if len(seen) > LIMITS.parents:
            raise _NoParent("E214", f"more than {LIMITS.parents} rulesets extend each other")
        if bundled.is_name(text):
            parent = shown = _bundled(text)
        else:
            parent = _beside(path.parent / text, text, folder, files)
            shown = Path(os.path.normpath(Path(shown_as).parent / text))
        if str(disk.identity(parent)) in seen:
            message = "rulesets extend each other in a circle"
            others = (place.span for place in seen.values() if place is not name)
            related = tuple(Related("which extends", span) for span in others)
            raise _NoParent("E211", message, related=related)
    except _NoParent as no:
        found = Diagnostic(no.code, no.message, name.span, str(no.hint), related=no.related)
        diagnostics.append(found._replace(suggestions=offered(name.passage, no.hint)))
        return None
    return parent, str(shown)


def _bundled(text: str) -> Path:
    found = bundled.ruleset_path(text)
    if found is None:
        hint = did_you_mean(text, bundled.ruleset_names(), "bundled rulesets")
        raise _NoParent("E210", f"unknown bundled ruleset '{text}'", hint)
    return found


def _beside(parent: Path, text: str, folder: Path, files: Files) -> Path:
    """A file in the folder of the ruleset that was opened, below it, or among the bundled ones."""
    resolved = disk.identity(parent)
    homes = (folder, bundled.rulesets_folder().resolve())
    if not any(resolved.is_relative_to(home) for home in homes):
        message = "'extends' points outside the folder of the opened ruleset"
        hint = "copy the parent into this folder, or name a bundled ruleset"
        raise _NoParent("E212", message, hint)
    if not files.exists(resolved):
        hint = "give a path relative to this file, or the name of a bundled ruleset"
        raise _NoParent("E210", f"file '{text}' not found", hint)
    return parent


# ---- short forms


def _expand(root: Mapping) -> Mapping:
    """The ruleset with every short form written out."""
    return _expanded(RULESET, root)


def _expanded(kind: Section | Entries, node: Mapping) -> Mapping:
    """The mapping with the short forms in it written out."""
    entries = {}
    for name, entry in node.entries.items():
        inner = kind.key(name)
        if inner is not None:
            entry = _long(inner.value, entry)
        elif isinstance(kind, Entries):
            entry = _long(kind.of, entry)
        entries[name] = entry
    return replace(node, entries=entries)


def _long(kind: Kind, entry: Entry) -> Entry:
    """`name: value` as `name: {key: value}`, if it is a short form, and the same for what is in it;
    null, which removes, stays as it is.
    """
    value = entry.value
    if isinstance(kind, Value) or is_null(value):
        return entry
    if isinstance(value, Mapping):
        return entry._replace(value=_expanded(kind, value))
    if not isinstance(kind, Section) or not kind.short or not kind.expands:
        return entry
    inner = Entry(Scalar(value.span, kind.short, kind.short), value)
    return entry._replace(value=Mapping(value.span, {kind.short: inner}))


def _is_inherited(name: str) -> bool:
    key = RULESET.key(name)
    return key is None or key.inherited


# ---- merging


def _merge(
    parent: Mapping, patch: Mapping, path: tuple[str, ...], diagnostics: list[Diagnostic]
) -> Mapping:
    entries = dict(parent.entries)
    for name, entry in patch.entries.items():
        if is_null(entry.value):
            if name not in entries and len(path) < 3 and path[:1] not in FREE_TO_REMOVE:
                hint = did_you_mean(name, parent.entries)
                taken = any(other in patch.entries for other in hint.offers)
                diagnostics.append(
                    Diagnostic(
                        "E215",
                        f"nothing named '{name}' to remove",
                        entry.key.span,
                        str(hint),
                        suggestions=() if taken else offered(entry.key.passage, hint),
                    )
                )
            entries.pop(name, None)
            continue
        value = entry.value
        old = entries.get(name)
        if isinstance(value, Mapping):
            base = (
                old.value
                if old is not None and isinstance(old.value, Mapping)
                else Mapping(value.span)
            )
            value = _merge(replace(base, span=value.span), value, (*path, name), diagnostics)
        entries[name] = entry._replace(value=value)
    for name, entry in patch.entries.items():
        if isinstance(entry.value, Mapping) and path[:1] != ("tests",):
            entries = _placed(entries, name, diagnostics)
    return replace(parent, entries=entries, flow=patch.flow)


def _placed(
    entries: dict[str, Entry], name: str, diagnostics: list[Diagnostic]
) -> dict[str, Entry]:
    """The entries with one of them moved to where its `before` says."""
    entry = entries[name]
    assert isinstance(entry.value, Mapping)
    before = entry.value.get("before")
    if not isinstance(before, Scalar):
        return entries
    rest = {k: e for k, e in entry.value.entries.items() if k != "before"}
    moved = entry._replace(value=replace(entry.value, entries=rest))
    others = {k: e for k, e in entries.items() if k != name}
    if before.text not in others:
        hint = did_you_mean(before.text, others)
        diagnostics.append(
            Diagnostic(
                "E213",
                f"'before' names '{before.text}', which does not exist",
                before.span,
                str(hint),
                suggestions=offered(before.passage, hint),
            )
        )
        return {**others, name: moved}
    result: dict[str, Entry] = {}
    for other, value in others.items():
        if other == before.text:
            result[name] = moved
        result[other] = value
    return result
