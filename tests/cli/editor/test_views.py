"""Quick fixes, the outline, folding, the colours of words and signatures, as editors get them."""

from __future__ import annotations

from typing import Any

import pytest

from cli.editor.client import Client
from cli.editor.test_conversation import COUNTDOWN

QUOTED = """\
rulegame: 1
title: "😀 One\\u00e9"
# what there is
# at the start
state: {left: 7}
operations:
  take:
    choose: {n: 1..3}
    effects: {left: lefd - n % 2}
end: {empty: {when: "left <= 0", result: win}}
texts:
  turn: |
    😀é {lefd}
    {left}
"""


def units(text: str) -> int:
    """How long a text is for an editor."""
    return len(text.encode("utf-16-le")) // 2


def place(text: str, mark: str) -> tuple[int, int]:
    """Line and character of the first occurrence of a mark, as an editor counts."""
    before = text[: text.index(mark)]
    return before.count("\n"), units(before[before.rfind("\n") + 1 :])


def offset(text: str, position: dict[str, int]) -> int:
    """The same the other way round: how many characters stand before a place."""
    lines = text.split("\n")[: position["line"] + 1]
    last = lines[-1].encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le")
    return sum(len(line) + 1 for line in lines[:-1]) + len(last)


def written(text: str, stretch: dict[str, Any]) -> str:
    return text[offset(text, stretch["start"]) : offset(text, stretch["end"])]


def changed(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after edits, as an editor makes them."""
    for edit in sorted(edits, key=lambda e: offset(text, e["range"]["start"]), reverse=True):
        start, end = (offset(text, edit["range"][key]) for key in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


def actions(client: Client, uri: str, at: tuple[int, int], **context: Any) -> list[dict[str, Any]]:
    here = {"line": at[0], "character": at[1]}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": here, "end": here},
        "context": {"diagnostics": [], **context},
    }
    found: list[dict[str, Any]] = client.request("textDocument/codeAction", params)
    return found


# ---- quick fixes


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_suggestion_is_a_quick_fix_of_its_diagnostic(client: Client, newline: str) -> None:
    text = QUOTED.replace("\n", newline)
    uri = client.open("a.yaml", text)
    told = client.problems(uri)
    [action] = actions(client, uri, place(text, "n % 2"), diagnostics=told)
    assert (action["title"], action["kind"]) == ("Write 'mod(n, 2)'", "quickfix")
    assert action["isPreferred"] and action["diagnostics"][0] in told
    text = changed(text, action["edit"]["changes"][uri])
    assert 'effects: {left: "lefd - mod(n, 2)"}' in text
    client.change(uri, text)
    [action] = actions(client, uri, place(text, "lefd}"))
    text = changed(text, action["edit"]["changes"][uri])
    assert "😀é {left}" in text


def test_what_is_to_be_chosen_is_offered_one_by_one(client: Client) -> None:
    text = COUNTDOWN.replace("left: left - n", "left: lift - n").replace("pile", "loft")
    uri = client.open("a.yaml", text)
    found = actions(client, uri, place(text, "lift"))
    assert sorted(a["title"] for a in found) == ["Write 'left'", "Write 'loft'"]
    assert not any(a["isPreferred"] for a in found)


def test_only_the_kinds_that_are_asked_for(client: Client) -> None:
    uri = client.open("a.yaml", QUOTED)
    at = place(QUOTED, "n % 2")
    assert actions(client, uri, at, only=["refactor"]) == []
    assert [a["kind"] for a in actions(client, uri, at, only=["quickfix"])] == ["quickfix"]
    [everything] = actions(client, uri, (0, 0), only=["source.fixAll"])
    client.change(uri, changed(QUOTED, everything["edit"]["changes"][uri]))
    client.until(lambda: client.diagnostics.get(uri) == [])
    assert actions(client, uri, (0, 0), only=["source"]) == []


def test_a_problem_in_a_parent_is_fixed_in_the_parent(client: Client) -> None:
    wrong = COUNTDOWN.replace("left - n", "lefd - n")
    parent = client.open("parent.yaml", wrong)
    client.open("child.yaml", "rulegame: 1\nextends: parent.yaml\ntitle: C\n")
    [action] = actions(client, parent, place(wrong, "lefd"))
    assert list(action["edit"]["changes"]) == [parent]


# ---- the outline


def outline(client: Client, uri: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.request(
        "textDocument/documentSymbol", {"textDocument": {"uri": uri}}
    )
    return found


def names(symbols: list[dict[str, Any]]) -> Any:
    return [(s["name"], names(s["children"])) if s["children"] else s["name"] for s in symbols]


CONTENTS = [
    ("parameters", ["pile", "most"]),
    ("define", ["enough"]),
    ("state", ["left", "taken"]),
    ("operations", [("take", ["n"])]),
    ("validity", ["enough_left"]),
    ("end", ["last_taken"]),
    ("tests", ["the last one wins"]),
]


def test_the_outline_has_sections_in_the_order_of_the_file(client: Client) -> None:
    uri = client.open("a.yaml", COUNTDOWN)
    found = outline(client, uri)
    assert names(found) == CONTENTS
    check_nested(found)
    [operations] = [s for s in found if s["name"] == "operations"]
    assert written(COUNTDOWN, operations["selectionRange"]) == "operations"
    assert written(COUNTDOWN, operations["range"]).endswith("my.taken: my.taken + n")


def check_nested(symbols: list[dict[str, Any]], within: dict[str, Any] | None = None) -> None:
    for symbol in symbols:
        first, last = _ends(symbol["range"])
        name_first, name_last = _ends(symbol["selectionRange"])
        assert first <= name_first <= name_last <= last
        if within is not None:
            assert _ends(within)[0] <= first and last <= _ends(within)[1]
        check_nested(symbol["children"], symbol["range"])


def _ends(stretch: dict[str, Any]) -> tuple[tuple[int, int], tuple[int, int]]:
    start, end = stretch["start"], stretch["end"]
    return (start["line"], start["character"]), (end["line"], end["character"])


def test_a_line_that_cannot_be_read_leaves_the_rest_of_the_outline(client: Client) -> None:
    broken = COUNTDOWN.replace("state:", 'oh: "no\nstate:')
    found = outline(client, client.open("a.yaml", broken))
    assert names(found) == CONTENTS


# ---- folding


def test_sections_entries_texts_and_comments_fold(client: Client) -> None:
    uri = client.open("a.yaml", QUOTED.replace("\n", "\r\n"))
    found = client.request("textDocument/foldingRange", {"textDocument": {"uri": uri}})
    assert [(f["startLine"], f["endLine"], f.get("kind")) for f in found] == [
        (2, 3, "comment"),
        (5, 8, None),
        (6, 8, None),
        (10, 13, None),
        (11, 13, None),
    ]


# ---- the colours of words


def words(client: Client, text: str) -> list[tuple[str, str, list[str]]]:
    """Each word that has a colour, with its type and modifiers."""
    uri = client.open("a.yaml", text)
    legend = client.capabilities["semanticTokensProvider"]["legend"]
    answer = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})
    data, line, column, found = answer["data"], 0, 0, []
    rows = text.split("\n")
    for k in range(0, len(data), 5):
        down, right, length, type_, bits = data[k : k + 5]
        column = right if down else column + right
        line += down
        word = rows[line].encode("utf-16-le")[2 * column : 2 * (column + length)]
        modifiers = [m for j, m in enumerate(legend["tokenModifiers"]) if bits >> j & 1]
        found.append((word.decode("utf-16-le"), legend["tokenTypes"][type_], modifiers))
    return found


def test_every_word_of_an_expression_has_its_colour(client: Client) -> None:
    found = words(client, COUNTDOWN)
    for expected in [
        ("pile", "variable", ["declaration", "readonly"]),
        ("pile", "variable", ["readonly"]),
        ("enough", "function", ["declaration"]),
        ("enough", "function", []),
        ("k", "parameter", []),
        ("left", "property", ["declaration"]),
        ("left", "property", []),
        ("take", "method", ["declaration"]),
        ("n", "parameter", []),
        ("and", "keyword", []),
        ("after", "keyword", []),
        (">=", "operator", []),
        ("0", "number", []),
        ("win", "variable", ["defaultLibrary", "readonly"]),
        ("last_taken", "event", ["declaration"]),
    ]:
        assert expected in found, expected
    assert not {"Countdown", "only", "there"} & {word for word, _, _ in found}


def test_texts_have_colours_in_their_braces_only(client: Client) -> None:
    found = words(client, QUOTED)
    assert ("left", "property", []) in found
    assert not {"😀é", "One", "é"} & {word for word, _, _ in found}


def test_an_expression_that_is_not_finished_keeps_its_colours(client: Client) -> None:
    text = COUNTDOWN.replace("when: left == 0", "when: max(left == (0 +")
    found = words(client, text)
    assert ("max", "function", ["defaultLibrary"]) in found
    broken = COUNTDOWN.replace("state:", 'oh: "no\nstate:')
    assert [w for w in words(client, broken) if w[0] != "oh"] == words(client, COUNTDOWN)


# ---- signatures


SIGNATURES = [
    ("when: max(left, |", "max(a, b, …)", "b"),
    ("when: max(|", "max(a, b, …)", "a"),
    ("when: max(1, 2, 3, |", "max(a, b, …)", "…"),
    ("when: mod(size(players), |", "mod(a, b)", "b"),
    ("when: any(x for |", "any(condition for v in collection)", "condition for v in collection"),
    ("when: enough(|", "enough(k)", "k"),
    ("when: {require: 'mod(left, |", "mod(a, b)", "b"),
    ("text: \"It's {plural(left, |", 'plural(n, "point")', '"point"'),
    ("text: \"It's (left, |", None, None),
    ("when: nothing(|", None, None),
    ("when: plural(|", None, None),
    ("when: mod(left, 2)|", None, None),
    ("about: max(|", None, None),
]


@pytest.mark.parametrize(("line", "label", "argument"), SIGNATURES)
def test_the_call_that_is_being_typed(
    client: Client, line: str, label: str | None, argument: str | None
) -> None:
    typed = line.partition("|")[0]
    if line.startswith("when: {require"):
        typed = typed.replace("when: {require", "x: {require")
        text = COUNTDOWN.replace("  enough_left:", f"  {typed}\n  enough_left:")
    elif line.startswith("about"):
        text = COUNTDOWN.replace("    about: Take some", f"    {typed}")
    else:
        text = COUNTDOWN.replace("    when: left == 0", f"    {typed}")
    uri = client.open("a.yaml", COUNTDOWN)
    client.change(uri, text)
    row, column = place(text, typed)
    found = client.at("signatureHelp", uri, row, column + len(typed))
    if label is None:
        assert found is None
        return
    shown = found["signatures"][found["activeSignature"]]
    start, end = shown["parameters"][found["activeParameter"]]["label"]
    assert (shown["label"], shown["label"][start:end]) == (label, argument)


def test_a_call_over_several_lines(client: Client) -> None:
    text = COUNTDOWN.replace("when: left == 0", "when: mod(left,\n      |")
    uri = client.open("a.yaml", COUNTDOWN)
    client.change(uri, text.replace("|", ""))
    found = client.at("signatureHelp", uri, *place(text, "|"))
    assert found["signatures"][0]["label"] == "mod(a, b)" and found["activeParameter"] == 1


def test_other_yaml_is_left_alone(client: Client) -> None:
    uri = client.open("other.yaml", "services:\n  web: {image: max(a, }\n")
    about = {"textDocument": {"uri": uri}}
    assert client.request("textDocument/foldingRange", about) == []
    assert client.request("textDocument/semanticTokens/full", about) == {"data": []}
    assert actions(client, uri, (0, 0)) == []
    assert client.at("signatureHelp", uri, 1, 20) is None
