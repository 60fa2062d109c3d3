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


# What is wrong is something else: the line as it should be, the line as it is, and the problem.
OTHER_SLIPS = [
    ("    about: Take some", "    about:Take some", "a space is missing after ':'"),
    ("    about: Take some", "    about Take some", "missing ':' after this key"),
    ("      left: left - n", "      left:left - n", "a space is missing after ':'"),
    ("      last: n", "      last:n", "a space is missing after ':'"),
    ("      last: n", "      last n", "missing ':' after this key"),
    ("    effects:", "    effects", "missing ':' after this key"),
    ("    when: left == 0", "    when:left == 0", "a space is missing after ':'"),
    ("    result: win", "    result:win", "a space is missing after ':'"),
    ("    result: win", "    result win", "missing ':' after this key"),
    ("    result: win", "    result:", "'result' has no value"),
    ("    result: win", "    wombat: win", "'wombat' is not a key of an end rule"),
    ("    play: [take 3]", "    play:", "'play' must be a list of moves, not null"),
    ("  the last one wins:", "  the last one wins", "missing ':' after this key"),
    ("summary: Take them down.", "summary:Take them down.", "a space is missing after ':'"),
]


@pytest.mark.parametrize(("line", "changed", "message"), OTHER_SLIPS)
def test_other_slips_are_not_blamed_on_indentation(
    line: str, changed: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.yaml"
    text = GAME.replace(f"\n{line}\n", f"\n{changed}\n")
    number = text.split("\n").index(changed) + 1
    file.write_text(text, "utf-8")
    _, problems = load_ruleset(file)
    assert [p.message for p in problems if p.span.line == number] == [message]


@pytest.mark.parametrize("typed", ["    la", "    wh", "    wombat", "sta", "x y z"])
@pytest.mark.parametrize("above", ["    about: Take some\n", "    result: win\n", "  last: 0\n"])
def test_a_half_typed_line_is_the_one_that_is_reported(
    typed: str, above: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.yaml"
    text = GAME.replace(above, f"{above}{typed}\n")
    number = text.split("\n").index(typed) + 1
    file.write_text(text, "utf-8")
    _, (problem, *_) = load_ruleset(file)
    assert problem.span.line in (number, number + 1)  # where it ends, or where the next begins
    assert "does not fit" not in problem.message


@pytest.mark.parametrize("again", ["title: Up", "stuck: lose\nstuck: lose", "state: {x: 1}"])
def test_a_key_that_stands_twice_is_no_slip_of_indentation(again: str, tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(GAME.replace("\nend:\n", f"\n{again}\nend:\n"), "utf-8")
    _, problems = load_ruleset(file)
    assert [p.code for p in problems] == ["E105"]


def test_a_rule_below_a_long_text_does_not_become_part_of_it(tmp_path: Path) -> None:
    """Whatever is wrong with that rule."""
    text = "    about: >-\n      Take some of them,\n      as many as you like.\n"
    long = GAME.replace("    about: Take some\n", text)
    file = tmp_path / "game.yaml"
    for changed in ("    choos:", "    choose", "     choose:", "   choose:", "      choose:"):
        file.write_text(long.replace("    choose:", changed), "utf-8")
        _, problems = load_ruleset(file)
        number = long.split("\n").index("    choose:") + 1
        assert not any(p.offers(" " * 6) for p in problems)
        assert number in {p.span.line for p in problems} or changed == "      choose:"


def test_the_slip_does_not_hide_other_problems(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    text = GAME.replace("    about: Take some", "    about:Take some")
    text = text.replace("    when: left == 0", "     when: lefft == 0")
    file.write_text(text.replace("n: 1..3", "n: 1..mosst"), "utf-8")
    _, problems = load_ruleset(file)
    assert [(p.span.line, p.code) for p in problems] == [
        (11, "E104"),
        (13, "E302"),
        (20, "E104"),
        (20, "E302"),
    ]
    assert all(p.span.source == file.read_text("utf-8").split("\n")[p.span.line - 1]
               for p in problems)  # fmt: skip


@pytest.mark.parametrize("end", ["\r", "\x85", "\r\n"])
def test_lines_that_end_otherwise(end: str, tmp_path: Path) -> None:
    """What counts lines in another way would look for the missing colon elsewhere."""
    file = tmp_path / "game.yaml"
    file.write_bytes(f"rulegame: 1{end}title: T{end}state{end}end: 5\n".encode())
    ruleset, problems = load_ruleset(file)
    assert ruleset is None and problems
