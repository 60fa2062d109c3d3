"""Makes the pictures of this folder: every page of the studio, in a window as wide as a desk's and
as wide as a phone's, light and dark.

    python docs/screens/studio/make.py [NAME …]

It starts the studio with a home of its own, and the system's Chromium (CHROMIUM tells where another
one is), and plays by fixed moves; dice fall as they like.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:  # what is in this folder can be told without them
    from playwright.sync_api import Browser, Page

HERE: Final = Path(__file__).parent
CHROMIUM: Final = os.environ.get("CHROMIUM") or shutil.which("chromium") or "chromium-browser"
ARGUMENTS: Final = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")
SIZES: Final = {"desktop": (1280, 820), "phone": (360, 740)}
ASKED: Final = "#choices .move, .turn-line[data-over], #curtain-ready"
BOTH: Final = (("desktop", "light"), ("phone", "dark"))
ALL: Final = (*BOTH, ("desktop", "dark"), ("phone", "light"))


class Studio:
    """A studio of its own."""

    def __init__(self, home: str) -> None:
        command = [sys.executable, "-m", "rulegame_cli", "studio", home, "--no-browser"]
        self._process = subprocess.Popen(
            [*command, "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "RULEGAME_HOME": home},
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        self.address = line.split()[-1].rstrip("/")

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()

    def lay(self, game: str, *players: str, screen: bool = False, **settings: str) -> str:
        """A table; the path of the screen, or of the first seat."""
        seats = [
            {"kind": "computer", "player": player[1:]}
            if player.startswith("@")
            else {"kind": "person", "name": player}
            for player in players
        ]
        wanted = {"game": game, "set": settings, "seats": seats, "first": "1", "screen": screen}
        request = urllib.request.Request(
            f"{self.address}/api/tables",
            json.dumps(wanted).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request) as response:
            links = json.load(response)["links"]
        return str(links["screen"] or links["seats"][0])


def move(page: Page, text: str) -> None:
    """One move, by its button, and what follows from it."""
    version = page.evaluate("document.body.dataset.version")
    page.locator("#choices details").evaluate_all("all => all.forEach(d => { d.open = true; })")
    page.locator(f'#choices [data-move="{text}"]').click()
    settle(page, version)
    page.locator("#choices details").evaluate_all("all => all.forEach(d => { d.open = false; })")


def settle(page: Page, version: str) -> None:
    """Wait until the table has changed, and somebody here is asked, or it is over."""
    for _ in range(3000):
        changed = page.evaluate("document.body.dataset.version") != version
        if changed and page.locator(ASKED).count():
            return
        page.wait_for_timeout(20)


def library(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.address}/")
    page.locator(".card-picture[data-ready]").first.wait_for()
    page.wait_for_timeout(2500)


def setup(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.address}/play/dice_duel")
    page.locator("#start").wait_for()


def links(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.address}/play/connect_four")
    page.get_by_label("Seat 2", exact=True).select_option("person")
    page.get_by_label("Name at seat 1").fill("Ann")
    page.get_by_label("Name at seat 2").fill("Bob")
    page.get_by_label("each with their own link").check()
    page.get_by_role("button", name="Start the game").click()
    page.locator(".invitation").nth(2).wait_for()


def dice(page: Page, studio: Studio) -> None:
    at_table(page, studio.address + studio.lay("dice_duel", "Ann", "Bob", screen=True))
    move(page, "add")
    move(page, "add")
    page.wait_for_timeout(900)


def board(page: Page, studio: Studio) -> None:
    at_table(page, studio.address + studio.lay("connect_four", "Ann", "Bob", screen=True))
    for column in (4, 4, 3, 5, 5, 2, 3, 3, 6, 4, 4):
        move(page, f"drop {column}")


def hexagons(page: Page, studio: Studio) -> None:
    path = studio.lay("hex", "Ann", "Bob", screen=True, size="7")
    at_table(page, studio.address + path)
    for cell in ("4 4", "3 5", "5 3", "5 4", "3 4", "2 5", "4 2", "4 5", "6 2"):
        move(page, f"place {cell}")


def cards(page: Page, studio: Studio) -> None:
    at_table(page, studio.address + studio.lay("number_duel", "Ann", "@random"))
    for number in "249":
        page.locator(f'[data-member="{number}"]').click()
    version = page.evaluate("document.body.dataset.version")
    page.locator(".members .button.main").click()
    settle(page, version)


def curtain(page: Page, studio: Studio) -> None:
    at_table(page, studio.address + studio.lay("kuhn_poker", "Ann", "Bob", screen=True))
    page.locator("#curtain-ready").wait_for()


def hint(page: Page, studio: Studio) -> None:
    at_table(page, studio.address + studio.lay("zero_sum_duel", "Ann", "Bob", screen=True))
    page.locator("#choices .move").nth(1).click()
    page.locator("#choices .move[aria-disabled]").first.wait_for()
    page.locator("[data-deed=hint]").click()
    page.locator(".hint").first.wait_for()


def review(page: Page, studio: Studio) -> None:
    at_table(page, studio.address + studio.lay("tic_tac_toe", "Ann", "Bob", screen=True))
    moves = [b.get_attribute("data-move") for b in page.locator("#choices .move").all()]
    for number in (0, 4, 8, 1, 7, 3, 6):
        move(page, str(moves[number]))
    page.locator("[data-deed=review]").click()
    page.locator("#review-slider").wait_for()
    page.locator("#review-progress").wait_for(state="detached")
    page.locator("#review-slider").fill("5")
    page.wait_for_timeout(200)


def at_table(page: Page, address: str) -> None:
    """Open a table."""
    page.goto(address)
    page.locator(".picture").wait_for()


# What each picture shows, and in which windows.
PAGES: Final[dict[str, tuple[Callable[[Page, Studio], None], tuple[tuple[str, str], ...], str]]] = {
    "library": (library, ALL, "The library"),
    "setup": (setup, BOTH, "Setting up a table"),
    "links": (links, BOTH, "The links of a table"),
    "dice": (dice, BOTH, "A table with a die"),
    "board": (board, ALL, "A table with a board"),
    "hexagons": (hexagons, BOTH, "A board of hexagons"),
    "cards": (cards, BOTH, "Hands, some of them hidden"),
    "curtain": (curtain, BOTH, "Handing over at a shared screen"),
    "hint": (hint, BOTH, "Moves that are not valid, and a hint"),
    "review": (review, BOTH, "The review after the game"),
}


def shot(page: Page, path: Path) -> None:
    """What stands in the window, as a small picture."""
    from PIL import Image

    taken = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
    taken.convert("RGB").save(path, "WEBP", quality=72, method=6)


def files(name: str) -> list[str]:
    """The pictures of a page."""
    return [f"{name}-{size}-{scheme}.webp" for size, scheme in PAGES[name][1]]


def make(names: list[str]) -> None:
    """The pictures of some pages."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        studio = Studio(home)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        try:
            for name in names:
                for size, scheme in PAGES[name][1]:
                    picture(browser, studio, name, size, scheme)
        finally:
            browser.close()
            studio.end()


def picture(browser: Browser, studio: Studio, name: str, size: str, scheme: Any) -> None:
    """One page in one window."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    PAGES[name][0](page, studio)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    shot(page, HERE / f"{name}-{size}-{scheme}.webp")
    context.close()


if __name__ == "__main__":
    make(sys.argv[1:] or list(PAGES))
