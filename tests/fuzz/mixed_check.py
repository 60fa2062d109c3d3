"""Every answer about a game with hidden information or choices at once, from Python and from native
code, against brute force: values, strategies and their guarantees, best responses, policies,
claims and hints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any, Final

import rulegame
from engine.solving.plain_answers import best_answer
from fuzz.answers import (
    Answers,
    FixedPlayer,
    check_hint,
    check_kind,
    compare_backends,
    policy_player,
)
from fuzz.brute_force import (
    END,
    MAX,
    MIN,
    ROLL,
    Node,
    Position,
    TooMany,
    longest_play,
    reachable,
    side_nodes,
    solve_nodes,
)
from fuzz.findings import Finding
from fuzz.game_trees import Tree, knowledge, tree_of
from fuzz.games import game_of
from rulegame import CHANCE, CannotSolve, Game, Move, State, View
from rulegame.errors import OutOfTime
from rulegame.players.advice import MAX_STATES, advise
from rulegame.players.budget import Budget

MOST_STATES: Final = 400
MOST_HISTORIES: Final = 600
SECONDS: Final = 1.0  # for better bounds
NEAR: Final = 1e-6  # a linear program in floating point may be off by so much of the largest pay
GAMES: Final = 20  # to simulate
COMPILED: Final = 0.15  # of the games have their rules compiled

Strategy = Callable[[View], Mapping[Move, Any] | None]


def check(text: bytes, rng: Random) -> None:
    """Ask everything twice and compare."""
    game = game_of(text)
    if game is None or game.kind.is_open:
        return
    first = game.kernel.who_begins(rng.randrange(len(game.players)))
    try:
        positions = reachable(game, first, MOST_STATES)
        tree = _tree(game, first) if len(game.players) <= 2 else None
    except (TooMany, rulegame.GameError):
        return
    check_kind(game, positions, longest_play(side_nodes(positions, [], lambda outcome: 0)))
    seed, compiled = rng.randrange(2**32), rng.random() < COMPILED

    def ask(loaded: Game) -> Answers:
        return _Questions(loaded, first, positions, tree, Random(seed)).ask()

    compare_backends(text, ask, rules=compiled)


def _tree(game: Game, first: int) -> Tree | None:
    try:
        return tree_of(game, first, MOST_HISTORIES)
    except TooMany:
        return None


def uniform(view: View) -> dict[Move, Fraction]:
    """Every move alike."""
    return dict.fromkeys(view.moves, Fraction(1, len(view.moves)))


def whole(strategy: Strategy, view: View) -> dict[Move, Fraction]:
    """What a strategy plays, as fractions that add up to 1, in the order of the moves."""
    found = strategy(view)
    if found is None or not set(found) <= set(view.moves):
        raise Finding(f"the strategy of seat {view.seat + 1} knows nothing of {view.moves}")
    shares = {move: Fraction(found.get(move, 0)) for move in view.moves}
    total = sum(shares.values())
    if abs(float(total) - 1) > NEAR or min(shares.values()) < 0:
        raise Finding(f"the strategy of seat {view.seat + 1} adds up to {float(total)}")
    return {move: share / total for move, share in shares.items()}


class _Questions:
    """All questions about one game, on one backend."""

    def __init__(
        self, game: Game, first: int, positions: list[Position], tree: Tree | None, rng: Random
    ) -> None:
        self.game, self.first, self.positions = game, first, positions
        self.tree, self.rng = tree, rng
        self.seats = range(len(game.players))
        outcomes = [p.state.outcome for p in positions if p.state.outcome is not None]
        self.outcomes = outcomes
        self.totals = {Fraction(sum(outcome.payoffs)) for outcome in outcomes}
        nodes = side_nodes(positions, [], lambda outcome: 0)
        self.longest = longest_play(nodes)
        self.pays = [outcome.payoffs[first] for outcome in outcomes]
        self.scale = max(
            [Fraction(1), *(abs(Fraction(p)) for outcome in outcomes for p in outcome.payoffs)]
        )
        self.answers: Answers = {}

    def ask(self) -> Answers:
        """What can be compared between backends."""
        if len(self.seats) > 2:
            self._many()
            return self.answers
        try:
            solution = self._solved()
        except CannotSolve as refusal:
            self.answers["refused"] = str(refusal)
        except OutOfTime:  # while histories are enumerated
            if self.tree is not None or self.game.kind.is_staged:
                raise
        else:
            self.answers["value"] = solution.value
            self._value(solution)
            if self.tree is not None or self.game.kind.is_staged:
                self._guarantees("strategy", solution, solution.strategy)
                player = policy_player(solution, self.game, self.rng)
                self._guarantees("policy", solution, player.mix)
            if self.game.kind.is_staged:
                self._later(solution)
            elif self.tree is not None:
                self._public()
            self._claims(solution)
            self._hints(solution)
            self._simulate()
        if self.tree is not None and len(self.seats) == 2:
            self._against()
        return self.answers

    def _many(self) -> None:
        """Three and more players: solving is refused, claims and play are not."""
        try:
            found = self._solved()
        except CannotSolve:
            pass
        else:
            raise Finding(f"value {found.value} of a game of {len(self.seats)}")
        for one in rulegame.check(self.game, first=self.first).findings:
            holds, name = one.evidence.holds, one.claim.name
            self.answers[f"claim {name}"] = holds
            truth = {
                "always_ends": self.longest is not None,
                "no_draws": not any(outcome.draw for outcome in self.outcomes),
                "never_stuck": not any(position.stuck for position in self.positions),
            }.get(name)
            if None not in (holds, truth) and holds != truth:
                raise Finding(f"{name} is {truth}, but: {one.evidence.detail}")
        self._hints(None)
        if self.longest is not None:
            self.answers["simulation"] = rulegame.simulate(
                self.game, GAMES, seed=self.rng.randrange(2**32), first=self.first
            )

    def _solved(self, at: State | None = None) -> Any:
        """The solution; with more time if rules had to be compiled first."""
        try:
            return rulegame.solve(self.game, first=self.first, at=at, max_time=SECONDS)
        except OutOfTime:
            return rulegame.solve(self.game, first=self.first, at=at, max_time=10 * SECONDS)

    def _simulate(self) -> None:
        """Perfect players, who end games only as the rules can."""
        if self.longest is None:
            return
        players = self.rng.choice([["perfect"], ["perfect", "random"][: len(self.seats)]])
        report = rulegame.simulate(
            self.game, GAMES, seed=self.rng.randrange(2**32), players=players, first=self.first
        )
        self.answers["simulation"] = report
        ended = {p.state.outcome.rule for p in self.positions if p.state.outcome is not None}
        if not {end.rule for end in report.ends} <= ended:
            raise Finding(f"games ended by {report.ends}, though only {ended} can end them")

    def _value(self, solution: Any) -> None:
        low, high = Fraction(solution.lower), Fraction(solution.upper)
        if low > high:
            raise Finding(f"bounds from {low} to {high}")
        if len(self.totals) > 1 and len(self.seats) == 2:
            raise Finding(f"value {solution.value}, though the players are not opposed")
        if self.tree is not None:
            value, near = self.tree.value(), NEAR * float(self.scale)
            if not low - near <= value <= high + near:
                raise Finding(f"value from {low} to {high}, but it is about {value}")
        elif not self.game.kind.is_staged:
            self._broken_off(low, high)

    def _broken_off(self, low: Fraction, high: Fraction) -> None:
        """The value lies between those of the games that end early with the worst and the best
        payoff.
        """
        found, near = [], NEAR * float(self.scale)
        for pay in (min(0, *self.pays), max(0, *self.pays)):
            for depth in (10, 7, 5, 3):
                try:
                    tree = tree_of(self.game, self.first, MOST_HISTORIES, (depth, Fraction(pay)))
                except TooMany:
                    continue
                found.append(tree.value())
                break
            else:
                return
        if low > found[1] + near or high < found[0] - near:
            raise Finding(f"value from {low} to {high}, but it is {found[0]} to {found[1]}")

    def _later(self, solution: Any) -> None:
        """A game of stages from a later position on."""
        states = [p.state for p in self.positions if not p.state.view(0).waiting]
        state = self.game.resume(self.rng.choice(states).cells)
        if state.outcome is not None or solution.graph.find(state) is None:
            return
        low, high = solution.bounds_of(state)
        found = self._solved(state)
        if found.lower > high or found.upper < low:
            raise Finding(f"from {state!r} on {found.lower} to {found.upper}, not {low} to {high}")

    def _public(self) -> None:
        """Positions that all players know when they come to them are games of their own."""
        for position in self.rng.sample(self.positions, min(3, len(self.positions))):
            state = self.game.resume(position.state.cells)
            try:
                found = self._solved(state)
            except CannotSolve:
                continue
            value = tree_of(self.game, self.first, MOST_HISTORIES, at=state).value()
            near = NEAR * float(self.scale)
            if not found.lower - near <= value <= found.upper + near:
                raise Finding(f"from {state!r} on {found.lower} to {found.upper}, not {value}")

    # ---- strategies

    def _guarantees(self, what: str, solution: Any, strategy: Strategy) -> None:
        """Each strategy gets what is claimed for it, whatever the other player does."""
        sure = [self._sure(seat, solution.first, strategy) for seat in self.seats]
        low = solution.lower if solution.value is None else solution.value
        high = solution.upper if solution.value is None else solution.value
        off = 0 if solution.exact else Fraction(self.scale) / 10**9  # rounding of a mix
        if sure[solution.first] < low - off:
            raise Finding(f"the {what} of who is first gets {sure[solution.first]}, not {low}")
        if len(self.seats) == 2 and sure[1 - solution.first] > high + off:
            given = sure[1 - solution.first]
            raise Finding(f"the {what} of who is second gives {given}, not {high}")

    def _sure(self, seat: int, payee: int, strategy: Strategy) -> Fraction:
        """What the payee gets if a seat plays a strategy and the other one answers best."""
        if self.tree is not None:
            return best_answer(
                self.game, self.first, 1 - seat, lambda view: whole(strategy, view), payee
            )
        nodes = self._stage_nodes(seat, payee, strategy)
        bounds = solve_nodes(nodes)
        return bounds.lower[0]

    def _stage_nodes(self, seat: int, payee: int, strategy: Strategy) -> list[Node]:
        """A game of stages in which a seat plays a strategy: the other one decides alone."""
        nodes: list[Node] = []
        more: list[Node] = []
        size = len(self.positions)
        role = MAX if seat != payee else MIN
        for position in self.positions:
            state = position.state
            if state.outcome is not None:
                nodes.append(Node(END, [], pay=Fraction(state.outcome.payoffs[payee])))
            elif state.player == CHANCE:
                nodes.append(Node(ROLL, position.targets, [s for _, s in state.chances]))
            elif state.player != seat:
                nodes.append(Node(role, position.targets))
            else:
                mix = list(whole(strategy, self._view(state, seat)).values())
                other = [s for s in state.choosing if s != seat]
                if not other:
                    nodes.append(_roll(position.targets, mix))
                    continue
                # The other one chooses without knowing what was chosen before.
                after = [self.positions[target] for target in position.targets]
                columns = list(zip(*(one.targets for one in after), strict=True))
                nodes.append(Node(role, [size + len(more) + k for k in range(len(columns))]))
                more += [_roll(list(column), mix) for column in columns]
        return nodes + more

    def _view(self, state: State, seat: int) -> View:
        return self.game.resume(state.cells).view(seat)

    # ---- best responses

    def _against(self) -> None:
        seat = self.rng.randrange(2)
        fixed = FixedPlayer(self.rng.randrange(2**32), knowledge)
        for name, player, strategy in (
            ("random", "random", uniform), ("a fixed player", fixed, fixed.mix)
        ):  # fmt: skip
            try:
                found = rulegame.exploit(self.game, player, seat, first=self.first)
            except CannotSolve as refusal:
                self.answers[f"against {name}"] = str(refusal)
                continue
            expected = best_answer(self.game, self.first, seat, strategy, seat)
            self.answers[f"against {name}"] = str(found.value)
            if found.value != expected:
                raise Finding(f"against {name}: {found.value}, not {expected}")

    # ---- claims and hints

    def _claims(self, solution: Any) -> None:
        for found in rulegame.check(self.game, first=self.first).findings:
            holds, value = found.evidence.holds, found.claim.value
            self.answers[f"claim {found.claim.name}"] = holds
            if solution.value is None or holds is None:
                continue
            truth = {
                "first_player_gets": solution.value >= Fraction(value),
                "fair_within": abs(solution.value) <= Fraction(value),
                "always_ends": self.longest is not None,
            }.get(found.claim.name, holds)
            if truth != holds:
                raise Finding(f"{found.claim.name} is {truth}, but: {found.evidence.detail}")

    def _hints(self, solution: Any) -> None:
        state = self.game.start(self.first)
        past: list[tuple[State, Move]] = []
        for _ in range(self.rng.randrange(6)):
            if state.outcome is not None:
                break
            move = self.rng.choice(state.moves)
            past.append((state, move))
            state = state.play(move)
        if state.player in (None, CHANCE):
            return
        assert state.player is not None
        view = state.view(state.player, past)
        for most, iterations in ((MAX_STATES, 1), (1, 5), (1, 40)):
            hint = advise(
                view if most > 1 else self._unsolved(view, past),
                Random(self.rng.randrange(2**32)),
                first=self.first, max_states=most, budget=Budget(iterations=iterations),
            )  # fmt: skip
            what = f"hint {iterations}"
            self.answers[what] = str(hint) if hint.source != "bounds" else None
            if [one.move for one in hint.worths] != list(view.moves):
                raise Finding(f"a hint about {view.moves}: {hint}")
            check_hint(what, hint, view)

    def _unsolved(self, view: View, past: list[tuple[State, Move]]) -> View:
        """The same view in a game whose solution nobody has found."""
        game = Game(self.game.ruleset)
        again = [(game.resume(state.cells), move) for state, move in past]
        last = past[-1][0].play(past[-1][1]).cells if past else game.start(self.first).cells
        return game.resume(last).view(view.seat, again)


def _roll(targets: list[int], mix: list[Fraction]) -> Node:
    kept = [(t, share) for t, share in zip(targets, mix, strict=True) if share]
    return Node(ROLL, [t for t, _ in kept], [share for _, share in kept])
