"""A rulebook as plain text, Markdown, JSON, or a page of HTML that needs nothing else."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Final

from rulegame.drawing.pictures import Picture
from rulegame.drawing.svg import picture_svg
from rulegame.rulebook.document import Block, ItemList, Rulebook, Section, TableBlock, Verbatim
from rulegame.rulebook.markup import Run, runs
from rulegame.wording import visible

WIDTH: Final = 88  # characters of a line of text
LEAST_COLUMN: Final = 20  # of the last column of a table, however long the others are
# What would mean something else in Markdown, wherever it stands or at the beginning of a line.
MARKDOWN: Final = re.compile(r"([\\`*_\[\]<>|#~&])")
ORDERED: Final = re.compile(r"^(\d+)([.)])|^([-+])", re.MULTILINE)
BARE_BAR: Final = re.compile(r"(?<!\\)\|")  # in a table even code must not contain one
ESCAPED_BAR: Final = r"\\|"


def render(book: Rulebook, form: str) -> str:
    """The rulebook as `text`, `md`, `html` or `json`."""
    return FORMS[form](book if form == "html" else _without_pictures(book))


def _without_pictures(book: Rulebook) -> Rulebook:
    """The rulebook for forms that have none: without blocks that are nothing else."""
    sections = tuple(
        section._replace(blocks=tuple(filter(_has_words, section.blocks)))
        for section in book.sections
    )
    return book._replace(sections=sections)


def _has_words(block: Block) -> bool:
    return not isinstance(block, Verbatim) or bool(block.lines)


# ---- text


def text(book: Rulebook) -> str:
    """Plain text for a terminal."""
    lines = [_plain(book.title), "=" * len(_plain(book.title)), ""]
    for block in book.intro:
        lines += [*_text_block(block), ""]
    for section in book.sections:
        lines += [section.title, "-" * len(section.title), ""]
        for block in section.blocks:
            lines += [*_text_block(block), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _plain(sentence: str) -> str:
    return "".join(visible(run.text) for run in runs(sentence))


def _quoted(sentence: str) -> str:
    """Plain, with quotation marks around what is code: there are no other marks in text."""
    said = ((visible(run.text), run.style) for run in runs(sentence))
    return "".join(f"‘{text}’" if style == "code" else text for text, style in said)


def _text_block(block: Block) -> Iterator[str]:
    match block:
        case str():
            yield from _wrapped(_quoted(block), "", "")
        case ItemList(items=items):
            for item in items:
                yield from _wrapped(_quoted(item), "- ", "  ")
        case TableBlock(header=header, rows=rows):
            yield from _text_table(header, rows)
        case Verbatim(lines=lines):
            yield from (f"  {visible(line)}" for line in lines)


def _wrapped(sentence: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        sentence,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]


def _text_table(header: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    cells = [[_plain(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]
    room = WIDTH - sum(width + 2 for width in widths[:-1])
    widths[-1] = min(widths[-1], max(room, LEAST_COLUMN))
    for number, row in enumerate(cells):
        lines = textwrap.wrap(row[-1], widths[-1]) or [""]
        for line in lines:
            padded = (c.ljust(width) for c, width in zip((*row[:-1], line), widths, strict=True))
            yield f"  {'  '.join(padded).rstrip()}"
            row = [""] * len(row)
        if number == 0:
            yield f"  {'  '.join('-' * width for width in widths)}"


# ---- Markdown


def markdown(book: Rulebook) -> str:
    """Markdown, as code hosts show it."""
    parts = [f"# {_md(book.title)}", *map(_md_part, book.intro)]
    for section in book.sections:
        parts += [f"## {section.title}", *map(_md_part, section.blocks)]
    return "\n\n".join(parts).rstrip("\n") + "\n"


def _md_part(block: Block) -> str:
    return "\n".join(_md_block(block))


def _md(sentence: str) -> str:
    return ORDERED.sub(_escaped_start, "".join(map(_md_run, runs(sentence))))


def _escaped_start(found: re.Match[str]) -> str:
    return f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}"


def _md_run(run: Run) -> str:
    if run.style == "code":
        longest = max((len(ticks) for ticks in re.findall("`+", run.text)), default=0)
        fence = "`" * (longest + 1)
        pad = " " if run.text.startswith("`") or run.text.endswith("`") else ""
        return f"{fence}{pad}{visible(run.text)}{pad}{fence}"
    words = MARKDOWN.sub(r"\\\1", visible(run.text))
    return f"**{words}**" if run.style == "strong" and words.strip() else words


def _md_block(block: Block) -> Iterator[str]:
    match block:
        case str():
            yield _md(block)
        case ItemList(items=items):
            yield from (f"- {_md(item)}" for item in items)
        case TableBlock(header=header, rows=rows):
            yield _md_row(header)
            yield f"|{' --- |' * len(header)}"
            yield from map(_md_row, rows)
        case Verbatim(lines=lines):
            yield from (f"    {visible(line)}" for line in lines)


def _md_row(row: tuple[str, ...]) -> str:
    return f"| {' | '.join(BARE_BAR.sub(ESCAPED_BAR, _md(cell)) for cell in row)} |"


# ---- HTML

STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 1.05rem/1.6 Georgia, "Times New Roman", serif; max-width: 46rem; margin: 2rem auto;
  padding: 0 1rem; color: #1c1c1c; background: #fffdf8; }
h1, h2, th { font-family: system-ui, sans-serif; line-height: 1.25; }
h2 { margin-top: 2.2rem; border-bottom: 1px solid #8a8a8a; padding-bottom: .2rem; }
li { margin: .4rem 0; }
code, pre { font: .95em ui-monospace, Consolas, monospace; }
code { background: #efece3; padding: .05em .3em; border-radius: .2em; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .95rem; }
caption { text-align: left; font-style: italic; padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .7rem .25rem 0;
  border-bottom: 1px solid #c9c4b8; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
a { color: #0b4f8a; }
@media (prefers-color-scheme: dark) {
  body { color: #e8e6e1; background: #1b1b1d; } code { background: #313136; } a { color: #8cc4f5; }
}
@media print { nav { display: none; } body { margin: 0; } h2 { break-after: avoid; } }
""".strip()


def html(book: Rulebook) -> str:
    """A complete page, with nothing fetched from elsewhere."""
    title = escape(_plain(book.title))
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}: rules</title>",
        f"<style>\n{STYLE}\n</style>",
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{title}</h1>",
    ]
    for block in book.intro:
        lines += _html_block(block)
    lines += _contents(book.sections)
    for section in book.sections:
        lines.append(f'<section aria-labelledby="{section.name}">')
        lines.append(f'<h2 id="{section.name}">{escape(section.title)}</h2>')
        for block in section.blocks:
            lines += _html_block(block)
        lines.append("</section>")
    lines += ["</main>", "</body>", "</html>"]
    return "\n".join(lines) + "\n"


def html_part(book: Rulebook) -> str:
    """What stands on such a page, to be put into another one: without names that two could
    share.
    """
    lines = [f"<h2>{escape(_plain(book.title))}</h2>"]
    for block in book.intro:
        lines += _html_block(block)
    for section in book.sections:
        lines.append(f"<h3>{escape(section.title)}</h3>")
        for block in section.blocks:
            lines += _html_block(block)
    return "\n".join(lines)


def _contents(sections: tuple[Section, ...]) -> Iterator[str]:
    yield '<nav aria-label="Contents">'
    yield "<ul>"
    for section in sections:
        yield f'<li><a href="#{section.name}">{escape(section.title)}</a></li>'
    yield "</ul>"
    yield "</nav>"


def _html(sentence: str) -> str:
    tags = {"plain": ("", ""), "strong": ("<strong>", "</strong>"), "code": ("<code>", "</code>")}
    said = []
    for run in runs(sentence):
        opening, closing = tags[run.style]
        said.append(f"{opening}{escape(visible(run.text))}{closing}")
    return "".join(said)


def _html_block(block: Block) -> Iterator[str]:
    match block:
        case str():
            yield f"<p>{_html(block)}</p>"
        case ItemList(items=items):
            yield "<ul>"
            yield from (f"<li>{_html(item)}</li>" for item in items)
            yield "</ul>"
        case TableBlock(caption=caption, header=header, rows=rows):
            yield '<div class="table" tabindex="0" role="group" aria-label="Table">'
            yield f"<table>\n<caption>{_html(caption)}</caption>"
            heads = "".join(f'<th scope="col">{_html(cell)}</th>' for cell in header)
            yield f"<thead><tr>{heads}</tr></thead>\n<tbody>"
            for row in rows:
                yield f"<tr>{''.join(f'<td>{_html(cell)}</td>' for cell in row)}</tr>"
            yield "</tbody>\n</table>\n</div>"
        case Verbatim(picture=Picture() as picture):
            yield f"<figure>{picture_svg(picture)}</figure>"
        case Verbatim(lines=lines):
            yield f"<pre>{escape(chr(10).join(map(visible, lines)))}</pre>"


# ---- JSON


def data(book: Rulebook) -> str:
    """JSON: the text of each section in Markdown."""
    sections = [
        {"name": one.name, "title": one.title, "text": "\n\n".join(map(_md_part, one.blocks))}
        for one in book.sections
    ]
    intro = "\n\n".join(map(_md_part, book.intro))
    found = {"version": 1, "title": _plain(book.title), "intro": intro, "sections": sections}
    return json.dumps(found, indent=2) + "\n"


FORMS: Final[Mapping[str, Callable[[Rulebook], str]]] = {
    "text": text,
    "md": markdown,
    "html": html,
    "json": data,
}
