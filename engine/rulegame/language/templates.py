"""Templates: texts with `{expression}`, `{if}`, `{elif}`, `{else}`, `{for}` and `{end}` in them.

`bind_template` parses one and checks its names and types; `game.rendering` renders it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rulegame.diagnostics import Diagnostic, Hint, Passage, candidates, meant
from rulegame.edits import offered
from rulegame.language import syntax, typed
from rulegame.language.binding import Binder
from rulegame.language.judging import UNKNOWN
from rulegame.language.naming import TEXT_KEYWORDS
from rulegame.language.parsing import SyntaxProblem, parse_text
from rulegame.language.syntax import Expression
from rulegame.language.typed import Typed
from rulegame.language.types import List, Type, element_of
from rulegame.language.vocabulary import Scope
from rulegame.limits import LIMITS


class Show(NamedTuple):
    """`{expression}`."""

    value: Typed


class Choose(NamedTuple):
    """`{if}`: the first branch whose condition holds; the last condition may be None."""

    branches: tuple[tuple[Typed | None, tuple[Part, ...]], ...]


class Repeat(NamedTuple):
    """`{for}`."""

    name: str
    collection: Typed
    body: tuple[Part, ...]


Part = str | Show | Choose | Repeat


class Template(NamedTuple):
    """A checked text: its parts, and the locals that it may use, in order."""

    parts: tuple[Part, ...]
    locals: tuple[str, ...]
    uses: frozenset[str]  # those of the locals that it does use
    given: frozenset[str] = frozenset()  # those that are no choices and rolls
    source: Passage | None = None


class Tag(NamedTuple):
    """What stands between braces: its keyword ('' for an expression) and the offsets
    of the rest.
    """

    keyword: str
    start: int
    end: int
    opening: int


_KEYWORD = re.compile(r"\s*(if|elif|for|else|end)\b")
_WORD = re.compile(r"\s*([A-Za-z]+)\s+[A-Za-z(]")
FOR_HEAD = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s+in\b")
_THEN = re.compile(r"(?:\bthen\b\s*:?|:|%)\s*$")  # what other languages have behind a condition
_COMPARES = re.compile(r"[<>=]|\b(?:in|not|and|or)\b")
_TAG_NAMES = re.compile(r"[A-Za-z_]+")
# Tags as other languages have them, with the keyword that is meant; what the pattern leaves is the
# condition, or the head of the loop.
_ELSEWHERE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), keyword)
    for pattern, keyword in (
        (r"\s*(?:else|otherwise|or)[ _]+if\b|\s*(?:elseif|elsif)\b(?=\s*[\w(])", "elif"),
        (r"\s*[#%@?]\s*(?:elif|elseif|else if)\b", "elif"),
        (r"\s*(?:[#%@]\s*)?(?:foreach|for each)\b(?=\s*\w)|\s*[#%@]\s*(?:for|each)\b", "for"),
        (r"\s*[#%@?]\s*if\b", "if"),
        (r"\s*(?:/|\\)\s*\w*\s*$|\s*(?:fi|done)\s*$", "end"),
        (r"\s*[#%@]?\s*end[ _]?(?:if|for|each|foreach|while|unless)?\s*%?\s*$", "end"),
        (r"\s*[#%@:^]\s*else\s*%?\s*$|\s*otherwise\s*:?\s*$", "else"),
    )
)


def bind_template(
    passage: Passage, binder: Binder, scope: Scope, given: Mapping[str, Type]
) -> Template | None:
    """The template in a text, or None (with diagnostics in the binder) if something is wrong with
    it. `given` are the names of the text, which come before those of its scope.
    """
    inner = scope._replace(texts=True, locals={**scope.locals, **given})
    with binder.watching() as problems:
        parts = _Reader(passage, binder, inner).whole(inner)
    if problems or parts is None:
        return None
    uses = frozenset(used_names(parts))
    return Template(parts, tuple(inner.locals), uses, frozenset(given), passage)


def used_names(parts: tuple[Part, ...]) -> Iterator[str]:
    """The names of the locals in the expressions of some parts."""
    for part in parts:
        match part:
            case Show(value=value):
                yield from _local_names(value)
            case Choose(branches=branches):
                for condition, body in branches:
                    if condition is not None:
                        yield from _local_names(condition)
                    yield from used_names(body)
            case Repeat(collection=collection, body=body):
                yield from _local_names(collection)
                yield from used_names(body)


def _local_names(expression: Typed) -> Iterator[str]:
    return (p.name for p in typed.every_part(expression) if isinstance(p, typed.Local))


class _Reader:
    """Reads the pieces of a text, one after the other."""

    def __init__(self, passage: Passage, binder: Binder, scope: Scope) -> None:
        self._passage = passage
        self._binder = binder
        self._depth = 0
        self._times = 1  # how often what is read is printed, as far as that is known
        self.misspelt = False  # a keyword is: then what is open or closed cannot be told
        self.pieces: list[str | Tag] = []
        try:
            for piece in split_template(passage):
                self.pieces.append(piece if isinstance(piece, str) else self._meant(piece, scope))
        except SyntaxProblem as problem:
            self.pieces.clear()
            binder.diagnostics.append(problem.diagnostic)

    def whole(self, scope: Scope) -> tuple[Part, ...] | None:
        """All parts; None if something is open that is not closed, or the other way round."""
        try:
            parts, at = self.parts(0, scope)
            if at < len(self.pieces):
                tag = self.pieces[at]
                assert isinstance(tag, Tag)
                self.complain(f"no {{if}} or {{for}} opens this {{{tag.keyword}}}", tag)
        except SyntaxProblem as problem:
            if not self.misspelt:
                self._binder.diagnostics.append(problem.diagnostic)
            return None
        return parts

    def _meant(self, tag: Tag, scope: Scope) -> Tag:
        """The tag; one that is written as elsewhere is reported, and read as what it stands for."""
        text = self._passage.text
        rest = text[tag.start : tag.end]
        if tag.keyword in ("if", "elif"):
            spare = _THEN.search(rest)
            meant = tag._replace(end=tag.start + spare.start()) if spare else tag
        elif tag.keyword in ("", "else", "end"):
            meant = self._as_here(tag, scope)
        else:
            meant = tag
        if meant is tag:
            return tag
        written = text[meant.start : meant.end].strip()
        right = f"{{{meant.keyword} {written}}}" if written else f"{{{meant.keyword}}}"
        what = " ".join(text[tag.opening : tag.end + 1].split())
        message = f"there is no {what if len(what) <= 40 else what[:39] + '…'}"
        hint = Hint(f"write '{right}'", (right,))
        if meant.keyword == tag.keyword and not written:
            message = f"{{{tag.keyword}}} must be alone in its braces"
            if tag.keyword == "else" and _COMPARES.search(rest):
                other = f"{{elif {rest.strip()}}}"
                hint = Hint(f"{hint}, or {other} for another condition", (right, other))
        self._binder.diagnostics.append(self._problem(message, hint, tag.opening, tag.end + 1))
        return meant

    def _problem(self, message: str, hint: Hint, start: int, end: int) -> Diagnostic:
        span, suggestions = self._passage.at(start, end), offered(self._passage, hint, start, end)
        return Diagnostic("E411", message, span, str(hint), suggestions=suggestions)

    def _as_here(self, tag: Tag, scope: Scope) -> Tag:
        """A tag that is no expression with the keyword of this language."""
        text, start, end = self._passage.text, tag.opening + 1, tag.end
        if tag.keyword and not text[tag.start : end].strip():
            return tag
        name = text[start:end].strip()
        if _TAG_NAMES.fullmatch(name) and self._binder.knows(name, scope):
            return tag
        for pattern, keyword in _ELSEWHERE:
            if found := pattern.match(text, start, end):
                spare = _THEN.search(text, found.end(), end)
                stop = spare.start() if spare else end
                return Tag(keyword, found.end(), stop, tag.opening)
        return tag._replace(start=end) if tag.keyword else tag

    def complain(self, message: str, tag: Tag, hint: str = "") -> None:
        span = self._passage.at(tag.opening, tag.end + 1)
        raise SyntaxProblem(Diagnostic("E411", message, span, hint))

    def parts(self, at: int, scope: Scope) -> tuple[tuple[Part, ...], int]:
        """The parts up to one of the closing keywords, and where that stands."""
        found: list[Part] = []
        self._depth += 1
        if self._depth > LIMITS.expression_depth and at < len(self.pieces):
            raise SyntaxProblem(
                Diagnostic("E311", "this text is nested too deep", self._passage.span)
            )
        while at < len(self.pieces):
            piece = self.pieces[at]
            if isinstance(piece, str):
                found.append(piece)
                at += 1
            elif piece.keyword in ("end", "else", "elif"):
                break
            elif piece.keyword == "if":
                part, at = self._choose(at, scope)
                found.append(part)
            elif piece.keyword == "for":
                part, at = self._repeat(at, scope)
                found.append(part)
            else:
                value = self._bound(piece, scope)
                if value is not None:
                    found.append(Show(value))
                at += 1
        self._depth -= 1
        return tuple(found), at

    def _bound(self, tag: Tag, scope: Scope) -> Typed | None:
        try:
            expression = parse_text(self._passage, tag.start, tag.end)
        except SyntaxProblem as problem:
            self._check_keyword(tag)
            self._binder.diagnostics.append(problem.diagnostic)
            return None
        with self._binder.watching() as found:
            value = self._binder.bind(expression, scope)
        self.misspelt |= any(d.offers(word) for d in found for word in TEXT_KEYWORDS)
        return value

    def _check_keyword(self, tag: Tag) -> None:
        """With `{iff last}` the rest of the text cannot be understood."""
        word = _WORD.match(self._passage.text, tag.start, tag.end)
        close = candidates(word[1], ("if", "elif", "for")) if word and not tag.keyword else ()
        if word is not None and close:
            message = f"unknown keyword '{word[1]}'"
            raise SyntaxProblem(self._problem(message, meant(*close), *word.span(1)))

    def _keyword(self, at: int, opening: Tag) -> Tag:
        if at >= len(self.pieces):
            self.complain(
                f"this {{{opening.keyword}}} has no {{end}}", opening, "write {end} after it"
            )
        tag = self.pieces[at]
        assert isinstance(tag, Tag)
        return tag

    def _choose(self, at: int, scope: Scope) -> tuple[Part, int]:
        opening = self.pieces[at]
        assert isinstance(opening, Tag)
        branches: list[tuple[Typed | None, tuple[Part, ...]]] = []
        tag = opening
        while True:
            condition = None
            inner = scope
            if tag.keyword != "else":
                condition, inner, scope = self._condition(tag, scope)
            body, at = self.parts(at + 1, inner)
            branches.append((condition, body))
            following = self._keyword(at, opening)
            if following.keyword == "end":
                return Choose(tuple(branches)), at + 1
            if tag.keyword == "else":
                self.complain("only {end} may follow {else}", following)
            tag = following

    def _condition(self, tag: Tag, scope: Scope) -> tuple[Typed | None, Scope, Scope]:
        """The condition, and the scopes where it holds and where it does not: `{if last}` knows
        that it is there.
        """
        try:
            expression = parse_text(self._passage, tag.start, tag.end)
        except SyntaxProblem as problem:
            self._binder.diagnostics.append(problem.diagnostic)
            return None, scope, scope
        condition = self._binder.bind(expression, scope)
        tested: Expression = expression
        if condition is not None and isinstance(
            expression, (syntax.Name, syntax.Owned, syntax.OfPlayer)
        ):
            nothing = syntax.NoneLiteral(expression.place)
            tested = syntax.Compare(expression.place, (expression, nothing), ("!=",))
        return condition, scope.assuming(tested, True), scope.assuming(tested, False)

    def _repeat(self, at: int, scope: Scope) -> tuple[Part, int]:
        opening = self.pieces[at]
        assert isinstance(opening, Tag)
        head = FOR_HEAD.match(self._passage.text, opening.start, opening.end)
        if head is None:
            self.complain("this {for} is not complete", opening, "write {for p in players}")
        assert head is not None
        collection = self._bound(opening._replace(start=head.end()), scope)
        of = element_of(collection.type) if collection is not None else UNKNOWN.type
        if of is None:
            self.complain("a collection is expected after 'in'", opening)
        assert of is not None
        name = head.group(1)
        times = collection.type.size if collection and isinstance(collection.type, List) else 1
        around, self._times = self._times, self._times * max(times or 1, 1)
        if self._times > LIMITS.collection:
            span = self._passage.at(opening.opening, opening.end + 1)
            raise SyntaxProblem(Diagnostic("E311", "this text is too long", span))
        body, at = self.parts(at + 1, scope.with_local(name, of, name))
        self._times = around
        closing = self._keyword(at, opening)
        if closing.keyword != "end":
            self.complain(f"a {{for}} has no {{{closing.keyword}}}", closing)
        if collection is None:
            return "", at + 1
        return Repeat(name, collection, body), at + 1


def split_template(passage: Passage) -> list[str | Tag]:
    """Literal text and tags, in order."""
    text, at = passage.text, 0
    pieces: list[str | Tag] = []
    literal = ""
    while at < len(text):
        if text.startswith(("{{", "}}"), at):
            literal += text[at]
            at += 2
        elif text[at] == "{":
            if literal:
                pieces.append(literal)
                literal = ""
            end = _closing(passage, at)
            pieces.append(_tag(text, at, end))
            at = end + 1
        elif text[at] == "}":
            raise SyntaxProblem(
                Diagnostic(
                    "E411",
                    "no '{' opens this '}'",
                    passage.at(at, at + 1),
                    "write }} for a brace",
                )
            )
        else:
            stop = min(
                (k for k in (text.find("{", at), text.find("}", at)) if k >= 0), default=len(text)
            )
            literal += text[at:stop]
            at = stop
    return [*pieces, literal] if literal else pieces


def _closing(passage: Passage, opening: int) -> int:
    """Where the brace closes; a brace inside quotation marks does not count."""
    quote = ""
    for at in range(opening + 1, len(passage.text)):
        sign = passage.text[at]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "}":
            return at
        elif sign == "{":
            break
    raise SyntaxProblem(
        Diagnostic(
            "E411",
            "this '{' is not closed",
            passage.at(opening, opening + 1),
            "write }, or {{ for a brace",
        )
    )


def _tag(text: str, opening: int, end: int) -> Tag:
    keyword = _KEYWORD.match(text, opening + 1, end)
    if keyword is None:
        return Tag("", opening + 1, end, opening)
    return Tag(keyword.group(1), keyword.end(), end, opening)
