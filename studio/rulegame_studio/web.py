"""The addresses of the studio: pages, JSON, and the socket of a table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from math import inf
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulegame.playing.saving import Glance, glances
from rulegame_studio.connections import Allowance, Peer
from rulegame_studio.error_pages import PAGES, error_page
from rulegame_studio.keys import TableKeys, read_keys
from rulegame_studio.lobby import Full, Lobby, Problem, dumps
from rulegame_studio.places import Library, broken_card, private_tables

FULL: Final = "The studio is full. Try again later."
MOMENT: Final = 0.3  # seconds in which a part of the library is read
LONGEST_NUMBER: Final = 9  # digits


class Studio:
    """The application around a lobby."""

    def __init__(self, folder: str, base: str | None, key: str | None, warm: bool = False) -> None:
        self._library = Library(folder)
        self._folder = folder
        self._base = base  # how other devices reach this server; None if they do not
        self._warm = warm  # a page will be opened at once: the library is read before it asks
        self._key = key  # that stands in the links of seats
        self._cards: dict[str, tuple[object, dict[str, Any]]] = {}
        self._lobby: Lobby | None = None

    @property
    def lobby(self) -> Lobby:
        assert self._lobby is not None
        return self._lobby

    def application(self) -> Starlette:
        """All addresses."""
        get, post = ["GET"], ["POST"]
        application = Starlette(
            lifespan=self._lifespan,
            routes=[
                Route("/", _page("library.html"), methods=get),
                Route("/play/{game:path}", _page("setup.html"), methods=get),
                Route("/table/{table}/{key}", _page("table.html"), methods=get),
                Route("/api/library", _json(self.library), methods=get),
                Route("/api/games/{game:path}/check", _json(self.check), methods=post),
                Route("/api/games/{game:path}/explain", _json(self.explain), methods=post),
                Route("/api/games/{game:path}/picture", _json(self.picture), methods=get),
                Route("/api/games/{game:path}/rules", _json(self.rules), methods=get),
                Route("/api/games/{game:path}", _json(self.game), methods=get),
                Route("/api/tables", _json(self.create), methods=post),
                Route("/api/tables", _json(self.tables), methods=get),
                Route("/api/tables/{table}", _json(self.delete), methods=["DELETE"]),
                Route("/api/tables/{table}/{key}/rules", _json(self.table_rules), methods=get),
                WebSocketRoute("/socket/{table}/{key}", self.socket),
                Mount("/static", StaticFiles(directory=PAGES / "static", check_dir=False)),
            ],
            exception_handlers={404: _not_found},
        )
        application.router.redirect_slashes = False  # only the guard redirects
        return application

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self._lobby = Lobby(self._folder)
        warming = asyncio.create_task(self._warm_up())
        try:
            yield
        finally:
            warming.cancel()
            await self._lobby.end()

    async def _warm_up(self) -> None:
        """Begin to read the library before somebody asks for it."""
        if self._warm:
            with suppress(Exception):
                await self._games(0, MOMENT)

    # ---- JSON

    async def library(self, request: Request) -> dict[str, Any]:
        """Every game, bundled ones first, with what is wrong with those that cannot be played.
        Asked `from` a number: the games that are read in a moment, and the number of the `next`.
        """
        given, folder = request.query_params.get("from"), self._library.folder
        if given is None:
            part = await self._games(0, inf)
        elif given.isdecimal() and len(given) <= LONGEST_NUMBER:
            part = await self._games(int(given), MOMENT)
        else:
            raise Problem(400, "'from' must be a number.")
        return {"folder": "" if folder is None else folder.name, **part}

    async def _games(self, start: int, seconds: float) -> dict[str, Any]:
        now = asyncio.get_running_loop().time
        until, games = now() + seconds, list[dict[str, Any]]()
        known = await asyncio.to_thread(lambda: list(self._library.ids()))
        for game, group in known[start:]:
            games.append({"id": game, "group": group, **await self._card(game)})
            if now() > until:
                break
        done = start + len(games)
        return {"games": games, "total": len(known), "next": done if done < len(known) else None}

    async def _card(self, game: str) -> dict[str, Any]:
        """The card of a game, made again when its file has changed."""
        try:
            status = self._library.path_of(game).stat()
        except (ValueError, OSError):
            return broken_card(game, "cannot be read")
        stamp = status.st_mtime_ns, status.st_size
        known = self._cards.get(game)
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            card = await self.lobby.library({"op": "card", "game": game})
        except Problem as problem:
            card = broken_card(game, str(problem))
        self._cards[game] = stamp, card
        return card

    async def game(self, request: Request) -> dict[str, Any]:
        """What can be varied."""
        return await self.lobby.library({"op": "details", "game": _game(request)})

    async def picture(self, request: Request) -> Response:
        """A position of a game, for its card."""
        data = await self.lobby.library({"op": "picture", "game": _game(request)})
        return JSONResponse(data, headers={"cache-control": "private, max-age=60"})

    async def rules(self, request: Request) -> dict[str, Any]:
        """Its rulebook."""
        return await self.lobby.library({"op": "rules", "game": _game(request)})

    async def check(self, request: Request) -> dict[str, Any]:
        """Whether it can be played with some settings."""
        wanted = await _body(request)
        return await self.lobby.library({"op": "check", "game": _game(request), "wanted": wanted})

    async def explain(self, request: Request) -> dict[str, Any]:
        """Who wins with best play, and why, with some settings."""
        return await self.lobby.explain(_game(request), await _body(request))

    async def create(self, request: Request) -> dict[str, Any]:
        """Lay a table."""
        table, keys = await self.lobby.create(await _body(request))
        return {"table": table, "links": self._links(table, keys), "base": self._base}

    def _links(self, table: str, keys: TableKeys) -> dict[str, Any]:
        end = "" if self._key is None else f"?key={self._key}"

        def link(key: str | None) -> str | None:
            return None if key is None else f"/table/{table}/{key}{end}"

        return {
            "seats": [link(key) for key in keys.seats],
            "watch": link(keys.watch),
            "screen": link(keys.screen),
        }

    async def tables(self, request: Request) -> dict[str, Any]:
        """The games of this studio that can go on, or be looked at."""
        found = await asyncio.to_thread(self._kept)
        return {"tables": found, "base": self._base}

    async def delete(self, request: Request) -> dict[str, Any]:
        """Delete a table and its save."""
        await self.lobby.delete(request.path_params["table"])
        return {}

    def _kept(self) -> list[dict[str, Any]]:
        known = {table: read_keys(table) for table in private_tables()[:500]}
        found = []
        for glance in glances():
            keys = known.get(glance.path.stem)
            if keys is not None and glance.header and self._is_here(glance):
                found.append(_kept_data(glance, self._links(glance.path.stem, keys)))
        return found

    def _is_here(self, glance: Glance) -> bool:
        return self._library.id_of(str(glance.header.get("ruleset"))) is not None

    async def table_rules(self, request: Request) -> dict[str, Any]:
        """The rulebook of a table."""
        given = request.path_params
        return await self.lobby.table_rules(given["table"], given["key"])

    # ---- the socket

    async def socket(self, websocket: WebSocket) -> None:
        """One seat, watcher or screen."""
        await websocket.accept()
        peer = Peer(websocket)
        given = websocket.path_params
        sending = asyncio.create_task(peer.send_all())
        seating = None
        try:
            seating = await self.lobby.enter(given["table"], given["key"], peer)
            await self._listen(websocket, seating, peer)
        except Full:
            peer.tell(dumps({"kind": "full", "text": FULL}))
        except Problem as problem:
            peer.tell(dumps({"kind": "gone", "text": str(problem)}))
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            if seating is not None:
                self.lobby.leave(seating, peer)
            peer.finish()
            with suppress(Exception):
                await asyncio.wait_for(sending, 5)
            with suppress(Exception):
                await websocket.close(1000)

    async def _listen(self, websocket: WebSocket, seating: Any, peer: Peer) -> None:
        """Messages, one after the other, and not too many of them."""
        allowance = Allowance()
        while True:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not allowance.take():
                peer.tell(dumps({"kind": "refused", "text": "Too many requests. Slow down."}))
                await asyncio.sleep(1)
                continue
            data = _message(message.get("text"))
            if data is None:
                peer.tell(dumps({"kind": "refused", "text": "The message is not valid."}))
                continue
            try:
                await self.lobby.act(seating, peer, data)
            except Problem as problem:
                peer.tell(dumps({"kind": "refused", "text": str(problem)}))


def _message(text: object) -> dict[str, Any] | None:
    """What a client says; None if it is not one of our messages."""
    if not isinstance(text, str):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and isinstance(data.get("kind"), str) else None


def _game(request: Request) -> str:
    return str(request.path_params["game"])


def _kept_data(glance: Glance, links: dict[str, Any]) -> dict[str, Any]:
    header = glance.header
    return {
        "table": glance.path.stem,
        "title": header.get("title"),
        "names": header.get("names"),
        "players": header.get("players"),
        "started": header.get("started"),
        "over": glance.over,
        "links": links,
    }


async def _body(request: Request) -> dict[str, Any]:
    try:
        data = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise Problem(400, "Not valid JSON.") from None
    if not isinstance(data, dict):
        raise Problem(400, "Expected a JSON object.")
    return data


Handler = Callable[[Request], Awaitable[Response]]


def _json(answer: Callable[[Request], Awaitable[dict[str, Any] | Response]]) -> Handler:
    """An address that answers with JSON; what is wrong is told in it, too."""

    async def handler(request: Request) -> Response:
        try:
            found = await answer(request)
            return found if isinstance(found, Response) else JSONResponse(found)
        except Full:
            return JSONResponse({"error": FULL}, 503)
        except ClientDisconnect:
            return JSONResponse({"error": "The request is too large."}, 413)
        except Problem as problem:
            data = {"error": str(problem), "problems": problem.problems}
            return JSONResponse(data, problem.status)

    return handler


async def _not_found(request: Request, error: Exception) -> Response:
    text = "There is nothing at this address of the studio."
    return error_page(request, "Page not found", text, 404)


def _page(name: str) -> Handler:
    async def handler(request: Request) -> Response:
        return FileResponse(PAGES / name, headers={"cache-control": "no-cache"})

    return handler
