"""The answer to why: a rule, a strategy and a table, each checked against the whole solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from rulegame.explaining.chart import Chart, chart_of
from rulegame.explaining.positions import LOSS, NEITHER, WIN, Positions, positions_of
from rulegame.explaining.rules import Rule, find_rule
from rulegame.explaining.strategies import find_strategy, is_settled
from rulegame.explaining.terms import terms_of
from rulegame.shown import Shown, Tabled
from rulegame.solving.perfect_information.solution import PerfectInformationSolution
from rulegame.solving.result import Method, Result, Solution
from rulegame.wording import counted

MOST_STATES: Final = 300_000  # of a game that is explained
NO_RULE: Final = "No simple rule found."
ALL_NEEDED: Final = "Rules are searched among all positions; a lookahead knows only some."
OPEN_ONLY: Final = "Rules are searched for games of one or two players who see everything."


@dataclass(frozen=True)
class SolutionExplanation(Shown, Tabled):
    """Why a game is won or lost."""

    rules: tuple[str, ...]  # sentences
    strategy: str | None  # a sentence
    chart: Chart | None
    positions: int  # different ones in which a player decides
    note: str = ""  # why nothing was looked for

    @property
    def sentences(self) -> tuple[str, ...]:
        """The rules and the strategy, or that there are none."""
        found = (*self.rules, *([self.strategy] if self.strategy else []))
        return found or tuple(filter(None, (NO_RULE, self.note)))

    def to_dict(self) -> dict[str, Any]:
        """The explanation for programs."""
        return {
            "rules": list(self.rules),
            "strategy": self.strategy,
            "positions": self.positions,
            "table": None if self.chart is None else self.chart.to_dict(),
            "text": " ".join(self.sentences),
        }


def explain_solution(solution: Solution) -> SolutionExplanation:
    """Why a solved game is won or lost, as far as a simple rule says it. ValueError if the game was
    solved with one state for all that are the same but for a symmetry.
    """
    if solution.algorithm is Method.LOOKAHEAD:
        return SolutionExplanation((), None, None, 0, ALL_NEEDED)
    if not isinstance(solution, PerfectInformationSolution):
        return SolutionExplanation((), None, None, 0, OPEN_ONLY)
    graph = solution.graph
    if graph.symmetries is not None:
        raise ValueError("to explain a game, solve it with symmetric=False")
    if len(graph) > MOST_STATES:
        most = f"Rules are searched in games of at most {MOST_STATES:,} positions."
        return SolutionExplanation((), None, None, len(graph), most)
    positions = positions_of(solution)
    if not len(positions):
        return SolutionExplanation((), None, None, 0)
    rules = _rules(solution, positions) if solution.arena.plain else []
    scope = f", in all {counted(len(positions), 'position')} reachable with these settings."
    if len(positions) == 1:
        scope = ", in the only position reachable with these settings."
    named = frozenset[int]().union(*(rule.columns for rule, _ in rules))
    chart = chart_of(positions, named) if solution.arena.plain else None
    sentences = tuple(f"{text}{scope}" for _, text in rules)
    return SolutionExplanation(sentences, _strategy(solution), chart, len(positions))


def _rules(solution: PerfectInformationSolution, positions: Positions) -> list[tuple[Rule, str]]:
    """The rules, in words: one if every position is won or lost, else one for each of the two."""
    terms, outcome = terms_of(positions), positions.outcome
    chance, names = solution.arena.has_chance, solution.game.players
    who = names[0] if len(names) == 1 else "The player to move"
    words = {LOSS: "loses", WIN: "wins"}
    found = {result: find_rule(positions, terms, outcome == result) for result in words}
    rules = {result: rule for result, rule in found.items() if rule is not None}
    if not (outcome == NEITHER).any():
        rules = dict(sorted(rules.items(), key=lambda pair: pair[1].size)[:1])
    elif (outcome == NEITHER).all() and not chance:
        return [(Rule(False), "Neither side can force a win")]
    else:
        rules = {result: rule for result, rule in rules.items() if rule.then is not False}
    sentences = []
    for result, rule in rules.items():
        surely = "certainly " * (chance and not isinstance(rule.then, bool))
        sentences.append((rule, rule.sentence(who, surely + words[result])))
    return sentences


def _strategy(solution: PerfectInformationSolution) -> str | None:
    names = solution.game.players
    if len(names) == 2 and solution.arena.plain and is_settled(solution):
        if solution.result in (Result.FIRST, Result.SECOND):
            seat = solution.first if solution.value == 1 else 1 - solution.first
            return f"{names[seat]} wins whatever both play."
        return "The game is a draw whatever both play."
    found = find_strategy(solution)
    return None if found is None else f"{found.sentence(names)}."
