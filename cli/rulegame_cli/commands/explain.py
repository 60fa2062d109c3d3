"""`rulegame explain`: what a diagnostic code means, and how to mend it."""

from __future__ import annotations

import sys

from rulegame_cli.calling.options import Options, argument
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.printing.error_pages import codes, page


class ExplainOptions(Options):
    """Explain the code of a problem, with an example of it."""

    code: str = argument("CODE", "A code such as E302.")


def run(options: ExplainOptions) -> int:
    """Print the page about a code."""
    text = page(options.code.upper())
    if text is None:
        close = _nearest_code(options.code.upper(), codes())
        hint = f"did you mean {close}?" if close else "codes look like E302"
        raise WrongCall(f"there is no diagnostic code '{options.code}'; {hint}")
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    return 0


def _nearest_code(code: str, known: list[str]) -> str | None:
    """The code with the nearest number, or a similar one."""
    from rulegame.diagnostics import nearest

    digits = code.removeprefix("E")
    if digits.isascii() and digits.isdigit() and known:
        return min(known, key=lambda other: abs(int(other[1:]) - int(digits[:9])))
    return nearest(code, known)
