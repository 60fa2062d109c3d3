"""Servers that are ended, restarted and killed, and lines that break: no game is lost."""

from __future__ import annotations

import signal
from random import Random
from typing import TYPE_CHECKING

import pytest

from studio.browser.windows import Window, play_out, seated

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from studio.browser.conftest import StudioProcess

pytestmark = pytest.mark.full

CONNECTED = "document.getElementById('link-state').dataset.state === 'open'"
LOST = "document.getElementById('link-state').dataset.state === 'lost'"


def acknowledged(window: Window, text: str) -> list[tuple[int, str]]:
    """Make a move, and wait until the page has heard that it was made; the record so far."""
    made = window.moves_made()
    window.play(text)
    window.wait(f"document.querySelectorAll('#record li:not(.dim)').length > {made}")
    return record(window)


def record(window: Window) -> list[tuple[int, str]]:
    """All moves, as a window knows them."""
    return [(line["seat"], line["text"]) for line in window.latest["record"]]


def opened(window: Window) -> None:
    """The list of moves below a board."""
    window.page.locator("#choices details").evaluate("details => { details.open = true; }")


def test_no_acknowledged_move_is_lost_when_the_server_is_killed(
    browser: Browser, studio: StudioProcess
) -> None:
    """Killed after each of several moves, at once when it is acknowledged; then played on."""
    windows = seated(browser, studio, "connect_four", rows="4", columns="4")
    known: list[tuple[int, str]] = []
    for number, how in enumerate((signal.SIGKILL, signal.SIGTERM, signal.SIGKILL)):
        mover = windows[number % 2]
        mover.wait("document.querySelector('#choices details') !== null")
        opened(mover)
        known = acknowledged(mover, f"drop {number + 1}")
        assert len(known) == number + 1
        studio.end(how)
        mover.wait(LOST)
        studio.start()
        for window in windows:
            window.wait(CONNECTED)
            assert record(window) == known
    play_out(windows, Random(4))
    for window in windows:
        assert window.troubles == []
        assert record(window)[:3] == known
        window.close()


def test_a_page_that_is_reloaded_goes_on(browser: Browser, studio: StudioProcess) -> None:
    ann, bob = seated(browser, studio, "double_or_nothing_31")
    known = acknowledged(ann, "double")
    ann.page.reload()
    ann.wait(CONNECTED)
    assert record(ann) == known
    bob.wait("document.querySelectorAll('#choices .move').length > 0")
    known = acknowledged(bob, "add_one")
    ann.wait("document.querySelectorAll('#record li:not(.dim)').length === 2")
    assert record(ann) == known
    ann.close()
    bob.close()


def test_a_line_that_was_lost_comes_back_by_itself(browser: Browser, studio: StudioProcess) -> None:
    """As of a phone in a tunnel: what the other did meanwhile is there afterwards."""
    ann, bob = seated(browser, studio, "double_or_nothing_31")
    acknowledged(ann, "double")
    ann.context.set_offline(True)
    ann.page.evaluate("dispatchEvent(new Event('online'))")  # drops the line that still seems open
    ann.wait(LOST)
    assert ann.page.get_by_text("Connection lost").is_visible()
    known = acknowledged(bob, "add_one")
    ann.context.set_offline(False)
    ann.wait(CONNECTED)
    ann.wait("document.querySelectorAll('#record li:not(.dim)').length === 2")
    assert record(ann) == known
    ann.close()
    bob.close()
