"""`rulegame explain`: what a diagnostic code means, and how to mend it."""

from __future__ import annotations

from rulegame_cli.calling.options import Options, argument
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.error_pages import codes, page_about, title
from rulegame_cli.printing.paging import page


class ExplainOptions(Options):
    """Explain the code of a problem, with an example of it; without a code, list them all."""

    code: str = argument("CODE", "A code such as E302.", required=False)


def run(options: ExplainOptions) -> int:
    """Print the page about a code, or all codes."""
    if not options.code:
        page("".join(f"{title(code)}\n" for code in codes()))
        return 0
    text = page_about(options.code.upper())
    if text is None:
        close = _nearest_code(options.code.upper(), codes())
        hint = f"did you mean {close}?" if close else "`rulegame explain` lists them"
        raise WrongCall(f"there is no diagnostic code '{options.code}'; {hint}")
    page(text if text.endswith("\n") else text + "\n")
    return 0


def _nearest_code(code: str, known: list[str]) -> str | None:
    """The code of that number, or a similar one."""
    from rulegame.diagnostics import nearest

    return f"E{code}" if f"E{code}" in known else nearest(code, known)
