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

from collections.abc import Callable
from typing import Final

from rulegame.compiling.layout import FIRST, NEXT, PASSES, SEAT, Point, opening
from rulegame.compiling.program import Program
from rulegame.compiling.statements import MOVE, STATE, Writer
from rulegame.core import ir
from rulegame.evaluation.emitting import ME, Emitter, local_name
from rulegame.language import typed
from rulegame.language.typed import Write
from rulegame.language.types import PlayerType, is_row, size_of
from rulegame.model import Effects, Operation, Together, Verdict
from rulegame.model.analysis import are_certainly_different, writes_work

MOVER: Final = typed.Seat(PlayerType(), "me")
PLAYER: Final = ir.Local("player")  # of a loop over all of them


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
            waiting: ir.Stmt = ir.If(ir.Load("s", ir.Const(PASSES)), [ir.ReturnOperations(())], [])
            self._functions[-1].body.insert(0, waiting)

    def _play(self, number: int, point: Point) -> None:
        if number:
            super()._play(number, point)
            return
        emitter = self._emitter()
        emitter.assign(ME.name, ir.Load("s", ir.Const(SEAT)))
        emitter.block.append(ir.CopyState())
        for k, operation in enumerate(point.operations):
            with emitter.inside() as block:
                self._put(emitter, self._shape.moved.start, ir.Const(k + 1))
                for c, choice in enumerate(operation.choices):
                    given = emitter.kept(
                        ir.Load("m", ir.Const(c + 1)), choice.element, choice.place
                    )
                    self._put(emitter, self._shape.layout.offsets[choice.name], given)
            test = ir.compare(ir.Load("m", ir.Const(0)), "==", ir.Const(k))
            emitter.block += block if len(point.operations) == 1 else [ir.If(test, block, [])]
        self._set(emitter, PASSES, ir.Const(NEXT))
        emitter.block.append(ir.ReturnState())
        self._add(ir.Role.PLAY, number, [STATE, MOVE], emitter)

    def _put(self, emitter: Emitter, first: int, value: ir.Expr) -> None:
        """Into the cell of the player who moves, of those that begin there."""
        place = ir.add(ir.Const(first), emitter.me)
        emitter.block.append(ir.Store(place, value))

    # ---- who is next, and when all have chosen

    def _stuck(self) -> None:
        """What happens by itself: a player has no move, or who is next is to be found."""
        super()._stuck()
        emitter = self._emitter()
        for name, cell in self._rolls_of_turn:
            emitter.assign(local_name(name), ir.Load("s", ir.Const(cell)))
        emitter.block.append(ir.CopyState())
        self._find_next(emitter)
        self._nobody_moved(emitter)
        self._all_at_once(emitter)
        waiting = ir.If(ir.Load("s", ir.Const(PASSES)), emitter.block, [])
        self._functions[-1].body.insert(0, waiting)

    def _pass(self, emitter: Emitter, players: int) -> None:
        """A player without a move sits out."""
        self._set(emitter, PASSES, ir.Const(NEXT))
        emitter.block.append(ir.ReturnState())

    def _chooses(self, emitter: Emitter) -> ir.Expr:
        return emitter.root(typed.Membership(MOVER, self._together.who))

    def _find_next(self, emitter: Emitter) -> None:
        """The next player who chooses, if there is one."""
        following: ir.Expr = ir.add(ir.Load("s", ir.Const(SEAT)), ir.Const(1))
        if not self._together.everyone:
            first = ir.compare(ir.Load("s", ir.Const(PASSES)), "==", ir.Const(FIRST))
            following = ir.Select(first, ir.Const(0), following)
        emitter.assign("following", following)
        with emitter.inside() as found:
            self._set(emitter, SEAT, PLAYER)
            self._set(emitter, PASSES, ir.Const(0))
            emitter.block.append(ir.ReturnState())
        reached = ir.compare(PLAYER, ">=", ir.Local("following"))

        def one() -> None:
            with emitter.inside() as block:
                test = None if self._together.everyone else self._chooses(emitter)
                emitter.block += found if test is None else [ir.If(test, found, [])]
            emitter.block.append(ir.If(reached, block, []))

        self._each_player(emitter, one)

    def _each_player(self, emitter: Emitter, body: Callable[[], None]) -> None:
        """A loop over all players, each of them `me`."""
        emitter.me = PLAYER
        with emitter.inside() as block:
            body()
        emitter.me = ME
        seats = ir.call("range", ir.Const(0), ir.Const(self._players))
        emitter.block.append(ir.For(PLAYER.name, seats, block))

    def _nobody_moved(self, emitter: Emitter) -> None:
        """If all have passed, the game is over; somebody must have had the choice."""
        moved = [ir.Load("s", ir.Const(cell)) for cell in self._shape.moved]
        with emitter.inside() as block:

            def one() -> None:
                with emitter.inside() as ended:
                    self._conclude(emitter, self._ruleset.stuck.all_verdict, 1)
                    emitter.block.append(ir.ReturnState())
                emitter.block.append(ir.If(self._chooses(emitter), ended, []))

            self._each_player(emitter, one)
            site = emitter.sites.add(self._together.place)
            emitter.block.append(ir.Do(ir.call("nobody_chooses", site=site)))
        any_moved = moved[0] if len(moved) == 1 else ir.BoolOp("or", tuple(moved))
        emitter.block.append(ir.If(ir.invert(any_moved), block, []))

    def _all_at_once(self, emitter: Emitter) -> None:
        """What everybody has chosen, then what nobody does."""
        emitter.block.append(ir.NewWrites(joint=True))
        self._noting = True
        self._each_player(emitter, lambda: self._deeds(emitter))
        self._noting = False
        emitter.block.append(ir.CopyState())
        self._remember_position(emitter)
        emitter.block.append(ir.CommitJoint())
        emitter.me = ir.Const(0)
        self._set(emitter, SEAT, ir.Const(0))
        self._set(emitter, PASSES, ir.Const(0))
        self._carry_out(emitter, self._together.done, 0)

    def _deeds(self, emitter: Emitter) -> None:
        """What the move of one player does, noted."""
        number = ir.add(ir.Const(self._shape.moved.start), PLAYER)
        emitter.assign("move", ir.Load("s", number))
        for k, operation in enumerate(self._ruleset.operations):
            with emitter.inside() as block:
                emitter.states["now"] = "s"
                for choice in operation.choices:
                    place = ir.add(ir.Const(self._shape.layout.offsets[choice.name]), PLAYER)
                    emitter.assign(local_name(choice.name), ir.Load("s", place))
                self._note_steps(emitter, operation)
            test = ir.compare(ir.Local("move"), "==", ir.Const(k + 1))
            emitter.block.append(ir.If(test, block, []))

    def _note_steps(self, emitter: Emitter, operation: Operation) -> None:
        steps = [step for step in operation.steps if isinstance(step, Effects)]
        plain = len(steps) == 1 and steps[0].when is None and steps[0].repeat is None
        if plain and not operation.lets and are_certainly_different(steps[0].writes):
            self._note_at_once(emitter, steps[0])
            return
        emitter.block.append(ir.CopyState())  # later steps see what this player has done
        for step in steps:
            self._effects(emitter, step, step.writes)

    def _note_at_once(self, emitter: Emitter, step: Effects) -> None:
        if self._strict and step.writes:
            site = emitter.sites.add(step.writes[0].place)
            emitter.charge(writes_work(step.writes, True), site)
        for write in step.writes:
            self._note(emitter, write)

    def _write_all(self, emitter: Emitter, writes: tuple[Write, ...]) -> None:
        if not self._noting:
            super()._write_all(emitter, writes)
            return
        if self._strict:
            emitter.charge(writes_work(writes, True), site=emitter.sites.add(writes[0].place))
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
            one = ir.Item(value, ir.Const(k)) if whole else value
            at = ir.add(place, ir.Const(k))
            if emitter.states["now"] == "t":
                emitter.block.append(ir.Defer(at, one))
            if write.variable.name in self._ruleset.state:  # others are values of the move
                emitter.block.append(ir.DeferJoint(emitter.me, at, one, site))

    # ---- the end of a turn

    def _finish(self, emitter: Emitter, operation: Operation) -> None:
        """The end rules, then the next turn."""
        over = ir.call("over", ir.Array("t"), emitter.me)
        emitter.block.append(ir.If(over, [ir.ReturnState()], []))
        self._set(emitter, SEAT, ir.Const(0))
        self._begin_turn(emitter)
        emitter.block.append(ir.ReturnState())

    def _begin_turn(self, emitter: Emitter, passes: ir.Expr | None = None) -> None:
        super()._begin_turn(emitter, ir.Const(opening(self._ruleset)))
        self._forget_choices(emitter)

    def _conclude(self, emitter: Emitter, verdict: Verdict, rule: int) -> None:
        super()._conclude(emitter, verdict, rule)
        self._forget_choices(emitter)

    def _forget_choices(self, emitter: Emitter) -> None:
        """Nobody has chosen anything."""
        for k, value in enumerate(self._shape.rest):
            self._set(emitter, self._shape.moved.start + k, ir.Const(value))
