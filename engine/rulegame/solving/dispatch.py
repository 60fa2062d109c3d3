"""`solve`: which algorithm answers for which kind of game, and one exploration for all of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import process_time
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, overload

from rulegame.errors import CannotSolve, NotOpposed
from rulegame.exploring import StateGraph, explore, telling_full_disks
from rulegame.game import Game, State
from rulegame.memory import MAX_STATES, memory_budget
from rulegame.progress import Progress, silent
from rulegame.solving.arena import check_opposed, make_arena
from rulegame.solving.deadline import deadline_after, limited, time_left, until
from rulegame.solving.perfect_information.keeping import keep_solution, load_solution
from rulegame.solving.perfect_information.sides import solve_arena
from rulegame.solving.perfect_information.solution import PerfectInformationSolution
from rulegame.solving.result import Method, Solution
from rulegame.solving.room import EXACT_STATES, check_room, check_stages_room

if TYPE_CHECKING:  # an algorithm is imported when it is asked for
    from rulegame.solving.hidden.histories import Histories
    from rulegame.solving.hidden.solution import HiddenSolution
    from rulegame.solving.lookahead.solution import LookaheadSolution
    from rulegame.solving.mixed import MixedSolution
    from rulegame.solving.multiplayer.solution import MultiplayerSolution
    from rulegame.solving.revealed.solution import RevealedSolution
    from rulegame.solving.simultaneous.solution import SimultaneousSolution


@dataclass(frozen=True, slots=True)
class Limits:
    """What solving may take. `depth` is how far LOOKAHEAD looks, in moves and rolls.
    `exact_states` is for chance with perfect information: with more positions in cycles, values are
    certified bounds instead of exact.
    """

    max_states: int = MAX_STATES
    max_memory: int | None = None  # bytes; None: a share of what is free
    max_time: float | None = None  # seconds
    depth: int | None = None
    exact_states: int = EXACT_STATES


class Given(TypedDict, total=False):
    """The keyword arguments of `solve`."""

    first: int
    at: State | None
    limits: Limits | None
    max_states: int | None
    max_memory: int | None
    max_time: float | None
    depth: int | None
    progress: Progress
    keep: bool
    symmetric: bool


@overload
def solve(
    game: Game,
    method: Literal["perfect_information", Method.PERFECT_INFORMATION],
    **given: Unpack[Given],
) -> PerfectInformationSolution: ...


@overload
def solve(
    game: Game, method: Literal["simultaneous", Method.SIMULTANEOUS], **given: Unpack[Given]
) -> SimultaneousSolution: ...


@overload
def solve(
    game: Game, method: Literal["hidden", Method.HIDDEN], **given: Unpack[Given]
) -> HiddenSolution: ...


@overload
def solve(
    game: Game, method: Literal["multiplayer", Method.MULTIPLAYER], **given: Unpack[Given]
) -> MultiplayerSolution: ...


@overload
def solve(
    game: Game, method: Literal["revealed", Method.REVEALED], **given: Unpack[Given]
) -> RevealedSolution: ...


@overload
def solve(
    game: Game, method: Literal["lookahead", Method.LOOKAHEAD], **given: Unpack[Given]
) -> LookaheadSolution: ...
@overload
def solve(game: Game, method: Method | str = ..., **given: Unpack[Given]) -> Solution: ...
def solve(
    game: Game,
    method: Method | str = Method.AUTO,
    *,
    first: int = 0,
    at: State | None = None,
    limits: Limits | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    max_time: float | None = None,
    depth: int | None = None,
    progress: Progress = silent,
    keep: bool = True,
    symmetric: bool = True,
) -> Solution:
    """The solution of a game, or of what is left of it from the state `at` on; CannotSolve for a
    kind of game that is not treated, TooLarge if it takes more than the limits allow. After
    `max_time` seconds, OutOfTime, or bounds where something is hidden or chosen at once. `at` must
    be known to all players when they come to it. Values are those of the seat `first` (or of the
    one that the ruleset lets begin), whoever is to move in that state.

    The limits may be given one by one. The solution of a large game with perfect information is
    kept in the user's cache folder, if `keep` is True, and found there the next time. `symmetric`:
    of states that are the same but for a symmetry of the ruleset, it has only one.
    """
    given = {
        "max_states": max_states,
        "max_memory": max_memory,
        "max_time": max_time,
        "depth": depth,
    }
    some = {name: value for name, value in given.items() if value is not None}
    allowed = replace(limits or Limits(), **some)  # type: ignore[arg-type]
    try:
        asked = Method(method)
    except ValueError:
        raise ValueError(f"method: expected one of {', '.join(Method)}, not {method!r}") from None
    begins = game.kernel.who_begins(first)
    return _Call(game, begins, at, allowed, progress, keep, symmetric).solve(asked)


@dataclass(frozen=True)
class _Call:
    """One call of `solve`."""

    game: Game
    first: int
    at: State | None
    limits: Limits
    progress: Progress
    keep: bool
    symmetric: bool

    def solve(self, method: Method) -> Solution:
        match method:
            case Method.PERFECT_INFORMATION:
                check_solvable(self.game)
                return self._perfect_information(self._until())
            case Method.SIMULTANEOUS | Method.HIDDEN:
                return self._secrets(method is Method.SIMULTANEOUS)
            case Method.MULTIPLAYER:
                check_open(self.game)
                return self._multiplayer(None, self._until())
            case Method.REVEALED:
                return self._revealed()
            case Method.LOOKAHEAD:
                return self._lookahead()
        return self._auto()

    def _auto(self) -> Solution:
        kind = self.game.kind
        if not kind.is_open:
            return self._secrets(kind.is_staged)
        progress = self._until()
        if kind.players > 2:
            return self._multiplayer(None, progress)
        return self._perfect_information(progress, or_else=True)

    def _until(self) -> Progress:
        return until(deadline_after(self.limits.max_time), self.progress)

    # ---- perfect information

    def _perfect_information(
        self, progress: Progress, or_else: bool = False, symmetric: bool = True
    ) -> Solution:
        """The solution, kept from before or found now; `or_else`: what is known of each player, if
        the players are not opposed.
        """
        room, symmetric = memory_budget(self.limits.max_memory), symmetric and self.symmetric
        keep = self.keep and self.limits.exact_states == EXACT_STATES
        known = self._known(symmetric) if keep else None
        if known is not None:
            return known
        began = process_time()
        with telling_full_disks():
            graph = explore(
                self.game, first=self.first, at=self.at, max_states=self.limits.max_states,
                max_memory=room, progress=progress, symmetric=symmetric, spill=True,
            )  # fmt: skip
            check_room(graph, room)
            try:
                solution = solve_graph(graph, self.first, progress, self.limits.exact_states)
            except NotOpposed:
                if not or_else:
                    raise
                return self._multiplayer(None if graph.symmetries else graph, progress)
        if keep:
            keep_solution(solution, self.first, process_time() - began, symmetric=symmetric)
        return solution

    def _known(self, symmetric: bool) -> PerfectInformationSolution | None:
        known = load_solution(self.game, self.first, self.at, symmetric=symmetric)
        return known if known is not None and len(known.graph) <= self.limits.max_states else None

    # ---- everything else

    def _explore(self, progress: Progress, at: State | None) -> StateGraph:
        return explore(
            self.game, first=self.first, at=at, max_states=self.limits.max_states,
            max_memory=memory_budget(self.limits.max_memory), progress=progress,
        )  # fmt: skip

    def _secrets(self, staged: bool) -> MixedSolution:
        kind = self.game.kind
        if staged and not kind.is_staged:
            raise CannotSolve(_not_staged(self.game))
        if kind.players > 2:
            raise CannotSolve(
                "games with hidden information can be solved for one or two players, not "
                f"{kind.players}"
            )
        deadline = deadline_after(self.limits.max_time)
        progress = limited(self.limits.max_time, self.progress)
        graph = self._explore(progress, self.at if staged else None)
        if self.at is not None and not staged:
            from rulegame.solving.hidden.public import check_public

            check_public(graph, self.at, progress)
            graph = self._explore(progress, self.at)
        limits = replace(self.limits, max_time=time_left(deadline))
        return solve_secrets(graph, self.first, limits, progress, staged=staged)

    def _multiplayer(self, graph: StateGraph | None, progress: Progress) -> MultiplayerSolution:
        from rulegame.solving.multiplayer.solution import solve_each

        if graph is None:
            graph = self._explore(progress, self.at)
        check_room(graph, memory_budget(self.limits.max_memory))
        return solve_each(graph, self.first, progress)

    def _revealed(self) -> RevealedSolution:
        from rulegame.solving.revealed.picks import check_picks
        from rulegame.solving.revealed.solution import lay_open

        check_two(self.game)
        if self.game.kind.is_open:
            raise CannotSolve("nothing is hidden in this game")
        if self.at is not None:
            raise CannotSolve("picks are revealed at the start: a later position cannot be given")
        check_picks(self.game.ruleset)
        progress = self._until()
        play = self._perfect_information(progress, symmetric=False)
        if not isinstance(play, PerfectInformationSolution) or not play.arena.plain:
            raise CannotSolve(
                "only games that are won, lost or drawn are solved with revealed picks"
            )
        progress("Solving the matrix of picks", 0, None)
        return lay_open(play, self.first)

    def _lookahead(self) -> LookaheadSolution:
        from rulegame.solving.lookahead.solution import look_ahead

        check_two(self.game)
        check_solvable(self.game)
        return look_ahead(
            self.game, depth=self.limits.depth, first=self.first, at=self.at,
            max_time=self.limits.max_time, max_memory=self.limits.max_memory,
            progress=self.progress,
        )  # fmt: skip


def solve_graph(
    graph: StateGraph,
    first: int = 0,
    progress: Progress = silent,
    exact_states: int = EXACT_STATES,
) -> PerfectInformationSolution:
    """The solution of a game with perfect information whose states are known."""
    arena = make_arena(graph, first)
    solution = solve_arena(graph, arena, progress, exact_states)
    if graph.game.kind.players == 2:
        check_opposed(graph.outcomes, endless=solution.longest_game is None)
    return solution


def solve_secrets(
    graph: StateGraph,
    first: int,
    limits: Limits,
    progress: Progress = silent,
    *,
    staged: bool,
    histories: Histories | None = None,
) -> MixedSolution:
    """The solution of a game that is not open, and whose states are known; so are its `histories`,
    if they are given. `staged`: it is solved as a game in which only choices at once are hidden.
    """
    if staged:
        from rulegame.solving.simultaneous.solution import solve_stages

        check_stages_room(graph, memory_budget(limits.max_memory))
        return solve_stages(graph, first, limits.max_time, progress)
    from rulegame.solving.hidden.solution import solve_histories

    return solve_histories(
        graph, first, limits.max_states, limits.max_time, progress, histories,
        max_memory=limits.max_memory,
    )  # fmt: skip


def known_solution(
    game: Game, first: int, max_states: int, room: int
) -> PerfectInformationSolution | None:
    """The solution that was kept of all states of a game, whether or not somebody hides something
    in it; None if there is none, or if it takes more than the budget allows.
    """
    known = load_solution(game, first, symmetric=False)
    fits = known is not None and len(known.graph) <= max_states and known.graph.nbytes <= room
    return known if fits else None


# ---- refusals


def can_reveal(game: Game) -> bool:
    """Whether picks before the first turn are all that is hidden in a game of two."""
    from rulegame.solving.revealed.picks import check_picks

    try:
        check_picks(game.ruleset)
    except CannotSolve:
        return False
    return game.kind.players == 2 and not game.kind.payoffs and not game.kind.is_open


def check_solvable(game: Game) -> None:
    """CannotSolve, with a reason, unless one or two players see everything."""
    if game.kind.players > 2:
        raise CannotSolve(
            f"this game has {game.kind.players} players, so one player's gain need not be "
            "another's loss"
        )
    check_open(game)


def check_open(game: Game) -> None:
    """CannotSolve if not everybody sees everything."""
    kind = game.kind
    if kind.hidden is not None:
        raise CannotSolve(f"{kind.hidden}, and this needs perfect information")
    if not kind.is_open:
        raise CannotSolve("players choose simultaneously, and this needs perfect information")


def check_two(game: Game) -> None:
    """CannotSolve unless there are two players."""
    players = game.kind.players
    if players != 2:
        raise CannotSolve(f"this needs two players, and the game has {players}")


def _not_staged(game: Game) -> str:
    """Why a game is not one of stages."""
    if not game.kind.simultaneous:
        return "the game has no simultaneous turns"
    if game.kind.players > 2:
        return f"simultaneous turns can be solved for one or two players, not {game.kind.players}"
    return "more is hidden than the simultaneous choices"
