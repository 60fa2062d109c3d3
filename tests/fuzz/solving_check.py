"""Every answer about a game of open information, from Python and from native code, against brute
force: values, moves, lines, bounds, best responses, policies, claims, hints and perfect play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any, Final

import rulegame
from fuzz.answers import (
    Answers,
    FixedPlayer,
    check_hint,
    check_kind,
    compare_backends,
    policy_player,
)
from fuzz.backends import CACHE, GRAPHS, settings
from fuzz.brute_force import (
    MAX,
    MIN,
    ROLL,
    Bounds,
    Mix,
    Node,
    Position,
    TooMany,
    end_components,
    forced_within,
    longest_play,
    reachable,
    shortest_play,
    side_nodes,
    solve_nodes,
)
from fuzz.findings import Finding
from fuzz.games import game_of
from fuzz.payoffs_way import UNWRITTEN
from rulegame import CannotSolve, Game, Move, Outcome, State, View
from rulegame.players.advice import Advice, advise
from rulegame.players.budget import Budget
from rulegame.solving import NotOpposed
from rulegame.solving.lookahead.solution import ValueBounds
from support.backends import FILES

MOST_STATES: Final = 250
COMPILED: Final = 0.25  # of the games have their rules compiled
GAMES: Final = 40  # to simulate
WRONG_SYMMETRY: Final = "E511"
ITERATIONS: Final = (3, 10, 20, 30, 60)  # of searches, some of which hardly try some moves


def check(text: bytes, rng: Random) -> None:
    """Ask everything twice and compare."""
    game = game_of(text)
    if game is None:
        return
    if not game.kind.is_open:
        if UNWRITTEN in game.ruleset.state:
            raise Finding(f"{game.kind}, though nothing is written to '{UNWRITTEN}'")
        return
    first = game.kernel.who_begins(rng.randrange(len(game.players)))
    try:
        reference = Reference(game, first)
    except (TooMany, rulegame.GameError):
        return
    check_kind(game, reference.positions, reference.longest)
    seed, compiled = rng.randrange(2**32), rng.random() < COMPILED

    def ask(loaded: Game) -> Answers:
        return _Questions(loaded, reference, Random(seed)).ask()

    compare_backends(text, ask, rules=compiled)


def expect(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Finding(f"{what}: {_short(found)}, not {_short(expected)}")


def _short(value: object) -> str:
    return str(value)[:600]


def uniform(state: State) -> Mix:
    """Every move alike."""
    return dict.fromkeys(state.moves, Fraction(1, len(state.moves)))


class Reference:
    """A game solved by brute force."""

    def __init__(self, game: Game, first: int) -> None:
        self.game, self.first = game, first
        self.seats = range(len(game.players))
        self.positions: list[Position] = reachable(game, first, MOST_STATES)
        self.numbers = {position.state: k for k, position in enumerate(self.positions)}
        self.outcomes = [
            position.state.outcome
            for position in self.positions
            if position.state.outcome is not None
        ]
        self._alone: dict[int, Bounds] = {}

    def nodes(
        self, high: Sequence[int], pay: Callable[[Outcome], int | Fraction], **fixed: Any
    ) -> list[Node]:
        return side_nodes(self.positions, high, pay, **fixed)

    def alone(self, seat: int) -> Bounds:
        """What a seat can secure against all others."""
        if seat not in self._alone:
            nodes = self.nodes([seat], lambda outcome: outcome.payoffs[seat])
            self._alone[seat] = solve_nodes(nodes)
        return self._alone[seat]

    @cached_property
    def plainly(self) -> list[Node]:
        return self.nodes([self.first], lambda outcome: outcome.payoffs[self.first])

    @cached_property
    def longest(self) -> int | None:
        return longest_play(self.plainly)

    @cached_property
    def total(self) -> Fraction | None:
        """What all ends pay together; None if that differs."""
        totals = {Fraction(sum(outcome.payoffs)) for outcome in self.outcomes}
        totals |= {Fraction(0)} if self.longest is None else set()
        return totals.pop() if len(totals) == 1 else None

    @property
    def opposed(self) -> bool:
        shared = any(
            outcome.score is not None
            or len(outcome.payoffs) in (len(outcome.winners), len(outcome.losers))
            for outcome in self.outcomes
        )
        return len(self.seats) == 1 or (
            len(self.seats) == 2 and self.total is not None and not shared
        )

    def value(self, number: int, seat: int) -> tuple[Fraction, Fraction]:
        """Bounds of what a position is worth to a seat, if the players are opposed."""
        bounds = self.alone(self.first)
        low, high = bounds.lower[number], bounds.upper[number]
        if seat == self.first:
            return low, high
        assert self.total is not None
        return self.total - high, self.total - low

    def response(self, seat: int, strategy: Callable[[State], Mix]) -> tuple[Fraction, Fraction]:
        """The value of a best response to a strategy of all others."""
        fixed = dict.fromkeys((other for other in self.seats if other != seat), strategy)
        bounds = solve_nodes(self.nodes([seat], lambda outcome: outcome.payoffs[seat], fixed=fixed))
        return bounds.lower[0], bounds.upper[0]

    def best_moves(self, number: int) -> tuple[set[Move], set[Move]]:
        """The moves that are surely best for the player to move, and those that may be."""
        position = self.positions[number]
        seat = position.state.player
        assert seat is not None
        worths = [self.value(target, seat) for target in position.targets]
        floor = max(low for low, _ in worths)
        ceiling = max(high for _, high in worths)
        sure = {m for m, (low, _) in zip(position.moves, worths, strict=True) if low >= ceiling}
        maybe = {m for m, (_, high) in zip(position.moves, worths, strict=True) if high >= floor}
        return sure, maybe


def agrees(what: str, low: float, high: float, bounds: tuple[Fraction, Fraction]) -> None:
    """The interval that the program names has a point in common with what is proved."""
    if not (low <= high and Fraction(low) <= bounds[1] and Fraction(high) >= bounds[0]):
        said = " to ".join(str(b) for b in dict.fromkeys(bounds))
        raise Finding(f"{what}: from {low!r} to {high!r}, but it is {said}")


class _Questions:
    """All questions about one game, on one backend."""

    def __init__(self, game: Game, reference: Reference, rng: Random) -> None:
        self.game, self.reference, self.rng = game, reference, rng
        self.first, self.positions = reference.first, reference.positions
        self.answers: Answers = {}

    def ask(self) -> Answers:
        """What can be compared between backends."""
        if self.reference.opposed:
            self._solve()
        else:
            self._solve_many()
        self._against()
        self._depth()
        self._claims()
        self._hints()
        self._simulate()
        return self.answers

    def state(self, number: int) -> State:
        """A position of this game."""
        return self.game.resume(self.positions[number].state.cells)

    # ---- values

    def _solve(self) -> None:
        seat = self.first
        try:
            solution = rulegame.solve(self.game, "perfect_information", first=seat, keep=False)
        except rulegame.GameError as error:
            if error.diagnostic.code != WRONG_SYMMETRY:
                raise
            return
        self._values("solve", solution)
        self.answers["values"] = (
            None
            if solution.values is None
            else list(
                map(
                    str,
                    [
                        solution.value_of(solution.number(self.state(k)))
                        for k in range(len(self.positions))
                    ],
                )
            )
        )
        expect("longest game", solution.longest_game, self.reference.longest)
        expect("shortest game", solution.shortest_game, shortest_play(self.reference.plainly))
        self._options(solution)
        self._policy(solution)
        for what, changed, given in (
            ("solve without symmetry", (), {"symmetric": False, "keep": False}),
            ("bounds alone", (), {"limits": rulegame.Limits(exact_states=0)}),
            ("in files", (*FILES, *GRAPHS), {"max_memory": 10**9, "keep": False}),
            ("solve and keep", CACHE, {}),
            ("solve as kept", CACHE, {}),
        ):
            with settings(*changed):
                self._values(
                    what, rulegame.solve(self.game, "perfect_information", first=seat, **given)
                )
        number = self.rng.randrange(len(self.positions))
        later = rulegame.solve(
            self.game, "perfect_information", first=seat, at=self.state(number), keep=False
        )
        agrees(f"solve --at {number}", *later.bounds_of(0), self.reference.value(number, seat))

    def _values(self, what: str, solution: rulegame.PerfectInformationSolution) -> None:
        for k in range(len(self.positions)):
            number = solution.number(self.state(k))
            low, high = solution.bounds_of(number)
            bounds = self.reference.value(k, self.first)
            agrees(f"{what}: state {k}", low, high, bounds)
            exact = solution.value_of(number)
            if exact is not None and not bounds[0] <= exact <= bounds[1]:
                raise Finding(f"{what}: state {k}: {exact}, not {bounds[0]} to {bounds[1]}")

    def _options(self, solution: rulegame.PerfectInformationSolution) -> None:
        for k, position in enumerate(self.positions):
            state = self.state(k)
            if state.player in (None, rulegame.CHANCE):
                continue
            for option, target in zip(solution.options(state), position.targets, strict=True):
                bounds = self.reference.value(target, self.first)
                agrees(f"state {k}, '{option.move}'", option.lower, option.upper, bounds)
            sure, maybe = self.reference.best_moves(k)
            best = set(solution.best_moves(state))
            if not best or (solution.exact and not sure <= best <= maybe):
                raise Finding(f"best moves of state {k}: {_short(best)}, not {_short(sure)}")

    def _policy(self, solution: rulegame.PerfectInformationSolution) -> None:
        """A policy file plays to the value, whatever the opponent does."""
        player = policy_player(solution, self.positions[0].state.game, self.rng)
        for seat in self.reference.seats:
            fixed = {seat: lambda state: player.mix(state.view(state.player))}
            pay = self._paid_to(seat)
            bounds = solve_nodes(side_nodes(self.positions, [seat], pay, fixed=fixed))
            low = self.reference.value(0, seat)[0]
            off = 0 if solution.exact else Fraction(solution.upper) - Fraction(solution.lower)
            if bounds.upper[0] < low - off:
                raise Finding(f"the policy of seat {seat + 1} gets {bounds.upper[0]}, not {low}")

    def _paid_to(self, seat: int) -> Callable[[Outcome], int | Fraction]:
        return lambda outcome: outcome.payoffs[seat]

    # ---- players who are not opposed

    def _solve_many(self) -> None:
        if len(self.reference.seats) == 2:
            try:
                solution = rulegame.solve(
                    self.game, "perfect_information", first=self.first, keep=False
                )
            except NotOpposed:
                pass
            except rulegame.GameError as error:
                if error.diagnostic.code != WRONG_SYMMETRY:
                    raise
            else:
                raise Finding(f"solve: {solution.value}, though the players are not opposed")
        found = rulegame.solve(self.game, "multiplayer", first=self.first)
        for seat, alone in enumerate(found.alone):
            expected = self.reference.alone(seat)
            for k in range(len(self.positions)):
                agrees(
                    f"seat {seat + 1} alone: state {k}",
                    *alone.bounds_of(found.graph.number(self.state(k))),
                    (expected.lower[k], expected.upper[k]),
                )
        everybody = list(self.reference.seats)
        nodes = self.reference.nodes(everybody, lambda outcome: sum(outcome.payoffs))
        most = solve_nodes(nodes)
        agrees("all together", found.together.lower, found.together.upper,
               (most.lower[0], most.upper[0]))  # fmt: skip
        expect("longest game", found.longest_game, self.reference.longest)
        self.answers["alone"] = [str(alone.value) for alone in found.alone]
        self.answers["together"] = str(found.together.value)
        if found.equilibria is not None:
            self._equilibria(found)

    def _equilibria(self, found: rulegame.MultiplayerSolution) -> None:
        """Backward induction with ties broken at random leads to one of the listed outcomes, and
        nobody gains by leaving the policy.
        """
        assert self.reference.longest is not None
        outcomes = found.outcomes
        self.answers["outcomes"] = str(outcomes)
        payoffs = self._some_equilibrium()
        if outcomes is not None and payoffs not in outcomes:
            raise Finding(f"an equilibrium pays {payoffs}; listed are {_short(outcomes)}")
        player = policy_player(found, self.positions[0].state.game, self.rng)

        def follow(state: State) -> Mix:
            assert state.player is not None
            return player.mix(state.view(state.player))

        every = dict.fromkeys(self.reference.seats, follow)
        for seat in self.reference.seats:
            pay = self._paid_to(seat)
            kept = solve_nodes(self.reference.nodes([], pay, fixed=every)).lower[0]
            best = self.reference.response(seat, follow)[1]
            assert found.equilibria is not None
            expect(f"what the policy pays seat {seat + 1}", kept, found.equilibria.chosen[0][seat])
            expect(f"what seat {seat + 1} gets by leaving the policy", best, kept)

    def _some_equilibrium(self) -> tuple[Fraction, ...]:
        worths: dict[int, tuple[Fraction, ...]] = {}

        def worth(number: int) -> tuple[Fraction, ...]:
            if number in worths:
                return worths[number]
            position = self.positions[number]
            state = position.state
            after = [worth(target) for target in position.targets]
            if state.outcome is not None:
                found = tuple(map(Fraction, state.outcome.payoffs))
            elif state.player == rulegame.CHANCE:
                shares = [share for _, share in state.chances]
                found = tuple(
                    sum((p * v[seat] for p, v in zip(shares, after, strict=True)), Fraction(0))
                    for seat in self.reference.seats
                )
            else:
                seat = state.player
                assert seat is not None
                most = max(one[seat] for one in after)
                found = self.rng.choice([one for one in after if one[seat] == most])
            worths[number] = found
            return found

        return worth(0)

    # ---- best responses

    def _against(self) -> None:
        if len(self.reference.seats) == 1:
            return
        seat = self.rng.randrange(len(self.reference.seats))
        fixed = FixedPlayer(self.rng.randrange(2**32), lambda view: view.cells)
        for name, player, strategy in (
            ("random", "random", uniform),
            ("a fixed player", fixed, lambda state: fixed.mix(state.view(state.player))),
        ):
            expected = self.reference.response(seat, strategy)
            found = rulegame.exploit(self.game, player, seat, first=self.first)
            self._response(f"against {name}", found, expected)
        if self.reference.opposed:
            found = rulegame.exploit(self.game, "perfect", seat, first=self.first)
            self._response("against perfect", found, self.reference.value(0, seat))

    def _response(
        self, what: str, found: rulegame.Exploited, expected: tuple[Fraction, Fraction]
    ) -> None:
        agrees(what, found.lower, found.upper, expected)
        if found.value is not None and not expected[0] <= found.value <= expected[1]:
            raise Finding(f"{what}: {found.value}, not {expected[0]}")
        self.answers[what] = None if found.value is None else str(found.value)
        if self.reference.opposed and found.best_play is not None:
            low, high = self.reference.value(0, found.seat)
            if not low - Fraction(1, 10**6) <= found.best_play <= high + Fraction(1, 10**6):
                raise Finding(f"best play: {found.best_play}, not {low} to {high}")
        elif found.best_play is not None:
            raise Finding(f"best play is worth {found.best_play}, though nobody is opposed")

    # ---- looking ahead

    def _depth(self) -> None:
        if len(self.reference.seats) != 2 or not self.reference.opposed:
            return
        for depth in (1, self.rng.randint(2, 4), 12):
            number = self.rng.choice([0, self.rng.randrange(len(self.positions))])
            try:
                found = rulegame.solve(
                    self.game, "lookahead", depth=depth, first=self.first, at=self.state(number)
                )
            except CannotSolve:
                return
            bounds = self.reference.value(number, self.first)
            self._contained(f"depth {depth}, state {number}", found.whole, bounds)
            self._forced(f"depth {depth}, state {number}", number, found.whole, 0)
            best = set(found.best_moves())
            if best and not best <= self.reference.best_moves(number)[1]:
                raise Finding(f"depth {depth}, state {number}: best {best}")
            for (move, option), target in zip(
                found.options, self.positions[number].targets, strict=True
            ):
                value = self.reference.value(target, self.first)
                self._contained(f"depth {depth}, state {number}, '{move}'", option, value)
                self._forced(f"depth {depth}, state {number}, '{move}'", target, option, 1)

    def _contained(self, what: str, found: Any, bounds: tuple[Fraction, Fraction]) -> None:
        if found.lower > found.upper or found.lower > bounds[1] or found.upper < bounds[0]:
            said = f"from {found.lower!r} to {found.upper!r}"
            raise Finding(f"{what}: {said}, but it is {bounds[0]} to {bounds[1]}")
        if found.value is not None and not bounds[0] <= found.value <= bounds[1]:
            raise Finding(f"{what}: {found.value}, but it is {bounds[0]} to {bounds[1]}")

    def _forced(self, what: str, number: int, found: ValueBounds, made: int) -> None:
        """Without chance, a bound can be forced within the number of moves it is said to take."""
        nodes = self.reference.plainly
        if any(node.role == ROLL for node in nodes):
            return
        for within, side, good in (
            (found.lower_within, MAX, lambda pay: pay >= found.lower),
            (found.upper_within, MIN, lambda pay: pay <= found.upper),
        ):
            if within and not forced_within(nodes, side, number, within - made, good):
                raise Finding(f"{what}: {found} cannot be forced within {within} moves")

    # ---- claims

    def _claims(self) -> None:
        result = rulegame.check(self.game, first=self.first)
        for found in result.findings:
            evidence, name = found.evidence, found.claim.name
            self.answers[f"claim {name}"] = evidence.holds
            truth = self._truth(name, found.claim.value)
            if truth is not None and evidence.holds not in (None, truth):
                raise Finding(f"{name} is {truth}, but: {evidence.detail}")
            if evidence.play is not None:
                self._shown(name, evidence.play, evidence.cycle)

    def _shown(self, name: str, play: Sequence[Move], cycle: Sequence[Move]) -> None:
        state = self.game.start(self.first)
        for move in play:
            state = state.play(move)
        again = state
        for move in cycle:
            again = again.play(move)
        if again != state:
            raise Finding(f"{name}: the cycle does not come back: {play}, {cycle}")

    def _truth(self, name: str, wanted: Any) -> bool | None:
        reference, outcomes = self.reference, self.reference.outcomes
        rules = self.game.ruleset
        match name:
            case "always_ends":
                return reference.longest is not None
            case "ends_almost_surely":
                return not end_components(reference.plainly)
            case "no_draws":
                return not any(outcome.draw for outcome in outcomes)
            case "never_stuck":
                return not any(position.stuck for position in self.positions)
            case "every_operation_used":
                used = {
                    move.operation
                    for position in self.positions
                    if position.state.player != rulegame.CHANCE
                    for move in position.moves
                }
                return all(operation.name in used for operation in rules.operations)
            case "every_end_rule_reached":
                reached = {outcome.rule for outcome in outcomes}
                return all(rule.name in reached for rule in rules.end)
            case "first_player_wins" | "second_player_wins":
                seats = len(reference.seats)
                order = int(name == "second_player_wins")
                if order < seats:
                    return self._wins((reference.first + order) % seats)
            case "cooperative_win":
                everybody = list(reference.seats)
                pays = reference.nodes(
                    everybody, lambda o: 1 if len(o.winners) == len(everybody) else -1
                )
                return solve_nodes(pays).lower[0] == 1
            case "first_player_gets":
                bounds, least = reference.alone(reference.first), Fraction(wanted)
                if bounds.lower[0] >= least or bounds.upper[0] < least:
                    return bounds.lower[0] >= least
        return None

    def _wins(self, seat: int) -> bool | None:
        def pay(outcome: Outcome) -> int:
            return 0 if outcome.draw else 1 if seat in outcome.winners else -1

        bounds = solve_nodes(self.reference.nodes([seat], pay))
        return bounds.lower[0] == 1 if bounds.exact else None

    # ---- hints

    def _hints(self) -> None:
        choices = [
            k
            for k, position in enumerate(self.positions)
            if position.state.player not in (None, rulegame.CHANCE) and len(position.moves) > 1
        ]
        unsolved = Game(self.game.ruleset)  # a hint uses any solution that its game has
        for k in self.rng.sample(choices, min(2, len(choices))):
            for game, most, iterations in (
                (self.game, 10**5, 1), *((unsolved, 1, count) for count in ITERATIONS)
            ):  # fmt: skip
                state = game.resume(self.positions[k].state.cells)
                assert state.player is not None
                view, seed = state.view(state.player), self.rng.randrange(2**32)
                found = advise(
                    view, Random(seed), first=self.first, max_states=most,
                    budget=Budget(iterations=iterations),
                )  # fmt: skip
                self._hint(k, found, view)
                self.answers[f"hint {k} {iterations}"] = str(found)

    def _hint(self, number: int, found: Advice, view: View) -> None:
        position = self.positions[number]
        what = f"hint in state {number} ({found.source})"
        expect(f"{what}: moves", [one.move for one in found.worths], position.moves)
        if not set(found.best) <= set(position.moves):
            raise Finding(f"{what}: the best moves are {found.best}")
        check_hint(what, found, view)
        if not self.reference.opposed:
            return
        seat = position.state.player
        assert seat is not None
        best_moves = self.reference.best_moves(number)[1]
        if found.source == "solution" and not (found.best and set(found.best) <= best_moves):
            raise Finding(f"{what}: best {found.best} of {found.worths}")
        for one, target in zip(found.worths, position.targets, strict=True):
            if one.value is None or "about" in one.text:
                continue
            low, high = self.reference.value(target, seat)
            near = Fraction(1, 1000) * max(Fraction(1), abs(low))
            if not low - near <= Fraction(one.value) <= high + near:
                raise Finding(f"{what}: '{one.move}' {one.text}, but it is worth {low}")

    # ---- perfect play

    def _simulate(self) -> None:
        if not self.reference.opposed or self.reference.longest is None:
            return
        report = rulegame.simulate(
            self.game, GAMES, seed=self.rng.randrange(2**32), players=["perfect"], first=self.first
        )
        self.answers["simulation"] = report
        played = {(end.rule, end.winners, end.losers, end.draw) for end in report.ends}
        possible = {(o.rule, o.winners, o.losers, o.draw) for o in self.reference.outcomes}
        if not played <= possible:
            raise Finding(f"perfect players ended games by {played - possible}")
        nodes = self.reference.plainly
        if any(node.role == ROLL for node in nodes):
            return
        low, high = self.reference.value(0, self.first)
        for outcome_key in played:
            pays = {
                o.payoffs[self.first]
                for o in self.reference.outcomes
                if (o.rule, o.winners, o.losers, o.draw) == outcome_key
            }
            if not any(low <= pay <= high for pay in pays):
                raise Finding(f"perfect players ended a game by {outcome_key}; its value is {low}")
