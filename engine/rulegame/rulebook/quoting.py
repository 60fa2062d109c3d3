"""Where words would be too many, or could be misread: the expression as its author wrote it, with
what its names stand for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from rulegame.evaluation.values import show
from rulegame.language import typed
from rulegame.language.typed import Typed
from rulegame.language.vocabulary import Sayings
from rulegame.model import Ruleset
from rulegame.rulebook.markup import and_list, code
from rulegame.rulebook.phrases import NoWords, in_words

MOST_PARTS: Final = 120  # of an expression that is put into words, definitions written out
LONGEST: Final = 260  # characters; beyond, the expression itself is plainer
MOST_EXPLAINED: Final = 6  # names in an expression
# A name that stands for itself, or that is called: not `score` in `my.score` and `score of p`.
NAME: Final = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\b(?!\s+of\b)\s*(\()?")


def worded(ruleset: Ruleset, make: Callable[[], str], *parts: Typed | None) -> str | None:
    """The words for some expressions, or None if they would be too many or there are none."""
    said = ruleset.defined
    if any(_size(part, {}, said) > MOST_PARTS for part in parts if part is not None):
        return None
    try:
        words = make()
    except NoWords:
        return None
    return words if len(words) <= LONGEST else None


def _size(part: Typed, known: dict[str, int], said: Sayings) -> int:
    """How many parts an expression has where the arguments of definitions are written out."""
    if said.of(part) is not None:
        return 1
    match part:
        case typed.Local(name=name):
            return known.get(name, 1)
        case typed.Let(name=name, value=value, body=body):
            return _size(body, {**known, name: _size(value, known, said)}, said)
    return 1 + sum(_size(one, known, said) for one in typed.parts(part))


class Written(Protocol):
    """A passage, or an expression of the model."""

    @property
    def written(self) -> str: ...


def quoted(ruleset: Ruleset, source: Written) -> str:
    """The expression as it is written, with what is meant by names that the rulebook does not
    explain elsewhere.
    """
    meant = list(_meanings(ruleset, source.written))
    return code(source.written) + (f" (where {and_list(meant)})" if meant else "")


def _meanings(ruleset: Ruleset, expression: str) -> Iterator[str]:
    """`value(p) is total of p + 1`, `goal is 9`, those that they mention in their turn included."""
    pending, seen = NAME.findall(expression), set[str]()
    while pending and len(seen) < MOST_EXPLAINED:
        name, called = pending.pop(0)
        if name in seen:
            continue
        definition = ruleset.definitions.get(name)
        if definition is not None and (definition.parameters is not None) == bool(called):
            said, meaning = definition.place.passage.text, definition.body.place.passage.written
            if definition.about:
                yield f"{code(said)} is {in_words(definition.about) or code(meaning)}"
            else:
                own = definition.parameters or ()
                pending += [found for found in NAME.findall(meaning) if found[0] not in own]
                yield f"{code(said)} is {code(meaning)}"
        elif name in ruleset.parameters and not called:
            rule = ruleset.parameters[name]
            value = show(rule.type, rule.value, ruleset.words, ruleset.players)
            yield f"{code(name)} is {value}"
        else:
            continue
        seen.add(name)
