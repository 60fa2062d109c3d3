"""Every page of the studio is shown in its documentation, by pictures that a script makes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from support.scripts import load_script

ROOT: Final = Path(__file__).parents[2]
SCREENS: Final = ROOT / "docs" / "screens" / "studio"
PAGES: Final = ROOT / "studio" / "rulegame_studio" / "pages"
AT_TABLE: Final = {"dice", "board", "hexagons", "cards", "curtain", "hint", "review"}


def test_there_is_a_picture_of_every_page_at_both_widths_and_no_other() -> None:
    make = load_script(SCREENS / "make.py")
    wanted = {name: make.files(name) for name in make.PAGES}
    kept = {path.name for path in SCREENS.glob("*.webp")}
    assert kept == {file for files in wanted.values() for file in files}
    pages = {page.stem for page in PAGES.glob("*.html")} - {"error"}
    assert pages == (set(wanted) - AT_TABLE - {"links"}) | {"table"}
    assert set(wanted) >= AT_TABLE
    for files in wanted.values():
        assert {file.split("-")[1] for file in files} == {"desktop", "phone"}
        assert {file.split("-")[2] for file in files} == {"light.webp", "dark.webp"}


def test_the_documentation_shows_every_page() -> None:
    text = (ROOT / "docs" / "studio.md").read_text("utf-8")
    shown = re.findall(r"\(screens/studio/([a-z-]+\.webp)\)", text)
    assert set(shown) <= {path.name for path in SCREENS.glob("*.webp")}
    assert {name.split("-")[0] for name in shown} == set(load_script(SCREENS / "make.py").PAGES)
