"""Values of keys that are no mappings: expressions, texts, numbers, and names."""

from __future__ import annotations

from typing import Any, Final

from rulegame.keys.kinds import Key, Kind, Value
from rulegame.limits import LIMITS

RESERVED: Final = (
    "and", "or", "not", "in", "if", "else", "elif", "end", "for", "of", "true", "false", "none",
    "me", "my", "them", "their", "players", "first", "after", "before", "win", "lose", "draw",
    "pass", "name", "turn",
)  # fmt: skip
NAME_PATTERN: Final = "^[A-Za-z][A-Za-z0-9_]*$"
_NAME: Final = "[A-Za-z][A-Za-z0-9_]*"
_WORD: Final = "[^A-Za-z0-9_]"
# What a name must be, by the definition in the schema.
NAME_RULES: Final[dict[str, dict[str, Any]]] = {
    "name": {
        "description": "A name: a letter, then letters, digits and `_`; not one of the words that "
        "expressions use themselves.",
        "pattern": NAME_PATTERN,
        "not": {"enum": [*RESERVED]},
    },
    "rule_name": {
        "description": "A name: a letter, then letters, digits and `_`.",
        "pattern": NAME_PATTERN,
    },
    "state_name": {
        "description": "A name, or `each player`.",
        "pattern": f"^({_NAME}|each player)$",
        "not": {"enum": [*RESERVED]},
    },
    "definition_name": {
        "description": "A name, or a name with parameters: `half`, `free(r, c)`.",
        "pattern": rf"^{_NAME}(\( *{_NAME}( *, *{_NAME})* *\))?$",
        "not": {"pattern": f"^(.*{_WORD})?({'|'.join(RESERVED)})({_WORD}.*)?$"},
    },
}
RANGE: Final = {"minimum": -LIMITS.integer, "maximum": LIMITS.integer}
NUMBERS_AND_TEXT: Final = {"minLength": 1, **RANGE}

A_NAME: Final = Value("a name", ("string",), {"minLength": 1})
SEAT: Final = Value(
    "the number of a player", ("integer",), {"minimum": 1, "maximum": LIMITS.players}
)
SYMBOL: Final = Value("a symbol", ("string", "integer"), nullable=True)
SIGNS: Final = Value(
    "a list of words or numbers",
    ("array",),
    {"minItems": 1, "uniqueItems": True},
    items=Value("a word or a number", ("string", "integer"), {"minLength": 1}),
    nullable=True,
)
TRUE_OR_FALSE: Final = Value("true or false", ("boolean",))
TYPE: Final = Value("a type", ("string",), {"minLength": 1}, nullable=True)
VISIBILITY: Final = Value(
    "all, owner, others, nobody or a list of seats",
    ("string", "array"),
    {
        "pattern": "^(all|owner|others|nobody)$",
        "examples": ["all", "owner", "others", "nobody"],
        "minItems": 1,
        "uniqueItems": True,
    },
    items=SEAT,
    nullable=True,
)
BEFORE: Final = Value(
    "the name of another entry",
    ("string",),
    {"pattern": NAME_PATTERN},
    nullable=True,
    definition="before",
)

ELEMENT: Final = Value(
    "an expression",
    ("string", "integer", "boolean", "array"),
    NUMBERS_AND_TEXT,
    nested=True,
    definition="element",
)

EXPRESSION: Final = Value(
    "an expression",
    ("string", "integer", "boolean", "array"),
    NUMBERS_AND_TEXT,
    items=ELEMENT,
    nullable=True,
    definition="expression",
)

LINE: Final = Value(
    "text", ("string", "number", "boolean"), {"minLength": 1}, nullable=True, definition="line"
)

TEXT: Final = Value("text", ("string", "number", "boolean"), nullable=True, definition="text")

BEFORE_KEY: Final = Key(
    "before",
    BEFORE,
    "In a variant: the entry that this new one goes before; without it, what is new goes last.",
    "before: subtract",
    values=("subtract",),
    is_rule=False,  # it is carried out when a file is read
)

AMOUNT: Final = Value(
    "a whole number or a fraction, like 3/2",
    ("integer", "string"),
    {
        "pattern": "^ *-?[0-9]{1,19} *(/ *[1-9][0-9]{0,5} *)?$",
        **RANGE,
    },
    definition="amount",
)

FLAG: Final = Value("true or false", ("boolean",), nullable=True, definition="flag")

INTEGER: Final = Value("a whole number", ("integer",), RANGE, nullable=True, definition="integer")

LINES: Final = Value(
    "a text, or a list of lines",
    ("array", "string"),
    items=Value("text", ("string", "number", "boolean")),
    definition="lines",
)

NAMES: Final = Value(
    "a list of names",
    ("array",),
    {"minItems": 1},
    items=A_NAME,
    nullable=True,
    definition="names",
)

REPEAT: Final = Value(
    "an expression",
    ("integer", "string"),
    {"minLength": 1, "minimum": 0, "maximum": LIMITS.repeat},
    nullable=True,
    definition="repeat",
)

PARAMETER_VALUE: Final = Value(
    "a whole number, true or false, a word, or a list of whole numbers",
    ("string", "integer", "boolean", "array"),
    NUMBERS_AND_TEXT,
    items=Value("a whole number", ("integer",), RANGE),
    definition="parameter_value",
)

SIZE: Final = Value(
    "a whole number",
    ("integer",),
    {"minimum": 0, "maximum": LIMITS.integer},
    nullable=True,
    definition="size",
)

PLAYER_COUNT: Final = Value(
    "a number of players",
    ("integer",),
    {"minimum": 1, "maximum": LIMITS.players},
    nullable=True,
    definition="player_count",
)

PARAMETER_VALUES: Final = Value(
    "a value, a range like 1..60, or a list of them",
    ("string", "integer", "boolean", "array"),
    {
        **RANGE,
        "minLength": 1,
        "minItems": 1,
    },
    items=PARAMETER_VALUE,
    definition="parameter_values",
)


def is_expression(kind: Kind) -> bool:
    """Whether a value of a key is an expression."""
    return isinstance(kind, Value) and kind.title in (EXPRESSION.title, REPEAT.title)
