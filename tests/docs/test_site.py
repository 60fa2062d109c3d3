"""The documentation as a site: built without a warning, every link and anchor leads somewhere,
every page can be found, and nothing is loaded from other hosts.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from support.tiers import library

pytestmark = pytest.mark.full

library("mkdocs")
library("pygments")
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LOADING = {("script", "src"), ("link", "href"), ("img", "src"), ("image", "href"), ("use", "href")}


class Links(HTMLParser):
    """What a page links to, what it loads, and its anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            if tag == "a" and name == "href" and value:
                self.links.append(value)
            if (tag, name.removeprefix("xlink:")) in LOADING or name in ("srcset", "poster"):
                self.loaded.append(value or "")
        assert tag not in ("iframe", "object", "embed")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    return {path: Links(path) for path in sorted(site.rglob("*.html"))}


def test_every_link_and_anchor_leads_somewhere(site: Path, pages: dict[Path, Links]) -> None:
    for path, page in pages.items():
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.is_relative_to(site.resolve()), (path, link)
            assert target.is_file(), (path, link)
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].anchors, (path, link)


def test_nothing_is_loaded_from_other_hosts(site: Path, pages: dict[Path, Links]) -> None:
    for path, page in pages.items():
        foreign = [one for one in page.loaded if urlsplit(one).scheme not in ("", "data")]
        assert not foreign and not [one for one in page.loaded if one.startswith("//")], path
    for path in (*site.rglob("*.css"), *site.rglob("*.svg")):
        text = path.read_text("utf-8")
        assert not re.search(r"@import|url\(\s*['\"]?(?:\w+:)?//|href=\"\w+://", text), path
    for path in site.rglob("*.js"):
        if path.name != "sections.js":  # the texts of the pages
            assert "//cdn" not in path.read_text("utf-8") and "http" not in path.read_text("utf-8")


def test_every_page_of_the_documentation_is_in_the_navigation(
    site: Path, pages: dict[Path, Links]
) -> None:
    reached = {
        (path.parent / link.partition("#")[0]).resolve()
        for path in (site / "index.html", site / "errors" / "index.html")
        for link in re.findall(
            r'href="([^"]+)"', path.read_text("utf-8").split("<nav")[1].split("</nav>")[0]
        )
    }
    for page in DOCS.rglob("*.md"):
        name = "index.html" if page.name == "README.md" else f"{page.stem}.html"
        assert (site / page.relative_to(DOCS).parent / name).resolve() in reached, page
    for book in DOCS.glob("notebooks/*.ipynb"):
        assert (site / "notebooks" / f"{book.stem}.html").resolve() in reached, book


def hooks() -> Any:
    spec = spec_from_file_location("site_hooks", ROOT / "website" / "hooks.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pages_that_come_later_are_taken_in(tmp_path: Path) -> None:
    for name in ("known.md", "new.md", "errors/README.md", "errors/E101.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("# Title", "utf-8")
    nav = [{"Write": ["known.md", "errors/README.md"]}]
    config = SimpleNamespace(docs_dir=str(tmp_path), nav=nav, mdx_configs={})
    assert hooks().on_config(config).nav == [
        {"Write": ["known.md", {"Error codes": ["errors/README.md", "errors/E101.md"]}]},
        {"More": ["new.md"]},
    ]


def test_notebooks_are_pages_with_what_they_show(site: Path) -> None:
    page = (site / "notebooks" / "class_on_nim.html").read_text("utf-8")
    assert '<div class="output">' in page and "<svg" in page
    assert (site / "notebooks" / "class_on_nim.ipynb").is_file()


def test_the_search_knows_every_section(site: Path) -> None:
    text = (site / "sections.js").read_text("utf-8")
    sections = json.loads(text.removeprefix("const SECTIONS=").removesuffix(";\n"))
    found = {section["url"] for section in sections}
    assert "library.html#states-and-moves" in found
    assert {url.partition("#")[0] for url in found} >= {"index.html", "solving.html"}


def test_packages_do_not_hold_the_site() -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    kept = targets["targets"]["sdist"]["include"]
    assert "/site" not in kept and {"/website", "/mkdocs.yml"} <= set(kept)  # tests build it
    assert set(targets["targets"]["wheel"]["force-include"]) == {
        "rulesets",
        "schemas",
        "docs/errors",
    }
