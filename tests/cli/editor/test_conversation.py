"""A conversation with the language server: what an editor asks, and what it is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pygls.uris import to_fs_path

from cli.editor.client import Client, Refused
from rulegame import bundled
from rulegame.authoring.formatting import format_text

COUNTDOWN = """\
rulegame: 1
title: Countdown

parameters:
  pile: {default: 21, min: 1, about: How many there are at the start}
  most: 3

define:
  enough(k): left >= k

state:
  left: pile
  each player:
    taken: 0

operations:
  take:
    about: Take some
    choose:
      n: 1..most
    effects:
      left: left - n
      my.taken: my.taken + n

validity:
  enough_left:
    require: enough(n) and after.left >= 0
    because: "only {left} left"

end:
  last_taken:
    when: left == 0
    result: win

tests:
  the last one wins:
    set: {pile: 3}
    play: [take 1, take 2]
    expect:
      values: {left: 0, taken: [1, 2]}
      outcome: {winner: 2, rule: last_taken}
"""
VARIANT = """\
rulegame: 1
extends: ./countdown.yaml
title: Long Countdown
parameters:
  pile: 50
validity:
  not_all:
    require: n < left
"""


def place(text: str, mark: str, behind: int = 0) -> tuple[int, int]:
    """Line and character of the first occurrence of a mark, from 0."""
    at = text.index(mark) + behind
    return text[:at].count("\n"), at - (text.rfind("\n", 0, at) + 1)


def written(text: str, range_: dict[str, Any]) -> str:
    """The text that a range covers; ASCII lines only."""
    start, end = range_["start"], range_["end"]
    assert start["line"] == end["line"]
    line: int = start["line"]
    return text.split("\n")[line][int(start["character"]) : int(end["character"])]


def labels(client: Client, uri: str, line: int, character: int) -> list[str]:
    return [item["label"] for item in client.at("completion", uri, line, character)["items"]]


def changed(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after edits, as an editor makes them."""
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:k]) for k in range(len(lines))]

    def offset(position: dict[str, int]) -> int:
        return starts[position["line"]] + position["character"]

    ranges = [(offset(e["range"]["start"]), offset(e["range"]["end"]), e["newText"]) for e in edits]
    for start, end, new in sorted(ranges, reverse=True):
        text = text[:start] + new + text[end:]
    return text


# ---- diagnostics


def test_a_problem_appears_while_typing_and_goes_when_it_is_mended(client: Client) -> None:
    uri = client.open("countdown.yaml", COUNTDOWN)
    assert client.problems(uri) == []
    broken = COUNTDOWN.replace("left - n", "lefft - n")
    client.change(uri, broken)
    (problem,) = client.problems(uri)
    assert written(broken, problem["range"]) == "lefft"
    assert problem["code"] == "E302" and problem["severity"] == 1
    assert problem["message"].startswith("unknown name 'lefft'")
    assert "did you mean 'left'?" in problem["message"]
    page = problem["codeDescription"]["href"]
    path = to_fs_path(page)
    assert path is not None and Path(path).read_text("utf-8").startswith("# E302")
    client.change(uri, COUNTDOWN)
    assert client.problems(uri) == []


def test_a_warning_is_no_error(client: Client) -> None:
    uri = client.open("a.yaml", COUNTDOWN.replace("  most: 3\n", "  most: 3\n  idle: 1\n"))
    (problem,) = client.problems(uri)
    assert (problem["code"], problem["severity"]) == ("E412", 2)


def test_columns_count_units_of_utf16(client: Client) -> None:
    text = COUNTDOWN.replace('"only {left} left"', '"😀 é 😀: only {lefft} left"')
    uri = client.open("a.yaml", text)
    (problem,) = client.problems(uri)
    line = text.split("\n")[problem["range"]["start"]["line"]]
    units = line.encode("utf-16-le")
    start, end = (problem["range"][side]["character"] * 2 for side in ("start", "end"))
    assert units[start:end].decode("utf-16-le") == "lefft"
    good = text.replace("lefft", "left")
    client.change(uri, good)
    assert client.problems(uri) == []
    row, column = place(good, "{left} left")
    column += 2 + 1  # two characters before it take two units each
    found = client.at("hover", uri, row, column)
    assert "value left" in found["contents"]["value"]
    assert found["range"]["start"]["character"] == column


@pytest.mark.quick(1)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_an_editor_may_count_in_other_units(tmp_path: Path, encoding: str) -> None:
    client = Client(tmp_path, [encoding])
    try:
        assert client.capabilities["positionEncoding"] == encoding
        text = COUNTDOWN.replace('"only {left} left"', '"😀 é: only {lefft} left"')
        uri = client.open("a.yaml", text)
        (problem,) = client.problems(uri)
        line = text.split("\n")[problem["range"]["start"]["line"]]
        before = line[: line.index("lefft")]
        size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
        codec = encoding if encoding == "utf-8" else f"{encoding}-le"
        assert problem["range"]["start"]["character"] == len(before.encode(codec)) // size
    finally:
        client.kill()


def test_a_problem_in_the_parent_is_shown_in_the_parent(client: Client) -> None:
    """Also when the parent is open and was never saved; mending it there clears the variant."""
    client.open("countdown.yaml", COUNTDOWN)
    variant = client.open("long.yaml", VARIANT)
    assert client.problems(variant) == []
    parent = client.uri("countdown.yaml")
    broken = COUNTDOWN.replace("state:\n  left:", "state:\n  rest:")
    client.change(parent, broken)
    client.until(lambda: bool(client.diagnostics[variant] and client.diagnostics[parent]))
    assert {p["code"] for p in client.diagnostics[parent]} == {"E302"}
    (own,) = client.diagnostics[variant]
    assert written(VARIANT, own["range"]) == "left"
    client.change(parent, COUNTDOWN)
    client.until(lambda: not client.diagnostics[variant] and not client.diagnostics[parent])


def test_a_parent_on_the_disk_is_read_and_watched(client: Client) -> None:
    parent = client.folder / "countdown.yaml"
    parent.write_text(COUNTDOWN.replace("left == 0", "left = 0"), "utf-8")
    client.open("long.yaml", VARIANT)
    assert [p["code"] for p in client.problems(parent.as_uri())] == ["E301"]
    parent.write_text(COUNTDOWN, "utf-8")
    changes = [{"uri": parent.as_uri(), "type": 2}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert client.problems(parent.as_uri()) == []


def test_the_server_wants_to_know_of_changes_on_the_disk(client: Client) -> None:
    uri = client.open("a.yaml", COUNTDOWN)
    assert client.problems(uri) == []
    (wanted,) = client.asked
    assert wanted["method"] == "client/registerCapability"
    (registration,) = wanted["params"]["registrations"]
    assert registration["method"] == "workspace/didChangeWatchedFiles"


def test_a_closed_file_has_no_problems_left(client: Client) -> None:
    uri = client.open("a.yaml", COUNTDOWN.replace("left == 0", "left = 0"))
    assert client.problems(uri)
    client.close(uri)
    assert client.problems(uri) == []


def test_other_yaml_files_are_left_alone(client: Client) -> None:
    other = client.open("compose.yaml", "services:\n  web: {image: nginx, ports: ['80:80']}\n")
    uri = client.open("a.yaml", COUNTDOWN)
    assert client.problems(uri) == []
    assert other not in client.diagnostics
    assert client.at("completion", other, 1, 2)["items"] == []
    assert client.at("hover", other, 0, 3) is None


# ---- completion


REQUIRE = "require: enough(n) and after.left >= 0"
BECAUSE = '"only {left} left"'
TAKEN = "each player:\n    taken: 0"
ABOUT = "    about: Take some\n"


@pytest.mark.parametrize(
    ("old", "typed", "wanted", "unwanted"),
    [
        (REQUIRE, "require: af", "n left pile enough sum after", "a title"),
        (REQUIRE, "require: after.", "left taken enough my can_move repetitions", "n pile sum and"),
        (REQUIRE, "require: after.my.", "taken", "left n name"),
        ("my.taken: my.taken + n", "my.taken: my.", "taken", "left n"),
        ("my.taken: my.taken + n", "my.taken: taken of ", "me them", ""),
        ("left: left - n", "left: 1", "n left most", "after"),
        ("left: pile", "left: ", "pile most", "left n me"),
        ("n: 1..most", "n: 1..", "most left", "n"),
        (BECAUSE, '"there are {', "left n label if or_list", ""),
        (BECAUSE, '"there are {my.', "taken name", "left"),
        (BECAUSE, '"there are ', "", "left n"),
        (ABOUT, "    \n", "label when steps roll", "choose effects"),
        (ABOUT, "    wh\n", "when", "choose"),
        ("title: Countdown", "extends: ", "zero_sum_duel nim", "left"),
        ("play: [take 1, take 2]", "play: [take 1, ", "take", "left n"),
        ("set: {pile: 3}", "set: {", "pile most", "left"),
        ("title: Countdown", "claims: {for: {", "pile most", "left no_draws"),
        ("title: Countdown", "claims: [{", "for no_draws", "pile left"),
        ("rule: last_taken}", "rule: ", "last_taken stuck", "enough_left"),
        ("result: win", "result: ", "win lose draw", ""),
        (TAKEN, f"{TAKEN[:-1]}{{type: optional int, seen by: ", "all owner nobody", ""),
        (TAKEN, f"{TAKEN[:-1]}{{", "type start size", "label"),
        ("left == 0", "left == 0 # left ", "", "left and"),
    ],
)
@pytest.mark.parametrize("checked_before", [False, True])
def test_completion_offers_what_may_stand_there(
    client: Client, old: str, typed: str, wanted: str, unwanted: str, checked_before: bool
) -> None:
    """The good text first, then what someone types, which need not be right; whether or not the
    server had time to check the good text.
    """
    uri = client.open("a.yaml", COUNTDOWN)
    if checked_before:
        assert client.problems(uri) == []
    text = COUNTDOWN.replace(old, typed)
    client.change(uri, text)
    line, character = place(text, typed, len(typed.rstrip("\n")))
    found = labels(client, uri, line, character)
    assert [w for w in wanted.split() if w not in found] == []
    assert [u for u in unwanted.split() if u in found] == []


def test_completion_replaces_what_is_typed_and_tells_the_type(client: Client) -> None:
    text = COUNTDOWN.replace("left == 0", "le")
    uri = client.open("a.yaml", text)
    line, character = place(text, "when: le", 8)
    items = {i["label"]: i for i in client.at("completion", uri, line, character)["items"]}
    edit = items["left"]["textEdit"]
    assert written(text, edit["range"]) == "le" and edit["newText"] == "left"
    assert items["pile"]["documentation"]["value"] == "How many there are at the start"
    assert (
        items["sum"]["detail"].startswith("sum(") and items["sum"]["textEdit"]["newText"] == "sum("
    )


def test_a_new_file_can_begin_with_completion(client: Client) -> None:
    uri = client.open("new.yaml", "")
    assert {"rulegame", "title", "extends"} <= set(labels(client, uri, 0, 0))


def test_names_of_a_parent_are_offered_in_a_variant(client: Client) -> None:
    text = "rulegame: 1\nextends: zero_sum_duel\noperations:\n  \nvalidity:\n  x: n > my.\n"
    uri = client.open("v.yaml", text)
    assert "subtract" in labels(client, uri, 3, 2)
    assert labels(client, uri, 5, 12) == ["score"]


# ---- hover, definition, references, symbols


@pytest.mark.parametrize(
    ("mark", "behind", "expected"),
    [
        ("left - n", 1, ["value left", "a number"]),
        ("left - n", 7, ["choice n of take", "a number"]),
        ("1..most", 4, ["parameter most", "a number"]),
        ("pile: {default", 0, ["How many there are at the start"]),
        ("enough(n)", 0, ["definition enough", "enough(k): left >= k", "true or false"]),
        ("left >= k", 8, ["argument k of enough"]),
        ("my.taken + n", 4, ["value of each player taken"]),
        ("require:", 2, ["What must hold for a move to be valid"]),
        ("choose:", 2, ["The choices"]),
        ("take 1", 1, ["operation take", "Take some"]),
        ("last_taken}", 1, ["end rule last_taken"]),
    ],
)
def test_hover_says_what_a_name_or_a_key_is(
    client: Client, mark: str, behind: int, expected: list[str]
) -> None:
    uri = client.open("a.yaml", COUNTDOWN)
    found = client.at("hover", uri, *place(COUNTDOWN, mark, behind))["contents"]["value"]
    assert [text for text in expected if text not in found] == []


def test_hover_over_a_function_tells_how_it_is_called(client: Client) -> None:
    text = COUNTDOWN.replace("left == 0", "max(taken) > 9")
    uri = client.open("a.yaml", text)
    assert "max(a, b, …)" in client.at("hover", uri, *place(text, "max("))["contents"]["value"]


@pytest.mark.parametrize(
    ("mark", "behind", "declared"),
    [
        ("left - n", 0, "left: pile"),
        ("left - n", 7, "n: 1..most"),
        ("enough(n)", 0, "enough(k)"),
        ("take 2", 0, "take:\n"),
        ("last_taken}", 0, "last_taken:\n"),
        ("taken: [1", 0, "taken: 0"),
        ("only {left}", 7, "left: pile"),
    ],
)
def test_definition_is_where_the_name_is_declared(
    client: Client, mark: str, behind: int, declared: str
) -> None:
    uri = client.open("a.yaml", COUNTDOWN)
    (found,) = client.at("definition", uri, *place(COUNTDOWN, mark, behind))
    start = found["range"]["start"]
    assert (start["line"], start["character"]) == place(COUNTDOWN, declared)


def test_definition_goes_into_the_parent(client: Client) -> None:
    (client.folder / "countdown.yaml").write_text(COUNTDOWN, "utf-8")
    uri = client.open("long.yaml", VARIANT)
    for mark, declared in (("n < left", "n: 1..most"), ("left\n", "left: pile"), ("pile", "pile:")):
        (found,) = client.at("definition", uri, *place(VARIANT, mark))
        assert found["uri"] == client.uri("countdown.yaml")
        start = found["range"]["start"]
        assert (start["line"], start["character"]) == place(COUNTDOWN, declared)


def test_definition_goes_into_a_bundled_parent(client: Client) -> None:
    text = "rulegame: 1\nextends: zero_sum_duel\ntitle: X\nvalidity:\n  small: n < 4\n"
    uri = client.open("v.yaml", text)
    (found,) = client.at("definition", uri, *place(text, "n <"))
    parent = bundled.ruleset_path("zero_sum_duel")
    assert parent is not None and found["uri"] == parent.resolve().as_uri()
    assert written(parent.read_text("utf-8"), found["range"]) == "n"


def test_definition_of_what_is_extended_is_the_file(client: Client) -> None:
    (client.folder / "countdown.yaml").write_text(COUNTDOWN, "utf-8")
    uri = client.open("long.yaml", VARIANT)
    (found,) = client.at("definition", uri, *place(VARIANT, "./countdown", 4))
    assert found["uri"] == client.uri("countdown.yaml")
    assert found["range"]["start"] == {"line": 0, "character": 0}


def test_definition_of_a_loop_is_in_its_head(client: Client) -> None:
    text = COUNTDOWN.replace("left == 0", "any(taken of p > 9 for p in players)")
    uri = client.open("a.yaml", text)
    (found,) = client.at("definition", uri, *place(text, "p > 9"))
    start = found["range"]["start"]
    assert (start["line"], start["character"]) == place(text, "p in players")


def test_references_are_all_mentions(client: Client) -> None:
    uri = client.open("a.yaml", COUNTDOWN)
    line, character = place(COUNTDOWN, "left: pile")
    found = client.at("references", uri, line, character, context={"includeDeclaration": True})
    assert [written(COUNTDOWN, f["range"]) for f in found] == ["left"] * 8
    fewer = client.at("references", uri, line, character, context={"includeDeclaration": False})
    assert len(fewer) == 7


# ---- renaming


def test_rename_changes_every_mention_and_nothing_else(client: Client) -> None:
    uri = client.open("a.yaml", COUNTDOWN)
    where = place(COUNTDOWN, "left == 0")
    prepared = client.at("prepareRename", uri, *where)
    assert prepared["placeholder"] == "left" and written(COUNTDOWN, prepared["range"]) == "left"
    edits = client.at("rename", uri, *where, newName="rest")["changes"][uri]
    text = changed(COUNTDOWN, edits)
    assert text == COUNTDOWN.replace("left", "rest").replace("enough_rest", "enough_left").replace(
        "} rest", "} left"
    )
    client.change(uri, text)
    assert client.problems(uri) == []


def test_rename_reaches_the_variants_of_a_file(client: Client) -> None:
    """Open ones, and those that only lie in the workspace."""
    (client.folder / "short.yaml").write_text(VARIANT.replace("50", "5"), "utf-8")
    parent = client.open("countdown.yaml", COUNTDOWN)
    variant = client.open("long.yaml", VARIANT)
    changes = client.at("rename", variant, *place(VARIANT, "n < left"), newName="many")["changes"]
    assert set(changes) == {parent, variant, client.uri("short.yaml")}
    assert changed(VARIANT, changes[variant]) == VARIANT.replace("n < left", "many < left")
    assert "      many: 1..most" in changed(COUNTDOWN, changes[parent])


@pytest.mark.parametrize(
    ("mark", "new", "reason"),
    [
        ("left: pile", "pile 2", "is not a name"),
        ("left: pile", "9lives", "is not a name"),
        ("left: pile", "", "is not a name"),
        ("left: pile", "none", "a reserved word"),
        ("left: pile", "null", "a reserved word"),
        ("left: pile", "most", "that name is taken"),
        ("left: pile", "taken", "taken"),
        ("enough(k)", "max", "built-in function"),
        ("k): left", "left", "taken"),
        ("title:", "name", "no name to rename"),
    ],
)
def test_rename_is_refused_with_the_reason(
    client: Client, mark: str, new: str, reason: str
) -> None:
    uri = client.open("a.yaml", COUNTDOWN)
    with pytest.raises(Refused, match=reason):
        client.at("rename", uri, *place(COUNTDOWN, mark), newName=new)


def test_what_a_bundled_ruleset_declares_cannot_be_renamed(client: Client) -> None:
    text = "rulegame: 1\nextends: zero_sum_duel\ntitle: X\nvalidity:\n  small: n < 4\n"
    uri = client.open("v.yaml", text)
    with pytest.raises(Refused, match="bundled ruleset 'zero_sum_duel'"):
        client.at("prepareRename", uri, *place(text, "n <"))
    with pytest.raises(Refused, match="bundled ruleset 'zero_sum_duel'"):
        client.at("rename", uri, *place(text, "n <"), newName="many")
    edits = client.at("rename", uri, *place(text, "small"), newName="tiny")["changes"]
    assert changed(text, edits[uri]) == text.replace("small", "tiny")


def test_a_ruleset_with_errors_is_not_renamed_in(client: Client) -> None:
    text = COUNTDOWN.replace("left == 0", "left = 0")
    uri = client.open("a.yaml", text)
    with pytest.raises(Refused, match="fix the errors"):
        client.at("rename", uri, *place(text, "left: pile"), newName="rest")
    assert "Traceback" not in client.errors


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_whole_file_is_formatted(client: Client, ending: str) -> None:
    ugly = COUNTDOWN.replace("title: ", "title:    ").replace("\n", ending)
    neat = format_text(COUNTDOWN).replace("\n", ending)
    uri = client.open("a.yaml", ugly)
    asked = {"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": True}}
    edits = client.request("textDocument/formatting", asked)
    assert changed(ugly, edits) == neat
    client.change(uri, neat)
    assert client.request("textDocument/formatting", asked) == []
