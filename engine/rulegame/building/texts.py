"""The sections `texts`, of a ruleset and of an operation, with the names that each text may use,
and `rulebook`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from contextlib import nullcontext
from typing import Final

from rulegame.building.context import TextNames, Workbench
from rulegame.language.syntax import Era
from rulegame.language.templates import Template
from rulegame.language.types import Bool, Int, List, Text, Type
from rulegame.language.vocabulary import Scope
from rulegame.source.nodes import Mapping as MappingNode

MENU_NAMES: Final[dict[str, Type]] = {
    "options": List(Text()),
    "valid": List(Text()),
    "entries": List(Text()),
    "notes": List(Text()),
}
ENDING_NAMES: Final[dict[str, Type]] = {
    "winner": Text(),
    "loser": Text(),
    "winners": List(Text()),
    "losers": List(Text()),
    "draw_game": Bool(),
}
# Names that are added go to `later`: a ruleset that has something of that name keeps its meaning.
LATER_ENDING_NAMES: Final[dict[str, Type]] = {"payoffs": List(Text())}
TEXT_NAMES: Final[dict[str, TextNames]] = {
    "welcome": TextNames(),
    "begin": TextNames(),
    "turn": TextNames({"again": Bool()}),
    "rolled": TextNames({"roll": Text(), "rolled": Text()}),
    "menu": TextNames(MENU_NAMES),
    "option": TextNames(
        {
            "position": Int(1),
            "key": Text(),
            "label": Text(),
            "value": Text(),
            "why": Text(),
            "note": Text(),
        }
    ),
    "prompt": TextNames(MENU_NAMES),
    "chosen": TextNames({"label": Text(), "move": Text()}),
    "updated": TextNames({"label": Text(), "move": Text()}),
    "refused": TextNames({"because": Text(), "label": Text(), **MENU_NAMES}),
    "unknown": TextNames({"typed": Text(), **MENU_NAMES}),
    "stuck": TextNames({"why": Text(), **ENDING_NAMES}, LATER_ENDING_NAMES),
    "passed": TextNames({"why": Text()}),
    "all_stuck": TextNames(ENDING_NAMES, LATER_ENDING_NAMES),
    "ended": TextNames(ENDING_NAMES, LATER_ENDING_NAMES),
    "between": TextNames({"again": Bool()}),
}
RULE_NAMES: Final = TextNames({"label": Text(), "doing": Text()})
EVERYONE: Final = Scope()
WITH_BEFORE: Final = ("chosen", "updated", "ended")
FOR_ALL: Final = ("updated", "ended", "all_stuck")  # said once, where all choose together


def of_choice(text: str) -> TextNames:
    """The names in a text that belongs to a choice."""
    names = TEXT_NAMES[text]
    return names._replace(first={**names.first, "choice": Text()})


def of_roll(known: Container[str]) -> TextNames:
    """The names in the text of a roll; the choices and rolls up to it come before them."""
    names = TEXT_NAMES["rolled"]
    return names._replace(first={n: t for n, t in names.first.items() if n not in known})


def texts(
    bench: Workbench,
    node: MappingNode,
    rolls: Mapping[str, Type],
    chosen: Mapping[str, Type],
    updated: Mapping[str, Type],
    base: Scope = EVERYONE,
) -> dict[str, Template]:
    """The texts under `texts:`, which know the rolls of the turn; `chosen` and `updated` are the
    names that are known when a move has been chosen, and when it has been carried out.
    """
    found: dict[str, Template] = {}
    for key, value in node:
        if key.text not in TEXT_NAMES:
            continue  # the schema has complained
        known: dict[str, Type] = dict(rolls)
        if key.text == "chosen":
            known.update(chosen)
        elif key.text in ("updated", "ended") and not bench.is_together:
            known.update(updated)
        eras: tuple[Era, ...] = ("before",) if key.text in WITH_BEFORE else ()
        scope = base._replace(locals=known, eras=eras)
        with bench.for_everyone() if key.text in FOR_ALL else nullcontext():
            template = bench.template(value, scope, TEXT_NAMES[key.text])
        if template is not None:
            found[key.text] = template
    return found


def paragraphs(bench: Workbench, node: MappingNode) -> dict[str, Template]:
    """The paragraphs under `rulebook:`, which know the parameters, and the state as it starts."""
    found: dict[str, Template] = {}
    for key, value in node:
        template = bench.template(value, Scope(me=False), TextNames())
        if template is not None:
            found[key.text] = template
    return found
