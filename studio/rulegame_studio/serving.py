"""Starts the server, says where it is, and opens the browser."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import uvicorn

from rulegame_studio.connections import LimitedProtocol
from rulegame_studio.guarding import LOCAL, Guard
from rulegame_studio.keys import renew_keys, studio_keys
from rulegame_studio.limits import LIMITS
from rulegame_studio.web import Studio

PORT: Final = 8417
PORTS: Final = 20  # that are tried if none was asked for
EVERYWHERE: Final = ("0.0.0.0", "::")


class CannotServe(Exception):
    """There is no such address, or it is taken."""


@dataclass(frozen=True, slots=True)
class Serving:
    """What is served, and where."""

    folder: str
    host: str = "127.0.0.1"
    port: int | None = None
    browser: bool = True
    new_keys: bool = False  # old links are no longer good


def serve(wanted: Serving, opening: str = "/") -> int:
    """Serve until somebody ends it."""
    listening = _listen(wanted)
    port = listening.getsockname()[1]
    shared = wanted.host not in LOCAL
    if wanted.new_keys:
        renew_keys()
    keys = studio_keys() if shared else None
    base = f"http://{_bracketed(_reachable(wanted.host))}:{port}" if shared else None
    studio = Studio(wanted.folder, base, None if keys is None else keys.guest, wanted.browser)
    hosts = {wanted.host, socket.gethostname(), f"{socket.gethostname()}.local"} if shared else ()
    app = Guard(studio.application(), keys, hosts)
    here = base or f"http://{_bracketed(wanted.host)}:{port}"
    address = f"{here}{opening}" + ("" if keys is None else f"?key={keys.owner}")
    print(f"Studio running at {address}")
    print("Press Ctrl-C to stop. Unfinished games are saved.", flush=True)
    if wanted.browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    config = uvicorn.Config(
        app,
        http=LimitedProtocol,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=LIMITS.message_bytes,
        ws_max_queue=16,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        ws_per_message_deflate=False,
        limit_concurrency=LIMITS.sockets + 400,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=32_768,
        server_header=False,
        proxy_headers=False,
        access_log=False,
    )
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):
        asyncio.run(server.serve(sockets=[listening]))
    print("Studio stopped.", file=sys.stderr)
    return 0


def _listen(wanted: Serving) -> socket.socket:
    """The first port that is free, if none was asked for: that a page finds its server again, it is
    the same one each time.
    """
    ports = range(PORT, PORT + PORTS) if wanted.port is None else (wanted.port,)
    problem = "cannot be opened"
    for port in ports:
        try:
            return _socket(wanted.host, port)
        except OSError as error:
            problem = (error.strerror or problem).lower()
    where = f"{wanted.host}:{wanted.port}" if wanted.port is not None else wanted.host
    raise CannotServe(f"{where}: {problem}")


def _socket(host: str, port: int) -> socket.socket:
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    made = socket.socket(family, kind)
    try:
        if sys.platform != "win32":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(512)
    except OSError:
        made.close()
        raise
    return made


def _reachable(host: str) -> str:
    """An address of this machine that other devices know."""
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
