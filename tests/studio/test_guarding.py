"""Who is let in, and what nobody can reach: hosts, origins, keys, paths, and hostile input."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed, InvalidStatus

from rulegame_studio import connections
from rulegame_studio.limits import LIMITS
from studio.conftest import RULESETS
from studio.running import Server, seated
from waiting import WAIT


def test_only_this_machine_by_default(studio: Server) -> None:
    assert studio.link == f"http://127.0.0.1:{studio.port}/"
    listening = socket.create_connection(("127.0.0.1", studio.port), timeout=WAIT)
    listening.close()
    for host in ("evil.example", "evil.example:80", "192.168.1.5", "127.0.0.1.evil.example", ""):
        status, _, _ = studio.request("GET", "/api/library", headers={"Host": host})
        assert status in (400, 421), host
    status, _, _ = studio.request("GET", "/", headers={"Host": f"localhost:{studio.port}"})
    assert status == 200


def test_other_sites_can_neither_post_nor_connect(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml")
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{studio.port}.evil.example"):
        headers = {"Origin": origin}
        status, _, _ = studio.request("POST", "/api/tables", {"game": "nim"}, headers)
        assert status == 403
        with pytest.raises(InvalidStatus) as refused:
            studio.sit(links["seats"][0], additional_headers=headers)
        assert refused.value.response.status_code == 403
    own = {"Origin": f"http://127.0.0.1:{studio.port}"}
    client = studio.sit(links["seats"][0], additional_headers=own)
    assert client.asked()["asked"] == [0]
    client.close()


def test_every_answer_forbids_what_pages_do_not_need(studio: Server) -> None:
    for path in ("/", "/api/library", "/nothing", "/play/nim"):
        _, headers, _ = studio.request("GET", path)
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self'") and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


def test_no_address_leads_elsewhere(studio: Server) -> None:
    for path in ("//evil.example/", "//evil.example/play/nim/", "/play/nim/", "/api/library/"):
        status, headers, _ = studio.request("GET", path)
        assert status in (200, 404) and "location" not in headers, path


def test_pages_load_nothing_from_elsewhere(studio: Server) -> None:
    from rulegame_studio.error_pages import PAGES

    for path in PAGES.rglob("*"):
        if path.suffix in (".html", ".css", ".js"):
            text = path.read_text(encoding="utf-8")
            found = re.findall(
                r"(?:src|href|url\(|from)\s*=?\s*[\"'(]?(?:https?:)?//[^\s\"')]*", text
            )
            assert not found, path


@pytest.mark.full
def test_a_key_is_demanded_from_other_devices(tmp_path: Path) -> None:
    (tmp_path / "countdown.yaml").write_text(RULESETS["countdown.yaml"])
    with Server(tmp_path, tmp_path / "home", "--host", "127.0.0.2") as server:
        address, _, key = server.link.partition("/?key=")
        assert len(key) >= 22

        def ask(path: str, cookie: str = "") -> tuple[int, dict[str, str], bytes]:
            sent = {"Host": address.removeprefix("http://"), "Cookie": cookie}
            return request_at("127.0.0.2", server.port, path, sent)

        for path in ("/", "/api/library", "/api/tables", "/static/x", "/?key=wrong", "/?key="):
            assert ask(path)[0] == 401
        status, headers, _ = ask(f"/?key={key}")
        assert status == 303 and headers["location"] == "/"
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie
        for path in (
            "//evil.example/x",
            "///evil.example",
            "/\\evil.example",
            "http://evil.example",
        ):
            status, headers, _ = ask(f"{path}?key={key}")
            assert status == 303 and re.match(r"/[^/\\]", headers["location"]), path
        owner = cookie.partition(";")[0]
        assert ask("/api/library", owner)[0] == 200
        laid = json.loads(post_at("127.0.0.2", server.port, {"game": "nim"}, owner)[1])
        seat = laid["links"]["seats"][0]
        assert laid["base"] == address and "?key=" in seat and key not in seat
        status, headers, _ = ask(seat)
        guest = headers["set-cookie"].partition(";")[0]
        assert status == 303 and ask(seat.partition("?")[0], guest)[0] == 200
        for path in ("/", "/api/library", "/api/tables", "/play/nim"):
            assert ask(path, guest)[0] == 401  # who has a seat's link has no other links
        assert post_at("127.0.0.2", server.port, {"game": "nim"}, guest)[0] == 401


def request_at(
    host: str, port: int, path: str, headers: dict[str, str]
) -> tuple[int, dict[str, str], bytes]:
    from http.client import HTTPConnection

    connection = HTTPConnection(host, port, timeout=WAIT)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    found = {name.lower(): value for name, value in response.getheaders()}
    body = response.read()
    connection.close()
    return response.status, found, body


@pytest.mark.full
def post_at(host: str, port: int, body: object, cookie: str) -> tuple[int, bytes]:
    from http.client import HTTPConnection

    connection = HTTPConnection(host, port, timeout=WAIT)
    connection.request("POST", "/api/tables", json.dumps(body), {"Cookie": cookie})
    response = connection.getresponse()
    found = response.status, response.read()
    connection.close()
    return found


def test_nothing_outside_of_the_folder_is_read(tmp_path: Path) -> None:
    secret = RULESETS["countdown.yaml"].replace("Countdown", "Hidden treasure")
    (tmp_path / "outside.yaml").write_text(secret)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    (folder / "up").symlink_to(tmp_path)
    (folder / "child.yaml").write_text("rulegame: 1\nextends: ../outside.yaml\ntitle: Child\n")
    (folder / "rooted.yaml").write_text(
        f"rulegame: 1\nextends: {tmp_path / 'outside.yaml'}\ntitle: Rooted\n"
    )
    with Server(folder, tmp_path / "home") as server:
        library = json.dumps(server.get("/api/library"))
        assert "treasure" not in library and "link.yaml" not in library
        broken = [g for g in json.loads(library)["games"] if g["group"] == "folder"]
        assert [g["id"] for g in broken] == ["folder/child.yaml", "folder/rooted.yaml"]
        assert all(g["problem"] for g in broken)
        wanted = ["link.yaml", "../outside.yaml", "up/outside.yaml", f"{tmp_path}/outside.yaml"]
        wanted += ["child.yaml", "rooted.yaml", "..%2foutside.yaml", "./../outside.yaml", "\0.yaml"]
        for name in wanted:
            for game in (f"folder/{name}", name):
                for form in (quote(game, safe=""), quote(quote(game, safe=""), safe="")):
                    status, _, body = server.request("GET", f"/api/games/{form}")
                    assert status in (400, 404) and b"treasure" not in body, form
        for path in ("/static/../web.py", "/static/..%2fweb.py", "/static/%2e%2e/web.py"):
            assert server.request("GET", path)[0] in (400, 404)


HOSTILE = [
    b"", b"\xff\xfe", b"[]", b"null", b"{", b"[" * 50_000, b'{"game": 7}',
    b'{"game": "nim", "seats": 7}', b'{"game": "nim", "seats": [1, 2]}',
    b'{"game": "nim", "set": [1]}', b'{"game": "nim", "first": []}',
    b'{"game": "nim", "set": {"heaps": {"a": 1}}}', b'{"game": "nim", "enable": {"a": 1}}',
    b'{"game": "nim", "seats": [{"kind": "computer", "player": "search:99999999s"}, {}]}',
    b'{"game": "nim", "seats": [{"name": "\\u0000"}, {"name": "x"}]}',
    b'{"game": "nim", "seats": [{"name": "x"}, {"name": "x"}]}', b'{"game": "\\ud800"}',
    b'{"game": "nim", "first": "9"}', b'{"game": "nim", "set": {"\\ud800": "1"}}',
]  # fmt: skip


def test_hostile_bodies_are_refused_politely(studio: Server) -> None:
    for body in HOSTILE:
        for path in ("/api/tables", "/api/games/nim/check"):
            status, _, answer = studio.request("POST", path, body)
            assert status in (200, 400, 404), (path, body[:80])
            assert isinstance(json.loads(answer), dict)
    assert studio.request("POST", "/api/tables", b"x" * 70_000)[0] == 413
    raw = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", studio.port), timeout=WAIT) as connection:
        connection.sendall(raw + b"8000\r\n" + b"x" * 0x8000 + b"\r\n")
        connection.sendall(b"8000\r\n" + b"x" * 0x8000 + b"\r\n" + b"10\r\n" + b"x" * 16 + b"\r\n")
        assert b" 413 " in connection.recv(100)
    for line in (b"\x16\x03\x01\x00\xff" * 10, b"GET /" + b"a" * 100_000, b"GET / HTTP/9\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", studio.port), timeout=WAIT) as connection:
            connection.sendall(line)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(4096):
                pass
    assert studio.get("/api/tables")["tables"] is not None


def test_hostile_messages_are_refused_and_the_table_goes_on(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml")
    with seated(studio, *links["seats"]) as (ann, bob):
        ann.asked()
        bob.until()
        texts = ["", "7", "[]", "{}", "{", "[" * 9000, '{"kind": 7}', '{"kind": "move"}']
        texts += ['{"kind": "move", "text": {}}', '{"kind": "move", "text": "\\ud800"}']
        texts += ['{"kind": "computer", "seat": 1, "text": "take 1"}', '{"kind": "ready"}']
        texts += ['{"kind": "move", "text": "take 1", "version": -1}', '{"kind": "answer"}']
        texts += [
            '{"kind": "branch", "at": "x"}',
            '{"kind": "resign", "seat": 1e99, "x": NaN}'[:22],
        ]
        for text in texts:
            ann.socket.send(text)
        ann.socket.send(b"\x00\xff")
        ann.drain(0.5)
        seen = bob.drain(0.3) or bob.last
        assert seen["record"] == [] and seen["over"] is None
        ann.send(kind="refresh")
        assert ann.asked()["asked"] == [0]


def test_too_much_and_too_many(studio: Server) -> None:
    links = studio.table("folder/countdown.yaml")
    client = studio.sit(links["seats"][0])
    client.asked()
    for _ in range(60):
        client.send(kind="nonsense")
    said = [client.until("refused")["text"] for _ in range(40)]
    assert "Too many requests. Slow down." in said
    client.close()
    client = studio.sit(links["seats"][0])
    client.asked()
    client.socket.send("x" * 20_000)
    with pytest.raises(ConnectionClosed) as closed:
        client.until("nothing more")
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
    client.close()


def test_links_cannot_be_guessed_or_mixed(studio: Server) -> None:
    one, other = studio.table("folder/countdown.yaml"), studio.table("folder/countdown.yaml")
    table = one["seats"][0].split("/")[2]
    wrong = [f"/table/{table}/{other['seats'][0].rpartition('/')[2]}", f"/table/{table}/x"]
    wrong += [f"/table/{table}x/y", "/table/keys/x", "/table/%00/%00", "/table/..%5ckeys/x"]
    for link in wrong:
        client = studio.sit(link)
        assert client.until("gone")["text"]
        client.close()


@pytest.mark.full
def test_a_ruleset_that_loops_or_eats_memory_takes_nothing_down(tmp_path: Path) -> None:
    (tmp_path / "countdown.yaml").write_text(RULESETS["countdown.yaml"])
    (tmp_path / "loops.yaml").write_text(LOOPS)
    (tmp_path / "deep.yaml").write_text("rulegame: 1\ntitle: " + "[" * 20_000)
    (tmp_path / "wide.yaml").write_text(
        "rulegame: 1\na: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(
            f"{b}: &{b} [{','.join(['*' + a] * 9)}]\n"
            for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        )
    )
    with Server(tmp_path, tmp_path / "home") as server:
        games = {g["id"]: g for g in server.get("/api/library")["games"]}
        assert games["folder/countdown.yaml"]["problem"] is None
        assert games["folder/deep.yaml"]["problem"] and games["folder/wide.yaml"]["problem"]
        links = server.table("folder/countdown.yaml")
        with seated(server, *links["seats"]) as (ann, bob):
            ann.asked()
            if games["folder/loops.yaml"]["problem"] is None:
                server.request("POST", "/api/tables", {"game": "folder/loops.yaml"})
            ann.move("take 1")
            assert bob.asked(1)["asked"] == [1]


LOOPS = """rulegame: 1
title: Loops
state: {n: 0}
operations:
  go: {choose: {a: 1..300, b: 1..300}, effects: {n: n + a}}
validity:
  hard: {require: "sum(x * y for x in 1..300, y in 1..300) + a > b"}
end:
  never: {when: n < 0, result: win}
"""


def test_requests_that_never_end_do_not_shut_others_out(studio: Server) -> None:
    """As many connections of one client as there is room for, none of them with a key."""
    waiting = []
    try:
        for _ in range(3 * LIMITS.waiting_per_address):
            one = socket.create_connection(("127.0.0.1", studio.port), timeout=WAIT)
            one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            waiting.append(one)
        with suppress(ConnectionResetError):
            assert waiting[0].recv(1) == b""  # the first were closed
        status, _, _ = studio.request("GET", "/")
        assert status == 200
        with seated(studio, studio.table("folder/countdown.yaml")["seats"][0]) as (client,):
            assert client.asked()["asked"] == [0]
    finally:
        for one in waiting:
            one.close()


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHo",
    ],
)
def test_a_request_has_to_be_complete_in_time(
    monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(connections, "LIMITS", LIMITS._replace(request_seconds=0.05))

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] == "POST":
            await receive()
            await receive()  # which never has all of it
            return
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def story() -> bytes:
        config = uvicorn.Config(app, http=connections.LimitedProtocol, log_level="critical")
        config.load()
        state = ServerState()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: connections.LimitedProtocol(config, state, {}), "127.0.0.1", 0
        )
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(begun)
        said = await asyncio.wait_for(reader.read(), WAIT)  # until the server closes it
        writer.close()
        server.close()
        return said

    said = asyncio.run(story())
    assert said.count(b"HTTP/1.1 204") == begun.count(b"\r\n\r\nGET")


def test_a_websocket_may_be_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for a request ends when it is complete: the connection is no longer waiting."""
    ended: list[connections.LimitedProtocol] = []
    waiting = connections.Waiting()
    monkeypatch.setattr(connections.LimitedProtocol, "waiting", waiting)
    monkeypatch.setattr(connections.LimitedProtocol, "give_up", ended.append)
    monkeypatch.setattr(connections, "LIMITS", LIMITS._replace(request_seconds=0.0))

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        for _ in range(3):
            await asyncio.sleep(0.02)
        await send({"type": "websocket.send", "text": "still here"})

    async def story() -> bytes:
        config = uvicorn.Config(
            app,
            http=connections.LimitedProtocol,
            ws="websockets-sansio",
            log_level="critical",
            lifespan="off",
        )
        config.load()
        state = ServerState()
        server = await asyncio.get_running_loop().create_server(
            lambda: connections.LimitedProtocol(config, state, {}), "127.0.0.1", 0
        )
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        ended.clear()
        said = await asyncio.wait_for(reader.readuntil(b"still here"), WAIT)
        writer.close()
        server.close()
        return said

    assert b" 101 " in asyncio.run(story())
    assert len(ended) <= 1 and not waiting._connections  # at most before it was complete


@pytest.mark.full
def test_new_keys_end_all_old_links(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    home = tmp_path / "home"
    with Server(tmp_path / "rules", home) as server:
        old = server.table("nim")
    private = home / "studio"
    (private / "keys.json").write_text(json.dumps({"owner": "o" * 30, "guest": "g" * 30}))
    with Server(tmp_path / "rules", home, "--new-keys") as server:
        (table,) = server.get("/api/tables")["tables"]
        new = table["links"]
        assert not {*old["seats"], old["watch"]} & {*new["seats"], new["watch"]}
        with seated(server, old["seats"][0]) as (client,):
            assert client.next()["kind"] == "gone"
        with seated(server, new["seats"][0]) as (client,):
            assert client.asked()["asked"] == [0]
    assert not (private / "keys.json").exists()
