"""Errors inside a value that aliases repeat: which of them an alias is to blame for.

An anchored value is one node, with the places of the anchor. Whether it is wrong there, or only
where an alias repeats it, shows when the file is checked once more without that alias.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import yaml

from rulegame.diagnostics import Diagnostic, Related, Span
from rulegame.source.nodes import Mapping, Node, Scalar
from rulegame.source.reading import LOADER
from rulegame.source.yaml_text import Source

MOST: Final = 20  # aliases for which a file is checked once more

Path = tuple[str | int, ...]
Check = Callable[[Node], Sequence[Diagnostic]]


class Alias(NamedTuple):
    """`*name` in a file: its place, and where its value is in the document."""

    name: str
    span: Span
    path: Path


def blame_aliases(
    found: Sequence[Diagnostic], text: str, root: Node, check: Check
) -> list[Diagnostic]:
    """The diagnostics, those that only an alias brings about at its place; `check` gives the
    diagnostics of the same file with another document.
    """
    blamed = list(found)
    for alias in _aliases(text, root.span.file)[:MOST]:
        node = _at(root, alias.path)
        inside = [d for d in blamed if node is not None and _is_within(d.span, node.span)]
        if not inside:
            continue
        left = check(_without(root, alias.path))
        if any(d.severity == "error" and d not in found for d in left):
            continue  # something else is missing now, which may hide the error at the anchor
        for diagnostic in inside:
            if diagnostic not in left:
                blamed[blamed.index(diagnostic)] = _moved(diagnostic, alias)
    return blamed


def _moved(diagnostic: Diagnostic, alias: Alias) -> Diagnostic:
    """At the alias, without edits: these would change the anchor."""
    return diagnostic._replace(
        message=f"in the value of '*{alias.name}': {diagnostic.message}",
        span=alias.span,
        suggestions=(),
        related=(Related("the value is here", diagnostic.span), *diagnostic.related),
    )


def _aliases(text: str, file: str) -> list[Alias]:
    """The aliases of a file that stand for values, in order."""
    source = Source(file, text)
    loader = LOADER(source.text)
    try:
        return list(_scanned(loader, source))
    except yaml.YAMLError:
        return []
    finally:
        loader.dispose()


def _scanned(loader: Any, source: Source) -> Iterator[Alias]:
    path: list[str | int | None] = []  # None where the next scalar of a mapping is a key
    while loader.check_event():
        event: Any = loader.get_event()
        if isinstance(event, yaml.CollectionEndEvent):
            path.pop()
        elif isinstance(event, (yaml.ScalarEvent, yaml.AliasEvent)) and path and path[-1] is None:
            path[-1] = event.value if isinstance(event, yaml.ScalarEvent) else event.anchor
            continue
        elif isinstance(event, yaml.AliasEvent):
            mark: Any = event
            span = source.span(mark.start_mark.index, mark.end_mark.index)
            yield Alias(mark.anchor, span, tuple(one for one in path if one is not None))
        elif isinstance(event, yaml.MappingStartEvent):
            path.append(None)
            continue
        elif isinstance(event, yaml.SequenceStartEvent):
            path.append(0)
            continue
        elif not isinstance(event, yaml.ScalarEvent):
            continue
        if path:  # a value has ended
            last = path[-1]
            path[-1] = last + 1 if isinstance(last, int) else None


def _at(root: Node, path: Path) -> Node | None:
    """The node at a path, if it is there."""
    node: Node | None = root
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, str):
            node = node.get(step)
        elif node is None or isinstance(node, (Mapping, Scalar)) or not isinstance(step, int):
            return None
        else:
            node = node.items[step] if step < len(node.items) else None
    return node


def _without(node: Node, path: Path) -> Node:
    """The document without what is at a path."""
    step, rest = path[0], path[1:]
    if isinstance(node, Mapping) and isinstance(step, str):
        entries = dict(node.entries)
        entry = entries.pop(step)
        if rest:
            entries = {**node.entries, step: entry._replace(value=_without(entry.value, rest))}
        return replace(node, entries=entries)
    assert isinstance(step, int) and not isinstance(node, (Mapping, Scalar))
    items = list(node.items)
    items[step : step + 1] = [_without(items[step], rest)] if rest else []
    return node._replace(items=tuple(items))


def _is_within(inner: Span, outer: Span) -> bool:
    return (
        inner.file == outer.file
        and (outer.line, outer.column) <= (inner.line, inner.column)
        and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    )
