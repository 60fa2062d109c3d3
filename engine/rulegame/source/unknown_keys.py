"""Unknown keys and wrong names, with what is meant by them."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from rulegame.diagnostics import Diagnostic, Hint, Suggestion, did_you_mean, meant, nearest
from rulegame.keys.ruleset import owners
from rulegame.keys.values import NAME_PATTERN, RESERVED
from rulegame.source.nodes import Mapping, Scalar
from rulegame.source.phrases import article, problem, shown
from rulegame.wording import joined

if TYPE_CHECKING:
    from jsonschema import ValidationError

NAMES_RULE: Final = "a name is a letter, then letters, digits and '_'"
# What people call a key of the language, with those that it may be: the first that fits is meant.
KEYS_ELSEWHERE: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("if", "condition", "guard", "precondition"), ("when", "require")),
    **dict.fromkeys(("requires", "check", "must", "test", "rule"), ("require",)),
    **dict.fromkeys(("message", "reason", "error", "why", "hint"), ("because", "text")),
    **dict.fromkeys(("random", "dice", "die", "chance", "draw"), ("roll",)),
    **dict.fromkeys(("options", "choices", "choice", "select", "pick", "args"), ("choose", "from")),
    **dict.fromkeys(("moves", "actions", "commands"), ("operations",)),
    **dict.fromkeys(("rules", "constraints", "restrictions", "valid"), ("validity",)),
    **dict.fromkeys(("variables", "vars", "values", "board"), ("state", "from")),
    **dict.fromkeys(("params", "settings", "constants", "options"), ("parameters",)),
    **dict.fromkeys(("functions", "definitions", "macros"), ("define",)),
    **dict.fromkeys(("goal", "goals", "ending", "win", "victory"), ("end", "result")),
    **dict.fromkeys(("then", "do", "effect", "changes", "action"), ("effects", "result")),
    **dict.fromkeys(("winner",), ("winners",)),
    **dict.fromkeys(("loser", "losers", "outcome", "wins", "loses"), ("result",)),
    **dict.fromkeys(("description", "help", "comment", "explanation"), ("about", "summary")),
    **dict.fromkeys(("name", "title", "caption"), ("title", "label")),
    **dict.fromkeys(("initial", "init", "value"), ("start", "default")),
    **dict.fromkeys(("range", "values", "domain", "in"), ("from",)),
    **dict.fromkeys(("then_player", "next_player", "passes_to"), ("next",)),
    **dict.fromkeys(
        ("simultaneous", "simultaneously", "concurrent", "parallel", "at_once", "all_at_once"),
        ("together",),
    ),
    **dict.fromkeys(
        (
            "hidden from",
            "hidden_from",
            "visible",
            "visible to",
            "visible_to",
            "visibility",
            "seen_by",
            "seen",
            "shown to",
            "known to",
            "public",
        ),
        ("seen by",),
    ),
    **dict.fromkeys(("player", "by", "who", "only", "seat", "whose", "for"), ("for", "when")),
    **dict.fromkeys(("width", "cols"), ("columns",)),
    **dict.fromkeys(("height",), ("rows",)),
}
MERGE: Final = "<<"  # of YAML 1.1
NO_MERGE: Final = "merge keys ('<<') are not supported"
WITHOUT_MERGE: Final = Hint("write out the keys, and name what they share in 'define'")
# Keys of others whose values may have to change with them: a `loser` is no `result`.
HIDING: Final = ("secret", "hidden", "private", "invisible", "unseen")
SAID_OTHERWISE: Final = frozenset(
    ("loser", "losers", "loses", "wins", "win", "outcome", "draw", "board", "test", "in",
     "hidden from", "hidden_from", "visible", "visible to", "visible_to", "visibility", "seen",
     "shown to", "known to", "public", "player", "by", "who", "only", "seat", "whose", "for")
)  # fmt: skip
# What the value of a key is, where people write another one.
VALUES_OF_KEYS: Final = {
    "seen by": "say who may see it: 'seen by: all', 'owner', 'others' or 'nobody'",
    "for": "say for whom it is: 'for: players[1]'",
    "when": "say when it is on offer: for one player alone, 'when: me == players[1]'",
}


def unknown_key(key: Scalar, known: list[str], owner: str, beside: Mapping) -> Diagnostic:
    message = f"'{shown(key.text)}' is not a key of {owner}"
    other = next((k for k in KEYS_ELSEWHERE.get(key.text.lower(), ()) if k in known), None)
    if key.text == MERGE:
        message, hint = NO_MERGE, WITHOUT_MERGE
    elif key.text.lower() in HIDING and "seen by" in known:
        hint = Hint("say who sees it: 'seen by: owner', or 'seen by: nobody'")
    elif other is not None:
        certain = key.text.lower() not in SAID_OTHERWISE
        hint = meant(other)._replace(certain=certain)
        if not certain and other in VALUES_OF_KEYS:
            hint = Hint(VALUES_OF_KEYS[other])
    elif nearest(key.text, known) is None and (places := owners().get(key.text)):
        hint = Hint(f"'{key.text}' belongs in {joined(places, 'or')}")
    elif nearest(key.text, known) is None and (meaning := _elsewhere(key.text)):
        hint = Hint(f"'{meaning}' belongs in {joined(owners()[meaning], 'or')}")
    else:
        hint = did_you_mean(key.text, known)
    found = problem("E201", message, key, hint)
    if any(name in beside.entries for name in hint.offers):  # which must not stand there twice
        return found._replace(suggestions=tuple(Suggestion(name) for name in hint.offers))
    return found


def _elsewhere(key: str) -> str:
    """What is meant by a key that people write, if it belongs to something else."""
    return next((k for k in KEYS_ELSEWHERE.get(key.lower(), ()) if k in owners()), "")


def is_each_player(key: Scalar) -> bool:
    """Whether a key that is no name is `each player`, misspelt."""
    if re.fullmatch(NAME_PATTERN, key.text):
        return False
    return nearest(key.text, ["each player"]) is not None


def wrong_name(key: Scalar, error: ValidationError) -> Diagnostic:
    assert isinstance(error.schema, dict)
    noun = str(error.schema.get("title", "entry"))
    text = key.text
    if text == MERGE:
        return problem("E206", NO_MERGE, key, WITHOUT_MERGE)
    if error.validator == "not":
        message = f"'{shown(text)}' is a reserved word and cannot be a name"
        return Diagnostic("E206", message, key.span, f"for example: {_other_name(text, noun)}")
    if "each player" in error.schema["pattern"] and is_each_player(key):
        hint = meant("each player")
    else:
        hint = Hint(f"{NAMES_RULE}; for example: {_corrected(text, noun)}")
    message = f"'{shown(text)}' cannot be the name of {article(noun)} {noun}"
    return problem("E206", message, key, hint)


def _corrected(text: str, noun: str) -> str:
    """A name that is as close as can be to what was written."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    if noun == "definition" and (found := re.fullmatch(r"([^()]*)\((.*)\)", plain)):
        arguments = (_corrected(a, "a") for a in found[2].split(",") if a.strip())
        listed = ", ".join(arguments)
        return _corrected(found[1], noun + " ").rstrip() + (f"({listed})" if listed else "")
    name = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_")
    if not name:
        return noun.strip()
    return name if name[0].isalpha() else f"{noun.strip()}_{name}"


def _other_name(text: str, noun: str) -> str:
    return re.sub(r"\w+", lambda w: f"{w[0]}_{noun}" if w[0] in RESERVED else w[0], text)
