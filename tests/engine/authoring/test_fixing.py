"""Fixing: what is certain is mended, and nothing ever gets worse."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagnostics.test_hints import ELSEWHERE, REST, START
from rulegame.authoring.fixing import MOST_CHECKS, Fixed, fix, sentence
from rulegame.diagnostics import Diagnostic, Edit, Span, Suggestion
from rulegame.loading import validate_text

GOLDEN = sorted((Path(__file__).parents[2] / "diagnostics" / "golden").glob("E[1-4]*.yaml"))
SLIPS = """\
# slips of every stage
rulegame: 1
title: T
state: {left: 7}
operatons:   # of the game
  take:
    choose: {n: 1..3}
    effects:
      left: lefd - n % 2  # and a comment
validity:
  enough: left > 0 && !(left == 3) || left < 2
  other: {require: left == max(left, 3)}
end:
  empty: {when: left <= 0, result: player 2 wins}
tests:
  t: {play: [tak 1], expect: {outcome: {winner: 1, rule: emty}}}
"""
RIGHT = """\
# slips of every stage
rulegame: 1
title: T
state: {left: 7}
operations:   # of the game
  take:
    choose: {n: 1..3}
    effects:
      left: left - mod(n, 2)  # and a comment
validity:
  enough: left > 0 and (not (left == 3)) or left < 2
  other: {require: "left == max(left, 3)"}
end:
  empty: {when: left <= 0, winners: "players[2]"}
tests:
  t: {play: [take 1], expect: {outcome: {winner: 1, rule: empty}}}
"""


def fixed(text: str) -> Fixed:
    return fix(text, "<text>", validate_text)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_slips_that_hide_one_another_are_fixed_one_after_the_other(newline: str) -> None:
    found = fixed(SLIPS.replace("\n", newline))
    assert found.text == RIGHT.replace("\n", newline) and found.problems == ()


@pytest.mark.quick(60)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: str(path.stem))
def test_a_fix_leaves_less_wrong_or_nothing_changed(path: Path) -> None:
    text = path.read_bytes().decode(errors="replace")
    before = validate_text(text)
    found = fixed(text)
    assert found.problems == validate_text(found.text)
    if found.text == text:
        assert found.edits == ()
    else:
        errors = [sum(p.severity == "error" for p in each) for each in (found.problems, before)]
        assert errors[0] < errors[1] or len(found.problems) < len(before)
    assert fixed(found.text).text == found.text


# How something is written in YAML; {} is what stands there.
STYLES = ("{}", "'{}'", '"{}"', "|\n          {}", ">-\n          {}")


@pytest.mark.parametrize("style", STYLES)
def test_what_is_written_as_elsewhere_is_fixed_in_every_style(style: str) -> None:
    for part, every in ELSEWHERE.items():
        rest = "".join(text for section, text in REST.items() if not part.startswith(section))
        for written in every[::3]:
            if written == "+1" or (part.startswith("stuck") and "|" in style):
                continue  # there is something to choose; a line break belongs to the text
            found = fixed(START + part.format(style.format(written)) + rest)
            left = [p for p in found.problems if all(one.certain for one in p.suggestions)]
            assert left == [], (written, found.text)


GUESSED = """\
rulegame: 1
title: T
parameters: {most: {default: 3, min: 1}}
state: {left: 7, pile_2: 2, each player: {score: 0}}
operations: {take: {choose: {n: 1..most}, effects: {left: left - n, my.score: score of me + 1}}}
validity: {ok: {require: n in 0..pile_2}}
end: {empty: {when: left <= 0, result: win, text: "{score of me}"}}
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("1..most", '"range(1, most + 1)"'),
        ("1..most", "range(most)"),
        ("1..most", "6"),
        ("1..most", "most - 1"),
        ("1..most", "random(3)"),
        ("in 0..pile_2", "in 0 until pile_2"),
        ("n in 0..pile_2", '"n in range(0, 1)"'),
        ("n in 0..pile_2", "ceil(n / 2) > 1"),
        ("n in 0..pile_2", "n ^ 2 > 1"),
        ("n in 0..pile_2", "n < pile_3"),
        ("default: 3, min", "default: 2,1 min"),
        ("rulegame: 1", "rulegame: 2"),
        ("{score of me}", "{myscore}"),
        ("result: win", "result: all"),
        ("result: win", "loser: me"),
    ],
)
def test_a_guess_at_what_was_meant_is_offered_but_not_made(right: str, wrong: str) -> None:
    assert validate_text(GUESSED) == () and right in GUESSED
    text = GUESSED.replace(right, wrong, 1)
    found = fixed(text)
    assert found.text == text and any(p.suggestions for p in found.problems)
    assert all(p.fix == () for p in found.problems)


@pytest.mark.parametrize(
    ("declared", "misspelt", "used"),
    [
        ("most: {default", "moost: {default", 3),
        ("{left: 7", "{lefft: 7", 4),
        ("{take: {", "{tkae: {", 2),
        ("{empty: {", "{emty: {", 2),
        ("{few: left", "{fwe: left", 2),
    ],
)
def test_a_misspelt_declaration_is_not_spread(declared: str, misspelt: str, used: int) -> None:
    text = DECLARED.replace(declared, misspelt, 1)
    assert validate_text(DECLARED) == () and text != DECLARED
    found = fixed(text)
    assert found.text == text and len(validate_text(text)) >= used - 1


def test_a_name_that_is_misspelt_again_and_again_is_fixed() -> None:
    found = fixed(DECLARED.replace("left -", "lfet -").replace("n <= left", "n <= lfet"))
    assert found.text == DECLARED
    found = fixed(DECLARED.replace("min([n", "mni([n"))  # a word of the language is right
    assert found.text == DECLARED


DECLARED = """\
rulegame: 1
title: T
parameters: {most: {default: 3}}
state: {left: 7}
define: {few: left < 3}  # not moost or lefft
operations: {take: {choose: {n: 1..most}, effects: {left: "left - min([n, most])"}}}
validity: {ok: {for: [take], require: "n <= left and n <= most and (few or not few)"}}
end: {empty: {when: left <= 0, result: win}}
tests:
  one: {play: [take 3, take 3, take 1], expect: {outcome: {winner: 1, rule: empty}}}
  two: {play: [take 3, take 1, take 3], expect: {outcome: {winner: 1, rule: empty}}}
"""


def problem(message: str, line: int, column: int, right: str) -> Diagnostic:
    span = Span("f", line, column, line, column + 1, "x" * 9)
    edits = (Edit(span, right),)
    return Diagnostic("E302", message, span, suggestions=(Suggestion(right, edits),))


def test_an_edit_that_does_not_help_is_taken_back() -> None:
    """`b` helps, `bad` does not, and both stand in one file."""

    def check(text: str) -> tuple[Diagnostic, ...]:
        first = [problem("one", 1, 1, "b")] if text.startswith("a") else []
        second = "bad" if "bad" in text else "worse"
        return (*first, problem(second, 2, 1, "bad"))

    found = fix("a\nc\n", "f", check)
    assert found.text == "b\nc\n" and [edit.text for edit in found.edits] == ["b"]


def test_edits_without_end_come_to_an_end() -> None:
    checks = 0

    def check(text: str) -> tuple[Diagnostic, ...]:
        nonlocal checks
        checks += 1
        return (problem(f"number {checks}", 1, 1, str(checks % 10)),)

    assert fix("x\n", "f", check).edits == ()
    assert checks <= MOST_CHECKS + 1


def test_problems_of_other_files_stay() -> None:
    wrong = problem("one", 1, 1, "b")
    assert fix("a\n", "g", lambda _: (wrong,)) == Fixed("a\n", (wrong,))


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (Edit(Span("f", 1, 7, 1, 11, "left: lefd"), "left"), "'lefd' is now 'left'"),
        (Edit(Span("f", 1, 5, 1, 5, "left:1"), " "), "the line is now 'left :1'"),
        (Edit(Span("f", 1, 1, 1, 3, "  left: 1"), "    "), "the line is now indented by 4"),
        (Edit(Span("f", 1, 2, 1, 3, "x\u202ey"), ""), "'\\u202e' is gone"),
    ],
)
def test_an_edit_is_told_in_a_sentence(edit: Edit, said: str) -> None:
    assert sentence(edit) == said
