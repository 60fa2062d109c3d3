"""Hints can be obeyed: where one says what to put in place of the part that is wrong, the problem
is gone when that is done, and no other has come. What a hint says and what its edits do agree.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulegame.diagnostics import Diagnostic, Suggestion
from rulegame.edits import apply_edits
from rulegame.loading import load_ruleset

FOLDER = Path(__file__).parent / "golden"
SAID = re.compile(
    r"""write\ '(?P<write>.+?)'(?:$|:\ |,\ or\ |\ to\ )|did\ you\ mean\ '(?P<mean>[^']+)'\?$
        |(?:quote\ this\ \w+|write\ a\ list|quote\ it):\ (?P<quote>.*)$""",
    re.VERBOSE,
)
# These are about more than one file, or leave something to choose that only the author can say.
LEFT_OUT = ("E210", "E211", "E212", "E428")


def said(problem: Diagnostic) -> str:
    """What a hint says is to be written, as people read it; empty if it says nothing exact."""
    found = SAID.match(problem.hint)
    if found is None or "…" in found[0]:
        return ""
    return found["write"] or found["mean"] or found["quote"]


def agree(words: str, suggestion: Suggestion) -> bool:
    """Whether edits write what is said; with the marks, blanks or parentheses that it needs."""
    new = " ".join(edit.text for edit in suggestion.edits)
    plain = re.sub(r"[\s()'\"\\]", "", new)
    return plain in re.sub(r"[\s()'\"\\:]", "", words) or re.sub(r"[\s()'\"]", "", words) in plain


def problems(text: str, file: Path) -> tuple[Diagnostic, ...]:
    file.write_text(text, "utf-8", newline="")
    return load_ruleset(file)[1]


RULESETS = [
    path
    for path in sorted(FOLDER.glob("E[1-4]*.yaml"))
    if not path.stem.startswith(LEFT_OUT) and "extends:" not in path.read_text("utf-8")
]


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: str(path.stem))
def test_a_hint_can_be_obeyed(path: Path, tmp_path: Path) -> None:
    text = path.read_text("utf-8")
    file = tmp_path / "game.yaml"
    before = problems(text, file)
    for problem in before:
        if words := said(problem):
            assert problem.suggestions, problem.hint
            assert agree(words, problem.suggestions[0]), (problem.hint, problem.suggestions)
        for suggestion in problem.suggestions:
            if suggestion.edits:
                check_obeyed(text, problem, suggestion, before, file)


def check_obeyed(
    text: str,
    problem: Diagnostic,
    suggestion: Suggestion,
    before: tuple[Diagnostic, ...],
    file: Path,
) -> None:
    after = problems(apply_edits(text, suggestion.edits), file)
    said_after = [(p.span.line, p.message) for p in after]
    assert (problem.span.line, problem.message) not in said_after, problem.hint
    here = [p for p in after if p.span.line == problem.span.line]
    were = [p for p in before if p.span.line == problem.span.line]
    assert len(here) < len(were), (problem.hint, [str(p) for p in here])


# The beginning of a ruleset, and parts of one that are written as elsewhere. Obeying what is said,
# a few times if need be, makes it valid.
START = """\
rulegame: 1
title: T
players: [Maker, Breaker]
state:
  left: 21
  light: {type: red | green, start: red}
  cards: {type: set of 1..9}
  heaps: {type: list of int, size: 3}
  each player:
    penny: 1
"""
ELSEWHERE = {
    "validity:\n  v: {}\n": [
        "player == 1",
        "player 1 == me",
        "penny of Maker > 0",
        "p1 == me",
        "left > 0 && !(left == 3) || left < 2",
        "light == green AND left >= 1",
        "left is in 1..3",
        "left is not in 1..3",
        "left is greater than 3",
        "left modulo 2 == 0",
        "left mod 2 is 1",
        "(left + 1) % 2 == 0",
        "left ** 2 ≥ 16",
        "heaps[1] ^ 2 > 1",
        "len(cards) ≠ 0",
        "players.length == 2",
        "some(h > 0 for h in heaps)",
        "maximum(heaps) > 3",
        "total(heaps) > 3",
        "light in [red, “green”]",
        "left == 1 or == 2 or == 3",
        "left > 1 and < 3",
        "if left > 3 then true else false",
        "yes",
    ],
    "end:\n  e:\n    when: left == 0\n    result: {}\n": [
        "Maker wins",
        "player 2 wins",
        "second player loses",
        "first player wins",
        "p2 wins",
        "no one wins",
        "nobody loses",
        "the opponent wins",
        "I lose",
        "everybody wins",
        "most penny wins",
        "fewest penny wins",
        "stalemate",
        "victory",
        "if left == 0 then win else lose",
    ],
    "operations:\n  o:\n    choose: {{n: 1..3}}\n    effects:\n      left: {}\n": [
        "+= n",
        "-= 2",
        "+1",
        "= 3",
        "left−n",
        "left – n",
        "left++",
        "left // 2",
        "if n == 1: 2 else: 3",
        "if (n == 1) then 2 else if n == 2 then 3 else 4",
        "1 if n == 1 elif 2 if n == 2 else 3",
        "n == 1 ? 2 : 3",
        "int(left / 2)",
        "modulo(left, 2)",
        "div(left, 2)",
        "average(heaps)",
    ],
    "operations:\n  o:\n    effects: {{left: left - 1}}\n    choose:\n      n: {}\n": [
        "1 through 6",
        "1…6",
        "1...6",
        "d20",
        "1, 2, 5",
        "range(1, 6)",
        "[1..6]",
        "1 - 6",
    ],
    "stuck: {}\n": ["skip", "nothing", "tie", "losing", "victory"],
    "turn:\n  next: {}\n": ["player 2", "2", "opponent", "Breaker"],
}
REST = {
    "operations:": "operations:\n  o: {effects: {left: left - 1}}\n",
    "end:": "end:\n  e: {when: left <= 0, result: win}\n",
}


@pytest.mark.parametrize(
    ("part", "written"), [(part, w) for part, every in ELSEWHERE.items() for w in every]
)
def test_following_the_hints_leads_to_a_valid_ruleset(
    part: str, written: str, tmp_path: Path
) -> None:
    rest = "".join(text for section, text in REST.items() if not part.startswith(section))
    text = START + part.format(written) + rest
    for _ in range(6):
        found = problems(text, tmp_path / "game.yaml")
        if not found:
            return
        assert found[0].suggestions, f"{found[0]}: {found[0].hint}"
        edits = found[0].suggestions[0].edits
        assert edits, f"{found[0]}: {found[0].hint}"
        text = apply_edits(text, edits)
    raise AssertionError(f"still: {found[0]}: {found[0].hint}\n{text}")
