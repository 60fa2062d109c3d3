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
        proof = "exact: both mixes are proved against every pick of the other side"
        proof = proof if solution.exact else "bounds, which the mixes prove"
        return f"Found by solving what follows each pair of picks, and a matrix game; {proof}."
    return _open(solution)


def _open(solution: Solution) -> str:
    chance, endless = solution.arena.has_chance, solution.longest_game is None
    if solution.distances is not None:
        how = "by going back from the ends through all states"
        proof = "exact: no number was rounded"
    elif not solution.exact:
        how = "by improving strategies in floating point"
        proof = "bounds, proved for these strategies with a margin for the rounding"
    elif endless:
        how = "by improving strategies, cycle by cycle" if chance else "cycle by cycle"
        proof = "exact: the values are proved in fractions"
    else:
        how = "by going back from the ends through all states"
        proof = "exact, in fractions"
    return f"Found {how}; {proof}.{_assumed(endless)}"


def _hidden(solution: HiddenSolution) -> str:
    if solution.plans.method == "regret matching":
        how = "by matching regrets"
    else:
        how = "by a linear program over what each player can have seen"
    if solution.depth is not None:
        how += f" in {solution.depth} moves and rolls"
    if solution.exact:
        proof = "exact: each strategy is proved in fractions against the best answer to it"
    else:
        proof = "bounds, which the best answers to the strategies prove"
    if solution.depth is not None:
        proof += ", with everybody against the player in question from then on"
    return f"Found {how}; {proof}.{_assumed(solution.longest_game is None)}"


def _together(solution: TogetherSolution) -> str:
    endless = solution.longest_game is None
    how = "by a matrix game in every state"
    if endless:
        how += ", and of states that can come again by improving strategies"
    if solution.exact:
        proof = "exact: both strategies are proved in fractions against every answer"
    else:
        proof = "bounds, which the best answers to the strategies prove"
    return f"Found {how}; {proof}.{_assumed(endless)}"


def _many(solution: ManySolution) -> str:
    exact = all(one.exact for one in (*solution.alone, solution.together))
    proof = "exact, in fractions" if exact else "exact where no bounds are given"
    how = "one player against all others, all together, and back from the ends for all"
    assumed = _assumed(solution.longest_game is None)
    return f"Found by going through all states: {how}; {proof}.{assumed}"


def _assumed(endless: bool) -> str:
    return " Play that never ends counts as 0." if endless else ""
