"""Every page at phone and desktop width, in both colour schemes, for everybody: checked by axe, by
the keyboard alone, and with rulesets that mean harm.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

from studio.browser.windows import Window, play_out, seated

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

    from studio.browser.conftest import StudioProcess

pytestmark = pytest.mark.full

PHONE: Final = {"width": 360, "height": 740}
DESKTOP: Final = {"width": 1280, "height": 800}
HOSTILE: Final = "/play/folder%2Fhostile.yaml"


def library(browser: Browser, studio: StudioProcess, **options: Any) -> Window:
    window = Window(browser, studio.address, "/", **options)
    window.page.locator(".card-picture[data-ready='']").first.wait_for()
    return window


def setup(browser: Browser, studio: StudioProcess, **options: Any) -> Window:
    window = Window(browser, studio.address, "/play/double_or_nothing_31", **options)
    window.page.get_by_text("Settings: Target").click()
    window.page.get_by_label("Target").fill("0")
    window.page.locator("#problems li").first.wait_for()
    return window


def rules(browser: Browser, studio: StudioProcess, **options: Any) -> Window:
    window = Window(browser, studio.address, "/play/nim", **options)
    window.page.get_by_role("button", name="Read the rules").click()
    window.page.locator(".rulebook h3").first.wait_for()
    return window


def who_wins(browser: Browser, studio: StudioProcess, **options: Any) -> Window:
    window = Window(browser, studio.address, "/play/nim", **options)
    window.page.get_by_text("Settings: Heaps").click()
    window.page.get_by_label("Heaps").fill("1, 2")
    window.page.get_by_role("button", name="Who wins?").click()
    window.page.get_by_text("loses exactly when nim-sum(heaps) = 0, in all 5").wait_for()
    return window


def links(browser: Browser, studio: StudioProcess, **options: Any) -> Window:
    window = Window(browser, studio.address, "/play/tic_tac_toe", **options)
    window.page.get_by_label("Seat 2", exact=True).select_option("person")
    window.page.get_by_label("each with their own link").check()
    window.page.get_by_role("button", name="Start the game").click()
    window.page.locator(".invitation").nth(2).wait_for()
    return window


def board(browser: Browser, studio: StudioProcess, **options: Any) -> Window:
    path = studio.lay("hex", "Ann", "computer:random")["seats"][0]
    window = Window(browser, studio.address, path, **options)
    window.page.locator(".cell[data-state=open]").nth(12).click()
    window.page.locator(".cell[data-changed]").first.wait_for()
    return window


def barred(browser: Browser, studio: StudioProcess, **options: Any) -> Window:
    """Moves by buttons, one of which is not valid, and a hint."""
    path = studio.lay("zero_sum_duel", "Ann", "Bob", screen=True)["screen"]
    window = Window(browser, studio.address, path, **options)
    window.page.locator("#choices .move").first.click()
    window.page.locator("#choices .move[aria-disabled]").first.wait_for()
    window.page.get_by_role("button", name="Hint").click()
    window.page.locator(".hint").first.wait_for()
    return window


def curtain(browser: Browser, studio: StudioProcess, **options: Any) -> Window:
    path = studio.lay("kuhn_poker", "Ann", "Bob", screen=True)["screen"]
    window = Window(browser, studio.address, path, **options)
    window.page.locator("#curtain-ready").wait_for()
    return window


def review(browser: Browser, studio: StudioProcess, **options: Any) -> Window:
    path = studio.lay("double_or_nothing_31", "Ann", "Bob", screen=True, target="6")["screen"]
    window = Window(browser, studio.address, path, **options)
    for made, text in enumerate(("double", "add_one", "double")):
        window.wait(f"document.querySelectorAll('#record li:not(.dim)').length === {made}")
        window.play(text)
    window.page.get_by_role("button", name="Review the game").click()
    window.page.locator("#review-slider").wait_for()
    return window


def hostile(browser: Browser, studio: StudioProcess, **options: Any) -> Window:
    path = studio.lay("folder/hostile.yaml", "<i>Ann</i>", "Bob", screen=True)["screen"]
    window = Window(browser, studio.address, path, **options)
    window.page.locator("#choices .move").first.wait_for()
    return window


def gone(browser: Browser, studio: StudioProcess, **options: Any) -> Window:
    window = Window(browser, studio.address, "/table/20200101-000000-0/nothing", **options)
    window.page.get_by_role("alert").wait_for()
    return window


PAGES: Final[tuple[Callable[..., Window], ...]] = (
    library,
    setup,
    rules,
    who_wins,
    links,
    board,
    barred,
    curtain,
    review,
    hostile,
    gone,
)


def overflow(page: Page) -> int:
    """How many pixels a page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def violations(page: Page) -> list[str]:
    """What axe finds."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {node['target']} {node.get('failureSummary', '')}"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.__name__)
def test_every_page_is_for_everybody(
    browser: Browser, studio: StudioProcess, page: Callable[..., Window]
) -> None:
    window = page(browser, studio, viewport=PHONE, color_scheme="light")
    assert overflow(window.page) <= 0
    assert violations(window.page) == []
    window.page.set_viewport_size(DESKTOP)
    window.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    window.wait("document.documentElement.dataset.scheme === 'dark'")
    assert overflow(window.page) <= 0
    assert violations(window.page) == []
    assert window.troubles == []
    window.close()


def test_texts_of_a_ruleset_are_only_texts(browser: Browser, studio: StudioProcess) -> None:
    """Nothing of a hostile ruleset is run, loaded or taken for markup, on any page."""
    for path in ("/", HOSTILE):
        window = Window(browser, studio.address, path)
        window.page.get_by_text("<script>window.broken=3</script>").first.wait_for()
        if path == HOSTILE:
            window.page.get_by_role("button", name="Read the rules").click()
            window.page.locator(".rulebook h3").first.wait_for()
        assert window.page.evaluate("window.broken") is None
        assert window.page.locator("main img, main iframe, main script, main style").count() == 0
        assert window.troubles == []
        window.close()
    window = hostile(browser, studio)
    assert window.page.locator("main img, main iframe, main script, main style").count() == 0
    assert window.page.evaluate("window.broken") is None
    assert "<i>Ann</i>" in window.page.locator("#stage").inner_text()
    window.close()


def test_the_keyboard_alone_suffices(browser: Browser, studio: StudioProcess) -> None:
    """From the library to the end of a game: search, open, set up, and play on the board."""
    window = library(browser, studio)
    page = window.page
    page.keyboard.press("/")
    page.keyboard.type("tic-tac-toe")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Tic-tac-toe").wait_for()
    page.locator("#start").wait_for()
    reach(page, "select[data-seat='1']")
    page.keyboard.type("Computer: random")
    reach(page, "#start")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/**")
    page.locator(".picture").wait_for()
    for _ in range(9):
        window.wait(
            "document.querySelector('.cell[data-state=open], .turn-line[data-over]') !== null"
        )
        if window.is_over():
            break
        made = window.moves_made()
        reach(page, ".cell")
        walk_to_an_open_place(page)
        page.keyboard.press("Enter")
        window.wait(f"document.querySelectorAll('#record li:not(.dim)').length > {made}")
    assert window.is_over()
    reach(page, "[data-deed=review]")
    page.keyboard.press("Enter")
    page.locator("#review-slider").wait_for()
    reach(page, "#review-slider")
    page.keyboard.press("Home")
    assert page.locator(".review-label").inner_text() == "Start"
    window.close()


def reach(page: Page, selector: str) -> None:
    """Press the tab key until something has the focus, and can be seen to have it."""
    for _ in range(80):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not lead to {selector}")


def walk_to_an_open_place(page: Page) -> None:
    """With the arrow keys, row by row."""
    page.keyboard.press("PageUp")
    page.keyboard.press("Home")
    for row in range(3):
        for _ in range(3):
            if page.evaluate("document.activeElement.dataset.state") == "open":
                return
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Home")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.dataset.at") == f"{min(2, row + 1)},0"
    raise AssertionError("no place is open")


def test_a_move_that_is_not_valid_says_why(browser: Browser, studio: StudioProcess) -> None:
    window = barred(browser, studio)
    move = window.page.locator("#choices .move[aria-disabled]").first
    described = move.get_attribute("aria-describedby")
    assert described and window.page.locator(f"#{described}").text_content()
    made = window.moves_made()
    move.focus()
    window.page.keyboard.press("Enter")
    assert window.page.locator("#why").inner_text().strip()
    assert window.moves_made() == made
    window.close()


@pytest.mark.parametrize("how", ["click", "double click", "key"])
def test_nothing_is_said_against_a_move_that_was_made(
    browser: Browser, studio: StudioProcess, how: str
) -> None:
    """The place is taken afterwards, and the focus and the pointer are still there."""
    window = Window(browser, studio.address, studio.lay("hex", "Ann", "Bob", screen=True)["screen"])
    place = window.page.locator('.cell[data-at="6,8"]')
    place.wait_for()
    if how == "key":
        place.focus()
        window.page.keyboard.press("Enter")
    else:
        place.click()
    window.wait("document.querySelectorAll('#record li:not(.dim)').length === 1")
    if how == "double click":
        window.page.mouse.down(click_count=2)
        window.page.mouse.up(click_count=2)
    window.wait("document.activeElement.dataset.at === '6,8'")
    assert window.page.locator("#why").inner_text() == ""
    place.click(force=True)  # now it is asked for
    assert "there is a stone at" in window.page.locator("#why").inner_text()
    window.close()


def test_a_button_drawn_under_the_pointer_says_nothing(
    browser: Browser, studio: StudioProcess
) -> None:
    path = studio.lay("zero_sum_duel", "Ann", "Bob", screen=True)["screen"]
    window = Window(browser, studio.address, path)
    window.play("subtract 5")
    window.wait("document.querySelectorAll('#record li:not(.dim)').length === 1")
    repeated = window.page.locator('#choices [data-move="subtract 5"][aria-disabled]')
    repeated.wait_for()
    window.page.wait_for_timeout(300)  # until the browser has noticed what is under the pointer
    assert window.page.locator("#why").inner_text() == ""
    repeated.hover(position={"x": 3, "y": 3})
    assert "5" in window.page.locator("#why").inner_text()
    window.close()


def test_places_that_say_yes_are_ticked_with_a_word_for_those_who_listen(
    browser: Browser, studio: StudioProcess
) -> None:
    path = studio.lay("leaking_boat", "Ann", "Bob", screen=True)["screen"]
    window = Window(browser, studio.address, path)
    window.page.locator(".track .cell[data-state=open]").first.click()
    window.page.locator(".track .cell[data-changed]").wait_for()
    places = window.page.get_by_role("grid", name="Mended").get_by_role("gridcell")
    told = [str(place.get_attribute("aria-label")) for place in places.all()]
    assert sum(": yes" in text for text in told) == 1
    assert "yes" not in window.page.locator(".track-row").inner_text()
    window.close()


def test_the_seat_of_another_is_taken_only_on_purpose(
    browser: Browser, studio: StudioProcess
) -> None:
    studio.lay("tic_tac_toe", "Ann", "Bob", screen=False)
    window = library(browser, studio)
    asked: list[str] = []

    def reply(dialog: Dialog) -> None:
        asked.append(dialog.message)
        (dialog.accept if len(asked) > 1 else dialog.dismiss)()

    window.page.on("dialog", reply)
    for answer in ("dismiss", "accept"):
        window.page.locator(".going-links a", has_text="As Bob").first.click()
        assert len(asked) == 1 + (answer == "accept") and "Bob" in asked[-1]
        if answer == "dismiss":
            assert window.page.url.endswith("/")
    window.page.locator(".picture").wait_for()
    assert "/table/" in window.page.url and not window.troubles
    window.close()


def test_undo_needs_the_other_and_resigning_is_asked_twice(
    browser: Browser, studio: StudioProcess
) -> None:
    ann, bob = seated(browser, studio, "double_or_nothing_31")
    ann.play("double")
    ann.page.get_by_role("button", name="Undo").click()
    bob.page.get_by_role("button", name="No, keep it").click()
    ann.wait("document.getElementById('ask').hidden")
    assert ann.moves_made() == 1
    ann.page.get_by_role("button", name="Undo").click()
    bob.page.get_by_role("button", name="Yes, undo it").click()
    ann.wait("document.querySelectorAll('#record li:not(.dim)').length === 0")
    ann.page.get_by_role("button", name="Resign").click()
    assert not bob.is_over()
    ann.page.get_by_role("button", name="Yes, resign").click()
    bob.page.locator(".turn-line[data-over]").wait_for()
    before = bob.page.url
    bob.page.get_by_role("button", name="Rematch").click()
    bob.page.wait_for_url(lambda url: url != before and "/table/" in url)
    ann.page.get_by_role("link", name="Go to rematch").click()
    ann.page.locator("#choices .move, #choices .about").first.wait_for()
    assert ann.latest["over"] is None
    ann.close()
    bob.close()


def test_a_review_draws_the_chances_that_were_computed(
    browser: Browser, studio: StudioProcess
) -> None:
    window = review(browser, studio)
    window.wait("!document.getElementById('review-progress')")
    curves = [path.get_attribute("d") for path in window.page.locator(".chart .curve").all()]
    assert [str(curve).count("L") for curve in curves] == [3]  # one curve of four positions
    window.page.locator("#review-slider").fill("0")
    told = window.page.locator(".review-legend").inner_text()
    assert "not known" not in told and told.count("%") == 2
    window.close()


def test_a_review_marks_mistakes_and_draws_the_best_move(
    browser: Browser, studio: StudioProcess
) -> None:
    path = studio.lay("tic_tac_toe", "Ann", "Bob", screen=True)["screen"]
    window = Window(browser, studio.address, path)
    moves = ("1 1", "2 2", "1 2", "1 3", "2 1", "3 1")
    for made, text in enumerate(moves):
        window.wait(f"document.querySelectorAll('#record li:not(.dim)').length === {made}")
        cell = ",".join(str(int(number) - 1) for number in text.split())
        window.page.locator(f'.cell[data-at="{cell}"]').click()
    window.page.get_by_role("button", name="Review the game").click()
    window.page.locator(".mistake-row").wait_for()
    assert "a2 ??" in window.page.locator(".mistake-row").inner_text()
    window.page.locator(".mistake-row").click()
    ring = window.page.locator(".arrow circle").bounding_box()
    best = window.page.locator('.cell[data-at="2,0"]').bounding_box()
    assert ring is not None and best is not None
    assert abs(ring["x"] + ring["width"] / 2 - best["x"] - best["width"] / 2) < 2
    window.page.keyboard.press("ArrowRight")
    assert window.page.locator(".review-label").inner_text() == "Ann: Place a2"
    window.page.locator(".record-link").first.click()
    assert window.page.locator(".review-label").inner_text() == "Ann: Place a1"
    window.close()


def test_a_review_of_a_game_for_one_shows_what_can_be_expected(
    browser: Browser, studio: StudioProcess
) -> None:
    window = Window(browser, studio.address, studio.lay("blackjack", "Ann", screen=True)["screen"])
    window.page.locator("#choices .move").first.wait_for()
    play_out([window], Random(1))
    window.page.get_by_role("button", name="Review the game").click()
    window.wait("!document.getElementById('review-progress') && document.querySelector('.chart')")
    assert "%" not in window.page.locator(".review-legend").inner_text()
    window.close()


def test_a_position_of_the_review_is_played_on(browser: Browser, studio: StudioProcess) -> None:
    window = review(browser, studio)
    before = window.page.url
    window.page.locator("#review-slider").fill("1")
    window.page.get_by_role("button", name="What if from here?").click()
    window.page.wait_for_url(lambda url: url != before)
    window.wait("document.querySelectorAll('#record li:not(.dim)').length === 1")
    window.play("add_one")
    window.wait("document.querySelectorAll('#record li:not(.dim)').length === 2")
    window.close()


def test_a_die_falls_unless_motion_is_unwanted(browser: Browser, studio: StudioProcess) -> None:
    path = studio.lay("dice_duel", "Ann", "Bob", screen=True)["screen"]
    for motion, falls in (("no-preference", 1), ("reduce", 0)):
        window = Window(browser, studio.address, path)
        window.page.emulate_media(reduced_motion=motion)
        window.page.locator(".die").wait_for()
        made = window.moves_made()
        window.play("add")
        window.wait(f"document.querySelectorAll('#record li:not(.dim)').length > {made}")
        assert window.page.locator(".die.falls").count() == falls
        window.close()


def drag(page: Page, start: str, end: str) -> None:
    """Drag what lies in a cell to another one."""
    for number, at in enumerate((start, end)):
        box = page.locator(f'.cell[data-at="{at}"]').bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
        (page.mouse.up if number else page.mouse.down)()


def test_pieces_are_dragged_and_boards_lie_for_their_players(
    browser: Browser, studio: StudioProcess
) -> None:
    ann, bob = seated(browser, studio, "breakthrough")
    turned = [window.page.locator(".board[data-turned]").count() for window in (ann, bob)]
    assert turned == [1, 0]  # Ann's pieces begin at the top
    drag(ann.page, "1,2", "5,5")
    assert not ann.page.locator(".cell[data-state=chosen]").count() and ann.moves_made() == 0
    drag(ann.page, "1,2", "2,2")
    bob.wait("document.querySelectorAll('#record li:not(.dim)').length === 1")
    assert ann.page.locator("#why").inner_text() == ""
    bob.page.get_by_role("button", name="Turn the board").click()
    assert bob.page.locator(".board[data-turned]").count() == 1
    bob.page.locator('.cell[data-at="6,3"]').focus()
    bob.page.keyboard.press("ArrowUp")  # on the screen
    assert bob.page.evaluate("document.activeElement.dataset.at") == "7,3"
    drag(bob.page, "6,3", "5,3")
    ann.wait("document.querySelectorAll('#record li:not(.dim)').length === 2")
    assert ann.troubles == bob.troubles == []
    ann.close()
    bob.close()


def test_the_cards_of_a_hand_are_buttons(browser: Browser, studio: StudioProcess) -> None:
    ann, bob = seated(browser, studio, "german_whist")
    cards = ann.page.locator(".card-move:not([aria-disabled])")
    assert cards.count() == 13 and not bob.page.locator(".card-move").count()
    cards.nth(3).click()
    bob.page.locator(".card-move:not([aria-disabled])").first.wait_for()
    assert ann.page.locator(".seat-0 [data-hand] li").count() == 12
    ann.close()
    bob.close()


def test_all_of_a_large_board_is_on_a_phone_and_can_be_zoomed(
    browser: Browser, studio: StudioProcess
) -> None:
    path = studio.lay("hex", "Ann", "Bob", screen=True, size="11")["screen"]
    phone = {"width": 390, "height": 844}
    window = Window(browser, studio.address, path, viewport=phone, has_touch=True)
    window.page.locator(".cell").nth(120).wait_for()
    boxes = [cell.bounding_box() for cell in window.page.locator(".cell").all()]
    assert len(boxes) == 121
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)
    window.page.locator(".cell").nth(60).tap()
    window.page.locator(".cell[data-changed]").wait_for()
    window.page.get_by_role("button", name="Zoom in").tap()
    large = window.page.locator(".cell[data-changed]").bounding_box()
    assert large and large["width"] >= 36 and 0 <= large["x"] <= 390 - large["width"]
    window.close()


def test_a_game_is_two_clicks_away_and_says_who_won(
    browser: Browser, studio: StudioProcess
) -> None:
    window = library(browser, studio)
    window.page.locator(".game:has(a[href='/play/nim']) .button").click()
    window.page.wait_for_url("**/table/**")
    window.page.locator("#choices .move").first.wait_for()
    window.page.get_by_role("button", name="Resign").click()
    window.page.get_by_role("button", name="Yes, resign").click()
    window.page.locator(".turn-line", has_text="You lost").wait_for()
    window.visit("/")
    finished = window.page.locator("#finished")
    finished.locator("summary").click()
    before = finished.locator("li").count()
    window.page.once("dialog", lambda dialog: dialog.accept())
    finished.get_by_role("button", name="Delete").first.click()
    window.wait(f"document.querySelectorAll('#finished li').length === {before - 1}")
    window.close()


def test_a_link_to_a_position_is_shared_with_its_code(
    browser: Browser, studio: StudioProcess
) -> None:
    path = studio.lay("tic_tac_toe", "Ann", "Bob", screen=True)["screen"]
    window = Window(browser, studio.address, path)
    window.page.locator('.cell[data-at="1,1"]').click()
    window.page.get_by_role("button", name="Share position").click()
    address = window.page.get_by_label("Link for this position").input_value()
    assert address.endswith("/play/tic_tac_toe?first=1&move=place+2+2")
    window.page.get_by_role("button", name="QR code").click()
    window.page.locator("svg.code").wait_for()
    assert violations(window.page) == []
    window.visit(address.removeprefix(studio.address))
    window.page.locator("#preview .cell .piece").wait_for()
    window.page.get_by_role("button", name="Start the game").click()
    window.page.wait_for_url("**/table/**")
    window.wait("document.querySelectorAll('#record li:not(.dim)').length >= 1")
    window.close()


def test_sound_stays_switched_off(browser: Browser, studio: StudioProcess) -> None:
    path = studio.lay("nim", "Ann", "Bob", screen=True)["screen"]
    window = Window(browser, studio.address, path)
    window.page.get_by_role("button", name="Sound on").click()
    window.page.reload()
    window.page.get_by_role("button", name="Sound off").wait_for()
    window.close()
