"""Advice from the solution of a game."""

from __future__ import annotations

from typing import Final

from rulegame.game import GameError, Move, State, View
from rulegame.players.findings import Advice, RatedMove
from rulegame.players.mixed import exploitability_note
from rulegame.players.perfect import good_moves
from rulegame.players.solutions import Solutions, Unsolved
from rulegame.progress import Progress
from rulegame.solving import MixedSolution, Option, PerfectInformationSolution, Result
from rulegame.solving.arena import HIGH

MOST_HISTORIES: Final = 20_000  # for a hint, where something is hidden or chosen at once
MARGIN: Final = 1e-6
RARE: Final = 0.001  # a probability below has no digits


def solved_advice(
    view: View, first: int, max_states: int, seconds: float, progress: Progress
) -> Advice | str:
    """Advice for the seat of a view; or why there is no solution, as a clause."""
    try:
        most = max_states if view.game.kind.is_open else min(max_states, MOST_HISTORIES)
        solution = view.game.companion(Solutions).find(first, most, progress, seconds)
    except Unsolved as reason:
        return str(reason)
    except GameError as error:
        return f"the rules fail in some position ({error.diagnostic.message})"
    if not isinstance(solution, PerfectInformationSolution):
        advice = _from_mixed(solution, view)
        if advice is not None:
            return advice
    elif view.state is not None and view.state in solution:
        return _from_solution(solution, view.state)
    return "the solution does not cover this position"


def _from_solution(solution: PerfectInformationSolution, state: State) -> Advice:
    number = solution.number(state)
    sign = 1 if solution.arena.role[number] == HIGH else -1
    total = 0.0 if sign == 1 else float(solution.graph.payoff_sum)
    worths, bounds = [], {}
    for option in solution.options(state):
        low, high = sorted((total + sign * option.lower, total + sign * option.upper))
        bounds[option.move] = low, high
        if option.result in (Result.CHANCE, Result.PAYOFF):
            worths.append(_rated(option.move, low, high))
        else:
            worths.append(RatedMove(option.move, low, _decided(option, low), decided=True))
    best = solution.moves_like(state, good_moves(solution, number))
    if solution.exact:
        return Advice(tuple(best), tuple(worths), "solution")
    floor = min(bounds[move][0] for move in best)
    ceiling = max((high for move, (_, high) in bounds.items() if move not in best), default=floor)
    proved = ceiling <= floor + _margin(floor)
    return Advice(tuple(best) if proved else (), tuple(worths), "bounds")


def _rated(move: Move, low: float, high: float, about: str = "", often: str = "") -> RatedMove:
    """A move by the bounds of its value; they are one number where they print alike."""
    known = high - low <= _margin(low)
    value = (low + high) / 2 if known else None
    said = f"{about}{value:+.3f}" if known else f"between {low:+.3f} and {high:+.3f}"
    return RatedMove(move, value, f"is worth {said}{often}")


def _margin(value: float) -> float:
    """How far bounds may be apart that stand for one number."""
    return MARGIN * max(1.0, abs(value))


def _decided(option: Option, value: float) -> str:
    """The result of a move under best play, for people."""
    if option.result == Result.DRAW:
        return "draws"
    if option.result == Result.ENDLESS:
        return "never ends"
    verb = "wins" if value == 1 else "loses"
    if option.distance is None:
        return verb
    return f"{verb} at once" if option.distance == 1 else f"{verb} in {option.distance} moves"


def _from_mixed(solution: MixedSolution, view: View) -> Advice | None:
    """The moves that a best strategy mixes, by what the player has seen; None if the game as it was
    solved never comes to that.
    """
    strategy = solution.strategy(view)
    if strategy is None:
        return None
    best = tuple(move for move, share in strategy.items() if share)
    worths = solution.worth(view)
    if not _supported(best, worths):
        worths = {}
    about = "" if solution.exact else "about "
    rated = []
    for move, share in strategy.items():
        often = f"best {_percent(float(share))} of the time" if 0 < share < 1 else ""
        if move in worths:
            rated.append(_rated(move, *worths[move], about, often and f", {often}"))
        else:
            rated.append(RatedMove(move, None, often or ("always" if share else "never")))
    if solution.exact:
        return Advice(best, tuple(rated), "solution")
    return Advice(best, tuple(rated), "bounds", exploitability_note(solution))


def _percent(share: float) -> str:
    """A probability that is neither 0 nor 1."""
    if share < RARE:
        return f"less than {100 * RARE:g} %"
    return f"{100 * share:.3g} %" if share < 1 - RARE else f"more than {100 * (1 - RARE):g} %"


def _supported(best: tuple[Move, ...], worths: dict[Move, tuple[float, float]]) -> bool:
    """Whether no move is worth more than any that the mix plays."""
    if not worths:
        return False
    floor = min(worths[move][0] for move in best)
    return max(high for _, high in worths.values()) <= floor + _margin(floor)
