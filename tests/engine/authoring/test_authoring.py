"""Names of rulesets: renamed one after the other, a game stays the same game."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulegame
from rulegame import bundled
from rulegame.authoring.files import OpenFiles
from rulegame.authoring.locating import locate
from rulegame.authoring.outline import outline
from rulegame.authoring.renaming import CannotRename, rename
from rulegame.authoring.study import study
from rulegame.authoring.symbols import BUILT_IN, Occurrence
from rulegame.diagnostics import Edit, Span
from rulegame.edits import apply_edits
from rulegame.ruletests.running import run_tests

EVERYTHING = """\
rulegame: 1
title: Everything
players: [Ann, Bob]
parameters:
  sides: 4
  paint: {default: red, one of: [red, blue]}
define:
  half: sides / 2
  free(r, c): board[r, c] == none
  landing(c): count(r for r in 1..2 if free(r, c))
state:
  board: {type: grid of optional player, rows: 2, columns: 2}
  light: {type: red | amber | green, start: red}
  bag: {type: set of 1..sides}
  heaps: {type: list of int, start: [1, 2]}
  each player:
    score: 0
    hand: {type: set of 1..9, seen by: owner}
setup:
  pick:
    choose:
      numbers: subsets(1..3, 2)
    effects:
      my.hand: numbers
  deal:
    for: players[half - 1]
    when: sides > half and size(my.hand) > 0
    steps:
      cards:
        when: paint == red
        repeat: half - 1
        while: size(bag) < sides
        roll:
          card: {from: 1..sides, weight: card, seen by: all, text: "{my.name}: {card}"}
        effects:
          bag: with(bag, card)
  lay:
    once: true
    roll:
      laid: 1..half
    effects:
      heaps[laid]: heaps[laid]
turn:
  roll:
    die:
      from: 1..sides
      weight: die
      text: "{roll}: {die}"
  ask: [c, operation]
operations:
  put:
    choose:
      c: {from: 1..2, prompt: "Which column, {my.name}? "}
    when: die > 0
    effects:
      board[landing(c), c]: me
      light: amber if light == red else green
  tint:
    choose:
      c: 1..2
      shade: [red, amber, green]
    steps:
      first_step:
        effects:
          light: shade
          score of p for p in players: score of p + die
      second_step:
        roll:
          coin: 1..2
      third:
        when: coin == 1
        repeat: half
        while: my.score > 0
        effects:
          my.score: my.score - 1
          heaps[c]: heaps[c] + coin
    next: them if coin == 1 else me
    texts:
      chosen: "{my.name} paints {c} {before.light} to {shade}"
validity:
  room:
    require: free(1, c) and landing(c) > 0
    for: [put]
    because: "{label}: column {c} is full"
  both:
    require: c <= 2 and after.my.score >= 0
    for: [put]
  plain: c >= 1
stuck:
  unless: after.board[1, 1] != them or sides > 0
  result: lose
end:
  long:
    when: sum(heaps) > 6 or all(not free(r, c2) for r in 1..2 for c2 in 1..2)
    result: win if paint == red else lose
    text: "{winner} wins with {score of me}"
texts:
  turn: "{for p in players}{for q in players}{if p == q}{name of p}: {score of q} {end}{end}{end}"
  chosen: "{move} {c}"
claims:
  - no_draws: false
  - for: {sides: 2..6, paint: [red, blue]}
    no_draws: false
tests:
  a game:
    set: {sides: 6, paint: blue}
    given: {light: green, heaps: [1, 1]}
    play: [die 3, tint 1 red, coin 1]
    expect:
      values: {light: red, score: [0, 3]}
      outcome: none
  moves:
    play: [pick 1 2, pick 2 3, card 3, laid 2, die 2]
    expect:
      valid: [put 1, put 2, tint 1 red, tint 1 amber, tint 1 green, tint 2 red, tint 2 amber, tint 2 green]
  a full column:
    given: {board: [[1, none], [2, none]]}
    play: [die 1]
    expect:
      invalid: {put 1: room}
"""  # noqa: E501


AT_ONCE = """\
rulegame: 1
title: At once
define:
  beats(a, b): a == rock and b == paper
state:
  rounds: 0
  each player:
    score: 0
    out: false
turn:
  roll:
    die: 1..2
  together: list(p for p in players if not out of p)
  steps:
    first:
      effects:
        score of p for p in players if sign of p != none and die == 2: score of p + 1
        rounds: rounds + count(s for s in sign if s == rock)
    luck:
      roll:
        coin: heads | tails
      effects:
        out of p for p in players: coin == heads and p == whom of p
operations:
  show:
    choose:
      sign: rock | paper
  leave:
    choose:
      whom: players
    effects:
      my.out: whom == me
stuck: pass
end:
  over:
    when: rounds > 3 or all(out of p for p in players)
    payoff: score
texts:
  chosen: "{if seat(me) == 1}{sign}{end}"
tests:
  both:
    play: [die 2, show rock, leave 2]
    expect:
      valid: [coin heads, coin tails]
      values: {score: [1, 0], rounds: 1}
"""
NAMES = bundled.ruleset_names("games", "variants")


def copies(folder: Path) -> list[Path]:
    """The bundled rulesets side by side, so that variants extend files that can be changed."""
    for name in NAMES:
        path = bundled.ruleset_path(name)
        assert path is not None
        text = path.read_text("utf-8").replace("\nextends: ", "\nextends: ./")
        lines = [f"{x}.yaml" if x.startswith("extends: ") else x for x in text.split("\n")]
        (folder / f"{name}.yaml").write_text("\n".join(lines), "utf-8")
    (folder / "everything.yaml").write_text(EVERYTHING, "utf-8")
    (folder / "at_once.yaml").write_text(AT_ONCE, "utf-8")
    return sorted(folder.glob("*.yaml"))


def next_name(path: Path) -> Occurrence | None:
    """The first name that the file declares and that has not been renamed."""
    found = outline(path)
    return next(
        (
            o
            for o in found.occurrences
            if o.declares
            and o.span.file == found.file.shown_as
            and o.symbols[0].kind not in BUILT_IN
            and not o.symbols[0].name.startswith("zz")
        ),
        None,
    )


@pytest.mark.full
@pytest.mark.parametrize("name", ["everything", "at_once", *NAMES])
def test_a_game_with_all_its_names_changed_is_the_same_game(tmp_path: Path, name: str) -> None:
    paths = copies(tmp_path)
    path = tmp_path / f"{name}.yaml"
    before = [rulegame.perft(rulegame.load(path), depth) for depth in (1, 2)]
    own_files = {file.path for file in outline(path).files}
    family = [p for p in paths if own_files & {file.path for file in outline(p).files}]
    renamed = 0
    while (found := next_name(path)) is not None:
        files = OpenFiles()
        studies = {p: study(p, files) for p in family}
        where = (found.span.line, found.span.column)
        edits = rename(studies[path], *where, f"zz{renamed}", files, studies.values())
        for changed in {Path(e.span.file) for e in edits}:
            own = [e for e in edits if Path(e.span.file) == changed]
            changed.write_text(apply_edits(changed.read_text("utf-8"), own), "utf-8")
        renamed += 1
    assert renamed >= 1
    for one in family:
        _, results, problems = run_tests(one)
        assert problems == ()
        assert [(r.name, r.failures) for r in results if r.failures] == []
    assert [rulegame.perft(rulegame.load(path), depth) for depth in (1, 2)] == before


@pytest.mark.parametrize("name", ["everything", "at_once", *NAMES])
def test_every_name_that_the_binder_knows_is_known(tmp_path: Path, name: str) -> None:
    """What an expression means is found out twice: with types, and for editors."""
    copies(tmp_path)
    found = study(tmp_path / f"{name}.yaml")
    places = {(o.span.file, o.span.line, o.span.column) for o in found.outline.occurrences}
    assert found.diagnostics == () and len(found.types) > 5
    assert set(found.types) - places == set()


def test_one_name_for_a_choice_that_a_rule_shares(tmp_path: Path) -> None:
    """`plain: c >= 1` is about both operations: their choices keep one name."""
    path = tmp_path / "everything.yaml"
    path.write_text(EVERYTHING, "utf-8")
    line = EVERYTHING[: EVERYTHING.index("plain: c")].count("\n") + 1
    edits = rename(study(path), line, 10, "column", OpenFiles())
    text = apply_edits(EVERYTHING, edits)
    assert text.count("      column: ") == 2 and "plain: column >= 1" in text
    assert "ask: [column, operation]" in text and "free(r, c): board[r, c]" in text


def test_a_rename_that_would_capture_another_name_is_refused(tmp_path: Path) -> None:
    """The argument `c` of a definition must not come to mean the parameter."""
    path = tmp_path / "everything.yaml"
    path.write_text(EVERYTHING, "utf-8")
    line = EVERYTHING[: EVERYTHING.index("  sides: 4")].count("\n") + 1
    for taken in ("board", "r", "p", "half", "red", "die"):
        with pytest.raises(CannotRename):
            rename(study(path), line, 3, taken, OpenFiles())


def test_edits_count_characters_behind_a_mark() -> None:
    edit = Edit(Span("x", 1, 3, 1, 4), "new")
    assert apply_edits("\ufeff😀ébc\r\nd", [edit]) == "\ufeff😀énewc\r\nd"


@pytest.mark.parametrize(
    ("text", "path", "at", "typed"),
    [
        ("end:\n  take:\n    effects:\n      left: le¦", "end take effects left", "value", "le"),
        ("operations:\n  take:\n    ¦", "operations take", "key", ""),
        ("operations:\n\n  # a remark\n  take:\n\n    wh¦", "operations take", "key", "wh"),
        ("tests:\n  a b:\n    play:\n    - take 1\n    - ta¦", "tests a_b play []", "value", "ta"),
        ("tests:\n  a b:\n    play:\n      - take 1\n      - ¦", "tests a_b play []", "value", ""),
        ("tests:\n  x: {set: {a: 1, ¦", "tests x set", "key", ""),
        ("tests:\n  x: {set: {a: 1}, play: [a, b¦", "tests x play []", "value", "b"),
        ("texts:\n  turn: |\n    a: b\n      c: {x¦", "texts turn", "value", "c: {x"),
        ("texts:\n  turn: \"a: {b}, {¦", "texts turn", "value", "a: {b}, {"),
        ("define:\n  free(r, c): board[r, ¦", "define free(r,_c)", "value", "board[r, "),
        ("a:\n  'score of p for p in q': sc¦", "a score_of_p_for_p_in_q", "value", "sc"),
        ("¦", "", "key", ""),
    ],
)  # fmt: skip
def test_the_place_of_a_cursor(text: str, path: str, at: str, typed: str) -> None:
    before, behind = text.split("¦")
    line = before.count("\n") + 1
    found = locate(before + behind, line, len(before) - (before.rfind("\n") + 1) + 1)
    assert found is not None
    wanted = tuple(part.replace("_", " ") for part in path.split())
    assert (found.path, found.at, found.typed) == (wanted, at, typed)


def test_there_is_no_place_in_a_remark() -> None:
    assert locate("end:\n  # wh", 2, 7) is None
    assert locate("title: a # b", 1, 13) is None
    assert locate('title: "a # b', 1, 14) is not None
    assert locate("title", 99, 1) is None
