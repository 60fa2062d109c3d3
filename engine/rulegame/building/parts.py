"""Binds the parts of an expression of a finished model one by one, for explanations of moves: each
by itself, without what the parts beside it say about its names.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulegame.language.binding import Binder
from rulegame.language.syntax import Expression
from rulegame.language.typed import Typed
from rulegame.language.types import Type
from rulegame.language.vocabulary import Parameter, Scope, Vocabulary, orders
from rulegame.model import Ruleset


class PartBinder:
    """Binds parts of the expressions of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        rules = ruleset.parameters.values()
        vocabulary = Vocabulary(
            len(ruleset.players),
            parameters={rule.name: Parameter(rule.name, rule.type, rule.value) for rule in rules},
            variables={name: value.variable for name, value in ruleset.state.items()},
            definitions=dict(ruleset.definitions),
            words={word: k for k, word in enumerate(ruleset.words)},
            types=dict(ruleset.types),
            orders=orders(ruleset.types.values()),
            names=ruleset.players,
        )
        self._binder = Binder(vocabulary)

    def bind(self, part: Expression, locals_: Mapping[str, Type]) -> Typed | None:
        """The typed expression; None for a part that has no meaning by itself."""
        return self._binder.bind(part, Scope(locals=locals_, eras=("after",)))
