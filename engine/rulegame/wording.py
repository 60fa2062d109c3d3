"""Lists, counts and values as messages and reports write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def joined(items: Sequence[str], word: str) -> str:
    """`1`, `1 or 2`, `1, 2 or 3`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def counted(count: int, noun: str) -> str:
    """`1 state`, `3,004 states`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def rounded(number: float) -> str:
    """A large number to one digit: `200 million`, `3 * 10^17`."""
    digit, power = f"{number:.0e}".split("e")
    for name, size in (("billion", 9), ("million", 6)):
        if size <= int(power) < size + 3:
            return f"{int(digit) * 10 ** (int(power) - size)} {name}"
    return f"{int(number):,}" if int(power) < 6 else f"{digit} * 10^{int(power)}"


def from_to(low: int | None, high: int | None, sign: str = "") -> str:
    """`3 to 5`, `at least 3`, `at most 5`, `3`; empty if neither is given. `sign` may be the comma
    between thousands.
    """
    if low is None:
        return "" if high is None else f"at most {high:{sign}}"
    if high is None:
        return f"at least {low:{sign}}"
    return f"{low:{sign}} to {high:{sign}}" if low != high else f"{low:{sign}}"


def as_written(value: Any) -> str:
    """A value of the library as a ruleset or a call writes it: `true`, `none`, `[3, 4]`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, frozenset):
        value = sorted(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(as_written, value))}]"
    return str(value)


def visible(text: str) -> str:
    """The text without characters that play tricks on a terminal or a page."""
    return text if text.isprintable() else "".join(map(_seen, text))


def _seen(character: str) -> str:
    """A character that cannot be printed, as its number; others as they are."""
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
