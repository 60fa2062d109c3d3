"""Expressions: plain names are read without the grammar, and must be read as the grammar would."""

import re

import pytest

from rulegame.diagnostics import Passage, Span
from rulegame.language import parsing, syntax

WORDS = sorted(
    {
        word
        for terminal in parsing._parser().terminals
        for word in re.findall("[a-z]{2,}", terminal.pattern.value)
        if terminal.name != "NAME"
    }
)


def scalar(text: str) -> Passage:
    return Passage(Span("x.yaml", 1, 1, 1, len(text) + 1, text), text)


def test_the_reserved_words_are_those_of_the_grammar() -> None:
    assert sorted(parsing.RESERVED_WORDS) == WORDS


@pytest.mark.parametrize("text", ["n", "score", "me", "first", "a_1", "listing", "order", "myself"])
def test_a_plain_name_is_what_the_grammar_makes_of_it(text: str) -> None:
    found = parsing.parse_text(scalar(text), 0, len(text))
    in_brackets = parsing.parse_text(scalar(f"({text})"), 0, len(text) + 2)
    assert isinstance(found, syntax.Name) and isinstance(in_brackets, syntax.Name)
    assert (found.name, found.era) == (in_brackets.name, in_brackets.era)
    assert found.place.span.end_column == len(text) + 1


@pytest.mark.parametrize("word", [w for w in WORDS if w not in ("true", "false", "none")])
def test_a_reserved_word_is_no_name(word: str) -> None:
    with pytest.raises(parsing.SyntaxProblem):
        parsing.parse_text(scalar(word), 0, len(word))
