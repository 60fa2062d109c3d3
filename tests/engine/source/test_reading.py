"""Reading: values by YAML 1.2, the place of each character, and every way to be wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulegame.diagnostics import Diagnostic
from rulegame.limits import LIMITS
from rulegame.source import reading
from rulegame.source.nodes import Mapping, Node, Scalar, Sequence, to_plain
from rulegame.source.pure_loader import PureLoader
from rulegame.source.reading import read_bytes, read_file, read_value
from support.tiers import pick

PARSERS: dict[str, Any] = {"pure": PureLoader}
if hasattr(yaml, "CBaseLoader"):
    PARSERS["libyaml"] = yaml.CBaseLoader


@pytest.fixture(autouse=True, params=PARSERS)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test here holds for both parsers."""
    monkeypatch.setattr(reading, "LOADER", PARSERS[request.param])


def read(text: str | bytes) -> tuple[Node | None, tuple[Diagnostic, ...]]:
    return read_bytes(text if isinstance(text, bytes) else text.encode(), "game.yaml")


def good(text: str | bytes) -> Node:
    node, problems = read(text)
    assert not problems, [str(p) for p in problems]
    assert node is not None
    return node


def codes(text: str | bytes) -> list[str]:
    return [problem.code for problem in read(text)[1]]


def places(text: str | bytes) -> list[tuple[str, int, int]]:
    return [(p.code, p.span.line, p.span.column) for p in read(text)[1]]


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item)
    else:
        for key, value in node:
            yield key
            yield from scalars(value)


# ── Values ────────────────────────────────────────────────────────────────────────────────────────

VALUES: list[tuple[str, Any]] = [
    ("", None),
    ("~", None),
    ("null", None),
    ("Null", None),
    ("nULL", "nULL"),
    ("true", True),
    ("FALSE", False),
    ("yes", "yes"),
    ("no", "no"),
    ("on", "on"),
    ("off", "off"),
    ("y", "y"),
    ("12", 12),
    ("+12", 12),
    ("-12", -12),
    ("012", 12),
    ("0o17", 15),
    ("0x1F", 31),
    ("-0x1F", "-0x1F"),
    ("0b1", "0b1"),
    ("1_000", "1_000"),
    ("1:30", "1:30"),
    ("2001-01-01", "2001-01-01"),
    ("1.5", 1.5),
    ("-.5", -0.5),
    ("1.", 1.0),
    ("1e3", 1000.0),
    (".", "."),
    ("٣", "٣"),
    ("1..most", "1..most"),
    ("9223372036854775807", 2**63 - 1),
    ("-9223372036854775807", 1 - 2**63),
    ("0" * 10_000 + "1", 1),
    ("'12'", "12"),
    ('"true"', "true"),
    ("''", ""),
    ("'it''s'", "it's"),
    (r'"a\n\x41\u00e9\U0001F600\\"', "a\nAé😀\\"),
    ("a word", "a word"),
    ("a\n  b\n\n  c", "a b\nc"),
    ("a\tb\t", "a\tb"),
    ("|\n  a\n   b\n", "a\n b\n"),
    ("|-\n  1\n", "1"),
    ("|+\n  a\n\n", "a\n\n"),
    (">\n  a\n  b\n\n  c\n", "a b\nc\n"),
    ("|2-\n    a", "  a"),
    ("[1, two, 3.0, ]", [1, "two", 3.0]),
    ("[which one?, a#b]", ["which one?", "a#b"]),
    ("{a: 1, b}", {"a": 1, "b": None}),
    ("\n  - 1\n  - - 2\n    - 3\n", [1, [2, 3]]),
    ("\n- 1\n- 2\n", [1, 2]),
]


@pytest.mark.parametrize(("written", "value"), VALUES)
def test_value(written: str, value: Any) -> None:
    plain = to_plain(good(f"v: {written}"))
    assert plain == {"v": value}
    assert type(plain["v"]) is type(value)


def test_keys_are_known_by_their_text() -> None:
    node = good('1: a\n"b c": d\n1.50: e\n<<: f\nyes: g\n.inf: h\n? i\n: j\n')
    assert to_plain(node) == {
        "1": "a", "b c": "d", "1.50": "e", "<<": "f", "yes": "g", ".inf": "h", "i": "j",
    }  # fmt: skip


def test_an_alias_is_the_node_of_its_anchor() -> None:
    node = good("a: &x {n: [1, 2]}\nb: *x\nc: &x 3\nd: *x\n")
    assert to_plain(node) == {"a": {"n": [1, 2]}, "b": {"n": [1, 2]}, "c": 3, "d": 3}
    assert isinstance(node, Mapping)
    assert node.get("b") == node.get("a")


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb: [2]\n",
        "a: 1\r\nb: [2]\r\n",
        "a: 1\rb: [2]\r",
        "\ufeffa: 1\nb: [2]",
        "# comment\n---\na: 1 # one\nb:\t[ 2\t]\n...\n# end",
        "%YAML 1.2\n---\na: 1\nb: [2]",
        "%YAML 1.1\n# comment\n---\na: 1\nb: [2]",
        '{"a": 1, "b": [2]}',
    ],
)
def test_one_document_in_many_forms(text: str) -> None:
    assert to_plain(good(text)) == {"a": 1, "b": [2]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("30", 30),
        ("[1, 2, 3]", [1, 2, 3]),
        ("a word", "a word"),
        ("'1'", "1"),
        ("{a: 1}", {"a": 1}),
    ],
)
def test_a_value_from_the_command_line(text: str, value: Any) -> None:
    node, problems = read_value(text, "--set numbers")
    assert node is not None
    assert (to_plain(node), problems) == (value, ())


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "E110"), ("[1", "E104"), ("\udcff", "E111"), ("1" * 50, "E112"), ("é" * 200_000, "E102")],
)
def test_a_bad_value_from_the_command_line(text: str, code: str) -> None:
    assert [problem.code for problem in read_value(text, "--set x")[1]] == [code]


# ── Places ────────────────────────────────────────────────────────────────────────────────────────

# The text `one two` in every style, and the line and column of its `two`.
POSITIONS = [
    ("v: one two", 1, 8),
    ("v: [x, one two]", 1, 12),
    ("é😀: one two", 1, 9),
    ("\ufeffv: one two", 1, 8),
    ("a: 1\r\nv: one two\r\n", 2, 8),
    ("a: 1\rv: one two", 2, 8),
    ("v:\tone two", 1, 8),
    ("v: &x one two", 1, 11),
    ("v: &x\n  # comment\n  one two", 3, 7),
    ("v: 'one two'", 1, 9),
    ('v: "one two"', 1, 9),
    ("😀: 'one two'", 1, 9),
    ("v: &x 'one two'", 1, 12),
    (r'v: "\x6fne\u0020two"', 1, 17),
    (r'v: "one \x74wo"', 1, 9),
    ("v: ' one two'", 1, 10),
    ("v: 'one\n  two'", 2, 3),
    ("v: 'one  \r\n\t two'", 2, 3),
    ('v: "one\\\n   \\ two"', 2, 6),
    ("v: one\n    two", 2, 5),
    ("v: one\r\n  two\r\n", 2, 3),
    ("v:\n  one\n\n  two", 4, 3),
    ("v: |\n  one two", 2, 7),
    ("v: |-\n  one two\n", 2, 7),
    ("v: | # comment\n\n  one\n   two\n\n# end", 4, 4),
    ("v: |3\n   one\n     two\n", 3, 6),
    ("v: >+\n  one\n  two\n\n", 3, 3),
    ("v: >-\n\n  é😀 one\n  two", 4, 3),
    ("v: &x |\n  one\n  two", 3, 3),
    ("v: |\r\n  one\r\n  two\r\n", 3, 3),
    ("- a\n- |\n one\n  two\n- b", 4, 3),
    ("? |\n  one\n  two\n: v", 3, 3),
]


@pytest.mark.parametrize(("text", "line", "column"), POSITIONS)
def test_place_inside_a_scalar(text: str, line: int, column: int) -> None:
    scalar = next(s for s in scalars(good(text)) if "two" in s.text)
    start = scalar.text.index("two")
    span = scalar.at(start, start + 3)
    assert (span.line, span.column) == (line, column)
    assert span.end_line == line
    assert span.source == text.removeprefix("\ufeff").splitlines()[line - 1]
    assert len(scalar.places) in (0, len(scalar.text))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("v: one two # c", (1, 4, 1, 11)),
        ("v: 'one two' # c", (1, 4, 1, 13)),
        ('v: "one\n two" # c', (1, 4, 2, 6)),
        ("v: one\n  two # c", (1, 4, 2, 6)),
        ("v: |\n  one\n  two\n\n# c", (2, 3, 3, 6)),
        ("v: >-\n\n  one\n   two  \n", (3, 3, 4, 7)),
        ("v: |\n", (1, 4, 1, 5)),
        ("v: # c", (1, 3, 1, 3)),
        ("v: &x\nw: 1", (1, 6, 1, 6)),
        ("v: [1, 2] # c", (1, 4, 1, 10)),
        ("v: &x {a: 1}", (1, 7, 1, 13)),
        ("v:\n  a: 1\n  b: 2  # c\n# d\n", (2, 3, 3, 7)),
        ("v: &x\n- 1\n- 2\n\n", (2, 1, 3, 4)),
    ],
)
def test_span(text: str, span: tuple[int, int, int, int]) -> None:
    node = good(text)
    assert isinstance(node, Mapping)
    value = node.get("v")
    assert value is not None
    found = value.span
    assert (found.line, found.column, found.end_line, found.end_column) == span
    assert found.file == "game.yaml"
    assert found.source == text.split("\n")[found.line - 1]


# ── What is wrong ─────────────────────────────────────────────────────────────────────────────────

PROBLEMS = [
    # E103: text that is not UTF-8
    (b"a: 1\nb: \xff\n", [("E103", 2, 4)]),
    ("é: ".encode() + b"\xc3", [("E103", 1, 4)]),
    (b"\xed\xa0\x80", [("E103", 1, 1)]),
    ("a: 1".encode("utf-16"), [("E103", 1, 1)]),
    ("a: 1".encode("utf-32"), [("E103", 1, 1)]),
    # E104: not YAML
    ("a:\n\tb: 1", [("E104", 2, 1)]),
    ("a: [1,\n\t2]\nb: [c\n\t]", [("E104", 4, 1)]),
    ("a: b: c", [("E104", 1, 5)]),
    ("a: 1\n  b: 2", [("E104", 2, 4)]),
    ("a\nb: 1", [("E104", 1, 1)]),
    ("a: - b", [("E104", 1, 4)]),
    ("a:\n  b: 1\n c: 2", [("E104", 3, 2)]),
    ("a:\n  - b\n  c: 1", [("E104", 3, 3)]),
    ("a:\n  b\n  c: 1", [("E104", 2, 3)]),
    ("a:\n  b:1\n  c: 1", [("E104", 2, 4)]),
    ("a: 1\nb [2]\nc: 3", [("E104", 2, 1)]),
    ("a: b\n  c\n  d: 1", [("E104", 3, 4)]),
    ("a: [1\nb: [2]", [("E104", 1, 4)]),
    ("a: [1,\n  b c: d: e]", [("E104", 2, 9)]),
    ("a: 'x\nb: 'y'", [("E104", 1, 4)]),
    ("a: [1, 2", [("E104", 1, 4)]),
    ("a: {b: 1", [("E104", 1, 4)]),
    ("a: [1}", [("E104", 1, 6)]),
    ("a: }", [("E104", 1, 4)]),
    (": 1", [("E104", 1, 1)]),
    ("a: {: 1}", [("E104", 1, 5)]),
    ("a: {b:}", [("E104", 1, 6)]),
    ("[1] x", [("E104", 1, 5)]),
    ("a: 'x", [("E104", 1, 4)]),
    ('a: "x', [("E104", 1, 4)]),
    ("a: 'it's'", [("E104", 1, 8)]),
    (r'a: "x\q"', [("E104", 1, 6)]),
    (r'a: "\xZZ"', [("E104", 1, 5)]),
    (r'a: "\UFFFFFFFF"', [("E104", 1, 5)]),
    ("a: @x", [("E104", 1, 4)]),
    ("a: `x`", [("E104", 1, 4)]),
    ("a: %x", [("E104", 1, 4)]),
    ("a: |x", [("E104", 1, 5)]),
    ("a: &", [("E104", 1, 5)]),
    ("%FOO\n---\na: 1", [("E104", 1, 1)]),
    ("%YAML 2.0\n---\na: 1", [("E104", 1, 1)]),
    ("%YAML " + "1" * 10_000 + ".1\n---\na: 1", [("E104", 1, 1)]),
    # E105: a key twice
    ("a: 1\nb: 2\na: 3", [("E105", 3, 1)]),
    ("a: {b: 1, 'b': 2}", [("E105", 1, 11)]),
    ("1: a\n'1': b\n1: c", [("E105", 2, 1), ("E105", 3, 1)]),
    # E106: aliases
    ("a: *x", [("E106", 1, 4)]),
    ("a: &x [*x]", [("E106", 1, 8)]),
    ("&x a: {b: &y {c: *y}}", [("E106", 1, 18)]),
    ("*x : 1", [("E106", 1, 1)]),
    # E107: tags
    ("a: !x 1", [("E107", 1, 4)]),
    ("a: !!python/object:os.system {}", [("E107", 1, 4)]),
    ("a: &x !<y> [1]", [("E107", 1, 7)]),
    ("a: ! b\n!c d: e", [("E107", 1, 4), ("E107", 2, 1)]),
    ("a: !e!x 1", [("E107", 1, 4)]),
    ("%TAG ! tag:x,2000:\n---\na: 1", [("E107", 1, 1)]),
    # E108: several documents
    ("a: 1\n---\nb: 2", [("E108", 2, 1)]),
    ("---\n---\n", [("E108", 2, 1)]),
    # E110: nothing
    ("", [("E110", 1, 1)]),
    ("\ufeff", [("E110", 1, 1)]),
    (" \n# comment\n", [("E110", 1, 1)]),
    ("---\n...\n", [("E110", 1, 1)]),
    # E111: characters that are not what they look like
    ("a: \0", [("E111", 1, 4)]),
    ("a: b\x1b[2J\nc: \x07", [("E111", 1, 5)]),
    ("# \u202e\na: 1", [("E111", 1, 3)]),
    ("a: b\ufeff", [("E111", 1, 5)]),
    ("a: 1\u2028b: 2", [("E111", 1, 5)]),
    ("\x80", [("E111", 1, 1)]),
    ('a: "\x7f', [("E111", 1, 5)]),
    (r'a: "b\e[2J"', [("E111", 1, 6)]),
    (r'a: "\0"', [("E111", 1, 5)]),
    (r'a: "b\ud83d\ude00"', [("E111", 1, 6)]),
    ("a: 1".encode("utf-16-le"), [("E111", 1, 2)]),
    # E112: numbers
    ("a: .nan", [("E112", 1, 4)]),
    ("a: [.inf, -.INF, 1e999]", [("E112", 1, 5), ("E112", 1, 11), ("E112", 1, 18)]),
    ("a: 9223372036854775808", [("E112", 1, 4)]),
    ("a: -0x8000000000000000\nb: 0x8000000000000000", [("E112", 2, 4)]),
    ("a: " + "9" * 10_000, [("E112", 1, 4)]),
    ("a: 0x" + "f" * 10_000, [("E112", 1, 4)]),
    # E113: keys
    ("[a]: 1\nb: 2", [("E113", 1, 1)]),
    ("? {a: 1}\n: 2", [("E113", 1, 3)]),
    ("~: 1", [("E113", 1, 1)]),
    ("a: {null: 1}", [("E113", 1, 5)]),
    ("k" * 201 + ": 1", [("E113", 1, 1)]),
    ("k" * 2_000 + ": 1", [("E113", 1, 2_001)]),
]


@pytest.mark.parametrize(("text", "expected"), PROBLEMS, ids=lambda value: str(value)[:40])
def test_problem(text: str | bytes, expected: list[tuple[str, int, int]]) -> None:
    assert places(text) == expected


def test_all_problems_in_one_run_and_the_rest_is_read() -> None:
    node, problems = read("a: !x 1\nb: .nan\na: 2\nc: *d\n[e]: 3\nf: [4, .inf]\n")
    assert [p.code for p in problems] == ["E107", "E112", "E105", "E106", "E113", "E112"]
    assert node is not None
    assert to_plain(node) == {"a": 1, "b": None, "c": None, "f": [4, None]}


def test_a_duplicate_points_to_the_first() -> None:
    (problem,) = read("ab: 1\nc: 2\nab: 3\n")[1]
    assert "'ab'" in problem.message
    (related,) = problem.related
    assert (related.span.line, related.span.column, related.span.end_column) == (1, 1, 3)


def test_the_first_of_several_documents_is_read() -> None:
    node, _ = read("a: 1\n---\nb: [\n")
    assert node is not None
    assert to_plain(node) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a:\n\tb: 1", ("tab", "spaces")),
        ("a: b: c", ("':'", "quotes")),
        ("a: @x", ("'@'", "quotes")),
        ("a: [1, 2\n", ("[ opened in line 1", "never closed")),
        ("a: 'x\nb: 2\n", ("' opened in line 1", "never closed")),
        ("a: 'it's'", ("closing quote", "''")),
        ("a:\n  b: 1\n c: 2", ("indent",)),
        (r'a: "\q"', (r"\q", "single quotes")),
        ("a: - b", ("list", "line below")),
        ("a: {b: c, [}", ("value is missing", "quotes")),
        ("a: 1".encode("utf-16"), ("UTF-16", "save the file as UTF-8")),
        ("a: \u202e", ("U+202E",)),
        ("a: !x 1", ("tag", "remove")),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_problem_says_what_to_do(text: str | bytes, words: tuple[str, ...]) -> None:
    (problem,) = read(text)[1]
    for word in words:
        assert word in f"{problem.message} — {problem.hint}"


def test_messages_and_excerpts_hold_no_control_characters() -> None:
    for text in ("a\x1b[2J: \u202e", '"\\e": 1\n"\\e": 2', b"\x1b \xff", '"a\nb": 1\n"a\nb": 2'):
        for problem in read(text)[1]:
            shown = problem.message + problem.hint + problem.span.source
            assert all(c.isprintable() for c in shown), repr(shown)


# ── Limits ────────────────────────────────────────────────────────────────────────────────────────

WIDE = "a: &a [" + "1, " * 199 + "1]\nb: &b [" + "*a, " * 46 + "*a]\n"  # just below the limit
BOMB = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n"
    for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)
DEEP = "a: &a " + "[" * 30 + "]" * 30 + "\n"

LIMITED = [
    ("a" * (LIMITS.file_bytes + 1), "E102"),
    (BOMB, "E106"),
    (WIDE + "c: *b\n", "E106"),
    ("[" * 41 + "]" * 41, "E109"),
    (DEEP + "b: [[[[[[[[[[ *a ]]]]]]]]]]\n", "E109"),
    ("[" * 100_000, "E109"),
    ("{a: " * 60_000, "E109"),
    ("- " * 100_000, "E109"),
    ("? " * 100_000, "E109"),
    ("- a\n" * 20_000, "E114"),
    ("".join(f"{n}:\n" for n in range(25_000)), "E114"),
]


@pytest.mark.parametrize(("text", "code"), LIMITED, ids=lambda value: str(value)[:20])
def test_limit(text: str, code: str) -> None:
    assert codes(text) == [code]


def test_just_within_the_limits() -> None:
    good("[" * 40 + "]" * 40)
    good(DEEP + "b: [[[[[[[[ *a ]]]]]]]]\n")
    good(WIDE)
    good("k" * 200 + ": 1")
    good("- a\n" * (LIMITS.nodes - 1))
    good("a: " + "b" * (LIMITS.file_bytes - 3))


def test_problems_are_limited() -> None:
    assert codes("- !x\n" * 500) == ["E107"] * LIMITS.problems


@pytest.mark.quick(60)
@pytest.mark.parametrize("character", "\0\n\r\t #'\"[]{}:-?!&*|>%@`,~.\\1é\x85\u2028\ufeff\x1b")
@pytest.mark.parametrize("around", ["{}", "a: {}", "- '{}'", '- "{}"', "a: |\n  {}", "[{}]"])
def test_masses_of_one_character(character: str, around: str) -> None:
    check_sane(around.replace("{}", character * 20_000).encode())
    assert codes(character * 1_048_576) == ["E102"]


def check_sane(data: bytes) -> None:
    """Whatever the input: nodes or a reason, and each place lies in the file."""
    node, problems = read(data)
    assert problems or node is not None
    assert len(problems) <= LIMITS.problems
    lines = len(data) + 1
    assert all(1 <= p.span.line <= lines and p.span.column >= 1 for p in problems)
    if node is None:
        return
    for scalar in scalars(node):
        assert len(scalar.places) in (0, len(scalar.text))
        for character, (_, column, source) in zip(scalar.text, scalar.places, strict=False):
            assert character.isspace() or source[column - 1] in (character, "\\")


MODEST = settings(
    max_examples=pick(quick=40, full=150),
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
PIECES = st.sampled_from(
    ["a", "b: ", "- ", "\n", "\n  ", "\n    ", " ", "\t", "'", '"', "''", "\\n", "\\", "\\\n",
     "\\x41", "[", "]", "{", "}", ",", ": ", "? ", " # c", "|", "|+\n  ", "|2\n   ", ">-\n  ",
     "&a ", "*a", "!t ", "---\n", "...\n", "%", "é😀", "\x85", "\r\n", "\r", "one two",
     "key: value\n", "x:\n  ", "@", "1e3"]
)  # fmt: skip


@MODEST
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    check_sane(data)


@MODEST
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    check_sane(text.encode(errors="replace"))


@settings(MODEST, max_examples=pick(quick=100, full=500))
@given(st.lists(PIECES, max_size=16))
def test_any_pieces_of_yaml(pieces: list[str]) -> None:
    check_sane("".join(pieces).encode())


# ── Files ─────────────────────────────────────────────────────────────────────────────────────────


def file_codes(path: Path) -> list[str]:
    return [problem.code for problem in read_file(path)[1]]


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes(b"a: 1\na: 2\n")
    node, (problem,) = read_file(path, "the game")
    assert node is not None
    assert (to_plain(node), problem.span.file) == ({"a": 1}, "the game")
    assert read_file(path)[1][0].span.file == str(path)


def test_no_file(tmp_path: Path) -> None:
    assert file_codes(tmp_path / "none.yaml") == ["E101"]
    assert file_codes(tmp_path) == ["E101"]
    assert file_codes(Path("a\0b")) == ["E101"]
    assert file_codes(tmp_path / ("x" * 10_000)) == ["E101"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_a_pipe_or_a_device_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert file_codes(tmp_path / "pipe") == ["E101"]
    assert file_codes(Path("/dev/zero")) == ["E101"]


def test_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert file_codes(tmp_path / "loop") == ["E101"]


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    path = tmp_path / "secret.yaml"
    path.write_text("a: 1")
    monkeypatch.setattr(os, "open", refuse)  # a mode of 0 does not stop every user
    assert file_codes(path) == ["E101"]


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as stream:
        stream.truncate(10**10)
    assert file_codes(path) == ["E102"]
