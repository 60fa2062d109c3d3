"""The kernel: the rules of a game, running. Cells (a state) and codes (moves, and what can be
rolled) go in and come out; nobody else knows what the cells mean or how codes are made.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import gcd
from random import Random
from typing import Any, Final, Literal, NamedTuple, NoReturn

from rulegame.compiling.checks import Checks, checks_of
from rulegame.compiling.layout import (
    PASSES,
    POINT,
    RULES,
    SEAT,
    Point,
    cell_ranges,
    is_always_alike,
    pending_size,
    turn_start,
)
from rulegame.compiling.program import Action, Codes, Program
from rulegame.compiling.together import writer_of
from rulegame.evaluation.evaluator import compile_expression
from rulegame.evaluation.runtime import Cells, Fault, Meter
from rulegame.evaluation.values import decode
from rulegame.language.syntax import Place
from rulegame.language.typed import Typed
from rulegame.language.types import Type, size_of
from rulegame.model import Operation, ParameterRule, Roll, Ruleset, Validity, Verdict
from rulegame.model.analysis import may_be
from rulegame.model.payoffs import verdicts
from rulegame.wording import as_written

CHANCE: Final = -1  # who is to move: a seat, chance,
OVER: Final = -2  # or nobody any more

CONSTANTS: Final = (int, str, bool, tuple, list, dict, frozenset)  # their types, in functions

Below = Callable[[int], int]  # a whole number from 0 up to a limit, all equally likely
# A code for some cells, out of the options, by whose they are; and the number of the step.
Choose = Callable[[Cells, Codes, int, int], int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `rule` is the name of the rule that decided."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    draw: bool
    payoffs: tuple[int | Fraction, ...]
    rule: str

    @property
    def score(self) -> int | Fraction | None:
        """What the only player, or all together, reached, if that was neither a win nor a loss nor
        a draw.
        """
        return self.payoffs[0] if self.result == "score" else None

    @property
    def result(self) -> Literal["won", "draw", "lost", "score"]:
        """What kind of end it is: somebody wins, nobody does, all lose, or a score is reached."""
        if self.winners or self.draw:
            return "won" if self.winners else "draw"
        return "lost" if self.losers else "score"


def _settings(ruleset: Ruleset, operation: Operation) -> str:
    """The parameters that the choices of an operation name, or that the call has changed."""
    named = " ".join(choice.sources["from"].written for choice in operation.choices)
    words = set(re.findall(r"[A-Za-z]\w*", named))
    return ", ".join(
        f"{name}={as_written(_value(rule, ruleset))}"
        for name, rule in ruleset.parameters.items()
        if name in words or rule.value != rule.default
    )


def _value(rule: ParameterRule, ruleset: Ruleset) -> Any:
    codes = rule.value if isinstance(rule.value, tuple) else (rule.value,)
    return decode(rule.type, codes, ruleset.words)


def by_random(rng: Random) -> Below:
    """Whole numbers from a generator, one of its floats for each."""
    random = rng.random
    return lambda limit: int(random() * limit)


class Chances(NamedTuple):
    """What can be rolled, and whole numbers, as small as can be, in proportion to the
    probabilities; `sums` are those of each with all before it.
    """

    codes: Codes
    weights: tuple[int, ...]
    sums: tuple[int, ...]


class Kernel:
    """The rules of one game. Where they fail, it is a `Fault`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.ruleset: Ruleset = program.ruleset
        self.seats = len(self.ruleset.players)
        self.actions: list[Action] = program.actions.known  # by their codes
        self._words = program.actions.words
        self._take_functions()
        self._rolls = program.rolls
        self.parts = self.ruleset.unit.denominator  # of 1, in which cells hold payoffs
        ends = verdicts(self.ruleset)
        self._pays = tuple(verdict.pays for verdict in ends)
        self._scores = tuple(
            verdict.score is not None or (verdict.pays and self.seats == 1) for verdict in ends
        )
        places = [_place(point) for point in program.points]
        self._sites = [-1 if at is None else program.sites.add(at) for at in places]
        self._alike: dict[int, Chances] = {}  # of rolls that are the same in every state
        self._last: tuple[Cells, Chances] = ((), Chances((), (), ()))
        self._outcomes: dict[tuple[int, int], Outcome] = {}
        self._together = self.ruleset.together is not None
        self._checks: dict[str, Checks] = {}  # of operations, by name
        self.generation = 0  # how often the functions were replaced
        self.machines: dict[str, Any] = {}  # the same rules as machine code: see `native`

    def _take_functions(self) -> None:
        self._play = self.program.play
        self._turn_options = self.program.moves[0]
        self._stuck = self.program.stuck
        self._gates = self.program.gates

    @property
    def is_shared(self) -> bool:
        """Whether some end means the same to all players, and is not a draw."""
        return any(verdict.is_common for verdict in verdicts(self.ruleset))

    @property
    def is_common(self) -> bool:
        """Whether every end means the same to all players: what one is out for, all are."""
        return self.is_shared and all(
            verdict.is_common or self._is_nobodys(verdict) for verdict in verdicts(self.ruleset)
        )

    def _is_nobodys(self, verdict: Verdict) -> bool:
        """Whether a verdict is a draw, or none at all."""
        words, result = self.ruleset.words, verdict.result
        return result is not None and not any(
            may_be(result, words.index(word)) for word in ("win", "lose")
        )

    @property
    def is_plain(self) -> bool:
        """Whether games are won, lost or drawn, and nothing else is paid."""
        return not any(self._pays)

    @property
    def counts_positions(self) -> bool:
        """Whether earlier positions are part of a state, in cells that hold no numbers."""
        return bool(self.program.shape.layout.histories)

    # ---- where a game stands

    def start(self, first: int) -> Cells:
        """The cells in which a game begins, if `first` moves first: before what happens by
        itself.
        """
        return self.program.start[first]

    def who_begins(self, first: int) -> int:
        """Who moves first: the seat that was asked for, unless the ruleset says which."""
        fixed = self.ruleset.turn.first
        return first if fixed is None else fixed

    def turn(self, first: int) -> Cells:
        """The beginning of the turn of `first`, without the setup, which may say who begins."""
        shape = self.program.shape
        first = first if self.ruleset.turn.opener is not None else self.who_begins(first)
        cells = list(self.program.start[first])
        cells[SEAT], cells[POINT] = first, turn_start(self.ruleset)
        if shape.first is not None:
            cells[shape.first] = first if shape.keeps_first else 0
        return tuple(cells)

    def player(self, cells: Cells) -> int:
        """Who is to move: a seat, CHANCE, or OVER."""
        point = cells[POINT]
        if point < 0:
            return OVER
        return CHANCE if point in self._rolls else cells[SEAT]

    def seat(self, cells: Cells) -> int:
        """Whose turn it is, also while something is rolled; -1 when the game is over."""
        return cells[SEAT]

    def point(self, cells: Cells) -> Point:
        """Where a game that is not over waits: for which decision, or for which roll."""
        return self.program.points[cells[POINT]]

    def number(self, cells: Cells) -> int:
        """The number of that point among `points`."""
        return cells[POINT]

    @property
    def points(self) -> tuple[Point, ...]:
        """Wherever a game can wait."""
        return self.program.points

    @property
    def end_rules(self) -> tuple[str, ...]:
        """The names of the rules that may end a game."""
        return self.program.rules

    def places(self, name: str, owner: int = 0) -> range:
        """The cells of a declared value; of one player's, if each has one."""
        size = size_of(self.ruleset.state[name].variable.type)
        at = self.program.shape.layout.offsets[name] + owner * size
        return range(at, at + size)

    def pending(self, operation: Operation) -> Iterable[int]:
        """The cells of the choices and rolls of a move whose dice have not all fallen."""
        at = self.program.shape.pending
        return range(at, at + pending_size(operation))

    def move_places(self, operation: Operation) -> Iterable[int]:
        """The cells of the values that live during a move."""
        for one in operation.lets:
            at = self.program.shape.layout.offsets[one.variable.name]
            yield from range(at, at + size_of(one.variable.type))

    @property
    def first_place(self) -> int | None:
        """The cell that holds who moved first, if there is one."""
        return self.program.shape.layout.first

    @property
    def roll_places(self) -> dict[str, int]:
        """The cells of the rolls of the turn, by name."""
        return self.program.shape.rolls

    def admit(self, cells: Cells) -> None:
        """Lets cells in that were made by hand: others are only reached from the start. If they are
        such as the rules never lead to, nothing is taken for granted any more.
        """
        seats = range(self.seats if cells[POINT] >= 0 else 0)
        if any(holds(cells, seat) for holds in self.program.granted for seat in seats):
            writer_of(self.program, trusting=False).write()
            self._take_functions()
            self.generation += 1
            self.machines.clear()

    # ---- where players choose at once

    def choosers(self, cells: Cells) -> Codes:
        """The seats that choose in this turn, in the order in which they are asked; one, unless
        players choose at once; none while something is rolled, or when the game is over.
        """
        if self.player(cells) < 0:
            return ()
        together = self.ruleset.together
        if together is None or self.point(cells).kind == "setup":
            return (cells[SEAT],)
        who = self._who(cells, (), 0, (), *(cells[at] for at in self.roll_places.values()))
        return tuple(sorted(set(who)))

    def choosing(self, cells: Cells) -> Codes:
        """Those of them who have not chosen yet."""
        return tuple(seat for seat in self.choosers(cells) if seat >= cells[SEAT])

    def chosen(self, cells: Cells) -> Codes:
        """The seats whose moves wait until all have chosen."""
        if not self._together or cells[POINT] != 0:
            return ()
        first = self.program.shape.moved.start
        return tuple(seat for seat in range(self.seats) if cells[first + seat])

    def code_chosen(self, cells: Cells, seat: int) -> int:
        """The code of the move of one of those seats."""
        shape = self.program.shape
        operation = self.ruleset.operations[cells[shape.moved.start + seat] - 1]
        places = [shape.layout.offsets[choice.name] + seat for choice in operation.choices]
        return self.code(operation.name, tuple(cells[place] for place in places))

    def options_of(self, cells: Cells, seat: int) -> Codes:
        """The valid moves of one of the choosers, whatever others have chosen or will; none if it
        is stuck.
        """
        return self.options((seat, *cells[1:]))

    def after_all(self, cells: Cells, codes: Iterable[int]) -> Cells:
        """What the moves of all who have not chosen yet, and are not stuck, lead to."""
        for code in codes:
            cells = self.advance(self.step(cells, code))
        return cells

    def places_of_chosen(self, seat: int) -> dict[str, int]:
        """The cells of what a seat has chosen, by the name of the choice; that of the operation
        under "".
        """
        shape, operations = self.program.shape, self.ruleset.operations
        if not self._together:
            return {}
        names = {choice.name for operation in operations for choice in operation.choices}
        found = {name: shape.layout.offsets[name] + seat for name in sorted(names)}
        return {"": shape.moved.start + seat, **found}

    @cached_property
    def _who(self) -> Any:
        assert self.ruleset.together is not None
        return self.evaluator(self.ruleset.together.who, tuple(self.roll_places))

    # ---- moves and rolls

    def options(self, cells: Cells) -> Codes:
        """The valid moves, or what can be rolled; none if the player is stuck or the game over."""
        point = cells[POINT]
        if point == 0:
            return self._turn_options(cells)
        if point < 0 or point in self._gates:
            return ()
        return self._chances(cells).codes if point in self._rolls else self._setup_options(cells)

    def settle(self, cells: Cells, stuck: list[Cells] | None = None) -> tuple[Cells, Codes, int]:
        """What some cells lead to by themselves, the options there (none at the end), and whose
        they are: see `player`. Where somebody was stuck on the way is added to `stuck`.
        """
        point = cells[POINT]
        while point == 0 or point in self._gates:
            options = () if point else self._turn_options(cells)
            if options:
                return cells, options, cells[SEAT]
            if stuck is not None and point == 0 and not (self._together and cells[PASSES]):
                stuck.append(cells)
            cells = self.get_past(cells)
            point = cells[POINT]
        if point < 0:
            return cells, (), OVER
        if point in self._rolls:
            return cells, (self._alike.get(point) or self._chances(cells)).codes, CHANCE
        return cells, self._setup_options(cells), cells[SEAT]

    def advance(self, cells: Cells) -> Cells:
        """What some cells lead to by themselves, if nobody asks for the options there."""
        while (point := cells[POINT]) in self._gates or (
            point == 0 and not self._turn_options(cells)
        ):
            cells = self.get_past(cells)
        return cells

    def get_past(self, cells: Cells) -> Cells:
        """What happens by itself: to a player who is stuck, or in the setup."""
        gate = self._gates.get(cells[POINT])
        return self._stuck(cells) if gate is None else gate(cells)

    def step(self, cells: Cells, code: int) -> Cells:
        """The cells after a move or a roll."""
        return self._play[cells[POINT]](cells, self._words[code])

    def step_words(self, cells: Cells, words: tuple[int, ...]) -> Cells:
        """The cells after a move or a roll by its words: the operation's number, the choices."""
        return self._play[cells[POINT]](cells, words)

    def run(self, cells: Cells, choose: Choose, limit: int) -> tuple[Cells, int]:
        """Plays on, to the end or for so many steps, and gives back how many there were. `choose`
        is asked for each move and each roll.
        """
        play, words, turn_options, steps = self._play, self._words, self._turn_options, 0
        while True:
            if cells[POINT] == 0 and (options := turn_options(cells)):
                player = cells[SEAT]
            else:
                cells, options, player = self.settle(cells)
            if not options or steps == limit:
                return cells, steps
            code = choose(cells, options, player, steps)
            cells = play[cells[POINT]](cells, words[code])
            steps += 1

    def any_of(self, cells: Cells, options: Codes, player: int, below: Below) -> int:
        """A roll by its probability, or any of a player's moves."""
        return self.roll(cells, below) if player == CHANCE else options[below(len(options))]

    def checks(self, operation: Operation) -> Checks:
        """What the moves of an operation are tested for, made when it is first needed."""
        found = self._checks.get(operation.name)
        if found is None:
            found = self._checks[operation.name] = checks_of(self.program, operation)
        return found

    def satisfies(
        self, cells: Cells, operation: Operation, rule: Validity, choices: Sequence[int]
    ) -> bool:
        """Whether a move satisfies the condition of a compulsory rule."""
        rolls = () if operation.setup else self.roll_places.values()
        arguments = (*(cells[at] for at in rolls), *choices)
        test = self.program.tests[rule.name, operation.name]
        return bool(test(cells, self.seat(cells), *arguments))

    def after(self, operation: Operation, cells: Cells, arguments: Sequence[int]) -> list[int]:
        """The cells after the effects of an operation, as far as no roll inside it decides;
        `arguments` are the rolls of the turn and the choices.
        """
        return self.program.after[operation.name](cells, self.seat(cells), *arguments)

    def evaluator(
        self,
        expression: Typed,
        locals_: tuple[str, ...] = (),
        names: Mapping[str, Any] | None = None,
        meter: Meter | None = None,
    ) -> Callable[..., Any]:
        """A function of (state's cells, other cells, me, players' names, locals …) for an
        expression, with a budget for each call, or with that of a meter.
        """
        program = self.program
        return compile_expression(
            expression, program.shape.layout, program.sites, {}, meter, names or {}, locals_
        )

    @property
    def printed_types(self) -> list[Type]:
        """The types of values that texts print, by their number in compiled expressions."""
        return self.program.sites.types

    def reset_budget(self) -> None:
        """Give what follows a whole budget of steps."""
        self.program.meter.reset()

    @property
    def code_of_rules(self) -> tuple[object, ...]:
        """All that the functions of the rules are made of: equal for rules that play alike."""
        program = self.program
        constants = {
            name: value
            for name, value in sorted(program.names.items())
            if type(value) in CONSTANTS and name != "__builtins__"
        }
        functions = [repr(function) for _, function in sorted(program.functions.items())]
        points = [(point.kind, point.roll and point.roll.name) for point in program.points]
        return functions, constants, points, self.cell_ranges

    def place(self, site: int) -> Place | None:
        """Where in the ruleset a fault happened, as far as it tells."""
        places = self.program.sites.places
        return places[site] if 0 <= site < len(places) else None

    def code(self, name: str, choices: tuple[int, ...]) -> int:
        """The code of an operation, or of something rolled, with its choices."""
        numbering = self.program.operations.get(name)
        if numbering is None:
            numbering = next(codes for codes in self._rolls.values() if codes.name == name)
        return numbering.of(choices)

    def act(self, cells: Cells, code: int) -> tuple[int, ...]:
        """An option of a state by its point and its words, all of one length: see `code_at`."""
        act = cells[POINT], *self._words[code]
        return act + (0,) * (1 + self.width - len(act))

    @cached_property
    def width(self) -> int:
        """How many words an option has at most: the operation's number, and the choices."""
        operations = (*self.ruleset.operations, *self.ruleset.setup)
        return 1 + max([1, *(len(operation.choices) for operation in operations)])

    def code_at(self, point: int, words: Sequence[int]) -> int:
        """The code of an option of a point: the operation's number, and the choices."""
        at = self.program.points[point]
        if at.roll is not None:
            return self._rolls[point].of((words[1],))
        operation = at.operations[words[0] if point == 0 else 0]
        return self.code(operation.name, tuple(words[1 : 1 + len(operation.choices)]))

    @property
    def cell_ranges(self) -> list[tuple[int, int] | None]:
        """What each cell can be, beside none, where the types tell."""
        return cell_ranges(self.ruleset, self.program.shape, self.program.points)

    def _setup_options(self, cells: Cells) -> Codes:
        options = self.program.moves[cells[POINT]](cells)
        if not options:
            operation = self.point(cells).operations[0]
            player = self.ruleset.players[cells[SEAT]]
            message = f"{player} has no valid choice for '{operation.name}'"
            settings = _settings(self.ruleset, operation)
            if settings:
                message = f"no valid choice for '{operation.name}' with these settings: {settings}"
            raise Fault("E509", self._sites[cells[POINT]], message)
        return options

    # ---- chance

    def weights(self, cells: Cells) -> tuple[int, ...]:
        """Whole numbers, as small as can be, in proportion to the probabilities of the options."""
        return self._chances(cells).weights

    def rolls_alike(self, cells: Cells) -> bool:
        """Whether something is rolled that is the same in every state."""
        return cells[POINT] in self._always_alike

    @cached_property
    def _always_alike(self) -> frozenset[int]:
        return frozenset(point for point in self._rolls if is_always_alike(self._roll_at(point)))

    def roll(self, cells: Cells, below: Below) -> int:
        """What chance brings, by its exact probability: every roll of the project falls here."""
        codes, _, sums = self._alike.get(cells[POINT]) or self._chances(cells)
        ticket = below(sums[-1])
        return codes[ticket if sums[-1] == len(codes) else bisect_right(sums, ticket)]

    def _chances(self, cells: Cells) -> Chances:
        point = cells[POINT]
        known = self._alike.get(point)
        if known is not None:
            return known
        last, chances = self._last
        if last is cells:
            return chances
        chances = self._worked_out(cells)
        if self.rolls_alike(cells):
            self._alike[point] = chances
        self._last = cells, chances
        return chances

    def _worked_out(self, cells: Cells) -> Chances:
        point = cells[POINT]
        values, weights = self.program.events[point](cells)
        shares: dict[int, int] = {}
        for value, weight in zip(values, weights or [1] * len(values), strict=True):
            if weight < 0:
                self._refuse(point, f"a weight of '{self._roll_at(point).name}' is {weight}")
            if weight:
                shares[value] = shares.get(value, 0) + weight
        if not shares:
            self._refuse(point, f"'{self._roll_at(point).name}' has no values to roll")
        codes, common = self._rolls[point], gcd(*shares.values())
        reduced = tuple([share // common for share in shares.values()])
        return Chances(tuple([codes[v] for v in shares]), reduced, tuple(accumulate(reduced)))

    def _roll_at(self, point: int) -> Roll:
        roll = self.program.points[point].roll
        assert roll is not None
        return roll

    def _refuse(self, point: int, message: str) -> NoReturn:
        raise Fault("E507", self._sites[point], message)

    # ---- ends

    def way_out(self, cells: Cells) -> str:
        """What cells after a player was stuck say of it: "pass", "stuck" or "all_stuck"."""
        return {-1: RULES[0], -2: RULES[1]}.get(cells[POINT], "pass")

    def outcome(self, cells: Cells) -> Outcome:
        """How the game ended that some cells are the end of."""
        key = cells[POINT], cells[PASSES]
        known = self._outcomes.get(key)
        if known is None:
            known = self._make_outcome(cells)
            if not self._pays[-1 - cells[POINT]]:
                self._outcomes[key] = known
        return known

    def outcome_of(self, end: Sequence[int]) -> Outcome:
        """How games ended of which only the rule, who won, and what is paid are told."""
        cells = list(self.start(0))
        cells[POINT], cells[PASSES] = end[0], end[1]
        if self.program.shape.payoffs is not None:
            cells[self.program.shape.payoffs : self.program.shape.payoffs + self.seats] = end[2:]
        return self.outcome(tuple(cells))

    def paid(self, parts: int) -> int | Fraction:
        """A payoff by the parts of 1 that a cell holds."""
        whole, rest = divmod(parts, self.parts)
        return Fraction(parts, self.parts) if rest else whole

    def worth(self, cells: Cells, seat: int) -> float:
        """What a seat gets at an end, as machine code reckons it."""
        if self._pays[-1 - cells[POINT]]:
            assert self.program.shape.payoffs is not None
            return float(cells[self.program.shape.payoffs + seat]) / float(self.parts)
        return float((cells[PASSES] >> seat & 1) - (cells[PASSES] >> (seat + 8) & 1))

    def _make_outcome(self, cells: Cells) -> Outcome:
        bits, first = cells[PASSES], self.program.shape.payoffs
        seats = range(self.seats)
        winners = tuple(s for s in seats if bits >> s & 1)
        losers = tuple(s for s in seats if bits >> (s + 8) & 1)
        payoffs: tuple[int | Fraction, ...]
        payoffs = tuple(1 if s in winners else -1 if s in losers else 0 for s in seats)
        rule = -1 - cells[POINT]
        if first is not None and self._pays[rule]:
            payoffs = tuple(map(self.paid, cells[first : first + len(seats)]))
        draw = not winners and not losers and not self._scores[rule]
        return Outcome(winners, losers, draw, payoffs, self.program.rules[rule])


def _place(point: Point) -> Place | None:
    """What is to blame where a game cannot go on from a point."""
    if point.roll is not None:
        return point.roll.place
    return point.operations[0].place if point.operations else None
