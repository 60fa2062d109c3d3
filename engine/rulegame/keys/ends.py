"""How a game goes on or ends: validity, stuck players, end rules and payoffs."""

from __future__ import annotations

from typing import Final

from rulegame.keys.kinds import Entries, Exclusion, Key, Names, Need, Requirement, Section, Value
from rulegame.keys.moves import EFFECTS
from rulegame.keys.values import BEFORE_KEY, EXPRESSION, LINE, NAMES, TEXT

ONE_RESULT: Final = (
    Exclusion("result", ("winners", "payoff", "everyone", "score")),
    Exclusion("winners", ("payoff", "everyone", "score")),
    Exclusion("payoff", ("everyone", "score")),
    Exclusion("everyone", ("score",)),
)

WINNERS_KEY: Final = Key(
    "winners",
    EXPRESSION,
    "Instead of `result`: a player, or a list of players.",
    "winners: list(p for p in players if score of p == max(score))",
    essential=True,
)

PAYOFF_KEY: Final = Key(
    "payoff",
    EXPRESSION,
    "Instead of `result`: a list of whole numbers, one a player.",
    "payoff: score",
    essential=True,
)

EVERYONE_KEY: Final = Key(
    "everyone",
    EXPRESSION,
    "Instead of `result`: `win` or `lose`, for all players together; may be an expression.",
    "everyone: win",
    values=("win", "lose"),
    essential=True,
)

SCORE_KEY: Final = Key(
    "score",
    EXPRESSION,
    "Instead of `result`: a whole number that all players reach together. It is the payoff of "
    "each, and neither a win nor a draw.",
    "score: sum(fireworks)",
    essential=True,
)

END_RULE: Final = Section(
    "an end rule",
    "How a game ends: after every move the rules are asked in order, and the first whose `when` "
    "holds decides.",
    (
        Key(
            "about",
            LINE,
            "The rule in your own words, for the rulebook.",
            "about: Whoever takes the last one wins",
            is_rule=False,
        ),
        Key(
            "when",
            EXPRESSION,
            "The condition, asked after every move.",
            "when: left == 0",
            essential=True,
        ),
        Key(
            "result",
            EXPRESSION,
            "`win`, `lose` or `draw`, for the player who moved; may be an expression.",
            "result: win",
            more=("result: lose if misere else win",),
            values=("win", "lose", "draw"),
            essential=True,
        ),
        WINNERS_KEY,
        PAYOFF_KEY,
        EVERYONE_KEY,
        SCORE_KEY,
        Key(
            "text",
            TEXT,
            "Printed when this rule ends the game, instead of the text `ended`.",
            'text: "Congratulations, {winner}!"',
            is_rule=False,
        ),
        BEFORE_KEY,
    ),
    needs=(Need(("when",)), Need(("result", "winners", "payoff", "everyone", "score"))),
    excludes=ONE_RESULT,
    definition="end_rule",
)

VALIDITY_RULE: Final = Section(
    "a validity rule",
    "Which moves are not allowed, and why. `within: after.number <= 31` is short for `within: "
    "{require: after.number <= 31}`. With `must` the rule makes moves compulsory.",
    (
        Key(
            "about",
            LINE,
            "The rule in your own words, for the rulebook.",
            "about: Nobody takes more than there are",
            is_rule=False,
        ),
        Key(
            "require",
            EXPRESSION,
            "What must hold for a move to be valid; `after.` is the state that the move would "
            "lead to.",
            "require: after.left >= 0",
            essential=True,
        ),
        Key(
            "must",
            EXPRESSION,
            "Instead of `require`: moves that satisfy this condition are compulsory as long as "
            "there is one. `after.can_move(me)`: the player can move again after this move.",
            "must: captures(from, to)",
            essential=True,
        ),
        Key(
            "for",
            NAMES,
            "The operations that the rule applies to; if left out: every operation that has all "
            "the choices that `require` or `must` names.",
            "for: [subtract]",
            values=(["subtract"],),
            essential=True,
        ),
        Key(
            "instead of",
            NAMES,
            "With `must`: other operations, whose moves are not valid while there is a "
            "compulsory move.",
            "instead of: [step]",
            values=(["step"],),
            essential=True,
        ),
        Key(
            "note",
            TEXT,
            "Printed beside the options when the rule bars something.",
            'note: "Cannot use {last}"',
            is_rule=False,
        ),
        Key(
            "because",
            TEXT,
            "Why the move is not valid; what a person is told who chooses it.",
            'because: "there are only {left} left"',
            is_rule=False,
        ),
        Key(
            "stuck",
            TEXT,
            "Printed when a player has no valid move and this rule alone is the reason.",
            'stuck: "every move would exceed {target}"',
            essential=True,
            is_rule=False,
        ),
        BEFORE_KEY,
    ),
    short="require",
    needs=(Need(("require", "must")),),
    requires=(Requirement("instead of", "must"),),
    excludes=(Exclusion("require", ("must",)), Exclusion("must", ("stuck",))),
    definition="validity_rule",
)

VALIDITY_KEY: Final = Key(
    "validity",
    Entries("a mapping from names to validity rules", VALIDITY_RULE, Names("rule_name", "rule")),
    "Which moves are not allowed, and why, by name.",
    "enough_left: after.left >= 0",
    essential=True,
)

STUCK_KEY: Final = Key(
    "stuck",
    Section(
        "lose, win, draw, pass or a mapping",
        "",
        (
            Key(
                "about",
                LINE,
                "What happens in your own words, for the rulebook.",
                "about: Who cannot move loses",
                is_rule=False,
            ),
            Key(
                "unless",
                EXPRESSION,
                "With it, a player who has valid moves is stuck too, if none of them makes this "
                "true.",
                "unless: after.my.score in 0..target",
            ),
            Key(
                "result",
                Value(
                    "lose, win, draw or pass",
                    ("string",),
                    {"enum": ["lose", "win", "draw", "pass"]},
                    nullable=True,
                ),
                "What happens to the player who is stuck.",
                "result: pass",
                default="lose",
                essential=True,
            ),
            WINNERS_KEY,
            PAYOFF_KEY,
            EVERYONE_KEY,
            SCORE_KEY,
            Key(
                "effects",
                EFFECTS,
                "With `result: pass`: what changes.",
                "my.passes: my.passes + 1",
                essential=True,
            ),
            Key(
                "text",
                TEXT,
                "Printed when a player is stuck, instead of the text `stuck`.",
                'text: "{my.name} cannot move."',
                is_rule=False,
            ),
            Key(
                "all",
                Section(
                    "lose, win, draw or a mapping",
                    "",
                    (
                        Key(
                            "result",
                            Value(
                                "lose, win or draw",
                                ("string",),
                                {"enum": ["lose", "win", "draw"]},
                                nullable=True,
                            ),
                            "The result for the player whose turn is next (the first who passed).",
                            "result: lose",
                            default="draw",
                            essential=True,
                        ),
                        WINNERS_KEY,
                        PAYOFF_KEY,
                        EVERYONE_KEY,
                        SCORE_KEY,
                        Key(
                            "text",
                            TEXT,
                            "Printed when all have passed in a row, instead of the text "
                            "`all_stuck`.",
                            'text: "Nobody can move."',
                            is_rule=False,
                        ),
                    ),
                    short="result",
                    excludes=ONE_RESULT,
                ),
                "When every player in a row has passed: the result for the player whose turn is "
                "next, or a mapping; a draw if left out.",
                "all: lose",
                essential=True,
            ),
        ),
        short="result",
        excludes=ONE_RESULT,
    ),
    "What happens to a player without a valid move. `stuck: lose` is short for `stuck: {result: "
    "lose}`.",
    "stuck: pass",
    essential=True,
)

PAYOFF_UNIT_KEY: Final = Key(
    "payoff unit",
    Value(
        "a whole number or a fraction, like 1/2",
        ("string", "integer"),
        {
            "pattern": "^ *[1-9][0-9]{0,5} *(/ *[1-9][0-9]{0,5} *)?$",
            "minimum": 1,
            "maximum": 999999,
        },
        nullable=True,
    ),
    "The unit in which every `payoff` is given: with `1/2` a payoff of 3 is one and a half.",
    "payoff unit: 1/2",
    values=("1/2", "1/100"),
)

END_KEY: Final = Key(
    "end",
    Entries("a mapping from names to end rules", END_RULE, Names("rule_name", "rule")),
    "How a game is won, lost or drawn, by name; the first rule whose condition holds decides.",
    "last_taken: {when: left == 0, result: win}",
    essential=True,
)
