"""A line that is indented too far, or not far enough, is the line that is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulegame.bundled import ruleset_path
from rulegame.loading import load_ruleset

GAME = """\
rulegame: 1
title: Down
summary: Take them down.

state:
  left: 5
  last: 0

operations:
  take:
    about: Take some
    choose:
      n: 1..3
    effects:
      left: left - n
      last: n

end:
  done:
    when: left == 0
    result: win

tests:
  the last one wins:
    given: {left: 3}
    play: [take 3]
    expect:
      outcome: {winner: 1}
"""


@pytest.mark.parametrize(
    ("line", "indent"),
    [
        (6, 3),
        (6, 4),
        (11, 2),
        (11, 5),
        (12, 2),
        (14, 2),
        (16, 4),
        (16, 8),
        (20, 2),
        (20, 5),
        (21, 6),
        (24, 0),
        (25, 2),
        (26, 6),
        (28, 4),
    ],
)
def test_the_line_is_named(line: int, indent: int, tmp_path: Path) -> None:
    lines = GAME.split("\n")
    was = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    lines[line - 1] = " " * indent + lines[line - 1].lstrip()
    file = tmp_path / "game.yaml"
    file.write_text("\n".join(lines), "utf-8")
    ruleset, (problem, *others) = load_ruleset(file)
    assert ruleset is None
    assert (problem.span.line, problem.code, others) == (line, "E104", [])
    assert problem.hint == f"indent it by {was}, not {indent}"


def test_lines_of_a_bundled_ruleset(tmp_path: Path) -> None:
    """Most of them: some can be meant either way, and are not wrong then."""
    path = ruleset_path("dice_duel")
    assert path is not None
    lines = path.read_text("utf-8").split("\n")
    right = wrong = 0
    for k in range(5, len(lines), 7):
        if lines[k].strip() and not lines[k].lstrip().startswith("#"):
            file = tmp_path / "game.yaml"
            file.write_text("\n".join([*lines[:k], " " + lines[k], *lines[k + 1 :]]), "utf-8")
            _, problems = load_ruleset(file)
            right += [p.span.line for p in problems] == [k + 1]
            wrong += bool(problems) and [p.span.line for p in problems] != [k + 1]
    assert right > 8 and wrong == 0


def test_other_problems_stay_what_they_are(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(GAME.replace("effects:", "efects:").replace("      last: n\n", ""), "utf-8")
    _, problems = load_ruleset(file)
    assert [p.code for p in problems] == ["E201"]
