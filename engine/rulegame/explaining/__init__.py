"""Why a game is won: a rule for its losing positions, a simple strategy, a table to look at.

In: a solution. Out: a `SolutionExplanation`. `positions` are what a player to move sees, `terms`
the numbers that rules are about, `conditions` and `rules` the search for the shortest rule,
`strategies` the same move at every turn, `chart` the table.
"""

from __future__ import annotations

from rulegame.explaining.chart import Axis, Chart
from rulegame.explaining.explanation import SolutionExplanation, explain_solution

__all__ = ["Axis", "Chart", "SolutionExplanation", "explain_solution"]
