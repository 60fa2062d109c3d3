"""The section `define`: values and functions with a name, written out where they are used."""

from __future__ import annotations

import re
from typing import Final

from rulegame.building.context import Workbench
from rulegame.building.notes import told
from rulegame.keys.declarations import DEFINITION
from rulegame.language import syntax
from rulegame.language.functions import FUNCTIONS
from rulegame.language.syntax import Place
from rulegame.language.vocabulary import Definition, Scope
from rulegame.source.nodes import Scalar, mapping_of

HEAD: Final = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s*(?:\(([^()]*)\))?\s*")


def define(bench: Workbench) -> None:
    """Adds the definitions to the vocabulary."""
    vocabulary = bench.vocabulary
    for key, node in mapping_of(bench.root.get("define")):
        match = HEAD.fullmatch(key.text)
        if match is None:
            continue  # the schema has complained
        name, inner = match.group(1), match.group(2)
        parameters = None if inner is None else tuple(p.strip() for p in inner.split(","))
        taken = (vocabulary.parameters, vocabulary.definitions)
        bench.check_name(Scalar(key.span, name, name), taken)
        if name in FUNCTIONS and not FUNCTIONS[name].is_shadowable:
            bench.report("E312", f"'{name}' is a built-in function", key, "use another name")
        value = mapping_of(node).get("value")
        body = None if value is None else bench.parse(value)
        if body is not None:
            place = Place(key.passage, 0, len(key.text))
            about = told(mapping_of(node), DEFINITION, bench.file)
            vocabulary.definitions[name] = Definition(name, parameters, body, place, about)
        else:
            vocabulary.broken.add(name)


def check_unused(bench: Workbench) -> None:
    """A definition that nothing uses is still checked, as far as it can be without arguments."""
    vocabulary = bench.vocabulary
    for definition in tuple(vocabulary.definitions.values()):
        if definition.parameters is None and definition.name not in vocabulary.broken:
            name = syntax.Name(definition.place, definition.name)
            with bench.binder.collecting() as problems:
                found = bench.binder.bind(name, Scope())
            if found is None:  # not again for what uses it
                vocabulary.broken.add(definition.name)
                del vocabulary.definitions[definition.name]
            bench.report_once(problems)
