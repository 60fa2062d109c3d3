"""The sections `texts`, of a ruleset and of an operation, with the names that each text may use,
and `rulebook`.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Final

from rulegame.building.context import Workbench
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
# What came after version 1: a ruleset may have something else of that name, which is meant then.
YIELDING_NAMES: Final[dict[str, Type]] = {"payoffs": List(Text())}
TEXT_NAMES: Final[dict[str, dict[str, Type]]] = {
    "welcome": {},
    "begin": {},
    "turn": {"again": Bool()},
    "rolled": {"roll": Text(), "rolled": Text()},
    "menu": MENU_NAMES,
    "option": {
        "position": Int(1),
        "key": Text(),
        "label": Text(),
        "value": Text(),
        "why": Text(),
        "note": Text(),
    },
    "prompt": MENU_NAMES,
    "chosen": {"label": Text(), "move": Text()},
    "updated": {"label": Text(), "move": Text()},
    "refused": {"because": Text(), "label": Text(), **MENU_NAMES},
    "unknown": {"typed": Text(), **MENU_NAMES},
    "stuck": {"why": Text(), **ENDING_NAMES},
    "passed": {"why": Text()},
    "all_stuck": ENDING_NAMES,
    "ended": ENDING_NAMES,
    "between": {"again": Bool()},
}
Names = Mapping[str, Type]
CHOICE_NAMES: Final[dict[str, Type]] = {"choice": Text()}
EVERYONE: Final = Scope()
WITH_BEFORE: Final = ("chosen", "updated", "ended")
FOR_ALL: Final = ("updated", "ended", "all_stuck")  # said once, where all choose together


def names_of(text: str, bench: Workbench | None = None, scope: Scope | None = None) -> Names:
    """The names that a text can use beside the ruleset's own."""
    names = TEXT_NAMES[text]
    if not names.keys() >= ENDING_NAMES.keys():
        return names
    own = set() if bench is None else bench.vocabulary.own
    known = {} if scope is None else scope.locals
    free = {n: t for n, t in YIELDING_NAMES.items() if n not in own and n not in known}
    return {**free, **names}


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
            template = bench.template(value, scope, names_of(key.text, bench, scope))
        if template is not None:
            found[key.text] = template
    return found


def paragraphs(bench: Workbench, node: MappingNode) -> dict[str, Template]:
    """The paragraphs under `rulebook:`, which know the parameters, and the state as it starts."""
    found: dict[str, Template] = {}
    for key, value in node:
        template = bench.template(value, Scope(me=False), {})
        if template is not None:
            found[key.text] = template
    return found
