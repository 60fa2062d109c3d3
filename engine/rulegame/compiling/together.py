"""Turns in which players choose at once: the functions of a program that are different then.

Each player's move is kept in the state, one seat after the other, and changes nothing else. When
the last has chosen, all that they do is worked out from the state before, noted with who does it,
and written at once. Then follows what nobody does: the turn's own steps, the end rules, the next
turn.

Between two players the cell of passes says that the next is to be found (`NEXT`, `FIRST`); then
there are no options, and what happens by itself (`stuck`) finds one, or carries everything out. So
whoever runs the rules goes on as if somebody were stuck.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from rulegame.compiling.layout import FIRST, NEXT, PASSES, SEAT, Point, opening
from rulegame.compiling.program import Program
from rulegame.compiling.statements import Writer
from rulegame.evaluation.emitting import (
    Emitter,
    add,
    call,
    constant,
    load,
    local_name,
    store,
    subscript,
    times,
)
from rulegame.evaluation.runtime import SEATS, SITES
from rulegame.language import typed
from rulegame.language.typed import Write
from rulegame.language.types import PlayerType, is_row, size_of
from rulegame.model import Effects, Operation, Together, Verdict
from rulegame.model.analysis import are_certainly_different, write_expressions, writes_work

ME: Final = typed.Seat(PlayerType(), "me")


def writer_of(program: Program, trusting: bool = True) -> Writer:
    """Who writes the functions of a program."""
    if program.ruleset.together is None:
        return Writer(program, trusting)
    return TogetherWriter(program, program.ruleset.together)


class TogetherWriter(Writer):
    """Writes the functions of a game in which players choose at once."""

    def __init__(self, program: Program, together: Together) -> None:
        super().__init__(program, trusting=False)  # moves of several may end a game
        self._together = together
        self._noting = False  # what is written is noted, with who writes it

    @property
    def _players(self) -> int:
        return len(self._ruleset.players)

    # ---- one player's choice

    def _moves(self, number: int, point: Point) -> None:
        super()._moves(number, point)
        if number == 0:
            waiting: ast.stmt = ast.If(
                subscript("s", constant(PASSES)), [ast.Return(ast.Tuple([], ast.Load()))], []
            )
            self._functions[-1].body.insert(0, waiting)

    def _play(self, number: int, point: Point) -> None:
        if number:
            super()._play(number, point)
            return
        emitter = self._emitter()
        emitter.assign("me", subscript("s", constant(SEAT)))
        emitter.assign("t", call("list", load("s")))
        for k, operation in enumerate(point.operations):
            with emitter.inside() as block:
                self._put(emitter, self._shape.moved.start, constant(k + 1))
                for c, choice in enumerate(operation.choices):
                    given = emitter.kept(
                        subscript("m", constant(c + 1)), choice.element, choice.place
                    )
                    self._put(emitter, self._shape.layout.offsets[choice.name], given)
            test = ast.Compare(subscript("m", constant(0)), [ast.Eq()], [constant(k)])
            emitter.block += block if len(point.operations) == 1 else [ast.If(test, block, [])]
        self._set(emitter, PASSES, constant(NEXT))
        emitter.block.append(ast.Return(call("tuple", load("t"))))
        self._add("play_0", ["s", "m"], emitter)

    def _put(self, emitter: Emitter, first: int, value: ast.expr) -> None:
        """Into the cell of the player who moves, of those that begin there."""
        place = add(constant(first), load("me"))
        target = ast.Subscript(load("t"), place, ast.Store())
        emitter.block.append(ast.Assign([target], value))

    # ---- who is next, and when all have chosen

    def _stuck(self) -> None:
        """What happens by itself: a player has no move, or who is next is to be found."""
        super()._stuck()
        emitter = self._emitter()
        for name, cell in self._rolls_of_turn:
            emitter.assign(local_name(name), subscript("s", constant(cell)))
        emitter.assign("t", call("list", load("s")))
        self._find_next(emitter)
        self._nobody_moved(emitter)
        self._all_at_once(emitter)
        waiting = ast.If(subscript("s", constant(PASSES)), emitter.block, [])
        self._functions[-1].body.insert(0, waiting)

    def _pass(self, emitter: Emitter, players: int) -> None:
        """A player without a move sits out."""
        self._set(emitter, PASSES, constant(NEXT))
        emitter.block.append(ast.Return(call("tuple", load("t"))))

    def _chooses(self, emitter: Emitter) -> ast.expr:
        return emitter.root(typed.Membership(ME, self._together.who))

    def _find_next(self, emitter: Emitter) -> None:
        """The next player who chooses, if there is one."""
        following: ast.expr = add(subscript("s", constant(SEAT)), constant(1))
        if not self._together.everyone:
            first = ast.Compare(subscript("s", constant(PASSES)), [ast.Eq()], [constant(FIRST)])
            following = ast.IfExp(first, constant(0), following)
        emitter.assign("following", following)
        with emitter.inside() as found:
            self._set(emitter, SEAT, load("me"))
            self._set(emitter, PASSES, constant(0))
            emitter.block.append(ast.Return(call("tuple", load("t"))))
        reached = ast.Compare(load("me"), [ast.GtE()], [load("following")])

        def one() -> None:
            with emitter.inside() as block:
                test = None if self._together.everyone else self._chooses(emitter)
                emitter.block += found if test is None else [ast.If(test, found, [])]
            emitter.block.append(ast.If(reached, block, []))

        self._each_player(emitter, one)

    def _each_player(self, emitter: Emitter, body: Callable[[], None]) -> None:
        """A loop over all players, each of them `me`."""
        with emitter.inside() as block:
            body()
        seats = call("range", constant(0), constant(self._players))
        emitter.block.append(ast.For(store("me"), seats, block, []))

    def _nobody_moved(self, emitter: Emitter) -> None:
        """If all have passed, the game is over; somebody must have had the choice."""
        moved = [subscript("s", constant(cell)) for cell in self._shape.moved]
        with emitter.inside() as block:

            def one() -> None:
                with emitter.inside() as ended:
                    self._conclude(emitter, self._ruleset.stuck.all_verdict, 1)
                    emitter.block.append(ast.Return(call("tuple", load("t"))))
                emitter.block.append(ast.If(self._chooses(emitter), ended, []))

            self._each_player(emitter, one)
            site = emitter.sites.number(self._together.place)
            emitter.block.append(ast.Expr(call("nobody_chooses", site)))
        any_moved = moved[0] if len(moved) == 1 else ast.BoolOp(ast.Or(), list(moved))
        emitter.block.append(ast.If(ast.UnaryOp(ast.Not(), any_moved), block, []))

    def _all_at_once(self, emitter: Emitter) -> None:
        """What everybody has chosen, then what nobody does."""
        emitter.assign("done", ast.List([], ast.Load()))
        self._noting = True
        self._each_player(emitter, lambda: self._deeds(emitter))
        self._noting = False
        emitter.assign("t", call("list", load("s")))
        emitter.block.append(ast.Expr(call("write_of_all", load("t"), load("done"))))
        emitter.assign("me", constant(0))
        self._set(emitter, SEAT, constant(0))
        self._set(emitter, PASSES, constant(0))
        emitter.written = {}
        self._carry_out(emitter, self._together.done, 0)

    def _deeds(self, emitter: Emitter) -> None:
        """What the move of one player does, noted."""
        number = add(constant(self._shape.moved.start), load("me"))
        emitter.assign("move", subscript("s", number))
        for k, operation in enumerate(self._ruleset.operations):
            with emitter.inside() as block:
                emitter.written, emitter.states["now"] = {}, "s"
                for choice in operation.choices:
                    place = add(constant(self._shape.layout.offsets[choice.name]), load("me"))
                    emitter.assign(local_name(choice.name), subscript("s", place))
                self._note_steps(emitter, operation)
            test = ast.Compare(load("move"), [ast.Eq()], [constant(k + 1)])
            emitter.block.append(ast.If(test, block or [ast.Pass()], []))

    def _note_steps(self, emitter: Emitter, operation: Operation) -> None:
        steps = [step for step in operation.steps if isinstance(step, Effects)]
        plain = len(steps) == 1 and steps[0].when is None and steps[0].repeat is None
        if plain and not operation.lets and are_certainly_different(steps[0].writes):
            self._note_at_once(emitter, steps[0])
            return
        emitter.assign("t", call("list", load("s")))  # later steps see what this player has done
        for step in steps:
            self._effects(emitter, step, step.writes)

    def _note_at_once(self, emitter: Emitter, step: Effects) -> None:
        if self._strict and step.writes:
            site = emitter.sites.number(step.writes[0].place)
            emitter.charge(writes_work(step.writes, True), site)
        with emitter.sharing(e for w in step.writes for e in write_expressions(w)):
            for write in step.writes:
                self._note(emitter, write)

    def _write_all(self, emitter: Emitter, writes: tuple[Write, ...]) -> None:
        if not self._noting:
            super()._write_all(emitter, writes)
            return
        if self._strict:
            emitter.charge(writes_work(writes, True), emitter.sites.number(writes[0].place))
        with emitter.sharing(e for w in writes for e in write_expressions(w)):
            self._write_noted(emitter, writes)

    def _note(self, emitter: Emitter, write: Write) -> None:
        """As what is carried out together, and as what this player does."""
        if not self._noting:
            super()._note(emitter, write)
            return
        type_ = write.variable.type
        whole = not write.indices and is_row(type_)
        value = self._new_value(emitter, write)
        place = emitter.keep(self._slot(emitter, write))
        site = emitter.sites.add(write.place)
        for k in range(size_of(type_) if whole else 1):
            one: ast.expr = ast.Subscript(value, constant(k), ast.Load()) if whole else value
            at = add(place, constant(k))
            if emitter.states["now"] == "t":
                self._append(emitter, "writes", at, one)
            if write.variable.name not in self._ruleset.state:
                continue  # a value of the move is nobody else's
            key = add(times(at, constant(SEATS)), load("me"))
            self._append(emitter, "done", add(key, constant(site * SITES)), one)

    def _append(self, emitter: Emitter, name: str, key: ast.expr, value: ast.expr) -> None:
        method = ast.Attribute(load(name), "append", ast.Load())
        pair = ast.Tuple([key, value], ast.Load())
        emitter.block.append(ast.Expr(ast.Call(method, [pair], [])))

    # ---- the end of a turn

    def _finish(self, emitter: Emitter, operation: Operation) -> None:
        """The end rules, then the next turn."""
        over = call("over", load("t"), load("me"))
        emitter.block.append(ast.If(over, [ast.Return(call("tuple", load("t")))], []))
        self._set(emitter, SEAT, constant(0))
        self._begin_turn(emitter)
        emitter.block.append(ast.Return(call("tuple", load("t"))))

    def _begin_turn(self, emitter: Emitter, passes: ast.expr | None = None) -> None:
        super()._begin_turn(emitter, constant(opening(self._ruleset)))
        self._forget_choices(emitter)

    def _conclude(self, emitter: Emitter, verdict: Verdict, rule: int) -> None:
        super()._conclude(emitter, verdict, rule)
        self._forget_choices(emitter)

    def _forget_choices(self, emitter: Emitter) -> None:
        """Nobody has chosen anything."""
        for k, value in enumerate(self._shape.rest):
            self._set(emitter, self._shape.moved.start + k, constant(value))
