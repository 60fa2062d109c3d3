"""Formatting keeps what a ruleset says, its comments too, and is done once."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulegame import bundled
from rulegame.authoring import formatting
from rulegame.authoring.formatting import NotFormatted, format_text
from rulegame.source.reading import read_text

FOLDER = bundled.rulesets_folder()
BUNDLED = sorted(FOLDER.rglob("*.yaml"))

BEFORE = """\
# A head that stays on top.
title:   Lights
rulegame: 1
state:
    light:  { type: red | green,start: red }   # starts red
    # at the end of the state
operations:
      # above the operation


      switch:
            effects:   # behind a key
                light: green
            about: >
                Folded text
                of two lines
            choose: {n: [1,
                         2, # in brackets
                         3]}
end: {over: {when: light == green, result: win}}
# at the very end
"""

AFTER = """\
# A head that stays on top.
rulegame: 1
title: Lights

state:
  light: {type: red | green, start: red}  # starts red
  # at the end of the state

operations:
  # above the operation

  switch:
    about: >
      Folded text
      of two lines
    choose:
      n:
        - 1
        - 2  # in brackets
        - 3
    effects:  # behind a key
      light: green

end: {over: {when: light == green, result: win}}

# at the very end
"""


def test_keys_are_ordered_and_comments_stay_where_they_belong() -> None:
    assert format_text(BEFORE) == AFTER
    assert format_text(AFTER) == AFTER


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_the_bundled_rulesets_are_formatted(path: Path) -> None:
    text = path.read_text("utf-8")
    assert format_text(text) == text


@pytest.mark.parametrize("seed", range(60))
def test_comments_anywhere_are_kept(seed: int) -> None:
    random = Random(seed)
    lines = random.choice(BUNDLED).read_text("utf-8").splitlines()
    for k in range(6):
        at = random.randrange(len(lines))
        indent = " " * random.choice((0, 1, 2, 4, 6))
        if random.random() < 0.5:
            lines.insert(at, f"{indent}# comment {k}")
        else:
            lines[at] += f"  # comment {k}"
    text = "\n".join(lines) + "\n"
    if read_text(text, "")[1]:
        return  # a comment inside a scalar can make the text unreadable
    formatted = format_text(text)  # which compares what both say
    assert [k for k in range(6) if formatted.count(f"# comment {k}") != 1] == []
    assert format_text(formatted) == formatted


SEVERAL_LINES = """\
rulegame: 1
title: x
summary: a long
  continued plain   # keep 1
end: {e: {when: a
   == 1, # keep 2
  result: win}}
texts:
  title: "a
    b" # keep 3
  "a #b": 'c
    # d'   # keep 4
  block: |   # keep 5
    # no comment
  flow: [a,# keep 6
    b]
"""

SEVERAL_LINES_FORMATTED = """\
rulegame: 1
title: x
summary: a long
  continued plain  # keep 1

end:
  e:
    when: a
      == 1  # keep 2
    result: win

texts:
  title: "a
    b"  # keep 3
  "a #b": 'c
    # d'  # keep 4
  block: |  # keep 5
    # no comment
  flow:
    - a  # keep 6
    - b
"""


def test_comments_behind_scalars_of_several_lines_are_kept() -> None:
    assert format_text(SEVERAL_LINES) == SEVERAL_LINES_FORMATTED
    assert format_text(SEVERAL_LINES_FORMATTED) == SEVERAL_LINES_FORMATTED


def test_a_text_that_would_lose_a_comment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatting, "_single", lambda above: [])
    with pytest.raises(NotFormatted, match="would lose the comment in line 2"):
        format_text("rulegame: 1\n# above\ntitle: x\n")


def test_a_text_that_would_say_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatting, "_header", lambda line: "|-")
    with pytest.raises(NotFormatted, match="would change the meaning of line 4"):
        format_text("rulegame: 1\ntexts:\n  a: |\n    x\n")


@pytest.mark.parametrize(
    "text",
    [
        "rulegame: 1\ntexts:\n  a: |+\n    kept\n\n\n  b: |2\n     deep\n  c: >-\n    x\n\n    y\n",
        "rulegame: 1\ntexts: {a: 'it''s', b: \"a\\\n  b\", c: plain\n  more}\n",
        "rulegame: 1\noperations:\n  a: &one\n    effects: {x: 1}\n  b: *one\n",
        "rulegame: 1\ntests:\n- play: [a,\n   b]\n-\n  expect:\n     valid: []\n",
        "{rulegame: 1, title: x, state: {}}\n",
        "rulegame: 1\n? title\n: x\nsummary:\nplayers: [a, b,]\n",
        "\ufeffrulegame: 1\r\ntitle: x\r\n",
        "---\nrulegame: 1\ntitle: x\n...\n",
        "rulegame: 1\ntexts:\n  ? a key\n    of two lines\n  : x  # behind\n",
        'rulegame: 1\ntests:\n  "a #b": {play: []}\n',
        "rulegame: 1\ntitle: x\nsummary: |\n  no last line break",
        "rulegame: 1\ntitle: >+\n  no last line break",
        f"rulegame: 1\ntexts: {{a: {'word ' * 12}\n  {'word ' * 12}, b: c}}\n",
        "rulegame: 1\ntexts: {a: [one\n\n  two], b: 'one\n\n  two'}\n",
        "rulegame: 1\ntitle: x\nstate: { # inside\n  }\nplayers: [ # inside, too\n  ] # behind\n",
        "rulegame: 1\ntests: [[ # first\n  [a, # second\n   b], # third\n  c]] # last\n",
        "rulegame: 1\ntests:\n  - play: [a]  # behind the first\n    expect: {valid: []}\n",
    ],
)
def test_every_way_of_writing_is_understood(text: str) -> None:
    formatted = format_text(text)
    assert format_text(formatted) == formatted


@pytest.mark.parametrize("text", [BEFORE, SEVERAL_LINES])
def test_lines_end_as_they_did(text: str) -> None:
    formatted = format_text(text.replace("\n", "\r\n"))
    assert formatted == format_text(text).replace("\n", "\r\n")
    assert format_text(formatted) == formatted


def test_a_comment_behind_the_first_line_of_an_item_stays_there() -> None:
    text = "rulegame: 1\n\ntests:\n  - play: [a]  # here\n    expect: {valid: []}\n"
    assert format_text(text) == text


def test_a_comment_behind_several_entries_belongs_to_the_last() -> None:
    formatted = format_text("rulegame: 1\ntexts: {a: [b, c], d: e, # here\n  f: g}\n")
    expected = "rulegame: 1\n\ntexts:\n  a: [b, c]\n  d: e  # here\n  f: g\n"
    assert formatted == expected


def test_a_list_in_brackets_over_several_lines_is_broken_up_at_once() -> None:
    words = " ".join(["word"] * 12)
    formatted = format_text(f"rulegame: 1\ntexts: {{a: {words}\n  {words}, b: c}}\n")
    assert formatted == f"rulegame: 1\n\ntexts:\n  a: {words}\n    {words}\n  b: c\n"


@pytest.mark.parametrize("text", ["", "a: [", "- 1\n", "a: 1\na: 2\n", "a: \x00"])
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(NotFormatted):
        format_text(text)
