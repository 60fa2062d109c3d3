"""The structure of a ruleset: which keys it has and what kinds of values, by the JSON schema.

Takes located nodes, returns diagnostics in our own words; what expressions mean is for later
stages.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from rulegame.bundled import schema_path
from rulegame.diagnostics import (
    Diagnostic,
    Edit,
    Hint,
    Span,
    Suggestion,
    did_you_mean,
    meant,
    nearest,
)
from rulegame.edits import behind, in_place_of, offered, quoted, source_text
from rulegame.limits import LIMITS
from rulegame.source.nodes import (
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    is_null,
    passage_of,
    to_plain,
)
from rulegame.wording import joined

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

Schema = dict[str, Any]
Advice = tuple[str, tuple[Suggestion, ...]]  # a hint, and what it suggests

EXPRESSION: Final = "an expression"  # titles in the schema, by which messages name what is expected
TEXT: Final = "text"
RESERVED: Final = frozenset(
    [
        "and",
        "or",
        "not",
        "in",
        "if",
        "else",
        "elif",
        "end",
        "for",
        "of",
        "true",
        "false",
        "none",
        "me",
        "my",
        "them",
        "their",
        "players",
        "first",
        "after",
        "before",
        "win",
        "lose",
        "draw",
        "pass",
        "name",
        "turn",
    ]
)  # the schema holds them too
NAME_PATTERN: Final = "^[A-Za-z][A-Za-z0-9_]*$"
NAMES_RULE: Final = "a name is a letter, then letters, digits and '_'"
EMPTY: Final = "write a value or remove the key; null removes something only in a variant"
OPERATORS: Final = re.compile(r"[()<>=+*/]")  # what no key has
MOST_PIECES: Final = 20  # of one expression at its commas; more are not looked for
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
# Keys of others whose values may have to change with them: a `loser` is no `result`.
HIDING: Final = ("secret", "hidden", "private", "invisible", "unseen")
SAID_OTHERWISE: Final = frozenset(
    ("loser", "losers", "loses", "wins", "win", "outcome", "draw", "board", "test", "in",
     "hidden from", "hidden_from", "visible", "visible to", "visible_to", "visibility", "seen",
     "shown to", "known to", "public", "player", "by", "who", "only", "seat", "whose", "for")
)  # fmt: skip
# What the value of a key is, where people write another one.
VALUES_OF_KEYS: Final = {
    "seen by": "say who may see it: 'seen by: all', 'owner' or 'nobody'",
    "for": "say for whom it is: 'for: players[1]'",
    "when": "say when it is on offer: for one player alone, 'when: me == players[1]'",
}
ASSIGNED: Final = re.compile(
    r"([A-Za-z][\w.]*(?: of \w+)?(?:\[[^\]]*\])?)\s*([-+*/]?)=(?!=)\s*(.+)$"
)
NO_SPACE: Final = re.compile(r"([A-Za-z][\w.]*(?: of \w+)?(?:\[[^\]]*\])?):(\S.*)$")
NO_COLON: Final = re.compile(r"([A-Za-z][\w.]*) +([\w(\[].*)$")
INNER_KEY: Final = re.compile(
    r"(?<=\S\s)(each player|seen by|one of|m(?:in|ax) size|[a-z]+):(?=\S)"
)
TORN: Final = "YAML splits this: inside {…} and […], a comma ends a value"
SIGHTS: Final = {
    **dict.fromkeys(("none", "no one", "noone", "no_one", "hidden", "secret", "false"), "nobody"),
    **dict.fromkeys(("me", "self", "mine", "private", "player", "mover"), "owner"),
    **dict.fromkeys(("everyone", "everybody", "public", "both", "players", "any", "true"), "all"),
}
OF_ONE: Final = "put values that only one player sees under 'each player', with 'seen by: owner'"
NO_FRACTION: Final = "numbers in a ruleset are whole"


def check_file(root: Node, file: str) -> tuple[Diagnostic, ...]:
    """What is wrong with one file as it is written, be it a whole ruleset or a variant."""
    if not isinstance(root, Mapping):
        message = f"a ruleset is a mapping, not {_kind(root)}"
        return (Diagnostic("E203", message, root.span, "start with: rulegame: 1"),)
    if not root.entries:
        return (Diagnostic("E202", _missing("rulegame"), Span.whole(file), EXAMPLES["rulegame"]),)
    return _first_of(_File(root).problems())


def check_merged(root: Mapping) -> tuple[Diagnostic, ...]:
    """What is missing in a ruleset whose variants are merged and whose short forms are written
    out.
    """
    return _first_of(_merged_problems(root))


def schema() -> Schema:
    """The JSON schema of a ruleset."""
    found: Schema = json.loads(schema_path().read_text("utf-8"))
    return found


def _first_of(problems: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Each problem once, and no more than people are shown."""
    seen: set[Diagnostic] = set()
    fresh = (p for p in problems if not (p in seen or seen.add(p)))  # type: ignore[func-returns-value]
    return tuple(islice(fresh, LIMITS.problems))


# ── The validator ─────────────────────────────────────────────────────────────────────────────────


@cache
def _validator() -> Validator:
    from jsonschema import Draft7Validator, validators  # slow to import

    types = Draft7Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    whole = schema()
    for key in ("properties", "if", "then", "else"):
        del whole["then"][key]  # what an entry needs is judged when variants are merged
    keywords: Any = {
        "$ref": _reference(whole["definitions"]),
        "uniqueItems": _unique_items,
        "pattern": _pattern,
    }
    extend: Any = validators.extend
    found: Validator = extend(Draft7Validator, keywords, type_checker=types)(whole)
    return found


def _reference(definitions: Schema) -> Callable[..., Iterator[ValidationError]]:
    """`$ref` by a look-up of our own: much faster, and a title beside it counts for messages."""
    resolved: dict[int, Schema] = {}

    def follow(
        validator: Any, name: str, instance: object, part: Schema
    ) -> Iterator[ValidationError]:
        if id(part) not in resolved:
            rest = {key: value for key, value in part.items() if key != "$ref"}
            resolved[id(part)] = {**definitions[name.removeprefix("#/definitions/")], **rest}
        yield from validator.descend(instance, resolved[id(part)])

    return follow


def _is_integer(_: object, value: object) -> bool:
    """For JSON Schema 1.0 is an integer too; here it is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def _unique_items(
    _: Validator, unique: bool, items: object, __: Schema
) -> Iterator[ValidationError]:
    """The library compares each with each if they are of several kinds: too slow for long lists."""
    from jsonschema import ValidationError

    seen: set[object] = set()
    for k, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, str) and item in seen:
            yield ValidationError("", path=(k,))
        seen.add(item if isinstance(item, str) else k)


def _pattern(_: Validator, pattern: str, value: object, __: Schema) -> Iterator[ValidationError]:
    """As in ECMAScript, `$` is the end, not a line break before it."""
    from jsonschema import ValidationError

    if isinstance(value, str) and re.fullmatch(pattern, value) is None:
        yield ValidationError("")


# ── One file, by the schema ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Place:
    """A node, the nearest key above it, and whether it is an item of a list there."""

    node: Node
    key: Scalar | None = None
    item: bool = False

    @property
    def name(self) -> str:
        if self.key is None:
            return "the ruleset"
        name = f"'{_shown(self.key.text)}'"
        return f"each item of {name}" if self.item else name

    def with_value(self, value: str) -> str:
        """The line of the file with another value, for a hint."""
        return value if self.key is None or self.item else f"{_shown(self.key.text)}: {value}"


class _File:
    """The check of one file; what YAML has torn apart is reported once, and not judged further."""

    def __init__(self, root: Mapping) -> None:
        self.root = root
        self.torn: set[int] = set()  # keys that are pieces of something else, by identity
        self.wrong: set[int] = set()  # values that have their diagnostic already

    def problems(self) -> Iterator[Diagnostic]:
        if (swallowed := self._swallowed()) is not None:
            yield swallowed
            return
        yield from self._tears(self.root)
        yield from _taken_in(self.root)
        said: tuple[Suggestion, ...] = ()
        of: Scalar | None = None
        for error in _validator().iter_errors(to_plain(self.root)):
            place = self._place(error.absolute_path)
            of_names = error.validator == "pattern" and isinstance(place.node, Mapping)
            if of_names or error.validator in ("additionalProperties", "required", "not"):
                yield from self._of_mapping(error, place)
            elif id(place.node) not in self.wrong:
                self.wrong.add(id(place.node))
                found = self._of_value(error, place)
                if not place.item or (found.suggestions, place.key) != (said, of):
                    yield found  # once for a list that is wrong altogether
                said, of = found.suggestions, place.key
        if "extends" not in self.root.entries:
            yield from self._empty_entries(self.root)

    def _swallowed(self) -> Diagnostic | None:
        """A section that is indented too far: what is its own stands beside it."""
        top: Schema = _validator().schema["properties"]  # type: ignore[index]
        for section, value in self.root:
            for key, inner in value if isinstance(value, Mapping) and not value.flow else ():
                if key.text in top and _is_empty(inner):
                    message = f"'{key.text}' has no value"
                    hint = f"it is inside '{section.text}': check the indentation"
                    return Diagnostic("E203", message, key.span, hint)
        return None

    def _place(self, path: Iterable[str | int]) -> _Place:
        place = _Place(self.root)
        for step in path:
            if isinstance(place.node, Mapping):
                entry = place.node.entries[str(step)]
                place = _Place(entry.value, entry.key)
            elif isinstance(place.node, Sequence):
                place = _Place(place.node.items[int(step)], place.key, item=True)
        return place

    def _of_mapping(self, error: ValidationError, place: _Place) -> Iterator[Diagnostic]:
        assert isinstance(place.node, Mapping) and isinstance(error.schema, dict)
        if error.validator == "required":
            wanted: Any = error.validator_value
            properties: Schema = _validator().schema["properties"]  # type: ignore[index]
            others = [
                nearest(key, properties) for key in place.node.entries if key not in properties
            ]
            for name in wanted:
                if name not in place.node.entries and name not in others:
                    yield _missing_at_top(self.root, name)
        elif error.validator == "additionalProperties":
            yield from self._unknown_keys(place, place.node, error.schema)
        else:
            key = place.node.entries[str(error.instance)].key
            if id(key) not in self.torn:
                yield _bad_name(key, error)

    def _of_value(self, error: ValidationError, place: _Place) -> Diagnostic:
        if error.absolute_path[0] == "rulegame":
            return _wrong_version(place.node)
        if error.validator == "type":
            return _wrong_kind(error, place)
        message, hint = _not_allowed(error, place)
        return _problem("E204", message, place.node, hint)

    def _empty_entries(self, node: Node) -> Iterator[Diagnostic]:
        """Where nothing is inherited, a value that was left empty is a slip."""
        if id(node) in self.wrong:
            return
        if isinstance(node, Sequence):
            for item in node.items:
                yield from self._empty_entries(item)
        elif isinstance(node, Mapping):
            for key, value in node:
                if not is_null(value):
                    yield from self._empty_entries(value)
                elif id(key) not in self.torn and id(value) not in self.wrong:
                    yield Diagnostic("E203", f"'{_shown(key.text)}' has no value", key.span, EMPTY)

    # What YAML has torn apart

    def _tears(self, node: Node) -> Iterator[Diagnostic]:
        """Flow collections in which a comma inside parentheses has split an expression."""
        if isinstance(node, Scalar):
            return
        if node.flow:
            yield from self._split_at_commas(node)
        inner = node.items if isinstance(node, Sequence) else (value for _, value in node)
        for child in inner:
            yield from self._tears(child)

    def _split_at_commas(self, node: Mapping | Sequence) -> Iterator[Diagnostic]:
        rows = _rows(node)
        start = 0
        while start < len(rows):
            end = _closing(rows, start)
            if end > start:
                self.torn.update(id(row[0]) for row in rows[start : end + 1] if is_null(row[-1]))
                self.torn.update(id(row[0]) for row in rows[start + 1 : end + 1])
                yield _split(rows[start], rows[end])
            start = max(start, end) + 1

    def _unknown_keys(self, place: _Place, node: Mapping, part: Schema) -> Iterator[Diagnostic]:
        if "seen by" in part["properties"] and place.key is not None:
            if _is_each_player(place.key):
                return  # the schema complains of the name
            if nearest(place.key.text, ["each player"]):
                message = f"'{_shown(place.key.text)}' is a value and cannot contain keys"
                yield _problem("E201", message, place.key, meant("each player"))
                return
        known = [key for key in part["properties"] if key != "before"]
        entries = [entry for entry in node.entries.values() if id(entry.key) not in self.torn]
        unknown = [entry for entry in entries if entry.key.text not in part["properties"]]
        is_bare = len(unknown) == len(entries) and all(_is_empty(e.value) for e in unknown)
        unknown = unknown[: LIMITS.problems]
        pieces = {id(entry) for entry in unknown if _is_piece(entry, node, known)}
        self.torn.update(id(entry.key) for entry in unknown if id(entry) in pieces)
        if is_bare and pieces:
            self.wrong.add(id(node))
            yield _torn_whole(place, node, part)
            return
        for entry in unknown:
            if id(entry) not in pieces:
                self.wrong.add(id(entry.value))
                yield _unknown(entry.key, known, _owner(part, place.key), node)
        for first, last in _runs(entries, pieces, node.flow):
            yield _split((first.key, first.value), (last.key, last.value))


def _rows(node: Mapping | Sequence) -> list[tuple[Node, ...]]:
    """The keys with their values, or the items."""
    if isinstance(node, Sequence):
        return [(item,) for item in node.items]
    return [(entry.key, entry.value) for entry in node.entries.values()]


def _closing(rows: list[tuple[Node, ...]], start: int) -> int:
    """The row in which a parenthesis closes that the row `start` has left open, or `start`."""
    last = rows[start][-1]
    depth = _open_parentheses(rows[start][0] if _is_empty(last) else last)
    for k in range(start + 1, min(start + MOST_PIECES, len(rows))):
        if depth <= 0 or not isinstance(rows[k][0], Scalar):
            return start
        depth += _open_parentheses(rows[k][0])
        if depth <= 0:
            return k
        if not _is_empty(rows[k][-1]) and len(rows[k]) > 1:
            return start
    return start


def _open_parentheses(node: Node) -> int:
    if not isinstance(node, Scalar) or node.quoted:
        return 0
    return node.text.count("(") - node.text.count(")")


def _is_piece(entry: Entry, node: Mapping, known: list[str]) -> bool:
    """Whether an unknown key is more likely a piece of an expression, or of a text with a comma."""
    if not _is_empty(entry.value) or entry.key.quoted:
        return False
    if OPERATORS.search(entry.key.text):
        return True
    return nearest(entry.key.text, known) is None and (node.flow or " " in entry.key.text)


def _runs(entries: list[Entry], pieces: set[int], flow: bool) -> Iterator[tuple[Entry, Entry]]:
    """First and last of the pieces that follow each other, with the entry that they were torn
    from.
    """
    runs: list[list[Entry]] = []
    before: Entry | None = None
    for entry in entries:
        if id(entry) not in pieces:
            before = entry
        elif before is None and runs:
            runs[-1].append(entry)
        else:
            led = flow and before is not None and _is_plain_text(before.value)
            runs.append([before, entry] if led and before is not None else [entry])
            before = None
    return ((run[0], run[-1]) for run in runs)


def _split(first: tuple[Node, ...], last: tuple[Node, ...]) -> Diagnostic:
    start = first[0] if _is_empty(first[-1]) else first[-1]
    end = last[-1] if len(last) == 1 else last[0]
    span = Span(
        start.span.file,
        start.span.line,
        start.span.column,
        end.span.end_line,
        end.span.end_column,
        start.span.source,
    )
    what = "expression" if OPERATORS.search(source_text(span)) else "text"
    right = written = quoted(source_text(span))
    if len(first) == 2 and start is first[1] and isinstance(first[0], Scalar):
        written = f"{_shown(first[0].text)}: {written}"
    message, suggestions = TORN, in_place_of(span, right)
    if first is last or start is end:  # which quotation marks alone would not change
        message, suggestions = "YAML reads this as a key without a value", (Suggestion(right),)
    hint = f"quote this {what}: {written}"
    return Diagnostic("E205", message, span, hint, suggestions=suggestions)


def _torn_whole(place: _Place, node: Mapping, part: Schema) -> Diagnostic:
    """A mapping none of whose keys is known or has a value: `{a > 0}`."""
    message = f"YAML reads this as a mapping: {place.name} is {part.get('title', 'a mapping')}"
    written = _inside(node)
    keys = list(node.entries)
    suggestions: tuple[Suggestion, ...] = ()
    if "string" in part["type"] and len(keys) > 1 and not OPERATORS.search(written):
        hint = f"write a list: {place.with_value(f'[{written}]')}"
        suggestions = _listed(node, written)
    elif "string" in part["type"]:
        hint = f"quote this expression: {place.with_value(quoted(written))}"
        suggestions = _instead(node, quoted(written))
    else:
        titles = {name: _title(_resolved(value)) for name, value in part["properties"].items()}
        first = next((name for name, title in titles.items() if title == EXPRESSION), None)
        hint = f"quote this expression: {first + ': ' if first else ''}{quoted(written)}"
    return Diagnostic("E205", message, node.span, hint, suggestions=suggestions)


# ── Keys and names ────────────────────────────────────────────────────────────────────────────────


def _problem(code: str, message: str, node: Node, hint: Hint | str = "") -> Diagnostic:
    """A problem with a node as a whole, in place of which a hint may offer something."""
    suggestions = offered(passage_of(node), hint)
    return Diagnostic(code, message, node.span, str(hint), suggestions=suggestions)


def _instead(node: Node, right: str) -> tuple[Suggestion, ...]:
    """What to write in place of a node, its quotation marks or brackets included."""
    is_whole = node.style not in ("", "|", ">") if isinstance(node, Scalar) else node.flow
    return in_place_of(node.span, right) if is_whole else (Suggestion(right),)


def _unknown(key: Scalar, known: list[str], owner: str, beside: Mapping) -> Diagnostic:
    message = f"'{_shown(key.text)}' is not a key of {owner}"
    other = next((k for k in KEYS_ELSEWHERE.get(key.text.lower(), ()) if k in known), None)
    if key.text.lower() in HIDING and "seen by" in known:
        hint = Hint("say who sees it: 'seen by: owner', or 'seen by: nobody'")
    elif other is not None:
        certain = key.text.lower() not in SAID_OTHERWISE
        hint = meant(other)._replace(certain=certain)
        if not certain and other in VALUES_OF_KEYS:
            hint = Hint(VALUES_OF_KEYS[other])
    elif nearest(key.text, known) is None and (owners := _owners().get(key.text)):
        hint = Hint(f"'{key.text}' belongs in {joined(owners, 'or')}")
    elif nearest(key.text, known) is None and (meaning := _elsewhere(key.text)):
        hint = Hint(f"'{meaning}' belongs in {joined(_owners()[meaning], 'or')}")
    else:
        hint = did_you_mean(key.text, known)
    found = _problem("E201", message, key, hint)
    if any(name in beside.entries for name in hint.offers):  # which must not stand there twice
        return found._replace(suggestions=tuple(Suggestion(name) for name in hint.offers))
    return found


def _elsewhere(key: str) -> str:
    """What is meant by a key that people write, if it belongs to something else."""
    return next((k for k in KEYS_ELSEWHERE.get(key.lower(), ()) if k in _owners()), "")


def _owner(part: Schema, key: Scalar | None) -> str:
    """What has these keys: one of many things of a kind, or what stands under one key."""
    title = _title(part)
    return f"'{_shown(key.text)}'" if key is not None and "a mapping" in title else title


@cache
def _owners() -> dict[str, list[str]]:
    """Each key of the language, with what it may stand in."""
    found: dict[str, list[str]] = {}
    for name, part in _parts("", schema()):
        title = str(part.get("title", ""))
        owner = f"'{name}'" if "a mapping" in title else title
        for key in part["properties"] if title else ():
            if owner not in found.setdefault(key, []):
                found[key].append(owner)
    return found


def _parts(name: str, part: Any) -> Iterator[tuple[str, Schema]]:
    """The parts of the schema that have keys of their own, each with its name in the schema."""
    if isinstance(part, dict):
        if isinstance(part.get("properties"), dict):
            yield name, part
        for inner_name, inner in part.items():
            yield from _parts(inner_name, inner)


def _is_each_player(key: Scalar) -> bool:
    """Whether a key that is no name is `each player`, misspelt."""
    if re.fullmatch(NAME_PATTERN, key.text):
        return False
    return nearest(key.text, ["each player"]) is not None


def _bad_name(key: Scalar, error: ValidationError) -> Diagnostic:
    assert isinstance(error.schema, dict)
    noun = str(error.schema.get("title", "entry"))
    text = key.text
    if error.validator == "not":
        message = f"'{_shown(text)}' is a reserved word and cannot be a name"
        return Diagnostic("E206", message, key.span, f"for example: {_other_name(text, noun)}")
    if "each player" in error.schema["pattern"] and _is_each_player(key):
        hint = meant("each player")
    else:
        hint = Hint(f"{NAMES_RULE}; for example: {_corrected(text, noun)}")
    message = f"'{_shown(text)}' cannot be the name of {_article(noun)} {noun}"
    return _problem("E206", message, key, hint)


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


# ── Values ────────────────────────────────────────────────────────────────────────────────────────


def _wrong_version(node: Node) -> Diagnostic:
    written = _shown(node.text) if isinstance(node, Scalar) and node.text else _kind(node)
    # Another version would be another language; 1.0 and "1" are this one.
    certain = isinstance(node, Scalar) and re.fullmatch(r"[vV]?1(?:\.0*)*", node.text) is not None
    if certain:
        message = f"'rulegame' must be the number 1, not {_shown(source_text(node.span))}"
    else:
        message = f"this version of rulegame reads language version 1, not {written}"
    suggestions = tuple(one._replace(certain=certain) for one in _instead(node, "1"))
    return Diagnostic("E207", message, node.span, "write: rulegame: 1", suggestions=suggestions)


def _wrong_kind(error: ValidationError, place: _Place) -> Diagnostic:
    assert isinstance(error.schema, dict)
    title = _title(error.schema)
    types = error.schema["type"]
    node = place.node
    if isinstance(node, Scalar) and isinstance(node.value, float) and "integer" in types:
        return _with_a_fraction(node, place, title)
    if title in (EXPRESSION, TEXT) and not (isinstance(node, Scalar) and not is_null(node)):
        return _torn_value(title, place)
    message = f"{place.name} must be {title}, not {_kind(node)}"
    hint, suggestions = _kind_advice(error.schema, place)
    return Diagnostic("E203", message, node.span, hint, suggestions=suggestions)


def _kind_advice(part: Schema, place: _Place) -> Advice:
    node, types = place.node, part["type"]
    if "array" in types and place.name == "'players'" and isinstance(node, Scalar):
        return _player_names(node)
    if place.name == "each item of 'one of'" and isinstance(node, Scalar):
        return "'one of' lists words or whole numbers", ()
    if "array" in types and isinstance(node, Scalar) and not is_null(node):
        written = quoted(node.text) if node.quoted else _shown(node.text)
        suggestions = _listed(node, source_text(node.span))
        return f"write a list: {place.with_value(f'[{written}]')}", suggestions
    if types == "string" and isinstance(node, Scalar) and not is_null(node):
        right = quoted(node.text)
        return f"quote it: {place.with_value(right)}", _instead(node, right)
    if (slip := _unmade_entry(place)) is not None:
        return slip
    if "properties" in part:
        return f"expected keys such as: {', '.join(islice(part['properties'], 6))}", ()
    examples = re.findall(r"Example: `(.*?)`\.?$", part.get("description", ""))
    return f"for example: {examples[0]}" if examples else "", ()


def _listed(node: Node, items: str) -> tuple[Suggestion, ...]:
    """What stands there in the brackets of a list, if it can stand in some."""
    right = f"[{items}]"
    return (Suggestion(right),) if re.search(r"[\[\]{}:]", items) else _instead(node, right)


def _player_names(node: Scalar) -> Advice:
    """For players who are counted, or named in a sentence."""
    names = re.split(r",\s*|\s+and\s+|\s+vs\.?\s+", node.text.strip())
    if isinstance(node.value, int):
        names = [f"Player {k}" for k in range(1, min(max(node.value, 1), 8) + 1)]
    right = f"[{', '.join(map(_shown, names))}]"
    plain = all(re.fullmatch(r"\w[\w .'-]*", name) and _shown(name) == name for name in names)
    return f"write '{right}'", _instead(node, right) if plain else ()


def _unmade_entry(place: _Place) -> Advice | None:
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
        return f"write '{right}'", _instead(node, right) if safe else ()
    if inline:
        return None
    for pattern, missing, what in ((NO_SPACE, " ", "a space"), (NO_COLON, ":", "a ':'")):
        if found := pattern.match(node.text):
            entry = f"{found[1]}: {found[2]}"
            after = " after ':'" if missing == " " else ""
            hint = f"{what} is missing{after}: {found[1]}: {_shown(found[2])}"
            at = node.at(0, found.end(1) + (missing == " "))
            return hint, (Suggestion(entry, _put_in(at, missing, node)),)
    return None


def _put_in(before: Span, missing: str, node: Scalar) -> tuple[Edit, ...]:
    """What is missing behind a part of a line, if there is no more of it in other lines."""
    return () if node.places or node.style != "plain" else (Edit(behind(before), missing),)


def _taken_in(node: Node) -> Iterator[Diagnostic]:
    """Lines that were to be keys, but go on with the text above them."""
    if isinstance(node, Mapping):
        for _, value in node:
            yield from _taken_in(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _taken_in(item)
    elif not node.quoted and node.span.end_line > node.span.line:
        for found in INNER_KEY.finditer(node.text):
            span = node.at(found.start(1), found.end(1) + 1)
            before = node.at(found.start() - 2, found.start() - 1)
            if span.line == before.line or found[1] not in _owners():
                continue
            message = f"'{found[1]}:' is part of the text that begins in line {node.span.line}"
            hint = "if it is a key, indent it less and put a space after ':'"
            yield Diagnostic("E216", message, span, hint, "warning")


def _with_a_fraction(node: Scalar, place: _Place, title: str) -> Diagnostic:
    """A decimal number: payoffs have fractions, by their unit."""
    key = "" if place.key is None else place.key.text
    message = f"{place.name} must be a whole number, not {_shown(node.text)}"
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
    suggestions = _instead(node, str(part))
    return Diagnostic("E203", message, node.span, f"write '{part}'", suggestions=suggestions)


def _torn_value(title: str, place: _Place) -> Diagnostic:
    """A mapping, or nothing at all, where an expression or a text must stand."""
    node = place.node
    what = "text" if title == TEXT else "expression"
    if isinstance(node, Scalar):
        hint, right = ("write 'none' for no value", "none")
        if title != EXPRESSION:
            hint, right = 'write "" for no text', '""'
        message = f"{place.name} must be {title}, not null"
        # Where nothing at all stands, something may have been forgotten.
        suggestions = tuple(s._replace(certain=bool(node.text)) for s in _instead(node, right))
        return Diagnostic("E205", message, node.span, hint, suggestions=suggestions)
    message = f"{place.name} must be {title}, but YAML reads {_kind(node)}"
    if title == TEXT:
        written = source_text(node.span) if node.flow else ""
    else:
        written = _inside(node)
    hint = f"quote this {what}: {place.with_value(quoted(written or '…'))}"
    suggestions = _instead(node, quoted(written)) if written else ()
    return Diagnostic("E205", message, node.span, hint, suggestions=suggestions)


def _not_allowed(error: ValidationError, place: _Place) -> tuple[str, Hint | str]:
    """What to say of a value of the right kind that is out of bounds."""
    assert isinstance(error.schema, dict)
    limit: Any = error.validator_value
    part, name = error.schema, place.name
    text = _shown(place.node.text) if isinstance(place.node, Scalar) else ""
    match error.validator:
        case "enum" | "pattern":
            listed: list[str | None] = part.get("enum") or part.get("examples") or []
            words = [word for word in listed if word is not None]
            if limit == NAME_PATTERN:
                return f"{name} must be a name, not '{text}'", NAMES_RULE
            hint = _result_hint(text, words) or did_you_mean(text, words)
            if "owner" in words:
                hint = _sight_hint(text, hint)
            return f"{name} must be {_title(part)}, not '{text}'", hint
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
    from rulegame.language.foreign import result, write

    if "draw" not in words or nearest(text, words) is not None:
        return Hint()
    if "pass" in words and re.match(r"(?:skip|nothing|none|next|wait|no|ignore)\b", text.lower()):
        return write("pass")
    right = None if text.lower() in ("me", "i", "them") else result(text, ())
    if right is None:
        return Hint()
    if right.key == "everyone":
        return Hint(f"write '{'stuck' if 'pass' in words else 'all'}: {{{right}}}'")
    return write(right.value) if right.value in words else Hint()


# ── The merged ruleset ────────────────────────────────────────────────────────────────────────────

EXAMPLES: Final = {
    "rulegame": "rulegame: 1",
    "title": "title: Countdown",
    "operations": "operations: {take: {effects: {left: left - 1}}}",
    "end": "end: {last_taken: {when: left == 0, result: win}}",
    "players": "players: {from: 2, to: 4}",
    "default": "default: 20",
    "type": "type: int",
    "from": "from: 1..6",
    "choose": "choose: {n: 1..9}",
    "effects": "effects: {left: left - 1}",
    "require": "require: after.left >= 0",
    "when": "when: left == 0",
    "result": "result: win",
    "value": "value: target / 2",
}
RESULTS: Final = ("result", "winners", "payoff", "everyone")
# Where, and what must be there: one of each group. A `*` stands for every entry.
NEEDED: Final[tuple[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], ...]] = (
    (("parameters", "*"), (("default",),)),
    (("state", "*"), (("type", "start"),)),
    (("state", "each player", "*"), (("type", "start"),)),
    (("setup", "*"), (("effects", "steps"),)),
    (("turn", "let", "*"), (("type", "start"),)),
    (("setup", "*", "let", "*"), (("type", "start"),)),
    (("setup", "*", "choose", "*"), (("from",),)),
    (("setup", "*", "roll", "*"), (("from",),)),
    (("setup", "*", "steps", "*"), (("effects", "roll"),)),
    (("setup", "*", "steps", "*", "roll", "*"), (("from",),)),
    (("turn", "roll", "*"), (("from",),)),
    (("turn", "steps", "*"), (("effects", "roll"),)),
    (("turn", "steps", "*", "roll", "*"), (("from",),)),
    (("operations", "*"), (("effects", "steps", "roll", "next"),)),
    (("operations", "*", "let", "*"), (("type", "start"),)),
    (("operations", "*", "choose", "*"), (("from",),)),
    (("operations", "*", "roll", "*"), (("from",),)),
    (("operations", "*", "steps", "*"), (("effects", "roll"),)),
    (("operations", "*", "steps", "*", "roll", "*"), (("from",),)),
    (("players",), (("from",), ("to",))),
    (("define", "*"), (("value",),)),
    (("validity", "*"), (("require",),)),
    (("end", "*"), (("when",), RESULTS)),
)
CHOSEN: Final = ("operations", "*")
# Where, and which keys cannot be combined with which.
EXCLUSIVE: Final[tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...]] = (
    (("setup", "*"), ("steps",), ("effects", "roll")),
    (("operations", "*"), ("steps",), ("effects", "roll")),
    (("turn",), ("steps",), ("effects",)),
    *(
        (path, RESULTS[k : k + 1], RESULTS[k + 1 :])
        for path in (("stuck",), ("stuck", "all"), ("end", "*"))
        for k in range(len(RESULTS) - 1)
    ),
    (("tests", "*"), ("play",), ("type", "rolls")),
)


def _merged_problems(root: Mapping) -> Iterator[Diagnostic]:
    for name in ("rulegame", "title", "operations", "end"):
        value = root.get(name)
        without = name == "operations" and isinstance(value, Mapping) and not value.entries
        if value is None or without:
            yield _missing_at_top(root, name)
    turn = root.get("turn")
    together = isinstance(turn, Mapping) and "together" in turn.entries
    for path, groups in NEEDED:
        for key, mapping in _entries(root, path):
            for group in groups:
                if together and path == CHOSEN and "choose" in mapping.entries:
                    continue  # what comes of a choice, the turn may say
                if not any(name in mapping.entries for name in group):
                    wanted = joined([f"'{name}'" for name in group], "or")
                    message = f"'{_shown(key.text)}' needs {wanted}"
                    example = EXAMPLES[path[0] if len(path) == 1 else group[0]]
                    yield Diagnostic("E202", message, key.span, f"for example: {example}")
    for path, ones, others in EXCLUSIVE:
        for _, mapping in _entries(root, path):
            yield from _beside_each_other(mapping, ones, others)


def _entries(root: Mapping, path: tuple[str, ...]) -> Iterator[tuple[Scalar, Mapping]]:
    """The mappings at a path, each with its key."""
    step, rest = path[0], path[1:]
    for name, entry in root.entries.items():
        matches = name == step or (step == "*" and name != "each player")
        if matches and isinstance(entry.value, Mapping):
            if rest:
                yield from _entries(entry.value, rest)
            else:
                yield entry.key, entry.value


def _beside_each_other(
    mapping: Mapping, ones: tuple[str, ...], others: tuple[str, ...]
) -> Iterator[Diagnostic]:
    for one in ones:
        for other in others:
            if one in mapping.entries and other in mapping.entries:
                message = f"'{other}' cannot be combined with '{one}'"
                hint = f"remove one of them; in a variant, remove an inherited one with {one}: null"
                yield Diagnostic("E201", message, mapping.entries[other].key.span, hint)


def _missing_at_top(root: Mapping, name: str) -> Diagnostic:
    first = root.entries.get("rulegame") or next(iter(root.entries.values()), None)
    span = root.span if first is None else first.key.span
    return Diagnostic("E202", _missing(name), span, f"for example: {EXAMPLES[name]}")


def _missing(name: str) -> str:
    return f"the ruleset needs '{name}'"


# ── Words ─────────────────────────────────────────────────────────────────────────────────────────


def _is_empty(node: Node) -> bool:
    """Null because nothing was written, not because `null` was."""
    return isinstance(node, Scalar) and node.value is None and not node.text


def _is_plain_text(node: Node) -> bool:
    return isinstance(node, Scalar) and not node.quoted and node.value is not None


def _kind(node: Node) -> str:
    match node:
        case Mapping():
            return "a mapping"
        case Sequence():
            return "a list"
        case Scalar(value=None):
            return "null"
        case Scalar(value=bool()):
            return f"'{node.text}'"
        case Scalar(value=int() | float()):
            return "a number"
    return "text"


def _resolved(part: Schema) -> Schema:
    """What a `$ref` refers to."""
    name = str(part.get("$ref", "")).removeprefix("#/definitions/")
    return {**_validator().schema["definitions"][name], **part} if name else part  # type: ignore[index]


def _title(part: Schema) -> str:
    return str(part.get("title", "of another kind"))


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _shown(text: str) -> str:
    """A stranger's text for use in a message: on one line, and short."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"


def _inside(node: Mapping | Sequence) -> str:
    """What was written, without the brackets that YAML has taken as its own."""
    if node.flow:
        return source_text(node.span)[1:-1].strip()
    if isinstance(node, Mapping) and len(node.entries) == 1:
        return next(iter(node.entries)) if _is_empty(next(iter(node))[1]) else ""
    return ""
