"""The functions that only texts have: lists in words, articles, plurals, key letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulegame.evaluation.values import show_each
from rulegame.language.types import Type
from rulegame.wording import joined

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
           "eleven", "twelve")  # fmt: skip


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


def plural(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


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
