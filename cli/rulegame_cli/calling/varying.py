"""What `--vary NAME=VALUES` says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulegame_cli.calling.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.building import Document
    from rulegame.building.ranges import Ranges
    from rulegame.model import Ruleset


def read_vary(
    texts: Sequence[str], ruleset: Ruleset, document: Document, fixed: Sequence[str]
) -> dict[str, list[Any]]:
    """The values of each parameter that is varied; `fixed` are those that `--set` names."""
    from rulegame.building.ranges import BadRange, plain_values, read_ranges
    from rulegame.diagnostics import did_you_mean

    if not texts:
        raise WrongCall("--vary is required, e.g. --vary start=10..40")
    try:
        ranges = read_ranges(texts)
    except BadRange as mistake:
        raise WrongCall(f"--vary: {mistake}") from None
    for name in ranges:
        if name not in ruleset.parameters:
            hint = did_you_mean(name, ruleset.parameters) or "this ruleset has no parameters"
            raise WrongCall(f"--vary: unknown parameter '{name}'; {hint}")
        if name in fixed:
            raise WrongCall(f"--vary: duplicate parameter '{name}'")
    values = plain_values(ranges)
    for name, every in values.items():
        refuse_mappings(name, every)
    _refuse_useless(ranges, document)
    return values


def _refuse_useless(ranges: Ranges, document: Document) -> None:
    """A value that the ruleset refuses is told beside the others, if there are others."""
    from rulegame.building import Settings

    for name, nodes in ranges.items():
        problem = None
        for node in nodes:
            refused = document.refused(Settings({name: node}))
            if not refused:
                break
            problem = problem or refused[0]
        else:
            assert problem is not None
            raise WrongCall(f"--vary: {problem.in_one_line}")


def refuse_mappings(name: str, value: Any) -> None:
    """A parameter is a single value, or a list."""
    if isinstance(value, dict):
        raise WrongCall(f"'{name}' must be a value or a list of values, not a mapping")
    for item in value if isinstance(value, list) else ():
        refuse_mappings(name, item)
