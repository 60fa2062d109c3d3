"""Calls in expressions: of definitions, of built-in functions, and over loops."""

from __future__ import annotations

from collections.abc import Mapping

from rulegame.diagnostics import Hint, did_you_mean, write_instead
from rulegame.language import syntax, typed
from rulegame.language.arguments import Mismatch, Refused
from rulegame.language.built_in import Function
from rulegame.language.functions import FUNCTIONS
from rulegame.language.judging import UNKNOWN, Oversized, ask_first, is_unknown
from rulegame.language.naming import NameBinder
from rulegame.language.syntax import Expression, Place, name_place
from rulegame.language.typed import Typed
from rulegame.language.types import (
    Bool,
    Cell,
    Grid,
    Int,
    List,
    Optional,
    PlayerType,
    Set,
    Type,
    Word,
    element_of,
    points_of,
)
from rulegame.language.vocabulary import Scope
from rulegame.limits import LIMITS


class CallBinder(NameBinder):
    """Binds calls and loops."""

    def _call(self, e: syntax.Call, scope: Scope) -> Typed:
        definition = self.vocabulary.definitions.get(e.name)
        if definition is not None:
            return self._use(definition, e, e, scope, self._era(e, scope))
        if e.name in self.vocabulary.broken:
            return UNKNOWN
        function = FUNCTIONS.get(e.name)
        if function is None or (function.text and not scope.texts):
            return self._no_function(e, scope)
        if e.era != "now" and e.era not in function.eras:
            return self._report(
                "E307", f"'{e.era}.' goes before a value, not before '{e.name}'", e.place
            )
        if e.name == "can_move" and not (scope.compulsory and e.era == "after"):
            message = "'can_move' can only be used as 'after.can_move(p)' in a compulsory rule"
            return self._report("E473", message, e.place, "for example: must: after.can_move(me)")
        if e.loops:
            return self._aggregate(e, scope)
        if e.name == "repetitions":
            return self._repetitions(e, function, scope)
        arguments = tuple(
            self._board(a, scope) if function.board and k == 0 else self._bind(a, scope)
            for k, a in enumerate(e.arguments)
        )
        only_loops = function.loops is not None and function.loops.only
        if only_loops or not function.min_args <= len(arguments) <= function.max_args:
            hint = self._other_call(e) or Hint(f"write {function.usage}")
            return self._report("E304", f"wrong arguments for '{e.name}'", e.place, hint)
        if any(map(is_unknown, arguments)):
            return UNKNOWN
        try:
            type_ = function.type(arguments)
        except Mismatch as mismatch:
            found = arguments[mismatch.argument].type
            return self._misfit(e, mismatch, found, function)
        except Refused as refused:
            for k, code, message, hint_ in refused.refusals:
                self._report(code, message, e.arguments[k].place, hint_)
            return UNKNOWN
        known = None if function.folded is None else function.folded(type_, arguments)
        return known or typed.Call(type_, e.name, arguments, e.place)

    def _let(self, e: syntax.Let, scope: Scope) -> Typed:
        """`let(x = a + b, x * x)`: each name is worked out once."""
        if e.name in self.vocabulary.definitions or e.name != "let":
            place = e.bindings[0].place.group(r"[^=]*(=)")
            hint = "only 'let' gives names to parts; to compare, write '=='"
            return self._report("E462", f"'{e.name}' takes no names with '='", place, hint)
        found: list[tuple[str, Typed]] = []
        for binding in e.bindings:
            value = self._bind(binding.value, scope)
            place = binding.place.group(r"([A-Za-z][A-Za-z0-9_]*)")
            self._check_new_name(binding.name, place, scope)
            found.append((self._new_name(binding.name), value))
            scope = scope.with_local(binding.name, value.type, found[-1][0])
        body = self._bind(e.body, scope)
        if is_unknown(body) or any(is_unknown(value) for _, value in found):
            return UNKNOWN
        for name, value in reversed(found):
            body = typed.Let(body.type, name, value, body)
        return body

    def _board(self, e: Expression, scope: Scope) -> Typed:
        """A board that cells are asked of: what is on it does not matter, nor whose it is."""
        variables = self.vocabulary.variables
        if isinstance(e, (syntax.Name, syntax.Owned, syntax.OfPlayer)):
            alone = isinstance(e, syntax.Name) and e.name not in scope.locals
            known = variables.get(e.name) if alone or not scope.state else None
            if known is not None and isinstance(known.type, Grid):
                return typed.BoardName(known.type, e.name)
        found = self._bind(e, scope)
        if is_unknown(found):
            return UNKNOWN
        if not isinstance(found.type, Grid):
            message = f"expected a board here, not {found.type}"
            return self._report("E450", message, e.place, _boards(variables))
        if not found.type.board:
            message = "this could be more than one board"
            return self._report("E450", message, e.place, _boards(variables))
        return typed.BoardName(found.type, found.type.board)

    def _repetitions(self, e: syntax.Call, function: Function, scope: Scope) -> Typed:
        """`repetitions(board)`: the arguments are names of values of the state."""
        era = self._era(e, scope)
        if not scope.state:
            message = f"the state cannot be used here: '{e.name}'"
            return self._report("E307", message, e.place, "only parameters are known at this point")
        found: list[Typed] = []
        for argument in e.arguments:
            if isinstance(argument, syntax.Name) and argument.name == "me":
                found.append(typed.Seat(PlayerType(), "me"))
                continue
            variable = None
            if isinstance(argument, syntax.Name) and argument.name not in scope.locals:
                variable = self.vocabulary.variables.get(argument.name)
            if variable is None:
                message = "'repetitions' counts named values of the state"
                hint = f"write {function.usage}"
                return self._report("E474", message, argument.place, hint)
            if isinstance(argument, syntax.Name) and argument.era != "now":
                right = f"{argument.era}.{e.name}({', '.join(a.name for a in _names(e))})"
                message = f"'{argument.era}.' goes before 'repetitions'"
                return self._report("E474", message, argument.place, f"write {right}")
            found.append(typed.Value(variable.type, variable, None, era))
        flags = [typed.Constant(Bool(), int(flag)) for flag in (not found, era == "after")]
        arguments = (*flags, *found)
        return typed.Call(function.type(arguments), e.name, arguments, e.place)

    def _no_function(self, e: syntax.Call, scope: Scope) -> Typed:
        """Reports a call of nothing, and what is wrong with its arguments."""
        if e.name == "let":
            message = "'let' gives names to parts of an expression"
            return self._report("E462", message, e.place, "let(x = a + b, x * x)")
        functions = (n for n, f in FUNCTIONS.items() if scope.texts or not f.text)
        value = self.vocabulary.variables.get(e.name) or self.vocabulary.parameters.get(e.name)
        empty = not e.arguments and e.era == "now"
        given = [self._bind(argument, scope) for argument in e.arguments if not e.loops]
        from rulegame.language.foreign import call_of_list
        from rulegame.language.suggestions import elements_of

        hint = elements_of(e.name, value.type, empty) if value else self._other_call(e)
        if not value and given:
            hint = call_of_list(e.name, e.arguments[0].place.written, given[0].type) or hint
        wrong = None if hint else name_place(e)
        hint = hint or did_you_mean(e.name, (*self.vocabulary.definitions, *functions))
        return self._report("E305", f"unknown function '{e.name}'", e.place, hint, wrong)

    def _misfit(self, e: syntax.Call, mismatch: Mismatch, found: Type, function: Function) -> Typed:
        """Reports an argument that a function cannot take."""
        argument = e.arguments[mismatch.argument]
        if isinstance(found, Optional) and isinstance(found.of, mismatch.types):
            hint = ask_first(argument)
            return self._report("E306", "this may be none here", argument.place, hint)
        message = f"'{e.name}' needs {mismatch.expected} here, not {found}"
        if function.for_each and mismatch.argument == 1 and isinstance(element_of(found), Int):
            both = ", ".join(one.place.written for one in e.arguments)
            right = write_instead(f"{function.for_each}({both})", "for all that is in a collection")
            return self._report("E303", message, argument.place, right, e.place)
        of = element_of(found)
        if isinstance(of, Optional) and isinstance(of.of, Int) and function.loops:
            those = f"{e.name}(x for x in {argument.place.written} if x != none)"
            hint = f"some of them may be none: {those}"
            return self._report("E303", message, argument.place, hint)
        if mismatch.types == (Set,) and isinstance(found, List):
            hint = "a list is no set: declare it as 'set of A..B', or write to single elements"
            return self._report("E303", message, argument.place, hint)
        if e.name == "subsets" and mismatch.argument == 1 and element_of(found) is not None:
            hint = "leave it out, and let a validity rule require how many: size(…) in 1..3"
            return self._report("E303", message, argument.place, hint)
        return self._report("E303", message, argument.place, f"write {function.usage}")

    def _other_call(self, e: syntax.Call) -> Hint:
        """A hint for a call that other languages have."""
        from rulegame.language import foreign

        if not e.loops:
            hint = foreign.call(e.name, [a.place.written for a in e.arguments])
        else:
            inside = e.place.written.partition("(")[2].removesuffix(")").strip()
            hint = foreign.call(e.name, (), inside)
        return hint if e.era == "now" else Hint(hint.words)

    def _aggregate(self, e: syntax.Call, scope: Scope) -> Typed:
        function = FUNCTIONS[e.name]
        loops, inner = self._loops(e.loops, scope)
        body = self._bind(e.arguments[0], inner)
        self._looping -= len(loops)
        if function.loops is None:
            return self._report(
                "E304", f"'{e.name}' does not take 'for'", e.place, f"write {function.usage}"
            )
        if is_unknown(body) or any(is_unknown(loop.collection) for loop in loops):
            return UNKNOWN
        if function.loops.one_condition and (len(loops) != 1 or loops[0].condition is None):
            message = f"'{e.name}' takes one 'for' with one 'if'"
            return self._report("E304", message, e.place, f"write {function.usage}")
        if e.name == "connected" and not _is_itself(body, loops[0]):
            return self._not_cells(e, loops[0])
        try:
            type_ = function.loops.type(body.type, loops)
        except Mismatch as mismatch:
            message = f"'{e.name}' needs {mismatch.expected} here, not {body.type}"
            usage = f"write {function.usage}"
            return self._report("E303", message, e.arguments[0].place, usage)
        return typed.Aggregate(type_, e.name, body, loops, e.place)

    def _not_cells(self, e: syntax.Call, loop: typed.Loop) -> Typed:
        """`connected` goes from cells to cells, and gives them as they are."""
        name, found = e.loops[0].name, loop.element
        if not isinstance(found, Cell) and points_of(found) is None:
            of = found.of if isinstance(found, Optional) else found
            maybe = isinstance(of, Cell)
            message = "this may be none here" if maybe else f"expected cells here, not {found}"
            hint = Hint("begin with cells of a board, such as cells(board) or [c]")
            place = e.loops[0].collection.place
            return self._report("E306" if maybe else "E451", message, place, hint)
        message = f"'connected' returns cells: it must start with '{name}'"
        place = e.arguments[0].place
        return self._report("E451", message, place, Hint(f"write {name}", (name,)))

    def _loops(
        self, loops: tuple[syntax.Loop, ...], scope: Scope
    ) -> tuple[tuple[typed.Loop, ...], Scope]:
        result: list[typed.Loop] = []
        for loop in loops:
            collection = self._bind(loop.collection, scope)
            self._looping += 1
            if self._looping > LIMITS.loops:
                message = f"more than {LIMITS.loops} loops inside one another"
                raise Oversized(message, "use fewer loops")
            of: Type | None = element_of(collection.type)
            if of is None:
                if not is_unknown(collection):
                    message = f"expected a collection here, not {collection.type}"
                    hint = "a range a..b, a list, a set or a grid"
                    self._report("E303", message, loop.collection.place, hint)
                collection, of = UNKNOWN, UNKNOWN.type
            order = points_of(of)
            of = of if order is None else Word(order.words, order)  # `connected` goes on to others
            self._check_new_name(loop.name, loop.place, scope)
            code_name = self._new_name(loop.name)
            scope = scope.with_local(loop.name, of, code_name)
            condition = None
            if loop.condition is not None:
                condition = self._bind(loop.condition, scope)
                self._is(condition, Bool, "a condition", loop.condition)
                scope = scope.assuming(loop.condition, True)
            result.append(typed.Loop(code_name, of, collection, condition, loop.place))
        return tuple(result), scope

    def _check_new_name(self, name: str, place: Place, scope: Scope) -> None:
        vocabulary = self.vocabulary
        taken = {
            **vocabulary.variables,
            **vocabulary.parameters,
            **vocabulary.definitions,
            **scope.locals,
            **(vocabulary.everyone or {}),
            **scope.lets,
        }
        if name in taken or name in ("me", "them", "first", "players"):
            self._report(
                "E312", f"the name '{name}' is already taken here", place, "use another name"
            )


def _is_itself(body: Typed, loop: typed.Loop) -> bool:
    """Whether what a loop gives are the very cells that it goes through."""
    is_name = isinstance(body, typed.Local) and body.name == loop.name
    return is_name and (isinstance(loop.element, Cell) or points_of(loop.element) is not None)


def _names(e: syntax.Call) -> list[syntax.Name]:
    return [argument for argument in e.arguments if isinstance(argument, syntax.Name)]


def _boards(variables: Mapping[str, typed.Variable]) -> str:
    """The boards that there are."""
    names = [name for name, one in variables.items() if isinstance(one.type, Grid)]
    if not names:
        return "declare a grid in the state: board: {type: grid of int, rows: 3, columns: 3}"
    return f"a grid of the state: {', '.join(names)}"
