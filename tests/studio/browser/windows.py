"""A window of the browser at a table: what it has heard, and how somebody plays there."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # without the package these tests are skipped, not broken
    from playwright.sync_api import Browser, BrowserContext, Page, WebSocket

    from studio.browser.conftest import StudioProcess

PATIENCE: Final = 60_000  # milliseconds, for a busy machine
PAUSE: Final = 15
OPEN: Final = ".cell[data-state=open][data-landing]"
MOVE: Final = "#choices .move:not([aria-disabled])"
MEMBER: Final = "#choices [data-member]"


class Window:
    """One person at one device: a context with storage of its own."""

    def __init__(self, browser: Browser, address: str, path: str, **options: Any) -> None:
        self.context: BrowserContext = browser.new_context(reduced_motion="reduce", **options)
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.frames: list[str] = []
        self.troubles: list[str] = []
        self.page.on("websocket", self._follow)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._hear)
        self._address = address
        self.visit(path)

    def visit(self, path: str) -> None:
        """Go to a page, and forget what was heard before."""
        self.frames.clear()
        self.page.goto(self._address + path)

    def _follow(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def _hear(self, message: Any) -> None:
        if message.type == "error" and "WebSocket" not in message.text:
            self.troubles.append(message.text)

    def close(self) -> None:
        self.context.close()

    # ---- what is known here

    def snapshots(self) -> list[dict[str, Any]]:
        """Every snapshot that came over the socket."""
        heard = (json.loads(frame) for frame in self.frames)
        return [message for message in heard if message["kind"] == "table"]

    @property
    def latest(self) -> dict[str, Any]:
        """How the table stands."""
        return self.snapshots()[-1]

    def everything(self) -> str:
        """All that lies in this browser: page, frames, storage, cookies and address."""
        stored = self.page.evaluate(
            "JSON.stringify([localStorage, sessionStorage, document.cookie, history.state])"
        )
        kept = json.dumps(self.context.cookies())
        return "\n".join([self.page.content(), *self.frames, stored, kept, self.page.url])

    # ---- playing

    def wait(self, condition: str) -> None:
        """Until something is true of the page, told in JavaScript. The page's own policy does not
        let it evaluate that by itself, so it is asked again and again.
        """
        for _ in range(PATIENCE // PAUSE):
            if self.page.evaluate(condition):
                return
            self.page.wait_for_timeout(PAUSE)
        raise AssertionError(f"never true: {condition}")

    def moves_made(self) -> int:
        """The lines of the record."""
        return int(self.page.locator("#record li:not(.dim)").count())

    def is_asked(self) -> bool:
        """Whether a decision is to be made here."""
        return bool(self.page.locator(f"{OPEN}, {MOVE}, {MEMBER}").count())

    def is_over(self) -> bool:
        """Whether the game is over, as the page shows it."""
        return bool(self.page.locator(".turn-line[data-over]").count())

    def play(self, text: str) -> None:
        """A move by its button."""
        self.page.locator(f'#choices [data-move="{text}"]').click()

    def play_any(self, chance: Random) -> None:
        """Any valid move: on the board where there is one, else by a button, else by switches."""
        for places in (self.page.locator(OPEN), self.page.locator(MOVE)):
            count = places.count()
            if count:
                places.nth(chance.randrange(count)).click()
                return
        members = self.page.locator(MEMBER)
        wanted = int(self.page.locator(".members [role=status]").inner_text().split()[1].strip("."))
        for number in chance.sample(range(members.count()), wanted):
            members.nth(number).click()
        self.page.locator(".members .button.main").click()


def play_out(windows: list[Window], chance: Random, most: int = 400) -> None:
    """Moves in whichever window is asked, until all of them show the end."""
    for _ in range(most):
        if all(window.is_over() for window in windows):
            return
        asked = [window for window in windows if window.is_asked() and not window.is_over()]
        if not asked:
            windows[0].page.wait_for_timeout(PAUSE)
            continue
        window = asked[0]
        before = window.latest["version"]
        window.play_any(chance)
        window.wait(f"document.body.dataset.version > {before}")
    raise AssertionError("the game does not end")


def seated(browser: Browser, studio: StudioProcess, game: str, **settings: str) -> list[Window]:
    """Two windows, a seat in each."""
    links = studio.lay(game, "Ann", "Bob", screen=False, **settings)
    windows = [Window(browser, studio.address, path) for path in links["seats"]]
    both_here(*windows)
    return windows


def both_here(*windows: Window) -> None:
    """Until each shows the table, and knows that the others are there."""
    for window in windows:
        window.page.locator(".picture").wait_for()
        window.wait("document.querySelectorAll('.presence:not([data-here])').length === 0")
