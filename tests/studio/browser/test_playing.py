"""Games to the end in two windows of a real browser; nothing hidden reaches the other one."""

from __future__ import annotations

import json
from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

from studio.browser.windows import Window, both_here, play_out, seated

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from studio.browser.conftest import StudioProcess

pytestmark = pytest.mark.full

GAMES: Final = (
    "dice_duel",
    "double_or_nothing_31",
    "zero_sum_duel",
    "number_duel",
    "double_or_nothing_10",
    "tic_tac_toe",
    "connect_four",
    "kuhn_poker",
)
SHIFTING: Final = ("version", "present", "thinking")  # what may differ without telling anything


def shown_to(window: Window, seat: int) -> set[tuple[str, int]]:
    """Values of others that a window has ever been shown before the end."""
    shown = set()
    for snapshot in window.snapshots():
        if snapshot["over"] is None:
            for shape in snapshot["picture"]["shapes"]:
                owner = shape["caption"]["owner"]
                if owner not in (None, seat) and shape["shape"] != "hidden":
                    shown.add((shape["caption"]["label"], owner))
    return shown


SECRETS: Final = {"number_duel": "numbers", "kuhn_poker": "hand"}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_the_end_in_two_windows(
    browser: Browser, studio: StudioProcess, game: str
) -> None:
    windows = seated(browser, studio, game)
    play_out(windows, Random(game))
    for seat, window in enumerate(windows):
        assert window.troubles == []
        assert window.latest["over"]["result"] in ("won", "draw")
        assert window.latest["you"] == {**window.latest["you"], "role": "seat", "seats": [seat]}
        assert all(
            not snapshot["moves"] or seat in snapshot["asked"] for snapshot in window.snapshots()
        )
        other = windows[1 - seat].page.url.rpartition("/")[2]
        assert other not in window.everything()
        if game in SECRETS:
            assert (SECRETS[game], 1 - seat) not in shown_to(window, seat)
            assert (SECRETS[game], seat) in shown_to(window, -1)
    assert windows[0].latest["record"] == windows[1].latest["record"]
    for window in windows:
        window.close()


@pytest.mark.parametrize("game", ["breakthrough", "english_draughts"])
def test_a_piece_is_moved_by_clicking_where_it_stands_and_where_it_goes(
    browser: Browser, studio: StudioProcess, game: str
) -> None:
    windows = seated(browser, studio, game)
    for turn in range(4):
        mover = windows[turn % 2]
        mover.wait("document.querySelectorAll('.cell[data-state=open]').length > 0")
        move = next(m for m in mover.latest["moves"] if m["valid"] and len(m["cells"]) == 2)
        before = mover.latest["version"]
        for _, row, column in move["cells"]:
            mover.page.locator(f'.board [data-at="{row},{column}"]').click()
        for window in windows:
            window.wait(f"document.body.dataset.version > {before}")
            assert len(window.latest["record"]) == turn + 1
            (last,) = window.latest["picture"]["last"]
            assert last["seat"] == turn % 2
    for window in windows:
        assert window.troubles == []
        window.close()


def told(window: Window) -> str:
    """All that a window knows, but for the addresses and what depends on time."""
    table, token = window.page.url.split("/")[-2:]
    steady: list[dict[str, Any]] = []
    for snapshot in window.snapshots():
        kept = {key: value for key, value in snapshot.items() if key not in SHIFTING}
        if not steady or steady[-1] != kept:
            steady.append(kept)
    page = window.page.locator("body").inner_html()
    stored = window.page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    text = json.dumps([steady, window.page.locator("body").inner_text(), stored, len(page)])
    return text.replace(table, "TABLE").replace(token, "TOKEN")


def test_what_the_other_has_picked_changes_nothing_here(
    browser: Browser, studio: StudioProcess
) -> None:
    """The same game with other secrets: the second window cannot tell which of them it is."""
    known = []
    for secret in ("1 2 3", "7 8 9"):
        ann, bob = seated(browser, studio, "number_duel")
        for window, numbers in ((ann, secret), (bob, "4 5 6")):
            window.page.locator("[data-member]").first.wait_for()
            for number in numbers.split():
                window.page.locator(f'[data-member="{number}"]').click()
            window.page.locator(".members .button.main").click()
        ann.wait("document.querySelectorAll('#choices .move').length > 0")
        bob.wait(f"document.body.dataset.version >= {ann.latest['version']}")
        bob.page.wait_for_timeout(50)
        assert any(secret.replace(" ", ", ") in frame or secret in frame for frame in ann.frames)
        known.append(told(bob))
        ann.close()
        bob.close()
    assert known[0] == known[1]


def test_the_cards_of_the_other_change_nothing_here(
    browser: Browser, studio: StudioProcess
) -> None:
    """Deals of Kuhn poker: who holds the same card knows the same, whatever the other has."""
    known: dict[str, dict[str, str]] = defaultdict(dict)
    ann, bob = seated(browser, studio, "kuhn_poker")
    for _ in range(12):
        bob.page.wait_for_timeout(50)
        cards = [
            shapes(window.latest, "hand")[seat]["pieces"][0]["text"]
            for seat, window in enumerate((ann, bob))
        ]
        known[cards[1]].setdefault(cards[0], told(bob))
        if any(len(by_other) > 1 for by_other in known.values()):
            break
        seats = studio.lay("kuhn_poker", "Ann", "Bob")["seats"]
        ann.visit(seats[0])
        bob.visit(seats[1])
        both_here(ann, bob)
    compared = [list(by_other.values()) for by_other in known.values() if len(by_other) > 1]
    assert compared
    assert all(first == second for first, second in compared)
    ann.close()
    bob.close()


def test_a_watcher_sees_only_what_all_may_see(browser: Browser, studio: StudioProcess) -> None:
    links = studio.lay("kuhn_poker", "Ann", "Bob")
    watcher = Window(browser, studio.address, links["watch"])
    watcher.wait("document.querySelector('.picture') !== null")
    assert shown_to(watcher, -1).isdisjoint({("hand", 0), ("hand", 1)})
    assert watcher.latest["moves"] == [] and watcher.page.locator("#choices .move").count() == 0
    watcher.close()


def test_a_shared_screen_shows_nothing_before_it_is_handed_over(
    browser: Browser, studio: StudioProcess
) -> None:
    links = studio.lay("kuhn_poker", "Ann", "Bob", screen=True)
    screen = Window(browser, studio.address, links["screen"])
    screen.page.get_by_role("button", name="I am Ann").wait_for()
    assert shown_to(screen, -1).isdisjoint({("hand", 0), ("hand", 1)})
    assert screen.page.locator("#main").get_attribute("inert") is not None
    screen.page.keyboard.press("Enter")  # the button has the focus
    screen.page.locator("#choices .move").first.wait_for()
    assert shown_to(screen, -1) & {("hand", 0), ("hand", 1)} == {("hand", 0)}
    screen.play("pass")
    screen.page.get_by_role("button", name="I am Bob").wait_for()
    assert screen.latest["moves"] == []
    assert [s["shape"] for s in shapes(screen.latest, "hand")] == ["hidden", "hidden"]
    screen.page.keyboard.press("Enter")
    screen.page.locator("#choices .move").first.wait_for()
    assert shapes(screen.latest, "hand")[0]["shape"] == "hidden"
    screen.close()


def shapes(snapshot: dict[str, Any], label: str) -> list[dict[str, Any]]:
    """The shapes of one value."""
    drawn = snapshot["picture"]["shapes"]
    return [shape for shape in drawn if shape["caption"]["label"] == label]
