"""Text to syntax tree, by the Lark grammar beside this file; what Lark says of an error is put
into our own words.
"""

from __future__ import annotations

import re
import sys
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, cast

from rulegame.diagnostics import (
    MISSING,
    Diagnostic,
    Hint,
    Passage,
    Suggestion,
    candidates,
    did_you_mean,
    meant,
    write_instead,
)
from rulegame.edits import written
from rulegame.files.cache import load_entry, store_entry
from rulegame.language import syntax
from rulegame.language.syntax import Expression, Place, Target, TypeName
from rulegame.limits import LIMITS

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

    Branch = Tree[Token]

Start = Literal["expression", "target", "type"]

SPELLING: dict[str, str] = {
    "ASSIGN": "=",
    "EQUALS": "==",
    "DIFFERS": "!=",
    "AT_MOST": "<=",
    "AT_LEAST": ">=",
    "LESS": "<",
    "MORE": ">",
    "RANGE": "..",
    "DOT": ".",
    "PLUS": "+",
    "MINUS": "-",
    "TIMES": "*",
    "DIVIDE": "/",
    "OPEN": "(",
    "CLOSE": ")",
    "OPEN_INDEX": "[",
    "CLOSE_INDEX": "]",
    "COMMA": ",",
    "BAR": "|",
    "NOTHING": "none",
}

INSTEAD: tuple[tuple[str, str], ...] = (
    ("^", "write x * x: there are no powers"),
    ("**", "write x * x: there are no powers"),
    ("%", "write mod(a, b) for the remainder"),
    ("?", "write 'x if condition else y'"),
    (".", "a dot follows only 'my', 'their', 'after' and 'before'; numbers are whole"),
    ("{", "braces are only for texts"),
    (";", "expected one expression here"),
)
NO_ELSE = "'if' needs 'else': x if condition else y"


RESERVED_WORDS = frozenset(
    ("after", "and", "before", "else", "false", "for", "if", "in", "my", "none", "not", "of", "or",
     "their", "true")
)  # every word that is a terminal of the grammar  # fmt: skip
KEYWORDS = frozenset(["AND", "ELSE", "FOR", "IF", "IN", "NOT", "OF", "OR"])
KEPT = 200  # characters of an expression whose tree is kept
_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_PREFIX = re.compile(r"([A-Za-z][A-Za-z0-9_]*)\s*$")
_TAG = r"\s*(?:(?:if|elif)\b|for\s+\w+\s+in\b)"  # compiled when they are needed
_SINGLE = r"[\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?|\([^()]*\)"


class SyntaxProblem(Exception):
    """The text is not an expression; carries the diagnostic."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def parse_expression(passage: Passage) -> Expression:
    """The expression that a whole passage is."""
    return parse_text(passage, 0, len(passage.text))


def parse_text(passage: Passage, start: int, end: int) -> Expression:
    """The expression in a stretch of a passage."""
    text = passage.text[start:end]
    if text.isidentifier() and _PLAIN_NAME.fullmatch(text) and text not in RESERVED_WORDS:
        return syntax.Name(Place(passage, start, end), text)  # most are: this spares the parser
    return _TreeReader(passage, start).expression(_parse(passage, start, end, "expression"))


def parse_target(passage: Passage) -> Target:
    """What an effect writes to, from the key of the effect."""
    return _TreeReader(passage, 0).target(_parse(passage, 0, len(passage.text), "target"))


def parse_type(passage: Passage) -> TypeName:
    """A declared type."""
    return _TreeReader(passage, 0).type(_parse(passage, 0, len(passage.text), "type"))


@cache
def _parser() -> Lark:
    """From the tables that an earlier call has kept, which takes a tenth of the time, or made."""
    import lark

    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    key = f"{grammar}\n{lark.__version__}\n{sys.version}".encode()
    tables = load_entry("grammar", key)
    if tables is not None:
        return lark.Lark.load(BytesIO(tables))
    made = lark.Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start=["expression", "target", "type"],
        maybe_placeholders=False,
    )
    file = BytesIO()
    made.save(file)
    store_entry("grammar", key, file.getvalue())
    return made


def _tree(text: str, goal: Start) -> Branch:
    """Lark's tree; many expressions of a ruleset are the same, and tests build it again. Long ones,
    whose trees are large, are not kept.
    """
    return _kept_tree(text, goal) if len(text) <= KEPT else _parser().parse(text, start=goal)


@lru_cache(maxsize=1024)
def _kept_tree(text: str, goal: Start) -> Branch:
    return _parser().parse(text, start=goal)


def _parse(passage: Passage, start: int, end: int, goal: Start) -> Branch:
    from lark.exceptions import UnexpectedInput

    text = passage.text[start:end]
    if len(text) > LIMITS.expression_length:
        raise SyntaxProblem(
            Diagnostic(
                "E311",
                f"this expression is longer than {LIMITS.expression_length} characters",
                passage.at(start, start + 20),
                "name parts of it under 'define'",
            )
        )
    if not text.strip():
        raise SyntaxProblem(
            Diagnostic("E301", "an expression is missing here", passage.at(start, end))
        )
    try:
        tree = _tree(text, goal)
    except UnexpectedInput as problem:
        raise SyntaxProblem(_explain(problem, passage, start, text, goal)) from None
    _check_depth(tree, passage, start)
    return tree


def _check_depth(tree: Branch, passage: Passage, start: int) -> None:
    """Refuse what later stages, which are recursive, could not walk through."""
    pending = [(tree, 1)]
    while pending:
        branch, depth = pending.pop()
        if depth > LIMITS.expression_depth:
            at = start + _extent(branch)[0]
            raise SyntaxProblem(
                Diagnostic(
                    "E311",
                    f"this expression is nested deeper than {LIMITS.expression_depth} levels",
                    passage.at(at, at + 1),
                    "name parts of it under 'define'",
                )
            )
        pending += [(child, depth + 1) for child in branch.children if not isinstance(child, str)]


def _explain(
    problem: UnexpectedInput, passage: Passage, start: int, text: str, goal: Start
) -> Diagnostic:
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

    at = problem.pos_in_stream
    if at is None or at < 0:
        at = len(text)
    ended = isinstance(problem, UnexpectedEOF)
    found = text[at : at + 1]
    if isinstance(problem, UnexpectedToken):
        ended = ended or problem.token.type == "$END"
        found = str(problem.token)
    expected = sorted(_expected(problem))
    if (other := _as_here(text)) is not None:
        message = "'if' stands between its two values here"
        return _wrong(message, Place(passage, start, start + len(text)), other)
    if (assigned := _assigned(text, at)) is not None:
        at, found = assigned, "="
    elif ended:
        return _too_early(passage, start, text, expected, goal)
    if found == "." and (prefix := _PREFIX.search(text, 0, at)):
        close = candidates(prefix[1], ("my", "their", "after", "before"))
        if close:
            message, hint = f"there is no '{prefix[1]}.'", meant(*(f"{word}." for word in close))
            return _wrong(message, Place(passage, start + prefix.start(1), start + at + 1), hint)
    from rulegame.language import foreign

    named = isinstance(problem, UnexpectedToken) and problem.token.type == "NAME"
    instead = foreign.word(text, at) or foreign.sign(text, at)
    hint = Hint()
    if isinstance(problem, UnexpectedCharacters) and found in "\"'":
        instead, hint = None, Hint("this quotation mark is not closed")
    elif instead is not None:
        hint = instead.hint
    else:
        words = [SPELLING.get(t, t.lower()) for t in expected if named and t in KEYWORDS]
        if close := candidates(found, words):
            hint = meant(*close)
        else:
            hint = Hint(next((say for sign, say in INSTEAD if text.startswith(sign, at)), ""))
    if found == ")" and not hint and _is_unvalued(text, at):
        hint = Hint("the last part of 'let' is its value: let(x = a + b, x * x)")
    begin, end = (instead.start, instead.end) if instead else (at, at + max(1, len(found)))
    shown = " ".join(text[begin:end].split())
    message = f"unexpected '{shown if len(shown) <= 30 else found}' in this expression"
    hint = _helping(hint, text, begin, end, goal) or Hint(_list_expected(expected))
    return _wrong(message, Place(passage, start + begin, start + end), hint)


def _is_unvalued(text: str, at: int) -> bool:
    """Whether the call that a parenthesis closes is a `let` that ends with a name."""
    return re.search(r"\blet\s*\([^()]*=[^()=,]*$", text[:at]) is not None


def _assigned(text: str, at: int) -> int | None:
    """Where '=' stands before a problem as if '==' were meant: not behind a name of a `let`."""
    for found in re.finditer(r"(?<![=!<>])=(?!=)", text[: at + 1]):
        before, depth = text[: found.start()], 0
        for place in range(len(before) - 1, -1, -1):
            depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(before[place], 0)
            if depth < 0:
                if not re.search(r"\blet\s*$", before[:place]):
                    return found.start()
                break
        else:
            return found.start()
    return None


def _helping(hint: Hint, text: str, start: int, end: int, goal: Start) -> Hint:
    """A hint that offers only what lets more of the expression be read than before."""

    def helps(right: str) -> bool:
        from lark.exceptions import UnexpectedInput, UnexpectedToken

        before = text[:start] + _fitted(text, start, end, right)
        try:
            _tree(before + text[end:], goal)
        except UnexpectedInput as problem:
            at_end = isinstance(problem, UnexpectedToken) and problem.token.type == "$END"
            return at_end or (problem.pos_in_stream or 0) >= len(before)
        return True

    return hint._replace(offers=tuple(right for right in hint.offers if helps(right)))


def advise(place: Place, hint: Hint | str) -> tuple[Suggestion, ...]:
    """What a hint offers in place of an expression, or of a part of one."""
    if isinstance(hint, str):
        return ()
    passage, start, end = place
    end = start + len(passage.text[start : None if end < 0 else end].rstrip())
    return tuple(
        Suggestion(right, written(passage, start, end, fitted), hint.certain)
        for right in hint.offers
        for fitted in (_fitted(passage.text, start, end, right),)
    )


def _fitted(text: str, start: int, end: int, right: str) -> str:
    """What is put in place of a stretch of an expression, with parentheses or blanks where it would
    not stay what it is without them.
    """
    if _is_torn(*_around(text, start, end), right):
        right = f"({right})"
    left = " " if re.search(r"\w$", text[:start]) and re.match(r"\w", right) else ""
    return left + right + (" " if re.match(r"\w", text[end:]) and re.search(r"\w$", right) else "")


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and behind a stretch in its expression; in a text that is what braces
    hold.
    """
    first = text.rfind("{", 0, start) + 1
    if not first:
        return text[:start], text[end:]
    tag = re.match(_TAG, text[first:start])
    before = text[first:start][tag.end() if tag else 0 :]
    return before, text[end:].partition("}")[0]


def _is_torn(before: str, behind: str, right: str) -> bool:
    """Whether a value has to be put in parentheses to stay one between what stands around it."""
    if re.fullmatch(_SINGLE, right) or not (before + behind).strip():
        return False
    if len(right) <= KEPT and _shape(right) is None:
        return False  # an operator
    bare, safe = (_shape(before + one + behind) for one in (right, f"({right})"))
    return bare is None or bare != safe


def _shape(text: str) -> object:
    """An expression without its parentheses, to tell whether they make a difference; None if it is
    none, or a long one.
    """
    from lark.exceptions import UnexpectedInput

    def bare(branch: Branch | Token) -> object:
        if isinstance(branch, str):
            return str(branch)
        if branch.data == "group":
            return bare(branch.children[1])
        return (branch.data, *map(bare, branch.children))

    try:
        return bare(_tree(text, "expression")) if len(text) <= KEPT else None
    except UnexpectedInput:
        return None


def _wrong(message: str, place: Place, hint: Hint) -> Diagnostic:
    return Diagnostic("E301", message, place.span, str(hint), suggestions=advise(place, hint))


def _too_early(
    passage: Passage, start: int, text: str, expected: list[str], goal: Start
) -> Diagnostic:
    end = start + len(text)
    missing = ""
    if "CLOSE" in expected and text.count("(") > text.count(")"):
        missing = "a closing ')'"
    elif "CLOSE_INDEX" in expected:
        missing = "a closing ']'"
    if missing:
        message = f"the expression ends too early: expected {missing}"
        return Diagnostic("E301", message, passage.at(end, end + 1))
    from rulegame.language import foreign

    instead = foreign.sign(text, len(text.rstrip()))
    if instead is not None:
        message = f"unexpected '{text[instead.start : instead.end].strip()}' in this expression"
        place = Place(passage, start + instead.start, start + instead.end)
        helping = _helping(instead.hint, text, instead.start, instead.end, goal)
        return _wrong(message, place, helping)
    hint = NO_ELSE if "ELSE" in expected else _list_expected(expected)
    return Diagnostic("E301", "the expression ends too early", passage.at(end, end + 1), hint)


def _as_here(text: str) -> Hint | None:
    """A hint with the whole of an `if` that is written as elsewhere."""
    from lark.exceptions import UnexpectedInput

    from rulegame.language import foreign

    right = foreign.rewritten(text)
    if right is None:
        return None
    try:
        _tree(right.replace(MISSING, "none"), "expression")
    except UnexpectedInput:
        return Hint("write x if condition else y")
    note = "'else' is missing" if MISSING in right else ""
    return write_instead(right, note)


def _expected(problem: UnexpectedInput) -> set[str]:
    found = getattr(problem, "accepts", None) or getattr(problem, "expected", None)
    return set(found or getattr(problem, "allowed", None) or ())


def _list_expected(terminals: list[str]) -> str:
    starts = {"NAME", "NUMBER", "OPEN", "MY"}
    if starts <= set(terminals):
        return "expected a value: a name, a number, or '('"
    words = [
        f"'{SPELLING.get(t, t.lower())}'"
        for t in terminals
        if t not in ("$END", "NAME", "TEXT", "NUMBER")
    ]
    if "NAME" in terminals:
        words.insert(0, "a name")
    return (
        f"expected {', '.join(words)}" if 0 < len(words) <= 6 else "expected an operator or the end"
    )


# Types in which a cell is not the first word: the words that must stand there, in order.
OF_CELLS: Final = {
    "optional_cell_type": ("optional", "cell"),
    "collection_of_cells": ("list grid", "cell"),
    "collection_of_optional_cells": ("list grid", "optional", "cell"),
}


class _TreeReader:
    """Turns Lark's tree into the syntax tree; offsets become places in the passage."""

    def __init__(self, passage: Passage, offset: int) -> None:
        self._passage = passage
        self._offset = offset

    def _place(self, branch: Branch) -> Place:
        start, end = _extent(branch)
        return Place(self._passage, self._offset + start, self._offset + end)

    def expression(self, tree: Branch) -> Expression:
        return self._read(cast("Branch", tree.children[0]))

    def target(self, tree: Branch) -> Target:
        first, *loops = _branches(tree)
        indices: tuple[Expression, ...] = ()
        if first.data == "indexed":
            first, *inner = _branches(first)
            indices = tuple(self._read(branch) for branch in inner)
        to = self._read(first)
        assert isinstance(to, (syntax.Name, syntax.Owned, syntax.OfPlayer))
        place = self._place(tree)
        if tree.data == "target_if":
            return Target(place, to, indices, (self._once_if(place, self._read(loops[0])),))
        return Target(place, to, indices, tuple(self._loop(branch) for branch in loops))

    def _once_if(self, place: Place, condition: Expression) -> syntax.Loop:
        """A condition without a loop: a loop over one element, which has no name."""
        once = syntax.ListLiteral(place, (syntax.Number(place, 1),))
        return syntax.Loop(place, "", once, condition)

    def type(self, tree: Branch) -> TypeName:
        place = self._place(tree)
        collection = ""
        if tree.data in OF_CELLS or (tree.data == "collection_type" and _is_cell(tree)):
            return self._cell_type(tree)
        if tree.data != "type":
            of = ("set",) if tree.data == "set_type" else ("list", "grid", "set")
            collection = self._word(tree, of)
        if tree.data == "set_type":
            low, high = (self._read(branch) for branch in _branches(tree))
            return TypeName(place, collection, False, (), low, high)
        inner = _branches(tree)[0]
        optional = inner.data == "optional"
        if optional:
            self._word(inner, ("optional",))
            inner = _branches(inner)[0]
        return TypeName(place, collection, optional, tuple(map(str, _tokens(inner, "NAME"))))

    def _cell_type(self, tree: Branch) -> TypeName:
        """`cell of board`, `optional cell of board`, `list of cell of board`."""
        words = _tokens(tree, "NAME")
        if tree.data == "collection_type":
            board = str(_tokens(_branches(tree)[0], "NAME")[0])
        else:
            board = str(words.pop())
        expected = OF_CELLS.get(tree.data, ("cell",))
        for k, allowed in enumerate(expected):
            self._word(tree, tuple(allowed.split()), k)
        collection = str(words[0]) if expected[0] == "list grid" else ""
        return TypeName(self._place(tree), collection, "optional" in expected, (), board=board)

    def _word(self, tree: Branch, allowed: tuple[str, ...], at: int = 0) -> str:
        """The first word of a type (or a later one), which must be one of these."""
        token = _tokens(tree, "NAME")[at]
        if token in allowed:
            return str(token)
        start = self._offset + (token.start_pos or 0)
        hint = did_you_mean(str(token), ("list", "grid", "set", "optional", "cell"))
        message = f"unexpected '{token}' in this type"
        raise SyntaxProblem(_wrong(message, Place(self._passage, start, start + len(token)), hint))

    def _read(self, tree: Branch) -> Expression:
        place = self._place(tree)
        children = _branches(tree)
        match tree.data:
            case "words":
                return syntax.WordsOf(place, tuple(map(str, _tokens(tree, "NAME"))))
            case "number":
                return self._number(tree, place)
            case "truth":
                return syntax.Truth(place, str(tree.children[0]) == "true")
            case "nothing":
                return syntax.NoneLiteral(place)
            case "text":
                return syntax.TextLiteral(place, str(tree.children[0])[1:-1])
            case "group":
                return self._read(children[0])
            case "list":
                return syntax.ListLiteral(place, tuple(self._read(c) for c in children))
            case "name" | "owned" | "of_player" | "call":
                return self._named(tree, place)
            case "let":
                return self._let(tree, place)
            case "indexed":
                base, *indices = (self._read(c) for c in children)
                return syntax.Element(place, base, tuple(indices))
            case "minus":
                return syntax.Minus(place, self._read(children[0]))
            case "negation":
                return syntax.Not(place, self._read(children[0]))
            case "sum" | "product":
                return self._arithmetic(tree, place)
            case "range":
                low, high = (self._read(c) for c in children)
                return syntax.Range(place, low, high)
            case "comparison":
                operands = tuple(self._read(c) for c in children if c.data != "relation")
                relations = tuple(
                    " ".join(str(t) for t in c.children) for c in children if c.data == "relation"
                )
                return syntax.Compare(place, operands, relations)
            case "conjunction":
                return syntax.BoolOp(place, "and", tuple(self._read(c) for c in children))
            case "disjunction":
                return syntax.BoolOp(place, "or", tuple(self._read(c) for c in children))
            case "conditional":
                then, condition, otherwise = (self._read(c) for c in children)
                return syntax.IfElse(place, condition, then, otherwise)
        raise AssertionError(f"the grammar has a rule without a reader: {tree.data}")

    def _number(self, tree: Branch, place: Place) -> Expression:
        digits = str(tree.children[0])
        if len(digits) > 19 or int(digits) > LIMITS.integer:
            raise SyntaxProblem(
                Diagnostic("E112", "this number does not fit in 64 bits", place.span)
            )
        return syntax.Number(place, int(digits))

    def _named(self, tree: Branch, place: Place) -> Expression:
        era: syntax.Era = "now"
        whose: syntax.Whose = "my"
        rest: list[Branch] = []
        for child in _branches(tree):
            if child.data == "era":
                era = "after" if str(child.children[0]) == "after" else "before"
            elif child.data == "whose":
                whose = "my" if str(child.children[0]) == "my" else "their"
            else:
                rest.append(child)
        name = str(_tokens(tree, "NAME")[0])
        if tree.data == "name":
            return syntax.Name(place, name, era)
        if tree.data == "owned":
            return syntax.Owned(place, whose, name, era)
        if tree.data == "of_player":
            return syntax.OfPlayer(place, name, self._read(rest[0]), era)
        if not rest:
            return syntax.Call(place, name, (), (), era)
        if rest[0].data == "generator":
            body, *loops = _branches(rest[0])
            return syntax.Call(
                place, name, (self._read(body),), tuple(self._loop(b) for b in loops), era
            )
        return syntax.Call(place, name, tuple(self._read(b) for b in _branches(rest[0])), (), era)

    def _let(self, tree: Branch, place: Place) -> Expression:
        *named, body = _branches(tree)
        bindings = []
        for branch in named:
            (value,) = _branches(branch)
            name = str(_tokens(branch, "NAME")[0])
            bindings.append(syntax.Binding(self._place(branch), name, self._read(value)))
        function = str(_tokens(tree, "NAME")[0])
        return syntax.Let(place, function, tuple(bindings), self._read(body))

    def _loop(self, tree: Branch) -> syntax.Loop:
        collection, *condition = (self._read(c) for c in _branches(tree))
        name = str(_tokens(tree, "NAME")[0])
        return syntax.Loop(self._place(tree), name, collection, condition[0] if condition else None)

    def _arithmetic(self, tree: Branch, place: Place) -> Expression:
        """`a - b + c` binds to the left."""
        operands = [self._read(c) for c in _branches(tree)]
        operators = [str(t) for t in tree.children if isinstance(t, str)]
        left = operands[0]
        for operator, right in zip(operators, operands[1:], strict=True):
            left = syntax.Arithmetic(place, operator, left, right)
        return left


def _extent(tree: Branch) -> tuple[int, int]:
    """From the first token to the last: the grammar drops none, so both are at the edges."""
    first: Branch | Token = tree
    last: Branch | Token = tree
    while not isinstance(first, str):
        first = first.children[0]
    while not isinstance(last, str):
        last = last.children[-1]
    return first.start_pos or 0, last.end_pos or 0


def _branches(tree: Branch) -> list[Branch]:
    return [child for child in tree.children if not isinstance(child, str)]


def _tokens(tree: Branch, kind: str) -> list[Token]:
    return [c for c in tree.children if isinstance(c, str) and c.type == kind]


def _is_cell(tree: Branch) -> bool:
    """Whether it is `cell of board`."""
    inner = _branches(tree)[0]
    single = inner.data == "basic_type" and len(inner.children) == 1
    return single and _tokens(tree, "NAME")[0] == "cell"
