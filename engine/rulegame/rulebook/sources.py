"""What authors say about their rules, and whether it still holds: a variant may have changed the
rule and not what is said about it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulegame.model import Ruleset
from rulegame.rulebook.markup import clean
from rulegame.source.nodes import Mapping, Node, Scalar, mapping_of, text_of

SAYS_NOTHING = (
    "about", "because", "doing", "enabled", "key", "label", "menu", "note", "option", "prompt",
    "seen by", "stuck", "text", "texts",
)  # fmt: skip


def rule_node(ruleset: Ruleset, section: str, name: str | None = None) -> Mapping:
    """A rule as it is written, variants merged."""
    node = mapping_of(ruleset.root.get(section))
    return node if name is None else mapping_of(node.get(name))


def about(ruleset: Ruleset, section: str, name: str | None = None) -> str:
    """What the author says about a rule; empty if nothing, or if a variant has changed the rule."""
    rule = rule_node(ruleset, section, name)
    said = rule.get("about")
    if not isinstance(said, Scalar):
        return ""
    home = said.span.file
    files = {one.span.file for one in _rules(rule)}
    if home != ruleset.file and files - {home}:
        return ""
    return clean(text_of(said))


def _rules(node: Node) -> Iterator[Scalar]:
    """The scalars that make the rule what it is."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node:
            if key.text not in SAYS_NOTHING:
                yield from _rules(value)
