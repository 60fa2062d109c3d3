"""Pages that say what is wrong with a request of a browser; programs get the same as text."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, Response

PAGES: Final = Path(__file__).parent / "pages"
STYLE: Final = re.compile("<style>(.*)</style>", re.DOTALL)


def error_page(request: HTTPConnection, title: str, text: str, status: int) -> Response:
    """Return what a browser shows in place of a page. Its style is part of it: whoever has no key
    gets no other file.
    """
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse(f"{text}\n", status)
    page = (PAGES / "error.html").read_text(encoding="utf-8")
    style = STYLE.search(page)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'"
    page = page.replace("{title}", escape(title)).replace("{text}", escape(text))
    return HTMLResponse(page, status, {"content-security-policy": policy})
