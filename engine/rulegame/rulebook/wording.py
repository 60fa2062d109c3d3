"""Typed expressions in English: noun phrases, clauses, calls and selections together."""

from __future__ import annotations

from typing import Final

from rulegame.language import typed
from rulegame.language.typed import Typed
from rulegame.rulebook.calls import call
from rulegame.rulebook.clauses import clause
from rulegame.rulebook.phrases import NoWords, Phrases
from rulegame.rulebook.selections import one_of

WHETHER: Final = "whether "


class Wording(Phrases):
    """Puts the expressions of one ruleset into words."""

    def call(self, part: typed.Call) -> str:
        return call(self, part)

    def one_of(self, collection: Typed, chosen: str) -> str:
        return one_of(self, self.folded(collection), chosen)

    def condition(self, part: Typed, holds: bool = True) -> str:
        said = self.said(part)
        if said:
            if not said.startswith(WHETHER):
                raise NoWords
            is_so = said.removeprefix(WHETHER)
            return is_so if holds else f"(it is not so that {is_so})"
        return clause(self, self.folded(part), holds)
