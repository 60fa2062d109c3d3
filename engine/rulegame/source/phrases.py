"""Words for nodes in messages, and the edits that write something else in their place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from rulegame.diagnostics import Diagnostic, Hint, Suggestion
from rulegame.edits import in_place_of, offered, source_text
from rulegame.source.nodes import Mapping, Node, Scalar, Sequence, passage_of

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class NodePlace:
    """A node, the nearest key above it, and whether it is an item of a list there."""

    node: Node
    key: Scalar | None = None
    item: bool = False

    @property
    def name(self) -> str:
        if self.key is None:
            return "the ruleset"
        name = f"'{shown(self.key.text)}'"
        return f"each item of {name}" if self.item else name

    def with_value(self, value: str) -> str:
        """The line of the file with another value, for a hint."""
        return value if self.key is None or self.item else f"{shown(self.key.text)}: {value}"


def is_empty(node: Node) -> bool:
    """Null because nothing was written, not because `null` was."""
    return isinstance(node, Scalar) and node.value is None and not node.text


def is_plain_text(node: Node) -> bool:
    return isinstance(node, Scalar) and not node.quoted and node.value is not None


def kind_of(node: Node) -> str:
    match node:
        case Mapping():
            return "a mapping"
        case Sequence():
            return "a list"
        case Scalar(value=None):
            return "null"
        case Scalar(value=bool()):
            return f"'{node.text}'"
        case Scalar(value=int() | float()):
            return "a number"
    return "text"


def title_of(part: Schema) -> str:
    return str(part.get("title", "of another kind"))


def article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def shown(text: str) -> str:
    """A stranger's text for use in a message: on one line, and short."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"


def inside(node: Mapping | Sequence) -> str:
    """What was written, without the brackets that YAML has taken as its own."""
    if node.flow:
        return source_text(node.span)[1:-1].strip()
    if isinstance(node, Mapping) and len(node.entries) == 1:
        return next(iter(node.entries)) if is_empty(next(iter(node))[1]) else ""
    return ""


def problem(code: str, message: str, node: Node, hint: Hint | str = "") -> Diagnostic:
    """A problem with a node as a whole, in place of which a hint may offer something."""
    suggestions = offered(passage_of(node), hint)
    return Diagnostic(code, message, node.span, str(hint), suggestions=suggestions)


def instead(node: Node, right: str) -> tuple[Suggestion, ...]:
    """What to write in place of a node, its quotation marks or brackets included."""
    is_whole = node.style not in ("", "|", ">") if isinstance(node, Scalar) else node.flow
    return in_place_of(node.span, right) if is_whole else (Suggestion(right),)


def listed(node: Node, items: str) -> tuple[Suggestion, ...]:
    """What stands there in the brackets of a list, if it can stand in some."""
    right = f"[{items}]"
    return (Suggestion(right),) if re.search(r"[\[\]{}:]", items) else instead(node, right)
