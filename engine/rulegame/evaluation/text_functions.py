"""The functions that only texts have: lists in words, articles, plurals, key letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulegame.evaluation.values import show_each
from rulegame.language.types import Type
from rulegame.wording import joined

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
           "eleven", "twelve")  # fmt: skip
MOST_PADDING = 200


def names_for_texts(words: Sequence[str], types: Sequence[Type]) -> dict[str, Any]:
    """What generated code of texts may call, beside the built-in functions."""

    def texts_of(value: Any, k: int, names: Sequence[str]) -> list[str]:
        return show_each(types[k], value, words, names)

    return {"texts_of": texts_of}


def or_list(items: Sequence[str]) -> str:
    return joined(items, "or")


def and_list(items: Sequence[str]) -> str:
    return joined(items, "and")


def one_per_line(items: Sequence[str]) -> str:
    return "\n".join(items)


def plural(n: int, one: str, many: str = "") -> str:
    return f"{n} {one if n == 1 else many or plural_of(one)}"


def plural_of(noun: str) -> str:
    """Return the regular plural of an English noun."""
    last = noun.lower()
    if last.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if last.endswith("y") and last[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def pad(value: int | str | Sequence[str], width: int) -> str:
    """A number aligned to the right, a text to the left; at most 200 characters are added."""
    width = max(0, min(width, MOST_PADDING))
    if isinstance(value, int):
        return str(value).rjust(width)
    text = value if isinstance(value, str) else "".join(value)
    number = text.lstrip("-").isdigit()
    return text.rjust(width) if number else text.ljust(width)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def with_article(value: int | str | Sequence[str]) -> str:
    """`a 7`, `an 8`, `an 11`, `an apple`."""
    text = (
        value
        if isinstance(value, str)
        else str(value)
        if isinstance(value, int)
        else "".join(value)
    )
    digits = text.lstrip("-")
    vowel = text[:1].lower() in ("a", "e", "i", "o", "u")
    if digits.isdigit() and not text.startswith("-"):
        leading = digits[: (len(digits) - 1) % 3 + 1]  # "18" in 18,000: what is spoken first
        vowel = digits.startswith("8") or leading in ("11", "18")
    return f"{'an' if vowel else 'a'} {text}"


def in_words(value: int | str | Sequence[str]) -> str:
    """`three`; larger numbers in digits."""
    if isinstance(value, int):
        return NUMBERS[value] if 0 <= value < len(NUMBERS) else str(value)
    return value if isinstance(value, str) else "".join(value)


def keyed(label: str, key: str) -> str:
    """`(A)dd`; a key that is not in the label stands before it."""
    at = label.lower().find(key.lower()) if key else -1
    if not key:
        return label
    if at < 0:
        return f"({key}) {label}"
    return f"{label[:at]}({label[at : at + len(key)]}){label[at + len(key) :]}"
