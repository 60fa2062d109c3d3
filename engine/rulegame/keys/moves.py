"""What is done in a game: setup, turns, operations, their choices, rolls and effects."""

from __future__ import annotations

from typing import Final

from rulegame.keys.declarations import INDEXED_BY_KEY, SIZE_KEY
from rulegame.keys.kinds import Entries, Exclusion, Key, Names, Need, Requirement, Section, Value
from rulegame.keys.texts import TEXTS
from rulegame.keys.values import (
    BEFORE_KEY,
    EXPRESSION,
    FLAG,
    LINE,
    NAMES,
    REPEAT,
    TEXT,
    TYPE,
    VISIBILITY,
)

CHOICE: Final = Section(
    "a choice",
    "A choice of a move, from a collection. `n: 1..3` is short for `n: {from: 1..3}`.",
    (
        Key(
            "from",
            EXPRESSION,
            "The collection that is chosen from.",
            "from: 1..6",
            more=("from: 1..most",),
            values=("1..most", "numbers"),
            essential=True,
        ),
        Key(
            "about",
            LINE,
            "What is chosen, in your own words, for the rulebook and `explain-move`.",
            "about: The heap to take from",
            is_rule=False,
        ),
        Key(
            "within",
            EXPRESSION,
            "The numbers that are ever chosen from, where that does not follow from `from`; a "
            "choice beyond them is an error. Numbers the moves for programs.",
            "within: 1..9",
            is_rule=False,
        ),
        Key(
            "menu",
            TEXT,
            "For this choice. Printed before a question; knows `options`, `valid`, `entries` "
            "and `notes`.",
            'menu: "Choose: {options}"',
            is_rule=False,
        ),
        Key(
            "option",
            TEXT,
            "For this choice. One of the `options` of a menu; knows `position`, `key`, `label`, "
            "`value`, `why` and `note`.",
            'option: "{position}. {label}"',
            is_rule=False,
        ),
        Key(
            "prompt",
            TEXT,
            "For this choice. Printed where a person types; no line break follows.",
            'prompt: "Your choice: "',
            is_rule=False,
        ),
        BEFORE_KEY,
    ),
    short="from",
    needs=(Need(("from",)),),
    definition="choice",
)

CHOICES: Final = Entries(
    "a mapping from the names of choices to collections",
    CHOICE,
    Names("name", "choice"),
    definition="choices",
)

EFFECTS: Final = Entries(
    "a mapping from what changes to its new value", EXPRESSION, definition="effects"
)

MOVE_VALUE: Final = Section(
    "a value of a move",
    "A value that lives during a move. `hand: 0` is short for `hand: {start: 0}`.",
    (
        Key(
            "type",
            TYPE,
            "The type: `int`, `bool`, `player`, words as in `red | amber | green`, `cell of "
            "board`, `optional T`, `list of T` or `set of A..B`. May be left out where `start` "
            "tells it.",
            "type: int",
            more=("type: optional int",),
            values=(
                "int",
                "bool",
                "player",
                "optional int",
                "list of int",
                "set of 1..9",
                "cell of board",
                "red | amber | green",
            ),
            essential=True,
        ),
        INDEXED_BY_KEY,
        Key(
            "start",
            EXPRESSION,
            "What it is when the move begins: an expression over the state, the choices, and "
            "the values above it.",
            "start: my.pits[pit]",
            essential=True,
        ),
        SIZE_KEY,
        Key(
            "about",
            LINE,
            "One line for people: what the value is.",
            "about: The seeds in the hand",
            is_rule=False,
        ),
    ),
    short="start",
    needs=(Need(("type", "start")),),
    definition="move_value",
)

MOVE_VALUES: Final = Entries(
    "a mapping from names to values", MOVE_VALUE, Names("name", "value"), definition="move_values"
)

ROLL: Final = Section(
    "a roll",
    "A roll: a value drawn from a collection. `die: 1..6` is short for `die: {from: 1..6}`.",
    (
        Key("from", EXPRESSION, "The collection that is drawn from.", "from: 1..6", essential=True),
        Key(
            "seen by",
            VISIBILITY,
            "Who sees what is rolled: `all`, `nobody`, a list of seats, `owner` (the player who "
            "moves, or for whom it is done in the setup), or all `others`. If left out, it follows "
            "from what it is stored in.",
            "seen by: owner",
            more=("seen by: others",),
        ),
        Key(
            "weight",
            EXPRESSION,
            "Where not all are equally likely: a whole number for each, in proportion.",
            "weight: copies[card]",
        ),
        Key(
            "text",
            TEXT,
            "Printed after this roll, instead of the text `rolled`.",
            'text: "You draw {a(card)}."',
            is_rule=False,
        ),
        BEFORE_KEY,
    ),
    short="from",
    needs=(Need(("from",)),),
    definition="roll",
)

ROLLS: Final = Entries(
    "a mapping from the names of rolls to collections",
    ROLL,
    Names("name", "roll"),
    definition="rolls",
)

TURN_ROLL: Final = ROLL._replace(
    keys=(
        *ROLL.keys[:1],
        Key(
            "when",
            EXPRESSION,
            "The roll is left out unless this holds; then it is none in this turn.",
            "when: my.dice > 0",
            essential=True,
        ),
        *ROLL.keys[1:],
    ),
    definition="turn_roll",
)

TURN_ROLLS: Final = ROLLS._replace(of=TURN_ROLL, definition="turn_rolls")

EFFECTS_KEY: Final = Key(
    "effects",
    EFFECTS,
    "What changes, and its new value; all are computed from the state before, then written at "
    "once.",
    "my.score: my.score - n",
    essential=True,
)

STEP: Final = Section(
    "a step",
    "A step of an operation: `roll`, `effects`, or both, rolls first. It sees what the steps "
    "before it have done.",
    (
        Key(
            "about",
            LINE,
            "What the step does, in your own words, for the rulebook.",
            "about: Sow the seeds one by one",
            is_rule=False,
        ),
        Key(
            "when",
            EXPRESSION,
            "The step is left out unless this holds.",
            "when: hand > 0",
            essential=True,
        ),
        Key(
            "roll",
            ROLLS,
            "Chance: a name, and the collection that it is drawn from.",
            "die: 1..6",
            essential=True,
        ),
        EFFECTS_KEY,
        Key(
            "repeat",
            REPEAT,
            "How often the step is done, at most 10,000 times; worked out before the first time.",
            "repeat: 48",
            values=(48,),
            default=1,
        ),
        Key(
            "while",
            EXPRESSION,
            "Asked before each repetition: the step goes on only as long as this holds.",
            "while: hand > 0",
        ),
        BEFORE_KEY,
    ),
    needs=(Need(("effects", "roll")),),
    requires=(Requirement("while", "repeat"),),
    definition="step",
)

STEPS: Final = Entries(
    "a mapping from the names of steps to steps",
    STEP,
    Names("rule_name", "step"),
    definition="steps",
)

LET_KEY: Final = Key(
    "let",
    MOVE_VALUES,
    "Values that live during a move, and are no part of the state: written like those of "
    "`state`, changed by effects, read by steps and `next`.",
    "hand: my.pits[pit]",
    essential=True,
)

OPERATION: Final = Section(
    "an operation",
    "What a player can do: its choices, and what it changes.",
    (
        Key(
            "label",
            LINE,
            "What people read and may type; made from the name if left out.",
            "label: Subtract",
            is_rule=False,
        ),
        Key(
            "key",
            LINE,
            "A letter, or a short text, that people may type instead of the label.",
            "key: s",
            is_rule=False,
        ),
        Key(
            "doing",
            LINE,
            "What doing it is called, for the reasons of validity rules; the label if left out.",
            "doing: Doubling the number",
            is_rule=False,
        ),
        Key(
            "about",
            LINE,
            "One line for people: what the operation does.",
            "about: Doubles the number",
            is_rule=False,
        ),
        Key(
            "enabled",
            FLAG,
            "With `false` the operation ships switched off; players switch it on with `--enable "
            "NAME`.",
            "enabled: false",
            default=True,
        ),
        Key(
            "when",
            EXPRESSION,
            "The operation is not offered at all unless this holds.",
            "when: number > 1",
            essential=True,
        ),
        Key(
            "choose",
            CHOICES,
            "The choices: a name for each, and the collection that it is chosen from.",
            "n: 1..most",
            essential=True,
        ),
        LET_KEY,
        Key(
            "roll",
            ROLLS,
            "Chance inside the operation, after it was chosen and before its effects.",
            "die: 1..6",
            essential=True,
        ),
        EFFECTS_KEY,
        Key(
            "steps",
            STEPS,
            "Instead of `roll` and `effects`: several of them, one after the other.",
            "sow: {repeat: 48, while: hand > 0, effects: {hand: hand - 1}}",
            essential=True,
        ),
        Key(
            "next",
            EXPRESSION,
            "The player whose turn is next after this operation; `me` means again.",
            "next: them if die == 1 else me",
            values=("me", "them"),
        ),
        Key(
            "texts",
            TEXTS,
            "Texts of this operation, instead of those of the ruleset.",
            'chosen: "{my.name} takes {n}."',
            is_rule=False,
        ),
        Key(
            "secret",
            FLAG,
            "With `true` its choices are typed unseen at a terminal, and not repeated.",
            "secret: true",
            default=False,
        ),
        BEFORE_KEY,
    ),
    needs=(Need(("effects", "steps", "roll", "next"), unless="choose"),),
    excludes=(Exclusion("steps", ("effects", "roll")),),
    definition="operation",
)

SETUP_CHOICE: Final = Section(
    "a setup choice",
    "What every player chooses, in seat order, before the first turn; or, without `choose`, "
    "what happens by itself.",
    (
        Key(
            "label",
            LINE,
            "What people read; made from the name if left out.",
            "label: Pick three numbers",
            is_rule=False,
        ),
        Key(
            "about",
            LINE,
            "One line for people: what is chosen, or what happens.",
            "about: Pick three numbers",
            is_rule=False,
        ),
        Key(
            "for",
            EXPRESSION,
            "The player for whom it is done, or a list of players, known before the game; every "
            "player if left out.",
            "for: players[1]",
            essential=True,
        ),
        Key(
            "once",
            FLAG,
            "With `true` it happens once, for the table, and not for each player.",
            "once: true",
            default=False,
        ),
        Key(
            "when",
            EXPRESSION,
            "It is left out unless this holds when its turn comes.",
            "when: handicap > 0",
            essential=True,
        ),
        Key(
            "choose",
            CHOICES,
            "The choices: a name for each, and the collection that it is chosen from; without "
            "any it happens by itself.",
            "numbers: subsets(1..9, 3)",
            essential=True,
        ),
        LET_KEY,
        Key(
            "roll",
            ROLLS,
            "Chance: a name, and the collection that it is drawn from.",
            "card: deck",
            essential=True,
        ),
        Key(
            "effects",
            EFFECTS,
            "What changes, and its new value.",
            "my.hand: numbers",
            essential=True,
        ),
        Key(
            "steps",
            STEPS,
            "Instead of `roll` and `effects`: several of them, one after the other, each with a "
            "name.",
            "deal: {repeat: 5, roll: {card: deck}, effects: {deck: without(deck, card)}}",
            essential=True,
        ),
        Key(
            "texts",
            TEXTS,
            "Texts of this choice, instead of those of the ruleset.",
            'prompt: "Your numbers: "',
            is_rule=False,
        ),
        Key(
            "secret",
            FLAG,
            "With `true` it is typed unseen at a terminal.",
            "secret: true",
            default=False,
        ),
        BEFORE_KEY,
    ),
    needs=(Need(("effects", "steps")),),
    excludes=(Exclusion("steps", ("effects", "roll")),),
    definition="setup_choice",
)

SETUP_KEY: Final = Key(
    "setup",
    Entries("a mapping from names to setup choices", SETUP_CHOICE, Names("rule_name", "choice")),
    "What is chosen or happens before the first turn, by name, for every player.",
    "pick: {choose: {n: 1..9}, effects: {my.number: n}}",
    more=("deal: {roll: {card: 1..9}, effects: {my.card: card}}",),
    essential=True,
)

TURN_KEY: Final = Key(
    "turn",
    Section(
        "a mapping with together, begin, roll, ask, next, first, forced, effects and steps",
        "",
        (
            Key(
                "together",
                EXPRESSION,
                "With `true` all players choose a move at once, unseen, in every turn; a list "
                "names those who do.",
                "together: true",
                values=(True, "list(p for p in players if not out of p)"),
            ),
            Key(
                "begin",
                EFFECTS,
                "What changes when a turn begins, before its rolls; `me` is the player whose turn "
                "it is.",
                "my.coins: my.coins + 1",
                essential=True,
            ),
            Key(
                "roll",
                TURN_ROLLS,
                "Chance at the beginning of every turn: a name, and the collection that it is "
                "drawn from.",
                "die: 1..6",
                essential=True,
            ),
            Key(
                "ask",
                NAMES,
                "The order in which a person is asked, where it differs from the operation "
                "first, then its choices.",
                "ask: [n, operation]",
                values=(["n", "operation"],),
                is_rule=False,
            ),
            Key(
                "next",
                EXPRESSION,
                "The player whose turn is next after a move; `me` means again. The next seat if "
                "left out.",
                "next: them",
                values=("them", "me"),
            ),
            Key(
                "first",
                EXPRESSION,
                "The player who begins: known before the game, or by the state after the setup. If "
                "left out, those who play choose.",
                "first: players[1]",
                more=("first: starter",),
            ),
            Key(
                "forced",
                Value("ask or play", ("string",), {"enum": ["ask", "play"]}, nullable=True),
                "With `play` a person who has only one valid move is not asked for it: it is made.",
                "forced: play",
                default="ask",
            ),
            Key(
                "let",
                MOVE_VALUES,
                "With `together`: values that live while `effects` or `steps` are carried out, "
                "and are no part of the state.",
                "most: max(bid)",
                essential=True,
            ),
            Key(
                "effects",
                EFFECTS,
                "What every move changes, after its own effects. With `together`: what changes "
                "once all have chosen and their own effects are done; `sign of p` is what p has "
                "chosen.",
                "moves: moves + 1",
                more=("score of p for p in players: score of p + bid of p",),
                essential=True,
            ),
            Key(
                "steps",
                STEPS,
                "Instead of `effects`: several steps, one after the other, which may roll.",
                "draw: {roll: {card: 1..6}}",
                essential=True,
            ),
        ),
        excludes=(Exclusion("steps", ("effects",)),),
    ),
    "What belongs to every turn: rolls, the order of questions, who is next.",
    "roll: {die: 1..6}",
    essential=True,
)

OPERATIONS_KEY: Final = Key(
    "operations",
    Entries("a mapping from names to operations", OPERATION, Names("rule_name", "operation")),
    "What a player can do, by name; their order is the order of moves and menus.",
    "take: {choose: {n: 1..3}, effects: {left: left - n}}",
    essential=True,
)
