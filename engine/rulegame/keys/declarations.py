"""Sections that declare something: players, parameters, definitions and the state."""

from __future__ import annotations

from typing import Final

from rulegame.keys.kinds import Entries, Exclusion, Key, Names, Need, Requirement, Section, Value
from rulegame.keys.values import (
    A_NAME,
    BEFORE_KEY,
    EXPRESSION,
    FLAG,
    INTEGER,
    LINE,
    NAME_PATTERN,
    NAMES,
    PARAMETER_VALUE,
    PLAYER_COUNT,
    RANGE,
    SIGNS,
    SIZE,
    SYMBOL,
    TEXT,
    TYPE,
    VISIBILITY,
)
from rulegame.limits import LIMITS

DEFINITION: Final = Section(
    "a definition",
    "A named value or function. `half: target / 2` is short for `half: {value: target / 2}`.",
    (
        Key("value", EXPRESSION, "What it stands for.", "value: target / 2"),
        Key(
            "about",
            LINE,
            "What it is, in your own words: the rulebook and `explain-move` say that instead of "
            "writing it out.",
            "about: Whether the board is full",
            is_rule=False,
        ),
        BEFORE_KEY,
    ),
    short="value",
    needs=(Need(("value",)),),
    definition="definition",
)

SIZE_KEY: Final = Key(
    "size",
    EXPRESSION,
    "The length of a list, where `start` is one value for all its elements.",
    "size: 6",
)

INDEXED_BY_KEY: Final = Key(
    "indexed by",
    Value("a type or a range", ("string",), {"minLength": 1}, nullable=True),
    "Of a list: the type whose values index it, a range, or the cells of a board. The list has an "
    "element for each.",
    "indexed by: card",
    more=("indexed by: 2..12",),
    values=("2..12", "cell of board"),
)

POSITION: Final = Value(
    "a column and a row",
    ("array",),
    {"minItems": 2, "maxItems": 2},
    items=Value("a whole number", ("integer",), {"minimum": 1, "maximum": 60}),
    definition="position",
)

NAMED_TYPE: Final = Section(
    "a type",
    "Words in order, a range of numbers, the cells of a board, or points, under a name. "
    "`column: 2..12` is short for `column: {values: 2..12}`.",
    (
        Key(
            "values",
            Value(
                "a list of words, a range or cells",
                ("string", "array"),
                {"minLength": 1, "minItems": 1},
                items=A_NAME,
                nullable=True,
            ),
            "The words, from the lowest to the highest; a range, over parameters; or the cells of "
            "a board.",
            "values: [guard, priest, baron]",
            more=("values: 2..12", "values: cell of board"),
            values=(["low", "middle", "high"], "2..12"),
            essential=True,
        ),
        Key(
            "points",
            Entries("a mapping from names to columns and rows", POSITION, Names("name", "point")),
            "Instead of `values`: the points of a board, with the column and the row at which each "
            "is drawn.",
            "a1: [1, 3]",
            essential=True,
        ),
        Key(
            "lines",
            Value(
                "a list of lists of points",
                ("array",),
                {"minItems": 1},
                items=Value("a list of points", ("array",), {"minItems": 2}, items=A_NAME),
                nullable=True,
            ),
            "The lines through the points: those that follow one another are neighbours.",
            "lines: [[a1, b1, c1], [a1, a2]]",
            values=([["a1", "b1"]],),
        ),
        Key(
            "about",
            LINE,
            "One line for people: what the values are.",
            "about: The cards, from the lowest to the highest",
            is_rule=False,
        ),
        BEFORE_KEY,
    ),
    short="values",
    needs=(Need(("values", "points")),),
    requires=(Requirement("lines", "points"),),
    excludes=(Exclusion("values", ("points",)),),
    definition="named_type",
)

PARAMETER: Final = Section(
    "a parameter",
    "What players may vary with `--set`. `start: 20` is short for `start: {default: 20}`.",
    (
        Key(
            "default",
            PARAMETER_VALUE,
            "The value, unless a player gives another one; its kind is the parameter's type.",
            "default: 20",
            more=("default: [1, 2, 3]",),
            values=(20, True, [1, 2, 3]),
            essential=True,
        ),
        Key(
            "min",
            INTEGER,
            "The least number that a player may set (of a list: of each of its numbers).",
            "min: 1",
            values=(1,),
        ),
        Key(
            "max",
            INTEGER,
            "The greatest number that a player may set (of a list: of each of its numbers).",
            "max: 1000",
            values=(1000,),
        ),
        Key("min size", SIZE, "The least length of a list.", "min size: 1", values=(1,)),
        Key("max size", SIZE, "The greatest length of a list.", "max size: 9", values=(9,)),
        Key(
            "different",
            FLAG,
            "With `true` no number may stand in the list twice.",
            "different: true",
            default=False,
        ),
        Key(
            "one of",
            Value(
                "a list of words, or of numbers",
                ("array",),
                {"minItems": 1, "uniqueItems": True},
                items=Value(
                    "a word or a whole number",
                    ("string", "integer"),
                    {"pattern": NAME_PATTERN, **RANGE},
                ),
                nullable=True,
            ),
            "The words, or the numbers, that the parameter may be.",
            "one of: [small, large]",
            more=("one of: [6, 8, 10]",),
            values=(["small", "large"],),
            essential=True,
        ),
        Key(
            "require",
            EXPRESSION,
            "What must hold of the parameter, and of others beside it; known before the game.",
            "require: mod(size, 2) == 0",
            essential=True,
        ),
        Key(
            "because",
            TEXT,
            "What a person is told who sets a value that breaks `require`.",
            'because: "the size must be even, not {size}"',
            is_rule=False,
        ),
        Key(
            "about",
            LINE,
            "One line for people: what the parameter is.",
            "about: The score that each player starts with",
            is_rule=False,
        ),
        BEFORE_KEY,
    ),
    short="default",
    needs=(Need(("default",)),),
    requires=(Requirement("because", "require"),),
    definition="parameter",
)

SHOW: Final = Section(
    "how it is drawn",
    "How a value is drawn: as `bar`, `pips`, `cards`, `stones` and so on; `no` hides it; or a "
    "mapping that says more. `show: pips` is short for `show: {as: pips}`.",
    (
        Key(
            "as",
            Value(
                "bar, pips, cards, text, discs, stones, men, kings, pegs, tokens, chess, pits, no "
                "or yes",
                ("string", "boolean"),
                {"minLength": 1},
                nullable=True,
            ),
            "What a value is drawn as. Numbers: a `bar`, `pips` as on dice, `cards`, `pegs` or "
            "`tokens` with a colour for each number, `pits` with as many seeds. Players on a "
            "board: `discs`, `stones` (black and white) or `men`; a board of truths: the `kings` "
            "among them. `chess` draws the symbols K, Q, R, B, N and P as white pieces, small "
            "letters as black ones. Any value: the lines of the text `turn` that list it "
            "(`text`). `no` hides a value, `yes` draws one that no rule reads.",
            "as: bar",
            values=(
                "bar",
                "pips",
                "cards",
                "text",
                "discs",
                "stones",
                "men",
                "kings",
                "pegs",
                "tokens",
                "chess",
                "pits",
                "no",
                "yes",
            ),
            is_rule=False,
        ),
        Key(
            "to",
            EXPRESSION,
            "How far a bar can go: an expression over parameters; what the value is at the "
            "start if left out.",
            "to: target",
            is_rule=False,
        ),
        Key(
            "symbols",
            Entries(
                "a mapping from values to symbols",
                SYMBOL,
            ),
            "What is drawn for a value: one to three letters.",
            'symbols: {none: ".", players[1]: X, players[2]: O}',
            is_rule=False,
        ),
        Key(
            "suits",
            SIGNS,
            "The suits of cards that are numbers, in order: the first suit has the lowest "
            "numbers. `clubs`, `diamonds`, `hearts` and `spades` are drawn as their signs.",
            "suits: [clubs, diamonds, hearts, spades]",
            is_rule=False,
        ),
        Key(
            "ranks",
            SIGNS,
            "The ranks of cards, the lowest number first. Where a suit has fewer cards, they are "
            "the last of these.",
            "ranks: [2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q, K, A]",
            default=["A", 2, 3, 4, 5, 6, 7, 8, 9, 10, "J", "Q", "K"],
            is_rule=False,
        ),
        Key(
            "like",
            Value("the name of a value", ("string",), {"minLength": 1}, nullable=True),
            "Another value that this one is drawn like.",
            "like: hand",
            is_rule=False,
        ),
        Key(
            "board",
            Value(
                "chequered, plain, intersections or upright",
                ("string",),
                {"enum": ["chequered", "plain", "intersections", "upright"]},
                nullable=True,
            ),
            "What a grid is drawn as: `chequered`, `plain`, lines with stones on their "
            "`intersections`, or `upright`, where pieces fall into columns. If left out, it "
            "follows from the operations.",
            "board: intersections",
            is_rule=False,
        ),
        Key(
            "sides",
            EXPRESSION,
            "The players who own the sides of a grid, which are drawn in their colours: top and "
            "bottom, then left and right.",
            "sides: [players[1], players[2]]",
            is_rule=False,
        ),
        Key(
            "numbers",
            EXPRESSION,
            "The numbers of the cells of a grid that have some, as on a draughtboard: a list of "
            "rows, 0 for a cell without. People may type `9-13`.",
            "numbers: list(list(4 * (r - 1) + c for c in 1..4) for r in 1..8)",
            is_rule=False,
        ),
        Key(
            "points",
            EXPRESSION,
            "Where the elements of a list are drawn as points: a list of columns and rows, in the "
            "order of the list.",
            "points: [[1, 1], [3, 1], [2, 2]]",
            is_rule=False,
        ),
        Key(
            "lines",
            EXPRESSION,
            "The lines between points: lists of points, which count from 1. Without `points` "
            "these lie on a circle.",
            "lines: [[1, 2], [2, 3], [3, 1]]",
            is_rule=False,
        ),
        Key(
            "names",
            NAMES,
            "What points are called in the picture.",
            "names: [a1, a2, b1]",
            is_rule=False,
        ),
        Key(
            "store",
            Value("the name of a value", ("string",), {"minLength": 1}, nullable=True),
            "The value of each player that counts the seeds in the store beside the `pits`.",
            "store: store",
            is_rule=False,
        ),
        Key(
            "history",
            FLAG,
            "With `true` earlier values stay in view, each with what else the same moves have set.",
            "history: true",
            default=False,
            is_rule=False,
        ),
        Key(
            "rows",
            Value(
                "numbers, letters or upward",
                ("string",),
                {"enum": ["numbers", "letters", "upward"]},
                nullable=True,
            ),
            "What the rows of a board are called: `numbers` from above, `letters` from above, "
            "or numbers from below (`upward`).",
            "rows: upward",
            default="numbers",
        ),
        Key(
            "columns",
            Value(
                "numbers or letters", ("string",), {"enum": ["numbers", "letters"]}, nullable=True
            ),
            "What the columns of a board are called: with `letters` a cell is called `c2`.",
            "columns: letters",
            default="numbers",
        ),
    ),
    short="as",
    expands=False,
    definition="show",
)

STATE_VALUE: Final = Section(
    "a value",
    "A value that the game remembers. `number: 1` is short for `number: {start: 1}`.",
    (
        Key(
            "type",
            TYPE,
            "The type: `int`, `bool`, `player`, words as in `red | amber | green`, `cell of "
            "board`, a declared type, `optional T`, `list of T`, `set of A..B` or `grid of T`. May "
            "be left out where `start` tells it.",
            "type: int",
            more=("type: optional int",),
            values=(
                "int",
                "bool",
                "player",
                "optional int",
                "list of int",
                "set of 1..9",
                "grid of optional player",
                "cell of board",
                "red | amber | green",
            ),
            essential=True,
        ),
        INDEXED_BY_KEY,
        Key(
            "start",
            EXPRESSION,
            "The value at the start: an expression over parameters (and, under `each player`, "
            "`me`).",
            "start: pile",
            essential=True,
        ),
        SIZE_KEY,
        Key("rows", EXPRESSION, "The number of rows of a grid.", "rows: 3"),
        Key("columns", EXPRESSION, "The number of columns of a grid.", "columns: 3"),
        Key(
            "tiles",
            Value(
                "squares or hexagons", ("string",), {"enum": ["squares", "hexagons"]}, nullable=True
            ),
            "What the cells of a grid are: on `hexagons` each row stands half a cell further to "
            "the right, and a cell has six neighbours.",
            "tiles: hexagons",
            default="squares",
        ),
        Key(
            "show",
            SHOW,
            "How the value is drawn, at a terminal, in a browser and in the rulebook.",
            'show: {symbols: {none: ".", players[1]: X, players[2]: O}}',
        ),
        Key(
            "seen by",
            VISIBILITY,
            "Who may see it: `all`, `nobody`, a list of seats, or (only under `each player`) "
            "`owner`, or all `others` but the owner.",
            "seen by: owner",
            more=("seen by: others", "seen by: [1, 3]"),
            default="all",
        ),
        Key(
            "about",
            LINE,
            "One line for people: what the value is.",
            "about: What is left in each heap",
            is_rule=False,
        ),
        BEFORE_KEY,
    ),
    short="start",
    needs=(Need(("type", "start")),),
    definition="state_value",
)

PLAYER_NAMES: Final = Value(
    "a list of names",
    ("array",),
    {"minItems": 1, "maxItems": LIMITS.players, "uniqueItems": True},
    items=A_NAME,
    nullable=True,
)

PLAYERS_KEY: Final = Key(
    "players",
    Section(
        "a list of names",
        "",
        (
            Key(
                "from",
                PLAYER_COUNT,
                "The least number of players.",
                "from: 2",
                values=(2,),
                essential=True,
            ),
            Key("to", PLAYER_COUNT, "The greatest number of players.", "to: 6", values=(6,)),
            Key(
                "default",
                PLAYER_COUNT,
                "How many play unless another number is set; the least if left out.",
                "default: 4",
                values=(4,),
                essential=True,
            ),
            Key(
                "names",
                PLAYER_NAMES,
                "Their names in seat order, as many as may play.",
                "names: [North, East, South, West]",
                is_rule=False,
            ),
        ),
        other=PLAYER_NAMES,
        needs=(Need(("from",)), Need(("to",))),
    ),
    "The names of the players in seat order, 1 to 8 of them; or how many may play.",
    "players: [Ann, Bob]",
    more=("players: {from: 2, to: 6}",),
    default=["Player 1", "Player 2"],
    essential=True,
)

PARAMETERS_KEY: Final = Key(
    "parameters",
    Entries("a mapping from names to parameters", PARAMETER, Names("name", "parameter")),
    "What players may vary, by name.",
    "start: {default: 20, min: 1, max: 1000}",
    essential=True,
)

TYPES_KEY: Final = Key(
    "types",
    Entries("a mapping from names to types", NAMED_TYPE, Names("name", "type")),
    "Types with a name: words in order, ranges of numbers and cells, for values, lists that they "
    "index, choices and loops.",
    "card: [guard, priest, baron]",
    essential=True,
)

DEFINE_KEY: Final = Key(
    "define",
    Entries(
        "a mapping from names to expressions", DEFINITION, Names("definition_name", "definition")
    ),
    "Named values and functions, for use in expressions.",
    "free(r, c): board[r, c] == none",
    essential=True,
    heading="definitions",
)

STATE_KEY: Final = Key(
    "state",
    Entries(
        "a mapping from names to values",
        STATE_VALUE,
        Names("state_name", "value"),
        fixed=(
            Key(
                "each player",
                Entries("a mapping from names to values", STATE_VALUE, Names("name", "value")),
                "Values of which every player has one of their own.",
                "score: start",
                essential=True,
            ),
        ),
    ),
    "What the game remembers from move to move, by name.",
    "left: pile",
    essential=True,
)
