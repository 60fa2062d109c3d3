"""Limits on connections: how long and how many may wait for a request, how many messages a socket
sends, and how many it may leave unread.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from typing import Any, ClassVar, Final

import h11
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol

from rulegame_studio.limits import LIMITS

MOST_WAITING: Final = 50  # texts that a socket has not taken yet


class Waiting:
    """The connections of a server whose request is not complete, the oldest first."""

    def __init__(self) -> None:
        self._connections: OrderedDict[LimitedProtocol, str] = OrderedDict()

    def add(self, connection: LimitedProtocol, address: str) -> None:
        """One more; the oldest of the same address, or of all, gives way."""
        self._connections[connection] = address
        same = [one for one, where in self._connections.items() if where == address]
        if len(same) > LIMITS.waiting_per_address:
            same[0].give_up()
        elif len(self._connections) > LIMITS.waiting:
            next(iter(self._connections)).give_up()

    def remove(self, connection: LimitedProtocol) -> None:
        """Its request is complete, or it is closed."""
        self._connections.pop(connection, None)


class LimitedProtocol(H11Protocol):
    """HTTP, as uvicorn speaks it; a request has to be complete in time."""

    waiting: ClassVar[Waiting] = Waiting()
    _patience: asyncio.TimerHandle | None = None
    _upgraded = False  # to a WebSocket, which may be silent for as long as it likes

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._upgraded = True
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Wait while a request is incomplete; the server itself limits the time between two."""
        begun = self.conn.their_state is h11.SEND_BODY or (
            self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        )
        if self._upgraded or self.transport.is_closing() or not begun:
            self._arrived()
        elif self._patience is None:
            self._expect()

    def _expect(self) -> None:
        loop = asyncio.get_running_loop()
        self._patience = loop.call_later(LIMITS.request_seconds, self.give_up)
        self.waiting.add(self, self.client[0] if self.client else "")

    def _arrived(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
        self.waiting.remove(self)

    def give_up(self) -> None:
        """Close the connection without an answer."""
        self._arrived()
        if not self.transport.is_closing():
            self.transport.close()


class Peer:
    """A socket, to which texts go in their order."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        self.audience = ""
        self.ready: int | None = None

    def tell(self, text: str) -> None:
        """Send a text. Whoever does not take them for long is left behind, and connects again."""
        if self._texts.qsize() < MOST_WAITING:
            self._texts.put_nowait(text)

    def finish(self) -> None:
        """There will be no more."""
        self._texts.put_nowait(None)

    async def send_all(self) -> None:
        """Send until there is no more."""
        while (text := await self._texts.get()) is not None:
            try:
                await self._websocket.send_text(text)
            except (RuntimeError, OSError, WebSocketDisconnect):
                return


class Allowance:
    """How many messages may come at once, and how many in the long run."""

    def __init__(self) -> None:
        self._left = float(LIMITS.messages_at_once)
        self._seen = time.monotonic()

    def take(self) -> bool:
        """Whether one more may come now."""
        now = time.monotonic()
        gained = (now - self._seen) * LIMITS.messages_per_second
        self._left = min(LIMITS.messages_at_once, self._left + gained)
        self._seen = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
