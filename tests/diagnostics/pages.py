"""The pages about diagnostic codes, and their snippets as whole rulesets.

A snippet is the beginning of a file, so that the lines in a report are those of the snippet; the
sections that it leaves out are added below it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rulegame.diagnostics import Diagnostic, RulesetError
from rulegame.exploring import explore
from rulegame.game import GameError
from rulegame.loading import load_ruleset, make_game

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "docs" / "errors"
CODE: Final = re.compile(r"""["'](E[1-5][0-9]{2})["']""")
SECTIONS: Final = {
    "rulegame": "rulegame: 1\n",
    "title": "title: Countdown\n",
    "state": "state:\n  left: 21\n",
    "operations": """\
operations:
  take:
    choose:
      n: 1..3
    effects:
      left: left - n
""",
    "end": """\
end:
  last_taken:
    when: left <= 0
    result: win
""",
}


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its title, and what stands in its fenced blocks."""

    code: str
    title: str
    yaml: tuple[str, ...]
    said: tuple[str, ...]


def reported_codes() -> frozenset[str]:
    """Every code that the engine's source reports: those in strings outside of the registry."""
    sources = (ROOT / "engine" / "rulegame").rglob("*.py")
    texts = (path.read_text("utf-8") for path in sources if path.name != "codes.py")
    return frozenset(code for text in texts for code in CODE.findall(text))


def read_page(path: Path) -> Page:
    """A page with its snippets: the first is wrong, the second right."""
    text = path.read_text("utf-8")
    return Page(
        path.stem,
        text.partition("\n")[0],
        tuple(re.findall(r"^```yaml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)),
        tuple(re.findall(r"^```text\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)),
    )


def whole(snippet: str) -> str:
    """A snippet with the sections that a ruleset needs beside it."""
    present = set(re.findall(r"^([a-z]+):", snippet, re.MULTILINE))
    if "extends" in present:
        return snippet
    return snippet + "".join(text for name, text in SECTIONS.items() if name not in present)


def problems_of(name: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a ruleset when it is loaded, or when the moves of its tests are played, or
    when its symmetries are made use of.
    """
    ruleset, found = load_ruleset(name)
    if ruleset is None:
        return found
    try:
        game = make_game(ruleset)
        for test in ruleset.tests.values():
            state = game.start()
            for move in test.play:
                state = state.play(move)
        if ruleset.symmetry:
            explore(game, symmetric=True)
    except GameError as error:
        return (*found, error.diagnostic)
    except RulesetError as error:
        return (*found, *error.diagnostics)
    return found
