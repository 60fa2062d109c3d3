"""The registry of error codes: every code with its title, its group and its page in docs/errors/.

`rulegame explain`, SARIF reports, the index docs/errors/README.md and the tests read it. A code
keeps its meaning from version to version: a code that nothing reports any more gets `retired=True`
and stays here, so that it is never used again. A number that is missing was never a code.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Group(NamedTuple):
    """The codes of one stage. Problems of one stage hide those of the later ones."""

    name: str
    title: str
    stage: int


FILE: Final = Group("E1xx", "the file itself", 0)
STRUCTURE: Final = Group("E2xx", "the structure of a ruleset, and variants", 1)
EXPRESSIONS: Final = Group("E3xx", "expressions", 2)
RULES: Final = Group("E4xx", "the rules as a whole, settings and texts", 2)
TESTS: Final = Group("E42x", "tests inside rulesets", 3)
PLAY: Final = Group("E5xx", "errors that appear only during play", 2)
GROUPS: Final = (FILE, STRUCTURE, EXPRESSIONS, RULES, TESTS, PLAY)


class Code(NamedTuple):
    """One code. `without_values` is the message for people who may not see every value; it is given
    where the message itself can hold one. `by_indentation` tells that a line which is indented
    wrongly can cause it.
    """

    code: str
    group: Group
    title: str
    without_values: str = ""
    by_indentation: bool = False
    retired: bool = False

    @property
    def page(self) -> str:
        """The name of its page in docs/errors/."""
        return f"{self.code}.md"


_ROWS: Final = (
    Code("E101", FILE, "the file cannot be read"),
    Code("E102", FILE, "the file is too large"),
    Code("E103", FILE, "the file is not UTF-8"),
    Code("E104", FILE, "not valid YAML", by_indentation=True),
    Code("E105", FILE, "duplicate key", by_indentation=True),
    Code("E106", FILE, "undefined alias"),
    Code("E107", FILE, "a tag"),
    Code("E108", FILE, "a second document"),
    Code("E109", FILE, "nested too deep"),
    Code("E110", FILE, "an empty file"),
    Code("E111", FILE, "an invisible character"),
    Code("E112", FILE, "a number that does not fit"),
    Code("E113", FILE, "a key that is not text"),
    Code("E114", FILE, "too many keys and values"),
    Code("E201", STRUCTURE, "a key that does not belong here", by_indentation=True),
    Code("E202", STRUCTURE, "something is missing", by_indentation=True),
    Code("E203", STRUCTURE, "a value of the wrong kind", by_indentation=True),
    Code("E204", STRUCTURE, "a value that is not allowed"),
    Code("E205", STRUCTURE, "YAML splits an expression", by_indentation=True),
    Code("E206", STRUCTURE, "not a name"),
    Code("E207", STRUCTURE, "another version of the language"),
    Code("E210", STRUCTURE, "the parent does not exist"),
    Code("E211", STRUCTURE, "rulesets that extend each other"),
    Code("E212", STRUCTURE, "the parent is outside the folder"),
    Code("E213", STRUCTURE, "`before` names an unknown entry"),
    Code("E214", STRUCTURE, "too many parents"),
    Code("E215", STRUCTURE, "nothing to remove"),
    Code("E216", STRUCTURE, "a key that became part of a text"),
    Code("E301", EXPRESSIONS, "not an expression"),
    Code("E302", EXPRESSIONS, "unknown name"),
    Code("E303", EXPRESSIONS, "a value of the wrong type"),
    Code("E304", EXPRESSIONS, "wrong arguments"),
    Code("E305", EXPRESSIONS, "unknown function"),
    Code("E306", EXPRESSIONS, "this may be none"),
    Code("E307", EXPRESSIONS, "not available here"),
    Code("E308", EXPRESSIONS, "division by zero"),
    Code("E309", EXPRESSIONS, "an index that is always out of range"),
    Code("E310", EXPRESSIONS, "a definition that uses itself"),
    Code("E311", EXPRESSIONS, "too large"),
    Code("E312", EXPRESSIONS, "a name that is taken"),
    Code("E401", RULES, "a default that is not allowed"),
    Code("E402", RULES, "a parameter value that is not allowed"),
    Code("E403", RULES, "unknown parameter or operation"),
    Code("E404", RULES, "set twice"),
    Code("E405", RULES, "no operation is enabled"),
    Code("E406", RULES, "no winner is named"),
    Code("E407", RULES, "a size that is not allowed"),
    Code("E408", RULES, "a set must be chosen last"),
    Code("E409", RULES, "nothing to roll"),
    Code("E410", RULES, "after. depends on a roll"),
    Code("E411", RULES, "a text with wrong braces"),
    Code("E412", RULES, "an unused parameter"),
    Code("E413", RULES, "a symmetry that the state cannot have"),
    Code("E420", TESTS, "not a move"),
    Code("E421", TESTS, "a test names something unknown"),
    Code("E422", TESTS, "a test gives a value of the wrong type"),
    Code("E425", RULES, "a secret that everyone sees"),
    Code("E428", RULES, "winners are always all players"),
    Code("E430", RULES, "a roll that its step does not use"),
    Code("E431", RULES, "a choice without a player"),
    Code("E432", RULES, "a roll without an owner"),
    Code("E433", RULES, "a duplicate player in `for`"),
    Code("E434", RULES, "a setup entry without a choice"),
    Code("E435", RULES, "a hidden roll in a visible value"),
    Code("E440", RULES, "no player to move"),
    Code("E441", RULES, "not in this kind of turn"),
    Code("E442", RULES, "nobody chooses"),
    Code("E443", RULES, "not in a simultaneous turn"),
    Code("E444", RULES, "a roll in a simultaneous choice"),
    Code("E445", RULES, "'result: win' in a simultaneous turn"),
    Code("E446", RULES, "all players set one value"),
    Code("E447", RULES, "`next` after a pass"),
    Code("E450", RULES, "not a board"),
    Code("E451", RULES, "'connected' needs cells"),
    Code("E452", RULES, "a cell of another board"),
    Code("E453", RULES, "not a valid board drawing"),
    Code("E454", RULES, "a drawing without symbols"),
    Code("E455", RULES, "a value that cannot be shown like that"),
    Code("E456", RULES, "wrong names for cells"),
    Code("E460", RULES, "a payoff unit without payoffs"),
    Code("E461", RULES, "a board as a value of a move"),
    Code("E462", RULES, "wrong use of `let`"),
    Code("E470", RULES, "a set too wide to choose"),
    Code("E471", RULES, "a compulsory rule reads a hidden value"),
    Code("E472", RULES, "a compulsory rule without effect"),
    Code("E473", RULES, "wrong use of `can_move`"),
    Code("E474", RULES, "wrong use of `repetitions`"),
    Code("E475", RULES, "a symmetry where positions are counted"),
    Code("E480", RULES, "not valid values for claims"),
    Code("E490", RULES, "payoffs that are always equal"),
    Code(
        "E501",
        PLAY,
        "a number became too large",
        without_values="a number does not fit in 64 bits",
    ),
    Code("E502", PLAY, "an index outside the list", without_values="an index is outside its range"),
    Code("E503", PLAY, "division by zero in play", without_values="a division by zero"),
    Code("E504", PLAY, "min or max of an empty collection"),
    Code("E505", PLAY, "set twice in play"),
    Code(
        "E506",
        PLAY,
        "it takes too long in play",
        without_values="this takes too long to compute",
    ),
    Code("E507", PLAY, "nothing to roll in play", without_values="there is nothing to roll here"),
    Code("E508", PLAY, "a number outside a set", without_values="a number cannot be in this set"),
    Code("E509", PLAY, "no choice before the first turn"),
    Code(
        "E510",
        PLAY,
        "a choice outside its range",
        without_values="a choice is outside its declared range",
    ),
    Code("E511", PLAY, "a symmetry that does not hold"),
    Code("E535", PLAY, "two players set one value"),
    Code("E536", PLAY, "nobody chooses in a turn"),
    Code(
        "E540",
        PLAY,
        "a number outside its declared range",
        without_values="a number is outside its declared range",
    ),
)

CODES: Final = {row.code: row for row in _ROWS}

# The codes that the engine itself asks for.
NOT_YAML: Final = "E104"
BAD_ALIAS: Final = "E106"
TAG: Final = "E107"
INVISIBLE_CHARACTER: Final = "E111"
TOO_MANY_NODES: Final = "E114"
UNKNOWN_KEY: Final = "E201"
WRONG_KIND: Final = "E203"
SPLIT_EXPRESSION: Final = "E205"
WRONG_TYPE: Final = "E303"
VALUE_REFUSED: Final = "E402"
DIVISION_BY_ZERO: Final = "E503"
