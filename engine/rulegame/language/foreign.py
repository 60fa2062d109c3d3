"""What other languages, and people, write otherwise: signs, words, names, functions and whole
shapes, each with what is written here.

A hint that begins with `write '…'` offers what to put in place of the part that is underlined. Only
wrong files need the patterns: each is compiled when it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

from rulegame.diagnostics import MISSING, Hint, guess_instead, write_instead
from rulegame.language.types import Set, Type, element_of


class Instead(NamedTuple):
    """A stretch of an expression, and what to do about it."""

    start: int
    end: int
    hint: Hint


# ── Signs ─────────────────────────────────────────────────────────────────────────────────────────

SIGNS: Final[tuple[tuple[str, str, str], ...]] = (
    ("!==", "!=", ""),
    ("===", "==", ""),
    ("...", "..", ""),
    ("&&", "and", ""),
    ("||", "or", ""),
    ("//", "/", "division leaves out the remainder"),
    ("<>", "!=", ""),
    ("=>", ">=", ""),
    ("=<", "<=", ""),
    (":=", "==", "to compare"),
    ("=", "==", "to compare"),
    ("!", "not", ""),
    ("&", "and", "of two sets it is intersection(s, t)"),
    ("≥", ">=", ""),
    ("≤", "<=", ""),
    ("≠", "!=", ""),
    ("×", "*", ""),
    ("·", "*", ""),
    ("÷", "/", ""),
    ("−", "-", ""),
    ("–", "-", ""),
    ("—", "-", ""),
    ("…", "..", ""),
    ("∧", "and", ""),
    ("∨", "or", ""),
    ("¬", "not", ""),
    ("∈", "in", ""),
    ("∉", "not in", ""),
)
NEAR: Final = 120  # characters on either side of a mistake that are looked at
OPERAND: Final = r"(?<![\w.])(?:[A-Za-z][\w.]*(?:\([^()]*\)|\[[^\[\]]*\])?|[0-9]+|\([^()]*\))"
REMAINDER: Final = rf"({OPERAND})\s*(?:%|\bmod\b|\bmodulo\b)\s*({OPERAND})"
POWER: Final = rf"({OPERAND})\s*(?:\*\*|\^)\s*([234])(?!\d)"
ONE_MORE: Final = rf"({OPERAND})\s*(\+\+|--)"
COMPOUND: Final = rf"({OPERAND})?\s*([-+*/])=\s*(.+)$"
METHOD: Final = r"(?<![\w.])([A-Za-z]\w*)\.([A-Za-z]\w*)\(([^()]*)\)"
WITHOUT: Final = rf"({OPERAND})\s*\\\s*({OPERAND})"
BRACES: Final = r"\{([^{}:]*)\}"
MEMBER: Final = r"(?<![\w.])([A-Za-z]\w*)\.([A-Za-z]\w*)\b(?:\(\))?(?![.(])"
DENIAL: Final = rf"[!¬]\s*({OPERAND})"
CONTAINS: Final = rf"({OPERAND})\s+(?:contains|includes|has)\s+({OPERAND})"
SAME_AGAIN: Final = (
    rf"({OPERAND})\s*(?:[=!<>]=|<|>|(?:not\s+)?in\b)[^=!<>]*?\b(?:and|or)\s+"
    r"((?:[=!<>]=|<|>|(?:not\s+)?in\b))"
)
SEAT: Final = r"(?:([A-Za-z]\w*)\s+of\s+)?(?:(?:player|seat)s?\s+|(?<=of\s))([1-8])\b"
APART: Final = r"\b(my|their|after|before)\s+([A-Za-z]\w*)"
QUOTED: Final = r"[“„«‘‚”]([^“”„«»‘’‚]*)[”“»’‘]"
DICE: Final = r"\b([0-9]*)[dD]([0-9]+)\b"
NEVER: Final = r"(?!)"
# What must not stand before and behind a match: in `a * b % c` the remainder is not that of b.
TORN: Final = {
    REMAINDER: (r"(?:[*/%]|(?:^|[^\w)\]\s])\s*-)\s*$", r"\s*(?:\*\*|\^)"),
    POWER: (NEVER, r"\s*(?:\*\*|\^)"),
    CONTAINS: (r"[-+*/%]\s*$", r"\s*[-+*/%]"),
}
NEW_VALUE: Final = Hint("give the whole new value, such as x + n")
SIZES: Final = ("count", "length", "len", "size", "number")
MINE: Final = ("me", "I", "i", "self", "this", "mover", "myself", "current")
THEIRS: Final = ("them", "opponent", "other", "enemy", "they", "rival")


def sign(text: str, at: int) -> Instead | None:
    """Advice about a sign that cannot stand in an expression, or cannot stand there."""
    first = max(0, at - NEAR)
    near = text[first : at + NEAR]
    for pattern, make in AROUND:
        for found in re.finditer(pattern, near):
            if first + found.start() <= at <= first + found.end() and (hint := make(found)):
                if _is_torn(pattern, near, found):
                    hint = Hint(hint.words)
                return Instead(first + found.start(), first + found.end(), hint)
    for written, right, note in SIGNS:
        for shift in range(len(written)):
            if shift <= at and text.startswith(written, at - shift):
                return Instead(at - shift, at - shift + len(written), write_instead(right, note))
    return None


def _is_torn(pattern: str, text: str, found: re.Match[str]) -> bool:
    """Whether what stands before or behind a match binds stronger, and takes a part of it."""
    before, behind = TORN.get(pattern, (NEVER, NEVER))
    return bool(re.search(before, text[: found.start()]) or re.match(behind, text[found.end() :]))


def operand(text: str, operator: str = "*") -> str:
    """A text as it is written behind an operator: in parentheses, unless it is a single value."""
    is_sum = operator == "+" and re.fullmatch(rf"(?:{OPERAND}|[-+*/\s])+", text)
    return text if is_sum or re.fullmatch(OPERAND, text) else f"({text})"


def _member(owner: str, name: str) -> Hint:
    """`players.count`, `me.score`, `p.score`."""
    if owner in ("my", "their", "after", "before") or owner[0].isdigit():
        return Hint()
    if name in SIZES:
        return write_instead(f"size({owner})")
    if name in ("sum", "max", "min"):
        return write_instead(f"{name}({owner})")
    if owner in MINE:
        return write_instead(f"my.{name}")
    if owner in THEIRS:
        return write_instead(f"their.{name}")
    return write_instead(f"{name} of {owner}", "only my. and their. are followed by a dot")


def _method(owner: str, name: str, given: str) -> Hint:
    """`open.remove(n)`."""
    if owner in ("my", "their", "after", "before"):
        return Hint()
    arguments = [part.strip() for part in given.split(",") if part.strip()]
    return call(name, [owner, *arguments])._replace(certain=False)


def _compound(target: str | None, operator: str, rest: str) -> Hint:
    """`x -= n`."""
    if not target:
        return NEW_VALUE
    return write_instead(f"{target} {operator} {operand(rest.strip(), operator)}", "the new value")


def _power(text: str, base: str, times: int) -> Hint:
    """`x ** 2`; the `^` of `x ^ 2` is no power in many languages."""
    say = guess_instead if "^" in text else write_instead
    return say(" * ".join([base] * times), "there are no powers")


def _seat(found: re.Match[str]) -> Hint:
    """`player 1`, `score of player 1`, `score of 1`."""
    if found[1]:
        return write_instead(f"{found[1]} of (players[{found[2]}])")
    return write_instead(f"players[{found[2]}]")


def roll(sides: str, dice: int = 1, low: str = "1") -> Hint:
    """Chance in the middle of an expression."""
    names = " + ".join(f"die_{k}" for k in range(1, dice + 1)) if 1 < dice <= 4 else "die"
    rolls = ", ".join(f"{name}: {low}..{sides}" for name in names.split(" + "))
    return Hint(
        "chance has a place of its own: "
        f"roll: {{{rolls}}} in the turn or the operation; then {names} stands here"
    )


AROUND: Final[tuple[tuple[str, Callable[[re.Match[str]], Hint]], ...]] = (
    (REMAINDER, lambda m: write_instead(f"mod({m[1]}, {m[2]})", "the remainder")),
    (POWER, lambda m: _power(m[0], m[1], int(m[2]))),
    (ONE_MORE, lambda m: write_instead(f"{m[1]} {m[2][0]} 1", "the new value")),
    (COMPOUND, lambda m: _compound(m[1], m[2], m[3])),
    (METHOD, lambda m: _method(m[1], m[2], m[3])),
    (MEMBER, lambda m: _member(m[1], m[2])),
    (WITHOUT, lambda m: write_instead(f"difference({m[1]}, {m[2]})")),
    (BRACES, lambda m: write_instead(f"[{m[1].strip()}]", "numbers of a set or a list")),
    (CONTAINS, lambda m: write_instead(f"{m[2]} in {m[1]}")),
    (DENIAL, lambda m: write_instead(f"not {m[1]}")),
    (APART, lambda m: write_instead(f"{m[1]}.{m[2]}")),
    (SEAT, _seat),
    (QUOTED, lambda m: write_instead(m[1], "words have no quotation marks")),
    (DICE, lambda m: roll(m[2], int(m[1] or 1))),
)


# ── Words ─────────────────────────────────────────────────────────────────────────────────────────

WORDS: Final = (
    (r"(?:is\s+|are\s+)?(?:at\s+least|no\s+less\s+than)\b", ">=", ""),
    (r"(?:is\s+|are\s+)?(?:at\s+most|no\s+more\s+than)\b", "<=", ""),
    (r"(?:is\s+|are\s+)?(?:greater|more|larger|higher)\s+than\b", ">", ""),
    (r"(?:is\s+|are\s+)?(?:less|fewer|smaller|lower)\s+than\b", "<", ""),
    (r"(?:is|are)\s+not\s+in\b", "not in", ""),
    (r"(?:is|are)\s+in\b", "in", ""),
    (r"(?:is|are)\s+not\b|isn't\b|isnt\b|(?:does\s+)?not\s+equals?\b", "!=", ""),
    (r"(?:is|are)\s+equal\s+to\b|equals?\b|is\b|are\b|eq\b", "==", "to compare"),
    (r"(?:up\s+to|upto|to|through|until|till)\b", "..", "1..6 is from 1 to 6"),
    (r"(?:elif|elseif|elsif)\b", "else", "x if a else y if b else z"),
    (r"otherwise\b", "else", ""),
    (r"where\b|such\s+that\b", "if", ""),
    (r"times\b", "*", ""),
    (r"plus\b", "+", ""),
    (r"minus\b", "-", ""),
    (r"div\b", "/", "division leaves out the remainder"),
)
EXCLUSIVE_ENDS: Final = ("until", "till")  # to some people the last number does not belong to it
AGAIN: Final = r"(?:\band|\bor|\bnot)\s*$"
RELATIONS: Final = ("==", "!=", "<", "<=", ">", ">=", "in", "not")
NAME_AGAIN: Final = Hint("name the value again: x == 1 or x == 2, or x in [1, 2]")


def word(text: str, at: int) -> Instead | None:
    """Advice about a word that cannot stand there."""
    for pattern, right, note in WORDS:
        if found := re.compile(pattern).match(text, at):
            say = guess_instead if found[0] in EXCLUSIVE_ENDS else write_instead
            return Instead(at, found.end(), say(right, note))
    if any(text.startswith(relation, at) for relation in RELATIONS):
        for found in re.compile(SAME_AGAIN).finditer(text, max(0, at - NEAR), at + NEAR):
            if found.start(2) <= at < found.end(2):
                again = " ".join(f"{found[1]} {found[2]}".split())
                return Instead(
                    found.start(2), found.end(2), write_instead(again, "each compares anew")
                )
        if re.search(AGAIN, text[:at]):
            return Instead(at, at + 1, NAME_AGAIN)
    if text.startswith("if", at) and re.search(r"\belse\s*$", text[:at]):
        return Instead(at, at + 2, Hint("a value comes first: x if a else y if b else z"))
    return None


# ── Shapes ────────────────────────────────────────────────────────────────────────────────────────

TERNARY: Final = r"\s*([^?:]+?)\s*\?\s*([^?:]+?)\s*:\s*([^?:]+?)\s*$"
IF_THEN: Final = (
    r"(?s)\s*if\b\s*(.+?)\s*(?:\bthen\b\s*:?|:|,)\s*(.+?)"
    r"(?:\s*[,;]?\s*\b(?:else|otherwise)\b\s*:?\s*(.+?))?\s*(?:\bend(?:if)?\b)?\s*$"
)
IF_CALL: Final = r"(?i)\s*i?if\s*\(([^(),]+),([^(),]+),([^(),]+)\)\s*$"


def rewritten(text: str) -> str | None:
    """`if a then b else c`, `if(a, b, c)` and `a ? b : c` as `b if a else c`; with `…` where the
    value otherwise is missing.
    """
    if len(text) > 400:
        return None
    for pattern in (TERNARY, IF_CALL, IF_THEN):
        if found := re.match(pattern, text):
            condition, then, otherwise = (part and part.strip() for part in found.groups())
            rest = MISSING if otherwise is None else rewritten(otherwise) or otherwise
            return f"{then} if {condition} else {rest}"
    return None


# ── Names ─────────────────────────────────────────────────────────────────────────────────────────

NAMES: Final[dict[str, str]] = {
    **dict.fromkeys(("yes", "on", "True", "TRUE"), "true"),
    **dict.fromkeys(("no", "off", "False", "FALSE"), "false"),
    **dict.fromkeys(("null", "nil", "None", "NULL", "undefined", "nothing"), "none"),
    **dict.fromkeys((*MINE[1:], "current_player", "active_player", "you"), "me"),
    **dict.fromkeys((*THEIRS[1:], "other_player", "opposing_player", "adversary"), "them"),
    **dict.fromkeys(("everyone", "everybody", "all_players", "both"), "players"),
}
SEATED: Final = r"(?i)(?:player|p|seat)_?([1-8])"
SINGLE_DIE: Final = r"[dD]([0-9]+)"
CHANCE: Final = ("random", "rand", "dice", "die", "roll", "rnd", "randint", "chance")


def name(written: str, players: Sequence[str], me: bool) -> Hint:
    """Advice about a name that is not known; empty if there is none."""
    for seat, known in enumerate(players, 1):
        if known.lower() == written.lower():
            return write_instead(f"players[{seat}]", f"the seat of {known}")
    if (found := re.fullmatch(SEATED, written)) and int(found[1]) <= len(players):
        return write_instead(f"players[{found[1]}]")
    if found := re.fullmatch(SINGLE_DIE, written):
        return roll(found[1])
    if written in CHANCE:
        return roll("6")
    if written == "player" and me:
        return guess_instead(
            "me", "the player whose turn it is; players[1] is the one in the first seat"
        )
    if written == "empty":
        return Hint("a set with nothing in it is [], a value that there is not none")
    right = NAMES.get(written, "")
    if (right in ("me", "them") and not me) or (right == "them" and len(players) != 2):
        return Hint()
    say = guess_instead if written == "nothing" else write_instead
    return say(right) if right else Hint()


# ── Functions ─────────────────────────────────────────────────────────────────────────────────────

# How a function of another language is written here; {0} and {1} are its arguments.
CALLS: Final[dict[str, str]] = {
    **dict.fromkeys(("len", "length", "count", "card", "cardinality", "number"), "size({0})"),
    **dict.fromkeys(("modulo", "remainder", "rem", "fmod", "modulus"), "mod({0}, {1})"),
    **dict.fromkeys(("div", "divide", "quotient"), "({0}) / ({1})"),
    **dict.fromkeys(("contains", "includes", "member", "has", "is_in"), "{1} in {0}"),
    **dict.fromkeys(("add", "append", "insert", "include", "push"), "with({0}, {1})"),
    **dict.fromkeys(("remove", "delete", "discard", "exclude"), "without({0}, {1})"),
    **dict.fromkeys(("empty", "is_empty", "isempty"), "size({0}) == 0"),
    **dict.fromkeys(("minus", "except", "setminus", "set_difference"), "difference({0}, {1})"),
    **dict.fromkeys(("intersect", "common", "overlap"), "intersection({0}, {1})"),
    **dict.fromkeys(("merge", "unite", "join"), "union({0}, {1})"),
    **dict.fromkeys(("subset", "is_subset", "issubset"), "difference({0}, {1}) == []"),
    **dict.fromkeys(("powerset", "power_set", "all_subsets"), "subsets({0})"),
    **dict.fromkeys(("combinations", "choose", "comb"), "subsets({0}, {1})"),
    **dict.fromkeys(("concat", "concatenate", "extend", "chain"), "joined({0}, {1})"),
    **dict.fromkeys(("reverse", "backwards", "backward"), "reversed({0})"),
    **dict.fromkeys(("sort", "order", "ordered", "ascending"), "sorted({0})"),
    **dict.fromkeys(("maximum", "largest", "greatest", "highest"), "max({0})"),
    **dict.fromkeys(("minimum", "smallest", "least", "lowest"), "min({0})"),
    **dict.fromkeys(("total", "add_up"), "sum({0})"),
    **dict.fromkeys(("average", "mean", "avg"), "sum({0}) / size({0})"),
    **dict.fromkeys(("opponent", "other", "opponent_of"), "next({0})"),
    **dict.fromkeys(("player",), "players[{0}]"),
}
WHOLE: Final = ("floor", "int", "trunc", "round", "ceil", "number", "integer")
ROUNDED: Final = ("round", "ceil", "number")  # which is not what division does
# Functions whose place here is taken by something that is the same only in some games.
ABOUT: Final = ("average", "mean", "avg", "opponent", "other", "opponent_of")
LOOPING: Final = {
    **dict.fromkeys(("forall", "every", "all_of", "for_all"), "all"),
    **dict.fromkeys(("exists", "some", "any_of", "exist"), "any"),
    **dict.fromkeys(("total",), "sum"),
    **dict.fromkeys(("len", "length", "number", "size"), "count"),
    **dict.fromkeys(("maximum",), "max"),
    **dict.fromkeys(("minimum",), "min"),
    **dict.fromkeys(("filter", "select", "collect", "array"), "list"),
}
RANGES: Final = ("interval", "between", "seq", "irange")
CARDS: Final = ("draw", "deal", "pop", "draw_card", "deal_card", "take", "pick")
SHUFFLED: Final = ("shuffle", "shuffled", "permutation", "permute", "shuffle_deck", "scramble")
FIXED_LENGTH: Final = (
    "a stored list has a fixed length: write to one of its elements, and count in another value "
    "how many are used"
)
RANDOM: Final = (*CHANCE, "randrange", "random_int", "randomint", "choice", "sample", "d")


def _one_less(end: str) -> str:
    """The last number of a range whose end does not belong to it."""
    if re.fullmatch(r"[0-9]{1,18}", end):
        return str(int(end) - 1)
    found = re.fullmatch(r"(.*\w)\s*\+\s*1", end)
    return found[1] if found else f"{operand(end)} - 1"


def call(function: str, arguments: Sequence[str], loop: str = "") -> Hint:
    """Advice about a call of a function that is not known; `loop` is what stands in its
    parentheses, if that is a loop. Empty if there is none.
    """
    if loop:
        return write_instead(f"{LOOPING[function]}({loop})") if function in LOOPING else Hint()
    if function == "range" and len(arguments) in (1, 2):
        low, end = arguments if len(arguments) == 2 else ("0", arguments[0])
        return guess_instead(f"{low}..{_one_less(end)}", "both ends of a range belong to it")
    if function in RANGES and len(arguments) in (1, 2):
        low, high = arguments if len(arguments) == 2 else ("1", arguments[0])
        return guess_instead(f"{low}..{high}", "both ends belong to it")
    if function in RANDOM:
        if len(arguments) == 2:
            return roll(arguments[1], low=arguments[0])
        return roll(arguments[0] if arguments else "6")
    if function in WHOLE and len(arguments) == 1:
        say = guess_instead if function in ROUNDED else write_instead
        return say(arguments[0], "numbers are whole, and division leaves out the remainder")
    if function == "set":
        return write_instead(f"[{', '.join(arguments)}]", "numbers, for a set")
    if function in ("pow", "power") and len(arguments) == 2 and arguments[1] in ("2", "3", "4"):
        return write_instead(
            " * ".join([operand(arguments[0])] * int(arguments[1])), "there are no powers"
        )
    pattern = CALLS.get(function)
    needed = 0 if pattern is None else 1 + ("{1}" in pattern)
    if pattern is None or len(arguments) != needed:
        return Hint()
    return (guess_instead if function in ABOUT else write_instead)(pattern.format(*arguments))


def call_of_list(function: str, first: str, given: Type) -> Hint:
    """Advice about the call of a function that is not known, where its first argument is a list or
    a set; empty if that makes no difference.
    """
    if element_of(given) is None:
        return Hint()
    if function in (*RANDOM, *CARDS):
        return Hint(
            f"chance has a place of its own: roll: {{card: {first}}} in the turn or the operation; "
            "then card stands here. Take it out of a set with without(…, card)"
        )
    if function in SHUFFLED:
        return Hint(
            "nothing is shuffled: keep the cards in a set, and roll which of them comes next: "
            "roll: {card: deck}, effects: {deck: without(deck, card)}"
        )
    grows = function in ("append", "push", "add", "insert", "prepend")
    return Hint(FIXED_LENGTH) if grows and not isinstance(given, Set) else Hint()


def of(function: str, owner: str) -> Hint:
    """`max of scores`, `number of cards`: advice where a function is written like a value."""
    right = {**dict.fromkeys(SIZES, "size"), "total": "sum", "sum": "sum"}.get(function, function)
    return write_instead(f"{right}({owner})")


# ── Results ───────────────────────────────────────────────────────────────────────────────────────

WINS: Final = r"wins?|won|winner|victory|victorious|winning"
LOSES: Final = r"loses?|lost|loss|loser|defeat|defeated|losing|looses?"
NOBODY: Final = (
    r"(?:nobody|no[ _-]?one|neither|no winner|nothing|none|tie|tied|drawn?|stalemate|remis|even|"
    r"it is a draw|a draw|null)(?: (?:game|match|wins?|won|loses?|player))*"
)
ALL: Final = rf"(?:all|everyone|everybody|both|players)(?: (?:{WINS}|{LOSES}|players|of them))*"
SELF: Final = (
    rf"(?:(?:me|i|self|mover|the mover|you|my|(?:the )?(?:current|active|moving) player|true)\b)? ?"
    rf"(?:({WINS})|({LOSES}))?(?: (?:for me|the game))?"
)
OTHER: Final = (
    rf"(?:them|they|(?:the )?opponent|(?:the )?other(?: player)?|false)\b ?(?:({WINS})|({LOSES}))?"
)
ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
SEATS: Final = (
    rf"(?:(?:player|seat|p) ?_?([1-8])|players\[([1-8])\]|([1-8])|({'|'.join(ORDINALS)}) player)"
    rf" ?(?:({WINS})|({LOSES}))?"
)
MOST: Final = (
    r"(?:the )?(highest|most|greatest|largest|best|lowest|least|fewest|smallest) (\w+)"
    rf"(?: (?:{WINS}))?"
)


class Result(NamedTuple):
    """A result as the language says it: under the key `result`, or under another in its place."""

    value: str
    key: Literal["result", "winners", "everyone", "score"] = "result"

    def __str__(self) -> str:
        return self.value if self.key == "result" else f"{self.key}: {self.value}"


def result(text: str, players: Sequence[str]) -> Result | None:
    """The result that somebody means by a sentence; None if it cannot be told."""
    said = " ".join(text.lower().split()).rstrip(".!")
    if len(said) > 60 or not said:
        return None
    if re.fullmatch(NOBODY, said):
        return Result("draw")
    if re.fullmatch(ALL, said):
        return Result("lose" if re.search(rf"\b(?:{LOSES})\b", said) else "win", "everyone")
    if found := re.fullmatch(MOST, said):
        pick = "min" if found[1] in ("lowest", "least", "fewest", "smallest") else "max"
        best = f"list(p for p in players if {found[2]} of p == {pick}({found[2]}))"
        return Result(best, "winners")
    seat, lost = _seat_of(said, players)
    if seat:
        if not lost:
            return Result(f"players[{seat}]", "winners")
        if len(players) == 2:
            return Result(f"players[{3 - seat}]", "winners")
        return Result(f"list(p for p in players if p != players[{seat}])", "winners")
    if found := re.fullmatch(SELF, said):
        return Result("lose" if found[2] else "win")
    if (found := re.fullmatch(OTHER, said)) and len(players) == 2:
        return Result("win" if found[2] else "lose")
    return None


def is_of_all(text: str) -> bool:
    """Whether a result in words is about every player."""
    return re.fullmatch(ALL, text.lower()) is not None


def is_vague(text: str) -> bool:
    """Whether a result in words may be read otherwise: who has won if `true`, or `all`?"""
    said = text.lower().strip()
    return said in ("true", "false", "none", "nothing", "null") or is_of_all(said)


def _seat_of(said: str, players: Sequence[str]) -> tuple[int, bool]:
    """The seat that a sentence is about, 0 if there is none, and whether it loses."""
    for k, name_ in enumerate(players, 1):
        if found := re.fullmatch(rf"{re.escape(name_.lower())}(?: (?:({WINS})|({LOSES})))?", said):
            return k, bool(found[2])
    found = re.fullmatch(SEATS, said)
    if found is None:
        return 0, False
    digits = found[1] or found[2] or found[3]
    seat = int(digits) if digits else ORDINALS.index(found[4]) + 1
    return (seat if seat <= len(players) else 0), bool(found[6])
