"""Values of the wrong kind, or out of bounds, with what is meant by them."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from rulegame.diagnostics import (
    Diagnostic,
    Edit,
    Hint,
    Span,
    Suggestion,
    did_you_mean,
    meant,
    nearest,
    write_instead,
)
from rulegame.edits import behind, quoted, source_text
from rulegame.keys.values import EXPRESSION, NAME_PATTERN, TEXT
from rulegame.source.nodes import Node, Scalar, is_null
from rulegame.source.phrases import (
    NodePlace,
    Schema,
    inside,
    instead,
    kind_of,
    listed,
    problem,
    shown,
    title_of,
)
from rulegame.source.unknown_keys import NAMES_RULE

if TYPE_CHECKING:
    from jsonschema import ValidationError

Advice = tuple[str, tuple[Suggestion, ...]]  # a hint, and what it suggests

ASSIGNED: Final = re.compile(
    r"([A-Za-z][\w.]*(?: of \w+)?(?:\[[^\]]*\])?)\s*([-+*/]?)=(?!=)\s*(.+)$"
)
NO_SPACE: Final = re.compile(r"([A-Za-z][\w.]*(?: of \w+)?(?:\[[^\]]*\])?):(\S.*)$")
NO_COLON: Final = re.compile(r"([A-Za-z][\w.]*) +([\w(\[].*)$")
SIGHTS: Final = {
    **dict.fromkeys(("none", "no one", "noone", "no_one", "hidden", "secret", "false"), "nobody"),
    **dict.fromkeys(("me", "self", "mine", "private", "player", "mover"), "owner"),
    **dict.fromkeys(("everyone", "everybody", "public", "both", "players", "any", "true"), "all"),
}
OF_ONE: Final = "put values that only one player sees under 'each player', with 'seen by: owner'"
NO_FRACTION: Final = "numbers in a ruleset are whole"


def _wrong_version(node: Node) -> Diagnostic:
    written = shown(node.text) if isinstance(node, Scalar) and node.text else kind_of(node)
    # Another version would be another language; 1.0 and "1" are this one.
    certain = isinstance(node, Scalar) and re.fullmatch(r"[vV]?1(?:\.0*)*", node.text) is not None
    if certain:
        message = f"'rulegame' must be the number 1, not {shown(source_text(node.span))}"
    else:
        message = f"this version of rulegame reads language version 1, not {written}"
    suggestions = tuple(one._replace(certain=certain) for one in instead(node, "1"))
    return Diagnostic("E207", message, node.span, "write: rulegame: 1", suggestions=suggestions)


def _wrong_kind(error: ValidationError, place: NodePlace) -> Diagnostic:
    assert isinstance(error.schema, dict)
    title = title_of(error.schema)
    types = error.schema["type"]
    node = place.node
    if isinstance(node, Scalar) and isinstance(node.value, float) and "integer" in types:
        return _with_a_fraction(node, place, title)
    if title in (EXPRESSION.title, TEXT.title) and not (
        isinstance(node, Scalar) and not is_null(node)
    ):
        return _split_value(title, place)
    message = f"{place.name} must be {title}, not {kind_of(node)}"
    hint, suggestions = _kind_advice(error.schema, place)
    return Diagnostic("E203", message, node.span, hint, suggestions=suggestions)


def _kind_advice(part: Schema, place: NodePlace) -> Advice:
    node, types = place.node, part["type"]
    if "array" in types and place.name == "'players'" and isinstance(node, Scalar):
        return _player_names(node)
    if place.name == "each item of 'one of'" and isinstance(node, Scalar):
        return "'one of' lists words or whole numbers", ()
    if "array" in types and isinstance(node, Scalar) and not is_null(node):
        written = quoted(node.text) if node.quoted else shown(node.text)
        suggestions = listed(node, source_text(node.span))
        return f"write a list: {place.with_value(f'[{written}]')}", suggestions
    if types == "string" and isinstance(node, Scalar) and not is_null(node):
        right = quoted(node.text)
        return f"quote it: {place.with_value(right)}", instead(node, right)
    if (slip := _unmade_entry(place)) is not None:
        return slip
    if "properties" in part:
        return f"expected keys such as: {', '.join(islice(part['properties'], 6))}", ()
    examples = re.findall(r"Example: `(.*?)`\.?$", part.get("description", ""))
    return f"for example: {examples[0]}" if examples else "", ()


def _player_names(node: Scalar) -> Advice:
    """For players who are counted, or named in a sentence."""
    names = re.split(r",\s*|\s+and\s+|\s+vs\.?\s+", node.text.strip())
    if isinstance(node.value, int):
        names = [f"Player {k}" for k in range(1, min(max(node.value, 1), 8) + 1)]
    right = f"[{', '.join(map(shown, names))}]"
    plain = all(re.fullmatch(r"\w[\w .'-]*", name) and shown(name) == name for name in names)
    return f"write '{right}'", instead(node, right) if plain else ()


def _unmade_entry(place: NodePlace) -> Advice | None:
    """For a line that was to be a key with its value, but is a text."""
    from rulegame.language.foreign import operand

    node = place.node
    if not isinstance(node, Scalar) or place.key is None or node.quoted:
        return None
    inline = node.span.line == place.key.span.line
    if found := ASSIGNED.match(node.text):
        value = f"{found[1]} {found[2]} {operand(found[3], found[2])}" if found[2] else found[3]
        entry = f"{found[1]}: {value}"
        right = f"{{{entry}}}" if inline else entry
        safe = not re.search(r"[,\[\]{}#\"':]", f"{found[1]}{value}")
        safe = safe and (inline or node.style == "plain")
        return f"write '{right}'", instead(node, right) if safe else ()
    if inline:
        return None
    for pattern, missing, what in ((NO_SPACE, " ", "a space"), (NO_COLON, ":", "a ':'")):
        if found := pattern.match(node.text):
            entry = f"{found[1]}: {found[2]}"
            after = " after ':'" if missing == " " else ""
            hint = f"{what} is missing{after}: {found[1]}: {shown(found[2])}"
            at = node.at(0, found.end(1) + (missing == " "))
            return hint, (Suggestion(entry, _put_in(at, missing, node)),)
    return None


def _put_in(before: Span, missing: str, node: Scalar) -> tuple[Edit, ...]:
    """What is missing behind a part of a line, if there is no more of it in other lines."""
    return () if node.places or node.style != "plain" else (Edit(behind(before), missing),)


def _with_a_fraction(node: Scalar, place: NodePlace, title: str) -> Diagnostic:
    """A decimal number: payoffs have fractions, by their unit."""
    key = "" if place.key is None else place.key.text
    message = f"{place.name} must be a whole number, not {shown(node.text)}"
    decimal = re.fullmatch(r"-?\d{1,9}\.\d{1,5}", node.text)
    part = Fraction(node.text) if decimal else None
    if part is None or key not in ("payoff", "payoff unit", "payoffs", "score"):
        return Diagnostic("E203", message, node.span, NO_FRACTION)
    if key == "payoff":
        hint = f"give payoffs in a unit: 'payoff unit: 1/{part.denominator}'"
        return Diagnostic("E203", message, node.span, hint)
    if key == "payoff unit" and part <= 0:
        return Diagnostic("E203", message, node.span, "for example: payoff unit: 1/2")
    message = f"{place.name} must be {title}, not a decimal number"
    suggestions = instead(node, str(part))
    return Diagnostic("E203", message, node.span, f"write '{part}'", suggestions=suggestions)


def _split_value(title: str, place: NodePlace) -> Diagnostic:
    """A mapping, or nothing at all, where an expression or a text must stand."""
    node = place.node
    what = "text" if title == TEXT.title else "expression"
    if isinstance(node, Scalar):
        hint, right = ("write 'none' for no value", "none")
        if title != EXPRESSION.title:
            hint, right = 'write "" for no text', '""'
        message = f"{place.name} must be {title}, not null"
        # Where nothing at all stands, something may have been forgotten.
        suggestions = tuple(s._replace(certain=bool(node.text)) for s in instead(node, right))
        return Diagnostic("E205", message, node.span, hint, suggestions=suggestions)
    message = f"{place.name} must be {title}, but YAML reads {kind_of(node)}"
    if title == TEXT.title:
        written = source_text(node.span) if node.flow else ""
    else:
        written = inside(node)
    hint = f"quote this {what}: {place.with_value(quoted(written or '…'))}"
    suggestions = instead(node, quoted(written)) if written else ()
    return Diagnostic("E205", message, node.span, hint, suggestions=suggestions)


def _not_allowed(error: ValidationError, place: NodePlace) -> tuple[str, Hint | str]:
    """What to say of a value of the right kind that is out of bounds."""
    assert isinstance(error.schema, dict)
    limit: Any = error.validator_value
    part, name = error.schema, place.name
    text = shown(place.node.text) if isinstance(place.node, Scalar) else ""
    match error.validator:
        case "enum" | "pattern":
            listed: list[str | None] = part.get("enum") or part.get("examples") or []
            words = [word for word in listed if word is not None]
            if limit == NAME_PATTERN:
                return f"{name} must be a name, not '{text}'", NAMES_RULE
            hint = _result_hint(text, words) or did_you_mean(text, words)
            if "owner" in words:
                hint = _sight_hint(text, hint)
            return f"{name} must be {title_of(part)}, not '{text}'", hint
        case "minimum":
            return f"{name} must be at least {limit}, not {text}", ""
        case "maximum":
            return f"{name} must be at most {limit}, not {text}", ""
        case "minLength":
            return f"{name} must not be empty", ""
        case "minItems":
            return f"{name} must have at least one item", ""
        case "maxItems":
            return f"{name} must have at most {limit} items", ""
        case "uniqueItems":
            return f"duplicate item '{text}' in this list", "remove it or change it"
    raise AssertionError(f"the schema uses '{error.validator}', for which there are no words")


def _sight_hint(text: str, otherwise: Hint) -> Hint:
    """A hint for those who may see a value, in words that are not the language's."""
    if right := SIGHTS.get(text.lower()):
        return meant(right)._replace(certain=False)
    return otherwise if otherwise.offers else Hint(f"{otherwise.words}; {OF_ONE}")


def _result_hint(text: str, words: list[str]) -> Hint:
    """A hint for what happens to a player who is stuck, in words that are not the language's."""
    from rulegame.language.foreign import result

    if "draw" not in words or nearest(text, words) is not None:
        return Hint()
    if "pass" in words and re.match(r"(?:skip|nothing|none|next|wait|no|ignore)\b", text.lower()):
        return write_instead("pass")
    right = None if text.lower() in ("me", "i", "them") else result(text, ())
    if right is None:
        return Hint()
    if right.key == "everyone":
        return Hint(f"write '{'stuck' if 'pass' in words else 'all'}: {{{right}}}'")
    return write_instead(right.value) if right.value in words else Hint()


def wrong_value(error: ValidationError, place: NodePlace) -> Diagnostic:
    """A value that the schema refuses."""
    if error.absolute_path[0] == "rulegame":
        return _wrong_version(place.node)
    if error.validator == "type":
        return _wrong_kind(error, place)
    message, hint = _not_allowed(error, place)
    return problem("E204", message, place.node, hint)
