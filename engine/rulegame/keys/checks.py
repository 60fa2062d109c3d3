"""What is known about a game beside its rules: symmetries, claims and tests."""

from __future__ import annotations

from typing import Final

from rulegame.keys.kinds import Entries, Exclusion, Key, Section, Value
from rulegame.keys.values import (
    A_NAME,
    AMOUNT,
    ELEMENT,
    LINES,
    PARAMETER_VALUE,
    PARAMETER_VALUES,
    SEAT,
    TRUE_OR_FALSE,
)

MOVES: Final = Value(
    "a list of moves",
    ("array",),
    items=Value("a move", ("string",), {"minLength": 1}),
    definition="moves",
)

CLAIMS: Final = Section(
    "a mapping from claims to true or false, or a list of them",
    "",
    (
        Key(
            "for",
            Entries("a mapping from parameters to values", PARAMETER_VALUES, nullable=False),
            "The values of parameters with which the claims beside it are proved, each with "
            "each: one, a range, or a list of them.",
            "for: {pile: 1..60}",
        ),
        Key(
            "always_ends",
            TRUE_OR_FALSE,
            "Every game ends, whatever the players do.",
            "always_ends: true",
        ),
        Key(
            "ends_almost_surely",
            TRUE_OR_FALSE,
            "Endless play has probability 0, whatever the players do.",
            "ends_almost_surely: true",
        ),
        Key(
            "ends_under_best_play",
            TRUE_OR_FALSE,
            "A game ends if the players play as well as possible.",
            "ends_under_best_play: true",
        ),
        Key(
            "no_draws",
            TRUE_OR_FALSE,
            "No game ends in a draw.",
            "no_draws: true",
        ),
        Key(
            "never_stuck",
            TRUE_OR_FALSE,
            "No player is ever without a valid move.",
            "never_stuck: true",
        ),
        Key(
            "every_operation_used",
            TRUE_OR_FALSE,
            "For every operation there is a state in which it is a valid move.",
            "every_operation_used: true",
        ),
        Key(
            "every_end_rule_reached",
            TRUE_OR_FALSE,
            "For every end rule there is a game that it ends.",
            "every_end_rule_reached: true",
        ),
        Key(
            "first_player_wins",
            TRUE_OR_FALSE,
            "The player who moves first wins, playing as well as possible.",
            "first_player_wins: true",
        ),
        Key(
            "second_player_wins",
            TRUE_OR_FALSE,
            "The player who moves second wins, playing as well as possible.",
            "second_player_wins: true",
        ),
        Key(
            "cooperative_win",
            TRUE_OR_FALSE,
            "All players together can make sure that everybody wins, whatever is rolled.",
            "cooperative_win: true",
        ),
        Key(
            "first_player_gets",
            AMOUNT,
            "What the player who moves first can make sure of on average, at least, whatever "
            "all others do.",
            "first_player_gets: 1/2",
        ),
        Key(
            "fair_within",
            Value("a number", ("number",), {"minimum": 0}),
            "How far the value of the game may be from 0; the value is from -1, a loss of who "
            "moves first, to 1, or what is paid.",
            "fair_within: 0.05",
            values=(0.05,),
        ),
    ),
    listed=True,
    nullable=False,
    definition="claims",
)

TEST_NAMES: Final = Value(
    "a list of names",
    ("array",),
    items=A_NAME,
    definition="test_names",
)

TEST: Final = Section(
    "a test",
    "An example game, and what it must lead to.",
    (
        Key(
            "set",
            Entries("a mapping from parameters to values", PARAMETER_VALUE, nullable=False),
            "Parameters, where they differ from their defaults.",
            "set: {pile: 3}",
        ),
        Key("enable", TEST_NAMES, "Operations to switch on.", "enable: [subtract_one]"),
        Key("disable", TEST_NAMES, "Operations to switch off.", "disable: [double]"),
        Key(
            "first",
            SEAT,
            "The number of the player who moves first.",
            "first: 2",
            default=1,
        ),
        Key(
            "given",
            Entries("a mapping from names to values", ELEMENT, nullable=False),
            "Values to begin with, instead of the setup; a list over the players for what each "
            "player has.",
            "given: {number: 29}",
        ),
        Key("play", MOVES, "The moves, rolls included, in order.", "play: [die 5, take 1, take 2]"),
        Key(
            "type",
            LINES,
            "Instead of `play`: what people type at the prompts.",
            'type: ["1", subtract]',
        ),
        Key(
            "rolls",
            Value("a list of values", ("array",), items=ELEMENT),
            "With `type`: the values that are rolled.",
            "rolls: [5, 3]",
        ),
        Key(
            "expect",
            Section(
                "a mapping of what must hold",
                "",
                (
                    Key(
                        "valid", MOVES, "Exactly these moves are valid.", "valid: [take 1, take 2]"
                    ),
                    Key(
                        "invalid",
                        Entries(
                            "a mapping from moves to rules",
                            Value("the name of a rule", ("string",), {"minLength": 1}),
                            nullable=False,
                        ),
                        "Moves that are not valid, each with the rule that bars it.",
                        "invalid: {subtract 5: not_repeated}",
                    ),
                    Key(
                        "values",
                        Entries("a mapping from names to values", ELEMENT, nullable=False),
                        "Values of the state; a list over the players for what each player has.",
                        "values: {score: [5, 10], last: 5}",
                    ),
                    Key(
                        "player",
                        SEAT,
                        "The number of the player whose turn it is.",
                        "player: 2",
                    ),
                    Key(
                        "value",
                        AMOUNT,
                        "What the position is worth to who moves first, if both play as well as "
                        "possible.",
                        "value: 1/2",
                    ),
                    Key(
                        "outcome",
                        Section(
                            "none or a mapping",
                            "",
                            (
                                Key(
                                    "winner",
                                    SEAT,
                                    "The number of the player who has won.",
                                    "winner: 2",
                                ),
                                Key(
                                    "winners",
                                    Value(
                                        "a list of the numbers of players",
                                        ("array",),
                                        items=SEAT,
                                    ),
                                    "The numbers of the players who have won.",
                                    "winners: [1, 3]",
                                ),
                                Key(
                                    "losers",
                                    Value(
                                        "a list of the numbers of players",
                                        ("array",),
                                        items=SEAT,
                                    ),
                                    "The numbers of the players who have lost.",
                                    "losers: [1, 2]",
                                ),
                                Key(
                                    "payoffs",
                                    Value("a list of numbers", ("array",), items=AMOUNT),
                                    "What each player gets, in seat order; fractions are "
                                    "written like 3/2.",
                                    "payoffs: [3/2, -3/2]",
                                ),
                                Key(
                                    "score",
                                    AMOUNT,
                                    "What the only player, or all players together, reach.",
                                    "score: 12",
                                ),
                                Key(
                                    "draw",
                                    TRUE_OR_FALSE,
                                    "The game is a draw.",
                                    "draw: true",
                                ),
                                Key(
                                    "rule",
                                    Value("the name of a rule", ("string",), {"minLength": 1}),
                                    "The end rule that has decided, `stuck` or `all_stuck`.",
                                    "rule: last_taken",
                                    values=("stuck", "all_stuck"),
                                ),
                            ),
                            other=Value(
                                "none", ("string",), {"pattern": "^none$", "examples": ["none"]}
                            ),
                            nullable=False,
                        ),
                        "How the game has ended; `none`: it is not over.",
                        "outcome: {winner: 2, rule: last_taken}",
                    ),
                    Key(
                        "printed",
                        LINES,
                        "These lines are printed, in a row.",
                        'printed: ["New Score: 5"]',
                    ),
                ),
                nullable=False,
            ),
            "What must hold after the moves.",
            "expect: {values: {left: 0}}",
        ),
    ),
    excludes=(Exclusion("play", ("type", "rolls")),),
    nullable=False,
    definition="test",
)

SYMMETRIES: Final = Value(
    "a symmetry or a list of them",
    ("string", "array"),
    {"minItems": 1},
    items=Value("a symmetry", ("string",)),
)

SYMMETRY_KEY: Final = Key(
    "symmetry",
    Entries(
        "a symmetry, a list of them, or a mapping from grids to them",
        SYMMETRIES,
        other=SYMMETRIES,
        nullable=False,
    ),
    "What changes nothing about the game: `mirror columns`, `mirror rows`, `transpose`, `half "
    "turn` or `rotate`. It is checked where it is used.",
    "symmetry: mirror columns",
    values=("mirror columns", ["mirror columns", "transpose"]),
    inherited=False,
    is_rule=False,
)

CLAIMS_KEY: Final = Key(
    "claims",
    CLAIMS,
    "What the rules promise; `rulegame prove` proves it or refutes it. A list of such mappings, "
    "if `for` is to count for some of them only.",
    "always_ends: true",
    inherited=False,
    is_rule=False,
)

TESTS_KEY: Final = Key(
    "tests",
    Entries("a mapping from names to tests", TEST, nullable=False),
    "Example games with what they must lead to; their names are free text.",
    "the last one wins: {play: [take 1], expect: {outcome: none}}",
    inherited=False,
    is_rule=False,
)
