"""Traffic that no editor should send, texts that no ruleset should have: the server stays."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cli.editor.client import Client, Refused
from cli.editor.test_conversation import COUNTDOWN, VARIANT
from rulegame.limits import LIMITS
from waiting import WAIT

GARBAGE = [
    "",
    "\n",
    "rulegame",
    "rulegame:",
    "rulegame: [",
    'rulegame: 1\ntitle: "',
    "rulegame: 1\n\toperations:",
    "rulegame: 1\n--- \n...\n---\n",
    "rulegame: 1\noperations: &a\n  take: *a\n",
    "rulegame: 1\nextends: a.yaml\n",
    "rulegame: 1\nextends: ../../../../etc/passwd\n",
    'rulegame: 1\nextends: "\\0"\n',
    "rulegame: 1\n" + "a: {" * 200,
    "rulegame: 1\n" + "[" * 5000,
    "rulegame: 1\n\x00\x01\x02\ud800\n",
    "\ufeffrulegame: 1\r\ntitle: x\ry: 1\x85z: 2\u2028w: 3",
    "rulegame: 1\ndefine:\n  a: b\n  b: a\nend:\n  x: {when: a, result: win}\n",
    "rulegame: 1\ndefine:\n  a(: 1\n  a(b: 1\n  (a): 1\n  ' ': 1\n",
    "rulegame: 1\ndefine:\n  f(x): " + "(" * 500 + "\n",
    "rulegame: 1\noperations: [take]\nstate: 5\nturn: x\nsetup: 1\nvalidity: null\ntests: {a: 1}\n",
    "rulegame: 1\noperations:\n  : {choose: {: 1}}\n  ? [a, b]\n  : 3\n",
    "rulegame: 1\ntexts:\n  turn: '{for p in players}{if {{{end}{end}{end}'\n",
    "rulegame: 1\nstate:\n  a: {type: 'a |'}\n  b: {type: '| | |'}\n  c: {type: list of list}\n",
    "- rulegame: 1\n- - - x\n",
]
QUESTIONS = ("completion", "hover", "definition", "prepareRename", "signatureHelp")


def ask_everything(client: Client, uri: str, line: int, character: int) -> None:
    """Every question about one place; an answer or a refusal, but no internal error."""
    for question in QUESTIONS:
        _answered(client, question, uri, line, character)
    client.at("references", uri, line, character, context={"includeDeclaration": True})
    for whole in ("documentSymbol", "foldingRange", "semanticTokens/full"):
        client.request(f"textDocument/{whole}", {"textDocument": {"uri": uri}})
    here = {"line": line, "character": character}
    about = {"textDocument": {"uri": uri}, "range": {"start": here, "end": here}}
    for only in ({}, {"only": ["source.fixAll"]}):
        context = {"diagnostics": [], **only}
        client.request("textDocument/codeAction", {**about, "context": context})
    _answered(client, "rename", uri, line, character, newName="zebra")


def _answered(
    client: Client, question: str, uri: str, line: int, character: int, **more: Any
) -> None:
    with suppress(Refused):
        client.at(question, uri, line, character, **more)


@pytest.mark.parametrize("number", range(len(GARBAGE)))
def test_garbage_is_answered(client: Client, number: int) -> None:
    text = GARBAGE[number]
    uri = client.open("a.yaml", text)
    for line, character in ((0, 0), (0, 5), (1, 3), (2, 9), (10**6, 10**6)):
        ask_everything(client, uri, line, character)
    client.change(uri, COUNTDOWN)
    client.until(lambda: client.diagnostics.get(uri) == [])
    assert "Traceback" not in client.errors


def test_every_place_of_a_text_can_be_asked_about(client: Client) -> None:
    uri = client.open("a.yaml", COUNTDOWN)
    for line, source in enumerate(COUNTDOWN.split("\n")):
        for character in range(0, len(source) + 2, 3):
            for question in ("completion", "hover", "definition"):
                client.at(question, uri, line, character)
    assert "Traceback" not in client.errors


def test_a_text_cut_off_anywhere_is_answered(client: Client) -> None:
    """What someone types is always cut off somewhere."""
    uri = client.open("a.yaml", COUNTDOWN)
    chance = random.Random(7)
    for end in sorted(chance.sample(range(len(COUNTDOWN)), 60)):
        text = COUNTDOWN[:end]
        client.change(uri, text)
        line = text.count("\n")
        client.at("completion", uri, line, len(text) - (text.rfind("\n") + 1))
        client.at("hover", uri, max(line - 1, 0), 4)
        client.at("signatureHelp", uri, line, len(text) - (text.rfind("\n") + 1))
        client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})
    client.change(uri, COUNTDOWN)
    client.until(lambda: client.diagnostics.get(uri) == [])
    assert "Traceback" not in client.errors


def test_damaged_texts_are_answered(client: Client) -> None:
    uri = client.open("a.yaml", COUNTDOWN)
    chance = random.Random(11)
    for _ in range(60):
        signs = list(COUNTDOWN)
        for _ in range(chance.randrange(1, 6)):
            signs[chance.randrange(len(signs))] = chance.choice(" :{}[]\"'#&*|>-\n\t,.😀é\x85")
        client.change(uri, "".join(signs))
        ask_everything(client, uri, chance.randrange(40), chance.randrange(30))
    assert "Traceback" not in client.errors


@pytest.mark.full
def test_a_huge_file_is_refused_with_its_reason(client: Client) -> None:
    uri = client.open("a.yaml", COUNTDOWN + "# x\n" * LIMITS.file_bytes)
    assert [p["code"] for p in client.problems(uri)] == ["E102"]
    ask_everything(client, uri, 5, 5)
    client.change(uri, COUNTDOWN)
    assert client.problems(uri) == []


def test_rapid_changes_are_checked_once_they_stop(client: Client) -> None:
    uri = client.open("a.yaml", COUNTDOWN)
    client.problems(uri)
    before = client.published
    for number in range(300):
        client.change(uri, COUNTDOWN.replace("left == 0", f"left == {number} +"))
    client.change(uri, COUNTDOWN.replace("left == 0", "lefft == 0"))
    client.until(lambda: [p["code"] for p in client.diagnostics[uri]] == ["E302"])
    assert client.published - before < 100


def test_two_files_that_extend_each_other(client: Client) -> None:
    first = client.open("a.yaml", VARIANT.replace("countdown", "b"))
    second = client.open("b.yaml", VARIANT.replace("countdown", "a"))
    client.until(lambda: bool(client.diagnostics.get(first) and client.diagnostics.get(second)))
    assert "E211" in {p["code"] for p in client.diagnostics[first]}
    ask_everything(client, first, 4, 3)
    assert "Traceback" not in client.errors


def test_a_file_that_was_never_saved_has_no_path(client: Client) -> None:
    uri = "untitled:Untitled-1"
    document = {"uri": uri, "languageId": "yaml", "version": 1, "text": COUNTDOWN}
    client.notify("textDocument/didOpen", {"textDocument": document})
    assert client.problems(uri) == []
    assert client.at("hover", uri, 11, 3)["contents"]["value"].startswith("**value left")
    client.close(uri)


def test_nonsense_messages_do_not_end_the_server(own_client: Client) -> None:
    for body in (b"{", b"[]", b"null", b"12", b'"x"', b"\xff\xfe", b"{}", b'{"jsonrpc": "2.0"}'):
        own_client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    own_client.send({"method": "textDocument/didOpen", "params": {"textDocument": 5}})
    own_client.send({"method": "textDocument/didChange", "params": {}})
    own_client.send({"method": "no/such/notification", "params": {}})
    own_client.send({"id": "x", "method": "textDocument/hover", "params": {"position": -1}})
    own_client.send({"id": "y", "method": "no/such/request", "params": {}})
    uri = own_client.open("a.yaml", COUNTDOWN)
    own_client.until(lambda: own_client.diagnostics.get(uri) == [])


def test_questions_about_a_file_that_is_not_open(client: Client) -> None:
    uri = client.uri("nowhere.yaml")
    assert client.at("hover", uri, 0, 0) is None
    assert client.at("definition", uri, 3, 3) == []
    client.close(uri)
    negative = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    assert client.request("textDocument/prepareRename", negative) is None


# ---- the end of a conversation


def test_goodbye_as_the_protocol_has_it(own_client: Client) -> None:
    assert own_client.leave() == 0


def test_exit_without_shutdown_is_a_failure(own_client: Client) -> None:
    own_client.notify("exit", None)
    assert own_client.process.wait(WAIT) == 1


def test_the_end_of_the_input_ends_the_server(own_client: Client) -> None:
    assert own_client.process.stdin is not None
    own_client.process.stdin.close()
    assert own_client.process.wait(WAIT) == 1
    assert "Traceback" not in own_client.errors


def test_the_end_of_the_output_ends_the_server(tmp_path: Path) -> None:
    """The editor is gone: the server notices when it has something to say."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rulegame_cli", "lsp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdout.close()
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}'
    process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    process.stdin.close()
    assert process.wait(WAIT) == 1


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_ends_the_server(own_client: Client) -> None:
    own_client.process.send_signal(signal.SIGINT)
    assert own_client.process.wait(WAIT) == 130


@pytest.mark.full
def test_nothing_but_the_protocol_is_on_the_output(tmp_path: Path) -> None:
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    ).encode()
    result = subprocess.run(
        [sys.executable, "-m", "rulegame_cli", "lsp"],
        input=b"Content-Length: %d\r\n\r\n%s" % (len(body), body),
        capture_output=True,
    )
    assert result.stdout.startswith(b"Content-Length: ")
    size = int(result.stdout.split(b"\r\n")[0].split()[1])
    assert len(result.stdout.partition(b"\r\n\r\n")[2]) == size
