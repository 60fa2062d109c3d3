"""What every section of a ruleset is built with: its names, the binder of its expressions, and the
list of what is wrong.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from rulegame.building.players import player_names
from rulegame.building.settings import NO_SETTINGS, Settings
from rulegame.diagnostics import Diagnostic, Hint, Problems, Related, write_instead
from rulegame.evaluation.constants import evaluate
from rulegame.evaluation.runtime import Fault
from rulegame.keys.kinds import Key, Section, Value
from rulegame.keys.values import RESERVED, is_expression
from rulegame.language import syntax, typed
from rulegame.language.arguments import CHOSEN_OTHERWISE, not_chosen
from rulegame.language.binding import Binder
from rulegame.language.judging import Heard
from rulegame.language.parsing import SyntaxProblem, advise, parse_expression
from rulegame.language.syntax import Expression, Place
from rulegame.language.templates import Template, bind_template
from rulegame.language.typed import Typed, Variable
from rulegame.language.types import RESULTS, Bool, Grid, Int, List, Set, Text, Type, element_of
from rulegame.language.vocabulary import Scope, Vocabulary
from rulegame.model import Source, Sources
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, mapping_of, passage_of, to_plain, written
from rulegame.source.nodes import Sequence as SequenceNode

COMMON_NAMES: Final[dict[str, Type]] = {"title": Text(), "summary": Text(), "turn": Int(1)}


class TextNames(NamedTuple):
    """The names that a text knows. Those of version 1 come `first`, before the ruleset's own; what
    was added `later` yields to something of the ruleset that has the same name.
    """

    first: Mapping[str, Type] = {}
    later: Mapping[str, Type] = {}

    def beside(self, own: Container[str]) -> Mapping[str, Type]:
        """The names in a text that knows others, too."""
        free = {name: type_ for name, type_ in self.later.items() if name not in own}
        return {**COMMON_NAMES, **free, **self.first}


def expression_of(node: Node) -> Expression:
    """The expression that a YAML value stands for: text, a number, true/false, or a list of
    those; `SyntaxProblem` if it is none.
    """
    if isinstance(node, SequenceNode):
        items = tuple(expression_of(item) for item in node.items)
        return syntax.ListLiteral(Place(passage_of(node)), items)
    if isinstance(node, MappingNode):
        message = "an expression is expected here, not a mapping"
        raise SyntaxProblem(Diagnostic("E205", message, node.span, "quote this expression"))
    if node.value is None:
        hint = write_instead("none", "for no value") if node.text else Hint()
        message, suggestions = "an expression is missing here", advise(Place(node.passage), hint)
        found = Diagnostic("E301", message, node.span, str(hint), suggestions=suggestions)
        raise SyntaxProblem(found)
    if isinstance(node.value, bool):
        return syntax.Truth(Place(passage_of(node)), node.value)
    if isinstance(node.value, int):
        return syntax.Number(Place(passage_of(node)), node.value)
    return parse_expression(node.passage)


class Workbench:
    """One ruleset while it is being built; `diagnostics` collects what is wrong."""

    def __init__(
        self,
        root: MappingNode,
        file: str,
        heard: Heard | None = None,
        settings: Settings = NO_SETTINGS,
    ) -> None:
        self.root = root
        self.file = file
        self.players = player_names(root, settings)
        self.vocabulary = Vocabulary(len(self.players), names=self.players)
        self.binder = Binder(self.vocabulary, heard)
        self._parsed: dict[int, tuple[Node, Expression]] = {}  # by identity of the node

    # ---- turns in which all choose at once

    @property
    def is_together(self) -> bool:
        """Whether players choose at once."""
        node = mapping_of(self.root.get("turn")).get("together")
        return node is not None and not (isinstance(node, Scalar) and node.value in (None, False))

    @contextmanager
    def for_everyone(self, chosen: Mapping[str, Variable] | None = None) -> Iterator[None]:
        """If players choose at once, what is bound inside is about all of them: nobody is `me`, and
        `chosen` is what each has chosen.
        """
        before = self.vocabulary.everyone
        self.vocabulary.everyone = (chosen or {}) if self.is_together else before
        try:
            yield
        finally:
            self.vocabulary.everyone = before

    # ---- reports

    @property
    def diagnostics(self) -> Problems:
        """What is wrong so far."""
        return self.binder.diagnostics

    def report(
        self,
        code: str,
        message: str,
        at: Node | Place,
        hint: Hint | str = "",
        related: tuple[Related, ...] = (),
        wrong: tuple[int, int] = (0, -1),
    ) -> None:
        """`wrong` is the stretch of a node that what the hint offers stands for."""
        place = at if isinstance(at, Place) else Place(passage_of(at), *wrong)
        suggestions = advise(place, hint)
        found = Diagnostic(code, message, at.span, str(hint), "error", related, suggestions)
        self.diagnostics.append(found)

    def report_once(self, found: Sequence[Diagnostic]) -> bool:
        """Reports what was not reported before: it is found again for every operation. Whether
        there is any.
        """
        known = {(one, one.is_repeated) for one in self.diagnostics} if found else set()
        new = dict.fromkeys((one, one.is_repeated) for one in found)
        fresh = [problem for problem, repeated in new if (problem, repeated) not in known]
        self.diagnostics.report(fresh)
        return bool(fresh)

    def check_count(self, what: str, node: MappingNode, most: int) -> None:
        if len(node.entries) > most:
            self.report("E407", f"there are more than {most} {what}", list(node)[most][0])

    def check_name(self, key: Scalar, taken: Iterable[Mapping[str, object]]) -> None:
        """A new name must not mean something else already."""
        if any(key.text in names for names in taken):
            self.report("E312", f"the name '{key.text}' is already taken", key, "use another name")

    def check_local(self, key: Scalar, others: Mapping[str, Type]) -> None:
        """The name of a choice or a roll, beside those that are known there."""
        v = self.vocabulary
        self.check_name(key, (v.parameters, v.variables, v.definitions, others))

    def declare_word(self, word: str, node: Node) -> None:
        """A word of a type, or one to choose from."""
        if word in RESERVED and word not in RESULTS:
            self.report("E206", f"'{word}' is a reserved word", node, "use another word")
        self.vocabulary.words.setdefault(word, len(self.vocabulary.words))

    # ---- expressions and texts

    def parse(self, node: Node) -> Expression | None:
        """The expression that a node stands for; None if it is none, which is reported."""
        try:
            return self.expression(node)
        except SyntaxProblem as problem:
            self.diagnostics.append(problem.diagnostic)
            return None

    def expression(self, node: Node) -> Expression:
        """The expression that a node stands for, parsed once; `SyntaxProblem` if it is none."""
        if id(node) not in self._parsed:
            self._parsed[id(node)] = node, expression_of(node)
        return self._parsed[id(node)][1]

    def sources(self, node: MappingNode, section: Section) -> Sources:
        """What a rule says under the keys of its section that are no mappings."""
        found = (
            (key, node.get(key.name))
            for key in section.keys
            if isinstance(key.value, Value) and key.is_rule
        )
        return {key.name: self._source(key, value) for key, value in found if value is not None}

    def _source(self, key: Key, node: Node) -> Source:
        plain = Source(passage_of(node), None, to_plain(node))
        if not is_expression(key.value):
            return plain
        try:
            tree = self.expression(node)
        except SyntaxProblem:  # a drawn board, or what has no effect, like the size of a number
            return plain
        return Source(tree.place.passage, tree)

    def bound(self, node: Node | None, scope: Scope, expected: Type | None = None) -> Typed | None:
        """A typed expression; None if there is none, or if something is wrong with it."""
        if node is None:
            return None
        expression = self.parse(node)
        return None if expression is None else self.binder.bind(expression, scope, expected)

    def condition(self, node: Node | None, scope: Scope) -> Typed | None:
        return self.bound(node, scope, Bool())

    def collection(self, node: Node | None, scope: Scope) -> Typed | None:
        """What is chosen or rolled from."""
        if node is None:
            return None
        with self.binder.collecting() as problems:
            expression = self.parse(node)
            words = isinstance(expression, syntax.WordsOf)
            found = None if expression is None or words else self.binder.bind(expression, scope)
        if isinstance(expression, syntax.WordsOf):
            return self.binder.bind_words(expression)
        if found is None:
            from rulegame.language.suggestions import collection_elsewhere

            hint = collection_elsewhere(written(node))
            if expression is not None and self._are_new_words(expression, scope):
                self._undeclared(expression)
            elif hint:
                self.report("E303", "expected a collection here", node, hint)
            else:
                self.diagnostics.report(problems)
            return None
        of = element_of(found.type)
        if of is None or isinstance(of, (List, Grid, Text)):
            from rulegame.language.suggestions import range_instead_of

            message = f"expected a collection here, not {found.type}"
            self.report("E303", message, node, range_instead_of(written(node)))
            return None
        if isinstance(of, Set) and of.is_wide:
            self.report("E470", not_chosen(of.low, of.high), node, CHOSEN_OTHERWISE)
            return None
        return found

    def _are_new_words(self, e: Expression, scope: Scope) -> bool:
        """Whether this is a list of names that mean nothing: words, most likely."""
        return (
            isinstance(e, syntax.ListLiteral)
            and len(e.items) > 1
            and all(isinstance(one, syntax.Name) and one.era == "now" for one in e.items)
            and not any(self.binder.knows(name, scope) for name in syntax.free_names(e))
        )

    def _undeclared(self, e: Expression) -> None:
        names = [item.name for item in syntax.operands(e) if isinstance(item, syntax.Name)]
        message = f"unknown name {' or '.join(map(repr, names))}"
        hint = write_instead(" | ".join(names), "to choose between words")
        self.report("E302", message, e.place, hint)
        self.vocabulary.broken.update(names)

    def size(self, node: Node | None, default: int, most: int) -> int:
        """A size: a number that is known before the game."""
        if node is None:
            return default
        value = self.known(self.bound(node, Scope(state=False, me=False), Int()), node)
        if value is None:
            return default
        if not 1 <= value <= most:
            self.report("E407", f"a size must be between 1 and {most}, not {value}", node)
            return default
        return value

    def known(self, expression: Typed | None, node: Node) -> int | None:
        """The value of an expression over parameters."""
        if expression is None or isinstance(expression, typed.Constant):
            return None if expression is None else expression.code
        try:
            value = evaluate(expression, self.vocabulary.players)
        except Fault as fault:
            self.report(fault.code, fault.message, node)
            return None
        assert isinstance(value, int)
        return value

    def template(self, node: Node | None, scope: Scope, names: TextNames) -> Template | None:
        """A text; None if there is none, or if something is wrong with it."""
        if not isinstance(node, Scalar):
            return None
        own = {*self.vocabulary.own, *scope.locals, *scope.lets}
        return bind_template(node.passage, self.binder, scope, names.beside(own))
