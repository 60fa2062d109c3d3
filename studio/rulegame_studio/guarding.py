"""The door: which hosts and origins are let in, who has the key, and what every answer says."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import Any, Final

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulegame_studio.error_pages import error_page
from rulegame_studio.keys import StudioKeys, same_key
from rulegame_studio.limits import LIMITS

LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
OWNER: Final = "rulegame_owner"
GUEST: Final = "rulegame_guest"
# What a guest, who has been given a link, may reach; all else is the owner's.
NO_KEY: Final = (
    "This studio needs a key. Use the link printed when it was started, or the link you were given."
)
FOR_GUESTS: Final = re.compile(r"/(static|table|socket|api/tables/[^/]+)/.*|/favicon\.ico")
POLICY: Final = (
    "default-src 'self'; connect-src 'self' ws://{host} wss://{host}; img-src 'self' data:; "
    "object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, keys: StudioKeys | None, hosts: Iterable[str]) -> None:
        self._app = app
        self._keys = keys  # None: this machine only, and no key is asked for
        self._hosts = LOCAL | {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        refusal = self._refusal(request)
        if refusal is not None:
            await _refuse(scope, receive, send, refusal)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _safe(message["headers"], request.headers["host"])}
            await send(message)

        await self._app(scope, _limited(receive, scope), guarded)

    def _refusal(self, request: HTTPConnection) -> Response | None:
        headers = request.headers
        host = headers.get("host", "")
        if not self._knows(host):
            text = "This address does not belong to the studio."
            return error_page(request, "Unknown address", text, 421)
        if not _same_origin(request, host):
            text = "Requests from other sites are not allowed."
            return error_page(request, "Not allowed", text, 403)
        try:
            length = int(headers.get("content-length", "0"))
        except ValueError:
            length = LIMITS.body_bytes + 1
        if length > LIMITS.body_bytes:
            return JSONResponse({"error": "The request is too large."}, 413)
        return self._without_key(request)

    def _knows(self, host: str) -> bool:
        """Whether an address is ours: a page of another name, which its owner makes point here,
        has that name in it.
        """
        found = HOST.fullmatch(host)
        if found is None:
            return False
        name = found[1].strip("[]").lower()
        if name in self._hosts:
            return True
        return self._keys is not None and _is_address(name)

    def _without_key(self, request: HTTPConnection) -> Response | None:
        """What is answered to those who have no key; None for those who have."""
        scope = request.scope
        scope["owner"] = self._keys is None
        if self._keys is None:
            return None
        given, cookies = request.query_params.get("key", ""), request.cookies
        owner = any(same_key(self._keys.owner, key) for key in (given, cookies.get(OWNER, "")))
        guest = any(same_key(self._keys.guest, key) for key in (given, cookies.get(GUEST, "")))
        scope["owner"] = owner
        if given and scope["type"] == "http" and scope["method"] == "GET" and (owner or guest):
            return self._let_in(scope, given)
        if owner or (guest and FOR_GUESTS.fullmatch(scope["path"])):
            return None
        if scope["path"].startswith("/api/"):
            return JSONResponse({"error": "The studio key is missing."}, 401)
        return error_page(request, "A key is missing", NO_KEY, 401)

    def _let_in(self, scope: Scope, given: str) -> Response | None:
        """Keep the key where pages cannot read it, and take it out of the address."""
        assert self._keys is not None
        response = RedirectResponse(_own_path(scope), 303)
        name = OWNER if same_key(self._keys.owner, given) else GUEST
        if name == GUEST and not same_key(self._keys.guest, given):
            return None
        response.set_cookie(
            name, given, max_age=365 * 86400, path="/", httponly=True, samesite="strict"
        )
        return response


def _own_path(scope: Scope) -> str:
    """The path that was asked for, as an address on this server: browsers take `//name/path` for
    another host.
    """
    path: str = scope.get("raw_path", scope["path"].encode()).decode("latin-1")
    return "/" + path.lstrip("/\\")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _same_origin(request: HTTPConnection, host: str) -> bool:
    """Whether a request that does something comes from our own pages, or from no page at all."""
    scope, headers = request.scope, request.headers
    if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
        return True
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _safe(headers: list[tuple[bytes, bytes]], host: str) -> list[tuple[bytes, bytes]]:
    known = {name.lower() for name, _ in headers}
    more = {
        b"content-security-policy": POLICY.format(host=host).encode("latin-1"),
        b"referrer-policy": b"no-referrer",
        b"x-content-type-options": b"nosniff",
        b"x-frame-options": b"DENY",
        b"cross-origin-opener-policy": b"same-origin",
        b"cross-origin-resource-policy": b"same-origin",
        b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
        b"cache-control": b"no-store",
    }
    return [*headers, *((name, value) for name, value in more.items() if name not in known)]


def _limited(receive: Receive, scope: Scope) -> Receive:
    """A body of unknown length ends where it becomes too large."""
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > LIMITS.body_bytes:
                return {"type": "http.disconnect"}
        return message

    return limited if scope["type"] == "http" else receive


async def _refuse(scope: Scope, receive: Receive, send: Send, response: Response) -> None:
    if scope["type"] == "http":
        headers: Any = response.raw_headers
        response.raw_headers = _safe(list(headers), "invalid.")
        await response(scope, receive, send)
        return
    await receive()  # that a socket wants to be opened
    await send({"type": "websocket.close", "code": 4403, "reason": ""})
