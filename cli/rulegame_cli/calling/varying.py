"""What `--vary NAME=VALUES` says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rulegame_cli.calling.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.model import Ruleset


def read_vary(texts: Sequence[str], ruleset: Ruleset, fixed: Sequence[str]) -> dict[str, list[Any]]:
    """The values of each parameter that is varied; `fixed` are those that `--set` names."""
    from rulegame.building.ranges import BadRange, plain_values, read_ranges
    from rulegame.diagnostics import did_you_mean

    if not texts:
        raise WrongCall("--vary: expected at least one, such as --vary start=10..40")
    try:
        ranges = plain_values(read_ranges(texts))
    except BadRange as mistake:
        raise WrongCall(f"--vary: {mistake}") from None
    for name in ranges:
        if name not in ruleset.parameters:
            hint = did_you_mean(name, ruleset.parameters) or "this ruleset has no parameters"
            raise WrongCall(f"--vary: there is no parameter '{name}'; {hint}")
        if name in fixed:
            raise WrongCall(f"--vary: '{name}' is given twice")
    for name, values in ranges.items():
        refuse_mappings(name, values)
    return ranges


def refuse_mappings(name: str, value: Any) -> None:
    """A parameter is a single value, or a list."""
    if isinstance(value, dict):
        raise WrongCall(f"'{name}' cannot be a mapping")
    for item in value if isinstance(value, list) else ():
        refuse_mappings(name, item)
