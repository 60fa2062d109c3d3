"""What parameters must fulfil together: `require` of each, with `because`, once all have values."""

from __future__ import annotations

from collections.abc import Mapping

from rulegame.building.context import TextNames, Workbench
from rulegame.building.settings import Settings
from rulegame.evaluation.runtime import Fault
from rulegame.evaluation.text_functions import names_for_texts
from rulegame.evaluation.values import show
from rulegame.language.syntax import free_names
from rulegame.language.templates import Choose, Part, Repeat, Show
from rulegame.language.typed import Typed
from rulegame.language.types import Bool
from rulegame.language.vocabulary import Scope
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, mapping_of, written

BEFORE_THE_GAME = Scope(state=False, me=False)


def check_constraints(bench: Workbench, settings: Settings) -> None:
    """Reports each constraint that the values of the parameters break."""
    used = set(bench.vocabulary.used)  # what only a constraint reads, no rule uses
    for key, node in mapping_of(bench.root.get("parameters")):
        _check(bench, key, mapping_of(node), settings.parameters)
    bench.vocabulary.used = used


def _check(bench: Workbench, key: Scalar, node: MappingNode, given: Mapping[str, Node]) -> None:
    require = node.get("require")
    if require is None:
        return
    condition = bench.condition(require, BEFORE_THE_GAME)
    texts = _because(bench, node.get("because"))
    if condition is None or texts is None or bench.known(condition, require) != 0:
        return
    said = "".join(_said(bench, texts)) or f"'{key.text}' must satisfy {written(require)}"
    expression = bench.parse(require)
    named = [key.text, *sorted(free_names(expression) if expression is not None else ())]
    place = next((given[name] for name in named if name in given), None)
    hint = f"required: {written(require)}" if texts else ""
    bench.report(
        "E401" if place is None else "E402", said, require if place is None else place, hint
    )


def _because(bench: Workbench, node: Node | None) -> tuple[Part, ...] | None:
    """The parts of the message; None if something is wrong with it."""
    if node is None:
        return ()
    template = bench.template(node, BEFORE_THE_GAME, TextNames())
    if template is None:
        return None
    if any(isinstance(part, Repeat) for part in template.parts):
        message = "this text is created before the game and cannot use {for}"
        bench.report("E307", message, node, "use or_list(…) or and_list(…)")
        return None
    return template.parts


def _said(bench: Workbench, parts: tuple[Part, ...]) -> list[str]:
    found: list[str] = []
    for part in parts:
        match part:
            case str():
                found.append(part)
            case Show(value=value):
                words = tuple(bench.vocabulary.words)
                found.append(show(value.type, _value(bench, value), words, bench.players))
            case Choose(branches=branches):
                for condition, body in branches:
                    if condition is None or _value(bench, condition):
                        found += _said(bench, body)
                        break
    return found


def _value(bench: Workbench, value: Typed) -> object:
    from rulegame.evaluation.emitting import Sites
    from rulegame.evaluation.evaluator import compile_stateless

    sites = Sites()
    names = names_for_texts(tuple(bench.vocabulary.words), sites.types)
    known = {"title": "", "summary": "", "turn": 1}
    try:
        made = compile_stateless(value, len(bench.players), sites, names, tuple(known))
        return made((), (), 0, bench.players, *known.values())
    except Fault:
        return 0 if isinstance(value.type, Bool) else ""
