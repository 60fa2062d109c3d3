"""What `--vary NAME=VALUES` says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulegame_cli.calling.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.model import Ruleset
    from rulegame.source.nodes import Node


def read_vary(texts: Sequence[str], ruleset: Ruleset, fixed: Sequence[str]) -> dict[str, list[Any]]:
    """The values of each parameter that is varied; `fixed` are those that `--set` names."""
    from rulegame.building.ranges import BadRange, read_ranges
    from rulegame.diagnostics import did_you_mean

    if not texts:
        raise WrongCall("--vary: expected at least one, such as --vary start=10..40")
    try:
        ranges = read_ranges(texts)
    except BadRange as mistake:
        raise WrongCall(f"--vary: {mistake}") from None
    for name in ranges:
        if name not in ruleset.parameters:
            hint = did_you_mean(name, ruleset.parameters) or "this ruleset has no parameters"
            raise WrongCall(f"--vary: there is no parameter '{name}'; {hint}")
        if name in fixed:
            raise WrongCall(f"--vary: '{name}' is given twice")
    return {name: [plain(name, node) for node in nodes] for name, nodes in ranges.items()}


def plain(name: str, node: Node) -> Any:
    """The Python value of a node that a setting may be."""
    from rulegame.source.nodes import Scalar
    from rulegame.source.nodes import Sequence as SequenceNode

    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, SequenceNode):
        return [plain(name, item) for item in node.items]
    raise WrongCall(f"'{name}' cannot be a mapping")
