"""Declared types in the editor: rename, hover and completion."""

from __future__ import annotations

from pathlib import Path

from rulegame.authoring.completion import complete
from rulegame.authoring.explaining import explain
from rulegame.authoring.files import OpenFiles
from rulegame.authoring.renaming import rename
from rulegame.authoring.study import study
from rulegame.edits import apply_edits

TEXT = """\
rulegame: 1
title: Types
parameters: {most: 12}
types:
  card: [guard, priest]
  column: 2..most
  spot:
    points: {a: [1, 1], b: [2, 1]}
    lines: [[a, b]]
state:
  left: {type: list of int, indexed by: card}
  at: {type: column, start: 3}
  net: {type: list of bool, indexed by: spot}
operations:
  draw:
    choose: {c: card, s: spot}
    effects:
      left[c]: left[c] + ordinal(guard)
      net[a]: true
end:
  over: {when: "any(left[k] > 3 for k in card) or net[b]", result: win}
"""


def renamed(path: Path, name: str, new: str) -> str:
    """The text after a rename of the name where it first stands."""
    line = next(k for k, text in enumerate(TEXT.splitlines(), 1) if name in text)
    column = TEXT.splitlines()[line - 1].index(name) + 1
    edits = rename(study(path), line, column, new, OpenFiles())
    return apply_edits(TEXT, edits)


def test_rename(tmp_path: Path) -> None:
    path = tmp_path / "types.yaml"
    path.write_text(TEXT, "utf-8")
    text = renamed(path, "card:", "rank")
    assert "rank: [guard" in text and "indexed by: rank" in text and "{c: rank, s" in text
    assert "for k in rank)" in text and "card" not in text
    text = renamed(path, "column:", "track")
    assert "track: 2..most" in text and "{type: track, start" in text
    assert "2..top" in renamed(path, "most:", "top")
    text = renamed(path, "guard", "knight")
    assert "[knight, priest]" in text and "ordinal(knight)" in text
    text = renamed(path, "a: [1", "z")
    assert "{z: [1, 1]" in text and "[[z, b]]" in text and "net[z]: true" in text


def test_hover_and_completion(tmp_path: Path) -> None:
    path = tmp_path / "types.yaml"
    path.write_text(TEXT, "utf-8")
    checked, lines = study(path), TEXT.splitlines()
    hover = explain(checked, 5, 3)
    assert hover is not None and hover.text.startswith("**type card**")
    line = next(k for k, text in enumerate(lines, 1) if "indexed by: card" in text)
    column = lines[line - 1].index("card") + 1
    offered = [item.label for item in complete(checked, TEXT, line, column, OpenFiles())]
    assert {"card", "column", "spot"} <= set(offered)
    line = next(k for k, text in enumerate(lines, 1) if "type: column" in text)
    column = lines[line - 1].index("column") + 1
    offered = [item.label for item in complete(checked, TEXT, line, column, OpenFiles())]
    assert {"card", "spot", "optional"} <= set(offered)
