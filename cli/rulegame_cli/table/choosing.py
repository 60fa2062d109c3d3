"""`rulegame play` without a name: the bundled rulesets to choose from."""

from __future__ import annotations

import sys

from rulegame_cli.calling.options import ScreenOptions
from rulegame_cli.printing.terminal import Terminal, one_line


def choose_game(screen: ScreenOptions) -> str | None:
    """The name of a bundled game; None, and a message, if none was chosen."""
    from rulegame.bundled import ruleset_names
    from rulegame.loading import read_document

    names = ruleset_names()
    terminal = Terminal(screen.style, plain=screen.plain)
    wide = len(str(len(names)))
    titles: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        ruleset = read_document(name)
        title = one_line(ruleset.title) if ruleset is not None else name
        titles.setdefault(title.lower(), name)
        terminal.write(f"{number:>{wide}}  {title} ({name})\n")
        if ruleset is not None and ruleset.summary:
            terminal.write(f"{'':>{wide}}  {one_line(ruleset.summary)}\n")
    while True:
        try:
            line = terminal.ask("Which game? ", False, lambda typed: names).strip()
        except EOFError:
            terminal.end_line()
            print("No game was chosen: no more input.", file=sys.stderr)
            return None
        except KeyboardInterrupt:
            terminal.end_line()
            raise
        chosen = _named(line, names) or titles.get(line.lower())
        if chosen is not None:
            terminal.write("\n")
            return chosen
        terminal.write(f"Please type a number from 1 to {len(names)}, or a name.\n")


def _named(line: str, names: tuple[str, ...]) -> str | None:
    numbers = {str(number): name for number, name in enumerate(names, 1)}
    if line in numbers:
        return numbers[line]
    return next((name for name in names if name.lower() == line.lower()), None)
