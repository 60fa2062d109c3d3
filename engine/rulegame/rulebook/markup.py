"""Marks inside the sentences of a rulebook: what is emphasised, what is code, and what an author
wrote. A sentence is a plain string; two characters that no text of a ruleset keeps stand around
what is marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from rulegame.wording import joined

Style = Literal["plain", "strong", "code"]

# Private-use characters: `clean` takes them out of everything that stems from a file.
_OPEN: Final[dict[Style, str]] = {"strong": "\ue000", "code": "\ue001"}
_CLOSE: Final = "\ue002"
_MARKS: Final = str.maketrans("", "", "".join((*_OPEN.values(), _CLOSE)))


class Run(NamedTuple):
    """A stretch of a sentence in one style."""

    text: str
    style: Style


def clean(text: str) -> str:
    """A text of an author on one line, without marks."""
    return " ".join(text.translate(_MARKS).split())


def strong(text: str) -> str:
    """The name of something that the reader looks for."""
    return f"{_OPEN['strong']}{clean(text)}{_CLOSE}"


def code(text: str) -> str:
    """Something as it is typed, or an expression for which there are no good words."""
    return f"{_OPEN['code']}{clean(text)}{_CLOSE}"


def runs(sentence: str) -> Iterator[Run]:
    """The stretches of a sentence."""
    styles: dict[str, Style] = {mark: style for style, mark in _OPEN.items()}
    style: Style = "plain"
    start = 0
    for at, character in enumerate(sentence):
        if character in styles or character == _CLOSE:
            if at > start:
                yield Run(sentence[start:at], style)
            start, style = at + 1, styles.get(character, "plain")
    if start < len(sentence):
        yield Run(sentence[start:], style)


def capital(sentence: str) -> str:
    """The sentence with a capital letter, unless it begins with a mark."""
    return sentence[:1].upper() + sentence[1:]


def and_list(items: list[str], word: str = "and") -> str:
    """`a, b and c`."""
    return joined(items, word)


def full_stop(sentence: str) -> str:
    """The sentence with an end."""
    return sentence if sentence.endswith((".", "!", "?", ":", ".”", "!”", "?”")) else sentence + "."
