"""Names in expressions: locals, values of the state and whose they are, definitions, parameters,
words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rulegame.diagnostics import Hint, did_you_mean, meant, nearest, write_instead
from rulegame.language import syntax, typed
from rulegame.language.functions import FUNCTIONS
from rulegame.language.judging import UNKNOWN, Judge, is_unknown
from rulegame.language.syntax import Era, Expression, Place, name_place
from rulegame.language.typed import Typed, Variable
from rulegame.language.types import (
    RESULTS,
    Grid,
    Int,
    List,
    Optional,
    PlayerType,
    Text,
    Word,
    join_all,
)
from rulegame.language.vocabulary import Definition, NamedType, Parameter, Scope

NOBODY: Final = "say whose: 'score of p', 'for p in players'; who wins: 'winners: …'"
_NO_VALUES: Final[Mapping[str, Variable]] = {}
TEXT_KEYWORDS: Final = ("else", "end")  # what may stand alone in the braces of a text
_WITHOUT_DOT: Final = re.compile(r"(my|their|after|before)_?(\w+)")
LANGUAGE: Final = ("players", "me", "them", "none", "first", "true", "false", *RESULTS)


class NameBinder(Judge):
    """Binds names."""

    def _era(
        self, e: syntax.Name | syntax.Owned | syntax.OfPlayer | syntax.Call, scope: Scope
    ) -> Era:
        if e.era == "now":
            return scope.era
        if e.era not in scope.eras:
            where = (
                "in validity and in 'stuck: unless'"
                if e.era == "after"
                else "in texts about a move"
            )
            self._report("E307", f"'{e.era}.' can only be used {where}", e.place)
        return e.era

    def _name(self, e: syntax.Name, scope: Scope) -> Typed:
        name, vocabulary = e.name, self.vocabulary
        if e.era == "now":
            if name in scope.locals:
                return self._narrow(
                    typed.Local(scope.locals[name], scope.renamed.get(name, name)), e, scope
                )
            if name in scope.lets:
                found = scope.lets[name]
                return self._narrow(typed.Value(found.type, found, None, "now"), e, scope)
            if (chosen := self._chosen(name, scope)) is not None:
                return typed.Value(List(chosen.type, vocabulary.players), chosen, None, "now")
            special = self._special(e, scope)
            if special is not None:
                return special
        era = self._era(e, scope)
        hidden = not scope.state and name in vocabulary.parameters  # by a value of the same name
        if name in vocabulary.variables and not hidden:
            if not scope.state:
                message = f"the state cannot be used here: '{name}'"
                hint = "only parameters are known at this point"
                return self._report("E307", message, e.place, hint)
            variable = vocabulary.variables[name]
            if not variable.each_player:
                return self._narrow(typed.Value(variable.type, variable, None, era), e, scope)
            if isinstance(variable.type, (List, Grid)):
                message = f"'{name}' belongs to each player: say whose"
                return self._report("E303", message, e.place, f"write my.{name}, or {name} of p")
            return typed.Value(List(variable.type, vocabulary.players), variable, None, era)
        if name in vocabulary.definitions:
            return self._use(vocabulary.definitions[name], None, e, scope, era)
        if e.era == "now":
            if name in vocabulary.parameters:
                vocabulary.used.add(name)
                return _constant(vocabulary.parameters[name])
            if name in vocabulary.words:
                return typed.Constant(vocabulary.word(name), vocabulary.words[name])
            if name in vocabulary.types:
                return self._all_of_type(vocabulary.types[name], e.place)
        return self._unknown_name(e, scope)

    def _all_of_type(self, named: NamedType, place: Place) -> Typed:
        """All values of a declared type, in order."""
        index = self.vocabulary.index(named.type)
        match named.type:
            case Word(words=words):
                codes = enumerate(words, index.first)
                items = tuple(typed.Constant(self.vocabulary.word(w), code) for code, w in codes)
                return typed.ListLiteral(List(named.type, len(items)), items)
            case Int(low=low, high=high):
                least, most = (typed.Constant(Int(end, end), end) for end in (low, high))
                return typed.Range(List(named.type, index.size), least, most, place)
        board = typed.BoardName(self.vocabulary.variables[named.type.board].type, named.type.board)
        return typed.Call(List(named.type, index.size), "cells", (board,), place)

    def _special(self, e: syntax.Name, scope: Scope) -> Typed | None:
        players = self.vocabulary.players
        match e.name:
            case "me":
                if not scope.me:
                    return self._report("E307", "there is no 'me' here", e.place, scope.instead)
                if self.vocabulary.everyone is not None:
                    return self._nobody("me", e.place)
                return typed.Seat(PlayerType(), "me")
            case "them":
                return self._them(e.place, scope)
            case "first":
                if not scope.state:
                    return self._report("E307", "'first' is not known here", e.place)
                return typed.Seat(PlayerType(), "first")
            case "players":
                seats = tuple(typed.Constant(PlayerType(), k) for k in range(players))
                return typed.ListLiteral(List(PlayerType(), players), seats)
        return None

    def _nobody(self, name: str, place: Place) -> Typed:
        """Where all players act at once, nobody is the one who moves."""
        message = f"there is no '{name}' here: all players choose together"
        return self._report("E440", message, place, NOBODY)

    def _chosen(self, name: str, scope: Scope) -> Variable | None:
        """What each player has chosen under that name, where all have; definitions do not know."""
        everyone = self.vocabulary.everyone
        return None if everyone is None or scope.calls else everyone.get(name)

    def _them(self, place: Place, scope: Scope) -> Typed:
        players = self.vocabulary.players
        if not scope.me:
            return self._report("E307", "'opponent' is not available here", place, scope.instead)
        if self.vocabulary.everyone is not None:
            return self._nobody("them", place)
        if players != 2:
            return self._report(
                "E307",
                "a game for one player has no opponent"
                if players == 1
                else "there is more than one opponent",
                place,
                "" if players == 1 else "say whose: 'score of p', next(me), players",
            )
        return typed.Call(PlayerType(), "next", (typed.Seat(PlayerType(), "me"),), place)

    def _owned(self, e: syntax.Owned, scope: Scope) -> Typed:
        if scope.me and self.vocabulary.everyone is not None:
            return self._nobody(e.whose, e.place)
        if e.whose == "their":
            owner = self._them(e.place, scope)
        elif scope.me:
            owner = typed.Seat(PlayerType(), "me")
        else:
            owner = self._report("E307", "there is no 'my' here", e.place, scope.instead)
        return self._player_value(e, e.name, owner, scope)

    def _of_player(self, e: syntax.OfPlayer, scope: Scope) -> Typed:
        declared = e.name in self.vocabulary.variables or e.name in self.vocabulary.broken
        declared = declared or self._chosen(e.name, scope) is not None
        if not declared:
            from rulegame.language import foreign

            if e.name in (*FUNCTIONS, *foreign.SIZES):
                hint = foreign.of(e.name, e.player.place.written)
                hint = hint if e.era == "now" else Hint(hint.words)
                return self._report("E302", f"'{e.name}' is not a value of a player", e.place, hint)
        around, self._holder = self._holder, e.player
        owner = self._bind(e.player, scope)
        self._is(owner, PlayerType, "a player", e.player)
        self._holder = around
        return self._player_value(e, e.name, owner, scope)

    def _player_value(
        self, e: syntax.Owned | syntax.OfPlayer, name: str, owner: Typed, scope: Scope
    ) -> Typed:
        era = self._era(e, scope)
        if name == "name" and scope.texts:
            return typed.Call(Text(), "name", (owner,), e.place)
        variable = self._chosen(name, scope) if era == "now" else None
        variable = variable or self._variable(name, e, ["name"] if scope.texts else [])
        if variable is None or is_unknown(owner):
            return UNKNOWN
        if not scope.state:
            return self._report("E307", f"the state cannot be used here: '{name}'", e.place)
        if not variable.each_player:
            hint = Hint(f"write {name}", (_in_era(e, name),))
            return self._report("E302", f"'{name}' is shared by all players", e.place, hint)
        return self._narrow(typed.Value(variable.type, variable, owner, era), e, scope)

    def _variable(
        self,
        name: str,
        e: syntax.Name | syntax.Owned | syntax.OfPlayer,
        others: Iterable[str] = (),
        lets: Mapping[str, Variable] = _NO_VALUES,
    ) -> Variable | None:
        """The declared value that is written to, or that is some player's."""
        variables = {**self.vocabulary.variables, **lets}
        found = variables.get(name)
        if found is None and name not in self.vocabulary.broken:
            known = [
                v.name for v in variables.values() if v.each_player or isinstance(e, syntax.Name)
            ]
            message = f"unknown state value '{name}'"
            hint = did_you_mean(name, [*known, *others])
            self._report("E302", message, e.place, hint, name_place(e))
        return found

    def _unknown_name(self, e: syntax.Name, scope: Scope) -> Typed:
        name, place, vocabulary = e.name, e.place, self.vocabulary
        if name in vocabulary.broken:
            return UNKNOWN
        if name in vocabulary.locals_elsewhere:
            owner = vocabulary.locals_elsewhere[name]
            help_ = "store it in the state, with an effect, to use it here"
            if "after" in scope.eras:
                help_ = "limit the rule to operations that have it ('for: […]'), or leave it out"
            if owner.kind == "let":
                help_ = "only its steps, its effects, its 'next' and what is below it know it"
            return self._report("E302", f"'{name}' is not known here: it is {owner}", place, help_)
        if name in FUNCTIONS:
            return self._report("E302", f"'{name}' is a function", place, FUNCTIONS[name].usage)
        known: list[str] = [*scope.locals, *scope.lets, *vocabulary.parameters]
        known += vocabulary.definitions
        if scope.state:
            known += vocabulary.variables
        if scope.me:
            known += ["me", *(["them"] if vocabulary.players == 2 else [])]
        known += ["players", *(w for w in vocabulary.words if w not in RESULTS)]
        known += vocabulary.types
        if scope.texts:
            known += TEXT_KEYWORDS
        from rulegame.language import foreign
        from rulegame.language.suggestions import closest

        close = closest(name, known, (*RESULTS, "none", "first", "true", "false"))
        other = foreign.name(name, vocabulary.names, scope.me)
        first = close[0] if close else None
        if other and (first is None or first.lower() != name.lower()) and not _is_slip(name, first):
            hint = other if e.era == "now" else Hint(other.words)
        else:
            hint = Hint(_all_names(known))
            if close:
                hint = meant(*close, *self._run_together(name), wrong=name)
        message = f"unknown name '{name}'"
        return self._report("E302", message, place, self._of_holder(e, hint), name_place(e))

    def _run_together(self, name: str) -> tuple[str, ...]:
        """The names that were meant if a dot is missing, as in "myscore"."""
        found = _WITHOUT_DOT.fullmatch(name)
        return (
            (f"{found[1]}.{found[2]}",) if found and found[2] in self.vocabulary.variables else ()
        )

    def _narrow(self, value: Typed, e: Expression, scope: Scope) -> Typed:
        if isinstance(value.type, Optional) and scope.has(e):
            return value.replace(type=value.type.of)
        return value

    def _use(
        self,
        definition: Definition,
        call: syntax.Call | None,
        e: Expression,
        scope: Scope,
        era: Era,
    ) -> Typed:
        """A definition is written out where it is used; its arguments are evaluated once."""
        name, parameters = definition.name, definition.parameters
        given = () if call is None else call.arguments
        if (
            (parameters is None) != (call is None)
            or len(parameters or ()) != len(given)
            or (call is not None and call.loops)
        ):
            if call is None and name in self.vocabulary.words:
                message = f"the definition '{name}' hides the word '{name}'"
                return self._report("E304", message, e.place, self._name_clash(name))
            usage = name if parameters is None else f"{name}({', '.join(parameters)})"
            return self._report("E304", f"wrong use of '{name}'", e.place, f"write {usage}")
        if name in scope.calls:
            message = f"the definition '{name}' uses itself"
            hint = " -> ".join([*scope.calls[scope.calls.index(name) :], name])
            return self._report("E310", message, definition.place, hint)
        arguments = [self._bind(a, scope) for a in given]
        inner = Scope(
            state=scope.state,
            me=scope.me,
            instead=scope.instead,
            texts=scope.texts,
            era=era,
            calls=(*scope.calls, name),
        )
        names = []
        for parameter, argument in zip(parameters or (), arguments, strict=True):
            names.append(self._new_name(parameter))
            inner = inner.with_local(parameter, argument.type, names[-1])
        body = self._bind(definition.body, inner)
        if is_unknown(body) or any(map(is_unknown, arguments)):
            return UNKNOWN
        for code_name, argument in zip(reversed(names), reversed(arguments), strict=True):
            body = typed.Let(body.type, code_name, argument, body)
        if definition.about and not isinstance(body, typed.Constant):
            self.vocabulary.said.add(body, definition)
        return body

    def fresh(self, name: str) -> str:
        """A name for something in the code that no ruleset can have given."""
        return self._new_name(name)

    def _new_name(self, name: str) -> str:
        self._fresh += 1
        return f"{self._fresh}_{name}"  # no name of a ruleset begins with a digit

    def _is_of_many(self, holder: Expression, scope: Scope) -> bool:
        """Whether what stands behind `of` is a list of players: `penny of players[1]` is read as
        `(penny of players)[1]`.
        """
        if not isinstance(holder, syntax.Name):
            return False
        with self.collecting():  # they are found again where it is bound
            type_ = self._bind(holder, scope).type
        return isinstance(type_, List) and isinstance(type_.of, (PlayerType, Optional))

    def _of_many(
        self, value: syntax.OfPlayer, indices: tuple[Expression, ...], place: Place
    ) -> Typed:
        listed = ", ".join(index.place.written for index in indices)
        hint = write_instead(f"{value.name} of ({value.player.place.written}[{listed}])")
        message = f"expected a player after 'of', not all of {value.player.place.written}"
        return self._report("E303", message, place, hint)


def _in_era(e: syntax.Owned | syntax.OfPlayer, name: str) -> str:
    return name if e.era == "now" else f"{e.era}.{name}"


def _is_slip(written: str, close: str | None) -> bool:
    """Whether a name of the ruleset is near enough to be meant: one letter is different."""
    if close is None or close in LANGUAGE or abs(len(written) - len(close)) > 1:
        return False
    return min(len(written), len(close)) > 2 and nearest(written, [close]) is not None


def _all_names(known: Sequence[str]) -> str:
    shown = known if len(known) <= 12 else [*known[:12], "…"]
    return f"known here: {', '.join(shown)}"


def _constant(parameter: Parameter) -> Typed:
    if isinstance(parameter.value, tuple):
        assert isinstance(parameter.type, List)
        of = parameter.type.of
        items = tuple(
            typed.Constant(Int(v, v) if isinstance(of, Int) else of, v) for v in parameter.value
        )
        joined_type = join_all([i.type for i in items]) if items else of
        assert joined_type is not None
        return typed.ListLiteral(List(joined_type, len(items)), items)
    if isinstance(parameter.type, Int):
        return typed.Constant(Int(parameter.value, parameter.value), parameter.value)
    return typed.Constant(parameter.type, parameter.value)
