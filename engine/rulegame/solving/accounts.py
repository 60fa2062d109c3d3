"""What was computed, under which assumptions, and how it was proved: in a sentence or two."""

from __future__ import annotations

from rulegame.solving import (
    HiddenSolution,
    LaidOpenSolution,
    ManySolution,
    Solution,
    TogetherSolution,
)
from rulegame.solving.strongest import Strongest


def account_of(solution: Strongest) -> str:
    """How an answer was found, for people who want to know what it is worth."""
    if isinstance(solution, HiddenSolution):
        return _hidden(solution)
    if isinstance(solution, TogetherSolution):
        return _together(solution)
    if isinstance(solution, ManySolution):
        return _many(solution)
    if isinstance(solution, LaidOpenSolution):
        proof = "Exact result" if solution.exact else "Bounds, certified by best responses"
        return f"{proof} (matrix game over all pairs of picks)."
    return _open(solution)


def _open(solution: Solution) -> str:
    chance, endless = solution.arena.has_chance, solution.longest_game is None
    if solution.distances is not None:
        result, how = "Exact result", "worked back from every possible ending"
    elif not solution.exact:
        result, how = "Certified bounds", "strategy iteration in floating point, rounding included"
    elif endless:
        how = "strategy iteration" if chance else "solved cycle by cycle"
        result, how = "Exact result", f"{how}, in fractions"
    else:
        result, how = "Exact result", "worked back from every possible ending, in fractions"
    return f"{result} ({how}).{_assumed(endless)}"


def _hidden(solution: HiddenSolution) -> str:
    if solution.plans.method == "regret matching":
        how = "CFR+"
    else:
        how = "linear program in sequence form"
    if solution.depth is not None:
        how += f", {solution.depth} moves and rolls deep"
    if solution.exact:
        result = f"Exact result ({how}; proved in fractions by best responses)."
    else:
        result = f"Method: {how}. Bounds certified by best responses."
    if solution.depth is not None:
        result += " Beyond that depth, the worst case is assumed."
    return f"{result}{_assumed(solution.longest_game is None)}"


def _together(solution: TogetherSolution) -> str:
    endless = solution.longest_game is None
    how = "a matrix game in every position"
    if endless:
        how += ", strategy iteration where positions repeat"
    if solution.exact:
        result = f"Exact result ({how}; proved in fractions by best responses)."
    else:
        result = f"Method: {how}. Bounds certified by best responses."
    return f"{result}{_assumed(endless)}"


def _many(solution: ManySolution) -> str:
    exact = all(one.exact for one in (*solution.alone, solution.together))
    result = "Exact result" if exact else "Exact except where bounds are given"
    how = "each player against all others, all together, and backward induction for all"
    return f"{result} ({how}).{_assumed(solution.longest_game is None)}"


def _assumed(endless: bool) -> str:
    return " Endless play counts as 0." if endless else ""
