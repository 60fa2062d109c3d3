"""The exact solution of a game. In: the state graph of a game of one or two players with open
information. Out: the values of its states, or proved bounds (`Solution`).

`arena` looks at the state graph from the first mover's side, `retrograde` solves games without
chance, `chance` those with it; `Solution` is what comes of them, and `keeping` keeps it on disk.
`secrets` says which games have secret picks, `laid_open` solves them with the picks laid open, as a
`matrix` game. Where players choose at once, `together` solves stage by stage; `hidden` whatever
else is hidden.
"""

from __future__ import annotations

from time import process_time

from rulegame.extras import is_installed, missing

if not is_installed("solve"):
    raise missing("solve")

from rulegame.errors import CannotSolve, NotOpposed, TooMuchMemory
from rulegame.exploring import StateGraph, explore, telling_full_disks
from rulegame.game import CHANCE, Game, State
from rulegame.memory import MAX_STATES, memory_budget
from rulegame.model.secrecy import hidden_values
from rulegame.native.graph_kernels import has_kernels
from rulegame.progress import Progress, silent
from rulegame.solving.arena import check_opposed, make_arena
from rulegame.solving.chance import MOST_PLAIN
from rulegame.solving.deadline import deadline_after, limited, time_left
from rulegame.solving.hidden import ChoicePoint, HiddenSolution, MixedMove, solve_histories
from rulegame.solving.keeping import keep_solution, load_solution
from rulegame.solving.laid_open import LaidOpenSolution, lay_open
from rulegame.solving.many import MOST_STATES as MOST_MANY
from rulegame.solving.many import Equilibria, ManySolution, find_equilibria, structure_of
from rulegame.solving.public import check_public
from rulegame.solving.secrets import check_picks
from rulegame.solving.sides import solve_arena, solve_for
from rulegame.solving.solution import Evaluation, Option, Solution, Solved
from rulegame.solving.together import TogetherSolution, solve_stages

__all__ = [
    "MAX_STATES",
    "CannotSolve",
    "ChoicePoint",
    "Equilibria",
    "Evaluation",
    "HiddenSolution",
    "LaidOpenSolution",
    "ManySolution",
    "MixedMove",
    "NotOpposed",
    "Option",
    "Solution",
    "Solved",
    "TogetherSolution",
    "check_open",
    "check_room",
    "check_solvable",
    "check_stages_room",
    "keep_solution",
    "known_solution",
    "solve",
    "solve_for",
    "solve_graph",
    "solve_hidden",
    "solve_laid_open",
    "solve_many",
    "solve_stages",
    "solve_together",
]

BYTES_PER_STATE = 24  # that are in memory, even if arrays go to files,
BYTES_PER_FRACTION = 120  # and for exact values
# Without files, beside the graph, at the height of solving: see benchmarks/solve_speed.py
BYTES_WITHOUT_CHANCE = 30  # of each state, and a backward edge of four for each edge
BYTES_PER_EDGE = 50  # with chance, or without machine code
BYTES_PER_STAGE = 300  # values and mixes in fractions
INSTEAD = "rulegame simulate plays it, rulegame check decides claims that need no solution"


def solve(
    game: Game,
    *,
    first: int = 0,
    at: State | None = None,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    progress: Progress = silent,
    keep: bool = True,
    symmetric: bool = True,
) -> Solution:
    """The solution of a game, or of what is left of it from the state `at` on; CannotSolve for a
    kind of game that is not treated, TooLarge if its states are more than the budget allows. Values
    are always those of the seat `first` (or of the one that the ruleset lets begin), whoever is to
    move in that state. The solution of a large
    game is kept in the user's cache folder, if `keep` is True, and found there the next time.
    `symmetric`: of states that are the same but for a symmetry of the ruleset, it has only one.
    """
    check_solvable(game)
    room = memory_budget(max_memory)
    return _found(game, first, at, max_states, room, progress, keep=keep, symmetric=symmetric)


def _found(
    game: Game,
    first: int,
    at: State | None,
    max_states: int,
    room: int,
    progress: Progress,
    *,
    keep: bool,
    symmetric: bool,
) -> Solution:
    """The solution of a game of a kind that is treated, kept from before or found now."""
    first = game.kernel.who_begins(first)
    known = load_solution(game, first, at, symmetric=symmetric) if keep else None
    if known is not None and len(known.graph) <= max_states:
        return known
    began = process_time()
    with telling_full_disks():
        graph = explore(
            game,
            first=first,
            at=at,
            max_states=max_states,
            max_memory=room,
            progress=progress,
            symmetric=symmetric,
            spill=True,
        )
        check_room(graph, room)
        solution = solve_graph(graph, first, progress)
    if keep:
        keep_solution(solution, first, process_time() - began, symmetric=symmetric)
    return solution


def known_solution(game: Game, first: int, max_states: int, room: int) -> Solution | None:
    """The solution that was kept of all states of a game, whether or not somebody hides something
    in it; None if there is none, or if it takes more than the budget allows.
    """
    known = load_solution(game, first, symmetric=False)
    fits = known is not None and len(known.graph) <= max_states and known.graph.nbytes <= room
    return known if fits else None


def check_room(graph: StateGraph, room: int) -> None:
    """TooLarge if solving a game whose states are known takes more than so many bytes of memory:
    arrays may go to files, if machine code goes through them, but some are made on the way.
    """
    by_machine = has_kernels(graph.edges)
    chance = bool((graph.owner == CHANCE).any()) or not graph.game.kernel.is_plain
    if graph.room.most is not None and by_machine:
        exact = chance and len(graph) <= MOST_PLAIN
        needed = (BYTES_PER_STATE + BYTES_PER_FRACTION * exact) * len(graph)
    elif chance or not by_machine:
        needed = graph.nbytes + BYTES_PER_EDGE * graph.edges
    else:
        needed = graph.nbytes + 4 * graph.edges + BYTES_WITHOUT_CHANCE * len(graph)
    if needed > room:
        then = f", but solving needs about {needed:,} bytes"
        raise TooMuchMemory(len(graph), len(graph), room, then)


def solve_laid_open(
    game: Game,
    *,
    first: int = 0,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    progress: Progress = silent,
    keep: bool = True,
) -> LaidOpenSolution:
    """The solution of the game in which the secret picks of the setup are laid open before the
    first turn: not that of the game with hidden picks. Refusals as for `solve`.
    """
    check_two(game)
    if game.kind.is_open:
        raise CannotSolve("nothing is hidden in this game")
    check_picks(game.ruleset)
    first = game.kernel.who_begins(first)
    room = memory_budget(max_memory)
    play = _found(game, first, None, max_states, room, progress, keep=keep, symmetric=False)
    if not play.arena.plain:
        raise CannotSolve("only games that are won, lost or drawn are solved with picks laid open")
    progress("Weighing the picks", 0, None)
    return lay_open(play, first)


def solve_hidden(
    game: Game,
    *,
    first: int = 0,
    at: State | None = None,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    max_time: float | None = None,
    progress: Progress = silent,
) -> HiddenSolution:
    """The solution of a game in which not everybody sees everything: its value, and a best strategy
    of each player. Up to `max_states` histories are followed, for `max_time` seconds: bounds if the
    strategies are not best by then, OutOfTime if the histories are not known by then. `at` is a
    state to begin with, which all players must know when they come to it. Refusals as for `solve`.
    """
    if len(game.players) > 2:
        raise CannotSolve(
            f"this game has {len(game.players)} players, and something is hidden: only games of "
            f"one or two are solved so ({INSTEAD})"
        )
    first = game.kernel.who_begins(first)
    room = memory_budget(max_memory)
    deadline = deadline_after(max_time)
    progress = limited(max_time, progress)
    graph = explore(game, first=first, max_states=max_states, max_memory=room, progress=progress)
    if at is not None:
        check_public(graph, at, progress)
        graph = explore(
            game, first=first, at=at, max_states=max_states, max_memory=room, progress=progress
        )
    return solve_histories(graph, first, max_states, time_left(deadline), progress)


def solve_together(
    game: Game,
    *,
    first: int = 0,
    at: State | None = None,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    max_time: float | None = None,
    progress: Progress = silent,
) -> TogetherSolution:
    """The solution of a game in which players choose at once and nothing else is hidden, or of what
    is left of it from the state `at` on: the value of every state, and how to mix moves there.
    After `max_time` seconds there are only bounds, or OutOfTime if the states are not known by
    then. Refusals as for `solve`.
    """
    if not game.kind.is_staged:
        raise CannotSolve(_not_staged(game))
    first = game.kernel.who_begins(first)
    room = memory_budget(max_memory)
    deadline = deadline_after(max_time)
    progress = limited(max_time, progress)
    graph = explore(
        game, first=first, at=at, max_states=max_states, max_memory=room, progress=progress
    )
    check_stages_room(graph, room)
    return solve_stages(graph, first, time_left(deadline), progress)


def _not_staged(game: Game) -> str:
    """Why a game is not one of stages."""
    if game.ruleset.together is None:
        return "players do not choose at once in this game (solve and solve_hidden are for others)"
    if len(game.players) > 2:
        return (
            f"{len(game.players)} players choose at once: only games of one or two are solved "
            f"({INSTEAD})"
        )
    return "something else is hidden, beside what is chosen at once: that is for solve_hidden"


def check_stages_room(graph: StateGraph, room: int) -> None:
    """TooLarge if the mixes of all stages take more than so many bytes of memory."""
    needed = graph.nbytes + BYTES_PER_STAGE * len(graph)
    if needed > room:
        then = f", but solving needs about {needed:,} bytes"
        raise TooMuchMemory(len(graph), len(graph), room, then)


def solve_many(
    game: Game,
    *,
    first: int = 0,
    at: State | None = None,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    progress: Progress = silent,
) -> ManySolution:
    """What can be said of a game of three and more players, or of two who are not opposed: what
    each can make sure of, what all can reach together, and what comes of everybody playing for the
    own payoff. Refusals as for `solve`.
    """
    check_open(game)
    first = game.kernel.who_begins(first)
    room = memory_budget(max_memory)
    graph = explore(
        game, first=first, at=at, max_states=max_states, max_memory=room, progress=progress
    )
    check_room(graph, room)
    outcomes, everybody = graph.outcomes, range(len(game.players))
    structure, shortest = structure_of(graph, progress)
    all_win = [int(len(o.winners) == len(everybody)) for o in outcomes]
    few = structure.longest_play is not None and len(graph) <= MOST_MANY
    return ManySolution(
        graph,
        first,
        tuple(
            solve_for(graph, [seat], [o.payoffs[seat] for o in outcomes], progress)
            for seat in everybody
        ),
        solve_for(graph, everybody, [sum(o.payoffs) for o in outcomes], progress),
        solve_for(graph, everybody, all_win, progress) if any(all_win) else None,
        find_equilibria(graph, structure, progress) if few else None,
        structure.longest_play,
        shortest,
    )


def check_solvable(game: Game) -> None:
    """CannotSolve, with a reason, if the kind of game is not treated."""
    if len(game.players) > 2:
        raise CannotSolve(
            f"this game has {len(game.players)} players: what one of them gains is not what "
            "another one loses (solve_many says what each can make sure of)"
        )
    check_open(game)


def check_open(game: Game) -> None:
    """CannotSolve if not everybody sees everything."""
    kind = game.kind
    if kind.simultaneous:
        other = "solve_together" if game.kind.is_staged else "solve_hidden"
        raise CannotSolve(f"players choose at once, unseen: that is for {other}")
    if kind.hidden is not None:
        laid_open = " (or for solve_laid_open, which is another game)"
        raise CannotSolve(
            f"{kind.hidden}: use solve_hidden for hidden information"
            f"{laid_open if hidden_values(game.ruleset) else ''}"
        )


def check_two(game: Game) -> None:
    """CannotSolve unless there are two players."""
    players = len(game.players)
    if players != 2:
        raise CannotSolve(
            f"this game has {players} player{'s'[: players != 1]}: only games of two are treated so"
        )


def solve_graph(graph: StateGraph, first: int = 0, progress: Progress = silent) -> Solution:
    """The solution of a game whose states are known."""
    arena = make_arena(graph, first)
    solution = solve_arena(graph, arena, progress)
    if len(graph.game.players) == 2:
        check_opposed(graph.outcomes, endless=solution.longest_game is None)
    return solution
