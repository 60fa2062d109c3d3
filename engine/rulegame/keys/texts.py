"""Texts: what is printed in a game, and paragraphs of the rulebook."""

from __future__ import annotations

from typing import Final

from rulegame.keys.kinds import Key, Section
from rulegame.keys.values import TEXT

TEXTS: Final = Section(
    "a mapping from the names of texts to texts",
    "",
    (
        Key("welcome", TEXT, "Printed at the start of a game.", 'welcome: "Welcome to Countdown!"'),
        Key(
            "begin",
            TEXT,
            "Printed after the setup, before the first turn.",
            'begin: "{first} begins."',
        ),
        Key(
            "turn",
            TEXT,
            "Printed at the beginning of a turn.",
            'turn: "{my.name}, it is your turn."',
            essential=True,
        ),
        Key(
            "rolled",
            TEXT,
            "Printed after a roll; knows `roll` (what is rolled) and `rolled` (its value).",
            'rolled: "You rolled {rolled}."',
        ),
        Key(
            "menu",
            TEXT,
            "Printed before a question; knows `options`, `valid`, `entries` and `notes`.",
            'menu: "Choose: {options}"',
        ),
        Key(
            "option",
            TEXT,
            "One of the `options` of a menu; knows `position`, `key`, `label`, `value`, `why` "
            "and `note`.",
            'option: "{position}. {label}"',
        ),
        Key(
            "prompt",
            TEXT,
            "Printed where a person types; no line break follows.",
            'prompt: "Your choice: "',
        ),
        Key(
            "chosen",
            TEXT,
            "Printed when a move was made; knows its choices and rolls, `label`, and `before.` "
            "for values before the move.",
            'chosen: "{my.name} took {n}."',
        ),
        Key(
            "updated",
            TEXT,
            "Printed after `chosen`, with the same names: the place for the new score.",
            'updated: "New Score: {my.score}"',
        ),
        Key(
            "refused",
            TEXT,
            "Printed when a move that is not valid was chosen; knows `because`, `label` and the "
            "choices.",
            'refused: "Not valid: {because}."',
        ),
        Key(
            "unknown",
            TEXT,
            "Printed when something was typed that is no option; knows `typed`.",
            "unknown: \"I do not know '{typed}'.\"",
        ),
        Key(
            "stuck",
            TEXT,
            "Printed when a player is stuck; knows `why`.",
            'stuck: "{my.name} has no valid move."',
            essential=True,
        ),
        Key(
            "passed",
            TEXT,
            "Printed when a stuck player passes; knows `why`.",
            'passed: "{my.name} passes."',
        ),
        Key(
            "all_stuck",
            TEXT,
            "Printed when all players have passed in a row.",
            'all_stuck: "Nobody can move."',
        ),
        Key(
            "ended",
            TEXT,
            "Printed when a game ends; knows `winner`, `loser`, `winners`, `losers`, the "
            "choices and `before.`.",
            'ended: "{winner} wins!"',
        ),
        Key(
            "between",
            TEXT,
            'Printed between two turns; a blank line by default, `""` prints nothing.',
            'between: "---"',
        ),
    ),
    definition="texts",
)

TEXTS_KEY: Final = Key(
    "texts",
    TEXTS,
    "What is printed when the game is played; each text has a default.",
    'welcome: "Welcome to Countdown!"',
    is_rule=False,
)

RULEBOOK_KEY: Final = Key(
    "rulebook",
    Section(
        "a mapping from paragraphs to texts",
        "",
        (
            Key(
                "intro",
                TEXT,
                "Stands below the title, instead of the summary.",
                'intro: "A game of nerves."',
            ),
            Key(
                "objective",
                TEXT,
                "What players try to reach.",
                'objective: "Be the first to reach {target}."',
            ),
            Key(
                "setup",
                TEXT,
                "What is there before the first turn.",
                'setup: "Put {pile} stones on the table."',
                essential=True,
            ),
            Key(
                "turn",
                TEXT,
                "Who moves when, and what is rolled.",
                'turn: "Players take turns."',
                essential=True,
            ),
            Key(
                "operations",
                TEXT,
                "What a player can do in a turn.",
                'operations: "Take one, two or three stones."',
                essential=True,
            ),
            Key(
                "validity",
                TEXT,
                "Which moves are not allowed.",
                'validity: "Nobody takes more than are left."',
                essential=True,
            ),
            Key(
                "end",
                TEXT,
                "How the game is won, lost or drawn.",
                'end: "Whoever takes the last stone wins."',
                essential=True,
            ),
            Key(
                "stuck",
                TEXT,
                "What happens to a player without a valid move.",
                'stuck: "Who cannot move loses."',
                essential=True,
            ),
            Key(
                "variations",
                TEXT,
                "What players may change before a game.",
                'variations: "Play with more stones."',
            ),
            Key("claims", TEXT, "What the rules promise.", 'claims: "Every game ends."'),
            Key(
                "sample",
                TEXT,
                "A short game from beginning to end.",
                'sample: "Ann takes 3 and wins."',
            ),
        ),
    ),
    "Paragraphs of the rulebook in your own words; an empty text leaves one out.",
    'objective: "Be the first to reach {target}."',
    is_rule=False,
)
