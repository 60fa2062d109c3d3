"""`rulegame explain`: explain an error code."""

from __future__ import annotations

from rulegame.codes import CODES
from rulegame_cli.calling.options import Options, argument
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.error_pages import current_codes, page_about, title
from rulegame_cli.printing.paging import page


class ExplainOptions(Options):
    """Explain an error code, with an example. Without a code, list all of them."""

    code: str = argument("CODE", "An error code, e.g. E302.", required=False)


def run(options: ExplainOptions) -> int:
    """Print the page about a code, or all codes."""
    if not options.code:
        page("".join(f"{title(code)}\n" for code in current_codes()))
        return 0
    text = page_about(options.code.upper())
    if text is None:
        close = _nearest_code(options.code.upper())
        hint = f"Did you mean {close}?" if close else "`rulegame explain` lists all codes."
        raise WrongCall(f"Unknown error code '{options.code}'. {hint}")
    page(text if text.endswith("\n") else text + "\n")
    return 0


def _nearest_code(code: str) -> str | None:
    """The code of that number, or a similar one."""
    from rulegame.diagnostics import nearest

    return f"E{code}" if f"E{code}" in CODES else nearest(code, CODES)
