"""Expressions that mean the same have the same normal form, and no others."""

from __future__ import annotations

import pytest

from rulegame.diagnostics import Passage, Span
from rulegame.language.equivalence import Meaning, Normal, normal
from rulegame.language.parsing import parse_expression
from rulegame.language.syntax import Expression


def parsed(text: str) -> Expression:
    return parse_expression(Passage(Span.whole("here"), text))


DEFINITIONS = {
    "more": Meaning(("n",), parsed("n + 1")),
    "open": Meaning((), parsed("not shut and my.score > 0")),
}


def form(text: str) -> Normal:
    return normal(parsed(text), DEFINITIONS)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a + b", "(b+a)"),
        ("a * (b + c)", "(c + b) * a"),
        ("a < b", "b > a"),
        ("a <= b", "b >= a"),
        ("not a == b", "a != b"),
        ("not a < b", "a >= b"),
        ("a and (b and c)", "c and a and b"),
        ("[a + b, 1]", "[b + a, 1]"),
        ("l[a + b]", "l[b + a]"),
        ("g[a, b + 1]", "g[a, 1 + b]"),
        ("max(a + b, 1)", "max(b + a, 1)"),
        ("1..a + b", "1..b + a"),
        ("a if b + c > 0 else d", "a if 0 < c + b else d"),
        ("sum(i + a for i in 1..3)", "sum(a + j for j in 1..3)"),
        ("more(a)", "1 + a"),
        ("open", "my.score > 0 and not shut"),
        ("-3", "- 3"),
        ("score of (a + b)", "score of (b + a)"),
    ],
)
def test_the_same(one: str, other: str) -> None:
    assert form(one) == form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a - b", "b - a"),
        ("a < b", "a <= b"),
        ("[a, b]", "[b, a]"),
        ("[a, 1]", "[a, 2]"),
        ("g[a, b]", "g[b, a]"),
        ("'red'", "'blue'"),
        ("a and b or c", "a and (b or c)"),
        ("1..a", "a..1"),
        ("sum(i for i in 1..3)", "sum(i for i in 1..4)"),
        ("sum(i for i in 1..3 if i > 1)", "sum(i for i in 1..3)"),
        ("my.score", "their.score"),
        ("after.a", "a"),
        ("3", "-3"),
        ("more(a)", "more(b)"),
        ("a if b else c", "c if b else a"),
    ],
)
def test_not_the_same(one: str, other: str) -> None:
    assert form(one) != form(other)
