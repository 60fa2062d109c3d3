"""What mkdocs does not do by itself: pages that lie elsewhere in the repository, notebooks as
pages, links that mean something in both, anchors as code hosts make them, and a search that needs
no server.
"""

from __future__ import annotations

import base64
import html
import json
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
PICTURE = re.compile(r"(!\[[^\]]*\]\()docs/")
FENCE = re.compile(r"^(```+|~~~+).*?^\1`*$", re.MULTILINE | re.DOTALL)
_sections: list[dict[str, str]] = []


def github_slug(text: str, separator: str) -> str:
    """The anchor of a heading, as it is on a code host: links must lead there in both."""
    kept = re.sub(r"[^\w\- ]", "", html.unescape(text).strip().lower())
    return kept.replace(" ", separator)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Adds pages that the navigation does not name."""
    config.mdx_configs["toc"] = {"slugify": github_slug, "permalink": False}
    docs = Path(config.docs_dir)
    assert isinstance(config.nav, list)
    named = set(_named(config.nav))
    errors = [f"errors/{page.name}" for page in sorted(docs.glob("errors/E*.md"))]
    write = next(part["Write"] for part in config.nav if "Write" in part)
    write[write.index("errors/README.md")] = {"Error codes": ["errors/README.md", *errors]}
    found = sorted(page.relative_to(docs).as_posix() for page in docs.rglob("*.md"))
    found += [f"notebooks/{page.stem}.md" for page in sorted(docs.glob("notebooks/*.ipynb"))]
    rest = [page for page in found if page not in named and page not in errors]
    if rest:
        config.nav.append({"More": rest})
    return config


def _named(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [name for part in parts for name in _named(part)]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that lie beside docs/, and the notebooks."""
    _sections.clear()
    for source, target in ELSEWHERE.items():
        text = (ROOT / source).read_text("utf-8")
        files.append(File.generated(config, target, content=_moved(text)))
    for path in sorted(Path(config.docs_dir).glob("notebooks/*.ipynb")):
        page = f"notebooks/{path.stem}.md"
        files.append(File.generated(config, page, content=notebook_page(path)))
    return files


def _moved(text: str) -> str:
    """A text of the repository's root, as it stands in docs/."""

    def link(found: re.Match[str]) -> str:
        words, target = found.groups()
        path, mark, anchor = target.partition("#")
        if "://" in target or not path:
            return found.group()
        path = ELSEWHERE.get(path, path)
        inside = path.removeprefix("docs/")
        known = path != inside or path in ELSEWHERE.values()
        return f"[{words}]({inside}{mark}{anchor})" if known else words

    return _outside_of_code(text, lambda part: PICTURE.sub(r"\1", LINK.sub(link, part)))


def _outside_of_code(text: str, change: Any) -> str:
    parts, last = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[last : fence.start()]), fence.group()]
        last = fence.end()
    return "".join([*parts, change(text[last:])])


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Notebooks are pages here; what lies outside of docs/ is only named."""
    here = posixpath.dirname(page.file.src_uri)

    def link(found: re.Match[str]) -> str:
        words, target = found.groups()
        if "://" in target or target.startswith("#"):
            return found.group()
        path = posixpath.normpath(posixpath.join(here, target.partition("#")[0]))
        if path.startswith("../"):
            return words
        if path.endswith(".ipynb") and not page.file.src_uri.startswith("notebooks/"):
            return f"[{words}]({target.removesuffix('.ipynb')}.md)"
        return found.group()

    text = re.sub(r"<!--.*?-->\n?", "", markdown, flags=re.DOTALL)
    return _outside_of_code(text, lambda part: LINK.sub(link, part))


# ---- notebooks


def notebook_page(path: Path) -> str:
    """A notebook with what it showed when it was last run."""
    book = json.loads(path.read_text("utf-8"))
    parts = []
    for cell in book["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [_output(output.get("data", {})) for output in cell["outputs"]]
    parts.insert(1, f"[Download this notebook]({path.name})")
    return "\n\n".join(part for part in parts if part)


def _output(data: dict[str, Any]) -> str:
    forms = {kind: "".join(text) for kind, text in data.items()}
    if "text/html" in forms:
        inner = " ".join(forms["text/html"].split("\n"))
        return f'<div class="output">{inner}</div>'
    if "image/svg+xml" in forms:
        packed = base64.b64encode(forms["image/svg+xml"].encode()).decode()
        return f'<div class="output"><img alt="" src="data:image/svg+xml;base64,{packed}"></div>'
    plain = html.escape(forms.get("text/plain", ""))
    return f'<div class="output"><pre>{plain}</pre></div>' if plain else ""


# ---- search


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Remembers what stands under each heading. Tables can be wider than a screen."""
    pieces = re.split(r'<h[1-4] id="([^"]*)">(.*?)</h[1-4]>', content, flags=re.DOTALL)
    title = str(page.title or "")
    for k in range(1, len(pieces), 3):
        anchor, heading, body = pieces[k : k + 3]
        words = html.unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", body, flags=re.DOTALL))
        _sections.append(
            {
                "page": title,
                "url": f"{page.url}#{anchor}",
                "title": html.unescape(re.sub(r"<[^>]+>", "", heading)),
                "text": " ".join(words.split()),
            }
        )
    return content.replace("<table>", '<div class="wide"><table>').replace(
        "</table>", "</table></div>"
    )


def on_post_build(config: MkDocsConfig) -> None:
    """Writes what the search looks through, as a script: it works without a server, too."""
    found = json.dumps(_sections, ensure_ascii=False, separators=(",", ":"))
    text = f"const SECTIONS={found};\n".replace("</", "<\\/")
    (Path(config.site_dir) / "sections.js").write_text(text, "utf-8")
