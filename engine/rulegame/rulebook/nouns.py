"""What the values, choices and elements of a ruleset are called in a sentence."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from rulegame.language.typed import Variable
from rulegame.language.types import Bool, Cell, Grid, Int, List, Optional, PlayerType, Set
from rulegame.model import Ruleset
from rulegame.rulebook.markup import clean, code

# Names that people give to values though "the …" does not read well before them.
ALONE: Final = {
    "left": "what is left",
    "remaining": "what remains",
    "at": "the position",
    "to_move": "the player to move",
}
ADJECTIVES: Final = (
    "barred", "best", "blocked", "chosen", "current", "first", "forbidden", "greatest", "highest",
    "largest", "last", "latest", "lowest", "mine", "next", "own", "picked", "previous", "second",
    "smallest", "taken", "third", "used", "worst",
)  # fmt: skip
COMPARED: Final = ("new", "old", "other", "same")  # of which no reader can tell what they belong to
LONGEST_PHRASE: Final = 11  # words of an `about` that still can stand inside a sentence
HEAD: Final = re.compile(r"^([\w' -]+?)(?: (?:that|which|who|of|in|on|for|at|from|by|with)\b.*)?$")
THIS_PLAYER: Final = re.compile(r"\bthis player(?:'s)?(?: (own|has|is|was|does))?\b")
YOURS: Final = {"own": "own", "has": "have", "is": "are", "was": "were", "does": "do"}


class Noun(NamedTuple):
    """A noun without its article, and whether it is plural."""

    text: str
    plural: bool


def is_plural(word: str) -> bool:
    """Whether a word looks like a plural."""
    return len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def singular(word: str) -> str:
    """The singular of a plural: "heap" of "heaps", "city" of "cities"."""
    if not is_plural(word):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    return word[:-1]


def spoken(name: str) -> str:
    """A name of the ruleset as it is read."""
    return name.replace("_", " ").strip()


def article(noun: str) -> str:
    """With its indefinite article."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


class Names:
    """The nouns of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self.players = tuple(clean(name) for name in ruleset.players)
        self.two = len(self.players) == 2

    def value(self, variable: Variable, owner: str | None) -> Noun:
        """A declared value with its article or its owner: `the number`, `your score`."""
        if isinstance(variable.type, Bool):  # seldom a noun: `open`, `passed`
            name = code(spoken(variable.name))
            return Noun(name if owner is None else _owned(name, owner), False)
        phrase = self._phrase(variable, owner)
        if phrase is not None:
            return phrase
        noun = self.noun(variable)
        if owner is None:
            if variable.name in ALONE:
                return Noun(ALONE[variable.name], False)
            return Noun(f"the {noun.text}", noun.plural)
        return Noun(_owned(noun.text, owner), noun.plural)

    def noun(self, variable: Variable) -> Noun:
        """The noun alone: `score`."""
        name = spoken(variable.name)
        if name.lower() in COMPARED:
            return Noun(f"value {code(name)}", False)
        if name.split()[-1].lower() in ADJECTIVES:
            name = f"{name} {_kind(variable)}"
        last = name.split()[-1]
        many = isinstance(variable.type, (List, Set))
        return Noun(name, is_plural(last) or (many and last in ("numbers", "cells")))

    def _phrase(self, variable: Variable, owner: str | None) -> Noun | None:
        """What the author says that the value is, where that can stand in a sentence and the name
        cannot: the name is not the noun of what is said.
        """
        value = self._ruleset.state.get(variable.name)  # None for a choice or a value of a move
        about = "" if value is None else clean(value.about).rstrip(".")
        if not about.startswith("The ") or re.search(r"[,;:.()\"{}]", about):
            return None
        rest = about.removeprefix("The ")
        head = HEAD.match(rest)
        if head is None or len(rest.split()) > LONGEST_PHRASE:
            return None
        noun = head.group(1).split()[-1]
        if spoken(variable.name).split()[-1].lower() in (noun.lower(), singular(noun.lower())):
            return None
        if owner is None:
            return Noun(f"the {rest}", is_plural(noun))
        if "this player" not in rest:
            if rest != head.group(1):  # `your height of the camp`: the name reads better
                return None
            return Noun(_owned(rest, owner), is_plural(noun))
        return Noun(f"the {_by(rest, owner)}", is_plural(noun))


def _by(phrase: str, owner: str) -> str:
    """What is said of `this player`, said of the owner."""

    def said(found: re.Match[str]) -> str:
        whose = "'s" in found.group(0)
        verb = found.group(1) or ""
        if whose:
            return f"{possessive(owner)} {verb}".strip()
        return f"{owner} {YOURS[verb] if owner == 'you' and verb else verb}".strip()

    return THIS_PLAYER.sub(said, phrase)


def _kind(variable: Variable) -> str:
    of = variable.type.of if isinstance(variable.type, Optional) else variable.type
    match of:
        case Int():
            return "number"
        case PlayerType():
            return "player"
        case Cell():
            return "cell"
        case List() | Set():
            return "numbers"
        case Grid():
            return "cells"
    return "value"


def _owned(noun: str, owner: str) -> str:
    """`your score`, `the score of the player after you`."""
    if owner.startswith("the player "):
        return f"the {noun} of {owner}"
    return f"{possessive(owner)} {noun}"


def belonging(owner: str) -> str:
    """Behind `of`: `yours`, `Ann`."""
    return "yours" if owner == "you" else owner


def possessive(owner: str) -> str:
    """`your`, `Ann's`, `the players'`."""
    if owner == "you":
        return "your"
    return f"{owner}'" if owner.endswith("s") and owner.startswith("the ") else f"{owner}'s"
